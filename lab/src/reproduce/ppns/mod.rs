//! `proofwood-lab reproduce ppns`: probability-based proof-number search against
//! PNS and MCPNS on Connect Four and Othello.

mod authors;
mod methods;
mod no_pass;
mod paper;
mod tally;

use super::record::RunFile;
use crate::chart::{Axis, Bars, Chart, LineStyle, Series};
use methods::{Done, Method, RunLimits, Task};
use no_pass::NoPass;
use proofwood::options::read_bytes;
use proofwood::{Game, Rng, TextError, Turn};
use proofwood_any_game::{Position, Rules, erase, find};
use proofwood_cli::display::screen::Line;
use proofwood_cli::terminal::interrupt::Interrupt;
use proofwood_cli::terminal::print::Printer;
use proofwood_cli::terminal::progress::Progress;
use proofwood_games::{ConnectFour, Othello};
use proofwood_session::files::{Folder, Force};
use proofwood_session::input::limits::{read, read_count, read_time, there_is, whole};
use proofwood_session::input::position_file::{EntryText, PositionFile};
use proofwood_session::{Ended, Trouble};
use std::path::PathBuf;
use std::time::Duration;
use tally::{Origin, Stage, Tally};

/// Compare PPNS with PNS and MCPNS on Connect Four and Othello
///
/// Repeats the experiments of Primanita, Khalid and Iida (2020). Connect Four is played after 12
/// random plies with six settings of the precision (Figures 4 and 6, Table 1), and Othello after
/// 18, 26 and 32 random plies (Tables 2 and 3, Figures 7 and 8). Besides the paper's methods, runs
/// df-ppns, which the paper names as further work (without static bounds, as ppns), dfpn, pn2 and
/// gpn. The question is always whether the side to move wins.
///
/// A setting with a precision finds estimates. Each estimate is compared with the proofs of the
/// other methods or, if there are none, with a proof by df-pn within --truth-time.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  proofwood-lab reproduce ppns --count 10 --time 2s
  proofwood-lab reproduce ppns --game othello --plies 18,22,26,32 --out figures
  proofwood-lab reproduce ppns --count 200 --time 420s --game connect-four
  proofwood-lab reproduce ppns --game othello --from positions.csv --time 60s
  proofwood-lab reproduce ppns --game othello --from paper --plies 22,26
  proofwood-lab reproduce ppns --game othello --pass-loses

DIR takes every run (runs.jsonl) and the figures. What is there is not run
again: a run that was ended goes on where it was, if settings and limits are the same.

Without limits they are the paper's: 200 positions a stage, 35,000,000 nodes and
420 s for Connect Four, 8,000,000 nodes and 600 s for Othello, one thread.")]
pub(crate) struct Ppns {
    /// Game: connect-four, othello or both
    #[arg(long, default_value = "both", value_parser = ["connect-four", "othello", "both"],
        hide_possible_values = true)]
    game: String,
    /// Random plies before the positions of Othello, separated by commas
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_values_t = [18, 26, 32],
        value_parser = whole::<u32>(1..=50), allow_negative_numbers = true)]
    plies: Vec<u32>,
    /// Origin of the positions: paper (its authors' boards), random, or a file of positions of one
    /// game, as for solve --positions [default: paper for Connect Four, random for Othello]
    #[arg(long, value_name = "SOURCE")]
    from: Option<String>,
    /// Play Othello as the paper's program does, where a player who would have to pass loses
    #[arg(long)]
    pass_loses: bool,
    /// Maximum number of positions of each stage
    #[arg(long, alias = "positions", value_name = "NUMBER", default_value_t = 200,
        value_parser = whole::<u32>(1..=100_000), allow_negative_numbers = true)]
    count: u32,
    /// Methods to run, by name, separated by commas; the beginning of a name selects all methods
    /// that begin with it
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    methods: Vec<String>,
    /// Limit on the nodes of each run [default: the paper's]
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    nodes: Option<String>,
    /// Time limit of each run [default: the paper's]
    #[arg(short, long, value_name = "TIME", allow_negative_numbers = true)]
    time: Option<String>,
    /// Time limit for df-pn to decide whether an estimate is true if no run has proven it [default:
    /// that of a run]
    #[arg(long, value_name = "TIME", allow_negative_numbers = true)]
    truth_time: Option<String>,
    /// Size of the tree or the table of each run, in bytes
    #[arg(long, value_name = "BYTES", default_value = "2G")]
    memory: String,
    /// Worker threads of each run
    #[arg(long, value_name = "NUMBER", default_value_t = 1,
        value_parser = whole::<u32>(1..=1024), allow_negative_numbers = true)]
    threads: u32,
    /// Playouts from each new position
    #[arg(long, value_name = "NUMBER", default_value_t = 60,
        value_parser = whole::<u32>(1..=1_000_000), allow_negative_numbers = true)]
    playouts_per_leaf: u32,
    /// Seed of the positions and of the playouts
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    seed: u64,
    /// Write every run (runs.jsonl) and the figures into a folder
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
    /// Print every run as a JSON object on a line instead of tables
    #[arg(long)]
    json: bool,
}

