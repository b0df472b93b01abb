//! How a figure has changed over time.

/// The most places that are kept.
const MOST: usize = 512;

/// A figure at some times. However long it takes, it holds a few hundred of them: when there
/// are too many, every other one is forgotten, and new ones come half as often.
#[derive(Clone, Debug)]
pub(crate) struct History {
    /// Seconds, and the figure then.
    points: Vec<(f64, f64)>,
    /// One of so many is kept.
    every: usize,
    /// How many have come since the last one that was kept.
    since: usize,
}

impl History {
    /// Nothing yet.
    pub(crate) fn new() -> History {
        History { points: Vec::new(), every: 1, since: 0 }
    }

    /// The figure at a later time.
    pub(crate) fn add(&mut self, seconds: f64, figure: f64) {
        self.since += 1;
        if self.since < self.every {
            return;
        }
        self.since = 0;
        self.points.push((seconds, figure));
        if self.points.len() == MOST {
            let mut number = 0;
            self.points.retain(|_| {
                number += 1;
                number % 2 == 0
            });
            self.every *= 2;
        }
    }

    /// All that are kept, the oldest first.
    pub(crate) fn points(&self) -> &[(f64, f64)] {
        &self.points
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_history_has_few_points_all_over_it() {
        let mut history = History::new();
        for second in 0..100_000 {
            history.add(f64::from(second), 0.5);
            assert!(history.points().len() < MOST);
        }
        let points = history.points();
        assert!(points.len() >= MOST / 2 - 1);
        assert!(points[0].0 < 1000.0 && points[points.len() - 1].0 > 99_000.0);
        let gaps: Vec<f64> = points.windows(2).map(|pair| pair[1].0 - pair[0].0).collect();
        assert!(gaps.iter().all(|&gap| gap <= 2.0 * gaps[0]), "{gaps:?}");
    }
}
