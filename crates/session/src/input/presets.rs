//! `--preset`: names for sets of options that belong together.
//!
//! A preset is a string of options in command-line form. Options given on the command line override
//! it.

use super::spec::full_spec;
use crate::Trouble;
use proofwood::Config;
use proofwood::error::ConfigError;
use proofwood::options::{OPTIONS, OptionSpec};
use serde::Deserialize;

/// A preset's name, description and options.
type Preset = (&'static str, &'static str, &'static str);

const PRESETS: &[Preset] = &[
    ("play", "the defaults", ""),
    (
        "prove",
        "the defaults of solve",
        "--c 1.4142135623730951 --c-pn 1 --expand-after 1 --playout-policy random --prover-share \
         0.8 --paranoid on --disprove-rest on",
    ),
    (
        "uct",
        "UCT with proven values and score bounds, without proof numbers",
        "--c 1.4142135623730951 --c-pn 0 --expand-after 1 --playout-policy random",
    ),
    (
        "paper",
        "the settings of the GPN-MCTS paper's program",
        "--c 1.4142135623730951 --c-pn 0.1 --expand-after 1 --playout-policy random --playout-cap \
         200 --look-ahead off --foresight off --transpositions off --keep-choice 0",
    ),
    (
        "flat",
        "flat UCB without a tree, for comparison",
        "--c 1.4142135623730951 --expand-after 1000000000 --c-pn 0 --solver off --score-bounds off \
         --look-ahead off --transpositions off --foresight off --keep-choice 0 --playout-policy \
         random",
    ),
    (
        "random",
        "random moves among those tried, for comparison",
        "--c 1000 --expand-after 1000000000 --c-pn 0 --solver off --score-bounds off --look-ahead \
         off --transpositions off --foresight off --keep-choice 0 --playout-policy random \
         --temperature 100 --temperature-moves 1000000",
    ),
];

/// The name of the preset whose options were tuned for each game separately.
const TUNED: &str = "tuned";

/// The results of `proofwood tune`.
const MEASURED: &str = include_str!("../../data/tuned.csv");

#[derive(Debug, Deserialize)]
struct Measured {
    game: String,
    options: String,
}

/// Returns the help text of `--preset`, which describes all presets on one line.
pub fn help() -> String {
    let fixed = PRESETS.iter().map(|(name, what, _)| format!("{name} ({what})"));
    let tuned = format!("{TUNED} (the values that `proofwood tune` found for the game)");
    let all: Vec<String> = fixed.chain([tuned]).collect();
    format!("Start from a set of options: {}", all.join("; "))
}

/// Returns the names of all presets.
pub fn names() -> impl Iterator<Item = &'static str> {
    PRESETS.iter().map(|(name, ..)| *name).chain([TUNED])
}

/// Sets the options of a preset. `game` is the description of the game, if it is known; only the
/// preset `tuned` needs it.
pub fn apply(name: &str, game: Option<&str>, config: &mut Config) -> Result<(), Trouble> {
    let wanted = name.trim().to_ascii_lowercase();
    let fixed = PRESETS.iter().find(|(preset, ..)| *preset == wanted);
    match (fixed, wanted == TUNED, game) {
        (Some((_, _, options)), ..) => set(options, config),
        (None, true, Some(game)) => set(&tuned(game)?, config),
        (None, true, None) => Err(Trouble::Input(format!("--preset {TUNED} needs a game"))),
        (None, false, _) => {
            let names: Vec<&str> = names().collect();
            Err(Trouble::Input(format!("--preset: '{name}' should be one of {}", names.join(", "))))
        }
    }
}

fn tuned(game: &str) -> Result<String, Trouble> {
    let game = &*full_spec(game)?;
    let plain = |spec: &str| spec.to_ascii_lowercase().replace(['-', '_', ' '], "");
    let mut known = Vec::new();
    for row in csv::Reader::from_reader(MEASURED.as_bytes()).deserialize() {
        let row: Measured = row.map_err(|error| Trouble::Failed(format!("tuned.csv: {error}")))?;
        if plain(&row.game) == plain(game) {
            return Ok(row.options);
        }
        known.push(row.game);
    }
    Err(Trouble::Input(format!(
        "--preset {TUNED}: there are no values for {game}, only for {}; run `proofwood tune \
         {game}` to find some",
        known.join(", ")
    )))
}

/// Sets options given as `--name value` pairs.
pub fn set(text: &str, config: &mut Config) -> Result<(), Trouble> {
    let mut words = text.split_whitespace();
    while let Some(name) = words.next() {
        let (name, text) = (name.trim_start_matches("--"), words.next().unwrap_or_default());
        match OPTIONS.iter().find(|spec| spec.name == name) {
            Some(spec) => set_one(spec, text, config)?,
            None => config.set(name, text)?,
        }
    }
    Ok(())
}

/// Sets an option; the text `default` restores its default value.
pub fn set_one<C: Default>(
    spec: &OptionSpec<C>,
    text: &str,
    config: &mut C,
) -> Result<(), ConfigError> {
    if text.trim().eq_ignore_ascii_case("default") {
        (spec.set)(config, &(spec.get)(&C::default()))
    } else {
        (spec.set)(config, text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn preset(name: &str) -> Config {
        let mut config = Config::default();
        apply(name, None, &mut config).unwrap();
        config.check().unwrap();
        config
    }

    #[test]
    fn presets_set_options() {
        assert_eq!(preset("play"), Config::default());
        assert_eq!(preset("prove"), Config::proving());
        assert_eq!(preset("uct").c_pn, Some(0.0));
        assert_eq!(preset("paper").playout_cap, Some(200));
        // The paper's program uses no knowledge of a game beyond its rules.
        assert!(!preset("paper").foresight && !preset("paper").look_ahead);
        assert_eq!(preset("flat"), Config::flat_monte_carlo());
        assert_eq!(preset("random"), Config::random_player());
    }

    #[test]
    fn every_measured_game_can_be_searched_with_its_values() {
        for row in csv::Reader::from_reader(MEASURED.as_bytes()).deserialize() {
            let row: Measured = row.unwrap();
            proofwood_any_game::find(&row.game).map(|_| ()).unwrap();
            let mut config = Config::default();
            apply("tuned", Some(&row.game), &mut config).unwrap();
            config.check().unwrap();
        }
    }

    #[test]
    fn unknown_presets_and_games_are_refused() {
        let refused =
            |name, game| apply(name, game, &mut Config::default()).unwrap_err().to_string();
        assert!(refused("best", None).contains("should be one of play, prove"));
        assert!(refused("tuned", None).contains("needs a game"));
        assert!(refused("tuned", Some("p-game:2,3")).contains("there are no values"));
    }
}
