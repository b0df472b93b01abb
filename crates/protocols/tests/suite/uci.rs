//! Tests UGI, UCI and USI: searches, mates and options.

use crate::client::{Client, run_with_input};

/// Checks that a `stop` ends the search that was started before it, even if a GUI sends all its
/// commands at once.
#[test]
fn a_stop_is_for_the_search_before_it() {
    for mouth in ["ugi los-alamos --threads 1", "uci los-alamos --threads 1"] {
        let mut client = Client::start(mouth);
        for burst in [
            "go infinite\nisready\n",
            "stop\nposition startpos\ngo infinite\nisready\nstop\n",
            "go infinite\ngo infinite\nstop\n",
            "go infinite\nposition startpos\nucinewgame\nuginewgame\ngo nodes 10\n",
            "go ponder\nposition startpos\ngo infinite\n\nstop\n",
        ] {
            client.say(burst);
        }
        // Nine searches were started; one that missed its `stop` would never end here.
        for _ in 0..8 {
            client.hear_until("bestmove ");
        }
        client.say("quit\n");
        let rest = client.end();
        assert_eq!(rest.matches("bestmove ").count(), 0, "{mouth}: {rest}");
    }
}

#[test]
fn a_search_that_ponders_moves_after_the_hit() {
    for (mouth, greeting, go, hit) in [
        ("uci breakthrough", "uci\n", "go ponder wtime 500 btime 500\n", "ponderhit\n"),
        ("uci breakthrough", "uci\n", "go ponder\n", "ponderhit\n"),
        ("ugi ataxx", "ugi\n", "go ponder p1time 500 p2time 500\n", "ponderhit\n"),
        ("uci", "usi\n", "go ponder btime 500 wtime 500\n", "ponderhit btime 300 wtime 300\n"),
        // The value is known at once, but the move must wait for `ponderhit`.
        (
            "uci tictactoe",
            "position startpos moves P@a1 P@b1 P@a2 P@b2\n",
            "go ponder\n",
            "ponderhit\n",
        ),
    ] {
        let mut client = Client::start(&format!("{mouth} --time 50ms --threads 1"));
        client.say(greeting);
        client.say(go);
        client.say("isready\n");
        assert!(!client.hear_until("readyok").contains("bestmove"), "{mouth} {go}");
        client.say(hit);
        client.hear_until("bestmove ");
        client.end();
    }
}

fn session(mouth: &str, said: &str) -> Vec<String> {
    let output = run_with_input(mouth, said);
    let lines = output.lines().filter(|line| !line.starts_with("option ")).map(str::to_string);
    lines.collect()
}

#[test]
fn moves_that_are_not_to_be_searched_are_not_played() {
    // The move a3 wins at once.
    let mouth = "uci tictactoe --threads 1 --playouts 300";
    let begin = "position startpos moves P@a1 P@b1 P@a2 P@b2\n";
    for go in [
        "go nodes 200 searchmoves P@c1 P@c3",
        "go searchmoves P@c3 P@c1 nodes 200",
        "go searchmoves P@c3 movetime 50",
    ] {
        let lines = session(mouth, &format!("{begin}{go}\nsetoption name MultiPV value 9\n{go}\n"));
        let text = lines.join("\n");
        assert!(text.contains("\nbestmove P@c"), "{go}: {text}");
        assert!(!text.contains("bestmove P@a3") && !text.contains("pv P@a3"), "{go}: {text}");
    }
    // If the restriction is invalid, there is no move.
    for go in ["go searchmoves P@a1", "go searchmoves", "go nodes 5 searchmoves x P@c3"] {
        let lines = session(mouth, &format!("{begin}{go}\n"));
        assert!(lines[0].starts_with("info string "), "{go}: {lines:?}");
        assert_eq!(lines[1..], ["bestmove 0000"], "{go}");
    }
    let lines = session("ugi tic-tac-toe --playouts 300", "go searchmoves c3\n");
    assert!(lines.last().unwrap().starts_with("bestmove c3"), "{lines:?}");
    // Unknown words do not prevent the clock from being read.
    let lines = session(mouth, "go rtime 5 nodes 7\n");
    assert!(lines[0].starts_with("info string go: ") && lines.concat().contains(" nodes 7 "));
}

#[test]
fn several_lines_of_play_are_told() {
    let said = "setoption name MultiPV value 3\nposition startpos moves P@b2 P@a1\n\
        go nodes 500\nsetoption name MultiPV value 0\n";
    let lines = session("uci tictactoe --threads 1", said);
    let starts = lines.iter().filter_map(|line| Some(line.split_once(" multipv ")?.1));
    let starts: Vec<&str> = starts.collect();
    assert_eq!(starts.len(), 3, "{lines:?}");
    for (number, start) in (1..).zip(&starts) {
        assert!(start.starts_with(&format!("{number} nodes ")), "{lines:?}");
    }
    assert!(lines.last().unwrap().contains("MultiPV: '0' should be"), "{lines:?}");
}

