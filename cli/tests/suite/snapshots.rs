//! Snapshots of the help of every command, and of one run of each. `INSTA_UPDATE=always` accepts
//! intended changes.

use crate::common::{self, complaint, outcome, proofwood, run};
use std::fs;
use tempfile::TempDir;

fn commands() -> Vec<String> {
    let (_, help, _) = run("--help");
    let (_, listed) = help.split_once("Play and analyse:\n").expect("a list of commands");
    let (listed, _) = listed.split_once("\nOptions:\n").expect("a list of options");
    let names = listed.lines().filter_map(|line| line.strip_prefix("  "));
    names.map(|line| line.split_whitespace().next().unwrap().to_string()).collect()
}

#[test]
fn every_command_helps() {
    let commands = commands();
    assert!(commands.len() > 15, "{commands:?}");
    for name in commands.iter().filter(|name| *name != "help") {
        let (status, help, errors) = run(&format!("{name} --help"));
        assert_eq!((status, errors.as_str()), (0, ""), "{name}");
        assert!(help.contains("Example"), "{name} teaches nothing");
        // Search options are the same everywhere; the snapshot of `search` shows them.
        let own = match help.split_once("\nSearch options:") {
            Some((own, _)) if name != "search" => own,
            _ => &help,
        };
        insta::assert_snapshot!(format!("help_of_{name}"), own);
    }
}

/// Removes everything except words. Figures depend on the machine, and so do units, widths of
/// columns, and warnings that the machine was busy.
fn words(text: &str) -> String {
    const UNITS: [&str; 10] = ["k", "M", "G", "µs", "ms", "s", "KiB", "MiB", "GiB", "%"];
    let figure = |word: &str| {
        !word.chars().any(|c| c.is_alphabetic() || "!?=_#:".contains(c)) || UNITS.contains(&word)
    };
    let line = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().filter(|word| !figure(word)).collect();
        words.join(" ") + "\n"
    };
    text.lines().filter(|line| !line.starts_with("The machine was busy:")).map(line).collect()
}

/// Checks the output of every command that ends by itself. `answers.rs` and `play.rs` have the
/// snapshots of `show`, `replay`, `games`, `search` and `play`.
#[test]
fn every_command_runs() {
    let folder = TempDir::new().unwrap();
    let runs = [
        ("perft", "perft connect-four --depth 4"),
        ("solve", "solve tic-tac-toe --algorithm dfpn --threads 1 --certificate draw.proof"),
        ("check", "check draw.proof"),
        ("solve_json", "solve tic-tac-toe -m a1,b2 --threads 1 --seed 1 --out results.jsonl"),
        ("match", "match tic-tac-toe --a= --b=--preset_uct --games 4 --playouts 20 --seed 1"),
        ("tune", "tune tic-tac-toe --games 8 --last 2 --playouts 20 --bias max --c-pn 0.1,1 --c 1"),
        ("scale", "scale tic-tac-toe --threads 1 --time 10ms --rounds 1"),
        ("bench", "bench connect-four:4x4 --playouts 300 --rounds 1 --threads 1"),
    ];
    for (name, arguments) in runs {
        let ran = proofwood(arguments).current_dir(folder.path()).output().expect("it starts");
        let (status, text, errors) = outcome(ran);
        assert_eq!((status, errors.as_str()), (0, ""), "{arguments}");
        assert!(!text.contains('\x1b'), "{name} has colours in a pipe");
        insta::assert_snapshot!(format!("run_of_{name}"), words(&text));
    }
}

#[test]
fn the_version_tells_what_is_there() {
    let (status, short, _) = run("-V");
    assert_eq!((status, short.lines().count()), (0, 1));
    let (_, long, _) = run("--version");
    assert!(long.starts_with(short.trim_end()), "{long}");
    let games = common::json("games --json").as_array().unwrap().len();
    for part in [&format!("{games}, up to 8 players"), "dfpn, pds", "format 1", "huge pages"] {
        assert!(long.contains(part), "{part}: {long}");
    }
}

/// Checks that each script names the program as its shell requires. The scripts are generated from
/// the definition of the command line, so no option can be missing.
#[test]
fn shells_can_complete_our_words() {
    for (shell, sign) in [
        ("bash", "complete -F _proofwood"),
        ("zsh", "#compdef proofwood"),
        ("fish", "complete -c proofwood"),
        ("elvish", "edit:completion"),
        ("powershell", "Register-ArgumentCompleter"),
    ] {
        let (status, script, errors) = run(&format!("completions {shell}"));
        assert_eq!((status, errors.as_str()), (0, ""));
        assert!(script.contains(sign), "{shell}");
        for word in ["c-pn", "certificate", "perft"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    assert!(complaint("completions csh", 2).contains("fish"));
}

#[test]
fn the_help_is_there_as_manual_pages() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().to_str().unwrap();
    let (status, output, errors) = run(&format!("man --out {path}"));
    assert_eq!((status, output.as_str(), errors.as_str()), (0, "", ""));
    for name in commands().iter().filter(|name| *name != "help") {
        let page = fs::read_to_string(folder.path().join(format!("proofwood-{name}.1"))).unwrap();
        assert!(page.contains(".SH NAME"), "{name}");
        assert_eq!(run(&format!("man {name}")).1, page, "{name}");
    }
    let all = fs::read_to_string(folder.path().join("proofwood.1")).unwrap();
    for part in [
        ".SH SYNOPSIS\nproofwood <COMMAND> [OPTIONS]\n",
        ".SH COMMANDS\n.SS Play and analyse\n.TP\n\\fBgames\\fR\n",
        ".SS Help and setup\n",
        "\nPrint the version\n",
        "\nUse colours",
        ".SH EXAMPLES\n.nf\nproofwood games",
        ".SH \"EXIT STATUS\"\n.nf\n0    done",
    ] {
        assert!(all.contains(part), "{part}: {all}");
    }
    let search = run("man search").1;
    for part in [".SH SYNOPSIS\nproofwood search [OPTIONS] <GAME>", ".SH \"EXIT STATUS\"\n0 with"] {
        assert!(search.contains(part), "{part}: {search}");
    }
    assert!(!all.contains("EXTRA") && !search.contains("EXTRA"));
    assert_eq!(run("man").1, all);
    assert!(!folder.path().join("proofwood-bench-sample.1").exists(), "that command is hidden");
    assert!(all.contains(&format!("\"proofwood {}\"", env!("CARGO_PKG_VERSION"))), "{all}");
    assert!(complaint("man serch", 2).contains("there is no command 'serch'"));
    assert!(complaint("man bench dead", 2).contains("'bench' has no command 'dead'"));
    assert!(complaint("man --out /dev/null", 1).contains("cannot write to /dev/null"));
    assert!(complaint(&format!("man search --out {path}"), 2).contains("--out"));
}
