//! A check of the contract of [`Game`] by playing.
//!
//! The whole library depends on the rules, and a search cannot verify most of their contract: with
//! a key that omits the side to move, a search proves wrong values as confidently as right ones.
//! [`check_rules`] plays random games and checks every position in many ways.

pub(crate) mod audited;
pub(crate) mod contract;
mod fault;
mod forced;
mod foresight;
mod futures;
pub(crate) mod key;
mod known;
mod payoffs;
mod position;
pub(crate) mod symmetry;
pub(crate) mod thresholds;

pub use crate::difference::Difference;
use crate::{DomainKnowledge, Game, Rng, Turn, panic_message};
use contract::check_recommended;
pub use fault::{RulesError, RulesFault};
use foresight::Foresight;
use futures::list;
use known::{KnownPositions, START};
use payoffs::Outcomes;
use symmetry::find_no_image;

use std::panic::{AssertUnwindSafe, catch_unwind};

/// The results of [`check_rules`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RulesReport {
    /// The number of random games that were played.
    pub games: u64,
    /// The number of random games that ended within [`LONGEST_GAME`] moves.
    pub ended: u64,
    /// The number of moves of the longest random game.
    pub longest: usize,
    /// The number of positions that were checked.
    pub positions: u64,
    /// The number of different keys among the positions; 0 if the game has no keys.
    pub hashes: usize,
    /// The number of transpositions: positions with a known key, reached by other moves, whose
    /// future was compared with the stored one.
    pub transpositions: u64,
    /// The number of positions whose text was read back as the same position.
    pub texts: u64,
    /// The number of static bounds that were compared with play to the end.
    pub static_bounds: u64,
    /// The number of sets of pushed moves that were compared with play to the end.
    pub narrowed: u64,
    /// The number of symmetric positions that were compared.
    pub images: u64,
    /// Whether [`split_moves`](Game::split_moves) split every joined list of move texts into the
    /// same texts, so that users can enter several moves on one line.
    pub splits_moves: bool,
    /// Whether the payoffs of two players always summed to zero. If the game does not declare
    /// [`zero_sum`](Game::zero_sum), proofs are weaker than they could be.
    pub adds_up_to_zero: bool,
    /// The sum of two players' payoffs, if it was always the same. If it is not 0, pay each player
    /// the difference between the two payoffs to make the game zero-sum.
    pub sum: Option<i64>,
    /// Whether a player lost in a finished game, according to [`outcome`](Game::outcome). If losses
    /// are impossible, for instance because payoffs are never negative, playouts carry little
    /// information in searches with the goal `outcome`.
    pub anybody_lost: bool,
}

impl RulesReport {
    /// Returns one-line remarks for users on properties of the game that the contract allows but
    /// that weaken results.
    pub fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        if self.ended < self.games {
            let (endless, games) = (self.games - self.ended, self.games);
            let limit = LONGEST_GAME;
            remarks.push(format!("{endless} of {games} games did not end within {limit} moves"));
        }
        if self.ended > 0 && !self.anybody_lost {
            remarks.push(
                "no player ever lost; ask for the score, or let Game::outcome return Loss for some \
                 payoffs"
                    .into(),
            );
        }
        if let Some(sum) = self.sum.filter(|&sum| sum != 0) {
            remarks.push(format!(
                "the two payoffs always add up to {sum}; if each player is paid the difference, \
                 the game is zero-sum and is solved faster"
            ));
        }
        remarks
    }
}

/// The number of moves after which [`check_rules`] cuts off a random game.
pub const LONGEST_GAME: usize = 10_000;
/// The number of positions near the start that are checked in breadth-first order, so that
/// transpositions occur.
const NEAR_START: usize = 1000;
/// The number of positions that are checked around one position of each random game.
const NEAR: usize = 24;
/// For each random game, the number of replays with two moves exchanged.
const EXCHANGES: u32 = 4;
/// The number of moves after which only some positions of a game are checked closely, to save time.
const LONG: usize = 500;
/// In a long game, one position in `STRIDE` is checked closely.
const STRIDE: usize = 8;

