//! Plays rounds until the time is up, a round fails or the user stops it.

use crate::plan::Plan;
use crate::round;
use crate::tally::Tally;
use crate::watchdog::Watchdog;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use proofwood::CancelToken;
use proofwood_testkit::dice::branch;
use std::collections::hash_map::RandomState;
use std::fmt;
use std::hash::BuildHasher;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

#[derive(Clone, Debug)]
pub(crate) struct Campaign {
    /// The time after which no round starts.
    pub(crate) time: Duration,
    pub(crate) seed: u64,
    pub(crate) threads: usize,
    /// The seed of a round to repeat; if it is given, no other round is played.
    pub(crate) round: Option<u64>,
    /// The time limit of a round.
    pub(crate) patience: Duration,
    pub(crate) rounds: u64,
}

#[derive(Debug)]
pub(crate) enum End {
    Done,
    /// All rounds passed until the user stopped the campaign.
    Interrupted,
    Failed(Failure),
}

/// A failed round, and the command that repeats it.
#[derive(Debug)]
pub(crate) struct Failure {
    what: String,
    plan: String,
    command: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "FAILED: {}", self.what)?;
        writeln!(f, "in the round {}", self.plan)?;
        write!(f, "Play it again and again with: {}", self.command)
    }
}

impl Campaign {
    pub(crate) fn run(&self, interrupt: &CancelToken) -> (Tally, End) {
        let started = Instant::now();
        let line = progress_line();
        let watchdog = Watchdog::start(self.patience);
        let mut tally = Tally::new(self.round.unwrap_or(self.seed));
        let end = loop {
            tally.elapsed = started.elapsed();
            if tally.rounds == self.rounds || tally.elapsed >= self.time {
                break End::Done;
            }
            if interrupt.is_cancelled() {
                break End::Interrupted;
            }
            let seed = self.round.unwrap_or_else(|| branch(self.seed, tally.rounds));
            line.set_message(format!("round {seed}: {}", tally.on_one_line()));
            let plan = Plan::draw(seed, self.threads);
            let failure =
                |what| Failure { what, plan: format!("{plan:?}"), command: self.command_for(seed) };
            watchdog
                .watch(failure(format!("it has not ended after {:?}", self.patience)).to_string());
            let result = catch_unwind(AssertUnwindSafe(|| round::play(&plan, &mut tally)));
            watchdog.rest();
            tally.rounds += 1;
            if let Err(panic) = result {
                let text = panic.downcast_ref::<&str>().map(|text| text.to_string());
                let what = text.or_else(|| panic.downcast_ref::<String>().cloned());
                break End::Failed(failure(what.unwrap_or_else(|| "a panic".into())));
            }
        };
        tally.elapsed = started.elapsed();
        line.finish_and_clear();
        (tally, end)
    }

    fn command_for(&self, seed: u64) -> String {
        let release = if cfg!(debug_assertions) { "" } else { "--release " };
        let threads = self.threads;
        format!(
            "cargo run {release}--manifest-path lab/Cargo.toml -p proofwood-stress -- \
             --round {seed} --threads {threads} --time 1m"
        )
    }
}

/// A line on the terminal that shows the progress, if there is a terminal.
fn progress_line() -> ProgressBar {
    let line = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(4));
    // `wide_msg` cuts the line to the terminal's width.
    if let Ok(style) = ProgressStyle::with_template("{wide_msg}") {
        line.set_style(style);
    }
    line
}

/// A seed that differs from run to run.
pub(crate) fn any_seed() -> u64 {
    // The seed is short enough to type.
    RandomState::new().hash_one(0) >> 40
}

/// Catches Ctrl-C: the first one ends the campaign after the current round, and the second one ends
/// the program at once.
pub(crate) fn catch_interrupt() -> Result<CancelToken, ctrlc::Error> {
    let token = CancelToken::new();
    let raised = token.clone();
    ctrlc::set_handler(move || {
        if raised.is_cancelled() {
            std::process::exit(130);
        }
        raised.cancel();
    })?;
    Ok(token)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays a campaign of a few rounds with a fixed seed.
    #[test]
    fn a_short_campaign_finds_nothing() {
        let campaign = Campaign {
            time: Duration::from_secs(600),
            seed: 1,
            threads: 16,
            round: None,
            patience: Duration::from_secs(300),
            rounds: 150,
        };
        let (tally, end) = campaign.run(&CancelToken::new());
        assert!(matches!(end, End::Done), "{end:?}");
        assert_eq!(tally.rounds, 150);
        assert!(tally.audits >= 150 && tally.compared > 50 && tally.panics > 5, "{tally}");
    }
}
