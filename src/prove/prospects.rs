//! Statistics of random playouts, from which provers choose their strategy.

use super::run::Run;
use super::setting::Setting;
use crate::error::SearchError;
use crate::game::{DomainKnowledge, Game, Turn};
use crate::math::Rng;
use crate::settings::Algorithm;
use std::collections::HashSet;

/// Statistics of random playouts from a position. They show whether and how soon games end, and
/// whether the game's score or the number of replies can order the moves.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Prospects {
    /// The number of playouts, fewer than [`PLAYOUTS`] if one did not end.
    playouts: u32,
    endless: u32,
    repeating: u32,
    /// The number of moves in all playouts.
    moves: u32,
    longest: u32,
    /// The number of positions whose moves were examined.
    positions: u64,
    /// The number of examined positions whose moves have different scores.
    prioritised: u64,
    /// The sum over the examined positions of (most − fewest) / most, the relative difference
    /// between the numbers of replies, in units of 1/1024.
    contrast: u64,
}

const PLAYOUTS: u32 = 8;
/// The number of moves after which a playout is abandoned.
pub(crate) const LONGEST: u32 = 100;
/// One position in this many is examined.
const ONE_IN: u32 = 4;

impl Prospects {
    /// Plays the playouts and, if all of them end, examines the moves of some positions. The
    /// statistics are partial if the run ends first.
    pub(crate) fn of<G: Game>(
        setting: &Setting<'_, G>,
        run: &Run<'_>,
    ) -> Result<Prospects, SearchError> {
        let mut rng = Rng::new(setting.config.seed);
        let mut prospects = Prospects::default();
        let (mut moves, mut counted, mut seen) = (Vec::new(), Vec::new(), HashSet::new());
        let mut sample = Vec::new();
        for playout in 0..PLAYOUTS {
            let mut state = setting.root.clone();
            let (mut length, mut repeats) = (0, false);
            seen.clear();
            while length < LONGEST && !run.is_late() && !setting.look(&state)?.is_over() {
                repeats |= setting.game.key(&state).is_some_and(|hash| !seen.insert(hash));
                if (playout + length).is_multiple_of(ONE_IN) {
                    sample.push(state.clone());
                }
                moves.clear();
                let drawn = match setting.game.turn(&state) {
                    Turn::Player(_) => setting.game.random_move(&state, &mut moves, &mut rng),
                    _ => None,
                };
                let mv = match drawn {
                    Some(mv) => mv,
                    None => {
                        setting.list(&state, &mut moves)?;
                        moves[rng.below(moves.len() as u32) as usize]
                    }
                };
                setting.game.play(&mut state, mv);
                length += 1;
            }
            prospects.playouts += 1;
            prospects.endless += u32::from(length == LONGEST);
            prospects.repeating += u32::from(repeats);
            prospects.moves += length;
            prospects.longest = prospects.longest.max(length);
            if !prospects.ends() {
                return Ok(prospects);
            }
        }
        for state in sample.iter().take_while(|_| !run.is_late()) {
            setting.list(state, &mut moves)?;
            prospects.measure(setting, state, &moves, &mut counted)?;
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
        let mut priorities = moves.iter().map(|&mv| setting.game.knowledge().move_order(state, mv));
        let first = priorities.next();
        self.prioritised += u64::from(priorities.any(|priority| Some(priority) != first));
        for &mv in moves {
            let next = setting.game.after(state, mv);
            if !setting.look(&next)?.is_over() {
                let replies = setting.replies(&next, counted)?;
                (fewest, most, open) = (fewest.min(replies), most.max(replies), open + 1);
            }
        }
        if open > 1 {
            self.positions += 1;
            self.contrast += u64::from(most - fewest) * 1024 / u64::from(most.max(1));
        }
        Ok(())
    }

    pub(crate) fn moves(&self) -> f64 {
        f64::from(self.moves) / f64::from(self.playouts.max(1))
    }

    pub(crate) fn ends(&self) -> bool {
        self.endless == 0
    }

    /// Returns whether all playouts have similar lengths, as in games that fill a board. Otherwise
    /// a side may win early, and forcing lines matter.
    fn is_even(&self) -> bool {
        self.longest * PLAYOUTS * 2 <= self.moves * 3
    }

    /// Returns the prover that is probably faster. Alpha-beta is chosen if all playouts end and one
    /// of these holds: the game's score orders moves; playouts have similar lengths and the numbers
    /// of replies differ; or playouts have similar lengths and end soon, so that forcing lines save
    /// little.
    pub(crate) fn favourite(&self) -> Algorithm {
        let is_wide = self.contrast > self.positions * WIDE;
        let is_short = self.repeating == 0 && self.moves <= PLAYOUTS * SHORT;
        let is_ordered = self.prioritised > 0 || self.is_even() && (is_wide || is_short);
        match self.ends() && is_ordered {
            true => Algorithm::Ab,
            false => Algorithm::Dfpn,
        }
    }
}

/// The relative difference between the numbers of replies above which alpha-beta is faster, in
/// units of 1/1024.
const WIDE: u64 = 1024 / 4;
/// A game is short if its playouts have at most this many moves on average.
const SHORT: u32 = 40;

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn alpha_beta_goes_first_where_games_end_and_moves_differ() {
        let long =
            Prospects { moves: PLAYOUTS * (SHORT + 1), longest: SHORT + 2, ..Prospects::default() };
        assert_eq!(long.favourite(), Algorithm::Dfpn);
        let replies = Prospects { positions: 10, contrast: 10 * 512, ..long };
        assert_eq!(replies.favourite(), Algorithm::Ab);
        assert_eq!(Prospects { contrast: 10 * 128, ..replies }.favourite(), Algorithm::Dfpn);
        assert_eq!(Prospects { longest: 2 * SHORT, ..replies }.favourite(), Algorithm::Dfpn);
        let prioritised = Prospects { prioritised: 1, longest: 2 * SHORT, ..long };
        assert_eq!(prioritised.favourite(), Algorithm::Ab);
        assert_eq!(Prospects { endless: 1, ..prioritised }.favourite(), Algorithm::Dfpn);
    }

    #[test]
    fn alpha_beta_goes_first_where_games_are_soon_over() {
        let short =
            Prospects { moves: PLAYOUTS * SHORT, longest: SHORT + 1, ..Prospects::default() };
        assert_eq!(short.favourite(), Algorithm::Ab);
        assert_eq!(Prospects { repeating: 1, ..short }.favourite(), Algorithm::Dfpn);
        assert_eq!(Prospects { endless: 1, ..short }.favourite(), Algorithm::Dfpn);
        assert_eq!(Prospects { longest: 2 * SHORT, ..short }.favourite(), Algorithm::Dfpn);
    }
}
