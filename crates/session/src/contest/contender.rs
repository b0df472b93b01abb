//! Contenders: configurations of the engine, each with its budget for a move.

use crate::Trouble;
use crate::input::given::Given;
use crate::input::limits::{self, Limits};
use crate::input::options::{SearchOptions, differing, typed};
use proofwood::{Budget, Config};
use serde::{Deserialize, Serialize};

/// A configuration of the engine that plays in a contest.
#[derive(Clone, Debug)]
pub struct Contender {
    /// The configuration of the searches.
    pub config: Config,
    /// The budget for a move.
    pub budget: Budget,
    /// Whether the tree is kept from move to move.
    pub reuse: bool,
}

/// A contender as sent to another machine: all its options and limits, as text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContenderOrder {
    given: Given,
    reuse: bool,
}

/// The options given for one contender, which override those common to both.
struct ContenderOptions {
    reuse: bool,
    limits: Limits,
    options: SearchOptions,
}

impl Contender {
    /// Returns all options in command-line form.
    pub fn written(&self) -> String {
        let reuse = if self.reuse { "" } else { " --reuse off" };
        typed(&self.given()) + reuse
    }

    /// Returns the contender as it is sent to another machine.
    pub fn order(&self) -> ContenderOrder {
        ContenderOrder { given: self.given().into_iter().collect(), reuse: self.reuse }
    }

    fn given(&self) -> Vec<(&'static str, String)> {
        let mut given = differing(&self.config);
        given.extend(limits::given(&self.budget));
        given
    }
}

impl ContenderOrder {
    /// Reads the options back into a contender of `game`.
    pub fn contender(&self, game: &str) -> Result<Contender, Trouble> {
        let (limits, provers, options) = self.given.read()?;
        if let Some((name, _)) = provers.given().next() {
            return Err(Trouble::Input(format!("--{name}: a contender has no such option")));
        }
        let common =
            Contender { config: Config::default(), budget: Budget::default(), reuse: true };
        ContenderOptions { reuse: self.reuse, limits, options }.contender(game, &common)
    }
}

impl ContenderOptions {
    fn contender(mut self, game: &str, common: &Contender) -> Result<Contender, Trouble> {
        if self.options.take("seed").is_some() {
            return Err(Trouble::Input(
                "--seed: both players share one seed; give it outside --a and --b".into(),
            ));
        }
        let config = self.options.apply_to(Some(game), common.config.clone())?;
        let budget = match self.limits.is_given() {
            true => self.limits.budget(None)?,
            false => common.budget.clone(),
        };
        Ok(Contender { config, budget, reuse: self.reuse && common.reuse })
    }
}

#[cfg(feature = "args")]
mod args {
    use super::{Contender, ContenderOptions, Limits, SearchOptions};
    use crate::Trouble;
    use crate::input::args::wrong;
    use clap::Parser;

    /// A contender's options as command-line arguments.
    #[derive(Parser, Debug)]
    #[command(no_binary_name = true, disable_help_flag = true)]
    struct ContenderArgs {
        /// Keep the tree from move to move: on or off
        #[arg(long, value_name = "on|off", default_value = "on", action = clap::ArgAction::Set,
            value_parser = clap::builder::BoolishValueParser::new())]
        reuse: bool,
        #[command(flatten)]
        limits: Limits,
        #[command(flatten)]
        options: SearchOptions,
    }

    impl Contender {
        /// Parses the options of a contender for `game`, such as `--c-pn 1 --time 1s`. Options that
        /// are not given come from `common`. Errors mention the option `name`.
        pub fn read(
            name: &str,
            text: &str,
            game: &str,
            common: &Contender,
        ) -> Result<Contender, Trouble> {
            ContenderArgs::try_parse_from(text.split_whitespace())
                .map_err(|error| Trouble::Input(wrong(&error)))
                .and_then(|args| {
                    let ContenderArgs { reuse, limits, options } = args;
                    ContenderOptions { reuse, limits, options }.contender(game, common)
                })
                .map_err(|failure| failure.about(name))
        }
    }
}

#[cfg(all(test, feature = "args"))]
mod tests {
    use super::*;

    fn common() -> Contender {
        let config = Config::default().threads(1).c(0.7);
        Contender { config, budget: Budget::default().playouts(100), reuse: true }
    }

    fn read(text: &str) -> Result<Contender, Trouble> {
        Contender::read("--a", text, "othello", &common())
    }

    #[test]
    fn own_options_come_after_common_ones() {
        let a = read("--c-pn 0.5 --reuse off").unwrap();
        assert_eq!(
            (a.config.c, a.config.c_pn, a.budget.playouts),
            (Some(0.7), Some(0.5), Some(100))
        );
        assert_eq!(a.written(), "--threads 1 --c 0.7 --c-pn 0.5 --playouts 100 --reuse off");
        let b = read("--preset uct --time 10ms").unwrap();
        assert_eq!(b.config.c_pn, Some(0.0));
        assert_eq!(b.budget.playouts, None);
        let again = read(&b.written()).unwrap();
        assert_eq!(again.written(), b.written());
        for contender in [a, b] {
            let order = serde_json::to_string(&contender.order()).unwrap();
            let order: ContenderOrder = serde_json::from_str(&order).unwrap();
            assert_eq!(order.contender("othello").unwrap().written(), contender.written());
        }
    }

    #[test]
    fn orders_with_other_options_are_refused() {
        for name in ["algorithm", "seed", "colour"] {
            let order = format!("{{\"given\": {{\"{name}\": \"1\"}}, \"reuse\": true}}");
            let order: ContenderOrder = serde_json::from_str(&order).unwrap();
            assert!(matches!(order.contender("othello"), Err(Trouble::Input(_))), "{name}");
        }
    }

    #[test]
    fn what_is_wrong_is_said_of_the_contender() {
        for wrong in ["--c-pn many", "--colour red", "--help", "stray", "--seed 1", "--playouts 0"]
        {
            let error = read(wrong).unwrap_err();
            assert!(matches!(error, Trouble::Input(_)), "{wrong}");
            let error = error.to_string();
            assert!(error.starts_with("--a: ") && !error.contains('\n'), "{wrong}: {error}");
        }
    }
}
