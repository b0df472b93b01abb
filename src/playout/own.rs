//! What a user adds to a search: a rule by which children are chosen, and an observer of all
//! playouts, which may keep data of its own for each node.
//!
//! Both come with the evaluator, so a search without them is compiled as if there were none.
//! An observer is called where no duty towards other threads is open: before a node is
//! claimed, and after a playout has been added to the tree.

use super::batch::Batches;
use super::evaluate::{Context, Evaluator, NoValue, Utility};
use super::worker::Worker;
use crate::game::{Game, MAX_PLAYERS};
use crate::select::{RuleChild, RuleNode, SelectionRule};
use crate::tree::Step;
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// Is told of every playout, and of what becomes of the nodes.
///
/// Nodes have numbers, the root's is 0. [`NodeData`] holds values of any type by these
/// numbers. A number is used again when its node is gone, which [`made`](Observer::made)
/// says. All threads call at the same time. What panics ends the search with an error.
pub trait Observer<G: Game>: Send + Sync + 'static {
    /// A playout has ended, and was added to these nodes, from the root to where it ended.
    fn backed_up(&self, steps: &[Passed<G::Move>]);

    /// These nodes begin anew: they have just been made, and no playout has seen them. It may
    /// be called again for nodes that were made in vain.
    fn made(&self, nodes: Range<u32>) {
        let _ = nodes;
    }

    /// The node `from` has the number `to` from now on: the root has moved. No playout is
    /// under way. The playouts that ended at `from` before it had children are among those that
    /// it has seen, and go through no child of it.
    fn moved(&self, from: u32, to: u32) {
        let _ = (from, to);
    }
}

/// A node that a playout went through.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Passed<M> {
    /// The node's number.
    pub node: u32,
    /// The move, or the outcome of chance, that led there; `None` at the root.
    pub mv: Option<M>,
    /// The player who chose it, whose values the node holds. At the root it is the player of
    /// whom the report speaks; below chance the one who left it to chance.
    pub player: usize,
    /// What the playout was worth to that player, −1 to 1.
    pub value: f32,
}

impl<G: Game, O: Observer<G> + ?Sized> Observer<G> for Arc<O> {
    fn backed_up(&self, steps: &[Passed<G::Move>]) {
        (**self).backed_up(steps);
    }

    fn made(&self, nodes: Range<u32>) {
        (**self).made(nodes);
    }

    fn moved(&self, from: u32, to: u32) {
        (**self).moved(from, to);
    }
}

/// Values of the user's own, one for each node, made when they are first asked for.
///
/// It takes memory for the greatest number that was asked for, up to twice as much; a
/// search's [`Config::memory`](crate::Config::memory) does not count it.
pub struct NodeData<T> {
    /// The first two have [`FIRST_PAGE`] values, each other twice as many as the one before.
    pages: [OnceLock<Box<[T]>>; PAGES],
    make: Box<dyn Fn() -> T + Send + Sync>,
}

/// Values of the first page.
const FIRST_PAGE: u32 = 1 << 10;
/// Pages for all numbers of 32 bits.
const PAGES: usize = 33 - FIRST_PAGE.ilog2() as usize;

/// The page of a number.
fn page_of(node: u32) -> usize {
    (node / FIRST_PAGE).checked_ilog2().map_or(0, |log| log as usize + 1)
}

impl<T> NodeData<T> {
    /// Values that `make` makes.
    pub fn new(make: impl Fn() -> T + Send + Sync + 'static) -> NodeData<T> {
        NodeData { pages: std::array::from_fn(|_| OnceLock::new()), make: Box::new(make) }
    }

    /// The value of a node.
    pub fn get(&self, node: u32) -> &T {
        let page = page_of(node);
        let first = if page == 0 { 0 } else { FIRST_PAGE << (page - 1) };
        let len = first.max(FIRST_PAGE);
        let values = self.pages[page].get_or_init(|| (0..len).map(|_| (self.make)()).collect());
        &values[(node - first) as usize]
    }
}

impl<T> fmt::Debug for NodeData<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pages = self.pages.iter().filter_map(OnceLock::get);
        f.debug_struct("NodeData")
            .field("values", &pages.map(|page| page.len()).sum::<usize>())
            .finish()
    }
}

