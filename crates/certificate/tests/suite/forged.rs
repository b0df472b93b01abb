//! Hand-written certificates, most of them wrong on purpose.

use proofwood::{Game, TextError, Turn};
use proofwood_testkit::certificates::file::{check, check_file, compressed, text};
use proofwood_testkit::certificates::graph::{Graph, Node};

/// A graph with a cycle: player 0 wins at node 2, player 1 at node 3; at node 1 player 1 can lose
/// or return to node 0.
fn circle() -> Graph {
    let node = |turn, moves: &[(usize, char)], payoff: i32| Node {
        turn,
        moves: moves.to_vec(),
        payoffs: vec![payoff, -payoff],
    };
    let nodes = vec![
        node(Turn::Player(0), &[(3, 'b'), (1, 'a')], 0),
        node(Turn::Player(1), &[(0, 'a'), (2, 'b')], 0),
        node(Turn::Over, &[], 1),
        node(Turn::Over, &[], -1),
        // Both moves lead to a win for player 0.
        node(Turn::Player(1), &[(5, 'a'), (6, 'b')], 0),
        node(Turn::Player(0), &[(7, 'a')], 0),
        node(Turn::Player(0), &[(7, 'a')], 0),
        node(Turn::Player(1), &[(2, 'a'), (2, 'b')], 0),
        // Player 1 is to move but has no move.
        node(Turn::Player(1), &[], 0),
    ];
    Graph { players: 2, zero_sum: true, nodes, hashed: true, written: true }
}

/// The lines of a certificate about a node of the graph.
fn about<'a>(position: &'a str, claim: &'a str, proof: &[&'a str]) -> Vec<&'a str> {
    let header = ["proofwood-certificate 1", "game circle", position, claim, ""];
    header.iter().chain(proof).copied().collect()
}

fn refusal<G: Game>(game: &G, lines: &[&str]) -> String {
    check(game, lines).expect_err(&lines.join("|")).to_string()
}

const FROM_4: [&str; 7] = ["?2", "!a", "#1", "?2", "!a", "=0", ""];

#[test]
fn honest_ones_are_accepted() {
    let proof = &FROM_4[..6];
    let honest = about("position node 4", "claim 0 at-least 1", proof);
    let checked = check(&circle(), &honest).expect("it is true");
    assert_eq!((checked.claims[0].positions, checked.claims[0].references), (4, 1));
    assert!(!checked.claims[0].endless);
    let held = about("position node 0", "claim 0 below 1", &["#1", "?2", "!a", "=0"]);
    let checked = check(&circle(), &held).expect("player 1 goes round for ever");
    assert!(checked.claims[0].endless);
}

#[test]
fn circles_prove_nothing() {
    let proof = ["#1", "!a", "?2", "=0"];
    let error = refusal(&circle(), &about("position node 0", "claim 0 at-least 1", &proof));
    assert!(
        error.contains("entry 3, after a a, at node 0: the proof is circular: label 0"),
        "{error}"
    );
}

#[test]
fn every_reply_is_needed() {
    let claim = "claim 0 at-least 1";
    let error = refusal(&circle(), &about("position node 4", claim, &["?1", "!a", "?2"]));
    assert!(error.contains("there are 2 legal moves, but the proof announces 1"), "{error}");
    let error = refusal(&circle(), &about("position node 4", claim, &["!a", "!a", "?2"]));
    assert!(error.contains("the proof gives one move where all moves are needed"), "{error}");
    let error = refusal(&circle(), &about("position node 4", claim, &["?2", "!a", "?2"]));
    assert!(error.contains("after b, at node 6: 'end 3' does not prove the position"), "{error}");
    let error = refusal(&circle(), &about("position node 4", claim, &["?2", "?1", "?2"]));
    assert!(error.contains("a move of the favoured side is missing"), "{error}");
    let error = refusal(&circle(), &about("position node 8", claim, &["?0"]));
    assert!(error.contains("there are 0 legal moves"), "{error}");
}

