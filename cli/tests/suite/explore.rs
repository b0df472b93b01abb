//! `explore`: the initial content of the page, and the end of the server.

use crate::common::{complaint, run};
use std::fs;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// Returns the first line that the server prints, which is its address, and checks that Ctrl-C ends
/// the server.
fn served(arguments: &str) -> String {
    let mut command = Command::new(crate::PROGRAM);
    command.arg("explore").args(arguments.split(' ')).args(["--no-open", "--threads", "2"]);
    let mut child = command.stdout(Stdio::piped()).spawn().expect("the program starts");
    let mut address = String::new();
    let output = child.stdout.take().expect("its output");
    BufReader::new(output).read_line(&mut address).expect("a line");
    match cfg!(unix) {
        true => {
            let pid = child.id().to_string();
            let sent = Command::new("kill").args(["-INT", &pid]).status().expect("kill");
            assert!(sent.success());
            assert_eq!(child.wait().expect("it ends").code(), Some(0));
        }
        false => {
            child.kill().expect("it runs");
            child.wait().expect("it ends");
        }
    }
    address.trim().to_string()
}

#[test]
fn files_are_explored() {
    let folder = TempDir::new().unwrap();
    let proof = folder.path().join("draw.proof");
    let solve = "solve tic-tac-toe --algorithm dfpn --threads 1 --certificate";
    assert_eq!(run(&format!("{solve} {}", proof.display())).0, 0);
    assert!(served(proof.to_str().unwrap()).ends_with("#certificate="));

    let game = folder.path().join("game.sgf");
    fs::write(&game, "(;FF[4]GM[2];B[cd];W[cc])").unwrap();
    assert!(served(game.to_str().unwrap()).ends_with("#game=othello:8&moves=c4,c3"));

    let tree = folder.path().join("a.tree");
    let search = "search othello:6 --threads 1 --seed 1 --playouts 1000 --save-tree";
    assert_eq!(run(&format!("{search} {}", tree.display())).0, 0);
    assert!(served(tree.to_str().unwrap()).ends_with("&ask=kept"));
    let asked = served("connect-four --moves 4433 --solve");
    assert!(asked.ends_with("#game=connect-four&moves=4,4,3,3&ask=who-wins"), "{asked}");
    assert!(complaint(&format!("explore {} --solve", tree.display()), 2).contains("--solve"));

    fs::write(&game, "4 4 3").unwrap();
    let file = game.display();
    assert!(complaint(&format!("explore {file} --no-open"), 2).contains("--game GAME"));
    assert!(complaint("explore no-such-game --no-open", 2).contains("no-such-game"));
    assert!(complaint("explore --moves 4 --no-open", 2).contains("give one"));
    assert!(complaint("explore othello --moves a1 --no-open", 2).contains("move 1"));
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = listener.local_addr().unwrap().port();
    assert!(complaint(&format!("explore --no-open --port {taken}"), 1).contains("cannot listen"));
}
