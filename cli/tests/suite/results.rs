//! The book's page of results: the checker accepts its certificates, and they say what its
//! tables say.

use crate::common::json;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// All certificates together have at most so many bytes.
const MOST: u64 = 500_000;

fn book() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/src")
}

/// A number with commas, as the page writes it.
fn with_commas(digits: &str) -> String {
    let groups: Vec<&str> = digits
        .as_bytes()
        .rchunks(3)
        .rev()
        .map(|group| std::str::from_utf8(group).expect("digits"))
        .collect();
    groups.join(",")
}

/// The claims of a certificate, as the table writes them.
fn claimed(checked: &Value) -> String {
    let claim = |claim: &Value| {
        let named = ["at_least", "below"].into_iter().find(|name| claim[name].is_i64());
        let name = named.expect("what is claimed");
        format!("{} {name} {}", claim["player"], claim[name])
    };
    let claims = checked["claims"].as_array().expect("a list").iter().map(claim);
    claims.collect::<Vec<_>>().join("; ")
}

#[test]
fn the_results_of_the_book_are_accepted_and_say_what_its_tables_say() {
    let folder = book().join("results");
    let page = fs::read_to_string(book().join("results.md")).expect("the page");
    let mut table = csv::Reader::from_path(folder.join("results.csv")).expect("the table");
    let fields = "game,value,claims,known,nodes,positions,bytes,file,command";
    assert_eq!(table.headers().expect("a head").iter().collect::<Vec<_>>().join(","), fields);
    let (mut files, mut all_bytes) = (BTreeSet::new(), 0);
    for row in table.records() {
        let row = row.expect("a row");
        let fields: Vec<&str> = row.iter().collect();
        let [game, value, claims, known, nodes, positions, bytes, file, command] = fields[..]
        else {
            panic!("{row:?}");
        };
        let path = folder.join(file);
        let checked = json(&format!("check --json {}", path.display()));
        assert_eq!((&checked["accepted"], &checked["game"]), (&true.into(), &game.into()));
        assert_eq!(claimed(&checked), claims, "{file}");
        let listed = checked["claims"].as_array().expect("a list").iter();
        let listed: u64 = listed.map(|claim| claim["positions"].as_u64().unwrap()).sum();
        let size = fs::metadata(&path).expect("the file").len();
        assert_eq!([listed.to_string(), size.to_string()], [positions, bytes], "{file}");
        assert!(command.starts_with(&format!("proofwood solve {game} ")), "{command}");
        assert!(command.ends_with(&format!(" --certificate {file}")), "{command}");
        let line = format!(
            "| `{game}` | {value} | [{file}](results/{file}) | {} | {} | {known} | `{command}` |\n",
            with_commas(nodes),
            with_commas(positions)
        );
        assert!(page.contains(&line), "the page has no row\n{line}");
        assert!(files.insert(file.to_string()), "{file} is there twice");
        all_bytes += size;
    }
    assert!(files.len() >= 10 && all_bytes <= MOST, "{} files, {all_bytes} bytes", files.len());
    assert_eq!(page.matches("](results/").count(), files.len() + 1, "files and the table");
    let kept = fs::read_dir(&folder).expect("the folder").map(|file| file.unwrap().file_name());
    let kept: BTreeSet<String> = kept.map(|name| name.into_string().unwrap()).collect();
    files.insert("results.csv".into());
    assert_eq!(kept, files);
}
