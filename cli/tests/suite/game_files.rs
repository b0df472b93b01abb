//! Game files of other programs, and the commands that read them.

use crate::common::{complaint, documents, json, run, run_with_input};
use std::fs;
use std::path::{Path, PathBuf};

fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("game-files-{name}"));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("a folder");
    path
}

fn after(game: &str, text: &str) -> String {
    let (status, output, errors) = run_with_input(&format!("show {game} --file - --json"), text);
    assert_eq!(status, 0, "{game}: {text}: {errors}");
    documents(&output)[0]["position"].as_str().expect("a text").to_string()
}

/// Returns the moves of a file and the position after them.
fn read(game: &str, text: &str) -> (String, String) {
    let arguments = format!("replay {game} --file - --each --json");
    let (status, output, errors) = run_with_input(&arguments, text);
    assert_eq!(status, 0, "{game}: {text}: {errors}");
    let plies = documents(&output);
    let moves: Vec<&str> = plies.iter().filter_map(|ply| ply["move"].as_str()).collect();
    let end = plies.last().expect("a position")["position"].as_str().expect("a text");
    (moves.join(" "), end.to_string())
}

#[test]
fn files_that_cannot_be_read_are_refused() {
    let (status, output, errors) = run_with_input("show hex:5 --file -", "(;B[a1]\n;W[zz])");
    assert_eq!((status, output.as_str(), errors.lines().count()), (2, "", 1));
    assert!(errors.contains("standard input: move 2"), "{errors}");
    complaint("show hex:5 --file /no/such/file", 2);
    complaint("show hex:5 --ply 3", 2);
    complaint("show gardner --position rnbqk/ppppp/5/PPPPP/RNBQK_w_-_-_113_57", 2);
    let (status, output, _) = run_with_input("replay --file - --json", "(;XG[nogo:5];B[aa])");
    assert_eq!((status, output.contains("\"error\"")), (2, true));
}

#[test]
fn a_game_goes_out_and_comes_back() {
    let folder = folder("out");
    for (number, (game, moves)) in [
        ("othello", "f5_d6_c3"),
        ("atari-go:5", "c3_a4_e1"),
        ("hex:5", "a1_c3_e5"),
        ("gardner", "b2b3_a4b3"),
        ("connect-four", "4433"),
    ]
    .into_iter()
    .enumerate()
    {
        let file = folder.join(format!("{number}.sgf"));
        let written = run(&format!("replay {game} --moves {moves} --sgf {}", file.display()));
        assert_eq!(written.0, 0, "{}", written.2);
        let text = fs::read_to_string(&file).unwrap();
        let shown = json(&format!("show {game} --moves {moves} --json"));
        assert_eq!(shown["position"], after(game, &text), "{text}");
        let (status, output, _) = run(&format!("review {} --playouts 20 --json", file.display()));
        assert_eq!((status, documents(&output)[0]["game"].as_str()), (0, Some(game)), "{text}");
    }
    let othello = fs::read_to_string(folder.join("0.sgf")).unwrap();
    assert!(othello.contains("GM[2]SZ[8]") && othello.contains(";B[fe];W[df];B[cc]"), "{othello}");
    complaint(&format!("replay pig --moves roll --sgf {}", folder.join("p").display()), 2);
    let error =
        complaint(&format!("replay hex:5 --moves a1 --sgf {}", folder.join("0.sgf").display()), 2);
    assert!(error.contains("--force replaces it"), "{error}");
}

#[test]
fn proofs_of_set_up_positions_are_read_back() {
    // White is to move in the position that the file sets up, and in the written file, too.
    let folder = folder("set-up");
    let (proof, sgf) = (folder.join("a.proof"), folder.join("a.sgf"));
    let file = "(;GM[11]SZ[3]AB[a1][c3];W[b2];B[a3])";
    let solve = format!("solve hex:3 --file - --certificate {}", proof.display());
    let (status, text, errors) = run_with_input(&solve, file);
    assert_eq!(status, 0, "{errors}");
    assert!(text.contains("O wins with a2, proven."), "{text}");
    json(&format!("check {} --sgf {} --json", proof.display(), sgf.display()));
    let written = fs::read_to_string(&sgf).unwrap();
    let (moves, end) = read("hex:3", &written);
    assert!(
        moves.starts_with("a2 ") && end.starts_with("X") && end.contains("/OO./X.X"),
        "{moves}: {end}"
    );
}

