//! One thread's work: playout after playout.
//!
//! A playout goes down the tree by UCT-PN, ends at a leaf, a finished game or
//! a node whose worth is known, values it, and adds the value on the way back.
//! A node is evaluated on its first visit and expanded on its second; whatever
//! that changes climbs at once, before the playout that found it goes on.
//! Nothing here locks, allocates (after warm-up) or waits for another thread.

use crate::control::Control;
use crate::evaluate::{Context, Evaluator, Utility};
use crate::game::{Game, MAX_PLAYERS, Turn};
use crate::select::{Here, Scratch, Selection};
use crate::settled::SettledTable;
use crate::sync::{Fault, Ordering, broken};
use crate::tree::{
    Claim, End, EndedChild, Full, MAX_CHILDREN, ROOT, Settled, Sides, Slab, Stage, Stakes, Tree,
    VALUE_ONE, Word,
};
use crate::{Config, Goal, Outcome, Rng, SearchError, StopReason};
use std::time::Instant;

/// What all workers of a search share.
pub(crate) struct Shared<G: Game, E> {
    pub(crate) game: G,
    pub(crate) root: G::State,
    pub(crate) root_turn: Turn,
    pub(crate) tree: Tree<G::Move>,
    pub(crate) settled: Option<SettledTable>,
    pub(crate) evaluator: E,
    pub(crate) utility: Utility,
    pub(crate) selection: Selection,
    pub(crate) config: Config,
    pub(crate) control: Control,
}

impl<G: Game, E> Shared<G, E> {
    /// The position's key in the table of settled positions; 0 without one.
    #[inline]
    fn key(&self, state: &G::State) -> u64 {
        if self.settled.is_some() { self.game.hash(state).unwrap_or(0) } else { 0 }
    }

    /// The answer for a position that was settled before.
    #[inline]
    fn recall(&self, key: u64) -> Option<Settled> {
        self.settled.as_ref()?.get(key)
    }

    /// Bytes of the budget that are left for nodes.
    pub(crate) fn tree_memory(&self) -> u64 {
        self.config.memory - self.settled.as_ref().map_or(0, SettledTable::bytes)
    }

    /// The player whose values the root's statistics hold.
    pub(crate) fn root_player(&self) -> usize {
        match self.root_turn {
            Turn::Player(player) => player,
            _ => 0,
        }
    }

    /// Whether the question is settled at the root.
    pub(crate) fn is_settled(&self) -> bool {
        let logic = &self.tree.logic;
        let root = self.tree.arena.single(ROOT);
        logic.prunes() && logic.stakes_at(self.root_player(), root, 0).are_settled()
    }
}

/// A node on a playout's way and the player who chose it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    index: u32,
    chosen_by: u32,
    key: u64,
}

/// The buffers and counters of one thread.
pub(crate) struct Worker<'s, G: Game, E> {
    shared: &'s Shared<G, E>,
    rng: Rng,
    slab: Slab,
    path: Vec<Step>,
    moves: Vec<G::Move>,
    ended: Vec<EndedChild>,
    playout_moves: Vec<G::Move>,
    scratch: Scratch,
    /// Alone in the tree, statistics need no locked instructions.
    alone: bool,
    deadline: Option<Instant>,
}

impl<G: Game, E> Drop for Worker<'_, G, E> {
    fn drop(&mut self) {
        // After a panic the slab's rest is nobody's.
        self.shared.tree.arena.give_back(&mut self.slab);
    }
}

/// How a playout ended.
enum Ending {
    /// The game is over or the node's worth is known.
    Known([f32; MAX_PLAYERS]),
    /// The position must be evaluated.
    Evaluate,
}

/// What a playout does at a node that had no children.
enum Arrival {
    /// It was expanded: go on from its new word.
    Goes(Word),
    /// The playout ends here.
    Ends(Ending),
}

