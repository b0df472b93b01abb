//! A run of a proof search: the coordinator asks one question after another, each with a new
//! prover, and records the answers.

use super::shared::{SharedProof, together};
use crate::bounds::Interval;
use crate::error::SearchError;
use crate::game::{Game, Outcome, Turn};
use crate::prove::alpha_beta::AlphaBeta;
use crate::prove::auto::Auto;
use crate::prove::best_first::{mcpns, pn2, pns};
use crate::prove::depth_first::{DepthFirst, Dfpn, Pds};
#[cfg(feature = "certificates")]
use crate::prove::memo::{Memo, remember};
use crate::prove::question::Question;
use crate::prove::report::Asked;
use crate::prove::run::{Run, Spent};
use crate::prove::setting::Setting;
use crate::prove::table::Table;
use crate::prove::{Prospects, Prover};
use crate::settings::{Algorithm, Budget, StopReason, USUAL_STACK};
use crate::sync::{Instant, Ordering};
use crate::threads::{WhenFull, catch_panic, run_here, run_team};
use std::sync::{Arc, OnceLock};

/// A kind of prover, and the function that creates one for a question. Provers are boxed, so that
/// code that calls them is compiled only once.
enum Kind<G: Game> {
    Table(MakeWithTable<G>),
    Tree(MakeWithTree<G>),
}

/// A function that creates a prover with a table. All questions share the statistics of playouts.
type MakeWithTable<G> =
    for<'t> fn(Setting<'t, G>, &'t Table, &'t OnceLock<Prospects>) -> Box<dyn Prover<G> + 't>;

/// A function that creates a prover with a tree, if the memory suffices.
type MakeWithTree<G> = for<'t> fn(Setting<'t, G>) -> Result<Box<dyn Prover<G> + 't>, SearchError>;

impl<G: Game> Kind<G> {
    fn of(algorithm: Algorithm) -> Kind<G> {
        match algorithm {
            Algorithm::Auto => Kind::Table(|setting, table, prospects| {
                Box::new(Auto::new(setting, table, prospects))
            }),
            Algorithm::Ab => {
                Kind::Table(|setting, table, _| Box::new(AlphaBeta::new(setting, table)))
            }
            Algorithm::Dfpn => {
                Kind::Table(|setting, table, _| Box::new(DepthFirst::new::<Dfpn>(setting, table)))
            }
            Algorithm::Pds => {
                Kind::Table(|setting, table, _| Box::new(DepthFirst::new::<Pds>(setting, table)))
            }
            #[cfg(feature = "ppns")]
            Algorithm::DfPpns => Kind::Table(|setting, table, _| {
                use crate::prove::depth_first::DfPpns;
                Box::new(DepthFirst::new::<DfPpns>(setting, table))
            }),
            Algorithm::Pns => Kind::Tree(|setting| Ok(Box::new(pns::prover(setting)?))),
            Algorithm::Pn2 => Kind::Tree(|setting| Ok(Box::new(pn2::prover(setting)?))),
            Algorithm::Mcpns => Kind::Tree(|setting| Ok(Box::new(mcpns::prover(setting)?))),
            #[cfg(feature = "ppns")]
            Algorithm::Ppns => {
                use crate::prove::best_first::ppns;
                Kind::Tree(|setting| Ok(Box::new(ppns::prover(setting)?)))
            }
        }
    }
}

pub(super) struct Coordinator<'s, G: Game> {
    shared: &'s SharedProof<G>,
    budget: &'s Budget,
    deadline: Option<Instant>,
    nodes: u64,
}

struct Asking {
    question: Question,
    started: Instant,
    spent: Arc<Spent>,
}

/// The number of nodes that a prover with a table may create on the coordinator's thread before
/// workers start. Starting a thread, which touches fresh memory, takes as long as a few thousand
/// nodes, and most questions are easy. The results stay in the table.
const GLANCE: u64 = 256;

