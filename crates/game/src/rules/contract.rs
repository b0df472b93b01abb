//! Functions that call the rules and check the game's contract.

use super::symmetry::meets_images;
use super::thresholds::{Thresholds, find_thresholds};
use crate::{
    CHANCE, Game, GameError, Interval, MAX_CHILDREN, MAX_PLAYERS, Recommended, Rng, StaticBound,
    Turn,
};
use std::fmt::Display;
use std::ops::RangeInclusive;

/// A game's declarations, checked once. Searches and provers read the players' payoff ranges from
/// this struct and not from the game, so that both use the same ranges.
#[derive(Clone, Copy, Debug)]
pub struct Declared {
    /// The number of players of the game.
    pub players: usize,
    /// Whether there are two players whose payoffs sum to zero.
    pub zero_sum: bool,
    /// Whether the game has chance nodes.
    pub chance: bool,
    /// The payoff range of each player; in a zero-sum game the second player's range is the first
    /// player's, negated.
    pub ranges: [Interval; MAX_PLAYERS],
    /// The least payoffs that are a draw and a win, for each player.
    pub thresholds: [Thresholds; MAX_PLAYERS],
    /// Whether symmetric positions occur soon below the root; see
    /// [`DomainKnowledge::symmetries`](crate::DomainKnowledge::symmetries).
    pub symmetric: bool,
}

impl Declared {
    /// Reads and checks the declarations of `game`.
    ///
    /// # Errors
    /// If the number of players is invalid, a range is empty, or the two players of a zero-sum game
    /// have ranges or outcomes that do not mirror each other.
    pub fn by<G: Game>(game: &G) -> Result<Declared, GameError> {
        let (players, zero_sum) = (game.num_players(), game.zero_sum());
        if !(1..=MAX_PLAYERS).contains(&players) {
            return Err(GameError::Players(players));
        }
        if zero_sum && players != 2 {
            return Err(GameError::ZeroSumPlayers(players));
        }
        let mut ranges = [Interval::exactly(0); MAX_PLAYERS];
        for (player, range) in ranges[..players].iter_mut().enumerate() {
            let (lower, upper) = game.payoff_range(player).into_inner();
            if lower > upper {
                return Err(GameError::EmptyRange(player));
            }
            *range = Interval { lower, upper };
        }
        if zero_sum {
            let [own, other] = [ranges[0], ranges[1]];
            let both = own.and(opposite(other)).map_err(|_| {
                let range = |range: Interval| (range.lower, range.upper);
                GameError::ZeroSumRanges(range(own), range(other))
            })?;
            // In this case every game would end with the same payoff.
            if both.lower == both.upper && own.lower < own.upper && other.lower < other.upper {
                let range = |range: Interval| (range.lower, range.upper);
                let (own, other, only) = (range(own), range(other), both.lower);
                return Err(GameError::ZeroSumOnePayoff { own, other, only });
            }
            (ranges[0], ranges[1]) = (both, both.reversed());
        }
        let mut thresholds = [Thresholds::default(); MAX_PLAYERS];
        for (player, found) in thresholds[..players].iter_mut().enumerate() {
            *found = find_thresholds(game, player, ranges[player]);
            check_rise(game, player, ranges[player], *found)?;
        }
        let chance = game.has_chance();
        let declared = Declared { players, zero_sum, chance, ranges, thresholds, symmetric: false };
        if zero_sum {
            declared.check_mirror(game)?;
        }
        Ok(declared)
    }

    /// Reads the declarations for a search from `root`, which determines `symmetric`.
    pub fn from<G: Game>(game: &G, root: &G::State) -> Result<Declared, GameError> {
        let declared = Declared::by(game)?;
        Ok(Declared { symmetric: meets_images(game, root), ..declared })
    }

    /// Returns whether a proof for one player is also a proof for the other: in a zero-sum game
    /// without chance, a player can secure exactly what the opponent cannot prevent.
    #[inline]
    pub fn serves_both(&self) -> bool {
        self.zero_sum && !self.chance
    }