/// A run in the output of --json.
#[derive(serde::Serialize)]
struct RunJson<'a> {
    #[serde(flatten)]
    run: &'a Done,
    /// Whether the side to move wins; `None` if no run has proven it.
    truth: Option<bool>,
}

/// The method's name in the record of the runs that decide whether estimates are true.
const TRUTH: &str = "truth";

/// The output, the runs so far, and the user's interrupt.
struct Desk<'p> {
    printer: &'p mut Printer,
    record: RunFile<Done>,
    interrupt: Interrupt,
}

impl Ppns {
    /// Runs the stages in order; prints each table when it is complete.
    pub(crate) fn run(self, printer: &mut Printer) -> Result<Ended, Trouble> {
        let memory = read_bytes(&self.memory)
            .map_err(|reason| Trouble::Input(format!("--memory: {reason}")))?;
        there_is("--memory", &self.memory, memory)?;
        let from_file = self.from.as_ref().is_some_and(|from| from != "paper" && from != "random");
        if from_file && self.game == "both" {
            let text = "--from: a file holds positions of one game; give it with --game";
            return Err(Trouble::Input(text.into()));
        }
        if self.from.as_deref() == Some("paper") && self.game != "connect-four" {
            self.plies.iter().try_for_each(|&plies| authors::othello(plies).map(drop))?;
        }
        let claim = |path: &PathBuf| Folder::claim("--out", path, self.force);
        let folder = self.out.as_ref().map(claim).transpose()?;
        let record = RunFile::of_folder(folder.as_ref())?;
        let mut desk = Desk { printer, record, interrupt: Interrupt::catch()? };
        let mut stages = Vec::new();
        if self.game != "othello" {
            let limits = self.limits(memory, 35_000_000, 420)?;
            let stage = Stage {
                game: "Connect Four",
                spec: "connect-four",
                plies: 12,
                methods: self.chosen(&paper::CONNECT_FOUR_SETTINGS)?,
                tallies: Vec::new(),
                origin: self.origin(Origin::Authors),
                paper: |_, method| paper::connect_four(method),
            };
            let game = ConnectFour::default();
            let rules = known("connect-four")?;
            stages.push(self.stage(&game, &*rules, stage, &limits, &mut desk)?);
        }
        if self.game != "connect-four" && !desk.interrupt.is_raised() {
            let limits = self.limits(memory, 8_000_000, 600)?;
            let othello = Othello::new(8, false).map_err(|e| Trouble::Failed(e.to_string()))?;
            let rules = match self.pass_loses {
                true => erase(NoPass(othello.clone())),
                false => known("othello")?,
            };
            let plies = if from_file { &self.plies[..1] } else { &self.plies[..] };
            for &plies in plies {
                if desk.interrupt.is_raised() {
                    break;
                }
                let stage = Stage {
                    game: if self.pass_loses { "Othello where a pass loses" } else { "Othello" },
                    spec: "othello",
                    plies,
                    methods: self.chosen(&paper::OTHELLO_SETTINGS)?,
                    tallies: Vec::new(),
                    origin: self.origin(Origin::Random),
                    paper: paper::othello,
                };
                stages.push(match self.pass_loses {
                    true => {
                        self.stage(&NoPass(othello.clone()), &*rules, stage, &limits, &mut desk)?
                    }
                    false => self.stage(&othello, &*rules, stage, &limits, &mut desk)?,
                });
            }
        }
        if let Some(folder) = &folder {
            draw(folder, &stages)?;
        }
        Ok(match desk.interrupt.is_raised() {
            true => Ended::Interrupted,
            false => Ended::Done,
        })
    }