impl<'s, G: Game, E: Evaluator<G>> Worker<'s, G, E> {
    pub(crate) fn new(
        shared: &'s Shared<G, E>,
        rng: Rng,
        slab: Slab,
        deadline: Option<Instant>,
    ) -> Worker<'s, G, E> {
        Worker {
            shared,
            deadline,
            rng,
            slab,
            path: Vec::with_capacity(256),
            moves: Vec::with_capacity(256),
            ended: Vec::with_capacity(16),
            playout_moves: Vec::with_capacity(256),
            scratch: Scratch::default(),
            alone: shared.config.threads == 1,
        }
    }

    /// Plays out until the search is to stop; gives its slab and generator back.
    pub(crate) fn run(mut self) -> Result<(Slab, Rng), SearchError> {
        /// Playouts between two looks at the clock.
        const PATIENCE: u32 = 16;
        let control = &self.shared.control;
        let (mut lease, mut until_look) = (0, 0);
        while !control.stopped() {
            // The coordinator keeps the time too, but with more threads than
            // cores it may have to wait for its turn; whoever runs can look.
            if until_look == 0 {
                if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                    control.stop(StopReason::Time);
                    break;
                }
                until_look = PATIENCE;
            }
            until_look -= 1;
            if lease == 0 {
                lease = control.lease(self.shared.config.threads);
                if lease == 0 {
                    break;
                }
            }
            if self.playout()? {
                lease -= 1;
            }
        }
        control.return_lease(lease);
        Ok((std::mem::take(&mut self.slab), self.rng.clone()))
    }

    /// One playout; answers whether it was counted.
    fn playout(&mut self) -> Result<bool, SearchError> {
        let shared = self.shared;
        let mut state = shared.root.clone();
        let mut values = [0.0; MAX_PLAYERS];
        let players = shared.tree.logic.players;
        let mut trail = Trail::new(&shared.tree, std::mem::take(&mut self.path), self.alone);
        trail.enter(ROOT, shared.root_player(), shared.key(&state));
        let counted = match self.descend(&mut trail, &mut state)? {
            Ending::Known(known) => {
                values = known;
                true
            }
            Ending::Evaluate => {
                self.playout_moves.clear();
                let mut context = Context {
                    game: &shared.game,
                    rng: &mut self.rng,
                    moves: &mut self.playout_moves,
                    utility: &shared.utility,
                    stop: shared.control.stop_flag(),
                };
                shared.evaluator.evaluate(&mut state, &mut context, &mut values[..players])
            }
        };
        if counted {
            trail.finish(&values);
        }
        self.path = trail.into_path();
        Ok(counted)
    }

    /// Goes down to where the playout ends. Evaluates and expands on the way
    /// and lets what changes climb.
    fn descend(
        &mut self,
        trail: &mut Trail<'s, G::Move>,
        state: &mut G::State,
    ) -> Result<Ending, SearchError> {
        let shared = self.shared;
        let tree = &shared.tree;
        let mut window = Stakes::ALL;
        loop {
            let Step { index, chosen_by, .. } = trail.last();
            let node = tree.node(index);
            let mut word = node.load();
            // Most nodes on the way are expanded.
            if word.stage() != Stage::Expanded {
                match self.arrive(word.stage(), trail, state)? {
                    Arrival::Goes(on) => word = on,
                    Arrival::Ends(ending) => return Ok(ending),
                }
            }
            if word.is_settled() && index != ROOT {
                return Ok(self.worth(index));
            }
            if word.may_skip() {
                window = tree.narrow(window, index);
            }
            let here = Here { tree, node, word, viewpoint: chosen_by as usize, window };
            let child = shared.selection.select(here, &mut self.scratch, &mut self.rng);
            shared.game.play(state, tree.arena.child_move(word, child));
            let key = shared.key(state);
            trail.enter(word.first_child() + child as u32, word.mover(), key);
        }
    }

    /// At a node without children: evaluates or expands it where that is due
    /// and no other thread is faster.
    fn arrive(
        &mut self,
        stage: Stage,
        trail: &Trail<'s, G::Move>,
        state: &G::State,
    ) -> Result<Arrival, SearchError> {
        let shared = self.shared;
        let tree = &shared.tree;
        let index = trail.last().index;
        let node = tree.node(index);
        let ending = match stage {
            Stage::New => match tree.claim_evaluation(node) {
                Some(claim) => self.evaluate(claim, trail, state)?,
                None => self.elsewhere(state)?,
            },
            Stage::Evaluating | Stage::Expanding => self.elsewhere(state)?,
            Stage::Terminal => Ending::Known(self.payoff_values(state)?),
            Stage::Known => self.worth(index),
            Stage::Expanded => return Ok(Arrival::Goes(node.load())),
            Stage::Leaf => {
                let due = node.statistics().visits >= shared.config.expand_after;
                let claim =
                    if due && !shared.control.frozen() { tree.claim_expansion(node) } else { None };
                if let Some(claim) = claim {
                    match self.expand(claim, trail, state)? {
                        Ok(word) => return Ok(Arrival::Goes(word)),
                        Err(Full) => shared.control.arena_full(),
                    }
                }
                Ending::Evaluate
            }
        };
        Ok(Arrival::Ends(ending))
    }

    /// Where another thread holds the claim: this playout ends here too.
    fn elsewhere(&self, state: &G::State) -> Result<Ending, SearchError> {
        match self.shared.game.turn(state) {
            Turn::Over => Ok(Ending::Known(self.payoff_values(state)?)),
            _ => Ok(Ending::Evaluate),
        }
    }

    /// The first visit to a node.
    fn evaluate(
        &mut self,
        claim: Claim<'_>,
        trail: &Trail<'s, G::Move>,
        state: &G::State,
    ) -> Result<Ending, SearchError> {
        let (game, tree) = (&self.shared.game, &self.shared.tree);
        let index = trail.last().index;
        match game.turn(state) {
            Turn::Over => {
                let mut payoffs = [0; MAX_PLAYERS];
                let payoffs = &mut payoffs[..tree.logic.players];
                read_payoffs(game, tree, state, payoffs)?;
                if tree.set_terminal(claim, index, payoffs) {
                    self.climb(trail);
                }
                Ok(Ending::Known(self.values_of(payoffs)))
            }
            Turn::Player(mover) => {
                check_mover(mover, tree.logic.players)?;
                if let Some(answer) = self.shared.recall(trail.last().key) {
                    tree.set_known(claim, index, mover, answer);
                    self.climb(trail);
                    return Ok(self.worth(index));
                }
                let mut mobility = 1;
                if tree.logic.mobility && tree.logic.proof_numbers {
                    self.moves.clear();
                    mobility = game.mobility(state, &mut self.moves);
                    check_mobility(mobility)?;
                }
                if tree.set_leaf(claim, index, mover, mobility) {
                    self.climb(trail);
                }
                Ok(Ending::Evaluate)
            }
            Turn::Chance => Err(no_chance()),
        }
    }

    /// The second visit: makes the children.
    fn expand(
        &mut self,
        claim: Claim<'_>,
        trail: &Trail<'s, G::Move>,
        state: &G::State,
    ) -> Result<Result<Word, Full>, SearchError> {
        let shared = self.shared;
        list_children(shared, state, &mut self.moves, &mut self.ended)?;
        let made = shared.tree.expand(claim, &mut self.slab, &self.moves, &self.ended);
        if made.is_ok() && !self.drops_duties() {
            let change = shared.tree.finish_expansion(trail.last().index);
            if change.settled {
                self.remember(&trail.last());
            }
            if change.any {
                self.climb(trail);
            }
        }
        Ok(made)
    }

    /// Carries a change at the end of the trail to the root and stops the
    /// search when that settled the question.
    fn climb(&self, trail: &Trail<'s, G::Move>) {
        let shared = self.shared;
        if self.drops_duties() {
            return;
        }
        let path = &trail.path;
        let ancestor = |depth: usize| path[depth].index;
        let settled = |depth: usize| self.remember(&path[depth]);
        let root_changed = shared.tree.climb(path.len() - 1, ancestor, settled);
        if root_changed && shared.is_settled() {
            shared.control.stop(StopReason::Settled);
        }
        if shared.tree.has_contradiction() {
            shared.control.stop(StopReason::Stopped);
        }
    }

    /// Keeps the answer at a node that was just settled for other nodes with
    /// the same position.
    fn remember(&self, step: &Step) {
        let Some(table) = &self.shared.settled else { return };
        if let Some(answer) = self.shared.tree.settled(step.index) {
            table.put(step.key, answer);
        }
    }

    /// Whether what this thread changed is left for nobody to tell because the
    /// search is to stop: never, which a loom model checks.
    #[inline(always)]
    fn drops_duties(&self) -> bool {
        broken(Fault::StopDropsOwnership) && self.shared.control.stopped()
    }

    /// What a settled node is worth. Against a coalition only guarantees are
    /// known, so there the position is evaluated instead.
    fn worth(&self, index: u32) -> Ending {
        let tree = &self.shared.tree;
        let logic = &tree.logic;
        let two_sided = logic.zero_sum || logic.players == 1;
        let mut values = [0.0; MAX_PLAYERS];
        if logic.goal == Goal::Win && two_sided && matches!(logic.sides, Sides::Versus(_)) {
            let outcome = tree.prospect(index, 0).worst;
            values[0] = self.shared.utility.of_outcome(outcome);
            values[1] = self.shared.utility.of_outcome(outcome.reversed());
            return Ending::Known(values);
        }
        if !two_sided && !tree.node(index).load().is_exact() {
            return Ending::Evaluate;
        }
        let mut payoffs = [0; MAX_PLAYERS];
        for (player, payoff) in payoffs[..logic.players].iter_mut().enumerate() {
            *payoff = tree.interval(index, player).lower;
        }
        Ending::Known(self.values_of(&payoffs[..logic.players]))
    }

    fn payoff_values(&self, state: &G::State) -> Result<[f32; MAX_PLAYERS], SearchError> {
        let mut payoffs = [0; MAX_PLAYERS];
        let payoffs = &mut payoffs[..self.shared.tree.logic.players];
        read_payoffs(&self.shared.game, &self.shared.tree, state, payoffs)?;
        Ok(self.values_of(payoffs))
    }

    fn values_of(&self, payoffs: &[i32]) -> [f32; MAX_PLAYERS] {
        let mut values = [0.0; MAX_PLAYERS];
        for (player, &payoff) in payoffs.iter().enumerate() {
            values[player] = self.shared.utility.of(player, payoff);
        }
        values
    }
}

