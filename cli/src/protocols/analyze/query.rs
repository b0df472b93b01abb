//! What a line asks for.

use super::trees::{self, Trees};
use proofwood::{Budget, CancelToken, Config};
use proofwood_any_game::{Position, Rules};
use proofwood_session::Trouble;
use proofwood_session::input::limits::{Limits, read_time};
use proofwood_session::input::moves::{about_move, split_moves};
use proofwood_session::input::options::SearchOptions;
use proofwood_session::input::provers::ProverOptions;
use proofwood_session::input::solver::Solver;
use proofwood_session::input::spec::find_game;
use serde_json::{Map, Value, json};
use std::collections::{HashMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// How long a search takes when no limit is given.
const USUAL_TIME: Duration = Duration::from_secs(5);

/// The memory of one search where nothing is said.
const USUAL_MEMORY: u64 = 256 << 20;

/// Games whose rules are kept.
const GAMES: usize = 64;

/// What the command line says of all queries.
pub(crate) struct Defaults {
    /// The game of queries that name none.
    pub(crate) game: Option<String>,
    pub(crate) limits: Limits,
    pub(crate) provers: ProverOptions,
    pub(crate) options: SearchOptions,
    /// The threads of each search.
    pub(crate) threads: usize,
    /// The folder of the trees that queries load and save.
    pub(crate) trees: Option<PathBuf>,
}

/// One position to be searched.
pub(super) struct Job {
    pub(super) asked: Arc<Asked>,
    /// How many of the moves lead to it.
    pub(super) turn: u64,
    pub(super) priority: i64,
    pub(super) position: Box<dyn Position>,
    /// Ends it early.
    pub(super) cancel: CancelToken,
}

/// What holds for all positions of a query.
pub(super) struct Asked {
    pub(super) id: Value,
    pub(super) game: String,
    pub(super) work: Work,
    pub(super) budget: Budget,
    /// The time between two reports while it is searched.
    pub(super) every: Option<Duration>,
    /// The trees that it goes on with and leaves.
    pub(super) trees: Trees,
    /// The moves to look at; none for all.
    pub(super) among: Option<Vec<String>>,
}

/// What is to be done with a position.
#[derive(Clone)]
pub(super) enum Work {
    /// The best move is to be found.
    Search(Config),
    /// The value is to be proven.
    Solve(Solver),
}

/// What a line asks for.
pub(super) enum Request {
    /// This answer.
    Answer(Value),
    /// The end of jobs.
    Stop { id: Value, which: Option<Value>, turns: Option<Vec<u64>> },
    /// Positions to be searched.
    Analyse(Box<Task>),
}

/// The positions of a query, which are made when there is room for them.
pub(super) struct Task {
    asked: Arc<Asked>,
    start: Box<dyn Position>,
    moves: Vec<String>,
    /// The turns to be searched, with their priorities.
    turns: HashMap<u64, i64>,
}

impl Task {
    /// Hands over job by job, until one is not taken.
    pub(super) fn jobs(self, mut take: impl FnMut(Job) -> bool) {
        let Task { asked, mut start, moves, turns } = self;
        for turn in 0..=moves.len() {
            if let Some(&priority) = turns.get(&(turn as u64)) {
                let (asked, cancel) = (Arc::clone(&asked), CancelToken::new());
                let (turn, position) = (turn as u64, start.copy());
                if !take(Job { asked, turn, priority, position, cancel }) {
                    return;
                }
            }
            // Each of them has been played before.
            if moves.get(turn).is_some_and(|mv| start.play(mv).is_err()) {
                return;
            }
        }
    }
}

/// What is wrong with a query.
struct Wrong {
    /// The field that is wrong, where it is one.
    field: Option<String>,
    error: String,
}

/// The result of reading a field.
type Read<T> = Result<T, Wrong>;

impl Wrong {
    fn of(field: &str, error: impl ToString) -> Wrong {
        Wrong { field: Some(field.into()), error: error.to_string() }
    }

    fn answer(self, id: &Value) -> Value {
        let mut answer = json!({ "id": id, "done": true, "error": self.error });
        if let Some(field) = self.field {
            answer["field"] = field.into();
        }
        answer
    }
}

/// The answer to a line that is no text.
pub(super) fn unreadable(why: String) -> Value {
    Wrong { field: None, error: why }.answer(&Value::Null)
}

/// The answer to a line that is not read as JSON. Where a number alone is too large, the line
/// has an id, and a field at fault.
fn no_json(line: &str, error: &serde_json::Error) -> Value {
    #[derive(serde::Deserialize)]
    struct Named {
        id: Value,
    }
    let why = format!("this line is no JSON object: {error}");
    let Ok(Named { id }) = serde_json::from_str(line) else { return unreadable(why) };
    let before = line.get(..error.column()).unwrap_or_default();
    // What an object within holds is part of its field.
    let end = before.rfind('{').filter(|&brace| before[..brace].contains('{'));
    let key = end.map_or(before, |brace| &before[..brace]).rsplit_once(':');
    let field = key.and_then(|(key, _)| key.trim_end().strip_suffix('"')?.rsplit('"').next());
    Wrong { field: field.map(str::to_string), error: why }.answer(&id)
}

/// The fields of a query that were not read yet.
struct Fields(Map<String, Value>);

impl Fields {
    /// The field, unless it is null.
    fn take(&mut self, name: &str) -> Option<Value> {
        self.0.remove(name).filter(|value| !value.is_null())
    }

    fn text(&mut self, name: &str) -> Read<Option<String>> {
        self.read(name, "text", |value| value.as_str().map(str::to_string))
    }

    fn read<T>(
        &mut self,
        name: &str,
        expected: &str,
        read: impl FnOnce(&Value) -> Option<T>,
    ) -> Read<Option<T>> {
        let Some(value) = self.take(name) else { return Ok(None) };
        let found = read(&value).ok_or_else(|| should_be(name, &value, expected))?;
        Ok(Some(found))
    }

    fn turns(&mut self, name: &str) -> Read<Option<Vec<u64>>> {
        self.read(name, "a list of whole numbers from 0", |value| {
            value.as_array()?.iter().map(Value::as_u64).collect()
        })
    }
}

/// The value of a field is another one than it should be.
fn should_be(field: &str, value: &Value, expected: &str) -> Wrong {
    const LONGEST: usize = 60;
    let shown: String = value.to_string().chars().take(LONGEST).collect();
    Wrong::of(field, format!("{field}: {shown} should be {expected}"))
}

/// A value as it would be typed on the command line.
fn typed(field: &str, value: &Value) -> Read<String> {
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Number(number) => Ok(number.to_string()),
        Value::Bool(on) => Ok(if *on { "on".into() } else { "off".into() }),
        other => Err(should_be(field, other, "text, a number, true or false")),
    }
}

