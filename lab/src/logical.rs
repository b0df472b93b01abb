//! `proofwood-lab logical`: what an algorithm loses with many workers.

use proofwood::{Budget, Config, logical};
use proofwood_cli::display::grid::{grid, left, right};
use proofwood_cli::display::screen::{self, Line};
use proofwood_cli::terminal::interrupt::Interrupt;
use proofwood_cli::terminal::print::Printer;
use proofwood_cli::terminal::progress::Progress;
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
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Measure what the algorithm loses with many workers
///
/// Each worker pauses in the middle of its work most of the time, as if it had a small share of a
/// core. Counts the playouts until the proofs, the work that two workers tried to do at once, and
/// the time for which nodes are owned. Also plays games against one worker with as many playouts.
/// It does not measure speed.
#[derive(clap::Args, Debug)]
#[command(mut_arg("threads", |argument| argument.value_name("LIST").help(
    "Numbers of workers, separated by commas [default: 1,16,256]")))]
#[command(mut_arg("virtual-loss", |argument| argument.value_name("LIST").help(
    "Ways to count playouts under way for other workers, separated by commas \
     [default: unobserved,none]")))]
#[command(after_help = "Examples:
  proofwood-lab logical connect-four --threads 1,16,256 --positions set.csv
  proofwood-lab logical othello --threads 1,64 --games 100

Exit status: 0 when all was measured, 130 after Ctrl-C.")]
pub(crate) struct Logical {
    /// Game with its options after a colon; `proofwood games` lists them all
    game: String,
    /// File of positions to prove
    #[arg(long, value_name = "FILE")]
    positions: Option<String>,
    /// Time limit of a proof
    #[arg(long, value_name = "TIME", default_value = "10s", requires = "positions")]
    proof_time: String,
    /// Games against one worker for each number of workers
    #[arg(short, long, value_name = "NUMBER", default_value_t = 0,
        value_parser = whole::<u64>(0..=1_000_000), allow_negative_numbers = true)]
    games: u64,
    /// Playouts per move in these games, for both sides
    #[arg(long, value_name = "NUMBER", default_value_t = 1000,
        value_parser = whole::<u64>(1..=1_000_000_000), allow_negative_numbers = true)]
    move_playouts: u64,
    /// Print one JSON object per row
    #[arg(long)]
    json: bool,
    /// Write the table to a file, too
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
    #[command(flatten)]
    options: SearchOptions,
}

impl Logical {
    pub(crate) fn run(mut self, printer: &mut Printer) -> Result<Ended, Trouble> {
        let (game, rules) = find_game(&self.game)?;
        if self.games > 0 && rules.players() != 2 {
            return Err(Trouble::Input(format!("--games: {game} is not a two-player game")));
        }
        let workers = thread_list(&mut self.options, &[1, 16, 256])?;
        let configurations = configurations(&mut self.options, &game, &workers)?;
        let claim = |path: &PathBuf| {
            if let Some(positions) = &self.positions {
                check_distinct("--csv", path, Path::new(positions))?;
            }
            Whole::claim(Asked::new("--csv", path, self.force))
        };
        let csv = self.csv.as_ref().map(claim).transpose()?;
        let positions = match &self.positions {
            Some(path) => read_positions(path, &game, &*rules)?,
            None => Vec::new(),
        };
        let limit = read("--proof-time", Some(&self.proof_time), read_time)?.unwrap_or_default();
        let interrupt = Interrupt::catch()?;
        let cancel = interrupt.token().clone();
        let trials = Trials { game, rules, positions, limit, games: self.games, cancel };
        let measuring = Measuring { trials: &trials, move_playouts: self.move_playouts };
        let mut rows: Vec<Row> = Vec::new();
        for config in &configurations {
            match measuring.measure(config, way(config), rows.first())? {
                Some(row) => rows.push(row),
                None => break,
            }
        }
        match self.json {
            true => rows.iter().try_for_each(|row| printer.json(row))?,
            false => printer.text(&text(&trials.game, &rows))?,
        }
        if let Some(mut file) = csv {
            csv_file(&mut file, &rows)?;
        }
        Ok(if interrupt.is_raised() { Ended::Interrupted } else { Ended::Done })
    }
}

/// The games and proofs to measure, and their limits.
struct Measuring<'a> {
    trials: &'a Trials,
    move_playouts: u64,
}

#[derive(Clone, Debug, Default, Serialize)]
struct Row {
    game: String,
    workers: usize,
    virtual_loss: String,
    positions: u64,
    solved: u64,
    proof_playouts: u64,
    /// The first row's `proof_playouts` divided by this row's, if both solved all positions.
    playouts_ratio: Option<f64>,
    hand_overs: u64,
    /// The share of claims of leaves that failed because another worker had the claim.
    lost_claims: f64,
    /// The share of announcements at a node that another worker owned.
    met_owner: f64,
    /// The mean number of steps that all workers make while a node is owned.
    points_owned: f64,
    games: u64,
    /// The win rate against one worker with as many playouts per move.
    win_rate: Option<f64>,
    lower: Option<f64>,
    upper: Option<f64>,
}

