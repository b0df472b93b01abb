//! Files that the program writes: existing files, other writers, devices and links.

use crate::common::{self, complaint, documents, run, run_with_input};
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("files-{name}"));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("a folder");
    path
}

/// Every command that writes a file, without the file's name. `SET` is replaced by a file to read.
const WRITERS: [&str; 8] = [
    "search tic-tac-toe --playouts 10 --out",
    "solve tic-tac-toe --out",
    "solve tic-tac-toe --algorithm dfpn --tt 1M --certificate",
    "solve tic-tac-toe --algorithm dfpn --tt 1M --checkpoint",
    "solve connect-four --playouts 10 --positions SET --out",
    "match tic-tac-toe --a= --b= --playouts 1 --games 1 --record",
    "match tic-tac-toe --a= --b= --playouts 1 --games 1 --csv",
    "scale connect-four --threads 1 --time 1ms --rounds 1 --csv",
];

fn writers(folder: &Path) -> Vec<String> {
    let set = folder.join("set.csv");
    fs::write(&set, "id,moves\na,112233\n").unwrap();
    let named = |command: &&str| command.replace("SET", set.to_str().unwrap());
    WRITERS.iter().map(named).collect()
}

#[test]
fn nothing_that_exists_is_replaced_unasked() {
    let folder = folder("exists");
    let file = folder.join("diary");
    for command in writers(&folder) {
        fs::write(&file, "a diary").unwrap();
        let line = complaint(&format!("{command} {}", file.display()), 2);
        assert!(line.contains("diary already exists: "), "{command}: {line}");
        assert!(line.contains("--force replaces it, and --"), "{command}: {line}");
        assert_eq!(fs::read_to_string(&file).unwrap(), "a diary", "{command}");
        // An empty file may be replaced.
        fs::write(&file, "").unwrap();
        let (status, _, errors) = run(&format!("{command} {}", file.display()));
        assert!(matches!(status, 0 | 10) && errors.is_empty(), "{command}: {status} {errors}");
        assert!(fs::metadata(&file).unwrap().len() > 0, "{command}");
        fs::write(&file, "a diary").unwrap();
        let (status, _, errors) = run(&format!("{command} {} --force", file.display()));
        assert!(matches!(status, 0 | 10) && errors.is_empty(), "{command}: {status} {errors}");
        assert!(!fs::read(&file).unwrap().starts_with(b"a diary"), "{command}");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 2, "{command}: nothing else is there");
    }
}

#[test]
fn nothing_is_written_unasked() {
    let folder = folder("unasked");
    for command in [
        "tune tic-tac-toe --games 4 --last 2 --playouts 5 --bias max --c-pn 0.1,1 --c 1",
        "match tic-tac-toe --a= --b= --games 2 --playouts 5",
        "solve tic-tac-toe --time 50ms",
        "scale tic-tac-toe --threads 1 --time 10ms --rounds 1",
        "bench connect-four:4x4 --playouts 50 --rounds 1 --threads 1",
    ] {
        let ran = common::proofwood(command).current_dir(&folder).output().unwrap();
        assert!(ran.status.success(), "{command}: {ran:?}");
        let left: Vec<_> = fs::read_dir(&folder).unwrap().collect();
        assert!(left.is_empty(), "{command}: {left:?}");
    }
    #[cfg(feature = "machines")]
    assert!(complaint("serve", 2).contains("--store <DIR>"));
}

#[test]
fn folders_of_others_are_left_alone() {
    let folder = folder("folders");
    fs::write(folder.join("proofwood.1"), "a page").unwrap();
    for (command, why) in [
        ("tune othello --out", "no record of an earlier run"),
        ("man --out", "proofwood.1 already exists"),
    ] {
        let line = complaint(&format!("{command} {}", folder.display()), 2);
        assert!(line.contains(why) && line.contains("--force"), "{command}: {line}");
    }
    assert_eq!(fs::read_to_string(folder.join("proofwood.1")).unwrap(), "a page");
    assert_eq!(run(&format!("man --force --out {}", folder.display())).0, 0);
    assert_ne!(fs::read_to_string(folder.join("proofwood.1")).unwrap(), "a page");

    // A folder with certificates of an earlier run is refused, too.
    let solve = format!(
        "solve connect-four --positions - --algorithm dfpn --tt 1M --certificate {}",
        folder.join("proofs").display()
    );
    let lines = "43655644233456123\n";
    assert_eq!(run_with_input(&solve, lines).0, 0);
    let proof = folder.join("proofs/line-1.proof");
    let before = fs::read(&proof).unwrap();
    let (status, _, errors) = run_with_input(&solve, lines);
    assert!(status == 2 && errors.contains("already contains line-1.proof"), "{errors}");
    assert_eq!(fs::read(&proof).unwrap(), before);
    assert_eq!(run_with_input(&format!("{solve} --force"), lines).0, 0);
}

#[test]
fn a_second_process_is_refused_by_name() {
    let folder = folder("second");
    for command in writers(&folder) {
        // An existing file is locked itself, and a file being written under its temporary name.
        for name in ["taken", "taken.partial"] {
            let (taken, held) = (folder.join("taken"), folder.join(name));
            let grows = command.ends_with("--out") || command.ends_with("--record");
            if grows && name == "taken.partial" {
                continue;
            }
            let first = File::create(&held).unwrap();
            first.lock().unwrap();
            let line = complaint(&format!("{command} {}", taken.display()), 2);
            assert!(
                line.contains("taken: another process is writing to this file"),
                "{command}: {line}"
            );
            assert_eq!(first.metadata().unwrap().len(), 0, "{command}");
            drop(first);
            // The system drops the lock of a killed process, and the next one overwrites its
            // incomplete file.
            fs::write(&held, "").unwrap();
            let (status, _, errors) = run(&format!("{command} {}", taken.display()));
            assert!(matches!(status, 0 | 10) && errors.is_empty(), "{command}: {status} {errors}");
            fs::remove_file(&taken).unwrap();
            assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "{command}");
        }
    }
    // The folder has files of an earlier run.
    fs::write(folder.join("games.jsonl"), "").unwrap();
    let first = File::create(folder.join(".lock")).unwrap();
    first.lock().unwrap();
    let line = complaint(&format!("tune othello --out {}", folder.display()), 2);
    assert!(line.contains("another process is writing to this folder"), "{line}");
}

