//! Tests files in the form that other programs write, each with the expected result.
//!
//! The inputs are our own. Each represents a case that another reader got wrong according to a
//! public report, which is named next to it.

use proofwood_notation::game_file::{GameFile, read_position};
use proofwood_session::input::moves::play_all;
use proofwood_session::input::spec::find_game;

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

/// Parses a file; returns its moves and the position after them, or the error.
fn read_number(
    game: &str,
    input: &[u8],
    number: Option<usize>,
) -> Result<(String, String), String> {
    let (game, rules) = find_game(game).unwrap();
    let read = GameFile::read("standard input", input, number)
        .and_then(|file| file.play(&game, &*rules, None))
        .map_err(|error| error.to_string())?;
    Ok((read.moves.join(" "), read.end.text()))
}

fn read(game: &str, input: &[u8]) -> Result<(String, String), String> {
    read_number(game, input, None)
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
        ("analyze-sgf #4", "nogo:9", b"(;GM[1]SZ[9]AB[cc]AW[ee];W[bb];B[ff])", Refused("the side to move cannot be 'O'")),
        ("analyze-sgf #4", "nogo:5", b"(;GM[1]SZ[5]AB[cc])", Ends("", "...../...../..X../...../..... O")),
        ("gobandroid #105", "nogo:5", b"(;GM[1]SZ[5]AB[cc]AW[dd]PL[B];W[bb];B[ee])", Refused("move 1, 'bb', is a move by W, but it is B's turn")),
        ("gobandroid #105", "hex:5", b"(;SZ[5]AB[cc]AW[dd]PL[B];W[bb];B[ee])", Refused("move 1, 'bb', is a move by W, but it is B's turn")),
        ("pgn2sgf", "hex:5", b"(;SZ[5]PL[W];B[bb])", Refused("is a move by B, but it is W's turn")),
        ("leela-zero #1469", "nogo:5", b"(;GM[1]SZ[5]HA[2];W[bb])", Refused("HA[2] declares 2 handicap stones")),
        ("", "othello", b"(;GM[2]SZ[8]AB[ed][de][dd]AW[ee];W[ec])", Ends("e3", "--------------------O------XO------XO--------------------------- X")),
        ("", "othello", b"(;GM[2]SZ[8]AB[dd][de][ed]AW[ee]PL[W])", Ends("", "---------------------------XX------XO--------------------------- O")),
        ("lizzie #58", "hex:5", b"(;GM[11]SZ[5]AB[bb:cc][ee]AW[aa:ae]PL[W];W[eb])", Ends("e2", "O..../OXX.O/OXX../O..../O...X X")),
        ("", "hex:5", b"(;GM[11]SZ[5]AB[cc:bb];W[a1])", Ends("a1", "O..../.XX../.XX../...../..... X")),
        // If no stones are set up, the player who moves first is the first player.
        ("Little Golem", "hex:11", b"(;FF[4]EV[hex.t1]PB[x]PW[y]SZ[11]RE[B]GC[ game \
                                     #1]SO[s];W[c2];B[swap];W[f6];B[e7];W[resign])", Moves("f6 e7")),
        ("", "othello", b"(;GM[2]SZ[8];W[fe];B[df])", Moves("f5 d6")),
        ("katrain #474", "othello", b"(;CA[gb2312]AB[dd][de]AW[ed]AP[Some Editor:4.4]AB[cd]VERYLONGNAME[1]\n C[two\n\nlines]SZ[8]GM[2]FF[3]PL[W]AW[ee]\n;W[cc]LB[aa:A][bb:B])", Moves("c3")),
        ("", "othello", b"(;GM[2]SZ[8];B[fe];AB[aa]AW[bb];W[df])", Refused("the file sets up stones or the side to move after the first")),
    ]);
}