impl Measuring<'_> {
    /// Measures with the configuration's number of workers; `None` after Ctrl-C.
    fn measure(
        &self,
        config: &Config,
        way: String,
        first: Option<&Row>,
    ) -> Result<Option<Row>, Trouble> {
        let (trials, workers) = (self.trials, config.threads);
        let progress = Progress::new();
        let game = trials.game.clone();
        let mut row = Row { game, workers, virtual_loss: way, ..Row::default() };
        let line = |doing: String| {
            let way = format!("virtual loss {}", row.virtual_loss);
            Line::new().item(1, format!("{workers} workers")).item(2, way).item(0, doing)
        };
        // One worker runs at a time, so that a seed determines the search.
        logical::run_few(Some(1), config.seed);
        logical::take_measured();
        for (number, position) in trials.positions.iter().enumerate() {
            progress.show(&line(format!("proof {} of {}", number + 1, trials.positions.len())));
            let answer = trials.search(&**position, config, trials.limit)?;
            row.positions += 1;
            row.solved += u64::from(answer.solved);
            row.proof_playouts += answer.playouts;
            if trials.cancel.is_cancelled() {
                return Ok(None);
            }
        }
        let first = first.unwrap_or(&row);
        let all = row.solved == row.positions && first.solved == first.positions;
        row.playouts_ratio = (all && row.proof_playouts > 0)
            .then(|| row.proof_playouts as f64 / first.proof_playouts.max(1) as f64);
        let measured = logical::take_measured();
        let share = |part: u64, rest: u64| part as f64 / (part + rest).max(1) as f64;
        row.hand_overs = measured.hand_overs;
        row.lost_claims = share(measured.lost_claims, measured.claims);
        row.met_owner = share(measured.met_owner, measured.owned);
        row.points_owned = measured.points_owned as f64 / measured.owned.max(1) as f64;
        if workers > 1 && trials.games > 0 {
            progress.show(&line("games".into()));
            let budget = Budget::default().playouts(self.move_playouts);
            let standing = trials.strength(config, &budget)?;
            if trials.cancel.is_cancelled() {
                return Ok(None);
            }
            let interval = standing.interval();
            row.games = standing.games();
            row.win_rate = Some(standing.rate());
            (row.lower, row.upper) = (Some(interval.lower), Some(interval.upper));
        }
        logical::run_few(None, 0);
        Ok(Some(row))
    }
}

fn text(game: &str, rows: &[Row]) -> String {
    let header = [
        right("workers", 0),
        left("virtual loss", 1),
        right("solved", 3),
        right("playouts", 4),
        right("ratio", 1),
        right("lost claims", 5),
        right("met an owner", 6),
        right("owned for", 7),
        right("against one worker", 2),
    ];
    let percent = |share: f64| format!("{:.1} %", share * 100.0);
    let text = grid(
        &header,
        rows.iter().map(|row| {
            let proofs = |text: String| if row.positions > 0 { text } else { String::new() };
            let strength = row.win_rate.zip(row.lower.zip(row.upper));
            vec![
                row.workers.to_string(),
                if row.workers > 1 { row.virtual_loss.clone() } else { String::new() },
                proofs(format!("{} of {}", row.solved, row.positions)),
                proofs(numbers::count(row.proof_playouts as f64)),
                row.playouts_ratio.map_or_else(String::new, |ratio| format!("{ratio:.2}")),
                proofs(percent(row.lost_claims)),
                proofs(percent(row.met_owner)),
                proofs(format!("{:.0} points", row.points_owned)),
                strength_text(strength, row.games),
            ]
        }),
    );
    let legend = format!(
        "\n{game}: workers take turns, one runs at a time. A point is an access to an \
         atomic by any of them. This says nothing of speed or of contention for memory.\n"
    );
    text + &screen::fit(&legend)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_fits() {
        let row = Row {
            workers: 1024,
            virtual_loss: "unobserved".into(),
            positions: 100,
            solved: 99,
            proof_playouts: 123_456_789,
            playouts_ratio: Some(12.34),
            lost_claims: 0.123,
            met_owner: 0.456,
            points_owned: 12_345.0,
            games: 1000,
            win_rate: Some(0.512),
            lower: Some(0.48),
            upper: Some(0.54),
            ..Row::default()
        };
        let print = || text("connect-four", &[row.clone(), row.clone()]);
        proofwood_cli::display::screen::fits::check_text(print, &["workers", "1024", "12.34"]);
    }
}
