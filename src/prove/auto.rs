//! The prover "auto": alpha-beta and df-pn take turns at a question until one of them answers it.
//!
//! Df-pn finds forcing lines even if they are deep. Alpha-beta is faster if games end soon and a
//! good move order is easy to compute: in Othello endgames from the number of replies to each move,
//! in Connect Four from threats ([`DomainKnowledge::move_order`]). It is not known in advance which
//! prover is faster at a position. Most questions are easy, so df-pn has a short turn first. Then a
//! few random playouts determine the favourite ([`Prospects`]), and every thread alternates between
//! the provers, mostly running the favourite. Both share one table of solved positions.

use super::Prover;
use super::alpha_beta::{AlphaBeta, AlphaBetaWalker};
use super::depth_first::{DepthFirst, Dfpn, Walker};
use super::prospects::Prospects;
use super::question::Verdict;
use super::report::RootNumbers;
use super::run::{Meter, Run};
use super::setting::Setting;
use super::shared::Found;
use super::table::Table;
use crate::bounds::Interval;
use crate::error::{Inconsistency, SearchError};
use crate::game::Game;
use crate::settings::Algorithm;
use std::sync::OnceLock;

pub(crate) struct Auto<'s, G: Game> {
    numbers: DepthFirst<'s, G>,
    walk: OnceLock<AlphaBeta<'s, G>>,
    setting: Setting<'s, G>,
    table: &'s Table,
    prospects: &'s OnceLock<Prospects>,
}

/// The number of nodes in df-pn's first turn, which is short since most questions are easy. It is
/// also the least number of nodes in a turn of the prover that is not the favourite.
const SHORT_TURN: u64 = 1 << 7;
/// The number of nodes in df-pn's second turn, which it gets if one side has threats.
const FORCING_TURN: u64 = 1 << 9;
const FIRST_TURN: u64 = 1 << 8;
/// The favourite's turns double in length up to this number of nodes.
const LONG_TURN: u64 = 1 << 16;
/// The favourite's turns are at most this many times as long as the other prover's.
const SHARE: u64 = 8;

impl<'s, G: Game> Auto<'s, G> {
    /// Creates the provers for one question; all questions about a position share `prospects`.
    pub(crate) fn new(
        setting: Setting<'s, G>,
        table: &'s Table,
        prospects: &'s OnceLock<Prospects>,
    ) -> Self {
        let numbers = DepthFirst::new::<Dfpn>(setting, table);
        Auto { numbers, walk: OnceLock::new(), setting, table, prospects }
    }

    fn alpha_beta(&self) -> &AlphaBeta<'s, G> {
        self.walk.get_or_init(|| AlphaBeta::new(self.setting, self.table))
    }

    /// Returns whether one side has threats that the other must answer. This is assumed if a single
    /// position may decide the question one way, while deciding it the other way takes many more
    /// positions than there are moves.
    fn is_forcing(&self) -> bool {
        Prover::numbers(&self.numbers).is_some_and(|RootNumbers { proof, disproof, moves }| {
            proof.min(disproof) <= 1 && proof.max(disproof) as usize > 2 * moves.len()
        })
    }

    fn first_turn(
        &self,
        numbers: &mut Walker<'_, 's, G>,
        meter: &mut Meter<'_, '_>,
    ) -> Result<Option<Found<G::Move>>, SearchError> {
        let found = numbers.go_on(meter, SHORT_TURN)?;
        match found.is_none() && !meter.stopped() && self.is_forcing() {
            true => numbers.go_on(meter, FORCING_TURN),
            false => Ok(found),
        }
    }

    /// Returns the statistics of playouts from the root. All threads compute the same statistics.
    /// If the run ends first, they are incomplete and not stored.
    pub(crate) fn prospects(&self, run: &Run<'_>) -> Result<Prospects, SearchError> {
        if let Some(known) = self.prospects.get() {
            return Ok(*known);
        }
        let found = Prospects::of(&self.setting, run)?;
        Ok(if run.stopped() { found } else { *self.prospects.get_or_init(|| found) })
    }

    fn winner(&self) -> &dyn Prover<G> {
        match self.walk.get() {
            Some(walk) if walk.verdict().is_some() => walk,
            _ => &self.numbers,
        }
    }
}

pub(crate) struct Turns<'w, 's, G: Game> {
    auto: &'w Auto<'s, G>,
    walk: AlphaBetaWalker<'w, 's, G>,
    numbers: Walker<'w, 's, G>,
    order: [(Algorithm, u64); 2],
    next: usize,
    left: u64,
}