    /// Checks that outcomes mirror each other in a zero-sum game. Outcomes change only at the
    /// thresholds, so it suffices to check both sides of each.
    fn check_mirror<G: Game>(&self, game: &G) -> Result<(), GameError> {
        let [own, other] = [self.thresholds[0], self.thresholds[1]];
        let own = [own.draw, own.win].into_iter().flatten();
        let opposites = [other.draw, other.win].into_iter().flatten().map(i32::saturating_neg);
        for payoff in own.chain(opposites) {
            for payoff in [payoff.saturating_sub(1), payoff, payoff.saturating_add(1)] {
                if payoff < self.ranges[0].lower || payoff > self.ranges[0].upper {
                    continue;
                }
                let opposite = payoff.saturating_neg();
                let (own, other) = (game.outcome(0, payoff), game.outcome(1, opposite));
                if own != other.reversed() {
                    return Err(GameError::ZeroSumOutcomes { payoff, own, other });
                }
            }
        }
        Ok(())
    }
}

/// Checks that outcomes do not get worse when payoffs rise. In a wide range it samples evenly
/// spread payoffs and those near the thresholds and near 0.
fn check_rise<G: Game>(
    game: &G,
    player: usize,
    range: Interval,
    thresholds: Thresholds,
) -> Result<(), GameError> {
    const SOME: i64 = 256;
    let (lower, upper) = (i64::from(range.lower), i64::from(range.upper));
    let step = (upper - lower) / SOME + 1;
    let spread = (0..).map(|number| lower + number * step).take_while(|&payoff| payoff < upper);
    let changes = [thresholds.draw, thresholds.win, Some(0)].into_iter().flatten();
    let about = changes.flat_map(|payoff| [-1, 0, 1].map(|more| i64::from(payoff) + more));
    for payoff in spread.chain(about).chain([upper]) {
        if (lower..=upper).contains(&payoff) {
            check_outcome(game, thresholds, player, payoff as i32)?;
        }
    }
    Ok(())
}

/// Converts the second player's payoff range to the first player's. The negation of `i32::MIN` does
/// not fit in an `i32`, so `i32::MAX` replaces it.
fn opposite(range: Interval) -> Interval {
    let lower = if range.upper == i32::MAX { i32::MIN } else { -range.upper };
    Interval { lower, upper: range.lower.saturating_neg() }
}

/// The weight of an outcome at a chance node; an error if it is 0.
pub fn read_weight<G: Game>(
    game: &G,
    state: &G::State,
    outcome: G::Move,
) -> Result<u32, GameError> {
    match game.chance_weight(state, outcome) {
        0 => Err(GameError::Weight(game.move_text(state, outcome))),
        weight => Ok(weight),
    }
}

/// The payoff of one player of a finished game, checked against the contract.
#[inline]
pub fn read_payoff<G: Game>(
    game: &G,
    declared: &Declared,
    state: &G::State,
    player: usize,
) -> Result<i32, GameError> {
    let payoff = game.payoff(state, player);
    check_payoff(game, player, payoff)?;
    if cfg!(debug_assertions) {
        check_outcome(game, declared.thresholds[player], player, payoff)?;
    }
    if declared.zero_sum {
        let other = game.payoff(state, 1 - player);
        check_payoff(game, 1 - player, other)?;
        let payoffs = if player == 0 { [payoff, other] } else { [other, payoff] };
        check_sum(payoffs, declared.chance)?;
    }
    Ok(payoff)
}

/// Checks that the payoffs of the two players of a zero-sum game add up to zero.
#[inline]
pub fn check_sum([own, other]: [i32; 2], chance: bool) -> Result<(), GameError> {
    // An expected payoff is exact only if its negation is exact, too.
    if chance && (own == i32::MIN || other == i32::MIN) {
        return Err(GameError::NoOpposite);
    }
    if other != own.saturating_neg() {
        return Err(GameError::ZeroSum(own, other));
    }
    Ok(())
}

/// Checks that the payoff of a static bound lies in the range of player 0.
#[inline]
pub fn check_static_bound(static_bound: StaticBound, range: Interval) -> Result<(), GameError> {
    match static_bound {
        StaticBound::Payoff(payoff)
        | StaticBound::AtLeast(payoff)
        | StaticBound::AtMost(payoff)
            if payoff < range.lower || payoff > range.upper =>
        {
            let Interval { lower: least, upper: most } = range;
            Err(GameError::StaticBound { payoff, least, most })
        }
        _ => Ok(()),
    }
}

