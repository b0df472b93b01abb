//! The published figures: Pawlewicz and Lew, *Improving Depth-First PN-Search: 1 + ε Trick*,
//! Computers and Games (2006), Tables 1 to 4.

use proofwood_session::Trouble;
use serde::Deserialize;

const FIGURES: &str = include_str!("../../../data/one_plus_epsilon.csv");

/// The tables by experiment: `atari-go` has the seconds by the binary logarithm of the number of
/// table entries, `loa-easy` and `loa-hard` have the number of positions solved by seconds, and
/// `faster` has the speed-up of one method over another.
#[derive(Clone, Debug)]
pub(super) struct Paper(Vec<Cell>);

#[derive(Clone, Debug, Deserialize)]
struct Cell {
    experiment: String,
    method: String,
    at: String,
    value: f64,
}

impl Paper {
    pub(super) fn read() -> Result<Paper, Trouble> {
        csv::Reader::from_reader(FIGURES.as_bytes())
            .deserialize()
            .collect::<Result<_, _>>()
            .map(Paper)
            .map_err(|error| Trouble::Failed(format!("the paper's tables: {error}")))
    }

    /// The published number in a cell; `None` if there is no such cell.
    pub(super) fn value(&self, experiment: &str, method: &str, at: &str) -> Option<f64> {
        let is_it =
            |cell: &&Cell| cell.experiment == experiment && cell.method == method && cell.at == at;
        self.0.iter().find(is_it).map(|cell| cell.value)
    }

    pub(super) fn columns(&self, experiment: &str) -> Vec<&str> {
        let mut columns: Vec<&str> = Vec::new();
        for cell in self.0.iter().filter(|cell| cell.experiment == experiment) {
            if !columns.contains(&cell.at.as_str()) {
                columns.push(&cell.at);
            }
        }
        columns
    }
}

#[cfg(test)]
mod tests {
    use super::super::methods::METHODS;
    use super::*;

    #[test]
    fn the_tables_are_complete() {
        let paper = Paper::read().unwrap();
        assert_eq!(paper.columns("atari-go").len(), 11);
        assert_eq!(paper.columns("loa-easy").len(), 10);
        assert_eq!(paper.columns("loa-hard").len(), 11);
        for method in METHODS {
            let solved = paper
                .columns("loa-hard")
                .into_iter()
                .map(|seconds| paper.value("loa-hard", method.name, seconds).expect(method.name));
            assert!(solved.is_sorted() && method.name.len() < 12);
        }
    }

    /// If A is r times as fast as B, then B is 1/r times as fast as A, up to rounding to two
    /// decimals.
    #[test]
    fn ratios_are_each_others_inverse() {
        let paper = Paper::read().unwrap();
        for a in METHODS {
            for b in METHODS {
                let there = paper.value("faster", a.name, b.name).unwrap();
                let back = paper.value("faster", b.name, a.name).unwrap();
                let off = 0.005 / there + 0.005 / back;
                assert!((there * back).ln().abs() <= 1.01 * off, "{} {}", a.name, b.name);
            }
        }
    }
}
