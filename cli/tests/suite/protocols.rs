//! Protocols: the page's transcripts, the schema, lines that are nonsense, and ends.

use crate::common::{self, documents, run, run_with_input};
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};

const PAGE: &str = include_str!("../../../docs/src/protocols.md");

/// The program of each protocol, with a game and little to do.
const MOUTHS: &[&str] = &[
    "analyze tic-tac-toe --playouts 5 --jobs 2",
    "gtp othello:6 --playouts 3 --threads 1",
    "gtp pig:20 --playouts 3 --threads 1",
    "ugi ataxx --playouts 3 --threads 1",
    "uci minishogi --playouts 3 --threads 1",
];

/// Whether a line is as a pattern says, in which `…` stands for anything.
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
        let mut program = common::proofwood(command);
        let run = program.current_dir(env!("CARGO_TARGET_TMPDIR")).write_stdin(said).output();
        let (status, output, errors) = common::outcome(run.unwrap());
        assert_eq!((status, errors.as_str()), (0, ""), "{command}");
        // Answers of JSON come in any order, and so does the page's text.
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

/// Queries that show every kind of answer.
const QUERIES: &str = r#"{"id": "a", "game": "connect-four", "moves": "44", "playouts": 100}
{"id": "b", "game": "tic-tac-toe", "moves": ["b2"], "turns": [0, 1], "priorities": [1, 2], "playouts": 50}
{"id": "f", "game": "tic-tac-toe", "foo": 1}
{"id": "c", "game": "othello:4", "algorithm": "dfpn", "goal": "score"}
{"id": "d", "game": "othello", "moves": "zz"}
{"id": "e", "game": "othello", "options": {"c-pn": 0.5, "preset": "uct", "solver": true}, "playouts": "1e2"}
{"id": 7, "ask": "version"}
{"id": "m", "game": "othello", "playouts": 10, "save_tree": "m.tree", "force": true}
{"id": "n", "game": "othello", "playouts": 10, "load_tree": "../m.tree"}
{"id": "g", "game": "othello", "time": "1h", "every": 0.02}
{"id": "h", "game": "othello", "priority": -1, "time": "1h"}
{"id": "i", "game": "pig:20", "playouts": 100, "goal": "score"}
{"id": "j", "game": "tic-tac-toe", "algorithm": "gpn", "moves": "a1", "every": 0.001}
{"id": "k", "game": "tic-tac-toe", "moves": "a1 a2 b1 b2 c1"}
{"id": "o", "ask": "search", "game": "tic-tac-toe", "moves": ["b2"], "avoid_moves": ["a1"], "playouts": 9}
{"id": "p", "ask": "solve", "game": "tic-tac-toe"}
{"id": "l", "game": "hex:4", "algorithm": "dfpn", "goal": "win", "every": 0.001, "nodes": 20000}
"#;

const ENDS: &str = r#"{"id": "x", "ask": "stop", "which": "g"}
{"id": "y", "ask": "stop"}
"#;

/// A client that talks with `analyze`.
struct Client {
    child: Child,
    output: BufReader<std::process::ChildStdout>,
}

impl Client {
    fn start(arguments: &str) -> Client {
        let mut child = Command::new(common::PROGRAM)
            .args(arguments.split(' '))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        Client { child, output }
    }

    fn say(&mut self, text: &str) {
        self.child.stdin.as_mut().unwrap().write_all(text.as_bytes()).unwrap();
    }

    fn hear(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        line
    }

    /// Hears up to a line that begins so; answers all of it.
    fn hear_until(&mut self, start: &str) -> String {
        let mut heard = String::new();
        loop {
            let line = self.hear();
            assert!(!line.is_empty(), "no line begins with {start}: {heard}");
            heard += &line;
            if line.starts_with(start) {
                return heard;
            }
        }
    }

    /// Ends the input; answers the exit status, the rest of the output and the errors.
    fn end(mut self) -> (Option<i32>, String, String) {
        drop(self.child.stdin.take());
        let (mut rest, mut errors) = (String::new(), String::new());
        self.output.read_to_string(&mut rest).unwrap();
        self.child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
        (self.child.wait().unwrap().code(), rest, errors)
    }
}

