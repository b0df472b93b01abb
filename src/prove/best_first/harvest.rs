//! What a prover's tree says of positions wherever they are met.
//!
//! A proof holds wherever its position is met. A disproof does unless it rests
//! on a repetition of a position above it; it then holds on this way only, and
//! is not told (the graph-history problem). How far up a disproof reaches is
//! found after the search, in one pass over the tree.

use super::{BestFirst, Leaves};
use crate::game::Game;
use crate::prove::{Side, Verdict};
use crate::sync::Ordering;
use crate::tree::{ROOT, Stage, Word};

/// The depth of the highest position that a disproof rests on: `FREE` when it
/// holds wherever it is met, 0 when that is not known.
type Reach = usize;
const FREE: Reach = usize::MAX;

/// A node on the way of the pass.
struct Frame<S> {
    state: S,
    key: Option<u64>,
    word: Word,
    verdict: Option<Verdict>,
    next: usize,
    reach: Reach,
}

impl<G: Game, L: Leaves<G>> BestFirst<G, L> {
    /// Tells every position whose answer holds wherever it is met.
    pub(super) fn harvest(&self, tell: &mut dyn FnMut(u64, Verdict)) {
        let mut way = vec![self.frame(ROOT, self.root.clone(), &[])];
        while let Some(frame) = way.last_mut() {
            if frame.word.stage() == Stage::Expanded && frame.next < frame.word.num_children() {
                let child = frame.word.first_child() + frame.next as u32;
                let mv = self.tree.arena.child_move(frame.word, frame.next);
                frame.next += 1;
                let state = self.asked.game.after(&frame.state, mv);
                let frame = self.frame(child, state, &way);
                way.push(frame);
                continue;
            }
            let depth = way.len() - 1;
            let Some(frame) = way.pop() else { break };
            let holds = frame.verdict == Some(Verdict::Proven) || frame.reach >= depth;
            if let (Some(key), Some(verdict), true) = (frame.key, frame.verdict, holds) {
                tell(key, verdict);
            }
            if let (Some(parent), Some(Verdict::Disproven)) = (way.last_mut(), frame.verdict) {
                // A repetition of the node itself is no concern of its parent.
                let reach = if frame.reach >= depth { FREE } else { frame.reach };
                // The claimant needs every move refuted, the others one of them.
                parent.reach = match self.asked.side(&parent.state) {
                    Side::Claimant => parent.reach.min(reach),
                    _ => parent.reach.max(reach),
                };
            }
        }
    }

    fn frame(&self, index: u32, state: G::State, way: &[Frame<G::State>]) -> Frame<G::State> {
        let word = self.tree.node(index).load();
        let key = self.asked.key(&state);
        let numbers = [self.tree.proof_number(index, 0), self.tree.proof_number(index, 1)];
        let verdict = match numbers {
            [proof, _] if proof.is_proven() => Some(Verdict::Proven),
            [_, disproof] if disproof.is_proven() => Some(Verdict::Disproven),
            _ => None,
        };
        let reach = match (word.stage(), self.asked.side(&state)) {
            // The best of its moves is looked for.
            (Stage::Expanded, Side::Others) => 0,
            // Nothing repeats: no disproof rests on a way.
            (Stage::Known, _) if self.repeats.load(Ordering::Relaxed) => {
                way.iter().position(|above| above.key.is_some() && above.key == key).unwrap_or(0)
            }
            _ => FREE,
        };
        // A repetition tells nothing of its position elsewhere, and its key is
        // that of the position that it repeats.
        Frame { state, key, word, verdict, next: 0, reach }
    }
}