    /// The origin of the positions: the option's value, or `default` without it.
    fn origin(&self, default: Origin) -> Origin {
        match self.from.as_deref() {
            None => default,
            Some("paper") => Origin::Authors,
            Some("random") => Origin::Random,
            Some(path) => Origin::File(path.into()),
        }
    }

    /// The limits of a run, by default the paper's.
    fn limits(&self, memory: u64, nodes: u64, seconds: u64) -> Result<RunLimits, Trouble> {
        let time = read("--time", self.time.as_deref(), read_time)?;
        Ok(RunLimits {
            nodes: read("--nodes", self.nodes.as_deref(), read_count)?.unwrap_or(nodes),
            time: time.unwrap_or(Duration::from_secs(seconds)),
            memory,
            threads: self.threads as usize,
            playouts: self.playouts_per_leaf,
        })
    }

    /// The methods that the option names; all if it names none.
    fn chosen(&self, settings: &[(f64, f64)]) -> Result<Vec<Method>, Trouble> {
        let methods = match self.methods.is_empty() {
            true => Method::all(settings),
            false => Method::named(&self.methods, settings),
        };
        match methods.is_empty() {
            false => Ok(methods),
            true => {
                let names: Vec<String> =
                    Method::all(settings).into_iter().map(|m| m.name).collect();
                Err(Trouble::Input(format!(
                    "--methods: nothing begins with '{}'; there are {}",
                    self.methods.join(","),
                    names.join(", ")
                )))
            }
        }
    }

    /// Runs all methods on the positions of a stage.
    ///
    /// The parameter `game` serves only to draw positions; `rules`, of the same game, does
    /// everything else, so that the search is not compiled again here.
    fn stage<G: Game>(
        &self,
        game: &G,
        rules: &dyn Rules,
        mut stage: Stage,
        limits: &RunLimits,
        desk: &mut Desk<'_>,
    ) -> Result<Stage, Trouble> {
        stage.tallies = vec![Tally::default(); stage.methods.len()];
        let progress = Progress::new();
        let starts = match &stage.origin {
            Origin::File(path) => positions_of(rules, PositionFile::open(path)?, self.count)?,
            Origin::Authors => {
                let file = match stage.spec {
                    "othello" => authors::othello(stage.plies)?,
                    _ => authors::connect_four()?,
                };
                positions_of(rules, file, self.count)?
            }
            Origin::Random => {
                let mut rng = Rng::new(self.seed ^ u64::from(stage.plies) << 32);
                let start = |_| {
                    let moves = random_line(game, stage.plies, &mut rng);
                    after(rules.start(), &moves).map(|position| (position, moves.join(" ")))
                };
                let starts: Result<_, TextError> = (0..self.count).map(start).collect();
                starts.map_err(|error| Trouble::Failed(error.to_string()))?
            }
        };
        for (number, (position, moves)) in (0..).zip(&starts) {
            let mut runs: Vec<Done> = Vec::with_capacity(stage.methods.len());
            let task = self.task(&stage, number, moves);
            for method in &stage.methods {
                progress.show(&live_line(&stage, number + 1, starts.len(), &method.name));
                let task = Task { method: method.name.clone(), ..task.clone() };
                runs.extend(desk.run(&**position, method, limits, task)?);
            }
            if runs.len() < stage.methods.len() {
                break;
            }
            let truth = self.truth(&**position, &stage.methods, &runs, limits, &task, desk)?;
            stage.add(&runs, truth);
            if self.json {
                runs.iter().try_for_each(|run| desk.printer.json(&RunJson { run, truth }))?;
            }
        }
        drop(progress);
        // A stage without any run is not printed.
        if !self.json && (stage.has_runs() || !desk.interrupt.is_raised()) {
            desk.printer.text(&stage.table())?;
        }
        Ok(stage)
    }

