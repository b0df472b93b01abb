//! The nodes of a tree in a file.
//!
//! A node consists of its prior, if the evaluator has priors; a byte with its stage; its visits and
//! the sum of their values, if there are any; and the move that was tried at it, if any. After the
//! root come the children of each expanded node in turn: parents before children, and everything
//! below a child before its next sibling. The file has no moves, proof numbers or bounds. The
//! reader gets the moves and the payoffs of finished games from the rules, and deduces the rest
//! from the children.
//!
//! Results that cannot be deduced are stored: the answer at a node whose position was proven
//! elsewhere, and the results of a node that lost its children when the memory was full.

use crate::game::{Game, MAX_PLAYERS, Turn};
use crate::math::from_half;
use crate::playout::{SharedSearch, read_payoffs, read_weights};
use crate::rules::{check_chance, check_mobility, check_mover};
use crate::saved::{Reader, SavedError, Writer, damaged};
use crate::sync::Ordering;
use crate::tree::{
    Block, FactNumbers, Facts, MoveTree, ROOT, Record, SeenChild, Slab, Solved, Stage, Tree, Tried,
    VALUE_ONE, VISITS_MASK,
};
use std::io;

/// The stages of nodes, in the order of their numbers in a file.
const STAGES: [Stage; 5] =
    [Stage::New, Stage::Leaf, Stage::Expanded, Stage::Terminal, Stage::Known];
const KEPT: u8 = 1 << 3;
const VISITED: u8 = 1 << 4;
const TRIED: u8 = 1 << 5;

pub(super) fn count(tree: &Tree) -> u64 {
    let mut open = vec![tree.node(ROOT).load()];
    let mut nodes = 1;
    while let Some(word) = open.pop() {
        nodes += word.num_children() as u64;
        let children = tree.arena.children(word).nodes().iter().map(|node| node.load());
        open.extend(children.filter(|child| child.is_expanded()));
    }
    nodes
}

pub(super) fn write(tree: &Tree, out: &mut Writer<'_>) -> io::Result<()> {
    write_node(tree, ROOT, out)?;
    let mut open = vec![tree.node(ROOT).load()];
    while let Some(word) = open.pop() {
        let children = word.first_child()..word.first_child() + word.num_children() as u32;
        for index in children.clone() {
            write_node(tree, index, out)?;
        }
        let below = children.rev().map(|index| tree.node(index).load());
        open.extend(below.filter(|child| child.is_expanded()));
    }
    Ok(())
}

fn write_node(tree: &Tree, index: u32, out: &mut Writer<'_>) -> io::Result<()> {
    if let Some(prior) = tree.arena.single(index).priors().first() {
        out.number(u64::from(prior.load(Ordering::Relaxed)))?;
    }
    let Record { stage, is_kept, visits, value_sum, tried } = tree.record(index);
    let Some(number) = STAGES.iter().position(|&known| known == stage) else {
        unreachable!("no node of a tree at rest is claimed");
    };
    let visited = visits != 0 || value_sum != 0;
    let flag = |is: bool, flag: u8| if is { flag } else { 0 };
    let seen = flag(visited, VISITED) | flag(tried.is_some(), TRIED);
    out.byte(number as u8 | flag(is_kept, KEPT) | seen)?;
    if visited {
        out.number(visits)?;
        out.signed(value_sum)?;
    }
    if let Some(Tried { number, value }) = tried {
        out.number(u64::from(number))?;
        out.signed(i64::from(value))?;
    }
    if stage == Stage::Expanded {
        out.number(tree.node(index).load().num_children() as u64)?;
    }
    if is_kept {
        write_facts(tree, &tree.facts(index), out)?;
    } else if stage == Stage::Known {
        let answer = tree.solved(index).map_or(0, Solved::to_bits);
        out.number(answer)?;
    }
    Ok(())
}

/// Writes the facts about a node, or those about the root that do not follow from its children.
pub(super) fn write_facts(tree: &Tree, facts: &Facts, out: &mut Writer<'_>) -> io::Result<()> {
    let numbers = tree.logic.numbers_of(facts);
    numbers[..tree.logic.num_fact_numbers()].iter().try_for_each(|&number| out.number(number))
}

/// Reads facts written by [`write_facts`].
pub(super) fn read_facts(tree: &Tree, input: &mut Reader<'_>) -> Result<Facts, SavedError> {
    let mut numbers = FactNumbers::default();
    for number in &mut numbers[..tree.logic.num_fact_numbers()] {
        *number = input.number()?;
    }
    tree.logic.facts_of(&numbers).ok_or_else(|| damaged("a node has an impossible value"))
}

/// A node whose children have been read, and whose grandchildren are being read.
struct Frame<S> {
    index: u32,
    state: S,
    /// The index in the list of parents where this node's children begin.
    from: usize,
}

#[derive(Clone, Copy)]
struct Parent {
    number: u32,
    children: usize,
}

