//! `reproduce df-pn`: runs, tables and figures, and going on where a run was ended.

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

    // What is there is not run again, and prints the same.
    let (_, again, _) = run(&command(""));
    assert_eq!((again, runs().len()), (text, 28));
    // A run that had too little is.
    let open = runs().iter().filter(|run| run["settled"] == false).count();
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
    // What is there is not run again, and prints the same.
    assert_eq!(run(&command("--positions 2")).1, text);
    assert_eq!(read(), first);
    // More positions are added, and a half-written line is written again.
    std::fs::write(&file, format!("{first}{{\"game\":\"oth")).unwrap();
    let (_, json, _) = run(&command("--positions 3 --json"));
    assert!(read().starts_with(&first) && read().len() > first.len());
    let json = documents(&json);
    assert_eq!(json.len(), 3 * 4);
    assert!(json.iter().all(|run| run.get("truth").is_some()), "{json:?}");
    // Other limits are other runs.
    let before = read();
    run(&command("--positions 1 --seed 0").replace("--nodes 20000", "--nodes 30000"));
    assert!(read().starts_with(&before) && read().len() > before.len());
    std::fs::write(&file, "a diary\n").unwrap();
    assert!(complaint(&command(""), 2).contains("runs.jsonl, line 1: this is no run"));
    assert_eq!(read(), "a diary\n");
    std::fs::remove_dir_all(&out).unwrap();
}