/// An evaluator, and a rule by which the search chooses in place of UCT or PUCT.
///
/// A search knows of the rule only where this, [`WithObserver`] or an [`Arc`] is the outermost
/// evaluator: within an evaluator of your own, such as one that counts its calls, it is the error
/// [`EvaluatorError::Hidden`](crate::EvaluatorError::Hidden).
///
/// ```
/// use proofwood::{Budget, Config, DefaultPlayout, Search, SelectionRule, WithRule};
/// # use proofwood::{Game, RuleChild, RuleNode, Turn};
/// # struct Sticks(u32);
/// # impl Game for Sticks {
/// #     type State = (u32, usize);
/// #     type Move = u32;
/// #     fn initial_state(&self) -> (u32, usize) { (self.0, 0) }
/// #     fn turn(&self, &(sticks, mover): &(u32, usize)) -> Turn {
/// #         if sticks == 0 { Turn::Over } else { Turn::Player(mover) }
/// #     }
/// #     fn legal_moves(&self, &(sticks, _): &(u32, usize), moves: &mut Vec<u32>) {
/// #         moves.extend(1..=sticks.min(3));
/// #     }
/// #     fn play(&self, state: &mut (u32, usize), taken: u32) {
/// #         *state = (state.0 - taken, 1 - state.1);
/// #     }
/// #     fn payoff(&self, &(_, mover): &(u32, usize), player: usize) -> i32 {
/// #         if player == mover { -1 } else { 1 }
/// #     }
/// #     fn zero_sum(&self) -> bool { true }
/// # }
/// /// Whatever was tried least.
/// struct Fair;
///
/// impl<G: Game> SelectionRule<G> for Fair {
///     fn score(&self, _: &RuleNode, child: &RuleChild<G::Move>) -> f64 {
///         -(child.tried as f64)
///     }
/// }
///
/// let config = Config::default().threads(2);
/// let evaluator = WithRule::new(DefaultPlayout::of(&config), Fair);
/// let mut search = Search::with_evaluator(Sticks(10), (10, 0), config, evaluator)?;
/// assert_eq!(search.search(&Budget::default().playouts(10_000))?.best_move, Some(2));
/// # Ok::<(), proofwood::SearchError>(())
/// ```
#[derive(Clone, Debug)]
pub struct WithRule<E, R> {
    evaluator: E,
    rule: R,
}

impl<E, R> WithRule<E, R> {
    /// The evaluator with the rule.
    pub fn new(evaluator: E, rule: R) -> WithRule<E, R> {
        WithRule { evaluator, rule }
    }
}

/// An evaluator, and an observer of its search. As with [`WithRule`], no evaluator of your own goes
/// around it.
///
/// `examples/own_rule.rs` keeps the variance of each node's values in this way, and chooses
/// by it.
#[derive(Clone, Debug)]
pub struct WithObserver<E, O> {
    evaluator: E,
    observer: O,
}

impl<E, O> WithObserver<E, O> {
    /// The evaluator with the observer.
    pub fn new(evaluator: E, observer: O) -> WithObserver<E, O> {
        WithObserver { evaluator, observer }
    }
}

/// Passes on what the evaluator within says, where the search knows of all that `$check` is for.
macro_rules! passed_on {
    ($self:ident => $within:expr, $check:expr;
     $($name:ident($($arg:ident: $type:ty),*) $(-> $result:ty)?;)*) => {
        #[inline]
        fn evaluate(
            &$self,
            state: &mut G::State,
            context: &mut Context<'_, G>,
            values: &mut [f32],
        ) -> Result<(), NoValue> {
            $check(context.utility)?;
            $within.evaluate(state, context, values)
        }

        fn has_priors(&$self) -> bool {
            $within.has_priors()
        }

        fn evaluate_with_priors(
            &$self,
            state: &mut G::State,
            moves: &[G::Move],
            context: &mut Context<'_, G>,
            values: &mut [f32],
            priors: &mut [f32],
        ) -> Result<(), NoValue> {
            $check(context.utility)?;
            $within.evaluate_with_priors(state, moves, context, values, priors)
        }

        fn batches(&$self) -> Option<&Batches<G>> {
            $within.batches()
        }

        fn has_payoffs_only(&$self) -> bool {
            $within.has_payoffs_only()
        }

        $(fn $name(&$self, $($arg: $type),*) $(-> $result)? {
            $within.$name($($arg),*)
        })*
    };
}

