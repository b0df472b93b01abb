//! Alpha-beta: a depth-first prover with null windows.
//!
//! A question is a null window: a position is either good for the claimant or not, and its first
//! good move decides it. So move ordering matters most; see [`order`]. Solved positions go into the
//! table of the depth-first provers with both ends of the score, so the work for one question helps
//! other questions and other provers.
//!
//! **Deepening.** A first line may be endless while the second move wins at once. So each walk ends
//! at a horizon: first 4 moves away, then twice as far each time. A position beyond the horizon
//! counts as won by one side, in turns: by the others, to find a short proof; then by the claimant,
//! to find a short disproof. A position whose answer depends on the horizon is *open*, and its
//! value is always that of the horizon. So if the horizon favours the side to move, the first open
//! move suffices; otherwise all moves are searched. The table keeps an open position with its
//! horizon, for the rest of the walk, and with the move that kept it open. Such an entry implies
//! only that a walk to that horizon would not solve the position.
//!
//! If random playouts all end, lines often end too. One search of complete lines then costs less
//! than repeated searches of their beginnings, so the first walk has the farthest horizon. If it
//! meets a repetition on its path, or a line longer than a playout may be, it is abandoned, and the
//! next walk has the nearest horizon.
//!
//! **Repetition** is treated as in df-pn: a repeated position on the path counts against the
//! claimant there, and an answer that depends on it holds on that path only ([`Basis`]).
//!
//! **Threads** share the table and a count of the threads below each position. A move with another
//! thread below it is searched later (after Kerrigan's simplified ABDADA); no thread waits. Counts
//! and open entries are only hints, and a solved entry is true whichever thread wrote it, so the
//! order of accesses does not matter: all are relaxed, like those of the table.

mod horizon;
mod order;
mod prover;
mod walker;

#[cfg(all(test, not(loom)))]
mod tests;

pub(crate) use prover::AlphaBeta;
pub(crate) use walker::AlphaBetaWalker;