impl<'s, G: Game> Coordinator<'s, G> {
    pub(super) fn new(shared: &'s SharedProof<G>, budget: &'s Budget, started: Instant) -> Self {
        // A time beyond the clock's range is not a limit.
        let deadline = budget.time.and_then(|time| started.checked_add(time));
        Coordinator { shared, budget, deadline, nodes: 0 }
    }

    pub(super) fn run(mut self) -> Result<StopReason, SearchError> {
        let over = catch_panic(|| self.shared.game.turn(&self.shared.root) == Turn::Over)?;
        if over {
            return Ok(StopReason::GameOver);
        }
        self.ask_all(&Kind::of(self.shared.config.algorithm))
    }

    /// Returns the size of a table or a tree in bytes: `most`, or the budget if that is less.
    fn bytes(&self, most: u64) -> u64 {
        self.budget.bytes.map_or(most, |bytes| bytes.min(most))
    }

    fn ask_all(&mut self, kind: &Kind<G>) -> Result<StopReason, SearchError> {
        loop {
            let next = self.shared.known.lock().plan.next();
            let Some(question) = next else { return Ok(StopReason::Solved) };
            let (reason, answered) = self.ask(question, kind)?;
            if !answered {
                return Ok(reason);
            }
        }
    }

    /// Answers one question with all threads and records the result. Returns the reason why the
    /// threads ended, and whether there is an answer.
    fn ask(
        &mut self,
        question: Question,
        kind: &Kind<G>,
    ) -> Result<(StopReason, bool), SearchError> {
        let shared = self.shared;
        let config = &shared.config;
        let setting = Setting {
            game: &shared.game,
            root: &shared.root,
            root_key: shared.root_key(),
            config,
            declared: &shared.declared,
            audited: shared.audited.as_ref(),
            question,
            bytes: self.bytes(config.memory),
        };
        let asking = Asking { question, started: Instant::now(), spent: Arc::default() };
        let now = (question, asking.started, Arc::clone(&asking.spent));
        shared.known.lock().asking = Some(now);
        match *kind {
            Kind::Table(make) => {
                let bytes = self.bytes(config.table);
                if self.glances() {
                    let table = shared.table_at_first(bytes)?;
                    let prover = catch_panic(|| make(setting, &table, &shared.prospects))?;
                    let error = self.glance(&asking, &*prover);
                    let goes_on = shared.control.reason() == StopReason::Nodes;
                    if error.is_some() || prover.verdict().is_some() || !goes_on {
                        return self.conclude(&asking, &*prover, error);
                    }
                }
                let table = shared.table(bytes)?;
                let prover = catch_panic(|| make(setting, &table, &shared.prospects))?;
                let error = self.work(&asking, &*prover);
                self.conclude(&asking, &*prover, error)
            }
            Kind::Tree(make) => {
                let prover = catch_panic(|| make(setting))??;
                // Allocated before the search, so that no answer is lost if the table does not fit.
                #[cfg(feature = "certificates")]
                let kept = match config.keep_proofs {
                    true => Some(shared.table(self.bytes(config.table))?),
                    false => None,
                };
                let error = self.work(&asking, &*prover);
                let (reason, answered) = self.conclude(&asking, &*prover, error)?;
                #[cfg(feature = "certificates")]
                if let Some(table) = kept.filter(|_| answered) {
                    let memo = Memo::new(&table, &setting);
                    let keep = &mut |key, verdict| remember(&memo, question, key, verdict);
                    catch_panic(|| prover.solved_positions(keep))?;
                }
                Ok((reason, answered))
            }
        }
    }

    fn nodes_left(&self) -> Option<u64> {
        self.budget.nodes.map(|nodes| nodes.saturating_sub(self.nodes))
    }

    /// Returns whether the coordinator's thread first tries to answer a question alone. It does not
    /// if a large stack is configured, because the rules may need more stack than this thread has.
    fn glances(&self) -> bool {
        self.nodes_left().is_none_or(|nodes| nodes > GLANCE)
            && self.shared.config.stack <= USUAL_STACK
    }

