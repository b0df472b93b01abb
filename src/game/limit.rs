//! A game that ends after so many moves.

use super::{Game, Insight, MAX_PLAYERS, Outcome, Suited, TextError, Turn};
use crate::math::{Rng, mix_all_bits};
use std::ops::RangeInclusive;

/// Any game, which ends when so many moves have been played from where it starts. Outcomes
/// of chance are no moves.
///
/// ```
/// use proofwood::{Budget, Config, Game, MoveLimit, Turn, Value, search};
/// # struct Sticks(u32);
/// # impl Game for Sticks {
/// #     type State = (u32, usize);
/// #     type Move = u32;
/// #     fn initial_state(&self) -> (u32, usize) { (self.0, 0) }
/// #     fn turn(&self, &(sticks, mover): &(u32, usize)) -> Turn {
/// #         if sticks == 0 { Turn::Over } else { Turn::Player(mover) }
/// #     }
/// #     fn legal_moves(&self, &(sticks, _): &(u32, usize), moves: &mut Vec<u32>) {
/// #         moves.extend(1..=sticks.min(3));
/// #     }
/// #     fn play(&self, state: &mut (u32, usize), taken: u32) {
/// #         *state = (state.0 - taken, 1 - state.1);
/// #     }
/// #     fn payoff(&self, &(_, mover): &(u32, usize), player: usize) -> i32 {
/// #         if player == mover { -1 } else { 1 }
/// #     }
/// #     fn payoff_range(&self, _: usize) -> std::ops::RangeInclusive<i32> { -1..=1 }
/// #     fn zero_sum(&self) -> bool { true }
/// # }
/// // The game of sticks: 10 are won in five moves, and not in four.
/// for (moves, value) in [(5, Value::Win), (4, Value::Draw)] {
///     let game = MoveLimit::new(Sticks(10), moves);
///     let start = game.initial_state();
///     let report = search(game, start, Config::proving(), &Budget::default())?;
///     assert_eq!(report.value, value);
/// }
/// # Ok::<(), proofwood::SearchError>(())
/// ```
///
/// Positions with another number of moves left have another future, so they have other
/// hashes, and what the game foresees of the end ([`Insight::foreseen`]) is not asked:
/// the end may come too late.
#[derive(Clone, Debug)]
pub struct MoveLimit<G> {
    game: G,
    limit: u32,
    payoffs: [i32; MAX_PLAYERS],
}

/// A position of a game with a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Limited<S> {
    /// The position of the game within.
    pub state: S,
    /// Moves until the limit.
    pub left: u32,
}

impl<G: Game> MoveLimit<G> {
    /// The game with so many moves. At the limit everybody is paid 0.
    pub fn new(game: G, limit: u32) -> MoveLimit<G> {
        MoveLimit { game, limit, payoffs: [0; MAX_PLAYERS] }
    }

    /// The same with other payoffs at the limit, first player first; players without one are
    /// paid 0. Where payoffs add up to zero, so must these.
    #[must_use]
    pub fn paying(mut self, payoffs: &[i32]) -> MoveLimit<G> {
        self.payoffs.iter_mut().zip(payoffs).for_each(|(mine, &payoff)| *mine = payoff);
        self
    }

    /// The game within.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// A position of the game within as one with so many moves left.
    pub fn limited(&self, state: G::State, left: u32) -> Limited<G::State> {
        Limited { state, left }
    }

    /// What tells positions apart that differ in the moves left.
    fn with_left(hash: u64, left: u32) -> u64 {
        mix_all_bits(hash ^ mix_all_bits(u64::from(left) + 1))
    }
}

/// What stands between the position's text and the moves left.
const MARK: &str = " left:";

impl<G: Game> Game for MoveLimit<G> {
    type State = Limited<G::State>;
    type Move = G::Move;

    fn initial_state(&self) -> Self::State {
        self.limited(self.game.initial_state(), self.limit)
    }

    #[inline]
    fn turn(&self, state: &Self::State) -> Turn {
        match state.left {
            0 => Turn::Over,
            _ => self.game.turn(&state.state),
        }
    }

    #[inline]
    fn legal_moves(&self, state: &Self::State, moves: &mut Vec<G::Move>) {
        self.game.legal_moves(&state.state, moves);
    }

    #[inline]
    fn play(&self, state: &mut Self::State, mv: G::Move) {
        let counts = !self.game.has_chance() || self.game.turn(&state.state) != Turn::Chance;
        state.left -= u32::from(counts);
        self.game.play(&mut state.state, mv);
    }

