//! Evaluates many leaves in one call of an evaluator.
//!
//! A worker does not wait for a leaf's value: it leaves the playout in flight, counted in its
//! nodes, and descends again. Playouts in flight count as visits in later selections, so that a
//! batch consists of different leaves. A separate thread, the *caller*, passes leaves to the
//! evaluator when there are enough of them, when the first one has waited long enough, or when no
//! worker can find another leaf; meanwhile workers gather the next batch.
//!
//! | file | contents |
//! |---|---|
//! | `queue.rs` | the queue between workers and callers: all data that threads share here |
//! | `cache.rs` | cached answers |
//! | `under_way.rs` | the loop of a worker |
//! | `spread.rs` | rollouts as an evaluator, with the same values on any number of threads |
//! | `mod.rs` | the user's interface, and the loop of a caller |

mod cache;
mod queue;
mod spread;
mod under_way;

pub(crate) use queue::{Queue, Request};
pub(crate) use spread::Spread;

use super::context::{Context, Utility};
use super::evaluation::{NoValue, Workspace, check_priors, check_values};
use super::shared::SharedSearch;
use crate::error::{ConfigError, EvaluatorError, SearchError};
use crate::game::Game;
use crate::sync::{AtomicBool, Mutex, Ordering};
use crate::threads::catch_panic;
use std::fmt;
use std::time::Duration;

/// Evaluates many positions in one call, as a neural network does.
///
/// ```
/// use proofwood::{Budget, Config, Search};
/// use proofwood::evaluate::{BatchContext, BatchEvaluator, Batching, Leaf, NoValue};
/// # use proofwood_testkit::sticks::Sticks;
/// /// Leaves a multiple of four, where it can.
/// struct Fourths;
///
/// impl BatchEvaluator<Sticks> for Fourths {
///     fn evaluate_batch(
///         &self,
///         leaves: &mut [Leaf<Sticks>],
///         _: &mut BatchContext<'_, Sticks>,
///     ) -> Result<(), NoValue> {
///         for leaf in leaves {
///             let (sticks, mover) = *leaf.state();
///             let chances = if sticks % 4 == 0 { -0.5 } else { 0.5 };
///             (leaf.values[mover], leaf.values[1 - mover]) = (chances, -chances);
///             for number in 0..leaf.moves().len() {
///                 let left = sticks - leaf.moves()[number];
///                 leaf.priors[number] = if left % 4 == 0 { 0.9 } else { 0.1 };
///             }
///         }
///         Ok(())
///     }
/// }
///
/// let (config, batching) = (Config::default().threads(2), Batching::default().size(8));
/// let mut search = Search::with_batches(Sticks(13), (13, 0), config, Fourths, batching)?;
/// assert_eq!(search.search(&Budget::default().playouts(1000))?.best_move, Some(1));
/// # Ok::<(), proofwood::SearchError>(())
/// ```
///
/// An `Arc` or a `Box` of a batch evaluator is also one, including `dyn BatchEvaluator<G>`, so that
/// several searches can share a network.
pub trait BatchEvaluator<G: Game>: Send + Sync + 'static {
    /// Fills in the values and priors of all leaves. There is at least one leaf, and there are at
    /// most [`Batching::size`].
    ///
    /// # Errors
    /// Returns [`NoValue::Stopped`] if the evaluator gave up because [`BatchContext::stopped`]
    /// returned `true`. Any other error ends the search, as for
    /// [`Evaluator`](crate::evaluate::Evaluator).
    fn evaluate_batch(
        &self,
        leaves: &mut [Leaf<G>],
        context: &mut BatchContext<'_, G>,
    ) -> Result<(), NoValue>;

    /// Returns whether the evaluator provides priors; the answer must be the same for the whole
    /// search. Without priors the search selects moves by UCT.
    fn has_priors(&self) -> bool {
        true
    }

    /// Returns whether equal positions have equal answers; this must be the same for the whole
    /// search. Return `false` if values are drawn at random: then no answers are stored.
    fn is_function(&self) -> bool {
        true
    }
}

