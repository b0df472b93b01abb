//! Measures the cost of copying positions in a search: the copies in a playout, the time of each in
//! nanoseconds, and their share of the playout's time. Undoing moves could save at most this share.
//! `cargo lab -p proofwood-experiments --bin copies -- minishogi`.

use proofwood::{Budget, Config, Game, Outcome, Rng, Search, Turn};
use proofwood_games::{GameVisitor, games, with_game};
use proofwood_measure::Clock;
use std::hint::black_box;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

const PLAYOUTS: u64 = 20_000;
const COPIES: u32 = 1_000_000;

/// The number of copies: clones of positions, and positions made by a move from one that is kept.
static COPIED: AtomicU64 = AtomicU64::new(0);

/// A game that counts copies of its positions.
struct Counting<G>(G);

struct Counted<S>(S);

impl<S: Clone> Clone for Counted<S> {
    fn clone(&self) -> Counted<S> {
        COPIED.fetch_add(1, Ordering::Relaxed);
        Counted(self.0.clone())
    }
}

impl<G: Game> Game for Counting<G> {
    type State = Counted<G::State>;
    type Move = G::Move;

    fn initial_state(&self) -> Self::State {
        Counted(self.0.initial_state())
    }

    fn turn(&self, state: &Self::State) -> Turn {
        self.0.turn(&state.0)
    }

    fn legal_moves(&self, state: &Self::State, moves: &mut Vec<G::Move>) {
        self.0.legal_moves(&state.0, moves);
    }

    fn play(&self, state: &mut Self::State, mv: G::Move) {
        self.0.play(&mut state.0, mv);
    }

    fn after(&self, state: &Self::State, mv: G::Move) -> Self::State {
        COPIED.fetch_add(1, Ordering::Relaxed);
        Counted(self.0.after(&state.0, mv))
    }

    fn payoff(&self, state: &Self::State, player: usize) -> i32 {
        self.0.payoff(&state.0, player)
    }

    fn num_players(&self) -> usize {
        self.0.num_players()
    }

    fn zero_sum(&self) -> bool {
        self.0.zero_sum()
    }

    fn payoff_range(&self, player: usize) -> RangeInclusive<i32> {
        self.0.payoff_range(player)
    }

    fn outcome(&self, player: usize, payoff: i32) -> Outcome {
        self.0.outcome(player, payoff)
    }

    fn has_chance(&self) -> bool {
        self.0.has_chance()
    }

    fn chance_weight(&self, state: &Self::State, outcome: G::Move) -> u32 {
        self.0.chance_weight(&state.0, outcome)
    }

    fn random_move(
        &self,
        state: &Self::State,
        moves: &mut Vec<G::Move>,
        rng: &mut Rng,
    ) -> Option<G::Move> {
        self.0.random_move(&state.0, moves, rng)
    }
}

struct Copies;

/// Returns the time that a playout takes in a search compiled for the game, in nanoseconds.
fn playout<G: Game>(game: G) -> f64 {
    let start = game.initial_state();
    let mut search =
        Search::new(game, start, Config::default().threads(1)).expect("it has the memory");
    let clock = Clock::start();
    search.search(&Budget::default().playouts(PLAYOUTS)).expect("an answer");
    clock.took().cpu.as_secs_f64() * 1e9 / PLAYOUTS as f64
}

fn position<G: Game>(game: &G) -> G::State {
    let (mut state, mut rng) = (game.initial_state(), Rng::new(1));
    for _ in 0..10 {
        let mut next = state.clone();
        let Some(mv) = game.random_move(&state, &mut Vec::new(), &mut rng) else { break };
        game.play(&mut next, mv);
        if game.turn(&next) == Turn::Over {
            break;
        }
        state = next;
    }
    state
}

impl GameVisitor for Copies {
    type Output = String;

    fn visit<G: Game>(self, game: G) -> String {
        let game = Arc::new(game);
        let state = position(&game);
        let clock = Clock::start();
        for _ in 0..COPIES {
            black_box(black_box(&state).clone());
        }
        let copy = clock.took().cpu.as_secs_f64() * 1e9 / f64::from(COPIES);
        COPIED.store(0, Ordering::Relaxed);
        playout(Counting(Arc::clone(&game)));
        let copies = COPIED.load(Ordering::Relaxed) as f64 / PLAYOUTS as f64;
        let playout = playout(game);
        format!(
            "{:>5} bytes, {copies:>5.2} copies a playout of {copy:>6.1} ns, playout {playout:>8.0} ns, share {:>4.1} %",
            size_of::<G::State>(),
            100.0 * copies * copy / playout,
        )
    }
}

fn main() {
    let mut specs: Vec<String> = std::env::args().skip(1).collect();
    if specs.is_empty() {
        specs = games().iter().map(|game| game.example.to_string()).collect();
    }
    for spec in specs {
        match with_game(&spec, Copies) {
            Ok(line) => println!("{spec:<24} {line}"),
            Err(error) => eprintln!("{error}"),
        }
    }
}
