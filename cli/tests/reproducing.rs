//! `reproduce df-pn`: runs, tables and figures, and going on where a run was ended.

mod common;

use common::{complaint, documents, run};

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
    assert!(text.contains("| 2^10 | ") && text.contains("(1.58)"), "{text}");
    let runs = || documents(&std::fs::read_to_string(out.join("runs.jsonl")).unwrap());
    assert_eq!(runs().len(), 4 * (1 + 3 + 3));
    for (name, part) in
        [("atari-go", "the paper"), ("loa-easy-2^8", "pds"), ("loa-hard-2^8", "pds")]
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
