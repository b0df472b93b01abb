//! Queries from other programs and from the page, each a line of JSON.
//!
//! `proofwood analyze` and the page's engine read the same [`Query`]. Each answers some kinds of
//! query, and refuses the others by name. Fields have the same names as in answers.

mod amounts;
mod wrong;

pub use amounts::{read_count, read_time};
pub use wrong::{Refusal, Wrong};

use proofwood::Budget;
use proofwood::options::read_bytes;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;
use wrong::{no_json, should_be};

/// A request, and the id that its answers refer to.
#[derive(Clone, Debug)]
pub struct Query {
    /// The text or the number that is repeated in all answers to the query.
    pub id: Value,
    /// The kind of query, with its fields.
    pub ask: Ask,
}

/// A kind of query, with its fields.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "ask", rename_all = "lowercase")]
pub enum Ask {
    /// Search positions for their best moves.
    Search(Box<Task>),
    /// Prove who wins.
    Solve(Box<Task>),
    /// End queries.
    Stop(Stop),
    /// Report the program's version.
    Version(Nothing),
    /// List all games.
    Games(Nothing),
    /// Show a position.
    Position(Where),
    /// Show a part of the tree of the newest search.
    Tree(Part),
    /// Report the results of the tree that was loaded when the engine started.
    Kept(Nothing),
    /// Check a certificate.
    Open(Open),
    /// Show a position of the proof in the certificate that was opened last.
    Walk(Walk),
}

/// A query without fields of its own.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Nothing {}

/// Positions of one game to search or to solve.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Task {
    /// The game's description, such as `othello:6`; by default the game that the command line
    /// names.
    pub game: Option<String>,
    /// The position to begin at, in the text form that `proofwood show` prints; by default the
    /// game's start.
    pub position: Option<String>,
    /// The moves to play from there, as a list or as one text.
    pub moves: Moves,
    /// The first moves to search; all others are left out.
    pub allow_moves: Option<Vec<String>>,
    /// First moves to leave out.
    pub avoid_moves: Option<Vec<String>>,
    /// The positions to search, each by the number of `moves` before it: `[0, 3]` means the first
    /// position and the one after three moves. By default only the last position, after all moves.
    pub turns: Option<Vec<u64>>,
    /// The priority; queries with a greater priority are answered first. By default 0.
    pub priority: Option<i64>,
    /// A priority for each element of `turns`.
    pub priorities: Option<Vec<i64>>,
    /// The time between two intermediate answers, in seconds; by default there are none.
    pub every: Option<f64>,
    /// The time limit, in seconds or with a unit, such as `500ms`.
    pub time: Option<Given>,
    /// The limit on the processor time of all threads together, in seconds or with a unit.
    pub cpu_time: Option<Given>,
    /// The limit on the number of playouts.
    pub playouts: Option<Given>,
    /// The limit on the number of nodes.
    pub nodes: Option<Given>,
    /// The limit on the size of the tree, in bytes or with K, M, G or T.
    pub bytes: Option<Given>,
    /// The prover, or `gpn` for the search with playouts. A query that names it is a `solve` query.
    pub algorithm: Option<Given>,
    /// The goal: `outcome` or `score`, and for provers also `win` and `draw-or-better`.
    pub goal: Option<Given>,
    /// Options by their names on the command line, without the dashes.
    pub options: BTreeMap<String, Given>,
    /// The name of a saved tree of the same game and position, with which the search begins.
    pub load_tree: Option<String>,
    /// The name under which the tree is saved when the search ends.
    pub save_tree: Option<String>,
    /// Whether `save_tree` may replace a saved tree.
    pub force: bool,
}

/// A position to show.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Where {
    /// The game's description, such as `othello:6`.
    pub game: Option<String>,
    /// The position to begin at, in the game's text form; by default the game's start.
    pub position: Option<String>,
    /// The moves to play from there, as a list or as one text.
    pub moves: Moves,
}

/// Queries to end.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Stop {
    /// The id of the query to end; by default all queries.
    pub which: Option<Value>,
    /// The turns of the query to end; by default all.
    pub turns: Option<Vec<u64>>,
}

/// A part of the tree of the newest search.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Part {
    /// The moves from the tree's root to the position at which the part begins.
    pub path: Vec<String>,
    /// The number of levels below this position; by default 2.
    pub depth: Option<u32>,
    /// The number of children of each position; by default 8.
    pub width: Option<u32>,
}

/// A certificate to check.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Open {
    /// The certificate file in base64.
    pub certificate: String,
}

/// A position in the proof of a certificate.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Walk {
    /// The number of the claim, counted from 0.
    pub claim: usize,
    /// The moves from the root of the claim's proof to the position.
    pub path: Vec<String>,
}

/// Moves as one text, in the form that the command line accepts, or as a list.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "text or a list of moves")]
pub enum Moves {
    /// The moves as one text.
    Text(String),
    /// The moves as a list.
    List(Vec<String>),
}

impl Default for Moves {
    fn default() -> Moves {
        Moves::List(Vec::new())
    }
}

impl Moves {
    /// Returns the moves; `cut` splits a text into moves.
    pub fn cut(&self, cut: impl Fn(&str) -> Vec<&str>) -> Vec<String> {
        match self {
            Moves::Text(text) => cut(text).into_iter().map(str::to_string).collect(),
            Moves::List(list) => list.clone(),
        }
    }
}

