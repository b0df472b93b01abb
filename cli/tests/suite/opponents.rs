//! Other programs as opponents in a match: this program through each protocol, Fairy-Stockfish if
//! it is installed, and programs that break the rules.
#![cfg(unix)]

use crate::common::{self, documents};
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Stdio};

/// Plays a match against a command and returns the result.
fn result(game: &str, opponent: &str, more: &[&str]) -> Value {
    let mut command = Command::new(common::PROGRAM);
    command.args(["match", game, "--a", "", "--opponent", opponent, "--json"]).args(more);
    let (status, output, errors) = common::outcome(command.output().unwrap());
    // A long match reports its progress every minute.
    let wrong = errors.lines().find(|line| !line.contains(" of ") || !line.ends_with(" left"));
    assert_eq!((status, wrong), (0, None), "{game} {opponent}");
    documents(&output).remove(0)
}

#[test]
fn this_program_plays_itself_by_every_protocol() {
    for (game, protocol) in [
        ("othello:6", "gtp"),
        ("hex:4", "gtp"),
        ("ataxx", "ugi"),
        ("connect-four:5x5", "ugi"),
        ("breakthrough", "uci"),
        ("connect-four", "uci"),
        ("othello", "uci"),
        ("minishogi", "uci"),
        ("tic-tac-toe", "uci"),
        ("connect-four:6x5", "gtp"),
    ] {
        let argument = if protocol == "uci" { "" } else { game };
        let opponent =
            format!("{} {protocol} {argument} --playouts 5 --threads 1", common::PROGRAM);
        let more = ["--protocol", protocol, "--playouts", "5", "--games", "2", "--max-plies", "80"];
        let result = result(game, &opponent, &more);
        assert_eq!(result["games"], 2, "{game} {protocol}: {result}");
        assert_eq!(result["forfeits"], serde_json::json!([]), "{game} {protocol}");
        assert!(result["b_spent"]["moves"].as_u64() > Some(1), "{game} {protocol}: {result}");
        // GTP cannot report the number of playouts.
        let told = result["b_spent"]["playouts"].as_u64() > Some(0);
        assert_eq!(told, protocol != "gtp", "{game} {protocol}: {result}");
    }
}

#[test]
fn what_an_opponent_does_wrong_loses_its_game_and_no_more() {
    let uci = |then: &str| {
        format!(
            "sh -c 'while read -r line; do case \"$line\" in uci) echo uciok;; isready) echo \
             readyok;; go*) {then};; quit) exit;; esac; done'"
        )
    };
    for (opponent, said) in [
        (uci("exit 3"), "the program exited (exit status: 3)"),
        (uci("echo bestmove a1a9"), "illegal move a1a9"),
        (uci("echo bestmove"), "no move in its answer"),
        (uci("echo bestmove resign"), "it resigned"),
        (uci("echo hello"), "no answer in time"),
        ("true".into(), "the program"),
    ] {
        let more = ["--playouts", "5", "--games", "2", "--patience", "200ms"];
        let result = result("breakthrough", &opponent, &more);
        assert_eq!((&result["games"], &result["wins"]), (&2.into(), &2.into()), "{said}: {result}");
        let forfeits = result["forfeits"].as_array().unwrap();
        assert_eq!(forfeits.len(), 2, "{said}");
        assert!(forfeits.iter().all(|f| f.as_str().unwrap().contains(said)), "{said}: {result}");
    }
}

#[test]
fn an_opponent_sets_options_and_wrong_ones_are_refused_before_the_first_game() {
    for protocol in ["uci", "ugi"] {
        let game = if protocol == "uci" { "" } else { "breakthrough" };
        let opponent = format!("{} {protocol} {game}", common::PROGRAM);
        let play = |option: &str| {
            let more = ["--protocol", protocol, "--playouts", "5", "--games", "2"];
            let option = ["--max-plies", "6", "--opponent-option", option];
            result("breakthrough", &opponent, &[&more[..], &option].concat())
        };
        let result = play("threads = 1");
        assert_eq!(result["forfeits"], serde_json::json!([]), "{protocol}");
        assert!(result["b"].as_str().unwrap().contains("threads=1"), "{protocol}: {result}");
        for (option, said) in [
            ("Skill Level=3", "there is no option 'Skill Level'"),
            ("threads=many", "should be a whole number from 1 to"),
        ] {
            let mut command = Command::new(common::PROGRAM);
            command.args(["match", "breakthrough", "--a=", "--opponent", &opponent]);
            command.args(["--protocol", protocol, "--opponent-option", option]);
            let (status, _, errors) = common::outcome(command.output().unwrap());
            assert_eq!((status, errors.lines().count()), (2, 1), "{protocol}: {errors}");
            assert!(errors.contains(said), "{protocol}: {errors}");
        }
    }
}

#[test]
fn a_match_against_a_program_goes_on_where_it_was_left() {
    let folder = std::env::temp_dir().join(format!("proofwood-opponent-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let record = folder.join("match.jsonl");
    let record = record.to_str().unwrap();
    let run = |games, more: &[&str]| {
        let mut all = vec!["--playouts", "5", "--record", record, "--games", games];
        all.extend(more);
        result("breakthrough", "true", &all)
    };
    assert_eq!(run("1", &[])["forfeits"].as_array().unwrap().len(), 1);
    assert_eq!(run("3", &["--resume"])["forfeits"].as_array().unwrap().len(), 3);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn bad_opponents_are_refused() {
    for (arguments, said) in [
        ("match hex --a= --opponent x", "UCI has no variant for hex"),
        ("match gardner --a= --opponent /no/such/program", "cannot start '/no/such/program': "),
        ("match pig --a= --opponent x --protocol gtp", "without chance"),
        ("match hex --a= --opponent '", "quotes"),
        ("match hex --a= --opponent x --b=", "cannot be used with"),
        ("match hex --a=", "--b"),
        ("match hex --a= --b= --opponent-option Hash=16", "needs --opponent"),
        ("match gardner --a= --opponent x --opponent-option Hash", "should be NAME=VALUE"),
        ("match hex --a= --opponent x --protocol gtp --opponent-option Hash=16", "GTP has no"),
    ] {
        let complaint = common::complaint(arguments, 2);
        assert!(complaint.contains(said), "{arguments}: {complaint}");
    }
}

/// Plays `PROOFWOOD_GAMES` games of each kind. Debian's package is fairy-stockfish.
#[test]
fn fairy_stockfish_plays_five_games() {
    let places = ["/usr/games/fairy-stockfish", "/usr/bin/fairy-stockfish"];
    let given = std::env::var("FAIRY_STOCKFISH").ok();
    let found = places.iter().find(|place| Path::new(place).exists()).map(|p| p.to_string());
    let Some(program) = given.or(found) else {
        eprintln!("skipped: Fairy-Stockfish is not installed (Debian: fairy-stockfish)");
        return;
    };
    let starts = Command::new(&program).stdin(Stdio::null()).stdout(Stdio::null()).status();
    assert!(starts.is_ok_and(|status| status.success()), "{program} does not start");
    let games = std::env::var("PROOFWOOD_GAMES").unwrap_or_else(|_| "4".into());
    for game in ["breakthrough", "clobber", "gardner", "los-alamos", "minishogi"] {
        let more = ["--playouts", "50", "--games", &games, "--random-plies", "4"];
        let result = result(game, &program, &more);
        println!("{game}: {} {} {}", result["wins"], result["draws"], result["losses"]);
        assert_eq!(result["forfeits"], serde_json::json!([]), "{game}");
        assert_eq!(result["games"].to_string(), games, "{game}");
    }
}
