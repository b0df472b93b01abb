//! The clicks that play a move.

use super::shape::Board;

impl Board {
    /// Returns the cells to click, in order, for a move as the game writes it. The list is empty
    /// for a move that the board does not show, such as a pass; the page has a button for it. Moves
    /// may share their cells, as promotions do; a page then asks the user to choose.
    pub fn clicks(&self, mv: &str) -> Vec<String> {
        let cells = match self.shape {
            "drop" => self.lands(mv),
            // The cell that names a domino: the lower or the left one.
            "dominoes" => self.leading(mv).map(|(cell, _)| vec![cell]),
            "dots" => self.cell(mv).map(|cell| vec![cell.name.clone()]),
            "shogi" if mv.contains('@') => self.drops(mv),
            _ => self.steps(mv),
        };
        cells.unwrap_or_default()
    }

    /// Returns the cells of a move that is written as one cell, or as two cells with an optional
    /// suffix.
    fn steps(&self, mv: &str) -> Option<Vec<String>> {
        let (from, rest) = self.leading(mv)?;
        match self.leading(rest) {
            Some((to, _)) => Some(vec![from, to]),
            None if rest.is_empty() => Some(vec![from]),
            None => None,
        }
    }

    /// Returns the lowest free cell of the column whose number is the move; columns are counted
    /// from 1.
    fn lands(&self, mv: &str) -> Option<Vec<String>> {
        let x = mv.parse::<usize>().ok()? as f64 - 0.5;
        let free = self.cells.iter().filter(|cell| cell.x == x && cell.piece.is_none());
        let lowest = free.max_by(|a, b| a.y.total_cmp(&b.y))?;
        Some(vec![lowest.name.clone()])
    }

    /// Returns the cells of a drop: the piece in the mover's hand, and the target cell.
    fn drops(&self, mv: &str) -> Option<Vec<String>> {
        let (letter, to) = mv.split_once('@')?;
        let hand = match self.hand? {
            0 => letter.to_ascii_uppercase(),
            _ => letter.to_ascii_lowercase(),
        };
        let cells = vec![format!("{hand}@"), to.to_string()];
        cells.iter().all(|name| self.cell(name).is_some()).then_some(cells)
    }

    /// Returns the cell at the start of a text, and the rest.
    fn leading<'t>(&self, text: &'t str) -> Option<(String, &'t str)> {
        let digits = text.find(|c: char| !c.is_ascii_lowercase()).filter(|&digits| digits > 0)?;
        let length = text[digits..].bytes().take_while(u8::is_ascii_digit).count();
        let (name, rest) = text.split_at(digits + length);
        Some((self.cell(name)?.name.clone(), rest))
    }
}
