//! Measures playouts per second, their cost relative to a playout without a tree, and their memory.

use super::sample::{self, Measured};
use crate::display::doubts::{Timed, doubts};
use crate::display::grid::{grid, left, right};
use crate::display::screen::{self, Line};
use crate::terminal::progress::Progress;
use proofwood::{Budget, CancelToken, Config};
use proofwood_measure::{Pace, median, spread};
use proofwood_session::Trouble;
use proofwood_session::input::threads::cores;
use proofwood_session::words::numbers;
use serde::Serialize;
use std::fmt::Write;
use std::time::{Duration, Instant};

const CONFIGURATIONS: [(&str, &[(&str, &str)]); 4] = [
    ("defaults", &[]),
    ("proof numbers off", &[("c-pn", "0")]),
    ("solver off", &[("solver", "off"), ("score-bounds", "off")]),
    (
        "all of it off",
        &[
            ("c-pn", "0"),
            ("solver", "off"),
            ("score-bounds", "off"),
            ("look-ahead", "off"),
            ("transpositions", "off"),
        ],
    ),
];

pub(super) struct Plan {
    pub(super) threads: Vec<usize>,
    pub(super) budget: Budget,
    pub(super) rounds: u32,
    /// Whether all configurations are measured, or only the first.
    pub(super) all: bool,
    /// The configuration to which the options of each row are added.
    pub(super) config: Config,
    pub(super) cancel: CancelToken,
}

/// The measured speed of searches of a game.
#[derive(Debug, Serialize)]
pub(crate) struct Speed {
    game: String,
    /// The number of rounds in which every row was measured.
    rounds: u32,
    /// The seed of the random numbers.
    seed: u64,
    /// The number of processor cores of the machine.
    cores: usize,
    /// The measurements, a row for each configuration and number of threads.
    rows: Vec<Row>,
}

/// The measurements of a configuration with a number of threads. Figures are medians over the
/// rounds.
#[derive(Debug, Serialize)]
struct Row {
    /// The name of the configuration.
    configuration: &'static str,
    /// The options of the configuration, as on the command line.
    options: String,
    threads: usize,
    /// The number of playouts of a search.
    playouts: u64,
    playouts_per_second: f64,
    /// Half the difference between the greatest and the least rate, divided by the median.
    spread: f64,
    /// The processor time of a playout, divided by that of a playout without a tree.
    cost: f64,
    /// The rate divided by that of one thread; null if one thread was not measured.
    speed_up: Option<f64>,
    /// The processor time divided by the wall-clock time: the number of cores in use.
    cores: f64,
    /// The number of nodes after the last search, the same in every round on one thread; null
    /// without a tree.
    nodes: Option<u64>,
    /// The size of the tree in bytes, divided by its nodes; null without a tree.
    bytes_per_node: Option<f64>,
    /// The size of the tree in bytes, divided by the playouts; null without a tree.
    bytes_per_playout: Option<f64>,
    /// The growth of the process's resident memory in bytes, divided by the playouts; null if the
    /// system does not report it.
    resident_bytes_per_playout: Option<f64>,
}

struct Case {
    configuration: &'static str,
    options: String,
    config: Config,
    rounds: Vec<Measured>,
}

/// Measures all configurations in each round. After Ctrl-C returns the measurements so far, or
/// `None` if there are none.
pub(super) fn measure(
    game: String,
    plan: &Plan,
    pace: &mut Progressing,
) -> Result<Option<Speed>, Trouble> {
    let progress = Progress::new();
    let mut cases = cases(plan)?;
    let searches = cases.len() * plan.rounds as usize;
    'rounds: for round in 1..=plan.rounds {
        for case in &mut cases {
            let (what, threads) = (case.configuration, case.config.threads);
            let rounds = plan.rounds;
            let left = pace.left(searches);
            progress.show(&live_line(&game, round, rounds, what, threads, left));
            let measured = sample::measure(&game, &case.config, &plan.budget, &plan.cancel)
                .map_err(|failure| failure.about(&format!("{game}, {what}")))?;
            let Some(measured) = measured else { break 'rounds };
            case.rounds.push(measured);
            pace.searches += 1;
        }
    }
    let rounds = cases.iter().map(|case| case.rounds.len()).min().unwrap_or(0) as u32;
    cases.retain(|case| !case.rounds.is_empty());
    if cases.is_empty() {
        return Ok(None);
    }
    for case in &cases {
        case.check(&plan.budget)?;
    }
    let rows = rows(&cases, &plan.threads);
    let seed = plan.config.seed;
    Ok(Some(Speed { game, rounds, seed, cores: cores(), rows }))
}

/// The progress of all games together, for the remaining time.
pub(super) struct Progressing {
    games: usize,
    searches: usize,
    started: Instant,
}

impl Progressing {
    pub(super) fn new(games: usize) -> Progressing {
        Progressing { games, searches: 0, started: Instant::now() }
    }

