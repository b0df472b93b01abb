//! `proofwood-lab deadline`: the delay between a search's deadline and its end.

use proofwood::{Budget, Config, StopReason};
use proofwood_any_game::Position;
use proofwood_cli::commands::bench::find_games;
use proofwood_cli::display::grid::{grid, left, right};
use proofwood_cli::display::screen::{self, Line};
use proofwood_cli::terminal::interrupt::Interrupt;
use proofwood_cli::terminal::print::Printer;
use proofwood_cli::terminal::progress::Progress;
use proofwood_measure::percentile;
use proofwood_session::input::limits::{read, read_time, whole};
use proofwood_session::input::options::SearchOptions;
use proofwood_session::input::threads::{cores, thread_list};
use proofwood_session::{Ended, Trouble};
use serde::Serialize;
use std::time::{Duration, Instant};

/// The greatest allowed 99th percentile of the delays while every thread has its own core.
const LIMIT: Duration = Duration::from_millis(5);

/// Measure by how much searches overshoot their deadline
///
/// Runs many short searches and measures the time of each, from before its start until its answer.
#[derive(clap::Args, Debug)]
#[command(mut_arg("threads", |argument| argument
    .value_name("LIST")
    .help("Thread counts, separated by commas \
           [default: 1, one per core, and two and four times as many]")))]
#[command(after_help = "Examples:
  proofwood-lab deadline
  proofwood-lab deadline othello --time 5ms --searches 1000 --json

Exit status: 0 when all was measured, 1 for a failure, 2 for bad input, 130
after Ctrl-C, which ends it at once with what has been measured.")]
pub(crate) struct Deadline {
    /// Games, searched from the start [default: connect-four othello]
    #[arg(value_name = "GAME")]
    games: Vec<String>,
    /// Time limit of each search
    #[arg(short, long, value_name = "TIME", default_value = "20ms", allow_negative_numbers = true)]
    time: String,
    /// Searches to measure for each number of threads
    #[arg(long, value_name = "NUMBER", default_value_t = 200,
        value_parser = whole::<u32>(1..=1_000_000), allow_negative_numbers = true)]
    searches: u32,
    /// Print one JSON object per game
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    options: SearchOptions,
}

#[derive(Debug, Serialize)]
struct Lateness {
    game: String,
    seconds: f64,
    searches: u32,
    cores: usize,
    rows: Vec<Row>,
}

/// The delays of searches on `threads` threads, in milliseconds.
#[derive(Debug, Serialize)]
struct Row {
    threads: usize,
    median_ms: f64,
    percentile_99_ms: f64,
    most_ms: f64,
}

impl Deadline {
    pub(crate) fn run(mut self, printer: &mut Printer) -> Result<Ended, Trouble> {
        let cores = cores();
        let threads = thread_list(&mut self.options, &[1, cores, 2 * cores, 4 * cores])?;
        let config = self.options.apply(Config::default())?;
        let time = read("--time", Some(&self.time), read_time)?.unwrap_or_default();
        let interrupt = Interrupt::catch()?;
        let budget = Budget::default().time(time).cancel(interrupt.token());
        let mut measured = Vec::new();
        for (game, rules) in find_games(&self.games)? {
            let position = rules.start();
            let progress = Progress::new();
            let mut rows = Vec::new();
            for &threads in &threads {
                progress.show(&live_line(&game, self.searches, threads));
                let config = config.clone().threads(threads);
                let row = lateness(&*position, &config, &budget, time, self.searches)
                    .map_err(|failure| failure.about(&game))?;
                rows.extend(row);
            }
            drop(progress);
            if rows.is_empty() {
                break;
            }
            let (seconds, searches) = (time.as_secs_f64(), self.searches);
            let lateness = Lateness { game, seconds, searches, cores, rows };
            if self.json {
                printer.json(&lateness)?;
            } else {
                measured.push(lateness);
            }
        }
        if !self.json {
            printer.text(&table(&measured))?;
            if interrupt.is_raised() {
                printer.text("Interrupted: what is not in the table was not measured.\n")?;
            }
        }
        Ok(if interrupt.is_raised() { Ended::Interrupted } else { Ended::Done })
    }
}

fn live_line(game: &str, searches: u32, threads: usize) -> Line {
    let what = format!("{searches} searches");
    Line::new().item(1, game).item(0, what).item(2, format!("on {threads} threads"))
}

/// Measures the delays of searches on `threads` threads; `None` after Ctrl-C.
fn lateness(
    position: &dyn Position,
    config: &Config,
    budget: &Budget,
    time: Duration,
    searches: u32,
) -> Result<Option<Row>, Trouble> {
    let mut late = Vec::new();
    for _ in 0..searches {
        let mut search = position.search(config)?;
        let started = Instant::now();
        search.start(budget)?;
        let answer = search.wait()?;
        let took = started.elapsed();
        if answer.stop_reason == Some(StopReason::Cancelled) {
            return Ok(None);
        }
        if answer.stop_reason != Some(StopReason::Time) {
            return Err(Trouble::Input(
                "a search ended before its time was up; give it less with --time".into(),
            ));
        }
        late.push(took.saturating_sub(time).as_secs_f64() * 1e3);
    }
    let share = |share: f64| percentile(late.iter().copied(), share);
    Ok(Some(Row {
        threads: config.threads,
        median_ms: share(0.5),
        percentile_99_ms: share(0.99),
        most_ms: share(1.0),
    }))
}

fn table(measured: &[Lateness]) -> String {
    let header = [
        left("game", 3),
        right("threads", 0),
        right("median", 2),
        right("99 %", 0),
        right("most", 2),
        left("", 1),
    ];
    let late = |milliseconds: f64| format!("{milliseconds:.2} ms");
    let limit = LIMIT.as_secs_f64() * 1e3;
    let rows = measured.iter().flat_map(|game| game.rows.iter().map(move |row| (game, row)));
    let text = grid(
        &header,
        rows.map(|(game, row)| {
            let verdict = match row.percentile_99_ms <= limit {
                _ if row.threads > game.cores => "more threads than cores",
                true => "within 5 ms",
                false => "over 5 ms",
            };
            vec![
                game.game.clone(),
                row.threads.to_string(),
                late(row.median_ms),
                late(row.percentile_99_ms),
                late(row.most_ms),
                verdict.to_string(),
            ]
        }),
    );
    let of = measured.first().map_or_else(String::new, |game| {
        let Lateness { seconds, searches, cores, .. } = game;
        format!("\n{searches} searches of {} ms each, {cores} cores\n", seconds * 1e3)
    });
    text + &screen::fit(&of)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proofwood_cli::display::screen::fits::{check, check_text};

    #[test]
    fn what_is_shown_fits() {
        check(&live_line("connect-four:4x4", 1_000_000, 128), &[(20, "1000000 searches")]);
        let row =
            |threads| Row { threads, median_ms: 0.12, percentile_99_ms: 1.23, most_ms: 123.45 };
        let rows = vec![row(1), row(1024)];
        let game = "connect-four:4x4,k=3".to_string();
        let measured = [Lateness { game, seconds: 0.02, searches: 200, cores: 128, rows }];
        check_text(|| table(&measured), &["1024", "1.23 ms"]);
    }
}
