//! Reads times and counts in the notations that people use.

use std::time::Duration;

/// Reads a length of time: `2.5`, `500ms`, `10s`, `2m`, `1h`.
pub fn read_time(text: &str) -> Result<Duration, String> {
    const LONGEST: f64 = 1e9;
    let wrong = || {
        format!(
            "'{text}' should be a positive time of at most 1e9 seconds, \
             such as 2.5, 500ms, 10s, 2m or 1h"
        )
    };
    let lower = text.trim().to_ascii_lowercase();
    let units = [("ms", 1e-3), ("min", 60.0), ("s", 1.0), ("m", 60.0), ("h", 3600.0)];
    let unit = units.iter().find_map(|&(unit, factor)| Some((lower.strip_suffix(unit)?, factor)));
    let (digits, factor) = unit.unwrap_or((&lower, 1.0));
    let seconds = digits.trim().parse::<f64>().map_err(|_| wrong())? * factor;
    if !(0.0..=LONGEST).contains(&seconds) {
        return Err(wrong());
    }
    Some(Duration::from_secs_f64(seconds)).filter(|time| !time.is_zero()).ok_or_else(wrong)
}

/// Reads a count: `10000`, `10_000`, `1e4`, `10k`, `1.5 M`.
pub fn read_count(text: &str) -> Result<u64, String> {
    const MOST: f64 = 1e18;
    let digits = text.trim().replace('_', "");
    // The units with which the program prints numbers.
    let units = [('k', 1e3), ('K', 1e3), ('M', 1e6), ('G', 1e9)];
    let unit = units.iter().find_map(|&(unit, factor)| Some((digits.strip_suffix(unit)?, factor)));
    let count = digits.parse::<u64>().ok().or_else(|| {
        let (digits, factor) = unit.unwrap_or((&digits, 1.0));
        let number = digits.trim().parse::<f64>().ok()? * factor;
        // In floating point, 4.35 times a million is not exactly a whole number.
        let whole = (number - number.round()).abs() < 1e-6;
        let number = number.round();
        (whole && (0.0..=MOST).contains(&number)).then_some(number as u64)
    });
    count.filter(|&count| count > 0).ok_or_else(|| {
        format!("'{text}' should be a positive whole number, such as 10000, 10k or 1e6")
    })
}
