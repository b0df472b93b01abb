//! Files as other programs write them, each with the expected result.
//!
//! The inputs are our own. Each represents a case that another reader got wrong in a public report,
//! which is named beside it.

use crate::common::{documents, json, outcome, proofwood, run_with_input};

/// The expected result of reading a file.
#[derive(Debug)]
enum Right {
    /// These moves, in the game's notation.
    Moves(&'static str),
    /// These moves, and then this position.
    Ends(&'static str, &'static str),
    /// A refusal that contains these words.
    Refused(&'static str),
}
use Right::{Ends, Moves, Refused};

/// Reads a file; returns its moves and the position after them, or the error.
fn read(game: &str, input: &[u8]) -> Result<(String, String), String> {
    let mut program = proofwood(&format!("replay {game} --file - --each --json"));
    let output = program.write_stdin(input).output().expect("the program starts");
    let (status, output, errors) = outcome(output);
    if status != 0 {
        assert_eq!((status, errors.lines().count()), (2, 1), "{game}: {errors}");
        return Err(errors);
    }
    let plies = documents(&output);
    let moves: Vec<&str> = plies.iter().filter_map(|ply| ply["move"].as_str()).collect();
    let end = plies.last().expect("a position")["position"].as_str().expect("a text");
    Ok((moves.join(" "), end.to_string()))
}

fn check(rows: &[(&str, &str, &[u8], Right)]) {
    for (source, game, input, right) in rows {
        let found = read(game, input);
        let what = format!("{source}: {}: {right:?}, and it is {found:?}", input.escape_ascii());
        match (right, found) {
            (Moves(moves), Ok((found, _))) => assert_eq!(*moves, found, "{what}"),
            (Ends(moves, end), Ok(found)) => {
                assert_eq!((*moves, *end), (&*found.0, &*found.1), "{what}")
            }
            (Refused(why), Err(found)) => assert!(found.contains(why), "{what}"),
            _ => panic!("{what}"),
        }
    }
}

#[test]
fn colours_are_those_of_the_stones() {
    check(&[
        ("leela-zero #1469", "hex:3", b"(;GM[11]SZ[3]AB[a1][c3];W[b2];B[a3])", Ends("b2 a3", "X../.O./X.X O")),
        ("sente #45", "hex:5", b"(;GM[11]SZ[5]AB[cc][dd];W[c1])", Ends("c1", "..O../...../..X../...X./..... X")),
        ("lizzie #890", "hex:5", b"(;GM[11]SZ[5]AB[cc][dd]PL[W];W[c1])", Ends("c1", "..O../...../..X../...X./..... X")),
        ("katago-server #74", "hex:5", b"(;GM[11]SZ[5]AB[cc];B[a1];W[c1])", Ends("a1 c1", "X.O../...../..X../...../..... X")),
        ("analyze-sgf #4", "nogo:5", b"(;GM[1]SZ[5]AB[cc];AB[dd]AW[ee];W[bb])", Ends("b4", "...../.O.../..X../...X./....O X")),
        ("analyze-sgf #4", "nogo:9", b"(;GM[1]SZ[9]AB[cc]AW[ee];W[bb];B[ff])", Refused("'O' cannot be to move")),
        ("analyze-sgf #4", "nogo:5", b"(;GM[1]SZ[5]AB[cc])", Ends("", "...../...../..X../...../..... O")),
        ("gobandroid #105", "nogo:5", b"(;GM[1]SZ[5]AB[cc]AW[dd]PL[B];W[bb];B[ee])", Refused("move 1, 'bb', is of W, and it is B's turn")),
        ("gobandroid #105", "hex:5", b"(;SZ[5]AB[cc]AW[dd]PL[B];W[bb];B[ee])", Refused("move 1, 'bb', is of W, and it is B's turn")),
        ("pgn2sgf", "hex:5", b"(;SZ[5]PL[W];B[bb])", Refused("is of B, and it is W's turn")),
        ("leela-zero #1469", "nogo:5", b"(;GM[1]SZ[5]HA[2];W[bb])", Refused("HA[2] says that 2 stones were given")),
        ("", "othello", b"(;GM[2]SZ[8]AB[ed][de][dd]AW[ee];W[ec])", Ends("e3", "--------------------O------XO------XO--------------------------- X")),
        ("", "othello", b"(;GM[2]SZ[8]AB[dd][de][ed]AW[ee]PL[W])", Ends("", "---------------------------XX------XO--------------------------- O")),
        ("lizzie #58", "hex:5", b"(;GM[11]SZ[5]AB[bb:cc][ee]AW[aa:ae]PL[W];W[eb])", Ends("e2", "O..../OXX.O/OXX../O..../O...X X")),
        ("", "hex:5", b"(;GM[11]SZ[5]AB[cc:bb];W[a1])", Ends("a1", "O..../.XX../.XX../...../..... X")),
        // If no stones are set up, the player who moves first is the first player.
        ("Little Golem", "hex:11", b"(;FF[4]EV[hex.t1]PB[x]PW[y]SZ[11]RE[B]GC[ game #1]SO[s];W[c2];B[swap];W[f6];B[e7];W[resign])", Moves("f6 e7")),
        ("", "othello", b"(;GM[2]SZ[8];W[fe];B[df])", Moves("f5 d6")),
        ("katrain #474", "othello", b"(;CA[gb2312]AB[dd][de]AW[ed]AP[Some Editor:4.4]AB[cd]VERYLONGNAME[1]\n C[two\n\nlines]SZ[8]GM[2]FF[3]PL[W]AW[ee]\n;W[cc]LB[aa:A][bb:B])", Moves("c3")),
        ("", "othello", b"(;GM[2]SZ[8];B[fe];AB[aa]AW[bb];W[df])", Refused("stones are set up after the first move")),
    ]);
}

#[test]
fn proofs_of_set_up_positions_are_read_back() {
    // White is to move, and is Black's opponent in the file, too.
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("foreign-proof");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    let (proof, sgf) = (folder.join("a.proof"), folder.join("a.sgf"));
    let file = b"(;GM[11]SZ[3]AB[a1][c3];W[b2];B[a3])";
    let solve = format!("solve hex:3 --file - --certificate {}", proof.display());
    let (status, text, errors) = outcome(proofwood(&solve).write_stdin(file).output().unwrap());
    assert_eq!(status, 0, "{errors}");
    assert!(text.contains("O wins with a2, proven."), "{text}");
    json(&format!("check {} --sgf {} --json", proof.display(), sgf.display()));
    let written = std::fs::read(&sgf).unwrap();
    let (moves, end) = read("hex:3", &written).unwrap();
    assert!(
        moves.starts_with("a2 ") && end.starts_with("X") && end.contains("/OO./X.X"),
        "{moves}: {end}"
    );
}

#[test]
fn letters_of_any_charset_are_stepped_over() {
    let unclear = "its letters are not clear; say its charset in CA[...]";
    check(&[
        ("Sabaki #1047", "othello", b"(;GM[2]CA[Shift_JIS]SZ[8];B[fe]C[\x94\\\x97\xcd\x95\\];W[df];B[cc])", Moves("f5 d6 c3")),
        ("Sabaki #1047", "othello", b"(;GM[2]CA[Shift_JIS]SZ[8];B[fe];W[df]C[\x95\\];B[cc])", Moves("f5 d6 c3")),
        ("Sabaki #1029", "othello", b"(;GM[2]SZ[8];B[fe];W[df]C[\x95\\];B[cc])", Refused(unclear)),
        ("Sabaki #121", "othello", b"(;GM[2]SZ[8]PB[\x9ex\x95\\]PW[x];B[fe]C[\x8aw\x95\\];W[df];B[cc])", Refused(unclear)),
        ("sgfmill #4", "othello", b"(;GM[2]CA[Big5]SZ[8]PB[\xb3\\];B[fe];W[df])", Moves("f5 d6")),
        ("goreviewpartner #64", "othello", b"(;GM[2]CA[GBK]SZ[8]PB[\x81]];B[fe];W[df])", Moves("f5 d6")),
        ("goreviewpartner #64", "othello", b"(;GM[2]SZ[8]PB[\x81]];B[fe];W[df])", Moves("f5 d6")),
        ("", "othello", b"(;GM[2]CA[ISO-8859-1]SZ[8]PB[Jos\xe9];B[fe];W[df])", Moves("f5 d6")),
        ("", "othello", b"(;GM[2]SZ[8]PB[M\xfcller];B[fe];W[df])", Moves("f5 d6")),
        // A wrong charset would swallow a size, stones, or the game.
        ("", "hex:11", b"(;GM[11]PB[\x95\\]SZ[5];B[aa])", Refused(unclear)),
        ("", "hex:5", b"(;SZ[5]CA[sjis]C[\x95\\]AB[cc];W[a1])", Ends("a1", "O..../...../..X../...../..... X")),
        ("", "atari-go:5", b"(;PB[\x95\\]XG[nogo:5]C[];B[aa])", Refused(unclear)),
        ("", "othello", b"\xff\xfe(\0;\0G\0M\0[\x002\0]\0)\0", Refused("this is UTF-16")),
        ("", "othello", b"(\0;\0G\0M\0[\x002\0]\0)\0", Refused("this is UTF-16")),
        ("", "othello", b"(;GM[2]CA[ISO-2022-JP]SZ[8]C[\x1b$B\\]\x1b(B];B[fe])", Refused("as ISO-2022 has")),
        ("", "gardner", b"\xef\xbb\xbf[Event \"x\"]\r\n[White \"M\xfcller\"]\r\n[Variant \"Gardner\"]\r\n[Result \"*\"]\r\n\r\n1. b3 axb3\r\n2. axb3 cxb3\r\n*\r\n", Moves("b2b3 a4b3 a2b3 c4b3")),
        ("", "gardner", b"[White \"\x95\\\"]\n1. b3 *", Moves("b2b3")),
        ("", "gardner", b"1. b3 {\x83\x7d} *", Moves("b2b3")),
        ("", "othello", b"f5 d6 \xff", Refused("move 3")),
    ]);
}

#[test]
fn a_file_of_another_game_is_refused() {
    check(&[
        (
            "KataGo #560",
            "hex:11",
            b"(;GM[11]SZ[5];B[aa];W[ee];B[cc])",
            Refused("the file has a board of 5 (SZ), and hex:11 one of 11"),
        ),
        ("lizgoban #56", "nogo:9", b"(;GM[1]SZ[5];B[aa];W[ee])", Refused("a board of 5")),
        (
            "Sabaki #194",
            "hex:8",
            b"(;GM[2]SZ[8];B[fe];W[df])",
            Refused("the file is of Othello (GM[2]), not of hex:8"),
        ),
        (
            "",
            "atari-go:5",
            b"(;XG[nogo:5]SZ[5];B[aa];W[bb])",
            Refused("the file is of nogo:5 (XG), not of atari-go:5"),
        ),
        ("", "nogo:5", b"(;XG[nogo:5]SZ[5];B[aa];W[bb])", Moves("a5 b4")),
        ("", "othello", b"(;XG[Othello:8]SZ[8:8];B[fe])", Moves("f5")),
        ("", "nogo:4x3", b"(;XG[nogo:4x3]SZ[4:3];B[aa];W[dc])", Moves("a3 d1")),
        ("", "nogo:5", b"(;XG[nogo:4x3]SZ[4:3];B[aa];W[dc])", Refused("the file is of nogo:4x3")),
        ("", "nogo:5", b"(;SZ[4:3];B[aa];W[dc])", Refused("a board of 4:3")),
        ("", "othello", b"(;GM[7]SZ[8];B[aa])", Refused("another game (GM[7])")),
        (
            "",
            "gardner",
            b"[Variant \"Los Alamos\"]\n\n1. b3 *\n",
            Refused("the file is of los-alamos, by its tag Variant, not of gardner"),
        ),
        ("", "gardner", b"[Variant \"somebody's own\"]\n\n1. b3 *\n", Moves("b2b3")),
    ]);
    // Without a game on the command line, the file's game is used.
    let (status, output, _) = run_with_input("replay --file - --json", "(;XG[nogo:5];B[aa])");
    assert_eq!((status, output.contains("\"error\"")), (2, true));
}

#[test]
fn what_other_readers_leave_out_is_left_out() {
    check(&[
        ("pgn-parser #26", "gardner", b"[Variant \"Gardner\"]\n\n1. b3 axb3 = 2. axb3 N *\n", Moves("b2b3 a4b3 a2b3")),
        ("pgn-parser #28", "gardner", b"[Event \"x\"]\n1. b3 axb3? \xc2\xb1 {MISTAKE (+3.05) bad.} ({(+1.06) better was} 1... c4) 2. axb3\xc2\xb1 *\n", Moves("b2b3 a4b3 a2b3")),
        ("pgn-parser #26", "gardner", b"1. b3 axb3\n2. axb3 (2. cxb3\n*", Refused("line 2: a '(' has no ')'")),
        ("", "gardner", b"From: somebody\nSubject: last night\n\n[Variant \"Gardner\"]\n\n1. b3 *\n", Moves("b2b3")),
        ("mliebelt #90", "gardner", b"[Variant \"Gardner\"]\n\n1. b3 {[%eval -0.5] a (note} axb3 {b) ; [c]} 2. axb3 *\n", Moves("b2b3 a4b3 a2b3")),
        ("mliebelt #100", "gardner", b"1. b3 {[%depth20 +0.35]} 1. ... axb3 {[%depth20 +0.24]} 2. axb3 {[%clk 0:00:10]} 2... cxb3 *\n", Moves("b2b3 a4b3 a2b3 c4b3")),
        ("mliebelt #120", "gardner", b"1. b3!? $1 {a} $15 {b} axb3 $2 (1... cxb3!? $14 {c (d) e}) 2. axb3 $6 cxb3 1/2-1/2\n", Moves("b2b3 a4b3 a2b3 c4b3")),
        ("Genetic_Chess #142", "gardner", b"% written by a program\n[Variant \"Gardner\"]\n\n%another\n1. b3 ; a comment to the end of the line (not a variation\naxb3 2. axb3 *\n", Moves("b2b3 a4b3 a2b3")),
        ("", "gardner", b"[Variant \"Gardner\"]\n[SetUp \"1\"]\n[FEN \"rnbqk/ppp1p/3p1/PPPPP/RNBQK w - - 0 12\"]\n\n12. exd3 cxd3 13. cxd3 *\n", Moves("e2d3 c4d3 c2d3")),
        // Numbers are moves in games whose moves are numbers.
        ("", "connect-four", b"1. 4 4 2. 3 3 *", Moves("4 4 3 3")),
        ("", "connect-four", b"1. 4 4 2. 9 3 *", Refused("move 3: '9' is not a legal move")),
        ("", "gardner", b"[Event \"x\"]\n1 b3 axb3 2 axb3", Moves("b2b3 a4b3 a2b3")),
        ("SGF FF[4]", "othello", b"From: somebody\nSubject: the game of last night\n\n(;GM[2]SZ[8];B[fe];W[df])\n", Moves("f5 d6")),
        ("SGF FF[4]", "othello", b"\n[a heading]\n(;GM[2]SZ[8];B[fe];W[df])", Refused("line 2: a tag should be")),
        ("", "othello", b"\n(;GM[2]SZ[8];B[fe]\n(;W[df])\n", Refused("line 4: a ')' is missing at the end of the game that begins in line 2")),
        ("", "othello", b"(\nEV[x]\nGM[2]SZ[8]\n;B[fe];W[df])", Refused("there is no '(;' in it")),
        ("gogui #9", "othello", b"(;FF[4]CA[UTF-8]AP[gogui-twogtp:1.5]SZ[8]GM[2]KM[6.5]PB[a]PW[b]DT[2026-01-01]C[Black command: a --x=1\\\\2\nResult[Black\\]: ?\nResult[White\\]: B+4];B[fe];W[df];B[cc];W[resign])", Moves("f5 d6 c3")),
        ("Sabaki #69", "othello", b"(;GM[2]SZ[8];B[fe]C[\\];W[ff];W[df]C[\\\\];B[cc]C[\\\\\\];W[aa])", Moves("f5 d6 c3")),
        ("Sabaki #69", "othello", b"(;GM[2]SZ[8]C[odd \\\\\\] end];B[fe]C[a [10k\\]: (;B[aa\\]) ; not a node \\\\\\\\];W[df]N[x\\:y];B[cc])", Moves("f5 d6 c3")),
        ("", "othello", b"(;GM[2]SZ[8]B[fe];W[df];B[cc])", Moves("f5 d6 c3")),
        ("", "othello", b"(;GM[2]SZ[8];B[fe];W[dundefined];B[cc])", Refused("move 2: 'dundefined' is not a legal move here")),
        ("", "othello", b"(;GM[2]SZ[8]\rC[x]\r;B[fe]\r;W[df]\r)", Moves("f5 d6")),
        ("", "othello", b"\xef\xbb\xbf(;GM[2]SZ[8]\r\nC[a\r\nb\\\r\nc]\r\n;B[fe]\r\n;W[df])\r\n", Moves("f5 d6")),
        ("littlego #277", "hex:3", b"(;GM[11]SZ[3];B[a1];W[c1];B[a2];W[c2];B[a3];W[c3])", Refused("move 6: the game is over before the move 'c3'")),
        ("", "othello", b"F5D6C3D3C4\n", Moves("f5 d6 c3 d3 c4")),
        ("", "othello", b"1. f5 d6 2. c3\n", Moves("f5 d6 c3")),
    ]);
}

#[test]
fn one_of_several_games_is_chosen() {
    let two = "(;GM[2]SZ[8];B[fe];W[df])\n(;GM[2]SZ[8];B[dc];W[cc])\n";
    let pgn =
        "[Variant \"Gardner\"]\n\n1. b3 axb3 1-0\n\n[Variant \"Gardner\"]\n\n1. d3 exd3 0-1\n";
    for (game, text, second) in [("othello", two, "c3"), ("gardner", pgn, "e4d3")] {
        let ask =
            |number: &str| run_with_input(&format!("replay {game} --file - {number} --json"), text);
        let (status, _, errors) = ask("");
        assert!(
            status == 2 && errors.contains("the file holds 2 games; choose one with --number"),
            "{errors}"
        );
        assert_eq!(documents(&ask("--number 2").1)[0]["move"], second);
        let (status, _, errors) = ask("--number 3");
        assert!(status == 2 && errors.contains("--number 3: the file holds 2 games"), "{errors}");
    }
}

#[test]
fn deep_and_long_files_are_read() {
    let nested = format!("(;GM[2]SZ[8]{}{})", "(;B[fe]".repeat(80_000), ")".repeat(80_000));
    assert!(read("othello", nested.as_bytes()).unwrap_err().contains("move 2"));
    let empty = format!("({}B[fe])", ";".repeat(700_000));
    assert_eq!(read("othello", empty.as_bytes()).unwrap().0, "f5");
}

#[test]
fn counters_beyond_the_limit_are_refused() {
    let show = |game: &str, position: &str| {
        let (status, output, errors) = outcome(
            proofwood(&format!("show {game} --json"))
                .args(["--position", position])
                .output()
                .unwrap(),
        );
        match status {
            0 => Ok(documents(&output)[0]["over"].as_bool().unwrap()),
            _ => Err(errors),
        }
    };
    let board = "rnbqk/ppppp/5/PPPPP/RNBQK w - -";
    for (clock, right) in
        [("99 57", Ok(false)), ("100 57", Ok(true)), ("100", Ok(true)), ("", Ok(false))]
    {
        assert_eq!(show("gardner", &format!("{board} {clock}")), right, "{clock}");
    }
    for clock in ["101 57", "113 57", "113", "0 1 2 x"] {
        let error = show("gardner", &format!("{board} {clock}")).unwrap_err();
        assert!(error.contains("cannot read the position"), "{error}");
    }
    let error = show("gardner", &format!("{board} 113 57")).unwrap_err();
    assert!(error.contains("113 cannot be the number of plies"), "{error}");
    for (game, position) in [
        ("los-alamos", "rnqknr/pppppp/6/6/PPPPPP/RNQKNR w - - 300 1"),
        ("skirmish", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 300 1"),
    ] {
        assert!(show(game, position).is_err(), "{game}");
    }
    // Counters that the game does not have are ignored.
    assert_eq!(
        show("breakthrough", "pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP w - - 0 1"),
        Ok(false)
    );
    check(&[
        ("lila #8758", "gardner", b"[FEN \"rnbqk/ppppp/5/PPPPP/RNBQK w - - 113 57\"]\n[SetUp \"1\"]\n[Variant \"gardner\"]\n\n57. a3 *\n", Refused("113 cannot be")),
        ("lila #8793", "gardner", b"rnbqk/ppppp/5/PPPPP/RNBQK w - - 113 57\n", Refused("113 cannot be")),
        ("", "connect-four", b"4z4", Refused("neither moves")),
    ]);
}

/// Black must pass after c1, and the record omits the pass.
#[test]
fn a_pass_that_is_left_out_is_a_move_of_the_game() {
    let (moves, left_out) =
        ("d3 b4 a4 d2 b1 a2 c4 d4 d1 c1 pass a3 a1", "d3 b4 a4 d2 b1 a2 c4 d4 d1 c1 a3 a1");
    assert_eq!(read("othello:4", left_out.as_bytes()).unwrap().0, moves);
    let file = "othello:4 --file - --each --ply";
    let plies = |number: u32| {
        let (_, output, _) = run_with_input(&format!("replay {file} {number} --json"), left_out);
        documents(&output).len()
    };
    assert_eq!((plies(11), plies(12)), (12, 13));
    // The written file has White's move as White's, and omits nothing.
    let sgf = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("left-out.sgf");
    let list = left_out.replace(' ', ",");
    json(&format!("replay othello:4 --moves {list} --json --force --sgf {}", sgf.display()));
    let written = std::fs::read_to_string(&sgf).unwrap();
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
    // A player cannot move for the other side where colours are given.
    let colours = ["b", "w"];
    let mut gtp: String = (0..)
        .zip(left_out.split(' ').take(10))
        .map(|(ply, mv): (usize, _)| format!("play {} {mv}\n", colours[ply % 2]))
        .collect();
    gtp += "play b a3\nplay b pass\nplay w a3\nproofwood-position\nquit\n";
    let (_, output, _) = run_with_input("gtp othello:4", &gtp);
    assert!(output.contains("? 'a3' is not a legal move here; legal: pass"), "{output}");
    assert_eq!(output.matches('?').count(), 1, "{output}");
    let ugi = format!("ugi\nposition startpos moves {left_out}\nd\nquit\n");
    let (_, output, _) = run_with_input("ugi othello:4", &ugi);
    assert!(!output.contains("legal"), "{output}");
}
