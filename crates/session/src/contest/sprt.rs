//! The sequential probability ratio test (Wald 1945), which ends a match as soon as the games are
//! decisive.

use super::standing::Standing;
use crate::Trouble;
use serde::Serialize;

/// A sequential test of two hypotheses about A's advantage in Elo.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Sprt {
    /// The advantage in Elo under the first hypothesis.
    pub elo0: f64,
    /// The advantage in Elo under the second hypothesis, greater than `elo0`.
    pub elo1: f64,
    /// The probability of accepting `elo1` although `elo0` is true, below 0.5.
    pub alpha: f64,
    /// The probability of accepting `elo0` although `elo1` is true, below 0.5.
    pub beta: f64,
}

/// The verdict of the test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// `elo0` is accepted.
    Elo0,
    /// `elo1` is accepted.
    Elo1,
    /// More games are needed.
    Open,
}

impl Sprt {
    /// Reads `elo0,elo1[,alpha,beta]`.
    pub fn read(text: &str) -> Result<Sprt, Trouble> {
        let wrong = || {
            Trouble::Input(format!(
                "--sprt: '{text}' should be elo0,elo1 or elo0,elo1,alpha,beta with elo0 < elo1 \
                 and alpha and beta between 0 and 0.5, such as 0,20 or -5,5,0.05,0.05"
            ))
        };
        let numbers: Result<Vec<f64>, _> =
            text.split(',').map(|number| number.trim().parse()).collect();
        let (elo0, elo1, alpha, beta) = match numbers.map_err(|_| wrong())?[..] {
            [elo0, elo1] => (elo0, elo1, 0.05, 0.05),
            [elo0, elo1, alpha, beta] => (elo0, elo1, alpha, beta),
            _ => return Err(wrong()),
        };
        let sensible = (-2000.0..=2000.0).contains(&elo0)
            && (-2000.0..=2000.0).contains(&elo1)
            && elo0 < elo1
            && [alpha, beta].iter().all(|&error| error > 0.0 && error < 0.5);
        if sensible { Ok(Sprt { elo0, elo1, alpha, beta }) } else { Err(wrong()) }
    }

    /// Returns the logarithm of the likelihood ratio of `elo1` to `elo0`, as defined by the
    /// generalised test in its normal approximation. The variance is that of the observed wins,
    /// draws and losses. Zero wins or losses are counted as half a game, so that neither result
    /// seems impossible.
    pub fn log_likelihood_ratio(&self, standing: &Standing) -> f64 {
        const UNSEEN: f64 = 0.5;
        let Standing { wins, draws, losses, .. } = *standing;
        if wins + draws + losses == 0 {
            return 0.0;
        }
        let count = |seen: u64| if seen == 0 { UNSEEN } else { seen as f64 };
        let (wins, losses) = (count(wins), count(losses));
        let draws = draws as f64;
        let games = wins + draws + losses;
        let mean = (wins + draws / 2.0) / games;
        let variance = (wins + draws / 4.0) / games - mean * mean;
        let expected = |elo: f64| 1.0 / (1.0 + 10f64.powf(-elo / 400.0));
        let (low, high) = (expected(self.elo0), expected(self.elo1));
        games * (high - low) * (2.0 * mean - low - high) / (2.0 * variance)
    }

    /// Returns the log-likelihood ratios at which `elo0` and `elo1` are accepted.
    pub fn limits(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// Returns the verdict of the test on these results.
    pub fn verdict(&self, standing: &Standing) -> Verdict {
        let ratio = self.log_likelihood_ratio(standing);
        let (low, high) = self.limits();
        match ratio {
            r if r <= low => Verdict::Elo0,
            r if r >= high => Verdict::Elo1,
            _ => Verdict::Open,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proofwood::Rng;

    #[test]
    fn only_sensible_tests_are_read() {
        let sprt = Sprt::read("0, 20").unwrap();
        assert_eq!(sprt, Sprt { elo0: 0.0, elo1: 20.0, alpha: 0.05, beta: 0.05 });
        assert_eq!(Sprt::read("-5,5,0.1,0.2").unwrap().beta, 0.2);
        for wrong in ["", "5", "5,5", "20,0", "0,nan", "0,1,0,0.1", "0,1,0.1,1", "0,1,2"] {
            assert!(Sprt::read(wrong).is_err(), "{wrong}");
        }
    }

    /// Checks that wrong decisions in simulated matches are as rare as the error rates promise.
    #[test]
    fn the_test_errs_as_rarely_as_it_says() {
        let sprt = Sprt::read("0,60").unwrap();
        let expected = |elo: f64| 1.0 / (1.0 + 10f64.powf(-elo / 400.0));
        let wrong = |elo: f64, right: Verdict| {
            let mut wrong = 0;
            for seed in 0..400 {
                let (mut rng, mut standing) = (Rng::new(seed), Standing::default());
                // A third of the games are draws, and the mean is the expected score.
                let win = expected(elo) - 1.0 / 6.0;
                while sprt.verdict(&standing) == Verdict::Open {
                    let draw = f64::from(rng.below(1 << 30)) / f64::from(1 << 30);
                    standing.add(match draw {
                        d if d < 1.0 / 3.0 => 0.5,
                        d if d < 1.0 / 3.0 + win => 1.0,
                        _ => 0.0,
                    });
                }
                wrong += u32::from(sprt.verdict(&standing) != right);
            }
            wrong
        };
        // The expected number is 5 % of 400, or 20; 32 is almost three standard deviations more.
        assert!(wrong(0.0, Verdict::Elo0) <= 32);
        assert!(wrong(60.0, Verdict::Elo1) <= 32);
        assert_eq!(sprt.verdict(&Standing::default()), Verdict::Open);
    }
}
