//! GoGui's commands, which present a game as a board.

use super::analysis;
use super::line::Command;
use super::session::{Reply, Session};
use proofwood::Turn;
use proofwood_notation::gtp::Board;
use proofwood_session::words::players;

/// The commands that need a board.
pub(super) const COMMANDS: &[&str] = &["gogui-rules_board", "gogui-rules_board_size"];

impl Session {
    /// Returns the position's board if it has at most 25 columns, so that GoGui can show it.
    pub(super) fn board(&self) -> Option<Board> {
        Board::read(&self.table.position.view()).filter(|board| board.columns() <= 25)
    }

    pub(super) fn gogui(&mut self, command: &Command) -> Reply {
        let position = &self.table.position;
        match &*command.name {
            "gogui-interrupt" | "gogui-version" => Ok(String::new()),
            "gogui-analyze_commands" => Ok(analysis::MENU.into()),
            "gogui-rules_game_id" => Ok(game_id(&self.table.game)),
            "gogui-rules_board_size" => {
                let board =
                    self.board().ok_or("this game's board does not consist of rows and columns")?;
                Ok(match (board.columns(), board.rows.len()) {
                    (columns, rows) if columns == rows => rows.to_string(),
                    (columns, rows) => format!("{columns} {rows}"),
                })
            }
            "gogui-rules_board" => {
                let board =
                    self.board().ok_or("this game's board does not consist of rows and columns")?;
                let colours = self.colours();
                let sign = |owner: &Option<usize>| match owner.map(|owner| colours.name(owner)) {
                    Some(colour) if colour == "black" => "X",
                    Some(colour) if colour == "white" => "O",
                    _ => ".",
                };
                let row =
                    |row: &Vec<Option<usize>>| row.iter().map(sign).collect::<Vec<_>>().join(" ");
                let rows = board.owners(&self.table.rules.player_names());
                Ok(rows.iter().map(row).collect::<Vec<_>>().join("\n"))
            }
            "gogui-rules_legal_moves" => {
                let (notation, moves) = (self.notation(), position.view().legal_moves);
                let moves: Vec<String> = moves.iter().map(|mv| notation.write(mv)).collect();
                Ok(moves.join(" "))
            }
            "gogui-rules_side_to_move" => Ok(match position.turn() {
                Turn::Player(mover) => self.colours().name(mover),
                Turn::Chance => "chance".into(),
                // GoGui expects a colour even after the end of the game.
                Turn::Over => self.colours().name(0),
            }),
            "gogui-rules_final_result" => Ok(match position.turn() {
                Turn::Over => {
                    let payoffs = position.payoffs();
                    let best = payoffs.iter().max();
                    let winners: Vec<usize> =
                        (0..payoffs.len()).filter(|&p| payoffs.get(p) == best).collect();
                    match winners[..] {
                        [one] if payoffs.len() > 1 => {
                            format!("{} wins", players::name(&self.table.rules.player_names(), one))
                        }
                        _ => "draw".into(),
                    }
                }
                _ => String::new(),
            }),
            _ => Err("unknown command".into()),
        }
    }
}

/// Returns the game's name in the form that GoGui expects: alphanumeric and capitalised.
fn game_id(spec: &str) -> String {
    let name = spec.split(':').next().unwrap_or_default();
    let mut letters = name.chars().filter(char::is_ascii_alphanumeric);
    let first = letters.next().map(|c| c.to_ascii_uppercase());
    first.into_iter().chain(letters.map(|c| c.to_ascii_lowercase())).collect()
}
