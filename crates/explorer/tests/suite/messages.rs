//! Tests all messages, including invalid ones.

use super::{ask, fault, good, last};
use proofwood::{Budget, Config};
use proofwood_explorer::{Engine, KeptTree};
use serde_json::{Value, json};
use std::time::Duration;

#[test]
fn every_game_is_listed_and_shown() {
    let mut engine = Engine::new(1);
    let games = good(&mut engine, json!({ "ask": "games" }))["games"].clone();
    let games = games.as_array().expect("a list");
    assert_eq!(games.len(), proofwood_games::games().len());
    for game in games {
        for field in ["name", "summary", "rules", "notation", "example", "game"] {
            assert!(game[field].is_string(), "{field} of {game}");
        }
        let mut moves: Vec<Value> = Vec::new();
        for _ in 0..12 {
            let shown = good(
                &mut engine,
                json!({ "ask": "position", "game": game["game"], "moves": moves }),
            );
            assert_eq!(shown["ply"], moves.len());
            assert_eq!(shown["played"].as_array(), Some(&moves));
            if shown["over"] == true {
                assert!(shown["payoffs"].is_array() && shown["to_move"].is_null());
                break;
            }
            let legal = shown["legal"].as_array().expect("a list");
            assert!(!legal.is_empty(), "{shown}");
            assert_eq!(shown["chance"] == true, legal[0]["probability"].is_number());
            // The position's text describes it without the moves, too.
            let again =
                json!({ "ask": "position", "game": game["game"], "position": shown["position"] });
            assert_eq!(good(&mut engine, again)["position"], shown["position"]);
            moves.push(legal[legal.len() / 2]["move"].clone());
        }
    }
}

#[test]
fn a_search_answers_now_and_then_and_at_the_end() {
    for threads in [1, 2] {
        let mut engine = Engine::new(threads);
        let request = json!({
            "ask": "search", "game": "connect-four", "moves": ["4"], "playouts": 60_000,
            "every": 0.01, "options": { "seed": 7, "memory": "64M" },
        });
        let answers = ask(&mut engine, request);
        assert!(answers.len() > 1, "{answers:?}");
        let before = answers.iter().map(|answer| answer["playouts"].as_u64());
        assert!(before.is_sorted(), "{answers:?}");
        let last = answers.last().unwrap();
        assert_eq!((last["playouts"].as_u64(), &last["to_move"]), (Some(60_000), &json!(1)));
        assert_eq!(last["stop_reason"], "playouts");
        assert_eq!(last["moves"].as_array().map(Vec::len), Some(7));
        for mv in last["moves"].as_array().unwrap() {
            assert_eq!(mv["pv"][0], mv["move"], "{mv}");
            assert!(mv["pv"].as_array().unwrap().len() > 2, "{mv}");
            assert!(mv["bounds"].is_array() && mv["proof_numbers"].is_array(), "{mv}");
        }
    }
}

#[test]
fn a_search_goes_on_with_the_tree_of_the_one_before() {
    let mut engine = Engine::new(1);
    let mut request = json!({ "ask": "search", "game": "othello:6", "playouts": 3000 });
    let first = good(&mut engine, request.clone());
    assert_eq!(first["playouts"], 3000);
    assert_eq!(good(&mut engine, request.clone())["playouts"], 6000);
    request["moves"] = json!([first["best_move"]]);
    let after = good(&mut engine, request.clone())["playouts"].as_u64();
    assert!(after > Some(3000), "{after:?}");
    request["options"] = json!({ "seed": 2 });
    assert_eq!(good(&mut engine, request.clone())["playouts"], 3000);
    // Another line of play starts from zero.
    request["moves"] = json!([]);
    assert_eq!(good(&mut engine, request)["playouts"], 3000);
}

