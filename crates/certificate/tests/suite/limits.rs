//! Tests of small files that require much memory for their header, their depth or their labels.

use flate2::Compression;
use flate2::write::GzEncoder;
use proofwood::certificate::{Certificate, DEFAULT_MEMORY};
use proofwood::{Game, Turn};
use proofwood_testkit::certificates::file::{check, compressed, text};
use proofwood_testkit::certificates::page::{limit, says};
use std::io::Write;

struct Round {
    fields: u64,
    hashed: bool,
    written: bool,
}

impl Game for Round {
    type State = u64;
    type Move = u8;

    fn initial_state(&self) -> u64 {
        0
    }
    fn turn(&self, &place: &u64) -> Turn {
        Turn::Player((place % 2) as usize)
    }
    fn legal_moves(&self, _: &u64, moves: &mut Vec<u8>) {
        moves.extend([0, 1]);
    }
    fn play(&self, place: &mut u64, _: u8) {
        *place = (*place + 1) % self.fields;
    }
    fn payoff(&self, _: &u64, _: usize) -> i32 {
        0
    }
    fn key(&self, &place: &u64) -> Option<u64> {
        self.hashed.then_some(place)
    }
    fn state_text(&self, place: &u64) -> String {
        if self.written { format!("place {place}") } else { String::new() }
    }
}

const ROUND: Round = Round { fields: 2, hashed: true, written: true };
const ENDLESS: Round = Round { fields: 1 << 60, hashed: true, written: true };

fn bomb(head: &str, lines: &str, times: usize) -> Vec<u8> {
    let mut file = GzEncoder::new(Vec::new(), Compression::best());
    file.write_all(b"proofwood-certificate 1\ngame round\n").expect("memory");
    file.write_all(head.as_bytes()).expect("memory");
    for _ in 0..times {
        file.write_all(lines.as_bytes()).expect("memory");
    }
    file.finish().expect("memory")
}

/// Returns the reason for refusing a file, and whether memory was lacking.
fn refusal<G: Game>(game: &G, file: &[u8], memory: u64) -> (String, bool) {
    let checked = Certificate::open(file).and_then(|file| file.memory(memory).check(game));
    let refusal = checked.expect_err("a bomb");
    (refusal.to_string(), refusal.lacks_memory())
}

#[test]
fn a_header_has_a_greatest_length() {
    says("the header, with its empty line | 4194304 bytes");
    let longest = limit("the header");
    let first = "proofwood-certificate 1\ngame round\nclaim 0 below 1\n\n".len();
    let line = "claim 0 at-least -1\n";
    let times = (longest - first) / line.len();
    // A file with the longest header is read up to its proof.
    let head = format!("claim 0 below 1\n{}", line.repeat(times));
    let error = refusal(&ROUND, &bomb(&head, "\n", 1), DEFAULT_MEMORY).0;
    assert!(error.contains("the proof of '0 below 1', entry 1"), "{error}");
    let error = refusal(&ROUND, &bomb(&(head + line), "\n", 1), DEFAULT_MEMORY).0;
    assert!(error.contains("the header is longer than 4194304 bytes"), "{error}");
    for line in ["move a\n", "claim 0 below 1\n"] {
        let file = bomb("", line, 2_000_000);
        assert!(file.len() < 100_000);
        let error = refusal(&ROUND, &file, u64::MAX).0;
        assert!(error.contains("the header is longer than"), "{error}");
    }
}

#[test]
fn a_header_counts() {
    let header = "move 0\n".repeat(100_000) + "claim 0 below 1\n\n";
    let (error, memory) = refusal(&ROUND, &bomb(&header, "", 0), 1 << 20);
    assert!(
        memory && error.contains("the check needs more than 1048576 bytes of memory"),
        "{error}"
    );
    let (error, memory) = refusal(&ROUND, &bomb(&header, "", 0), 10 << 20);
    assert!(!memory && error.contains("the file ends here"), "{error}");
}

#[test]
fn the_longest_line_is_a_mebibyte() {
    says("a line, without its line feed | 1048576 bytes");
    let longest = limit("a line");
    let with = |length: usize| {
        let game = "game ".to_string() + &"g".repeat(length - 5);
        let lines = ["proofwood-certificate 1", &game, "claim 0 below 1", "", "#1", "?2"];
        check(&ROUND, &lines).expect_err("it goes on").to_string()
    };
    assert!(with(longest).contains("'end 1' does not prove the position"), "{}", with(longest));
    assert!(with(longest + 1).contains("a line is longer than"), "{}", with(longest + 1));
}

