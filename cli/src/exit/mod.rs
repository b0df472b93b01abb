//! Turns errors and results into messages and exit statuses.
//!
//! No other code writes errors to standard error or sets an exit status. [`STATUSES`] documents the
//! statuses for users.

use proofwood_session::input::args::wrong;
use proofwood_session::{Ended, Trouble, cut};
use std::fmt::Display;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::Mutex;

pub(crate) const STATUSES: &str = "\
Exit status:
  0    done; for solve: every position is solved
  1    failure: output that cannot be written, or a refused proof
  2    bad input: wrong usage, an unknown game or position, or an illegal move
  10   solve: not solved, because a limit was reached or the memory is full
  130  interrupted: the best answer so far was printed";

fn status(ended: Ended) -> u8 {
    match ended {
        Ended::Done => 0,
        Ended::Unsolved => 10,
        Ended::BadLines => 2,
        Ended::Failed => 1,
        Ended::Interrupted => 130,
    }
}

/// The error that ended a command, as one line for the user.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    #[error(transparent)]
    Trouble(#[from] Trouble),
    /// An error worded by clap, or a help text to be printed.
    #[error("{0}")]
    Usage(#[from] clap::Error),
}

/// Runs the program and returns its exit status.
pub fn finish(run: fn() -> Result<Ended, Failure>) -> ExitCode {
    watch_panics();
    let result = catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| {
        let panic = PANIC.lock().map(|panic| panic.clone()).unwrap_or_default();
        let text = format!("internal error: {panic} (set RUST_BACKTRACE=1 for details)");
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

pub(crate) fn complain(what: &impl Display) {
    let text = cut(&what.to_string());
    // If standard error is closed, there is nowhere to report it.
    let _ = io::Write::write_all(&mut io::stderr(), format!("proofwood: {text}\n").as_bytes());
}

/// Also prints the error as a JSON object if `--json` is on the command line.
fn answer_in_json(error: &str) {
    if std::env::args_os().any(|argument| argument == "--json") {
        let line = serde_json::json!({ "error": error }).to_string() + "\n";
        // A failure is ignored: standard error has the message already.
        let _ = io::Write::write_all(&mut io::stdout(), line.as_bytes());
    }
}

/// Prints a help text, or clap's error on one line; returns the exit status.
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
            let error = format!("{} (see --help)", wrong(error));
            complain(&error);
            answer_in_json(&error);
            2
        }
    }
}

/// The message and the location of the last panic.
static PANIC: Mutex<String> = Mutex::new(String::new());

/// Suppresses the default message of panics, because every panic becomes an error: the search
/// handles panics on its own threads, and [`finish`] handles all others. If `RUST_BACKTRACE` is
/// set, the default message is printed, too.
fn watch_panics() {
    let wanted = std::env::var_os("RUST_BACKTRACE").is_some_and(|value| value != "0");
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        let payload = info.payload();
        let text = payload.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
        let message = text.unwrap_or("a panic without a message");
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
            [Ended::Done, Ended::Unsolved, Ended::BadLines, Ended::Failed, Ended::Interrupted];
        for ended in all {
            assert!(STATUSES.contains(&format!("\n  {:<5}", status(ended))), "{ended:?}");
        }
    }
}
