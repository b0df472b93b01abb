//! Checks which of a game's methods a search calls, and when: none for a position that a playout
//! only passes through, and none between a child's update and its parent's update.

use proofwood::{Budget, Config, Game, Outcome, Rng, Search, SearchError, Turn};
use proofwood_games::{ConnectFour, Mnk};
use proofwood_testkit::toy::{Does, toy};
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// A game that counts the calls of its methods, and panics at one call of `key`.
struct Watched<G> {
    game: G,
    played: AtomicU64,
    /// The number of positions for which a method other than `key` was called.
    asked: AtomicU64,
    /// The number of calls of `key` before the panic.
    hashes: AtomicU64,
}

struct Position<S> {
    state: S,
    asked: AtomicBool,
}

impl<S: Clone> Clone for Position<S> {
    fn clone(&self) -> Self {
        let asked = self.asked.load(Ordering::Relaxed).into();
        Position { state: self.state.clone(), asked }
    }
}

impl<G: Game> Watched<G> {
    fn ask<'p>(&self, position: &'p Position<G::State>) -> &'p G::State {
        if !position.asked.swap(true, Ordering::Relaxed) {
            self.asked.fetch_add(1, Ordering::Relaxed);
        }
        &position.state
    }
}

impl<G: Game> Game for Watched<G> {
    type State = Position<G::State>;
    type Move = G::Move;

    fn initial_state(&self) -> Self::State {
        Position { state: self.game.initial_state(), asked: false.into() }
    }
    fn turn(&self, position: &Self::State) -> Turn {
        self.game.turn(self.ask(position))
    }
    fn legal_moves(&self, position: &Self::State, moves: &mut Vec<G::Move>) {
        self.game.legal_moves(self.ask(position), moves);
    }
    fn play(&self, position: &mut Self::State, mv: G::Move) {
        self.game.play(&mut position.state, mv);
        *position.asked.get_mut() = false;
        self.played.fetch_add(1, Ordering::Relaxed);
    }
    fn random_move(
        &self,
        position: &Self::State,
        moves: &mut Vec<G::Move>,
        rng: &mut Rng,
    ) -> Option<G::Move> {
        self.game.random_move(self.ask(position), moves, rng)
    }
    fn mobility(&self, position: &Self::State, moves: &mut Vec<G::Move>) -> usize {
        self.game.mobility(self.ask(position), moves)
    }
    fn payoff(&self, position: &Self::State, player: usize) -> i32 {
        self.game.payoff(self.ask(position), player)
    }
    fn num_players(&self) -> usize {
        self.game.num_players()
    }
    fn zero_sum(&self) -> bool {
        self.game.zero_sum()
    }
    fn payoff_range(&self, player: usize) -> RangeInclusive<i32> {
        self.game.payoff_range(player)
    }
    fn outcome(&self, player: usize, payoff: i32) -> Outcome {
        self.game.outcome(player, payoff)
    }
    fn has_chance(&self) -> bool {
        self.game.has_chance()
    }
    fn chance_weight(&self, position: &Self::State, outcome: G::Move) -> u32 {
        self.game.chance_weight(self.ask(position), outcome)
    }
    fn key(&self, position: &Self::State) -> Option<u64> {
        // The counter wraps around, so there is one panic.
        if self.hashes.fetch_sub(1, Ordering::Relaxed) == 0 {
            panic!("no hash");
        }
        self.game.key(&position.state)
    }
}

fn watched<G: Game>(game: G, hashes: u64) -> Watched<G> {
    Watched { game, played: 0.into(), asked: 0.into(), hashes: hashes.into() }
}

#[test]
fn nothing_is_asked_of_a_position_that_a_playout_passes() {
    const PLAYOUTS: u64 = 20_000;
    for (threads, config) in [(1, Config::default()), (3, Config::proving())] {
        let game = Arc::new(watched(ConnectFour::default(), u64::MAX));
        let (toy, root) = toy(Arc::clone(&game));
        // A background prover would call methods of its own.
        let config = config.threads(threads).prover_share(0.0);
        let config = config.look_ahead(false).memory(64 << 20);
        // Every position has the same value, and the evaluator calls no method.
        let mut search =
            Search::with_evaluator(toy, root, config, Does::nothing()).expect("a position");
        search.search(&Budget::default().playouts(PLAYOUTS)).expect("no fault");
        let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let (played, asked) = (count(&game.played), count(&game.asked));
        // A playout may expand one node and evaluate its child.
        assert!(asked <= 2 * PLAYOUTS + 100, "{asked} positions were asked");
        assert!(played > 2 * asked, "{played} moves, {asked} positions were asked");
    }
}

#[test]
fn a_hash_that_is_not_given_leaves_nothing_untold() {
    let mut panics = 0;
    for hashes in 0..1500 {
        let (game, root) = toy(watched(Mnk::new(3, 3, 3, 2).expect("a board"), hashes));
        let config = Config::default().threads(1).memory(16 << 20).audit(true);
        let Ok(mut search) = Search::new(game, root, config) else { continue };
        match search.search(&Budget::default().playouts(5_000)) {
            Err(SearchError::Panic(message)) => assert_eq!(message, "no hash"),
            other => panic!("{:?}", other.err()),
        }
        panics += 1;
        search.audit().unwrap_or_else(|wrong| panic!("after {hashes} hashes: {wrong}"));
    }
    assert!(panics > 1400);
}
