//! The depth-first provers, whose threads share one table and use guides of one type.

#[cfg(feature = "ppns")]
use super::df_ppns::DfPpns;
use super::dfpn::{Dfpn, OnePlusEpsilon};
use super::pds::Pds;
use super::walker::NewNumbers;
use super::{Guide, Walker};
use crate::bounds::Interval;
use crate::error::SearchError;
use crate::game::Game;
use crate::prove::Prover;
use crate::prove::memo::Memo;
use crate::prove::question::Verdict;
use crate::prove::report::RootNumbers;
use crate::prove::run::Run;
use crate::prove::sampling::Sampling;
use crate::prove::setting::Setting;
use crate::prove::shared::{Found, SharedTable};
use crate::prove::table::Table;
use crate::settings::ProverConfig;
use parking_lot::Mutex;

pub(crate) trait Guided: Guide + Sized + 'static {
    const EPSILON: f64;

    /// Whether numbers are probabilities, which are estimated by playouts at each new position.
    const SAMPLES: bool = false;

    fn with(epsilon: OnePlusEpsilon, config: &ProverConfig) -> Self;
}

// Pawlewicz and Lew found the defaults of df-pn and PDS to be the best values.
impl Guided for Dfpn {
    const EPSILON: f64 = 1.0 / 4.0;

    fn with(epsilon: OnePlusEpsilon, _: &ProverConfig) -> Dfpn {
        Dfpn(epsilon)
    }
}

impl Guided for Pds {
    const EPSILON: f64 = 1.0 / 16.0;

    fn with(epsilon: OnePlusEpsilon, _: &ProverConfig) -> Pds {
        Pds(epsilon)
    }
}

#[cfg(feature = "ppns")]
impl Guided for DfPpns {
    const EPSILON: f64 = 1.0 / 4.0;
    const SAMPLES: bool = true;

    fn with(epsilon: OnePlusEpsilon, config: &ProverConfig) -> DfPpns {
        DfPpns::new(epsilon, config.precision)
    }
}

pub(crate) struct DepthFirst<'s, G: Game> {
    shared: SharedTable<'s, G>,
    epsilon: f64,
    sampling: Option<Sampling>,
    /// The answer. During a search, threads take this lock only to store an answer.
    found: Mutex<Option<Found<G::Move>>>,
    /// The estimated probability of a proof, from the most certain thread. A thread that ends
    /// without an answer takes this lock once.
    estimate: Mutex<Option<f64>>,
    /// Creates a thread's guide. The guide is boxed, so that all provers share the compiled walker.
    guide: fn(OnePlusEpsilon, &ProverConfig) -> Box<dyn Guide>,
}

impl<'s, G: Game> DepthFirst<'s, G> {
    pub(crate) fn new<D: Guided>(setting: Setting<'s, G>, table: &'s Table) -> Self {
        let memo = Memo::new(table, &setting);
        let memo = if D::SAMPLES { memo.with_probabilities() } else { memo };
        DepthFirst {
            shared: SharedTable::new(setting, memo),
            epsilon: setting.config.epsilon.unwrap_or(D::EPSILON),
            sampling: D::SAMPLES.then(|| Sampling::new(setting.config)),
            found: Mutex::new(None),
            estimate: Mutex::new(None),
            guide: |epsilon, config| Box::new(D::with(epsilon, config)),
        }
    }
}

impl<'s, G: Game> DepthFirst<'s, G> {
    pub(crate) fn walker(&self, thread: usize) -> Walker<'_, 's, G> {
        // Different values of ε make the threads search differently.
        let epsilon = OnePlusEpsilon::new(self.epsilon * (1.0 + thread as f64 / 8.0));
        let config = self.shared.setting.config;
        let start = match &self.sampling {
            Some(sampling) => NewNumbers::WinRates(sampling.sampler(thread)),
            None if config.mobility.unwrap_or(true) => NewNumbers::Moves,
            None => NewNumbers::Ones,
        };
        Walker::new(&self.shared, (self.guide)(epsilon, config), start)
    }

    pub(crate) fn take(&self, found: Found<G::Move>, run: &Run<'_>) {
        self.found.lock().get_or_insert(found);
        run.settle();
    }
}

impl<G: Game> Prover<G> for DepthFirst<'_, G> {
    fn work(&self, thread: usize, run: &Run<'_>) -> Result<(), SearchError> {
        let mut walker = self.walker(thread);
        match walker.go_on(&mut run.meter(), u64::MAX)? {
            Some(found) => self.take(found, run),
            None => {
                let certainty = |estimate: f64| (estimate - 0.5).abs();
                let mut estimate = self.estimate.lock();
                let both = estimate.into_iter().chain(walker.estimate());
                *estimate = both.max_by(|a, b| certainty(*a).total_cmp(&certainty(*b)));
            }
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
        // Probabilities are not proof numbers.
        self.shared.numbers().filter(|_| self.sampling.is_none())
    }

    fn estimate(&self) -> Option<f64> {
        *self.estimate.lock()
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
