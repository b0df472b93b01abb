//! Df-pn: depth-first proof-number search (Nagai 2002).
//!
//! A child is left when its numbers say that the most-proving position may lie
//! elsewhere. Plain df-pn leaves it as soon as its number exceeds its best
//! sibling's by one; the 1 + ε trick (Pawlewicz and Lew 2007) stays until it
//! exceeds it by a share, and so comes back to each child a logarithmic number
//! of times, where it would be a linear one.

use crate::SearchError;
use crate::game::Game;
use crate::interval::Interval;
use crate::prove::depth_first::{ChildNumbers, Found, Guide, Limits, Numbers, Shared, Walker};
use crate::prove::memo::{INFINITE, MAX_FINITE, Memo};
use crate::prove::table::Table;
use crate::prove::{Prover, Run, Setting, Verdict};
use parking_lot::Mutex;

/// ε where none is given.
const EPSILON: f64 = 0.25;

/// A df-pn search.
pub(crate) struct Dfpn<'s, G: Game> {
    shared: Shared<'s, G>,
    epsilon: f64,
    /// Locked once, by the thread that finds it.
    found: Mutex<Option<Found<G::Move>>>,
}

impl<'s, G: Game> Dfpn<'s, G> {
    pub(crate) fn new(setting: Setting<'s, G>, table: &'s Table) -> Dfpn<'s, G> {
        let memo = Memo::new(table, &setting);
        let epsilon = setting.config.epsilon.unwrap_or(EPSILON);
        Dfpn { shared: Shared::new(setting, memo), epsilon, found: Mutex::new(None) }
    }
}

impl<G: Game> Prover<G> for Dfpn<'_, G> {
    fn work(&self, thread: usize, run: &Run<'_>) -> Result<(), SearchError> {
        // Threads that stay for different times go different ways.
        let guide = OnePlusEpsilon::new(self.epsilon * (1.0 + thread as f64 / 8.0));
        if let Some(found) = Walker::new(&self.shared, guide).run(run)? {
            self.found.lock().get_or_insert(found);
            run.settle();
        }
        Ok(())
    }

    fn verdict(&self) -> Option<Verdict> {
        self.found.lock().map(|found| found.answer.verdict)
    }

    fn bounds(&self) -> Option<Interval> {
        let found = (*self.found.lock())?;
        self.shared.bounds(found.answer)
    }

    fn best_move(&self) -> Option<G::Move> {
        self.found.lock().and_then(|found| found.best)
    }

    fn line(&self) -> Vec<G::Move> {
        self.best_move().map_or_else(Vec::new, |best| self.shared.line(best))
    }

    fn bytes(&self) -> u64 {
        self.shared.memo.bytes()
    }

    fn settled_positions(&self, tell: &mut dyn FnMut(u64, Verdict)) {
        self.shared.memo.all_settled(tell);
    }
}

/// Stays with a child until its number exceeds its best sibling's by the
/// share ε, or by one.
struct OnePlusEpsilon {
    /// 1 + ε in units of 2^-16.
    factor: u64,
}

impl OnePlusEpsilon {
    fn new(epsilon: f64) -> OnePlusEpsilon {
        OnePlusEpsilon { factor: ((1.0 + epsilon) * 65536.0) as u64 }
    }

    /// max(⌈p(1 + ε)⌉, p + 1), infinite when that is no finite number.
    #[inline]
    fn raised(&self, number: u32) -> u32 {
        let share = (u64::from(number) * self.factor).div_ceil(65536);
        let raised = share.max(u64::from(number) + 1);
        if raised > MAX_FINITE.into() { INFINITE } else { raised as u32 }
    }
}

impl Guide for OnePlusEpsilon {
    fn root(&self) -> Limits {
        Limits::NONE
    }

    fn again(&self, limits: Limits, _: Numbers) -> Limits {
        limits
    }

    #[inline]
    fn leaves(&self, limits: Limits, numbers: Numbers) -> bool {
        numbers.win >= limits.win || numbers.lose >= limits.lose.into() && limits.lose < INFINITE
    }

    #[inline]
    fn enter(&self, limits: Limits, numbers: Numbers, child: ChildNumbers) -> Limits {
        let elsewhere = self.raised(numbers.second).max(child.win + 1);
        let others = numbers.lose - u64::from(child.lose);
        Limits {
            win: limits.win.min(elsewhere),
            lose: match limits.lose {
                INFINITE => INFINITE,
                limit => (u64::from(limit) - others) as u32,
            },
        }
    }
}