#[test]
fn two_runs_on_one_file_of_results_do_not_mix() {
    let folder = folder("two");
    let out = folder.join("results.jsonl");
    let arguments = format!(
        "solve connect-four --positions - --playouts 10 --json --resume --out {}",
        out.display()
    );
    let mut first = Command::new(common::PROGRAM)
        .args(arguments.split(' '))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = first.stdin.take().unwrap();
    let mut output = BufReader::new(first.stdout.take().unwrap());
    // The first answer shows that the run has begun. Then it waits for the next line.
    writeln!(input, "44").unwrap();
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    let (status, answers, errors) = run_with_input(&arguments, "44\n55\n");
    assert_eq!(status, 2, "{errors}");
    assert!(answers.starts_with("{\"error\":") && answers.lines().count() == 1, "{answers}");
    assert!(errors.contains("results.jsonl: another process is writing to this file"), "{errors}");
    writeln!(input, "55").unwrap();
    drop(input);
    assert_eq!(first.wait().unwrap().code(), Some(10));
    let text = fs::read_to_string(&out).unwrap();
    assert_eq!(documents(&text).len(), 2, "{text}");
    let (status, answers, errors) = run_with_input(&arguments, "44\n55\n");
    assert_eq!((status, answers.as_str(), errors.as_str()), (10, "", ""));
}

#[cfg(unix)]
#[test]
fn pipes_and_links_stay_what_they_are() {
    use std::os::unix::fs::{FileTypeExt, symlink};
    let folder = folder("special");
    let pipe = folder.join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for option in ["--certificate", "--checkpoint"] {
        let solve = format!("solve tic-tac-toe --algorithm dfpn --tt 1M {option}");
        let line = complaint(&format!("{solve} {} --force", pipe.display()), 2);
        assert!(line.contains(&format!("pipe is a device or a pipe; {option} needs")), "{line}");
        assert!(fs::symlink_metadata(&pipe).unwrap().file_type().is_fifo());
    }
    // Lines are written to a pipe directly by every command.
    for (command, lines) in [
        ("search tic-tac-toe --playouts 10 --out", 1),
        ("match tic-tac-toe --a= --b= --playouts 1 --games 1 --record", 2),
        ("match tic-tac-toe --a= --b= --playouts 1 --games 1 --csv", 2),
    ] {
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || fs::read_to_string(pipe).unwrap()
        });
        assert_eq!(run(&format!("{command} {}", pipe.display())).0, 0, "{command}");
        assert_eq!(reader.join().unwrap().lines().count(), lines, "{command}");
        assert!(fs::symlink_metadata(&pipe).unwrap().file_type().is_fifo(), "{command}");
    }
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
    let (link, target) = (folder.join("link"), folder.join("target"));
    symlink(&target, &link).unwrap();
    let solve =
        format!("solve tic-tac-toe --algorithm dfpn --tt 1M --certificate {}", link.display());
    assert!(complaint(&solve, 2).contains("link is a broken link"));
    fs::write(&target, "").unwrap();
    assert_eq!(run(&solve).0, 0);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(run(&format!("check {}", target.display())).0, 0);
}

#[test]
fn a_dash_is_the_standard_output() {
    let folder = folder("dash");
    let output = Command::new(common::PROGRAM)
        .args(["search", "tic-tac-toe", "--playouts", "10", "--out", "-"])
        .current_dir(&folder)
        .output()
        .unwrap();
    let (status, output, errors) = common::outcome(output);
    assert_eq!((status, errors.as_str()), (0, ""));
    assert_eq!(documents(&output)[0]["game"], "tic-tac-toe");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
    let set = "solve connect-four --positions - --playouts 10 --out -";
    let (status, output, errors) = run_with_input(set, "44\n55\n");
    assert_eq!((status, errors.as_str()), (10, ""));
    assert_eq!(documents(&output).len(), 2);
    let line = complaint("solve tic-tac-toe --certificate -", 2);
    assert!(line.contains("--certificate -: the answer goes to standard output"), "{line}");
}

/// Checks that a checkpoint that does not fit on the disk is reported as a failure.
#[cfg(unix)]
#[test]
fn a_checkpoint_that_cannot_be_written_is_a_failure() {
    let file = folder("checkpoint").join("proof.table");
    let script = format!(
        "trap '' XFSZ; ulimit -f 0; exec {} solve tic-tac-toe --algorithm dfpn --tt 1M \
         --checkpoint {}",
        common::PROGRAM,
        file.display()
    );
    let output = Command::new("sh").args(["-c", &script]).output().unwrap();
    let (status, output, errors) = common::outcome(output);
    assert_eq!(status, 1, "{errors}");
    assert!(output.contains("draw"), "{output}");
    let last = errors.lines().last().unwrap();
    assert!(last.contains("the latest results were not saved"), "{errors}");
    assert!(last.ends_with("proof.table contains nothing"), "{errors}");
    assert!(!file.exists());
}
