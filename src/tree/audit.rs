//! The central test: once all threads have stopped, a tree must equal its sequential recomputation.

use super::node::{DIRTY, EXACT, KEPT, Node, OWNED, RANKING, SKIP, SOLVED, STALE, Stage, Word};
use super::{MoveTree, ROOT, Tree};
use crate::error::Inconsistency;
use crate::game::{Game, MAX_PLAYERS, Turn};
use crate::math::CERTAIN;
use crate::sync::{AtomicU32, Ordering};
use std::fmt;

impl fmt::Debug for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let flags = [
            (OWNED, "owned"),
            (DIRTY, "dirty"),
            (STALE, "stale"),
            (SKIP, "skip"),
            (SOLVED, "solved"),
            (EXACT, "exact"),
            (RANKING, "ranking"),
            (KEPT, "kept"),
        ];
        write!(
            f,
            "{:?} mover {} children {}+{}",
            self.stage(),
            self.mover(),
            self.first_child(),
            self.num_children()
        )?;
        flags
            .iter()
            .filter(|(bit, _)| self.0 & bit != 0)
            .try_for_each(|(_, name)| write!(f, " {name}"))
    }
}

/// The counts of an audit that passed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Audit {
    /// Nodes in the tree, including unvisited children.
    pub nodes: u64,
    /// Nodes with children.
    pub expanded: u64,
    /// Nodes at which the game is over.
    pub terminal: u64,
    /// Nodes at which the question has a proven answer.
    pub solved: u64,
    /// The greatest distance from the root, in moves.
    pub depth: usize,
    /// Finished playouts.
    pub visits: u64,
}

/// The rules of the game that a tree was grown for.
pub(crate) trait Rules {
    type State: Clone;
    type Move: Copy + PartialEq;
    fn turn(&self, state: &Self::State) -> Turn;
    fn legal_moves(&self, state: &Self::State, moves: &mut Vec<Self::Move>);
    fn chance_weight(&self, state: &Self::State, outcome: Self::Move) -> u32;
    fn after(&self, state: &Self::State, mv: Self::Move) -> Self::State;
    fn payoff(&self, state: &Self::State, player: usize) -> i32;
}

impl<G: Game> Rules for G {
    type State = G::State;
    type Move = G::Move;

    fn turn(&self, state: &G::State) -> Turn {
        self.turn(state)
    }

    fn legal_moves(&self, state: &G::State, moves: &mut Vec<G::Move>) {
        self.legal_moves(state, moves);
    }

    fn chance_weight(&self, state: &G::State, outcome: G::Move) -> u32 {
        self.chance_weight(state, outcome)
    }

    fn after(&self, state: &G::State, mv: G::Move) -> G::State {
        self.after(state, mv)
    }

    fn payoff(&self, state: &G::State, player: usize) -> i32 {
        self.payoff(state, player)
    }
}

/// A node to audit, with its position.
struct AuditVisit<S> {
    index: u32,
    depth: usize,
    state: S,
}

impl<M: Copy + PartialEq> MoveTree<M> {
    /// Checks every node of a tree that no thread is changing.
    ///
    /// - No thread owns the node, has claimed it or has a playout in flight through it.
    /// - The node agrees with its position on the mover, the moves, and whether the game is over.
    /// - Its numbers, intervals and flags are those that the sequential rules compute from its
    ///   children, or a leaf's initial ones.
    /// - Every visit went on to a child or ended in an evaluation of the node.
    ///
    /// A node that is marked KEPT may have more facts and visits than its children account for.
    /// Every index that was handed out belongs to one of these nodes or lies on one free list,
    /// exactly once: no reachable node was reclaimed, and no memory leaked.
    ///
    /// # Errors
    /// The first difference found.
    pub(crate) fn audit<R>(&self, game: &R, root: &R::State) -> Result<Audit, Inconsistency>
    where
        R: Rules<Move = M>,
    {
        self.account()?;
        let mut audit = Audit::default();
        let mut moves = Vec::new();
        let mut stack = vec![AuditVisit { index: ROOT, depth: 0, state: root.clone() }];
        while let Some(visit) = stack.pop() {
            let word = self.node(visit.index).load();
            let fail = |what: String| Inconsistency { node: visit.index, depth: visit.depth, what };
            self.check_at_rest(visit.index).map_err(fail)?;
            moves.clear();
            let turn = game.turn(&visit.state);
            if turn != Turn::Over {
                game.legal_moves(&visit.state, &mut moves);
            }
            self.check_position(visit.index, game, &visit.state, turn, &moves).map_err(fail)?;
            self.check_visits(visit.index).map_err(fail)?;
            self.check_priors(visit.index).map_err(fail)?;

            audit.nodes += 1;
            audit.depth = audit.depth.max(visit.depth);
            audit.terminal += u64::from(word.stage() == Stage::Terminal);
            audit.solved += u64::from(word.is_solved());
            if word.stage() == Stage::Expanded {
                audit.expanded += 1;
                for number in 0..word.num_children() {
                    let mv = self.child_move(word, number);
                    stack.push(AuditVisit {
                        index: word.first_child() + number as u32,
                        depth: visit.depth + 1,
                        state: game.after(&visit.state, mv),
                    });
                }
            }
        }
        audit.visits = self.node(ROOT).statistics().visits;
        if audit.nodes != self.arena.len() {
            let what =
                format!("{} nodes are reachable, but {} are in use", audit.nodes, self.arena.len());
            return Err(Inconsistency { node: ROOT, depth: 0, what });
        }
        Ok(audit)
    }

