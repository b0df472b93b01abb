//! Every option of a search, in one table.
//!
//! The table gives each option its field in [`Config`], its builder method,
//! its default, range and help. The program's command line is made from
//! [`OPTIONS`], so an option is written down once.

use super::bias::Bias;
use super::goal::Goal;
use crate::error::ConfigError;
use crate::memory::{MIN_MEMORY, usual_memory};
use std::fmt::Display;
use std::ops::RangeInclusive;

/// What an unvisited child is worth until it is visited.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum FirstPlay {
    /// Its parent's mean value for the player who moves.
    Parent,
    /// This value; −1 to 1 are the values of playouts, more makes every child
    /// be visited once before any is visited twice.
    Value(f64),
}

/// How playouts under way count in the selection of other threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum VirtualLoss {
    /// As visits whose value is not known yet (WU-UCT): they lower the
    /// exploration term and leave the value alone.
    Unobserved,
    /// Not at all.
    None,
}

/// How outcomes of chance are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Chance {
    /// A node where chance decides has a child for each outcome: what follows is
    /// counted with its exact weight, and can be proven.
    Closed,
    /// Outcomes are drawn anew in every playout and have no nodes; a node stands
    /// for the moves that the players made. Nothing can be proven, because a
    /// node is no position.
    Open,
}

/// One row of the options table.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct OptionSpec {
    /// The name on the command line, in kebab case.
    pub name: &'static str,
    /// What the option does, in one sentence.
    pub help: &'static str,
    /// The values it takes, for people.
    pub values: &'static str,
    /// Reads a value into a configuration.
    pub set: fn(&mut Config, &str) -> Result<(), ConfigError>,
    /// Writes a configuration's value as `set` would read it.
    pub get: fn(&Config) -> String,
}

impl std::fmt::Debug for OptionSpec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "--{} {}", self.name, self.values)
    }
}