#[test]
fn letters_of_any_charset_are_stepped_over() {
    let unclear = "its encoding is unclear; name the encoding in CA[...]";
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
        ("", "othello", b"\xff\xfe(\0;\0G\0M\0[\x002\0]\0)\0", Refused("the file is UTF-16")),
        ("", "othello", b"(\0;\0G\0M\0[\x002\0]\0)\0", Refused("the file is UTF-16")),
        ("", "othello", b"(;GM[2]CA[ISO-2022-JP]SZ[8]C[\x1b$B\\]\x1b(B];B[fe])", Refused("as in ISO-2022")),
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
            Refused("the board size in the file is 5 (SZ), but hex:11 has size 11"),
        ),
        ("lizgoban #56", "nogo:9", b"(;GM[1]SZ[5];B[aa];W[ee])", Refused("size in the file is 5")),
        (
            "Sabaki #194",
            "hex:8",
            b"(;GM[2]SZ[8];B[fe];W[df])",
            Refused("the file is for Othello (GM[2]), not for hex:8"),
        ),
        (
            "",
            "atari-go:5",
            b"(;XG[nogo:5]SZ[5];B[aa];W[bb])",
            Refused("the file is for nogo:5 (XG), not for atari-go:5"),
        ),
        ("", "nogo:5", b"(;XG[nogo:5]SZ[5];B[aa];W[bb])", Moves("a5 b4")),
        ("", "othello", b"(;XG[Othello:8]SZ[8:8];B[fe])", Moves("f5")),
        ("", "nogo:4x3", b"(;XG[nogo:4x3]SZ[4:3];B[aa];W[dc])", Moves("a3 d1")),
        ("", "nogo:5", b"(;XG[nogo:4x3]SZ[4:3];B[aa];W[dc])", Refused("the file is for nogo:4x3")),
        ("", "nogo:5", b"(;SZ[4:3];B[aa];W[dc])", Refused("size in the file is 4:3")),
        ("", "othello", b"(;GM[7]SZ[8];B[aa])", Refused("another game (GM[7])")),
        (
            "",
            "gardner",
            b"[Variant \"Los Alamos\"]\n\n1. b3 *\n",
            Refused("the file is for los-alamos (tag Variant), not for gardner"),
        ),
        ("", "gardner", b"[Variant \"somebody's own\"]\n\n1. b3 *\n", Moves("b2b3")),
    ]);
    let file = GameFile::read("-", b"(;XG[nogo:5];B[aa])", None).unwrap();
    assert_eq!(file.game_or(None).unwrap(), "nogo:5");
}

#[test]
fn what_other_readers_leave_out_is_left_out() {
    check(&[
        ("pgn-parser #26", "gardner", b"[Variant \"Gardner\"]\n\n1. b3 axb3 = 2. axb3 N *\n", Moves("b2b3 a4b3 a2b3")),
        ("pgn-parser #28", "gardner", b"[Event \"x\"]\n1. b3 axb3? \xc2\xb1 {MISTAKE (+3.05) bad.} ({(+1.06) better was} 1... c4) 2. axb3\xc2\xb1 *\n", Moves("b2b3 a4b3 a2b3")),
        ("pgn-parser #26", "gardner", b"1. b3 axb3\n2. axb3 (2. cxb3\n*", Refused("line 2: a '(' is never closed")),
        ("", "gardner", b"From: somebody\nSubject: last night\n\n[Variant \"Gardner\"]\n\n1. b3 *\n", Moves("b2b3")),
        ("mliebelt #90", "gardner", b"[Variant \"Gardner\"]\n\n1. b3 {[%eval -0.5] a (note} axb3 {b) ; [c]} 2. axb3 *\n", Moves("b2b3 a4b3 a2b3")),
        ("mliebelt #100", "gardner", b"1. b3 {[%depth20 +0.35]} 1. ... axb3 {[%depth20 +0.24]} 2. axb3 {[%clk 0:00:10]} 2... cxb3 *\n", Moves("b2b3 a4b3 a2b3 c4b3")),
        ("mliebelt #120", "gardner", b"1. b3!? $1 {a} $15 {b} axb3 $2 (1... cxb3!? $14 {c (d) e}) 2. axb3 $6 cxb3 1/2-1/2\n", Moves("b2b3 a4b3 a2b3 c4b3")),
        ("Genetic_Chess #142", "gardner", b"% written by a program\n[Variant \"Gardner\"]\n\n%another\n1. b3 ; a comment to the end of the line (not a variation\naxb3 2. axb3 *\n", Moves("b2b3 a4b3 a2b3")),
        ("", "gardner", b"[Variant \"Gardner\"]\n[SetUp \"1\"]\n[FEN \"rnbqk/ppp1p/3p1/PPPPP/RNBQK w - - 0 12\"]\n\n12. exd3 cxd3 13. cxd3 *\n", Moves("e2d3 c4d3 c2d3")),
        // A number is a move in games whose moves are numbers.
        ("", "connect-four", b"1. 4 4 2. 3 3 *", Moves("4 4 3 3")),
        ("", "connect-four", b"1. 4 4 2. 9 3 *", Refused("move 3: '9' is not a legal move")),
        ("", "gardner", b"[Event \"x\"]\n1 b3 axb3 2 axb3", Moves("b2b3 a4b3 a2b3")),
        ("SGF FF[4]", "othello", b"From: somebody\nSubject: the game of last night\n\n(;GM[2]SZ[8];B[fe];W[df])\n", Moves("f5 d6")),
        ("SGF FF[4]", "othello", b"\n[a heading]\n(;GM[2]SZ[8];B[fe];W[df])", Refused("line 2: a tag should have the form")),
        ("", "othello", b"\n(;GM[2]SZ[8];B[fe]\n(;W[df])\n", Refused("line 4: the game that begins on line 2 has no closing ')'")),
        ("", "othello", b"(\nEV[x]\nGM[2]SZ[8]\n;B[fe];W[df])", Refused("it contains no '(;'")),
        ("gogui #9", "othello", b"(;FF[4]CA[UTF-8]AP[gogui-twogtp:1.5]SZ[8]GM[2]KM[6.5]PB[a]PW[b]DT[2026-01-01]C[Black command: a --x=1\\\\2\nResult[Black\\]: ?\nResult[White\\]: B+4];B[fe];W[df];B[cc];W[resign])", Moves("f5 d6 c3")),
        ("Sabaki #69", "othello", b"(;GM[2]SZ[8];B[fe]C[\\];W[ff];W[df]C[\\\\];B[cc]C[\\\\\\];W[aa])", Moves("f5 d6 c3")),
        ("Sabaki #69", "othello", b"(;GM[2]SZ[8]C[odd \\\\\\] end];B[fe]C[a [10k\\]: (;B[aa\\]) ; \
                                    not a node \\\\\\\\];W[df]N[x\\:y];B[cc])", Moves("f5 d6 c3")),
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
        let ask = |number| read_number(game, text.as_bytes(), number);
        let error = ask(None).unwrap_err();
        assert!(error.contains("the file contains 2 games; choose one with --number"), "{error}");
        assert_eq!(ask(Some(2)).unwrap().0.split(' ').next_back(), Some(second));
        let error = ask(Some(3)).unwrap_err();
        assert!(error.contains("--number 3: the file contains 2 games"), "{error}");
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
        let (_, rules) = find_game(game).unwrap();
        read_position(&*rules, position).map(|position| position.view().is_over())
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
    assert!(
        error.contains("the number of plies without a capture or a pawn move cannot be 113"),
        "{error}"
    );
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
        ("lila #8758", "gardner", b"[FEN \"rnbqk/ppppp/5/PPPPP/RNBQK w - - 113 57\"]\n[SetUp \"1\"]\n[Variant \"gardner\"]\n\n57. a3 *\n", Refused("cannot be 113")),
        ("lila #8793", "gardner", b"rnbqk/ppppp/5/PPPPP/RNBQK w - - 113 57\n", Refused("cannot be 113")),
        ("", "connect-four", b"4z4", Refused("neither moves")),
    ]);
}

