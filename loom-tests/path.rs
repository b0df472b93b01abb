//! The path cache: playouts begin below the root, and their thread adds their statistics later.
//!
//! ```text
//!   A                                     B
//!   walks a, b, c: the selections at a
//!   and b serve two playouts
//!                                         walks a, b, c
//!   begins at c
//!                                         begins at c
//!   their selections end: adds two
//!   to a and b
//!                                         adds two to a and b
//! ```
//!
//! Until then the nodes' statistics lack these playouts. When all threads have ended, every playout
//! must be counted exactly once, even if the game has panicked below an exit.

use super::check::{Model, fails, holds};
use super::setting::{FIRST, ModelTree, NODE, ROOT, Shape, draw, join, two_levels, worker};
use super::whole::{AUDIT, ModelSearch, audit, search, work, worker as worker_of};
use crate::game::MAX_PLAYERS;
use crate::playout::{Outset, PathCache, probe};
use crate::sync::{Fault, Writers};
use crate::threads::WhenFull;
use crate::tree::{Step, Trail, Window};
use crate::{Config, Game, SearchError, Turn};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

const WRONG: &str = "playouts are missing, or counted twice";

/// A thread whose playouts go from the root through [`NODE`] to one of its children.
struct Walker<'t> {
    tree: &'t ModelTree,
    cache: PathCache<'t, ()>,
    path: Vec<Step<'t>>,
}

impl<'t> Walker<'t> {
    fn new(tree: &'t ModelTree) -> Walker<'t> {
        let root = tree.step(ROOT);
        let cache = PathCache::new(root, (), true, Writers::Many);
        Walker { tree, cache, path: vec![root] }
    }

    /// Runs a playout. The selection at the root serves `serves[0]` playouts, and the one at
    /// [`NODE`] `serves[1]`; the first child of [`NODE`] that is not solved is selected.
    fn playout(&mut self, serves: [u64; 2]) {
        let Outset { steps, mut end, .. } = self.cache.last_exit();
        let path = std::mem::take(&mut self.path);
        let mut trail = Trail::new(self.tree, path, steps, 1);
        for (depth, serves) in serves.into_iter().enumerate().skip(steps - 1) {
            let own = self.cache.end_of(serves);
            if own < end {
                self.cache.span_to(&trail, &(), Window::ALL, end);
                end = own;
            }
            let solved = u32::from(self.tree.node(FIRST).load().is_solved());
            trail.enter(self.tree.step([NODE, FIRST + solved][depth]));
        }
        if end > self.cache.end_of(1) {
            self.cache.span_to(&trail, &(), Window::ALL, end);
        }
        let units = trail.finish(self.cache.covers()..trail.path.len(), &[0.0; MAX_PLAYERS]);
        self.cache.count(&units);
        self.path = trail.into_path();
    }
}

/// Runs `number` playouts with a new [`Walker`]; `serves` is as in [`Walker::playout`].
fn playouts(tree: &ModelTree, number: u64, serves: [u64; 2]) {
    let mut walker = Walker::new(tree);
    for playout in 0..number {
        walker.playout(serves);
        // The cache is also flushed in between, as when a prover takes its turn.
        if playout == 1 {
            walker.cache.add_all();
        }
    }
    walker.cache.add_all();
}

const HELD: Model = Model {
    name: "path, two threads hold playouts of a node, a third is under way there",
    threads: 3,
    preemptions: Some(2),
    run: || {
        let tree = two_levels(Shape::default(), 1);
        draw(tree.trail(&[ROOT, NODE, FIRST]));
        let two = |tree: &ModelTree| playouts(tree, 2, [4, 4]);
        let third = |tree: &ModelTree| draw(tree.trail(&[NODE]));
        let others = [worker(&tree, two), worker(&tree, third)];
        two(&tree);
        for other in others {
            join(other);
        }
        let visits = [ROOT, NODE, FIRST].map(|index| tree.visits(index));
        assert_eq!((visits, tree.in_flight(NODE)), ([5, 6, 5], 0), "{WRONG}");
    },
};

#[test]
fn two_threads_hold_playouts_of_a_node() {
    holds(HELD);
}

#[test]
fn stored_playouts() {
    fails(HELD, Fault::StoredHeld, WRONG);
}

const ENDS: Model = Model {
    name: "path, spans end while another thread adds to their nodes",
    threads: 2,
    preemptions: Some(2),
    run: || {
        let tree = two_levels(Shape::default(), 1);
        draw(tree.trail(&[ROOT, NODE, FIRST]));
        let other = worker(&tree, |tree| playouts(tree, 2, [4, 4]));
        playouts(&tree, 3, [4, 2]);
        join(other);
        let visits = [ROOT, NODE, FIRST].map(|index| tree.visits(index));
        assert_eq!(visits, [6; 3], "{WRONG}");
    },
};

#[test]
fn spans_end_while_another_thread_adds() {
    holds(ENDS);
}

#[test]
fn forgotten_span() {
    fails(ENDS, Fault::ForgottenSpan, WRONG);
}

#[test]
fn held_twice() {
    fails(ENDS, Fault::KeptHeld, WRONG);
}

/// A thread notices another thread's proof by the time its selection expires.
const SOLVED: Model = Model {
    name: "path, another thread settles the child of a span",
    threads: 2,
    preemptions: None,
    run: || {
        let tree = two_levels(Shape { score_bounds: true, ..Shape::default() }, 2);
        draw(tree.trail(&[ROOT, NODE, FIRST]));
        let other = worker(&tree, |tree| tree.end_and_climb(&[ROOT, NODE, FIRST], &[1, -1]));
        let mut walker = Walker::new(&tree);
        walker.playout([4, 4]);
        join(other);
        // The selections expire before the walker's fourth playout.
        (0..3).for_each(|_| walker.playout([4, 4]));
        walker.cache.add_all();
        assert!(tree.visits(FIRST) <= 4, "{LATE}");
    },
};

const LATE: &str = "a selection serves too many playouts";

#[test]
fn another_thread_settles_the_child_of_a_span() {
    holds(SOLVED);
}

#[test]
fn endless_span() {
    fails(SOLVED, Fault::EndlessSpan, LATE);
}

/// A game of six forced moves.
#[derive(Default)]
struct Way {
    /// If set, the rules panic from the third move on. Loom does not explore this standard atomic.
    faulty: AtomicBool,
}

impl Game for Way {
    type State = u32;
    type Move = u8;