    /// Returns the remaining time if each game takes `searches` searches; `None` before the first
    /// has ended.
    fn left(&self, searches: usize) -> Option<Duration> {
        let done = self.searches as f64;
        let left = (searches * self.games) as f64 - done;
        (done > 0.0).then(|| self.started.elapsed().mul_f64((left / done).max(0.0)))
    }
}

fn live_line(
    game: &str,
    round: u32,
    rounds: u32,
    what: &str,
    threads: usize,
    left: Option<Duration>,
) -> Line {
    let line = Line::new().item(2, game).item(0, format!("round {round} of {rounds}"));
    let line = match left.map(|left| left.as_secs()) {
        Some(seconds @ 0..90) => line.item(1, format!("about {seconds} s left")),
        Some(seconds) => line.item(1, format!("about {} min left", seconds.div_ceil(60))),
        None => line,
    };
    line.item(3, what).item(4, format!("threads {threads}"))
}

fn cases(plan: &Plan) -> Result<Vec<Case>, Trouble> {
    let mut cases = Vec::new();
    let shown = if plan.all { CONFIGURATIONS.len() } else { 1 };
    for (configuration, options) in CONFIGURATIONS.into_iter().take(shown) {
        let mut config = plan.config.clone();
        let mut written = Vec::new();
        for (option, value) in options {
            config.set(option, value)?;
            written.push(format!("--{option} {value}"));
        }
        config.check()?;
        for &threads in &plan.threads {
            cases.push(Case {
                configuration,
                options: written.join(" "),
                config: config.clone().threads(threads),
                rounds: Vec::new(),
            });
        }
    }
    Ok(cases)
}

impl Case {
    /// Checks that one thread has grown the same tree in every round.
    fn check(&self, budget: &Budget) -> Result<(), Trouble> {
        let grown: Vec<u64> = self.rounds.iter().map(|round| round.nodes).collect();
        let same = grown.windows(2).all(|two| two[0] == two[1]);
        if self.config.threads == 1 && budget.time.is_none() && !same {
            return Err(Trouble::Failed(format!(
                "{}: one thread grew different trees: {grown:?} nodes",
                self.configuration
            )));
        }
        Ok(())
    }

    fn row(&self, single: Option<&Case>) -> Row {
        let of = |figure: fn(&Measured) -> f64| median(self.rounds.iter().map(figure));
        let ratios = single.map(|single| {
            let rounds = self.rounds.iter().zip(&single.rounds);
            rounds.map(|(many, one)| many.tree.rate() / one.tree.rate())
        });
        let playouts = of(|round| round.tree.playouts as f64);
        let resident: Option<Vec<u64>> = self.rounds.iter().map(|round| round.resident).collect();
        Row {
            configuration: self.configuration,
            options: self.options.clone(),
            threads: self.config.threads,
            playouts: playouts as u64,
            playouts_per_second: of(|round| round.tree.rate()),
            spread: spread(self.rounds.iter().map(|round| round.tree.rate())),
            cost: of(|round| round.tree.cost(&round.bare)),
            speed_up: ratios.map(median),
            cores: of(|round| round.tree.cpu / round.tree.wall.max(1e-9)),
            nodes: self.rounds.last().map(|round| round.nodes),
            bytes_per_node: Some(of(|round| round.bytes as f64 / round.nodes as f64)),
            bytes_per_playout: Some(of(|round| round.bytes as f64 / round.tree.playouts as f64)),
            resident_bytes_per_playout: resident
                .map(|bytes| median(bytes.iter().map(|&bytes| bytes as f64)) / playouts),
        }
    }
}

/// Returns the rows: playouts without a tree, and then the configurations, each for all numbers of
/// threads.
fn rows(cases: &[Case], threads: &[usize]) -> Vec<Row> {
    let measured = |threads: &&usize| cases.iter().any(|case| case.config.threads == **threads);
    let bare = threads.iter().filter(measured).map(|&threads| bare_row(cases, threads));
    let searches = cases.iter().map(|case| {
        let single =
            |other: &&Case| other.configuration == case.configuration && other.config.threads == 1;
        case.row(cases.iter().find(single))
    });
    bare.chain(searches).collect()
}

/// Returns the row of playouts without a tree, with the rollout policy of the first configuration.
fn bare_row(cases: &[Case], threads: usize) -> Row {
    let rates = |threads: usize| bare_rounds(cases, threads).map(Pace::rate);
    let rate = median(rates(threads));
    let single = median(rates(1));
    Row {
        configuration: "bare playout",
        options: String::new(),
        threads,
        playouts: cases.first().map_or(0, |case| case.rounds[0].tree.playouts),
        playouts_per_second: rate,
        spread: spread(rates(threads)),
        cost: 1.0,
        speed_up: (single > 0.0).then(|| rate / single),
        cores: median(bare_rounds(cases, threads).map(|bare| bare.cpu / bare.wall.max(1e-9))),
        nodes: None,
        bytes_per_node: None,
        bytes_per_playout: None,
        resident_bytes_per_playout: None,
    }
}

