//! How the program ends: every error it can report and every status.
//!
//! This is the only place where an error becomes a line on standard error and
//! a number for the shell. [`STATUSES`] tells users the same numbers.

use proofwood_session::input::args::wrong;
use proofwood_session::{Ended, Trouble, cut};
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

/// The status for work that has ended so.
fn status(ended: Ended) -> u8 {
    match ended {
        Ended::Done => 0,
        Ended::Unsettled => 10,
        Ended::BadLines => 2,
        Ended::Failed => 1,
        Ended::Interrupted => 130,
    }
}

/// Why a command could not do its work: one line for the user.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The work could not be done.
    #[error(transparent)]
    Trouble(#[from] Trouble),
    /// An error that clap words, or a help text that was asked for.
    #[error("{0}")]
    Usage(#[from] clap::Error),
}

/// Runs the program and turns what comes of it into an exit status.
pub fn finish(run: fn() -> Result<Ended, Failure>) -> ExitCode {
    watch_panics();
    let result = catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| {
        let panic = PANIC.lock().map(|panic| panic.clone()).unwrap_or_default();
        let text = format!("internal error: {panic} (RUST_BACKTRACE=1 shows more)");
        Err(Trouble::Failed(text).into())
    });
    let status = match result {
        Ok(ended) => status(ended),
        Err(Failure::Trouble(Trouble::ClosedPipe)) => 0,
        Err(Failure::Usage(error)) => usage(&error),
        Err(Failure::Trouble(trouble)) => {
            complain(&trouble);
            answer_in_json(&trouble.to_string());
            if matches!(trouble, Trouble::Input(_)) { 2 } else { 1 }
        }
    };
    ExitCode::from(status)
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
    fn the_help_names_every_status() {
        let all =
            [Ended::Done, Ended::Unsettled, Ended::BadLines, Ended::Failed, Ended::Interrupted];
        for ended in all {
            assert!(STATUSES.contains(&format!("\n  {:<5}", status(ended))), "{ended:?}");
        }
    }
}
