//! Hints for invalid command lines: options of other programs, and commands that have moved.

use crate::exit::Failure;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use proofwood_session::Trouble;

/// Options of other programs, with advice on what to use instead.
const ELSEWHERE: [(&str, &str); 7] = [
    ("--depth", "a search has no depth limit; use --time, --playouts or --nodes"),
    ("--multipv", "the table shows every move, and --json has all figures"),
    ("--hash", "use --memory for a search, or --tt for a prover"),
    ("--movetime", "use --time for the time per move"),
    ("--tt", "use --memory"),
    (
        "--watch",
        "a terminal shows progress by itself, and `explore` shows the whole search in a browser",
    ),
    ("--svg", "`proofwood-lab plot`, in the lab/ folder of the sources, plots tables"),
];

/// Old names of commands that are now in the laboratory, and their new names there. The second word
/// of an old name is an argument.
const IN_THE_LABORATORY: [(&str, &str); 7] = [
    ("reproduce", "reproduce"),
    ("ladder", "ladder"),
    ("cactus", "cactus"),
    ("bench deadline", "deadline"),
    ("bench proofs", "proofs"),
    ("scale --logical", "logical"),
    ("scale --machines", "machines"),
];

/// Returns an error that names the new place of a command if it is now in the laboratory.
pub(super) fn check_moved() -> Result<(), Trouble> {
    moved(&words()).map_or(Ok(()), |text| Err(Trouble::Input(text)))
}

/// Returns the hint for a command line whose command is now in the laboratory.
fn moved(words: &[String]) -> Option<String> {
    let is = |word: &String, name: &str| word.split('=').next() == Some(name);
    let begins = |(here, _): &&(&str, &str)| {
        let mut names = here.split(' ');
        let (first, second) = (names.next().unwrap_or_default(), names.next());
        let is_second = |name: &str| words[1..].iter().any(|word| is(word, name));
        words.first().is_some_and(|word| word == first) && second.is_none_or(is_second)
    };
    let (here, there) = IN_THE_LABORATORY.iter().find(begins)?;
    Some(format!(
        "{here} is a laboratory command, in the lab/ folder of the sources: run cargo lab -- \
         {there}"
    ))
}

fn words() -> Vec<String> {
    std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect()
}

/// Converts clap's error to a failure, with a hint if there is one.
pub(super) fn explained(error: clap::Error, program: &clap::Command) -> Failure {
    match hint(&error, program, &words()) {
        Some(hint) => Trouble::Input(hint).into(),
        None => Failure::Usage(error),
    }
}

/// Returns a hint about clap's error on the command line `words`, if there is one.
fn hint(error: &clap::Error, program: &clap::Command, words: &[String]) -> Option<String> {
    if error.kind() != ErrorKind::UnknownArgument {
        return None;
    }
    let Some(ContextValue::String(given)) = error.get(ContextKind::InvalidArg) else { return None };
    let name = words.iter().find(|word| !word.starts_with('-'));
    let name = name.map(String::as_str).unwrap_or_default();
    if !given.starts_with('-') {
        let hint = match name {
            "perft" if given.parse::<u32>().is_ok() => format!("give the depth as --depth {given}"),
            "review" => "give the game as --game GAME".to_string(),
            _ if given.contains('.') => format!("give a file as --file {given}"),
            "search" | "solve" | "show" | "replay" | "play" | "perft" => {
                "give moves as --moves \"...\"".to_string()
            }
            _ => return None,
        };
        return Some(format!("unexpected '{given}': {hint}"));
    }
    // clap reads a negative number as short options.
    let negative = |word: &str| {
        word.starts_with(given.as_str()) && word[1..].starts_with(|c: char| c.is_ascii_digit())
    };
    if let Some(at) = words.iter().position(|word| negative(word)) {
        let option = words[..at].last().filter(|word| word.starts_with("--"))?;
        return Some(format!("{option}: '{}' must not be negative", words[at]));
    }
    let has = |command: &&clap::Command| {
        command.get_arguments().any(|arg| arg.get_long() == given.strip_prefix("--"))
    };
    let others: Vec<&str> =
        program.get_subcommands().filter(has).map(clap::Command::get_name).collect();
    let own = ELSEWHERE.iter().find(|(option, _)| option == given).map(|(_, hint)| *hint);
    let others = match &others[..] {
        [] => None,
        [one] => Some(format!("it is an option of {one}")),
        [most @ .., last] if others.len() <= 5 => {
            Some(format!("it is an option of {} and {last}", most.join(", ")))
        }
        _ => None,
    };
    let hints: Vec<String> = own.map(String::from).into_iter().chain(others).collect();
    match hints.is_empty() {
        true => None,
        false => Some(format!("{name} has no option '{given}': {}", hints.join("; "))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::command_line;
    use proofwood_session::input::args::wrong;

    #[test]
    fn commands_of_the_laboratory_are_shown_the_way() {
        let moved = |line: &str| moved(&line.split(' ').map(String::from).collect::<Vec<_>>());
        for (line, there) in [
            ("reproduce table1 --best", "reproduce"),
            ("bench proofs set.csv", "proofs"),
            ("scale othello --logical=1,4", "logical"),
            ("scale othello --machines 1,4", "machines"),
        ] {
            let text = moved(line).expect(line);
            assert!(text.ends_with(&format!("cargo lab -- {there}")), "{line}: {text}");
        }
        assert_eq!(moved(""), None);
        assert_eq!(moved("bench othello"), None);
        assert_eq!(moved("scale othello --threads 2"), None);
        assert_eq!(moved("games reproduce"), None);
    }

    fn said(line: &str) -> String {
        let words: Vec<String> = line.split(' ').map(String::from).collect();
        let all = ["proofwood".to_string()].into_iter().chain(words.clone());
        let program = command_line();
        let error = program.clone().try_get_matches_from(all).unwrap_err();
        hint(&error, &program, &words).unwrap_or_else(|| wrong(&error))
    }

    #[test]
    fn what_people_try_gets_a_hint() {
        for (line, part) in [
            (
                "search othello --algorithm ab",
                "search has no option '--algorithm': it is an option of ",
            ),
            ("search othello --depth 5", "a search has no depth limit; use --time"),
            ("search othello --multipv 3", "the table shows every move"),
            ("search othello --tt 64M", "use --memory; it is an option of "),
            ("search othello --memory -64M", "--memory: '-64M' must not be negative"),
            ("perft othello 5", "unexpected '5': give the depth as --depth 5"),
            ("search othello f5", "give moves as --moves"),
            ("search othello game.sgf", "give a file as --file game.sgf"),
            (
                "search othello --threats 2",
                "there is no option '--threats' here; did you mean '--threads'?",
            ),
            ("search othello --no-such 2", "there is no option '--no-such' here"),
            ("sarch othello", "there is no command 'sarch'; did you mean 'search'?"),
            ("match othello --games 0", "--games: '0' should be a whole number from 1"),
            ("search othello --time", "--time: a value is missing"),
            ("search --color pink", "--color: 'pink' should be one of auto, always, never"),
            ("search othello --time 1s --time 2s", "--time is given twice"),
            ("search", "give <GAME>"),
        ] {
            assert!(said(line).contains(part), "{line}: {}", said(line));
        }
    }
}