#[test]
fn queries_and_answers_keep_to_the_schema() {
    let folder = std::env::temp_dir().join(format!("proofwood-schema-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let trees = folder.join("trees");
    let command = format!("analyze --jobs 1 --threads 1 --trees {}", trees.display());
    let mut client = Client::start(&command);
    client.say(QUERIES);
    let mut answers = Vec::new();
    // All but those that have an hour are answered.
    let final_of = |answers: &[Value], id: &str| {
        let answers = answers.iter().filter(|a| a["id"] == id && a["done"] == true);
        answers.count()
    };
    let mut reports = 0;
    while reports < 2 {
        let answer: Value = serde_json::from_str(&client.hear()).unwrap();
        reports += usize::from(answer["id"] == "g" && answer["done"] == false);
        answers.push(answer);
    }
    client.say(ENDS);
    let (status, rest, errors) = client.end();
    assert_eq!((status, errors.as_str()), (Some(0), ""));
    answers.extend(documents(&rest));
    for id in ["a", "c", "e", "g", "h", "i", "j", "k", "l", "m", "o", "p"] {
        assert_eq!(final_of(&answers, id), 1, "{id}: {answers:#?}");
    }
    assert_eq!(final_of(&answers, "b"), 2);
    let of = |id: &str| answers.iter().rfind(|a| a["id"] == id).unwrap();
    assert_eq!(of("d")["field"], "moves");
    assert_eq!(of("h")["no_results"], true);
    assert_eq!(
        (&of("m")["saved_tree"], &of("n")["field"]),
        (&json!("m.tree"), &json!("load_tree"))
    );
    assert_eq!((&of("c")["proven"], &of("c")["algorithm"]), (&json!("loss"), &json!("dfpn")));
    assert_eq!((&of("f")["field"], &of("x")["stopped"]), (&json!("foo"), &json!(true)));

    let (_, schema, _) = run("analyze --schema");
    fs::write(folder.join("schema.json"), schema).unwrap();
    let lines: Vec<String> = answers.iter().map(Value::to_string).collect();
    fs::write(folder.join("answers"), lines.join("\n")).unwrap();
    // All of them are queries but two.
    let wrong = |line: &&str| line.contains("../") || line.contains("foo");
    let queries: Vec<&str> = QUERIES.lines().filter(|line| !wrong(line)).collect();
    fs::write(folder.join("queries"), format!("{}\n{ENDS}", queries.join("\n"))).unwrap();
    let check = r##"
import json, sys
try:
    import jsonschema
except ImportError:
    sys.exit(77)
schema = json.load(open("schema.json"))
jsonschema.Draft202012Validator.check_schema(schema)
def validator(part):
    return jsonschema.Draft202012Validator({"$ref": "#/$defs/" + part, "$defs": schema["$defs"]})
for kind, name in [("query", "queries"), ("answer", "answers")]:
    for line in open(name):
        if line.strip():
            validator(kind).validate(json.loads(line))
for wrong in [{}, {"id": "a", "done": False}, {"id": "a", "done": True, "error": 1}]:
    assert not validator("answer").is_valid(wrong), wrong
assert not validator("query").is_valid({"id": "a", "foo": 1})
"##;
    let python = std::env::var("PROOFWOOD_PYTHON").unwrap_or_else(|_| "python3".into());
    let checked = Command::new(python).args(["-c", check]).current_dir(&folder).output();
    let _ = fs::remove_dir_all(&folder);
    match checked {
        Ok(output) if output.status.success() => {}
        Ok(output) if output.status.code() != Some(77) => {
            panic!("{}", String::from_utf8_lossy(&output.stderr))
        }
        _ => eprintln!("skipped: there is no python3 with jsonschema"),
    }
}

#[test]
fn priorities_come_first() {
    let mut client = Client::start("analyze tic-tac-toe --jobs 1 --threads 1");
    // The first keeps the one worker busy until all others wait.
    client.say("{\"id\": \"busy\", \"game\": \"othello\", \"time\": \"1h\"}\n");
    for (id, priority) in [("low", -1), ("middle", 0), ("high", 9), ("middle too", 0)] {
        let query = json!({ "id": id, "priority": priority, "playouts": 1 });
        client.say(&format!("{query}\n"));
    }
    client.say("{\"id\": \"end\", \"ask\": \"stop\", \"which\": \"busy\"}\n");
    let (_, rest, _) = client.end();
    let ids: Vec<String> = documents(&rest)
        .iter()
        .map(|answer| answer["id"].as_str().unwrap().to_string())
        .filter(|id| id != "end" && id != "busy")
        .collect();
    assert_eq!(ids, ["high", "middle", "middle too", "low"]);
}

#[test]
fn many_positions_are_answered_once_each() {
    let queries: String = (0..2000)
        .map(|id| format!("{{\"id\": {id}, \"moves\": \"b2\", \"turns\": [0, 1]}}\n"))
        .collect();
    let (status, output, errors) =
        run_with_input("analyze tic-tac-toe --jobs 3 --playouts 2", &queries);
    assert_eq!((status, errors.as_str()), (0, ""));
    let mut seen: Vec<(u64, u64)> = documents(&output)
        .iter()
        .map(|a| (a["id"].as_u64().unwrap(), a["turn"].as_u64().unwrap()))
        .collect();
    seen.sort_unstable();
    let all: Vec<(u64, u64)> = (0..2000).flat_map(|id| [(id, 0), (id, 1)]).collect();
    assert_eq!(seen, all);
}

/// A generator of bytes that are the same each time.
struct Noise(u64);

impl Noise {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }
}

/// What a line may be made from.
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

/// So many bytes of lines: random ones, mutated ones, and some as they should be.
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
        // These end the input, or wait for more of it.
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

/// Runs a mouth on nonsense; nothing ends it but the end of the input.
fn survives(arguments: &str, seed: u64, bytes: usize) {
    let input = nonsense(seed, bytes);
    let lines = input.split(|&b| b == b'\n').count();
    let output = common::proofwood(arguments).write_stdin(input).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), &*errors), (Some(0), ""), "{arguments} seed {seed}");
    let text = String::from_utf8(output.stdout).expect("answers are text");
    assert!(!text.contains("internal error"), "{arguments} seed {seed}");
    if arguments.starts_with("analyze") {
        for answer in documents(&text) {
            assert!(answer.get("id").is_some(), "{answer}");
        }
    }
    assert!(lines > 10 && !text.is_empty());
}

