//! Checks the book's page of results: the checker must accept its certificates, and these must
//! agree with its tables.

use proofwood_any_game::CheckedAnswer;
use proofwood_session::solving::check::check_within;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The size limit of all certificates together, in bytes.
const MOST: u64 = 5_000_000;
/// The size limit of one certificate in bytes, because readers wait while it is checked.
const LARGEST: u64 = 100_000;

const FIELDS: &str = "game,value,claims,known,prover,nodes,seconds,again,positions,references,\
                      bytes,check_seconds,check_bytes,file,command";

fn book() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src")
}

/// A row of the machine-readable table, by field names.
type Row = BTreeMap<String, String>;

fn rows() -> Vec<Row> {
    let file = book().join("results/results.csv");
    let mut table = csv::Reader::from_path(file).expect("the table");
    let head: Vec<String> = table.headers().expect("a head").iter().map(String::from).collect();
    assert_eq!(head.join(","), FIELDS);
    let rows = table.records().map(|row| {
        let row = row.expect("a row");
        head.iter().cloned().zip(row.iter().map(String::from)).collect()
    });
    rows.collect()
}

/// Formats the claims of a certificate as the table does.
fn claimed(checked: &Value) -> String {
    let claim = |claim: &Value| {
        let named = ["at_least", "below"].into_iter().find(|name| claim[name].is_i64());
        let name = named.expect("what is claimed");
        format!("{} {name} {}", claim["player"], claim[name])
    };
    let claims = checked["claims"].as_array().expect("a list").iter().map(claim);
    claims.collect::<Vec<_>>().join("; ")
}

/// Sums a number over all claims of a certificate.
fn count(checked: &Value, what: &str) -> String {
    let claims = checked["claims"].as_array().expect("a list").iter();
    claims.map(|claim| claim[what].as_u64().expect(what)).sum::<u64>().to_string()
}

#[test]
fn the_checker_accepts_the_results_of_the_book() {
    let folder = book().join("results");
    let rows: Vec<Row> = rows().into_iter().filter(|row| !row["file"].is_empty()).collect();
    let (mut files, mut all_bytes) = (BTreeSet::new(), 0);
    for row in &rows {
        let file = &row["file"];
        let accepted = check_within(&folder.join(file), u64::MAX);
        let (checked, players) = accepted.unwrap_or_else(|why| panic!("{file}: {why}"));
        let checked = &serde_json::to_value(CheckedAnswer::new(&checked, &players)).unwrap();
        assert_eq!(checked["game"], row["game"], "{file}");
        assert_eq!(claimed(checked), row["claims"], "{file}");
        assert_eq!(count(checked, "positions"), row["positions"], "{file}");
        assert_eq!(count(checked, "references"), row["references"], "{file}");
        let size = fs::metadata(folder.join(file)).expect("the file").len();
        assert_eq!(size.to_string(), row["bytes"], "{file}");
        assert!(size <= LARGEST, "{file} has {size} bytes");
        assert!(files.insert(file.clone()), "{file} is there twice");
        all_bytes += size;
    }
    assert!(files.len() >= 10 && all_bytes <= MOST, "{} files, {all_bytes} bytes", files.len());
    let kept = fs::read_dir(&folder).expect("the folder").map(|file| file.unwrap().file_name());
    let kept: BTreeSet<String> = kept.map(|name| name.into_string().unwrap()).collect();
    files.insert("results.csv".into());
    assert_eq!(kept, files);
}

/// Returns whether the game has more than two players. The page has one line for each board of such
/// games, with a cell for each player.
fn is_of_many(row: &Row) -> bool {
    row["game"].contains("players=")
}

fn link(text: &str, file: &str) -> String {
    match file.is_empty() {
        true => text.to_string(),
        false => format!("[{text}](results/{file})"),
    }
}

/// Returns the short form of a value that the page uses.
fn short(value: &str) -> String {
    let words =
        [("the first player wins", "win"), ("the second player wins", "loss"), ("a line", "win")];
    let short = words.iter().fold(value.to_string(), |text, (from, to)| text.replace(from, to));
    short.replace("a draw", "draw").replace("a loss", "loss")
}

fn lines(rows: &[Row]) -> Vec<String> {
    let mut lines = Vec::new();
    let mut boards: Vec<(&str, Vec<String>)> = Vec::new();
    for row in rows {
        let [game, file, seconds] = ["game", "file", "seconds"].map(|field| row[field].as_str());
        let value = short(&row["value"]);
        if is_of_many(row) {
            if boards.last().is_none_or(|(board, _)| *board != game) {
                boards.push((game, Vec::new()));
            }
            let (_, cells) = boards.last_mut().expect("it was pushed");
            let (player, best) = value.split_once(": ").expect("a player and a value");
            assert_eq!(player, format!("player {}", cells.len() + 1), "{game}");
            cells.push(link(best, file));
            continue;
        }
        let options = match options(row) {
            options if options.is_empty() => options,
            options => format!("`{options}`"),
        };
        let value = link(&value, file);
        lines.push(format!("| `{game}` | {value} | {seconds} | {options} |"));
    }
    lines.extend(
        boards.iter().map(|(board, cells)| format!("| `{board}` | {} |", cells.join(" | "))),
    );
    lines
}

/// Returns the options of a row's command without those common to all rows.
fn options(row: &Row) -> String {
    let (options, _) = row["command"].split_once("--certificate ").expect("a certificate");
    let options = options.strip_prefix(&format!("proofwood solve {} ", row["game"]));
    let words = options.expect("the game").replace("--threads 1", "");
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn the_page_and_the_table_of_results_say_the_same() {
    let page = fs::read_to_string(book().join("results.md")).expect("the page");
    let rows = rows();
    for row in &rows {
        let [game, file, command] = ["game", "file", "command"].map(|field| &row[field]);
        assert!(command.starts_with(&format!("proofwood solve {game} ")), "{command}");
        assert!(command.contains(" --certificate "), "{command}");
        assert!(command.ends_with(file), "{command}");
    }
    let lines = lines(&rows);
    for line in &lines {
        assert!(page.contains(&format!("{line}\n")), "the page has no row\n{line}");
    }
    let listed = page.lines().filter(|line| line.starts_with("| `")).count();
    assert_eq!(listed, lines.len(), "the page has rows that the table has not");
}
