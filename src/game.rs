//! The interface of games: the crate `proofwood-game`.

pub(crate) use proofwood_game::contract::{CHANCE, MAX_CHILDREN, least_hash};
pub use proofwood_game::{
    Foreseen, Game, Insight, MAX_PLAYERS, NoInsight, Outcome, Suited, TextError, Turn, line_text,
};
