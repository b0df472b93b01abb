//! Noise in the root's priors, so that self-play also explores other moves.
//!
//! AlphaZero has P(s, a) = (1 − ε) p_a + ε η_a at the root, with η ~ Dir(α) (Silver et al.,
//! *Mastering the game of Go without human knowledge*, Nature 2017, "Self-play").

use crate::math::Rng;
use crate::settings::Config;

/// Returns the priors with noise; empty if noise is disabled.
pub(crate) fn noisy(priors: &[f32], config: &Config, rng: &mut Rng) -> Box<[f32]> {
    /// In three games, AlphaZero's α was approximately this value divided by the number of moves.
    const ALPHA_TIMES_MOVES: f64 = 10.0;
    if config.noise == 0.0 {
        return Box::default();
    }
    let alpha = ALPHA_TIMES_MOVES / priors.len() as f64;
    let (part, noise) = (config.noise as f32, dirichlet(alpha, priors.len(), rng));
    priors.iter().zip(noise).map(|(prior, noise)| (1.0 - part) * prior + part * noise).collect()
}

/// Draws from Dir(α) fractions that add up to 1: gamma variates divided by their sum.
fn dirichlet(alpha: f64, number: usize, rng: &mut Rng) -> impl Iterator<Item = f32> {
    let logs: Vec<f64> = (0..number).map(|_| ln_gamma_variate(alpha, rng)).collect();
    // Computed from logarithms: for a small α, most variates are too small for a float.
    let greatest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = logs.iter().map(|log| (log - greatest).exp()).sum();
    logs.into_iter().map(move |log| ((log - greatest).exp() / sum) as f32)
}

/// Draws the logarithm of a variate of Gamma(α, 1): Marsaglia and Tsang, *A simple method for
/// generating gamma variables*, 2000, with the method of section 6 for α below 1.
fn ln_gamma_variate(alpha: f64, rng: &mut Rng) -> f64 {
    let boost = if alpha < 1.0 { uniform(rng).ln() / alpha } else { 0.0 };
    let d = if alpha < 1.0 { alpha + 1.0 } else { alpha } - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let x = normal(rng);
        let v = (1.0 + c * x).powi(3);
        if v > 0.0 && uniform(rng).ln() < 0.5 * x * x + d - d * v + d * v.ln() {
            return d.ln() + v.ln() + boost;
        }
    }
}

/// Draws a standard normal variate (Box and Muller).
fn normal(rng: &mut Rng) -> f64 {
    let (radius, angle) = ((-2.0 * uniform(rng).ln()).sqrt(), std::f64::consts::TAU * uniform(rng));
    radius * angle.cos()
}

/// Draws a uniformly distributed number above 0, at most 1.
pub(crate) fn uniform(rng: &mut Rng) -> f64 {
    ((rng.next_u64() >> 11) + 1) as f64 / (1u64 << 53) as f64
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn dirichlet_shares_add_up_and_vary_as_they_should() {
        const DRAWS: usize = 20_000;
        for (alpha, number) in [(0.03, 10), (0.3, 5), (1.0, 4), (10.0, 3)] {
            let mut rng = Rng::new(7);
            let (mut mean, mut square) = (0.0, 0.0);
            for _ in 0..DRAWS {
                let shares: Vec<f32> = dirichlet(alpha, number, &mut rng).collect();
                assert!((shares.iter().sum::<f32>() - 1.0).abs() < 1e-4);
                mean += f64::from(shares[0]) / DRAWS as f64;
                square += f64::from(shares[0]).powi(2) / DRAWS as f64;
            }
            // A share of Dir(α) has the mean 1/n and the variance (1/n)(1 − 1/n) / (nα + 1).
            let n = number as f64;
            let variance = (1.0 / n) * (1.0 - 1.0 / n) / (n * alpha + 1.0);
            assert!((mean - 1.0 / n).abs() < 0.01, "{alpha}: mean {mean}");
            assert!((square - mean * mean - variance).abs() < 0.1 * variance, "{alpha}: {square}");
        }
    }

    #[test]
    fn noise_takes_the_part_that_was_asked_for() {
        let priors = [0.5, 0.25, 0.25];
        let config = Config::default();
        assert!(noisy(&priors, &config, &mut Rng::new(1)).is_empty());
        let all = noisy(&priors, &config.clone().noise(1.0), &mut Rng::new(1));
        let part = noisy(&priors, &config.noise(0.25), &mut Rng::new(1));
        for number in 0..3 {
            let right = 0.75 * priors[number] + 0.25 * all[number];
            assert!((part[number] - right).abs() < 1e-6);
        }
    }
}
