//! Checks the help of every command, and compares runs of some commands with recorded output.
//! `INSTA_UPDATE=always` records intended changes.

use crate::common::{outcome, proofwood as lab, run};
use std::fs;
use tempfile::TempDir;

#[test]
fn every_command_helps() {
    for command in [
        "reproduce table1",
        "reproduce ppns",
        "reproduce df-pn",
        "ladder",
        "cactus",
        "plot",
        "deadline",
        "proofs",
        "machines",
    ] {
        let (status, help, errors) = run(&format!("{command} --help"));
        assert_eq!((status, errors.as_str()), (0, ""), "{command}");
        let example = format!("\n  proofwood-lab {command}");
        assert!(help.contains("Examples:\n") && help.contains(&example), "{command}: {help}");
    }
}

/// The words of a text, without the figures, units and column widths, which depend on the machine.
fn words(text: &str) -> String {
    const UNITS: [&str; 10] = ["k", "M", "G", "µs", "ms", "s", "KiB", "MiB", "GiB", "%"];
    let figure = |word: &str| {
        !word.chars().any(|c| c.is_alphabetic() || "!?=_#:".contains(c)) || UNITS.contains(&word)
    };
    let line = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().filter(|word| !figure(word)).collect();
        words.join(" ") + "\n"
    };
    text.lines().filter(|line| !line.starts_with("The machine was busy:")).map(line).collect()
}

#[test]
fn some_commands_run() {
    let folder = TempDir::new().unwrap();
    let results = "{\"line\":1,\"solved\":true,\"seconds\":0.001}\n";
    fs::write(folder.path().join("results.jsonl"), results).unwrap();
    let runs = [
        ("cactus", "cactus results.jsonl"),
        ("ladder", "ladder tic-tac-toe --games 4 --over playouts --values 5,10 --seed 1"),
        (
            "reproduce",
            "reproduce table1 reversi --formulas rank --c-pn 0 --playouts 5 --games 2 --out cells",
        ),
    ];
    for (name, arguments) in runs {
        let ran = lab(arguments).current_dir(folder.path()).output().expect("it starts");
        let (status, text, errors) = outcome(ran);
        assert_eq!((status, errors.as_str()), (0, ""), "{arguments}");
        assert!(!text.contains('\x1b'), "{name} has colours in a pipe");
        insta::assert_snapshot!(format!("run_of_{name}"), words(&text));
    }
}
