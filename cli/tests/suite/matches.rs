//! Matches: their records, their results, and that no game is lost.

use crate::common::{self, complaint, documents, json, outcome, proofwood, run};
use serde_json::{Value, json as value};
use std::fs;
use std::path::PathBuf;
use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;
use tempfile::TempDir;

/// A path for a file, in a folder that is removed when the test ends.
struct TempFile {
    path: PathBuf,
    _folder: TempDir,
}

impl TempFile {
    fn new(name: &str) -> TempFile {
        let folder = TempDir::new().unwrap();
        TempFile { path: folder.path().join(name), _folder: folder }
    }

    fn path(&self) -> &str {
        self.path.to_str().unwrap()
    }

    /// Returns the games by number, without the fields that differ from run to run.
    fn games(&self) -> Vec<Value> {
        let text = fs::read_to_string(&self.path).unwrap_or_default();
        let whole = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
        let mut games = documents(whole);
        assert!(games.is_empty() || games.remove(0)["match"].is_object());
        for game in &mut games {
            for player in ["a", "b"] {
                game[player].as_object_mut().unwrap().remove("seconds");
            }
        }
        games.sort_by_key(|game| game["number"].as_u64());
        games
    }
}

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
fn the_games_do_not_depend_on_the_number_of_jobs_or_runs() {
    let (one, many) = (TempFile::new("one"), TempFile::new("many"));
    let result = json(&format!("{OTHELLO} --games 8 --json --jobs 1 --record {}", one.path()));
    json(&format!("{OTHELLO} --games 3 --json --jobs 4 --record {}", many.path()));
    json(&format!("{OTHELLO} --games 8 --json --jobs 4 --record {} --resume", many.path()));
    assert_eq!(one.games(), many.games());

    let games = one.games();
    let points: f64 = games.iter().map(|game| game["points"].as_f64().unwrap()).sum();
    assert_eq!(result["games"], 8);
    assert_eq!(result["win_rate"].as_f64().unwrap(), points / 8.0);
    let count = |key: &str| result[key].as_u64().unwrap();
    assert_eq!(count("wins") + count("draws") + count("losses"), 8);
    assert_eq!(result["finished"], true);
    // Each opening is played from both seats.
    for (first, second) in games.iter().step_by(2).zip(games.iter().skip(1).step_by(2)) {
        let opening = |game: &Value| {
            let moves = game["moves"].as_str().unwrap();
            moves.split(' ').take(2).map(str::to_string).collect::<Vec<_>>()
        };
        assert_eq!(opening(first), opening(second));
        assert_eq!((&first["a_seat"], &second["a_seat"]), (&value!(0), &value!(1)));
    }
    let openings: std::collections::HashSet<String> =
        games.iter().map(|game| game["moves"].as_str().unwrap()[..5].to_string()).collect();
    assert!(openings.len() > 1, "the openings are random");
}

