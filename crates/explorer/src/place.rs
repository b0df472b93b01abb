//! A position: game, start and moves.

use crate::board::{Board, Owners};
use proofwood::{TextError, Turn};
use proofwood_any_game::query::{Where, Wrong};
use proofwood_any_game::{Position, Rules, View};
use proofwood_games::{find_info, spelled};
use serde::Serialize;

pub(crate) struct Place {
    /// The game's description in canonical form.
    pub(crate) spec: String,
    pub(crate) rules: Box<dyn Rules>,
    pub(crate) start: String,
    pub(crate) position: Box<dyn Position>,
    /// The moves as the game writes them.
    pub(crate) played: Vec<String>,
    last: Vec<String>,
    /// The owners of pieces, if only the moves show them.
    owners: Option<Owners>,
}

/// Finds a game by its description, or by its name alone: if the game needs more than that, its
/// example is used.
pub(crate) fn find(spec: &str) -> Result<(String, Box<dyn Rules>), Wrong> {
    match proofwood_any_game::find(spec) {
        Ok(rules) => Ok((spelled(spec), rules)),
        Err(error) => match find_info(spec) {
            Ok(info) => Ok((info.example.into(), proofwood_any_game::find(info.example)?)),
            Err(_) => Err(Wrong::of("game", error)),
        },
    }
}

impl Place {
    pub(crate) fn find(of: &Where) -> Result<Place, Wrong> {
        let missing = || Wrong::of("game", "game is missing; give one, such as \"othello\"");
        let (spec, rules) = find(of.game.as_deref().ok_or_else(missing)?)?;
        let position = match &of.position {
            Some(text) if !text.trim().is_empty() => {
                rules.read(text).map_err(|error| Wrong::of("position", error))?
            }
            _ => rules.start(),
        };
        let moves = of.moves.cut(|text| rules.split_moves(text));
        let (start, played) = (position.text(), Vec::with_capacity(moves.len()));
        let mut place =
            Place { spec, rules, start, position, played, last: Vec::new(), owners: None };
        place.owners = Owners::of(&place.board(&place.position.view()));
        for (number, text) in moves.iter().enumerate() {
            let wrong =
                |error: TextError| Wrong::of("moves", format!("move {}: {error}", number + 1));
            let played = place.position.copy().play_recorded(text).map_err(wrong)?;
            played.iter().try_for_each(|mv| place.play(mv)).map_err(wrong)?;
        }
        Ok(place)
    }

    pub(crate) fn play(&mut self, text: &str) -> Result<(), TextError> {
        let (turn, before) = (self.position.turn(), self.position.view());
        let played = self.position.play(text)?;
        self.last = self.board(&before).clicks(&played);
        self.played.push(played);
        let Turn::Player(player) = turn else { return Ok(()) };
        if let Some(mut owners) = self.owners.take() {
            owners.moved(player, &self.board(&self.position.view()));
            self.owners = Some(owners);
        }
        Ok(())
    }

    fn board(&self, view: &View) -> Board {
        let name = self.spec.split(':').next().unwrap_or_default();
        Board::new(name, &view.text, &view.board, view.to_move)
    }

    pub(crate) fn view(&self) -> PlaceJson {
        let view = self.position.view();
        let mut board = self.board(&view);
        if let Some(owners) = &self.owners {
            owners.mark(&mut board, &view.players);
        }
        let legal = view.legal_moves.into_iter().enumerate().map(|(number, text)| LegalJson {
            cells: board.clicks(&text),
            probability: view.probabilities.as_ref().map(|all| all[number]),
            text,
        });
        PlaceJson {
            legal: legal.collect(),
            game: self.spec.clone(),
            position: view.text,
            ply: self.played.len(),
            played: self.played.clone(),
            last: self.last.clone(),
            players: view.players,
            to_move: view.to_move,
            chance: view.probabilities.is_some(),
            over: view.payoffs.is_some(),
            payoffs: view.payoffs,
            zero_sum: self.rules.zero_sum(),
            board,
        }
    }
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct PlaceJson {
    game: String,
    position: String,
    ply: usize,
    played: Vec<String>,
    last: Vec<String>,
    players: Vec<String>,
    to_move: Option<usize>,
    chance: bool,
    over: bool,
    payoffs: Option<Vec<i32>>,
    zero_sum: bool,
    board: Board,
    legal: Vec<LegalJson>,
}

#[derive(Clone, Debug, Serialize)]
struct LegalJson {
    #[serde(rename = "move")]
    text: String,
    /// The cells to click, in order.
    cells: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    probability: Option<f64>,
}