/// A value in a form that the command line accepts: text, a number, true or false.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "text, a number, true or false")]
pub enum Given {
    /// A value as text.
    Text(String),
    /// A value as a number.
    Number(serde_json::Number),
    /// True for on, false for off.
    Switch(bool),
}

impl fmt::Display for Given {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Given::Text(text) => f.write_str(text),
            Given::Number(number) => number.fmt(f),
            Given::Switch(on) => f.write_str(if *on { "on" } else { "off" }),
        }
    }
}

impl Query {
    /// Reads a line. A query without `ask` is a `solve` query if it names an algorithm, and
    /// otherwise a query of the kind `usual`.
    ///
    /// # Errors
    /// If the line is not a query; the refusal can be sent as the answer.
    pub fn read(line: &str, usual: &str) -> Result<Query, Refusal> {
        let mut fields: Map<String, Value> = match serde_json::from_str(line) {
            Ok(Value::Object(fields)) => fields,
            Ok(_) => {
                let why = r#"a query should be a JSON object, such as {"id": 1, "ask": "version"}"#;
                return Err(Refusal::unreadable(why));
            }
            Err(error) => return Err(no_json(line, &error)),
        };
        fields.retain(|_, value| !value.is_null());
        let id = match fields.remove("id") {
            Some(id @ (Value::String(_) | Value::Number(_))) => id,
            Some(id) => return Err(Refusal { wrong: should_be("id", &id, "text"), id }),
            None => {
                let wrong = Wrong::of("id", "id is missing; every query needs an id");
                return Err(Refusal { id: Value::Null, wrong });
            }
        };
        if !fields.contains_key("ask") {
            let names = |fields: &Map<String, Value>| fields.contains_key("algorithm");
            let options = fields.get("options").and_then(Value::as_object);
            let usual = if names(&fields) || options.is_some_and(names) { "solve" } else { usual };
            fields.insert("ask".into(), usual.into());
        }
        let wrong = match serde_json::from_value(Value::Object(fields.clone())) {
            Ok(Ask::Search(task)) if task.algorithm.is_some() => {
                Wrong::of("algorithm", "algorithm: allowed only if ask is solve, not search")
            }
            Ok(ask) => return Ok(Query { id, ask }),
            Err(error) => wrong_field(&fields, &error),
        };
        Err(Refusal { id, wrong })
    }
}

/// Returns the error for the first field that is refused even without the others. Since no field
/// depends on another, that field is the one at fault.
fn wrong_field(fields: &Map<String, Value>, error: &serde_json::Error) -> Wrong {
    let ask = &fields["ask"];
    let alone = |value: Value| serde_json::from_value::<Ask>(value).err();
    if let Some(error) = alone(json!({ "ask": ask })) {
        return Wrong::unfit("ask", ask, &error);
    }
    let others = fields.iter().filter(|(name, _)| *name != "ask");
    let mut wrong = others.filter_map(|(name, value)| {
        let error = alone(json!({ "ask": ask, name: value }))?;
        // An object is wrong because of one value in it.
        let within = value.as_object().into_iter().flatten();
        let mut unfit =
            within.filter(|(_, value)| serde_json::from_value::<Given>((*value).clone()).is_err());
        match unfit.next_back() {
            Some((_, value)) if name == "options" => Some(Wrong::unfit(name, value, &error)),
            _ => Some(Wrong::unfit(name, value, &error)),
        }
    });
    wrong.next().unwrap_or_else(|| Wrong::new(error))
}

impl Task {
    /// Returns the limits of the query, except the limit on processor time; `None` if the query has
    /// no limit at all.
    ///
    /// # Errors
    /// If a limit cannot be read.
    pub fn budget(&self) -> Result<Option<Budget>, Wrong> {
        let Task { time, cpu_time, playouts, nodes, bytes, .. } = self;
        if [time, cpu_time, playouts, nodes, bytes].iter().all(|limit| limit.is_none()) {
            return Ok(None);
        }
        let mut budget = Budget::default();
        budget.time = limit("time", time, read_time)?;
        budget.playouts = limit("playouts", playouts, read_count)?;
        budget.nodes = limit("nodes", nodes, read_count)?;
        budget.bytes = limit("bytes", bytes, read_bytes)?;
        Ok(Some(budget))
    }

    /// Returns the limit on processor time.
    ///
    /// # Errors
    /// If the limit cannot be read.
    pub fn cpu_time(&self) -> Result<Option<Duration>, Wrong> {
        limit("cpu_time", &self.cpu_time, read_time)
    }

    /// Returns the time between two intermediate answers.
    ///
    /// # Errors
    /// If it is not a time.
    pub fn every(&self) -> Result<Option<Duration>, Wrong> {
        let Some(every) = self.every else { return Ok(None) };
        let time = read_time(&every.to_string());
        time.map(Some)
            .map_err(|_| should_be("every", &every.into(), "a positive number of seconds"))
    }

    /// Returns the position at which the moves begin, and the moves.
    pub fn of(&self) -> Where {
        let Task { game, position, moves, .. } = self;
        Where { game: game.clone(), position: position.clone(), moves: moves.clone() }
    }
}

/// Reads a limit, if it is given.
fn limit<T>(
    field: &str,
    given: &Option<Given>,
    read: fn(&str) -> Result<T, String>,
) -> Result<Option<T>, Wrong> {
    let read = given.as_ref().map(|given| read(&given.to_string())).transpose();
    read.map_err(|why| Wrong::of(field, format!("{field}: {why}")))
}
