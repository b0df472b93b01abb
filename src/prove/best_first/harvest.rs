//! Collects the answers in a prover's tree that hold on every path.
//!
//! A proof holds wherever its position occurs. So does a disproof, unless it depends on a
//! repetition of a position above it. Such a disproof holds on its path only and is not collected
//! (the graph-history interaction problem). A pass over the tree after the search finds such
//! disproofs.

use super::BestFirst;
use crate::game::Game;
use crate::prove::question::Verdict;
use crate::sync::Ordering;
use crate::tree::{ROOT, Stage, Word};

/// The depth of the highest position whose repetition a disproof depends on; `FREE` if the disproof
/// holds on every path, 0 if unknown.
type Reach = usize;
const FREE: Reach = usize::MAX;

struct WayFrame<S> {
    state: S,
    key: u64,
    word: Word,
    verdict: Option<Verdict>,
    next: usize,
    reach: Reach,
}

impl<G: Game> BestFirst<'_, G> {
    /// Calls `tell` with the key and the answer of every position whose answer holds on every path.
    pub(super) fn harvest(&self, tell: &mut dyn FnMut(u64, Verdict)) {
        let setting = &self.setting;
        let mut way = vec![self.frame(ROOT, setting.root.clone(), setting.root_key(), &[])];
        while let Some(frame) = way.last_mut() {
            if frame.word.stage() == Stage::Expanded && frame.next < frame.word.num_children() {
                let child = frame.word.first_child() + frame.next as u32;
                let mv = self.tree.child_move(frame.word, frame.next);
                let state = setting.game.after(&frame.state, mv);
                let key = setting.key(frame.key, &frame.state, frame.next, &state);
                frame.next += 1;
                let frame = self.frame(child, state, key, &way);
                way.push(frame);
                continue;
            }
            let depth = way.len() - 1;
            let Some(frame) = way.pop() else { break };
            let holds = frame.verdict == Some(Verdict::Proven) || frame.reach >= depth;
            if let (Some(verdict), true) = (frame.verdict, holds) {
                tell(frame.key, verdict);
            }
            if let (Some(parent), Some(Verdict::Disproven)) = (way.last_mut(), frame.verdict) {
                // A repetition of the node itself does not matter to its parent.
                let reach = if frame.reach >= depth { FREE } else { frame.reach };
                // A disproof covers all moves of the claimant, but only one move of the others.
                parent.reach = match parent.word.mover() {
                    0 => parent.reach.min(reach),
                    _ => parent.reach.max(reach),
                };
            }
        }
    }

    fn frame(
        &self,
        index: u32,
        state: G::State,
        key: u64,
        way: &[WayFrame<G::State>],
    ) -> WayFrame<G::State> {
        let word = self.tree.node(index).load();
        let reach = match word.stage() {
            // The initial value of a maximum over the moves, which `harvest` computes.
            Stage::Expanded if word.mover() != 0 => 0,
            // Without repetitions no disproof depends on the path.
            Stage::Known if self.repeats.load(Ordering::Relaxed) => {
                way.iter().position(|above| above.key == key).unwrap_or(0)
            }
            _ => FREE,
        };
        WayFrame { state, key, word, verdict: self.answer(index), next: 0, reach }
    }
}
