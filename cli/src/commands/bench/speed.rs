//! Formats the measurements of `proofwood bench` and their progress.

use crate::display::doubts::{Timed, doubts};
use crate::display::grid::{grid, left, right};
use crate::display::screen::{self, Line};
use proofwood_session::bench::speed::{Speed, Step};
use proofwood_session::words::numbers;
use std::fmt::Write;
use std::time::{Duration, Instant};

/// The progress of all games together, from which the remaining time is estimated.
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
    /// search has ended.
    fn left(&self, searches: usize) -> Option<Duration> {
        let done = self.searches as f64;
        let left = (searches * self.games) as f64 - done;
        (done > 0.0).then(|| self.started.elapsed().mul_f64((left / done).max(0.0)))
    }

    /// Returns the progress line for a search of `game`. The next call counts that search as ended.
    pub(super) fn line(&mut self, game: &str, step: &Step<'_>, rounds: u32) -> Line {
        let left = self.left(step.searches);
        self.searches += 1;
        live_line(game, step, rounds, left)
    }
}

fn live_line(game: &str, step: &Step<'_>, rounds: u32, left: Option<Duration>) -> Line {
    let Step { round, configuration, threads, .. } = step;
    let line = Line::new().item(2, game).item(0, format!("round {round} of {rounds}"));
    let line = match left.map(|left| left.as_secs()) {
        Some(seconds @ 0..90) => line.item(1, format!("about {seconds} s left")),
        Some(seconds) => line.item(1, format!("about {} min left", seconds.div_ceil(60))),
        None => line,
    };
    line.item(3, *configuration).item(4, format!("threads {threads}"))
}

/// Returns the message about the rounds that were complete at Ctrl-C.
pub(super) fn interrupted(measured: &[Speed], asked: u32) -> String {
    match measured.last() {
        Some(Speed { rounds, .. }) => {
            format!("\nInterrupted: {rounds} of {asked} rounds of the last game were completed.\n")
        }
        None => "Interrupted: nothing was measured.\n".into(),
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
        "\n±: half the range of the rates; cost: processor time of a playout, as a multiple of\n\
         one without a tree on as many threads; B/node, B/playout: memory of the nodes;\n\
         resident: memory that the search added to its process, per playout\n",
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::display::screen::tests::{check, check_text};
    use proofwood_session::bench::speed::Row;

    #[test]
    fn what_is_shown_fits() {
        let configuration = "proof numbers off";
        let step = Step { round: 3, configuration, threads: 16, searches: 20 };
        let line = live_line("connect-four:4x4", &step, 5, Some(Duration::from_secs(200)));
        check(&line, &[(20, "round 3 of 5"), (40, "about 4 min left"), (60, "connect-four:4x4")]);
        let row = Row {
            configuration,
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
