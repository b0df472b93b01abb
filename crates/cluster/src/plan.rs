//! Divides a proof into jobs, and applies their answers to the tree.
//!
//! This module uses the rules and the [`Tree`], but does not communicate with workers.

use crate::tree::{NewChild, Tree, Verdict};
use proofwood::inspect::SavedError;
use proofwood::{ProofGoal, ProverConfig, Turn};
use proofwood_any_game::{NumbersAnswer, Position, Proving};
use proofwood_session::Trouble;
use std::collections::HashMap;

/// The proof number for "impossible" in a prover's answer.
const IMPOSSIBLE: u32 = (1 << 26) - 1;

/// The proof number assumed for a repeated position, and for a job's claim that is not trusted.
const UNLIKELY: u64 = 1_000_000;

/// The number of most promising leaves among which one near the worker's earlier jobs is preferred.
const CHOICE: usize = 8;

/// Returns the players whose wins to decide, in order; a proven win makes the next one unnecessary.
pub fn questions(goal: ProofGoal, player: usize) -> Vec<usize> {
    // For the value: does the player win, and if not, does the opponent?
    match goal {
        ProofGoal::Win => vec![player],
        ProofGoal::DrawOrBetter => vec![1 - player],
        _ => vec![player, 1 - player],
    }
}

/// The results of a leaf's jobs that ended without an answer.
struct Subproblem {
    doer: usize,
    jobs: u64,
    /// The number of nodes of all these jobs.
    nodes: u64,
    /// The proof numbers of the last job.
    numbers: Option<NumbersAnswer>,
}

/// The state of a proof: its tree and the jobs' results.
pub struct Plan {
    root: Box<dyn Position>,
    /// The player whose win is asked for.
    player: usize,
    /// The least payoff that counts as a win.
    threshold: i32,
    /// A prover that computes keys of positions as the workers do; `None` if positions have no key.
    probe: Option<Box<dyn Proving>>,
    /// Whether a job's verdicts about the moves at its root are trusted.
    believes: bool,
    /// The tree above the jobs.
    pub tree: Tree,
    /// The results of jobs without an answer, by node.
    parts: HashMap<usize, Subproblem>,
}

impl Plan {
    /// Creates a plan to prove whether a player wins from a position whose game is not over.
    pub fn new(
        game: &str,
        root: Box<dyn Position>,
        (player, threshold): (usize, i32),
        config: &ProverConfig,
        believes: bool,
    ) -> Result<Plan, Trouble> {
        // The certificate of a position does not hold for its mirror image.
        let symmetries = config.symmetries && believes;
        let probe = config.clone().threads(1).table(1 << 20).symmetries(symmetries);
        let mut probe = root.prove(&probe)?;
        let probe = match probe.share(game, None) {
            Ok(_) => Some(probe),
            Err(SavedError::Unidentified) => None,
            Err(error) => return Err(Trouble::Failed(error.to_string())),
        };
        let tree = Tree::new(root.turn() == Turn::Player(player));
        Ok(Plan { root, player, threshold, probe, believes, tree, parts: HashMap::new() })
    }

    /// Returns the number of jobs that have ended without an answer at a leaf.
    pub fn jobs_at(&self, leaf: usize) -> u64 {
        self.parts.get(&leaf).map_or(0, |part| part.jobs)
    }

    fn nodes_at(&self, leaf: usize) -> u64 {
        self.parts.get(&leaf).map_or(0, |part| part.nodes)
    }

    /// Returns the leaf for this worker's next job, and marks it as taken. Returns `None` if all
    /// leaves are taken or the root is solved. `waiting` is the number of other idle workers.
    ///
    /// After a job without an answer, the same worker continues at its leaf: its depth-first prover
    /// explores better than this tree, whose purpose is to keep workers apart. The leaf is split
    /// into its moves if another worker gets it, or after `least` nodes if others are idle.
    pub fn next(
        &mut self,
        worker: Option<usize>,
        waiting: usize,
        least: u64,
    ) -> Result<Option<usize>, Trouble> {
        while self.tree.verdict().is_none()
            && let Some(leaf) = self.best(worker)
        {
            let Some(part) = self.parts.get(&leaf) else { return Ok(Some(leaf)) };
            let stays = worker == Some(part.doer) && part.numbers.is_some();
            if stays && (part.nodes < least || self.tree.has_free_leaves(waiting)) {
                return Ok(Some(leaf));
            }
            let numbers = part.numbers.clone();
            self.tree.call_off(leaf);
            self.expand(leaf, numbers.as_ref())?;
        }
        Ok(None)
    }