/// The context in which a batch evaluator is called.
pub struct BatchContext<'w, G: Game> {
    /// The game that is searched.
    pub game: &'w G,
    /// The calling thread's workspace, which persists between calls and between searches.
    pub workspace: &'w mut Workspace,
    utility: &'w Utility,
    stop: &'w AtomicBool,
}

impl<G: Game> fmt::Debug for BatchContext<'_, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BatchContext").field("stopped", &self.stopped()).finish_non_exhaustive()
    }
}

impl<G: Game> BatchContext<'_, G> {
    /// Returns the value of a payoff for a player, on the scale that the search uses, from −1 to 1.
    pub fn utility(&self, player: usize, payoff: i32) -> f32 {
        self.utility.of(player, payoff)
    }

    /// Returns whether the search is stopping. Long evaluations should poll this and give up.
    pub fn stopped(&self) -> bool {
        // Relaxed: no other data depends on the flag.
        self.stop.load(Ordering::Relaxed)
    }
}

/// A position to be evaluated.
pub struct Leaf<G: Game> {
    state: G::State,
    moves: Vec<G::Move>,
    /// Each player's value, from −1 to 1, as in
    /// [`Evaluator::evaluate`](crate::evaluate::Evaluator::evaluate); initially 0.
    pub values: Vec<f32>,
    /// A prior for each of the [`moves`](Leaf::moves), as in
    /// [`Evaluator::evaluate_with_priors`](crate::evaluate::Evaluator::evaluate_with_priors);
    /// initially 1.
    pub priors: Vec<f32>,
    /// The position's key; 0 if it has none.
    key: u64,
    /// The keys of the positions after the moves; empty unless symmetric positions share an answer.
    marks: Vec<u64>,
    worker: usize,
    /// The slot in which the worker keeps the waiting playout.
    slot: usize,
}

impl<G: Game> Leaf<G> {
    pub(super) fn new(state: G::State, moves: Vec<G::Move>, players: usize) -> Leaf<G> {
        let (values, priors) = (vec![0.0; players], vec![1.0; moves.len()]);
        Leaf { state, moves, values, priors, key: 0, marks: Vec::new(), worker: 0, slot: 0 }
    }

    /// The position to be evaluated.
    pub fn state(&self) -> &G::State {
        &self.state
    }

    /// The legal moves, in the order of the game. Empty if no priors are needed: if
    /// [`BatchEvaluator::has_priors`] is `false`, at chance nodes, and when the memory is full.
    pub fn moves(&self) -> &[G::Move] {
        &self.moves
    }

    /// Checks that the evaluator has not changed the lengths of the lists.
    fn check_lists(&self, players: usize) -> Result<(), EvaluatorError> {
        let lists = [
            ("values", players, self.values.len()),
            ("priors", self.moves.len(), self.priors.len()),
        ];
        match lists.into_iter().find(|(_, wanted, found)| wanted != found) {
            Some((list, wanted, found)) => Err(EvaluatorError::Resized { list, wanted, found }),
            None => Ok(()),
        }
    }
}

impl<G: Game> fmt::Debug for Leaf<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Leaf { values, priors, .. } = self;
        f.debug_struct("Leaf").field("values", values).field("priors", priors).finish()
    }
}

/// The values and the priors of a position. If symmetric positions share the answer, it also has
/// marks that identify the positions after the moves.
#[derive(Clone)]
pub(crate) struct KnownValue {
    values: Box<[f32]>,
    priors: Box<[f32]>,
    marks: Box<[u64]>,
}

impl KnownValue {
    /// Fills in the priors of the moves with these marks. Returns whether every move has a prior.
    ///
    /// Symmetric positions have the same mark, so moves with the same mark are equivalent. In a
    /// position that is symmetric to itself, several moves share a mark and get the mean of their
    /// priors.
    fn priors_for(&self, marks: &[u64], priors: &mut [f32]) -> bool {
        let mut by_mark: Vec<(u64, f32)> =
            self.marks.iter().copied().zip(self.priors.iter().copied()).collect();
        by_mark.sort_unstable_by_key(|&(mark, _)| mark);
        marks.iter().zip(priors).all(|(&mark, prior)| {
            let first = by_mark.partition_point(|&(other, _)| other < mark);
            let same = by_mark[first..].iter().take_while(|&&(other, _)| other == mark);
            let (count, sum) = same.fold((0, 0.0), |(count, sum), (_, one)| (count + 1, sum + one));
            *prior = sum / count as f32;
            count > 0
        })
    }
}

