//! Warnings about timings on a busy machine.

use proofwood::Config;
use proofwood_session::words::numbers;

pub(crate) struct Timed {
    pub(crate) threads: usize,
    /// Processor time divided by elapsed time: the number of cores in use.
    pub(crate) cores: f64,
    /// The speed-up over one thread, if it was measured.
    pub(crate) speed_up: Option<f64>,
}

/// Returns warnings about timings: threads that had fewer cores than they could use, and a speed-up
/// that exceeds the number of cores. The text is empty if there are none.
pub(crate) fn doubts(measured: impl IntoIterator<Item = Timed>) -> String {
    doubts_on(Config::default().threads, measured)
}

fn doubts_on(all: usize, measured: impl IntoIterator<Item = Timed>) -> String {
    /// If threads get a smaller share than this of the cores that they could use, this is reported.
    const ENOUGH: f64 = 0.9;
    /// The maximum plausible speed-up per core; caches can make it exceed 1.
    const MOST: f64 = 1.1;
    let measured: Vec<Timed> = measured.into_iter().collect();
    let could = |timed: &Timed| timed.threads.min(all) as f64;
    let share = |timed: &Timed| timed.cores / could(timed);
    let mut text = String::new();
    let least = measured.iter().min_by(|a, b| share(a).total_cmp(&share(b)));
    if let Some(least) = least.filter(|least| share(least) < ENOUGH) {
        text.push_str(&format!(
            "The machine was busy: {} had only {:.2} of {}. Times are unreliable.\n",
            numbers::number(least.threads as u64, "thread"),
            least.cores,
            numbers::number(least.threads.min(all) as u64, "core")
        ));
    }
    let beyond = |timed: &&Timed| timed.speed_up.is_some_and(|up| up > MOST * could(timed));
    if let Some(Timed { threads, speed_up: Some(up), .. }) = measured.iter().find(beyond) {
        text.push_str(&format!(
            "A speed-up of {up:.2} with {threads} threads on {all} cores is impossible: the run \
             with one thread was disturbed.\n"
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
        assert!(text.contains("busy: 1 thread had only 0.07 of 1 core."), "{text}");
        assert!(
            text.contains("A speed-up of 13.63 with 2 threads on 2 cores is impossible"),
            "{text}"
        );
        let text = doubts_on(2, [timed(1, 1.0, 1.0), timed(8, 1.0, 0.9)]);
        assert!(text.contains("busy: 8 threads had only 1.00 of 2 cores."), "{text}");
        assert_eq!(doubts_on(2, []), "");
    }
}
