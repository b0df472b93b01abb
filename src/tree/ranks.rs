//! The cached ranks of a node's children, which one reader at a time updates.

use super::arena::Block;
use super::node::{Node, RANKING, STALE, Word};
use crate::bounds::ProofNumber;
use crate::settings::Bias;
use crate::sync::{Fault, Ordering, broken};

impl Node {
    /// Acquires the right to update the children's cached ranks, and clears the mark that they are
    /// out of date; returns `false` if they are up to date or another thread is updating them. The
    /// caller then reads the children, stores ranks and calls [`end_ranking`](Node::end_ranking).
    ///
    /// Only one thread ranks at a time: of two, the one that read older numbers could store its
    /// ranks last, after the other has cleared the mark. The mark is cleared *before* the children
    /// are read, so that a later change of a number sets it again, for the next visit.
    ///
    /// Acquire: pairs with the announcement that set the mark, so that the changed number is
    /// visible, and with the Release of the previous ranker, so that our ranks are stored later.
    fn begin_ranking(&self) -> bool {
        let mut current = self.word.load(Ordering::Relaxed);
        loop {
            if current & STALE == 0 {
                return false;
            }
            if current & RANKING != 0 && !broken(Fault::TwoRankers) {
                return false;
            }
            let cleared = if broken(Fault::LateRankFlag) { 0 } else { STALE };
            match self.word.compare_exchange_weak(
                current,
                current & !cleared | RANKING,
                Ordering::Acquire,
                Ordering::Relaxed,
            ) {
                Ok(_) => return true,
                Err(seen) => current = seen,
            }
        }
    }

    /// Gives up the right that [`begin_ranking`](Node::begin_ranking) acquired.
    ///
    /// Release: the next ranker's stores must come after ours; pairs with its Acquire.
    fn end_ranking(&self) {
        let late = if broken(Fault::LateRankFlag) { STALE } else { 0 };
        self.word.fetch_and(!(RANKING | late), Ordering::Release);
    }
}

/// Recomputes the cached ranks of the children if a number has changed since the last ranking
/// (needRecalc in section 3.2.5 of the paper).
///
/// The mark is cleared before the numbers are read: a later change sets it again, so no change is
/// lost. One thread ranks at a time; the others use the existing ranks, which may be old or mixed,
/// but are only estimates anyway. Once all threads have stopped, the ranks match the numbers unless
/// the mark is set.
pub(crate) fn refresh_ranks<I: Iterator<Item = ProofNumber>>(
    bias: Bias,
    node: &Node,
    word: Word,
    children: Block<'_>,
    order: &mut Vec<(ProofNumber, u16)>,
    numbers: impl Fn() -> I,
) {
    if !(word.is_stale() && node.begin_ranking()) {
        return;
    }
    let ranks = children.ranks();
    bias.rank(numbers(), order, |i, rank| ranks[i].store(rank, Ordering::Relaxed));
    node.end_ranking();
}
