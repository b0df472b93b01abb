//! Matches: their records, their results, and whether games are lost.

#[path = "../../../crates/session/tests/record/mod.rs"]
mod record;

use self::record::TempFile;
use crate::common::{self, complaint, documents, json, outcome, proofwood, run};
use serde_json::Value;
use std::fs;
use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

/// A match whose games are the same in every run.
const OTHELLO: &str = "match othello:6 --a=--c-pn_0.5 --b=--preset_uct --playouts 200 --seed 7";

#[test]
fn a_killed_match_goes_on_with_nothing_lost_or_played_twice() {
    const GAMES: u64 = 30;
    let (whole, killed) = (TempFile::new("whole"), TempFile::new("killed"));
    let arguments = |scratch: &TempFile, jobs: u32| {
        format!("{OTHELLO} --games {GAMES} --jobs {jobs} --json --record {}", scratch.path())
    };
    json(&arguments(&whole, 1));
    let uninterrupted = whole.games();
    assert_eq!(uninterrupted.len(), GAMES as usize);

    let mut kills = 0;
    while killed.games().len() < GAMES as usize && kills < 4 {
        let before = killed.games();
        let mut child = std::process::Command::new(common::PROGRAM)
            .args(arguments(&killed, 3).split(' ').map(|a| a.replace('_', " ")))
            .arg("--resume")
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        while killed.games().len() < before.len() + 3 && child.try_wait().unwrap().is_none() {
            sleep(Duration::from_millis(1));
        }
        // This sends SIGKILL.
        child.kill().unwrap();
        child.wait().unwrap();
        kills += 1;
        let after = killed.games();
        assert!(before.iter().all(|game| after.contains(game)), "a finished game was lost");
    }
    assert!(killed.games().len() < GAMES as usize, "the match was over before it was killed");
    let result = json(&(arguments(&killed, 2) + " --resume"));
    assert_eq!(result["games"], GAMES);
    assert_eq!(killed.games(), uninterrupted);
}

#[test]
fn recorded_games_can_be_replayed() {
    for game in ["loa7", "mnk:4,4,3,players=3", "connect-four:5x4", "los-alamos", "minishogi"] {
        let scratch = TempFile::new(&format!("replay.{}", game.split(':').next().unwrap()));
        let path = scratch.path();
        let (status, _, errors) = run(&format!(
            "match {game} --a= --b=--c-pn_0 --playouts 20 --games 3 --record {path} --random-plies \
             3"
        ));
        assert_eq!((status, errors.as_str()), (0, ""), "{game}");
        for record in scratch.games() {
            let number = &record["number"];
            let end = json(&format!("replay --record {path} --number {number} --json"));
            assert_eq!(end["game"], game);
            assert_eq!(end["ply"], record["plies"]);
            assert_eq!(end["over"], true);
            assert_eq!(end["payoffs"], record["payoffs"]);
        }
    }
    assert!(complaint("replay --record nothing.jsonl --number 1", 2).contains("nothing.jsonl"));
}

#[test]
fn games_of_a_record_are_listed_and_shown() {
    let scratch = TempFile::new("listed-games");
    let path = scratch.path();
    let games = format!("match tic-tac-toe --a=--c_2 --b= --playouts 9 --games 3 --record {path}");
    assert_eq!(run(&games).0, 0);
    let (status, text, _) = run(&format!("replay --record {path}"));
    assert_eq!(status, 0);
    let rows: Vec<&str> = text.lines().collect();
    assert_eq!(rows.len(), 4, "{text}");
    assert!(rows[1].split_whitespace().take(2).eq(["1", "x"]), "{text}");
    assert!(rows[2].split_whitespace().take(2).eq(["2", "o"]), "{text}");
    let (_, listed, _) = run(&format!("replay --record {path} --json"));
    assert_eq!(documents(&listed).len(), 3);
    let second = &documents(&listed)[1];
    let (_, text, _) = run(&format!("replay --record {path} --number 2"));
    for part in ["Game 2: tic-tac-toe, ", "\nA  o  --threads 1 --c 2", "\nB  x  --threads 1 "] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let moves = second["moves"].as_str().unwrap();
    assert!(text.contains(&format!("\nMoves  {moves}\n")), "{text}");
    let shown = json(&format!("replay --record {path} --number 2 --json"));
    assert_eq!(&shown["recorded"], second);
    let error = complaint(&format!("replay --record {path} --number 9"), 2);
    assert!(error.contains("--number 9: there is no such game; the file contains 3"), "{error}");
}

#[test]
fn altered_records_are_refused() {
    let scratch = TempFile::new("altered");
    let path = scratch.path();
    let games =
        format!("match tic-tac-toe --a= --b= --playouts 20 --games 4 --jobs 1 --record {path}");
    assert_eq!(run(&games).0, 0);
    let whole = fs::read_to_string(&scratch.path).unwrap();
    let points = whole.replacen("\"points\":", "\"points\":7", 1);
    let seat = whole.replacen("\"a_seat\":0", "\"a_seat\":1", 1);
    let first = whole.find("\"moves\":\"").unwrap() + 9;
    let moves = format!("{}b9{}", &whole[..first], &whole[first + 2..]);
    for (text, why) in [(points, "points are 7"), (seat, "A has seat 1"), (moves, "move 1: 'b9'")] {
        assert_ne!(text, whole);
        fs::write(&scratch.path, &text).unwrap();
        for command in [format!("{games} --resume"), format!("replay --record {path} --number 1")] {
            let error = complaint(&command, 2);
            assert!(error.contains(", line 2, game 1: ") && error.contains(why), "{why}: {error}");
        }
        assert_eq!(fs::read_to_string(&scratch.path).unwrap(), text);
    }
}

