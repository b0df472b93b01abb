//! Compares the detection of lines on boards of all shapes with a check of every cell.

use proofwood::{Game, Rng, Turn};
use proofwood_games::{ConnectFour, Mnk};

fn has_line(board: &[Vec<char>], k: usize) -> bool {
    let at = |column: isize, row: isize| {
        let row = board.get(usize::try_from(row).ok()?)?;
        row.get(usize::try_from(column).ok()?).copied().filter(|&c| c != '.')
    };
    let starts = (0..board.len()).flat_map(|row| (0..board[row].len()).map(move |c| (c, row)));
    starts.map(|(column, row)| (column as isize, row as isize)).any(|(column, row)| {
        [(1, 0), (0, 1), (1, 1), (1, -1)].iter().any(|(right, down)| {
            let mark = at(column, row);
            mark.is_some()
                && (1..k as isize).all(|i| at(column + i * right, row + i * down) == mark)
        })
    })
}

/// Plays random games and counts those that end with a line.
fn check<G: Game>(game: &G, k: usize, rng: &mut Rng) -> usize {
    let mut won = 0;
    for _ in 0..12 {
        let mut state = game.initial_state();
        loop {
            let text = game.state_text(&state);
            let board = text.split(' ').next().expect("a board");
            let rows: Vec<Vec<char>> = board.split('/').map(|row| row.chars().collect()).collect();
            let (line, full) = (has_line(&rows, k), !board.contains('.'));
            assert_eq!(game.turn(&state) == Turn::Over, line || full, "{text}");
            if line || full {
                assert_eq!(game.payoff(&state, 0) != 0, line, "{text}");
                won += usize::from(line);
                break;
            }
            let mv = game.random_move(&state, &mut Vec::new(), rng).expect("a move");
            game.play(&mut state, mv);
        }
    }
    won
}

#[test]
fn connect_four() {
    let mut rng = Rng::new(1);
    for k in 1..=5 {
        let mut won = 0;
        for width in 1..=32 {
            for height in 1..=(64 / width - 1) {
                // If no line fits on the board, the game is refused.
                if let Ok(game) = ConnectFour::new(width, height, k) {
                    won += check(&game, k, &mut rng);
                }
            }
        }
        assert!(won > 500, "only {won} games were won with {k}");
    }
}

#[test]
fn mnk() {
    let mut rng = Rng::new(2);
    for k in 1..=5 {
        let mut won = 0;
        for columns in 1..=64 {
            for rows in 1..=64 / columns {
                for players in 2..=4 {
                    if let Ok(game) = Mnk::new(columns, rows, k, players) {
                        won += check(&game, k, &mut rng);
                    }
                }
            }
        }
        assert!(won > 500, "only {won} games were won with {k}");
    }
}
