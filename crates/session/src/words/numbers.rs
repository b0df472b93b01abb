//! Formats numbers for users.

use proofwood::{Bounds, Expected, ProofNumber};
use std::time::Duration;

/// Formats a count with about three digits: `987`, `12.3 k`, `4.56 M`.
pub fn count(number: f64) -> String {
    scaled(number, 1000.0, &["", " k", " M", " G", " T"])
}

/// Formats a number with a noun, in the plural if necessary: `1 game`, `2 games`.
pub fn number(number: u64, what: &str) -> String {
    match number {
        1 => format!("1 {what}"),
        number => format!("{number} {what}s"),
    }
}

/// Formats an amount of memory: `512 B`, `1.50 MiB`.
pub fn bytes(number: u64) -> String {
    scaled(number as f64, 1024.0, &[" B", " KiB", " MiB", " GiB", " TiB"])
}

fn scaled(number: f64, step: f64, units: &[&str]) -> String {
    let mut number = number;
    let mut unit = 0;
    while number >= 999.5 && unit + 1 < units.len() {
        number /= step;
        unit += 1;
    }
    let places = match number {
        _ if unit == 0 => 0,
        n if n < 9.995 => 2,
        n if n < 99.95 => 1,
        _ => 0,
    };
    format!("{number:.places$}{}", units[unit])
}

/// Formats a length of time: `12 ms`, `4.2 s`, `3 min 20 s`.
pub fn time(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    match seconds {
        s if s < 0.9995 => format!("{:.0} ms", s * 1000.0),
        s if s < 59.95 => format!("{s:.1} s"),
        s if s < 3599.5 => format!("{} min {} s", s as u64 / 60, s as u64 % 60),
        s => format!("{} h {} min", s as u64 / 3600, s as u64 / 60 % 60),
    }
}

/// Formats a mean value from −1 to 1 as a percentage of the points.
pub fn share(value: f64) -> String {
    format!("{:.1} %", (value + 1.0) * 50.0)
}

/// Formats bounds on a payoff: `-3..5`, `4`, with `?` for an unknown bound, or `-` if both are
/// unknown.
pub fn bounds(bounds: Bounds) -> String {
    let end = |end: Option<i32>| end.map_or("?".into(), |end| end.to_string());
    match bounds.exact() {
        Some(exact) => exact.to_string(),
        None if bounds.lower.is_none() && bounds.upper.is_none() => "-".into(),
        None => format!("{}..{}", end(bounds.lower), end(bounds.upper)),
    }
}

/// Formats the bounds on a payoff, or on the expected payoff in a game with chance.
pub fn payoff(bounds: Bounds, expected: Option<Expected>) -> String {
    expected.map_or_else(|| self::bounds(bounds), |expected| expected.to_string())
}

/// Formats a probability as a percentage.
pub fn probability(probability: f64) -> String {
    format!("{:.1} %", probability * 100.0)
}

/// Formats the players' proof numbers, separated by slashes.
pub fn proof_numbers(numbers: &[ProofNumber]) -> String {
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(" / ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_stay_short() {
        assert_eq!(count(0.0), "0");
        assert_eq!(count(999.0), "999");
        assert_eq!(count(1000.0), "1.00 k");
        assert_eq!(count(12_345_678.0), "12.3 M");
        assert_eq!((number(1, "game"), number(2, "game")), ("1 game".into(), "2 games".into()));
        assert_eq!(bytes(16 << 10), "16.0 KiB");
        assert_eq!(bytes(3 << 29), "1.50 GiB");
        assert_eq!(time(Duration::from_millis(12)), "12 ms");
        assert_eq!(time(Duration::from_secs(200)), "3 min 20 s");
        assert_eq!(share(0.0), "50.0 %");
    }
}