#[test]
fn payoffs_are_the_rules_business() {
    let proof = ["?2", "!a", "?2", "!a", "?2"];
    let error = refusal(&circle(), &about("position node 4", "claim 0 at-least 2", &proof));
    assert!(error.contains("the game is over and pays player 0 1"), "{error}");
    assert!(error.contains("after a a a, at node 2"), "{error}");
    let error = refusal(&circle(), &about("position node 0", "claim 0 at-least 0", &["!b"]));
    assert!(error.contains("pays player 0 -1"), "{error}");
    let error = refusal(&circle(), &about("position node 3", "claim 0 at-least 0", &[]));
    assert!(error.contains("at the root, at node 3"), "{error}");
    let error = refusal(&circle(), &about("position node 3", "claim 2 below 0", &[]));
    assert!(error.contains("no player 2"), "{error}");
}

#[test]
fn references_mean_the_same_position() {
    let claim = "claim 0 at-least 1";
    let from_4 = |proof: &[&str]| refusal(&circle(), &about("position node 4", claim, proof));
    let error = from_4(&["?2", "#1", "!a", "?2", "=0"]);
    assert!(error.contains("after b, at node 6: this is not the position labelled 0"), "{error}");
    let error = from_4(&["?2", "!a", "#1", "?2", "!a", "=1"]);
    assert!(error.contains("label 1, which is not in use"), "{error}");
    let error = from_4(&["?2", "!a", "#2", "?2", "!a", "=0"]);
    assert!(
        error.contains("the references to label 0 fall 1 short of the announced number"),
        "{error}"
    );
    let error = from_4(&["?2", "!a", "#0", "?2", "!a", "?2"]);
    assert!(error.contains("nothing refers"), "{error}");
    let error = from_4(&["#1", "#1", "?2"]);
    assert!(error.contains("'#1' does not prove"), "{error}");
    let proof = &FROM_4[..6];
    let unhashed = Graph { hashed: false, ..circle() };
    let error = refusal(&unhashed, &about("position node 4", claim, proof));
    assert!(error.contains("does not identify positions"), "{error}");
}

/// A walk over three cells that ends with a loss for player 0 when it enters a cell for the third
/// time. The text of a position names only the cell.
struct Walk {
    /// Whether positions have a key, which includes the number of visits to each cell.
    hashed: bool,
}

impl Game for Walk {
    type State = (usize, [u8; 3]);
    type Move = u8;

    fn initial_state(&self) -> Self::State {
        (0, [1, 0, 0])
    }
    fn turn(&self, state: &Self::State) -> Turn {
        if state.1.contains(&3) { Turn::Over } else { Turn::Player(1) }
    }
    fn legal_moves(&self, _: &Self::State, moves: &mut Vec<u8>) {
        moves.extend([1, 2]);
    }
    fn play(&self, (cell, visits): &mut Self::State, step: u8) {
        *cell = (*cell + usize::from(step)) % 3;
        visits[*cell] += 1;
    }
    fn payoff(&self, _: &Self::State, player: usize) -> i32 {
        if player == 0 { -1 } else { 1 }
    }
    fn key(&self, (cell, visits): &Self::State) -> Option<u64> {
        let word = visits.iter().fold(*cell as u64, |word, &count| word << 8 | u64::from(count));
        self.hashed.then_some(word)
    }
    fn state_text(&self, state: &Self::State) -> String {
        format!("cell {}", state.0)
    }
    fn parse_state(&self, _: &str) -> Result<Self::State, TextError> {
        Err(TextError::new("the text does not tell everything"))
    }
}

