//! PDS: proof-number and disproof-number search (Nagai 1998).
//!
//! A visit lasts until *both* numbers have reached their limits. Each visit to a child raises the
//! smaller of its numbers (the child is *proof-like* or *disproof-like*), as long as this can still
//! bring the parent to its limit. The rule is from Winands, Uiterwijk and van den Herik (PDS-PN,
//! 2002). A limit is raised by the fraction ε, but at least by one.

use super::dfpn::OnePlusEpsilon;
use super::{ChildNumbers, Guide, NumberLimits, Numbers, saturated};
use crate::prove::memo::MAX_FINITE;

/// The guide of PDS, which searches a child until both of its numbers have risen.
pub(crate) struct Pds(pub(crate) OnePlusEpsilon);

impl Guide for Pds {
    fn root(&self) -> NumberLimits {
        NumberLimits { win: 1, lose: 1 }
    }

    fn again(&self, _: NumberLimits, Numbers { win, lose, .. }: Numbers) -> Option<NumberLimits> {
        let lose = saturated(lose);
        Some(match win <= lose {
            true => NumberLimits { win: self.0.raised(win), lose },
            false => NumberLimits { win, lose: self.0.raised(lose) },
        })
    }

    #[inline]
    fn leaves(&self, limits: NumberLimits, numbers: Numbers) -> bool {
        numbers.win >= limits.win && saturated(numbers.lose) >= limits.lose
    }

    #[inline]
    fn burdened(&self, _: NumberLimits, win: u32, threads: u32) -> u32 {
        (win + threads).min(MAX_FINITE)
    }

    #[inline]
    fn enter(&self, limits: NumberLimits, numbers: Numbers, child: ChildNumbers) -> NumberLimits {
        let sum_may_rise = saturated(numbers.lose) < limits.lose;
        let least_is_reached = limits.win <= numbers.win;
        match sum_may_rise && (child.lose <= child.win || least_is_reached) {
            true => NumberLimits { win: child.win, lose: self.0.raised(child.lose) },
            false => NumberLimits { win: self.0.raised(child.win), lose: child.lose },
        }
    }
}
