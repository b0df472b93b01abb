//! PN²: proof-number search whose leaves are evaluated by a second proof-number search.
//!
//! The second search grows a separate tree from the leaf. Only the leaf's children and their
//! numbers are copied to the first tree. This saves memory, but positions are searched repeatedly.

use super::{BestFirst, ChildEvaluator, Glance, LeafNumbers, NewLeaf};
use crate::bounds::ProofNumber;
use crate::error::SearchError;
use crate::game::Game;
use crate::prove::run::Meter;
use crate::prove::setting::{ImageBuffer, ReplyBuffer, Setting};
use crate::tree::{Logic, SeenChild, Solved};

/// Creates a PN² search (Allis, 1994; Breuker, *Memory versus Search in Games*, 1998, chapter 4).
///
/// # Errors
/// See [`BestFirst::new`].
pub(crate) fn prover<'s, G: Game>(
    setting: Setting<'s, G>,
) -> Result<BestFirst<'s, G>, SearchError> {
    let config = setting.config;
    let [a, b] = config.pn2_growth;
    let growth = Growth { a, b };
    let leaves = SearchedLeaves { growth, threads: config.threads as u64 };
    let mobility = config.mobility.unwrap_or(false);
    BestFirst::new(setting, Logic::two_sides(mobility, true), Box::new(leaves))
}

/// The growth of the size limit of second trees.
///
/// With x nodes in the first tree and room for N, a second tree has at most min(x · f(x), N − x)
/// nodes, where f(x) = 1 / (1 + e^((a − x) / b)) grows from nearly 0 to 1 (Breuker 1998, section
/// 4.3; Breuker, Uiterwijk and van den Herik, *The PN²-search algorithm*, 2001).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Growth {
    /// The number of nodes of the first tree at which f is one half.
    pub(crate) a: f64,
    /// The width of f's slope: between a − 2b and a + 2b, f grows from 0.12 to 0.88.
    pub(crate) b: f64,
}

impl Growth {
    /// Returns the greatest size of a second tree, in nodes.
    fn limit(self, nodes: u64, room: u64) -> usize {
        let x = nodes as f64;
        let fraction = 1.0 / (1.0 + ((self.a - x) / self.b).exp());
        ((x * fraction) as u64).min(room.saturating_sub(nodes)) as usize
    }
}

pub(crate) struct SearchedLeaves {
    growth: Growth,
    /// The number of concurrent second searches, which share the remaining room.
    threads: u64,
}

impl<G: Game> LeafNumbers<G> for SearchedLeaves {
    fn child_evaluator(&self, _thread: usize) -> ChildEvaluator<'_, G> {
        let mut second = Second::default();
        Box::new(move |leaf, meter, seen| {
            let left = leaf.tree_room.saturating_sub(leaf.tree_nodes) / self.threads;
            let limit = self.growth.limit(leaf.tree_nodes, leaf.tree_nodes + left);
            let finished = second.search(leaf, meter, limit)?;
            if finished {
                let children = 1..=leaf.moves.len();
                seen.extend(children.map(|child| second.seen(leaf.logic, child)));
            }
            Ok(finished)
        })
    }
}

struct SmallNode<M> {
    numbers: [ProofNumber; 2],
    first_child: u32,
    /// The number of children; 0 before the expansion.
    num_children: u16,
    mover: u8,
    mv: Option<M>,
    over: bool,
}

struct Second<G: Game> {
    nodes: Vec<SmallNode<G::Move>>,
    /// The path from the root to the current node, as indices. `states` and `keys` omit the root,
    /// which is a leaf of the first tree.
    path: Vec<usize>,
    states: Vec<G::State>,
    keys: Vec<u64>,
    moves: Vec<G::Move>,
    replies: ReplyBuffer<G>,
    images: ImageBuffer<G>,
}

impl<G: Game> Default for Second<G> {
    fn default() -> Second<G> {
        Second {
            nodes: Vec::new(),
            path: Vec::new(),
            states: Vec::new(),
            keys: Vec::new(),
            moves: Vec::new(),
            replies: ReplyBuffer::default(),
            images: ImageBuffer::default(),
        }
    }
}

impl<G: Game> Second<G> {
    /// Expands the leaf and searches until it is solved or the tree has `limit` nodes. Returns
    /// `false` if the run stopped first.
    fn search(
        &mut self,
        leaf: &NewLeaf<'_, G>,
        meter: &mut Meter<'_, '_>,
        limit: usize,
    ) -> Result<bool, SearchError> {
        self.start(leaf, limit);
        self.make_room(leaf.moves.len())?;
        self.make_children(leaf, 0, leaf.moves)?;
        self.update();
        // The buffer is moved out of `self`, so that the tree can change while the list is read.
        let mut moves = std::mem::take(&mut self.moves);
        let mut go_on = true;
        while go_on && !self.nodes[0].is_solved() {
            let node = self.most_proving(leaf);
            leaf.setting.list(self.state(leaf), &mut moves)?;
            let state = self.states.last().unwrap_or(leaf.state);
            leaf.setting.leave_images_out(state, &mut moves, &mut self.images);
            // A refused allocation ends the search, as the limit does.
            if self.nodes.len() + moves.len() > limit || self.make_room(moves.len()).is_err() {
                break;
            }
            self.make_children(leaf, node, &moves)?;
            self.update();
            go_on = meter.expanded(moves.len());
        }
        self.moves = moves;
        Ok(go_on || self.nodes[0].is_solved())
    }

