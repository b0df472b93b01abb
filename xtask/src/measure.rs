//! Measures the figures for the book's page on performance, and writes each table into the page,
//! together with the version that was measured.

use crate::{Failure, cargo, root};
use serde_json::Value;
use std::env::consts::ARCH;
use std::fmt::Write as _;
use std::fs;
use std::process::{Command, Stdio};

/// A measurement: its name in the page, the command, and the conversion of its output.
type Part = (&'static str, &'static [&'static str], fn(&str) -> Result<String, Failure>);

const PARTS: [Part; 5] = [
    ("speed", &[PROGRAM, "bench", "--all", "--threads", "1,2", "--rounds", "7", "--json"], speed),
    ("deadline", &[LABORATORY, "deadline", "--threads", "1,8", "--json"], deadline),
    ("peers", &["proofwood-peers", "--rounds", "3"], peers),
    ("solve", &["proofwood-peers", "solve", "--limit", "10", "--rounds", "3"], as_printed),
    (
        "proofs",
        &[
            LABORATORY,
            "proofs",
            "lab/data/hard_proofs.csv",
            "--goal",
            "win",
            "--time",
            "40s",
            "--rounds",
            "1",
            "--json",
        ],
        proofs,
    ),
];
const PROGRAM: &str = "proofwood-cli";
const LABORATORY: &str = "proofwood-lab";
/// The configurations to show on the page.
const SHOWN: [&str; 2] = ["defaults", "everything off"];

/// Measures the named parts, or all, and writes each into the page once it is measured.
pub(crate) fn run(names: &[String]) -> Result<(), Failure> {
    if let Some(name) = names.iter().find(|name| PARTS.iter().all(|part| part.0 != **name)) {
        let known = PARTS.map(|part| part.0).join(", ");
        return Err(format!("nothing called '{name}' is measured; there is {known}"));
    }
    let page = root().join("docs").join("src").join("performance.md");
    for (name, command, shown) in PARTS {
        if !names.is_empty() && !names.iter().any(|wanted| wanted == name) {
            continue;
        }
        println!("==> {name}");
        let table = shown(&output(command)?)?;
        let text = fs::read_to_string(&page)
            .map_err(|error| format!("cannot read {}: {error}", page.display()))?;
        let place = format!("measured: {name}");
        let text = replaced(&text, &place, &format!("{}\n\n{table}", source(command)))
            .ok_or_else(|| format!("{} has no place for '{name}'", page.display()))?;
        fs::write(&page, text)
            .map_err(|error| format!("cannot write {}: {error}", page.display()))?;
    }
    Ok(())
}

/// Runs the program or a package of the laboratory, and returns its output; its messages are shown.
fn output(command: &[&str]) -> Result<String, Failure> {
    let mut run = cargo(&["run", "--release", "--quiet", "--package", command[0]]);
    if command[0] != PROGRAM {
        run.args(["--manifest-path", "lab/Cargo.toml"]);
    }
    let run = run.arg("--").args(&command[1..]).stderr(Stdio::inherit());
    let output = run.output().map_err(|error| format!("cannot run cargo: {error}"))?;
    if !output.status.success() {
        return Err(format!("{}: {}", command.join(" "), output.status));
    }
    String::from_utf8(output.stdout).map_err(|error| error.to_string())
}

/// Describes the version, the machine and the command of a measurement.
fn source(command: &[&str]) -> String {
    let git = |arguments: &[&str]| {
        let output = Command::new("git").args(arguments).current_dir(root()).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim().to_string())
    };
    let commit = git(&["log", "-1", "--format=commit %h of %cs"]).unwrap_or_default();
    let command = match command {
        [PROGRAM, arguments @ ..] => format!("proofwood {}", arguments.join(" ")),
        [LABORATORY, arguments @ ..] => format!("proofwood-lab {}", arguments.join(" ")),
        [package, arguments @ ..] => format!("cargo lab -p {package} -- {}", arguments.join(" ")),
        [] => String::new(),
    };
    let version = env!("CARGO_PKG_VERSION");
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!(
        "Version {version}, {commit}, on {cores} cores ({}): `{}`",
        processor(),
        command.trim_end_matches(" --json")
    )
}

fn processor() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with("model name"));
    let name = line.and_then(|line| line.split_once(": ")).map(|(_, name)| name.trim());
    name.unwrap_or(ARCH).to_string()
}

/// Replaces the text of a page between the comment `name` and the next comment `end`.
pub(crate) fn replaced(page: &str, name: &str, text: &str) -> Option<String> {
    let start = format!("<!-- {name} -->\n");
    let (before, rest) = page.split_once(&start)?;
    let (_, after) = rest.split_once("<!-- end -->\n")?;
    Some(format!("{before}{start}{}\n<!-- end -->\n{after}", text.trim_end()))
}

fn objects(output: &str) -> Result<Vec<Value>, Failure> {
    let objects = serde_json::Deserializer::from_str(output).into_iter();
    objects.collect::<Result<_, _>>().map_err(|error| format!("what was printed: {error}"))
}

fn table(header: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut text = format!("| {} |\n|{}\n", header.join(" | "), "---|".repeat(header.len()));
    for row in rows {
        let _ = writeln!(text, "| {} |", row.join(" | "));
    }
    text
}

/// Formats a number field; empty if it is missing.
fn field(row: &Value, name: &str, places: usize) -> String {
    row[name].as_f64().map_or_else(String::new, |number| format!("{number:.places$}"))
}

