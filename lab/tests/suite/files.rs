//! Tests of the files that the laboratory writes, and of interrupted runs.

use crate::common::{self, complaint, run};
use std::fs::{self, File};
use tempfile::TempDir;

const FOLDERS: [&str; 4] =
    ["ladder othello", "reproduce table1", "reproduce ppns", "reproduce df-pn"];

/// Returns commands that write a file, up to the name of that file. Creates the files that they
/// read.
fn writers(folder: &TempDir) -> [String; 4] {
    let file = |name: &str| folder.path().join(name).display().to_string();
    let (set, results) = (file("set.csv"), file("results.jsonl"));
    fs::write(&set, "id,moves\na,112233\n").unwrap();
    fs::write(&results, "{\"line\":2,\"solved\":true,\"seconds\":0.5}\n").unwrap();
    [
        format!("proofs {set} --game connect-four --runs 1 --time 1ms --threads 1 --tt 1M --csv"),
        format!("cactus {results} --svg"),
        format!("cactus {results} --json --svg"),
        format!("plot {results} --across line --up seconds --svg"),
    ]
}

#[test]
fn nothing_that_exists_is_replaced_unasked() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("diary");
    for command in writers(&folder) {
        fs::write(&file, "a diary").unwrap();
        let line = complaint(&format!("{command} {}", file.display()), 2);
        assert!(line.contains("diary already exists: "), "{command}: {line}");
        assert_eq!(fs::read_to_string(&file).unwrap(), "a diary", "{command}");
        let (status, _, errors) = run(&format!("{command} {} --force", file.display()));
        assert_eq!((status, errors.as_str()), (0, ""), "{command}");
        assert!(!fs::read(&file).unwrap().starts_with(b"a diary"), "{command}");
    }
    // Without the option they write nothing.
    for command in [
        "ladder tic-tac-toe --games 2 --over playouts --values 5,10",
        "reproduce table1 reversi --formulas rank --c-pn 0 --playouts 2 --games 2",
    ] {
        let folder = TempDir::new().unwrap();
        let ran = common::proofwood(command).current_dir(folder.path()).output().unwrap();
        assert!(ran.status.success(), "{command}: {ran:?}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "{command}");
    }
}

#[test]
fn folders_of_others_are_left_alone() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("diary"), "a diary").unwrap();
    for command in FOLDERS {
        let line = complaint(&format!("{command} --out {}", folder.path().display()), 2);
        let why = "no record of an earlier run";
        assert!(line.contains(why) && line.contains("--force"), "{command}: {line}");
    }
    let folder = TempDir::new().unwrap();
    let first = File::create(folder.path().join(".lock")).unwrap();
    first.lock().unwrap();
    for command in FOLDERS {
        let line = complaint(&format!("{command} --out {}", folder.path().display()), 2);
        assert!(line.contains("another process is writing to this folder"), "{command}: {line}");
    }
}

#[test]
fn unwritable_files_are_found_before_hours_of_work() {
    let folder = TempDir::new().unwrap();
    let writers = writers(&folder).into_iter();
    let folders = FOLDERS.iter().map(|command| format!("{command} --out"));
    for command in writers.chain(folders) {
        let line = complaint(&format!("{command} /dev/null/x"), 1);
        assert!(line.contains("cannot write to /dev/null/x"), "{command}: {line}");
    }
}

#[cfg(unix)]
mod ending {
    use crate::common;
    use std::process::{Child, Command, Stdio};
    use std::thread::sleep;
    use std::time::Duration;

    fn start(arguments: &str) -> Child {
        Command::new(common::PROGRAM)
            .args(arguments.split(' '))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    }

    fn interrupt(child: &Child) {
        let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        assert!(killed.success());
    }

    /// Waits until the program has begun to search, that is, until it catches the signals that
    /// would otherwise end it.
    fn wait_for_handler(child: &Child) {
        let path = format!("/proc/{}/status", child.id());
        for _ in 0..1000 {
            let status = std::fs::read_to_string(&path).unwrap_or_default();
            let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
            let Some(caught) = caught else {
                // Without `/proc`, wait long enough.
                return sleep(Duration::from_secs(1));
            };
            if u64::from_str_radix(caught.trim(), 16).unwrap_or(0) & 2 != 0 {
                return sleep(Duration::from_millis(50));
            }
            sleep(Duration::from_millis(10));
        }
        panic!("the program does not catch Ctrl-C");
    }

    #[test]
    fn an_interrupted_measurement_says_so() {
        let child = start("deadline othello --time 1h --threads 1");
        wait_for_handler(&child);
        interrupt(&child);
        let (status, output, errors) = common::outcome(child.wait_with_output().unwrap());
        assert_eq!((status, errors.as_str()), (130, ""));
        assert!(output.starts_with("Interrupted") && output.lines().count() == 1, "{output}");
    }
}