/// Plays `games` random games by `game`'s rules and checks at each position that the rules keep the
/// contract of [`Game`]. Call it in a test of your rules, before anything else uses them; a hundred
/// games of most games take less than a second.
///
/// ```
/// use proofwood::check_rules;
/// # use proofwood::{Game, Turn};
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
/// # }
///
/// // The game of sticks from the crate page.
/// let report = check_rules(&Sticks(10), 1, 100)?;
/// assert_eq!(report.ended, 100);
///
/// // The same with a key that forgets who is to move.
/// struct Forgetful(Sticks);
/// impl Game for Forgetful {
///     // ...
/// #   type State = (u32, usize);
/// #   type Move = u32;
/// #   fn initial_state(&self) -> (u32, usize) { self.0.initial_state() }
/// #   fn turn(&self, state: &(u32, usize)) -> Turn { self.0.turn(state) }
/// #   fn legal_moves(&self, state: &(u32, usize), moves: &mut Vec<u32>) {
/// #       self.0.legal_moves(state, moves);
/// #   }
/// #   fn play(&self, state: &mut (u32, usize), taken: u32) { self.0.play(state, taken) }
/// #   fn payoff(&self, state: &(u32, usize), player: usize) -> i32 { self.0.payoff(state, player) }
///     fn key(&self, &(sticks, _mover): &(u32, usize)) -> Option<u64> {
///         Some(u64::from(sticks).wrapping_mul(0x9e37_79b9_7f4a_7c15))
///     }
/// }
/// let error = check_rules(&Forgetful(Sticks(10)), 1, 100).unwrap_err();
/// assert!(error.to_string().starts_with("key collision"));
/// # Ok::<(), proofwood::rules::RulesError>(())
/// ```
///
/// # Checks
/// - The game's declarations: players, ranges, zero sum, outcomes that do not get worse as payoffs
///   rise and, with zero sum, mirror each other.
/// - Determinism: every method is called twice, and games are played twice.
/// - Turn, moves and weights: the player to move exists; a position that is not over has moves, but
///   not too many, and none of them twice; chance is declared and its weights are above 0.
/// - [`mobility`](Game::mobility), [`random_move`](Game::random_move) and [`after`](Game::after)
///   agree with the methods that they replace, moves for playouts are legal, and
///   [`rollout`](DomainKnowledge::rollout) plays the same moves.
/// - Payoffs: range, zero sum.
/// - Texts, if there are any: different moves have different texts;
///   [`parse_move`](Game::parse_move) and [`parse_state`](Game::parse_state) read each text back as
///   its origin.
/// - [`key`](Game::key): two positions with the same key have the same turn, moves (in the same
///   order), weights and payoffs, and so on through a random game played from both.
/// - [`symmetries`](DomainKnowledge::symmetries): an image has the position's turn, payoffs,
///   canonical children and [`canonical_key`](DomainKnowledge::canonical_key).
/// - [`static_bound`](DomainKnowledge::static_bound), near the end of games, against play to the
///   end.
///
/// # Limits
/// The check cannot determine whether these are the rules that you meant: compare counts of move
/// sequences with a source that you trust, or replay recorded games. It misses faults in positions
/// that random games rarely reach, a key whose bits are not well mixed, which costs speed, and a
/// key that distinguishes positions with the same future. It does not check an
/// [`Evaluator`](../proofwood/evaluate/trait.Evaluator.html) or a
/// [`RolloutPolicy`](../proofwood/evaluate/trait.RolloutPolicy.html). [A
/// certificate](../proofwood/certificate/index.html) written and checked in your tests is the next
/// safety net: it does not depend on keys.
///
/// The seed determines the games on every machine. Games of more than [`LONGEST_GAME`] moves are
/// cut off.
///
/// # Errors
/// Returns the first breach, with the seed and the moves that lead to it. The check also fails if
/// `games` is at least 1 but no game ended, so that no payoff was checked.
pub fn check_rules<G: Game>(game: &G, seed: u64, games: u64) -> Result<RulesReport, RulesError> {
    let mut checker = Checker::new(game, seed);
    let all = |checker: &mut Checker<'_, G>| {
        for number in 0..games {
            checker.number = number;
            checker.random_game()?;
        }
        if games > 0 && checker.report.ended == 0 {
            return Err(RulesFault::Endless { moves: LONGEST_GAME });
        }
        checker.foresight.compare(game, &mut checker.known).map_err(|(at, number, fault)| {
            (checker.at, checker.number) = (at, number);
            fault
        })
    };
    // The checker is consistent between two calls to the game.
    let checked = catch_unwind(AssertUnwindSafe(|| {
        checker.outcomes = Some(Outcomes::new(game)?);
        checker.start()?;
        all(&mut checker)
    }));
    let fault = match checked {
        Ok(Ok(())) => return Ok(checker.finish()),
        Ok(Err(fault)) => fault,
        Err(panic) => RulesFault::Panic { message: panic_message(&*panic) },
    };
    // The fault may be caused by another method whose results vary.
    let at = checker.at;
    let fault = match catch_unwind(AssertUnwindSafe(|| checker.find_change())) {
        Ok(Some(what)) => RulesFault::Changes { what },
        _ => {
            checker.at = at;
            fault
        }
    };
    // If the rules panic, so may the call that returns a position's text.
    let place = AssertUnwindSafe(|| checker.place());
    let (moves, position) = catch_unwind(place).unwrap_or_default();
    let fault = Box::new(fault);
    Err(RulesError { fault, moves, position, seed, game: checker.number })
}

