//! A game in progress, shared by all protocols in which the engine plays.

use super::events::{Events, Heard, Terms};
use proofwood::{Budget, CancelToken, Clock, Config, Rng, Turn, Value};
use proofwood_any_game::{Answer, MoveAnswer, Position, Rules, Searching, search_among};
use proofwood_session::Trouble;
use proofwood_session::contest::{Contender, Player};
use proofwood_session::input::spec::find_game;
use std::time::Duration;

/// The value of [`Table::grace`] if the command line sets no time.
const GRACE: Duration = Duration::from_secs(1);

/// A game, the current position, and the moves before it.
pub(crate) struct Table {
    pub(super) game: String,
    pub(super) rules: Box<dyn Rules>,
    pub(super) position: Box<dyn Position>,
    past: Vec<(Box<dyn Position>, String)>,
    player: Player,
    contender: Contender,
    dice: Rng,
}

impl Table {
    pub(crate) fn new(spec: &str, contender: Contender) -> Result<Table, Trouble> {
        let (game, rules) = find_game(spec)?;
        let dice = Rng::new(contender.config.seed);
        let player = Player::new(&contender, contender.config.seed, &CancelToken::new());
        let position = rules.start();
        Ok(Table { game, rules, position, past: Vec::new(), player, contender, dice })
    }

    pub(super) fn config(&self) -> &Config {
        &self.contender.config
    }

    pub(super) fn configure(&mut self, config: Config) {
        self.contender.config = config;
        let seed = self.contender.config.seed;
        self.player = Player::new(&self.contender, seed, &CancelToken::new());
    }

    /// Returns the budget of a move for which the other side sets no limit.
    pub(super) fn usual(&self) -> Budget {
        self.contender.budget.clone()
    }

    /// Returns the time for which a search with its own limits may continue after the end of input.
    pub(super) fn grace(&self) -> Duration {
        self.contender.budget.time.unwrap_or(GRACE)
    }

    /// Starts again from `position`, or from the start of the game if it is `None`.
    pub(super) fn restart(&mut self, position: Option<Box<dyn Position>>) {
        self.position = position.unwrap_or_else(|| self.rules.start());
        self.past.clear();
        self.player.forget();
    }

    pub(super) fn change(&mut self, spec: &str) -> Result<(), Trouble> {
        (self.game, self.rules) = find_game(spec)?;
        self.restart(None);
        Ok(())
    }

    pub(super) fn moves(&self) -> impl ExactSizeIterator<Item = &str> {
        self.past.iter().map(|(_, mv)| mv.as_str())
    }

    /// Plays a move and returns it in the game's notation.
    pub(super) fn play(&mut self, text: &str) -> Result<String, String> {
        let before = self.position.copy();
        let played = self.position.play(text).map_err(|error| error.to_string())?;
        self.player.hear(&played);
        self.past.push((before, played.clone()));
        Ok(played)
    }

    /// Plays a move from a list, after any forced passes that the list omits.
    pub(super) fn follow(&mut self, text: &str) -> Result<(), String> {
        let played = self.position.copy().play_recorded(text);
        let played = played.map_err(|error| error.to_string())?;
        played.iter().try_for_each(|mv| self.play(mv).map(drop))
    }

    /// Records a move that leaves the position as it is, such as a pass after the end of the game,
    /// so that [`undo`](Table::undo) can take it back.
    pub(super) fn stand(&mut self, mv: &str) {
        self.past.push((self.position.copy(), mv.into()));
    }

    /// Takes back `moves` moves; returns false if fewer were played.
    pub(super) fn undo(&mut self, moves: usize) -> bool {
        let Some(left) = self.past.len().checked_sub(moves) else { return false };
        if let Some((position, _)) = self.past.drain(left..).next() {
            self.position = position;
            self.player.forget();
        }
        true
    }

    /// Draws an outcome of chance and plays it; returns `None` if it is not chance's turn.
    pub(super) fn roll(&mut self) -> Option<String> {
        if self.position.turn() != Turn::Chance {
            return None;
        }
        let before = self.position.copy();
        let mv = self.position.play_random(&mut self.dice);
        self.player.hear(&mv);
        self.past.push((before, mv.clone()));
        Some(mv)
    }

    /// Searches for the best move, considering only the moves in `among` if they are given.
    pub(super) fn think(
        &mut self,
        budget: Budget,
        among: Option<&[String]>,
        events: &mut Events,
        mut terms: Terms<'_>,
        hear: &mut dyn FnMut(Option<&str>) -> Heard,
    ) -> Result<Answer, Trouble> {
        let usual = &self.contender.budget;
        // The limit may be far off, but the answer is of no use after the end of the input.
        if (budget.time, budget.playouts) != (usual.time, usual.playouts) {
            terms.grace = Some(self.grace());
        }
        if let Some(moves) = among {
            let mut search = search_among(&*self.position, self.config(), moves)?;
            return Ok(events.run(&mut *search, &budget, terms, hear)?);
        }
        self.player.spend(budget);
        let run =
            |search: &mut dyn Searching, budget: &Budget| events.run(search, budget, terms, hear);
        let answer = self.player.think(&*self.position, run);
        if answer.is_err() {
            self.player.forget();
        }
        answer
    }
}

/// Returns the best move, then the others that were searched or proven, most visited first.
pub(super) fn ranked(answer: &Answer) -> Vec<&MoveAnswer> {
    let is_best = |mv: &MoveAnswer| answer.best_move.as_ref() == Some(&mv.text);
    let is_known = |mv: &&MoveAnswer| mv.visits > 0 || mv.proven != Value::Unknown || is_best(mv);
    let mut moves: Vec<&MoveAnswer> = answer.moves.iter().filter(is_known).collect();
    moves.sort_by_key(|mv| (!is_best(mv), u64::MAX - mv.visits));
    moves
}

/// Returns a player's expected share of the points, from 0 to 1. It is derived from the proven
/// value or, if none is proven, from the mean of the playouts.
pub(super) fn rate(proven: Value, mean: Option<f64>) -> Option<f64> {
    match proven {
        Value::Win => Some(1.0),
        Value::Draw => Some(0.5),
        Value::Loss => Some(0.0),
        _ => mean.map(|mean| mean.midpoint(1.0)),
    }
}

/// Returns the budget for a move if the time `left` on the clock must last for `moves` moves or, if
/// no number is given, for the rest of the game.
pub(super) fn on_clock(left: Duration, increment: Duration, moves: Option<u32>) -> Budget {
    let clock = Clock::new(left.max(Duration::from_millis(1))).increment(increment);
    match moves.filter(|&moves| moves > 0) {
        Some(moves) => clock.moves_to_go(moves).budget(),
        None => clock.budget(),
    }
}