impl<'w, 's, G: Game> Turns<'w, 's, G> {
    /// Creates a thread's turns. `numbers` is its df-pn walker, which may already have started.
    fn new(
        auto: &'w Auto<'s, G>,
        thread: usize,
        prospects: &Prospects,
        numbers: Walker<'w, 's, G>,
    ) -> Self {
        let (first, second) = match prospects.favourite() {
            Algorithm::Ab => (Algorithm::Ab, Algorithm::Dfpn),
            _ => (Algorithm::Dfpn, Algorithm::Ab),
        };
        let order = [(first, FIRST_TURN), (second, SHORT_TURN)];
        let walk = auto.alpha_beta().walker(thread, prospects);
        Turns { auto, walk, numbers, order, next: 0, left: FIRST_TURN }
    }

    /// Searches until the question is answered, the run ends or `nodes` nodes have been created;
    /// returns whether the question is answered.
    pub(crate) fn go_on(
        &mut self,
        meter: &mut Meter<'_, '_>,
        run: &Run<'_>,
        nodes: u64,
    ) -> Result<bool, SearchError> {
        let enough = meter.nodes().saturating_add(nodes);
        while meter.nodes() < enough && !meter.stopped() {
            let nodes = self.left.min(enough - meter.nodes());
            if self.turn(nodes, meter, run)? {
                return Ok(true);
            }
            self.left -= nodes;
            if self.left == 0 {
                self.pass();
            }
        }
        Ok(false)
    }

    fn pass(&mut self) {
        let order = &mut self.order;
        self.next = 1 - self.next;
        if self.next == 0 {
            let long = (order[0].1 * 2).min(LONG_TURN);
            (order[0].1, order[1].1) = (long, (long / SHARE).max(SHORT_TURN));
        }
        self.left = order[self.next].1;
    }

    /// Runs a turn or a part of it; returns whether the question is answered.
    fn turn(
        &mut self,
        nodes: u64,
        meter: &mut Meter<'_, '_>,
        run: &Run<'_>,
    ) -> Result<bool, SearchError> {
        let auto = self.auto;
        if self.order[self.next].0 == Algorithm::Ab {
            let found = self.walk.go_on(meter, nodes)?;
            return Ok(found.map(|found| auto.alpha_beta().take(found, run)).is_some());
        }
        let found = self.numbers.go_on(meter, nodes)?;
        Ok(found.map(|found| auto.numbers.take(found, run)).is_some())
    }
}

impl<'s, G: Game> Auto<'s, G> {
    pub(crate) fn turns(&self, thread: usize, prospects: &Prospects) -> Turns<'_, 's, G> {
        Turns::new(self, thread, prospects, self.numbers.walker(thread))
    }
}

impl<G: Game> Prover<G> for Auto<'_, G> {
    fn work(&self, thread: usize, run: &Run<'_>) -> Result<(), SearchError> {
        let (mut numbers, mut meter) = (self.numbers.walker(thread), run.meter());
        let prospects = match self.prospects.get() {
            Some(known) => *known,
            None => {
                if let Some(found) = self.first_turn(&mut numbers, &mut meter)? {
                    self.numbers.take(found, run);
                }
                if meter.stopped() {
                    return Ok(());
                }
                self.prospects(run)?
            }
        };
        let mut turns = Turns::new(self, thread, &prospects, numbers);
        while !turns.go_on(&mut meter, run, u64::MAX)? && !meter.stopped() {}
        Ok(())
    }

    fn verdict(&self) -> Option<Verdict> {
        self.winner().verdict()
    }

    fn bounds(&self) -> Option<Interval> {
        self.winner().bounds()
    }

    fn best_move(&self) -> Option<G::Move> {
        self.winner().best_move()
    }

    fn guess(&self) -> Option<G::Move> {
        self.numbers.guess()
    }

    fn numbers(&self) -> Option<RootNumbers<G>> {
        Prover::numbers(&self.numbers)
    }

    fn line(&self) -> Vec<G::Move> {
        self.winner().line()
    }

    fn answered_by(&self) -> Option<Algorithm> {
        let by_walk = self.walk.get().is_some_and(|walk| walk.verdict().is_some());
        Some(if by_walk { Algorithm::Ab } else { Algorithm::Dfpn })
    }

    fn audit(&self) -> Result<(), Inconsistency> {
        self.walk.get().map_or(Ok(()), Prover::audit)?;
        self.numbers.audit()
    }

    fn bytes(&self) -> u64 {
        self.numbers.bytes()
    }

    fn solved_positions(&self, tell: &mut dyn FnMut(u64, Verdict)) {
        self.numbers.solved_positions(tell);
    }
}
