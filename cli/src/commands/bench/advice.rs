//! Formats the advice of `proofwood bench --threads auto`.

use crate::display::grid::{grid, left, right};
use proofwood_session::bench::advice::{Advice, Row, Strength};
use proofwood_session::contest::elo_text;
use proofwood_session::words::numbers;

pub(super) fn text(advice: &Advice, cores: usize) -> String {
    let header = [
        right("threads", 0),
        right("playouts/s", 0),
        left("lowest to highest", 4),
        right("speed-up", 1),
        left("Elo at equal playouts", 3),
        left("Elo at equal time", 2),
    ];
    let strength = |found: &Option<Strength>| {
        found.map_or_else(String::new, |s| elo_text(s.win_rate, s.elo, s.elo_interval))
    };
    let rows = advice.rows.iter().map(|row| {
        let [least, most] = row.range.map(numbers::count);
        vec![
            row.threads.to_string(),
            numbers::count(row.playouts_per_second),
            format!("{least} to {most}"),
            format!("{:.2}", row.speed_up),
            strength(&row.equal_playouts),
            strength(&row.equal_time),
        ]
    });
    let mut text = format!("{}, {}\n\n", advice.game, numbers::number(cores as u64, "core"));
    text += &grid(&header, rows);
    if let Some(threads) = advice.threads {
        let threads = numbers::number(threads as u64, "thread");
        text +=
            &format!("\nUse {threads} (--threads): the fewest that reach 95 % of the highest rate");
        text += match has_games(advice) {
            true => {
                ",\nexcept thread counts that games at equal time show to be weaker than one \
                     thread.\n"
            }
            false => ".\n",
        };
    }
    if has_games(advice) {
        let is_open = |row: &Row| {
            row.equal_time.is_some_and(|s| s.interval.lower < 0.5 && s.interval.upper > 0.5)
        };
        let games = advice.rows.iter().filter_map(|row| row.equal_time).map(|s| s.games).max();
        text += &format!(
            "Elo is measured against one thread, with 95 % intervals, in {} of each kind.\n",
            numbers::number(games.unwrap_or(0), "game")
        );
        if advice.rows.iter().any(is_open) {
            text += "An interval that contains 0 does not show which side is stronger; raise \
                         --games.\n";
        }
    }
    if !advice.finished {
        text += "Interrupted: the measurements are incomplete.\n";
    }
    text
}

fn has_games(advice: &Advice) -> bool {
    advice.rows.iter().any(|row| row.equal_time.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proofwood_session::contest::Standing;

    #[test]
    fn the_text_says_what_is_open() {
        let row = |threads, playouts_per_second, equal_time| Row {
            threads,
            playouts_per_second,
            range: [playouts_per_second; 2],
            speed_up: playouts_per_second,
            equal_playouts: equal_time,
            equal_time,
        };
        let standing = Standing { wins: 22, losses: 18, draws: 0, points: 22.0 };
        let rows = vec![row(1, 1e6, None), row(2, 1.9e6, Strength::of(&standing))];
        let found = Advice { game: "hex:4".into(), threads: Some(2), rows, finished: false };
        let text = text(&found, 2);
        for part in ["Use 2 threads", "in 40 games", "raise --games", "Interrupted", "+35 ("] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
}
