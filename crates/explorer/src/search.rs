//! A running search.
//!
//! It proceeds in parts: without threads, each part ends before [`SearchTask::step`] returns; with
//! threads, the part continues in the background. Between parts the tree is at rest and can be
//! read.

use crate::options;
use crate::place::Place;
use crate::task::{Task, Told, to_json};
use proofwood::{Budget, CancelToken, Config, Goal, StopReason};
use proofwood_any_game::query::{self, Given, Part, Wrong};
use proofwood_any_game::{Answer, Branch, Searching};
use serde_json::Value;
use std::io::Read;
use std::time::Duration;

/// The default interval between answers.
const EVERY: Duration = Duration::from_millis(200);
/// The least time for a part.
const SHORTEST: Duration = Duration::from_millis(1);
/// The greatest number of moves in a reported line.
const LINE: u32 = 12;
/// The greatest depth and width of the part of a tree that an answer shows.
const DEEPEST: u32 = 12;
const WIDEST: u32 = 200;

/// The latest search, whose tree is kept after its end.
pub(crate) struct SearchTask {
    /// The id of the request that the search answers; `None` once it has ended.
    id: Option<Value>,
    place: Place,
    config: Config,
    searching: Box<dyn Searching>,
    /// Cancels the part that threads are working on; `None` if there is none.
    running: Option<CancelToken>,
    limits: Left,
    every: Duration,
    /// The time spent on this request.
    spent: Duration,
    playouts: u64,
    since_told: Duration,
}

#[derive(Clone, Copy)]
struct Left {
    playouts: Option<u64>,
    time: Option<Duration>,
}

/// The description of a saved tree: its game, position and options.
#[derive(Clone, Debug, Default)]
pub struct KeptTree {
    /// The game's description.
    pub game: String,
    /// The position in its text form; empty for the start.
    pub position: String,
    /// The options that the meaning of the tree depends on, by name.
    pub options: Vec<(String, String)>,
}

impl SearchTask {
    /// Creates a search from a saved tree, without a request.
    pub(crate) fn loaded(
        kept: &KeptTree,
        threads: usize,
        input: &mut dyn Read,
    ) -> Result<SearchTask, Wrong> {
        let text = |(name, value): &(String, String)| (name.clone(), Given::Text(value.clone()));
        let asked = query::Task {
            game: Some(kept.game.clone()),
            position: Some(kept.position.clone()),
            options: kept.options.iter().map(text).collect(),
            ..query::Task::default()
        };
        let mut task = SearchTask::new(Value::Null, &asked, Config::default(), threads, None)?;
        task.searching.load_tree(&task.place.spec, input).map_err(Wrong::new)?;
        task.id = None;
        Ok(task)
    }

    /// Returns the answer of the loaded tree.
    pub(crate) fn known(&mut self) -> Result<Answer, Wrong> {
        self.rest()?;
        Ok(self.told(self.searching.snapshot(), None))
    }

    /// Prepares a search; continues with the tree of `earlier` if that searched the same game with
    /// the same options, and the position is a later one.
    pub(crate) fn new(
        id: Value,
        asked: &query::Task,
        base: Config,
        threads: usize,
        earlier: Option<SearchTask>,
    ) -> Result<SearchTask, Wrong> {
        let place = Place::find(&asked.of())?;
        let mut config = options::search(base, threads, &asked.options)?;
        // In games with dice, users rarely ask for a certain win.
        if place.position.has_chance() && config.score_bounds && !asked.options.contains_key("goal")
        {
            config = config.goal(Goal::Score);
        }
        let Budget { playouts, time, .. } = asked.budget()?.unwrap_or_default();
        let limits = Left { playouts, time };
        let every = asked.every()?.unwrap_or(EVERY);
        let searching = match earlier.and_then(|earlier| earlier.gone_on(&place, &config)) {
            Some(searching) => searching,
            None => place.position.search(&config)?,
        };
        Ok(SearchTask {
            id: Some(id),
            place,
            config,
            searching,
            running: None,
            limits,
            every,
            spent: Duration::ZERO,
            playouts: 0,
            since_told: Duration::ZERO,
        })
    }

    /// Returns the search moved to a later position; `None` if the position is not a later one.
    fn gone_on(mut self, place: &Place, config: &Config) -> Option<Box<dyn Searching>> {
        let Place { spec, start, played, .. } = &self.place;
        let same = *spec == place.spec && *start == place.start && self.config == *config;
        let moves =
            place.played.strip_prefix(&played[..]).filter(|_| same && self.running.is_none())?;
        for text in moves {
            self.searching.advance(text).ok()?;
        }
        Some(self.searching)
    }

