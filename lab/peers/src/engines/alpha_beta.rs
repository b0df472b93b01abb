//! Adapter for the alpha-beta search of `minimax`, with iterative deepening and a transposition
//! table. It makes no playouts, but can be compared as a solver.

use super::minimax::Ruled;
use super::{Chooser, Claim};
use crate::position::{Position, Rules};
use minimax::{BEST_EVAL, Evaluation, Evaluator, IterativeOptions, IterativeSearch, Strategy};
use std::marker::PhantomData;
use std::time::{Duration, Instant};

/// An evaluation that returns 0 for every unfinished position.
struct Blank<G>(PhantomData<G>);

impl<G: Rules> Evaluator for Blank<G> {
    type G = Ruled<G>;

    fn evaluate(&self, _: &Position<G>) -> Evaluation {
        0
    }
}

/// The size of the table in bytes, equal to that of our table of proven positions.
const TABLE: usize = 256 << 20;
/// A depth that reaches the end of the longest game.
const DEEPEST: u8 = 64;

/// Makes a [`Chooser`] that keeps its table from move to move. The library measures wall time,
/// which on one thread is at least the processor time.
pub(super) fn chooser<G: Rules>(time: Duration) -> Box<dyn Chooser<G>> {
    let options = IterativeOptions::new().with_table_byte_size(TABLE);
    let mut search = IterativeSearch::new(Blank(PhantomData), options);
    search.set_depth_or_timeout(DEEPEST, time);
    Box::new(move |root: Position<G>| search.choose_move(&root))
}

pub(super) fn prove<G: Rules>(root: Position<G>, limit: Duration) -> Claim {
    let options = IterativeOptions::new().with_table_byte_size(TABLE);
    let mut search = IterativeSearch::new(Blank(PhantomData), options);
    search.set_depth_or_timeout(DEEPEST, limit);
    let started = Instant::now();
    search.choose_move(&root);
    let value = match search.root_value() {
        BEST_EVAL => Some("win"),
        value if value == -BEST_EVAL => Some("loss"),
        0 if started.elapsed() < limit => Some("draw"),
        _ => None,
    };
    Claim::of(value, 0)
}
