//! Answers of the commands, in JSON and in words.

use crate::common::{complaint, documents, json, run, run_with_input};
use proofwood::options::OPTIONS;
use serde_json::{Value, json as value};

fn keys(object: &Value) -> Vec<&str> {
    object.as_object().expect("an object").keys().map(String::as_str).collect()
}

#[test]
fn cells_of_slanting_boards_can_be_named() {
    let (_, hex, _) = run("show hex:3 --moves a1");
    let board = "  a b c\n1 X . .\n 2 . . .\n  3 . . .\nX joins top and bottom, O left and right\n";
    assert!(hex.starts_with(board), "{hex}");
    // Empty cells of the star show their letters.
    let (_, star, _) = run("show chinese-checkers:2,players=3");
    let moves = json("show chinese-checkers:2,players=3 --json");
    let to = moves["legal_moves"][0].as_str().unwrap();
    let (letter, row) = to[2..].split_at(1);
    let row = star.lines().find(|line| line.trim_start().starts_with(&format!("{row} "))).unwrap();
    assert!(row.contains(letter), "{to}: {star}");
}

#[test]
fn what_a_game_recommends_is_told() {
    let of = |game: &str| json(&format!("games {game} --json"))[0]["recommended"].clone();
    assert_eq!(of("othello")["expand_after"], 2);
    assert_eq!(of("clobber")["c"], 0.8);
    assert!(run("games othello").1.contains("--expand-after 2"));
}

