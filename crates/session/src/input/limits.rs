//! The limits of a search: time, playouts, nodes, bytes.

use crate::Trouble;
use crate::words::numbers;
use proofwood::internals::machine_memory;
use proofwood::options::read_bytes;
use proofwood::{Budget, Clock};
pub use proofwood_any_game::query::{read_count, read_time};
use std::ops::RangeInclusive;
use std::time::Duration;

/// The options that limit a search.
#[cfg_attr(feature = "args", derive(clap::Args))]
#[cfg_attr(feature = "args", command(next_help_heading = "Limits"))]
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Time for each position: seconds, or with a unit such as 500ms, 10s, 2m, 1h
    #[cfg_attr(
        feature = "args",
        arg(short, long, value_name = "TIME", allow_negative_numbers = true)
    )]
    time: Option<String>,
    /// Processor time of all threads together for each position, such as 500ms or 10s
    #[cfg_attr(feature = "args", arg(long, value_name = "TIME", allow_negative_numbers = true))]
    cpu_time: Option<String>,
    /// Time left on the clock, shared among the moves to come; instead of --time
    #[cfg_attr(
        feature = "args",
        arg(long, value_name = "TIME", conflicts_with = "time", allow_negative_numbers = true)
    )]
    time_left: Option<String>,
    /// Time that the clock adds after each move
    #[cfg_attr(
        feature = "args",
        arg(long, value_name = "TIME", requires = "time_left", allow_negative_numbers = true)
    )]
    increment: Option<String>,
    /// Moves to the next time control; without it the time is for the rest of the game
    #[cfg_attr(
        feature = "args",
        arg(long, value_name = "NUMBER", requires = "time_left", allow_negative_numbers = true)
    )]
    moves_to_go: Option<String>,
    /// Number of playouts for each position
    #[cfg_attr(feature = "args", arg(long, value_name = "NUMBER", allow_negative_numbers = true))]
    playouts: Option<String>,
    /// Number of nodes in the tree
    #[cfg_attr(feature = "args", arg(long, value_name = "NUMBER", allow_negative_numbers = true))]
    nodes: Option<String>,
    /// End the search when the tree takes this many bytes, such as 64M or 1G
    #[cfg_attr(feature = "args", arg(long, value_name = "BYTES", allow_negative_numbers = true))]
    bytes: Option<String>,
}

impl Limits {
    /// Returns the budget; if no limit was given, the time is limited to `default`.
    pub fn budget(&self, default: Option<Duration>) -> Result<Budget, Trouble> {
        let mut budget = Budget::default();
        budget.time = read("--time", self.time.as_deref(), read_time)?;
        budget.cpu_time = read("--cpu-time", self.cpu_time.as_deref(), read_time)?;
        if let Some(left) = read("--time-left", self.time_left.as_deref(), read_time)? {
            budget.time = Some(self.clock(left)?.time());
        }
        budget.playouts = read("--playouts", self.playouts.as_deref(), read_count)?;
        budget.nodes = read("--nodes", self.nodes.as_deref(), read_count)?;
        budget.bytes = read("--bytes", self.bytes.as_deref(), read_bytes)?;
        if !self.is_given() {
            budget.time = default;
        }
        Ok(budget)
    }

    /// Sets a limit, replacing any earlier value; returns false if the name is unknown.
    pub fn give(&mut self, name: &str, text: &str) -> bool {
        let limit = match name {
            "time" => &mut self.time,
            "cpu-time" => &mut self.cpu_time,
            "playouts" => &mut self.playouts,
            "nodes" => &mut self.nodes,
            "bytes" => &mut self.bytes,
            _ => return false,
        };
        *limit = Some(text.into());
        true
    }

    /// Returns the names and texts of the limits that were given, in the form that
    /// [`give`](Limits::give) accepts. A clock is replaced by the time that it allots to the move.
    pub fn given(&self) -> Result<Vec<(&'static str, String)>, Trouble> {
        Ok(given(&self.budget(None)?))
    }

    /// Returns whether any limit was given.
    pub fn is_given(&self) -> bool {
        let Limits { time, time_left, cpu_time, playouts, nodes, bytes, .. } = self;
        [time, time_left, cpu_time, playouts, nodes, bytes].iter().any(|limit| limit.is_some())
    }
}

impl Limits {
    fn clock(&self, left: Duration) -> Result<Clock, Trouble> {
        let increment = read("--increment", self.increment.as_deref(), read_time)?;
        let moves = read("--moves-to-go", self.moves_to_go.as_deref(), read_count)?;
        let clock = Clock::new(left).increment(increment.unwrap_or_default());
        Ok(match moves {
            Some(moves) => clock.moves_to_go(u32::try_from(moves).unwrap_or(u32::MAX)),
            None => clock,
        })
    }
}

/// Returns the names and texts of a budget's limits, in the form for [`give`](Limits::give).
pub fn given(budget: &Budget) -> Vec<(&'static str, String)> {
    let seconds = |time: Option<Duration>| time.map(|time| format!("{}s", time.as_secs_f64()));
    let number = |number: Option<u64>| number.map(|number| number.to_string());
    let all = [
        ("time", seconds(budget.time)),
        ("cpu-time", seconds(budget.cpu_time)),
        ("playouts", number(budget.playouts)),
        ("nodes", number(budget.nodes)),
        ("bytes", number(budget.bytes)),
    ];
    all.into_iter().filter_map(|(name, text)| Some((name, text?))).collect()
}

/// Parses the value of an option, if it was given.
pub fn read<T>(
    option: &str,
    text: Option<&str>,
    read: fn(&str) -> Result<T, String>,
) -> Result<Option<T>, Trouble> {
    text.map(read).transpose().map_err(|reason| Trouble::Input(format!("{option}: {reason}")))
}

/// Refuses more memory than the machine has. The system would grant it, but kill the program when
/// it uses the memory.
pub fn there_is(option: &str, text: &str, bytes: u64) -> Result<(), Trouble> {
    match machine_memory() {
        Some(most) if bytes > most => Err(Trouble::Input(format!(
            "{option}: '{text}' is more memory than the machine has: {}",
            numbers::bytes(most)
        ))),
        _ => Ok(()),
    }
}

/// Returns a parser for clap that reads a whole number in `range`.
pub fn whole<T: TryFrom<u64>>(
    range: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| {
        let number = match text.trim() {
            "0" => Some(0),
            text => read_count(text).ok(),
        };
        let number = number.filter(|number| range.contains(number));
        number.and_then(|number| T::try_from(number).ok()).ok_or_else(|| {
            format!("should be a whole number from {} to {}", range.start(), range.end())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_gives_the_time() {
        let clock = Limits {
            time_left: Some("1m".into()),
            increment: Some("500ms".into()),
            moves_to_go: Some("10".into()),
            ..Limits::default()
        };
        // (60 s − 50 ms) / 10 + 500 ms.
        assert_eq!(clock.budget(None).unwrap().time, Some(Duration::from_millis(6495)));
        let wrong = Limits { moves_to_go: Some("none".into()), ..clock };
        assert!(wrong.budget(None).is_err());
    }

    #[test]
    fn a_default_time_holds_only_where_nothing_is_given() {
        let default = Some(Duration::from_secs(5));
        let none = Limits::default().budget(default).unwrap();
        assert_eq!(none.time, default);
        let playouts = Limits { playouts: Some("10".into()), ..Limits::default() };
        assert_eq!(playouts.budget(default).unwrap().time, None);
    }
}