/// Reads queries.
pub(super) struct Reader {
    defaults: Defaults,
    games: HashMap<String, (String, Arc<dyn Rules>)>,
}

impl Reader {
    pub(super) fn new(defaults: Defaults) -> Reader {
        Reader { defaults, games: HashMap::new() }
    }

    /// What a line asks for. Errors are answers.
    pub(super) fn read(&mut self, line: &str) -> Request {
        let mut fields = match serde_json::from_str(line) {
            Ok(Value::Object(map)) => Fields(map),
            Ok(_) => {
                return Request::Answer(unreadable("a query should be a JSON object".into()));
            }
            Err(error) => return Request::Answer(no_json(line, &error)),
        };
        let id = match fields.take("id") {
            Some(id @ (Value::String(_) | Value::Number(_))) => id,
            Some(other) => {
                let wrong = should_be("id", &other, "text");
                return Request::Answer(wrong.answer(&other));
            }
            None => {
                let wrong = Wrong::of("id", "id is missing: every query needs one");
                return Request::Answer(wrong.answer(&Value::Null));
            }
        };
        // Rules of games are called here, and what is wrong with one query is no reason to
        // leave the others without an answer.
        let read = catch_unwind(AssertUnwindSafe(|| self.request(&id, fields)));
        let failed = |_| Err(Wrong { field: None, error: "internal error: a panic".into() });
        read.unwrap_or_else(failed).unwrap_or_else(|wrong| Request::Answer(wrong.answer(&id)))
    }