    fn check_position<R>(
        &self,
        index: u32,
        game: &R,
        state: &R::State,
        turn: Turn,
        moves: &[M],
    ) -> Result<(), String>
    where
        R: Rules<Move = M>,
    {
        let word = self.node(index).load();
        let moves_here = match turn {
            Turn::Player(mover) => word.mover() == mover,
            Turn::Chance => word.is_chance(),
            Turn::Over => false,
        };
        let expected = match word.stage() {
            Stage::New => return self.check_facts(index, None),
            Stage::Terminal if turn == Turn::Over => {
                let mut payoffs = [0; MAX_PLAYERS];
                for (player, payoff) in payoffs[..self.logic.players].iter_mut().enumerate() {
                    *payoff = game.payoff(state, player);
                }
                self.logic.terminal(&payoffs[..self.logic.players])
            }
            Stage::Leaf | Stage::Known if moves_here && word.is_kept() => {
                if (word.stage() == Stage::Known) != word.is_solved() {
                    return Err(format!("the node's stage does not fit its flags: {word:?}"));
                }
                self.logic.join(&self.logic.leaf(word.mover(), moves.len()), &self.facts(index))
            }
            Stage::Known if moves_here => {
                let answer =
                    self.solved(index).ok_or("the node is marked solved, but has no answer")?;
                self.logic.known(answer)
            }
            Stage::Leaf if moves_here => match self.logic.given_leaves {
                true => self.given_leaf(index)?,
                false => self.logic.leaf(word.mover(), moves.len()),
            },
            Stage::Expanded if moves_here => {
                let same = word.num_children() == moves.len()
                    && (0..moves.len()).all(|n| self.child_move(word, n) == moves[n]);
                if !same {
                    return Err("the children do not match the legal moves".into());
                }
                let weights = self.arena.children(word).weights();
                let right = |(&mv, cell): (&M, &AtomicU32)| {
                    cell.load(Ordering::Relaxed) == game.chance_weight(state, mv)
                };
                if word.is_chance() && !moves.iter().zip(weights).all(right) {
                    return Err("the weights of the outcomes are wrong".into());
                }
                self.deduce(index, word)
            }
            _ => return Err(format!("the position has {turn:?}, but the node has {word:?}")),
        };
        self.check_facts(index, Some(expected))
    }
}

impl Tree {
    /// Checks that every index that was handed out belongs to one node of the tree or lies on one
    /// free list, exactly once. No block may be detached.
    ///
    /// # Errors
    /// The first index for which this does not hold.
    pub(crate) fn account(&self) -> Result<(), Inconsistency> {
        let mut entered = vec![false; self.arena.handed_out()];
        let mut enter = |first: u32, count: usize, what: &str| {
            for node in (first..).take(count) {
                let fail = |what| Err(Inconsistency { node, depth: 0, what });
                match entered.get_mut(node as usize) {
                    Some(entered) if !*entered => *entered = true,
                    Some(_) => return fail(format!("{what}, but also in use elsewhere")),
                    None => return fail(format!("{what}, but never handed out")),
                }
            }
            Ok(())
        };
        enter(ROOT, 1, "the root")?;
        let mut open = vec![self.node(ROOT).load()];
        while let Some(word) = open.pop() {
            enter(word.first_child(), word.num_children(), "in the tree")?;
            let children = self.arena.children(word).nodes().iter().map(Node::load);
            open.extend(children.filter(|word| word.stage() == Stage::Expanded));
        }
        for span in self.arena.free_spans() {
            enter(span.first, span.count as usize, "free")?;
        }
        match entered.iter().position(|entered| !entered) {
            Some(node) => {
                let what = "neither in the tree nor free".into();
                Err(Inconsistency { node: node as u32, depth: 0, what })
            }
            None => Ok(()),
        }
    }