    #[inline]
    fn payoff(&self, state: &Self::State, player: usize) -> i32 {
        match self.game.turn(&state.state) {
            Turn::Over => self.game.payoff(&state.state, player),
            _ => self.payoffs[player],
        }
    }

    fn num_players(&self) -> usize {
        self.game.num_players()
    }

    fn zero_sum(&self) -> bool {
        self.game.zero_sum()
    }

    fn payoff_range(&self, player: usize) -> RangeInclusive<i32> {
        let (range, payoff) = (self.game.payoff_range(player), self.payoffs[player]);
        payoff.min(*range.start())..=payoff.max(*range.end())
    }

    fn outcome(&self, player: usize, payoff: i32) -> Outcome {
        self.game.outcome(player, payoff)
    }

    fn has_chance(&self) -> bool {
        self.game.has_chance()
    }

    #[inline]
    fn chance_weight(&self, state: &Self::State, outcome: G::Move) -> u32 {
        self.game.chance_weight(&state.state, outcome)
    }

    #[inline]
    fn key(&self, state: &Self::State) -> Option<u64> {
        self.game.key(&state.state).map(|hash| Self::with_left(hash, state.left))
    }

    #[inline]
    fn random_move(
        &self,
        state: &Self::State,
        moves: &mut Vec<G::Move>,
        rng: &mut Rng,
    ) -> Option<G::Move> {
        self.game.random_move(&state.state, moves, rng)
    }

    #[inline]
    fn mobility(&self, state: &Self::State, moves: &mut Vec<G::Move>) -> usize {
        self.game.mobility(&state.state, moves)
    }

    fn insight(&self) -> impl Insight<Self> {
        self
    }

    fn player_name(&self, player: usize) -> String {
        self.game.player_name(player)
    }

    fn move_text(&self, state: &Self::State, mv: G::Move) -> String {
        self.game.move_text(&state.state, mv)
    }

    fn parse_move(&self, state: &Self::State, text: &str) -> Result<G::Move, TextError> {
        if state.left == 0 {
            return Err(TextError::new(format!("the game is over before the move '{text}'")));
        }
        self.game.parse_move(&state.state, text)
    }

    fn split_moves<'t>(&self, text: &'t str) -> Vec<&'t str> {
        self.game.split_moves(text)
    }

    /// The position's own text, and the moves left; empty where the game has no texts.
    fn state_text(&self, state: &Self::State) -> String {
        match self.game.state_text(&state.state) {
            text if text.is_empty() => text,
            text => format!("{text}{MARK}{}", state.left),
        }
    }

    /// A text without the moves left has as many as the start.
    fn parse_state(&self, text: &str) -> Result<Self::State, TextError> {
        let (text, left) = match text.rsplit_once(MARK) {
            None => (text, self.limit),
            Some((text, left)) => {
                let wrong = || {
                    let limit = self.limit;
                    TextError::new(format!("'{left}' should be the moves left, from 0 to {limit}"))
                };
                let number = left.parse().ok().filter(|&number: &u32| number <= self.limit);
                (text, number.ok_or_else(wrong)?)
            }
        };
        Ok(self.limited(self.game.parse_state(text)?, left))
    }

    fn board_text(&self, state: &Self::State) -> String {
        match self.game.board_text(&state.state) {
            board if board.is_empty() => board,
            board => format!("{board}\n{} moves left", state.left),
        }
    }
}

/// What holds whenever the game ends: nothing of what best play comes to.
impl<G: Game> Insight<MoveLimit<G>> for MoveLimit<G> {
    #[inline]
    fn priority(&self, state: &Limited<G::State>, mv: G::Move) -> u32 {
        self.game.insight().priority(&state.state, mv)
    }

    #[inline]
    fn playout_move(
        &self,
        state: &Limited<G::State>,
        moves: &mut Vec<G::Move>,
        rng: &mut Rng,
    ) -> Option<G::Move> {
        self.game.insight().playout_move(&state.state, moves, rng)
    }

    fn worth(&self, state: &Limited<G::State>) -> Option<f32> {
        self.game.insight().worth(&state.state)
    }

    fn suited(&self) -> Suited {
        self.game.insight().suited()
    }

    fn images(&self, state: &Limited<G::State>, images: &mut Vec<Limited<G::State>>) {
        let mut within = Vec::new();
        self.game.insight().images(&state.state, &mut within);
        images.extend(within.into_iter().map(|image| self.limited(image, state.left)));
    }

    #[inline]
    fn least_hash(&self, state: &Limited<G::State>) -> Option<u64> {
        let least = self.game.insight().least_hash(&state.state)?;
        Some(Self::with_left(least, state.left))
    }
}