    fn begin<'r>(&'r self, spent: &'r Spent, threads: usize, nodes: Option<u64>) -> Run<'r> {
        let shared = self.shared;
        let when_full = match self.budget.bytes {
            Some(bytes) if bytes < shared.config.memory => StopReason::Bytes,
            _ => StopReason::Memory,
        };
        shared.control.reset(threads, nodes, WhenFull::Stop(when_full));
        if shared.stop_asked.load(Ordering::Relaxed) {
            shared.control.stop(StopReason::Stopped);
        }
        Run::new(&shared.control, spent, self.deadline, threads)
    }

    fn share(
        &self,
        prover: &dyn Prover<G>,
        number: usize,
        run: &Run<'_>,
    ) -> Result<(), SearchError> {
        self.shared.counted.begin_thread();
        let ended = prover.work(number, run);
        self.shared.counted.end_thread();
        ended
    }

    /// Searches a question's first nodes on the coordinator's thread.
    fn glance(&self, asking: &Asking, prover: &dyn Prover<G>) -> Option<SearchError> {
        let cancel = self.budget.cancel.as_ref();
        // No other thread checks the clock meanwhile, and the rules may be slow.
        let run = Run { cancel, look_every: 1, ..self.begin(&asking.spent, 1, Some(GLANCE)) };
        let share = || self.share(prover, 0, &run);
        run_here(&self.shared.control, self.deadline, cancel, &share)
    }

    fn work(&self, asking: &Asking, prover: &dyn Prover<G>) -> Option<SearchError> {
        let SharedProof { config, control, .. } = self.shared;
        let made = asking.spent.effort(0).nodes;
        let left = self.nodes_left().map(|nodes| nodes.saturating_sub(made));
        let run = self.begin(&asking.spent, config.threads, left);
        let share = |number| self.share(prover, number, &run);
        let (stack, cancel) = (config.stack as usize, self.budget.cancel.as_ref());
        run_team(config.threads, stack, control, self.deadline, cancel, &share)
    }

