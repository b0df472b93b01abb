//! How to prove: every choice with its default.

use super::search::STACKS;
use crate::error::ConfigError;
use crate::game::TextError;
use crate::memory::usual_memory;
use std::fmt;
use std::str::FromStr;

/// The provers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Algorithm {
    /// Depth-first proof-number search (Nagai 2002) with the 1 + ε trick
    /// (Pawlewicz and Lew 2007).
    Dfpn,
    /// Proof-number and disproof-number search (Nagai 1998), with the same
    /// trick.
    Pds,
    /// Proof-number search (Allis 1994) in a tree.
    Pns,
    /// Proof-number search with a second one at each leaf (Breuker 1998).
    Pn2,
    /// Monte-Carlo proof-number search (Saito et al. 2006).
    Mcpns,
    /// Probability-based proof-number search (Song et al. 2019). With the feature `ppns`.
    #[cfg(feature = "ppns")]
    Ppns,
}

impl Algorithm {
    /// Whether it estimates how likely a proof is.
    fn estimates(self) -> bool {
        #[cfg(feature = "ppns")]
        return self == Algorithm::Ppns;
        #[cfg(not(feature = "ppns"))]
        false
    }
}

/// What to find out about a position for one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ProofGoal {
    /// Win, draw or loss.
    Outcome,
    /// Win or not.
    Win,
    /// Loss or not.
    DrawOrBetter,
    /// The payoff.
    Score,
}