struct Checker<'g, G: Game> {
    game: &'g G,
    rng: Rng,
    outcomes: Option<Outcomes>,
    known: KnownPositions<G>,
    /// The path to the current position, for error messages.
    at: u32,
    number: u64,
    /// The least and the greatest sum of all players' payoffs.
    sums: Option<(i64, i64)>,
    foresight: Foresight<G>,
    report: RulesReport,
}

impl<'g, G: Game> Checker<'g, G> {
    fn new(game: &'g G, seed: u64) -> Checker<'g, G> {
        let report = RulesReport {
            games: 0,
            ended: 0,
            longest: 0,
            positions: 0,
            hashes: 0,
            transpositions: 0,
            texts: 0,
            static_bounds: 0,
            narrowed: 0,
            images: 0,
            splits_moves: true,
            adds_up_to_zero: true,
            sum: None,
            anybody_lost: false,
        };
        Checker {
            game,
            rng: Rng::new(seed),
            outcomes: None,
            known: KnownPositions::default(),
            at: START,
            number: 0,
            sums: None,
            foresight: Foresight::default(),
            report,
        }
    }

    fn finish(self) -> RulesReport {
        let two = self.game.num_players() == 2;
        let sums = self.sums.filter(|(least, most)| two && least == most);
        RulesReport {
            sum: sums.map(|(sum, _)| sum),
            hashes: self.known.hashes(),
            transpositions: self.known.compared,
            static_bounds: self.foresight.static_bounds,
            narrowed: self.foresight.narrowed,
            adds_up_to_zero: two && self.sums.is_none_or(|sums| sums == (0, 0)),
            anybody_lost: self.outcomes.is_some_and(|outcomes| outcomes.anybody_lost),
            ..self.report
        }
    }

    fn place(&self) -> (Vec<String>, String) {
        let (moves, state) = self.known.way(self.game, self.at);
        (moves, self.game.state_text(&state))
    }

    /// The first basic method whose result varies between calls, at a position on the current path
    /// or in a random game from the end of that path.
    fn find_change(&mut self) -> Option<&'static str> {
        /// The number of random games from the current position; `MOVES` limits the moves of each.
        const GAMES: u32 = 8;
        const MOVES: usize = 200;
        let game = self.game;
        let (mut ways, mut way) = (vec![self.at], self.at);
        while way != START && ways.len() < MOVES {
            way = self.known.before(way);
            ways.push(way);
        }
        let fault_at = self.at;
        for &at in ways.iter().rev() {
            self.at = at;
            let (_, state) = self.known.way(game, at);
            if let Some(what) = position::changes(game, &state) {
                return Some(what);
            }
        }
        for _ in 0..GAMES {
            self.at = fault_at;
            let (_, mut state) = self.known.way(game, fault_at);
            for _ in 0..MOVES {
                if let Some(what) = position::changes(game, &state) {
                    return Some(what);
                }
                let moves = list(game, &state);
                if moves.is_empty() {
                    break;
                }
                let mv = moves[self.rng.below(moves.len() as u32) as usize];
                game.play(&mut state, mv);
                self.at = self.known.step(self.at, mv);
            }
        }
        None
    }

    /// Checks the start position and the positions near it.
    fn start(&mut self) -> Result<(), RulesFault> {
        position::names(self.game)?;
        check_recommended(self.game.knowledge().recommended())?;
        let start = self.game.initial_state();
        self.look(&start, true)?;
        for again in std::iter::repeat_with(|| self.game.initial_state()).take(4) {
            if let Some(difference) = position::same_place(self.game, &start, &again) {
                return Err(RulesFault::Start(difference));
            }
        }
        self.walk(start, START, NEAR_START)
    }

    /// Checks `most` positions in breadth-first order from `from`.
    fn walk(&mut self, from: G::State, at: u32, most: usize) -> Result<(), RulesFault> {
        let mut queue = std::collections::VecDeque::from([(from, at)]);
        let mut seen = 0;
        while let Some((state, at)) = queue.pop_front() {
            self.at = at;
            let moves = self.look(&state, false)?;
            for &mv in &moves {
                if seen == most {
                    break;
                }
                seen += 1;
                let next = self.game.after(&state, mv);
                queue.push_back((next, self.known.step(at, mv)));
            }
        }
        Ok(())
    }