/// `PROOFWOOD_NONSENSE=1e7` has each mouth hear so many bytes.
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
fn a_finished_game_takes_passes_and_gives_them_back() {
    let said = "play b a1\nplay w b1\nplay b a2\nplay w b2\nplay b a3\n\
        genmove w\nplay b pass\nfinal_score\nundo\nundo\nundo\n\
        gogui-rules_side_to_move\nplay b a3\nplay w c3\n";
    let (status, output, _) = run_with_input("gtp tic-tac-toe --playouts 5 --threads 1", said);
    let answers: Vec<&str> = output.split("\n\n").map(str::trim).collect();
    assert_eq!(status, 0);
    assert_eq!(answers[5..8], ["= pass", "=", "= B+1"]);
    assert_eq!(answers[11..13], ["= black", "="]);
    assert!(answers[13].starts_with("? the game is over"), "{output}");
}

#[test]
fn players_of_hex_change_sides() {
    let (_, output, _) = run_with_input(
        "gtp hex:3 --playouts 20 --threads 1",
        "play w swap-pieces\nplay b a3\nplay w swap-pieces\nproofwood-position\n\
         play w swap-pieces\nundo\nundo\nplay b a3\nplay w swap\nplay w b2\nplay b swap\n",
    );
    let answers: Vec<&str> = output.split("\n\n").map(str::trim).collect();
    // Before the first stone, a second time, and later there is nothing to swap.
    for at in [0, 4, 10] {
        assert!(answers[at].starts_with('?'), "{at}: {output}");
    }
    assert_eq!(answers[3], "= .../.../X.. O");
    for at in [1, 2, 5, 6, 7, 8, 9] {
        assert_eq!(answers[at], "=", "{at}: {output}");
    }
}