/// Checks that a pass that a record omits is played: Black must pass after c1.
#[test]
fn a_pass_that_is_left_out_is_a_move_of_the_game() {
    let (moves, left_out) =
        ("d3 b4 a4 d2 b1 a2 c4 d4 d1 c1 pass a3 a1", "d3 b4 a4 d2 b1 a2 c4 d4 d1 c1 a3 a1");
    assert_eq!(read("othello:4", left_out).0, moves);
    let file = "othello:4 --file - --each --ply";
    let plies = |number: u32| {
        let (_, output, _) = run_with_input(&format!("replay {file} {number} --json"), left_out);
        documents(&output).len()
    };
    assert_eq!((plies(11), plies(12)), (12, 13));
    // The written file assigns White's move to White, and omits nothing.
    let sgf = folder("left-out").join("a.sgf");
    let list = left_out.replace(' ', ",");
    json(&format!("replay othello:4 --moves {list} --json --force --sgf {}", sgf.display()));
    let written = fs::read_to_string(&sgf).unwrap();
    assert!(written.contains(";W[ca];B[];W[ac];B[aa]"), "{written}");
    // The review attributes White's mistake to White.
    let review = "review othello:4 - --goal score --playouts 20000 --threads 1 --json";
    let plies = documents(&run_with_input(review, left_out).1);
    let of =
        |number: usize| (plies[number - 1]["move"].as_str(), plies[number - 1]["player"].as_u64());
    assert_eq!(
        (of(10), of(11), of(12)),
        ((Some("c1"), Some(1)), (Some("pass"), Some(0)), (Some("a3"), Some(1)))
    );
    assert!(plies[9]["thrown"].is_null() && !plies[11]["thrown"].is_null(), "{plies:?}");
    // The pass counts as a turn.
    let query = format!(
        "{{\"id\":1,\"game\":\"othello:4\",\"moves\":\"{left_out}\",\"turns\":[11,13],\"playouts\":10}}\n"
    );
    let answers = documents(&run_with_input("analyze", &query).1);
    let turn = |turn: u64| {
        answers
            .iter()
            .find(|answer| answer["turn"] == turn)
            .unwrap_or_else(|| panic!("{answers:?}"))
    };
    assert!(turn(11)["position"].as_str().unwrap().ends_with(" O"), "{answers:?}");
    assert_eq!(answers.len(), 2, "{answers:?}");
    let _ = turn(13);
    // If colours are given, a player cannot move for the other side.
    let colours = ["b", "w"];
    let mut gtp: String = (0..)
        .zip(left_out.split(' ').take(10))
        .map(|(ply, mv): (usize, _)| format!("play {} {mv}\n", colours[ply % 2]))
        .collect();
    gtp += "play b a3\nplay b pass\nplay w a3\nproofwood-position\nquit\n";
    let (_, output, _) = run_with_input("gtp othello:4", &gtp);
    assert!(output.contains("? 'a3' is not a legal move here; legal moves: pass"), "{output}");
    assert_eq!(output.matches('?').count(), 1, "{output}");
    let ugi = format!("ugi\nposition startpos moves {left_out}\nd\nquit\n");
    let (_, output, _) = run_with_input("ugi othello:4", &ugi);
    assert!(!output.contains("legal"), "{output}");
}

#[test]
fn a_proof_goes_out_as_variations() {
    let folder = folder("proof");
    let (proof, sgf) = (folder.join("a.proof"), folder.join("a.sgf"));
    let (proof, sgf) = (proof.display(), sgf.display());
    run(&format!("solve tic-tac-toe --moves a1_b1 --threads 1 --certificate {proof}"));
    let (status, _, errors) = run(&format!("check {proof} --sgf {sgf} --depth 3"));
    assert_eq!(status, 0, "{errors}");
    let text = fs::read_to_string(sgf.to_string()).unwrap();
    assert!(text.contains("C[Proof: x can secure at least 1.\n"), "{text}");
    // One move of the winner, and then all seven replies.
    let (replies, deep) =
        (text.matches(";W[").count(), text.matches("Cut off here (--depth 3).").count());
    assert!(replies == 6 && deep > 0, "{text}");
    assert_eq!(after("tic-tac-toe", &text).matches('x').count(), 3, "{text}");
    complaint(&format!("check {proof} {proof} --sgf {sgf} --force"), 2);
}

