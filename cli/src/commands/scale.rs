//! `proofwood scale`: measures the gain from more threads.

use crate::display::doubts::{Timed, doubts};
use crate::display::grid::{grid, left, right};
use crate::display::screen::{self, Line};
use crate::terminal::interrupt::Interrupt;
use crate::terminal::print::Printer;
use crate::terminal::progress::Progress;
use proofwood::Config;
use proofwood_session::bench::scale::{Plan, Row};
use proofwood_session::contest::trials::{
    Trials, configurations, read_positions, strength_text, way,
};
use proofwood_session::files::{Asked, Force, Whole, check_distinct, csv_file};
use proofwood_session::input::limits::{read, read_time, whole};
use proofwood_session::input::options::SearchOptions;
use proofwood_session::input::spec::find_game;
use proofwood_session::input::threads::thread_list;
use proofwood_session::words::numbers;
use proofwood_session::{Ended, Trouble};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Measure speed, proofs and strength by number of threads
///
/// Measures for each number of threads and each --virtual-loss: playouts per second from the start
/// of the game, time and playouts to prove a set of positions, and results of games against one
/// thread at equal time.
#[derive(clap::Args, Debug)]
#[command(mut_arg("threads", |argument| argument.value_name("LIST").help(
    "Thread counts, separated by commas [default: 1, 2 and one per core]")))]
#[command(mut_arg("virtual-loss", |argument| argument.value_name("LIST").help(
    "Values of --virtual-loss to try, separated by commas [default: unobserved,none]")))]
#[command(after_help = "Examples:
  proofwood scale othello --threads 1,2 --time 2s
  proofwood scale connect-four --positions set.csv --proof-time 20s
  proofwood scale loa8 --games 100 --move-time 100ms --csv scale.csv

Speed is the median of --rounds searches of --time each. A position that is not solved
within --proof-time counts with the time and playouts spent on it. In games, both
players have the same wall time; with fewer cores than threads, the result says little.

Exit status: 0 when everything was measured, 130 after Ctrl-C.")]
pub(crate) struct Scale {
    /// The game with its options after a colon; `proofwood games` lists them all
    game: String,
    /// File of positions to prove and time
    #[arg(long, value_name = "FILE")]
    positions: Option<String>,
    /// Time limit per proof
    #[arg(
        long,
        alias = "limit",
        value_name = "TIME",
        default_value = "10s",
        requires = "positions"
    )]
    proof_time: String,
    /// Number of games that each thread count plays against one thread
    #[arg(short, long, value_name = "NUMBER", default_value_t = 0,
        value_parser = whole::<u64>(0..=1_000_000), allow_negative_numbers = true)]
    games: u64,
    /// Time per move in these games
    #[arg(long, value_name = "TIME", default_value = "50ms", requires = "games")]
    move_time: String,
    /// Time per search for counting playouts
    #[arg(short, long, value_name = "TIME", default_value = "1s")]
    time: String,
    /// Number of these searches; their median is reported
    #[arg(long, value_name = "NUMBER", default_value_t = 3,
        value_parser = whole::<u32>(1..=1000), allow_negative_numbers = true)]
    rounds: u32,
    /// Print one JSON object per row
    #[arg(long)]
    json: bool,
    /// Also write the table as CSV
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
    #[command(flatten)]
    options: SearchOptions,
}

