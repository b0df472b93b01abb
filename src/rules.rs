//! Checks that rules satisfy the contract of [`Game`](crate::Game).
//!
//! Every result of the library depends on the rules, and a search cannot verify most of their
//! contract: with a key that omits the side to move, it proves wrong values as confidently as right
//! ones. [`check_rules`] plays random games and compares the methods' results in every position.

#[cfg(feature = "certificates")]
pub(crate) use proofwood_game::contract::meets_images;
pub(crate) use proofwood_game::contract::{
    Audited, Declared, Thresholds, canonical_key_after, canonical_root_key, check_chance,
    check_mobility, check_mover, check_outcome, check_payoff, check_recommended,
    check_static_bound, check_sum, check_turn, find_thresholds, key_after, random_outcome,
    read_payoff, read_weight, root_key,
};
pub use proofwood_game::rules::{
    Difference, LONGEST_GAME, RulesError, RulesFault, RulesReport, check_rules,
};