#[test]
fn recorded_games_can_be_replayed() {
    for game in ["loa7", "mnk:4,4,3,players=3", "connect-four:5x4", "los-alamos", "minishogi"] {
        let scratch = TempFile::new(&format!("replay.{}", game.split(':').next().unwrap()));
        let path = scratch.path();
        let (status, _, errors) = run(&format!(
            "match {game} --a= --b=--c-pn_0 --playouts 20 --games 3 --record {path} --random-plies 3"
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
    assert!(error.contains("--number 9: there is no such game; the file holds 3"), "{error}");
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
    for (text, why) in [(points, "points are 7"), (seat, "A is on seat 1"), (moves, "move 1: 'b9'")]
    {
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
    assert!(text.contains("not kept (--record FILE keeps them)"), "{text}");
    assert_eq!(fs::read_dir(&folder.path).unwrap().count(), 0);
    fs::remove_dir(&folder.path).unwrap();
    assert!(complaint("match tic-tac-toe --a= --b= --resume", 2).contains("--record"));
}

#[test]
fn with_three_players_a_has_each_seat_in_turn() {
    let scratch = TempFile::new("three");
    let result = json(&format!(
        "match mnk:3,3,3,players=3 --a=--playouts_300 --b=--playouts_1 --games 12 --json --record {}",
        scratch.path()
    ));
    assert_eq!(result["players"], serde_json::json!(["x", "o", "+"]));
    assert_eq!(result["elo"], Value::Null);
    assert!((result["even"].as_f64().unwrap() - 1.0 / 3.0).abs() < 1e-12);
    let games = scratch.games();
    let seats: Vec<u64> = games.iter().map(|game| game["a_seat"].as_u64().unwrap()).collect();
    assert_eq!(seats, [0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2]);
    for game in games {
        let payoffs: Vec<i64> =
            game["payoffs"].as_array().unwrap().iter().map(|p| p.as_i64().unwrap()).collect();
        let best = payoffs.iter().max();
        let winners = payoffs.iter().filter(|&p| Some(p) == best).count() as f64;
        let seat = game["a_seat"].as_u64().unwrap() as usize;
        let expected = if payoffs.get(seat) == best { 1.0 / winners } else { 0.0 };
        assert_eq!(game["points"].as_f64().unwrap(), expected);
    }
}

#[test]
fn a_test_ends_the_match_early_and_says_why() {
    let (one, four) = (TempFile::new("sprt1"), TempFile::new("sprt4"));
    let arguments = "match tic-tac-toe --a=--playouts_400 --b=--playouts_1 --games 1000 --json \
                     --sprt 0,200 --record";
    let results = [(1, &one), (4, &four)]
        .map(|(jobs, scratch)| json(&format!("{arguments} {} --jobs {jobs}", scratch.path())));
    for result in &results {
        assert!(result["games"].as_u64().unwrap() < 200, "{result}");
        assert_eq!(result["finished"], true);
        assert_eq!(result["sprt"]["verdict"], "elo1");
    }
    // Games that ended later do not change the verdict.
    assert_eq!(results[0]["sprt"], results[1]["sprt"]);
    assert_eq!(results[0]["games"].as_u64().unwrap() as usize, one.games().len());
}

#[test]
fn openings_can_be_listed() {
    let (list, scratch) = (TempFile::new("list"), TempFile::new("listed"));
    fs::write(&list.path, "# two\n4433\n\n5566\n").unwrap();
    let arguments = format!(
        "match connect-four --a= --b= --playouts 30 --games 6 --openings {} --record {}",
        list.path(),
        scratch.path()
    );
    assert_eq!(run(&arguments).0, 0);
    let beginnings: Vec<String> = scratch
        .games()
        .iter()
        .map(|game| game["moves"].as_str().unwrap()[..7].to_string())
        .collect();
    let (first, second) = ("4 4 3 3", "5 5 6 6");
    assert_eq!(beginnings, [first, first, second, second, first, first]);
    fs::write(&list.path, "44\n99\n").unwrap();
    assert!(complaint(&arguments, 2).contains("line 2"));

    let positions = TempFile::new("positions");
    fs::write(&positions.path, ".../.x./..o x\n").unwrap();
    let scratch = TempFile::new("from-position");
    let path = scratch.path();
    let (status, ..) = run(&format!(
        "match tic-tac-toe --a= --b= --playouts 30 --games 2 --openings {} --record {path}",
        positions.path()
    ));
    assert_eq!(status, 0);
    assert_eq!(scratch.games()[0]["start"], ".../.x./..o x");
    assert_eq!(json(&format!("replay --record {path} --number 2 --json"))["over"], true);
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
    assert!(refused("match tic-tac-toe --a= --b= --random-plies 9").contains("take fewer"));
    let three = "match mnk:3,3,3,players=3 --a= --b= --sprt 0,5";
    assert!(refused(three).contains("two players"));
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
    assert!(odd.contains("not played from every seat; --games 4 would"), "{odd}");
    assert!(!said("4").contains("from every seat"), "{odd}");
}
