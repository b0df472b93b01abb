//! Tests of `reproduce`: runs, tables, figures, and interrupted runs that continue.

use crate::common::{complaint, documents, run};

#[test]
fn df_pn_and_pds_are_compared() {
    let out = std::env::temp_dir().join(format!("proofwood-dfpn-{}", std::process::id()));
    let command = |more: &str| {
        format!(
            "reproduce df-pn --sizes 10 --positions 3 --table 8 --nodes 30000 {more} --out {}",
            out.display()
        )
    };
    let (status, text, errors) = run(&command(""));
    assert_eq!((status, errors.as_str()), (0, ""));
    assert_eq!(text.matches("\n### ").count(), 3, "{text}");
    assert!(text.contains("| 2^10 ") && text.contains("(1.58)"), "{text}");
    let runs = || documents(&std::fs::read_to_string(out.join("runs.jsonl")).unwrap());
    assert_eq!(runs().len(), 4 * (1 + 3 + 3));
    for (name, part) in
        [("atari-go", "the paper"), ("loa-easy-table-8", "pds"), ("loa-hard-table-8", "pds")]
    {
        let figure = std::fs::read_to_string(out.join(format!("{name}.svg"))).unwrap();
        assert!(figure.starts_with("<svg") && figure.contains(part), "{name}");
    }

    // A recorded run is not repeated, and the output is the same.
    let (_, again, _) = run(&command(""));
    assert_eq!((again, runs().len()), (text, 28));
    // A run that ended at a lower limit is repeated.
    let open = runs().iter().filter(|run| run["solved"] == false).count();
    assert!(open > 0);
    run(&command("--nodes 40000").replace("--nodes 30000", ""));
    assert_eq!(runs().len(), 28 + open);

    let only = command("--only loa-easy --methods dfpn,dfpn-e --json");
    let (_, text, _) = run(&only);
    let easy = documents(&text);
    assert_eq!(easy.len(), 6);
    assert!(easy.iter().all(|run| run["experiment"] == "loa-easy" && run["value"] != "not-win"));
    std::fs::remove_dir_all(&out).unwrap();
}

#[test]
fn what_cannot_be_run_is_refused() {
    assert!(complaint("reproduce df-pn --methods pns", 2).contains("dfpn-e"));
    assert!(complaint("reproduce df-pn --only hex", 2).contains("loa-hard"));
    assert!(complaint("reproduce df-pn --nodes 0", 2).contains("--nodes"));
}

#[test]
fn ppns_goes_on_where_it_was_ended() {
    let out = std::env::temp_dir().join(format!("proofwood-reproduced-{}", std::process::id()));
    let command = |more: &str| {
        format!(
            "reproduce ppns --game othello --plies 48 --methods pns,dfpn,pp --nodes 20000 \
             --time 20s --memory 64M {more} --out {}",
            out.display()
        )
    };
    let file = out.join("runs.jsonl");
    let read = || std::fs::read_to_string(&file).unwrap();
    let (status, text, errors) = run(&command("--positions 2"));
    assert_eq!((status, errors.as_str()), (0, ""));
    let first = read();
    let runs = documents(&first);
    assert!(runs.len() >= 2 * 4, "{first}");
    assert!(runs.iter().all(|run| run["game"] == "othello" && run["node_limit"].is_u64()));
    // A recorded run is not repeated, and the output is the same.
    assert_eq!(run(&command("--positions 2")).1, text);
    assert_eq!(read(), first);
    // More positions are added, and a half-written line is written again.
    std::fs::write(&file, format!("{first}{{\"game\":\"oth")).unwrap();
    let (_, json, _) = run(&command("--positions 3 --json"));
    assert!(read().starts_with(&first) && read().len() > first.len());
    let json = documents(&json);
    assert_eq!(json.len(), 3 * 4);
    assert!(json.iter().all(|run| run.get("truth").is_some()), "{json:?}");
    // Runs with other limits are other runs.
    let before = read();
    run(&command("--positions 1 --seed 0").replace("--nodes 20000", "--nodes 30000"));
    assert!(read().starts_with(&before) && read().len() > before.len());
    std::fs::write(&file, "a diary\n").unwrap();
    assert!(complaint(&command(""), 2).contains("runs.jsonl, line 1: this is no run"));
    assert_eq!(read(), "a diary\n");
    std::fs::remove_dir_all(&out).unwrap();
}

