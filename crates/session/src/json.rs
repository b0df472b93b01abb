//! The output of `--json`: one object on one line for each position.
//!
//! The names of the fields are stable; the book's page on JSON documents them, and a test compares
//! that page with the code. The answers themselves are defined in [`any-game`](proofwood_any_game);
//! this module adds the fields around them.

use proofwood::Recommended;
use proofwood_any_game::{Answered, AnyAnswer, CheckedAnswer, ShortestAnswer, View};
use serde::Serialize;

/// The answer of a search or a prover, with further results that options request.
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
    /// The number of positions listed in the file.
    pub positions: u64,
    /// The number of references to positions that are listed earlier.
    pub references: u64,
}

/// An error in place of the answer to a line of a file of positions.
#[derive(Debug, Serialize)]
pub struct ErrorJson<'a> {
    /// The number of the line, counted from 1.
    pub line: u64,
    /// The line's value in the column `id`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<&'a str>,
    /// The game on the command line or, if there is none, the game that the line names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<&'a str>,
    /// The reason why the line has no answer.
    pub error: &'a str,
}

/// A position and the move that led to it.
#[derive(Debug, Serialize)]
pub struct PlyJson<'a> {
    game: &'a str,
    /// The number of moves before the position.
    ply: usize,
    /// The last of these moves; null before the first move.
    #[serde(rename = "move")]
    mv: Option<&'a str>,
    #[serde(flatten)]
    view: &'a View,
    /// Whether the game is over.
    over: bool,
}

impl<'a> PlyJson<'a> {
    /// Describes the position after `ply` moves, the last of which was `mv`.
    pub fn new(game: &'a str, ply: usize, mv: Option<&'a str>, view: &'a View) -> Self {
        PlyJson { game, ply, mv, view, over: view.is_over() }
    }
}

/// The count of move sequences from a position.
#[derive(Debug, Serialize)]
pub struct PerftJson<'a> {
    /// The game's description.
    pub game: &'a str,
    /// The position's text form; null if the game has none.
    pub position: Option<&'a str>,
    /// The number of moves in a sequence.
    pub depth: u32,
    /// The number of sequences of `depth` moves.
    pub nodes: u64,
    /// The numbers of sequences of 1, 2, … and `depth` moves.
    pub nodes_by_depth: &'a [u64],
    /// The time taken.
    pub seconds: f64,
}

/// The values that a game recommends for options, and the defaults where it recommends none.
#[derive(Debug, Serialize)]
pub struct RecommendedJson {
    /// The value for `--c`.
    pub c: f64,
    /// The value for `--c-pn`.
    pub c_pn: f64,
    /// The value for `--expand-after`.
    pub expand_after: u64,
    /// The value for `--playout-cap`.
    pub playout_cap: u32,
    /// The value for `--prover-share`.
    pub prover_share: f64,
}

impl RecommendedJson {
    /// Returns the values that the game recommends, and the defaults of the search for all others.
    pub fn new(recommended: Recommended, players: usize) -> RecommendedJson {
        let usual_c_pn = if players > 2 { 0.0 } else { 0.1 };
        RecommendedJson {
            c: recommended.c.unwrap_or(0.8),
            c_pn: recommended.c_pn.unwrap_or(usual_c_pn),
            expand_after: recommended.expand_after.unwrap_or(1),
            playout_cap: recommended.playout_cap.unwrap_or(1000),
            prover_share: recommended.prover_share.unwrap_or(0.0),
        }
    }
}

/// A built-in game.
#[derive(Debug, Serialize)]
pub struct GameJson {
    /// The name used in commands.
    pub name: &'static str,
    /// Other names of the game.
    pub also: &'static [&'static str],
    /// The game in a few words.
    pub summary: &'static str,
    /// The rules in a few sentences.
    pub rules: &'static str,
    /// The notation of moves.
    pub notation: &'static str,
    /// The options of a description, such as a board's size.
    pub options: Vec<GameOptionJson>,
    /// An example of a description with options.
    pub example: &'static str,
    /// The description to which all further fields apply: the name or, if the name alone is not
    /// enough, the example.
    pub game: String,
    /// The players' names, first player first.
    pub players: Vec<String>,
    /// Whether chance decides some moves.
    pub chance: bool,
    /// Whether the players' payoffs always add up to 0.
    pub zero_sum: bool,
    /// The least and the greatest payoff of the first player.
    pub payoffs: [i32; 2],
    /// The values that the game recommends for options.
    pub recommended: RecommendedJson,
    /// The text form of the start position.
    pub start: String,
    /// The text form of a position after some moves.
    pub position: String,
}

/// An option of a game.
#[derive(Debug, Serialize)]
pub struct GameOptionJson {
    /// The spelling of the option.
    pub option: &'static str,
    /// The meaning of the option.
    pub meaning: &'static str,
}

/// The result of checking a certificate.
#[derive(Debug, Serialize)]
pub struct CheckJson<'a> {
    /// The name of the file.
    pub file: &'a str,
    /// Whether the certificate is correct.
    pub accepted: bool,
    /// The reason why the certificate is rejected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'a str>,
    #[serde(flatten)]
    /// The claims of the certificate, if it is accepted.
    pub checked: Option<CheckedAnswer>,
}
