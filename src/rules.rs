//! Whether rules keep what [`Game`](crate::Game) promises, found out by playing.
//!
//! Everything in the library rests on the rules, and most of what they promise is seen by
//! no search: a hash that forgets the side to move makes a search settle on a wrong value,
//! as sure of it as of a right one. [`check_rules`] plays random games and looks at every
//! position from all sides.

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
