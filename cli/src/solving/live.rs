//! Runs searches with a progress line.

use crate::display::screen::Line;
use crate::exit::complain;
use crate::terminal::progress::{Progress, Watch, show};
use proofwood::{Budget, Goal, SearchError, Value};
use proofwood_any_game::{Answer, ProofAnswer, Proving, Searching};
use proofwood_session::solving::observer::{self, Observer};
use proofwood_session::words::{answers, numbers, proofs};
use std::cell::RefCell;
use std::time::Duration;

/// Shows the progress of a task on the terminal, or logs it if there is no terminal.
#[derive(Default)]
pub struct Shown<'w> {
    watch: Watch<'w>,
    step: RefCell<Option<Progress>>,
}

impl<'w> Shown<'w> {
    pub fn new(watch: Watch<'w>) -> Shown<'w> {
        Shown { watch, ..Shown::default() }
    }
}

/// Returns an observer that shows the progress of searches under a label.
pub(crate) fn labelled(label: &str) -> Box<dyn Observer + '_> {
    Box::new(Shown::new(Watch::of(label)))
}

impl Observer for Shown<'_> {
    fn begin(&self, doing: &str, name: &str) {
        let step = &mut *self.step.borrow_mut();
        step.get_or_insert_with(Progress::new).show(&Line::new().item(0, doing).item(1, name));
    }

    fn end(&self) {
        self.step.take();
    }

    fn complain(&self, what: &str) {
        complain(&what);
    }

    fn follow(&self, search: &dyn Searching, budget: &Budget) {
        let running = || search.is_running();
        show(
            self.watch,
            &running,
            &|| describe(self.watch.label, &search.snapshot(), budget),
            None,
        );
    }

    fn follow_proof(
        &self,
        search: &dyn Proving,
        budget: &Budget,
        meanwhile: Option<&mut dyn FnMut()>,
    ) {
        let text = || describe_proof(self.watch.label, &search.snapshot(), budget);
        show(self.watch, &|| search.is_running(), &text, meanwhile);
    }
}

/// Runs a search to its end and shows its progress.
pub(crate) fn run(
    search: &mut dyn Searching,
    budget: &Budget,
    watch: Watch<'_>,
) -> Result<Answer, SearchError> {
    observer::run(search, budget, &Shown::new(watch))
}

/// Runs a proof search to its end and shows its progress.
pub fn prove(
    search: &mut dyn Proving,
    budget: &Budget,
    watch: Watch<'_>,
) -> Result<ProofAnswer, SearchError> {
    observer::prove(search, budget, &Shown::new(watch), None)
}

/// Formats the remaining time, or the elapsed time if there is no limit.
fn time(elapsed: Duration, budget: &Budget) -> String {
    match budget.time {
        Some(time) => format!("{} left", numbers::time(time.saturating_sub(elapsed))),
        None => numbers::time(elapsed),
    }
}

fn describe_proof(label: &str, answer: &ProofAnswer, budget: &Budget) -> Line {
    let known = if answer.proven == Value::Unknown { "" } else { answer.proven.name() };
    let asked = answer.questions.last();
    let asked =
        asked.map_or_else(String::new, |asked| proofs::short_question(&answer.players, asked));
    Line::new()
        .item(5, label)
        .item(1, time(answer.elapsed, budget))
        .item(3, asked)
        .item(0, known)
        .item(4, format!("{} nodes", numbers::count(answer.nodes as f64)))
        .item(2, format!("{} nodes/s", numbers::count(answer.nodes_per_second)))
}

/// Returns the progress line of a search. On a narrow terminal, bounds and proof numbers are left
/// out before the rate, and the best move last of all.
fn describe(label: &str, answer: &Answer, budget: &Budget) -> Line {
    let best = answer.best_move.as_deref().unwrap_or("-");
    let mean = answers::mean(answer, Goal::default())
        .map_or_else(String::new, |mean| format!(" {}", numbers::share(mean)));
    let known = if answer.proven == Value::Unknown { "" } else { answer.proven.name() };
    let payoff = numbers::payoff(answer.bounds, answer.expected);
    let payoff_name = if answer.expected.is_some() { "expected payoff" } else { "bounds" };
    let counted = match answer.counts_proof_numbers {
        true => format!(
            "proof numbers {}",
            numbers::proof_numbers(&answer.proof_numbers).replace(' ', "")
        ),
        false => String::new(),
    };
    Line::new()
        .item(9, label)
        .item(1, time(answer.elapsed, budget))
        .item(0, format!("best {best}{mean}"))
        .item(2, known)
        .item(3, format!("{} playouts/s", numbers::count(answer.playouts_per_second)))
        .item(5, if payoff == "-" { String::new() } else { format!("{payoff_name} {payoff}") })
        .item(6, counted)
        .item(7, format!("{} nodes", numbers::count(answer.nodes as f64)))
        .item(8, numbers::bytes(answer.bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::display::screen::tests::check;
    use proofwood::{Algorithm, Config, ProofGoal, ProverConfig};
    use proofwood_any_game::find;

    /// Sets the figures to values as large as those of a long search.
    fn long(answer: &mut Answer) {
        answer.elapsed = Duration::from_secs(59 * 60 + 59);
        answer.nodes = 123_456_789;
        answer.bytes = 12 << 30;
        answer.playouts_per_second = 1_234_567.0;
    }

    #[test]
    fn the_line_of_a_search_fits() {
        let budget = Budget::default().time(Duration::from_secs(7200));
        for (game, always) in [
            ("othello", "proof numbers"),
            ("pig:20", "expected payoff"),
            ("chinese-checkers:players=6", "bounds"),
            ("minishogi", "playouts/s"),
        ] {
            let position = find(game).unwrap().start();
            let config = Config::default().threads(1).memory(16 << 20);
            let mut search = position.search(&config).unwrap();
            search.start(&Budget::default().playouts(200)).unwrap();
            let mut answer = search.wait().unwrap();
            for long_figures in [false, true] {
                if long_figures {
                    long(&mut answer);
                }
                let best = format!("best {}", answer.best_move.as_deref().unwrap_or("-"));
                let line = describe("", &answer, &budget);
                let rate = (60, "playouts/s");
                check(&line, &[(32, best.as_str()), rate, (150, always), (40, "left")]);
                // A narrow line omits the bounds before the rate.
                for width in 20..=200 {
                    let text = line.text(width);
                    let bounds = text.contains("bounds") || text.contains("expected");
                    assert!(!bounds || text.contains("playouts/s"), "{width}: {text}");
                }
                check(&describe("line-123, a long name", &answer, &budget), &[]);
            }
        }
    }

    #[test]
    fn the_line_of_every_prover_fits() {
        let position = find("connect-four").unwrap().start();
        for &algorithm in Algorithm::ALL {
            for goal in [ProofGoal::Outcome, ProofGoal::DrawOrBetter, ProofGoal::Score] {
                let config = ProverConfig::default()
                    .algorithm(algorithm)
                    .goal(goal)
                    .threads(1)
                    .table(1 << 16);
                let mut search = position.prove(&config).unwrap();
                search.start(&Budget::default().nodes(200)).unwrap();
                let mut answer = search.wait().unwrap();
                (answer.nodes, answer.nodes_per_second) = (123_456_789, 6_020_000.0);
                answer.elapsed = Duration::from_secs(7300);
                let always = [(20, "2 h 1 min"), (60, "nodes/s"), (90, ": ")];
                check(&describe_proof("", &answer, &Budget::default()), &always);
                check(
                    &describe_proof("loa-hard 17, 65536 entries", &answer, &Budget::default()),
                    &[],
                );
            }
        }
    }
}
