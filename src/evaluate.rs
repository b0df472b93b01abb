//! What a leaf is worth: playouts, or an evaluator of the user's own.

use crate::fixed::Fixed;
use crate::game::{Game, Outcome, Turn};
use crate::interval::Interval;
use crate::sync::{AtomicBool, Ordering};
use crate::tree::{Goal, Thresholds};
use crate::{MAX_PLAYERS, Rng};

/// Values a position that is not over.
///
/// One evaluator serves all threads. The default is [`RandomPlayout`].
pub trait Evaluator<G: Game>: Send + Sync + 'static {
    /// Writes each player's value, from −1 (lost) to 1 (won), into `values`.
    /// `state` may be played on; nobody needs it afterwards.
    ///
    /// Answers `false` when it gave up because [`Context::stopped`]; the visit
    /// is then not counted.
    fn evaluate(
        &self,
        state: &mut G::State,
        context: &mut Context<'_, G>,
        values: &mut [f32],
    ) -> bool;
}

/// What an evaluator may use: the rules, the worker's random numbers and
/// buffers, and the stop flag.
pub struct Context<'w, G: Game> {
    /// The rules.
    pub game: &'w G,
    /// The worker's own generator.
    pub rng: &'w mut Rng,
    /// A buffer for moves, empty.
    pub moves: &'w mut Vec<G::Move>,
    pub(crate) utility: &'w Utility,
    pub(crate) stop: &'w AtomicBool,
}

impl<G: Game> Context<'_, G> {
    /// Whether the search is to stop: long evaluations poll it and give up.
    #[inline]
    pub fn stopped(&self) -> bool {
        // Relaxed: the flag carries no data with it.
        self.stop.load(Ordering::Relaxed)
    }

    /// What a payoff is worth to a player in the unit of the search, −1 to 1.
    #[inline]
    pub fn utility(&self, player: usize, payoff: i32) -> f32 {
        self.utility.of(player, payoff)
    }
}

/// How payoffs become values: the outcome as +1, 0 or −1, and when the score
/// is asked for the average of that and of the payoff's place in its range. With
/// chance it is the place alone, because the mean of the values must be that of
/// the payoffs.
#[derive(Clone, Debug)]
pub(crate) struct Utility {
    goal: Goal,
    chance: bool,
    thresholds: [Thresholds; MAX_PLAYERS],
    ranges: [Interval; MAX_PLAYERS],
}

impl Utility {
    pub(crate) fn new(
        goal: Goal,
        chance: bool,
        thresholds: [Thresholds; MAX_PLAYERS],
        ranges: [Interval; MAX_PLAYERS],
    ) -> Utility {
        Utility { goal, chance, thresholds, ranges }
    }

    #[inline]
    pub(crate) fn of(&self, player: usize, payoff: i32) -> f32 {
        let outcome = self.of_outcome(self.thresholds[player].outcome(payoff));
        match self.place(player, payoff.into()) {
            None => outcome,
            Some(place) if self.chance => place,
            Some(place) => (outcome + place) / 2.0,
        }
    }

    /// What an expected payoff is worth.
    pub(crate) fn of_mean(&self, player: usize, payoff: Fixed) -> f32 {
        let place = self.place(player, payoff.to_f64()).filter(|_| self.chance);
        place.unwrap_or_else(|| self.of(player, payoff.floor()))
    }

    /// A payoff's place in its range, −1 to 1, if that counts.
    #[inline]
    fn place(&self, player: usize, payoff: f64) -> Option<f32> {
        let Interval { lower, upper } = self.ranges[player];
        let unbounded = lower == i32::MIN || upper == i32::MAX || lower >= upper;
        if self.goal == Goal::Win || unbounded {
            return None;
        }
        let (lower, upper) = (f64::from(lower), f64::from(upper));
        // A playout that was cut off may pay what the game itself never does.
        let payoff = payoff.clamp(lower, upper);
        Some((2.0 * (payoff - lower) / (upper - lower) - 1.0) as f32)
    }

    #[inline]
    pub(crate) fn of_outcome(&self, outcome: Outcome) -> f32 {
        outcome.value() as f32
    }
}