    /// Starts a part of the search. Without threads, the part has ended when this returns.
    fn start(&mut self, time: Duration) -> Result<(), Wrong> {
        let part = if cfg!(target_family = "wasm") { time } else { self.every };
        let part = self.limits.time.map_or(part, |left| left.min(part));
        let cancel = CancelToken::new();
        let budget = Budget::default().time(part.max(SHORTEST)).cancel(&cancel);
        let playouts = self.limits.playouts;
        let budget = playouts.map_or(budget.clone(), |left| budget.playouts(left));
        self.searching.start(&budget)?;
        self.running = Some(cancel);
        Ok(())
    }

    fn wait(&mut self) -> Result<Answer, Wrong> {
        self.running = None;
        let answer = self.searching.wait()?;
        self.account(&answer);
        Ok(answer)
    }

    /// Stops the running part, if there is one, and waits for it, so that the tree is at rest.
    fn rest(&mut self) -> Result<(), Wrong> {
        if let Some(cancel) = self.running.take() {
            cancel.cancel();
            self.wait()?;
        }
        Ok(())
    }

    /// Subtracts the work of a part from the remaining limits.
    fn account(&mut self, answer: &Answer) {
        self.playouts += answer.playouts;
        self.spent += answer.elapsed;
        self.since_told += answer.elapsed;
        let Left { playouts: left, time } = &mut self.limits;
        *left = left.map(|left| left.saturating_sub(answer.playouts));
        *time = time.map(|time| time.saturating_sub(answer.elapsed));
    }

    /// Returns the answer of a part, with the figures of all parts and the line after each move.
    fn told(&self, mut answer: Answer, ended: Option<StopReason>) -> Answer {
        answer.stop_reason = ended;
        // The tree includes the playouts of earlier requests.
        answer.playouts = self.searching.tree(&[], 0, 0).map_or(self.playouts, |root| root.visits);
        answer.elapsed = self.spent;
        // A clock of whole milliseconds may not have advanced.
        let seconds = self.spent.as_secs_f64().max(1e-3);
        answer.playouts_per_second = self.playouts as f64 / seconds;
        for known in &mut answer.moves {
            known.pv = self.line(&known.text);
        }
        answer
    }

    /// Returns a move and the most-visited line that follows it.
    fn line(&self, text: &str) -> Vec<String> {
        let Ok(branch) = self.searching.tree(&[text.to_string()], LINE - 1, 1) else {
            return vec![text.into()];
        };
        let mut line = vec![text.into()];
        let mut at = &branch;
        while let Some(next) = at.children.first().filter(|next| next.visits > 0) {
            line.extend(next.text.clone());
            at = next;
        }
        line
    }

    /// Returns a section of the tree. Stops the running part of the search first.
    pub(crate) fn tree(&mut self, of: &Part) -> Result<Branch, Wrong> {
        self.rest()?;
        let depth = of.depth.unwrap_or(2).min(DEEPEST);
        let width = of.width.unwrap_or(8).min(WIDEST) as usize;
        self.searching.tree(&of.path, depth, width).map_err(Wrong::new)
    }
}

impl Task for SearchTask {
    fn id(&mut self) -> &mut Option<Value> {
        &mut self.id
    }

    fn is_under_way(&self) -> bool {
        self.id.is_some()
    }

    /// Runs the next part of the search. If threads do the work, starts the part or checks its
    /// progress.
    fn step(
        &mut self,
        time: Duration,
        bell: Box<dyn FnOnce() + Send>,
    ) -> Result<Option<Told>, Wrong> {
        if self.running.is_none() {
            self.start(time)?;
            self.searching.on_end(bell);
        }
        if self.searching.is_running() {
            return Ok(None);
        }
        let answer = self.wait()?;
        let ended = match answer.stop_reason {
            // The time of a part may end with the last playout.
            Some(StopReason::Time) if self.limits.playouts == Some(0) => Some(StopReason::Playouts),
            Some(StopReason::Time) if self.limits.time != Some(Duration::ZERO) => None,
            reason => reason,
        };
        if ended.is_none() && self.since_told < self.every {
            return Ok(None);
        }
        self.since_told = Duration::ZERO;
        let answer = to_json(&self.told(answer, ended))?;
        Ok(Some(Told { answer, last: ended.is_some(), over: false }))
    }

    fn stop(&mut self) -> Result<Value, Wrong> {
        self.rest()?;
        to_json(&self.told(self.searching.snapshot(), Some(StopReason::Stopped)))
    }
}