pub(super) struct Nodes<'s, 'r, G: Game, L> {
    pub(super) shared: &'s SharedSearch<G, L>,
    pub(super) tree: &'s MoveTree<G::Move>,
    pub(super) input: &'s mut Reader<'r>,
}

impl<G: Game, L> Nodes<'_, '_, G, L> {
    pub(super) fn read(&mut self) -> Result<(), SavedError> {
        let (tree, shared) = (self.tree, self.shared);
        let mut buffers = (Vec::new(), Vec::new());
        let mut slab = Slab::default();
        let root =
            self.read_node(tree.arena.single(ROOT), 0, &|| shared.root.clone(), &mut buffers.0)?;
        let mut frames = Vec::new();
        // Nodes whose children come later in the file; the last ones belong to the top frame.
        let mut parents = Vec::new();
        if let Some(children) = root {
            let state = shared.root.clone();
            self.read_children(ROOT, &state, children, &mut slab, &mut parents, &mut buffers)?;
            frames.push(Frame { index: ROOT, state, from: 0 });
        }
        while let Some(Frame { index, state, from }) = frames.last() {
            if parents.len() == *from {
                if !tree.restore_facts(*index) {
                    return Err(damaged("a node has fewer visits than its children"));
                }
                frames.pop();
                continue;
            }
            let Some(Parent { number, children }) = parents.pop() else {
                unreachable!("the list runs past the start of the frame");
            };
            let word = tree.node(*index).load();
            let state = shared.game.after(state, tree.child_move(word, number as usize));
            let (index, from) = (word.first_child() + number, parents.len());
            self.read_children(index, &state, children, &mut slab, &mut parents, &mut buffers)?;
            frames.push(Frame { index, state, from });
        }
        tree.arena.give_back(&mut slab);
        match tree.has_contradiction() {
            true => Err(damaged("it contradicts itself or the rules")),
            false => Ok(()),
        }
    }

    /// Reads the children of a node, and lists those that have children themselves.
    fn read_children(
        &mut self,
        index: u32,
        state: &G::State,
        children: usize,
        slab: &mut Slab,
        parents: &mut Vec<Parent>,
        (moves, weights): &mut (Vec<G::Move>, Vec<u32>),
    ) -> Result<(), SavedError> {
        let (tree, game) = (self.tree, &*self.shared.game);
        moves.clear();
        game.legal_moves(state, moves);
        check_mobility(moves.len())?;
        if moves.len() != children {
            return Err(damaged("a position has a different number of moves than the file says"));
        }
        let Ok(reservation) = tree.arena.reserve(slab, children) else {
            return Err(SavedError::Full);
        };
        let fresh = tree.arena.fresh(&reservation);
        if game.turn(state) == Turn::Chance {
            read_weights(game, state, moves, weights)?;
            tree.restore_weights(fresh, weights);
        }
        let first = parents.len();
        let mut buffer = Vec::new();
        for (number, &mv) in moves.iter().enumerate() {
            let after = || game.after(state, mv);
            if let Some(children) = self.read_node(fresh, number, &after, &mut buffer)? {
                parents.push(Parent { number: number as u32, children });
            }
        }
        // The next parent must be the last one in the list.
        parents[first..].reverse();
        tree.restore_children(index, tree.fill(reservation, moves));
        Ok(())
    }

    /// Reads a node; returns the number of its children in the file. `after` computes its position,
    /// and `moves` is a buffer.
    fn read_node(
        &mut self,
        block: Block<'_>,
        number: usize,
        after: &dyn Fn() -> G::State,
        moves: &mut Vec<G::Move>,
    ) -> Result<Option<usize>, SavedError> {
        let (tree, game) = (self.tree, &*self.shared.game);
        let Some(written) = WrittenNode::read(tree, block, number, self.input)? else {
            return Ok(None);
        };
        let state = after();
        self.shared.check_hash(&state)?;
        let turn = game.turn(&state);
        let asks = written.asks_for_mobility(tree, turn);
        let mobility = if asks {
            moves.clear();
            game.legal_moves(&state, moves);
            check_mobility(moves.len())?;
            moves.len()
        } else {
            1
        };
        let seen = match turn {
            Turn::Over => {
                written.check_end()?;
                let mut payoffs = [0; MAX_PLAYERS];
                let payoffs = &mut payoffs[..tree.logic.players];
                read_payoffs(game, tree, &state, payoffs)?;
                SeenChild::over(tree.logic.terminal(payoffs))
            }
            Turn::Player(mover) => {
                let mover = check_mover(mover, tree.logic.players)?;
                written.going_on(tree, mover, mobility, self.input)?
            }
            Turn::Chance => written.going_on(tree, check_chance(game)?, mobility, self.input)?,
        };
        tree.restore(block, number, &written.record, &seen);
        Ok(written.children)
    }
}

/// A node as it is written in the file. This part does not depend on the rules, so it is compiled
/// once for all games.
struct WrittenNode {
    record: Record,
    children: Option<usize>,
    /// The facts from before the node lost its children, if it did.
    kept: Option<Facts>,
}