#[test]
fn connect_four_has_a_board_of_points() {
    let (_, output, _) = run_with_input(
        "gtp connect-four --playouts 50 --threads 1",
        "gogui-rules_board_size\nplay b d1\nplay w 4\nplay b d5\nplay b d3\n\
         gogui-rules_legal_moves\ngogui-rules_board\ngenmove w\nproofwood-line\n",
    );
    let answers: Vec<&str> = output.split("\n\n").map(str::trim).collect();
    assert_eq!(answers[..3], ["= 7 6", "=", "="]);
    assert!(answers[3].starts_with("? 'd5' is not a legal move"), "{output}");
    assert_eq!(answers[5], "= a1 b1 c1 d4 e1 f1 g1");
    let rows: Vec<&str> = answers[6].lines().collect();
    assert_eq!(rows[3..], [". . . X . . .", ". . . O . . .", ". . . X . . ."]);
    let is_point = |text: &str| {
        let (column, row) = text.split_at(1);
        ("a"..="g").contains(&column) && (1..=6).contains(&row.parse::<u32>().unwrap())
    };
    assert!(is_point(answers[7].strip_prefix("= ").unwrap()), "{output}");
    assert!(answers[8].strip_prefix("= ").unwrap().split(' ').all(is_point), "{output}");
}

#[test]
fn long_lines_are_refused_and_the_next_is_answered() {
    let long = format!("{}\n{{\"id\": \"b\", \"playouts\": 1}}\n", "x".repeat(3 << 20));
    let (status, output, _) = run_with_input("analyze tic-tac-toe", &long);
    let answers = documents(&output);
    assert_eq!((status, answers.len()), (0, 2));
    assert!(answers[0]["error"].as_str().unwrap().contains("longer"));
    let deep = format!("{}\n", "[".repeat(100_000));
    let (status, output, _) = run_with_input("analyze tic-tac-toe", &deep);
    assert_eq!((status, documents(&output).len()), (0, 1));
}

/// What goes on until it is told to stop stops at the end of the input, too.
#[test]
fn endless_searches_end_with_the_input() {
    for (arguments, input, last) in [
        ("gtp othello --threads 1", "lz-analyze b 1\n", ""),
        ("uci breakthrough --threads 1", "go infinite\n", "bestmove "),
        ("ugi othello --threads 1", "go infinite\n", "bestmove "),
    ] {
        let (status, output, errors) = run_with_input(arguments, input);
        assert_eq!((status, errors.as_str()), (0, ""), "{arguments}");
        assert!(output.lines().last().unwrap().starts_with(last), "{arguments}: {output}");
    }
}

/// A GUI that steps through a game writes all this at once.
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
        // Nine searches were asked for. One that missed its stop would be waited for here.
        for _ in 0..8 {
            client.hear_until("bestmove ");
        }
        client.say("quit\n");
        let (status, rest, _) = client.end();
        assert_eq!((status, rest.matches("bestmove ").count()), (Some(0), 0), "{mouth}: {rest}");
    }
}

#[test]
fn a_search_that_ponders_moves_after_the_hit() {
    for (mouth, greeting, go, hit) in [
        ("uci breakthrough", "uci\n", "go ponder wtime 500 btime 500\n", "ponderhit\n"),
        ("uci breakthrough", "uci\n", "go ponder\n", "ponderhit\n"),
        ("ugi ataxx", "ugi\n", "go ponder p1time 500 p2time 500\n", "ponderhit\n"),
        ("uci", "usi\n", "go ponder btime 500 wtime 500\n", "ponderhit btime 300 wtime 300\n"),
        // The value is known at once, and the move is told when the clock runs.
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
        assert_eq!(client.end().0, Some(0), "{mouth}");
    }
}

/// An engine does not outlive its GUI.
#[test]
fn limits_that_are_far_off_end_with_the_input() {
    for (mouth, said) in [
        ("uci breakthrough --time 20ms", "go nodes 1000000000000\n"),
        ("ugi othello --time 20ms", "go movetime 1000000000\ngo p1time 1000000000\n"),
        ("ugi othello --playouts 20", "go nodes 1000000000000\n"),
        ("uci minishogi --time 20ms", "go mate infinite\n"),
        ("gtp othello --time 20ms", "time_settings 1000000000 0 0\ngenmove b\n"),
    ] {
        let (status, output, errors) = run_with_input(mouth, said);
        assert_eq!((status, errors.as_str()), (0, ""), "{mouth}");
        assert!(!output.is_empty(), "{mouth}");
    }
    // A limit of the command line is kept.
    let (_, output, _) = run_with_input("ugi tic-tac-toe --playouts 3000 --solver off", "go\n");
    assert!(output.contains(" nodes 3000 "), "{output}");
}

