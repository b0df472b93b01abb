//! Parses queries into jobs.

use super::answer::Reply;
use super::trees::{self, Trees};
use proofwood::{Budget, CancelToken, Config};
use proofwood_any_game::query::{Ask, Query, Stop, Task, Wrong};
use proofwood_any_game::{Position, Rules};
use proofwood_session::Trouble;
use proofwood_session::input::limits::Limits;
use proofwood_session::input::moves::{about_move, split_moves};
use proofwood_session::input::options::SearchOptions;
use proofwood_session::input::provers::ProverOptions;
use proofwood_session::input::solver::Solver;
use proofwood_session::input::spec::find_game;
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// The default time limit of a search.
const USUAL_TIME: Duration = Duration::from_secs(5);

/// The default memory limit and table size of a search, in bytes.
const USUAL_MEMORY: u64 = 256 << 20;

/// The number of games whose rules are cached.
const GAMES: usize = 64;

/// The settings from the command line that apply to all queries.
pub(super) struct Defaults {
    /// The game for queries that do not name one.
    pub(super) game: Option<String>,
    pub(super) limits: Limits,
    pub(super) provers: ProverOptions,
    pub(super) options: SearchOptions,
    pub(super) threads: usize,
    /// The folder of the trees that queries load and save.
    pub(super) trees: Option<PathBuf>,
}

pub(super) struct Job {
    pub(super) asked: Arc<Asked>,
    /// The number of the query's moves that lead to the position.
    pub(super) turn: u64,
    pub(super) priority: i64,
    pub(super) position: Box<dyn Position>,
    pub(super) cancel: CancelToken,
}

pub(super) struct Asked {
    pub(super) id: Value,
    pub(super) game: String,
    pub(super) work: Work,
    pub(super) budget: Budget,
    /// The time between two reports during the search.
    pub(super) every: Option<Duration>,
    pub(super) trees: Trees,
    /// The moves to search; `None` for all.
    pub(super) among: Option<Vec<String>>,
}

#[derive(Clone)]
pub(super) enum Work {
    /// Find the best move.
    Search(Config),
    /// Prove the value.
    Solve(Solver),
}

/// A parsed line of the input.
pub(super) enum Request {
    /// Write this answer.
    Answer(String),
    /// Stop the jobs that [`Stop`] names, and answer with this id.
    Stop(Value, Stop),
    /// Search these positions.
    Analyse(Box<Jobs>),
}

/// The positions of a query; each job is created only when the queue has room.
pub(super) struct Jobs {
    asked: Arc<Asked>,
    start: Box<dyn Position>,
    moves: Vec<String>,
    /// The turns to be searched, with their priorities.
    turns: HashMap<u64, i64>,
}

impl Jobs {
    /// Passes each job to `take`, until `take` returns false.
    pub(super) fn each(self, mut take: impl FnMut(Job) -> bool) {
        let Jobs { asked, mut start, moves, turns } = self;
        for turn in 0..=moves.len() {
            if let Some(&priority) = turns.get(&(turn as u64)) {
                let (asked, cancel) = (Arc::clone(&asked), CancelToken::new());
                let (turn, position) = (turn as u64, start.copy());
                if !take(Job { asked, turn, priority, position, cancel }) {
                    return;
                }
            }
            // This cannot fail, because the reader has already played these moves.
            if moves.get(turn).is_some_and(|mv| start.play(mv).is_err()) {
                return;
            }
        }
    }
}

type Read<T> = Result<T, Wrong>;

pub(super) struct Reader {
    defaults: Defaults,
    games: HashMap<String, (String, Arc<dyn Rules>)>,
}

impl Reader {
    pub(super) fn new(defaults: Defaults) -> Reader {
        Reader { defaults, games: HashMap::new() }
    }

