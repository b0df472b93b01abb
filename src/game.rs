//! The interface of games: the crate `proofwood-game`.

pub(crate) use proofwood_game::contract::{CHANCE, MAX_CHILDREN, least_hash};
pub use proofwood_game::{
    DomainKnowledge, Foreseen, Game, MAX_PLAYERS, NoKnowledge, Outcome, Suited, TextError, Turn,
    line_text,
};
