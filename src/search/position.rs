//! New positions for the root of a search.

use crate::error::SearchError;
use crate::game::{Game, TextError, Turn};
use crate::playout::{SharedSearch, SolvedTable};
use crate::rules::check_turn;
use crate::threads::catch_panic;
use crate::tree::{ROOT, Stage};

impl<G: Game, L> SharedSearch<G, L> {
    /// Returns the bytes of the memory budget that are left for nodes.
    pub(crate) fn tree_memory(&self) -> u64 {
        let solved = self.solved.as_ref().map_or(0, SolvedTable::bytes);
        let background = self.background.as_ref().map_or(0, |background| background.table.bytes());
        self.config.memory - solved - background
    }

    /// Returns the position after a move of the root, and the number of the child that it leads to,
    /// if the root has children.
    pub(crate) fn after_move(&self, mv: G::Move) -> Result<(G::State, Option<usize>), SearchError> {
        if self.root_turn == Turn::Over {
            let text = self.text_of(mv);
            let what = format!("the game is over before the move '{text}'");
            return Err(SearchError::Move(TextError::new(what)));
        }
        let word = self.tree.node(ROOT).load();
        let has_children = word.stage() == Stage::Expanded;
        let children = if has_children { word.num_children() } else { 0 };
        let found = (0..children).find(|&n| self.tree.child_move(word, n) == mv);
        if found.is_none() {
            let mut moves = Vec::new();
            self.game.legal_moves(&self.root, &mut moves);
            if has_children || !moves.contains(&mv) {
                let (game, text) = (&*self.game, self.text_of(mv));
                let error = TextError::illegal_move(game, &self.root, &text, &moves);
                return Err(SearchError::Move(error));
            }
        }
        Ok((self.game.after(&self.root, mv), found))
    }

    /// Returns the game's text for a move of the root. For an illegal move, which may have no text
    /// and may cause a panic, returns its debug output instead.
    fn text_of(&self, mv: G::Move) -> String {
        catch_panic(|| self.game.move_text(&self.root, mv)).unwrap_or_else(|_| format!("{mv:?}"))
    }

    /// Returns a copy of a position that may become the root, and the position's turn.
    pub(crate) fn look_at(&self, position: &G::State) -> Result<(G::State, Turn), SearchError> {
        let turn = self.game.turn(position);
        check_turn(&*self.game, turn)?;
        Ok((position.clone(), turn))
    }
}
