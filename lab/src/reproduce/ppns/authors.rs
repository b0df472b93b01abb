//! Positions from the program of the paper's authors.

use proofwood_session::Trouble;
use proofwood_session::input::position_file::PositionFile;

const CONNECT_FOUR: &str = include_str!("../../../data/ppns_connect_four.csv");
const OTHELLO: &str = include_str!("../../../data/ppns_othello.csv");

/// The authors' positions of Connect Four after 12 plies.
pub(crate) fn connect_four() -> Result<PositionFile, Trouble> {
    PositionFile::of_text("the authors' positions", CONNECT_FOUR.into())
}

/// Boards of Othello that the authors filed under `moves` moves.
pub(crate) fn othello(moves: u32) -> Result<PositionFile, Trouble> {
    let mut lines = OTHELLO.lines();
    let header = lines.next().into_iter();
    let stage = format!("{moves},");
    let text: Vec<&str> = header.chain(lines.filter(|line| line.starts_with(&stage))).collect();
    if text.len() < 2 {
        return Err(Trouble::Input(format!(
            "--from paper: the authors' positions of Othello are those of 22, 26, 36 and 40 moves, \
             not {moves}; choose with --plies 22,26,36,40, or leave --from out"
        )));
    }
    PositionFile::of_text("the authors' positions", text.join("\n"))
}
