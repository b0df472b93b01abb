//! Random positions of random games.

use crate::knowing::Knowing;
use proofwood::{Game, Turn};
use proofwood_testkit::dice::Dice;

#[derive(Clone, Debug)]
pub(crate) enum Rules {
    /// A random game of any shape and with any payoffs.
    Random(Knowing),
    /// A game in the registry, by its name and options.
    Named(String),
}

#[derive(Clone, Debug)]
pub(crate) struct Position {
    pub(crate) rules: Rules,
    /// The number of random moves from the start of the game.
    pub(crate) plies: usize,
    pub(crate) seed: u64,
}

impl Position {
    /// Draws a position. If it is to be `deep`, its game is a random game with a large tree.
    pub(crate) fn draw(deep: bool, dice: &mut Dice) -> Position {
        let seed = dice.below(1 << 32) as u64;
        let (rules, longest) = match dice.below(15) {
            _ if deep => (Rules::Random(Knowing::draw(seed, true, dice)), 3),
            0..=1 => (Rules::Named(p_game(seed, dice)), 2),
            2 => mnk(dice),
            3 => connect_four(dice),
            4 => (Rules::Named(format!("othello:4{}", empties(dice))), 12),
            5 => (Rules::Named(format!("othello:6{}", empties(dice))), 34),
            6 => (Rules::Named(with_dice(dice)), 20),
            _ => (Rules::Random(Knowing::draw(seed, false, dice)), 3),
        };
        let plies = if dice.chance(40) { 0 } else { dice.below(longest + 1) };
        Position { rules, plies, seed }
    }

    /// Plays the random moves. It rarely plays to the end of the game, where nothing is left to
    /// search.
    pub(crate) fn reach<G: Game>(&self, game: &G) -> G::State {
        let mut dice = Dice::new(self.seed);
        let mut state = game.initial_state();
        for _ in 0..self.plies {
            if game.turn(&state) == Turn::Over {
                break;
            }
            let mut moves = Vec::new();
            game.legal_moves(&state, &mut moves);
            let next = game.after(&state, dice.pick(&moves));
            if game.turn(&next) == Turn::Over && !dice.chance(10) {
                break;
            }
            state = next;
        }
        state
    }
}

fn p_game(seed: u64, dice: &mut Dice) -> String {
    // The last two have blocks of children as large as slabs and chunks.
    let (moves, depth) = dice.pick(&[
        (1, 9),
        (2, 4),
        (2, 10),
        (2, 30),
        (3, 6),
        (4, 12),
        (8, 3),
        (60, 2),
        (3000, 2),
        (40_000, 1),
    ]);
    let leaves = match dice.below(3) {
        0 => format!("win={}", dice.below(101)),
        1 => format!("values={}", dice.pick(&[1, 4, 1_000_000])),
        _ => "win=50".into(),
    };
    format!("p-game:{moves},{depth},seed={seed},early={},{leaves}", dice.pick(&[0, 0, 10, 50]))
}

fn mnk(dice: &mut Dice) -> (Rules, usize) {
    let (columns, rows) = (1 + dice.below(5), 1 + dice.below(5));
    let line = 1 + dice.below(columns.max(rows));
    let players = dice.pick(&[2, 2, 3, 4]);
    (Rules::Named(format!("mnk:{columns},{rows},{line},players={players}")), columns * rows)
}

fn connect_four(dice: &mut Dice) -> (Rules, usize) {
    let (width, height) = (1 + dice.below(7), 1 + dice.below(6));
    let line = (2 + dice.below(3)).min(width.max(height));
    (Rules::Named(format!("connect-four:{width}x{height},k={line}")), width * height)
}

fn with_dice(dice: &mut Dice) -> String {
    let target = 4 + dice.below(20);
    match dice.below(3) {
        0 => format!("pig:{target},turns={}", 2 + dice.below(8)),
        1 => format!("pig:{target},players=3"),
        _ => "ewn:3".into(),
    }
}

fn empties(dice: &mut Dice) -> &'static str {
    dice.pick(&["", ",empties"])
}
