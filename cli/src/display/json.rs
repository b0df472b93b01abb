//! The JSON of commands other than `search` and `solve`.

use proofwood::Recommended;
use proofwood_any_game::{CheckedAnswer, View};
use serde::Serialize;

/// A position and the move that led to it.
#[derive(Debug, Serialize)]
pub(crate) struct PlyJson<'a> {
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
    pub(crate) fn new(game: &'a str, ply: usize, mv: Option<&'a str>, view: &'a View) -> Self {
        PlyJson { game, ply, mv, view, over: view.is_over() }
    }
}

/// The count of move sequences from a position.
#[derive(Debug, Serialize)]
pub(crate) struct PerftJson<'a> {
    pub(crate) game: &'a str,
    /// The position's text form; null if the game has none.
    pub(crate) position: Option<&'a str>,
    /// The number of moves in a sequence.
    pub(crate) depth: u32,
    /// The number of sequences of `depth` moves.
    pub(crate) nodes: u64,
    /// The numbers of sequences of 1, 2, … and `depth` moves.
    pub(crate) nodes_by_depth: &'a [u64],
    /// The time taken.
    pub(crate) seconds: f64,
}

/// The values that a game recommends for options, and the defaults where it recommends none.
#[derive(Debug, Serialize)]
pub(crate) struct RecommendedJson {
    pub(crate) c: f64,
    pub(crate) c_pn: f64,
    pub(crate) expand_after: u64,
    pub(crate) playout_cap: u32,
    pub(crate) prover_share: f64,
}

impl RecommendedJson {
    /// Returns the values that the game recommends, and the defaults of the search for all others.
    pub(crate) fn new(recommended: Recommended, players: usize) -> RecommendedJson {
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
pub(crate) struct GameJson {
    /// The name that commands take.
    pub(crate) name: &'static str,
    /// Other names of the game.
    pub(crate) also: &'static [&'static str],
    pub(crate) summary: &'static str,
    /// The rules in a few sentences.
    pub(crate) rules: &'static str,
    /// The notation of moves.
    pub(crate) notation: &'static str,
    /// The options of a description, such as a board's size.
    pub(crate) options: Vec<GameOptionJson>,
    /// A description with options.
    pub(crate) example: &'static str,
    /// The description to which all further fields apply: the name or, if the name alone is not
    /// enough, the example.
    pub(crate) game: String,
    /// The players' names, first player first.
    pub(crate) players: Vec<String>,
    /// Whether chance decides some moves.
    pub(crate) chance: bool,
    /// Whether the players' payoffs always add up to 0.
    pub(crate) zero_sum: bool,
    /// The least and the greatest payoff of the first player.
    pub(crate) payoffs: [i32; 2],
    pub(crate) recommended: RecommendedJson,
    /// The text form of the start position.
    pub(crate) start: String,
    /// The text form of a position after some moves.
    pub(crate) position: String,
}

/// An option of a game.
#[derive(Debug, Serialize)]
pub(crate) struct GameOptionJson {
    /// The spelling of the option.
    pub(crate) option: &'static str,
    /// The meaning of the option.
    pub(crate) meaning: &'static str,
}

/// The result of checking a certificate.
#[derive(Debug, Serialize)]
pub(crate) struct CheckJson<'a> {
    pub(crate) file: &'a str,
    /// Whether the certificate is correct.
    pub(crate) accepted: bool,
    /// The reason why it is rejected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<&'a str>,
    #[serde(flatten)]
    pub(crate) checked: Option<CheckedAnswer>,
}
