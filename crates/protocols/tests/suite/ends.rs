//! Endings by Ctrl-C, by clients that do not read, and by closed pipes.

use super::Client;
use crate::common::{documents, run_with_input};
use serde_json::json;
use std::fs;
use std::io::{Read, Write};
use std::process::Command;

fn interrupt(client: &Client) {
    let id = client.child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
}

#[test]
fn an_interrupt_ends_all_queries_with_what_is_known() {
    let mut client = Client::start("analyze othello --jobs 1 --threads 1 --time 1h");
    client.say("{\"id\": \"a\", \"every\": 0.01}\n{\"id\": \"b\"}\n");
    client.hear();
    interrupt(&client);
    // The input must stay open.
    let mut rest = String::new();
    client.output.read_to_string(&mut rest).unwrap();
    assert_eq!(client.child.wait().unwrap().code(), Some(130));
    let answers = documents(&rest);
    let last = |id: &str| answers.iter().rfind(|a| a["id"] == id).unwrap();
    assert_eq!(last("a")["stop_reason"], "cancelled");
    // If the second query came before the signal, it has an answer, too.
    assert!(answers.iter().filter(|a| a["id"] == "b").all(|b| b["no_results"] == true));
}

/// However the program ends, each tree is either complete or absent.
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
    let mut interrupted = begin("interrupted");
    interrupt(&interrupted);
    let mut rest = String::new();
    interrupted.output.read_to_string(&mut rest).unwrap();
    assert_eq!(interrupted.child.wait().unwrap().code(), Some(130));
    assert_eq!(documents(&rest).last().unwrap()["saved_tree"], "interrupted");
    let mut terminated = begin("terminated");
    terminated.say("{\"id\": 2, \"ask\": \"stop\"}\n");
    assert_eq!(terminated.end().0, Some(0));
    let Client { mut child, output } = begin("unheard");
    drop(output);
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let mut names: Vec<_> =
        fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["interrupted", "terminated", "unheard"]);
    for name in names {
        let query = json!({ "id": 1, "load_tree": name.to_str(), "playouts": 1 });
        let (_, output, _) = run_with_input(&command, &format!("{query}\n"));
        assert!(documents(&output)[0]["moves"].is_array(), "{output}");
    }
}

#[test]
fn a_client_that_does_not_read_cannot_keep_the_program() {
    let mut client = Client::start("analyze othello --jobs 2 --playouts 1");
    let query = "{\"id\": \"a\", \"turns\": [0]}\n";
    // Fills the pipes and the program's own queues.
    let mut input = client.child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || while input.write_all(query.as_bytes()).is_ok() {});
    // The first answer shows that signals are caught.
    client.hear();
    interrupt(&client);
    assert_eq!(client.child.wait().unwrap().code(), Some(130));
    writer.join().unwrap();
}

#[test]
fn a_closed_pipe_ends_the_program() {
    for (arguments, said) in [
        ("analyze othello --playouts 1", "{\"id\": \"a\"}\n"),
        ("gtp othello --playouts 1", "name\n"),
        ("ugi othello --playouts 1", "isready\n"),
    ] {
        let Client { mut child, output } = Client::start(arguments);
        drop(output);
        let mut input = child.stdin.take().unwrap();
        while input.write_all(said.as_bytes()).is_ok() {}
        assert_eq!(child.wait().unwrap().code(), Some(0), "{arguments}");
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
        interrupt(&client);
        let mut rest = String::new();
        client.output.read_to_string(&mut rest).unwrap();
        assert_eq!(client.child.wait().unwrap().code(), Some(130), "{arguments}");
        assert!(rest.contains(answer), "{arguments}: {rest}");
    }
}