    /// The input of a run at a position, except for the method and the limits.
    fn task(&self, stage: &Stage, position: u32, start: &str) -> Task {
        Task {
            game: stage.spec.into(),
            pass_loses: stage.spec == "othello" && self.pass_loses,
            plies: stage.plies,
            position,
            start: start.into(),
            method: String::new(),
            threads: 0,
            memory: 0,
            playouts_per_leaf: 0,
            seed: self.seed.wrapping_add(u64::from(position)),
            node_limit: 0,
            time_limit_ms: 0,
        }
    }

    /// The proven value of a position. If only estimates were found, df-pn tries to prove it within
    /// its own time limit.
    fn truth(
        &self,
        start: &dyn Position,
        methods: &[Method],
        runs: &[Done],
        limits: &RunLimits,
        task: &Task,
        desk: &mut Desk<'_>,
    ) -> Result<Option<bool>, Trouble> {
        let known = tally::truth(methods, runs)?;
        if known.is_some() || !runs.iter().any(|done| done.answer.is_estimate()) {
            return Ok(known);
        }
        let time = read("--truth-time", self.truth_time.as_deref(), read_time)?;
        let limits = RunLimits { time: time.unwrap_or(limits.time), nodes: u64::MAX, ..*limits };
        let task = Task { method: TRUTH.into(), ..task.clone() };
        let done = desk.run(start, &Method::arbiter(), &limits, task)?;
        Ok(done.and_then(|done| done.answer.says_win()))
    }
}

impl Desk<'_> {
    /// The run of a method with these limits. If it is not recorded yet, it is made and recorded.
    /// `None` if the user stopped it.
    fn run(
        &mut self,
        start: &dyn Position,
        method: &Method,
        limits: &RunLimits,
        task: Task,
    ) -> Result<Option<Done>, Trouble> {
        let task = Task {
            threads: limits.threads,
            memory: limits.memory,
            playouts_per_leaf: limits.playouts,
            node_limit: limits.nodes,
            time_limit_ms: limits.time.as_millis() as u64,
            ..task
        };
        if let Some(done) = self.record.of(&task) {
            return Ok(Some(done.clone()));
        }
        if self.interrupt.is_raised() {
            return Ok(None);
        }
        let done = methods::run(start, method, limits, &task, self.interrupt.token())?;
        if let Some(done) = &done {
            self.record.add(done.clone())?;
        }
        Ok(done)
    }
}

fn live_line(stage: &Stage, position: u32, positions: usize, method: &str) -> Line {
    Line::new()
        .item(2, stage.game)
        .item(3, format!("after {} plies", stage.plies))
        .item(0, format!("position {position} of {positions}"))
        .item(1, method)
}

/// A position to run the methods on, and its text or the moves that lead to it.
type Start = (Box<dyn Position>, String);

fn known(name: &str) -> Result<Box<dyn Rules>, Trouble> {
    find(name).map_err(|error| Trouble::Failed(error.to_string()))
}

/// The first `most` positions of a file, with their texts, leaving out those in which the game is
/// over.
fn positions_of(
    rules: &dyn Rules,
    mut file: PositionFile,
    most: u32,
) -> Result<Vec<Start>, Trouble> {
    let mut positions = Vec::new();
    while let Some(entry) = file.next()? {
        let wrong = |why: String| file.wrong(&entry, &why).0;
        let position = match entry.text.as_ref().map_err(|why| wrong(why.clone()))? {
            EntryText::Either(text) => rules.read(text),
            EntryText::Moves(text) => after(rules.start(), &rules.split_moves(text)),
            EntryText::After { position, moves } => {
                rules.read(position).and_then(|start| after(start, &rules.split_moves(moves)))
            }
        };
        let position = position.map_err(|why| wrong(why.to_string()))?;
        if position.turn() != Turn::Over && positions.len() < most as usize {
            let text = position.text();
            positions.push((position, text));
        }
    }
    match positions.is_empty() {
        true => Err(file.is_empty()),
        false => Ok(positions),
    }
}