/// Sends a text; returns the output up to a line that begins with `answer`.
fn talk(mouth: &str, said: &str, answer: &str) -> String {
    let mut client = Client::start(mouth);
    client.say(said);
    let heard = client.hear_until(answer);
    client.say("quit\n");
    client.end();
    heard
}

/// A position with a mate in one: the gold is dropped on 3b.
const MATE: &str = "position sfen 2k2/5/2P2/5/2K2 b RG 1\n";

#[test]
fn shogi_programs_are_answered_as_they_expect() {
    // Without a game, `usi` selects minishogi, unless the other side chooses another variant.
    let output = run_with_input("uci --threads 1", "usi\n");
    assert!(output.contains("option name USI_Variant type combo default minishogi"), "{output}");
    for name in ["USI_Hash type spin", "USI_Ponder type check", "USI_MultiPV type spin"] {
        assert!(output.contains(&format!("option name {name}")), "{output}");
    }
    let start = "usi\nposition sfen rbsgk/4p/5/P4/KGSBR b - 1\ngo nodes 20\n";
    let lines = session("uci --threads 1", start);
    let best = lines.last().unwrap().strip_prefix("bestmove ").unwrap().as_bytes();
    assert!(best[0].is_ascii_digit() && best[1].is_ascii_lowercase(), "{lines:?}");
    let chosen =
        "setoption name USI_Variant value tictactoe\nusi\nposition startpos\ngo nodes 20\n";
    assert!(session("uci", chosen).last().unwrap().starts_with("bestmove P@"));
    let given = session("uci breakthrough --threads 1", "usi\nposition startpos\ngo nodes 20\n");
    assert!(!given.concat().contains("cannot"), "{given:?}");

    let mate = |go: &str| talk("uci", &format!("usi\n{MATE}{go}\n"), "checkmate");
    for go in ["go mate 600000", "go mate infinite"] {
        assert!(mate(go).ends_with("checkmate G*3b\n"), "{go}");
    }
    let won = talk("uci", &format!("usi\n{MATE}go nodes 300\n"), "bestmove G*3b");
    assert!(won.contains(" score mate 1 pv G*3b"), "{won}");
    let bare = mate("position sfen 2k2/5/5/5/2K2 b - 1\ngo mate 600000");
    assert!(bare.ends_with("checkmate nomate\n"), "{bare}");
    for go in ["go mate 1", "go mate infinite\nstop"] {
        let open = mate(&format!("position startpos\n{go}"));
        assert!(open.ends_with("checkmate timeout\n"), "{open}");
    }
}

#[test]
fn a_mate_is_looked_for_by_uci_too() {
    let begin = "position startpos moves P@a1 P@b1 P@a2 P@b2\ngo mate 1\n";
    let won = talk("uci tictactoe --threads 1", begin, "bestmove P@a3");
    assert!(won.contains(" score mate 1 pv P@a3"), "{won}");
    let begin = "position startpos moves P@a1 P@b1\n";
    let longer = |go: &str| talk("uci tictactoe", &format!("{begin}{go}\n"), "bestmove ");
    let known = (longer("go mate 1"), longer("go mate 4"));
    assert!(known.0.contains(" score mate ") && known.0.contains("more moves"), "{known:?}");
    assert!(known.1.contains(" score mate ") && !known.1.contains("more moves"), "{known:?}");
    let drawn = talk("ugi tic-tac-toe --threads 1", "go mate 5\n", "bestmove ");
    assert!(drawn.contains("no win can be forced"), "{drawn}");
}

/// Checks that a position whose counter exceeds its limit is refused.
#[test]
fn a_clock_beyond_its_limit_is_refused() {
    for (mouth, fen) in [
        ("uci gardner", "rnbqk/ppppp/5/PPPPP/RNBQK w - - 113 57"),
        ("uci losalamos", "rnqknr/pppppp/6/6/PPPPPP/RNQKNR w - - 999 57"),
        ("ugi gardner", "rnbqk/ppppp/5/PPPPP/RNBQK w - - 113"),
    ] {
        let lines = session(mouth, &format!("position fen {fen}\ngo nodes 5\n"));
        assert!(lines[0].contains("cannot read the position"), "{mouth}: {lines:?}");
        assert_eq!(lines.last().unwrap(), "bestmove 0000", "{mouth}");
    }
    let lines = session("ugi ataxx", "position fen x5o/7/7/7/7/7/o5x x 0 1\ngo nodes 5\n");
    assert!(!lines.concat().contains("cannot"), "{lines:?}");
}
