//! The experiments that are made of matches: the paper's table, and tuning.

use crate::common::{complaint, documents, json, run};
use std::fs;
use tempfile::TempDir;

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

    // More games are added to those that are there.
    let (_, output, _) = run(&format!("{arguments} --games 6"));
    assert!(documents(&output).iter().all(|cell| cell["games"] == 6), "{output}");
    let table = fs::read_to_string(folder.path().join("table1.csv")).unwrap();
    assert_eq!(table.lines().count(), 9);
    for game in ["reversi", "awari"] {
        let chart = fs::read_to_string(folder.path().join(format!("{game}.svg"))).unwrap();
        assert!(chart.contains("PNMax+SB, the paper"), "{game}");
    }
    let record = folder.path().join("reversi.pnmax-sb.0.5.jsonl");
    let game = json(&format!("replay --record {} --number 6 --json", record.display()));
    assert_eq!(game["over"], true);

    let (_, text, _) = run(&format!("{cells} --games 6 --out {}", folder.path().display()));
    assert!(text.contains("Ludii 1.3.13; the paper ran 1.3.14"), "{text}");
    // What has been played with other options is not mixed with these.
    let other = format!("{cells} --games 6 --c 0.5 --out {}", folder.path().display());
    assert!(complaint(&other, 2).contains("holds another match"));
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
fn tuning_finds_the_candidate_that_is_not_hopeless() {
    let folder = TempDir::new().unwrap();
    // A search that only explores against two that look at what they find.
    let arguments = format!(
        "tune connect-four:5x4 --bias max --c-pn 0.1 --c 1000,1,0.7 --playouts 200 --games 120 \
         --last 10 --json --out {}",
        folder.path().display()
    );
    let found = json(&arguments);
    let candidates = found["candidates"].as_array().unwrap();
    assert_eq!(candidates.len(), 3);
    assert!(!found["best"]["options"].as_str().unwrap().contains("1000"), "{found}");
    assert!(candidates[2]["options"].as_str().unwrap().contains("1000"), "{found}");
    assert_eq!(found["best"]["games"], 10);
    assert!(candidates[0]["games"].as_u64() > candidates[2]["games"].as_u64());
    // Nothing is played again.
    assert_eq!(json(&arguments), found);
    let (_, text, _) = run(&arguments.replace(" --json", ""));
    assert!(text.contains("in 10 games of its own"), "{text}");
    assert!(complaint("tune othello --bias best", 2).contains("--bias"));
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
    // Nothing is played again, and what `replay` reads is there.
    assert_eq!(json(&arguments), found);
    let record = folder.path().join("60-3.jsonl");
    assert_eq!(run(&format!("replay --record {}", record.display())).0, 0);
    let chart = folder.path().join("ladder.svg");
    let drawn = format!("{} --svg {}", arguments.replace(" --json", ""), chart.display());
    assert!(run(&drawn).1.contains("No step is significantly weaker"));
    assert!(fs::read_to_string(&chart).unwrap().contains("Elo above the first"));
    // Other settings are another ladder.
    assert!(complaint(&format!("{arguments} --c 3"), 2).contains("holds another match"));
}

#[test]
fn a_ladder_needs_two_rungs_that_differ() {
    let refused = |arguments: &str| complaint(&format!("ladder othello {arguments}"), 2);
    assert!(refused("--values 1ms").contains("two rungs or more"));
    assert!(refused("--values 1ms,1ms").contains("'1ms' stands there twice"));
    assert!(refused("--values 1ms,soon").contains("'soon' should be a time"));
    assert!(refused("--over c").contains("give the values of --c"));
    assert!(refused("--over colour --values red,blue").contains("colour"));
    assert!(refused("--over seed --values 1,2").contains("seed"));
    assert!(refused("--time 1s").contains("--time is what the rungs differ in"));
    assert!(refused("--over c --values 1,2 --c 1").contains("--c is what the rungs differ in"));
    assert!(complaint("ladder mnk:4,4,3,players=3", 2).contains("3 players"));
}

/// Each run does the same, and many machines make no fewer nodes a second than one.
#[cfg(feature = "machines")]
#[test]
fn machines_prove_in_simulated_time() {
    let folder = TempDir::new().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    fs::write(file("set.csv"), "id,moves\na,1\nb,3\n").unwrap();
    let command = format!(
        "scale connect-four:5x4 --positions {} --machines 1,8,2x4,64 --speed 20000 --algorithm dfpn \
         --tt 1M --json",
        file("set.csv")
    );
    let (status, output, errors) = run(&command);
    assert_eq!((status, errors.as_str()), (0, ""));
    let rows = documents(&output);
    assert_eq!(rows.len(), 4);
    for (row, slots) in rows.iter().zip([1.0, 8.0, 8.0, 64.0]) {
        let number = |name: &str| row[name].as_f64().unwrap();
        assert_eq!((&row["positions"], &row["settled"]), (&2.into(), &2.into()), "{row}");
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
fn threads_are_compared_in_speed_proofs_and_games() {
    let folder = TempDir::new().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    fs::write(file("set.csv"), "id,moves\na,112233\nb,43655644233456123\n").unwrap();
    let (status, output, errors) = run(&format!(
        "scale connect-four --threads 1,2 --virtual-loss unobserved,none --time 20ms --rounds 1 \
         --positions {} --games 2 --move-time 2ms --csv {} --json",
        file("set.csv"),
        file("scale.csv")
    ));
    assert_eq!((status, errors.as_str()), (0, ""));
    let rows = documents(&output);
    assert_eq!(rows.len(), 3);
    assert_eq!((&rows[0]["threads"], &rows[0]["speed_up"]), (&1.into(), &1.0.into()));
    assert_eq!(rows[2]["virtual_loss"], "none");
    for row in &rows {
        assert!(row["playouts_per_second"].as_f64().unwrap() > 0.0);
        assert_eq!((&row["positions"], &row["settled"]), (&2.into(), &2.into()), "{row}");
    }
    assert_eq!((&rows[0]["games"], &rows[1]["games"]), (&0.into(), &2.into()));
    assert_eq!(fs::read_to_string(file("scale.csv")).unwrap().lines().count(), 4);
    assert!(complaint("scale pig:20 --virtual-loss some", 2).contains("--virtual-loss"));
}
