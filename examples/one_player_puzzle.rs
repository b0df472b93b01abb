//! A puzzle for one player, proven solvable, and its solution: peg solitaire on a triangle of 15
//! holes.
//!
//! `cargo run --release --example one_player_puzzle`

use proofwood::{Budget, Game, ProverConfig, SearchError, Turn, Value, prove};

// ANCHOR: game
/// A peg jumps over a neighbour into an empty hole, and the neighbour is removed. The puzzle is
/// solved when one peg is left. Holes are numbered row by row from the tip.
struct Triangle {
    /// The holes of each jump: from, over and to.
    jumps: Vec<[u8; 3]>,
}

impl Triangle {
    fn new() -> Triangle {
        let hole = |row: i32, place: i32| {
            let inside = (0..5).contains(&row) && (0..=row).contains(&place);
            inside.then(|| (row * (row + 1) / 2 + place) as u8)
        };
        let mut jumps = Vec::new();
        for (row, place) in (0..5).flat_map(|row| (0..=row).map(move |place| (row, place))) {
            for (down, across) in [(0, 1), (1, 1), (1, 0), (0, -1), (-1, -1), (-1, 0)] {
                let holes = [0, 1, 2].map(|n| hole(row + n * down, place + n * across));
                if let [Some(from), Some(over), Some(to)] = holes {
                    jumps.push([from, over, to]);
                }
            }
        }
        Triangle { jumps }
    }

    fn possible<'t>(&'t self, &pegs: &'t u16) -> impl Iterator<Item = [u8; 3]> + 't {
        let peg = move |hole: u8| pegs >> hole & 1 == 1;
        let fits = move |&[from, over, to]: &[u8; 3]| peg(from) && peg(over) && !peg(to);
        self.jumps.iter().copied().filter(fits)
    }
}

impl Game for Triangle {
    type State = u16; // a bit for each hole with a peg
    type Move = [u8; 3];

    fn num_players(&self) -> usize {
        1
    }
    fn initial_state(&self) -> u16 {
        0x7FFF & !1 // the tip is empty
    }
    fn turn(&self, pegs: &u16) -> Turn {
        if self.possible(pegs).next().is_some() { Turn::Player(0) } else { Turn::Over }
    }
    fn legal_moves(&self, pegs: &u16, moves: &mut Vec<[u8; 3]>) {
        moves.extend(self.possible(pegs));
    }
    fn play(&self, pegs: &mut u16, jump: [u8; 3]) {
        *pegs ^= jump.iter().fold(0, |holes, hole| holes | 1 << hole);
    }
    fn payoff(&self, pegs: &u16, _player: usize) -> i32 {
        if pegs.count_ones() == 1 { 1 } else { -1 }
    }
    fn payoff_range(&self, _player: usize) -> std::ops::RangeInclusive<i32> {
        -1..=1
    }
    /// Thanks to keys, a position reached in different ways is searched only once.
    fn key(&self, pegs: &u16) -> Option<u64> {
        Some(u64::from(*pegs).wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }
}
// ANCHOR_END: game

fn main() -> Result<(), SearchError> {
    // ANCHOR: prove
    let puzzle = Triangle::new();
    let start = puzzle.initial_state();
    let config = ProverConfig::default().threads(1).table(1 << 20);
    let report = prove(puzzle, start, config, &Budget::default())?;
    assert_eq!(report.proven, Value::Win);
    println!("solvable: {} positions in {:.2?}", report.effort.expansions, report.elapsed);

    // The line is the solution.
    let puzzle = Triangle::new();
    let mut pegs = start;
    for &[from, over, to] in &report.pv {
        puzzle.play(&mut pegs, [from, over, to]);
        println!("{from:>2} jumps over {over:>2} to {to:>2}, {} pegs left", pegs.count_ones());
    }
    assert_eq!((puzzle.turn(&pegs), puzzle.payoff(&pegs, 0)), (Turn::Over, 1));
    // ANCHOR_END: prove
    Ok(())
}
