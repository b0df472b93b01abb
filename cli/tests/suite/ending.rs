//! The end of the program after a closed pipe or an interrupt.
#![cfg(unix)]

use crate::common::{self, documents};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

fn start(arguments: &str) -> Child {
    Command::new(common::PROGRAM)
        .args(arguments.split(' '))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn interrupt(child: &Child) {
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
}

/// Waits until the program handles signals, which means that it has begun to search.
fn wait_for_handler(child: &Child) {
    let path = format!("/proc/{}/status", child.id());
    for _ in 0..1000 {
        let status = std::fs::read_to_string(&path).unwrap_or_default();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let Some(caught) = caught else {
            // Without `/proc`, waits for as long as the start should take.
            return sleep(Duration::from_secs(1));
        };
        if u64::from_str_radix(caught.trim(), 16).unwrap_or(0) & 2 != 0 {
            return sleep(Duration::from_millis(50));
        }
        sleep(Duration::from_millis(10));
    }
    panic!("the program does not catch Ctrl-C");
}

#[test]
fn an_interrupted_search_answers_with_what_it_has() {
    for command in ["search othello --time 1h --json", "solve othello --algorithm gpn --json"] {
        let child = start(command);
        wait_for_handler(&child);
        interrupt(&child);
        let (status, output, errors) = common::outcome(child.wait_with_output().unwrap());
        assert_eq!((status, errors.as_str()), (130, ""), "{command}");
        let answers = documents(&output);
        assert_eq!(answers.len(), 1);
        assert_eq!(answers[0]["stop_reason"], "cancelled");
        assert!(answers[0]["best_move"].is_string());
    }
}

/// Checks that two signals at once count as one: `timeout` signals the program and then its group.
/// If both counted, the program would print nothing.
#[test]
fn two_signals_at_once_are_one_wish() {
    for command in ["search othello --time 1h --json", "solve othello --algorithm dfpn --json"] {
        let child = start(command);
        wait_for_handler(&child);
        // Signals to a stopped process are delivered together when it continues.
        for signal in ["-STOP", "-INT", "-TERM", "-CONT"] {
            let sent = Command::new("kill").args([signal, &child.id().to_string()]).status();
            assert!(sent.unwrap().success());
        }
        let (status, output, errors) = common::outcome(child.wait_with_output().unwrap());
        assert_eq!((status, errors.as_str()), (130, ""), "{command}");
        assert_eq!(documents(&output)[0]["stop_reason"], "cancelled", "{command}");
    }
}

#[test]
fn an_interrupted_measurement_says_what_it_has() {
    for (command, part) in [
        ("perft othello --depth 30", "depth   1                     4"),
        ("bench othello --time 1h --threads 1 --rounds 3", "Interrupted: nothing was measured."),
        ("tune othello --time 1h", "Interrupted in stage 1 of 6: no candidate is chosen yet"),
        ("scale othello --time 1h --threads 1,2", "Interrupted: 0 of 3 rows were measured."),
    ] {
        let child = start(command);
        wait_for_handler(&child);
        interrupt(&child);
        let (status, output, errors) = common::outcome(child.wait_with_output().unwrap());
        assert_eq!((status, errors.as_str()), (130, ""), "{command}");
        assert!(output.contains(part), "{command}: {output}");
        // Without rows there are no headers or legends.
        assert!(command.starts_with("perft") || output.lines().count() == 1, "{command}: {output}");
    }
}

/// Waits until the program has used a fifth of a second of processor time, if that can be read.
fn wait_for_work(child: &Child) {
    let path = format!("/proc/{}/stat", child.id());
    for _ in 0..10_000 {
        let Ok(stat) = std::fs::read_to_string(&path) else { return sleep(Duration::from_secs(1)) };
        // The name, which may contain anything, ends with a parenthesis. Ticks are hundredths of a
        // second.
        let words = stat.rsplit(')').next().unwrap_or_default().split_whitespace().skip(11);
        if words.take(2).filter_map(|word| word.parse::<u64>().ok()).sum::<u64>() >= 20 {
            return;
        }
        sleep(Duration::from_millis(10));
    }
    panic!("the program does nothing");
}

#[test]
fn an_interrupted_review_keeps_the_moves_that_were_looked_at() {
    // The last two positions are solved at once; the first ones take very long.
    let moves = "4 1 4 1 4 2 4\n";
    for more in ["", " --json"] {
        let command = format!("review - --game connect-four --time 1h --threads 1{more}");
        let mut child = start(&command);
        child.stdin.take().unwrap().write_all(moves.as_bytes()).unwrap();
        wait_for_handler(&child);
        wait_for_work(&child);
        interrupt(&child);
        let (status, output, errors) = common::outcome(child.wait_with_output().unwrap());
        assert_eq!((status, errors.as_str()), (130, ""), "{more}");
        if more.is_empty() {
            assert!(output.contains("Interrupted before the first "), "{output}");
            continue;
        }
        let answers = documents(&output);
        let plies: Vec<u64> = answers.iter().map(|ply| ply["ply"].as_u64().unwrap()).collect();
        let first = plies[0];
        assert!((2..=6).contains(&first) && plies == Vec::from_iter(first..=7), "{output}");
        assert_eq!(answers[plies.len() - 1]["before"]["proven"], "win", "{output}");
    }
}

#[test]
fn an_interrupt_ends_a_file_of_positions() {
    let mut child = start("solve othello --positions - --json");
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"f5\nf5 d6\nf5 f6\n").unwrap();
    wait_for_handler(&child);
    sleep(Duration::from_millis(200));
    interrupt(&child);
    drop(input);
    let (status, output, _) = common::outcome(child.wait_with_output().unwrap());
    assert_eq!(status, 130);
    assert_eq!(documents(&output).len(), 1);
}