impl WrittenNode {
    /// Reads the part of a node that does not depend on the rules. An unvisited node has nothing
    /// more: it is restored, and the result is `None`.
    fn read(
        tree: &Tree,
        block: Block<'_>,
        number: usize,
        input: &mut Reader<'_>,
    ) -> Result<Option<WrittenNode>, SavedError> {
        if let Some(prior) = block.priors().get(number) {
            let read = u16::try_from(input.number()?);
            let read = read.ok().filter(|&read| from_half(read) <= 1.0);
            prior.store(
                read.ok_or_else(|| damaged("a prior is not between 0 and 1"))?,
                Ordering::Relaxed,
            );
        }
        let head = input.byte()?;
        if head == 0 {
            return Ok(None);
        }
        let known = STAGES.get(usize::from(head & 7)).filter(|_| head >> 6 == 0);
        let &stage = known.ok_or_else(|| damaged("a node has an unknown stage"))?;
        let mut record =
            Record { stage, is_kept: head & KEPT != 0, visits: 0, value_sum: 0, tried: None };
        if head & VISITED != 0 {
            (record.visits, record.value_sum) = (input.number()?, input.signed()?);
        }
        if head & TRIED != 0 {
            let (number, value) = (input.number()?, input.signed()?);
            let value = i16::try_from(value).ok().filter(|_| number < Tried::MOVES as u64);
            let tried = value.map(|value| Tried { number: number as u16, value });
            record.tried = Some(tried.ok_or_else(|| damaged("a node's tried move is impossible"))?);
        }
        let children = match stage {
            Stage::Expanded => Some(input.number()? as usize),
            _ => None,
        };
        check_record(&record)?;
        let kept = match record.is_kept {
            true => Some(read_facts(tree, input)?),
            false => None,
        };
        if stage == Stage::New {
            let seen = SeenChild::fresh(tree.logic.before_children(None));
            tree.restore(block, number, &record, &seen);
            return Ok(None);
        }
        Ok(Some(WrittenNode { record, children, kept }))
    }

    /// Returns whether the node's initial proof numbers depend on the number of its moves.
    fn asks_for_mobility(&self, tree: &Tree, turn: Turn) -> bool {
        let is_leaf = match self.record.stage {
            Stage::Leaf => true,
            Stage::Known => self.kept.is_some(),
            _ => false,
        };
        is_leaf && turn != Turn::Over && tree.logic.proof_numbers
    }

    /// Checks that a node at which the rules end the game is also terminal in the file.
    fn check_end(&self) -> Result<(), SavedError> {
        match self.record.stage {
            Stage::Terminal => Ok(()),
            _ => Err(damaged("it continues a game that is over")),
        }
    }

    /// Reads the facts of a node where the game continues, as its parent sees them.
    fn going_on(
        &self,
        tree: &Tree,
        mover: usize,
        mobility: usize,
        input: &mut Reader<'_>,
    ) -> Result<SeenChild, SavedError> {
        let stage = self.record.stage;
        Ok(match (stage, &self.kept) {
            (Stage::Terminal, _) => return Err(damaged("it ends a game that is not over")),
            (Stage::Expanded, kept) => {
                SeenChild::open(mover, tree.logic.before_children(kept.as_ref()))
            }
            (Stage::Known, None) => {
                let answer = Solved::from_bits(input.number()?);
                if !tree.logic.admits(answer) {
                    return Err(damaged("a node has an impossible answer"));
                }
                SeenChild::known(mover, tree.logic.known(answer))
            }
            (_, None) => SeenChild::open(mover, tree.logic.leaf(mover, mobility)),
            (_, Some(kept)) => {
                let facts = tree.logic.kept_leaf(mover, mobility, kept);
                if (stage == Stage::Known) != facts.is_solved() {
                    return Err(damaged("a node is marked solved, but is not"));
                }
                match stage {
                    Stage::Known => SeenChild::known(mover, facts),
                    _ => SeenChild::open(mover, facts),
                }
            }
        })
    }
}

/// Checks that a node can have these statistics.
fn check_record(record: &Record) -> Result<(), SavedError> {
    let Record { stage, is_kept, visits, value_sum, tried } = *record;
    // Half of the range is reserved for later searches.
    if visits > VISITS_MASK / 2 {
        return Err(damaged("a node has too many visits"));
    }
    let most = visits.saturating_mul(VALUE_ONE as u64);
    if value_sum.unsigned_abs() > most {
        return Err(damaged("a node's values are out of range"));
    }
    if let Some(Tried { value, .. }) = tried
        && (stage != Stage::Leaf || visits < 2 || i64::from(value).abs() > VALUE_ONE)
    {
        return Err(damaged("a node has a tried move where it cannot have one"));
    }
    match stage {
        Stage::New | Stage::Terminal if is_kept => {
            Err(damaged("a node lost more children than it had"))
        }
        _ => Ok(()),
    }
}
