//! Compares Chinese Checkers on stars of every size with a second implementation, which uses
//! coordinates on three axes and sets of cells.

use proofwood::{Game, Rng, Turn};
use proofwood_games::{ChineseCheckers, perft};
use std::collections::{BTreeMap, BTreeSet};

/// A cell, as two of its three coordinates, whose sum is 0; the second coordinate is the row.
type Cell = (i32, i32);

const DIRECTIONS: [Cell; 6] = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)];

/// The rules, implemented from the module's description without any tables.
#[derive(Clone)]
struct Plain {
    side: i32,
    pieces: BTreeMap<Cell, usize>,
    homes: Vec<usize>,
    mover: usize,
    /// The cells that the hopping piece has visited in this turn; the last one is its present cell.
    been: Vec<Cell>,
    turns_left: u32,
    winner: Option<usize>,
}

/// Returns the distance of a cell from the centre in the direction of a point of the star.
fn towards(point: usize, (x, y): Cell) -> i32 {
    [-y, x, x + y, y, -x, -x - y][point]
}

impl Plain {
    fn new(side: i32, players: usize, turns: u32) -> Plain {
        let homes = match players {
            2 => vec![0, 3],
            3 => vec![0, 2, 4],
            4 => vec![0, 1, 3, 4],
            _ => vec![0, 1, 2, 3, 4, 5],
        };
        let mut plain = Plain {
            side,
            pieces: BTreeMap::new(),
            homes,
            mover: 0,
            been: vec![],
            turns_left: turns,
            winner: None,
        };
        for (player, &home) in plain.homes.iter().enumerate() {
            plain.pieces.extend(plain.point(home).into_iter().map(|cell| (cell, player)));
        }
        plain
    }

    /// Returns whether the star contains a cell. The star consists of two overlapping triangles; in
    /// one of them no coordinate exceeds `side`, in the other none is below −`side`.
    fn has(&self, (x, y): Cell) -> bool {
        let all = [x, y, -x - y];
        all.iter().all(|&c| c <= self.side) || all.iter().all(|&c| c >= -self.side)
    }

    fn cells(&self) -> Vec<Cell> {
        let range = -2 * self.side..=2 * self.side;
        let all = range.clone().flat_map(|y| range.clone().map(move |x| (x, y)));
        all.filter(|&cell| self.has(cell)).collect()
    }

    fn point(&self, point: usize) -> BTreeSet<Cell> {
        self.cells().into_iter().filter(|&cell| towards(point, cell) > self.side).collect()
    }

    fn name(&self, (x, y): Cell) -> String {
        let left = self.cells().into_iter().filter(|&(other, row)| row == y && other < x).count();
        format!("{}{}", char::from(b'a' + left as u8), y + 2 * self.side + 1)
    }

    fn is_free(&self, cell: Cell) -> bool {
        self.has(cell) && !self.pieces.contains_key(&cell)
    }

    fn hops(&self, (x, y): Cell) -> Vec<Cell> {
        let hop = |(right, up): Cell| {
            let over = self.pieces.contains_key(&(x + right, y + up));
            let to = (x + 2 * right, y + 2 * up);
            (over && self.is_free(to) && !self.been.contains(&to)).then_some(to)
        };
        DIRECTIONS.into_iter().filter_map(hop).collect()
    }

    /// Returns the text of each move and the position after it.
    fn moves(&self) -> BTreeMap<String, Plain> {
        let mut moves = BTreeMap::new();
        let own = self.pieces.iter().filter(|&(_, &player)| player == self.mover);
        for &(x, y) in own.map(|(cell, _)| cell) {
            if self.been.last().is_some_and(|&hopper| hopper != (x, y)) {
                continue;
            }
            let mut after = |to: Cell, hop: bool| {
                let mut next = self.clone();
                next.pieces.remove(&(x, y));
                next.pieces.insert(to, self.mover);
                if next.been.is_empty() {
                    next.been.push((x, y));
                }
                next.been.push(to);
                if !hop || next.hops(to).is_empty() {
                    next.end_turn();
                }
                moves.insert(self.name((x, y)) + &self.name(to), next);
            };
            self.hops((x, y)).into_iter().for_each(|to| after(to, true));
            let steps = DIRECTIONS.map(|(right, up)| (x + right, y + up));
            let steps = steps.into_iter().filter(|&to| self.been.is_empty() && self.is_free(to));
            steps.for_each(|to| after(to, false));
        }
        if moves.is_empty() || !self.been.is_empty() {
            let mut next = self.clone();
            next.end_turn();
            moves.insert("pass".to_string(), next);
        }
        moves
    }

