//! The results of a contest so far: win rate, interval, Elo.

use super::games::GameRecord;
use proofwood_measure::wilson;
use serde::Serialize;

/// The results of contender A.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Standing {
    /// Games in which A received the whole point.
    pub wins: u64,
    /// Games in which A received nothing.
    pub losses: u64,
    /// Games in which A received a part of the point.
    pub draws: u64,
    /// The sum of A's points.
    pub points: f64,
}

/// A 95 % confidence interval of a win rate, between 0 and 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// The lower end.
    pub lower: f64,
    /// The upper end.
    pub upper: f64,
}

impl Interval {
    /// Formats the ends of the interval as percentages. The form `rate ± width` would be wrong
    /// because the rate is not the midpoint.
    pub fn text(self) -> String {
        format!("{:.1} to {:.1}", self.lower * 100.0, self.upper * 100.0)
    }

    /// Returns whether the intervals have a value in common.
    pub fn overlaps(self, other: Interval) -> bool {
        self.lower <= other.upper && other.lower <= self.upper
    }
}

impl Standing {
    /// Returns the standing after these games.
    pub fn of<'a>(games: impl IntoIterator<Item = &'a GameRecord>) -> Standing {
        let mut standing = Standing::default();
        games.into_iter().for_each(|game| standing.add(game.points));
        standing
    }

    /// Counts a game in which A received `points`.
    pub fn add(&mut self, points: f64) {
        self.points += points;
        match points {
            p if p >= 1.0 => self.wins += 1,
            p if p <= 0.0 => self.losses += 1,
            _ => self.draws += 1,
        }
    }

    /// Returns the number of games.
    pub fn games(&self) -> u64 {
        self.wins + self.losses + self.draws
    }

    /// Returns A's share of all points; one half before the first game.
    pub fn rate(&self) -> f64 {
        match self.games() {
            0 => 0.5,
            games => self.points / games as f64,
        }
    }

    /// Returns [Wilson's interval](wilson) for the win rate. Draws make it a little too wide, never
    /// too narrow: at a given rate, results without draws have the greatest variance.
    pub fn interval(&self) -> Interval {
        let (lower, upper) = wilson(self.rate(), self.games() as f64);
        Interval { lower, upper }
    }
}

/// Returns the Elo difference that corresponds to a win rate; infinite for 0 and 1.
pub fn elo(rate: f64) -> f64 {
    400.0 * (rate / (1.0 - rate)).log10()
}

/// Formats a difference in Elo and the ends of its interval; `None` means infinite.
pub fn elo_text(win_rate: f64, elo: Option<f64>, [low, high]: [Option<f64>; 2]) -> String {
    let number = |elo: Option<f64>, infinite: &str| {
        elo.map_or(infinite.to_string(), |elo| format!("{elo:+.0}"))
    };
    let end = if win_rate > 0.5 { "+∞" } else { "-∞" };
    format!("{} ({} to {})", number(elo, end), number(low, "-∞"), number(high, "+∞"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standing(wins: u64, draws: u64, losses: u64) -> Standing {
        Standing { wins, draws, losses, points: wins as f64 + draws as f64 / 2.0 }
    }

    #[test]
    fn intervals_by_hand() {
        // Published tables give (0.4902, 0.9433) for 8 of 10.
        let Interval { lower, upper } = standing(8, 0, 2).interval();
        assert!((lower - 0.4902).abs() < 5e-5 && (upper - 0.9433).abs() < 5e-5, "{lower} {upper}");
        let all = standing(10, 0, 0).interval();
        assert!((all.lower - 0.7225).abs() < 5e-5 && (all.upper - 1.0).abs() < 1e-12);
        assert_eq!(standing(0, 0, 0).interval(), Interval { lower: 0.0, upper: 1.0 });
        assert_eq!(standing(0, 10, 0).interval(), standing(5, 0, 5).interval());
    }

    #[test]
    fn intervals_are_written_by_their_ends() {
        assert_eq!(standing(1, 0, 0).interval().text(), "20.7 to 100.0");
        assert_eq!(standing(60, 0, 0).interval().text(), "94.0 to 100.0");
    }

    #[test]
    fn even_games_are_worth_no_elo() {
        assert_eq!(elo(0.5), 0.0);
        assert!((elo(10.0 / 11.0) - 400.0).abs() < 1e-9);
        assert_eq!(elo(1.0), f64::INFINITY);
        assert_eq!(elo(0.0), f64::NEG_INFINITY);
    }
}
