//! Adapter for the Monte Carlo tree search of `minimax`, whose solver is always on.

use super::{Chooser, Claim, Proof};
use crate::position::{End, PerThread, Position, Rules};
use minimax::{Game, MCTSOptions, MonteCarloTreeSearch, RolloutPolicy, Strategy, Winner};
use proofwood::{Budget, Config, Search, Value};
use proofwood_measure::Clock;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The rules of the game. They have no data of their own, because each position refers to its
/// rules.
pub(super) struct Ruled<G>(PhantomData<G>);

/// The number of moves played at the root. Only the search plays moves there, one for each playout,
/// until the root is proven.
static FROM_ROOT: AtomicU64 = AtomicU64::new(0);

impl<G: Rules> Game for Ruled<G> {
    type S = Position<G>;
    type M = G::Move;

    fn generate_moves(state: &Position<G>, moves: &mut Vec<G::Move>) -> Option<Winner> {
        let winner = Self::get_winner(state);
        if winner.is_none() {
            state.moves(moves);
        }
        winner
    }

    fn apply(state: &mut Position<G>, mv: G::Move) -> Option<Position<G>> {
        if state.ply == 0 {
            FROM_ROOT.fetch_add(1, Ordering::Relaxed);
        }
        let mut next = *state;
        next.play(mv);
        Some(next)
    }

    fn get_winner(state: &Position<G>) -> Option<Winner> {
        state.end().map(|end| match end {
            End::Won => Winner::PlayerToMove,
            End::Drawn => Winner::Draw,
            End::Lost => Winner::PlayerJustMoved,
        })
    }

    fn zobrist_hash(state: &Position<G>) -> u64 {
        state.game.key(&state.state).unwrap_or(0)
    }
}

/// An evaluator that makes our playouts. The library's own evaluator would list the moves of every
/// position and seed a generator for every playout.
struct Playouts<G>(PhantomData<G>);

impl<G: Rules<Move: PerThread>> RolloutPolicy for Playouts<G> {
    type G = Ruled<G>;

    fn random_move(
        &self,
        state: &mut Position<G>,
        _: &mut Vec<G::Move>,
        _: &mut rand::rngs::SmallRng,
    ) -> Result<G::Move, Winner> {
        unreachable!("{state:?}: playouts are made below")
    }

    /// Returns the result of a playout from the point of view of the player who has just moved. If
    /// the game is over, returns a proven value, as the overridden method does.
    fn rollout(&self, _: &MCTSOptions, state: &Position<G>) -> i32 {
        match state.end() {
            Some(End::Lost) => i32::MAX,
            Some(End::Won) => -i32::MAX,
            Some(End::Drawn) => 0,
            None => {
                let value = G::Move::with_player(|player| player.play_out(state)).signum();
                if state.next() == 0 { -value } else { value }
            }
        }
    }
}

fn strategy<G: Rules<Move: PerThread>>(threads: usize) -> MonteCarloTreeSearch<Ruled<G>> {
    let options = MCTSOptions::default().with_num_threads(threads);
    MonteCarloTreeSearch::new_with_policy(options, Box::new(Playouts(PhantomData)))
}

pub(super) fn search<G: Rules<Move: PerThread>>(root: Position<G>, playouts: u64, threads: usize) {
    let mut strategy = strategy(threads);
    strategy.set_max_rollouts(playouts as u32);
    strategy.choose_move(&root);
}

/// Makes a [`Chooser`]. The library measures wall time, which on one thread is at least the
/// processor time.
pub(super) fn chooser<G: Rules<Move: PerThread>>(time: Duration) -> Box<dyn Chooser<G>> {
    let mut strategy = strategy(1);
    strategy.set_timeout(time);
    Box::new(move |root: Position<G>| strategy.choose_move(&root))
}

/// Proves a position. The library neither stops at a proven root nor reports a proof, but once the
/// root is proven, its playouts play no moves and take almost no time. Therefore the search is
/// repeated with twice as many playouts until some of them play no move. The time is that of the
/// last search only.
pub(super) fn prove<G: Rules<Move: PerThread>>(root: Position<G>, limit: Duration) -> Proof {
    let mut playouts = 64u64;
    loop {
        let mut strategy = strategy(1);
        strategy.set_max_rollouts(u32::try_from(playouts).unwrap_or(u32::MAX));
        FROM_ROOT.store(0, Ordering::Relaxed);
        let clock = Clock::start();
        let mv = strategy.choose_move(&root);
        let cpu = clock.took().cpu;
        let made = FROM_ROOT.load(Ordering::Relaxed);
        if made < playouts {
            return Proof { claim: claim(root, mv, made), cpu: cpu.as_secs_f64() };
        }
        if cpu >= limit || playouts > u64::from(u32::MAX) / 2 {
            return Proof { claim: Claim::of(None, made), cpu: cpu.as_secs_f64() };
        }
        playouts *= 2;
    }
}

/// Finds the proven value. The library proves only wins and losses, so the root is won if its best
/// move wins, and lost otherwise. Our own search checks whether the move wins.
fn claim<G: Rules>(root: Position<G>, mv: Option<G::Move>, playouts: u64) -> Claim {
    let wins = mv.is_some_and(|mv| {
        let next = root.game.after(&root.state, mv);
        let search = Search::new(root.game.clone(), next, Config::proving());
        let report = search.and_then(|mut search| search.search(&Budget::default()));
        report.is_ok_and(|report| match report.to_move {
            Some(_) => report.proven == Value::Loss,
            None => root.game.payoff(&next, root.next()) > 0,
        })
    });
    Claim::of(Some(if wins { "win" } else { "loss" }), playouts)
}
