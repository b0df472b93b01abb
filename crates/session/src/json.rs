//! The output of `--json`: one object on one line for each position.
//!
//! The names of the fields are stable; the book's page on JSON documents them, and a test compares
//! it with the code. The answers themselves are defined in [`any-game`](proofwood_any_game); this
//! module adds the fields around them.

use proofwood_any_game::{Answered, AnyAnswer, ShortestAnswer};
use serde::Serialize;

/// The answer of a search or a prover, with further results that options ask for.
#[derive(Debug, Serialize)]
pub struct AnswerJson<'a> {
    /// The number of the line in the file of positions, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// The line's value in the column `id`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<&'a str>,
    /// The answer with its game and position.
    #[serde(flatten)]
    pub answered: Answered<'a>,
    /// The result of `--audit on`: `ok` or the fault that the audit found in the tree.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub audit: Option<String>,
    /// The certificate that `--certificate` has written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate: Option<&'a CertificateJson>,
    /// The shortest win, with `--shortest`; null if no win is proven.
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
    /// The name of the file.
    pub file: String,
    /// The number of positions listed in it.
    pub positions: u64,
    /// The number of references to positions that are listed earlier.
    pub references: u64,
}

/// A line of a file of positions without an answer, because of an error.
#[derive(Debug, Serialize)]
pub struct ErrorJson<'a> {
    /// The number of the line, counted from 1.
    pub line: u64,
    /// The line's value in the column `id`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<&'a str>,
    /// The game's description in the line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<&'a str>,
    /// The reason why the line has no answer.
    pub error: &'a str,
}