/// One evaluator for many searches.
impl<G: Game, E: Evaluator<G>> Evaluator<G> for Arc<E> {
    passed_on! {
        self => (**self), Utility::check_nothing;
        score(node: &RuleNode, child: &RuleChild<G::Move>) -> f64;
        made(nodes: Range<u32>);
        moved(from: u32, to: u32);
        backed_up(steps: &[Passed<G::Move>]);
    }

    const PLAYS_OUT: bool = E::PLAYS_OUT;

    const SCORES: bool = E::SCORES;

    const OBSERVES: bool = E::OBSERVES;
}

/// An evaluator whose type is chosen when the program runs, as `Box<dyn Evaluator<G>>` cannot be.
///
/// Clones share the evaluator. A rule or an observer goes around it
/// (`WithRule::new(DynEvaluator::new(evaluator), rule)`); within it, it does not compile. Each
/// evaluation is a call through a pointer, and playouts take a little longer.
///
/// ```
/// use proofwood::{Config, DefaultPlayout, DynEvaluator, Evaluator, Game};
///
/// fn chosen<G: Game>(net: Option<impl Evaluator<G>>, config: &Config) -> DynEvaluator<G> {
///     match net {
///         Some(net) => DynEvaluator::new(net),
///         None => DynEvaluator::new(DefaultPlayout::of(config)),
///     }
/// }
/// ```
pub struct DynEvaluator<G: Game>(Arc<dyn Erased<G>>);

impl<G: Game> DynEvaluator<G> {
    /// The evaluator without its type.
    pub fn new<E: Evaluator<G>>(evaluator: E) -> DynEvaluator<G> {
        const { assert!(!E::SCORES && !E::OBSERVES, "rules and observers go around it") };
        DynEvaluator(Arc::new(evaluator))
    }
}

impl<G: Game> Clone for DynEvaluator<G> {
    fn clone(&self) -> DynEvaluator<G> {
        DynEvaluator(Arc::clone(&self.0))
    }
}

impl<G: Game> fmt::Debug for DynEvaluator<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DynEvaluator").finish_non_exhaustive()
    }
}

/// What of an evaluator can be called through a pointer.
trait Erased<G: Game>: Send + Sync + 'static {
    fn value(
        &self,
        state: &mut G::State,
        context: &mut Context<'_, G>,
        values: &mut [f32],
    ) -> Result<(), NoValue>;

    fn value_with_priors(
        &self,
        state: &mut G::State,
        moves: &[G::Move],
        context: &mut Context<'_, G>,
        values: &mut [f32],
        priors: &mut [f32],
    ) -> Result<(), NoValue>;

    fn gives_priors(&self) -> bool;

    fn gathers(&self) -> Option<&Batches<G>>;

    fn values_payoffs(&self) -> bool;
}

impl<G: Game, E: Evaluator<G>> Erased<G> for E {
    fn value(
        &self,
        state: &mut G::State,
        context: &mut Context<'_, G>,
        values: &mut [f32],
    ) -> Result<(), NoValue> {
        self.evaluate(state, context, values)
    }

    fn value_with_priors(
        &self,
        state: &mut G::State,
        moves: &[G::Move],
        context: &mut Context<'_, G>,
        values: &mut [f32],
        priors: &mut [f32],
    ) -> Result<(), NoValue> {
        self.evaluate_with_priors(state, moves, context, values, priors)
    }

    fn gives_priors(&self) -> bool {
        self.has_priors()
    }

    fn gathers(&self) -> Option<&Batches<G>> {
        self.batches()
    }

    fn values_payoffs(&self) -> bool {
        self.has_payoffs_only()
    }
}

impl<G: Game> Evaluator<G> for DynEvaluator<G> {
    fn evaluate(
        &self,
        state: &mut G::State,
        context: &mut Context<'_, G>,
        values: &mut [f32],
    ) -> Result<(), NoValue> {
        (*self.0).value(state, context, values)
    }

