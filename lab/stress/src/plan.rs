//! The steps of a round, drawn from its seed.

use crate::ending::Ending;
use crate::options;
use crate::position::{Position, Rules};
use proofwood::Config;
use proofwood::evaluate::Batching;
use proofwood::options::Leaves;
use proofwood_testkit::dice::Dice;
use std::time::Duration;

/// A round: one tree and its steps.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) position: Position,
    pub(crate) config: Config,
    pub(crate) kind: Kind,
    pub(crate) batching: Batching,
    pub(crate) steps: Vec<Step>,
    /// The end of a last search, which is dropped while it runs.
    pub(crate) dropped: Option<Ending>,
}

/// The kind of evaluator that evaluates leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Playouts,
    RandomPlayouts,
    Priors,
    Batches,
    Repeatable,
}

#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// Searches until one of the limits or threads of the `Ending` ends the search.
    Search(Ending),
    /// Plays the best move, or the one that `any` selects.
    Move { best: bool, any: usize },
    /// Returns to the position where the search began.
    Begin,
    /// Saves the tree and loads it into a new search. If there are dice, the new search has a
    /// configuration drawn with them.
    File(Option<Dice>),
}

impl Plan {
    /// Draws the plan of a seed, with at most `threads` threads.
    pub(crate) fn draw(seed: u64, threads: usize) -> Plan {
        let mut dice = Dice::new(seed);
        let deep = dice.chance(30);
        let position = Position::draw(deep, &mut dice);
        let mut config = options::draw(&mut dice, threads).leaves(Leaves::Playouts);
        if deep {
            // With little memory the tree fills it, is pruned, and grows again.
            config = config.memory(16 << dice.pick(&[10, 10, 11, 12, 13, 16])).expand_after(1);
            config = config.transpositions(dice.chance(40));
        }
        let kind = match (&position.rules, dice.below(8)) {
            (Rules::Named(_), _) | (_, 0..=3) => Kind::Playouts,
            (_, 4) => Kind::RandomPlayouts,
            (_, 5) => Kind::Priors,
            (_, 6) => Kind::Batches,
            _ => Kind::Repeatable,
        };
        let batching = Batching::default()
            .size(dice.pick(&[1, 4, 16, 64]))
            .calls(dice.pick(&[0, 1, 1, 3]))
            .cache(dice.pick(&[0, 1 << 12, 1 << 20]))
            .symmetries(dice.chance(20))
            .wait(Duration::from_micros(dice.pick(&[0, 100, 1000])));
        let steps = (0..1 + dice.below(8)).map(|_| Step::draw(&mut dice)).collect();
        let dropped = dice.chance(10).then(|| Ending::draw(&mut dice));
        Plan { position, config, kind, batching, steps, dropped }
    }
}

impl Step {
    fn draw(dice: &mut Dice) -> Step {
        match dice.below(20) {
            0..=11 => Step::Search(Ending::draw(dice)),
            12..=15 => Step::Move { best: dice.chance(50), any: dice.below(1 << 20) },
            16 => Step::Begin,
            _ => Step::File(dice.chance(60).then(|| dice.clone())),
        }
    }
}