/// Without repetitions, only the memory limit ends the descent. A game that does not identify
/// positions hides its repetitions from the checker.
#[test]
fn a_way_down_has_the_memory_that_it_is_given() {
    says("refuses a file that needs more.");
    const MEMORY: u64 = 4 << 20;
    let nameless = |hashed, written| Round { fields: 2, hashed, written };
    for game in [&ENDLESS, &nameless(false, true), &nameless(true, false)] {
        for (claim, lines) in
            [("claim 0 at-least 0\n\n", "!0\n?2\n"), ("claim 0 below 0\n\n", "?2\n!1\n")]
        {
            let file = bomb(claim, lines, 200_000);
            assert!(file.len() < 10_000, "{}", file.len());
            let (error, lacks_memory) = refusal(game, &file, MEMORY);
            assert!(lacks_memory && error.contains("needs more than 4194304 bytes"), "{error}");
            // With more memory the checker refuses the file because of its fault.
            let (error, lacks_memory) = refusal(game, &file, 1 << 30);
            assert!(!lacks_memory && error.contains("the file ends here"), "{error}");
        }
    }
}

/// A position on the path takes at most 60 bytes, or 100 bytes in a game with keys.
#[test]
fn a_way_down_takes_little() {
    let file = |times| bomb("claim 0 at-least 0\n\n", "!0\n?2\n", times);
    let game = Round { fields: 2, hashed: false, written: true };
    let (error, lacks_memory) = refusal(&game, &file(50_000), 100_000 * 60);
    assert!(!lacks_memory, "60 bytes a position were not enough: {error}");
    let (error, lacks_memory) = refusal(&ENDLESS, &file(50_000), 100_000 * 100);
    assert!(!lacks_memory, "100 bytes a position were not enough: {error}");
}

#[test]
fn labels_have_the_memory_that_they_are_given() {
    let file = bomb("claim 0 below 0\n\n", "#9\n?2\n#9\n!1\n", 100_000);
    let (error, lacks_memory) = refusal(&ENDLESS, &file, 4 << 20);
    assert!(lacks_memory, "{error}");
    let (with, _) = refusal(&ENDLESS, &file, 200_000 * 100);
    assert!(with.contains("needs more than"), "labels are not counted: {with}");
    let (error, lacks_memory) = refusal(&ENDLESS, &file, 1 << 30);
    assert!(!lacks_memory && error.contains("the file ends here"), "{error}");
}

#[test]
fn no_position_repeats_on_its_own_way() {
    says("If the game identifies positions, no position may be listed below itself.");
    says("a file that only repeats positions is refused at the first repetition");
    for (claim, lines) in
        [("claim 0 at-least 0\n\n", "!0\n?2\n"), ("claim 0 below 0\n\n", "?2\n!1\n")]
    {
        let (error, lacks_memory) = refusal(&ROUND, &bomb(claim, lines, 200_000), 1 << 10);
        let way = if lines.starts_with('?') { "0 1" } else { "0 0" };
        let expected =
            format!("entry 3, after {way}, at place 0: the position occurs again below itself");
        assert!(!lacks_memory && error.contains(&expected), "{error}");
        // Positions with equal keys but different texts are different.
        let poor = Poor;
        let (error, _) = refusal(&poor, &bomb(claim, lines, 300), 1 << 30);
        assert!(error.contains("the file ends here"), "{error}");
    }
}

/// The game [`ENDLESS`] with a constant key.
struct Poor;

impl Game for Poor {
    type State = u64;
    type Move = u8;

    fn initial_state(&self) -> u64 {
        0
    }
    fn turn(&self, place: &u64) -> Turn {
        ENDLESS.turn(place)
    }
    fn legal_moves(&self, place: &u64, moves: &mut Vec<u8>) {
        ENDLESS.legal_moves(place, moves);
    }
    fn play(&self, place: &mut u64, mv: u8) {
        ENDLESS.play(place, mv);
    }
    fn payoff(&self, _: &u64, _: usize) -> i32 {
        0
    }
    fn key(&self, _: &u64) -> Option<u64> {
        Some(0)
    }
    fn state_text(&self, place: &u64) -> String {
        ENDLESS.state_text(place)
    }
}

#[test]
fn a_refusal_is_short() {
    let position = format!("position {}", "x".repeat(1_000_000));
    let lines = ["proofwood-certificate 1", "game round", &position, "claim 0 below 1", ""];
    let error = check(&ROUND, &lines).expect_err("no position").to_string();
    assert!(error.len() < 3000, "{}", error.len());
    let file = compressed(&text(&lines));
    assert!(!Certificate::open(&file[..]).unwrap().check(&ROUND).unwrap_err().lacks_memory());
}