#[test]
fn an_interrupt_ends_a_search_for_another_program() {
    for (command, said, answer) in [
        ("gtp othello --time 1h", "name\ngenmove b\n", "= "),
        ("analyze othello --time 1h", "{\"id\": 1, \"every\": 0.01}\n", "cancelled"),
    ] {
        let mut child = start(command);
        // The input stays open, because its end would end the program, too.
        let mut input = child.stdin.take().unwrap();
        input.write_all(said.as_bytes()).unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let mut text = String::new();
        output.read_line(&mut text).unwrap();
        sleep(Duration::from_millis(100));
        interrupt(&child);
        text.clear();
        output.read_to_string(&mut text).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(130), "{command}");
        assert!(text.contains(answer), "{command}: {text}");
        drop(input);
    }
}

#[test]
fn an_interrupt_ends_the_wait_for_positions() {
    let mut child = start("solve othello --positions -");
    // The pipe must stay open, since its end would end the program, too.
    let input = child.stdin.take();
    wait_for_handler(&child);
    interrupt(&child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    drop(input);
}

#[test]
fn a_closed_pipe_is_no_error() {
    for command in [
        "games",
        "show othello",
        "perft tic-tac-toe --depth 9",
        "replay othello --moves f5,d6 --each",
        "search tic-tac-toe --playouts 10",
        "solve tic-tac-toe --json",
        "--help",
    ] {
        let mut child = start(command);
        drop(child.stdout.take());
        let mut errors = String::new();
        child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
        let status = child.wait().unwrap();
        assert_eq!((status.code(), errors.as_str()), (Some(0), ""), "{command}");
    }
}

#[test]
fn a_reader_that_leaves_ends_a_file_of_positions() {
    let mut child = start("solve connect-four --positions - --json --playouts 50");
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    writeln!(input, "4").unwrap();
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    drop(output);
    writeln!(input, "44").unwrap();
    // The program ends although its input is still open.
    assert_eq!(child.wait().unwrap().code(), Some(0));
    drop(input);
}