fn after(game: &str, text: &str) -> String {
    read(game, text.as_bytes()).unwrap_or_else(|error| panic!("{game}: {text}: {error}")).1
}

fn played(game: &str, moves: &str) -> String {
    let (_, rules) = find_game(game).unwrap();
    let mut position = rules.start();
    play_all(&*rules, &mut *position, moves).unwrap();
    position.text()
}

#[test]
fn cells_are_counted_as_each_game_draws_them() {
    // Test the notations of GoGui, Hex programs and Othello programs.
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
    let error = read("loa8", b"(;AB[aa])").unwrap_err();
    assert!(error.contains("give the position with --position"), "{error}");
}

/// Tests the notations of HexGui and Little Golem for Hex.
#[test]
fn hex_programs_write_cells_and_swaps() {
    let set = "(;AP[HexGui:0.2]FF[4]GM[11]SZ[4]AB[a1][d3:d4]AW[b2]PL[W];W[c1])";
    assert_eq!(after("hex:4", set), "X.O./.O../...X/...X X");
    // The next move has the same colour, because the players have changed sides.
    let sides = "(;GM[11]SZ[4];B[a2];W[swap-pieces];W[b3];B[c3])";
    assert_eq!(after("hex:4", sides), "..../X.../.OX./.... O");
    // The next move has the other colour: the stone has changed its owner and its cell.
    let pieces = "(;GM[11]SZ[4];B[a2];W[SWAP];B[c3];W[d1])";
    assert_eq!(after("hex:4", pieces), ".O.O/..../..X./.... X");
    for wrong in ["(;GM[11]SZ[4];B[a2];W[b2];B[swap];W[c3])", "(;GM[11];B[swap])"] {
        assert!(read("hex:4", wrong.as_bytes()).unwrap_err().contains("swap"), "{wrong}");
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
    let file = GameFile::read("-", b"4433", None).unwrap();
    let (game, rules) = find_game("connect-four").unwrap();
    let read = file.play(&game, &*rules, Some(2)).unwrap();
    assert_eq!(read.end.text(), played("connect-four", "44"));
}

#[test]
fn wrong_files_are_told_with_the_place() {
    for (game, text, why) in [
        ("hex:5", "(;B[a1];W[a1])", "standard input: move 2"),
        ("hex:5", "(;B[a1]\n;W[zz])", "standard input: move 2"),
        ("hex:5", "(;B[a1]\n;W[b1]", "line 2: the game that begins on line 1 has no closing ')'"),
        ("hex:5", "(;B[a1];B[b1])", "is a move by B, but it is W's turn"),
        ("gardner", "[Event x]\n1. b3", "line 1: a tag should have the form"),
        ("gardner", "1. b3 Nd6", "move 2: 'Nd6' is not a legal move"),
        ("gardner", "", "the file is empty"),
    ] {
        let error = read(game, text.as_bytes()).unwrap_err();
        assert!(error.contains(why) && error.lines().count() == 1, "{text}: {error}");
    }
}