/// Lists the moves of a position and, with look-ahead, those that end the
/// game. All user code of an expansion runs here, before the tree is changed.
pub(crate) fn list_children<G: Game, E>(
    shared: &Shared<G, E>,
    state: &G::State,
    moves: &mut Vec<G::Move>,
    ended: &mut Vec<EndedChild>,
) -> Result<(), SearchError> {
    let (game, tree) = (&shared.game, &shared.tree);
    moves.clear();
    ended.clear();
    game.legal_moves(state, moves);
    check_mobility(moves.len())?;
    if !shared.config.look_ahead {
        return Ok(());
    }
    for (number, &mv) in moves.iter().enumerate() {
        let next = game.after(state, mv);
        match game.turn(&next) {
            Turn::Over => {
                let mut payoffs = [0; MAX_PLAYERS];
                read_payoffs(game, tree, &next, &mut payoffs[..tree.logic.players])?;
                ended.push(EndedChild { number, end: End::Over(payoffs) });
            }
            Turn::Player(mover) => {
                check_mover(mover, tree.logic.players)?;
                if let Some(answer) = shared.recall(shared.key(&next)) {
                    ended.push(EndedChild { number, end: End::Settled { mover, answer } });
                }
            }
            Turn::Chance => return Err(no_chance()),
        }
    }
    Ok(())
}