    /// Plays one random game, and replays its moves in other orders.
    fn random_game(&mut self) -> Result<(), RulesFault> {
        let game = self.game;
        let mut state = game.initial_state();
        let mut line = Vec::new();
        self.at = START;
        let ended = loop {
            let ply = line.len();
            let moves = self.look(&state, ply < LONG || ply % STRIDE == 0)?;
            if moves.is_empty() || ply == LONGEST_GAME {
                break moves.is_empty();
            }
            let mv = moves[self.rng.below(moves.len() as u32) as usize];
            game.play(&mut state, mv);
            self.at = self.known.step(self.at, mv);
            line.push(mv);
        };
        self.report.games += 1;
        self.report.ended += u64::from(ended);
        self.report.longest = self.report.longest.max(line.len());
        self.again(&line, &state)?;
        for _ in 0..EXCHANGES {
            self.exchanged(&line)?;
        }
        let place = self.rng.below(line.len() as u32 + 1) as usize;
        let (mut near, mut at) = (game.initial_state(), START);
        for &mv in &line[..place] {
            game.play(&mut near, mv);
            at = self.known.step(at, mv);
        }
        self.walk(near, at, NEAR)
    }

    /// Checks that replaying the moves leads to the same position.
    fn again(&mut self, line: &[G::Move], end: &G::State) -> Result<(), RulesFault> {
        let mut state = self.game.initial_state();
        line.iter().for_each(|&mv| self.game.play(&mut state, mv));
        match position::same_place(self.game, &state, end) {
            None => Ok(()),
            Some(difference) => Err(RulesFault::PlayChanges(difference)),
        }
    }

    /// Replays the moves of a game with two of them exchanged, as long as they are legal, so that
    /// transpositions occur even in games with many moves.
    fn exchanged(&mut self, line: &[G::Move]) -> Result<(), RulesFault> {
        /// The number of moves played after the two exchanged ones.
        const BEYOND: usize = 4;
        let Some(last) = line.len().checked_sub(3) else { return Ok(()) };
        let first = self.rng.below(last as u32 + 1) as usize;
        let second = (first + 1 + self.rng.below(4) as usize).min(line.len() - 1);
        let mut line = line[..line.len().min(second + BEYOND)].to_vec();
        line.swap(first, second);
        let mut state = self.game.initial_state();
        self.at = START;
        for (ply, &mv) in line.iter().enumerate() {
            if ply >= first && !list(self.game, &state).contains(&mv) {
                break;
            }
            self.game.play(&mut state, mv);
            self.at = self.known.step(self.at, mv);
            if ply >= first {
                self.look(&state, false)?;
            }
        }
        Ok(())
    }

    /// Checks the current position. Returns its moves, or an empty list if the game is over.
    fn look(&mut self, state: &G::State, closely: bool) -> Result<Vec<G::Move>, RulesFault> {
        let game = self.game;
        self.report.positions += 1;
        let turn = position::turn(game, state)?;
        let moves = match turn {
            Turn::Over => Vec::new(),
            turn => position::moves(game, state, turn, &mut self.rng)?,
        };
        let hash = game.key(state);
        if game.key(state) != hash {
            return Err(RulesFault::Changes { what: "key" });
        }
        if closely && game.state_text(state) != game.state_text(state) {
            return Err(RulesFault::Changes { what: "state_text" });
        }
        if closely && turn != Turn::Over {
            let splits = position::move_texts(game, state, &moves, &mut self.rng)?;
            self.report.splits_moves &= splits;
            position::steps(game, state, &moves, &mut self.rng)?;
            // Any score is sound, but the call must not panic.
            for &mv in &moves {
                let _ = game.knowledge().move_order(state, mv);
            }
        }
        if closely || turn == Turn::Over {
            let read = position::state_text(game, state, &mut self.rng)?;
            self.report.texts += u64::from(read);
        }
        match find_no_image(game, state, self.report.positions) {
            Ok(images) => self.report.images += images as u64,
            Err((image, difference)) => {
                return Err(RulesFault::Image { image, difference: Box::new(difference) });
            }
        }
        match (turn, &mut self.outcomes) {
            (Turn::Over, Some(outcomes)) => {
                let sum = outcomes.end(game, state)?;
                let (least, most) = self.sums.unwrap_or((sum, sum));
                self.sums = Some((least.min(sum), most.max(sum)));
            }
            (Turn::Player(_), _) if game.zero_sum() && !game.has_chance() => {
                self.foresight.look(game, state, (self.at, self.number), &moves)?;
            }
            _ => {}
        }
        if let Some(hash) = hash {
            self.known.meet(game, state, hash, self.at, &mut self.rng)?;
        }
        Ok(moves)
    }
}
