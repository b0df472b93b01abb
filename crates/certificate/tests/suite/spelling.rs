//! Tests of the page on the certificate format, sentence by sentence.

use flate2::GzBuilder;
use proofwood::certificate::{Checked, Claim, Promise, Root, write};
use proofwood::{Game, Turn};
use proofwood_games::{GameVisitor, Mnk, games, with_game};
use proofwood_testkit::certificates::file::{check, check_file, compressed, text};
use proofwood_testkit::certificates::graph::{Graph, Node};
use proofwood_testkit::certificates::page::{example, limit, range, says, table};
use proofwood_testkit::certificates::second;
use sha2::{Digest, Sha256};
use std::io::Write;

/// Returns the verdict of both checkers on the lines; the two must agree.
fn judge<G: Game>(game: &G, lines: &[&str]) -> Result<Checked, String> {
    judge_file(game, &compressed(&text(lines)))
}

fn judge_file<G: Game>(game: &G, file: &[u8]) -> Result<Checked, String> {
    let first = check_file(game, file).map_err(|refusal| refusal.to_string());
    let second = second::check(game, file);
    assert_eq!(first.is_ok(), second.is_ok(), "{first:?} {second:?}");
    first
}

/// A game in which `turn`, chance or player 1, chooses the side of a coin: 1 or −1 for player 0.
fn coin(turn: Turn) -> Graph {
    let node = |turn, moves: &[(usize, char)], payoff: i32| Node {
        turn,
        moves: moves.to_vec(),
        payoffs: vec![payoff, -payoff],
    };
    let nodes = vec![
        node(turn, &[(1, 'h'), (2, 't')], 0),
        node(Turn::Over, &[], 1),
        node(Turn::Over, &[], -1),
    ];
    Graph { players: 2, zero_sum: true, nodes, hashed: true, written: true }
}

