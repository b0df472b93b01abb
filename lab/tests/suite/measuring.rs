//! Tests of the commands that measure deadlines, proofs, matches and machines. The figures
//! themselves depend on the machine.

use crate::common::{complaint, documents, json, run};
use serde_json::Value;
use std::fs;
use tempfile::TempDir;

fn rows(measured: &Value) -> &[Value] {
    measured["rows"].as_array().expect("rows")
}

#[test]
fn lateness_is_measured_for_each_number_of_threads() {
    let arguments = "deadline othello --time 2ms --searches 3";
    let measured = json(&format!("{arguments} --threads 1,3 --json"));
    assert_eq!(measured["seconds"], 0.002);
    let threads: Vec<&Value> = rows(&measured).iter().map(|row| &row["threads"]).collect();
    assert_eq!(threads, [1, 3]);
    for row in rows(&measured) {
        let late = ["median_ms", "percentile_99_ms", "most_ms"].map(|key| row[key].as_f64());
        assert!(late[0] >= Some(0.0) && late.is_sorted(), "{row}");
    }
    let (status, text, _) = run(arguments);
    assert_eq!(status, 0);
    assert!(text.contains("more threads than cores"), "{text}");
}

#[test]
fn proofs_are_timed_over_the_number_of_threads() {
    let file = std::env::temp_dir().join(format!("proofwood-proofs-{}.csv", std::process::id()));
    std::fs::write(&file, "id,game,position\na,connect-four:4x4,44\nb,othello:4,zz\n").unwrap();
    let path = file.display();
    let wrong = complaint(&format!("proofs {path} --runs 1"), 2);
    assert!(wrong.contains("line 3"), "{wrong}");
    std::fs::write(&file, "id,game,position\na,connect-four:4x4,44\nb,connect-four:5x4,1\n")
        .unwrap();
    let options = "--runs 2 --threads 1,2 --least 1ms --tt 1M";
    let (status, text, errors) = run(&format!("proofs {path} {options} --json"));
    assert_eq!((status, errors.as_str()), (0, ""));
    let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), 4);
    assert!(rows.iter().all(|row| row["solved"] == true), "{text}");
    assert_eq!(rows[2]["speed_up"], 1.0);
    let (one, two) = (rows[2]["nodes"].as_f64().unwrap(), rows[3]["nodes"].as_f64().unwrap());
    assert!((rows[3]["inflation"].as_f64().unwrap() - two / one).abs() < 1e-9);
    let (_, table, _) = run(&format!("proofs {path} {options}"));
    assert!(table.contains("2 threads, "), "{table}");
    assert!(complaint(&format!("proofs {path} --algorithm gpn"), 2).contains("scale"));
    std::fs::remove_file(&file).unwrap();
}

#[test]
fn a_part_of_the_table_stands_beside_the_papers() {
    let folder = TempDir::new().unwrap();
    let cells = "reproduce table1 reversi awari --formulas max+sb,rank --c-pn 0,0.5 --playouts 10";
    let arguments = format!("{cells} --json --out {}", folder.path().display());
    let (status, output, errors) = run(&format!("{arguments} --games 2"));
    assert_eq!((status, errors.as_str()), (0, ""));
    let first = documents(&output);
    assert_eq!(first.len(), 8);
    let cell = first
        .iter()
        .find(|c| c["game"] == "awari" && c["variant"] == "PNMax+SB" && c["c_pn"] == 0.5)
        .expect("the cell");
    assert_eq!(cell["paper_win_rate"], 0.698);
    assert_eq!(cell["games"], 2);
    assert_eq!(cell["limit"], "10 playouts");

    // A repeated command adds to the recorded games.
    let (_, output, _) = run(&format!("{arguments} --games 6"));
    assert!(documents(&output).iter().all(|cell| cell["games"] == 6), "{output}");
    let table = fs::read_to_string(folder.path().join("table1.csv")).unwrap();
    assert_eq!(table.lines().count(), 9);
    for game in ["reversi", "awari"] {
        let chart = fs::read_to_string(folder.path().join(format!("{game}.svg"))).unwrap();
        assert!(chart.contains("PNMax+SB, the paper"), "{game}");
    }
    let record = folder.path().join("reversi.pnmax-sb.0.5.jsonl");
    // The match's settings, and its games.
    assert_eq!(documents(&fs::read_to_string(&record).unwrap()).len(), 1 + 6);

    let (_, text, _) = run(&format!("{cells} --games 6 --out {}", folder.path().display()));
    assert!(text.contains("Ludii 1.3.13; the paper ran 1.3.14"), "{text}");
    // Games with other options are not mixed with these.
    let other = format!("{cells} --games 6 --c 0.5 --out {}", folder.path().display());
    assert!(complaint(&other, 2).contains("contains a different match"));
}

