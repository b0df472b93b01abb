//! A game under way at which the engine sits, as one protocol after the other talks of it.

use super::events::{Events, Heard, Reports};
use crate::contest::{Contender, Player};
use crate::exit::Failure;
use crate::input::positions::find_game;
use proofwood::{Budget, CancelToken, Clock, Config, Rng, Turn};
use proofwood_any_game::{Answer, Position, Rules};
use std::time::Duration;

/// A game, a position in it, and how it came about.
pub(crate) struct Table {
    /// The game's description.
    pub(super) game: String,
    pub(super) rules: Box<dyn Rules>,
    pub(super) position: Box<dyn Position>,
    /// Each position before a move, and the move.
    past: Vec<(Box<dyn Position>, String)>,
    player: Player,
    contender: Contender,
    dice: Rng,
}

impl Table {
    /// A game at its start.
    pub(crate) fn new(spec: &str, contender: Contender) -> Result<Table, Failure> {
        let (game, rules) = find_game(spec)?;
        let dice = Rng::new(contender.config.seed);
        let player = Player::new(&contender, contender.config.seed, &CancelToken::new());
        let position = rules.start();
        Ok(Table { game, rules, position, past: Vec::new(), player, contender, dice })
    }

    /// The configuration of its searches.
    pub(super) fn config(&self) -> &Config {
        &self.contender.config
    }

    /// Searches from now on with another configuration.
    pub(super) fn configure(&mut self, config: Config) {
        self.contender.config = config;
        let seed = self.contender.config.seed;
        self.player = Player::new(&self.contender, seed, &CancelToken::new());
    }

    /// What a move may take where nothing else is said.
    pub(super) fn usual(&self) -> Budget {
        self.contender.budget.clone()
    }

    /// Begins again, at a position, or at the start.
    pub(super) fn restart(&mut self, position: Option<Box<dyn Position>>) {
        self.position = position.unwrap_or_else(|| self.rules.start());
        self.past.clear();
        self.player.forget();
    }

    /// Plays another game from now on.
    pub(super) fn change(&mut self, spec: &str) -> Result<(), Failure> {
        (self.game, self.rules) = find_game(spec)?;
        self.restart(None);
        Ok(())
    }

    /// The moves that were played here.
    pub(super) fn moves(&self) -> impl ExactSizeIterator<Item = &str> {
        self.past.iter().map(|(_, mv)| mv.as_str())
    }

    /// Plays a move.
    pub(super) fn play(&mut self, text: &str) -> Result<String, String> {
        let before = self.position.copy();
        let played = self.position.play(text).map_err(|error| error.to_string())?;
        // A pass that was left out, too.
        let mut walked = before.copy();
        if walked.play(&played).is_err() || walked.text() != self.position.text() {
            self.player.forget();
        } else {
            self.player.hear(&played);
        }
        self.past.push((before, played.clone()));
        Ok(played)
    }

    /// Somebody makes a move that changes nothing, such as a pass after the end of the game.
    /// It can be taken back.
    pub(super) fn stand(&mut self, mv: &str) {
        self.past.push((self.position.copy(), mv.into()));
    }

    /// Takes so many moves back; false when there are not so many.
    pub(super) fn undo(&mut self, moves: usize) -> bool {
        let Some(left) = self.past.len().checked_sub(moves) else { return false };
        if let Some((position, _)) = self.past.drain(left..).next() {
            self.position = position;
            self.player.forget();
        }
        true
    }

    /// Lets chance decide; `None` when it has nothing to decide.
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

    /// What the engine would play.
    pub(super) fn think(
        &mut self,
        budget: Budget,
        events: &mut Events,
        reports: Reports<'_>,
        hear: &mut dyn FnMut(Option<&str>) -> Heard,
    ) -> Result<Answer, Failure> {
        self.player.spend(budget);
        let run = |search: &mut dyn proofwood_any_game::Searching, budget: &Budget| {
            events.run(search, budget, reports, hear)
        };
        let answer = self.player.think(&*self.position, run);
        if answer.is_err() {
            self.player.forget();
        }
        answer
    }
}

/// What a move may take of a clock.
pub(super) fn on_clock(left: Duration, increment: Duration, moves: Option<u32>) -> Budget {
    let clock = Clock::new(left.max(Duration::from_millis(1))).increment(increment);
    match moves.filter(|&moves| moves > 0) {
        Some(moves) => clock.moves_to_go(moves).budget(),
        None => clock.budget(),
    }
}
