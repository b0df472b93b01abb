//! Table 1 of the GPN-MCTS paper, and its settings.

use proofwood_session::Trouble;
use proofwood_session::contest::Interval;
use serde::Deserialize;
use serde::de::DeserializeOwned;

pub(super) const WEIGHTS: [&str; 6] = ["0", "0.1", "0.5", "1", "2", "5"];

const CELLS: &str = include_str!("../../data/gpn_mcts_table1.csv");
const GAMES: &str = include_str!("../../data/gpn_mcts_games.csv");

#[derive(Clone, Debug, Deserialize)]
pub(super) struct PaperGame {
    /// The game's name and options in this program.
    pub(super) game: String,
    pub(super) title: String,
    /// The approximate number of playouts that the paper's program makes in a second, which is its
    /// time for a move.
    pub(super) iterations: u64,
}

/// A row that the table has for each game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Variant {
    pub(super) name: &'static str,
    /// The formula as the paper prints it; `coded` is the one in the authors' program. For PNMax
    /// and PNSum the two differ only if all finite numbers are 0 and the move is proven.
    pub(super) bias: &'static str,
    pub(super) coded: &'static str,
    /// Whether both players use score bounds and proven values.
    pub(super) score_bounded: bool,
}

/// The rows in the order of the table.
pub(super) const VARIANTS: [Variant; 4] = [
    Variant { name: "PNRank", bias: "rank", coded: "rank-ludii", score_bounded: false },
    Variant { name: "PNRank+SB", bias: "rank", coded: "rank-ludii", score_bounded: true },
    Variant { name: "PNMax+SB", bias: "max", coded: "max", score_bounded: true },
    Variant { name: "PNSum+SB", bias: "sum", coded: "sum", score_bounded: true },
];

#[derive(Clone, Debug, Deserialize)]
pub(super) struct PaperCell {
    pub(super) game: String,
    pub(super) variant: String,
    pub(super) c_pn: String,
    pub(super) win_rate: f64,
    pub(super) margin: f64,
}

impl PaperCell {
    /// The published interval, converted from percentages to shares of 1.
    pub(super) fn interval(&self) -> Interval {
        Interval {
            lower: (self.win_rate - self.margin) / 100.0,
            upper: (self.win_rate + self.margin) / 100.0,
        }
    }
}

pub(super) fn games() -> Result<Vec<PaperGame>, Trouble> {
    rows(GAMES)
}

pub(super) fn cells() -> Result<Vec<PaperCell>, Trouble> {
    rows(CELLS)
}

fn rows<R: DeserializeOwned>(text: &str) -> Result<Vec<R>, Trouble> {
    csv::Reader::from_reader(text.as_bytes())
        .deserialize()
        .collect::<Result<_, _>>()
        .map_err(|error| Trouble::Failed(format!("the paper's table: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_complete() {
        let (games, cells) = (games().unwrap(), cells().unwrap());
        assert_eq!((games.len(), cells.len()), (11, 11 * 4 * 6));
        for game in &games {
            assert_eq!(proofwood_any_game::find(&game.game).unwrap().players(), 2);
            for variant in VARIANTS {
                for weight in WEIGHTS {
                    let found = cells.iter().filter(|cell| {
                        cell.game == game.game
                            && cell.variant == variant.name
                            && cell.c_pn == weight
                    });
                    assert_eq!(found.count(), 1, "{} {} {weight}", game.game, variant.name);
                }
            }
        }
    }

    /// The margin for 500 games follows from the win rate, or is smaller if games are drawn. A
    /// wrongly copied figure would fail this test.
    #[test]
    fn the_margins_fit_the_win_rates() {
        for cell in cells().unwrap() {
            let rate = cell.win_rate / 100.0;
            let most = 196.0 * (rate * (1.0 - rate) / 500.0).sqrt();
            assert!((0.84 * most..1.10 * most).contains(&cell.margin), "{cell:?} {most}");
        }
    }
}