#[test]
fn a_search_is_stopped_and_its_tree_looked_into() {
    let mut engine = Engine::new(2);
    assert!(fault(&mut engine, json!({ "ask": "tree" })).contains("no tree yet"));
    engine.ask(r#"{"id": "s", "ask": "search", "game": "othello", "options": {"memory": "64M"}}"#);
    let mut answers = Vec::new();
    while answers.is_empty() {
        answers = engine.step(Duration::from_secs(1));
    }
    // The tree can be read during the search.
    let tree = last(&mut engine, json!({ "id": "t", "ask": "tree", "depth": 2, "width": 3 }));
    let root = &tree["tree"];
    assert_eq!((&root["move"], root["children"].as_array().map(Vec::len)), (&json!(null), Some(3)));
    assert_eq!(root["more"], 1);
    let child = &root["children"][0];
    assert!(child["visits"].as_u64() >= root["children"][1]["visits"].as_u64(), "{tree}");
    assert!(child["children"][0]["children"].as_array().unwrap().is_empty());
    let path = json!([child["move"], child["children"][0]["move"]]);
    let deeper = last(&mut engine, json!({ "id": "u", "ask": "tree", "path": path, "depth": 1 }));
    assert!(deeper["tree"]["children"][0]["visits"].is_u64(), "{deeper}");
    assert!(engine.is_busy());
    let answers = ask(&mut engine, json!({ "id": "x", "ask": "stop", "which": "s" }));
    let search = answers.iter().find(|answer| answer["id"] == "s" && answer["done"] == true);
    assert_eq!(search.expect("its last answer")["stop_reason"], "stopped");
    assert_eq!(answers.last().unwrap()["stopped"], true);
    assert!(!engine.is_busy());
    let again = json!({ "id": "y", "ask": "stop", "which": "s" });
    assert_eq!(last(&mut engine, again)["stopped"], false);
    let far = json!({ "ask": "tree", "path": ["a1"] });
    assert!(fault(&mut engine, far).contains("a1"));
}

/// Results before a stop are kept: neither the time nor the nodes start from zero.
#[test]
fn a_proof_that_was_stopped_goes_on() {
    let mut engine = Engine::new(2);
    let options = json!({ "tt": "64M" });
    let asked = json!({ "ask": "solve", "game": "othello:6", "options": options, "time": 0.3 });
    let first = good(&mut engine, asked.clone());
    assert_eq!(first["stop_reason"], "time");
    // It is also stopped halfway.
    engine.ask(
        &json!({ "id": "s", "ask": "solve", "game": "othello:6", "options": options }).to_string(),
    );
    engine.step(Duration::from_millis(100));
    let answers = ask(&mut engine, json!({ "id": "x", "ask": "stop", "which": "s" }));
    let stopped = answers.iter().find(|answer| answer["id"] == "s" && answer["done"] == true);
    let stopped = stopped.expect("its last answer").clone();
    assert_eq!(stopped["stop_reason"], "stopped");
    assert!(!engine.is_busy());
    let again = good(&mut engine, asked.clone());
    let rises = |field: &str| {
        let all = [&first, &stopped, &again].map(|answer| answer[field].as_f64().expect(field));
        assert!(all[0] < all[1] && all[1] < all[2], "{field}: {all:?}");
    };
    rises("nodes");
    rises("seconds");
    // Another question starts from zero.
    let mut other = asked;
    other["moves"] = json!(["c2"]);
    let other = good(&mut engine, other);
    assert!(other["seconds"].as_f64() < again["seconds"].as_f64(), "{other}");
    // A solved proof is reported again.
    for _ in 0..2 {
        let solved = good(&mut engine, json!({ "ask": "solve", "game": "mnk:3,3,3" }));
        assert_eq!(solved["proven"], "draw", "{solved}");
    }
}

#[test]
fn a_tree_that_was_saved_is_gone_on_with() {
    let rules = proofwood_any_game::find("othello:6").expect("a game");
    let mut position = rules.start();
    let played = position.view().legal_moves[0].clone();
    position.play(&played).expect("a move");
    let mut config = Config::default().threads(1).memory(64 << 20);
    config.set("goal", "score").expect("an option");
    let mut search = position.search(&config).expect("a search");
    search.start(&Budget::default().playouts(2000)).expect("a start");
    search.wait().expect("an answer");
    let mut file = Vec::new();
    search.save_tree("othello:6", &mut file).expect("a tree");
    let options = vec![("goal".to_string(), "score".to_string())];
    let kept = KeptTree { game: "othello:6".into(), position: position.text(), options };

    let mut engine = Engine::new(2);
    assert!(fault(&mut engine, json!({ "ask": "kept" })).contains("no tree"));
    assert!(engine.load_tree(kept.clone(), &mut &file[..file.len() / 2]).is_err());
    engine.load_tree(kept, &mut &file[..]).expect("it is whole");
    let said = good(&mut engine, json!({ "ask": "kept" }));
    assert_eq!((&said["playouts"], &said["options"]["goal"]), (&json!(2000), &json!("score")));
    assert!(said["moves"].as_array().expect("a list").len() > 1, "{said}");
    let tree = good(&mut engine, json!({ "ask": "tree", "depth": 1 }));
    assert_eq!(tree["tree"]["visits"], 2000);
    let more = json!({
        "ask": "search", "game": "othello:6", "position": position.text(),
        "options": { "goal": "score" }, "playouts": 500,
    });
    let more = good(&mut engine, more);
    assert!(more["playouts"].as_u64() >= Some(2500), "{more}");
    assert!(fault(&mut engine, json!({ "ask": "kept" })).contains("a new search"));
}

/// The text of a position does not show the owners of dominoes or boxes, but the moves do.
#[test]
fn moves_tell_who_placed_what() {
    let mut engine = Engine::new(1);
    let mut owner = |game: &str, moves: &[&str], name: &str| {
        let request = json!({ "ask": "position", "game": game, "moves": moves });
        let board = good(&mut engine, request)["board"].clone();
        let cells = board["cells"].as_array().expect("a list").clone();
        let cell = cells.into_iter().find(|cell| cell["name"] == name).expect(name);
        (cell["owner"].clone(), cell["piece"].clone())
    };
    let dominoes = ["a1a2", "b1c1"];
    assert_eq!(owner("domineering:4x4", &dominoes, "a1"), (json!(0), json!("domino-bottom")));
    assert_eq!(owner("domineering:4x4", &dominoes, "a2"), (json!(0), json!("domino-top")));
    assert_eq!(owner("domineering:4x4", &dominoes, "c1"), (json!(1), json!("domino-right")));
    let horizontal = "domineering:4x4,horizontal";
    assert_eq!(owner(horizontal, &["a1b1"], "a1"), (json!(0), json!("domino-left")));
    let lines = ["a1b1", "a2b2", "a1a2", "b1b2"];
    assert_eq!(owner("dots-and-boxes:2x1", &lines, "box a1"), (json!(1), json!("box")));
    assert_eq!(owner("dots-and-boxes:2x1", &lines[..3], "box a1"), (Value::Null, Value::Null));
    // A player who completes a box moves again, and completes the next one.
    let both = ["a1b1", "a2b2", "b2c2", "b1c1", "a1a2", "c1c2", "b1b2"];
    assert_eq!(owner("dots-and-boxes:2x1", &both, "box b1").0, json!(0));
}

#[test]
fn questions_are_solved() {
    let mut engine = Engine::new(2);
    for (algorithm, by) in
        [(json!(null), "ab or dfpn"), (json!("dfpn"), "dfpn"), (json!("gpn"), "")]
    {
        let solved = good(
            &mut engine,
            json!({ "ask": "solve", "game": "mnk:3,3,3", "algorithm": algorithm }),
        );
        assert_eq!((&solved["proven"], &solved["solved"]), (&json!("draw"), &json!(true)));
        assert!(solved["best_move"].is_string() && solved["nodes"].as_u64() > Some(0), "{solved}");
        let by_one =
            solved["questions"][0]["answered_by"].as_str().or(solved["algorithm"].as_str());
        assert_eq!(by_one.is_none(), by.is_empty(), "{solved}");
        assert!(by_one.is_none_or(|one| by.contains(one)), "{solved}");
    }
    let score = json!({ "ask": "solve", "game": "dots-and-boxes:2x2", "goal": "score" });
    let solved = good(&mut engine, score);
    assert_eq!(solved["bounds"][0], solved["bounds"][1], "{solved}");
    // A game with dice is searched instead.
    let dice = json!({ "ask": "solve", "game": "pig:10", "time": 0.3 });
    assert!(good(&mut engine, dice)["expected"].is_object());
    // A time limit ends the proof.
    let late = json!({ "ask": "solve", "game": "othello", "time": 0.2, "every": 0.05 });
    let answers = ask(&mut engine, late);
    assert_eq!(answers.last().unwrap()["stop_reason"], "time");
    // Another question ends the previous one.
    engine.ask(r#"{"id": 8, "ask": "solve", "game": "othello"}"#);
    let answers = ask(&mut engine, json!({ "id": 9, "ask": "solve", "game": "tic-tac-toe" }));
    let ended = answers.iter().find(|answer| answer["id"] == 8).unwrap();
    assert_eq!((&ended["done"], &ended["stop_reason"]), (&json!(true), &json!("stopped")));
}

#[test]
fn a_game_that_is_over_has_nothing_to_search() {
    let mut engine = Engine::new(1);
    let moves = json!(["a1", "b1", "a2", "b2", "a3"]);
    for ask in ["search", "solve"] {
        let over = json!({ "ask": ask, "game": "tic-tac-toe", "moves": moves });
        let answer = good(&mut engine, over);
        assert_eq!(
            (&answer["stop_reason"], &answer["best_move"]),
            (&json!("game-over"), &json!(null))
        );
    }
}

#[test]
fn what_is_wrong_is_said_in_one_line() {
    let mut engine = Engine::new(1);
    for line in ["", "{", "[]", "7", "null", "\"ask\"", "{\"id\": 1}", "\u{0}", "{\"ask\":\"x\"}"] {
        engine.ask(line);
        let answers = engine.step(Duration::ZERO);
        assert_eq!(answers.len(), 1, "{line}");
        let answer: Value = serde_json::from_str(&answers[0]).unwrap();
        assert!(answer["error"].is_string() && answer["done"] == true, "{line}: {answer}");
    }
    let wrong = [
        (json!({ "ask": "position", "game": "draughts" }), "draughts"),
        (json!({ "ask": "position" }), "game"),
        (json!({ "ask": "position", "game": "mnk:0,0,0" }), "mnk"),
        (json!({ "ask": "position", "game": "othello", "moves": ["a1"] }), "move 1"),
        (json!({ "ask": "position", "game": "othello", "moves": 3 }), "text or a list of moves"),
        (json!({ "ask": "position", "game": "othello", "position": "x" }), "cells"),
        (json!({ "ask": "position", "game": "othello\n\u{7}" }), "othello"),
        (json!({ "ask": "search", "game": "hex", "options": { "c-pm": 1 } }), "c-pm"),
        (json!({ "ask": "search", "game": "hex", "options": { "c": [] } }), "text, a number"),
        (json!({ "ask": "search", "game": "hex", "options": { "c": "much" } }), "much"),
        (json!({ "ask": "search", "game": "hex", "options": { "c": 1e300 } }), "c"),
        (json!({ "ask": "search", "game": "hex", "options": { "memory": "9000T" } }), "memory"),
        (json!({ "ask": "search", "game": "hex", "options": { "threads": 0 } }), "threads"),
        (json!({ "ask": "search", "game": "hex", "playouts": 0 }), "playouts"),
        (json!({ "ask": "search", "game": "hex", "playouts": -1 }), "a positive whole number"),
        (json!({ "ask": "search", "game": "hex", "time": 0 }), "time"),
        (json!({ "ask": "search", "game": "hex", "time": -3 }), "time"),
        (json!({ "ask": "search", "game": "hex", "every": -1, "playouts": 1 }), "every"),
        (json!({ "ask": "solve", "game": "hex:3", "algorithm": "magic" }), "magic"),
        (json!({ "ask": "solve", "game": "hex:3", "goal": "glory" }), "glory"),
        (json!({ "ask": "solve", "game": "hex:3", "playouts": 5 }), "playouts"),
        (json!({ "ask": "walk", "path": [] }), "no certificate"),
        (json!({ "ask": "open", "certificate": "*" }), "base64"),
        (json!({ "ask": "search", "game": "hex", "playuots": 1 }), "there is no such field"),
        (json!({ "ask": "search", "game": "hex", "turns": [0] }), "only `proofwood analyze`"),
        (json!({ "ask": "search", "game": "hex", "time": 1e300 }), "at most 1e9 seconds"),
        (json!({ "ask": "search", "game": "hex", "algorithm": "dfpn" }), "algorithm"),
    ];
    for (request, part) in wrong {
        let error = fault(&mut engine, request.clone());
        assert!(error.contains(part), "{request}: {error}");
        assert!(!engine.is_busy(), "{request}");
    }
    // A file that is not a certificate is not accepted.
    for junk in ["", "aGVsbG8="] {
        let opened = good(&mut engine, json!({ "ask": "open", "certificate": junk }));
        assert_eq!(opened["accepted"], false, "{opened}");
        assert!(opened["reason"].as_str().is_some_and(|why| why.contains("refused")), "{opened}");
    }
    // Absurdly large limits have no effect.
    let huge = json!({
        "ask": "search", "game": "tic-tac-toe", "playouts": u64::MAX, "time": 1e9, "every": 1e9,
    });
    assert_eq!(good(&mut engine, huge)["proven"], "draw");
    let huge = json!({ "ask": "tree", "depth": u32::MAX, "width": u32::MAX });
    assert!(good(&mut engine, huge)["tree"]["visits"].is_u64());
}

#[test]
fn a_pass_that_is_left_out_is_a_move() {
    let moves: Vec<&str> = "d3 b4 a4 d2 b1 a2 c4 d4 d1 c1 a3 a1".split(' ').collect();
    let request = json!({ "ask": "position", "game": "othello:4", "moves": moves });
    let place = good(&mut Engine::new(1), request);
    let played = place.to_string();
    assert!(played.contains(r#""d1","c1","pass","a3","a1""#), "{played}");
}
