//! Open loop in games with thousands of moves: the work of a playout grows as their
//! number does.

use proofwood::{Budget, Config, Game, Search, Turn};
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicU64, Ordering};

static COMPARISONS: AtomicU64 = AtomicU64::new(0);

/// A move that counts how often moves are compared.
#[derive(Clone, Copy, Debug, Eq)]
struct Counted(u32);

impl PartialEq for Counted {
    fn eq(&self, other: &Counted) -> bool {
        COMPARISONS.fetch_add(1, Ordering::Relaxed);
        self.0 == other.0
    }
}

/// A die says which moves there are: all of them, every second, or the last half.
struct Wide(u32);

impl Game for Wide {
    /// The die, and the move.
    type State = (Option<u32>, Option<u32>);
    type Move = Counted;

    fn initial_state(&self) -> Self::State {
        (None, None)
    }
    fn turn(&self, state: &Self::State) -> Turn {
        match state {
            (None, _) => Turn::Chance,
            (_, None) => Turn::Player(0),
            _ => Turn::Over,
        }
    }
    fn legal_moves(&self, state: &Self::State, moves: &mut Vec<Counted>) {
        match state.0 {
            None => moves.extend((0..3).map(Counted)),
            Some(0) => moves.extend((0..self.0).map(Counted)),
            Some(1) => moves.extend((0..self.0).step_by(2).map(Counted)),
            Some(_) => moves.extend((self.0 / 2..self.0).map(Counted)),
        }
    }
    fn play(&self, state: &mut Self::State, mv: Counted) {
        if state.0.is_none() { state.0 = Some(mv.0) } else { state.1 = Some(mv.0) }
    }
    fn payoff(&self, state: &Self::State, _player: usize) -> i32 {
        state.1.map_or(0, |mv| mv as i32 % 3 - 1)
    }
    fn num_players(&self) -> usize {
        1
    }
    fn payoff_range(&self, _player: usize) -> RangeInclusive<i32> {
        -1..=1
    }
    fn has_chance(&self) -> bool {
        true
    }
    /// All moves come first by far, so that the others are some of them.
    fn chance_weight(&self, _state: &Self::State, outcome: Counted) -> u32 {
        if outcome.0 == 0 { 1000 } else { 500 }
    }
}

/// Comparisons of moves for each playout, less those in which the tree grows.
fn comparisons(moves: u32) -> u64 {
    const PLAYOUTS: u64 = 60;
    // The first roll makes the node's children.
    let seed = (0..20).find(|&seed| {
        let config = Config::default().open_loop().threads(1).seed(seed);
        let mut search = Search::new(Wide(moves), (None, None), config).expect("it fits");
        let report = search.search(&Budget::default().playouts(PLAYOUTS)).expect("sound rules");
        report.nodes == u64::from(moves) + 2
    });
    let config = Config::default().open_loop().threads(1).seed(seed.expect("all moves come first"));
    let mut search = Search::new(Wide(moves), (None, None), config).expect("it fits");
    COMPARISONS.store(0, Ordering::Relaxed);
    search.search(&Budget::default().playouts(PLAYOUTS)).expect("sound rules");
    COMPARISONS.load(Ordering::Relaxed) / PLAYOUTS
}

#[test]
fn a_playout_compares_as_many_moves_as_there_are() {
    for moves in [100, 1000, 10_000] {
        let each = comparisons(moves);
        assert!((1..=3 * u64::from(moves)).contains(&each), "{each} for {moves} moves");
    }
}
