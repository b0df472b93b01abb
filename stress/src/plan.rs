//! All that a round does, drawn from its seed.

use crate::ending::Ending;
use crate::options;
use crate::position::Position;
use proofwood::{Config, Leaves};
use proofwood_testkit::dice::Dice;

/// A round: one tree and the searches that grow it.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) position: Position,
    pub(crate) config: Config,
    /// One search after the other.
    pub(crate) endings: Vec<Ending>,
    /// A last search that is dropped while it runs.
    pub(crate) dropped: Option<Ending>,
}

impl Plan {
    /// The plan of a seed, for at most so many threads.
    pub(crate) fn draw(seed: u64, threads: usize) -> Plan {
        let mut dice = Dice::new(seed);
        let position = Position::draw(&mut dice);
        // No round's game has an evaluation of its own.
        let config = options::draw(&mut dice, threads).leaves(Leaves::Playouts);
        let endings = (0..1 + dice.below(5)).map(|_| Ending::draw(&mut dice)).collect();
        let dropped = dice.chance(10).then(|| Ending::draw(&mut dice));
        Plan { position, config, endings, dropped }
    }
}
