//! A monotonic clock.

use std::time::Duration;

/// Returns the time since an arbitrary moment; never decreases.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn now() -> Duration {
    use std::sync::OnceLock;
    use std::time::Instant;
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

/// Returns the time by the page's clock.
#[cfg(target_family = "wasm")]
pub(crate) fn now() -> Duration {
    #[link(wasm_import_module = "env")]
    unsafe extern "C" {
        /// Returns the milliseconds since an arbitrary moment; never decreases.
        #[link_name = "now"]
        safe fn milliseconds() -> f64;
    }
    Duration::try_from_secs_f64(milliseconds() / 1e3).unwrap_or_default()
}
