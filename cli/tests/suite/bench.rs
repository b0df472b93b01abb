//! The output of `bench`. The figures themselves depend on the machine.

use crate::common::{complaint, json, run};
use serde_json::Value;

fn rows(measured: &Value) -> &[Value] {
    measured["rows"].as_array().expect("rows")
}

#[test]
fn every_configuration_is_measured_beside_the_bare_playout() {
    let measured = json(
        "bench connect-four:5x4 --playouts 3000 --rounds 2 --threads 2,1,2 --seed 5 --all --json",
    );
    assert_eq!(measured["game"], "connect-four:5x4");
    assert_eq!(measured["rounds"], 2);
    assert_eq!(measured["seed"], 5);
    let rows = rows(&measured);
    let kinds: Vec<(&str, u64)> = rows
        .iter()
        .map(|row| (row["configuration"].as_str().unwrap(), row["threads"].as_u64().unwrap()))
        .collect();
    assert_eq!(
        kinds[..4],
        [("bare playout", 1), ("bare playout", 2), ("defaults", 1), ("defaults", 2)]
    );
    assert_eq!(rows.len(), 10);
    for row in rows {
        assert!(row["playouts_per_second"].as_f64().unwrap() > 0.0, "{row}");
        assert!(row["cost"].as_f64().unwrap() > 0.0, "{row}");
        assert!(row["speed_up"].as_f64().unwrap() > 0.0, "{row}");
        assert_eq!(row["nodes"].is_null(), row["configuration"] == "bare playout", "{row}");
        assert!(!row["options"].as_str().unwrap().contains("--threads"), "{row}");
    }
    // The size of a node is known: a byte for each of two players for the proven status, since no
    // proof numbers are counted, a byte for the move, and no interval, since win, draw and loss
    // have one payoff each.
    assert_eq!(rows[2]["bytes_per_node"], 24.0 + 2.0 + 1.0);
    assert_eq!(rows[4]["configuration"], "proof numbers off");
    assert_eq!(rows[4]["bytes_per_node"], 24.0 + 2.0 + 1.0);
    assert_eq!(rows[4]["nodes"], rows[2]["nodes"], "the same tree");
    // A search with the same seed has the same tree.
    let searched =
        json("search connect-four:5x4 --playouts 3000 --threads 1 --seed 5 --json --memory 4G");
    assert_eq!(rows[2]["nodes"], searched["nodes"]);
    let per_playout = searched["bytes"].as_f64().unwrap() / 3000.0;
    // Reading JSON may change the last bit of a number.
    let measured = rows[2]["bytes_per_playout"].as_f64().unwrap();
    assert!((measured - per_playout).abs() < 1e-9, "{measured} {per_playout}");
    if cfg!(target_os = "linux") {
        assert!(rows[2]["resident_bytes_per_playout"].as_f64().unwrap() > 0.0);
    }
}

#[test]
fn options_of_a_search_change_what_is_measured() {
    let nodes = |options: &str| {
        let arguments = "bench othello:4 --playouts 500 --rounds 1 --threads 1 --all --json";
        let measured = json(&format!("{arguments} {options}"));
        let of = |row: usize| rows(&measured)[row]["nodes"].as_u64().unwrap();
        (of(1), of(2))
    };
    let (with, without) = nodes("");
    assert_eq!(nodes("--c-pn 0"), (without, without));
    assert_ne!(with, without);
}

#[test]
fn people_get_one_table() {
    let (status, text, errors) =
        run("bench connect-four:4x4 othello:4 --playouts 300 --rounds 1 --threads 1");
    assert_eq!((status, errors.as_str()), (0, ""));
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with(" game") && lines[0].ends_with("resident"), "{text}");
    assert_eq!(lines.iter().filter(|line| line.contains("defaults  ")).count(), 2, "{text}");
    assert!(!text.contains("proof numbers off"), "{text}");
    let (_, text, _) = run("bench connect-four:4x4 --playouts 300 --rounds 1 --threads 1 --all");
    assert!(text.contains("\nproof numbers off  "), "{text}");
}

#[test]
fn nothing_to_measure_is_bad_input() {
    for (arguments, parts) in [
        ("bench otello", "did you mean 'othello'?"),
        ("bench othello --threads 1,0", "--threads: '0' should be a number from 1 to 1024"),
        ("bench othello --threads 1,", "--threads: '' should be"),
        ("bench othello --playouts 0", "--playouts: '0' should be"),
        ("bench othello --time 0", "--time: '0' should be"),
        ("bench othello --time 1s --playouts 5", "--playouts"),
        ("bench othello --rounds 0", "--rounds"),
        ("bench othello --bias best", "--bias: 'best' should be"),
        ("bench connect-four:4x4,k=1", "the position was solved before the first playout"),
    ] {
        let line = complaint(arguments, 2);
        assert!(line.contains(parts), "{arguments}: {line}");
    }
}
