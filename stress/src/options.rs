//! Random values for every option in the library's table.
//!
//! The table says in words which values an option takes (`on | off`, `1 to
//! 1024`, `parent | a number from -1000 to 1000`). They are drawn from those
//! words, so an option that is new in the table is drawn from then on.

use proofwood::{Config, OPTIONS, OptionSpec};
use proofwood_testkit::dice::Dice;

/// A configuration that a search accepts, for at most so many threads.
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
        // Some values do not go together.
        if config.check().is_ok() {
            return config;
        }
    }
}

/// One to all, few and many equally often.
fn draw_threads(dice: &mut Dice, most: usize) -> usize {
    match dice.below(3) {
        0 => 1 + dice.below(2.min(most)),
        1 => 1 + dice.below(4.min(most)),
        _ => 1 + dice.below(most),
    }
}

/// From what holds a few hundred nodes to what is never used up.
fn draw_memory(dice: &mut Dice) -> u64 {
    let least = 16u64 << dice.pick(&[10, 10, 11, 12, 13, 14, 16, 18, 20, 22]);
    least + dice.below(least as usize) as u64
}

/// Draws one option's value, or leaves the default.
fn draw_option(spec: &OptionSpec, config: &mut Config, dice: &mut Dice) {
    let values = spec.values.split(';').next().unwrap_or_default();
    let choices: Vec<&str> = values.split('|').map(str::trim).collect();
    let choice = dice.pick(&choices);
    let Some((low, high)) = range(choice) else {
        if choices.len() > 1 {
            (spec.set)(config, choice).expect("the table lists this value");
        }
        return;
    };
    // Most of the range of a number changes nothing any more.
    if choices.len() == 1 && dice.chance(60) {
        return;
    }
    let text = match dice.below(10) {
        0 => low.to_string(),
        1 => high.to_string(),
        _ => {
            let (least, most): (f64, f64) = (number(low), number(high));
            let sign = if least < 0.0 && dice.chance(50) { -1.0 } else { 1.0 };
            let value = sign * spread(least.max(0.0), most, dice);
            if (spec.set)(config, &format!("{value:.4}")).is_ok() {
                return;
            }
            format!("{value:.0}")
        }
    };
    (spec.set)(config, &text).expect("the table's range holds this number");
}

/// The ends of `1 to 1024` or `a number from -1000 to 1000`.
fn range(text: &str) -> Option<(&str, &str)> {
    let (low, high) = text.split_once(" to ")?;
    Some((low.split_whitespace().last()?, high.split_whitespace().next()?))
}

fn number(text: &str) -> f64 {
    text.parse().expect("the table gives the ends of a range as numbers")
}

/// A number between two others, small and large ones equally often.
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
            let numbers = spec.values.contains(" to ") || spec.name == "memory";
            let least = if numbers { 10 } else { 2 };
            assert!(seen.len() >= least, "{}: only {seen:?}", spec.name);
        }
    }
}