/// Reads the payoffs of a finished game and holds them to the contract.
pub(crate) fn read_payoffs<G: Game>(
    game: &G,
    tree: &Tree<G::Move>,
    state: &G::State,
    payoffs: &mut [i32],
) -> Result<(), SearchError> {
    for (player, payoff) in payoffs.iter_mut().enumerate() {
        *payoff = game.payoff(state, player);
        let range = game.payoff_range(player);
        if !range.contains(payoff) {
            return Err(SearchError::Game(format!(
                "player {player} is paid {payoff}, outside of the range {} to {}",
                range.start(),
                range.end()
            )));
        }
        if cfg!(debug_assertions) {
            check_outcome(game, tree, player, *payoff)?;
        }
    }
    if tree.logic.zero_sum && payoffs[1] != payoffs[0].saturating_neg() {
        return Err(SearchError::Game(format!(
            "it declares zero sum, but pays {} and {}",
            payoffs[0], payoffs[1]
        )));
    }
    Ok(())
}

/// The outcome must be the one that the thresholds say, which were found on
/// the assumption that outcomes do not fall when payoffs rise.
fn check_outcome<G: Game>(
    game: &G,
    tree: &Tree<G::Move>,
    player: usize,
    payoff: i32,
) -> Result<(), SearchError> {
    let outcome = game.outcome(player, payoff);
    let threshold = tree.logic.thresholds[player].outcome(payoff);
    let mirrored = !tree.logic.zero_sum
        || game.outcome(1 - player, payoff.saturating_neg()) == Outcome::reversed(outcome);
    if outcome != threshold || !mirrored {
        return Err(SearchError::Game(format!(
            "the outcome {outcome:?} of the payoff {payoff} for player {player} contradicts the \
             outcomes of other payoffs"
        )));
    }
    Ok(())
}