impl<G: Game> Request for Leaf<G> {
    type Answer = KnownValue;

    fn key(&self) -> u64 {
        self.key
    }

    fn worker(&self) -> usize {
        self.worker
    }

    fn answer(&self) -> KnownValue {
        KnownValue {
            values: (&self.values[..]).into(),
            priors: (&self.priors[..]).into(),
            marks: (&self.marks[..]).into(),
        }
    }

    fn take(&mut self, answer: &KnownValue) -> bool {
        // A leaf that needs no priors, since its node got children meanwhile, takes any answer.
        let wants_priors = !self.priors.is_empty();
        let fits = !wants_priors
            || answer.priors.len() == self.priors.len() && {
                if *answer.marks == *self.marks {
                    self.priors.copy_from_slice(&answer.priors);
                    true
                } else {
                    answer.priors_for(&self.marks, &mut self.priors)
                }
            };
        if fits {
            self.values.copy_from_slice(&answer.values);
        }
        fits
    }

    fn bytes(answer: &KnownValue) -> usize {
        /// The approximate overhead of the cache for each entry, in bytes.
        const BESIDE: usize = 96;
        let KnownValue { values, priors, marks } = answer;
        BESIDE + size_of_val(&**values) + size_of_val(&**priors) + size_of_val(&**marks)
    }
}

/// The settings for gathering leaves into batches.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Batching {
    /// The maximum number of leaves in one call of the evaluator, from 1 to 512. Default: 64.
    pub size: usize,
    /// The maximum time for which the first leaf waits for others. Default: 1 ms. The wait is
    /// shorter if no thread of the search can find another leaf.
    pub wait: Duration,
    /// The number of concurrent calls, each on its own thread in addition to the search threads; at
    /// most 64. With 0, the search threads call the evaluator themselves when they find no other
    /// leaf: a single thread with the same seed then grows the same tree each time. Default: 1.
    pub calls: usize,
    /// The size in bytes of the cache of answers for recurring positions, in games with keys; 0
    /// disables it. Answers are kept as long as the search exists. So if the evaluator learns,
    /// create a new search afterwards, or disable the cache. Default: 16 MiB.
    pub cache: u64,
    /// Whether symmetric positions
    /// ([`DomainKnowledge::symmetries`](crate::DomainKnowledge::symmetries)), such as mirror
    /// images, share an answer, in games with keys. Use it for evaluators whose values for
    /// symmetric positions are equal or nearly equal. Of these positions, only the first that the
    /// search reaches is evaluated. Moves to symmetric positions have the same prior. For each
    /// leaf, the keys of all positions after its moves must be computed. Default: off.
    pub symmetries: bool,
}

impl Default for Batching {
    fn default() -> Batching {
        Batching {
            size: 64,
            wait: Duration::from_millis(1),
            calls: 1,
            cache: 16 << 20,
            symmetries: false,
        }
    }
}

macro_rules! setters {
    ($($field:ident: $Type:ty),*) => {
        $(#[doc = concat!("Sets [`", stringify!($field), "`](Batching::", stringify!($field), ").")]
        #[must_use]
        pub fn $field(self, $field: $Type) -> Batching {
            Batching { $field, ..self }
        })*
    };
}

impl Batching {
    /// The maximum [`size`](Batching::size).
    pub const MOST: usize = 512;

    /// The maximum number of [`calls`](Batching::calls).
    pub const MOST_CALLS: usize = 64;

    setters!(size: usize, wait: Duration, calls: usize, cache: u64, symmetries: bool);

    pub(crate) fn check(&self) -> Result<(), ConfigError> {
        let numbers = [
            ("Batching::size", self.size, 1..=Batching::MOST),
            ("Batching::calls", self.calls, 0..=Batching::MOST_CALLS),
        ];
        match numbers.into_iter().find(|(_, given, range)| !range.contains(given)) {
            None => Ok(()),
            Some((option, given, range)) => Err(ConfigError::Value {
                option,
                given: given.to_string(),
                expected: format!("a number from {} to {}", range.start(), range.end()),
            }),
        }
    }
}

