//! Random values for every option in the library's table.
//!
//! The options and their possible values are read from the table, so a new option is drawn as soon
//! as the table has it.

use proofwood::Config;
use proofwood::options::{OPTIONS, OptionSpec, OptionValues};
use proofwood_testkit::dice::Dice;
use std::ops::Bound;

/// Draws a configuration that a search accepts, with at most `threads` threads.
pub(crate) fn draw(dice: &mut Dice, threads: usize) -> Config {
    loop {
        let mut config = Config::default();
        for spec in OPTIONS {
            draw_option(spec, &mut config, dice);
        }
        let config = config
            .audit(dice.chance(90))
            .threads(draw_threads(dice, threads))
            .memory(draw_memory(dice))
            .stack(dice.pick(&[1 << 20, 2 << 20, 8 << 20]));
        // Some values exclude each other.
        if config.check().is_ok() {
            return config;
        }
    }
}

/// Draws a number of threads from 1 to `most`, more often a small one.
fn draw_threads(dice: &mut Dice, most: usize) -> usize {
    match dice.below(3) {
        0 => 1 + dice.below(2.min(most)),
        1 => 1 + dice.below(4.min(most)),
        _ => 1 + dice.below(most),
    }
}

/// Draws a size of memory, between one that holds a few hundred nodes and one that never becomes
/// full.
fn draw_memory(dice: &mut Dice) -> u64 {
    let least = 16u64 << dice.pick(&[10, 10, 11, 12, 13, 14, 16, 18, 20, 22]);
    least + dice.below(least as usize) as u64
}

fn draw_option(spec: &OptionSpec<Config>, config: &mut Config, dice: &mut Dice) {
    let values = spec.values();
    // Most of a number's range makes no difference any more.
    let is_number = matches!(values, OptionValues::Whole(..) | OptionValues::Number(..));
    if is_number && dice.chance(60) {
        return;
    }
    if let Some(text) = draw_value(&values, dice) {
        (spec.set)(config, &text).expect("the table holds this value");
    }
}

/// Draws one of an option's values; `None` for options that are drawn separately.
fn draw_value(values: &OptionValues, dice: &mut Dice) -> Option<String> {
    match values {
        OptionValues::Words(words) | OptionValues::WordsOrFile(words, _) => {
            Some(dice.pick(words).to_string())
        }
        OptionValues::Whole(Bound::Included(low), Bound::Included(high)) => {
            Some(match dice.below(10) {
                0 => low.to_string(),
                1 => high.to_string(),
                _ => format!("{:.0}", draw_number(*low as f64, *high as f64, dice)),
            })
        }
        OptionValues::Number(Bound::Included(low), Bound::Included(high)) => {
            Some(match dice.below(10) {
                0 => low.to_string(),
                1 => high.to_string(),
                _ => format!("{:.4}", draw_number(*low, *high, dice)),
            })
        }
        _ => None,
    }
}

/// Draws a number in a range, which may be negative.
fn draw_number(low: f64, high: f64, dice: &mut Dice) -> f64 {
    let sign = if low < 0.0 && dice.chance(50) { -1.0 } else { 1.0 };
    sign * spread(low.max(0.0), high, dice)
}

/// Draws a number in a range, small and large ones equally often.
fn spread(least: f64, most: f64, dice: &mut Dice) -> f64 {
    const STEPS: usize = 1 << 20;
    let floor = least.max(1e-3);
    let place = dice.below(STEPS) as f64 / STEPS as f64;
    // Rounding must not leave the range.
    (floor * (most / floor).powf(place)).clamp(least, most * 0.999)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_option_is_drawn() {
        let mut seen = vec![HashSet::new(); OPTIONS.len()];
        for seed in 0..300 {
            let config = draw(&mut Dice::new(seed), 16);
            for (spec, seen) in OPTIONS.iter().zip(&mut seen) {
                seen.insert((spec.get)(&config));
            }
        }
        for (spec, seen) in OPTIONS.iter().zip(&seen) {
            let values = spec.values();
            let words = matches!(values, OptionValues::Words(_) | OptionValues::WordsOrFile(..));
            let least = if words || spec.name == "stack" { 2 } else { 10 };
            assert!(seen.len() >= least, "{}: only {seen:?}", spec.name);
        }
    }
}