#[test]
fn a_review_names_the_move_that_threw_the_win_away() {
    let folder = folder("review");
    let file = folder.join("game.txt");
    // o answers with the adjacent corner, which loses, and x keeps the win to the end.
    fs::write(&file, "a1 b1 a2 a3 b2 c1 c2\n").unwrap();
    let arguments = format!("review {} --game tic-tac-toe --threads 1 --time 5s", file.display());
    let (status, text, errors) = run(&arguments);
    assert_eq!((status, errors.as_str()), (0, ""));
    let objects = documents(&run(&format!("{arguments} --json")).1);
    assert_eq!(objects.len(), 7);
    let thrown: Vec<u64> = objects
        .iter()
        .filter(|object| !object["thrown"].is_null())
        .map(|object| object["ply"].as_u64().unwrap())
        .collect();
    for number in &thrown {
        assert!(text.contains(&format!("Move {number}, ")), "{text}");
    }
    assert!(text.contains("Proven: all 7 moves."), "{text}");
    assert!(objects.iter().all(|object| object["solved"] == true), "{objects:?}");
    assert_eq!((&objects[1]["mark"], thrown), (&"??".into(), vec![2]), "{objects:?}");
    complaint(&format!("review {}", file.display()), 2);
    complaint(&format!("review {} --game mnk:3,3,3,players=3", file.display()), 2);
    let empty = folder.join("empty");
    fs::write(&empty, "").unwrap();
    complaint(&format!("review {} --game hex", empty.display()), 2);
}

#[test]
fn dice_that_can_prevent_a_win_take_nothing_from_a_move() {
    let arguments = "review - --game pig:10 --playouts 300 --threads 1 --json";
    let (status, output, errors) = run_with_input(arguments, "roll 6 roll 2 hold\n");
    assert_eq!((status, errors.as_str()), (0, ""));
    // Before the die is rolled there is no certain winner, and A wins most of the playouts.
    let first = &documents(&output)[0];
    assert!(first["mark"].is_null() && first["after"]["proven"] == "unknown", "{output}");
    let text = run_with_input(&arguments.replace(" --json", ""), "roll 6 roll 2 hold\n").1;
    assert!(text.contains("Nothing is proven about"), "{text}");
    let first = text.lines().find(|line| line.starts_with("   1 ")).expect("a row");
    assert!(!first.contains("50.0 %") && !first.contains('?'), "{text}");
}

#[test]
fn a_review_asks_a_prover_about_each_position() {
    // According to `solve`, x throws the win away at ply 9, and o at ply 10. Ply 8 throws a draw
    // away, which takes ten times the nodes to prove. Playouts prove none of this.
    let game = "7 2 6 2 1 7 6 7 1 1 4 4 5\n";
    let arguments = "review - --game connect-four --threads 1 --nodes 1.5e6 --playouts 200";
    let (status, text, errors) = run_with_input(arguments, game);
    assert_eq!((status, errors.as_str()), (0, ""));
    for line in [
        "Move 6, o 7: win, no longer proven; 2 looks better",
        "Move 9, x 1: win given away, now loss; 4 was better",
        "Move 10, o 1: win given away, now loss; 2 was better",
    ] {
        assert!(text.contains(line), "{text}");
    }
    // A move about which nothing is proven is called neither a mistake nor right.
    let eighth = text.lines().find(|line| line.starts_with("   8 ")).expect("a row");
    assert!(eighth.contains("??") && eighth.contains("loss"), "{eighth}");
    assert!(!text.contains("Move 8") && !text.contains("none of them"), "{text}");
    assert!(text.contains("Nothing is proven about the other "), "{text}");

    // With playouts only, at most the end is solved, and no unsolved move is called good.
    let arguments = "review - --game connect-four --algorithm gpn --playouts 300 --threads 1";
    let (_, text, _) = run_with_input(arguments, game);
    assert!(text.contains("Nothing is proven about the other "), "{text}");
    assert!(!text.contains("Proven: all"), "{text}");
}
