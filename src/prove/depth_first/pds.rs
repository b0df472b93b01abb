//! PDS: proof-number and disproof-number search (Nagai 1998).
//!
//! A visit lasts until *both* numbers have reached their limits, and each visit
//! to a child raises one of the two: the one that seems to be the nearer to its
//! end (the child is *proof-like* or *disproof-like*), as long as raising it can
//! still bring the parent to its limit. The rule is the one that Winands,
//! Uiterwijk and van den Herik print (PDS-PN, 2002). With ε a limit is raised by
//! that share, and by one at least.

use super::dfpn::OnePlusEpsilon;
use super::{ChildNumbers, Guide, Limits, Numbers, saturated};

/// Stays with a child until both of its numbers have risen.
pub(crate) struct Pds(pub(crate) OnePlusEpsilon);

impl Guide for Pds {
    fn root(&self) -> Limits {
        Limits { win: 1, lose: 1 }
    }

    fn again(&self, _: Limits, Numbers { win, lose, .. }: Numbers) -> Limits {
        let lose = saturated(lose);
        match win <= lose {
            true => Limits { win: self.0.raised(win), lose },
            false => Limits { win, lose: self.0.raised(lose) },
        }
    }

    #[inline]
    fn leaves(&self, limits: Limits, numbers: Numbers) -> bool {
        numbers.win >= limits.win && saturated(numbers.lose) >= limits.lose
    }

    #[inline]
    fn may_enter(&self, _: Limits, _: u32) -> bool {
        true
    }

    #[inline]
    fn enter(&self, limits: Limits, numbers: Numbers, child: ChildNumbers) -> Limits {
        let sum_may_rise = saturated(numbers.lose) < limits.lose;
        let least_is_reached = limits.win <= numbers.win;
        match sum_may_rise && (child.lose <= child.win || least_is_reached) {
            true => Limits { win: child.win, lose: self.0.raised(child.lose) },
            false => Limits { win: self.0.raised(child.win), lose: child.lose },
        }
    }
}