#[test]
fn a_match_leaves_no_file_unasked() {
    let folder = TempFile::new("unasked");
    fs::create_dir_all(&folder.path).unwrap();
    let output = proofwood("match tic-tac-toe --a= --b= --playouts 9 --games 2")
        .current_dir(&folder.path)
        .output()
        .unwrap();
    let (status, text, errors) = outcome(output);
    assert_eq!((status, errors.as_str()), (0, ""));
    assert!(text.contains("not recorded (--record FILE records them)"), "{text}");
    assert_eq!(fs::read_dir(&folder.path).unwrap().count(), 0);
    fs::remove_dir(&folder.path).unwrap();
    assert!(complaint("match tic-tac-toe --a= --b= --resume", 2).contains("--record"));
}

#[test]
fn results_are_text_json_and_csv() {
    let (scratch, csv) = (TempFile::new("text"), TempFile::new("csv"));
    let (status, text, errors) = run(&format!(
        "match tic-tac-toe --a=--playouts_100 --b=--playouts_1 --games 4 --record {} --csv {}",
        scratch.path(),
        csv.path()
    ));
    assert_eq!((status, errors.as_str()), (0, ""));
    for part in ["A  --threads 1", "won  drawn  lost  win rate", "Wilson, 95 %", "Elo "] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let table = fs::read_to_string(&csv.path).unwrap();
    assert_eq!(table.lines().count(), 5);
    assert!(table.starts_with("number,a_seat,points,plies,payoffs,a_moves,a_playouts,"), "{table}");
}

#[test]
fn budgets_of_processor_time_hold() {
    let scratch = TempFile::new("cpu");
    let result = json(&format!(
        "match tic-tac-toe --a=--playouts_10 --b= --cpu-time 2ms --games 2 --json --max-plies 3 \
         --record {}",
        scratch.path()
    ));
    assert!(result["b"].as_str().unwrap().contains("--cpu-time 0.002s"), "{result}");
    assert_eq!(result["finished"], true);
    assert_eq!(scratch.games()[0]["payoffs"], Value::Null);
    assert_eq!(scratch.games()[0]["points"], 0.5);
}

#[test]
fn what_cannot_be_played_is_refused() {
    let scratch = TempFile::new("refused");
    let refused =
        |arguments: &str| complaint(&format!("{arguments} --record {}", scratch.path()), 2);
    assert!(refused("match othello --a=--c-pn_x --b=").contains("--a: --c-pn"));
    assert!(refused("match othello --a= --b=--colour_red").contains("--b: there is no option"));
    assert!(refused("match othello --a= --b=--preset_best").contains("should be one of"));
    assert!(refused("match othello --a= --b= --sprt 5,1").contains("elo0 < elo1"));
    assert!(refused("match tic-tac-toe --a= --b= --random-plies 9").contains("use fewer"));
    let three = "match mnk:3,3,3,players=3 --a= --b= --sprt 0,5";
    assert!(refused(three).contains("two-player"));
    let game = "match tic-tac-toe --a= --b= --playouts 10 --games 1";
    assert_eq!(run(&format!("{game} --record {}", scratch.path())).0, 0);
    assert!(refused(game).contains("--resume"));
    assert!(refused(&format!("{game} --seed 3 --resume")).contains("its seed is '0', not '3'"));
}

#[cfg(unix)]
#[test]
fn an_interrupted_match_says_what_it_has() {
    let scratch = TempFile::new("interrupted");
    let arguments = format!("{OTHELLO} --games 100000 --json --record {}", scratch.path());
    let child = std::process::Command::new(common::PROGRAM)
        .args(arguments.split(' ').map(|a| a.replace('_', " ")))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    while scratch.games().len() < 2 {
        sleep(Duration::from_millis(5));
    }
    let id = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let (status, output, errors) = outcome(child.wait_with_output().unwrap());
    assert_eq!((status, errors.as_str()), (130, ""));
    let result = &documents(&output)[0];
    assert_eq!(result["finished"], false);
    assert_eq!(result["games"].as_u64().unwrap() as usize, scratch.games().len());
}

#[test]
fn presets_are_options_of_every_search() {
    let answer = json("search connect-four --preset uct --playouts 100 --json");
    assert_eq!(answer["playouts"], 100);
    assert!(complaint("search othello --preset fast", 2).contains("should be one of play"));
    assert_eq!(
        proofwood("bench sample tic-tac-toe --preset paper --playouts 5")
            .output()
            .unwrap()
            .status
            .code(),
        Some(0)
    );
}

#[test]
fn an_opening_that_was_played_from_one_seat_is_named() {
    let said =
        |games: &str| run(&format!("match tic-tac-toe --a= --b= --playouts 5 --games {games}")).1;
    let odd = said("3");
    assert!(odd.contains("not played from every seat; use --games 4"), "{odd}");
    assert!(!said("4").contains("from every seat"), "{odd}");
}
