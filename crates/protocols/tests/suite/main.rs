//! Tests the protocols: the transcripts in the book, invalid lines, and the end of the input.

mod analyze;
mod client;
mod ends;
mod gtp;
mod schema;
mod trees;
#[allow(dead_code, reason = "the program's tests check what it prints")]
mod types;
mod uci;

use client::{documents, run_with_input};

const PAGE: &str = include_str!("../../../../docs/src/protocols.md");

/// Command lines for each protocol, with a game and a small budget.
const MOUTHS: &[&str] = &[
    "analyze tic-tac-toe --playouts 5 --jobs 2",
    "gtp othello:6 --playouts 3 --threads 1",
    "gtp pig:20 --playouts 3 --threads 1",
    "ugi ataxx --playouts 3 --threads 1",
    "uci minishogi --playouts 3 --threads 1",
];

/// Returns whether a line matches a pattern, in which `…` matches any text.
fn fits(line: &str, pattern: &str) -> bool {
    let mut parts = pattern.split('…');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = line.strip_prefix(first) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

#[test]
fn transcripts_on_the_page_are_true() {
    let blocks = PAGE.split("```text\n$ proofwood ").skip(1);
    let mut seen = 0;
    for block in blocks {
        let block = block.split("```").next().unwrap();
        let (command, lines) = block.split_once('\n').unwrap();
        let said: String =
            lines.lines().filter_map(|l| l.strip_prefix("> ")).map(|l| format!("{l}\n")).collect();
        let expected: Vec<&str> =
            lines.lines().filter_map(|l| l.strip_prefix('<')).map(str::trim_start).collect();
        let folder = format!("--trees {}/", env!("CARGO_TARGET_TMPDIR"));
        let output = run_with_input(&command.replace("--trees ", &folder), said);
        // JSON answers may come in any order.
        let mut output: Vec<&str> = output.lines().map(str::trim_end).collect();
        if command.starts_with("analyze") {
            for pattern in &expected {
                let found = output.iter().position(|line| fits(line, pattern));
                let found = found.unwrap_or_else(|| panic!("{command}: {pattern} in {output:#?}"));
                output.remove(found);
            }
            assert!(output.is_empty(), "{command}: {output:#?}");
        } else {
            let shown = format!("{command}:\n{}", output.join("\n"));
            assert_eq!(output.len(), expected.len(), "{shown}");
            for (line, pattern) in output.iter().zip(expected) {
                assert!(fits(line, pattern), "{shown}\n{pattern}");
            }
        }
        seen += 1;
    }
    assert!(seen >= 4, "{seen} transcripts");
}

#[test]
fn patterns_fit_what_they_should() {
    for (line, pattern, fit) in [
        ("abc", "abc", true),
        ("abc", "a…c", true),
        ("abcabd", "a…b…d", true),
        ("abc", "a…d", false),
        ("abc", "ab", false),
        ("abc", "…", true),
    ] {
        assert_eq!(fits(line, pattern), fit, "{line} {pattern}");
    }
}

struct Noise(u64);

impl Noise {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }
}

/// Valid lines, from which invalid ones are generated.
const SEEDS: &[&str] = &[
    r#"{"id": "a", "moves": "b2 a1", "playouts": 3}"#,
    r#"{"id": 3, "position": "x../.o./... x", "turns": [0], "options": {"c": 1}}"#,
    r#"{"id": "t", "ask": "stop"}"#,
    r#"{"id": "p", "algorithm": "dfpn", "goal": "win", "nodes": 50, "priority": -4}"#,
    r#"{"id": "f", "save_tree": "a", "load_tree": "b.tree", "force": true, "playouts": 3}"#,
    r#"{"id": "r", "moves": ["b2"], "every": 0.001, "time": "1ms", "ĸ": null}"#,
    "play b d3",
    "17 genmove w",
    "gogui-rules_legal_moves",
    "time_settings 10 5 3",
    "time_left b 1 0",
    "kgs-time_settings byoyomi 1 1 1",
    "boardsize 6",
    "undo",
    "clear_board",
    "proofwood-set_position 0/0 1 0",
    "lz-analyze b 1",
    "showboard",
    "final_score",
    "position startpos moves a1b2 e1e2",
    "position fen rbsgk/4p/5/P4/KGSBR[] w - - 0 1 moves a2a3",
    "position sfen rbsgk/4p/5/P4/KGSBR b 2P 1",
    "go nodes 3",
    "go wtime 5 btime 5 winc 0 binc 0",
    "go movetime 1",
    "query result",
    "setoption name UCI_Variant value cfour",
    "setoption name c-pn value 0.5",
    "isready",
    "uci",
    "usi",
    "ugi",
    "d",
];

