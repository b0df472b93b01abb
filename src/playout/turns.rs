//! The background prover: one thread takes turns between playouts and proving.
//!
//! The prover uses [`Auto`] to find out whether the root is won and, if not, whether it is lost; or
//! to bound its score. It has its own table and does not change the tree. When an answer adds to
//! what the tree contains about the root's moves, all workers finish their playouts; the
//! coordinator, which then has the tree to itself, adds the answer to the root, and the workers
//! continue, unless the question is answered.
//!
//! An answer that relies on a repetition is discarded: nodes store no results that hold only
//! because play may repeat.

use super::background::{BackgroundProver, Proven};
use super::rollout::LeafEvaluation;
use super::shared::SharedSearch;
use super::visit::read_payoffs;
use super::worker::Worker;
use crate::bounds::Interval;
use crate::error::SearchError;
use crate::game::{Game, MAX_PLAYERS, Turn};
use crate::prove::{Auto, Prover, QuestionPlan, Run, Setting, Spent};
use crate::rules::{
    Declared, canonical_root_key, check_chance, check_mobility, check_mover, root_key,
};
use crate::threads::{Control, WhenFull};
use crate::tree::ROOT;
use std::sync::OnceLock;

/// The number of nodes that the prover creates in one turn.
const NODES: u64 = 256;
/// The number of playout moves that take as long as one of the prover's nodes.
const MOVES_OF_A_NODE: f64 = 2.0;

impl<G: Game, L: LeafEvaluation<G>> Worker<'_, G, L> {
    /// Alternates between playouts and proving. When a proof adds to the tree's results, asks all
    /// workers to pause and returns the proof. Returns `None` if the search must end or pause, or
    /// if the prover has no further question.
    pub(super) fn prove_in_background(
        &mut self,
        background: &BackgroundProver,
    ) -> Result<Option<Proven<G::Move>>, SearchError> {
        let shared = self.shared;
        let Turn::Player(mover) = shared.root_turn else { return Ok(None) };
        if !shared.tree.node(ROOT).load().is_expanded() {
            // There was no room for the root's children, which would store an answer.
            return Ok(None);
        }
        if shared.game.key(&shared.root).is_none() {
            // Keys that are derived from the moves played are not valid below another root.
            return Ok(None);
        }
        let threads = shared.config.threads as u64;
        let visits = shared.tree.node(ROOT).statistics().visits;
        let made = visits.saturating_sub(self.limits.visits_before);
        // The other threads also make playouts.
        if !self.play_out(background.after.saturating_sub(made) / threads)? {
            return Ok(None);
        }
        let declared = Declared::from(&*shared.game, &shared.root)?;
        let logic = &shared.tree.logic;
        let known = logic.payoffs(&shared.tree.facts(ROOT));
        let of_mover = |payoffs: Interval| if mover == 0 { payoffs } else { payoffs.reversed() };
        let goal = logic.goal.into();
        let mut plan = QuestionPlan::new(&declared, mover, goal, of_mover(known));
        let share = (background.share * threads as f64).min(1.0);
        let prospects = OnceLock::new();
        while let Some(question) = plan.next() {
            let (root, config) = (&shared.root, &background.config);
            let root_key = match config.symmetries && declared.symmetric {
                false => root_key(&*shared.game, root),
                true => canonical_root_key(&*shared.game, root),
            };
            let setting = Setting {
                game: &*shared.game,
                root,
                root_key,
                config,
                declared: &declared,
                audited: shared.audited.as_ref(),
                question,
                bytes: 0,
            };
            let auto = Auto::new(setting, &background.table, &prospects);
            if !self.take_turns(&auto, share)? {
                return Ok(None);
            }
            let Some(verdict) = auto.verdict() else { return Ok(None) };
            plan.learn(question, verdict);
            let Some(bounds) = auto.bounds() else { continue };
            plan.tighten(question.player, bounds);
            let payoffs = if question.player == 0 { bounds } else { bounds.reversed() };
            let best = auto.best_move();
            let (own, before) = (of_mover(payoffs), of_mover(known));
            if own.upper < before.upper || best.is_some() && own.lower > before.lower {
                shared.control.pause();
                return Ok(Some(Proven { payoffs, best }));
            }
        }
        Ok(None)
    }

    /// Alternates between playouts and proving until the question is answered. Returns whether it is
    /// solved; otherwise the search must end or pause.
    fn take_turns(&mut self, auto: &Auto<'_, G>, share: f64) -> Result<bool, SearchError> {
        // The prover has its own flags, since those of the search apply to the playouts.
        let (control, spent) = (Control::new(), Spent::default());
        control.reset(1, None, WhenFull::Freeze);
        let deadline = self.limits.deadline;
        let run = Run::new(&control, &spent, deadline, 1);
        let prospects = auto.prospects(&run)?;
        let worth = (prospects.moves() / MOVES_OF_A_NODE).max(1.0);
        let (mut turns, mut meter) = (auto.turns(0, &prospects), run.meter());
        let mut playouts = 0;
        while !turns.go_on(&mut meter, &run, NODES)? {
            let due = (meter.nodes() as f64 * (1.0 - share) / (share * worth)) as u64;
            if !self.play_out(due - playouts)? {
                return Ok(false);
            }
            playouts = due;
        }
        Ok(true)
    }
}

impl<G: Game, L> SharedSearch<G, L> {
    /// Imports a prover's result, with exclusive access to the tree.
    ///
    /// # Errors
    /// Fails if the game panics or breaks its contract.
    pub(crate) fn learn(&mut self, proven: Proven<G::Move>) -> Result<(), SearchError> {
        self.evaluate_moves()?;
        let root = self.tree.node(ROOT).load();
        let number = |mv| (0..root.num_children()).find(|&n| self.tree.child_move(root, n) == mv);
        let best = proven.best.and_then(number);
        self.tree.import_proof(proven.payoffs, best);
        Ok(())
    }

    /// Evaluates the unvisited children of the root. Changes the tree only after all calls of the
    /// rules; if one of them panics, the claims on the children are released.
    fn evaluate_moves(&self) -> Result<(), SearchError> {
        let (tree, game) = (&self.tree, &*self.game);
        let root = tree.node(ROOT).load();
        let (mut moves, mut over, mut open) = (Vec::new(), Vec::new(), Vec::new());
        for number in 0..root.num_children() {
            let (child, mv) = tree.child(root, number);
            let Some(claim) = tree.claim_evaluation(child) else { continue };
            let state = game.after(&self.root, mv);
            let index = root.first_child() + number as u32;
            let mover = match game.turn(&state) {
                Turn::Over => {
                    let mut payoffs = [0; MAX_PLAYERS];
                    read_payoffs(game, tree, &state, &mut payoffs[..tree.logic.players])?;
                    over.push((claim, index, payoffs));
                    continue;
                }
                Turn::Player(mover) => check_mover(mover, tree.logic.players)?,
                Turn::Chance => check_chance(game)?,
            };
            moves.clear();
            let mobility = game.mobility(&state, &mut moves);
            check_mobility(mobility)?;
            open.push((claim, index, mover, mobility));
        }
        for (claim, index, payoffs) in over {
            tree.set_terminal(claim, index, &payoffs[..tree.logic.players]);
        }
        for (claim, index, mover, mobility) in open {
            tree.set_leaf(claim, index, mover, mobility);
        }
        Ok(())
    }
}