    fn request(&mut self, id: &Value, mut fields: Fields) -> Read<Request> {
        let ask = fields.text("ask")?;
        let request = match ask.as_deref() {
            None | Some("search" | "solve") => self.analyse(id, ask.as_deref(), &mut fields)?,
            Some("version") => {
                let version = env!("CARGO_PKG_VERSION");
                Request::Answer(json!({ "id": id, "done": true, "version": version }))
            }
            Some("stop") => {
                let (which, turns) = (fields.take("which"), fields.turns("turns")?);
                Request::Stop { id: id.clone(), which, turns }
            }
            Some(_) => {
                let asked = ask.unwrap_or_default().into();
                return Err(should_be("ask", &asked, "search, solve, stop or version"));
            }
        };
        match fields.0.keys().next() {
            Some(field) => Err(Wrong::of(field, format!("{field}: there is no such field"))),
            None => Ok(request),
        }
    }

    /// The positions that a query asks about; without `ask` an algorithm says that they are to be
    /// solved.
    fn analyse(&mut self, id: &Value, ask: Option<&str>, fields: &mut Fields) -> Read<Request> {
        let (game, rules) = self.game(fields)?;
        let start = match fields.text("position")? {
            None => rules.start(),
            Some(text) => rules.read(&text).map_err(|error| {
                Wrong::of("position", format!("cannot read the position: {error}"))
            })?,
        };
        let mut moves = Vec::new();
        let mut last = start.copy();
        for (number, mv) in (1..).zip(given_moves(fields, &*rules)?) {
            let played = last.play_recorded(&mv).map_err(|error| about_move(number, &mv, error));
            moves.extend(played.map_err(|error| Wrong::of("moves", error))?);
        }
        let turns = turns(fields, moves.len() as u64)?;
        let (work, budget) = self.work(ask, fields, &game)?;
        let among = among(fields, &work, &*start, &moves, &turns)?;
        let every = fields.take("every");
        let every = every.map(|value| {
            let time = value.as_f64().and_then(|_| read_time(&value.to_string()).ok());
            time.ok_or_else(|| should_be("every", &value, "seconds, more than 0"))
        });
        let every = every.transpose()?;
        let trees = self.trees(fields, &work, turns.len())?;
        if let (Some(_), false) = (&among, trees.are_none()) {
            let field = if trees.save.is_some() { "save_tree" } else { "load_tree" };
            let why = "a tree is of all moves, and the query leaves some out";
            return Err(Wrong::of(field, format!("{field}: {why}")));
        }
        let asked = Asked { id: id.clone(), game, work, budget, every, trees, among };
        let task = Task { asked: Arc::new(asked), start, moves, turns };
        Ok(Request::Analyse(Box::new(task)))
    }

