//! How the program ends: every error it can report and every status.
//!
//! This is the only place where an error becomes a line on standard error and
//! a number for the shell. [`STATUSES`] tells users the same numbers.

mod wording;

use proofwood::{ConfigError, SearchError};
use proofwood_any_game::Stuck;
use std::fmt::Display;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::Mutex;

/// The table of exit statuses that `--help` shows.
pub(crate) const STATUSES: &str = "\
Exit status:
  0    done; for solve: every position is settled
  1    failure: output that cannot be written, a refused proof
  2    bad input: wrong usage, unknown game or position, illegal move
  10   solve: not settled, because a limit or the memory was reached
  130  interrupted: the best answer so far was printed";

/// A command that did its work, and what it found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// All is well.
    Done,
    /// The question of `solve` is open.
    Unsettled,
    /// Some lines of a file could not be read; the others were answered.
    BadLines,
    /// Something failed, and has been reported.
    Failed,
    /// The user ended a search early.
    Interrupted,
}

impl Outcome {
    fn status(self) -> u8 {
        match self {
            Outcome::Done => 0,
            Outcome::Unsettled => 10,
            Outcome::BadLines => 2,
            Outcome::Failed => 1,
            Outcome::Interrupted => 130,
        }
    }
}

/// Why a command could not do its work: one line for the user.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// What the user gave cannot be used.
    #[error("{0}")]
    Input(String),
    /// What the user gave is fine, but something else went wrong.
    #[error("{0}")]
    Failed(String),
    /// Whoever read our output has had enough. That is no error.
    #[error("nobody reads the output")]
    ClosedPipe,
    /// An error that clap words, or a help text that was asked for.
    #[error("{0}")]
    Usage(#[from] clap::Error),
}

impl Failure {
    /// The failure to write to `name`.
    pub(crate) fn writing(name: impl Display, error: &io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::ClosedPipe,
            _ => Failure::Failed(format!("cannot write to {name}: {error}")),
        }
    }

    /// The same failure, with a word on what it happened to.
    pub fn about(self, what: &str) -> Failure {
        match self {
            Failure::Input(text) => Failure::Input(format!("{what}: {text}")),
            Failure::Failed(text) => Failure::Failed(format!("{what}: {text}")),
            Failure::Usage(error) => Failure::Input(format!("{what}: {}", wrong(&error))),
            other => other,
        }
    }

    /// The failure to read from `name`.
    pub fn reading(name: impl Display, error: &io::Error) -> Failure {
        Failure::Input(format!("cannot read {name}: {error}"))
    }
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Failure {
        Failure::Input(wording::of_options(&error))
    }
}

impl From<Stuck> for Failure {
    fn from(error: Stuck) -> Failure {
        match error {
            Stuck::Move(error) => Failure::Failed(error.to_string()),
            Stuck::Search(error) => error.into(),
        }
    }
}

impl From<SearchError> for Failure {
    fn from(error: SearchError) -> Failure {
        match error {
            SearchError::Config(error) => error.into(),
            SearchError::Budget(error) => Failure::Input(wording::of_limits(error)),
            SearchError::Memory { .. } => Failure::Input(error.to_string()),
            SearchError::OneOutcome | SearchError::NobodyLoses => {
                Failure::Input(wording::ONE_OUTCOME.into())
            }
            _ => Failure::Failed(error.to_string()),
        }
    }
}

/// Runs the program and turns what comes of it into an exit status.
pub fn finish(run: fn() -> Result<Outcome, Failure>) -> ExitCode {
    watch_panics();
    let result = catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| {
        let panic = PANIC.lock().map(|panic| panic.clone()).unwrap_or_default();
        Err(Failure::Failed(format!("internal error: {panic} (RUST_BACKTRACE=1 shows more)")))
    });
    let status = match result {
        Ok(outcome) => outcome.status(),
        Err(Failure::ClosedPipe) => 0,
        Err(Failure::Usage(error)) => usage(&error),
        Err(failure) => {
            complain(&failure);
            answer_in_json(&failure.to_string());
            if matches!(failure, Failure::Input(_)) { 2 } else { 1 }
        }
    };
    ExitCode::from(status)
}

/// An error as one line that is not too long: input that is repeated in it may be
/// anything.
pub(crate) fn cut(text: &str) -> String {
    const LONGEST: usize = 2000;
    // Neither are marks that turn the direction of what follows them.
    let turns = |c| matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let clean = |c: char| if c.is_control() || turns(c) { ' ' } else { c };
    text.chars().map(clean).take(LONGEST).collect()
}

/// Prints a line on standard error.
pub(crate) fn complain(what: &impl Display) {
    let text = cut(&what.to_string());
    // Nobody can be told that standard error is gone.
    let _ = io::Write::write_all(&mut io::stderr(), format!("proofwood: {text}\n").as_bytes());
}