    /// Parses a line into a request; an invalid line becomes an answer with the error.
    pub(super) fn read(&mut self, line: &str) -> Request {
        let usual = if self.defaults.provers.gives("algorithm") { "solve" } else { "search" };
        let Query { id, ask } = match Query::read(line, usual) {
            Ok(query) => query,
            Err(refusal) => return Request::Answer(refusal.answer().to_string()),
        };
        // The rules of a game may panic here. A panic in one query must not leave the others
        // without an answer.
        let read = catch_unwind(AssertUnwindSafe(|| self.request(&id, ask)));
        let failed = |_| Err(Wrong::new("internal error: the program panicked"));
        read.unwrap_or_else(failed)
            .unwrap_or_else(|wrong| Request::Answer(wrong.answer(&id).to_string()))
    }

    fn request(&mut self, id: &Value, ask: Ask) -> Read<Request> {
        match ask {
            Ask::Search(task) => self.analyse(id, *task, false),
            Ask::Solve(task) => self.analyse(id, *task, true),
            Ask::Stop(stop) => Ok(Request::Stop(id.clone(), stop)),
            Ask::Version(_) => Ok(Request::Answer(Reply::version(id).line())),
            _ => {
                let why = "ask: this request is for the explorer only; use search, solve, stop or \
                           version";
                Err(Wrong::of("ask", why))
            }
        }
    }

    fn analyse(&mut self, id: &Value, task: Task, solves: bool) -> Read<Request> {
        let (game, rules) = self.game(&task)?;
        let start = match &task.position {
            None => rules.start(),
            Some(text) => rules.read(text).map_err(|error| {
                Wrong::of("position", format!("cannot read the position: {error}"))
            })?,
        };
        let mut moves = Vec::new();
        let mut last = start.copy();
        for (number, mv) in (1..).zip(task.moves.cut(|text| split_moves(&*rules, text))) {
            let played = last.play_recorded(&mv).map_err(|error| about_move(number, &mv, error));
            moves.extend(played.map_err(|error| Wrong::of("moves", error))?);
        }
        let turns = turns(&task, moves.len() as u64)?;
        let (work, budget) = self.work(&task, solves, &game)?;
        let among = among(&task, &work, &*start, &moves, &turns)?;
        let every = task.every()?;
        let trees = self.trees(&task, &work, turns.len())?;
        if let (Some(_), false) = (&among, trees.are_none()) {
            let field = if trees.save.is_some() { "save_tree" } else { "load_tree" };
            let why = "cannot be used with allow_moves or avoid_moves; a tree covers all moves";
            return Err(Wrong::of(field, format!("{field}: {why}")));
        }
        let asked = Asked { id: id.clone(), game, work, budget, every, trees, among };
        Ok(Request::Analyse(Box::new(Jobs { asked: Arc::new(asked), start, moves, turns })))
    }

    fn game(&mut self, task: &Task) -> Read<(String, Arc<dyn Rules>)> {
        let spec = task.game.clone().or_else(|| self.defaults.game.clone());
        let spec = spec
            .ok_or_else(|| Wrong::of("game", "game is missing; give one, such as \"othello\""))?;
        if let Some(known) = self.games.get(&spec) {
            return Ok(known.clone());
        }
        let (game, rules) = find_game(&spec).map_err(|error| Wrong::of("game", error))?;
        let known = (game, Arc::from(rules));
        if self.games.len() >= GAMES {
            self.games.clear();
        }
        self.games.insert(spec, known.clone());
        Ok(known)
    }

    /// Returns the paths of the trees that a query loads and saves.
    fn trees(&self, task: &Task, work: &Work, turns: usize) -> Read<Trees> {
        let mut trees = Trees { force: task.force, ..Trees::default() };
        for (field, name, path) in [
            ("load_tree", &task.load_tree, &mut trees.load),
            ("save_tree", &task.save_tree, &mut trees.save),
        ] {
            let Some(name) = name else { continue };
            let wrong = |why: String| Err(Wrong::of(field, format!("{field}: {why}")));
            if let Work::Solve(_) = work {
                return wrong(
                    "only a search takes this field; leave out algorithm, or set ask to search"
                        .into(),
                );
            }
            if turns != 1 {
                return wrong(format!("a single position is needed, but turns has {turns}"));
            }
            match trees::file(self.defaults.trees.as_deref(), name) {
                Ok(file) => *path = Some(file),
                Err(why) => return wrong(why),
            }
        }
        Ok(trees)
    }

