//! Tests how sessions end: through interrupts, clients that do not read, and closed pipes.

use crate::client::{Client, documents, run_with_input};
use proofwood_session::{Ended, Trouble};
use serde_json::json;
use std::fs;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

#[test]
fn an_interrupt_ends_all_queries_with_what_is_known() {
    let mut client = Client::start("analyze othello --jobs 1 --threads 1 --time 1h");
    client.say("{\"id\": \"a\", \"every\": 0.01}\n{\"id\": \"b\"}\n");
    client.hear();
    client.interrupt();
    // The input must stay open.
    let (ended, rest) = client.rest();
    assert_eq!(ended, Ended::Interrupted);
    let answers = documents(&rest);
    let last = |id: &str| answers.iter().rfind(|a| a["id"] == id).unwrap();
    assert_eq!(last("a")["stop_reason"], "cancelled");
    // If the second query was read before the signal, it has an answer, too.
    assert!(answers.iter().filter(|a| a["id"] == "b").all(|b| b["no_results"] == true));
}

/// Checks that each tree is either complete or absent, however the program ends.
#[test]
fn queries_that_are_ended_leave_their_trees() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("ended-trees");
    let _ = fs::remove_dir_all(&folder);
    let command = format!(
        "analyze othello --jobs 1 --threads 1 --memory 64M --time 1h --trees {}",
        folder.display()
    );
    let begin = |name: &str| {
        let mut client = Client::start(&command);
        let query = json!({ "id": 1, "save_tree": name, "every": 0.01 });
        client.say(&format!("{query}\n"));
        assert!(client.hear().contains("\"done\""));
        client
    };
    let interrupted = begin("interrupted");
    interrupted.interrupt();
    let (ended, rest) = interrupted.rest();
    assert_eq!(ended, Ended::Interrupted);
    assert_eq!(documents(&rest).last().unwrap()["saved_tree"], "interrupted");
    let mut terminated = begin("terminated");
    terminated.say("{\"id\": 2, \"ask\": \"stop\"}\n");
    terminated.end();
    let Client { engine, output, input, .. } = begin("unheard");
    drop(output);
    assert!(matches!(engine.join().unwrap(), Err(Trouble::ClosedPipe)));
    drop(input);
    let mut names: Vec<_> =
        fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["interrupted", "terminated", "unheard"]);
    for name in names {
        let query = json!({ "id": 1, "load_tree": name.to_str(), "playouts": 1 });
        let output = run_with_input(&command, format!("{query}\n"));
        assert!(documents(&output)[0]["moves"].is_array(), "{output}");
    }
}

#[test]
fn a_client_that_does_not_read_cannot_keep_the_program() {
    let mut client = Client::start("analyze othello --jobs 2 --playouts 1");
    let query = "{\"id\": \"a\", \"turns\": [0]}\n";
    // Fills the pipes and the program's own queues.
    let mut input = client.input.take().unwrap();
    let done = Arc::new(AtomicBool::new(false));
    let is_done = Arc::clone(&done);
    let writer = std::thread::spawn(move || {
        while !is_done.load(Ordering::Relaxed) && input.write_all(query.as_bytes()).is_ok() {}
    });
    client.hear();
    client.interrupt();
    assert_eq!(client.engine.join().unwrap().unwrap(), Ended::Interrupted);
    done.store(true, Ordering::Relaxed);
    drop(client.output);
    writer.join().unwrap();
}

#[test]
fn a_closed_pipe_ends_the_program() {
    for (arguments, said) in [
        ("analyze othello --playouts 1", "{\"id\": \"a\"}\n"),
        ("gtp othello --playouts 1", "name\n"),
        ("ugi othello --playouts 1", "isready\n"),
    ] {
        let Client { engine, output, input, .. } = Client::start(arguments);
        drop(output);
        let mut input = input.unwrap();
        while !engine.is_finished() && input.write_all(said.as_bytes()).is_ok() {}
        assert!(matches!(engine.join().unwrap(), Err(Trouble::ClosedPipe)), "{arguments}");
    }
}

#[test]
fn an_interrupt_ends_a_game() {
    for (arguments, said, answer) in [
        ("gtp othello --time 1h", "name\ngenmove b\n", "= "),
        ("uci breakthrough --time 1h", "isready\ngo\n", "bestmove "),
    ] {
        let mut client = Client::start(arguments);
        client.say(said);
        client.hear();
        std::thread::sleep(std::time::Duration::from_millis(100));
        client.interrupt();
        let (ended, rest) = client.rest();
        assert_eq!(ended, Ended::Interrupted, "{arguments}");
        assert!(rest.contains(answer), "{arguments}: {rest}");
    }
}
