//! Measurements by matches and searches: `tune` and `scale`.

use crate::common::{complaint, documents, json, run};
use std::fs;
use tempfile::TempDir;

#[test]
fn tuning_finds_the_candidate_that_is_not_hopeless() {
    let folder = TempDir::new().unwrap();
    // One candidate only explores; the other two exploit the results of their playouts.
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
    // The second run plays no games.
    assert_eq!(json(&arguments), found);
    let (_, text, _) = run(&arguments.replace(" --json", ""));
    assert!(text.contains("in 10 games with other seeds"), "{text}");
    assert!(complaint("tune othello --bias best", 2).contains("--bias"));
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
        assert_eq!((&row["positions"], &row["solved"]), (&2.into(), &2.into()), "{row}");
    }
    assert_eq!((&rows[0]["games"], &rows[1]["games"]), (&0.into(), &2.into()));
    assert_eq!(fs::read_to_string(file("scale.csv")).unwrap().lines().count(), 4);
    assert!(complaint("scale pig:20 --virtual-loss some", 2).contains("--virtual-loss"));
}