/// The least payoffs that are a draw and a win, by bisection: outcomes do not
/// fall when payoffs rise.
pub(crate) fn find_thresholds<G: Game>(game: &G, player: usize, range: Interval) -> Thresholds {
    let least = |outcome: Outcome| {
        let (mut low, mut high) = (i64::from(range.lower), i64::from(range.upper) + 1);
        while low < high {
            let middle = low + (high - low) / 2;
            if game.outcome(player, middle as i32) >= outcome {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        i32::try_from(low).ok().filter(|&payoff| payoff <= range.upper)
    };
    Thresholds { draw: least(Outcome::Draw), win: least(Outcome::Win) }
}

/// Chooses the moves of a playout.
pub trait Policy<G: Game>: Send + Sync + 'static {
    /// A legal move, or `None` when there is none; `moves` is an empty buffer.
    fn choose(
        &self,
        game: &G,
        state: &G::State,
        moves: &mut Vec<G::Move>,
        rng: &mut Rng,
    ) -> Option<G::Move>;
}

/// Every legal move is equally likely.
#[derive(Clone, Copy, Debug, Default)]
pub struct UniformRandom;

impl<G: Game> Policy<G> for UniformRandom {
    #[inline]
    fn choose(
        &self,
        game: &G,
        state: &G::State,
        moves: &mut Vec<G::Move>,
        rng: &mut Rng,
    ) -> Option<G::Move> {
        game.random_move(state, moves, rng)
    }
}

/// Plays a game to its end and takes its payoffs.
#[derive(Clone, Copy, Debug)]
pub struct Playout<P> {
    policy: P,
    cap: u32,
    unfinished: i32,
}

/// The default evaluator: a uniformly random playout.
pub type RandomPlayout = Playout<UniformRandom>;

impl<P> Playout<P> {
    /// Playouts whose moves `policy` chooses, cut off after `cap` moves, when
    /// every player is paid `unfinished`.
    pub fn new(policy: P, cap: u32, unfinished: i32) -> Playout<P> {
        Playout { policy, cap, unfinished }
    }
}

impl<G: Game, P: Policy<G>> Evaluator<G> for Playout<P> {
    #[inline]
    fn evaluate(
        &self,
        state: &mut G::State,
        context: &mut Context<'_, G>,
        values: &mut [f32],
    ) -> bool {
        /// Moves between two looks at the stop flag.
        const PATIENCE: u32 = 64;
        let game = context.game;
        for ply in 1..=self.cap {
            let mv = match game.turn(state) {
                Turn::Over => {
                    for (player, value) in values.iter_mut().enumerate() {
                        *value = context.utility(player, game.payoff(state, player));
                    }
                    return true;
                }
                Turn::Player(_) => {
                    context.moves.clear();
                    self.policy.choose(game, state, context.moves, context.rng)
                }
                Turn::Chance => random_outcome(game, state, context.moves, context.rng),
            };
            let Some(mv) = mv else { break };
            game.play(state, mv);
            if ply % PATIENCE == 0 && context.stopped() {
                return false;
            }
        }
        let over = game.turn(state) == Turn::Over;
        for (player, value) in values.iter_mut().enumerate() {
            let payoff = if over { game.payoff(state, player) } else { self.unfinished };
            *value = context.utility(player, payoff);
        }
        true
    }
}

/// An outcome of chance, drawn by weight.
pub(crate) fn random_outcome<G: Game>(
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

/// Plays this many uniformly random games from `state`; answers what they are
/// worth to player 0 together, in wins less losses. What this loop costs a
/// search without a tree would cost: the unit of the benchmarks.
pub fn bare_playouts<G: Game>(game: &G, state: &G::State, rng: &mut Rng, games: u64) -> i64 {
    let players = game.num_players();
    let mut thresholds = [Thresholds::default(); MAX_PLAYERS];
    for (player, cuts) in thresholds[..players].iter_mut().enumerate() {
        let range = game.payoff_range(player);
        *cuts =
            find_thresholds(game, player, Interval { lower: *range.start(), upper: *range.end() });
    }
    let ranges = [Interval::exactly(0); MAX_PLAYERS];
    let utility = Utility::new(Goal::Win, game.has_chance(), thresholds, ranges);
    let stop = AtomicBool::new(false);
    let playout = RandomPlayout::new(UniformRandom, u32::MAX, 0);
    let mut moves = Vec::new();
    let mut values = [0.0; MAX_PLAYERS];
    let values = &mut values[..players];
    let mut sum = 0.0;
    for _ in 0..games {
        let mut context = Context { game, rng, moves: &mut moves, utility: &utility, stop: &stop };
        playout.evaluate(&mut state.clone(), &mut context, values);
        sum += f64::from(values[0]);
    }
    sum as i64
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn no_payoff_is_worth_more_than_a_win_or_less_than_a_loss() {
        let ranges = [Interval { lower: -36, upper: 36 }; MAX_PLAYERS];
        let thresholds = [Thresholds { draw: Some(0), win: Some(1) }; MAX_PLAYERS];
        for goal in [Goal::Win, Goal::Score] {
            let utility = Utility::new(goal, false, thresholds, ranges);
            for (payoff, worth) in [(i32::MIN, -1.0), (-36, -1.0), (36, 1.0), (i32::MAX, 1.0)] {
                assert_eq!(utility.of(0, payoff), worth, "{goal:?} {payoff}");
            }
            assert_eq!(utility.of(0, 0), 0.0);
        }
    }
}