impl Scale {
    pub(crate) fn run(mut self, printer: &mut Printer) -> Result<Ended, Trouble> {
        let (game, rules) = find_game(&self.game)?;
        if self.games > 0 && rules.players() != 2 {
            return Err(Trouble::Input(format!("--games: {game} is not a two-player game")));
        }
        let threads = thread_list(&mut self.options, &[1, 2, Config::default().threads])?;
        let configurations = configurations(&mut self.options, &game, &threads)?;
        let mut csv = self.claim_csv()?;
        let positions = match &self.positions {
            Some(path) => read_positions(path, &game, &*rules)?,
            None => Vec::new(),
        };
        let time =
            |option, text: &str| read(option, Some(text), read_time).map(Option::unwrap_or_default);
        let interrupt = Interrupt::catch()?;
        let trials = Trials {
            game,
            rules,
            positions,
            limit: time("--proof-time", &self.proof_time)?,
            games: self.games,
            cancel: interrupt.token().clone(),
        };
        let plan = Plan {
            trials,
            time: time("--time", &self.time)?,
            move_time: time("--move-time", &self.move_time)?,
            rounds: self.rounds,
        };
        let mut rows: Vec<Row> = Vec::new();
        for config in &configurations {
            let (progress, way) = (Progress::new(), way(config));
            let show = |doing| progress.show(&live_line(config.threads, &way, doing));
            let mut row = plan.measure(config, &show)?;
            drop(progress);
            if interrupt.is_raised() {
                break;
            }
            let one =
                rows.first().filter(|row| row.threads == 1).map(|row| row.playouts_per_second);
            let one = one.or((row.threads == 1).then_some(row.playouts_per_second));
            row.speed_up = one.map_or(0.0, |one| row.playouts_per_second / one.max(1e-9));
            rows.push(row);
        }
        self.report(&rows, &mut csv, printer)?;
        if interrupt.is_raised() && !self.json {
            let (done, all) = (rows.len(), configurations.len());
            printer.text(&format!("Interrupted: {done} of {all} rows were measured.\n"))?;
        }
        Ok(if interrupt.is_raised() { Ended::Interrupted } else { Ended::Done })
    }

    fn claim_csv(&self) -> Result<Option<Whole>, Trouble> {
        let Some(path) = &self.csv else { return Ok(None) };
        if let Some(positions) = &self.positions {
            check_distinct("--csv", path, Path::new(positions))?;
        }
        Whole::claim(Asked::new("--csv", path, self.force)).map(Some)
    }

    fn report(
        &self,
        rows: &[Row],
        csv: &mut Option<Whole>,
        printer: &mut Printer,
    ) -> Result<(), Trouble> {
        match self.json {
            true => rows.iter().try_for_each(|row| printer.json(row))?,
            false if rows.is_empty() => {}
            false => printer.text(&text(&self.game, rows))?,
        }
        match csv {
            Some(file) => csv_file(file, rows),
            None => Ok(()),
        }
    }
}

fn live_line(threads: usize, way: &str, doing: String) -> Line {
    let threads = match threads {
        1 => "1 thread".to_string(),
        threads => format!("{threads} threads"),
    };
    Line::new().item(1, threads).item(2, format!("virtual loss {way}")).item(0, doing)
}

fn text(game: &str, rows: &[Row]) -> String {
    let header = [
        right("threads", 0),
        left("virtual loss", 1),
        right("playouts/s", 4),
        right("speed-up", 1),
        right("solved", 3),
        right("time", 3),
        right("playouts", 5),
        right("against one thread", 2),
    ];
    let text = grid(
        &header,
        rows.iter().map(|row| {
            let shown = |there: bool, text: String| if there { text } else { String::new() };
            let proofs = row.positions > 0;
            let strength = row.win_rate.zip(row.lower.zip(row.upper));
            vec![
                row.threads.to_string(),
                shown(row.threads > 1, row.virtual_loss.clone()),
                numbers::count(row.playouts_per_second),
                shown(row.speed_up > 0.0, format!("{:.2}", row.speed_up)),
                shown(proofs, format!("{} of {}", row.solved, row.positions)),
                shown(proofs, numbers::time(Duration::from_secs_f64(row.proof_seconds))),
                shown(proofs, numbers::count(row.proof_playouts as f64)),
                strength_text(strength, row.games),
            ]
        }),
    );
    let cores = Config::default().threads;
    let doubts = doubts(rows.iter().map(|row| Timed {
        threads: row.threads,
        cores: row.cores,
        speed_up: Some(row.speed_up),
    }));
    let cores = numbers::number(cores as u64, "core");
    text + &screen::fit(&format!("\n{game}, {cores}\n{doubts}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::display::screen::tests::{check, check_text};

    #[test]
    fn what_is_shown_fits() {
        check(&live_line(128, "unobserved", "proof 12 of 107".into()), &[(20, "proof 12 of 107")]);
        let row = Row {
            threads: 128,
            virtual_loss: "unobserved".into(),
            playouts_per_second: 12_345_678.0,
            speed_up: 101.25,
            positions: 100,
            solved: 99,
            proof_seconds: 4000.0,
            proof_playouts: 123_456_789,
            games: 1000,
            win_rate: Some(0.512),
            lower: Some(0.48),
            upper: Some(0.54),
            ..Row::default()
        };
        check_text(|| text("connect-four", &[row.clone(), row.clone()]), &["128", "101.25"]);
    }
}
