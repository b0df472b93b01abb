//! Tests of panics at every single call of the game's and the evaluator's code, one after another:
//! the tree stays consistent ([`SearchError::Panic`]), and the next search continues.

use proofwood::evaluate::{BatchContext, BatchEvaluator, Batching, Leaf, LeafEvaluation, NoValue};
use proofwood::{Budget, Config, Search, SearchError};
use proofwood_testkit::fuse::{BLOWN, Fuse, Fused};
use proofwood_testkit::sticks::SticksOrForfeit;
use proofwood_testkit::toy::{Position, Toy, toy};

const STICKS: u32 = 7;

fn config() -> Config {
    Config::default().threads(1).memory(2 << 20).audit(true).keep_choice(1)
}

/// Searches, plays a move, searches, returns to the first position, and searches again; audits the
/// tree after each step.
fn play<L: LeafEvaluation<Toy>>(
    search: &mut Search<Toy, L>,
    fuse: &Fuse,
) -> Result<(), (String, SearchError)> {
    let mut panicked = Ok(());
    for step in 0..5 {
        let result = match step {
            1 => search.advance(1),
            3 => search.set_position(Position::of((STICKS, 0_usize, false))),
            _ => search.search(&Budget::default().playouts(40)).map(drop),
        };
        let audit = fuse.covered(|| search.audit());
        audit.unwrap_or_else(|wrong| panic!("step {step}: {wrong}"));
        if let Err(error) = result {
            panicked = Err((format!("step {step}"), error));
        }
    }
    panicked
}

/// Runs `play` with a panic at the first call, at the second one, and so on to the last.
fn at_every_call<L: LeafEvaluation<Toy>>(fuse: &Fuse, make: impl Fn() -> Search<Toy, L>) {
    for calls in 0.. {
        let mut search = make();
        fuse.light(calls, false);
        let played = play(&mut search, fuse);
        let was_lit = !fuse.is_out();
        fuse.put_out();
        match played {
            Ok(()) if was_lit => return assert!(calls > 0, "nothing was called"),
            Ok(()) => {}
            Err((_, SearchError::Panic(message))) if message == BLOWN => {}
            Err((step, error)) => panic!("call {calls}, {step}: {error}"),
        }
    }
}

#[test]
fn a_panic_of_the_rules_leaves_a_sound_tree() {
    for (share, ahead) in [(0.0, true), (0.9, true), (0.9, false)] {
        let fuse = Fuse::default();
        let config = config().prover_share(share).look_ahead(ahead);
        at_every_call(&fuse, || {
            let (game, root) = toy(Fused { game: SticksOrForfeit(STICKS), fuse: fuse.clone() });
            Search::new(game, root, config.clone()).expect("it fits")
        });
    }
}

/// An evaluator that evaluates everything as 0 and may panic.
struct Even(Fuse);

impl BatchEvaluator<Toy> for Even {
    fn evaluate_batch(
        &self,
        leaves: &mut [Leaf<Toy>],
        _: &mut BatchContext<'_, Toy>,
    ) -> Result<(), NoValue> {
        self.0.call();
        leaves.iter_mut().for_each(|leaf| leaf.values.fill(0.0));
        Ok(())
    }
}

#[test]
fn a_panic_of_an_evaluator_of_batches_leaves_a_sound_tree() {
    for calls in [0, 1] {
        let fuse = Fuse::default();
        at_every_call(&fuse, || {
            let batching = Batching::default().size(4).calls(calls).cache(0);
            let (game, root) = toy(SticksOrForfeit(STICKS));
            Search::with_batches(game, root, config(), Even(fuse.clone()), batching)
                .expect("it fits")
        });
    }
}
