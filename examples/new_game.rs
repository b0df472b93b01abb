//! A new game in forty lines, checked, searched for half a second, proven, and played: Chomp.
//!
//! `cargo run --release --example new_game` runs it, and `cargo test --example new_game` tests its
//! rules.

use proofwood::{
    Budget, Config, Game, ProverConfig, Rng, Search, SearchError, Turn, prove, search,
};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

// ANCHOR: game
/// A bar of chocolate with rows of squares. The player to move bites off a square with all that is
/// above it and to its right; the square in the lower left corner is poisoned.
struct Chomp;

#[derive(Clone, Hash)]
struct Bar {
    rows: [u8; 4], // squares left, from the lowest row up
    mover: usize,
}

impl Game for Chomp {
    type State = Bar;
    type Move = (usize, u8); // row and column, from 0

    fn initial_state(&self) -> Bar {
        Bar { rows: [5; 4], mover: 0 }
    }
    fn turn(&self, bar: &Bar) -> Turn {
        if bar.rows[0] == 0 { Turn::Over } else { Turn::Player(bar.mover) }
    }
    fn legal_moves(&self, bar: &Bar, moves: &mut Vec<(usize, u8)>) {
        for (row, &squares) in bar.rows.iter().enumerate() {
            moves.extend((0..squares).map(|column| (row, column)));
        }
    }
    fn play(&self, bar: &mut Bar, (row, column): (usize, u8)) {
        bar.rows[row..].iter_mut().for_each(|squares| *squares = column.min(*squares));
        bar.mover = 1 - bar.mover;
    }
    fn payoff(&self, bar: &Bar, player: usize) -> i32 {
        if player == bar.mover { 1 } else { -1 } // the other one ate the poison
    }
    fn payoff_range(&self, _player: usize) -> std::ops::RangeInclusive<i32> {
        -1..=1
    }
    fn zero_sum(&self) -> bool {
        true
    }
    fn key(&self, bar: &Bar) -> Option<u64> {
        let mut hasher = DefaultHasher::new();
        bar.hash(&mut hasher); // everything that the future depends on
        Some(hasher.finish())
    }
}
// ANCHOR_END: game

fn main() -> Result<(), SearchError> {
    // ANCHOR: search
    let budget = Budget::default().time(Duration::from_millis(500));
    let report = search(Chomp, Chomp.initial_state(), Config::default(), &budget)?;
    println!("the search says {}, best move {:?}", report.proven, report.best_move);
    for m in report.moves.iter().filter(|m| m.visits > 0) {
        let mean = m.mean.unwrap_or(0.0);
        println!("{:?}  {:>6} visits  mean {mean:+.2}  proven {}", m.mv, m.visits, m.proven);
    }
    // ANCHOR_END: search
    // ANCHOR: prove
    let report = prove(Chomp, Chomp.initial_state(), ProverConfig::default(), &Budget::default())?;
    println!("the prover says {}, best move {:?}", report.proven, report.best_move);
    // The first player wins Chomp on every bar, whatever the winning move is.
    assert_eq!(report.proven, proofwood::Value::Win);
    // ANCHOR_END: prove
    // ANCHOR: play
    // The opponent bites at random.
    let mut search = Search::new(Chomp, Chomp.initial_state(), Config::default())?;
    let mut rng = Rng::new(7);
    while let Turn::Player(player) = Chomp.turn(search.position()) {
        let bite = match player {
            0 => search.search(&Budget::default().playouts(5_000))?.best_move,
            _ => Chomp.random_move(search.position(), &mut Vec::new(), &mut rng),
        };
        search.advance(bite.expect("the game is not over"))?; // keeps the tree below it
    }
    assert_eq!(Chomp.payoff(search.position(), 0), 1);
    // ANCHOR_END: play
    Ok(())
}

// ANCHOR: check
#[cfg(test)]
mod tests {
    use super::*;
    use proofwood::certificate::{Certificate, Root};
    use proofwood::{ProofSearch, check_rules};

    #[test]
    fn the_rules_keep_their_promises() {
        check_rules(&Chomp, 1, 100).unwrap_or_else(|error| panic!("{error}"));
    }

    #[test]
    fn what_is_proven_can_be_certified() {
        let config = ProverConfig::default().table(16 << 20);
        let mut search = ProofSearch::new(Chomp, Chomp.initial_state(), config).unwrap();
        search.search(&Budget::default()).unwrap();

        let mut file = Vec::new();
        search.certify("chomp", &Root::default(), None, &mut file).unwrap();
        let checked = Certificate::open(&file[..]).unwrap().check(&Chomp).unwrap();
        assert_eq!(checked.claims[0].claim.to_string(), "0 at-least 1");
    }
}
// ANCHOR_END: check
