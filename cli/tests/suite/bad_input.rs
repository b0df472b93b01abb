//! Mistakes in the input: each is reported on one clear line, with the right status.

use crate::common::{self, complaint, documents, run, run_with_input};

#[test]
fn bad_input_is_named_on_one_line() {
    for (arguments, parts) in [
        ("search backgammmon", "there is no game 'backgammmon'"),
        ("show otello", "did you mean 'othello'?"),
        ("show connect-four:99x99", "99"),
        ("show othello:7", "4, 6 or 8"),
        ("search", "<GAME>"),
        ("solve", "give <GAME>, or --positions FILE"),
        ("replay", "give <GAME>, or --record FILE"),
        ("show otello", "did you mean 'othello'? `proofwood games` lists all games"),
        ("show chess", "'los-alamos', 'gardner', 'reach-chess' or 'skirmish'?"),
        ("show connect-four --moves 444444x", "move 7: 'x' is not a legal move here"),
        ("perft othello --depth -1", "should be a whole number from 0 to 1000"),
        ("perft othello --depth 1e3x", "should be a whole number from 0 to 1000"),
        ("match othello --a= --b= --games -3", "should be a whole number from 1 to 10000000"),
        (
            "solve othello --algorithm dfpn --tt 999999T",
            "--tt: '999999T' is more memory than the machine has",
        ),
        ("solve othello --algorithm dfpn --bytes 1M", "--tt sets its size"),
        (
            "solve othello --algorithm pns --checkpoint x",
            "needs auto, ab, dfpn, pds or df-ppns, not pns",
        ),
        (
            "solve othello --algorithm mcpns --playouts-per-leaf 1e9x",
            "'1e9x' should be a number of at least 1",
        ),
        ("solve othello --positions /dev/null", "/dev/null contains no positions"),
        ("sarch othello", "'search'"),
        ("search othello --threats 2", "'--threads'"),
        ("search othello --no-such-option 2", "'--no-such-option'"),
        ("search othello --threads 0", "--threads: '0' should be a number from 1 to 1024"),
        ("search othello --threads 1000000", "--threads"),
        ("search othello --bias best", "--bias: 'best' should be one of none, rank"),
        ("search othello --memory 1", "--memory: '1' should be a number of bytes"),
        #[cfg(target_os = "linux")]
        (
            "search othello --memory 1000T",
            "--memory: '1000T' is more memory than the machine has: ",
        ),
        #[cfg(target_os = "linux")]
        ("solve othello --algorithm pns --memory 1000T", "--memory: '1000T' is more memory than"),
        ("search othello --c nan", "--c: 'nan' should be a number from 0 to 1000"),
        ("search othello --widen 4", "there is no option '--widen' here"),
        ("search othello --goal score --score-bounds off", "--score-bounds on"),
        ("search pig --moves roll,7", "move 2: '7' is not a legal move here; legal moves: 1 2 3"),
        ("search othello --time 0", "--time: '0' should be"),
        ("search othello --time -1", "--time: '-1' should be"),
        ("search othello --time nan", "--time: 'nan' should be"),
        ("search othello --time 1e300", "--time: '1e300' should be"),
        ("search othello --time soon", "--time: 'soon' should be"),
        ("search othello --playouts 0", "--playouts: '0' should be"),
        ("search othello --playouts 1e300", "--playouts: '1e300' should be"),
        ("search othello --playouts -5", "--playouts: '-5' should be"),
        ("search othello --nodes 0", "--nodes: '0' should be"),
        ("search othello --bytes 0", "--bytes: '0' should be"),
        ("show connect-four --moves 4444444", "move 7: '4' is not a legal move here"),
        ("show connect-four --moves 48", "move 2: '8' is not a legal move here"),
        ("show connect-four --moves 11223344", "move 8: the game is over before the move '4'"),
        ("replay othello --moves f5_a1", "move 2: 'a1' is not a legal move here; legal moves:"),
        ("show othello --position xyz", "cannot read the position: "),
        ("show tic-tac-toe --position xxx/ooo/...", "cannot read the position: "),
        ("perft othello", "--depth"),
        ("perft othello --depth deep", "--depth"),
        ("perft othello --depth 100000", "--depth"),
        ("games nothing", "there is no game 'nothing'; `proofwood games` lists all games"),
        ("replay othello --moves-file /no/such/file", "cannot read /no/such/file: "),
        ("solve othello --positions /no/such/file", "cannot read /no/such/file: "),
        ("solve othello --positions x --moves f5", "--moves"),
        (
            "solve othello --algorithm best",
            "'best' is not a known algorithm; choose one of auto, ab, dfpn, pds, df-ppns, pns, \
             pn2, mcpns, ppns or gpn",
        ),
        (
            "solve othello --algorithm dfpn --c-pn 1",
            "--c-pn applies to --algorithm gpn, not to dfpn",
        ),
        (
            "solve othello --algorithm dfpn --goal money",
            "'money' is not a known goal; choose one of outcome, win",
        ),
        ("solve othello --algorithm dfpn --memory 64M", "not to dfpn; --tt sets the size"),
        ("solve othello --algorithm pds --preset uct", "--preset applies to --algorithm gpn, not"),
        ("solve othello --algorithm pns --seed 1", "--seed has no effect on pns; leave it out"),
        ("solve othello --algorithm ppns --mobility on", "not to ppns"),
        ("solve othello --algorithm df-ppns --mobility on", "not to df-ppns"),
        ("solve othello --algorithm df-ppns --memory 1G", "--tt sets the size"),
        (
            "solve othello --algorithm dfpn --tt 3",
            "--tt: '3' should be a number of bytes such as 64M or 2G, at least 64",
        ),
        ("solve othello --algorithm dfpn --tt some", "'some' should be a number of bytes"),
        ("solve othello --algorithm dfpn --epsilon -1", "from 0 to 1000"),
        (
            "solve othello --algorithm dfpn --player 2",
            "--player: '2' should be a number from 0 to 1",
        ),
        ("solve othello --algorithm dfpn --playouts 10", "provers do not run playouts"),
        ("solve othello --algorithm gpn --tt 1M", "--tt applies to provers, not to gpn"),
        (
            "solve othello --algorithm gpn --goal draw-or-better",
            "--goal draw-or-better needs a prover",
        ),
        ("solve othello --algorithm gpn --goal win", "add --algorithm auto; gpn supports"),
        ("search hex --leaves game", "--leaves game: this game has no static evaluation"),
        ("search hex --leaves gmae", "'gmae' should be one of playouts, game, or a *.safetensors"),
        ("search othello --goal win", "--goal: 'win' should be one of outcome, score"),
    ] {
        let line = complaint(arguments, 2);
        assert!(line.contains(parts), "{arguments}: {line}");
    }
}

