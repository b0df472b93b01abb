//! The alpha-beta prover, whose threads share one table.

use super::AlphaBetaWalker;
use crate::bounds::Interval;
use crate::error::SearchError;
use crate::game::Game;
use crate::prove::Prover;
use crate::prove::memo::Memo;
use crate::prove::prospects::Prospects;
use crate::prove::question::Verdict;
use crate::prove::run::Run;
use crate::prove::setting::Setting;
use crate::prove::shared::{Found, SharedTable};
use crate::prove::table::Table;
use parking_lot::Mutex;

pub(crate) struct AlphaBeta<'s, G: Game> {
    shared: SharedTable<'s, G>,
    /// The answer. During a search, threads take this lock only to store an answer.
    found: Mutex<Option<Found<G::Move>>>,
}

impl<'s, G: Game> AlphaBeta<'s, G> {
    pub(crate) fn new(setting: Setting<'s, G>, table: &'s Table) -> Self {
        let memo = Memo::new(table, &setting).with_horizons();
        AlphaBeta { shared: SharedTable::new(setting, memo), found: Mutex::new(None) }
    }

    pub(crate) fn walker(
        &self,
        thread: usize,
        prospects: &Prospects,
    ) -> AlphaBetaWalker<'_, 's, G> {
        AlphaBetaWalker::new(&self.shared, thread, prospects)
    }

    pub(crate) fn take(&self, found: Found<G::Move>, run: &Run<'_>) {
        self.found.lock().get_or_insert(found);
        run.settle();
    }
}

impl<G: Game> Prover<G> for AlphaBeta<'_, G> {
    fn work(&self, thread: usize, run: &Run<'_>) -> Result<(), SearchError> {
        let prospects = Prospects::of(&self.shared.setting, run)?;
        if let Some(found) = self.walker(thread, &prospects).go_on(&mut run.meter(), u64::MAX)? {
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

    fn line(&self) -> Vec<G::Move> {
        self.best_move().map_or_else(Vec::new, |best| self.shared.line(best))
    }

    fn bytes(&self) -> u64 {
        self.shared.memo.bytes()
    }

    fn solved_positions(&self, tell: &mut dyn FnMut(u64, Verdict)) {
        self.shared.memo.all_solved(tell);
    }
}
