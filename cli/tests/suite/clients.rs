//! Third-party programs that use ours: OpenSpiel through GTP, python-chess through UCI, a Python
//! client through JSON lines, sgfmill through files, and GoGui's twogtp.
//!
//! The first four are scripts in `tests/clients`. `PROOFWOOD_PYTHON` names a Python that has the
//! packages `open_spiel`, `chess` and `sgfmill`, as `.ci/run` installs them. Without it python3 is
//! tried, and tests whose package is missing are skipped with a message. `GOGUI_TWOGTP` is the
//! command that starts gogui-twogtp.
#![cfg(unix)]

use crate::common::PROGRAM;
use std::path::Path;
use std::process::{Command, Stdio};

/// The exit status of a script that lacks a package.
const MISSING: i32 = 77;

fn drives(script: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients").join(script);
    let given = std::env::var("PROOFWOOD_PYTHON").ok();
    let python = given.as_deref().unwrap_or("python3");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("clients-{script}"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let run = Command::new(python).arg(path).arg(PROGRAM).arg(&folder).output();
    let run = match run {
        Ok(run) => run,
        Err(error) if given.is_none() => {
            eprintln!("skipped: there is no python3: {error}");
            return;
        }
        Err(error) => panic!("PROOFWOOD_PYTHON={python}: {error}"),
    };
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (output, errors) = (text(&run.stdout), text(&run.stderr));
    match run.status.code() {
        Some(MISSING) if given.is_none() => eprintln!("skipped: {output}"),
        Some(0) => println!("{output}"),
        status => panic!("{script}: {status:?}\n{output}\n{errors}"),
    }
}

#[test]
fn open_spiel_plays_by_its_own_rules() {
    drives("openspiel.py");
}

#[test]
fn python_chess_plays_by_uci() {
    drives("uci_client.py");
}

#[test]
fn a_client_in_python_asks_for_analysis() {
    drives("json_client.py");
}

#[test]
fn sgfmill_reads_and_writes_variations() {
    drives("sgf_files.py");
}

/// Checks matches in GoGui's twogtp. There is no package of GoGui; it is built with its `build.xml`
/// or with `javac`.
#[test]
fn twogtp_plays_its_matches() {
    let Ok(twogtp) = std::env::var("GOGUI_TWOGTP") else {
        eprintln!("skipped: GOGUI_TWOGTP names no gogui-twogtp");
        return;
    };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("clients-twogtp");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    for (game, size) in
        [("hex:5", "5"), ("othello:6", "6"), ("atari-go:5", "5"), ("connect-four:6x6", "6")]
    {
        let side = format!("{PROGRAM} gtp {game} --playouts 30 --threads 1");
        let prefix = folder.join(game.split(':').next().unwrap());
        let mut words = twogtp.split(' ');
        let run = Command::new(words.next().unwrap())
            .args(words)
            .args(["-black", &side, "-white", &side, "-size", size, "-games", "2"])
            .args(["-auto", "-alternate", "-sgffile"])
            .arg(&prefix)
            .stdin(Stdio::null())
            .output()
            .unwrap_or_else(|error| panic!("GOGUI_TWOGTP={twogtp}: {error}"));
        assert!(run.status.success(), "{game}: {}", String::from_utf8_lossy(&run.stderr));
        let table = std::fs::read_to_string(prefix.with_extension("dat")).unwrap();
        let games: Vec<Vec<&str>> = table
            .lines()
            .filter(|line| !line.starts_with('#'))
            .map(|line| line.split('\t').collect())
            .collect();
        assert_eq!(games.len(), 2, "{game}: {table}");
        for row in games {
            // Both sides report the same result and no error.
            assert_eq!((row[1], row[11]), (row[2], "0"), "{game}: {table}");
        }
    }
}
