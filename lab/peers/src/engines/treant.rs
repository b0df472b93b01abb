//! Adapter for `treant`: UCT on all threads, with its solver on.

use super::Claim;
use crate::position::{Player, Position, Rules};
use proofwood_measure::Clock;
use std::marker::PhantomData;
use std::time::Duration;
use treant::tree_policy::UCTPolicy;
use treant::{Evaluator, GameState, MCTS, MCTSManager, MoveEvaluation, ProvenValue, SearchHandle};

/// The weight of the exploration term. The library's formula doubles that term, so for values from
/// −1 to 1 this weight equals our default.
const EXPLORATION: f64 = std::f64::consts::FRAC_1_SQRT_2;

impl<G: Rules> GameState for Position<G> {
    type Move = G::Move;
    type Player = usize;
    type MoveList = Vec<G::Move>;

    fn current_player(&self) -> usize {
        self.next()
    }

    fn available_moves(&self) -> Vec<G::Move> {
        let mut moves = Vec::new();
        if !self.is_over() {
            self.moves(&mut moves);
        }
        moves
    }

    fn make_move(&mut self, mv: &G::Move) {
        self.play(*mv);
    }

    fn terminal_value(&self) -> Option<ProvenValue> {
        use crate::position::End;
        self.end().map(|end| match end {
            End::Won => ProvenValue::Win,
            End::Drawn => ProvenValue::Draw,
            End::Lost => ProvenValue::Loss,
        })
    }
}

struct Playouts;

impl<G: Rules> Evaluator<Spec<G>> for Playouts {
    /// The sign of player 0's payoff.
    type StateEvaluation = i64;

    fn evaluate_new_state(
        &self,
        state: &Position<G>,
        moves: &Vec<G::Move>,
        handle: Option<SearchHandle<Spec<G>>>,
    ) -> (Vec<MoveEvaluation<Spec<G>>>, i64) {
        // The library evaluates the root before it starts a thread.
        let value = handle.map_or(0, |handle| play_out(state, handle));
        (vec![(); moves.len()], value)
    }

    fn evaluate_existing_state(
        &self,
        state: &Position<G>,
        _: &i64,
        handle: SearchHandle<Spec<G>>,
    ) -> i64 {
        play_out(state, handle)
    }

    fn interpret_evaluation_for_player(&self, value: &i64, player: &usize) -> i64 {
        if *player == 0 { *value } else { -*value }
    }
}

fn play_out<G: Rules>(state: &Position<G>, mut handle: SearchHandle<Spec<G>>) -> i64 {
    i64::from(handle.thread_data().extra_data.play_out(state).signum())
}

struct Spec<G>(PhantomData<G>);

impl<G: Rules> MCTS for Spec<G> {
    type State = Position<G>;
    type Eval = Playouts;
    type TreePolicy = UCTPolicy;
    type NodeData = ();
    type TranspositionTable = ();
    type ExtraThreadData = Player<G::Move>;

    fn solver_enabled(&self) -> bool {
        true
    }

    fn rng_seed(&self) -> Option<u64> {
        Some(1)
    }
}

fn manager<G: Rules>(root: Position<G>) -> MCTSManager<Spec<G>> {
    MCTSManager::new(root, Spec(PhantomData), Playouts, UCTPolicy::new(EXPLORATION), ())
}

pub(super) fn search<G: Rules>(root: Position<G>, playouts: u64, threads: usize) {
    let mut manager = manager(root);
    match threads {
        1 => manager.playout_n(playouts),
        _ => manager.playout_n_parallel(playouts as u32, threads),
    }
}

/// Proves a position. The library does not end a search when the root is proven, so the result is
/// read after every few playouts.
pub(super) fn prove<G: Rules>(root: Position<G>, limit: Duration) -> Claim {
    const AT_ONCE: u64 = 100;
    let clock = Clock::start();
    let mut manager = manager(root);
    let mut playouts = 0;
    loop {
        let value = match manager.root_proven_value() {
            ProvenValue::Win => "win",
            ProvenValue::Loss => "loss",
            ProvenValue::Draw => "draw",
            ProvenValue::Unknown if clock.took().cpu < limit => {
                manager.playout_n(AT_ONCE);
                playouts += AT_ONCE;
                continue;
            }
            ProvenValue::Unknown => return Claim::of(None, playouts),
        };
        return Claim::of(Some(value), playouts);
    }
}

/// Chooses a move. The library has no limit on processor time, so the clock is read after every few
/// playouts.
pub(super) fn choose<G: Rules>(root: Position<G>, time: Duration) -> Option<G::Move> {
    const AT_ONCE: u64 = 16;
    let clock = Clock::start();
    let mut manager = manager(root);
    while manager.root_proven_value() == ProvenValue::Unknown && clock.took().cpu < time {
        manager.playout_n(AT_ONCE);
    }
    manager.best_move()
}