fn after<T: AsRef<str>>(
    mut position: Box<dyn Position>,
    moves: &[T],
) -> Result<Box<dyn Position>, TextError> {
    for text in moves {
        position.play_recorded(text.as_ref())?;
    }
    Ok(position)
}

/// Draws `plies` random moves, and draws again if the game is over after them.
fn random_line<G: Game>(game: &G, plies: u32, rng: &mut Rng) -> Vec<String> {
    loop {
        let mut state = game.initial_state();
        let mut moves = Vec::new();
        let mut legal = Vec::new();
        while moves.len() < plies as usize && game.turn(&state) != Turn::Over {
            legal.clear();
            let Some(mv) = game.random_move(&state, &mut legal, rng) else { break };
            moves.push(game.move_text(&state, mv));
            game.play(&mut state, mv);
        }
        if moves.len() == plies as usize && game.turn(&state) != Turn::Over {
            return moves;
        }
    }
}

/// Draws the figures: the answers of each stage, and for Othello the share of answered positions
/// over the plies.
fn draw(folder: &Folder, stages: &[Stage]) -> Result<(), Trouble> {
    for stage in stages.iter().filter(|stage| stage.has_runs()) {
        let bars = stage.methods.iter().zip(&stage.tallies).map(|(method, tally)| {
            let parts = [tally.wins, tally.not_wins, tally.out].map(f64::from);
            (method.name.clone(), parts.to_vec())
        });
        let name = format!("{}-{}.svg", stage.game.to_lowercase().replace(' ', "-"), stage.plies);
        let bars = Bars {
            title: &stage.title(),
            across: "positions",
            parts: &["win", "not a win", "out of nodes or time"],
            bars: bars.collect(),
        };
        bars.write(&mut folder.file(&name)?)?;
    }
    let othello: Vec<&Stage> =
        stages.iter().filter(|stage| stage.spec == "othello" && stage.has_runs()).collect();
    match othello.len() {
        0 | 1 => Ok(()),
        _ => answered(&othello).write(&mut folder.file("othello.svg")?),
    }
}

/// A chart of the share of answered positions over the plies before them.
fn answered<'a>(stages: &[&'a Stage]) -> Chart<'a> {
    let plies: Vec<String> = stages.iter().map(|stage| stage.plies.to_string()).collect();
    let line = |(number, method): (usize, &Method)| {
        let tallies = stages.iter().map(|stage| &stage.tallies[number]);
        let points =
            (0..).zip(tallies).map(|(at, tally)| (f64::from(at), tally.completion(), None));
        let (name, style) = (method.name.clone(), LineStyle::Line);
        Series { name, colour: number, style, points: points.collect() }
    };
    Chart {
        title: stages[0].game,
        across: Axis::places("random plies before the position", &plies),
        up: Axis::percent("positions answered, %"),
        mark: None,
        legend: "method",
        beside: true,
        series: stages[0].methods.iter().enumerate().map(line).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_fits() {
        let methods = Method::all(&paper::OTHELLO_SETTINGS);
        let stage = Stage {
            game: "Othello where a pass loses",
            spec: "othello",
            plies: 32,
            tallies: vec![Tally::default(); methods.len()],
            methods,
            origin: Origin::Random,
            paper: paper::othello,
        };
        let line = live_line(&stage, 123, 200, "ppns θ=0.01 pr=1e-5");
        proofwood_cli::display::screen::fits::check(
            &line,
            &[(20, "position 123 of 200"), (80, "Othello")],
        );
        proofwood_cli::display::screen::fits::check_text(|| stage.table(), &["method", "answered"]);
    }
}
