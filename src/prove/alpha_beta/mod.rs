//! Alpha-beta: a depth-first prover with null windows.
//!
//! A question corresponds to a null window: a position is either good for the claimant or not, and
//! the first good move decides. So move ordering matters most; see [`order`]. Solved positions are
//! stored in the table of the depth-first provers with both ends of the score, so the work for one
//! question helps other questions and other provers.
//!
//! **Deepening.** The first line may be endless although the second move wins at once. So each walk
//! ends at a horizon, which is first 4 moves away and then twice as far each time. There are two
//! walks to each horizon. The first counts positions beyond it as won by the others and finds short
//! proofs; the second counts them as won by the claimant and finds short disproofs. A position
//! whose answer depends on the horizon is *open*, and its value is the one assumed beyond the
//! horizon. So if the horizon favours the side to move, the first open move suffices; otherwise all
//! moves are searched. For an open position, the table stores the horizon and the move that left it
//! open. Such an entry implies only that a walk to that horizon would not solve the position.
//!
//! If all random playouts end, most lines end, too. Then one search of complete lines costs less
//! than repeated searches of their beginnings, so the first walk has the farthest horizon. If this
//! walk finds a repetition on its path, or a line that exceeds the length limit of playouts, it is
//! abandoned, and the next walk has the nearest horizon.
//!
//! **Repetition** is treated as in df-pn: a position that is already on the path counts as
//! disproven, and an answer that depends on the repetition holds on that path only (see [`Basis`]).
//!
//! **Threads** share the table and, for each position, a count of the threads that search below it.
//! Moves that other threads are searching are deferred (as in Kerrigan's simplified ABDADA), but no
//! thread waits. Counts and open entries are only hints, and a solved entry is true whichever
//! thread wrote it. So all accesses are relaxed, like the table's.

mod horizon;
mod order;
mod prover;
mod walker;

#[cfg(all(test, not(loom)))]
mod tests;

pub(crate) use prover::AlphaBeta;
pub(crate) use walker::AlphaBetaWalker;