#[test]
fn games_are_listed_with_options_and_examples() {
    let list = json("games --json");
    let names: Vec<&str> =
        list.as_array().unwrap().iter().map(|game| game["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"othello") && names.contains(&"connect-four"), "{names:?}");
    for game in list.as_array().unwrap() {
        let example = game["example"].as_str().unwrap();
        assert_eq!(json(&format!("show {example} --json"))["game"], example);
    }
    let (_, text, _) = run("games othello");
    assert!(text.starts_with("othello  ") && !text.contains("connect-four"), "{text}");
    for part in ["outflank", "A move is a cell", "SIZE", "Players: X, O.", "-64 to 64", "X to move"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
    let (_, short, _) = run("games");
    assert_eq!(short.lines().count(), names.len() + 2, "a line each: {short}");
    assert!(short.lines().all(|line| line.chars().count() <= 100), "{short}");
    assert_eq!(run("games oth"), run("games othello"));
    assert_eq!(json("show noughts-and-crosses --json")["game"], "tic-tac-toe");
}

#[test]
fn records_may_leave_forced_passes_out() {
    let short = json("show othello:4 --moves a2a3b4c1a4b1a1d2c4d4d1d3 --json");
    let moves = "a2 a3 b4 c1 a4 pass b1 a1 d2 c4 d4 pass d1 d3";
    let long = json(&format!("show othello:4 --moves {} --json", moves.replace(' ', ",")));
    assert_eq!(short["position"], long["position"]);
    assert_eq!(short["payoffs"], value!([6, -6]));
}

#[test]
fn perft_counts() {
    let counted = json("perft connect-four --depth 6 --json");
    assert_eq!(counted["nodes"], 117_649);
    assert_eq!(counted["nodes_by_depth"][1], 49);
    assert_eq!(json("perft othello:6 --depth 5 --json")["nodes"], 1364);
    assert_eq!(json("perft othello --depth 0 --json")["nodes"], 1);
    // All games of Tic-Tac-Toe end after at most nine moves.
    assert_eq!(json("perft tic-tac-toe --depth 1000 --json")["nodes"], 0);
    let (_, text, _) = run("perft connect-four --depth 3 --moves 44");
    assert!(text.ends_with("nodes 343\n"), "{text}");
}

#[test]
fn show_tells_all_of_a_position() {
    let start = json("show tic-tac-toe --json");
    assert_eq!(start["move"], Value::Null);
    assert_eq!(start["ply"], 0);
    assert_eq!(start["to_move"], 0);
    assert_eq!(start["legal_moves"].as_array().unwrap().len(), 9);
    assert_eq!(start["over"], false);
    assert_eq!(start["payoffs"], Value::Null);
    let text = start["position"].as_str().unwrap();
    let again = json(&format!("show tic-tac-toe --json --position {}", text.replace(' ', "_")));
    assert_eq!(again["position"], start["position"]);
    let moved = json("show tic-tac-toe --json --position .../.x./..._o --moves a1");
    assert_eq!(moved["position"], ".../.x./o.. x");
    let (_, text, _) = run("show tic-tac-toe --moves a1,b1,a2,b2,a3");
    assert!(text.contains("Game over  x wins"), "{text}");
}

#[test]
fn replay_shows_the_end_or_every_ply() {
    let end = json("replay connect-four --moves 1122334 --json");
    assert_eq!(end["ply"], 7);
    assert_eq!(end["move"], "4");
    assert_eq!(end["over"], true);
    assert_eq!(end["to_move"], Value::Null);
    assert_eq!(end["legal_moves"], value!([]));
    assert_eq!(end["payoffs"], value!([1, -1]));

    let (status, output, _) = run("replay othello --moves f5d6,c3 --each --json");
    assert_eq!(status, 0);
    let plies = documents(&output);
    assert_eq!(plies.len(), 4);
    for (ply, object) in plies.iter().enumerate() {
        assert_eq!(object["ply"], ply);
        for key in ["move", "position", "board", "to_move", "legal_moves", "over", "payoffs"] {
            assert!(keys(object).contains(&key), "{key}");
        }
    }
    assert_eq!(plies[0]["move"], Value::Null);
    assert_eq!(plies[3]["move"], "c3");
    assert!(plies[0]["board"].as_str().unwrap().lines().count() >= 8);

    let (_, output, _) =
        run_with_input("replay othello --moves-file - --json", "# a game\nf5 d6\nc3\n");
    assert_eq!(documents(&output)[0], plies[3]);
    assert_eq!(json("replay othello --json")["ply"], 0);
}

#[test]
fn search_answers_with_every_key() {
    let answer = json("search connect-four --playouts 500 --threads 1 --seed 3 --json --moves 44");
    for key in [
        "game",
        "position",
        "to_move",
        "goal",
        "stop_reason",
        "solved",
        "proven",
        "bounds",
        "mean",
        "best_move",
        "pv",
        "ends_in",
        "proof_numbers",
        "counts_proof_numbers",
        "saturated",
        "paranoid",
        "paranoid_pruning",
        "playouts",
        "playouts_per_second",
        "nodes",
        "bytes",
        "seconds",
        "threads",
        "seed",
        "moves",
    ] {
        assert!(keys(&answer).contains(&key), "{key}");
    }
    assert_eq!(answer["game"], "connect-four");
    assert_eq!(answer["stop_reason"], "playouts");
    assert_eq!(answer["playouts"], 500);
    assert_eq!(answer["threads"], 1);
    assert_eq!(answer["seed"], 3);
    assert_eq!(answer["proven"], "unknown");
    assert_eq!(answer["bounds"], value!([-1, 1]));
    assert_eq!(answer["pv"][0], answer["best_move"]);
    assert_eq!(answer["moves"].as_array().unwrap().len(), 7);
    for mv in answer["moves"].as_array().unwrap() {
        let mut keys = keys(mv);
        keys.sort_unstable();
        let all = "bounds expected mean move prior probability proof_numbers proven visits";
        assert_eq!(keys.join(" "), all);
        assert_eq!((&mv["expected"], &mv["probability"]), (&Value::Null, &Value::Null));
        assert_eq!(mv["proof_numbers"].as_array().unwrap().len(), 2);
    }
}

#[test]
fn chance_is_shown_replayed_searched_and_solved() {
    let rolling = json("show pig:20 --moves roll --json");
    assert_eq!(rolling["to_move"], Value::Null);
    assert_eq!(rolling["over"], false);
    assert_eq!(rolling["legal_moves"], value!(["1", "2", "3", "4", "5", "6"]));
    assert_eq!(rolling["probabilities"], value!(vec![1.0 / 6.0; 6]));
    let (_, text, _) = run("show pig:20 --moves roll");
    assert!(
        text.contains("To move    chance\nOutcomes   1 2 3 4 5 6 (6, equally likely)"),
        "{text}"
    );
    let end = json("replay pig:5 --moves roll,5,hold --json");
    assert_eq!(end["payoffs"], value!([1, -1]));

    let answer = json("search pig:20 --moves roll --playouts 2000 --goal score --json");
    assert_eq!((&answer["to_move"], &answer["best_move"]), (&Value::Null, &Value::Null));
    assert_eq!(answer["moves"][5]["probability"], value!(1.0 / 6.0));
    let ends = |expected: &Value| ["lower", "upper"].map(|end| expected[end].as_f64().unwrap());
    let [lower, upper] = ends(&answer["expected"]);
    assert!(-1.0 <= lower && lower < upper && upper <= 1.0);
    assert_eq!(answer["expected"]["exact"], false);

    // By default the expected payoff is solved.
    let solved = json("solve pig:6,turns=4 --json");
    assert_eq!((&solved["goal"], &solved["solved"]), (&value!("score"), &value!(true)));
    let [lower, upper] = ends(&solved["expected"]);
    assert!(solved["expected"]["rounded"] == true && upper - lower < 1e-8, "{solved}");
    let (_, text, _) = run("solve pig:6,turns=4");
    assert!(text.contains("on average (rounded outward) with roll"), "{text}");
    let won = json("solve pig:6 --moves roll,6 --goal outcome --json");
    assert_eq!((&won["proven"], &won["best_move"]), (&value!("win"), &value!("hold")));
}

#[test]
fn one_thread_and_a_seed_give_the_same_answer() {
    let arguments = "search othello --playouts 2000 --threads 1 --seed 5 --json";
    let runs = [json(arguments), json(arguments)];
    for key in ["best_move", "pv", "nodes", "mean", "moves", "proof_numbers"] {
        assert_eq!(runs[0][key], runs[1][key], "{key}");
    }
}

#[test]
fn infinite_proof_numbers_are_words() {
    let answer = json("search connect-four --moves 112233 --json");
    assert_eq!(answer["stop_reason"], "solved");
    assert_eq!(answer["solved"], true);
    assert_eq!(answer["proven"], "win");
    assert_eq!(answer["best_move"], "4");
    assert_eq!(answer["bounds"], value!([1, 1]));
    assert_eq!(answer["proof_numbers"], value!([0, "inf"]));
    // The question is answered before the first playout.
    assert_eq!(answer["playouts"], 0);
    assert_eq!(answer["mean"], Value::Null);
}

#[test]
fn a_finished_game_is_answered_at_once() {
    let answer = json("solve connect-four --moves 1122334 --algorithm gpn --json");
    assert_eq!(answer["stop_reason"], "game-over");
    assert_eq!(answer["solved"], true);
    assert_eq!(answer["to_move"], Value::Null);
    assert_eq!(answer["best_move"], Value::Null);
    assert_eq!(answer["proven"], "win");
    assert_eq!(answer["moves"], value!([]));
}

#[test]
fn every_option_of_the_table_is_an_option_of_the_program() {
    let (_, help, _) = run("help search");
    for spec in OPTIONS {
        assert!(help.contains(&format!("--{} <", spec.name)), "{}", spec.name);
        // The default value itself must be accepted.
        let value = (spec.get)(&proofwood::Config::default());
        let (status, _, errors) =
            run(&format!("search tic-tac-toe --playouts 10 --{} {value}", spec.name));
        assert_eq!((status, errors.as_str()), (0, ""), "{}", spec.name);
    }
}

#[test]
fn results_go_to_a_file_as_well() {
    let path = std::env::temp_dir().join(format!("proofwood-out-{}.json", std::process::id()));
    let file = path.to_str().unwrap().to_string();
    assert!(!file.contains('_') && !file.contains(' '));
    let (status, text, _) = run(&format!("solve connect-four --moves 112233 --out {file}"));
    let written = std::fs::read_to_string(&path).unwrap();
    let printed = json(&format!("solve connect-four --moves 112233 --json --force --out {file}"));
    let again = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert_eq!(status, 0);
    assert!(text.contains("x wins with 4, proven."), "{text}");
    assert_eq!(documents(&written)[0]["best_move"], "4");
    assert_eq!(documents(&again), [printed]);
}

#[test]
fn little_memory_still_gives_a_move() {
    let answer = json("search othello --memory 1M --playouts 20000 --json");
    assert!(answer["best_move"].is_string());
    assert!(answer["bytes"].as_u64().unwrap() <= 1 << 20);
    let answer = json("solve othello --memory 1M --json");
    assert_eq!(answer["stop_reason"], "memory");
    let answer = json("search othello --bytes 1M --json");
    assert_eq!(answer["stop_reason"], "bytes");
    assert_eq!(json("search othello --nodes 1000 --json")["stop_reason"], "nodes");
}

#[test]
fn many_threads_on_few_cores_stay_right() {
    let answer = json("solve tic-tac-toe --threads 64 --json --audit on");
    assert_eq!(answer["proven"], "draw");
    assert_eq!(answer["threads"], 64);
    assert_eq!(answer["audit"], "ok");
}

#[test]
fn coalitions_are_named() {
    let answer = json("solve mnk:3,3,3,players=3 --algorithm gpn --json");
    assert_eq!(answer["paranoid"], true);
    assert_eq!(answer["paranoid_pruning"], true);
    assert_eq!(answer["solved"], true);
    assert_eq!(answer["proof_numbers"].as_array().unwrap().len(), 3);
    let counted = |options| json(options)["counts_proof_numbers"].clone();
    assert_eq!(counted("search connect-four --playouts 100 --json"), false);
    assert_eq!(counted("search connect-four --playouts 100 --c-pn 0.1 --json"), true);
    assert_eq!(json("search mnk:3,3,3,players=3 --playouts 100 --json")["paranoid_pruning"], false);
    let (_, text, _) = run("solve mnk:3,3,3,players=3");
    assert!(text.contains("all others"), "{text}");
}

#[test]
fn people_get_a_board_a_sentence_and_a_table() {
    let (status, text, errors) = run("search connect-four:4x4 --moves 112233 --threads 1");
    assert_eq!((status, errors.as_str()), (0, ""));
    let (stable, figures) = text.split_once("Search").expect("the figures come last");
    assert!(figures.contains("0 playouts in "), "{figures}");
    insta::assert_snapshot!("search", stable);
    // With the features there are more commands. Not every combination has a snapshot.
    let help = match (cfg!(feature = "machines"), cfg!(feature = "explore")) {
        (false, false) => Some(("help", "--help")),
        (true, true) => Some(("help_with_features", "--help")),
        _ => None,
    };
    for (name, arguments) in [
        ("show", "show tic-tac-toe --moves b2"),
        ("replay", "replay tic-tac-toe --moves b2,a1 --each"),
        ("games", "games p-game"),
        ("help_games", "games --help"),
        ("help_replay", "help replay"),
    ]
    .into_iter()
    .chain(help)
    {
        insta::assert_snapshot!(name, run(arguments).1);
    }
}

/// Checks that no means are shown beside proven values, that the summary sentence gives the best
/// move's mean, and that a line explains why that mean is not the greatest.
#[test]
fn figures_are_for_one_side_and_say_whose() {
    let arguments = "search connect-four --moves 44 --playouts 3000 --threads 1 --c-pn 20";
    let (_, text, _) = run(&format!("{arguments} --seed 1"));
    let answer = json(&format!("{arguments} --seed 1 --json"));
    let moves = answer["moves"].as_array().unwrap();
    let share = |mv: &Value| format!("{:.1} %", (mv["mean"].as_f64().unwrap() + 1.0) * 50.0);
    let best = moves.iter().find(|mv| mv["move"] == answer["best_move"]).unwrap();
    let sentence = format!("x's best is {}, {} (", best["move"].as_str().unwrap(), share(best));
    assert!(text.contains(&sentence), "{sentence}: {text}");
    let most =
        moves.iter().max_by(|a, b| a["mean"].as_f64().partial_cmp(&b["mean"].as_f64()).unwrap());
    let most = most.unwrap()["move"].as_str().unwrap();
    assert_ne!(most, best["move"].as_str().unwrap(), "such a bias goes its own way");
    let why = format!("{most} scores higher, but the most visited move is played;");
    assert!(text.contains(&why) && text.contains("(--c-pn 20)"), "{why}: {text}");
    assert!(text.contains("From x's point of view. Win rates are playout averages"), "{text}");
    assert!(text.contains("50 % = even"), "{text}");
    assert!(text.contains("for x, proof numbers x "), "{text}");
    let (_, text, _) = run("search connect-four --moves 44 --playouts 1000 --c-pn 0");
    assert!(!text.contains("--c-pn"), "{text}");

    for arguments in ["solve tic-tac-toe --threads 1", "solve othello:4 --goal score"] {
        let (_, text, _) = run(&format!("{arguments} --algorithm gpn"));
        assert!(text.contains("roven") && !text.contains("win rate"), "{text}");
        assert!(text.contains("Bounds and outcomes are proven."), "{text}");
    }
    // A move that is proven to lose has visits but no win rate. All moves except 6 lose.
    let lost = "search connect-four --moves 3372232151724 --playouts 500 --threads 1";
    let (_, text, _) = run(lost);
    assert!(text.contains("Not solved: o's best is 6, "), "{text}");
    for mv in ["1", "2", "3", "4", "5", "7"] {
        let row = text.lines().find(|line| line.trim_start().starts_with(&format!("{mv}  ")));
        let row: Vec<&str> = row.expect(mv).split_whitespace().collect();
        assert_eq!(row[1..3], ["loss", "-"], "{text}");
    }
}

#[test]
fn rules_are_checked_by_random_play() {
    let checked = json("games connect-four:5x4 --check --games 3 --seed 7 --json");
    assert_eq!(checked["ok"], true, "{checked}");
    assert_eq!((&checked["game"], &checked["games"]), (&"connect-four:5x4".into(), &3.into()));
    assert!(checked["hashes"].as_u64().is_some_and(|hashes| hashes > 100), "{checked}");
    let (status, output, errors) = run("games tic-tac-toe --check --games 1");
    assert_eq!((status, errors.as_str()), (0, ""));
    assert!(
        output.starts_with("tic-tac-toe  ok  ") && output.ends_with(" in 1 game\n"),
        "{output}"
    );
    assert!(complaint("games --games 3", 2).contains("--check"));
}

#[test]
fn playouts_that_say_little_are_called_that() {
    // Three players move at random, and no player gets home within six turns.
    let little = "nearly all playouts seem to have been drawn";
    let (_, text, _) = run("search chinese-checkers:turns=6 --playouts 500 --threads 1");
    assert!(text.contains(little), "{text}");
    let (_, text, _) = run("search connect-four --playouts 500 --threads 1");
    assert!(!text.contains(little), "{text}");
}

/// Checks that the summary sentence and the table give the same figure for the best move, even if
/// dice prevent a certain win, and that the share called even depends on the number of players.
#[test]
fn the_sentence_and_the_table_agree() {
    for (arguments, even) in [
        ("pig:20 --moves roll_6 --goal score", "50 % = even"),
        ("pig:20", "50 % = even"),
        ("ewn", "50 % = even"),
        ("othello:6 --goal score", "50 % = even"),
        ("mnk:4,4,4,players=3", "33.3 % = even"),
        ("pig:30,players=3 --preset flat", "33.3 % = even"),
    ] {
        let (status, text, errors) = run(&format!("search {arguments} --playouts 300 --threads 1"));
        assert_eq!((status, errors.as_str()), (0, ""), "{arguments}");
        assert!(text.contains(even) && !text.contains("?..?"), "{text}");
        let Some((_, rest)) = text.split_once("'s best is ") else {
            assert!(text.contains("chance decides"), "{text}");
            continue;
        };
        let (best, rest) = rest.split_once(", ").expect("a figure");
        let share = rest.split(" %").next().unwrap_or_default();
        let row = text.lines().find(|line| line.starts_with(&format!(" {best} ")));
        assert!(row.expect("the row of the best move").contains(share), "{text}");
    }
}
