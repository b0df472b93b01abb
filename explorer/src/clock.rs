//! The time since some moment.

use std::time::Duration;

/// Time that has passed, by a clock that never goes back.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn now() -> Duration {
    use std::sync::OnceLock;
    use std::time::Instant;
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

/// The same by the page's clock.
#[cfg(target_family = "wasm")]
pub(crate) fn now() -> Duration {
    Duration::try_from_secs_f64(crate::web::now() / 1e3).unwrap_or_default()
}