    fn initial_state(&self) -> u32 {
        0
    }
    fn turn(&self, &steps: &u32) -> Turn {
        if steps >= 6 { Turn::Over } else { Turn::Player(steps as usize % 2) }
    }
    fn legal_moves(&self, &steps: &u32, moves: &mut Vec<u8>) {
        if steps >= 3 && self.faulty.load(Ordering::Relaxed) {
            std::panic::resume_unwind(Box::new("three steps"));
        }
        moves.push(0);
    }
    fn play(&self, steps: &mut u32, _: u8) {
        *steps += 1;
    }
    fn payoff(&self, _: &u32, player: usize) -> i32 {
        if player == 0 { 1 } else { -1 }
    }
    fn payoff_range(&self, _: usize) -> std::ops::RangeInclusive<i32> {
        -1..=1
    }
    fn zero_sum(&self) -> bool {
        true
    }
}

/// The number of playouts by the first thread alone, and then by both threads together.
const PLAYOUTS: u64 = 5;

/// A search whose selections serve several playouts; one thread has already worked alone.
fn walked() -> Arc<ModelSearch<Way>> {
    let config = Config::default().threads(2).look_ahead(false).keep_choice(1).audit(true);
    let config = config.solver(false).score_bounds(false);
    let search = Arc::new(search(Way::default(), config, 16, PLAYOUTS));
    work(&search, 1).expect("sound rules");
    search.control.reset(2, Some(PLAYOUTS), WhenFull::Freeze);
    search
}

const PANIC: Model = Model {
    name: "path, a panic in a playout that begins below the root",
    threads: 2,
    preemptions: Some(1),
    run: || {
        let search = walked();
        search.game.faulty.store(true, Ordering::Relaxed);
        let other = worker_of(&search, 2);
        for result in [work(&search, 3), other.join().unwrap()] {
            assert!(matches!(result, Ok(()) | Err(SearchError::Panic(_))), "{result:?}");
        }
        search.game.faulty.store(false, Ordering::Relaxed);
        audit(&search);
    },
};

#[test]
fn a_panic_in_a_playout_that_begins_below_the_root() {
    holds(PANIC);
    assert!(probe::EXITS.take() > 0, "no playout began below the root");
}

#[test]
fn held_is_lost_in_a_panic() {
    fails(PANIC, Fault::LostHeld, AUDIT);
}

#[test]
fn forgotten_guard() {
    fails(PANIC, Fault::ForgottenGuard, AUDIT);
}

/// A game in which players take one or two sticks; the player who takes the last one wins.
struct Sticks;

impl Game for Sticks {
    type State = (u32, usize);
    type Move = u32;

    fn initial_state(&self) -> (u32, usize) {
        (5, 0)
    }
    fn turn(&self, &(sticks, mover): &(u32, usize)) -> Turn {
        if sticks == 0 { Turn::Over } else { Turn::Player(mover) }
    }
    fn legal_moves(&self, &(sticks, _): &(u32, usize), moves: &mut Vec<u32>) {
        moves.extend(1..=sticks.min(2));
    }
    fn play(&self, state: &mut (u32, usize), taken: u32) {
        *state = (state.0 - taken, 1 - state.1);
    }
    fn payoff(&self, &(_, mover): &(u32, usize), player: usize) -> i32 {
        if player == mover { -1 } else { 1 }
    }
    fn payoff_range(&self, _: usize) -> std::ops::RangeInclusive<i32> {
        -1..=1
    }
    fn zero_sum(&self) -> bool {
        true
    }
}

/// The visits of all nodes after a search by one thread; its playouts begin at the root if
/// `from_root`, otherwise at exits.
fn grown(from_root: bool) -> Vec<u64> {
    const NODES: u64 = 64;
    let config = Config::default().threads(1).look_ahead(false).keep_choice(1);
    let search = search(Sticks, config, NODES, 64);
    probe::FROM_ROOT.set(from_root);
    work(&search, 1).expect("sound rules");
    probe::FROM_ROOT.set(false);
    (0..search.tree.arena.len() as u32)
        .map(|index| search.tree.node(index).statistics().visits)
        .collect()
}

/// A proof may change the selections above the exit at which the playout that finds it began.
const TRUST: Model = Model {
    name: "path, a proof above an exit",
    threads: 1,
    preemptions: None,
    run: || assert_eq!(grown(false), grown(true), "{OTHER}"),
};

const OTHER: &str = "playouts that begin at exits are others";

#[test]
fn a_proof_above_an_exit() {
    holds(TRUST);
}

#[test]
fn kept_trust() {
    fails(TRUST, Fault::KeptTrust, OTHER);
}
