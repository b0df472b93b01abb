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

fn played(game: &str, moves: &str) -> String {
    let arguments = format!("show {game} --moves {} --json", moves.replace(' ', "_"));
    json(&arguments)["position"].as_str().expect("a text").to_string()
}

#[test]
fn cells_are_counted_as_each_game_draws_them() {
    // The notations of GoGui, Hex programs and Othello programs.
    for (game, sgf, moves) in [
        ("atari-go:5", "(;FF[4]GM[1]SZ[5];B[cc];W[ab];B[ee])", "c3 a4 e1"),
        ("mnk:5,5,4", "(;GM[4];B[aa];W[ea];B[ae])", "a5 e5 a1"),
        ("othello", "(;GM[2]SZ[8];B[fe];W[df];B[cc])", "f5 d6 c3"),
        ("hex:5", "(;GM[11]SZ[5];B[a1];W[c3]C[a \\] comment];B[ee])", "a1 c3 e5"),
        ("loa8", "(;GM[9]SZ[8];B[b1-b3];W[a2:c2])", "b1b3 a2c2"),
        ("connect-four", "(;GM[0];B[4];W[4])", "44"),
    ] {
        assert_eq!(after(game, sgf), played(game, moves), "{game}: {sgf}");
    }
}

#[test]
fn stones_are_set_up_and_forced_passes_filled_in() {
    let set = "(;GM[1]SZ[4]AB[aa][bb:cb]AW[dd][dc]PL[W];W[da])";
    assert_eq!(after("atari-go:4", set), "X..O/.XX./...O/...O X");
    assert_eq!(after("mnk:3,3,3", "(;AB[aa]AW[cc];B[bb])"), "x../.x./..o o");
    assert_eq!(after("othello:4", "(;AE[bb]AB[bb])"), "-----XX--XO----- X");
    let (status, _, errors) = run_with_input("show loa8 --file -", "(;AB[aa])");
    assert_eq!(status, 2);
    assert!(errors.contains("give the position with --position"), "{errors}");
}

/// The notations of HexGui and Little Golem for Hex.
#[test]
fn hex_programs_write_cells_and_swaps() {
    let set = "(;AP[HexGui:0.2]FF[4]GM[11]SZ[4]AB[a1][d3:d4]AW[b2]PL[W];W[c1])";
    assert_eq!(after("hex:4", set), "X.O./.O../...X/...X X");
    // The next move has the same colour, because the players have changed sides.
    let sides = "(;GM[11]SZ[4];B[a2];W[swap-pieces];W[b3];B[c3])";
    assert_eq!(after("hex:4", sides), "..../X.../.OX./.... O");
    // The next move has the other colour: the stone has another owner, on the mirrored cell.
    let pieces = "(;GM[11]SZ[4];B[a2];W[SWAP];B[c3];W[d1])";
    assert_eq!(after("hex:4", pieces), ".O.O/..../..X./.... X");
    for wrong in ["(;GM[11]SZ[4];B[a2];W[b2];B[swap];W[c3])", "(;GM[11];B[swap])"] {
        let (status, _, errors) = run_with_input("show hex:4 --file -", wrong);
        assert!(status == 2 && errors.contains("swap"), "{errors}");
    }
}

#[test]
fn pgn_and_fen_are_read() {
    let pgn = "[Event \"x\"]\n[Variant \"Gardner\"]\n\n1. b3 axb3 2. cxb3 $1 {good} cxb3 1-0\n";
    assert_eq!(after("gardner", pgn), played("gardner", "b2b3 a4b3 c2b3 c4b3"));
    let fen = "2k2/5/R3R/5/2K2 w - - 0 1";
    assert_eq!(after("gardner", fen), "2k2/5/R3R/5/2K2 w - - 0");
    let pgn = format!("[FEN \"{fen}\"]\n[SetUp \"1\"]\n1. Rac3 *");
    assert!(after("gardner", &pgn).contains(" b "));
    assert_eq!(after("connect-four", "44 3"), played("connect-four", "443"));
    let (_, output, _) = run_with_input("show connect-four --file - --ply 2 --json", "4433");
    assert_eq!(documents(&output)[0]["position"], played("connect-four", "44"));
}

