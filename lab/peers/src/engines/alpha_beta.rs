//! `minimax`: its alpha-beta search with iterative deepening and a table. It is
//! another kind of search, which plays nothing out; as a solver it is measured
//! all the same.

use super::minimax::Ruled;
use super::{Chooser, Claim};
use crate::position::{Position, Rules};
use minimax::{BEST_EVAL, Evaluation, Evaluator, IterativeOptions, IterativeSearch, Strategy};
use std::marker::PhantomData;
use std::time::{Duration, Instant};

/// Nothing is known of positions that are not over.
struct Blank<G>(PhantomData<G>);

impl<G: Rules> Evaluator for Blank<G> {
    type G = Ruled<G>;

    fn evaluate(&self, _: &Position<G>) -> Evaluation {
        0
    }
}

/// As much as our table of settled positions has.
const TABLE: usize = 256 << 20;
/// A search as deep as this sees the end of the longest game.
const DEEPEST: u8 = 64;

/// Its clock is on the wall, which on one thread shows at least the processor time. It keeps its
/// table from move to move.
pub(super) fn chooser<G: Rules>(time: Duration) -> Box<dyn Chooser<G>> {
    let options = IterativeOptions::new().with_table_byte_size(TABLE);
    let mut search = IterativeSearch::new(Blank(PhantomData), options);
    search.set_depth_or_timeout(DEEPEST, time);
    Box::new(move |root: Position<G>| search.choose_move(&root))
}

/// A search as deep as the longest game settles the position.
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
