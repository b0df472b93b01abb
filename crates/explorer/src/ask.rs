//! What can be asked.

use crate::fault::Fault;
use serde::Deserialize;
use serde_json::{Map, Value};

/// A request: which, and what.
pub(crate) struct Request {
    /// What the answers repeat.
    pub(crate) id: Value,
    pub(crate) ask: Result<Ask, Fault>,
}

/// What is asked.
#[derive(Debug, Deserialize)]
#[serde(tag = "ask", rename_all = "lowercase")]
pub(crate) enum Ask {
    /// All games.
    Games,
    /// What there is to see of a position.
    Position(Where),
    /// A search with playouts.
    Search(Searched),
    /// Who wins.
    Solve(Solved),
    /// Part of the tree of the newest search.
    Tree(Part),
    /// What the tree says with which the engine began.
    Kept,
    /// Ends a request.
    Stop { which: Value },
    /// Checks a certificate.
    Open { certificate: String },
    /// A position of the proof in the certificate that was opened last.
    Walk(Walked),
}

/// Which position.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Where {
    pub(crate) game: String,
    #[serde(default)]
    pub(crate) position: Option<String>,
    #[serde(default)]
    pub(crate) moves: Vec<String>,
}

/// What to search and for how long.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Searched {
    #[serde(flatten)]
    pub(crate) of: Where,
    /// Options by their names.
    #[serde(default)]
    pub(crate) options: Map<String, Value>,
    #[serde(default)]
    pub(crate) playouts: Option<u64>,
    /// Seconds.
    #[serde(default)]
    pub(crate) time: Option<f64>,
    /// Seconds between answers.
    #[serde(default)]
    pub(crate) every: Option<f64>,
}

/// What to prove.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Solved {
    #[serde(flatten)]
    pub(crate) search: Searched,
    #[serde(default)]
    pub(crate) algorithm: Option<String>,
    #[serde(default)]
    pub(crate) goal: Option<String>,
}

/// Which part of a tree.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Part {
    #[serde(default)]
    pub(crate) path: Vec<String>,
    #[serde(default)]
    pub(crate) depth: Option<u32>,
    #[serde(default)]
    pub(crate) width: Option<u32>,
}

/// Where in a proof.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Walked {
    #[serde(default)]
    pub(crate) claim: usize,
    #[serde(default)]
    pub(crate) path: Vec<String>,
}

impl Request {
    /// Reads a line.
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