/// Checks that a command that moved to the laboratory is refused with an error that names its new
/// place.
#[test]
fn commands_of_the_laboratory_say_where_they_are() {
    for (arguments, name) in [
        ("reproduce table1 --best", "reproduce"),
        ("ladder othello", "ladder"),
        ("cactus results.jsonl --svg a.svg", "cactus"),
        ("bench deadline", "deadline"),
        ("bench proofs set.csv --json", "proofs"),
        ("scale othello --logical 4", "logical"),
        ("scale othello --machines=8", "machines"),
    ] {
        let line = complaint(arguments, 2);
        assert!(line.trim_end().ends_with(&format!("cargo lab -- {name}")), "{arguments}: {line}");
    }
    assert!(complaint("scale othello --svg a.svg", 2).contains("`proofwood-lab plot`"));
}

#[cfg(not(feature = "nets"))]
#[test]
fn networks_come_with_a_feature() {
    let line = complaint("search othello --leaves a.safetensors", 2);
    assert!(line.contains("--leaves: this program was built without networks"), "{line}");
}

#[test]
fn unwritable_files_are_found_before_the_search() {
    let line = complaint("search othello --time 1h --out /no/such/folder/x", 1);
    assert!(line.contains("cannot write to /no/such/folder/x: "), "{line}");
    let line = complaint("solve othello --positions - --out /no/such/folder/x", 1);
    assert!(line.contains("cannot write to /no/such/folder/x: "), "{line}");
}

#[test]
fn unwritable_files_are_found_before_hours_of_work() {
    let positions = std::env::temp_dir().join(format!("proofwood-{}.csv", std::process::id()));
    std::fs::write(&positions, "game,position\nconnect-four,44\n").unwrap();
    let file = positions.display();
    for command in [
        "scale othello --time 1h --csv".to_string(),
        "match othello --a= --b= --time 1h --csv".to_string(),
        "solve connect-four --certificate".to_string(),
        "tune othello --out".to_string(),
    ] {
        let line = complaint(&format!("{command} /dev/null/x"), 1);
        assert!(line.contains("cannot write to /dev/null/x"), "{command}: {line}");
    }
    let line = complaint(&format!("scale connect-four --positions {file} --csv {file}"), 2);
    assert!(line.contains("this is the input file"), "{line}");
    std::fs::remove_file(&positions).unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_a_failure() {
    let line = complaint("search tic-tac-toe --playouts 10 --out /dev/full", 1);
    assert!(line.contains("cannot write to /dev/full: "), "{line}");
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let output =
        std::process::Command::new(common::PROGRAM).arg("games").stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.contains("cannot write to standard output: "), "{errors}");
}

#[test]
fn results_do_not_replace_the_positions() {
    let path = std::env::temp_dir().join(format!("proofwood-{}.txt", std::process::id()));
    std::fs::write(&path, "112233\n").unwrap();
    let name = path.to_str().unwrap();
    let output = assert_cmd::Command::new(common::PROGRAM)
        .args(["solve", "connect-four", "--positions", name, "--out", name])
        .output()
        .unwrap();
    let kept = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(kept, "112233\n");
}