    fn work(&self, task: &Task, solves: bool, game: &str) -> Read<(Work, Budget)> {
        let mut budget = task.budget()?;
        if let Some(budget) = &mut budget {
            budget.cpu_time = task.cpu_time()?;
        }
        // Each entry is a field, the corresponding option on the command line, and the value.
        let limits = [
            ("time", "time", &task.time),
            ("cpu_time", "cpu-time", &task.cpu_time),
            ("playouts", "playouts", &task.playouts),
            ("nodes", "nodes", &task.nodes),
            ("bytes", "bytes", &task.bytes),
        ];
        let mut given: Vec<(&str, &str)> = limits
            .into_iter()
            .filter_map(|(field, name, value)| value.as_ref().map(|_| (field, name)))
            .collect();
        let mut options = self.defaults.options.clone();
        let mut provers = match solves {
            false => ProverOptions::default(),
            true => self.defaults.provers.clone(),
        };
        let named = [("algorithm", &task.algorithm), ("goal", &task.goal)];
        let named =
            named.into_iter().filter_map(|(name, value)| Some((name, name, value.as_ref()?)));
        let own = task.options.iter().map(|(name, value)| ("options", name.as_str(), value));
        for (field, name, value) in own.chain(named) {
            give(&mut options, &mut provers, field, name, &value.to_string())?;
            given.push((field, name));
        }
        if solves && !provers.gives("algorithm") {
            provers.give("algorithm", "auto");
        }
        let for_prover = |(field, option): &&(&str, &str)| {
            *field == "options" && *option != "preset" && !options.gives(option)
        };
        match given.iter().find(for_prover) {
            Some((field, option)) if !provers.gives("algorithm") => {
                let why = "is an option of provers; set algorithm too";
                return Err(Wrong::of(field, format!("{field}: {option} {why}")));
            }
            _ => {}
        }
        let in_query = |failure: Trouble| in_query(&given, &failure);
        let work = self.configured(game, options, &provers).map_err(in_query)?;
        let usual = matches!(work, Work::Search(_)).then_some(USUAL_TIME);
        // The limits of the query replace those of the command line.
        let budget = budget.map_or_else(|| self.defaults.limits.budget(usual), Ok);
        let budget = budget.map_err(in_query)?;
        if let Work::Solve(solver) = &work {
            solver.check_budget(&budget).map_err(in_query)?;
        }
        Ok((work, budget))
    }

    fn configured(
        &self,
        game: &str,
        mut options: SearchOptions,
        provers: &ProverOptions,
    ) -> Result<Work, Trouble> {
        let threads = self.defaults.threads;
        if !provers.gives("algorithm") {
            let base = Config::default().threads(threads).memory(USUAL_MEMORY);
            return options.apply_to(Some(game), base).map(Work::Search);
        }
        options.give("threads", &threads.to_string());
        let memory = options.gives("memory");
        let mut solver = provers.solver(Some(game), options, false)?;
        match &mut solver {
            Solver::Playouts { config, .. } if !memory => config.memory = USUAL_MEMORY,
            Solver::Prover(config) => {
                config.memory = if memory { config.memory } else { USUAL_MEMORY };
                config.table = if provers.gives("tt") { config.table } else { USUAL_MEMORY };
            }
            _ => {}
        }
        Ok(Work::Solve(solver))
    }
}

