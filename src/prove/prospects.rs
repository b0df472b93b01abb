//! What random playouts show of a position, by which provers choose their way.

use super::run::Run;
use super::setting::Setting;
use crate::error::SearchError;
use crate::game::{Game, Insight};
use crate::math::Rng;
use crate::settings::Algorithm;

/// What random playouts show of a position: whether games end, and whether something tells a
/// position's moves apart: the game itself, or the replies that they leave to the other side.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Prospects {
    /// Playouts that did not end.
    endless: u32,
    /// Positions whose moves were looked at.
    positions: u64,
    /// Positions whose moves differ in their priority.
    prioritised: u64,
    /// The sum of their (most − fewest) / most replies, in units of 1/1024.
    contrast: u64,
}

/// Playouts of a position.
const PLAYOUTS: u32 = 8;
/// A playout is given up after so many moves.
pub(crate) const LONGEST: u32 = 150;
/// The moves of one position in so many are looked at.
const ONE_IN: u32 = 4;

impl Prospects {
    /// Plays them out. What was seen until then where the run is to end before that.
    pub(crate) fn of<G: Game>(
        setting: &Setting<'_, G>,
        run: &Run<'_>,
    ) -> Result<Prospects, SearchError> {
        let mut rng = Rng::new(setting.config.seed);
        let mut prospects = Prospects::default();
        let (mut moves, mut counted) = (Vec::new(), Vec::new());
        for playout in 0..PLAYOUTS {
            let mut state = setting.root.clone();
            let mut length = 0;
            while length < LONGEST && !run.is_late() && !setting.look(&state)?.is_over() {
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
        let mut priorities = moves.iter().map(|&mv| setting.game.insight().priority(state, mv));
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

    /// Whether all playouts have ended.
    pub(crate) fn ends(&self) -> bool {
        self.endless == 0
    }

    /// The prover that is probably sooner: alpha-beta where its order of moves is good.
    pub(crate) fn favourite(&self) -> Algorithm {
        let is_ordered = self.prioritised > 0 || self.contrast > self.positions * WIDE;
        match self.ends() && is_ordered {
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
    fn alpha_beta_goes_first_where_games_end_and_moves_differ() {
        let prospects = Prospects { endless: 0, positions: 10, prioritised: 0, contrast: 10 * 512 };
        assert_eq!(prospects.favourite(), Algorithm::Ab);
        let prioritised = Prospects { prioritised: 1, contrast: 0, ..prospects };
        assert_eq!(prioritised.favourite(), Algorithm::Ab);
        assert_eq!(Prospects { endless: 1, ..prioritised }.favourite(), Algorithm::Dfpn);
        assert_eq!(Prospects { endless: 1, ..prospects }.favourite(), Algorithm::Dfpn);
        assert_eq!(Prospects { contrast: 10 * 128, ..prospects }.favourite(), Algorithm::Dfpn);
        assert_eq!(Prospects::default().favourite(), Algorithm::Dfpn);
    }
}
