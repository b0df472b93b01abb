//! Certificates, written by `solve` and checked by `check`.

use crate::common::{complaint, documents, json, run};
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("certificates-{name}"));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("a folder");
    path
}

/// Writes a certificate and checks it; returns the output of the check.
fn certify(game: &str, file: &Path) -> serde_json::Value {
    let file = file.display();
    let answer = json(&format!("solve {game} --json --certificate {file}"));
    assert!(answer["certificate"]["positions"].as_u64().expect("it was written") > 0, "{answer}");
    json(&format!("check --json {file}"))
}

/// Changes the text of a certificate, and updates its digest.
fn alter(file: &Path, change: impl FnOnce(&str) -> String) {
    let mut text = String::new();
    GzDecoder::new(File::open(file).unwrap()).read_to_string(&mut text).unwrap();
    let changed = change(text.split_once("sha256 ").unwrap().0);
    let hex: String =
        Sha256::digest(changed.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
    let mut encoder = GzEncoder::new(File::create(file).unwrap(), flate2::Compression::fast());
    encoder.write_all(format!("{changed}sha256 {hex}\n").as_bytes()).unwrap();
    encoder.finish().unwrap();
}

#[test]
fn a_draw_is_two_claims() {
    let file = folder("draw").join("ttt.proof");
    let checked = certify("tic-tac-toe", &file);
    assert_eq!(checked["accepted"], true);
    assert_eq!(checked["game"], "tic-tac-toe");
    assert_eq!(checked["claims"][0]["at_least"], 0);
    assert_eq!(checked["claims"][1]["below"], 1);
    assert_eq!(checked["claims"][1]["endless"], false);
    let (status, text, errors) = run(&format!("check {}", file.display()));
    assert_eq!((status, errors.as_str()), (0, ""));
    assert!(text.contains("proven    x can secure at least 0, whatever o does ("), "{text}");
    assert!(text.contains("proven    o can hold x below 1 ("), "{text}");
    assert!(text.contains("result    x gets exactly 0 with best play\n"), "{text}");
}

/// Checks that a result is not called exact if luck, or disunity among opponents, could improve it.
#[test]
fn exactly_stands_only_where_nothing_else_can_happen() {
    let folder = folder("exact");
    let check = |game: &str| {
        let file = folder.join(format!("{}.proof", &game[..3]));
        let checked = certify(game, &file);
        assert_eq!(checked["claims"].as_array().unwrap().len(), 2, "{checked}");
        let (status, text, _) = run(&format!("check {}", file.display()));
        assert_eq!(status, 0);
        assert!(!text.contains("exactly"), "{text}");
        text
    };
    let text = check("pig:10,turns=1 --algorithm dfpn --goal score");
    assert!(text.contains("A can secure at least 0, whatever B and chance do ("), "{text}");
    assert!(text.contains("A cannot secure 1: B and chance can lead to less ("), "{text}");
    assert!(text.contains("result    0 is the most that A can secure\n"), "{text}");
    let text = check("mnk:3,3,3,players=3 --algorithm dfpn --goal score --moves a1,b2,c3");
    assert!(text.contains("x can secure at least 0, whatever all others together do ("));
    assert!(text.contains("all others together can hold x below 1 ("), "{text}");
    assert!(text.contains("result    0 is the most that x can secure\n"), "{text}");
}

#[test]
fn a_check_has_a_limit_of_memory() {
    let folder = folder("memory");
    let file = folder.join("draw.proof");
    let took = certify("Tic_Tac_Toe", &file)["memory"].as_u64().expect("it is counted");
    assert!((1000..1 << 20).contains(&took), "{took}");
    let path = file.display();
    assert_eq!(json(&format!("check --json --memory {took} {path}"))["accepted"], true);
    let error = complaint(&format!("check --memory {} {path}", took - 1), 1);
    assert!(error.contains("the certificate is refused: "), "{error}");
    assert!(error.contains(&format!("needs more than {} bytes of memory", took - 1)), "{error}");
    assert!(error.trim_end().ends_with("; raise --memory"), "{error}");
    assert!(complaint(&format!("check --memory none {path}"), 2).contains("--memory: 'none'"));
}

#[test]
fn a_certificate_names_its_game_as_it_is_listed() {
    let file = folder("named").join("draw.proof");
    assert_eq!(certify("MNK:3,3,3", &file)["game"], "mnk:3,3,3");
    // Files with another spelling of the game are read.
    alter(&file, |text| text.replace("game mnk:3,3,3", "game Mnk : 3, 3, 3"));
    let (status, ..) = run(&format!("check {}", file.display()));
    assert_eq!(status, 0);
}

#[test]
fn scores_and_positions() {
    let folder = folder("scores");
    let checked = certify("othello:4 --goal score", &folder.join("othello.proof"));
    assert_eq!(checked["claims"][0]["at_least"], -8);
    assert_eq!(checked["claims"][1]["below"], -7);
    let file = folder.join("after.proof");
    let checked = certify("tic-tac-toe --moves a1,b1", &file);
    assert_eq!(checked["claims"][0]["at_least"], 1);
    assert_eq!(checked["claims"].as_array().unwrap().len(), 1);
    let checked = certify("mnk:3,3,3,players=3", &folder.join("three.proof"));
    assert_eq!(checked["claims"][0]["player"], 0);
}

#[test]
fn what_is_altered_is_refused() {
    let file = folder("altered").join("win.proof");
    certify("tic-tac-toe --moves a1,b1", &file);
    let refuse = |what: &str| {
        let path = file.display();
        let (status, output, errors) = run(&format!("check --json {path}"));
        assert_eq!(status, 1, "{errors}");
        let document = &documents(&output)[0];
        assert_eq!(document["accepted"], false);
        assert!(document["reason"].as_str().unwrap().contains(what), "{document}");
        assert_eq!(complaint(&format!("check {path}"), 1), errors);
        assert!(errors.contains(what), "{errors}");
    };
    let honest = fs::read(&file).unwrap();
    fs::write(&file, &honest[..honest.len() / 2]).unwrap();
    refuse("the file is truncated");
    fs::write(&file, "no certificate").unwrap();
    refuse("the file is not a certificate");
    fs::write(&file, &honest).unwrap();
    alter(&file, |text| text.replace("claim 0 at-least 1", "claim 1 at-least 1"));
    refuse("in the proof of '1 at-least 1', entry 1, at the root");
    fs::write(&file, &honest).unwrap();
    alter(&file, |text| text.replace("game tic-tac-toe", "game mnk:4,3,3"));
    refuse("the root is not a position of this game");
    fs::write(&file, &honest).unwrap();
    alter(&file, |text| text.replace("game tic-tac-toe", "game tic-tac-tot"));
    let error = complaint(&format!("check {}", file.display()), 2);
    assert!(error.contains("there is no game 'tic-tac-tot'; did you mean"), "{error}");
    complaint("check no-such-file", 2);
}

#[test]
fn nothing_is_left_of_what_was_not_written() {
    let folder = folder("unsolved");
    let file = folder.join("open.proof");
    let (status, _, errors) =
        run(&format!("solve connect-four --playouts 100 --certificate {}", file.display()));
    assert_eq!(status, 10);
    assert!(errors.contains("nothing that needs a proof has been proven yet"), "{errors}");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
    let path = folder.display();
    complaint(&format!("solve tic-tac-toe --certificate {path}"), 1);
    complaint(&format!("solve tic-tac-toe --certificate {path}/no/such/folder"), 1);
}

#[test]
fn every_line_of_a_file_has_its_own() {
    let folder = folder("set");
    let positions = folder.join("set.csv");
    fs::write(&positions, "id,moves\na,112233\nb,1122334\nc,44\n").unwrap();
    let proofs = folder.join("proofs");
    let (status, output, _) = run(&format!(
        "solve connect-four --playouts 300 --json --positions {} --certificate {}",
        positions.display(),
        proofs.display()
    ));
    assert_eq!(status, 10);
    let answers = documents(&output);
    let name = answers[0]["certificate"]["file"].as_str().unwrap();
    assert!(name.ends_with("line-2.proof"), "{name}");
    assert!(answers[2].get("certificate").is_none());
    let files: Vec<String> = fs::read_dir(&proofs)
        .unwrap()
        .map(|entry| entry.unwrap().path().display().to_string())
        .collect();
    assert_eq!(files.len(), 2, "{files:?}");
    let (status, output, _) = run(&format!("check --json {}", files.join(" ")));
    assert_eq!(status, 0);
    assert!(documents(&output).iter().all(|document| document["accepted"] == true));
}
