//! The number of plies to a proven win, derived from the nodes of the tree.

use crate::tree::{Sides, Stage, Tree};

/// The number of nodes examined before a proof counts as too large to be measured. A report
/// measures one proof for each move of its line, so this limits the caller's waiting time.
const PATIENCE: u32 = 4096;

/// Returns the maximum number of plies until the game is over if `winner`, whose win is proven,
/// follows the proof in the tree. `None` if the win is not proven, if the tree lacks the proof (the
/// result was proven at another node, or the children were dropped), or if the proof is too large.
///
/// Reads each proof number once, so workers may run meanwhile: proven results remain proven, and a
/// child that is not proven yet is left out.
pub(crate) fn plies_to_win(tree: &Tree, index: u32, winner: usize) -> Option<u32> {
    Walk::of(tree, winner)?.plies(index)
}

/// Returns the number of plies for which the loser holds out at a node where `winner` is proven to
/// win: `u32::MAX` for a proof that is too large, and 2 if the tree lacks the proof.
pub(crate) fn plies_to_lose(tree: &Tree, index: u32, winner: usize) -> u32 {
    const NOT_AT_ONCE: u32 = 2;
    let Some(mut walk) = Walk::of(tree, winner) else { return u32::MAX };
    match walk.plies(index) {
        Some(plies) => plies,
        None if walk.left == 0 => u32::MAX,
        None => NOT_AT_ONCE,
    }
}

struct Walk<'t> {
    tree: &'t Tree,
    winner: usize,
    /// The number of nodes that the walk may still examine.
    left: u32,
}

/// The result for a node: the number of plies, or a frame that examines its children.
enum Met {
    Told(Option<u32>),
    Open(Frame),
}

/// A node whose children are being examined.
struct Frame {
    /// The next child to examine.
    next: u32,
    end: u32,
    /// Whether the winner moves at the node.
    wins: bool,
    /// The fewest plies among the children if the winner moves, else the most.
    best: Option<u32>,
    /// Whether the tree lacks the proof for some reply.
    untold: bool,
}

impl<'t> Walk<'t> {
    /// Starts a walk; `None` if this kind of tree does not show how soon a game ends.
    fn of(tree: &'t Tree, winner: usize) -> Option<Walk<'t>> {
        let logic = &tree.logic;
        // Only proofs of one player against the other, without third players or chance.
        let told = matches!(logic.sides, Sides::Versus(_)) && logic.zero_sum && !logic.chance;
        (told && logic.solver).then_some(Walk { tree, winner, left: PATIENCE })
    }

    fn plies(&mut self, index: u32) -> Option<u32> {
        let mut frames = match self.at(index) {
            Met::Told(plies) => return plies,
            Met::Open(frame) => vec![frame],
        };
        // An explicit stack instead of recursion: a proof may be as deep as the limit on nodes.
        loop {
            let frame = frames.last_mut()?;
            let told = if frame.next == frame.end {
                let told = frame.plies();
                frames.pop();
                told
            } else {
                frame.next += 1;
                match self.at(frame.next - 1) {
                    Met::Told(plies) => plies,
                    Met::Open(child) => {
                        frames.push(child);
                        continue;
                    }
                }
            };
            match frames.last_mut() {
                Some(parent) => parent.take(told),
                None => return told,
            }
        }
    }

    fn at(&mut self, index: u32) -> Met {
        let Some(left) = self.left.checked_sub(1) else { return Met::Told(None) };
        self.left = left;
        let Walk { tree, winner, .. } = *self;
        if !tree.proof_number(index, winner).is_proven() {
            return Met::Told(None);
        }
        let word = tree.node(index).load();
        match word.stage() {
            Stage::Terminal => Met::Told(Some(0)),
            Stage::Expanded => {
                let next = word.first_child();
                let (end, wins) = (next + word.num_children() as u32, word.mover() == winner);
                Met::Open(Frame { next, end, wins, best: None, untold: false })
            }
            _ => Met::Told(None),
        }
    }
}

impl Frame {
    fn take(&mut self, told: Option<u32>) {
        match (told, self.best) {
            (None, _) if self.wins => {}
            (None, _) => (self.untold, self.next) = (true, self.end),
            (Some(plies), None) => self.best = Some(plies),
            (Some(plies), Some(best)) if self.wins => self.best = Some(best.min(plies)),
            (Some(plies), Some(best)) => self.best = Some(best.max(plies)),
        }
    }

    fn plies(&self) -> Option<u32> {
        self.best.filter(|_| !self.untold).map(|best| best + 1)
    }
}
