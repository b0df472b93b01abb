//! Figures of time from a machine that had other work to do.

use proofwood::Config;

/// A measurement that others may have disturbed.
pub(crate) struct Timed {
    pub(crate) threads: usize,
    /// Processor time by time on the wall: how many cores the threads had.
    pub(crate) cores: f64,
    /// Beside one thread, where that was measured.
    pub(crate) speed_up: Option<f64>,
}

/// What makes figures of time doubtful: threads that had less than the cores that they
/// could use, and a speed-up that no number of cores brings. Nothing when all is well.
pub(crate) fn doubts(measured: impl IntoIterator<Item = Timed>) -> String {
    doubts_on(Config::default().threads, measured)
}

fn doubts_on(all: usize, measured: impl IntoIterator<Item = Timed>) -> String {
    /// Less than this share of the cores is missed.
    const ENOUGH: f64 = 0.9;
    /// Beyond the number of cores caches may bring as much.
    const MOST: f64 = 1.1;
    let measured: Vec<Timed> = measured.into_iter().collect();
    let could = |timed: &Timed| timed.threads.min(all) as f64;
    let share = |timed: &Timed| timed.cores / could(timed);
    let mut text = String::new();
    let least = measured.iter().min_by(|a, b| share(a).total_cmp(&share(b)));
    if let Some(least) = least.filter(|least| share(least) < ENOUGH) {
        let threads = if least.threads == 1 { "thread" } else { "threads" };
        text.push_str(&format!(
            "The machine was busy: {} {threads} had {:.2} of {} cores. Figures of time say little.\n",
            least.threads,
            least.cores,
            could(least)
        ));
    }
    let beyond = |timed: &&Timed| timed.speed_up.is_some_and(|up| up > MOST * could(timed));
    if let Some(Timed { threads, speed_up: Some(up), .. }) = measured.iter().find(beyond) {
        text.push_str(&format!(
            "A speed-up of {up:.2} with {threads} threads on {all} cores cannot be: one thread was \
             disturbed.\n"
        ));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubtful_figures_are_named() {
        let timed = |threads, cores, up| Timed { threads, cores, speed_up: Some(up) };
        let well = [timed(1, 0.99, 1.0), timed(2, 1.95, 1.9), timed(8, 2.0, 2.1)];
        assert_eq!(doubts_on(2, well), "");
        let text = doubts_on(2, [timed(1, 0.07, 1.0), timed(2, 1.9, 13.63)]);
        assert!(text.contains("busy: 1 thread had 0.07 of 1 cores."), "{text}");
        assert!(text.contains("A speed-up of 13.63 with 2 threads on 2 cores cannot be"), "{text}");
        let text = doubts_on(2, [timed(1, 1.0, 1.0), timed(8, 1.0, 0.9)]);
        assert!(text.contains("busy: 8 threads had 1.00 of 2 cores."), "{text}");
        assert_eq!(doubts_on(2, []), "");
    }
}
