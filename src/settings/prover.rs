//! The options of a prover, its algorithm and its goal.

use super::goal::Goal;
use super::options::{self, OptionSpec, between, bytes, names, options, own, switch, within};
use super::search::Config;
use crate::error::ConfigError;
use crate::game::TextError;
use crate::memory::usual_memory;
use std::fmt;
use std::str::FromStr;

/// The algorithm of a prover.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Algorithm {
    /// Alpha-beta and df-pn, which take turns and share a table.
    Auto,
    /// Alpha-beta with null windows and a table.
    Ab,
    /// Df-pn, depth-first proof-number search (Nagai 2002), with the 1 + ε trick (Pawlewicz and Lew
    /// 2007).
    Dfpn,
    /// PDS, proof-number and disproof-number search (Nagai 1998), with the 1 + ε trick.
    Pds,
    /// Df-PPNS, depth-first probability-based proof-number search, which Primanita, Khalid and Iida
    /// (2020) propose as further work. Requires the feature `ppns`.
    #[cfg(feature = "ppns")]
    DfPpns,
    /// PNS, proof-number search (Allis 1994) with a tree.
    Pns,
    /// PN², proof-number search with a second search at each leaf (Breuker 1998).
    Pn2,
    /// MCPNS, Monte-Carlo proof-number search (Saito et al. 2006).
    Mcpns,
    /// PPNS, probability-based proof-number search (Song et al. 2019). Requires the feature `ppns`.
    #[cfg(feature = "ppns")]
    Ppns,
}

impl Algorithm {
    /// Returns whether the prover searches depth first, with a table instead of a tree.
    pub fn has_table(self) -> bool {
        match self {
            Algorithm::Auto | Algorithm::Ab | Algorithm::Dfpn | Algorithm::Pds => true,
            #[cfg(feature = "ppns")]
            Algorithm::DfPpns => true,
            _ => false,
        }
    }

    fn estimates(self) -> bool {
        #[cfg(feature = "ppns")]
        return matches!(self, Algorithm::DfPpns | Algorithm::Ppns);
        #[cfg(not(feature = "ppns"))]
        false
    }
}

/// The result that a proof search determines for one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ProofGoal {
    /// Whether the player wins, draws or loses.
    Outcome,
    /// Whether the player wins.
    Win,
    /// Whether the player gets at least a draw.
    DrawOrBetter,
    /// The exact payoff that the player can force.
    Score,
}

impl From<Goal> for ProofGoal {
    fn from(goal: Goal) -> ProofGoal {
        match goal {
            Goal::Outcome => ProofGoal::Outcome,
            Goal::Score => ProofGoal::Score,
        }
    }
}

macro_rules! named {
    ($type:ident, $what:literal: $($(#[$only:meta])* $variant:ident = $name:literal),*) => {
        impl $type {
            /// All values of this type.
            pub const ALL: &'static [$type] = &[$($(#[$only])* $type::$variant),*];

            /// Returns the name: lower-case words with hyphens.
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
                    TextError::new(format!("'{text}' is not a known {what}; choose one of {names}"))
                })
            }
        }
    };
}

