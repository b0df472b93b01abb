//! Exports of proofs and trees as pages, graphs and variations.

use crate::common::{complaint, json, run};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// Writes a short proof that x wins; returns its path.
fn proof(folder: &TempDir) -> PathBuf {
    let path = folder.path().join("win.proof");
    let solve = "solve tic-tac-toe --moves a1_b1 --threads 1 --algorithm dfpn --certificate";
    assert_eq!(run(&format!("{solve} {}", path.display())).0, 0);
    path
}

fn export(file: &Path, folder: &TempDir, extent: &str) -> [String; 3] {
    let names = ["html", "dot", "sgf"].map(|ending| folder.path().join(format!("out.{ending}")));
    let [html, dot, sgf] = names.each_ref().map(|path| path.display());
    let (status, output, errors) = run(&format!(
        "export {} --html {html} --dot {dot} --sgf {sgf} --force {extent}",
        file.display()
    ));
    assert_eq!((status, errors.as_str()), (0, ""), "{extent}");
    assert_eq!(output.lines().count(), 3, "{output}");
    assert!(output.contains("out.html: "), "{output}");
    names.map(|path| fs::read_to_string(path).expect("it is written"))
}

/// Returns Graphviz's output for a graph; `None` if Graphviz is not installed.
fn drawn(folder: &TempDir) -> Option<String> {
    let output = Command::new("dot").arg("-Tsvg").arg(folder.path().join("out.dot")).output();
    let Ok(output) = output else {
        eprintln!("skipped: Graphviz is not installed");
        return None;
    };
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && errors.is_empty(), "{errors}");
    Some(String::from_utf8(output.stdout).expect("SVG is text"))
}

#[test]
fn a_proof_goes_out_as_a_page_a_graph_and_variations() {
    let folder = TempDir::new().unwrap();
    let proof = proof(&folder);
    let [html, dot, sgf] = export(&proof, &folder, "--depth 3");
    // One move of the winner, then all six replies, and one move against each.
    let moves = 1 + 6 + 6;
    assert_eq!(html.matches("<details").count(), 1 + moves, "{html}");
    assert_eq!(dot.matches(" -> ").count(), moves, "{dot}");
    assert_eq!(sgf.matches(";W[").count() + sgf.matches(";B[").count(), moves, "{sgf}");
    for text in [&html, &dot, &sgf] {
        assert!(text.contains("Proof: x can secure at least 1."), "{text}");
    }
    assert!(html.contains("<p>Cut off here (--depth 3).</p>"), "{html}");
    assert!(html.contains("checked against the rules"));
    assert!(!html.contains("<script") && !html.contains("http"), "{html}");
    // The page counts as many positions as the checker.
    let checked = json(&format!("check {} --json", proof.display()));
    let positions = checked["claims"][0]["positions"].as_u64().expect("a number");
    let root = html.lines().find(|line| line.starts_with("<details open")).expect("a root");
    assert!(root.contains(&format!("positions {positions}<")), "{root}");
    if let Some(svg) = drawn(&folder) {
        assert_eq!(svg.matches("class=\"edge\"").count(), moves, "{svg}");
    }
    // `check` writes the same variations.
    let checked = folder.path().join("checked.sgf");
    let check = format!("check {} --sgf {} --depth 3", proof.display(), checked.display());
    assert_eq!(run(&check).0, 0);
    assert_eq!(fs::read_to_string(checked).unwrap(), sgf);

    // By default the whole proof is exported.
    let [html, dot, sgf] = export(&proof, &folder, "");
    assert!(html.matches("<details").count() > 1 + moves, "{html}");
    for text in [&html, &dot, &sgf] {
        assert!(!text.contains("Cut off") && !text.contains("not shown"), "{text}");
    }

    let [html, dot, sgf] = export(&proof, &folder, "--depth 2 --width 2");
    assert_eq!(html.matches("<details").count(), 1 + 1 + 2);
    for text in [&html, &dot, &sgf] {
        assert!(text.contains("4 more moves are not shown."), "{text}");
    }
    drawn(&folder);
}

/// Returns the targets of a page's links, each with whether it exists.
fn linked(html: &str) -> Vec<(String, bool)> {
    let links = html.split("href=\"#").skip(1).map(|rest| rest.split('"').next().unwrap());
    links.map(|id| (id.to_string(), html.contains(&format!("id=\"{id}\"")))).collect()
}