    pub(crate) fn check_at_rest(&self, index: u32) -> Result<(), String> {
        let node = self.node(index);
        let word = node.load();
        if word.is_owned() {
            return Err(format!("still owned: {word:?}"));
        }
        if word.is_ranked_now() {
            return Err(format!("still being ranked: {word:?}"));
        }
        if matches!(word.stage(), Stage::Evaluating | Stage::Expanding) {
            return Err(format!("still claimed: {word:?}"));
        }
        match node.statistics().in_flight {
            0 => Ok(()),
            n => Err(format!("{n} playouts still in flight")),
        }
    }

    /// Checks that the numbers given to a leaf do not settle it; returns its facts.
    fn given_leaf(&self, index: u32) -> Result<super::Facts, String> {
        let numbers = [self.proof_number(index, 0), self.proof_number(index, 1)];
        let log_odds = self.log_odds(index);
        if !numbers.iter().all(|number| number.is_open()) || log_odds.abs() >= CERTAIN {
            return Err(format!(
                "the leaf is solved by the proof numbers {numbers:?} and the log-odds {log_odds}"
            ));
        }
        Ok(super::Facts { log_odds, ..self.logic.leaf_with(numbers) })
    }

    /// Compares a node's facts with the expected ones.
    pub(crate) fn check_facts(
        &self,
        index: u32,
        expected: Option<super::Facts>,
    ) -> Result<(), String> {
        let word = self.node(index).load();
        let flags = word.0 & (SKIP | SOLVED | EXACT);
        let expected_flags = expected.map_or(0, |facts| facts.flags);
        if flags != expected_flags {
            return Err(format!("the flags are {flags:#x}, but should be {expected_flags:#x}"));
        }
        let right = expected.map_or(0.0, |facts| facts.log_odds);
        // Bit for bit: both result from the same operations on the same values.
        if self.logic.products && self.log_odds(index).to_bits() != right.to_bits() {
            let log_odds = self.log_odds(index);
            return Err(format!("the log-odds are {log_odds}, but should be {right}"));
        }
        for player in 0..self.logic.players {
            let number = self.proof_number(index, player);
            let right =
                expected.map_or(crate::bounds::ProofNumber::ONE, |f| f.proof_numbers[player]);
            if number != right {
                return Err(format!(
                    "the proof number of player {player} is {number}, but should be {right}"
                ));
            }
            let span = self.span(index, player);
            let right = match expected {
                Some(facts) if self.logic.score_bounds => facts.intervals[player],
                _ => self.logic.ranges[player].into(),
            };
            if span != right {
                return Err(format!(
                    "the bounds of player {player} are {span:?}, but should be {right:?}"
                ));
            }
        }
        Ok(())
    }

    /// Checks that the priors of a node's children add up to one, if the evaluator has priors. The
    /// root may not have its priors yet.
    fn check_priors(&self, index: u32) -> Result<(), String> {
        let word = self.node(index).load();
        let children = self.arena.children(word);
        let waits = index == ROOT && !children.has_priors();
        if children.priors().is_empty() || word.is_chance() || waits {
            return Ok(());
        }
        let sum: f32 = (0..children.len()).filter_map(|number| children.prior(number)).sum();
        // The relative rounding error of each prior is at most 1/4096.
        match (sum - 1.0).abs() < 0.001 {
            true => Ok(()),
            false => Err(format!("the priors add up to {sum}, not to 1")),
        }
    }

    /// Checks that every visit of a node went on to one of its children or ended at the node.
    fn check_visits(&self, index: u32) -> Result<(), String> {
        let block = self.arena.single(index);
        let (word, visits) = (block.nodes()[0].load(), block.nodes()[0].statistics().visits);
        let below: u64 = match word.stage() {
            Stage::Expanded => {
                self.arena.children(word).nodes().iter().map(|n| n.statistics().visits).sum()
            }
            _ => 0,
        };
        let counted = block.evaluations().first();
        let ended = counted.map_or(0, |count| u64::from(count.load(Ordering::Relaxed)));
        // Visits to children that were dropped are not accounted for.
        if (word.is_kept() || counted.is_none()) && visits >= below + ended {
            return Ok(());
        }
        if visits != below + ended {
            return Err(format!("{visits} visits, but {below} below and {ended} that ended here"));
        }
        Ok(())
    }
}
