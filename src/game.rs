//! The interface of games: the crate `proofwood-game`.

pub(crate) use proofwood_game::contract::{CHANCE, MAX_CHILDREN, canonical_key};
pub use proofwood_game::{
    DomainKnowledge, Game, MAX_PLAYERS, NoKnowledge, Outcome, Recommended, StaticBound, TextError,
    Turn, line_text,
};
