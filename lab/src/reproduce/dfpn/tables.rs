//! The tables in Markdown, with our figures and the paper's.

use super::methods::{Done, Method};
use super::paper::Paper;
use proofwood_cli::display::grid::{Column, left, markdown, right};
use proofwood_cli::display::screen;
use proofwood_measure::geometric_mean;
use proofwood_session::words::numbers;
use std::time::Duration;

/// The results of an experiment: a row for each position, with the run of each method, or `None` if
/// there is no run yet.
#[derive(Debug)]
pub(super) struct Results {
    pub(super) methods: Vec<Method>,
    pub(super) rows: Vec<Vec<Option<Done>>>,
}

impl Results {
    fn solved(&self, method: usize) -> impl Iterator<Item = &Done> {
        self.rows.iter().filter_map(move |row| row[method].as_ref()).filter(|done| done.solved)
    }

    /// The speed-up of method `a` over `b` by `measure`: the geometric mean of the ratios over the
    /// positions that all methods solve; 0 if there are none.
    pub(super) fn faster(&self, a: usize, b: usize, measure: fn(&Done) -> f64) -> f64 {
        let rows = self.rows.iter().filter_map(|row| {
            let all: Option<Vec<&Done>> = row.iter().map(Option::as_ref).collect();
            all.filter(|row| row.iter().all(|done| done.solved))
        });
        geometric_mean(rows.map(|row| measure(row[b]) / measure(row[a])))
    }

    pub(super) fn by_all(&self) -> usize {
        let solved = |run: &Option<Done>| run.as_ref().is_some_and(|done| done.solved);
        self.rows.iter().filter(|row| row.iter().all(solved)).count()
    }

    /// Pairs of an enhanced and a plain run of the same position. The plain run makes at least four
    /// times as many nodes as the table has entries, and at least one of the two solves the
    /// position.
    fn overflowing(&self, enhanced: usize, plain: usize) -> Vec<(&Done, &Done)> {
        let pairs = self.rows.iter().filter_map(|row| {
            let (enhanced, plain) = (row[enhanced].as_ref()?, row[plain].as_ref()?);
            let overflows = plain.nodes >= 4 * plain.task.entries;
            (overflows && (enhanced.solved || plain.solved)).then_some((enhanced, plain))
        });
        pairs.collect()
    }
}

pub(super) fn nodes(done: &Done) -> f64 {
    done.nodes.max(1) as f64
}

pub(super) fn seconds(done: &Done) -> f64 {
    done.seconds.max(1e-4)
}

fn time(seconds: f64) -> String {
    numbers::time(Duration::from_secs_f64(seconds))
}

/// Formats a table in Markdown from the name of the first column, the other columns, and the rows.
/// If there is too little room, columns are dropped in descending order of `first`.
fn table(
    rows_are: &str,
    columns: &[String],
    first: impl Fn(usize) -> u8,
    rows: impl IntoIterator<Item = (String, Vec<String>)>,
) -> String {
    let names = columns.iter().enumerate().map(|(number, name)| right(name, first(number)));
    let header: Vec<Column<'_>> = std::iter::once(left(rows_are, 0)).chain(names).collect();
    let rows = rows.into_iter().map(|(name, cells)| {
        let mut row = vec![name];
        row.extend(cells);
        row
    });
    format!("\n{}", markdown(&header, rows))
}

/// The rank of a method's column: the first methods are dropped last.
fn in_order(number: usize) -> u8 {
    number as u8 + 1
}

/// Table 1: nodes and seconds until the answer. There is a row for each size of the table; `sizes`
/// are binary logarithms.
pub(super) fn sizes(results: &Results, sizes: &[u32], paper: &Paper) -> String {
    let rows = sizes.iter().zip(&results.rows).map(|(size, runs)| {
        let cells = results.methods.iter().zip(runs).map(|(method, run)| {
            let ours = match run {
                None => "not run".into(),
                Some(done) if done.solved => {
                    format!("{}, {}", numbers::count(nodes(done)), time(done.seconds))
                }
                Some(done) => {
                    format!("– ({}, {})", numbers::count(nodes(done)), time(done.seconds))
                }
            };
            match paper.value("atari-go", method.name, &size.to_string()) {
                Some(seconds) => format!("{ours} (paper {seconds} s)"),
                None if (12..=22).contains(size) => format!("{ours} (paper –)"),
                None => ours,
            }
        });
        (format!("2^{size}"), cells.collect())
    });
    let methods: Vec<String> = results.methods.iter().map(|m| m.name.to_string()).collect();
    let title = "\n### Atari Go 6x6 with a crosscut\n";
    let legend = "\nNodes and processor time to the proof; – is no answer, with what was spent. The\n\
                  paper's seconds are those of a 3 GHz Pentium 4, its – is none in two hours.\n";
    title.to_string() + &table("entries", &methods, in_order, rows) + &screen::fit(legend)
}

