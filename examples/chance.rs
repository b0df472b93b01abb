//! A game with chance: catch a ball that the wind moves.
//!
//! `cargo run --release --example chance`

use proofwood::{Budget, Config, Game, Goal, Search, Turn};

// ANCHOR: game
/// A ball falls row by row down a field of five columns, and before each row a gust moves it up to
/// two columns to the left or to the right. Between gusts the player moves a paddle by one column
/// or not at all. A ball caught at the bottom is worth 3; a ball in a column beside the paddle is
/// worth 1.
struct Catch {
    rows: u8,
}

const COLUMNS: i8 = 5;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Field {
    ball: i8,
    paddle: i8,
    row: u8,
    /// Whether the wind moves the ball next; otherwise the player moves.
    wind: bool,
}

impl Game for Catch {
    type State = Field;
    /// A step to the left or the right, of the paddle or of the ball.
    type Move = i8;

    fn initial_state(&self) -> Field {
        Field { ball: 2, paddle: 0, row: 0, wind: true }
    }
    fn num_players(&self) -> usize {
        1
    }
    fn turn(&self, field: &Field) -> Turn {
        match field.row == self.rows {
            true => Turn::Over,
            false if field.wind => Turn::Chance,
            false => Turn::Player(0),
        }
    }
    fn legal_moves(&self, field: &Field, moves: &mut Vec<i8>) {
        let (column, reach) = if field.wind { (field.ball, 2) } else { (field.paddle, 1) };
        moves.extend((-reach..=reach).filter(|step| (0..COLUMNS).contains(&(column + step))));
    }
    fn play(&self, field: &mut Field, step: i8) {
        match field.wind {
            true => field.ball += step,
            false => (field.paddle, field.row) = (field.paddle + step, field.row + 1),
        }
        field.wind = !field.wind;
    }
    fn payoff(&self, field: &Field, _player: usize) -> i32 {
        match (field.ball - field.paddle).abs() {
            0 => 3,
            1 => 1,
            _ => 0,
        }
    }
    fn payoff_range(&self, _player: usize) -> std::ops::RangeInclusive<i32> {
        0..=3
    }

    // A game with chance also declares that it has chance, and the weights of the outcomes.
    fn has_chance(&self) -> bool {
        true
    }
    fn chance_weight(&self, _field: &Field, gust: i8) -> u32 {
        [1, 2, 1, 2, 3][(gust + 2) as usize]
    }
}
// ANCHOR_END: game

fn main() -> Result<(), proofwood::SearchError> {
    // ANCHOR: search
    let game = Catch { rows: 4 };
    let start = game.initial_state();
    let config = Config::default().goal(Goal::Score).threads(2);
    let mut search = Search::new(game, start, config)?;
    let report = search.search(&Budget::default().playouts(1_000_000))?;

    // Chance decides at the root: there is no move to choose, and every outcome
    // has its probability.
    assert_eq!((report.to_move, report.best_move), (None, None));
    for outcome in &report.moves {
        let (probability, value) = (outcome.probability.unwrap(), outcome.expected.unwrap());
        println!("gust {:+}  {:5.1} %  pays {value}", outcome.mv, probability * 100.0);
    }
    // The value is proven: exactly, or between two neighbouring fixed-point numbers.
    let expected = report.expected.expect("bounds are on");
    println!("expected payoff {expected} after {} playouts", report.playouts);
    assert!(expected.is_final());
    // ANCHOR_END: search

    Ok(())
}