macro_rules! named {
    ($type:ident, $what:literal: $($(#[$only:meta])* $variant:ident = $name:literal),*) => {
        impl $type {
            /// All of them.
            pub const ALL: &'static [$type] = &[$($(#[$only])* $type::$variant),*];

            /// The name as lower-case words with hyphens.
            pub fn name(self) -> &'static str {
                match self { $($(#[$only])* $type::$variant => $name),* }
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.name())
            }
        }

        impl FromStr for $type {
            type Err = TextError;

            fn from_str(text: &str) -> Result<$type, TextError> {
                let found = Self::ALL.iter().find(|known| known.name().eq_ignore_ascii_case(text.trim()));
                found.copied().ok_or_else(|| {
                    let names: Vec<&str> = Self::ALL.iter().map(|known| known.name()).collect();
                    let (what, names) = ($what, names.join(", "));
                    TextError::new(format!("'{text}' is no {what}; there are {names}"))
                })
            }
        }
    };
}

named!(Algorithm, "algorithm": Dfpn = "dfpn", Pds = "pds", Pns = "pns", Pn2 = "pn2", Mcpns = "mcpns", #[cfg(feature = "ppns")] Ppns = "ppns");
named!(ProofGoal, "goal": Outcome = "outcome", Win = "win", DrawOrBetter = "draw-or-better", Score = "score");

/// How to prove. Change what you need with the method of the same name.
///
/// ```
/// use proofwood::{Algorithm, ProverConfig};
///
/// let config = ProverConfig::default().algorithm(Algorithm::Dfpn).threads(2).table(64 << 20);
/// assert_eq!(config.epsilon, None); // the algorithm's own
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ProverConfig {
    /// The prover; df-pn by default.
    pub algorithm: Algorithm,
    /// Worker threads, 1 to 1024; one per core by default.
    pub threads: usize,
    /// What to find out; the outcome by default.
    pub goal: ProofGoal,
    /// The player it is found out for; the side to move by default (player 0
    /// where nobody is).
    pub player: Option<usize>,
    /// Bytes of the transposition table of depth-first provers, at least 64; by default
    /// 1 GiB, or half of what the machine has where that is less. Each thread takes about
    /// 3 MiB beside it.
    pub table: u64,
    /// Bytes of the tree of best-first provers; by default half of what the machine has
    /// ([`machine_memory`](crate::machine_memory)).
    pub memory: u64,
    /// By how much a child's number may exceed its best sibling's, 0 to 1000:
    /// the ε of ⌈p(1 + ε)⌉. 0 is the algorithm without the trick: one more, and from
    /// 1,024 on a share of 1/1024, without which play that leads round in circles
    /// hardly ends. The default is the algorithm's: 1/4 for df-pn and 1/16 for PDS.
    pub epsilon: Option<f64>,
    /// Start a leaf with its number of moves instead of 1; off by default.
    pub mobility: bool,
    /// Believe what the rules foresee of positions that are not over
    /// ([`Game::foreseen`](crate::Game::foreseen)); on by default.
    pub foresight: bool,
    /// Nodes of the tree at which the second searches of PN² may be half as
    /// large as the tree: the a of Breuker's rule, 0 or more; 1,800,000 by
    /// default.
    pub pn2_a: f64,
    /// How gradually they get there: the b of Breuker's rule, more than 0;
    /// 240,000 by default.
    pub pn2_b: f64,
    /// Playouts from each new position of the sampling provers, 1 or more; 60
    /// by default.
    pub playouts_per_leaf: u32,
    /// How far a win rate of 0 or 1 is moved inside, more than 0 and less than
    /// 1/2; 0.01 by default.
    pub theta: f64,
    /// End PPNS as soon as its estimate is no further than this from 0 or 1,
    /// more than 0 and less than 1/2, which proves nothing; off by default.
    pub precision: Option<f64>,
    /// Moves after which a playout counts as not won, 1 or more; 1,000 by
    /// default.
    pub playout_cap: u32,
    /// Bytes of each worker thread's stack, at least 256 KiB; 2 MiB by default.
    pub stack: u64,
    /// Seed of what provers draw at random; 0 by default.
    pub seed: u64,
    /// Check after each question that a tree equals its own recomputation, and compare
    /// positions that have one hash: slow, for tests; off by default.
    pub audit: bool,
    /// Keep what provers with a tree have settled when the tree is gone, in a
    /// table, from which [`certify`](crate::ProofSearch::certify) takes it; off by
    /// default.
    pub keep_proofs: bool,
}

impl Default for ProverConfig {
    fn default() -> ProverConfig {
        ProverConfig {
            algorithm: Algorithm::Dfpn,
            threads: num_cpus::get().min(MAX_THREADS),
            goal: ProofGoal::Outcome,
            player: None,
            table: usual_memory().min(1 << 30),
            memory: usual_memory(),
            epsilon: None,
            mobility: false,
            foresight: true,
            pn2_a: 1_800_000.0,
            pn2_b: 240_000.0,
            playouts_per_leaf: 60,
            theta: 0.01,
            precision: None,
            playout_cap: 1000,
            stack: 2 << 20,
            seed: 0,
            audit: false,
            keep_proofs: false,
        }
    }
}

const MAX_THREADS: usize = 1024;
/// The least bytes for a table.
pub(crate) const MIN_TABLE: u64 = 64;

macro_rules! builder {
    ($($field:ident: $type:ty = $value:ident => $set:expr;)*) => {
        impl ProverConfig {
            $(
                #[doc = concat!("Sets [`", stringify!($field), "`](ProverConfig#structfield.", stringify!($field), ").")]
                #[must_use]
                pub fn $field(mut self, $value: $type) -> ProverConfig {
                    self.$field = $set;
                    self
                }
            )*
        }
    };
}

builder! {
    algorithm: Algorithm = algorithm => algorithm;
    threads: usize = threads => threads;
    goal: ProofGoal = goal => goal;
    player: usize = player => Some(player);
    table: u64 = bytes => bytes;
    memory: u64 = bytes => bytes;
    epsilon: f64 = epsilon => Some(epsilon);
    mobility: bool = mobility => mobility;
    foresight: bool = foresight => foresight;
    pn2_a: f64 = nodes => nodes;
    pn2_b: f64 = nodes => nodes;
    playouts_per_leaf: u32 = playouts => playouts;
    theta: f64 = theta => theta;
    precision: f64 = precision => Some(precision);
    playout_cap: u32 = moves => moves;
    stack: u64 = bytes => bytes;
    seed: u64 = seed => seed;
    audit: bool = audit => audit;
    keep_proofs: bool = keep => keep;
}

impl ProverConfig {
    /// Checks all values.
    ///
    /// # Errors
    /// The first that cannot be used.
    pub fn check(&self) -> Result<(), ConfigError> {
        let refuse = |option, given: &dyn fmt::Display, expected: &str| {
            let (given, expected) = (given.to_string(), expected.into());
            Err(ConfigError::Value { option, given, expected })
        };
        if !(1..=MAX_THREADS).contains(&self.threads) {
            let expected = format!("a number from 1 to {MAX_THREADS}");
            return refuse("ProverConfig::threads", &self.threads, &expected);
        }
        if self.table < MIN_TABLE {
            let expected = format!("a number of bytes from {MIN_TABLE}");
            return refuse("ProverConfig::table", &self.table, &expected);
        }
        if !STACKS.contains(&self.stack) {
            return refuse("ProverConfig::stack", &self.stack, "a number of bytes from 262144");
        }
        for (option, value) in [
            ("ProverConfig::playouts_per_leaf", self.playouts_per_leaf),
            ("ProverConfig::playout_cap", self.playout_cap),
        ] {
            if value == 0 {
                return refuse(option, &value, "a number from 1");
            }
        }
        // Written so that what is not a number is refused too.
        let inside = |value: f64| value > 0.0 && value < 0.5;
        for (option, value) in
            [("ProverConfig::theta", Some(self.theta)), ("ProverConfig::precision", self.precision)]
        {
            if let Some(value) = value.filter(|&value| !inside(value)) {
                return refuse(option, &value, "more than 0 and less than 0.5");
            }
        }
        if self.precision.is_some() && !self.algorithm.estimates() {
            return Err(ConfigError::PrecisionNeedsEstimates(self.algorithm.name()));
        }
        if !(self.pn2_a >= 0.0 && self.pn2_a.is_finite()) {
            return refuse("ProverConfig::pn2_a", &self.pn2_a, "a number from 0");
        }
        if !(self.pn2_b > 0.0 && self.pn2_b.is_finite()) {
            return refuse("ProverConfig::pn2_b", &self.pn2_b, "more than 0");
        }
        match self.epsilon {
            Some(epsilon) if !(0.0..=1000.0).contains(&epsilon) => {
                refuse("ProverConfig::epsilon", &epsilon, "a number from 0 to 1000")
            }
            _ => Ok(()),
        }
    }
}
