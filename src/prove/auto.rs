//! Two provers at one question: alpha-beta and df-pn, whichever is there first.
//!
//! Df-pn finds forcing lines wherever they are. Alpha-beta is sooner where a good order of
//! moves is easily told: in endgames of Othello, by the replies that each move leaves. Which
//! of the two a position is cannot be known. So one is the favourite, by what a few random
//! playouts show ([`Prospects`]), and every thread takes turns: most of its time is the
//! favourite's, the rest the other's. What is settled goes into one table, which serves both.

use super::Prover;
use super::alpha_beta::{AlphaBeta, AlphaBetaWalker};
use super::depth_first::{DepthFirst, Dfpn, Walker};
use super::question::Verdict;
use super::run::{Meter, Run};
use super::setting::Setting;
use super::table::Table;
use crate::bounds::Interval;
use crate::error::{Inconsistency, SearchError};
use crate::game::Game;
use crate::math::Rng;
use crate::settings::Algorithm;

/// Both provers.
pub(crate) struct Auto<'s, G: Game> {
    walk: AlphaBeta<'s, G>,
    numbers: DepthFirst<'s, G>,
    setting: Setting<'s, G>,
}

/// Expansions of a turn. The first turns are short and of equal length, since most
/// questions are easy for one of the two.
const FIRST_TURN: u64 = 256;
/// The favourite's turns grow to this,
const LONG_TURN: u64 = 1 << 14;
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
        expansions: u64,
        meter: &mut Meter<'_, '_>,
        run: &Run<'_>,
    ) -> Result<bool, SearchError> {
        if of == Algorithm::Ab {
            let found = turns.walk.go_on(meter, expansions)?;
            return Ok(found.map(|found| self.walk.take(found, run)).is_some());
        }
        let found = turns.numbers.go_on(meter, expansions)?;
        Ok(found.map(|found| self.numbers.take(found, run)).is_some())
    }
}

impl<G: Game> Prover<G> for Auto<'_, G> {
    fn work(&self, thread: usize, run: &Run<'_>) -> Result<(), SearchError> {
        let mut turns =
            Turns { walk: self.walk.walker(thread), numbers: self.numbers.walker(thread) };
        let mut meter = run.meter();
        let mut order = [(Algorithm::Dfpn, FIRST_TURN), (Algorithm::Ab, FIRST_TURN)];
        let mut is_known = false;
        loop {
            for (of, expansions) in order {
                if self.turn(&mut turns, of, expansions, &mut meter, run)? || meter.stopped() {
                    return Ok(());
                }
            }
            // Every thread finds the same.
            if !is_known && Prospects::of(&self.setting)?.favourite() == Algorithm::Ab {
                order.reverse();
            }
            is_known = true;
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

/// What random playouts show of a position: whether games end, and how much the numbers of
/// replies differ that a player's moves leave to the other side.
#[derive(Clone, Copy, Debug, Default)]
struct Prospects {
    /// Playouts that did not end.
    endless: u32,
    /// Positions whose moves were looked at.
    positions: u64,
    /// The sum of their (most − fewest) / most replies, in units of 1/1024.
    spread: u64,
}

/// Playouts of a position.
const PLAYOUTS: u32 = 8;
/// A playout is given up after so many moves.
const LONGEST: u32 = 150;
/// The moves of one position in so many are looked at.
const ONE_IN: u32 = 4;

impl Prospects {
    fn of<G: Game>(setting: &Setting<'_, G>) -> Result<Prospects, SearchError> {
        let mut rng = Rng::new(setting.config.seed);
        let mut prospects = Prospects::default();
        let (mut moves, mut counted) = (Vec::new(), Vec::new());
        for playout in 0..PLAYOUTS {
            let mut state = setting.root.clone();
            let mut length = 0;
            while length < LONGEST && !setting.look(&state)?.is_over() {
                setting.list(&state, &mut moves)?;
                if (playout + length).is_multiple_of(ONE_IN) {
                    prospects.measure(setting, &state, &moves, &mut counted)?;
                }
                let mv = moves[rng.below(moves.len() as u32) as usize];
                setting.game.play(&mut state, mv);
                length += 1;
            }
            prospects.endless += u32::from(length == LONGEST);
        }
        Ok(prospects)
    }

    fn measure<G: Game>(
        &mut self,
        setting: &Setting<'_, G>,
        state: &G::State,
        moves: &[G::Move],
        counted: &mut Vec<G::Move>,
    ) -> Result<(), SearchError> {
        let (mut fewest, mut most, mut open) = (u32::MAX, 0, 0);
        for &mv in moves {
            let next = setting.game.after(state, mv);
            if !setting.look(&next)?.is_over() {
                let replies = setting.mobility(&next, counted)?;
                (fewest, most, open) = (fewest.min(replies), most.max(replies), open + 1);
            }
        }
        if open > 1 {
            self.positions += 1;
            self.spread += u64::from(most - fewest) * 1024 / u64::from(most.max(1));
        }
        Ok(())
    }

    /// The prover that is probably sooner.
    fn favourite(&self) -> Algorithm {
        match self.endless == 0 && self.spread > self.positions * WIDE {
            true => Algorithm::Ab,
            false => Algorithm::Dfpn,
        }
    }
}

/// How much replies differ where alpha-beta is sooner, in units of 1/1024.
const WIDE: u64 = 1024 / 4;

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn alpha_beta_goes_first_where_games_end_and_replies_differ() {
        let prospects = Prospects { endless: 0, positions: 10, spread: 10 * 512 };
        assert_eq!(prospects.favourite(), Algorithm::Ab);
        assert_eq!(Prospects { endless: 1, ..prospects }.favourite(), Algorithm::Dfpn);
        assert_eq!(Prospects { spread: 10 * 128, ..prospects }.favourite(), Algorithm::Dfpn);
        assert_eq!(Prospects::default().favourite(), Algorithm::Dfpn);
    }
}