/// The limits in nodes and seconds are these factors times powers of ten.
const STEPS: [f64; 2] = [1.0, 3.0];

fn steps(from: i32, most: f64) -> Vec<f64> {
    let all = (from..12).flat_map(|power| STEPS.map(|step| step * 10f64.powi(power)));
    let mut steps: Vec<f64> = all.take_while(|&step| step < most).collect();
    steps.push(steps.last().map_or(most, |_| most));
    steps
}

/// Tables 2 and 3: positions solved within limits in nodes and seconds.
pub(super) fn solved(results: &Results, experiment: &str, paper: &Paper) -> String {
    let mut text = String::new();
    if (0..results.methods.len()).all(|method| results.solved(method).next().is_none()) {
        text += &screen::fit("\nNo method has solved any of them within the limits.\n");
    }
    text += &within(results, "solved within nodes", 4, nodes, numbers::count);
    text += &within(results, "solved within processor time", -2, seconds, time);
    let columns = paper.columns(experiment);
    let positions = if experiment == "loa-easy" { 488 } else { 286 };
    text += &screen::fit(&format!(
        "\nThe paper's, {positions} positions of a set that could not be had, table of 2^20 entries:\n"
    ));
    let names: Vec<String> = columns.iter().map(|seconds| format!("{seconds} s")).collect();
    let rows = results.methods.iter().map(|method| {
        let solved = |seconds: &&str| {
            paper.value(experiment, method.name, seconds).map_or(String::new(), |v| v.to_string())
        };
        (method.name.to_string(), columns.iter().map(solved).collect())
    });
    text + &table("solved within", &names, latest(names.len()), rows)
}

/// The ranks of columns with ascending limits: the columns with the greatest limits are dropped
/// last.
fn latest(columns: usize) -> impl Fn(usize) -> u8 {
    move |number| (columns - number) as u8
}

/// Counts the positions that each method solved within each limit. The limits begin at ten to the
/// power of `from`.
fn within(
    results: &Results,
    name: &str,
    from: i32,
    measure: fn(&Done) -> f64,
    shown: fn(f64) -> String,
) -> String {
    let all = (0..results.methods.len()).flat_map(|method| results.solved(method));
    let most = all.map(measure).fold(0.0, f64::max);
    if most == 0.0 {
        return String::new();
    }
    let steps = steps(from, most);
    let names: Vec<String> = steps.iter().map(|&step| shown(step)).collect();
    let rows = results.methods.iter().enumerate().map(|(number, method)| {
        let count = |&step: &f64| {
            results.solved(number).filter(|done| measure(done) <= step).count().to_string()
        };
        (method.name.to_string(), steps.iter().map(count).collect())
    });
    table(name, &names, latest(names.len()), rows)
}

/// Table 4, and the speed-up that 1 + ε gives df-pn and PDS where the table is too small.
pub(super) fn faster(results: &Results, paper: &Paper) -> String {
    let mut text = ratios(results, paper);
    for (enhanced, plain) in [("df-pn 1+ε", "df-pn"), ("pds 1+ε", "pds")] {
        let place = |name| results.methods.iter().position(|method| method.name == name);
        let (Some(enhanced), Some(plain)) = (place(enhanced), place(plain)) else { continue };
        let pairs = results.overflowing(enhanced, plain);
        let ratio = |measure: fn(&Done) -> f64| {
            geometric_mean(pairs.iter().map(|(enhanced, plain)| measure(plain) / measure(enhanced)))
        };
        if pairs.is_empty() {
            continue;
        }
        let (in_nodes, in_time) = (ratio(nodes), ratio(seconds));
        let open =
            |run: fn(&(&Done, &Done)) -> bool| pairs.iter().filter(|pair| !run(pair)).count();
        text += &screen::fit(&format!(
            "\nWhere {} makes at least four times as many nodes as the table has entries, {}\n\
             positions, {} is {in_nodes:.2} times faster in nodes and {in_time:.2} times in processor\n\
             time. Runs without an answer count with what they spent: {} of the plain method, {} of\n\
             the other.\n",
            results.methods[plain].name,
            pairs.len(),
            results.methods[enhanced].name,
            open(|(_, plain)| plain.solved),
            open(|(enhanced, _)| enhanced.solved),
        ));
    }
    text
}