    fn has_priors(&self) -> bool {
        (*self.0).gives_priors()
    }

    fn evaluate_with_priors(
        &self,
        state: &mut G::State,
        moves: &[G::Move],
        context: &mut Context<'_, G>,
        values: &mut [f32],
        priors: &mut [f32],
    ) -> Result<(), NoValue> {
        (*self.0).value_with_priors(state, moves, context, values, priors)
    }

    fn batches(&self) -> Option<&Batches<G>> {
        (*self.0).gathers()
    }

    fn has_payoffs_only(&self) -> bool {
        (*self.0).values_payoffs()
    }
}

impl<G: Game, E: Evaluator<G>, R: SelectionRule<G>> Evaluator<G> for WithRule<E, R> {
    passed_on! {
        self => self.evaluator, Utility::check_rule;
        made(nodes: Range<u32>);
        moved(from: u32, to: u32);
        backed_up(steps: &[Passed<G::Move>]);
    }

    const PLAYS_OUT: bool = E::PLAYS_OUT;

    const OBSERVES: bool = E::OBSERVES;

    const SCORES: bool = true;

    #[inline]
    fn score(&self, node: &RuleNode, child: &RuleChild<G::Move>) -> f64 {
        self.rule.score(node, child)
    }
}

impl<G: Game, E: Evaluator<G>, O: Observer<G>> Evaluator<G> for WithObserver<E, O> {
    passed_on! {
        self => self.evaluator, Utility::check_observer;
        score(node: &RuleNode, child: &RuleChild<G::Move>) -> f64;
    }

    const PLAYS_OUT: bool = E::PLAYS_OUT;

    const SCORES: bool = E::SCORES;

    const OBSERVES: bool = true;

    fn made(&self, nodes: Range<u32>) {
        self.evaluator.made(nodes.clone());
        self.observer.made(nodes);
    }

    fn moved(&self, from: u32, to: u32) {
        self.evaluator.moved(from, to);
        self.observer.moved(from, to);
    }

    fn backed_up(&self, steps: &[Passed<G::Move>]) {
        self.evaluator.backed_up(steps);
        self.observer.backed_up(steps);
    }
}

impl<'s, G: Game, E: Evaluator<G>> Worker<'s, G, E> {
    /// Tells the observer of a playout that was added to the tree with these values, and the
    /// mixes that are kept here.
    #[inline(never)]
    pub(super) fn tell(&mut self, path: &[Step<'s>], mut values: [f32; MAX_PLAYERS]) {
        let (tree, passed) = (&self.shared.tree, &mut self.passed);
        let mut mixes = self.mixes.iter().rev().peekable();
        passed.clear();
        for (depth, step) in path.iter().enumerate().rev() {
            // Above chance the values are others.
            while let Some(mix) = mixes.next_if(|mix| mix.depth > depth) {
                mix.apply(&mut values);
            }
            let mv = depth.checked_sub(1).map(|above| tree.move_between(path[above], *step));
            let player = step.chosen_by as usize % MAX_PLAYERS;
            passed.push(Passed { node: step.index, mv, player, value: values[player] });
        }
        passed.reverse();
        self.shared.evaluator.backed_up(passed);
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn every_node_has_a_value_of_its_own() {
        use std::sync::atomic::{AtomicU32, Ordering};
        let data = NodeData::new(|| AtomicU32::new(0));
        let nodes = (0..5000).chain([1 << 16, (1 << 16) + 1, (1 << 20) - 1]);
        for node in nodes.clone() {
            assert_eq!(data.get(node).swap(node + 1, Ordering::Relaxed), 0, "{node}");
        }
        for node in nodes {
            assert_eq!(data.get(node).load(Ordering::Relaxed), node + 1);
        }
    }

    #[test]
    fn pages_reach_to_the_last_number() {
        assert_eq!(page_of(u32::MAX), PAGES - 1);
        let data = NodeData::new(|| ());
        for node in [0, 1023, 1024, 2047, 2048, 100_000] {
            data.get(node);
        }
    }
}
