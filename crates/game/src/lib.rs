//! The rules of a game, as a search uses them.
//!
//! [`Game`] is the trait that users write; [`check_rules`] checks an implementation against the
//! trait's contract. The search engine `proofwood`, which runs such games, re-exports all public
//! items under the same names.
#![forbid(unsafe_code)]

mod difference;
mod error;
mod game;
mod interval;
mod knowledge;
mod line;
mod mix;
mod panic;
mod rng;
pub mod rules;
mod shared;
mod value;

use difference::Difference;
pub use error::GameError;
use game::{CHANCE, MAX_CHILDREN};
pub use game::{Game, MAX_PLAYERS, Outcome, TextError, Turn};
use interval::Interval;
use knowledge::canonical_key;
pub use knowledge::{DomainKnowledge, NoKnowledge, Recommended, StaticBound};
pub use line::line_text;
use mix::mix_all_bits;
use panic::panic_message;
pub use rng::Rng;
pub use rules::{RulesError, RulesReport, check_rules};
pub use value::{Bounds, Value};

/// Functions that call a game and check its contract, for search engines and for [`check_rules`].
#[doc(hidden)]
pub mod contract {
    pub use crate::game::{CHANCE, MAX_CHILDREN};
    pub use crate::interval::{Contradiction, Interval};
    pub use crate::knowledge::canonical_key;
    pub use crate::mix::{OneWord, mix_all_bits, strengthen_high_bits};
    pub use crate::panic::panic_message;
    pub use crate::rules::audited::Audited;
    pub use crate::rules::contract::{
        Declared, check_chance, check_mobility, check_mover, check_outcome, check_payoff,
        check_recommended, check_static_bound, check_sum, check_turn, random_outcome, read_payoff,
        read_weight,
    };
    pub use crate::rules::key::{canonical_key_after, canonical_root_key, key_after, root_key};
    pub use crate::rules::symmetry::meets_images;
    pub use crate::rules::thresholds::{Thresholds, find_thresholds};
    pub use crate::value::Prospect;
}
