//! Requests.

use crate::fault::Fault;
use serde::Deserialize;
use serde_json::{Map, Value};

/// A request: its id, and its content.
pub(crate) struct Request {
    /// The id that the answers repeat.
    pub(crate) id: Value,
    pub(crate) ask: Result<Ask, Fault>,
}

/// The content of a request.
#[derive(Debug, Deserialize)]
#[serde(tag = "ask", rename_all = "lowercase")]
pub(crate) enum Ask {
    /// Lists all games.
    Games,
    /// Describes a position.
    Position(Where),
    /// Searches with playouts.
    Search(Searched),
    /// Proves the winner.
    Solve(Solved),
    /// Shows part of the tree of the latest search.
    Tree(Part),
    /// Shows the answer of the tree that the engine loaded at its start.
    Kept,
    /// Stops a request.
    Stop { which: Value },
    /// Checks a certificate.
    Open { certificate: String },
    /// Shows a position of the proof in the last opened certificate.
    Walk(Walked),
}

/// A position, by game, start and moves.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Where {
    pub(crate) game: String,
    #[serde(default)]
    pub(crate) position: Option<String>,
    #[serde(default)]
    pub(crate) moves: Vec<String>,
}

/// A search: its position, options and limits.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Searched {
    #[serde(flatten)]
    pub(crate) of: Where,
    /// Options by name.
    #[serde(default)]
    pub(crate) options: Map<String, Value>,
    #[serde(default)]
    pub(crate) playouts: Option<u64>,
    /// The time limit in seconds.
    #[serde(default)]
    pub(crate) time: Option<f64>,
    /// Seconds between answers.
    #[serde(default)]
    pub(crate) every: Option<f64>,
}

/// A proof: its position, options and limits.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Solved {
    #[serde(flatten)]
    pub(crate) search: Searched,
    #[serde(default)]
    pub(crate) algorithm: Option<String>,
    #[serde(default)]
    pub(crate) goal: Option<String>,
}

/// A part of a tree.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Part {
    #[serde(default)]
    pub(crate) path: Vec<String>,
    #[serde(default)]
    pub(crate) depth: Option<u32>,
    #[serde(default)]
    pub(crate) width: Option<u32>,
}

/// A place in a proof.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Walked {
    #[serde(default)]
    pub(crate) claim: usize,
    #[serde(default)]
    pub(crate) path: Vec<String>,
}

impl Request {
    pub(crate) fn read(line: &str) -> Request {
        let value: Value = match serde_json::from_str(line) {
            Ok(value) => value,
            Err(error) => {
                return Request {
                    id: Value::Null,
                    ask: Err(Fault::new(format!("this is no request in JSON: {error}"))),
                };
            }
        };
        let id = value.get("id").cloned().unwrap_or_default();
        let ask = match value {
            Value::Object(_) => serde_json::from_value(value)
                .map_err(|error| Fault::new(format!("this cannot be asked: {error}"))),
            _ => Err(Fault::new("a request is an object, as in {\"id\": 1, \"ask\": \"games\"}")),
        };
        Request { id, ask }
    }
}
