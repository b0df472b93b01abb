//! Scarce memory: the program answers within the available memory, or reports the lack on one line.
//! It never aborts or loses an answer.

#![cfg(target_os = "linux")]

use crate::common::{PROGRAM, documents, outcome};
use serde_json::Value;
use std::process::Command;

/// Runs the program with a limit on its address space, in KiB.
fn limited(kibibytes: u32, arguments: &str) -> (i32, String, String) {
    let limit = format!("ulimit -v {kibibytes} && exec \"$0\" \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &limit, PROGRAM]).args(arguments.split(' '));
    outcome(command.output().expect("the program starts"))
}

/// Returns the one JSON document of a run that must succeed.
fn answer(kibibytes: u32, arguments: &str) -> Value {
    let (status, output, errors) = limited(kibibytes, arguments);
    assert_eq!(errors, "", "{arguments}");
    assert!(matches!(status, 0 | 10), "{arguments}: {status}");
    documents(&output).remove(0)
}

#[test]
fn a_small_question_needs_little() {
    for algorithm in ["gpn", "pns", "pn2", "mcpns", "auto", "ab", "dfpn", "pds", "df-ppns"] {
        let arguments = format!("solve tic-tac-toe --algorithm {algorithm} --threads 2 --json");
        assert_eq!(answer(400_000, &arguments)["proven"], "draw", "{algorithm}");
    }
    // The default table of proofs would by itself exceed the limit.
    let asked = "solve tic-tac-toe --threads 2 --json --memory 8G";
    assert_eq!(answer(LITTLE, asked)["proven"], "draw");
}

#[test]
fn a_table_for_which_there_is_no_room_is_refused_in_one_line() {
    let (status, output, errors) = limited(LITTLE, "solve tic-tac-toe --algorithm dfpn --tt 512M");
    assert_eq!((status, output.as_str()), (1, ""));
    assert!(errors.starts_with("proofwood: cannot allocate 536870912 bytes: "), "{errors}");
    assert_eq!(errors.lines().count(), 1, "{errors}");
}

#[test]
fn a_search_that_fills_the_memory_there_is_answers() {
    let asked = format!("search {WIDE} --memory 1G --threads 2 --json");
    // The search prunes its tree or ends, as it does without the system's limit.
    let pruned = answer(LITTLE, &format!("{asked} --playouts 8000"));
    assert_eq!(pruned["stop_reason"], "playouts");
    // Without pruning, the tree would be half as large again.
    assert!(pruned["bytes"].as_u64() < Some(200 << 20), "{}", pruned["bytes"]);
    for limit in ["--nodes 100000000", "--bytes 900M"] {
        let ended = answer(LITTLE, &format!("{asked} {limit}"));
        assert_eq!(ended["stop_reason"], "memory", "{limit}");
        assert!(ended["best_move"].is_string());
    }
}

/// Checks that threads can start after each pruning, when little memory is left. Memory that one
/// thread requests for a moment is unavailable to the others.
#[test]
fn threads_that_start_where_little_is_left_find_it() {
    let asked = format!("search {WIDE} --memory 1G --threads 5 --json --playouts 8000");
    std::thread::scope(|scope| {
        for _ in 0..8 {
            let run = || assert_eq!(answer(LITTLE, &asked)["stop_reason"], "playouts");
            scope.spawn(move || (0..2).for_each(|_| run()));
        }
    });
}

#[test]
fn a_prover_that_fills_the_memory_there_is_answers() {
    for algorithm in ["pns", "gpn"] {
        let asked = format!("solve {WIDE} --algorithm {algorithm} --memory 1G --threads 2 --json");
        let ended = answer(LITTLE, &asked);
        assert_eq!(ended["stop_reason"], "memory", "{algorithm}");
    }
}

#[test]
fn threads_that_cannot_be_had_are_named_in_one_line() {
    let (status, _, errors) =
        limited(LITTLE, "search othello --threads 1024 --memory 64M --playouts 100000");
    assert_eq!(status, 1, "{errors}");
    assert!(errors.starts_with("proofwood: cannot start a thread: "), "{errors}");
    assert_eq!(errors.lines().count(), 1, "{errors}");
}

/// An address space that holds the program and a small tree, in KiB.
const LITTLE: u32 = 270_000;
/// A game whose tree exceeds [`LITTLE`] after a few playouts.
const WIDE: &str = "p-game:1000,4";
