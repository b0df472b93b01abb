//! What a search may ask of a game, and when: nothing of a position that a playout only
//! passes, and nothing while it owes a parent the news of its child.

use proofwood::{
    Budget, Config, Game, Goal, Outcome, Report, Rng, Search, SearchError, Turn, search,
};
use proofwood_games::Mnk;
use proofwood_testkit::random_game::RandomGame;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicU64, Ordering};

/// A game that panics when it is asked anything that it need not answer, and at one
/// question for a hash.
struct Watched<G> {
    game: G,
    /// Hashes that are still given.
    hashes: AtomicU64,
}

#[derive(Clone)]
struct Position<S> {
    state: S,
    /// It was followed to, and is to be followed or played on from.
    passed: bool,
}

impl<S> Position<S> {
    fn arrived(&self) -> &S {
        assert!(!self.passed, "asked of a position on the way to another");
        &self.state
    }
}

impl<G: Game> Game for Watched<G> {
    type State = Position<G::State>;
    type Move = G::Move;

    fn initial_state(&self) -> Self::State {
        Position { state: self.game.initial_state(), passed: false }
    }
    fn turn(&self, position: &Self::State) -> Turn {
        self.game.turn(position.arrived())
    }
    fn legal_moves(&self, position: &Self::State, moves: &mut Vec<G::Move>) {
        self.game.legal_moves(position.arrived(), moves);
    }
    fn play(&self, position: &mut Self::State, mv: G::Move) {
        self.game.play(&mut position.state, mv);
        position.passed = false;
    }
    fn follow(&self, position: &mut Self::State, mv: G::Move) {
        self.game.follow(&mut position.state, mv);
        position.passed = true;
    }
    fn random_move(
        &self,
        position: &Self::State,
        moves: &mut Vec<G::Move>,
        rng: &mut Rng,
    ) -> Option<G::Move> {
        self.game.random_move(position.arrived(), moves, rng)
    }
    fn mobility(&self, position: &Self::State, moves: &mut Vec<G::Move>) -> usize {
        self.game.mobility(position.arrived(), moves)
    }
    fn payoff(&self, position: &Self::State, player: usize) -> i32 {
        self.game.payoff(position.arrived(), player)
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
        self.game.chance_weight(position.arrived(), outcome)
    }
    fn hash(&self, position: &Self::State) -> Option<u64> {
        // Wraps round, so that it is one panic.
        if self.hashes.fetch_sub(1, Ordering::Relaxed) == 0 {
            panic!("no hash");
        }
        self.game.hash(&position.state)
    }
}

fn watched<G: Game>(game: G, hashes: u64) -> Watched<G> {
    Watched { game, hashes: hashes.into() }
}

fn searched<G: Game>(game: G, config: Config, playouts: u64) -> Report<Watched<G>> {
    let game = watched(game, u64::MAX);
    let root = game.initial_state();
    let report = search(game, root, config.memory(64 << 20), &Budget::default().playouts(playouts));
    report.unwrap_or_else(|error| panic!("{error}"))
}

/// Against a coalition it is not known what a settled node is worth, so that playouts
/// play on from there.
#[test]
fn nothing_is_asked_of_a_position_that_a_playout_passes() {
    for seed in 0..8 {
        for config in [Config::default(), Config::proving(), Config::proving().score_bounds(false)]
        {
            let config = config.seed(seed).threads(1 + seed as usize % 4);
            searched(Mnk::new(4, 4, 3, 3).expect("a board"), config.clone(), 5_000);
            searched(Mnk::new(3, 3, 3, 2).expect("a board"), config, 2_000);
        }
    }
    for seed in 0..60 {
        for config in [Config::default(), Config::proving().goal(Goal::Score)] {
            let config = config.seed(seed).threads(1 + seed as usize % 3);
            searched(RandomGame::new(seed), config.clone(), 2_000);
            searched(RandomGame::with_players(seed, 1), config.clone(), 500);
            searched(RandomGame::with_players(seed, 3), config.clone(), 2_000);
            searched(RandomGame::with_chance(seed), config, 2_000);
        }
    }
}

#[test]
fn a_hash_that_is_not_given_leaves_nothing_untold() {
    let mut panics = 0;
    for hashes in 0..1500 {
        let game = watched(Mnk::new(3, 3, 3, 2).expect("a board"), hashes);
        let root = game.initial_state();
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