fn ratios(results: &Results, paper: &Paper) -> String {
    let legend = format!(
        "\nThe method of the row is so many times faster than that of the column: in nodes, in\n\
         processor time, and in the paper's time on its hard set. Geometric means over the {}\n\
         positions that all methods settle.\n",
        results.by_all()
    );
    let rows = results.methods.iter().enumerate().map(|(a, method)| {
        let cells = results.methods.iter().enumerate().map(|(b, other)| {
            let ratio = |measure| results.faster(a, b, measure);
            let theirs = paper.value("faster", method.name, other.name).unwrap_or(f64::NAN);
            match results.by_all() {
                0 => format!("– ({theirs:.2})"),
                _ => format!("{:.2}, {:.2} ({theirs:.2})", ratio(nodes), ratio(seconds)),
            }
        });
        (method.name.to_string(), cells.collect())
    });
    let methods: Vec<String> = results.methods.iter().map(|m| m.name.to_string()).collect();
    screen::fit(&legend) + &table("", &methods, in_order, rows)
}

#[cfg(test)]
mod tests {
    use super::super::methods::{METHODS, Task};
    use super::*;

    fn run(method: usize, nodes: u64, solved: bool) -> Option<Done> {
        let task = Task {
            experiment: "loa-hard".into(),
            position: "p".into(),
            method: METHODS[method].name.into(),
            entries: 100,
            mobility: false,
        };
        let value = String::new();
        let (seconds, time_limit) = (nodes as f64 / 100.0, 1.0);
        Some(Done { task, solved, value, nodes, seconds, node_limit: 1, time_limit })
    }

    fn results() -> Results {
        let runs = |nodes: [u64; 2], solved: [bool; 2]| {
            vec![run(0, nodes[0], solved[0]), run(1, nodes[1], solved[1])]
        };
        Results {
            methods: METHODS[..2].to_vec(),
            rows: vec![
                runs([100, 200], [true, true]),
                runs([100, 800], [true, true]),
                runs([100, 6400], [true, false]),
                runs([9000, 9000], [false, false]),
                vec![run(0, 5, true), None],
            ],
        }
    }

    #[test]
    fn ratios_are_geometric_means_of_what_all_settle() {
        let results = results();
        assert_eq!(results.by_all(), 2);
        let faster = |a, b| results.faster(a, b, nodes);
        assert!((faster(0, 1) - 4.0).abs() < 1e-9);
        assert!((faster(1, 0) - 0.25).abs() < 1e-9);
    }

    #[test]
    fn overflowing_positions_are_those_that_the_rule_names() {
        let results = results();
        let pairs = results.overflowing(0, 1);
        assert_eq!(pairs.iter().map(|(_, plain)| plain.nodes).collect::<Vec<_>>(), [800, 6400]);
        let text = faster(&results, &Paper::read().unwrap());
        // The geometric mean of 8 and 64.
        assert!(text.contains("22.63 times faster in nodes"), "{text}");
        assert!(text.contains("1 of the plain method, 0 of"), "{text}");
        assert!(text.contains("4.00, 4.00 (1.58)"), "{text}");
    }

    #[test]
    fn positions_are_counted_by_what_they_took() {
        let text = solved(&results(), "loa-hard", &Paper::read().unwrap());
        let rows: Vec<Vec<&str>> =
            text.lines().map(|line| line.split('|').map(str::trim).collect()).collect();
        let has = |row: &[&str]| assert!(rows.iter().any(|r| r.starts_with(row)), "{row:?} {text}");
        has(&["", "df-pn 1+ε", "44", "107"]);
        has(&["", "solved within nodes", "800", ""]);
        has(&["", "df-pn", "2", ""]);
        has(&["", "df-pn 1+ε", "4", ""]);
    }

    #[test]
    fn tables_fit() {
        let paper = Paper::read().unwrap();
        let mut results = results();
        results.methods = METHODS.to_vec();
        results.rows = (1..=6)
            .map(|n| (0..4).map(|method| run(method, 10u64.pow(n), n < 6)).collect())
            .collect();
        let print = || {
            let all = solved(&results, "loa-easy", &paper) + &faster(&results, &paper);
            all + &sizes(&results, &[12, 14, 16, 18, 20, 22], &paper)
        };
        proofwood_cli::display::screen::fits::check_text(print, &["df-pn 1+ε", "Geometric"]);
    }
}