/// Checks that a payoff lies in the player's range.
pub fn check_payoff<G: Game>(game: &G, player: usize, payoff: i32) -> Result<(), GameError> {
    let range = game.payoff_range(player);
    if range.contains(&payoff) {
        return Ok(());
    }
    let (least, most) = range.into_inner();
    Err(GameError::Payoff { player, payoff, least, most })
}

/// Checks a payoff's outcome against the thresholds, which assume that outcomes do not get worse
/// when payoffs rise.
pub fn check_outcome<G: Game>(
    game: &G,
    thresholds: Thresholds,
    player: usize,
    payoff: i32,
) -> Result<(), GameError> {
    let outcome = game.outcome(player, payoff);
    if outcome == thresholds.outcome(payoff) {
        return Ok(());
    }
    Err(GameError::Outcomes { player, payoff, outcome })
}

/// Checks that the recommended settings lie in the ranges of the options.
pub fn check_recommended(recommended: Recommended) -> Result<(), GameError> {
    let Recommended { c, c_pn, expand_after, playout_cap, prover_share } = recommended;
    check_setting("c", c, Recommended::C)?;
    check_setting("c_pn", c_pn, Recommended::C_PN)?;
    check_setting("expand_after", expand_after, Recommended::EXPAND_AFTER)?;
    check_setting("playout_cap", playout_cap, Recommended::PLAYOUT_CAP)?;
    check_setting("prover_share", prover_share, Recommended::PROVER_SHARE)
}

fn check_setting<T: PartialOrd + Display>(
    field: &'static str,
    value: Option<T>,
    range: RangeInclusive<T>,
) -> Result<(), GameError> {
    match value {
        Some(value) if !range.contains(&value) => {
            let expected = format!("a number from {} to {}", range.start(), range.end());
            Err(GameError::Recommended { field, given: value.to_string(), expected })
        }
        _ => Ok(()),
    }
}

/// Returns the player to move; an error if it does not exist.
#[inline]
pub fn check_mover(mover: usize, players: usize) -> Result<usize, GameError> {
    if mover < players {
        return Ok(mover);
    }
    Err(GameError::Mover { mover, players })
}

/// Checks that the number of moves is between 1 and the maximum number of children of a node.
#[inline]
pub fn check_mobility(moves: usize) -> Result<(), GameError> {
    match moves {
        0 => Err(GameError::NoMoves),
        1..=MAX_CHILDREN => Ok(()),
        _ => Err(GameError::TooManyMoves(moves)),
    }
}

/// Checks that the player to move exists and that a game with chance declares it.
pub fn check_turn<G: Game>(game: &G, turn: Turn) -> Result<(), GameError> {
    match turn {
        Turn::Player(mover) => check_mover(mover, game.num_players()).map(drop),
        Turn::Chance => check_chance(game).map(drop),
        Turn::Over => Ok(()),
    }
}

/// Returns the mover of a chance node; an error if the game does not declare chance.
pub fn check_chance<G: Game>(game: &G) -> Result<usize, GameError> {
    if game.has_chance() {
        return Ok(CHANCE);
    }
    Err(GameError::UnannouncedChance)
}

/// Draws an outcome of chance by weight.
pub fn random_outcome<G: Game>(
    game: &G,
    state: &G::State,
    outcomes: &mut Vec<G::Move>,
    rng: &mut Rng,
) -> Option<G::Move> {
    outcomes.clear();
    game.legal_moves(state, outcomes);
    let weight = |&outcome: &G::Move| u64::from(game.chance_weight(state, outcome));
    // Memory cannot hold enough outcomes for the sum of weights to overflow.
    let total: u64 = outcomes.iter().map(weight).sum();
    let mut left = rng.below_u64(total.max(1));
    for outcome in outcomes.iter() {
        let weight = weight(outcome);
        if left < weight {
            return Some(*outcome);
        }
        left -= weight;
    }
    None
}