    fn start(&mut self, leaf: &NewLeaf<'_, G>, limit: usize) {
        self.nodes.clear();
        // The limit falls when the memory is nearly full; large buffers are then freed.
        if self.nodes.capacity() > 2 * limit {
            self.nodes.shrink_to(limit);
        }
        self.path.clear();
        self.states.clear();
        self.keys.clear();
        self.path.push(0);
        self.nodes.push(SmallNode {
            numbers: [ProofNumber::ONE; 2],
            first_child: 0,
            num_children: 0,
            mover: leaf.mover as u8,
            mv: None,
            over: false,
        });
    }

    fn make_room(&mut self, nodes: usize) -> Result<(), SearchError> {
        self.nodes.try_reserve(nodes).map_err(|error| SearchError::Allocation {
            bytes: ((self.nodes.len() + nodes) * size_of::<SmallNode<G::Move>>()) as u64,
            why: error.to_string(),
        })
    }

    fn state<'s>(&'s self, leaf: &NewLeaf<'s, G>) -> &'s G::State {
        self.states.last().unwrap_or(leaf.state)
    }

    fn key(&self, leaf: &NewLeaf<'_, G>) -> u64 {
        self.keys.last().copied().unwrap_or_else(|| leaf.key())
    }

    /// Extends the path to a most proving leaf and returns its index.
    fn most_proving(&mut self, leaf: &NewLeaf<'_, G>) -> usize {
        loop {
            let index = self.path[self.path.len() - 1];
            let node = &self.nodes[index];
            let (first, count) = (node.first_child as usize, usize::from(node.num_children));
            let mover = usize::from(node.mover);
            let children = &self.nodes[first..first + count];
            let least = children.iter().enumerate().min_by_key(|(_, child)| child.numbers[mover]);
            let Some((number, child)) = least else { return index };
            if let Some(mv) = child.mv {
                let state = leaf.setting.game.after(self.state(leaf), mv);
                let key = leaf.setting.key(self.key(leaf), self.state(leaf), number, &state);
                self.keys.push(key);
                self.states.push(state);
            }
            self.path.push(first + number);
        }
    }

    fn make_children(
        &mut self,
        leaf: &NewLeaf<'_, G>,
        index: usize,
        moves: &[G::Move],
    ) -> Result<(), SearchError> {
        let first_child = self.nodes.len() as u32;
        for (number, &mv) in moves.iter().enumerate() {
            let state = leaf.setting.game.after(self.state(leaf), mv);
            let key = leaf.setting.key(self.key(leaf), self.state(leaf), number, &state);
            let glance = leaf.glance(&state, key, &self.keys)?;
            let (mover, facts) = match glance {
                Glance::Over(verdict) => (0, leaf.logic.terminal(&verdict.payoffs())),
                Glance::Repeated(mover) => (mover, leaf.logic.known(Solved::from_value(-1))),
                Glance::Open(mover) => (mover, leaf.unknown(&state, mover, &mut self.replies)?),
            };
            self.nodes.push(SmallNode {
                numbers: [facts.proof_numbers[0], facts.proof_numbers[1]],
                first_child: 0,
                num_children: 0,
                mover: mover as u8,
                mv: Some(mv),
                over: matches!(glance, Glance::Over(_)),
            });
        }
        let node = &mut self.nodes[index];
        node.first_child = first_child;
        node.num_children = moves.len() as u16;
        Ok(())
    }

    /// Recomputes the numbers on the path, from its end up to the first unchanged node, and cuts
    /// the path off below that node.
    fn update(&mut self) {
        while let Some(&index) = self.path.last() {
            let node = &self.nodes[index];
            let (first, count) = (node.first_child as usize, usize::from(node.num_children));
            let children = &self.nodes[first..first + count];
            let mover = usize::from(node.mover);
            let own = children.iter().map(|child| child.numbers[mover]);
            let others = children.iter().map(|child| child.numbers[1 - mover]);
            let mut numbers = [ProofNumber::PROVEN; 2];
            numbers[mover] = own.fold(ProofNumber::INFINITE, ProofNumber::or);
            numbers[1 - mover] = others.fold(ProofNumber::PROVEN, ProofNumber::and);
            if numbers == node.numbers || self.path.len() == 1 {
                self.nodes[index].numbers = numbers;
                return;
            }
            self.nodes[index].numbers = numbers;
            self.path.pop();
            self.states.pop();
            self.keys.pop();
        }
    }

    fn seen(&self, logic: &Logic, child: usize) -> SeenChild {
        let SmallNode { numbers, mover, over, .. } = self.nodes[child];
        let mover = usize::from(mover);
        let claimed = numbers[0].is_proven();
        let answer = if claimed { 1 } else { -1 };
        if over {
            SeenChild::over(logic.terminal(&[answer, -answer]))
        } else if self.nodes[child].is_solved() {
            SeenChild::known(mover, logic.known(Solved::from_value(answer)))
        } else {
            SeenChild::open(mover, logic.leaf_with(numbers))
        }
    }
}

impl<M> SmallNode<M> {
    fn is_solved(&self) -> bool {
        self.numbers.iter().any(|number| number.is_proven())
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::Growth;

    #[test]
    fn second_trees_grow_by_breukers_rule() {
        let growth = Growth { a: 1_800_000.0, b: 240_000.0 };
        let room = 5_000_000;
        // At `a` the limit is half of the first tree; long before, it is almost zero.
        assert_eq!(growth.limit(1_800_000, room), 900_000);
        assert!(growth.limit(100_000, room) < 100);
        // Long after `a` it is nearly the whole first tree, but never more than the remaining room.
        assert!((2_970_000..3_000_000).contains(&growth.limit(3_000_000, 10_000_000)));
        assert_eq!(growth.limit(4_900_000, room), 100_000);
        assert_eq!(growth.limit(6_000_000, room), 0);
    }
}
