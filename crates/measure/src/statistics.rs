//! Statistics of a few samples. Benchmarks use medians, so that a sample disturbed by other
//! programs on the machine does not count.

/// Returns the middle sample, or the mean of the two middle samples; 0 without samples.
pub fn median(samples: impl IntoIterator<Item = f64>) -> f64 {
    let sorted = sorted(samples);
    match sorted.len() {
        0 => 0.0,
        n if n % 2 == 1 => sorted[n / 2],
        n => (sorted[n / 2 - 1] + sorted[n / 2]) / 2.0,
    }
}

/// Returns the least sample that at least the fraction `share` of all samples do not exceed: of 200
/// samples, the 99th percentile is the third greatest. Returns 0 without samples.
pub fn percentile(samples: impl IntoIterator<Item = f64>, share: f64) -> f64 {
    let sorted = sorted(samples);
    let rank = (sorted.len() as f64 * share).ceil() as usize;
    sorted.get(rank.clamp(1, sorted.len().max(1)) - 1).copied().unwrap_or(0.0)
}

/// Returns the geometric mean, which suits ratios because the means of A/B and of B/A multiply to
/// 1. Returns 0 without samples.
pub fn geometric_mean(samples: impl IntoIterator<Item = f64>) -> f64 {
    let (sum, count) = samples
        .into_iter()
        .fold((0.0, 0u32), |(sum, count), sample| (sum + sample.ln(), count + 1));
    if count == 0 { 0.0 } else { (sum / f64::from(count)).exp() }
}

/// Returns Wilson's score interval (1927) at 95 % for a success rate in `trials` trials. Fractional
/// successes count as their fraction, which makes the interval a little too wide, but never too
/// narrow. Returns 0 to 1 without trials.
pub fn wilson(rate: f64, trials: f64) -> (f64, f64) {
    /// The 97.5 % quantile of the normal distribution.
    const Z: f64 = 1.959_963_984_540_054;
    if trials == 0.0 {
        return (0.0, 1.0);
    }
    let z2 = Z * Z;
    let middle = rate + z2 / (2.0 * trials);
    let half = Z * (rate * (1.0 - rate) / trials + z2 / (4.0 * trials * trials)).sqrt();
    let scale = 1.0 + z2 / trials;
    (((middle - half) / scale).max(0.0), ((middle + half) / scale).min(1.0))
}

/// Returns half the difference between the greatest and the least sample, as a fraction of the
/// median: the value to write after ±.
pub fn spread(samples: impl IntoIterator<Item = f64>) -> f64 {
    let sorted = sorted(samples);
    let middle = median(sorted.iter().copied());
    match (sorted.first(), sorted.last()) {
        (Some(least), Some(greatest)) if middle > 0.0 => (greatest - least) / 2.0 / middle,
        _ => 0.0,
    }
}

fn sorted(samples: impl IntoIterator<Item = f64>) -> Vec<f64> {
    let mut sorted: Vec<f64> = samples.into_iter().collect();
    sorted.sort_by(f64::total_cmp);
    sorted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_are_in_the_middle() {
        assert_eq!(median([]), 0.0);
        assert_eq!(median([3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median([4.0, 1.0, 2.0, 3.0]), 2.5);
    }

    #[test]
    fn geometric_means_are_those_of_ratios() {
        assert_eq!(geometric_mean([]), 0.0);
        assert!((geometric_mean([2.0, 8.0]) - 4.0).abs() < 1e-12);
        assert!((geometric_mean([0.5, 2.0]) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn percentiles_are_samples() {
        let samples = || (1..=200).rev().map(f64::from);
        assert_eq!(percentile(samples(), 0.99), 198.0);
        assert_eq!(percentile(samples(), 1.0), 200.0);
        assert_eq!(percentile(samples(), 0.0), 1.0);
        assert_eq!(percentile([], 0.5), 0.0);
    }

    #[test]
    fn spread_is_half_the_range() {
        assert_eq!(spread([9.0, 10.0, 11.0]), 0.1);
        assert_eq!(spread([]), 0.0);
    }
}
