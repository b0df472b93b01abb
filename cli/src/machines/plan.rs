//! Which positions of a proof are jobs, and what their answers do to the tree.
//!
//! It knows the rules and the [`Tree`], and nothing of who does the jobs.

use super::tree::{NewChild, Tree, Verdict};
use crate::exit::Failure;
use proofwood::{CheckpointError, ProverConfig, Turn};
use proofwood_any_game::{NumbersAnswer, Position, Proving};
use std::collections::HashMap;

/// Of a prover's numbers: it is impossible.
const IMPOSSIBLE: u32 = (1 << 26) - 1;

/// The number of what a job says is settled, where that is not believed.
const UNLIKELY: u64 = 1_000_000;

/// Of so many leaves that are worth most a worker gets one that it knows.
const CHOICE: usize = 8;

/// A position's key, or the number of a node where nothing tells positions apart.
type Place = (Option<u64>, usize);

/// What came of jobs without an answer.
struct Part {
    /// Who did the last one.
    doer: usize,
    jobs: u64,
    /// What the last one has come to.
    numbers: Option<NumbersAnswer>,
}

/// A proof in the making.
pub(super) struct Plan {
    root: Box<dyn Position>,
    /// The player who is to win.
    player: usize,
    /// The least payoff that is a win.
    threshold: i32,
    /// What tells positions apart as the workers' provers do; none where nothing does.
    probe: Option<Box<dyn Proving>>,
    /// What a job says of the moves at its root is believed.
    believes: bool,
    pub(super) tree: Tree,
    /// What came of jobs without an answer, by where they were.
    parts: HashMap<Place, Part>,
    /// A leaf is settled because its position was on the way: no part shows that.
    pub(super) repeats: bool,
}

impl Plan {
    /// A proof of whether a player wins from a position whose game is not over.
    pub(super) fn new(
        game: &str,
        root: Box<dyn Position>,
        (player, threshold): (usize, i32),
        config: &ProverConfig,
        believes: bool,
    ) -> Result<Plan, Failure> {
        // What is shown of a position is no certificate for its mirror image.
        let symmetries = config.symmetries && believes;
        let probe = config.clone().threads(1).table(1 << 20).symmetries(symmetries);
        let mut probe = root.prove(&probe)?;
        let probe = match probe.share(game, None) {
            Ok(_) => Some(probe),
            Err(CheckpointError::Unidentified) => None,
            Err(error) => return Err(Failure::Failed(error.to_string())),
        };
        let key = probe.as_ref().and_then(|probe| probe.key_of(&*root));
        let claims = root.turn() == Turn::Player(player);
        let (tree, parts) = (Tree::new(claims, key), HashMap::new());
        Ok(Plan { root, player, threshold, probe, believes, tree, parts, repeats: false })
    }

    fn place(&self, node: usize) -> Place {
        match self.tree.key(node) {
            Some(key) => (Some(key), 0),
            None => (None, node),
        }
    }

    /// Jobs that a leaf has had.
    pub(super) fn jobs_at(&self, leaf: usize) -> u64 {
        self.parts.get(&self.place(leaf)).map_or(0, |part| part.jobs)
    }

    /// The next leaf for a job of this worker, which then has one; none where all have.
    ///
    /// A leaf that was kept for who worked `alone` is split where another worker comes.
    pub(super) fn next(
        &mut self,
        worker: Option<usize>,
        alone: bool,
    ) -> Result<Option<usize>, Failure> {
        loop {
            let Some(leaf) = self.best(worker) else { return Ok(None) };
            let Some(part) = self.parts.get(&self.place(leaf)) else { return Ok(Some(leaf)) };
            if alone && worker == Some(part.doer) && part.numbers.is_some() {
                return Ok(Some(leaf));
            }
            let numbers = part.numbers.clone();
            self.tree.call_off(leaf);
            self.expand(leaf, numbers.as_ref())?;
        }
    }

