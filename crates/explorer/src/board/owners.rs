//! The owners of placed pieces, as far as they follow from the moves.
//!
//! A Domineering position's text contains the covered cells, but not the players who covered them;
//! the text of Dots and Boxes contains only the numbers of boxes. This suffices for play, but a
//! picture should also show the owners, which follow from the moves.

use super::shape::{Board, Cell};
use std::collections::HashMap;

/// The owners of the pieces on a board whose pieces do not show their owners.
#[derive(Clone, Debug)]
pub(crate) struct Owners {
    /// For each cell with a piece, the piece's owner and drawing; `None` if the piece was there
    /// before the first move.
    of: HashMap<String, Option<(usize, &'static str)>>,
}

impl Owners {
    /// Returns the owners before the first move on this board; `None` if its pieces show their
    /// owners.
    pub(crate) fn of(board: &Board) -> Option<Owners> {
        let is_asked = ["dots", "dominoes"].contains(&board.shape);
        let of = placed(board).map(|cell| (cell.name.clone(), None)).collect();
        is_asked.then_some(Owners { of })
    }

    /// Records that this player's move has led to this board.
    pub(crate) fn moved(&mut self, player: usize, board: &Board) {
        let is_new = |cell: &&Cell| !self.of.contains_key(&cell.name);
        let new: Vec<&Cell> = placed(board).filter(is_new).collect();
        // The two halves of a domino are ordered from the top left to the bottom right.
        let halves = match new[..] {
            [a, b] if board.shape == "dominoes" && a.x == b.x => ["domino-top", "domino-bottom"],
            [_, _] if board.shape == "dominoes" => ["domino-left", "domino-right"],
            _ => ["box", "box"],
        };
        let owned = new.iter().zip(halves);
        self.of.extend(owned.map(|(cell, half)| (cell.name.clone(), Some((player, half)))));
    }

    /// Marks the owners of the pieces on the board; `players` are the players' names.
    pub(crate) fn mark(&self, board: &mut Board, players: &[String]) {
        for cell in &mut board.cells {
            let Some(&Some((player, half))) = self.of.get(&cell.name) else { continue };
            cell.owner = Some(player);
            cell.piece = Some(half.to_string());
            if cell.kind == "box" {
                cell.text = players.get(player).cloned();
            }
        }
    }
}

/// Returns the cells with a placed piece: a completed box, or half a domino.
fn placed(board: &Board) -> impl Iterator<Item = &Cell> {
    let is_placed = |cell: &&Cell| cell.piece.is_some() && ["box", "square"].contains(&cell.kind);
    board.cells.iter().filter(is_placed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(drawing: &str) -> Board {
        Board::new("domineering", "", drawing, Some(0))
    }

    #[test]
    fn dominoes_belong_to_who_placed_them() {
        let mut owners = Owners::of(&board("2 x . .\n1 x . .\n  a b c\n")).expect("dominoes");
        owners.moved(1, &board("2 x . .\n1 x x x\n  a b c\n"));
        let mut last = board("2 x . .\n1 x x x\n  a b c\n");
        owners.mark(&mut last, &[]);
        let pieces = ["a1", "b1", "c1", "c2"].map(|name| {
            let cell = last.cell(name).expect("a cell");
            (cell.owner, cell.piece.as_deref())
        });
        let [left, right] = ["domino-left", "domino-right"].map(|half| (Some(1), Some(half)));
        assert_eq!(pieces, [(None, Some("domino")), left, right, (None, None)]);
    }

    #[test]
    fn boxes_belong_to_who_drew_their_last_line() {
        let dots = |text: &str| Board::new("dots-and-boxes", text, "", Some(0));
        let mut owners = Owners::of(&dots("--/|.|/-./|../.. 0-0 A")).expect("boxes");
        let mut last = dots("--/|||/--/|../.. 0-2 B");
        owners.moved(1, &last);
        owners.mark(&mut last, &["A".to_string(), "B".into()]);
        let boxes: Vec<_> = last.cells.iter().filter(|cell| cell.kind == "box").collect();
        assert_eq!(
            boxes.iter().map(|cell| cell.owner).collect::<Vec<_>>(),
            [Some(1), Some(1), None, None]
        );
        assert_eq!(boxes[0].text.as_deref(), Some("B"));
        assert!(Owners::of(&Board::new("hex", "", "", None)).is_none());
    }
}