    fn end_turn(&mut self) {
        self.been.clear();
        let goal = self.point((self.homes[self.mover] + 3) % 6);
        let full = goal.iter().all(|cell| self.pieces.get(cell) == Some(&self.mover));
        self.winner = full.then_some(self.mover);
        self.mover = (self.mover + 1) % self.homes.len();
        self.turns_left -= 1;
    }

    fn is_over(&self) -> bool {
        self.winner.is_some() || self.turns_left == 0
    }

    fn perft(&self, depth: u32) -> u64 {
        match (depth, self.is_over()) {
            (0, _) => 1,
            (_, true) => 0,
            _ => self.moves().values().map(|next| next.perft(depth - 1)).sum(),
        }
    }
}

/// Compares all legal moves at every ply of random games; returns the number of games won.
fn random_games(side: usize, players: usize, games: u64) -> u32 {
    const TURNS: u16 = 60;
    let game = ChineseCheckers::on_star(side, players, TURNS).unwrap();
    let mut won = 0;
    for seed in 0..games {
        let mut rng = Rng::new(seed);
        let mut state = game.initial_state();
        let mut plain = Plain::new(side as i32, players, TURNS.into());
        while game.turn(&state) != Turn::Over {
            assert_eq!(game.turn(&state), Turn::Player(plain.mover));
            let mut moves = Vec::new();
            game.legal_moves(&state, &mut moves);
            let named = moves.iter().map(|&mv| (game.move_text(&state, mv), mv));
            let named: BTreeMap<String, _> = named.collect();
            assert_eq!(named.len(), moves.len());
            let mut after = plain.moves();
            assert!(after.keys().eq(named.keys()), "{}", game.state_text(&state));
            let by_lot = rng.below(named.len() as u32) as usize;
            let (text, &mv) = named.iter().nth(by_lot).expect("one of them");
            game.play(&mut state, mv);
            plain = after.remove(text).expect("the same moves");
        }
        assert!(plain.is_over());
        let paid = |player: usize| match plain.winner {
            None => 0,
            Some(winner) if winner == player => players as i32 - 1,
            Some(_) => -1,
        };
        let payoffs: Vec<i32> = (0..players).map(|player| game.payoff(&state, player)).collect();
        assert_eq!(payoffs, (0..players).map(paid).collect::<Vec<_>>());
        won += u32::from(plain.winner.is_some());
    }
    won
}

#[test]
fn random_games_on_every_star() {
    let mut won = 0;
    for side in 1..=4 {
        for players in [2, 3, 4, 6] {
            won += random_games(side, players, if side < 3 { 20 } else { 2 });
        }
    }
    assert!(won > 0, "no random game was won");
}

#[test]
fn perft_on_small_stars() {
    for (side, players, depth) in [(1, 2, 6), (1, 3, 5), (1, 6, 4), (2, 3, 4), (3, 2, 3)] {
        let game = ChineseCheckers::on_star(side, players, 300).unwrap();
        let counted = perft(&game, &game.initial_state(), depth);
        assert_eq!(counted, Plain::new(side as i32, players, 300).perft(depth), "{side} {players}");
    }
}

#[test]
fn sizes() {
    for (side, cells, pieces) in [(1, 13, 1), (2, 37, 3), (3, 73, 6), (4, 121, 10)] {
        let game = ChineseCheckers::on_star(side, 6, 300).unwrap();
        let board = game.board_text(&game.initial_state());
        assert_eq!(board.matches('A').count(), pieces, "{board}");
        // An empty cell shows the letter of its column.
        let empty = board.matches(|c: char| c.is_ascii_lowercase()).count();
        assert_eq!(empty + 6 * pieces, cells, "{board}");
    }
    assert!(ChineseCheckers::on_star(0, 3, 300).is_err());
    assert!(ChineseCheckers::on_star(5, 3, 300).is_err());
}
