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
    #[link(wasm_import_module = "env")]
    unsafe extern "C" {
        /// Milliseconds since some moment; never less than before.
        #[link_name = "now"]
        safe fn milliseconds() -> f64;
    }
    Duration::try_from_secs_f64(milliseconds() / 1e3).unwrap_or_default()
}
