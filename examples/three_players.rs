//! A game of three players: the payoff that the player to move can force against both others, the
//! best move if each plays for itself, and proof numbers for each player.
//!
//! `cargo run --release --example three_players`

use proofwood::{
    Budget, Config, Game, ProofNumber, ProverConfig, SearchError, Turn, prove, search,
};

// ANCHOR: game
/// The players take one, two or three sticks; the player who takes the last one loses, and the
/// other two win.
struct LastLoses {
    sticks: u32,
}

#[derive(Clone)]
struct Heap {
    sticks: u32,
    mover: usize,
}

impl Game for LastLoses {
    type State = Heap;
    type Move = u32;

    fn num_players(&self) -> usize {
        3
    }
    fn initial_state(&self) -> Heap {
        Heap { sticks: self.sticks, mover: 0 }
    }
    fn turn(&self, heap: &Heap) -> Turn {
        if heap.sticks == 0 { Turn::Over } else { Turn::Player(heap.mover) }
    }
    fn legal_moves(&self, heap: &Heap, moves: &mut Vec<u32>) {
        moves.extend(1..=heap.sticks.min(3));
    }
    fn play(&self, heap: &mut Heap, taken: u32) {
        heap.sticks -= taken;
        heap.mover = (heap.mover + 1) % 3;
    }
    fn payoff(&self, heap: &Heap, player: usize) -> i32 {
        let loser = (heap.mover + 2) % 3; // who moved last
        if player == loser { -1 } else { 1 }
    }
    fn payoff_range(&self, _player: usize) -> std::ops::RangeInclusive<i32> {
        -1..=1
    }
}
// ANCHOR_END: game

fn main() -> Result<(), SearchError> {
    // ANCHOR: force
    println!("What player 0 can force, alone against both others:");
    for sticks in 1..=10 {
        let game = LastLoses { sticks };
        let heap = game.initial_state();
        let report = prove(game, heap, ProverConfig::default().table(1 << 20), &Budget::default())?;
        assert!(report.paranoid); // against a coalition of all others
        println!("{sticks:>3} sticks: {:<5} {:?}", report.proven, report.best_move);
    }
    // ANCHOR_END: force

    // ANCHOR: play
    let game = LastLoses { sticks: 10 };
    let heap = game.initial_state();
    // By default a leaf has three values, and each player maximises its own.
    let config = Config::default().threads(2);
    let report = search(game, heap, config, &Budget::default().playouts(50_000))?;
    println!("\nWhat playing tells player 0 of 10 sticks, each player for itself:");
    for m in &report.moves {
        println!("take {}: {:>6} visits, mean {:+.2}", m.mv, m.visits, m.mean.unwrap_or(0.0));
    }
    println!("player 0 takes {:?}; proven: {}", report.best_move, report.proven);
    // ANCHOR_END: play

    // ANCHOR: each
    // A proof number for every player: 0 if the player can force a win
    // against both others, infinite if they can prevent it.
    let game = LastLoses { sticks: 5 };
    let heap = game.initial_state();
    let report = search(game, heap, Config::default().threads(2), &Budget::default())?;
    let numbers: Vec<String> = report.proof_numbers.iter().map(ToString::to_string).collect();
    println!("\nwith 5 sticks proof numbers {} for players 0, 1, 2", numbers.join(", "));
    assert_eq!(report.proof_numbers[0], ProofNumber::PROVEN);
    // ANCHOR_END: each
    Ok(())
}
