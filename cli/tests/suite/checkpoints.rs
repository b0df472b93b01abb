//! Proofs that are killed and resumed.

use crate::common::{self, complaint, json, run};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("checkpoints-{name}"));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("a folder");
    path
}

#[test]
fn a_killed_proof_goes_on() {
    let file = folder("checkpoint").join("proof.table");
    let arguments = format!(
        "solve othello:4 --algorithm dfpn --goal score --threads 1 --tt 64M --json --resume \
         --checkpoint {} --every 20ms",
        file.display()
    );
    let mut kills = 0;
    while kills < 5 {
        let before = fs::metadata(&file).ok().and_then(|data| data.modified().ok());
        let mut child = Command::new(common::PROGRAM)
            .args(arguments.split_whitespace())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        // Kills the program at any moment after it has written a checkpoint.
        let started = Instant::now();
        loop {
            assert!(started.elapsed() < Duration::from_secs(60));
            let now = fs::metadata(&file).ok().and_then(|data| data.modified().ok());
            if now != before || child.try_wait().unwrap().is_some() {
                break;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        kills += 1;
    }
    let answer = json(&arguments);
    assert_eq!(answer["bounds"], serde_json::json!([-8, -8]));
    // The proof is complete, so the checkpoint answers at once.
    let again = json(&arguments);
    assert_eq!(again["bounds"], serde_json::json!([-8, -8]));
    assert!(again["nodes"].as_u64() < Some(1000), "{again}");
    let (_, text, _) = run(&arguments.replace("--json ", ""));
    assert!(text.contains("Resumed  from"), "{text}");
}

#[test]
fn bad_checkpoints_are_refused() {
    let folder = folder("bad-checkpoint");
    let file = folder.join("proof.table");
    let path = file.display();
    let solve = |game: &str, more: &str| {
        format!("solve {game} --algorithm dfpn --threads 1 --checkpoint {path} {more}")
    };
    assert_eq!(run(&solve("tic-tac-toe", "")).0, 0);
    let error = complaint(&solve("tic-tac-toe", ""), 2);
    assert!(error.contains("--resume continues the proof in it"), "{error}");
    let error = complaint(&solve("othello:4", "--resume"), 2);
    assert!(
        error.contains("the file was saved with the game 'tic-tac-toe', not 'othello:4'"),
        "{error}"
    );
    let whole = fs::read(&file).unwrap();
    fs::write(&file, &whole[..whole.len() / 2]).unwrap();
    let error = complaint(&solve("tic-tac-toe", "--resume"), 2);
    assert!(error.contains("the file is truncated"), "{error}");
    complaint(&format!("solve tic-tac-toe --checkpoint {path}"), 2);
    complaint("solve tic-tac-toe --algorithm dfpn --resume", 2);
    complaint(&format!("solve tic-tac-toe --algorithm dfpn --checkpoint {path}/no"), 1);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "nothing half-made is left");
}
