//! The clock: the standard library's, except in stand-alone WebAssembly, which has none and uses
//! the host's function `env.now`.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub(crate) use std::time::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub(crate) use given::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod given {
    use std::ops::Add;
    use std::time::Duration;

    #[link(wasm_import_module = "env")]
    unsafe extern "C" {
        /// Returns the milliseconds since an arbitrary moment. The result never decreases.
        safe fn now() -> f64;
    }

    /// A moment in time, with the part of the standard library's interface that the engine uses.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub(crate) struct Instant(Duration);

    impl Instant {
        pub(crate) fn now() -> Instant {
            // NaN and numbers too large for a duration become zero.
            Instant(Duration::try_from_secs_f64(now() / 1e3).unwrap_or_default())
        }

        pub(crate) fn elapsed(&self) -> Duration {
            Instant::now().saturating_duration_since(*self)
        }

        pub(crate) fn saturating_duration_since(&self, earlier: Instant) -> Duration {
            self.0.saturating_sub(earlier.0)
        }

        pub(crate) fn checked_add(&self, time: Duration) -> Option<Instant> {
            self.0.checked_add(time).map(Instant)
        }
    }

    impl Add<Duration> for Instant {
        type Output = Instant;

        fn add(self, time: Duration) -> Instant {
            Instant(self.0.saturating_add(time))
        }
    }
}