#[test]
fn the_experiment_writes_runs_tables_and_figures() {
    let out = std::env::temp_dir().join(format!("proofwood-ppns-{}", std::process::id()));
    let arguments = format!(
        "reproduce ppns --positions 2 --nodes 400 --time 5s --plies 40,44 --memory 64M --out {}",
        out.display()
    );
    let (status, text, errors) = run(&arguments);
    assert_eq!((status, errors.as_str()), (0, ""));
    assert_eq!(text.matches("\n### ").count(), 3, "{text}");
    assert!(text.contains("| pns ") && text.contains("61.0 %"), "{text}");
    let runs = documents(&std::fs::read_to_string(out.join("runs.jsonl")).unwrap());
    // Estimates may have been compared with runs of their own.
    let compared = runs.iter().filter(|run| run["method"] != "truth");
    assert_eq!(compared.count(), 2 * (19 + 9 + 9));
    for name in ["connect-four-12.svg", "othello-40.svg", "othello-44.svg", "othello.svg"] {
        let figure = std::fs::read_to_string(out.join(name)).unwrap();
        assert!(figure.starts_with("<svg") && figure.contains("ppns"), "{name}");
    }
    std::fs::remove_dir_all(&out).unwrap();
    assert!(complaint("reproduce ppns --methods foo", 2).contains("nothing begins with 'foo'"));
    // A complete name stands for one method; the beginning of a name for all methods that begin
    // with it.
    let methods = |names: &str| {
        let arguments = "reproduce ppns --game othello --plies 44 --positions 1 --nodes 50 --json";
        let runs = documents(&run(&format!("{arguments} --memory 64M --methods {names}")).1);
        let name = |run: &serde_json::Value| run["method"].as_str().unwrap().to_string();
        runs.iter().map(name).collect::<Vec<_>>()
    };
    assert_eq!(methods("ppns,df-p"), ["ppns", "df-ppns", "df-ppns θ=0.01 pr=1e-5"]);
    assert!(complaint("reproduce ppns --from x.csv", 2).contains("--game"));
    assert!(complaint("reproduce ppns --from paper --nodes 1 --positions 1", 2).contains("22, 26"));
}

#[test]
fn the_experiment_takes_positions_from_all_places() {
    let table = |from: &str, plies: u32| {
        let (status, text, errors) = run(&format!(
            "reproduce ppns --methods pns --nodes 300 --memory 64M --plies {plies} {from}"
        ));
        assert_eq!((status, errors.as_str()), (0, ""));
        text
    };
    let text = table("--from paper", 22);
    // Of 192 and 75 boards some are won or over.
    assert!(text.contains("Connect Four after 12 plies, the authors' positions, 190 positions"));
    assert!(
        text.contains("Othello after 22 plies, the authors' positions, 70 positions"),
        "{text}"
    );
    let text = table("--positions 3", 44);
    assert!(text.contains("Connect Four after 12 plies, the authors' positions, 3 positions"));
    assert!(text.contains("Othello after 44 random plies, 3 positions"), "{text}");
    let file = std::env::temp_dir().join(format!("proofwood-from-{}.csv", std::process::id()));
    std::fs::write(&file, "id,moves\na,4444\nb,43655644233456\n").unwrap();
    let text = table(&format!("--game connect-four --from {}", file.display()), 44);
    assert!(text.contains("positions of") && text.contains("2 positions"), "{text}");
    assert!(!text.contains("61.0 %"), "the paper knows nothing of these: {text}");
    std::fs::remove_file(&file).unwrap();
    let text = table("--positions 2 --from random", 44);
    assert!(text.contains("Connect Four after 12 random plies, 2 positions"), "{text}");
}