#[test]
fn wrong_files_are_told_with_the_place() {
    for (game, text, why) in [
        ("hex:5", "(;B[a1];W[a1])", "standard input: move 2"),
        ("hex:5", "(;B[a1]\n;W[zz])", "standard input: move 2"),
        ("hex:5", "(;B[a1]\n;W[b1]", "line 2: a ')' is missing at the end"),
        ("hex:5", "(;B[a1];B[b1])", "is of B, and it is W's turn"),
        ("gardner", "[Event x]\n1. b3", "line 1: a tag should be"),
        ("gardner", "1. b3 Nd6", "move 2: 'Nd6' is not a legal move"),
        ("gardner", "", "the file is empty"),
    ] {
        let (status, output, errors) = run_with_input(&format!("show {game} --file -"), text);
        assert_eq!((status, output.as_str()), (2, ""), "{text}");
        assert!(errors.contains(why) && errors.lines().count() == 1, "{text}: {errors}");
    }
    complaint("show hex:5 --file /no/such/file", 2);
    complaint("show hex:5 --ply 3", 2);
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
        assert_eq!(after(game, &text), played(game, &moves.replace('_', " ")), "{text}");
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
fn a_proof_goes_out_as_variations() {
    let folder = folder("proof");
    let (proof, sgf) = (folder.join("a.proof"), folder.join("a.sgf"));
    let (proof, sgf) = (proof.display(), sgf.display());
    run(&format!("solve tic-tac-toe --moves a1_b1 --threads 1 --certificate {proof}"));
    let (status, _, errors) = run(&format!("check {proof} --sgf {sgf} --depth 3"));
    assert_eq!(status, 0, "{errors}");
    let text = fs::read_to_string(sgf.to_string()).unwrap();
    assert!(text.contains("C[Proof: x can make sure of at least 1.\n"), "{text}");
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
    assert!(text.contains("Settled: all 7 moves."), "{text}");
    assert!(objects.iter().all(|object| object["settled"] == true), "{objects:?}");
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
    assert!(text.contains("No move is settled"), "{text}");
    let first = text.lines().find(|line| line.starts_with("   1 ")).expect("a row");
    assert!(!first.contains("50.0 %") && !first.contains('?'), "{text}");
}

#[test]
fn a_review_asks_a_prover_about_each_position() {
    // By `solve`, x throws the win away at ply 9, and o at ply 10. Ply 8 throws a draw away, which
    // takes ten times the nodes to prove. Playouts settle none of this.
    let game = "7 2 6 2 1 7 6 7 1 1 4 4 5\n";
    let arguments = "review - --game connect-four --threads 1 --nodes 1.5e6 --playouts 200";
    let (status, text, errors) = run_with_input(arguments, game);
    assert_eq!((status, errors.as_str()), (0, ""));
    for line in [
        "Move 6, o 7: win, then not proven; 2 looks better",
        "Move 9, x 1: win thrown away, now loss; 4 was better",
        "Move 10, o 1: win thrown away, now loss; 2 was better",
    ] {
        assert!(text.contains(line), "{text}");
    }
    // A move about which nothing is proven is called neither a mistake nor right.
    let eighth = text.lines().find(|line| line.starts_with("   8 ")).expect("a row");
    assert!(eighth.contains("??") && eighth.contains("loss"), "{eighth}");
    assert!(!text.contains("Move 8") && !text.contains("none of them"), "{text}");
    assert!(text.contains("Nothing is proven of the other "), "{text}");

    // Playouts alone settle at most the end, and call no unsettled move good.
    let arguments = "review - --game connect-four --algorithm gpn --playouts 300 --threads 1";
    let (_, text, _) = run_with_input(arguments, game);
    assert!(text.contains("Nothing is proven of the other "), "{text}");
    assert!(!text.contains("No proven value was thrown away"), "{text}");
}