fn about<'a>(claim: &'a str, proof: &[&'a str]) -> Vec<&'a str> {
    let header = ["proofwood-certificate 1", "game coin", claim, ""];
    header.iter().chain(proof).copied().collect()
}

#[test]
fn the_example_is_a_certificate() {
    says("`zcat FILE` shows it. This is a complete certificate:");
    let game = Mnk::new(3, 3, 3, 2).expect("a board");
    let checked = judge_file(&game, &compressed(example())).expect("it is shown to strangers");
    assert_eq!(checked.game, "tic-tac-toe");
    assert_eq!(checked.claims.len(), 2);
    assert!(checked.root.position.is_some() && !checked.root.moves.is_empty());
    assert!(example().contains("\n#1\n") && example().contains("\n=0\n"), "it shows every line");
    let (body, digest) = example().rsplit_once("sha256 ").expect("a digest");
    let sum: String =
        Sha256::digest(body.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(digest, format!("{sum}\n"));
}

#[test]
fn chance_is_on_the_others_side() {
    says(
        "Where chance decides, the other players' side is to move: the proof of an at-least claim \
         has `?N` with all outcomes, and the proof of a below claim has `!OUTCOME` with one outcome.",
    );
    for turn in [Turn::Chance, Turn::Player(1)] {
        let game = coin(turn);
        assert!(judge(&game, &about("claim 0 at-least -1", &["?2"])).is_ok());
        assert!(judge(&game, &about("claim 0 below 1", &["!t"])).is_ok());
        let error = judge(&game, &about("claim 0 below 1", &["?2"])).unwrap_err();
        assert!(error.contains("a move of the favoured side is missing"), "{error}");
        let error = judge(&game, &about("claim 0 at-least -1", &["!t"])).unwrap_err();
        assert!(error.contains("the proof gives one move where all moves are needed"), "{error}");
    }
}

/// Checks that the page's table lists all lines that a header may have, and no others.
#[test]
fn the_table_of_lines_is_complete() {
    let game = coin(Turn::Chance);
    let rows = table("| line | how often | meaning |");
    let lines: Vec<&str> = rows.iter().map(|row| row[0].as_str()).collect();
    assert_eq!(
        lines,
        [
            "proofwood-certificate 1",
            "game SPEC",
            "position TEXT",
            "move TEXT",
            "claim P at-least T",
            "claim P below T",
            "empty",
            "entries, see below",
            "end E",
            "sha256 HEX"
        ]
    );
    let line = |pattern: &str| {
        let text = if pattern.starts_with("position") { "node 0" } else { "h" };
        let words = [("SPEC", "coin"), ("TEXT", text), ("P", "0"), ("T", "1"), ("empty", "")];
        let mut words = words.iter();
        words.try_fold(pattern.to_string(), |line, (letter, word)| {
            let replaced = line.split(' ').map(|part| if part == *letter { word } else { part });
            Some::<String>(replaced.collect::<Vec<_>>().join(" "))
        })
    };
    let header: Vec<String> = lines[..7].iter().map(|pattern| line(pattern).unwrap()).collect();
    // In this order the lines form a header; proofs about a finished game need no entries.
    let check = |lines: &[&str]| judge(&game, lines);
    let all: Vec<&str> = header.iter().map(String::as_str).collect();
    let error = check(&all).unwrap_err();
    assert!(error.contains("after the proofs") || error.contains("pays player 0 1"), "{error}");
    let good = ["proofwood-certificate 1", "game coin", "position node 0", "move h"];
    let good = [&good[..], &["claim 0 at-least 1", "claim 0 below 2", ""]].concat();
    assert!(check(&good).is_ok());
    // Only two claims may be exchanged; any other exchange of two lines is refused.
    for one in 0..good.len() {
        for other in 0..one {
            let mut changed = good.clone();
            changed.swap(one, other);
            let claims = good[one].starts_with("claim") && good[other].starts_with("claim");
            assert_eq!(check(&changed).is_ok(), claims, "{changed:?}");
        }
    }
    // The position and single claims may be omitted, and only claims may be repeated.
    for at in 0..good.len() {
        let without = [&good[..at], &good[at + 1..]].concat();
        let twice = [&good[..=at], &good[at..]].concat();
        let line = good[at];
        let optional = line.starts_with("claim") || line.starts_with("position");
        assert_eq!(check(&without).is_ok(), optional, "without {line}");
        assert_eq!(check(&twice).is_ok(), line.starts_with("claim"), "{line} twice");
    }
}

#[test]
fn numbers_have_one_spelling() {
    says("**Numbers** are decimal digits without leading zeros and without a plus sign.");
    says("Only a payoff may be negative; it then begins with a minus sign.");
    says("Zero is `0`, never `-0`.");
    let game = coin(Turn::Chance);
    let ended = |claim: &str| {
        let lines = ["proofwood-certificate 1", "game coin", "move h", claim, ""];
        judge(&game, &lines).is_ok()
    };
    let (least, most) = range('T');
    assert_eq!((least, most), (i32::MIN.into(), i32::MAX.into()));
    for payoff in [2, 3, 7, most - 1, most] {
        assert!(ended(&format!("claim 0 below {payoff}")), "{payoff}");
    }
    for payoff in [1, 0, -1, -10, least + 1, least] {
        assert!(ended(&format!("claim 0 at-least {payoff}")), "{payoff}");
    }
    for payoff in [most + 1, 10 * most, i128::from(u64::MAX), i128::MAX] {
        assert!(!ended(&format!("claim 0 below {payoff}")), "{payoff}");
        assert!(!ended(&format!("claim 0 at-least {}", -payoff - 1)), "{payoff}");
    }
    for other in ["-0", "+0", "00", "-01", "01", "+1", "--1", "1.0", "0x1", "", " 0", "0 ", "−1"]
    {
        assert!(!ended(&format!("claim 0 at-least {other}")), "{other}");
    }
    for player in ["00", "-0", "+0", "2", "8", "18446744073709551616", "", "x"] {
        assert!(!ended(&format!("claim {player} below 9")), "{player}");
    }
    assert!(ended("claim 0 below 9") && ended("claim 1 below 9"));
    for count in ["2", "02", "+2", "-2", "2 ", " 2", "1", "3", "65536", "", "two"] {
        let good = judge(&game, &about("claim 0 at-least -1", &[&format!("?{count}")])).is_ok();
        assert_eq!(good, count == "2", "{count}");
    }
    let (least, most) = range('P');
    assert_eq!((least, most as usize), (0, proofwood::MAX_PLAYERS - 1));
    assert_eq!(range('N'), (1, 65_535));
    assert_eq!(range('K').0, 0);
}

/// A game in which player 1 has this number of moves, each of which ends the game.
struct Wide(usize);

impl Game for Wide {
    type State = bool;
    type Move = u32;

    fn initial_state(&self) -> bool {
        false
    }
    fn turn(&self, &over: &bool) -> Turn {
        if over { Turn::Over } else { Turn::Player(1) }
    }
    fn legal_moves(&self, _: &bool, moves: &mut Vec<u32>) {
        moves.extend(0..self.0 as u32);
    }
    fn play(&self, over: &mut bool, _: u32) {
        *over = true;
    }
    fn payoff(&self, _: &bool, _: usize) -> i32 {
        0
    }
}

#[test]
fn a_position_has_so_many_moves_and_no_more() {
    let most = range('N').1 as usize;
    assert_eq!(limit("legal moves"), most);
    let claim = Claim { player: 0, promise: Promise::AtLeast(0) };
    for (moves, fits) in [(most, true), (most + 1, false)] {
        let game = Wide(moves);
        let count = format!("?{moves}");
        let lines = ["proofwood-certificate 1", "game wide", "claim 0 at-least 0", "", &count];
        assert_eq!(judge(&game, &lines).is_ok(), fits);
        let mut file = Vec::new();
        let written = write(&game, "wide", &Root::default(), &[claim], &mut Sure, &mut file);
        assert_eq!(written.is_ok(), fits);
        assert!(!fits || judge_file(&game, &file).is_ok());
    }
}

#[test]
fn a_label_has_at_least_one_reference() {
    says("exactly U later entries refer to it");
    assert_eq!(range('U').0, 1);
    let error = judge(&coin(Turn::Chance), &about("claim 0 at-least -1", &["#0", "?2"]));
    assert!(error.unwrap_err().contains("nothing refers to the label of this position"));
}

#[test]
fn spaces_count() {
    says("The words of a line are separated by one space.");
    says("Everything after `game`, `position` or `move` and that one space is taken literally.");
    let game = coin(Turn::Chance);
    for line in ["claim 0  below 9", "claim  0 below 9", " claim 0 below 9", "claim 0 below 9 "] {
        let lines = ["proofwood-certificate 1", "game coin", "move h", line, ""];
        assert!(judge(&game, &lines).is_err(), "{line}");
    }
    for line in ["move  h", "move h ", "move\th", "Move h", "move H"] {
        let lines = ["proofwood-certificate 1", "game coin", line, "claim 0 below 9", ""];
        assert!(judge(&game, &lines).is_err(), "{line}");
    }
    for proof in ["! t", "!t ", "!T", " !t", "!t\r"] {
        assert!(judge(&game, &about("claim 0 below 1", &[proof])).is_err(), "{proof}");
    }
    let named = |line: &str| {
        let lines = ["proofwood-certificate 1", line, "claim 0 below 1", "", "!t"];
        judge(&game, &lines).map(|checked| checked.game)
    };
    assert_eq!(named("game  a game ").as_deref(), Ok(" a game "));
    assert_eq!(named("game ").as_deref(), Ok(""));
    assert!(named("game").is_err());
}

#[test]
fn the_root_may_be_spelled_otherwise() {
    says("A checker must accept that spelling and may accept others");
    says("It reports the position in the game's own spelling.");
    let game = Mnk::new(3, 3, 3, 2).expect("a board");
    let spelled = |position: &str| {
        let position = format!("position {position}");
        let lines = ["proofwood-certificate 1", "game tic-tac-toe", &position];
        let lines = [&lines[..], &["claim 0 at-least 1", "", "!c2"]].concat();
        judge(&game, &lines).expect("it is won").position
    };
    for other in ["oo./xx./x.o x", "OO./XX./X.O", "oo-/xx-/x-o 1"] {
        assert_eq!(spelled(other), "oo./xx./x.o x");
    }
    says("the writer spells them as the game does");
    let claim = Claim { player: 0, promise: Promise::AtLeast(1) };
    let mut file = Vec::new();
    let root = Root::default().position("OO./XX./X.O");
    let mut sure = Sure;
    write(&game, "tic-tac-toe", &root, &[claim], &mut sure, &mut file).expect("it is won");
    let checked = judge_file(&game, &file).expect("a proof");
    assert_eq!(checked.root.position.as_deref(), Some("oo./xx./x.o x"));
}

/// An oracle that confirms every claim.
struct Sure;

impl<G: Game> proofwood::certificate::Oracle<G> for Sure {
    fn known(&mut self, _: Claim, _: &G::State, _: u64) -> Option<bool> {
        Some(true)
    }
    fn decide(
        &mut self,
        _: Claim,
        _: &G::State,
        _: u64,
    ) -> Result<bool, proofwood::certificate::CertificateError> {
        Ok(true)
    }
}

#[test]
fn moves_with_one_text_have_no_place() {
    says("No two legal moves of a position may have the same text");
    let mut game = coin(Turn::Chance);
    game.nodes[0].moves[1].1 = 'h';
    for (claim, proof) in [("claim 0 at-least -1", "?2"), ("claim 0 below 9", "!h")] {
        let error = judge(&game, &about(claim, &[proof])).unwrap_err();
        assert!(error.contains("two legal moves have the text 'h'"), "{error}");
    }
    let lines = ["proofwood-certificate 1", "game coin", "move h", "claim 0 below 9", ""];
    assert!(judge(&game, &lines).unwrap_err().contains("two legal moves have the text 'h'"));
    for promise in [Promise::AtLeast(-1), Promise::Below(2)] {
        let claims = [Claim { player: 0, promise }];
        let error = write(&game, "g", &Root::default(), &claims, &mut Sure, Vec::new());
        let error = error.expect_err("it cannot be told").to_string();
        assert!(error.contains("two legal moves have the text 'h'"), "{error}");
    }
}

#[test]
fn claims_may_be_repeated_and_come_in_any_order() {
    says("Claims of both kinds may come in any order and be repeated");
    let game = coin(Turn::Chance);
    let claims =
        [("claim 0 below 1", "!t"), ("claim 0 at-least -1", "?2"), ("claim 1 below 1", "!h")];
    let header = ["proofwood-certificate 1", "game coin"];
    for order in [[0, 1, 2, 0], [2, 2, 1, 0], [1, 0, 1, 1]] {
        let lines = order.map(|at| claims[at].0);
        let proofs = order.map(|at| claims[at].1);
        let lines = [&header[..], &lines, &[""], &proofs].concat();
        let checked = judge(&game, &lines).expect("all are true");
        assert_eq!(checked.claims.len(), 4);
    }
    assert!(judge(&game, &[&header[..], &[""]].concat()).is_err(), "There is at least one.");
    says("There must be at least one claim.");
}

#[test]
fn the_gzip_header_means_nothing() {
    says("A time, a name or a comment in the gzip header has no meaning");
    says("the checksums at the end must be right");
    let game = coin(Turn::Chance);
    let inside = text(&about("claim 0 below 1", &["!t"]));
    let header = GzBuilder::new().mtime(7).filename("a.proof").comment("mine").extra("more");
    let mut encoder = header.write(Vec::new(), flate2::Compression::best());
    encoder.write_all(inside.as_bytes()).expect("memory");
    let file = encoder.finish().expect("memory");
    assert!(judge_file(&game, &file).is_ok());
    for at in file.len() - 8..file.len() {
        let mut changed = file.clone();
        changed[at] ^= 1;
        assert!(judge_file(&game, &changed).is_err(), "byte {at}");
    }
}

/// Determines whether a game identifies positions; asserts that player 0 or chance begins.
struct Identifies;

impl GameVisitor for Identifies {
    type Output = bool;

    fn visit<G: Game>(self, game: G) -> bool {
        let start = game.initial_state();
        let turn = game.turn(&start);
        assert!(matches!(turn, Turn::Player(0) | Turn::Chance), "{turn:?} begins");
        game.key(&start).is_some() && !game.state_text(&start).is_empty()
    }
}

#[test]
fn the_games_that_identify_positions() {
    says("All games of this program do except `minishogi:sennichite`");
    says("In the starting position it is player 0's turn, or chance's.");
    for info in games() {
        for spec in [info.name, info.example] {
            if let Ok(identifies) = with_game(spec, Identifies) {
                assert!(identifies, "{spec}");
            }
        }
        // Flags that change the rules of repetition may change the answer.
        for (option, _) in info.options {
            let spec = format!("{}:{option}", info.name);
            if let Ok(identifies) = with_game(&spec, Identifies) {
                assert_eq!(identifies, spec != "minishogi:sennichite", "{spec}");
            }
        }
    }
    let lines = ["proofwood-certificate 1", "game walk", "claim 0 below 9", "", "#1", "!t"];
    let nameless = Graph { hashed: false, ..coin(Turn::Chance) };
    let error = check(&nameless, &lines).expect_err("no identity").to_string();
    assert!(error.contains("this game does not identify positions"), "{error}");
}
