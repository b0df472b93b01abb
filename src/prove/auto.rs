//! Two provers at one question: alpha-beta and df-pn, whichever is there first.
//!
//! Where a game goes on for few moves, with the same positions again and again, alpha-beta
//! is sooner: it has no numbers to keep up. Where one line of forcing moves decides and the
//! rest is a jungle, df-pn is. Which of the two a position is cannot be known. So one is
//! the favourite, by what a few random playouts show ([`Prospects`]), and every thread
//! takes turns: most of its time is the favourite's, the rest the other's. What is settled
//! goes into one table, which serves both.

use super::Prover;
use super::alpha_beta::{AlphaBeta, AlphaBetaWalker};
use super::depth_first::{DepthFirst, Dfpn, Walker};
use super::question::Verdict;
use super::run::{Meter, Run};
use super::setting::Setting;
use super::table::Table;
use crate::bounds::Interval;
use crate::error::{Inconsistency, SearchError};
use crate::game::{Game, Turn};
use crate::math::Rng;
use crate::settings::Algorithm;

/// Both provers, and which of them goes first.
pub(crate) struct Auto<'s, G: Game> {
    walk: AlphaBeta<'s, G>,
    numbers: DepthFirst<'s, G>,
    favourite: Algorithm,
}

/// Expansions of a turn. The first turns are short and of equal length, since most
/// questions are easy for one of the two.
const FIRST_TURN: u64 = 256;
/// The favourite's turns grow to this,
const LONG_TURN: u64 = 1 << 14;
/// and the other's stay shorter by this factor.
const SHARE: u64 = 8;

impl<'s, G: Game> Auto<'s, G> {
    pub(crate) fn new(setting: Setting<'s, G>, table: &'s Table) -> Result<Self, SearchError> {
        Ok(Auto {
            walk: AlphaBeta::new(setting, table),
            numbers: DepthFirst::new::<Dfpn>(setting, table),
            favourite: Prospects::of(&setting)?.favourite(),
        })
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
        let other = match self.favourite {
            Algorithm::Ab => Algorithm::Dfpn,
            _ => Algorithm::Ab,
        };
        let (mut long, mut short) = (FIRST_TURN, FIRST_TURN);
        while !meter.stopped() {
            for (of, expansions) in [(self.favourite, long), (other, short)] {
                if self.turn(&mut turns, of, expansions, &mut meter, run)? {
                    return Ok(());
                }
                if meter.stopped() {
                    return Ok(());
                }
            }
            long = (long * 2).min(LONG_TURN);
            short = (long / SHARE).max(FIRST_TURN);
        }
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

/// What random playouts show of a position: how long games last, and how many moves
/// there are on the way.
#[derive(Clone, Copy, Debug, Default)]
struct Prospects {
    /// Playouts that ended.
    ended: u32,
    /// Their moves,
    moves: u64,
    /// and the moves that were possible.
    choices: u64,
}

/// Playouts of a position.
const PLAYOUTS: u32 = 32;
/// A playout is given up after so many moves.
const LONGEST: u32 = 200;

impl Prospects {
    fn of<G: Game>(setting: &Setting<'_, G>) -> Result<Prospects, SearchError> {
        let mut rng = Rng::new(setting.config.seed);
        let mut prospects = Prospects::default();
        let mut moves = Vec::new();
        for _ in 0..PLAYOUTS {
            let mut state = setting.root.clone();
            let mut length = 0;
            while setting.game.turn(&state) != Turn::Over && length < LONGEST {
                setting.list(&state, &mut moves)?;
                prospects.choices += moves.len() as u64;
                let mv = moves[rng.below(moves.len() as u32) as usize];
                setting.game.play(&mut state, mv);
                length += 1;
            }
            prospects.moves += u64::from(length);
            prospects.ended += u32::from(length < LONGEST);
        }
        Ok(prospects)
    }

    /// The prover that is probably sooner.
    fn favourite(&self) -> Algorithm {
        let length = self.moves / u64::from(PLAYOUTS);
        let choices = self.choices / self.moves.max(1);
        match self.ended == PLAYOUTS && length * choices <= MOST_PLAIN {
            true => Algorithm::Ab,
            false => Algorithm::Dfpn,
        }
    }
}

/// The usual length of a game times its usual choices up to which alpha-beta is sooner.
const MOST_PLAIN: u64 = 160;