macro_rules! options {
    ($($(#[doc = $doc:literal])* $field:ident: $type:ty = $default:expr, $name:literal, $values:literal, $read:expr, $help:literal;)*) => {
        /// How to search: every option with its default. Change what you need
        /// with the method of the same name.
        ///
        /// ```
        /// use proofwood::{Bias, Config};
        ///
        /// let config = Config::default().threads(2).bias(Bias::Rank).c_pn(0.5);
        /// assert_eq!(config.threads, 2);
        /// ```
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        pub struct Config {
            $(#[doc = $help] #[doc = ""] #[doc = concat!("Values: ", $values, ".")] $(#[doc = $doc])* pub $field: $type,)*
        }

        impl Default for Config {
            fn default() -> Config {
                Config { $($field: $default,)* }
            }
        }

        impl Config {
            $(
                #[doc = concat!("Sets [`", stringify!($field), "`](Config#structfield.", stringify!($field), ").")]
                #[must_use]
                pub fn $field(mut self, $field: $type) -> Config {
                    self.$field = $field;
                    self
                }
            )*
        }

        /// The options table.
        pub static OPTIONS: &[OptionSpec] = &[$(
            OptionSpec {
                name: $name,
                help: $help,
                values: $values,
                set: |config, text| {
                    let read: fn(&str) -> Result<$type, String> = $read;
                    config.$field = read(text).map_err(|expected| ConfigError::Value {
                        option: concat!("Config::", stringify!($field)),
                        given: text.into(),
                        expected,
                    })?;
                    Ok(())
                },
                get: |config| config.$field.written(),
            },
        )*];
    };
}

options! {
    threads: usize = num_cpus::get().min(MAX_THREADS), "threads", "1 to 1024; default: one per core",
        |t| number(t, 1..=MAX_THREADS), "Worker threads that search the tree together.";
    seed: u64 = 0, "seed", "0 to 18446744073709551615; default 0",
        |t| number(t, 0..=u64::MAX), "Seed of all random numbers; with one thread the same seed grows the same tree.";
    goal: Goal = Goal::Win, "goal", "outcome | score; default outcome",
        |t| choice(t, GOALS), "What to find out: who wins, or the exact score.";
    c: f64 = std::f64::consts::SQRT_2, "c", "0 to 1000; default 1.4142135623730951",
        |t| number(t, 0.0..=1000.0), "Weight C of the exploration term of UCT.";
    ///
    /// Proof numbers count what is missing for a win, whatever the goal: asked for the
    /// score ([`Goal::Score`]), the bias still sends playouts to moves that may force a payoff
    /// that wins (more than 0, by default), and the most visited move need not have the best
    /// mean. With 0 visits follow the values alone.
    c_pn: f64 = 0.1, "c-pn", "0 to 1000; default 0.1",
        |t| number(t, 0.0..=1000.0), "Weight C_pn of the proof-number bias; 0 keeps the numbers without using them.";
    bias: Bias = Bias::Max, "bias", "none | rank | max | sum | rank-ludii; default max",
        |t| choice(t, BIASES), "Formula of the proof-number bias.";
    proof_numbers: bool = true, "proof-numbers", "on | off; default on",
        switch, "Keep proof numbers; off keeps only proven, open and impossible.";
    mobility: bool = true, "mobility", "on | off; default on",
        switch, "Start a leaf's proof numbers with its number of moves.";
    solver: bool = true, "solver", "on | off; default on",
        switch, "Use proven wins, draws and losses (MCTS-Solver).";
    score_bounds: bool = true, "score-bounds", "on | off; default on",
        switch, "Keep and use score intervals (Score-Bounded MCTS).";
    look_ahead: bool = true, "look-ahead", "on | off; default on",
        switch, "Look at once which new children end the game.";
    transpositions: bool = true, "transpositions", "on | off; default on",
        switch, "Carry proofs between nodes with the same position, where the game has hashes; takes a sixteenth of the memory, from 1M on.";
    foresight: bool = true, "foresight", "on | off; default on",
        switch, "Believe what the rules foresee of positions that are not over (hex: chains that cannot be cut).";
    paranoid: bool = false, "paranoid", "on | off; default off",
        switch, "With three players or more, or without zero sum: search for what the side to move can force against all others, and prune by it.";
    chance: Chance = Chance::Closed, "chance", "closed | open; default closed",
        |t| choice(t, CHANCES), "Give each outcome of chance a node, or draw outcomes anew in every playout, without proofs.";
    disprove_rest: bool = false, "disprove-rest", "on | off; default off",
        switch, "In games with chance whose score is asked for, one in eight visits of a node, by lot, goes to a child that may still be worth most, so that upper bounds come down.";
    first_play: FirstPlay = FirstPlay::Parent, "first-play", "parent | a number from -1000 to 1000; default parent",
        read_first_play, "Value of a child that was never visited.";
    virtual_loss: VirtualLoss = VirtualLoss::Unobserved, "virtual-loss", "unobserved | none; default unobserved",
        |t| choice(t, VIRTUAL_LOSSES), "How playouts under way count for other threads.";
    spread: f64 = 0.1, "spread", "0 to 1; default 0.1",
        |t| number(t, 0.0..=1.0), "Several threads: each has C greater by this part of it for its own half of a node's children, and smaller by as much for the others, from 1024 visits of the node on, so that threads get in each other's way less; 0 not at all.";
    keep_choice: u64 = 32, "keep-choice", "0 to 1000000; default 32",
        |t| number(t, 0..=1_000_000), "From so many visits of a node for each thread on, its chosen child is entered twice before a choice is made anew, from twice as many visits four times, at most 16 times; 0 chooses at every visit, as games with chance always do.";
    expand_after: u64 = 1, "expand-after", "1 to 1000000; default 1",
        |t| number(t, 1..=1_000_000), "Visits of a leaf before the next one expands it.";
    playout_cap: u32 = 1000, "playout-cap", "1 to 1000000; default 1000",
        |t| number(t, 1..=1_000_000), "Moves after which a playout is cut off.";
    unfinished_payoff: i32 = 0, "unfinished-payoff", "-2147483648 to 2147483647; default 0",
        |t| number(t, i32::MIN..=i32::MAX), "Payoff to everybody of a playout that was cut off.";
    /// The default is half of [`machine_memory`](crate::machine_memory), and 4 GiB where
    /// that is unknown. Memory is taken as the tree grows, but addresses for a sixteenth
    /// at once, where there is a table of proofs. Searches that live at the same time do
    /// not know of each other: give each its share. Where the system has less, the tree
    /// is full when the system's memory is, and the table smaller.
    memory: u64 = usual_memory(), "memory", "bytes, or with K, M, G or T; from 16K; default: half of the machine's",
        read_memory, "Memory for the tree; a search without another limit ends when it is used up, others go on (--prune).";
    stack: u64 = 2 << 20, "stack", "bytes, or with K, M, G or T; from 256K; default 2M",
        read_stack, "Stack of each worker thread: more where rules or an evaluator call themselves deeply.";
    stop_when_decided: bool = false, "stop-when-decided", "on | off; default off",
        switch, "End the search when no other move can get more visits before the time or the playouts are used up.";
    prune: bool = true, "prune", "on | off; default on",
        switch, "When the memory is used up, drop what is settled or rarely visited and grow on; off goes on without growing.";
    audit: bool = false, "audit", "on | off; default off",
        switch, "Count evaluations at every node, so that an audit can check all visits.";
}

/// The most worker threads a search may have.
pub(crate) const MAX_THREADS: usize = 1024;
/// Bytes that a thread's stack may have.
pub(crate) const STACKS: RangeInclusive<u64> = 256 << 10..=1 << 62;

const GOALS: &[(&str, Goal)] = &[("outcome", Goal::Win), ("score", Goal::Score)];
const BIASES: &[(&str, Bias)] = &[
    ("none", Bias::None),
    ("rank", Bias::Rank),
    ("max", Bias::Max),
    ("sum", Bias::Sum),
    ("rank-ludii", Bias::RankLudii),
];
const VIRTUAL_LOSSES: &[(&str, VirtualLoss)] =
    &[("unobserved", VirtualLoss::Unobserved), ("none", VirtualLoss::None)];
const CHANCES: &[(&str, Chance)] = &[("closed", Chance::Closed), ("open", Chance::Open)];

impl Config {
    /// A configuration for proving: the proof numbers lead
    /// ([`c_pn`](Config::c_pn) 1), and with three players or more the question
    /// is what the side to move can force ([`paranoid`](Config::paranoid)). In games
    /// with chance every eighth visit is for bounds
    /// ([`disprove_rest`](Config::disprove_rest)).
    ///
    /// The defaults are for playing. A large `c_pn` finds proofs several times
    /// sooner and plays some games much worse: it must be tuned for each.
    pub fn proving() -> Config {
        Config::default().c_pn(1.0).paranoid(true).disprove_rest(true)
    }

    /// The same for a search in open loop ([`Chance::Open`]): without proofs,
    /// bounds, and what rests on them.
    #[must_use]
    pub fn open_loop(self) -> Config {
        let off = self.solver(false).score_bounds(false).proof_numbers(false);
        off.bias(Bias::None).chance(Chance::Open)
    }

    /// Sets an option by its name in [`OPTIONS`].
    ///
    /// # Errors
    /// When there is no such option or the value is out of range.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), ConfigError> {
        let spec = OPTIONS
            .iter()
            .find(|spec| spec.name == name)
            .ok_or_else(|| ConfigError::Unknown(name.into()))?;
        (spec.set)(self, value)
    }

    /// Checks values that were set as fields, and combinations.
    ///
    /// # Errors
    /// The first option that cannot be used.
    pub fn check(&self) -> Result<(), ConfigError> {
        for spec in OPTIONS {
            (spec.set)(&mut self.clone(), &(spec.get)(self))?;
        }
        let open = self.chance == Chance::Open;
        if open && (self.solver || self.score_bounds || self.proof_numbers) {
            return Err(ConfigError::OpenLoopProves);
        }
        if self.goal == Goal::Score && !self.score_bounds && !open {
            return Err(ConfigError::ScoreNeedsBounds);
        }
        if !self.proof_numbers && self.bias != Bias::None && self.c_pn > 0.0 {
            return Err(ConfigError::BiasNeedsProofNumbers);
        }
        Ok(())
    }
}

// Readers of values: from text, or an error that says what would be right.

fn number<T>(text: &str, range: RangeInclusive<T>) -> Result<T, String>
where
    T: std::str::FromStr + PartialOrd + Display,
{
    let wrong = || format!("a number from {} to {}", range.start(), range.end());
    let value: T = text.trim().parse().map_err(|_| wrong())?;
    if range.contains(&value) { Ok(value) } else { Err(wrong()) }
}

fn choice<T: Copy>(text: &str, choices: &[(&str, T)]) -> Result<T, String> {
    let found = choices.iter().find(|(name, _)| name.eq_ignore_ascii_case(text.trim()));
    found.map(|&(_, value)| value).ok_or_else(|| {
        let names: Vec<&str> = choices.iter().map(|&(name, _)| name).collect();
        format!("one of {}", names.join(", "))
    })
}

fn switch(text: &str) -> Result<bool, String> {
    choice(text, &[("on", true), ("off", false), ("true", true), ("false", false)])
        .map_err(|_| "on or off".into())
}

fn read_first_play(text: &str) -> Result<FirstPlay, String> {
    if text.eq_ignore_ascii_case("parent") {
        return Ok(FirstPlay::Parent);
    }
    number(text, -1000.0..=1000.0)
        .map(FirstPlay::Value)
        .map_err(|_| "parent or a number from -1000 to 1000".into())
}

/// A stack that holds a worker's own calls, and that an address can reach.
fn read_stack(text: &str) -> Result<u64, String> {
    read_bytes(text)
        .ok()
        .filter(|bytes| STACKS.contains(bytes))
        .ok_or_else(|| "a number of bytes such as 2M or 64M, from 256K".into())
}

/// Memory that holds a tree.
fn read_memory(text: &str) -> Result<u64, String> {
    read_bytes(text)
        .ok()
        .filter(|&bytes| bytes >= MIN_MEMORY)
        .ok_or_else(|| "a number of bytes such as 64M or 2G, from 16K".into())
}

/// Reads an amount of memory such as `64M`; K, M, G and T are powers of 1024.
///
/// # Errors
/// What is wrong with `text`, on one line.
pub fn read_bytes(text: &str) -> Result<u64, String> {
    let wrong = || format!("'{text}' should be a number of bytes such as 64K, 64M or 2G");
    let trimmed = text.trim().to_ascii_uppercase();
    let trimmed = trimmed.strip_suffix("IB").or(trimmed.strip_suffix('B')).unwrap_or(&trimmed);
    let (digits, unit) = match trimmed.find(|c: char| c.is_ascii_alphabetic()) {
        Some(at) => trimmed.split_at(at),
        None => (trimmed, ""),
    };
    let shift = match unit {
        "" => 0,
        "K" => 10,
        "M" => 20,
        "G" => 30,
        "T" => 40,
        _ => return Err(wrong()),
    };
    let amount: f64 = digits.trim().parse().map_err(|_| wrong())?;
    let bytes = amount * (1u64 << shift) as f64;
    if bytes.is_finite() && bytes >= 1.0 && bytes < u64::MAX as f64 {
        Ok(bytes as u64)
    } else {
        Err(wrong())
    }
}

/// An option's value in the form that the table reads.
trait Written {
    fn written(&self) -> String;
}

macro_rules! written {
    ($($type:ty: $value:ident => $text:expr;)*) => {
        $(impl Written for $type {
            fn written(&self) -> String {
                let $value = self;
                $text
            }
        })*
    };
}

fn name_of<T: Copy + PartialEq>(value: T, choices: &[(&str, T)]) -> String {
    choices.iter().find(|(_, v)| *v == value).map_or_else(String::new, |(name, _)| name.to_string())
}

written! {
    usize: v => v.to_string();
    u64: v => v.to_string();
    u32: v => v.to_string();
    i32: v => v.to_string();
    f64: v => v.to_string();
    bool: v => if *v { "on".into() } else { "off".into() };
    Goal: v => name_of(*v, GOALS);
    Bias: v => name_of(*v, BIASES);
    Chance: v => name_of(*v, CHANCES);
    FirstPlay: v => match v {
        FirstPlay::Parent => "parent".into(),
        FirstPlay::Value(value) => value.to_string(),
    };
    VirtualLoss: v => name_of(*v, VIRTUAL_LOSSES);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_pass_their_own_check_and_read_back() {
        let config = Config::default();
        config.check().unwrap();
        for spec in OPTIONS {
            let mut copy = config.clone();
            (spec.set)(&mut copy, &(spec.get)(&config)).unwrap();
            assert_eq!(copy, config, "{}", spec.name);
        }
    }

    #[test]
    fn values_out_of_range_are_refused_with_the_range() {
        let mut config = Config::default();
        for (name, value) in [
            ("threads", "0"),
            ("threads", "many"),
            ("c", "-1"),
            ("c", "NaN"),
            ("bias", "best"),
            ("memory", "1"),
            ("memory", "1X"),
            ("memory", "inf"),
            ("solver", "maybe"),
            ("virtual-loss", "-1"),
        ] {
            let error = config.set(name, value).unwrap_err().to_string();
            let field = format!("Config::{}: '{value}' should be ", name.replace('-', "_"));
            assert!(error.starts_with(&field), "{error}");
        }
        assert!(config.set("colour", "red").is_err());
        assert_eq!(config, Config::default());
        assert!(Config::default().threads(0).check().is_err());
        assert!(Config::default().c(f64::NAN).check().is_err());
    }

    #[test]
    fn combinations_that_cannot_work_are_refused() {
        assert!(Config::default().goal(Goal::Score).score_bounds(false).check().is_err());
        assert!(Config::default().proof_numbers(false).check().is_err());
        Config::default().proof_numbers(false).bias(Bias::None).check().unwrap();
    }

    #[test]
    fn memory_has_units() {
        assert_eq!(read_bytes("64M"), Ok(64 << 20));
        assert_eq!(read_bytes("1.5 GiB"), Ok(3 << 29));
        assert_eq!(read_bytes("20000"), Ok(20000));
        assert_eq!(read_bytes("4K"), Ok(4096));
        assert!(read_bytes("0.5").is_err() && read_bytes("-4K").is_err());
    }
}
