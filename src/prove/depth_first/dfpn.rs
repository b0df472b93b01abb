//! Df-pn: depth-first proof-number search (Nagai 2002).
//!
//! A visit to a child ends when the child's numbers imply that the most proving leaf may lie
//! elsewhere. Plain df-pn leaves a child as soon as its number exceeds its best sibling's by one.
//! With the 1 + ε trick (Pawlewicz and Lew 2007) it stays until the number exceeds the sibling's by
//! a fraction ε, so the number of visits to a child grows only logarithmically instead of linearly.

use super::{ChildNumbers, Guide, NumberLimits, Numbers};
use crate::prove::memo::{INFINITE, MAX_FINITE};

/// The guide of df-pn, which searches a child until its number exceeds its best sibling's by the
/// fraction ε, and by at least one.
pub(crate) struct Dfpn(pub(crate) OnePlusEpsilon);

#[derive(Clone, Copy, Debug)]
pub(crate) struct OnePlusEpsilon {
    /// The factor 1 + ε in units of 2^-16.
    factor: u64,
}

impl OnePlusEpsilon {
    /// The least ε. If positions repeat, two children may each contain the other's leaves, so that
    /// each visit raises both numbers only a little (Kishimoto and Müller 2008). Passing through
    /// the range of numbers takes tens of millions of visits in steps of one, but only thousands in
    /// steps of this fraction. Up to 1,024 the steps are one, as with ε = 0.
    const LEAST: f64 = 1.0 / 1024.0;

    pub(crate) fn new(epsilon: f64) -> OnePlusEpsilon {
        OnePlusEpsilon { factor: ((1.0 + epsilon.max(Self::LEAST)) * 65536.0) as u64 }
    }

    pub(super) fn factor(self) -> f64 {
        self.factor as f64 / 65536.0
    }

    /// Returns max(⌈p(1 + ε)⌉, p + 1) for p = `number`, or infinity if that exceeds [`MAX_FINITE`].
    #[inline]
    pub(crate) fn raised(self, number: u32) -> u32 {
        let share = (u64::from(number) * self.factor).div_ceil(65536);
        let raised = share.max(u64::from(number) + 1);
        if raised > MAX_FINITE.into() { INFINITE } else { raised as u32 }
    }
}

impl Guide for Dfpn {
    fn root(&self) -> NumberLimits {
        NumberLimits::NONE
    }

    fn again(&self, limits: NumberLimits, _: Numbers) -> Option<NumberLimits> {
        Some(limits)
    }

    #[inline]
    fn burdened(&self, limits: NumberLimits, win: u32, threads: u32) -> u32 {
        if win < limits.win { (win + threads).min(MAX_FINITE) } else { INFINITE }
    }

    #[inline]
    fn enter(&self, limits: NumberLimits, numbers: Numbers, child: ChildNumbers) -> NumberLimits {
        let elsewhere = self.0.raised(numbers.second).max(child.win + 1);
        NumberLimits {
            win: limits.win.min(elsewhere),
            lose: match limits.lose {
                INFINITE => INFINITE,
                limit => (u64::from(limit) - numbers.others) as u32,
            },
        }
    }
}