/// Prints the error as an object, too, where a program waits for one.
fn answer_in_json(error: &str) {
    if std::env::args_os().any(|argument| argument == "--json") {
        let line = serde_json::json!({ "error": error }).to_string() + "\n";
        // The line on standard error has said all that there is to say.
        let _ = io::Write::write_all(&mut io::stdout(), line.as_bytes());
    }
}

/// Shows a help text, or cuts clap's complaint down to one line.
fn usage(error: &clap::Error) -> u8 {
    use clap::error::ErrorKind;
    match error.kind() {
        ErrorKind::DisplayHelp
        | ErrorKind::DisplayVersion
        | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let _ = error.print();
            error.exit_code() as u8
        }
        _ => {
            let error = format!("{} (--help shows what is possible)", wrong(error));
            complain(&error);
            answer_in_json(&error);
            2
        }
    }
}

/// What clap says is wrong, on one line and as all our errors say it.
pub(crate) fn wrong(error: &clap::Error) -> String {
    use clap::error::{ContextKind, ContextValue, ErrorKind};
    let list = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => vec![text.clone()],
        Some(ContextValue::Strings(texts)) => texts.clone(),
        _ => Vec::new(),
    };
    let first = |kind| list(kind).into_iter().next().unwrap_or_default();
    let option = first(ContextKind::InvalidArg);
    // Without the name of its value.
    let name = option.split([' ', '=']).next().unwrap_or_default();
    let value = first(ContextKind::InvalidValue);
    let meant = |kind| match &list(kind)[..] {
        [] => String::new(),
        // The likeliest comes last.
        [.., meant] => format!("; did you mean '{meant}'?"),
    };
    match (error.kind(), std::error::Error::source(error)) {
        (ErrorKind::ValueValidation, Some(reason)) => format!("{name}: '{value}' {reason}"),
        (ErrorKind::InvalidValue, _) if value.is_empty() => format!("{name}: a value is missing"),
        (ErrorKind::InvalidValue, _) => {
            let good = list(ContextKind::ValidValue).join(", ");
            format!("{name}: '{value}' should be one of {good}")
        }
        (ErrorKind::UnknownArgument, _) if name.starts_with('-') => {
            let meant = meant(ContextKind::SuggestedArg);
            format!("there is no option '{name}' here{meant}")
        }
        (ErrorKind::InvalidSubcommand, _) => {
            let meant = meant(ContextKind::SuggestedSubcommand);
            format!("there is no command '{}'{meant}", first(ContextKind::InvalidSubcommand))
        }
        (ErrorKind::MissingRequiredArgument, _) => {
            format!("give {}", list(ContextKind::InvalidArg).join(" and "))
        }
        (ErrorKind::ArgumentConflict, _) if first(ContextKind::PriorArg) == option => {
            format!("{name} is given twice")
        }
        _ => paragraphs(&error.to_string()),
    }
}

/// The paragraphs of clap's complaint that say what is wrong, on one line.
fn paragraphs(text: &str) -> String {
    let wrong: Vec<&str> = text
        .split("\n\n")
        .map(|paragraph| paragraph.trim().trim_start_matches("error: "))
        .take_while(|paragraph| !paragraph.starts_with("Usage:"))
        .filter(|paragraph| !paragraph.is_empty() && !paragraph.starts_with("For more"))
        // Advice on dashes that is hardly ever meant.
        .filter(|paragraph| !paragraph.starts_with("tip: to pass"))
        .collect();
    let wrong = wrong.join("; ");
    let words: Vec<&str> = wrong.split_whitespace().collect();
    words.join(" ")
}

/// The last panic, in words.
static PANIC: Mutex<String> = Mutex::new(String::new());

/// Keeps panics off the screen: a search reports those of its threads as
/// errors, [`finish`] all others. `RUST_BACKTRACE` brings them back.
fn watch_panics() {
    let wanted = std::env::var_os("RUST_BACKTRACE").is_some_and(|value| value != "0");
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        let message = info.payload_as_str().unwrap_or("a panic without a message");
        let place = info.location().map(|place| format!(" at {place}")).unwrap_or_default();
        if let Ok(mut panic) = PANIC.lock() {
            *panic = format!("{message}{place}");
        }
        if wanted {
            usual(info);
        }
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complaints_of_the_argument_parser_fit_on_a_line() {
        let text = "error: unexpected argument '--foo' found\n\n  tip: try\n  '--goal'\n\n\
                    Usage: proofwood search\n\nFor more information, try '--help'.\n";
        assert_eq!(paragraphs(text), "unexpected argument '--foo' found; tip: try '--goal'");
    }

    #[test]
    fn the_help_names_every_status() {
        let all = [
            Outcome::Done,
            Outcome::Unsettled,
            Outcome::BadLines,
            Outcome::Failed,
            Outcome::Interrupted,
        ];
        for outcome in all {
            assert!(STATUSES.contains(&format!("\n  {:<5}", outcome.status())), "{outcome:?}");
        }
    }
}