#[test]
fn a_proof_that_is_met_again_is_linked_and_one_too_large_is_cut() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("draw.proof");
    let solve = "solve tic-tac-toe --threads 1 --algorithm dfpn --certificate";
    assert_eq!(run(&format!("{solve} {}", path.display())).0, 0);
    let [html, dot, sgf] = export(&path, &folder, "");
    let positions = html.matches("<details").count();
    assert!((500..10_000).contains(&positions) && !html.contains("Cut off"), "{positions}");
    assert_eq!(sgf.matches(";W[").count() + sgf.matches(";B[").count(), positions - 2);
    let links = linked(&html);
    assert!(links.len() > 10 && links.iter().all(|(_, found)| *found), "{links:?}");
    // A graph shows less, and states its depth.
    let drawn = dot.matches(" [penwidth=").count();
    assert!(drawn < 500 && dot.contains("Cut off here (--depth "), "{drawn}");
    // Each node of SGF has a property at most once.
    for node in sgf.split(';') {
        assert!(node.matches("C[").count() <= 1, "{node}");
    }
    let [html, ..] = export(&path, &folder, "--width 3");
    assert!(linked(&html).iter().all(|(_, found)| *found), "{html}");
    assert!(html.contains("Proven in a variation that is not shown."), "{html}");
}

#[test]
fn nothing_is_written_of_what_is_no_proof() {
    let folder = TempDir::new().unwrap();
    let proof = proof(&folder);
    let html = folder.path().join("out.html");
    let to = |file: &Path| format!("export {} --html {}", file.display(), html.display());
    let whole = fs::read(&proof).unwrap();
    let altered = folder.path().join("altered.proof");
    fs::write(&altered, &whole[..whole.len() - 9]).unwrap();
    let why = complaint(&to(&altered), 1);
    assert!(why.contains("altered.proof: ") && why.contains("truncated"), "{why}");
    fs::write(&altered, "a diary").unwrap();
    assert!(complaint(&to(&altered), 1).contains("the file is not a certificate"));
    assert!(complaint(&to(&folder.path().join("none")), 2).contains("cannot read"));
    assert!(complaint(&to(folder.path()), 2).contains("directory"));
    assert!(complaint(&format!("export {}", proof.display()), 2).contains("--html"));
    let same = format!("export {} --html {}", proof.display(), proof.display());
    assert!(complaint(&same, 2).contains("this is the input file"));
    let twice = format!("{} --dot {}", to(&proof), html.display());
    assert!(complaint(&twice, 2).contains("another option writes to this file"));
    assert!(!html.exists(), "nothing is left");
    fs::write(&html, "a diary").unwrap();
    assert!(complaint(&to(&proof), 2).contains("--force replaces it"));
    assert_eq!(fs::read_to_string(&html).unwrap(), "a diary");
}

#[test]
fn a_tree_goes_out_with_its_figures() {
    let folder = TempDir::new().unwrap();
    let tree = folder.path().join("a.tree");
    let search = "search connect-four --moves 43 --threads 1 --playouts 3000 --seed 1 --save-tree";
    let answer = json(&format!("{search} {} --json", tree.display()));
    let [html, dot, sgf] = export(&tree, &folder, "--depth 2 --width 3");
    let moves = 3 + 9;
    assert_eq!(html.matches("<details").count(), 1 + moves, "{html}");
    let shown = dot.matches(" [penwidth=").count();
    assert_eq!(shown, moves, "{dot}");
    assert_eq!(sgf.matches(";W[").count() + sgf.matches(";B[").count(), moves, "{sgf}");
    // The most visited move comes first.
    let best = answer["moves"].as_array().unwrap().iter().max_by_key(|mv| mv["visits"].as_u64());
    let best = best.unwrap()["move"].as_str().unwrap();
    let first = html.lines().filter(|line| line.starts_with("<details")).nth(1).expect("a move");
    assert!(first.contains(&format!("<b>{best}</b>")), "{first}");
    for part in ["visits ", "points ", "bounds ", "4 more moves are not shown."] {
        assert!(html.contains(part), "{part}");
    }
    // Proof numbers are not counted here.
    assert!(!html.contains("proof numbers 1 / 1"), "{html}");
    // Each node of the variations has one comment with its figures, and its value for Black, who
    // moves first here. After White's moves the values are negated.
    assert_eq!(sgf.matches("C[").count(), 1 + moves, "{sgf}");
    assert_eq!(sgf.matches("V[").count(), moves, "{sgf}");
    for part in ["C[Search tree.\n4 more moves are not shown.]", "C[visits ", "\npoints "] {
        assert!(sgf.contains(part), "{part}: {sgf}");
    }
    let mean = answer["moves"].as_array().unwrap().iter().find(|mv| mv["move"] == *best).unwrap();
    let mean = mean["mean"].as_f64().expect("a mean");
    assert!(sgf.contains(&format!("V[{mean:.3}]")), "{mean}: {sgf}");
    drawn(&folder);
    let whole = fs::read(&tree).unwrap();
    fs::write(&tree, &whole[..whole.len() / 2]).unwrap();
    let out = folder.path().join("none.html");
    let why = complaint(&format!("export {} --html {}", tree.display(), out.display()), 2);
    assert!(why.contains("is truncated"), "{why}");
    assert!(!out.exists());
}