fn check_mover(mover: usize, players: usize) -> Result<(), SearchError> {
    if mover < players {
        return Ok(());
    }
    Err(SearchError::Game(format!("player {mover} is to move in a game of {players} players")))
}

fn check_mobility(moves: usize) -> Result<(), SearchError> {
    match moves {
        0 => Err(SearchError::Game("a position that is not over has no legal move".into())),
        1..=MAX_CHILDREN => Ok(()),
        _ => Err(SearchError::Game(format!("{moves} legal moves are more than {MAX_CHILDREN}"))),
    }
}

pub(crate) fn no_chance() -> SearchError {
    SearchError::Game("chance nodes cannot be searched yet".into())
}

/// The nodes of a playout under way, counted as in flight in the tree until
/// the playout is finished, given up or lost to a panic.
pub(crate) struct Trail<'t, M: Copy> {
    tree: &'t Tree<M>,
    path: Vec<Step>,
    /// The steps are counted as in flight.
    open: bool,
    alone: bool,
}

impl<'t, M: Copy> Trail<'t, M> {
    pub(crate) fn new(tree: &'t Tree<M>, mut path: Vec<Step>, alone: bool) -> Trail<'t, M> {
        path.clear();
        Trail { tree, path, open: true, alone }
    }

    #[inline]
    pub(crate) fn enter(&mut self, index: u32, chosen_by: usize, key: u64) {
        if !self.alone {
            self.tree.node(index).enter();
        }
        self.path.push(Step { index, chosen_by: chosen_by as u32, key });
    }

    #[inline]
    fn last(&self) -> Step {
        self.path[self.path.len() - 1]
    }

    /// Adds the playout's values to every node on the way.
    #[inline]
    pub(crate) fn finish(&mut self, values: &[f32; MAX_PLAYERS]) {
        self.open = false;
        let values = values.map(|value| (value * VALUE_ONE as f32) as i64);
        for step in &self.path {
            let node = self.tree.node(step.index);
            if self.alone {
                node.finish_alone(values[step.chosen_by as usize]);
            } else {
                node.finish(values[step.chosen_by as usize]);
            }
        }
        if let Some(count) = self.tree.arena.single(self.last().index).evaluations().first() {
            // Relaxed: read by the audit after all workers have been joined.
            count.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Gives the buffer back for the next playout.
    fn into_path(mut self) -> Vec<Step> {
        self.take_back();
        std::mem::take(&mut self.path)
    }

    fn take_back(&mut self) {
        if self.open && !self.alone && !broken(Fault::ForgottenGuard) {
            for step in &self.path {
                self.tree.node(step.index).leave();
            }
        }
        self.open = false;
    }
}

impl<M: Copy> Drop for Trail<'_, M> {
    fn drop(&mut self) {
        self.take_back();
    }
}
