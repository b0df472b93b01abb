//! Rewrites the library's errors for the command line, so that they name `--score-bounds`, for
//! example, instead of `Config::score_bounds`.

use proofwood::error::{BudgetError, ConfigError};

pub(crate) fn of_options(error: &ConfigError) -> String {
    match error {
        ConfigError::Value { option, given, expected } => {
            let all = match (flag(option).as_str(), given.as_str()) {
                ("threads", "auto") => "; leave out --threads to use one thread per core",
                _ => "",
            };
            format!("--{}: '{given}' should be {expected}{all}", flag(option))
        }
        ConfigError::NoEvaluation => "--leaves game: this game has no static evaluation; \
                                      connect-four, othello and loa8, for example, have one"
            .into(),
        ConfigError::NoNetwork(why) => format!("--leaves: {why}"),
        ConfigError::ScoreNeedsBounds => {
            "--goal score needs --score-bounds on, because only bounds prove a score".into()
        }
        ConfigError::PrecisionNeedsEstimates(prover) => {
            format!("--precision: {prover} makes no estimates; use ppns or df-ppns")
        }
        other => other.to_string(),
    }
}

pub(crate) const ONE_OUTCOME: &str =
    "--goal outcome: all payoffs of this game count as the same outcome; use --goal score";

pub(crate) fn of_limits(error: BudgetError) -> String {
    match error {
        BudgetError::Zero(limit) => format!("--{}: should be greater than 0", flag(limit)),
        BudgetError::Playouts => format!("--playouts: {error}"),
        other => other.to_string(),
    }
}

/// Returns the option that sets a field such as `Config::virtual_loss`.
fn flag(field: &str) -> String {
    let name = field.rsplit("::").next().unwrap_or(field);
    match field {
        "ProverConfig::table" => "tt".into(),
        _ => name.replace('_', "-"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proofwood::options::OPTIONS;
    use proofwood::{Config, Goal, ProverConfig};

    #[test]
    fn nothing_of_the_library_is_named() {
        let wrong = [
            Config::default().goal(Goal::Score).score_bounds(false).check(),
            ProverConfig::default().precision(0.1).check(),
            ProverConfig::default().table(1).check(),
            ProverConfig::default().playouts_per_leaf(0).check(),
        ];
        let unreadable = OPTIONS.iter().map(|spec| (spec.set)(&mut Config::default(), "?"));
        for error in wrong.into_iter().chain(unreadable) {
            let text = of_options(&error.expect_err("it cannot be used"));
            assert!(text.starts_with("--"), "{text}");
            assert!(!text.contains("::") && !text.contains('_'), "{text}");
        }
    }

    #[test]
    fn an_option_has_the_name_that_it_is_typed_by() {
        for spec in OPTIONS {
            let error = (spec.set)(&mut Config::default(), "?").expect_err("no option reads '?'");
            let text = of_options(&error);
            let start = format!("--{}: '?' should be ", spec.name);
            assert!(text.starts_with(&start), "{text}");
        }
    }
}