/// Returns the measurements without a tree for a number of threads.
fn bare_rounds(cases: &[Case], threads: usize) -> impl Iterator<Item = &Pace> {
    let first = cases.first().map(|case| case.configuration);
    let cases = cases
        .iter()
        .filter(move |case| case.config.threads == threads && Some(case.configuration) == first);
    cases.flat_map(|case| &case.rounds).map(|round| &round.bare)
}

/// Describes how far the measurements came before Ctrl-C.
pub(super) fn interrupted(measured: &[Speed], asked: u32) -> String {
    match measured.last() {
        Some(Speed { rounds, .. }) => {
            format!("\nInterrupted: {rounds} of {asked} rounds of the last game are complete.\n")
        }
        None => "Interrupted: nothing has been measured.\n".into(),
    }
}

pub(super) fn table(measured: &[Speed]) -> String {
    let header = [
        left("game", 3),
        left("configuration", 0),
        right("threads", 1),
        right("playouts/s", 2),
        right("±", 7),
        right("cost", 1),
        right("speed-up", 4),
        right("nodes", 5),
        right("B/node", 8),
        right("B/playout", 6),
        right("resident", 6),
    ];
    let number = |number: Option<f64>, places: usize| {
        number.map_or_else(String::new, |number| format!("{number:.places$}"))
    };
    let rows = measured.iter().flat_map(|speed| speed.rows.iter().map(move |row| (speed, row)));
    let mut text = grid(
        &header,
        rows.map(|(speed, row)| {
            vec![
                speed.game.clone(),
                row.configuration.to_string(),
                row.threads.to_string(),
                numbers::count(row.playouts_per_second),
                format!("{:.0} %", row.spread * 100.0),
                format!("{:.2}", row.cost),
                number(row.speed_up, 2),
                row.nodes.map_or_else(String::new, |nodes| nodes.to_string()),
                number(row.bytes_per_node, 0),
                number(row.bytes_per_playout, 0),
                match (row.nodes, row.resident_bytes_per_playout) {
                    (Some(_), None) => "n/a".into(),
                    (_, resident) => number(resident, 0),
                },
            ]
        }),
    );
    text.push_str(&screen::fit(&legend(measured)));
    text
}

fn legend(measured: &[Speed]) -> String {
    let mut text = String::new();
    for speed in measured {
        let Speed { game, rounds, seed, cores, rows } = speed;
        let playouts = rows.first().map_or(0, |row| row.playouts);
        let _ = writeln!(
            text,
            "\n{game}: {} playouts per search, {}, seed {seed}, {}",
            numbers::count(playouts as f64),
            numbers::number(u64::from(*rounds), "round"),
            numbers::number(*cores as u64, "core"),
        );
    }
    let rows = measured.iter().flat_map(|speed| &speed.rows);
    text.push_str(&doubts(rows.map(|row| Timed {
        threads: row.threads,
        cores: row.cores,
        speed_up: row.speed_up,
    })));
    text.push('\n');
    let all = measured.first().map_or(&[][..], |speed| &speed.rows);
    let mut said = "";
    for row in all.iter().filter(|row| !row.options.is_empty()) {
        if row.configuration != said {
            let _ = writeln!(text, "{:<23} {}", row.configuration, row.options);
        }
        said = row.configuration;
    }
    text.push_str(
        "\n±: half the range of the rates; cost: processor time of a playout, in playouts\n\
         without a tree on as many threads; B/node, B/playout: memory of the nodes;\n\
         resident: memory that the search added to its process, per playout\n",
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::display::screen::tests::{check, check_text};

    #[test]
    fn what_is_shown_fits() {
        let (what, left) = ("proof numbers off", Some(Duration::from_secs(200)));
        let line = live_line("connect-four:4x4", 3, 5, what, 16, left);
        check(&line, &[(20, "round 3 of 5"), (40, "about 4 min left"), (60, "connect-four:4x4")]);
        let row = Row {
            configuration: CONFIGURATIONS[1].0,
            options: "--c-pn 0 --solver off --score-bounds off --look-ahead off".into(),
            threads: 128,
            cores: 1.9,
            playouts: 200_000,
            playouts_per_second: 1_234_567.0,
            spread: 0.12,
            cost: 1.23,
            speed_up: Some(101.25),
            nodes: Some(123_456),
            bytes_per_node: Some(45.0),
            bytes_per_playout: Some(123.0),
            resident_bytes_per_playout: Some(456.0),
        };
        let (rounds, seed, cores) = (5, 18_446_744_073_709_551_615, 128);
        let game = "connect-four:4x4,k=3".to_string();
        let measured = [Speed { game, rounds, seed, cores, rows: vec![row] }];
        check_text(|| table(&measured), &["proof numbers off", "1.23"]);
    }
}
