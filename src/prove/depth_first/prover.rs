//! The depth-first provers: threads that walk with one guide.

use super::dfpn::{Dfpn, OnePlusEpsilon};
use super::pds::Pds;
use super::{Guide, Walker};
use crate::bounds::Interval;
use crate::error::SearchError;
use crate::game::Game;
use crate::prove::Prover;
use crate::prove::memo::Memo;
use crate::prove::question::Verdict;
use crate::prove::report::RootNumbers;
use crate::prove::run::Run;
use crate::prove::setting::Setting;
use crate::prove::shared::{Found, SharedTable};
use crate::prove::table::Table;
use parking_lot::Mutex;

/// A guide's ε where none is given, and the guide for an ε.
pub(crate) trait Guided: Guide + Sized + 'static {
    /// ε where none is given.
    const EPSILON: f64;

    /// The guide for one thread.
    fn with(epsilon: OnePlusEpsilon) -> Self;
}

/// Both as Pawlewicz and Lew found them best.
impl Guided for Dfpn {
    const EPSILON: f64 = 1.0 / 4.0;

    fn with(epsilon: OnePlusEpsilon) -> Dfpn {
        Dfpn(epsilon)
    }
}

impl Guided for Pds {
    const EPSILON: f64 = 1.0 / 16.0;

    fn with(epsilon: OnePlusEpsilon) -> Pds {
        Pds(epsilon)
    }
}

/// A search for the answer to one question.
pub(crate) struct DepthFirst<'s, G: Game> {
    shared: SharedTable<'s, G>,
    epsilon: f64,
    /// Locked once, by the thread that finds it.
    found: Mutex<Option<Found<G::Move>>>,
    /// Makes the guide of a thread. Guides stand behind pointers, so that the walk is
    /// compiled once for all.
    guide: fn(OnePlusEpsilon) -> Box<dyn Guide>,
}

impl<'s, G: Game> DepthFirst<'s, G> {
    /// A prover whose guide is a `D`.
    pub(crate) fn new<D: Guided>(setting: Setting<'s, G>, table: &'s Table) -> Self {
        let memo = Memo::new(table, &setting);
        DepthFirst {
            shared: SharedTable::new(setting, memo),
            epsilon: setting.config.epsilon.unwrap_or(D::EPSILON),
            found: Mutex::new(None),
            guide: |epsilon| Box::new(D::with(epsilon)),
        }
    }
}

impl<'s, G: Game> DepthFirst<'s, G> {
    /// One thread's walk.
    pub(crate) fn walker(&self, thread: usize) -> Walker<'_, 's, G> {
        // Threads that stay for different times go different ways.
        let epsilon = self.epsilon * (1.0 + thread as f64 / 8.0);
        Walker::new(&self.shared, (self.guide)(OnePlusEpsilon::new(epsilon)))
    }

    /// Takes the answer that a walk has found.
    pub(crate) fn take(&self, found: Found<G::Move>, run: &Run<'_>) {
        self.found.lock().get_or_insert(found);
        run.settle();
    }
}

impl<G: Game> Prover<G> for DepthFirst<'_, G> {
    fn work(&self, thread: usize, run: &Run<'_>) -> Result<(), SearchError> {
        if let Some(found) = self.walker(thread).go_on(&mut run.meter(), u64::MAX)? {
            self.take(found, run);
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

    fn guess(&self) -> Option<G::Move> {
        self.shared.likeliest()
    }

    fn numbers(&self) -> Option<RootNumbers<G>> {
        self.shared.numbers()
    }

    fn line(&self) -> Vec<G::Move> {
        self.best_move().map_or_else(Vec::new, |best| self.shared.line(best))
    }

    fn bytes(&self) -> u64 {
        self.shared.memo.bytes()
    }

    fn fills_table(&self) -> bool {
        true
    }

    fn settled_positions(&self, tell: &mut dyn FnMut(u64, Verdict)) {
        self.shared.memo.all_settled(tell);
    }
}
