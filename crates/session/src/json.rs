//! The output of `--json`: one object on one line for each position.
//!
//! The names of the fields are stable; the book's page on JSON documents them, and a test compares
//! it with the code. The answers themselves are defined in [`any-game`](proofwood_any_game); this
//! module adds the fields around them.

use proofwood_any_game::{Answered, AnyAnswer, ShortestAnswer};
use serde::Serialize;

/// The answer of a search or a prover, and what else was asked for.
#[derive(Debug, Serialize)]
pub struct AnswerJson<'a> {
    /// The line of a file of positions that this answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// What the file's column `id` says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<&'a str>,
    /// The answer.
    #[serde(flatten)]
    pub answered: Answered<'a>,
    /// With `--audit on`: `"ok"`, or what is wrong with the tree.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub audit: Option<String>,
    /// With `--certificate`: what was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate: Option<&'a CertificateJson>,
    /// With `--shortest`: how soon the winner wins; null when nobody is proven to win.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shortest: Option<Option<&'a ShortestAnswer>>,
}

impl<'a> AnswerJson<'a> {
    /// Creates an answer about a position of `game`, without the optional fields.
    pub fn new(
        game: &'a str,
        position: &'a str,
        answer: impl Into<AnyAnswer<'a>>,
    ) -> AnswerJson<'a> {
        let answered = Answered { game, position, answer: answer.into() };
        AnswerJson {
            line: None,
            id: None,
            answered,
            audit: None,
            certificate: None,
            shortest: None,
        }
    }
}

/// A certificate that was written and checked.
#[derive(Clone, Debug, Serialize)]
pub struct CertificateJson {
    /// The file's name.
    pub file: String,
    /// Positions in it, each time one is listed.
    pub positions: u64,
    /// References to positions listed before.
    pub references: u64,
}

/// A line of a file of positions that could not be answered.
#[derive(Debug, Serialize)]
pub struct ErrorJson<'a> {
    /// The number of the line.
    pub line: u64,
    /// What the column `id` says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<&'a str>,
    /// The game that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<&'a str>,
    /// The reason.
    pub error: &'a str,
}
