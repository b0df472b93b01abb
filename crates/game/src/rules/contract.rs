//! Where the engine calls the rules, and holds them to their contract.

use super::symmetry::meets_images;
use super::thresholds::{Thresholds, find_thresholds};
use crate::GameError;
use crate::Interval;
use crate::Rng;
use crate::{CHANCE, Foreseen, Game, MAX_CHILDREN, MAX_PLAYERS, Suited, Turn};
use std::fmt::Display;
use std::ops::RangeInclusive;

/// What a game says of itself, checked once. Searches and provers take the players'
/// payoffs from here and not from the game, so that both read one scale.
#[derive(Clone, Copy, Debug)]
pub struct Declared {
    /// How many play.
    pub players: usize,
    /// Two players whose payoffs add up to zero.
    pub zero_sum: bool,
    /// Whether chance may decide.
    pub chance: bool,
    /// What each player can receive; with zero sum the second player's range is
    /// the first one's reversed.
    pub ranges: [Interval; MAX_PLAYERS],
    /// The least payoffs of each range that are a draw and a win.
    pub thresholds: [Thresholds; MAX_PLAYERS],
    /// Whether images of positions are soon met below the position that is searched; see
    /// [`Insight::images`](crate::Insight::images).
    pub symmetric: bool,
}

impl Declared {
    /// Reads and checks what `game` declares.
    ///
    /// # Errors
    /// When a number of players is impossible, a range is empty, or two players with
    /// zero sum have ranges or outcomes that do not mirror each other.
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
            // Nothing but one payoff could ever be paid.
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

    /// The same for a search from this position.
    pub fn from<G: Game>(game: &G, root: &G::State) -> Result<Declared, GameError> {
        let declared = Declared::by(game)?;
        Ok(Declared { symmetric: meets_images(game, root), ..declared })
    }

    /// Whether what one player can make sure of is what the other cannot prevent, so
    /// that an answer about one is an answer about the other.
    #[inline]
    pub fn serves_both(&self) -> bool {
        self.zero_sum && !self.chance
    }

    /// With zero sum a payoff means to one player the reverse of what its opposite
    /// means to the other. Outcomes change at the thresholds alone, so that it is
    /// enough to look on both sides of each.
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

/// Outcomes do not fall when payoffs rise. Of a wide range some payoffs are looked at: about where
/// outcomes change, about 0, and evenly spread ones.
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

/// What the first of two players can receive where the second receives `range`. The
/// greatest payoff stands for the opposite of the least, which has none, too.
fn opposite(range: Interval) -> Interval {
    let lower = if range.upper == i32::MAX { i32::MIN } else { -range.upper };
    Interval { lower, upper: range.lower.saturating_neg() }
}

/// The weight of one outcome where chance decides.
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

/// Reads what one player of a finished game receives and holds it to the contract.
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

/// The payoffs of two players with zero sum must add up to zero.
#[inline]
pub fn check_sum([own, other]: [i32; 2], chance: bool) -> Result<(), GameError> {
    // What is expected is exact only where the opposite is.
    if chance && (own == i32::MIN || other == i32::MIN) {
        return Err(GameError::NoOpposite);
    }
    if other != own.saturating_neg() {
        return Err(GameError::ZeroSum(own, other));
    }
    Ok(())
}

/// What the rules foresee is a payoff that the game can pay to player 0.
#[inline]
pub fn check_foreseen(foreseen: Foreseen, range: Interval) -> Result<(), GameError> {
    match foreseen {
        Foreseen::Payoff(payoff) | Foreseen::AtLeast(payoff) | Foreseen::AtMost(payoff)
            if payoff < range.lower || payoff > range.upper =>
        {
            let Interval { lower: least, upper: most } = range;
            Err(GameError::Foreseen { payoff, least, most })
        }
        _ => Ok(()),
    }
}

/// The payoff lies in its range.
pub fn check_payoff<G: Game>(game: &G, player: usize, payoff: i32) -> Result<(), GameError> {
    let range = game.payoff_range(player);
    if range.contains(&payoff) {
        return Ok(());
    }
    let (least, most) = range.into_inner();
    Err(GameError::Payoff { player, payoff, least, most })
}

/// The outcome must be the one that the thresholds say, which were found on
/// the assumption that outcomes do not fall when payoffs rise.
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

/// Holds the settings that suit the game to the ranges that the options have.
pub fn check_suited(suited: Suited) -> Result<(), GameError> {
    let Suited { c, c_pn, expand_after, playout_cap, prover_share } = suited;
    check_setting("c", c, Suited::C)?;
    check_setting("c_pn", c_pn, Suited::C_PN)?;
    check_setting("expand_after", expand_after, Suited::EXPAND_AFTER)?;
    check_setting("playout_cap", playout_cap, Suited::PLAYOUT_CAP)?;
    check_setting("prover_share", prover_share, Suited::PROVER_SHARE)
}

fn check_setting<T: PartialOrd + Display>(
    field: &'static str,
    value: Option<T>,
    range: RangeInclusive<T>,
) -> Result<(), GameError> {
    match value {
        Some(value) if !range.contains(&value) => {
            let expected = format!("a number from {} to {}", range.start(), range.end());
            Err(GameError::Suited { field, given: value.to_string(), expected })
        }
        _ => Ok(()),
    }
}

/// Returns the mover.
#[inline]
pub fn check_mover(mover: usize, players: usize) -> Result<usize, GameError> {
    if mover < players {
        return Ok(mover);
    }
    Err(GameError::Mover { mover, players })
}

/// There are moves, and no more than a node can have children.
#[inline]
pub fn check_mobility(moves: usize) -> Result<(), GameError> {
    match moves {
        0 => Err(GameError::NoMoves),
        1..=MAX_CHILDREN => Ok(()),
        _ => Err(GameError::TooManyMoves(moves)),
    }
}

/// Whoever decides in a position must be somebody who can.
pub fn check_turn<G: Game>(game: &G, turn: Turn) -> Result<(), GameError> {
    match turn {
        Turn::Player(mover) => check_mover(mover, game.num_players()).map(drop),
        Turn::Chance => check_chance(game).map(drop),
        Turn::Over => Ok(()),
    }
}

/// Returns the mover of a node where chance decides.
pub fn check_chance<G: Game>(game: &G) -> Result<usize, GameError> {
    if game.has_chance() {
        return Ok(CHANCE);
    }
    Err(GameError::UnannouncedChance)
}

/// An outcome of chance, drawn by weight.
pub fn random_outcome<G: Game>(
    game: &G,
    state: &G::State,
    outcomes: &mut Vec<G::Move>,
    rng: &mut Rng,
) -> Option<G::Move> {
    outcomes.clear();
    game.legal_moves(state, outcomes);
    let weight = |&outcome: &G::Move| u64::from(game.chance_weight(state, outcome));
    // As many weights as fit into memory cannot overflow.
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
