//! Parses all of benzene's Hex puzzles and openings, and solves the small ones.

use crate::data::csv_rows;
use crate::oracle::Oracle;
use proofwood::{
    Algorithm, Budget, DomainKnowledge, Game, ProofGoal, ProverConfig, Turn, Value, prove,
};
use proofwood_games::Hex;

struct Puzzle {
    name: String,
    game: Hex,
    text: String,
    side: usize,
}

/// Returns the text of a square board with stones that are listed as `a1 b2`.
pub(super) fn text(size: usize, stones: [&str; 2], side: usize) -> String {
    let mut rows = vec![vec!['.'; size]; size];
    for (stones, mark) in stones.into_iter().zip(['X', 'O']) {
        for cell in stones.split_whitespace() {
            let column = cell.bytes().next().expect(cell) - b'a';
            let row: usize = cell[1..].parse().expect(cell);
            let place = &mut rows[row - 1][usize::from(column)];
            assert_eq!(*place, '.', "{cell}");
            *place = mark;
        }
    }
    let rows: Vec<String> = rows.into_iter().map(String::from_iter).collect();
    format!("{} {}", rows.join("/"), ['X', 'O'][side])
}

/// Reads the puzzles. Their stones are listed in separate columns, or as moves such as `B:b2`.
fn puzzles() -> Vec<(Puzzle, Vec<String>)> {
    let read = |row: Vec<String>| {
        let size = row[1].parse().expect("a size");
        let moved = |side: &str| {
            let moves = row[4].split_whitespace().filter_map(|mv| mv.strip_prefix(side));
            moves.collect::<Vec<_>>().join(" ")
        };
        let black = format!("{} {}", row[2], moved("B:"));
        let white = format!("{} {}", row[3], moved("W:"));
        let side = usize::from(row[5] == "white");
        let puzzle = Puzzle {
            name: row[0].clone(),
            game: Hex::new(size, size).expect("a possible size"),
            text: text(size, [&black, &white], side),
            side,
        };
        (puzzle, row[6..].to_vec())
    };
    csv_rows("hex/puzzles.csv").into_iter().map(read).collect()
}

#[test]
fn puzzles_are_read() {
    let puzzles = puzzles();
    assert_eq!(puzzles.len(), 65);
    for (Puzzle { name, game, text, side }, question) in puzzles {
        let state = game.parse_state(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(game.state_text(&state), text, "{name}");
        assert_eq!(game.turn(&state), Turn::Player(side), "{name}");
        if question[0] == "winning_moves" {
            for mv in question[1].split_whitespace() {
                assert!(game.parse_move(&state, mv).is_ok(), "{name}: {mv}");
            }
        }
    }
}

/// Reads the openings: the board's size, the first move, and the side that wins after it.
fn openings() -> Vec<(usize, String, String)> {
    let read = |row: Vec<String>| {
        let (size, _) = row[0].split_once('x').expect("a size");
        (size.parse().expect("a size"), row[1].clone(), row[2].clone())
    };
    csv_rows("hex/opening_winners.csv").into_iter().map(read).collect()
}

/// Checks that the files contain all first moves on 6x6, and the first moves in one half of 7x7,
/// including the middle.
#[test]
fn openings_are_read() {
    for (size, moves, black) in [(6, 36, 24), (7, 25, 14)] {
        let game = Hex::new(size, size).unwrap();
        let mut rows = openings();
        rows.retain(|row| row.0 == size);
        assert_eq!(rows.len(), moves);
        for (_, cell, _) in &rows {
            let mut state = game.initial_state();
            let mv = game.parse_move(&state, cell).expect("an empty cell");
            game.play(&mut state, mv);
            assert_eq!(game.state_text(&state), text(size, [cell, ""], 1));
        }
        assert_eq!(rows.iter().filter(|row| row.2 == "black").count(), black);
    }
}

/// Compares the winners after some first moves, and after their images under a half turn, with
/// published results; those on 7x7 are from Hayward et al., *Solving 7x7 Hex: virtual connections
/// and game-state reduction*, 2003.
#[test]
fn provers_find_who_wins_after_the_first_move() {
    let few = [(6, "a2 b1 c3 d3 e2 f1"), (7, "d1 d4 c5")];
    let mut asked = 0;
    for (size, cell, winner) in openings() {
        let chosen = few.iter().any(|&(of, cells)| of == size && cells.contains(&cell));
        if !chosen {
            continue;
        }
        let game = Hex::new(size, size).unwrap();
        let start = game.initial_state();
        let first = game.after(&start, game.parse_move(&start, &cell).unwrap());
        let mut images = vec![first];
        game.knowledge().symmetries(&first, &mut images);
        for image in images {
            let config = ProverConfig::default().algorithm(Algorithm::Auto).goal(ProofGoal::Win);
            let config = config.threads(1).table(1 << 24);
            let report = prove(game.clone(), image, config, &Budget::default()).unwrap();
            let expected = if winner == "white" { Value::Win } else { Value::Loss };
            assert_eq!(report.proven, expected, "{}", game.state_text(&image));
            asked += 1;
        }
    }
    assert_eq!(asked, 18);
}

/// Solves puzzles with up to 16 empty cells, which have few enough positions for plain recursion.
#[test]
fn small_puzzles_have_their_answers() {
    let mut solved = 0;
    for (Puzzle { name, game, text, side }, question) in puzzles() {
        let state = game.parse_state(&text).expect("a position");
        let mut moves = Vec::new();
        game.legal_moves(&state, &mut moves);
        if moves.len() > 16 {
            continue;
        }
        assert_eq!(question[0], "winner", "{name}");
        let expected = if question[1] == ["black", "white"][side] { 1 } else { -1 };
        assert_eq!(Oracle::new(&game, side).value(&state), expected, "{name}");
        solved += 1;
    }
    assert_eq!(solved, 3);
}
