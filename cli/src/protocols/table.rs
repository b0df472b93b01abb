//! A game under way at which the engine sits, as one protocol after the other talks of it.

use super::events::{Events, Heard, Terms};
use proofwood::{Budget, CancelToken, Clock, Config, Rng, Turn, Value};
use proofwood_any_game::{Answer, MoveAnswer, Position, Rules, Searching, search_among};
use proofwood_session::Trouble;
use proofwood_session::contest::{Contender, Player};
use proofwood_session::input::spec::find_game;
use std::time::Duration;

/// [`Table::grace`] where the command line has no time.
const GRACE: Duration = Duration::from_secs(1);

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
    pub(crate) fn new(spec: &str, contender: Contender) -> Result<Table, Trouble> {
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

    /// How long a search with a limit of its own goes on after the end of the input.
    pub(super) fn grace(&self) -> Duration {
        self.contender.budget.time.unwrap_or(GRACE)
    }

    /// Begins again, at a position, or at the start.
    pub(super) fn restart(&mut self, position: Option<Box<dyn Position>>) {
        self.position = position.unwrap_or_else(|| self.rules.start());
        self.past.clear();
        self.player.forget();
    }

    /// Plays another game from now on.
    pub(super) fn change(&mut self, spec: &str) -> Result<(), Trouble> {
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
        self.player.hear(&played);
        self.past.push((before, played.clone()));
        Ok(played)
    }

    /// Plays a move of a list, and before it the forced passes that the list leaves out.
    pub(super) fn follow(&mut self, text: &str) -> Result<(), String> {
        let played = self.position.copy().play_recorded(text);
        let played = played.map_err(|error| error.to_string())?;
        played.iter().try_for_each(|mv| self.play(mv).map(drop))
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

    /// What the engine would play, of these moves where some are named.
    pub(super) fn think(
        &mut self,
        budget: Budget,
        among: Option<&[String]>,
        events: &mut Events,
        mut terms: Terms<'_>,
        hear: &mut dyn FnMut(Option<&str>) -> Heard,
    ) -> Result<Answer, Trouble> {
        let usual = &self.contender.budget;
        // A limit that the other side has set may be far off, and it has gone.
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

/// The moves that an answer tells of, the best one first and then those with the most visits;
/// those of which nothing is known are left out.
pub(super) fn ranked(answer: &Answer) -> Vec<&MoveAnswer> {
    let is_best = |mv: &MoveAnswer| answer.best_move.as_ref() == Some(&mv.text);
    let is_known = |mv: &&MoveAnswer| mv.visits > 0 || mv.proven != Value::Unknown || is_best(mv);
    let mut moves: Vec<&MoveAnswer> = answer.moves.iter().filter(is_known).collect();
    moves.sort_by_key(|mv| (!is_best(mv), u64::MAX - mv.visits));
    moves
}

/// The share of points that a proof brings, or that playouts brought.
pub(super) fn rate(proven: Value, mean: Option<f64>) -> Option<f64> {
    match proven {
        Value::Win => Some(1.0),
        Value::Draw => Some(0.5),
        Value::Loss => Some(0.0),
        _ => mean.map(|mean| mean.midpoint(1.0)),
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
