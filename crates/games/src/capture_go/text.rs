//! Reads positions of Atari Go and NoGo.

use super::{CaptureGo, State};
use crate::stones::groups::without_liberty;
use crate::stones::{Cells, SIDES, each};
use proofwood_game::TextError;

pub(super) fn read(game: &CaptureGo, text: &str) -> Result<State, TextError> {
    let read = game.board.read(text)?;
    check_start(game, read.stones)?;
    let side = side_to_move(read.stones)?;
    if let Some(named) = read.side.filter(|&named| named != side) {
        return Err(TextError::new(format!(
            "the side to move cannot be '{}': with {} stones on the board it is {}'s turn",
            SIDES[named],
            (read.stones[0] | read.stones[1]).count_ones(),
            SIDES[side],
        )));
    }
    let dead = dead(game, read.stones);
    if dead == [0; 2] {
        return Ok(game.position(read.stones, side as u8));
    }
    check_capture(game, read.stones, side, dead)?;
    Ok(State { stones: read.stones, moves: 0, captures: 0, side: side as u8 })
}

/// Checks that the stones of the crosscut are in place.
fn check_start(game: &CaptureGo, stones: [Cells; 2]) -> Result<(), TextError> {
    for side in 0..2 {
        if let Some(cell) = each(game.start[side] & !stones[side]).next() {
            return Err(TextError::new(format!(
                "{} must hold {}: the game starts with a crosscut in the centre",
                game.board.name(cell),
                SIDES[side],
            )));
        }
    }
    Ok(())
}

/// The side to move, implied by the numbers of stones: black moves first and there are no passes.
fn side_to_move(stones: [Cells; 2]) -> Result<usize, TextError> {
    let [x, o] = stones.map(Cells::count_ones);
    match x.checked_sub(o) {
        Some(0) => Ok(0),
        Some(1) => Ok(1),
        _ => Err(TextError::new(format!(
            "X has {x} stones and O has {o}; X moves first, so it must have as many as O or one \
             more"
        ))),
    }
}

fn dead(game: &CaptureGo, stones: [Cells; 2]) -> [Cells; 2] {
    let empty = game.board.all & !(stones[0] | stones[1]);
    stones.map(|stones| without_liberty(stones, empty))
}

/// Checks that groups without liberties were captured by the last move: captures must be allowed,
/// the groups must belong to the side to move, and a single stone of the other side must have
/// filled all their last liberties.
fn check_capture(
    game: &CaptureGo,
    stones: [Cells; 2],
    side: usize,
    dead: [Cells; 2],
) -> Result<(), TextError> {
    let last = 1 - side;
    let found = if dead[side] != 0 { side } else { last };
    let refuse = |why: &str| {
        let cell = dead[found].trailing_zeros() as u8;
        let (owner, name) = (SIDES[found], game.board.name(cell));
        Err(TextError::new(format!("{owner}'s group at {name} has no liberty, {why}")))
    };
    if !game.capture_wins {
        return refuse("but nothing may be captured");
    }
    if found == last {
        return refuse("but a move must not take its own group's last liberty");
    }
    let before = |cell: u8| {
        let mut stones = stones;
        stones[last] &= !(1 << cell);
        stones
    };
    match each(stones[last] & !game.start[last]).any(|cell| dead_none(game, before(cell))) {
        true => Ok(()),
        false => refuse("but no single last move can have captured it"),
    }
}

fn dead_none(game: &CaptureGo, stones: [Cells; 2]) -> bool {
    dead(game, stones) == [0; 2]
}
