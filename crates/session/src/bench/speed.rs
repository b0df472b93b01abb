//! Measures the number of playouts per second, their cost relative to playouts without a tree, and
//! the memory that they use.

use super::sample::{self, Measured};
use crate::Trouble;
use crate::input::threads::cores;
use proofwood::{Budget, CancelToken, Config};
use proofwood_measure::{Pace, median, spread};
use serde::Serialize;

const CONFIGURATIONS: [(&str, &[(&str, &str)]); 4] = [
    ("defaults", &[]),
    ("proof numbers off", &[("c-pn", "0")]),
    ("solver off", &[("solver", "off"), ("score-bounds", "off")]),
    (
        "everything off",
        &[
            ("c-pn", "0"),
            ("solver", "off"),
            ("score-bounds", "off"),
            ("look-ahead", "off"),
            ("transpositions", "off"),
        ],
    ),
];

/// The searches to measure.
pub struct Plan {
    /// The thread counts to measure.
    pub threads: Vec<usize>,
    /// The budget of a search.
    pub budget: Budget,
    /// The number of rounds, each of which measures all configurations.
    pub rounds: u32,
    /// Whether all configurations are measured, or only the first.
    pub all: bool,
    /// The configuration to which the options of each row are added.
    pub config: Config,
    /// A token that ends the measurements early.
    pub cancel: CancelToken,
}

/// The measured speed of searches of a game.
#[derive(Debug, Serialize)]
pub struct Speed {
    /// The game's description.
    pub game: String,
    /// The number of rounds in which every row was measured.
    pub rounds: u32,
    /// The seed of the random numbers.
    pub seed: u64,
    /// The number of processor cores of the machine.
    pub cores: usize,
    /// The measurements, a row for each configuration and number of threads.
    pub rows: Vec<Row>,
}

/// The measurements for one configuration and one number of threads. Figures are medians over the
/// rounds.
#[derive(Debug, Serialize)]
pub struct Row {
    /// The name of the configuration.
    pub configuration: &'static str,
    /// The options of the configuration, as on the command line.
    pub options: String,
    /// The number of threads.
    pub threads: usize,
    /// The number of playouts of a search.
    pub playouts: u64,
    /// The rate in playouts per second.
    pub playouts_per_second: f64,
    /// Half the difference between the greatest and the least rate, divided by the median.
    pub spread: f64,
    /// The processor time of a playout, divided by that of a playout without a tree.
    pub cost: f64,
    /// The rate divided by the rate with one thread; null if that was not measured.
    pub speed_up: Option<f64>,
    /// The processor time divided by the wall-clock time: the number of cores in use.
    pub cores: f64,
    /// The number of nodes after the last search; null without a tree. With one thread, it is
    /// the same in every round, unless the searches are limited by time.
    pub nodes: Option<u64>,
    /// The size of the tree in bytes, divided by the number of its nodes; null without a tree.
    pub bytes_per_node: Option<f64>,
    /// The size of the tree in bytes, divided by the number of playouts; null without a tree.
    pub bytes_per_playout: Option<f64>,
    /// The growth of the process's resident memory in bytes, divided by the number of playouts;
    /// null if the system does not report it.
    pub resident_bytes_per_playout: Option<f64>,
}

/// A search that is about to be measured.
pub struct Step<'s> {
    /// The number of the round, counted from 1.
    pub round: u32,
    /// The name of the configuration.
    pub configuration: &'s str,
    /// The number of threads.
    pub threads: usize,
    /// The number of searches of the game in all rounds.
    pub searches: usize,
}

struct Case {
    configuration: &'static str,
    options: String,
    config: Config,
    rounds: Vec<Measured>,
}

/// Measures all configurations in each round, and calls `show` before each search. If cancelled,
/// returns the measurements so far, or `None` if there are none.
pub fn measure(
    game: String,
    plan: &Plan,
    show: &mut dyn FnMut(&Step<'_>),
) -> Result<Option<Speed>, Trouble> {
    let mut cases = cases(plan)?;
    let searches = cases.len() * plan.rounds as usize;
    'rounds: for round in 1..=plan.rounds {
        for case in &mut cases {
            let (what, threads) = (case.configuration, case.config.threads);
            show(&Step { round, configuration: what, threads, searches });
            let measured = sample::measure(&game, &case.config, &plan.budget, &plan.cancel)
                .map_err(|failure| failure.about(&format!("{game}, {what}")))?;
            let Some(measured) = measured else { break 'rounds };
            case.rounds.push(measured);
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
    /// Checks that a single thread has built a tree of the same size in every round.
    fn check(&self, budget: &Budget) -> Result<(), Trouble> {
        let grown: Vec<u64> = self.rounds.iter().map(|round| round.nodes).collect();
        let same = grown.windows(2).all(|two| two[0] == two[1]);
        if self.config.threads == 1 && budget.time.is_none() && !same {
            return Err(Trouble::Failed(format!(
                "{}: one thread built trees of different sizes: {grown:?} nodes",
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

/// Returns the rows: first playouts without a tree, and then each configuration, both for all
/// numbers of threads.
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