/// Returns the moves that a query allows; `None` if it allows all.
fn among(
    task: &Task,
    work: &Work,
    start: &dyn Position,
    moves: &[String],
    turns: &HashMap<u64, i64>,
) -> Read<Option<Vec<String>>> {
    let mut among = None;
    for (field, listed) in [("allow_moves", &task.allow_moves), ("avoid_moves", &task.avoid_moves)]
    {
        let Some(listed) = listed else { continue };
        let wrong = |why: String| Wrong::of(field, format!("{field}: {why}"));
        if let Work::Solve(_) = work {
            return Err(wrong(
                "only a search takes this field; leave out algorithm, or set ask to search".into(),
            ));
        }
        let &[turn] = &turns.keys().collect::<Vec<_>>()[..] else {
            return Err(wrong(format!(
                "a single position is needed, but turns has {}",
                turns.len()
            )));
        };
        let mut position = start.copy();
        for mv in moves.iter().take(*turn as usize) {
            position.play(mv).map_err(|error| wrong(error.to_string()))?;
        }
        let mut named = Vec::new();
        for mv in listed {
            let played = position.copy().play(mv);
            named.push(played.map_err(|error| wrong(error.to_string()))?);
        }
        let mut left = among.take().unwrap_or_else(|| position.view().legal_moves);
        left.retain(|mv| named.contains(mv) == (field == "allow_moves"));
        if left.is_empty() {
            return Err(wrong("no legal move is left to search".into()));
        }
        among = Some(left);
    }
    Ok(among)
}

fn turns(task: &Task, moves: u64) -> Read<HashMap<u64, i64>> {
    const TURNS: &str = "turns";
    if task.priorities.is_some() && task.turns.is_none() {
        return Err(Wrong::of("priorities", "priorities: turns must also be given"));
    }
    let turns = task.turns.clone().unwrap_or_else(|| vec![moves]);
    if turns.is_empty() {
        return Err(Wrong::of(TURNS, "turns: at least one turn is needed"));
    }
    if let Some(late) = turns.iter().find(|&&turn| turn > moves) {
        let wrong = format!("turns: there is no turn {late}; the last is {moves}");
        return Err(Wrong::of(TURNS, wrong));
    }
    if turns.iter().collect::<HashSet<_>>().len() < turns.len() {
        return Err(Wrong::of(TURNS, "turns: each turn may occur only once"));
    }
    let priority = task.priority.unwrap_or(0);
    let priorities = task.priorities.clone().unwrap_or_else(|| vec![priority; turns.len()]);
    if priorities.len() != turns.len() {
        let wrong = "priorities: one number per turn is needed";
        return Err(Wrong::of("priorities", wrong));
    }
    Ok(turns.into_iter().zip(priorities).collect())
}

fn give(
    options: &mut SearchOptions,
    provers: &mut ProverOptions,
    field: &str,
    name: &str,
    text: &str,
) -> Read<()> {
    // Only the command line sets threads and memory.
    if ["threads", "memory", "tt"].contains(&name) {
        let fixed = format!("{field}: {name} applies to all queries; set it on the command line");
        return Err(Wrong::of(field, fixed));
    }
    match options.give(name, text) || provers.give(name, text) {
        true => Ok(()),
        false => Err(Wrong::of(field, format!("{field}: there is no option '{name}'"))),
    }
}

/// Turns an error about options or limits into one that names the query's field.
fn in_query(given: &[(&str, &str)], failure: &Trouble) -> Wrong {
    let mut error = failure.to_string().replace("option --", "--");
    let mut first: Option<(usize, &str)> = None;
    for (field, option) in given {
        let flag = format!("--{option}");
        let ends = |end: &str| !end.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '-');
        let mut found = error.match_indices(&flag).map(|(at, _)| at);
        let Some(at) = found.find(|at| ends(&error[at + flag.len()..])) else { continue };
        if first.is_none_or(|(earlier, _)| at < earlier) {
            first = Some((at, field));
        }
        let is_option = *field == "options";
        let name = if is_option { option } else { field };
        error.replace_range(at..at + flag.len(), name);
    }
    let field = first.map(|(_, field)| field.to_string());
    if let Some(field) = field.as_ref().filter(|field| !error.starts_with(&format!("{field}: "))) {
        error = format!("{field}: {error}");
    }
    Wrong { field, error }
}
