//! Alpha-beta: a depth-first prover with null windows.
//!
//! A question is a null window: a position is good for the claimant or it is not, and the first
//! good move of a position ends it. So move ordering matters most; see [`order`]. Proven positions
//! go into the table of the depth-first provers, with the score's two ends, so one question's work
//! helps the next question and the other provers.
//!
//! **Deepening.** A first line may be endless while the second move wins at once. So each walk ends
//! at a horizon, the first 4 moves away, each next one twice as far. Positions beyond the horizon
//! count for one side, in turns: for the others, so that a short proof is found; then for the
//! claimant, so that a short disproof is. A position whose answer depends on the horizon is *open*,
//! and its value is always that of the horizon. So if the horizon helps the side to move, its first
//! open move suffices; otherwise all moves are searched. An open position is stored with the
//! horizon, for the rest of the walk, and with the move that kept it open. Such an entry implies
//! only that a walk to that horizon would not solve the position.
//!
//! If random playouts all end, lines often end too. Searching them to their ends once costs less
//! than searching their beginnings repeatedly: the first walk has the greatest horizon. If it meets
//! a repetition on its path, or a line gets longer than any playout may be, it is abandoned, and
//! the next walk has the first horizon.
//!
//! **Repetition** is treated as in df-pn: a repeated position on the path counts against the
//! claimant there, and an answer that rests on it holds on that path alone ([`Basis`]).
//!
//! **Threads** share the table and nothing else except a count of the threads below each position:
//! a move with another thread below it is searched later (after Hyatt's and Kerrigan's ABDADA).
//! They do not wait. The counts and the open entries are hints, and a solved entry is true
//! regardless of its writer, so the order of accesses does not matter: all of them are relaxed, as
//! the table's.

mod horizon;
mod order;
mod prover;
mod walker;

#[cfg(all(test, not(loom)))]
mod tests;

pub(crate) use prover::AlphaBeta;
pub(crate) use walker::AlphaBetaWalker;
