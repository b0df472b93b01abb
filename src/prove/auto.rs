//! Two provers at one question: alpha-beta and df-pn, whichever is there first.
//!
//! Df-pn finds forcing lines wherever they are. Alpha-beta is sooner where a game is soon over,
//! and where a good order of moves is easily told: in endgames of Othello, by the replies that
//! each move leaves; in Connect Four, by the threats that they make ([`Insight::priority`]). Which
//! of the two a position is cannot be known. Most questions are easy, and df-pn has a short turn
//! before anything else. Then one is the favourite, by what a few random playouts show
//! ([`Prospects`]), and every thread takes turns: most of its time is the favourite's, the
//! rest the other's. What is settled goes into one table, which serves both.

use super::Prover;
use super::alpha_beta::{AlphaBeta, AlphaBetaWalker};
use super::depth_first::{DepthFirst, Dfpn, Walker};
use super::prospects::Prospects;
use super::question::Verdict;
use super::report::RootNumbers;
use super::run::{Meter, Run};
use super::setting::Setting;
use super::table::Table;
use crate::bounds::Interval;
use crate::error::{Inconsistency, SearchError};
use crate::game::Game;
use crate::settings::Algorithm;

/// Both provers.
pub(crate) struct Auto<'s, G: Game> {
    walk: AlphaBeta<'s, G>,
    numbers: DepthFirst<'s, G>,
    setting: Setting<'s, G>,
}

/// Nodes of a turn. The first turns are short and of equal length, since most questions are easy
/// for one of the two.
const FIRST_TURN: u64 = 1 << 10;
/// The favourite's turns grow to this,
const LONG_TURN: u64 = 1 << 16;
/// and the other's stay shorter by this factor.
const SHARE: u64 = 8;

impl<'s, G: Game> Auto<'s, G> {
    pub(crate) fn new(setting: Setting<'s, G>, table: &'s Table) -> Self {
        Auto {
            walk: AlphaBeta::new(setting, table),
            numbers: DepthFirst::new::<Dfpn>(setting, table),
            setting,
        }
    }

    /// The prover that has the answer.
    fn winner(&self) -> &dyn Prover<G> {
        match self.walk.verdict() {
            Some(_) => &self.walk,
            None => &self.numbers,
        }
    }
}

/// One thread's two walks.
struct Turns<'w, 's, G: Game> {
    walk: AlphaBetaWalker<'w, 's, G>,
    numbers: Walker<'w, 's, G>,
}

impl<G: Game> Auto<'_, G> {
    /// A turn of one prover; answers whether the question is settled.
    fn turn(
        &self,
        turns: &mut Turns<'_, '_, G>,
        of: Algorithm,
        nodes: u64,
        meter: &mut Meter<'_, '_>,
        run: &Run<'_>,
    ) -> Result<bool, SearchError> {
        if of == Algorithm::Ab {
            let found = turns.walk.go_on(meter, nodes)?;
            return Ok(found.map(|found| self.walk.take(found, run)).is_some());
        }
        let found = turns.numbers.go_on(meter, nodes)?;
        Ok(found.map(|found| self.numbers.take(found, run)).is_some())
    }
}

impl<G: Game> Prover<G> for Auto<'_, G> {
    fn work(&self, thread: usize, run: &Run<'_>) -> Result<(), SearchError> {
        let (mut numbers, mut meter) = (self.numbers.walker(thread), run.meter());
        let found =
            numbers.go_on(&mut meter, FIRST_TURN)?.map(|found| self.numbers.take(found, run));
        if found.is_some() || meter.stopped() {
            return Ok(());
        }
        // Every thread finds the same.
        let prospects = Prospects::of(&self.setting, run)?;
        let mut turns = Turns { walk: self.walk.walker(thread, &prospects), numbers };
        let mut order = [(Algorithm::Dfpn, FIRST_TURN), (Algorithm::Ab, FIRST_TURN)];
        if prospects.favourite() == Algorithm::Ab {
            order.reverse();
        }
        loop {
            for (of, nodes) in order {
                if self.turn(&mut turns, of, nodes, &mut meter, run)? || meter.stopped() {
                    return Ok(());
                }
            }
            let long = (order[0].1 * 2).min(LONG_TURN);
            (order[0].1, order[1].1) = (long, (long / SHARE).max(FIRST_TURN / SHARE));
        }
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
        Some(match self.walk.verdict() {
            Some(_) => Algorithm::Ab,
            None => Algorithm::Dfpn,
        })
    }

    fn audit(&self) -> Result<(), Inconsistency> {
        self.walk.audit()?;
        self.numbers.audit()
    }

    fn bytes(&self) -> u64 {
        self.walk.bytes()
    }

    fn fills_table(&self) -> bool {
        true
    }

    fn settled_positions(&self, tell: &mut dyn FnMut(u64, Verdict)) {
        self.numbers.settled_positions(tell);
    }
}
