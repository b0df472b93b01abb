//! The engine's options, generated from the library's table.

use super::dialect::Protocol;
use proofwood::Config;
use proofwood::options::{OPTIONS, OptionValues};
use proofwood_notation::variants::{VARIANTS, Variant};
use proofwood_session::input::options::SearchOptions;
use std::fmt::Write;

pub(super) const MOST_LINES: usize = 500;

pub(super) fn variant_names() -> String {
    let names: Vec<&str> = VARIANTS.iter().map(|variant| variant.name).collect();
    format!("one of {}", names.join(", "))
}

/// Declares the option that chooses the game.
pub(super) fn variants(protocol: Protocol, now: &Variant) -> String {
    let name = if protocol == Protocol::Usi { "USI_Variant" } else { "UCI_Variant" };
    let mut text = format!("option name {name} type combo default {}", now.name);
    for variant in VARIANTS {
        let _ = write!(text, " var {}", variant.name);
    }
    text + "\n"
}

/// The search options that are declared to the other program, which may set the others, too.
const LISTED: &[&str] = &["goal", "c-pn", "temperature"];

/// Declares all options but the one that chooses the game.
pub(super) fn listed(config: &Config, protocol: Protocol, lines: usize) -> String {
    let name = |name: &str| protocol.option(name);
    let mut text = format!(
        "option name Threads type spin default {} min 1 max 1024\n\
         option name {} type spin default {} min 16 max 1048576\n\
         option name {} type spin default {lines} min 1 max {MOST_LINES}\n",
        config.threads,
        name("Hash"),
        config.memory >> 20,
        name("MultiPV"),
    );
    if protocol != Protocol::Ugi {
        let _ = writeln!(text, "option name {} type check default false", name("Ponder"));
    }
    for spec in OPTIONS.iter().filter(|spec| LISTED.contains(&spec.name)) {
        let now = (spec.get)(config);
        let kind = match spec.values() {
            OptionValues::Words(words) => {
                format!("combo default {now} var {}", words.join(" var "))
            }
            _ => format!("string default {now}"),
        };
        let _ = writeln!(text, "option name {} type {kind}", spec.name);
    }
    text
}

/// Sets an option; returns false for an option of other engines that has no effect here.
pub(super) fn give(options: &mut SearchOptions, name: &str, value: &str) -> Result<bool, String> {
    const NOTHING: &[&str] =
        &["ponder", "usi_ponder", "uci_analysemode", "uci_chess960", "uci_showwdl", "clear hash"];
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

    /// Checks that the default of each `spin` is a number, and that the default of each `check` is
    /// true or false.
    #[test]
    fn defaults_are_of_their_kind() {
        for protocol in [Protocol::Ugi, Protocol::Uci, Protocol::Usi] {
            let text = listed(&Config::default(), protocol, 1);
            let mut numbers = 0;
            for line in text.lines() {
                let (_, rest) = line.split_once(" type ").unwrap();
                let words: Vec<&str> = rest.split(' ').collect();
                match words[..] {
                    ["spin", "default", now, "min", low, "max", high] => {
                        let [now, low, high] = [now, low, high].map(|n| n.parse::<i32>().unwrap());
                        assert!((low..=high).contains(&now), "{line}");
                        numbers += 1;
                    }
                    ["check", "default", now] => assert!(["true", "false"].contains(&now)),
                    ["combo", "default", now, ref rest @ ..] => {
                        assert!(rest.chunks(2).any(|pair| pair == ["var", now]), "{line}");
                    }
                    ["string", "default", _] => {}
                    _ => panic!("{line}"),
                }
            }
            assert_eq!(numbers, 3, "{text}");
            let usi = protocol == Protocol::Usi;
            assert_eq!(text.contains("option name USI_Ponder type check"), usi, "{text}");
            assert!(text.lines().count() < 10, "{text}");
        }
    }
}
