//! Alpha-beta: depth first, one move of each position after the other.
//!
//! A question is a null window: a position is good for the claimant or it is not, and the
//! first good move of a position ends it. So the order of moves is what matters most; see
//! [`order`]. What is settled goes into the table of the depth-first provers, with the
//! score's two ends, so that one question's work serves the next and the other provers.
//!
//! **Deepening.** A first line may go on for ever while the second move wins at once.
//! So each walk ends at a horizon, the first 4 moves away, the next twice as far. What lies
//! beyond the horizon counts for one side, in turns: for the others, so that a short proof
//! shows; then for the claimant, so that a short disproof does. A position whose answer
//! rests on the horizon is *open*, and its value is always that of the horizon. So where the
//! horizon helps the side to move, its first open move is enough, and else all moves are
//! looked at. An open position is remembered with the horizon, for the rest of the walk, and
//! with the move that kept it open. Nothing is ever concluded from such an entry but that a
//! walk to that horizon would not settle it.
//!
//! Where random playouts all end, lines often end too. To see them to their ends once costs
//! less than to see their beginnings again and again: the first walk has the last horizon. If
//! it meets a position again on the way, or a line gets longer than any playout may be, it is
//! given up, and the next walk has the first.
//!
//! **Repetition** is treated as df-pn treats it: a position that is on the way counts
//! against the claimant there, and an answer that rests on it holds on that way alone
//! ([`Basis`]).
//!
//! **Threads** share the table and nothing else, but for a count of the threads below
//! each position: a move below which another thread is comes later (after Hyatt's and
//! Kerrigan's ABDADA). They do not wait. The counts and the open entries are hints, and a
//! settled entry is true whoever wrote it, so no order of their accesses matters: all of
//! them are relaxed, as the table's.

mod horizon;
mod order;
mod prover;
mod walker;

#[cfg(all(test, not(loom)))]
mod tests;

pub(crate) use prover::AlphaBeta;
pub(crate) use walker::AlphaBetaWalker;