/// The lines of a session without those of its introduction.
fn session(mouth: &str, said: &str) -> Vec<String> {
    let (status, output, errors) = run_with_input(mouth, said);
    assert_eq!((status, errors.as_str()), (0, ""), "{mouth}");
    let lines = output.lines().filter(|line| !line.starts_with("option ")).map(str::to_string);
    lines.collect()
}

#[test]
fn moves_that_are_not_to_be_searched_are_not_played() {
    // a3 wins at once.
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
    // What cannot be restricted so has no move.
    for go in ["go searchmoves P@a1", "go searchmoves", "go nodes 5 searchmoves x P@c3"] {
        let lines = session(mouth, &format!("{begin}{go}\n"));
        assert!(lines[0].starts_with("info string "), "{go}: {lines:?}");
        assert_eq!(lines[1..], ["bestmove 0000"], "{go}");
    }
    let lines = session("ugi tic-tac-toe --playouts 300", "go searchmoves c3\n");
    assert!(lines.last().unwrap().starts_with("bestmove c3"), "{lines:?}");
    // Words that change nothing do not keep the clock from being read.
    let lines = session(mouth, "go rtime 5 nodes 7\n");
    assert!(lines[0].starts_with("info string go ") && lines.concat().contains(" nodes 7 "));
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

/// Says a text, and answers what is heard up to a line that begins so.
fn talk(mouth: &str, said: &str, answer: &str) -> String {
    let mut client = Client::start(mouth);
    client.say(said);
    let heard = client.hear_until(answer);
    client.say("quit\n");
    assert_eq!(client.end().0, Some(0), "{mouth}");
    heard
}

/// A mate in one: gold to 3b.
const MATE: &str = "position sfen 2k2/5/2P2/5/2K2 b RG 1\n";

#[test]
fn shogi_programs_are_answered_as_they_expect() {
    // Without a game `usi` means minishogi, unless the other side chooses another.
    let (_, output, _) = run_with_input("uci --threads 1", "usi\n");
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

/// PowerShell writes one before the first line.
#[test]
fn a_byte_order_mark_is_no_text() {
    for (mouth, said, answer) in [
        ("gtp tic-tac-toe", "1 name\n", "=1 Proofwood"),
        ("uci", "isready\n", "readyok"),
        ("ugi hex:3", "isready\n", "readyok"),
        ("analyze", "{\"id\": 1, \"ask\": \"version\"}\n", "\"version\""),
        ("play tic-tac-toe --playouts 5", "b2\nquit\n", "b2"),
    ] {
        let (status, output, errors) = run_with_input(mouth, &format!("\u{feff}{said}"));
        assert_eq!(status, 0, "{mouth}: {errors}");
        assert!(output.contains(answer) && !output.contains("nknown"), "{mouth}: {output}");
        assert_eq!(errors, "", "{mouth}");
    }
}

/// A counter that the game refuses is not left out.
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

/// The answers to commands, without the empty lines between them.
fn commands(mouth: &str, said: &str) -> Vec<String> {
    let (status, output, errors) = run_with_input(mouth, said);
    assert_eq!((status, errors.as_str()), (0, ""), "{mouth}");
    output.split_terminator("\n\n").map(|answer| answer.trim().to_string()).collect()
}

#[test]
fn words_behind_an_analysis_are_honoured_or_refused() {
    let mouth = "gtp tic-tac-toe --playouts 400 --threads 1";
    let begin = "play b a1\nplay w b1\nplay b a2\nplay w b2\n";
    let after = |words: &str| {
        let all = commands(mouth, &format!("{begin}{words}\n"));
        all[4].clone()
    };
    let moves = |text: &str| text.matches("info move ").count();
    for words in ["lz-analyze b 1", "kata-analyze 1 ownership true pvVisits true rootInfo false"] {
        let text = after(words);
        assert!(text.starts_with('=') && text.contains("info move a3"), "{words}: {text}");
    }
    for words in ["lz-genmove_analyze b 100 avoid b a3 1", "genmove_analyze b avoid b a3,c1 1"] {
        let text = after(words);
        assert!(text.contains("\nplay ") && !text.contains("move a3"), "{words}: {text}");
        assert!(!text.contains("\nplay a3"), "{words}: {text}");
    }
    let text = after("kata-genmove_analyze b 100 allow b c1,c3 1");
    assert!(text.contains("\nplay c") && !text.contains("move a3"), "{text}");
    for (words, count) in [("maxmoves 2", 2), ("maxmoves 20 minmoves 9", 9)] {
        let text = &commands(mouth, &format!("kata-genmove_analyze b 100 {words}\n"))[0];
        assert_eq!(moves(text.lines().nth(1).unwrap()), count, "{words}: {text}");
    }
    for (words, why) in [
        ("lz-analyze b 10 avoid b a3 5", "should be 1"),
        ("lz-analyze avoid w a3 1", "it is the turn of black"),
        ("lz-analyze avoid b a1 1", "not a legal move"),
        ("lz-analyze allow b c1 1 avoid b c1 1", "no move is left"),
        ("kata-analyze minmoves many", "minmoves needs"),
        ("kata-analyze ownership", "ownership needs"),
        ("kata-analyze nonsense true", "'nonsense' is no player"),
    ] {
        let text = after(words);
        assert!(text.starts_with('?') && text.contains(why), "{words}: {text}");
    }
    // The last line of play is foreseen: there are no playouts, and there is a move.
    let foreseen = "play b b2\nplay w a1\nplay b c3\nplay w c1\nplay b a3\nplay w b3\nplay b c2\n";
    let all = commands(mouth, &format!("{foreseen}lz-analyze w 10\n"));
    assert!(all[7].contains("info move "), "{all:?}");
}

#[test]
fn clocks_and_sequences_are_read_in_full() {
    let all = commands(
        "gtp tic-tac-toe --playouts 5",
        "kata-list_time_settings\nkata-time_settings byoyomi 300 30 5\ntime_left b 30 5\n\
         kgs-time_settings none\ntime_left b 0 0\nreg_genmove b\nkata-time_settings fischer 5 5\n\
         kgs-time_settings byoyomi 10 2\ngogui-version 1.6\n\
         gogui-play_sequence b a1 w b1 w a2\ngogui-play_sequence b a2 w b1\nplay w c3\n",
    );
    assert_eq!(all[0], "= none absolute byoyomi canadian");
    assert!(all[6].contains("'fischer' should be"), "{all:?}");
    assert!(all[7].starts_with('?') && all[8] == "=", "{all:?}");
    // A sequence is played in full or not at all.
    assert!(all[9].starts_with('?') && all[10] == "=", "{all:?}");
    assert!(all[11].contains("it is the turn of black; proofwood-set_position"), "{all:?}");
}

/// What `analyze` answers to a query with these fields.
fn asked(fields: &str) -> Value {
    let query = format!("{{\"id\": \"q\", {fields}}}\n");
    let mouth = "analyze tic-tac-toe --threads 1 --playouts 20";
    let (status, output, errors) = run_with_input(mouth, &query);
    assert_eq!((status, errors.as_str()), (0, ""), "{fields}");
    let answer = documents(&output).pop().unwrap();
    assert_eq!(answer["id"], "q", "{fields}: {answer}");
    answer
}

/// Each error names the field as the query does.
#[test]
fn errors_name_their_fields() {
    for (fields, field) in [
        (r#""playouts": -1"#, "playouts"),
        (r#""playouts": 1.5"#, "playouts"),
        (r#""playouts": 0"#, "playouts"),
        (r#""time": "abc""#, "time"),
        (r#""cpu_time": -1"#, "cpu_time"),
        (r#""bytes": "many""#, "bytes"),
        (r#""options": {"c-pn": "abc"}"#, "options"),
        (r#""options": {"nonsense": 1}"#, "options"),
        (r#""options": {"theta": 0.5}"#, "options"),
        (r#""options": {"preset": "none"}"#, "options"),
        (r#""options": ["c"]"#, "options"),
        (r#""algorithm": "magic""#, "algorithm"),
        (r#""algorithm": "dfpn", "playouts": 20"#, "playouts"),
        (r#""ask": "search", "algorithm": "dfpn""#, "algorithm"),
        (r#""ask": "think""#, "ask"),
        (r#""ask": "stop", "turns": "all""#, "turns"),
        (r#""ask": "stop", "wich": "a""#, "wich"),
        (r#""goal": "magic""#, "goal"),
        (r#""time": 1e400"#, "time"),
        (r#""options": {"c": 1e400}"#, "options"),
        (r#""load_tree": "none""#, "load_tree"),
        (r#""moves": "b2 b2""#, "moves"),
        (r#""moves": [["x", "b2"]]"#, "moves"),
        (r#""every": 0"#, "every"),
        (r#""turns": [1]"#, "turns"),
        (r#""allow_moves": []"#, "allow_moves"),
        (r#""allow_moves": "b2""#, "allow_moves"),
        (r#""avoid_moves": ["d4"]"#, "avoid_moves"),
        (r#""analyzeTurns": [0]"#, "analyzeTurns"),
    ] {
        let answer = asked(fields);
        assert_eq!(answer["field"], field, "{fields}: {answer}");
        let error = answer["error"].as_str().unwrap_or_else(|| panic!("{fields}: {answer}"));
        assert!(!error.starts_with('-') && answer["done"] == true, "{answer}");
    }
}

#[test]
fn solving_needs_no_algorithm() {
    let solved = asked(r#""ask": "solve", "time": "60s""#);
    assert_eq!((&solved["proven"], &solved["algorithm"]), (&json!("draw"), &json!("auto")));
}

#[test]
fn moves_are_allowed_and_avoided() {
    // a3 wins at once.
    let begin = r#""moves": "a1 b1 a2 b2", "#;
    let (allowed, avoided) = (r#"["c1", "c3"]"#, r#"["a3"]"#);
    for (fields, moves) in [
        (format!("{begin}\"allow_moves\": {allowed}"), 2),
        (format!("{begin}\"avoid_moves\": {avoided}"), 4),
        (format!("{begin}\"allow_moves\": {allowed}, \"avoid_moves\": {avoided}"), 2),
        (format!("{begin}\"turns\": [4], \"avoid_moves\": {avoided}"), 4),
    ] {
        let answer = asked(&fields);
        let known = answer["moves"].as_array().unwrap_or_else(|| panic!("{answer}"));
        assert_eq!(known.len(), moves, "{fields}");
        assert!(known.iter().all(|known| known["move"] != "a3"), "{fields}");
        assert_ne!(answer["best_move"], "a3");
    }
    for other in ["\"algorithm\": \"gpn\"", "\"turns\": [0, 4]"] {
        let answer = asked(&format!("{begin}\"avoid_moves\": {avoided}, {other}"));
        assert_eq!(answer["field"], "avoid_moves", "{other}: {answer}");
    }
}

#[test]
fn bad_command_lines_are_refused() {
    for (arguments, said) in [
        ("analyze no-such-game", "there is no game"),
        ("analyze --playouts many", "--playouts"),
        ("analyze --c-pn many", "c-pn"),
        ("analyze --algorithm magic", "--algorithm"),
        ("gtp", "GAME"),
        ("gtp no-such-game", "there is no game"),
        ("ugi othello --time 0", "--time"),
        ("uci hex", "UCI has no name for this game"),
    ] {
        let complaint = common::complaint(arguments, 2);
        assert!(complaint.contains(said), "{arguments}: {complaint}");
    }
}

#[cfg(unix)]
mod ends {
    use super::*;

    fn interrupt(client: &Client) {
        let id = client.child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    }

    #[test]
    fn an_interrupt_ends_all_queries_with_what_is_known() {
        let mut client = Client::start("analyze othello --jobs 1 --threads 1 --time 1h");
        client.say("{\"id\": \"a\", \"every\": 0.01}\n{\"id\": \"b\"}\n");
        client.hear();
        interrupt(&client);
        // The input stays open.
        let mut rest = String::new();
        client.output.read_to_string(&mut rest).unwrap();
        assert_eq!(client.child.wait().unwrap().code(), Some(130));
        let answers = documents(&rest);
        let last = |id: &str| answers.iter().rfind(|a| a["id"] == id).unwrap();
        assert_eq!(last("a")["stop_reason"], "cancelled");
        // Where the second came before the signal, it has an answer, too.
        assert!(answers.iter().filter(|a| a["id"] == "b").all(|b| b["no_results"] == true));
    }

    /// However the program ends, a tree is there in full, and no half of one.
    #[test]
    fn queries_that_are_ended_leave_their_trees() {
        let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("ended-trees");
        let _ = fs::remove_dir_all(&folder);
        let command = format!(
            "analyze othello --jobs 1 --threads 1 --memory 64M --time 1h --trees {}",
            folder.display()
        );
        let begin = |name: &str| {
            let mut client = Client::start(&command);
            let query = json!({ "id": 1, "save_tree": name, "every": 0.01 });
            client.say(&format!("{query}\n"));
            assert!(client.hear().contains("\"done\""));
            client
        };
        let mut interrupted = begin("interrupted");
        interrupt(&interrupted);
        let mut rest = String::new();
        interrupted.output.read_to_string(&mut rest).unwrap();
        assert_eq!(interrupted.child.wait().unwrap().code(), Some(130));
        assert_eq!(documents(&rest).last().unwrap()["saved_tree"], "interrupted");
        let mut terminated = begin("terminated");
        terminated.say("{\"id\": 2, \"ask\": \"stop\"}\n");
        assert_eq!(terminated.end().0, Some(0));
        let Client { mut child, output } = begin("unheard");
        drop(output);
        assert_eq!(child.wait().unwrap().code(), Some(0));
        let mut names: Vec<_> =
            fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, ["interrupted", "terminated", "unheard"]);
        for name in names {
            let query = json!({ "id": 1, "load_tree": name.to_str(), "playouts": 1 });
            let (_, output, _) = run_with_input(&command, &format!("{query}\n"));
            assert!(documents(&output)[0]["moves"].is_array(), "{output}");
        }
    }

    #[test]
    fn a_client_that_does_not_read_cannot_keep_the_program() {
        let mut client = Client::start("analyze othello --jobs 2 --playouts 1");
        let query = "{\"id\": \"a\", \"turns\": [0]}\n";
        // As much as the pipes and the program's own limits take, and no more.
        let mut input = client.child.stdin.take().unwrap();
        let writer = std::thread::spawn(move || while input.write_all(query.as_bytes()).is_ok() {});
        // An answer says that signals are caught.
        client.hear();
        interrupt(&client);
        assert_eq!(client.child.wait().unwrap().code(), Some(130));
        writer.join().unwrap();
    }

    #[test]
    fn a_closed_pipe_ends_the_program() {
        for (arguments, said) in [
            ("analyze othello --playouts 1", "{\"id\": \"a\"}\n"),
            ("gtp othello --playouts 1", "name\n"),
            ("ugi othello --playouts 1", "isready\n"),
        ] {
            let Client { mut child, output } = Client::start(arguments);
            drop(output);
            let mut input = child.stdin.take().unwrap();
            while input.write_all(said.as_bytes()).is_ok() {}
            assert_eq!(child.wait().unwrap().code(), Some(0), "{arguments}");
        }
    }

    #[test]
    fn an_interrupt_ends_a_game() {
        for (arguments, said, answer) in [
            ("gtp othello --time 1h", "name\ngenmove b\n", "= "),
            ("uci breakthrough --time 1h", "isready\ngo\n", "bestmove "),
        ] {
            let mut client = Client::start(arguments);
            client.say(said);
            client.hear();
            std::thread::sleep(std::time::Duration::from_millis(100));
            interrupt(&client);
            let mut rest = String::new();
            client.output.read_to_string(&mut rest).unwrap();
            assert_eq!(client.child.wait().unwrap().code(), Some(130), "{arguments}");
            assert!(rest.contains(answer), "{arguments}: {rest}");
        }
    }
}