/// After the moves 1 and 2 the walk is back on its first cell, but in a different position, so the
/// checker refuses a reference to the first position.
#[test]
fn a_position_that_looks_the_same_is_another_one() {
    for hashed in [false, true] {
        let header = ["proofwood-certificate 1", "game walk", "claim 1 at-least 1", ""];
        let lines = [&header[..], &["!1", "#1", "!2", "=0"]].concat();
        let error = refusal(&Walk { hashed }, &lines);
        let expected = match hashed {
            true => "not the position labelled 0",
            false => "does not identify positions",
        };
        assert!(error.contains(expected), "{error}");
        let hold = ["proofwood-certificate 1", "game walk", "claim 0 below -1", ""];
        let circle = [&hold[..], &["#1", "!1", "!2", "=0"]].concat();
        let error = refusal(&Walk { hashed }, &circle);
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn foreign_files_are_told_what_they_are_not() {
    let refuse = |file: &[u8]| check_file(&circle(), file).expect_err("foreign").to_string();
    assert!(refuse(b"").contains("the file is not a certificate: the file is truncated"));
    assert!(refuse(b"connect four").contains("the file is not a certificate"));
    assert!(refuse(&compressed("")).contains("it is empty"));
    assert!(refuse(&compressed("a line\n")).contains("its first line is not"));
    assert!(refuse(&compressed("no line feed")).contains("ends within a line"));
    assert!(refuse(&compressed(&"long".repeat(1 << 20))).contains("a line is longer than 1 MiB"));
    let refuse_lines = |lines: &[&str]| refuse(&compressed(&text(lines)));
    assert!(refuse_lines(&["proofwood-certificate 2", ""]).contains("version 2, but this program"));
    assert!(refuse_lines(&["proofwood-certificate 1", ""]).contains("contains no claim"));
    assert!(refuse_lines(&["proofwood-certificate 1"]).contains("unexpected line"));
    for wrong in ["position node 0", "game again", "claim 0 at-least", "hello", "sha256 00"] {
        let lines = ["proofwood-certificate 1", "game g", "move a", wrong, ""];
        assert!(refuse_lines(&lines).contains(&format!("unexpected line '{wrong}'")), "{wrong}");
    }
    let illegal = about("move z", "claim 0 below 1", &["!a"]);
    assert!(
        refusal(&circle(), &illegal).contains("'z' is not a legal move here; legal moves: b a")
    );
    let nowhere = about("position node 99", "claim 0 below 1", &["!a"]);
    assert!(refusal(&circle(), &nowhere).contains("not a position of this game"));
}

#[test]
fn what_follows_the_proofs_must_be_right() {
    let lines = about("position node 4", "claim 0 at-least 1", &FROM_4[..6]);
    let good = text(&lines);
    let refuse =
        |text: &str| check_file(&circle(), &compressed(text)).expect_err("bad").to_string();
    assert!(refuse(&good.replace("end 5", "end 6")).contains("expected 'end 5', found 'end 6'"));
    assert!(refuse(&good.replace("game circle", "game Circle")).contains("the digest is wrong"));
    assert!(refuse(&(good.clone() + "more\n")).contains("the file continues after the digest"));
    let cut = good.split_once("sha256").expect("a digest").0;
    assert!(refuse(cut).contains("the file ends before the digest"));
}

/// The checker's sources must not import the search.
#[test]
fn the_checker_knows_the_rules_alone() {
    let sources = [
        include_str!("../../src/check.rs"),
        include_str!("../../src/checked.rs"),
        include_str!("../../src/memory.rs"),
        include_str!("../../src/refusal.rs"),
        include_str!("../../src/read.rs"),
        include_str!("../../src/format.rs"),
    ];
    for source in sources {
        for line in source.lines().filter(|line| line.contains("proofwood_game")) {
            assert!(!line.contains("contract"), "{line}");
        }
        for line in source.lines().filter(|line| line.trim_start().starts_with("use super::")) {
            let allowed =
                ["check::", "checked::", "format::", "memory::", "read::", "refusal::", "*;"];
            let rest = line.trim_start().trim_start_matches("use super::");
            assert!(allowed.iter().any(|name| rest.starts_with(name)), "{line}");
        }
        assert!(!source.contains("f64") && !source.contains("std::thread"));
    }
}
