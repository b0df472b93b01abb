//! Checks that playouts of a warmed-up thread allocate no heap memory except the chunks by which
//! the tree grows.
//!
//! An allocator counts each thread's allocations. Every playout that does not end at a proven node
//! calls an evaluator, which reads its thread's count.

use proofwood::evaluate::{Context, Evaluator, NoValue, RandomRollout, Rollout, UniformRandom};
use proofwood::options::Bias;
use proofwood::{Budget, Config, Game, Report, Search};
use proofwood_games::{ConnectFour, Othello};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// An allocator that counts the allocations of each thread.
struct PerThread;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
    static EVALUATIONS: Cell<u64> = const { Cell::new(0) };
    /// The thread's allocations up to its previous evaluation.
    static BEFORE: Cell<u64> = const { Cell::new(0) };
}

fn note() {
    ALLOCATIONS.set(ALLOCATIONS.get() + 1);
}

// SAFETY: every call is forwarded unchanged to the system's allocator; the counter has no
// destructor and allocates nothing.
unsafe impl GlobalAlloc for PerThread {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note();
        // SAFETY: the caller upholds the contract, which is that of the system's allocator.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        note();
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        note();
        // SAFETY: as above.
        unsafe { System.realloc(block, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: PerThread = PerThread;

/// The number of evaluations of a thread after which its buffers no longer grow.
const WARM_UP: u64 = 2000;
/// The number of nodes in a chunk of the tree.
const CHUNK: u64 = 1 << 16;
/// The number of allocations for a chunk: the chunk itself and a few columns.
const PER_CHUNK: u64 = 8;

#[derive(Default)]
struct Seen {
    evaluations: AtomicU64,
    allocations: AtomicU64,
}

/// Random rollouts that count allocations between evaluations.
struct Watched {
    playout: RandomRollout,
    seen: Arc<Seen>,
    /// Whether every evaluation allocates memory, which the test must detect.
    careless: bool,
}

impl<G: Game> Evaluator<G> for Watched {
    fn evaluate(
        &self,
        state: &mut G::State,
        context: &mut Context<'_, G>,
        values: &mut [f32],
    ) -> Result<(), NoValue> {
        let now = ALLOCATIONS.get();
        let before = BEFORE.replace(now);
        EVALUATIONS.set(EVALUATIONS.get() + 1);
        if EVALUATIONS.get() > WARM_UP {
            self.seen.evaluations.fetch_add(1, Ordering::Relaxed);
            self.seen.allocations.fetch_add(now - before, Ordering::Relaxed);
        }
        if self.careless {
            drop(black_box(Box::new(0u8)));
        }
        self.playout.rollout(state, context, values)
    }
}

/// Searches twice, so that the second search begins with a grown tree. Returns the counted
/// evaluations and allocations, and the report.
fn watch<G: Game>(game: G, config: Config, playouts: u64, careless: bool) -> (u64, u64, Report<G>) {
    let seen = Arc::new(Seen::default());
    let playout = RandomRollout::new(UniformRandom, 1000);
    let evaluator = Watched { playout, seen: Arc::clone(&seen), careless };
    let root = game.initial_state();
    let mut search = Search::with_evaluator(game, root, config, evaluator).expect("it fits");
    for part in [playouts / 4, playouts - playouts / 4] {
        search.search(&Budget::default().playouts(part)).expect("a sound game");
    }
    let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
    (count(&seen.evaluations), count(&seen.allocations), search.snapshot())
}

fn check<G: Game>(game: G, config: Config, playouts: u64) {
    let threads = config.threads as u64;
    let what = format!("{config:?}");
    let (evaluations, allocations, report) = watch(game, config, playouts, false);
    assert_eq!(report.playouts, playouts - playouts / 4);
    // There are two searches, each with a warm-up of every thread; a quarter of the playouts may
    // end at a proven node.
    assert!(evaluations > playouts * 3 / 4 - 2 * threads * WARM_UP, "{evaluations} {what}");
    // Several threads may allocate the next chunk at the same time; all but one drop theirs.
    let chunks = report.nodes / CHUNK + 1;
    assert!(chunks > 3, "{chunks} chunks are too few for a test");
    assert!(allocations <= threads * chunks * PER_CHUNK, "{allocations} {chunks} {what}");
}

// All cases are in one test: the harness would run several tests at the same time, and the machine
// may have only two cores.
#[test]
fn playouts_do_not_allocate() {
    for threads in [1, 2, 4] {
        for bias in [Bias::Max, Bias::Rank] {
            let config = Config::default().threads(threads).bias(bias).memory(1 << 28);
            check(ConnectFour::default(), config.clone().expand_after(1), 120_000);
            check(Othello::default(), config, 160_000);
        }
    }
    // A single thread allocates each chunk once, so every chunk needs exactly the same number of
    // allocations.
    let config = Config::default().threads(1).memory(1 << 28).expand_after(1);
    let (_, allocations, report) = watch(ConnectFour::default(), config.clone(), 120_000, false);
    assert_eq!(allocations % (report.nodes / CHUNK), 0, "{allocations} {}", report.nodes);

    // An evaluator that allocates is detected.
    let (evaluations, allocations, _) = watch(ConnectFour::default(), config, 20_000, true);
    assert!(evaluations > 10_000 && allocations >= evaluations, "{evaluations} {allocations}");
}