/// Returns at least `bytes` bytes of random, mutated and valid lines.
fn nonsense(seed: u64, bytes: usize) -> Vec<u8> {
    let mut noise = Noise(seed | 1);
    let mut lines = Vec::new();
    while lines.len() < bytes {
        let mut line = SEEDS[noise.below(SEEDS.len())].as_bytes().to_vec();
        match noise.below(4) {
            0 => line = (0..noise.below(80)).map(|_| noise.below(256) as u8).collect(),
            1 => {}
            _ => {
                for _ in 0..=noise.below(4) {
                    let at = noise.below(line.len().max(1)).min(line.len());
                    match noise.below(4) {
                        0 if at < line.len() => line[at] = noise.below(256) as u8,
                        1 if at < line.len() => drop(line.remove(at)),
                        2 => line.insert(at, b" \"{}[],:0123456789abx-"[noise.below(22)]),
                        _ => {
                            let other = SEEDS[noise.below(SEEDS.len())].as_bytes();
                            line.truncate(at);
                            line.extend(&other[noise.below(other.len())..]);
                        }
                    }
                }
            }
        }
        // These lines would end the session or wait for more input.
        let text = String::from_utf8_lossy(&line).to_lowercase();
        let waits = ["quit", "infinite", "ponder", "\n"];
        if waits.iter().any(|word| text.contains(word)) || text.contains("1h") {
            continue;
        }
        lines.extend(line);
        lines.push(b'\n');
    }
    lines
}

/// Checks that a session with invalid lines continues to the end of the input.
fn survives(arguments: &str, seed: u64, bytes: usize) {
    let input = nonsense(seed, bytes);
    let lines = input.split(|&b| b == b'\n').count();
    let text = run_with_input(arguments, input);
    assert!(!text.contains("internal error"), "{arguments} seed {seed}");
    if arguments.starts_with("analyze") {
        for answer in documents(&text) {
            assert!(answer.get("id").is_some(), "{answer}");
        }
    }
    assert!(lines > 10 && !text.is_empty());
}

/// Checks that invalid lines never end a session. The environment variable `PROOFWOOD_NONSENSE`
/// sets how many bytes each protocol receives.
#[test]
fn nonsense_ends_no_mouth() {
    let wanted = std::env::var("PROOFWOOD_NONSENSE").ok().and_then(|text| text.parse::<f64>().ok());
    const AT_ONCE: usize = 1_000_000;
    let mut left = wanted.unwrap_or(30_000.0) as usize;
    let mut seed = 1;
    while left > 0 {
        let bytes = left.min(AT_ONCE);
        for mouth in MOUTHS {
            survives(mouth, seed * 7919, bytes);
        }
        left -= bytes;
        seed += 1;
    }
}

#[test]
fn long_lines_are_refused_and_the_next_is_answered() {
    let long = format!("{}\n{{\"id\": \"b\", \"playouts\": 1}}\n", "x".repeat(3 << 20));
    let answers = documents(&run_with_input("analyze tic-tac-toe", long));
    assert_eq!(answers.len(), 2);
    assert!(answers[0]["error"].as_str().unwrap().contains("longer"));
    let deep = format!("{}\n", "[".repeat(100_000));
    assert_eq!(documents(&run_with_input("analyze tic-tac-toe", deep)).len(), 1);
}

/// Checks that a search that waits for `stop` also stops at the end of the input.
#[test]
fn endless_searches_end_with_the_input() {
    for (arguments, input, last) in [
        ("gtp othello --threads 1", "lz-analyze b 1\n", ""),
        ("uci breakthrough --threads 1", "go infinite\n", "bestmove "),
        ("ugi othello --threads 1", "go infinite\n", "bestmove "),
    ] {
        let output = run_with_input(arguments, input);
        assert!(output.lines().last().unwrap().starts_with(last), "{arguments}: {output}");
    }
}

/// Checks that an engine does not outlive its GUI if a limit is far off.
#[test]
fn limits_that_are_far_off_end_with_the_input() {
    for (mouth, said) in [
        ("uci breakthrough --time 20ms", "go nodes 1000000000000\n"),
        ("ugi othello --time 20ms", "go movetime 1000000000\ngo p1time 1000000000\n"),
        ("ugi othello --playouts 20", "go nodes 1000000000000\n"),
        ("uci minishogi --time 20ms", "go mate infinite\n"),
        ("gtp othello --time 20ms", "time_settings 1000000000 0 0\ngenmove b\n"),
    ] {
        assert!(!run_with_input(mouth, said).is_empty(), "{mouth}");
    }
    // A limit on the command line still applies after the end of the input.
    let output = run_with_input("ugi tic-tac-toe --playouts 3000 --solver off", "go\n");
    assert!(output.contains(" nodes 3000 "), "{output}");
}

/// Checks that the byte-order mark that PowerShell writes before the first line is ignored.
#[test]
fn a_byte_order_mark_is_no_text() {
    for (mouth, said, answer) in [
        ("gtp tic-tac-toe", "1 name\n", "=1 Proofwood"),
        ("uci", "isready\n", "readyok"),
        ("ugi hex:3", "isready\n", "readyok"),
        ("analyze", "{\"id\": 1, \"ask\": \"version\"}\n", "\"version\""),
    ] {
        let output = run_with_input(mouth, format!("\u{feff}{said}"));
        assert!(output.contains(answer) && !output.contains("nknown"), "{mouth}: {output}");
    }
}
