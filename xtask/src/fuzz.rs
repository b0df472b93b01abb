//! Coverage-guided fuzzing of the parsers of the games.

use crate::{Failure, cargo, nightly, root, step};
use std::path::Path;
use std::process::Command;

/// The package of the targets, which is a separate workspace.
const FOLDER: &str = "lab/fuzz";
const TARGETS: [&str; 3] = ["positions", "moves", "specs"];
/// The maximum length of a text in bytes, and the time limit for it in seconds.
const LIMITS: [&str; 2] = ["-max_len=400", "-timeout=5"];

/// The variable that restricts the targets to one game.
const ONE_GAME: &str = "PROOFWOOD_FUZZ_GAME";

#[derive(Debug, PartialEq, Eq)]
struct Fuzzing<'a> {
    target: Option<&'a str>,
    seconds: u32,
    game: Option<&'a str>,
}

/// Runs the target named in the arguments, or each target in turn.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    let Fuzzing { target, seconds, game } = read(arguments)?;
    nightly::needs(&["rust-std"])?;
    needs_cargo_fuzz()?;
    let manifest = root().join(Path::new(FOLDER)).join("Cargo.toml").display().to_string();
    let seeds = ["run", "--release", "--manifest-path", &manifest, "--example", "seeds"];
    let told = |mut command: Command| {
        command.envs(game.map(|game| (ONE_GAME, game)));
        command
    };
    step("texts to start from", told(cargo(&seeds)))?;
    let time = format!("-max_total_time={seconds}");
    for target in TARGETS.into_iter().filter(|&name| target.is_none_or(|target| target == name)) {
        // The games have no unsafe code for a sanitizer to watch.
        let mut fuzz = nightly::cargo(&["fuzz", "run", "--fuzz-dir", FOLDER]);
        fuzz.args(["--sanitizer", "none", target, "--", &time]).args(LIMITS);
        step(&format!("{target} for {seconds} s"), told(fuzz))?;
    }
    Ok(())
}

/// Parses the target, the number of seconds for each target, and the game, if only one is to be
/// fuzzed.
fn read(arguments: &[String]) -> Result<Fuzzing<'_>, Failure> {
    let (mut target, mut seconds, mut game) = (None, 60, None);
    let mut arguments = arguments.iter().map(String::as_str);
    while let Some(argument) = arguments.next() {
        if argument == "--time" {
            seconds =
                arguments.next().and_then(duration).ok_or("--time needs a time: 60s or 5m")?;
        } else if argument == "--game" {
            game = Some(arguments.next().ok_or("--game needs a game, such as minishogi")?);
        } else if TARGETS.contains(&argument) {
            target = Some(argument);
        } else {
            let targets = TARGETS.join(", ");
            return Err(format!("there is no fuzz target '{argument}'; there are {targets}"));
        }
    }
    Ok(Fuzzing { target, seconds, game })
}

/// Parses a number of seconds from a text such as `90s`, `5m` or `90`. Refuses 0, which would make
/// fuzzing endless.
fn duration(text: &str) -> Option<u32> {
    let (number, unit) = match text.strip_suffix('m') {
        Some(minutes) => (minutes, 60),
        None => (text.strip_suffix('s').unwrap_or(text), 1),
    };
    number.parse::<u32>().ok()?.checked_mul(unit).filter(|&seconds| seconds > 0)
}

fn needs_cargo_fuzz() -> Result<(), Failure> {
    match nightly::cargo(&["fuzz", "--version"]).output() {
        Ok(output) if output.status.success() => Ok(()),
        _ => Err("this needs cargo-fuzz, which is not there; install it with\n\n    \
                  cargo install cargo-fuzz --locked\n"
            .to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read() {
        assert_eq!(["90s", "5m", "7"].map(duration), [Some(90), Some(300), Some(7)]);
        assert_eq!(["", "0", "m", "-1s", "1h", "99999999m"].map(duration), [None; 6]);
    }

    #[test]
    fn arguments_are_read() {
        let read = |text: &str| {
            let words: Vec<String> = text.split_whitespace().map(String::from).collect();
            read(&words)
                .map(|read| (read.target.map(str::len), read.seconds, read.game.map(str::len)))
        };
        assert_eq!(read(""), Ok((None, 60, None)));
        assert_eq!(read("--time 2m moves"), Ok((Some("moves".len()), 120, None)));
        assert_eq!(read("--game ewn"), Ok((None, 60, Some("ewn".len()))));
        assert!(read("--time").is_err() && read("--game").is_err());
        let error = "there is no fuzz target 'move'; there are positions, moves, specs";
        assert_eq!(read("move"), Err(error.to_string()));
    }
}