    /// The best leaf for a worker, which then has a job. Of those that are worth most it is one
    /// at or below the jobs that this worker has done, or else below nobody's: what was found out
    /// there is in its table and in hardly any other.
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

    /// Who did the last job at a leaf or above it.
    fn who_knows(&self, leaf: usize) -> Option<usize> {
        let mut above = std::iter::successors(Some(leaf), |&node| self.tree.parent(node));
        above.find_map(|node| self.parts.get(&self.place(node)).map(|part| part.doer))
    }

    /// The position of a node.
    pub(super) fn position(&self, node: usize) -> Result<Box<dyn Position>, Failure> {
        let mut position = self.root.copy();
        for mv in self.tree.moves(node) {
            position.play(mv).map_err(|error| Failure::Failed(error.to_string()))?;
        }
        Ok(position)
    }

    /// A worker's job has ended without an answer: the leaf gets the numbers that it has come to,
    /// and is split into its moves. It is kept for who works `alone`: a depth-first prover finds
    /// its way below a position better than this tree does, which is there to part workers.
    pub(super) fn unfinished(
        &mut self,
        leaf: usize,
        doer: usize,
        numbers: Option<NumbersAnswer>,
        alone: bool,
    ) -> Result<(), Failure> {
        self.tree.unfinished(leaf, numbers.as_ref().map(|n| (n.proof.into(), n.disproof.into())));
        let (place, jobs) = (self.place(leaf), self.jobs_at(leaf) + 1);
        // No worker keeps anything of positions that nothing tells apart.
        let is_kept = alone && numbers.is_some() && self.probe.is_some();
        if !is_kept {
            self.expand(leaf, numbers.as_ref())?;
        }
        self.parts.insert(place, Part { doer, jobs, numbers });
        Ok(())
    }

    /// Gives a leaf its children.
    fn expand(&mut self, leaf: usize, numbers: Option<&NumbersAnswer>) -> Result<(), Failure> {
        let moves: Vec<String> = self.tree.moves(leaf).into_iter().map(String::from).collect();
        let mut position = self.root.copy();
        let mut way = vec![self.key(&*position)];
        for mv in &moves {
            position.play(mv).map_err(|error| Failure::Failed(error.to_string()))?;
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
            let what = "the game is not over, and there is no move";
            return Err(Failure::Failed(format!("{}: {what}", position.text())));
        }
        self.tree.expand(leaf, children);
        Ok(())
    }

    /// A child of a position to which a way leads; of which numbers may be `known`.
    fn child(
        &mut self,
        position: &dyn Position,
        mv: String,
        way: &[Option<u64>],
        known: Option<(u32, u32)>,
    ) -> Result<NewChild, Failure> {
        let mut after = position.copy();
        after.play(&mv).map_err(|error| Failure::Failed(error.to_string()))?;
        let view = after.view();
        let claims = view.to_move == Some(self.player);
        let moves = view.legal_moves.len() as u64;
        // One move is enough for who is to move, and all must be answered.
        let guess = if claims { (1, moves.max(1)) } else { (moves.max(1), 1) };
        let mut child =
            NewChild { mv, claims, key: None, verdict: None, on_this_way: false, numbers: guess };
        if let Some(payoffs) = &view.payoffs {
            child.verdict = Some(payoffs[self.player] >= self.threshold);
            return Ok(child);
        }
        child.key = self.key(&*after);
        if child.key.is_some() && way.contains(&child.key) {
            // A repetition secures nothing.
            (child.verdict, child.on_this_way) = (Some(false), true);
            self.repeats = true;
            return Ok(child);
        }
        match known {
            Some((0, _) | (IMPOSSIBLE, 0)) if self.believes => {
                let verdict = known.is_some_and(|(proof, _)| proof == 0);
                // A disproof may rest on the repetition of the position before.
                (child.verdict, child.on_this_way) = (Some(verdict), !verdict);
            }
            Some((0, _)) => child.numbers = (1, UNLIKELY),
            Some((_, 0)) => child.numbers = (UNLIKELY, 1),
            Some((proof, disproof)) => child.numbers = (proof.into(), disproof.into()),
            None => {}
        }
        Ok(child)
    }