#[test]
fn only_cells_of_the_table_can_be_asked_for() {
    let refused = |arguments: &str| complaint(&format!("reproduce table1 {arguments}"), 2);
    assert!(refused("chess").contains("should be one of ataxx"));
    assert!(refused("--c-pn 0.3").contains("should be one of 0, 0.1"));
    assert!(refused("--formulas best").contains("should be one of rank, rank+sb"));
    assert!(refused("--bias max").contains("each cell has its own"));
    assert!(refused("--best --c-pn 0").contains("cannot be used with"));
}

#[test]
fn a_ladder_climbs_where_more_is_better() {
    let folder = TempDir::new().unwrap();
    let arguments = format!(
        "ladder connect-four:5x4 --over playouts --values 3,60,1200 --games 40 --json --out {}",
        folder.path().display()
    );
    let found = json(&arguments);
    let rungs = found["rungs"].as_array().unwrap();
    let elos: Vec<f64> = rungs.iter().map(|rung| rung["elo"].as_f64().unwrap()).collect();
    assert!(elos[0] == 0.0 && elos[1] > 50.0 && elos[2] > elos[1], "{found}");
    assert!(rungs[0]["win_rate"].is_null() && rungs[1]["games"] == 40, "{found}");
    // Nothing is played again, and the record is complete for `replay`: settings and games.
    assert_eq!(json(&arguments), found);
    let record = folder.path().join("60-3.jsonl");
    assert_eq!(documents(&fs::read_to_string(&record).unwrap()).len(), 1 + 40);
    let chart = folder.path().join("ladder.svg");
    let drawn = format!("{} --svg {}", arguments.replace(" --json", ""), chart.display());
    assert!(run(&drawn).1.contains("No step is significantly weaker"));
    assert!(fs::read_to_string(&chart).unwrap().contains("Elo above the first"));
    // Other settings belong to another ladder.
    assert!(complaint(&format!("{arguments} --c 3"), 2).contains("contains a different match"));
}

#[test]
fn a_ladder_needs_two_rungs_that_differ() {
    let refused = |arguments: &str| complaint(&format!("ladder othello {arguments}"), 2);
    assert!(refused("--values 1ms").contains("two rungs or more"));
    assert!(refused("--values 1ms,1ms").contains("'1ms' stands there twice"));
    assert!(refused("--values 1ms,soon").contains("'soon' should be a positive time"));
    assert!(refused("--over c").contains("give the values of --c"));
    assert!(refused("--over colour --values red,blue").contains("colour"));
    assert!(refused("--over seed --values 1,2").contains("seed"));
    assert!(refused("--time 1s").contains("--time is what the rungs differ in"));
    assert!(refused("--over c --values 1,2 --c 1").contains("--c is what the rungs differ in"));
    assert!(complaint("ladder mnk:4,4,3,players=3", 2).contains("3 players"));
}