    /// Returns the leaf whose job should be preempted, so that it can be shared with an idle
    /// worker. `jobs` lists leaves with the nodes of their current jobs. Of the leaves with at
    /// least `least` nodes in total, the one with the most work left is chosen.
    pub fn to_share(&self, jobs: impl Iterator<Item = (usize, u64)>, least: u64) -> Option<usize> {
        let has_begun = |&(leaf, nodes): &(usize, u64)| self.nodes_at(leaf) + nodes >= least;
        jobs.filter(has_begun).map(|(leaf, _)| leaf).max_by_key(|&leaf| self.tree.size(leaf))
    }

    /// Returns the best leaf for a worker, and marks it as taken. Among the most promising leaves
    /// it prefers one at or below the worker's earlier jobs, or else one that is not below another
    /// worker's jobs, because only that other worker's table has the entries found there.
    fn best(&mut self, worker: Option<usize>) -> Option<usize> {
        let mut leaves = Vec::new();
        while leaves.len() < if worker.is_some() { CHOICE } else { 1 }
            && let Some(leaf) = self.tree.most_proving()
        {
            self.tree.begin(leaf);
            leaves.push(leaf);
        }
        let of = |who: Option<usize>| leaves.iter().position(|&leaf| self.who_knows(leaf) == who);
        let best = of(worker).or_else(|| of(None)).unwrap_or(0);
        for (number, &leaf) in leaves.iter().enumerate().rev() {
            if number != best {
                self.tree.call_off(leaf);
            }
        }
        leaves.get(best).copied()
    }

    /// Returns the worker of the last job at a leaf or above it.
    fn who_knows(&self, leaf: usize) -> Option<usize> {
        let mut above = std::iter::successors(Some(leaf), |&node| self.tree.parent(node));
        above.find_map(|node| self.parts.get(&node).map(|part| part.doer))
    }

    /// Returns the position of a node.
    pub fn position(&self, node: usize) -> Result<Box<dyn Position>, Trouble> {
        let mut position = self.root.copy();
        for mv in self.tree.moves(node) {
            position.play(mv).map_err(|error| Trouble::Failed(error.to_string()))?;
        }
        Ok(position)
    }

    /// Records a job that has ended without an answer after `nodes` nodes: the leaf gets its proof
    /// numbers.
    pub fn unfinished(
        &mut self,
        leaf: usize,
        doer: usize,
        nodes: u64,
        numbers: Option<NumbersAnswer>,
    ) -> Result<(), Trouble> {
        self.tree.unfinished(leaf, numbers.as_ref().map(|n| (n.proof.into(), n.disproof.into())));
        let (jobs, nodes) = (self.jobs_at(leaf) + 1, self.nodes_at(leaf) + nodes);
        // Without keys a worker's table is of no use, so the leaf is split at once.
        if self.probe.is_none() {
            self.expand(leaf, numbers.as_ref())?;
        }
        self.parts.insert(leaf, Subproblem { doer, jobs, nodes, numbers });
        Ok(())
    }

    fn expand(&mut self, leaf: usize, numbers: Option<&NumbersAnswer>) -> Result<(), Trouble> {
        let moves: Vec<String> = self.tree.moves(leaf).into_iter().map(String::from).collect();
        let mut position = self.root.copy();
        let mut way = vec![self.key(&*position)];
        for mv in &moves {
            position.play(mv).map_err(|error| Trouble::Failed(error.to_string()))?;
            way.push(self.key(&*position));
        }
        let mut children = Vec::new();
        for mv in position.view().legal_moves {
            let known = numbers.and_then(|numbers| {
                let (_, known) = numbers.moves.iter().find(|(text, _)| *text == mv)?;
                *known
            });
            children.push(self.child(&*position, mv, &way, known)?);
        }
        if children.is_empty() {
            let what = "the game is not over, but there is no legal move";
            return Err(Trouble::Failed(format!("{}: {what}", position.text())));
        }
        self.tree.expand(leaf, children);
        Ok(())
    }