fn speed(output: &str) -> Result<String, Failure> {
    let mut rows = Vec::new();
    for game in objects(output)? {
        let measured = game["rows"].as_array().into_iter().flatten();
        for row in measured.filter(|row| SHOWN.iter().any(|name| row["configuration"] == *name)) {
            let rate = row["playouts_per_second"].as_f64().unwrap_or_default();
            rows.push(vec![
                game["game"].as_str().unwrap_or_default().to_string(),
                row["configuration"].as_str().unwrap_or_default().to_string(),
                field(row, "threads", 0),
                format!("{:.2} M", rate / 1e6),
                field(row, "cost", 2),
                field(row, "speed_up", 2),
                field(row, "nodes", 0),
                field(row, "bytes_per_node", 0),
                field(row, "bytes_per_playout", 0),
            ]);
        }
    }
    let header = [
        "game",
        "configuration",
        "threads",
        "playouts/s",
        "cost",
        "speed-up",
        "nodes",
        "B/node",
        "B/playout",
    ];
    Ok(table(&header, rows))
}

fn deadline(output: &str) -> Result<String, Failure> {
    let mut rows = Vec::new();
    for game in objects(output)? {
        for row in game["rows"].as_array().into_iter().flatten() {
            let late = ["median_ms", "percentile_99_ms", "most_ms"];
            let late = late.map(|name| format!("{} ms", field(row, name, 2)));
            let name = game["game"].as_str().unwrap_or_default().to_string();
            rows.push([vec![name, field(row, "threads", 0)], late.to_vec()].concat());
        }
    }
    Ok(table(&["game", "threads", "median", "99 %", "most"], rows))
}

fn proofs(output: &str) -> Result<String, Failure> {
    let all = objects(output)?;
    let counted: Vec<&Value> =
        all.iter().filter(|row| row["counts"] == true && row["threads"] == 2).collect();
    let mean = |name: &str| {
        let logs = counted.iter().filter_map(|row| Some(row[name].as_f64()?.ln()));
        (logs.sum::<f64>() / counted.len() as f64).exp()
    };
    Ok(format!(
        "Over {} positions two threads are {:.2} times as fast as one and make {:.2} times \
         the nodes (geometric means).",
        counted.len(),
        mean("speed_up"),
        mean("inflation")
    ))
}

/// Merges the program's two tables into one row for each engine.
fn peers(output: &str) -> Result<String, Failure> {
    let mut header = vec!["engine".to_string(), "threads".to_string()];
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut row = 0;
    for line in output.lines() {
        let cells: Vec<&str> =
            line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect();
        match cells[..] {
            [game, "threads", ..] => {
                header
                    .extend(["playouts/s", "cost", "B/playout"].map(|of| format!("{game}: {of}")));
                row = 0;
            }
            [engine, threads, rate, _, cost, _, bytes, _] => {
                if row == rows.len() {
                    rows.push(vec![engine.to_string(), threads.to_string()]);
                }
                rows[row].extend([rate, cost, bytes].map(String::from));
                row += 1;
            }
            _ => {}
        }
    }
    if rows.is_empty() || rows.iter().any(|row| row.len() != header.len()) {
        return Err(format!("these are not the tables of speeds:\n{output}"));
    }
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    Ok(table(&header, rows))
}

fn as_printed(output: &str) -> Result<String, Failure> {
    Ok(format!("```text\n{}\n```", output.trim_end()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_a_place_for_each_table() {
        let page = root().join("docs").join("src").join("performance.md");
        let page = fs::read_to_string(page).unwrap();
        for (name, ..) in PARTS {
            let place = format!("measured: {name}");
            let once = replaced(&page, &place, "| a |\n").expect(name);
            assert!(once.contains("-->\n| a |\n<!-- end -->\n"), "{name}");
            assert_eq!(replaced(&once, &place, "| a |").as_deref(), Some(&*once));
        }
        assert_eq!(replaced(&page, "gone", ""), None);
    }

    #[test]
    fn tables_have_what_was_printed() {
        let printed = r#"{"game":"othello","rows":[{"configuration":"defaults","threads":2,
            "playouts_per_second":678000.0,"cost":1.384,"speed_up":1.84,"nodes":596780,
            "bytes_per_node":42.0,"bytes_per_playout":126.0},{"configuration":"solver off"}]}"#;
        let row = "| othello | defaults | 2 | 0.68 M | 1.38 | 1.84 | 596780 | 42 | 126 |\n";
        assert!(speed(printed).unwrap().ends_with(&format!("---|\n{row}")));
        let printed = r#"{"game":"othello","rows":[{"threads":8,"median_ms":0.314,
            "percentile_99_ms":2.3,"most_ms":4.04}]}"#;
        assert!(
            deadline(printed).unwrap().ends_with("| othello | 8 | 0.31 ms | 2.30 ms | 4.04 ms |\n")
        );
        let printed = r#"{"threads":1,"counts":true,"speed_up":1.0,"inflation":1.0}
            {"threads":2,"counts":true,"speed_up":1.0,"inflation":2.0}
            {"threads":2,"counts":true,"speed_up":4.0,"inflation":2.0}"#;
        assert!(
            proofs(printed).unwrap().starts_with("Over 2 positions two threads are 2.00 times")
        );
        assert!(speed("nothing").is_err());
        let printed = " connect-four  threads  playouts/s    ±  cost  speed-up  B/playout  allocations/playout\n \
                        no tree        1        9,000 k  1 %  1.00                                    0\n \
                        treant 0.4     1          860 k  1 %  6.10      1.00        338                2.980\n\
                        2000 playouts a search, 3 rounds\n\n";
        let both = format!("{printed}{}", printed.replace("connect-four", "othello"));
        let row = "| treant 0.4 | 1 | 860 k | 6.10 | 338 | 860 k | 6.10 | 338 |\n";
        assert!(peers(&both).unwrap().ends_with(&format!("---|\n{row}")));
        assert!(peers("nothing").is_err());
    }
}