    fn conclude(
        &mut self,
        asking: &Asking,
        prover: &dyn Prover<G>,
        error: Option<SearchError>,
    ) -> Result<(StopReason, bool), SearchError> {
        let shared = self.shared;
        let Asking { question, started, ref spent } = *asking;
        let effort = spent.effort(prover.bytes());
        self.nodes += effort.nodes;
        let verdict = prover.verdict();
        if shared.config.audit && error.is_none() {
            catch_panic(|| prover.audit())??;
        }
        // Both methods call the game's rules, which may have failed already.
        let (guess, numbers) = match verdict.is_none() && error.is_none() {
            true => catch_panic(|| (prover.guess(), prover.numbers()))?,
            false => (None, None),
        };
        let mut known = shared.known.lock();
        known.asking = None;
        known.effort = together(known.effort, effort);
        let elapsed = started.elapsed();
        let estimate = prover.estimate().filter(|_| verdict.is_none());
        let answered_by = verdict.and(prover.answered_by());
        known.asked.push(Asked { question, verdict, answered_by, estimate, effort, elapsed });
        known.numbers = numbers;
        if verdict.is_none() {
            known.guess = guess;
        }
        if let Some(verdict) = verdict {
            let wins = |player: usize, bounds: Interval| match shared.to_move {
                Some(mover) if shared.declared.zero_sum => {
                    let bounds = if player == mover { bounds } else { bounds.reversed() };
                    let thresholds = shared.declared.thresholds[mover];
                    thresholds.outcome(bounds.lower) == Outcome::Win
                }
                _ => false,
            };
            known.take(question, verdict, prover, wins);
            if known.plan.is_contradicted() {
                return Err(error.unwrap_or(SearchError::Contradiction { node: 0 }));
            }
        }
        match error {
            Some(error) => Err(error),
            None => {
                let reason = match shared.control.reason() {
                    // No limit has ended the threads: they ran out of work.
                    StopReason::Playouts => StopReason::Stopped,
                    reason => reason,
                };
                Ok((reason, verdict.is_some()))
            }
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::bounds::Value;
    use crate::prove::search::prove;
    use crate::settings::{CancelToken, ProverConfig};
    use crate::sync::AtomicU64;
    use crate::threads::UNTIL_REFUSED;
    use proofwood_testkit::sticks;

    /// The game of sticks without keys; cancels the token, if any, after a number of moves.
    #[derive(Default)]
    struct Sticks(Option<CancelToken>, AtomicU64);

    const RULES: sticks::Sticks = sticks::Sticks(40);

    impl Game for Sticks {
        type State = (u32, usize);
        type Move = u32;

        fn initial_state(&self) -> (u32, usize) {
            RULES.initial_state()
        }
        fn turn(&self, state: &(u32, usize)) -> Turn {
            RULES.turn(state)
        }
        fn legal_moves(&self, state: &(u32, usize), moves: &mut Vec<u32>) {
            RULES.legal_moves(state, moves);
        }
        fn play(&self, state: &mut (u32, usize), taken: u32) {
            if let Some(token) = &self.0
                && self.1.fetch_add(1, Ordering::Relaxed) == 60
            {
                token.cancel();
            }
            RULES.play(state, taken);
        }
        fn payoff(&self, state: &(u32, usize), player: usize) -> i32 {
            RULES.payoff(state, player)
        }
        fn zero_sum(&self) -> bool {
            true
        }
    }

    #[test]
    fn easy_questions_need_no_other_thread() {
        let without_threads = |sticks, config: ProverConfig| {
            UNTIL_REFUSED.set(0);
            let report = prove(Sticks::default(), (sticks, 0), config, &Budget::default());
            UNTIL_REFUSED.set(u32::MAX);
            report
        };
        let config = |algorithm| ProverConfig::default().algorithm(algorithm).table(1 << 20);
        let refused = |report| matches!(report, Err(SearchError::Threads(_)));
        for algorithm in [Algorithm::Auto, Algorithm::Ab, Algorithm::Dfpn, Algorithm::Pds] {
            let report = without_threads(5, config(algorithm)).unwrap();
            assert_eq!((report.proven, report.best_move), (Value::Win, Some(1)), "{algorithm:?}");
            assert!(refused(without_threads(40, config(algorithm))), "{algorithm:?}");
            // Rules that need a large stack are never run on the coordinator's thread.
            assert!(refused(without_threads(5, config(algorithm).stack(4 << 20))));
        }
        assert!(refused(without_threads(5, config(Algorithm::Pns))), "its tree is not a table");
    }

    #[test]
    fn a_glance_ends_when_it_is_cancelled() {
        for algorithm in [Algorithm::Auto, Algorithm::Ab, Algorithm::Dfpn, Algorithm::Pds] {
            let token = CancelToken::new();
            let game = Sticks(Some(token.clone()), AtomicU64::new(0));
            let config = ProverConfig::default().algorithm(algorithm).threads(1).table(1 << 20);
            let report = prove(game, (40, 0), config, &Budget::default().cancel(&token)).unwrap();
            assert_eq!(report.stop_reason, Some(StopReason::Cancelled), "{algorithm:?}");
            assert!(report.effort.nodes < GLANCE / 2, "{algorithm:?}: {report:?}");
        }
    }

    #[test]
    fn a_glance_counts() {
        let config = ProverConfig::default().threads(1).table(1 << 20);
        for nodes in [1, GLANCE, GLANCE + 1, GLANCE + 100] {
            let budget = Budget::default().nodes(nodes);
            let report = prove(Sticks::default(), (40, 0), config.clone(), &budget).unwrap();
            assert_eq!(report.stop_reason, Some(StopReason::Nodes));
            // An expansion creates at most three nodes and may exceed each of the two limits.
            assert!((nodes..nodes + 6).contains(&report.effort.nodes), "{nodes}: {report:?}");
        }
    }
}
