//! An exhaustive search of Hex, as an oracle for static bounds on larger boards. It uses no links.
//! If the opponent refutes a move with the help of some cells, moves outside these cells are
//! refuted in the same way (the must-play region of Hayward et al.). This is the only pruning.

use super::hex_positions::text;
use proofwood::{DomainKnowledge, Game, Rng, StaticBound, Turn};
use proofwood_games::hex::{Hex, State};
use proofwood_testkit::rounds::rounds;
use std::collections::HashMap;

type Cells = u64;

struct Oracle {
    size: usize,
    touching: Vec<Cells>,
    /// The two rows or columns that each side's chain must connect.
    edges: [[Cells; 2]; 2],
    /// The winner of each position, and the empty cells that the win needs.
    known: HashMap<([Cells; 2], usize), (usize, Cells)>,
}

impl Oracle {
    fn new(size: usize) -> Oracle {
        let set = |member: &dyn Fn(usize, usize) -> bool| -> Cells {
            let cells = (0..size * size).filter(|cell| member(cell % size, cell / size));
            cells.fold(0, |set, cell| set | 1 << cell)
        };
        let touching = (0..size * size).map(|cell| {
            let (column, row) = (cell % size, cell / size);
            set(&|c, r| {
                let (right, down) = (c as isize - column as isize, r as isize - row as isize);
                [(-1, 0), (1, 0), (0, -1), (0, 1), (1, -1), (-1, 1)].contains(&(right, down))
            })
        });
        let last = size - 1;
        let rows = [set(&|_, row| row == 0), set(&|_, row| row == last)];
        let columns = [set(&|column, _| column == 0), set(&|column, _| column == last)];
        let touching = touching.collect();
        Oracle { size, touching, edges: [rows, columns], known: HashMap::new() }
    }

    fn joins(&self, stones: Cells, side: usize) -> bool {
        let [begin, end] = self.edges[side];
        let mut reached = stones & begin;
        let mut new = reached;
        while new != 0 {
            let cell = new.trailing_zeros() as usize;
            new &= new - 1;
            let more = self.touching[cell] & stones & !reached;
            reached |= more;
            new |= more;
        }
        reached & end != 0
    }

    /// Returns the winner if `side` moves, and a set of empty cells that suffices for the win.
    fn winner(&mut self, stones: [Cells; 2], side: usize) -> (usize, Cells) {
        if let Some(winner) = (0..2).find(|&side| self.joins(stones[side], side)) {
            return (winner, 0);
        }
        if let Some(&known) = self.known.get(&(stones, side)) {
            return known;
        }
        let mut must = !(stones[0] | stones[1]) & ((1 << (self.size * self.size)) - 1);
        let mut refuted_with = 0;
        let mut found = None;
        while must != 0 {
            // Start in the middle of the remaining cells, where refutations need few cells.
            let nth = must.count_ones() / 2;
            let cell = (0..nth).fold(must, |set, _| set & (set - 1)).trailing_zeros();
            must &= !(1 << cell);
            let mut next = stones;
            next[side] |= 1 << cell;
            let (winner, needs) = self.winner(next, 1 - side);
            if winner == side {
                found = Some((side, needs | 1 << cell));
                break;
            }
            must &= needs;
            refuted_with |= needs;
        }
        let answer = found.unwrap_or((1 - side, refuted_with));
        self.known.insert((stones, side), answer);
        answer
    }
}

/// Places random stones of both sides, not always in equal numbers; leaves `empty` cells empty.
fn random_stones(size: usize, empty: u32, rng: &mut Rng) -> [Cells; 2] {
    let cells = (size * size) as u32;
    let white = 30 + rng.below(41);
    let mut stones = [0; 2];
    while (stones[0] | stones[1] as Cells).count_ones() < cells - empty {
        let cell = rng.below(cells);
        if (stones[0] | stones[1]) >> cell & 1 == 0 {
            stones[usize::from(rng.below(100) < white)] |= 1 << cell;
        }
    }
    stones
}

type Look = fn(&Hex, &State, &mut Vec<u8>) -> StaticBound;

/// The methods that return static bounds for searches and for provers.
pub(super) const LOOKS: [Look; 2] = [
    |game, state, moves| game.knowledge().static_bound(state, moves),
    |game, state, moves| game.knowledge().static_bound_for_prover(state, moves),
];

/// Compares static bounds with the oracle: payoffs must be right, and the pushed moves must include
/// a winning move if there is one.
#[test]
fn what_is_foreseen_is_so() {
    let (mut static_bound, mut asked) = ([0; 2], [0; 2]);
    for (size, most) in [(5, 16), (6, 17), (7, 17)] {
        let game = Hex::new(size, size).expect("a possible size");
        let mut rng = Rng::new(size as u64);
        let names = |set: Cells| -> String {
            let cells = (0..size * size).filter(|&cell| set >> cell & 1 == 1);
            let name =
                |cell| format!("{}{} ", (b'a' + (cell % size) as u8) as char, cell / size + 1);
            cells.map(name).collect()
        };
        for _ in 0..rounds(300) {
            let empty = most - rng.below(9);
            let stones = random_stones(size, empty, &mut rng);
            let side = rng.below(2) as usize;
            let text = text(size, [&names(stones[0]), &names(stones[1])], side);
            let Ok(state) = game.parse_state(&text) else { continue };
            if game.turn(&state) == Turn::Over {
                continue;
            }
            // The method for searches returns bounds only with at most 12 empty cells.
            asked[0] += usize::from(empty <= 12);
            asked[1] += 1;
            let mut oracle = Oracle::new(size);
            let (winner, _) = oracle.winner(stones, side);
            let payoff = if winner == 0 { 1 } else { -1 };
            for (look, static_bound) in LOOKS.into_iter().zip(&mut static_bound) {
                let mut moves = Vec::new();
                let told = look(&game, &state, &mut moves);
                if let StaticBound::Payoff(told) = told {
                    assert_eq!(told, payoff, "{text}");
                    *static_bound += 1;
                }
                if told != StaticBound::Moves {
                    moves.clear();
                    game.legal_moves(&state, &mut moves);
                }
                let wins = moves.iter().any(|&mv| {
                    let cell = game.move_text(&state, mv);
                    let (column, row) = (cell.as_bytes()[0] - b'a', cell[1..].parse::<usize>());
                    let mut next = stones;
                    next[side] |= 1 << ((row.expect("a row") - 1) * size + usize::from(column));
                    oracle.winner(next, 1 - side).0 == side
                });
                assert_eq!(wins, winner == side, "{text}");
            }
        }
    }
    for (static_bound, asked) in static_bound.into_iter().zip(asked) {
        assert!(static_bound * 3 > asked * 2 && asked > rounds(200), "{static_bound} of {asked}");
    }
}