    /// Creates a child of the position at the end of `way`, the list of the keys of all positions
    /// from the root; `known` are the child's proof numbers from a job.
    fn child(
        &self,
        position: &dyn Position,
        mv: String,
        way: &[Option<u64>],
        known: Option<(u32, u32)>,
    ) -> Result<NewChild, Trouble> {
        let mut after = position.copy();
        after.play(&mv).map_err(|error| Trouble::Failed(error.to_string()))?;
        let view = after.view();
        let claims = view.to_move == Some(self.player);
        let moves = view.legal_moves.len() as u64;
        // The claimant needs one good move, but must have an answer to every move of the opponent.
        let guess = if claims { (1, moves.max(1)) } else { (moves.max(1), 1) };
        let mut child = NewChild { mv, claims, key: None, verdict: None, numbers: guess };
        if let Some(payoffs) = &view.payoffs {
            child.verdict = Some(payoffs[self.player] >= self.threshold);
            return Ok(child);
        }
        child.key = self.key(&*after);
        if child.key.is_some() && way.contains(&child.key) {
            // A repetition is no easier to prove than the earlier position.
            child.numbers = (UNLIKELY, UNLIKELY);
            return Ok(child);
        }
        (child.verdict, child.numbers) = match known {
            Some((0, _)) => (Some(true), (1, UNLIKELY)),
            Some((IMPOSSIBLE, 0)) => (Some(false), (UNLIKELY, 1)),
            Some((_, 0)) => (None, (UNLIKELY, 1)),
            Some((proof, disproof)) => (None, (proof.into(), disproof.into())),
            None => (None, guess),
        };
        child.verdict = child.verdict.filter(|_| self.believes);
        Ok(child)
    }

    fn key(&self, position: &dyn Position) -> Option<u64> {
        self.probe.as_ref().and_then(|probe| probe.key_of(position))
    }