#[test]
fn bad_lines_are_answered_and_the_others_solved() {
    let input = "# three good lines among bad ones\n112233\n\n4444444\nhello\n1122334\n11223\n";
    let (status, output, errors) =
        run_with_input("solve connect-four --positions - --playouts 1e5 --json", input);
    assert_eq!(status, 2, "{errors}");
    let answers = documents(&output);
    let lines: Vec<u64> = answers.iter().map(|a| a["line"].as_u64().unwrap()).collect();
    assert_eq!(lines, [2, 4, 5, 6, 7]);
    assert_eq!(answers[0]["proven"], "win");
    assert!(answers[1]["error"].as_str().unwrap().contains("move 7"), "{output}");
    assert!(answers[2]["error"].is_string());
    assert_eq!(answers[3]["stop_reason"], "game-over");
    let complaints: Vec<&str> = errors.lines().collect();
    assert_eq!(complaints.len(), 2, "{errors}");
    assert!(complaints[0].starts_with("proofwood: standard input, line 4: "), "{errors}");
    assert!(complaints[1].starts_with("proofwood: standard input, line 5: "), "{errors}");

    let (status, output, _) =
        run_with_input("solve connect-four --positions - --playouts 1e5", input);
    assert_eq!(status, 2);
    assert!(output.contains("error: "), "{output}");
    assert!(output.contains("2 lines could not be answered"), "{output}");
}

/// Checks that moves are played from the position on the same line, and that unclear lines are
/// refused.
#[test]
fn positions_and_moves_go_together() {
    let solve = "solve connect-four --positions - --playouts 10 --json";
    let (status, output, errors) =
        run_with_input(solve, "id,position,moves\na,44,4\nb,,44\nc,44,\nd,44,9\n");
    assert_eq!(status, 2, "{errors}");
    let answers = documents(&output);
    let start = common::json("show connect-four --moves 444 --json");
    assert_eq!(answers[0]["position"], start["position"], "{output}");
    assert!(answers[1]["error"].as_str().unwrap().contains("the column position is empty"));
    let start = common::json("show connect-four --moves 44 --json");
    assert_eq!(answers[2]["position"], start["position"], "{output}");
    assert!(answers[3]["error"].as_str().unwrap().contains("move 1: '9'"), "{output}");

    for (text, why) in [
        ("id,moves,moves\na,44,33\n", "line 1: two columns could hold the moves"),
        ("id;moves\na;44\n", "line 1: this header separates columns with semicolons"),
        ("# set\nstones;turn\n44;x\n", "line 2: this line is neither a position nor a header"),
        ("stones\tturn\n44\tx\n", "line 1: this line is neither a position nor a header"),
    ] {
        let (status, output, errors) = run_with_input(solve, text);
        assert_eq!(status, 2, "{text}");
        assert_eq!(errors.lines().count(), 1, "{errors}");
        let [answer] = &documents(&output)[..] else { panic!("{output}") };
        assert!(answer["error"].as_str().unwrap().contains(why), "{output}");
        assert!(errors.contains(&format!("standard input, {why}")), "{errors}");
    }
}

#[test]
fn errors_do_not_repeat_endless_input() {
    let line = "4".repeat(100_000) + "x\n" + &"5".repeat(2 << 20) + "\n";
    for solve in ["solve connect-four --positions -", "solve connect-four --positions - --json"] {
        let (status, output, errors) = run_with_input(solve, &line);
        assert_eq!(status, 2);
        assert!(output.len() < 5000 && errors.len() < 5000, "{} {}", output.len(), errors.len());
        assert!(output.contains("this line is longer than 1048576 bytes"), "{output}");
    }
}

#[test]
fn lines_without_a_game_need_one() {
    let (status, output, errors) = run_with_input("solve --positions - --json", "112233\n");
    assert_eq!(status, 2);
    assert!(errors.contains("give the game"), "{errors}");
    assert_eq!(documents(&output).len(), 1);
}

#[test]
fn help_goes_to_standard_output_and_mistakes_do_not() {
    let (status, output, errors) = run("--help");
    assert_eq!((status, errors.as_str()), (0, ""));
    assert!(output.contains("Exit status:"));
    let (status, output, errors) = run("");
    assert_eq!((status, output.as_str()), (2, ""));
    assert!(errors.contains("Usage: proofwood"));
}

#[test]
fn bad_command_lines_are_refused() {
    for (arguments, said) in [
        ("analyze no-such-game", "there is no game"),
        ("analyze --playouts many", "--playouts"),
        ("analyze --c-pn many", "c-pn"),
        ("analyze --algorithm magic", "--algorithm"),
        ("analyze --trees /dev/null", "--trees"),
        ("gtp", "GAME"),
        ("gtp no-such-game", "there is no game"),
        ("ugi othello --time 0", "--time"),
        ("uci hex", "UCI has no name for this game"),
    ] {
        let complaint = common::complaint(arguments, 2);
        assert!(complaint.contains(said), "{arguments}: {complaint}");
    }
}