/// Each run gives the same figures, and many machines make at least as many nodes per second as
/// one.
#[test]
fn machines_prove_in_simulated_time() {
    let folder = TempDir::new().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    fs::write(file("set.csv"), "id,moves\na,1\nb,3\n").unwrap();
    let command = format!(
        "machines connect-four:5x4 --positions {} --machines 1,8,2x4,64 --speed 20000 --algorithm \
         dfpn --tt 1M --json",
        file("set.csv")
    );
    let (status, output, errors) = run(&command);
    assert_eq!((status, errors.as_str()), (0, ""));
    let rows = documents(&output);
    assert_eq!(rows.len(), 4);
    for (row, slots) in rows.iter().zip([1.0, 8.0, 8.0, 64.0]) {
        let number = |name: &str| row[name].as_f64().unwrap();
        assert_eq!((&row["positions"], &row["solved"]), (&2.into(), &2.into()), "{row}");
        assert!(number("jobs") > 2.0 && number("for_nothing") < number("nodes"), "{row}");
        let most = number("seconds") * 20_000.0 * slots;
        assert!(number("nodes") <= most, "{row}");
        assert!(number("efficiency") * slots <= number("speed_up") + 1e-9, "{row}");
    }
    assert_eq!((&rows[0]["nodes_ratio"], &rows[0]["efficiency"]), (&1.0.into(), &1.0.into()));
    assert_eq!((&rows[0]["told"], rows[1]["told"] == rows[2]["told"]), (&0.into(), false));
    assert_eq!(run(&command).1, output);
}

#[test]
fn only_results_are_compared() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("run.jsonl");
    let lines = "{\"line\":2,\"solved\":true,\"seconds\":0.5}\n{\"line\":3,\"error\":\"oh\"}\n";
    fs::write(&file, lines).unwrap();
    let cactus = format!("cactus {} --json", file.display());
    let times = json(&cactus);
    assert_eq!((&times["positions"], &times["errors"]), (&1.into(), &1.into()), "{times}");
    assert!(run(&cactus.replace(" --json", "")).1.contains("1 line could not be answered"));
    fs::write(&file, format!("{lines}{{\"match\":1}}\n")).unwrap();
    let error = complaint(&cactus.replace(" --json", ""), 2);
    assert!(error.contains("line 3: this is not a result"), "{error}");
}

#[test]
fn columns_of_a_table_are_drawn() {
    let folder = TempDir::new().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    fs::write(file("scale.csv"), "threads,rate,way\n1,1.0,none\n2,1.9,none\n").unwrap();
    let plot = |up: &str| {
        let files = format!("{} --svg {}", file("scale.csv"), file("scale.svg"));
        format!("plot {files} --across threads --up {up} --by way")
    };
    assert!(complaint(&plot("speed"), 2).contains("no column 'speed'; there are rate, threads"));
    assert!(!folder.path().join("scale.svg").exists());
    assert_eq!(run(&plot("rate")), (0, String::new(), String::new()));
    let drawn = fs::read_to_string(file("scale.svg")).unwrap();
    assert!(drawn.starts_with("<svg") && drawn.contains("rate"), "{drawn}");
}

#[test]
fn bad_input_is_named_on_one_line() {
    for (arguments, parts) in [
        ("deadline otello", "did you mean 'othello'?"),
        ("deadline othello --searches 0", "--searches"),
        ("deadline tic-tac-toe --time 1h", "a search ended before its time was up"),
        ("proofs /dev/null", "/dev/null contains no positions"),
        ("cactus /dev/null", "/dev/null holds no results"),
        ("machines othello --machines 8x0", "--machines: \"8x0\" is no number of machines"),
        ("machines othello --machines 1025", "both 1 to 1024"),
        ("machines othello --machines 2 --algorithm gpn", "--machines takes a prover"),
        ("machines pig:20 --machines 2 --algorithm ab", "zero sum and no chance"),
        ("reproduced", "there is no command 'reproduced'; did you mean 'reproduce'?"),
    ] {
        let line = complaint(arguments, 2);
        assert!(line.contains(parts), "{arguments}: {line}");
    }
}