/// Leaf evaluation in batches: see [`BatchEvaluator`] and
/// [`Search::with_batches`](crate::Search::with_batches).
pub struct Batches<G: Game> {
    evaluator: Box<dyn BatchEvaluator<G>>,
    pub(super) has_priors: bool,
    is_function: bool,
    has_payoffs_only: bool,
    pub(crate) batching: Batching,
    pub(crate) queue: Queue<Leaf<G>>,
    /// The workspaces of the threads that call the evaluator, kept here between two runs.
    workspaces: Mutex<Vec<Workspace>>,
}

impl<G: Game> Batches<G> {
    /// Creates batches for this evaluator with these settings.
    pub(crate) fn new(evaluator: impl BatchEvaluator<G>, batching: Batching) -> Batches<G> {
        Batches {
            has_priors: evaluator.has_priors(),
            is_function: evaluator.is_function(),
            has_payoffs_only: false,
            evaluator: Box::new(evaluator),
            queue: Queue::new(batching.cache as usize),
            batching,
            workspaces: Mutex::new(Vec::new()),
        }
    }

    pub(crate) fn of_playouts(playouts: Spread, batching: Batching) -> Batches<G> {
        Batches { has_payoffs_only: true, ..Batches::new(playouts, batching) }
    }

    /// Calls the evaluator until no worker is left.
    pub(crate) fn serve<L>(&self, shared: &SharedSearch<G, L>) -> Result<(), SearchError> {
        let mut workspace = self.workspaces.lock().pop().unwrap_or_default();
        let Batching { size, wait, .. } = self.batching;
        let mut batch = Vec::with_capacity(size);
        let stopped = || shared.control.stopped();
        let mut served = Ok(());
        while served.is_ok() && self.queue.next_batch(size, wait, &stopped, &mut batch) {
            served = self.call(&mut batch, shared, &mut workspace);
        }
        self.workspaces.lock().push(workspace);
        served
    }

    /// Calls the evaluator for a batch. Drops the batch if the search is stopping.
    pub(super) fn call<L>(
        &self,
        batch: &mut Vec<Leaf<G>>,
        shared: &SharedSearch<G, L>,
        workspace: &mut Workspace,
    ) -> Result<(), SearchError> {
        let stop = shared.control.stop_flag();
        let utility = &shared.utility;
        let mut context = BatchContext { game: &*shared.game, workspace, utility, stop };
        let valued = catch_panic(|| self.evaluator.evaluate_batch(batch, &mut context))?;
        if !shared.has_value(valued)? {
            // The search is stopping, so no worker waits for these values.
            batch.clear();
            return Ok(());
        }
        // Checked before workers get the values and before they are cached.
        let logic = &shared.tree.logic;
        for leaf in &mut *batch {
            leaf.check_lists(logic.players).map_err(SearchError::Evaluator)?;
            if !self.has_payoffs_only {
                check_values(&leaf.values, logic.zero_sum)?;
            }
            check_priors(&mut leaf.priors)?;
        }
        Ok(())
    }

    /// Evaluates a single leaf, as a batch of one.
    pub(super) fn one(
        &self,
        state: &G::State,
        moves: &[G::Move],
        context: &mut Context<'_, G>,
        values: &mut [f32],
        priors: &mut [f32],
    ) -> Result<(), NoValue> {
        let mut leaf = [Leaf::new(state.clone(), moves.to_vec(), values.len())];
        let Context { game, workspace, utility, stop, .. } = context;
        let mut context = BatchContext { game: *game, workspace, utility, stop };
        self.evaluator.evaluate_batch(&mut leaf, &mut context)?;
        let [leaf] = leaf;
        leaf.check_lists(values.len())?;
        values.copy_from_slice(&leaf.values);
        priors.copy_from_slice(&leaf.priors);
        Ok(())
    }
}

impl<G: Game> fmt::Debug for Batches<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Batches").field("batching", &self.batching).finish_non_exhaustive()
    }
}
