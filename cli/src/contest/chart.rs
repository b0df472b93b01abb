//! A match as a picture: the win rate as it has come about.

use super::standing::Standing;
use crate::display::chart::{Axis, Chart, LineStyle, Point, Series};

/// The most places at which the rate is drawn.
const PLACES: usize = 40;

/// A's win rate after the first so many games, from its points in each of them, with its
/// interval. What equal players would have is marked.
pub(crate) fn win_rate<'a>(title: &'a str, games: &[f64], even: f64) -> Chart<'a> {
    let every = games.len().div_ceil(PLACES).max(1);
    let mut standing = Standing::default();
    let mut points: Vec<Point> = Vec::new();
    for (number, &points_of_game) in (1..).zip(games) {
        standing.add(points_of_game);
        if number % every == 0 || number == games.len() {
            let (rate, interval) = (standing.rate(), standing.interval());
            let ends = (interval.lower * 100.0, interval.upper * 100.0);
            points.push((number as f64, rate * 100.0, Some(ends)));
        }
    }
    Chart {
        title,
        across: Axis::whole("games", games.len() as f64),
        up: Axis::percent("win rate of A, %"),
        mark: Some(even * 100.0),
        legend: "with 95 % intervals",
        beside: false,
        series: vec![Series { name: "A".into(), colour: 0, style: LineStyle::Line, points }],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_match_has_few_places_and_the_last_is_the_result() {
        let points_of = |number: u64| if number.is_multiple_of(3) { 1.0 } else { 0.5 };
        for (games, places) in [(0, 0), (1, 1), (40, 40), (41, 21), (1000, 40), (1001, 39)] {
            let games: Vec<_> = (1..=games).map(points_of).collect();
            let chart = win_rate("othello", &games, 0.5);
            let points = &chart.series[0].points;
            assert_eq!(points.len(), places, "{}", games.len());
            assert!(chart.svg().contains("othello"));
            let Some(&(number, rate, Some((lower, upper)))) = points.last() else { continue };
            let mean = games.iter().sum::<f64>() / games.len() as f64;
            assert_eq!((number, rate), (games.len() as f64, mean * 100.0));
            assert!(lower <= rate && rate <= upper);
        }
    }
}
