//! Axes with ranges that end at round numbers.

use proofwood_session::words::numbers;
use std::time::Duration;

/// An axis of a chart: its name, range and ticks.
#[derive(Clone, Debug)]
pub(crate) struct Axis {
    pub(super) name: String,
    logarithmic: bool,
    low: f64,
    high: f64,
    /// The values to mark, with their labels.
    pub(super) ticks: Vec<(f64, String)>,
}

const TIMES: [f64; 17] = [
    1e-3, 3e-3, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 60.0, 180.0, 600.0, 1800.0, 3600.0,
    10_800.0, 36_000.0,
];

impl Axis {
    /// An axis from `low` to at least `high`, in equal steps of 1, 2 or 5 times a power of ten.
    pub(crate) fn linear(name: impl Into<String>, low: f64, high: f64) -> Axis {
        let rough = ((high - low) / 6.0).max(1e-9);
        let power = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|step| step * power);
        let step = step.into_iter().find(|&step| step >= rough * 0.999).unwrap_or(rough);
        Axis::stepped(name, low, high, step)
    }

    /// An axis for whole numbers from 0 to at least `high`.
    pub(crate) fn whole(name: impl Into<String>, high: f64) -> Axis {
        let axis = Axis::linear("", 0.0, high.max(1.0));
        let step = axis.ticks.get(1).map_or(1.0, |tick| tick.0.max(1.0));
        Axis::stepped(name, 0.0, high.max(1.0), step)
    }

    /// An axis from `low` to at least `high`, in steps of `step`.
    fn stepped(name: impl Into<String>, low: f64, high: f64, step: f64) -> Axis {
        let (first, last) = ((low / step).floor(), (high / step - 1e-9).ceil());
        let places = (-step.log10()).ceil().max(0.0) as usize;
        let tick = |number: f64| (number * step, format!("{:.places$}", number * step));
        let count = (last - first).max(1.0) as usize;
        let ticks: Vec<_> = (0..=count).map(|number| tick(first + number as f64)).collect();
        Axis {
            name: name.into(),
            logarithmic: false,
            low: first * step,
            high: ticks[count].0,
            ticks,
        }
    }

    /// An axis from 0 to 100 %.
    pub(crate) fn percent(name: impl Into<String>) -> Axis {
        Axis::stepped(name, 0.0, 100.0, 20.0)
    }

    /// An axis of named places at equal distances, side by side.
    pub(crate) fn places(name: impl Into<String>, places: &[String]) -> Axis {
        let ticks = (0..places.len()).map(|at| at as f64).zip(places.iter().cloned()).collect();
        let high = places.len().max(1) as f64 - 0.8;
        Axis { name: name.into(), logarithmic: false, low: -0.2, high, ticks }
    }

    /// An axis of places one below another, each with its distance from the top.
    pub(super) fn below(places: &[(String, f64)], height: f64) -> Axis {
        let ticks = places.iter().map(|(name, at)| (height - at, name.clone())).collect();
        Axis { name: String::new(), logarithmic: false, low: 0.0, high: height, ticks }
    }

    /// An axis of counts on a logarithmic scale.
    pub(crate) fn counts(name: impl Into<String>, values: impl Iterator<Item = f64>) -> Axis {
        let all = (0..16).flat_map(|power| [1.0, 3.0].map(|step| step * 10f64.powi(power)));
        Axis::logarithmic(name, values, &all.collect::<Vec<_>>(), |count| {
            numbers::count(count).replace(".00", "").replace(".0", "")
        })
    }

    /// An axis of seconds on a logarithmic scale.
    pub(crate) fn times(name: impl Into<String>, values: impl Iterator<Item = f64>) -> Axis {
        Axis::logarithmic(name, values, &TIMES, |seconds| match seconds {
            s if s < 1.0 => numbers::time(Duration::from_secs_f64(s)),
            s if s < 60.0 => format!("{s} s"),
            s if s < 3600.0 => format!("{} min", s / 60.0),
            s => format!("{} h", s / 3600.0),
        })
    }

    /// A logarithmic axis. It begins at the last of `marks` that does not exceed any value, and ends
    /// at the first one that no value exceeds. If there are many marks, only every other one has a
    /// tick.
    fn logarithmic(
        name: impl Into<String>,
        values: impl Iterator<Item = f64>,
        marks: &[f64],
        text: impl Fn(f64) -> String,
    ) -> Axis {
        let (least, most) = values.fold((f64::INFINITY, 0.0f64), |(least, most), value| {
            (least.min(value), most.max(value))
        });
        let first = marks.partition_point(|&mark| mark <= least).clamp(1, marks.len() - 1) - 1;
        let last = marks.partition_point(|&mark| mark < most).clamp(first + 1, marks.len() - 1);
        let every = if last - first > 8 { 2 } else { 1 };
        let (first, last) = (first / every * every, last.next_multiple_of(every));
        let ticks = (first..=last).step_by(every).filter_map(|number| marks.get(number));
        let ticks: Vec<_> = ticks.map(|&mark| (mark, text(mark))).collect();
        let (low, high) = (ticks[0].0, ticks[ticks.len() - 1].0);
        Axis { name: name.into(), logarithmic: true, low, high, ticks }
    }

    /// The place of `value` on the axis, from 0 to 1; values beyond an end are put at the end.
    pub(super) fn at(&self, value: f64) -> f64 {
        let scale = |value: f64| if self.logarithmic { value.max(1e-300).ln() } else { value };
        let (low, high) = (scale(self.low), scale(self.high));
        ((scale(value) - low) / (high - low)).clamp(0.0, 1.0)
    }

    #[cfg(test)]
    fn texts(&self) -> Vec<&str> {
        self.ticks.iter().map(|(_, text)| text.as_str()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_at_round_numbers() {
        assert_eq!(Axis::linear("", 0.0, 4.7).texts(), ["0", "1", "2", "3", "4", "5"]);
        assert_eq!(Axis::linear("", 12.0, 22.0).texts(), ["12", "14", "16", "18", "20", "22"]);
        assert_eq!(Axis::linear("", 0.0, 1.1).texts()[1], "0.2");
        assert_eq!(Axis::whole("", 3.0).texts(), ["0", "1", "2", "3"]);
        assert_eq!(Axis::whole("", 107.0).texts(), ["0", "20", "40", "60", "80", "100", "120"]);
        let counts = Axis::counts("", [1580.0, 398_000.0].into_iter());
        assert_eq!(counts.texts(), ["1 k", "3 k", "10 k", "30 k", "100 k", "300 k", "1 M"]);
        let times = Axis::times("", [0.02, 3000.0].into_iter());
        assert_eq!(times.texts(), ["10 ms", "100 ms", "1 s", "10 s", "1 min", "10 min", "1 h"]);
    }

    #[test]
    fn values_have_their_place() {
        let times = Axis::times("", [0.02, 9.0].into_iter());
        assert!((times.at(0.01), times.at(10.0)) == (0.0, 1.0));
        assert!((times.at(0.1) - 1.0 / 3.0).abs() < 1e-9);
        assert!((times.at(0.0), times.at(1e9)) == (0.0, 1.0));
        // An axis without values is valid.
        assert_eq!(Axis::counts("", std::iter::empty()).at(0.0), 0.0);
        assert_eq!(Axis::places("", &["a".into(), "b".into()]).at(0.5), 0.5);
    }
}
