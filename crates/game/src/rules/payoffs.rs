//! Payoffs and their outcomes.

use super::fault::RulesFault;
use crate::{Game, GameError, MAX_PLAYERS, Outcome};
use std::collections::BTreeMap;

/// The outcomes of all payoffs seen so far.
pub(super) struct Outcomes {
    /// The known outcomes of payoffs, by player.
    known: Vec<BTreeMap<i32, Outcome>>,
    /// Whether a game ended with a loss.
    pub(super) anybody_lost: bool,
}

impl Outcomes {
    pub(super) fn new<G: Game>(game: &G) -> Result<Outcomes, RulesFault> {
        let players = game.num_players();
        if !(1..=MAX_PLAYERS).contains(&players) {
            return Err(GameError::Players(players).into());
        }
        if game.zero_sum() && players != 2 {
            return Err(GameError::ZeroSumPlayers(players).into());
        }
        let mut outcomes = Outcomes { known: vec![BTreeMap::new(); players], anybody_lost: false };
        for player in 0..players {
            let (least, most) = game.payoff_range(player).into_inner();
            if least > most {
                return Err(GameError::EmptyRange(player).into());
            }
            for payoff in [least, most, -1, 0, 1] {
                outcomes.look(game, player, payoff)?;
            }
        }
        Ok(outcomes)
    }

    /// Checks a payoff's outcome against those of the known payoffs. Payoffs outside the range are
    /// not checked.
    fn look<G: Game>(&mut self, game: &G, player: usize, payoff: i32) -> Result<(), RulesFault> {
        if !game.payoff_range(player).contains(&payoff) {
            return Ok(());
        }
        let outcome = game.outcome(player, payoff);
        let known = &mut self.known[player];
        if known.get(&payoff).is_some_and(|&before| before != outcome) {
            return Err(RulesFault::Changes { what: "outcome" });
        }
        let falls = |(less, of_less): (i32, Outcome), (more, of_more): (i32, Outcome)| {
            let fault = RulesFault::OutcomeFalls { player, less, of_less, more, of_more };
            if of_less > of_more { Err(fault) } else { Ok(()) }
        };
        if let Some((&less, &of_less)) = known.range(..payoff).next_back() {
            falls((less, of_less), (payoff, outcome))?;
        }
        if let Some((&more, &of_more)) = known.range(payoff..).find(|&(&more, _)| more > payoff) {
            falls((payoff, outcome), (more, of_more))?;
        }
        known.insert(payoff, outcome);
        // The payoffs of the two players of a zero-sum game mirror each other.
        let opposite = payoff.checked_neg().filter(|_| game.zero_sum() && player == 0);
        let Some(opposite) = opposite.filter(|other| game.payoff_range(1).contains(other)) else {
            return Ok(());
        };
        let of_second = game.outcome(1, opposite);
        match of_second == outcome.reversed() {
            true => Ok(()),
            false => Err(RulesFault::OutcomesDoNotMirror {
                payoff,
                of_first: outcome,
                opposite,
                of_second,
            }),
        }
    }

    /// Checks the payoffs at the end of a game. Returns their sum.
    pub(super) fn end<G: Game>(&mut self, game: &G, state: &G::State) -> Result<i64, RulesFault> {
        let mut payoffs = Vec::new();
        for player in 0..game.num_players() {
            let payoff = game.payoff(state, player);
            if game.payoff(state, player) != payoff {
                return Err(RulesFault::Changes { what: "payoff" });
            }
            payoffs.push(payoff);
        }
        for (player, &payoff) in payoffs.iter().enumerate() {
            let (least, most) = game.payoff_range(player).into_inner();
            if !(least..=most).contains(&payoff) {
                return Err(GameError::Payoff { player, payoff, least, most }.into());
            }
            for near in [payoff.saturating_sub(1), payoff, payoff.saturating_add(1)] {
                self.look(game, player, near)?;
            }
            self.anybody_lost |= self.known[player].get(&payoff) == Some(&Outcome::Loss);
        }
        let sum = payoffs.iter().map(|&payoff| i64::from(payoff)).sum::<i64>();
        match game.zero_sum() && sum != 0 {
            false => Ok(sum),
            true => Err(GameError::ZeroSum(payoffs[0], payoffs[1]).into()),
        }
    }
}
