//! The JSON of commands other than `search` and `solve`.

use proofwood::Recommended;
use proofwood_any_game::{CheckedAnswer, View};
use serde::Serialize;

/// A position and the move that led to it.
#[derive(Debug, Serialize)]
pub(crate) struct PlyJson<'a> {
    game: &'a str,
    /// How many moves were played.
    ply: usize,
    /// The last of them; null before the first.
    #[serde(rename = "move")]
    mv: Option<&'a str>,
    #[serde(flatten)]
    view: &'a View,
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
    pub(crate) position: Option<&'a str>,
    pub(crate) depth: u32,
    /// Sequences of exactly `depth` moves.
    pub(crate) nodes: u64,
    /// The same for every depth from 1.
    pub(crate) nodes_by_depth: &'a [u64],
    pub(crate) seconds: f64,
}

/// The values that options have in a game where nothing else is said.
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

/// One of the games.
#[derive(Debug, Serialize)]
pub(crate) struct GameJson {
    pub(crate) name: &'static str,
    /// Other names that people use.
    pub(crate) also: &'static [&'static str],
    pub(crate) summary: &'static str,
    pub(crate) rules: &'static str,
    pub(crate) notation: &'static str,
    pub(crate) options: Vec<GameOptionJson>,
    /// A description with options.
    pub(crate) example: &'static str,
    /// All that follows is about this description: the name, or the example where
    /// the name alone is no game.
    pub(crate) game: String,
    pub(crate) players: Vec<String>,
    pub(crate) chance: bool,
    pub(crate) zero_sum: bool,
    /// The least and the greatest payoff of the first player.
    pub(crate) payoffs: [i32; 2],
    pub(crate) recommended: RecommendedJson,
    /// The start.
    pub(crate) start: String,
    /// A position after some moves.
    pub(crate) position: String,
}

/// An option of a game.
#[derive(Debug, Serialize)]
pub(crate) struct GameOptionJson {
    pub(crate) option: &'static str,
    pub(crate) meaning: &'static str,
}

/// The result of checking a certificate.
#[derive(Debug, Serialize)]
pub(crate) struct CheckJson<'a> {
    pub(crate) file: &'a str,
    /// Whether everything in it holds.
    pub(crate) accepted: bool,
    /// Why it does not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<&'a str>,
    #[serde(flatten)]
    pub(crate) checked: Option<CheckedAnswer>,
}