    /// The game of a query, and its description.
    fn game(&mut self, fields: &mut Fields) -> Read<(String, Arc<dyn Rules>)> {
        let spec = fields.text("game")?.or_else(|| self.defaults.game.clone());
        let spec = spec.ok_or_else(|| Wrong::of("game", "game is missing, such as \"othello\""))?;
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

    /// The trees that a query goes on with and leaves.
    fn trees(&self, fields: &mut Fields, work: &Work, turns: usize) -> Read<Trees> {
        let mut trees = Trees::default();
        for (field, path) in [("load_tree", &mut trees.load), ("save_tree", &mut trees.save)] {
            let Some(name) = fields.text(field)? else { continue };
            let wrong = |why: String| Err(Wrong::of(field, format!("{field}: {why}")));
            if let Work::Solve(_) = work {
                return wrong("is for searches, and algorithm solves".into());
            }
            if turns != 1 {
                return wrong(format!("is for one position, and turns has {turns}"));
            }
            match trees::file(self.defaults.trees.as_deref(), &name) {
                Ok(file) => *path = Some(file),
                Err(why) => return wrong(why),
            }
        }
        trees.force = fields.read("force", "true or false", Value::as_bool)?.unwrap_or(false);
        Ok(trees)
    }

    /// What is to be done, and within which limits.
    fn work(&self, ask: Option<&str>, fields: &mut Fields, game: &str) -> Read<(Work, Budget)> {
        let mut limits = self.defaults.limits.clone();
        // The fields, and the names of what they give on a command line.
        let mut given: Vec<(&str, String)> = Vec::new();
        for field in ["time", "cpu_time", "playouts", "nodes", "bytes"] {
            let Some(value) = fields.take(field) else { continue };
            if given.is_empty() {
                // A query that says how far it goes need not fight with the command line.
                limits = Limits::default();
            }
            let limit = field.replace('_', "-");
            limits.give(&limit, &typed(field, &value)?);
            given.push((field, limit));
        }
        let mut options = self.defaults.options.clone();
        let mut provers = match ask {
            Some("search") => ProverOptions::default(),
            _ => self.defaults.provers.clone(),
        };
        let expected = "an object, such as {\"c-pn\": 0.5}";
        let own = fields.read("options", expected, |value| value.as_object().cloned())?;
        for (option, value) in &own.unwrap_or_default() {
            give(&mut options, &mut provers, "options", option, &typed("options", value)?)?;
            given.push(("options", option.clone()));
        }
        for name in ["algorithm", "goal"] {
            if let Some(value) = fields.take(name) {
                give(&mut options, &mut provers, name, name, &typed(name, &value)?)?;
                given.push((name, name.into()));
            }
        }
        match ask {
            Some("search") if provers.gives("algorithm") => {
                return Err(Wrong::of("algorithm", "algorithm: it solves, and ask is search"));
            }
            Some("solve") if !provers.gives("algorithm") => {
                provers.give("algorithm", "auto");
            }
            _ => {}
        }
        let for_prover = |(field, option): &&(&str, String)| {
            *field == "options" && option != "preset" && !options.gives(option)
        };
        match given.iter().find(for_prover) {
            Some((field, option)) if !provers.gives("algorithm") => {
                let why = "is for a prover, which algorithm names";
                return Err(Wrong::of(field, format!("{field}: {option} {why}")));
            }
            _ => {}
        }
        let in_query = |failure: Trouble| in_query(&given, &failure);
        let work = self.configured(game, options, &provers).map_err(in_query)?;
        let usual = matches!(work, Work::Search(_)).then_some(USUAL_TIME);
        let budget = limits.budget(usual).map_err(in_query)?;
        if let Work::Solve(solver) = &work {
            solver.check_budget(&budget).map_err(in_query)?;
        }
        Ok((work, budget))
    }

    /// The search or the solver with these options.
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

/// The moves of a query: text as the command line takes it, or a list of moves.
fn given_moves(fields: &mut Fields, rules: &dyn Rules) -> Read<Vec<String>> {
    let read = |value: &Value| match value {
        Value::String(text) => {
            Some(split_moves(rules, text).into_iter().map(str::to_string).collect())
        }
        list => texts(list),
    };
    Ok(fields.read("moves", "text, or a list of moves", read)?.unwrap_or_default())
}

/// A list of texts.
fn texts(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|text| text.as_str().map(str::to_string)).collect()
}

/// The moves that a query allows, where it allows some or avoids some.
fn among(
    fields: &mut Fields,
    work: &Work,
    start: &dyn Position,
    moves: &[String],
    turns: &HashMap<u64, i64>,
) -> Read<Option<Vec<String>>> {
    let mut among = None;
    for field in ["allow_moves", "avoid_moves"] {
        let Some(listed) = fields.read(field, "a list of moves", texts)? else { continue };
        let wrong = |why: String| Wrong::of(field, format!("{field}: {why}"));
        if let Work::Solve(_) = work {
            return Err(wrong("is for searches, and algorithm solves".into()));
        }
        let &[turn] = &turns.keys().collect::<Vec<_>>()[..] else {
            return Err(wrong(format!("is for one position, and turns has {}", turns.len())));
        };
        let mut position = start.copy();
        for mv in moves.iter().take(*turn as usize) {
            position.play(mv).map_err(|error| wrong(error.to_string()))?;
        }
        let mut named = Vec::new();
        for mv in listed {
            let played = position.copy().play(&mv);
            named.push(played.map_err(|error| wrong(error.to_string()))?);
        }
        let mut left = among.take().unwrap_or_else(|| position.view().legal_moves);
        left.retain(|mv| named.contains(mv) == (field == "allow_moves"));
        if left.is_empty() {
            return Err(wrong("no move is left to look at".into()));
        }
        among = Some(left);
    }
    Ok(among)
}

/// The turns to be searched, with their priorities.
fn turns(fields: &mut Fields, moves: u64) -> Read<HashMap<u64, i64>> {
    const TURNS: &str = "turns";
    let whole = "a whole number";
    let priority = fields.read("priority", whole, Value::as_i64)?.unwrap_or(0);
    let priorities = fields.read("priorities", "a list of whole numbers", |value| {
        value.as_array()?.iter().map(Value::as_i64).collect::<Option<Vec<i64>>>()
    })?;
    let given = fields.turns(TURNS)?;
    if priorities.is_some() && given.is_none() {
        return Err(Wrong::of("priorities", "priorities: is for queries with turns"));
    }
    let turns = given.unwrap_or_else(|| vec![moves]);
    if turns.is_empty() {
        return Err(Wrong::of(TURNS, "turns: names no turn"));
    }
    if let Some(late) = turns.iter().find(|&&turn| turn > moves) {
        let wrong = format!("turns: there is no turn {late} after {moves} moves");
        return Err(Wrong::of(TURNS, wrong));
    }
    if turns.iter().collect::<HashSet<_>>().len() < turns.len() {
        return Err(Wrong::of(TURNS, "turns: names a turn twice"));
    }
    let priorities = priorities.unwrap_or_else(|| vec![priority; turns.len()]);
    if priorities.len() != turns.len() {
        let wrong = "priorities: should be as many as there are turns in turns";
        return Err(Wrong::of("priorities", wrong));
    }
    Ok(turns.into_iter().zip(priorities).collect())
}

/// Gives an option of a search or of a prover.
fn give(
    options: &mut SearchOptions,
    provers: &mut ProverOptions,
    field: &str,
    name: &str,
    text: &str,
) -> Read<()> {
    // What memory and threads there are is the command line's to say.
    if ["threads", "memory", "tt"].contains(&name) {
        let fixed = format!("{field}: {name} is for the command line; it holds for all queries");
        return Err(Wrong::of(field, fixed));
    }
    match options.give(name, text) || provers.give(name, text) {
        true => Ok(()),
        false => Err(Wrong::of(field, format!("{field}: there is no option '{name}'"))),
    }
}

/// What is wrong with a query's options or limits, said of the field that gives them.
fn in_query(given: &[(&str, String)], failure: &Trouble) -> Wrong {
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
        let name = if is_option { option.as_str() } else { field };
        error.replace_range(at..at + flag.len(), name);
    }
    let field = first.map(|(_, field)| field.to_string());
    if let Some(field) = field.as_ref().filter(|field| !error.starts_with(&format!("{field}: "))) {
        error = format!("{field}: {error}");
    }
    Wrong { field, error }
}