    /// What tells a position from others.
    fn key(&self, position: &dyn Position) -> Option<u64> {
        self.probe.as_ref().and_then(|probe| probe.key_of(position))
    }

    /// The answer of a settled leaf.
    pub(super) fn settle(&mut self, leaf: usize, verdict: Verdict) {
        self.tree.settle(leaf, verdict);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::positions::find_game;

    fn plan(believes: bool, symmetries: bool) -> Plan {
        let (game, rules) = find_game("connect-four:5x4").unwrap();
        let config = ProverConfig::default().symmetries(symmetries);
        Plan::new(&game, rules.start(), (0, 1), &config, believes).unwrap()
    }

    /// What a job says that has found out nothing about the moves after a position.
    fn numbers() -> Option<NumbersAnswer> {
        Some(NumbersAnswer { proof: 1, disproof: 1, moves: Vec::new() })
    }

    /// Jobs after the first move, on a board that is its own mirror image.
    fn jobs(believes: bool) -> usize {
        let mut plan = plan(believes, true);
        assert_eq!(plan.next(None, false).unwrap(), Some(0));
        plan.unfinished(0, 0, None, false).unwrap();
        std::iter::from_fn(|| plan.next(None, false).unwrap()).count()
    }

    /// Who comes back goes on below where it was, others go where nobody has been, and each leaf
    /// has one job.
    #[test]
    fn a_worker_stays_where_it_was() {
        let mut plan = plan(true, false);
        let next = |plan: &mut Plan, worker| plan.next(Some(worker), false).unwrap();
        assert_eq!(next(&mut plan, 7), Some(0));
        plan.unfinished(0, 7, numbers(), false).unwrap();
        // At once, so that whatever the split settles is settled before the next job is chosen.
        assert!(!plan.tree.is_leaf(0));
        let first: Vec<_> = [7, 8, 9].map(|worker| next(&mut plan, worker).unwrap()).into();
        for (&leaf, worker) in first.iter().zip([7, 8, 9]) {
            plan.unfinished(leaf, worker, None, false).unwrap();
        }
        for (&leaf, worker) in first.iter().zip([7, 8, 9]).rev() {
            let next = next(&mut plan, worker).unwrap();
            assert_eq!(plan.tree.parent(next), Some(leaf), "{worker}");
        }
        let left: Vec<_> = std::iter::from_fn(|| next(&mut plan, 7)).collect();
        let distinct: std::collections::HashSet<_> = left.iter().chain(&first).collect();
        assert_eq!(distinct.len(), left.len() + first.len());
        assert!(left.len() > 8, "{left:?}");
    }

    /// A worker alone goes on at the root. It is split where another one comes instead of it, and
    /// where one comes as well.
    #[test]
    fn a_worker_alone_stays_at_the_root() {
        let begin = || {
            let mut plan = plan(true, false);
            for jobs in 0..3 {
                assert_eq!(plan.jobs_at(0), jobs);
                assert_eq!(plan.next(Some(7), true).unwrap(), Some(0));
                plan.unfinished(0, 7, numbers(), true).unwrap();
            }
            plan
        };
        for (worker, alone) in [(Some(7), false), (Some(8), true), (None, true)] {
            let mut plan = begin();
            let leaf = plan.next(worker, alone).unwrap().unwrap();
            assert_eq!(plan.tree.parent(leaf), Some(0), "{worker:?} {alone}");
        }
    }

    /// A mirror image is proven with its twin, but a certificate has the moves of one of them.
    #[test]
    fn mirror_images_are_twins_unless_there_is_to_be_a_certificate() {
        assert_eq!(jobs(true), 3);
        assert_eq!(jobs(false), 5);
    }
}