named!(Algorithm, "algorithm": Auto = "auto", Ab = "ab", Dfpn = "dfpn", Pds = "pds", #[cfg(feature = "ppns")] DfPpns = "df-ppns", Pns = "pns", Pn2 = "pn2", Mcpns = "mcpns", #[cfg(feature = "ppns")] Ppns = "ppns");
named!(ProofGoal, "goal": Outcome = "outcome", Win = "win", DrawOrBetter = "draw-or-better", Score = "score");

options! {
    /// The configuration of a prover. Each option has a method of the same name, which sets it.
    ///
    /// ```
    /// use proofwood::{Algorithm, ProverConfig};
    ///
    /// let config = ProverConfig::default().algorithm(Algorithm::Dfpn).threads(2).table(64 << 20);
    /// assert_eq!(config.epsilon, None); // the algorithm's own default
    /// ```
    pub struct ProverConfig;

    /// The options of a prover.
    table PROVER_OPTIONS;

    algorithm "algorithm": Algorithm = Algorithm::Dfpn, names(Algorithm::ALL, Algorithm::name),
        "Proof algorithm: auto alternates ab and dfpn; ab (alpha-beta), dfpn and pds (proof \
         numbers) search depth first with a transposition table; pns and pn2 grow a tree best \
         first; mcpns and ppns guide such a tree by playouts; df-ppns is ppns depth first with a \
         table";
    threads "threads": usize = num_cpus::get().min(*Config::THREADS.end()) => "one per core",
        within(Config::THREADS), "Number of worker threads.";
    goal "goal": ProofGoal | impl Into<ProofGoal> = ProofGoal::Outcome, names(ProofGoal::ALL, ProofGoal::name),
        "Question to answer.";
    /// The default is half of the machine's memory
    /// ([`machine_memory`](crate::internals::machine_memory)).
    memory "memory": u64 = usual_memory() => "half of the machine's memory", bytes(0..),
        "Memory for the tree of best-first provers.";
    /// Each thread takes about 3 MiB in addition.
    table "tt": u64 = usual_memory().min(1 << 30) => "1G, or half of the machine's memory if that is less",
        bytes(MIN_TABLE..),
        "Size of the transposition table of depth-first provers; a table that is too small makes \
         them slow, but never wrong";
    /// The ε of ⌈p(1 + ε)⌉: the fraction by which a child's number may exceed its best sibling's.
    /// With 0, the plain algorithm, it may exceed that number by one or, from 1,024 on, by 1/1024.
    /// Without that minimum, a search with repeated positions might take extremely long.
    epsilon "epsilon": Option<f64> | f64 = None => "0.25, or 0.0625 for pds", own(within(0.0..=1000.0)),
        "ε of the 1+ε trick in dfpn, pds and df-ppns: with larger values, the search stays longer \
         with a move; 0 is the plain algorithm";
    /// The default is the side to move, or player 0 if there is none.
    player "player": Option<usize> | usize = None => "the side to move", own(within(0..)),
        "Player that the question is about, counted from 0";
    playouts_per_leaf "playouts-per-leaf": u32 = 60, within(1..),
        "Number of playouts from each new position (mcpns, ppns and df-ppns)";
    theta "theta": f64 = 0.01, between(0.0, 0.5),
        "Minimum distance of sampled win rates from 0 and 1, so that they never look proven \
         (mcpns, ppns and df-ppns)";
    precision "precision": Option<f64> | f64 = None => "off", own(between(0.0, 0.5)),
        "Stop ppns or df-ppns when its estimated probability is within this distance of 0 or 1.",
        "An estimate proves nothing: the question stays open";
    /// A leaf's number is 1 for the side to move and the number of its moves for the other side
    /// (Allis 1994). With this option, df-pn searches only half as many nodes, or even a tenth.
    mobility "mobility": Option<bool> | bool = None => "on for dfpn and pds", own(switch()),
        "Set a leaf's initial proof number to its number of moves instead of 1; in ab, count the \
         replies in every position.";
    /// The static bounds come from
    /// [`DomainKnowledge::static_bound`](crate::DomainKnowledge::static_bound).
    foresight "foresight": bool = true, switch(),
        "Use the game's static bounds for unfinished positions.";
    /// The positions that are symmetric to a given one come from
    /// [`DomainKnowledge::symmetries`](crate::DomainKnowledge::symmetries).
    symmetries "symmetries": bool = true, switch(),
        "Treat symmetric positions, such as mirror images, as one, if the game declares \
         symmetries.";
    playout_cap "playout-cap": u32 = 1000, within(1..),
        "Count a playout as not won after this many moves.";
    stack "stack": u64 = USUAL_STACK, bytes(Config::STACKS), "Stack size of each worker thread.";
    seed "seed": u64 = 0, within(0..=u64::MAX), "Seed for the provers' random numbers.";
    audit "audit": bool = false, switch(),
        "After each question, check that the tree equals its own recomputation, and compare \
         positions that share a key (slow; for tests).";
    /// Certificates are built from that table; see [`certify`](crate::ProofSearch::certify).
    keep_proofs "keep-proofs": bool = false, switch(),
        "When a prover's tree is dropped, keep the positions that it solved in a table.";

    @hidden pn2_growth: [f64; 2] = [1_800_000.0, 240_000.0];
}

/// The default stack size of a thread in bytes.
pub(crate) const USUAL_STACK: u64 = 2 << 20;
/// The minimum size of a table in bytes.
pub(crate) const MIN_TABLE: u64 = 64;

impl ProverConfig {
    /// Checks all options.
    ///
    /// Returns an error if any option has an invalid value; the error names the first such option.
    pub fn check(&self) -> Result<(), ConfigError> {
        for spec in PROVER_OPTIONS {
            (spec.check)(self)?;
        }
        if self.precision.is_some() && !self.algorithm.estimates() {
            return Err(ConfigError::PrecisionNeedsEstimates(self.algorithm.name()));
        }
        Ok(())
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn values_out_of_range_are_refused_with_the_range() {
        let mut config = ProverConfig::default();
        for (name, value, expected) in [
            ("threads", "1025", "a number from 1 to 1024"),
            ("theta", "0.5", "a number greater than 0 and less than 0.5"),
            ("precision", "0", "a number greater than 0 and less than 0.5"),
            ("playouts-per-leaf", "0", "a number of at least 1"),
            ("tt", "63", "a number of bytes such as 64M or 2G, at least 64"),
            ("algorithm", "gpn", "one of auto, ab, dfpn, pds, df-ppns, pns, pn2, mcpns"),
        ] {
            let error = config.set(name, value).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
        assert_eq!(config, ProverConfig::default());
        assert!(ProverConfig::default().epsilon(f64::NAN).check().is_err());
        assert!(ProverConfig::default().stack(1).check().is_err());
    }
}
