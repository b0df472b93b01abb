//! The engine's options, made from the library's table.

use super::dialect::Protocol;
use crate::input::options::SearchOptions;
use crate::notation::variants::{VARIANTS, Variant};
use proofwood::{Config, OPTIONS, OptionValues};
use std::fmt::Write;
use std::ops::Bound;

/// The names of all variants, for an error.
pub(super) fn variant_names() -> String {
    let names: Vec<&str> = VARIANTS.iter().map(|variant| variant.name).collect();
    format!("one of {}", names.join(", "))
}

/// The option that chooses the game.
pub(super) fn variants(protocol: Protocol, now: &Variant) -> String {
    let name = if protocol == Protocol::Usi { "USI_Variant" } else { "UCI_Variant" };
    let mut text = format!("option name {name} type combo default {}", now.name);
    for variant in VARIANTS {
        let _ = write!(text, " var {}", variant.name);
    }
    text + "\n"
}

/// All other options.
pub(super) fn listed(config: &Config) -> String {
    let mut text = format!(
        "option name Threads type spin default {} min 1 max 1024\n\
         option name Hash type spin default {} min 16 max 1048576\n",
        config.threads,
        config.memory >> 20
    );
    for spec in OPTIONS.iter().filter(|spec| !["threads", "memory"].contains(&spec.name)) {
        let now = (spec.get)(config);
        let kind = match spec.values() {
            OptionValues::Words(words) if words[..] == ["on", "off"] => {
                format!("check default {}", now == "on")
            }
            OptionValues::Words(words) => {
                format!("combo default {now} var {}", words.join(" var "))
            }
            // An option that may also stand for what suits the game is no number to a client.
            OptionValues::Whole(Bound::Included(low), Bound::Included(high))
                if high <= i128::from(i32::MAX) && now.parse::<i128>().is_ok() =>
            {
                format!("spin default {now} min {low} max {high}")
            }
            _ => format!("string default {now}"),
        };
        let _ = writeln!(text, "option name {} type {kind}", spec.name);
    }
    text
}

/// Gives an option; false for those that many send and that change nothing here.
pub(super) fn give(options: &mut SearchOptions, name: &str, value: &str) -> Result<bool, String> {
    const NOTHING: &[&str] = &[
        "ponder",
        "uci_analysemode",
        "uci_chess960",
        "uci_showwdl",
        "multipv",
        "clear hash",
        "usi_ponder",
    ];
    let lower = name.to_ascii_lowercase();
    let value = if value == "<empty>" { "" } else { value };
    match &*lower {
        "threads" => Ok(options.give("threads", value)),
        "hash" | "usi_hash" => Ok(options.give("memory", &format!("{value}M"))),
        lower if NOTHING.contains(&lower) => Ok(false),
        lower if options.give(lower, value) => Ok(true),
        _ => Err(format!("there is no option '{name}'")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Clients read the default of a `spin` as a number, and that of a `check` as true or false.
    #[test]
    fn defaults_are_of_their_kind() {
        let text = listed(&Config::default());
        let after = |line: &str, kind: &str| {
            let (_, rest) = line.split_once(&format!(" type {kind} default "))?;
            Some(rest.split(' ').next()?.to_owned())
        };
        let mut numbers = 0;
        for line in text.lines() {
            if let Some(default) = after(line, "spin") {
                assert!(default.parse::<i32>().is_ok(), "{line}");
                numbers += 1;
            }
            if let Some(default) = after(line, "check") {
                assert!(default == "true" || default == "false", "{line}");
            }
        }
        assert!(numbers > 5, "{text}");
        assert!(text.contains("option name expand-after type string default default"), "{text}");
    }
}