    /// Settles a leaf with the answer of its job.
    pub fn settle(&mut self, leaf: usize, verdict: Verdict) {
        self.tree.settle(leaf, verdict);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proofwood_session::input::spec::find_game;

    fn plan(believes: bool, symmetries: bool) -> Plan {
        let (game, rules) = find_game("connect-four:5x4").unwrap();
        let config = ProverConfig::default().symmetries(symmetries);
        Plan::new(&game, rules.start(), (0, 1), &config, believes).unwrap()
    }

    /// Returns the result of a job without information about the moves.
    fn numbers() -> Option<NumbersAnswer> {
        Some(NumbersAnswer { proof: 1, disproof: 1, moves: Vec::new() })
    }

    /// Returns the number of jobs into which the root, which is its own mirror image, is split.
    fn jobs(believes: bool) -> usize {
        let mut plan = plan(believes, true);
        assert_eq!(plan.next(None, 0, 0).unwrap(), Some(0));
        plan.unfinished(0, 0, 10, None).unwrap();
        std::iter::from_fn(|| plan.next(None, 0, 0).unwrap()).count()
    }

    /// A worker continues at its leaf, other workers go to unvisited leaves, and each leaf has one
    /// job.
    #[test]
    fn a_worker_stays_where_it_was() {
        let mut plan = plan(true, false);
        let next = |plan: &mut Plan, worker| plan.next(Some(worker), 0, 0).unwrap();
        assert_eq!(plan.next(Some(7), 2, 0).unwrap(), Some(0));
        plan.unfinished(0, 7, 10, None).unwrap();
        let first: Vec<_> = [7, 8, 9].map(|worker| next(&mut plan, worker).unwrap()).into();
        for (&leaf, worker) in first.iter().zip([7, 8, 9]) {
            plan.unfinished(leaf, worker, 10, numbers()).unwrap();
        }
        for (&leaf, worker) in first.iter().zip([7, 8, 9]).rev() {
            assert_eq!(next(&mut plan, worker), Some(leaf), "{worker}");
            assert_eq!(plan.jobs_at(leaf), 1);
        }
        let left: Vec<_> = std::iter::from_fn(|| next(&mut plan, 7)).collect();
        let distinct: std::collections::HashSet<_> = left.iter().chain(&first).collect();
        assert_eq!(distinct.len(), left.len() + first.len());
        assert_eq!(distinct.len(), 5, "all moves, and nothing below them");
    }

    #[test]
    fn a_worker_alone_stays_at_the_root() {
        let mut plan = plan(true, false);
        for jobs in 0..3 {
            assert_eq!(plan.jobs_at(0), jobs);
            assert_eq!(plan.next(Some(7), 0, 0).unwrap(), Some(0));
            plan.unfinished(0, 7, 10, numbers()).unwrap();
        }
        // For another worker the root is split.
        for worker in [Some(8), None] {
            let leaf = plan.next(worker, 0, 0).unwrap().unwrap();
            assert_eq!(plan.tree.parent(leaf), Some(0), "{worker:?}");
        }
    }

    /// A leaf is split if it has taken enough nodes and other workers are idle.
    #[test]
    fn a_part_is_split_for_others() {
        let mut plan = plan(true, false);
        let next = |plan: &mut Plan, waiting| plan.next(Some(7), waiting, 25).unwrap().unwrap();
        for _ in 0..2 {
            assert_eq!(next(&mut plan, 1), 0);
            plan.unfinished(0, 7, 10, numbers()).unwrap();
        }
        assert_eq!(next(&mut plan, 1), 0, "20 nodes are too few");
        plan.unfinished(0, 7, 10, numbers()).unwrap();
        assert_eq!(next(&mut plan, 0), 0, "nobody waits");
        plan.unfinished(0, 7, 10, numbers()).unwrap();
        let leaf = next(&mut plan, 1);
        assert_eq!(plan.tree.parent(leaf), Some(0));
        plan.unfinished(leaf, 7, 30, numbers()).unwrap();
        assert_eq!(next(&mut plan, 4), leaf, "four other moves wait for four others");
        plan.unfinished(leaf, 7, 30, numbers()).unwrap();
        let below = next(&mut plan, 5);
        assert_eq!(plan.tree.parent(below), Some(leaf));
    }

    /// The moves' proof numbers may settle the split position, so that no job remains.
    #[test]
    fn a_split_may_be_the_end() {
        let mut plan = plan(true, false);
        assert_eq!(plan.next(Some(7), 0, 0).unwrap(), Some(0));
        let moves = plan.root.view().legal_moves.into_iter();
        let moves = moves.map(|mv| (mv, Some((IMPOSSIBLE, 0)))).collect();
        plan.unfinished(0, 7, 10, Some(NumbersAnswer { proof: 9, disproof: 1, moves })).unwrap();
        assert_eq!(plan.next(Some(8), 0, 0).unwrap(), None);
        assert_eq!(plan.tree.verdict(), Some(false));
    }

    /// Of the jobs with enough nodes, the one with the most work left is shared.
    #[test]
    fn the_largest_part_is_shared() {
        let mut plan = plan(true, false);
        plan.next(Some(0), 0, 0).unwrap();
        plan.unfinished(0, 0, 10, None).unwrap();
        let leaves = [1, 2, 3].map(|worker| plan.next(Some(worker), 0, 0).unwrap().unwrap());
        for (&leaf, size) in leaves.iter().zip([5, 9, 7]) {
            let numbers = NumbersAnswer { proof: size, disproof: 100, moves: Vec::new() };
            plan.unfinished(leaf, leaf, 10, Some(numbers)).unwrap();
        }
        let share = |nodes: [u64; 3]| plan.to_share(leaves.into_iter().zip(nodes), 30);
        assert_eq!(share([50, 50, 50]), Some(leaves[1]));
        assert_eq!(share([20, 19, 20]), Some(leaves[2]));
        assert_eq!(share([0, 0, 0]), None);
    }

    /// Mirror images share a node, unless a certificate is wanted, since that lists only one of
    /// them.
    #[test]
    fn mirror_images_are_twins_unless_there_is_to_be_a_certificate() {
        assert_eq!(jobs(true), 3);
        assert_eq!(jobs(false), 5);
    }
}
