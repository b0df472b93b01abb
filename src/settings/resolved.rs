//! The settings that are in force, as decided from the configuration, the game and the defaults.

use super::search::{Config, OPTIONS};
use crate::game::Recommended;

/// The origin of a setting's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Source {
    /// The configuration sets the value.
    Given,
    /// The game recommends the value ([`Recommended`]).
    Recommended,
    /// The value is the default.
    Default,
}

impl Source {
    /// Returns the name: `given`, `recommended` or `default`.
    pub fn name(self) -> &'static str {
        match self {
            Source::Given => "given",
            Source::Recommended => "recommended",
            Source::Default => "default",
        }
    }
}

/// An option with the value that is in force in a search.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SettingInForce {
    /// The option's name on the command line.
    pub name: &'static str,
    /// The value, in the form that the command line reads.
    pub value: String,
    /// The origin of the value.
    pub source: Source,
}

/// A value and its origin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Decided<T> {
    pub(crate) value: T,
    pub(crate) source: Source,
}

impl<T: ToString> Decided<T> {
    fn of(given: Option<T>, recommended: Option<T>, default: T) -> Decided<T> {
        let (value, source) = match (given, recommended) {
            (Some(value), _) => (value, Source::Given),
            (None, Some(value)) => (value, Source::Recommended),
            (None, None) => (default, Source::Default),
        };
        Decided { value, source }
    }

    fn in_words(&self) -> (String, Source) {
        (self.value.to_string(), self.source)
    }
}

/// The options that a configuration may leave to the game, decided once for each search: the
/// configuration's value, else the game's recommendation, else the default.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Resolved {
    /// The weight of exploration in UCT; with priors, the c_init of PUCT.
    pub(crate) c: Decided<f64>,
    pub(crate) c_pn: Decided<f64>,
    pub(crate) expand_after: Decided<u64>,
    pub(crate) playout_cap: Decided<u32>,
    pub(crate) prover_share: Decided<f64>,
}

/// The default of `playout_cap`.
pub(crate) const MOST_MOVES: u32 = 1000;

impl Resolved {
    /// Decides the settings of a search in a game for `players` players. `plays_out` means that
    /// playouts evaluate the leaves, and `priors` that leaves have priors.
    pub(crate) fn of(
        config: &Config,
        recommended: &Recommended,
        players: usize,
        plays_out: bool,
        priors: bool,
    ) -> Resolved {
        // A game's recommendations are for informed playouts and the goal `Outcome`.
        let asks_game = config.asks_game();
        let recommended_c = recommended.c.filter(|_| asks_game && !priors);
        let recommended_share = recommended.prover_share.filter(|_| asks_game && plays_out);
        Resolved {
            // With priors, the default is the c_init of AlphaZero.
            c: Decided::of(config.c, recommended_c, if priors { 1.25 } else { 0.8 }),
            // Measurements with three players showed no benefit of proof numbers, and some harm.
            c_pn: Decided::of(config.c_pn, recommended.c_pn, if players > 2 { 0.0 } else { 0.1 }),
            expand_after: Decided::of(
                config.expand_after,
                // With priors, children are useful at once.
                recommended.expand_after.filter(|_| !priors),
                1,
            ),
            playout_cap: Decided::of(
                config.playout_cap,
                recommended.playout_cap.filter(|_| asks_game),
                MOST_MOVES,
            ),
            prover_share: Decided::of(config.prover_share, recommended_share, 0.0),
        }
    }

    pub(crate) fn settings(&self, config: &Config) -> Vec<SettingInForce> {
        let usual = Config::default();
        let settings = OPTIONS.iter().map(|option| {
            let (value, source) = match option.name {
                "c" => self.c.in_words(),
                "c-pn" => self.c_pn.in_words(),
                "expand-after" => self.expand_after.in_words(),
                "playout-cap" => self.playout_cap.in_words(),
                "prover-share" => self.prover_share.in_words(),
                _ => {
                    let value = (option.get)(config);
                    let is_usual = value == (option.get)(&usual);
                    (value, if is_usual { Source::Default } else { Source::Given })
                }
            };
            SettingInForce { name: option.name, value, source }
        });
        settings.collect()
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::settings::{Goal, PlayoutPolicy};

    fn recommendation() -> Recommended {
        let mut recommended = Recommended::default();
        (recommended.c, recommended.c_pn, recommended.expand_after) =
            (Some(0.3), Some(0.2), Some(8));
        (recommended.playout_cap, recommended.prover_share) = (Some(50), Some(0.5));
        recommended
    }

    /// Returns the values and sources of the five settings that a game may recommend.
    fn open(
        config: &Config,
        recommended: &Recommended,
        plays_out: bool,
        priors: bool,
    ) -> Vec<String> {
        let settings = Resolved::of(config, recommended, 2, plays_out, priors).settings(config);
        let names = ["c", "c-pn", "expand-after", "playout-cap", "prover-share"];
        let shown = |name| {
            let setting = settings.iter().find(|setting| setting.name == name)?;
            Some(format!("{} {}", setting.value, setting.source.name()))
        };
        names.into_iter().filter_map(shown).collect()
    }

    #[test]
    fn the_user_comes_before_the_game_and_the_game_before_the_default() {
        let usual = Config::default();
        let nothing = Recommended::default();
        let default = ["0.8", "0.1", "1", "1000", "0"].map(|value| format!("{value} default"));
        assert_eq!(open(&usual, &nothing, true, false), default);
        let recommended = ["0.3", "0.2", "8", "50", "0.5"];
        let recommended = recommended.map(|value| format!("{value} recommended"));
        assert_eq!(open(&usual, &recommendation(), true, false), recommended);
        let own = usual.c(2.0).c_pn(0.0).expand_after(3).playout_cap(7).prover_share(0.0);
        let given = ["2", "0", "3", "7", "0"].map(|value| format!("{value} given"));
        assert_eq!(open(&own, &recommendation(), true, false), given);
    }

    #[test]
    fn a_game_recommends_for_the_playouts_and_the_question_that_suit_it() {
        let others =
            ["0.8 default", "0.2 recommended", "8 recommended", "1000 default", "0 default"];
        let random = Config::default().playout_policy(PlayoutPolicy::Random);
        assert_eq!(open(&random, &recommendation(), true, false), others);
        assert_eq!(
            open(&Config::default().goal(Goal::Score), &recommendation(), true, false),
            others
        );
        let with_priors =
            ["1.25 default", "0.2 recommended", "1 default", "50 recommended", "0 default"];
        assert_eq!(open(&Config::default(), &recommendation(), false, true), with_priors);
    }

    #[test]
    fn all_options_are_listed() {
        let config = Config::default().seed(7);
        let settings =
            Resolved::of(&config, &Recommended::default(), 2, true, false).settings(&config);
        assert_eq!(settings.len(), OPTIONS.len());
        for setting in settings {
            let given = if setting.name == "seed" { Source::Given } else { Source::Default };
            assert_eq!(setting.source, given, "{setting:?}");
        }
    }
}
