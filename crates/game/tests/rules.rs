//! Tests of `check_rules`: it accepts rules that keep the contract, and reports each fault at the
//! position where it occurs.

use proofwood::error::GameError;
use proofwood::rules::{Difference, LONGEST_GAME, RulesError, RulesFault, RulesReport};
use proofwood::{DomainKnowledge, Game, Outcome, Rng, StaticBound, TextError, Turn, check_rules};
use proofwood_testkit::random_game::RandomGame;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicU32, Ordering};

/// A deliberate fault in [`Sticks`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mistake {
    None,
    // Faults of the game as a whole.
    NoPlayers,
    NinePlayers,
    ThreeWithZeroSum,
    EmptyRange,
    OutcomeFalls,
    OutcomesDoNotMirror,
    StartChanges,
    OneName,
    NameWithBreak,
    // Faults of a position.
    TurnChanges,
    NoSuchPlayer,
    UnannouncedChance,
    NoMoves,
    TooManyMoves,
    OrderChanges,
    MovesChange,
    RepeatedMove,
    MobilityTooSmall,
    MobilityZero,
    NoRandomMove,
    IllegalRandomMove,
    IllegalPlayoutMove,
    PlaysOutOtherMoves,
    PlaysOutTooFew,
    PlaysOutOtherRandomMoves,
    WorthOutside,
    WorthChanges,
    Endless,
    ClearsTheBuffer,
    // Faults of moves.
    PlayChanges,
    SharedState,
    AfterIsNotPlay,
    // Faults at the end of the game.
    PayoffChanges,
    PayoffOutside,
    NotZeroSum,
    ZeroSumForgotten,
    // Faults of texts.
    OneTextForTwoMoves,
    MoveTextWithBreak,
    MoveReadAsAnother,
    MoveRefused,
    StateTextChanges,
    StateTextWithBreak,
    StateReadAsAnother,
    StateRefused,
    StateTextForgetsTheMover,
    // Faults of keys.
    HashChanges,
    ConstantHash,
    HashForgetsTheMover,
    // Faults of static bounds.
    StaticBoundChanges,
    StaticBoundOutside,
    StaticBoundWrong,
    NarrowsToLosses,
    BoundWrong,
    StaticBoundLoses,
    ForeseesNoMove,
    ForeseesOthers,
    ForeseesInDisorder,
    ForeseesWithoutHash,
    // Panics.
    PanicInTurn,
    PanicInMoves,
    PanicInPlay,
    PanicInPayoff,
    PanicInHash,
    PanicInText,
}

use Mistake as M;

/// The players take one, two or three sticks in turn, and the player who takes the last one wins.
/// The game would be a draw after 30 moves, but the sticks are gone before that. Some mistakes
/// begin when few sticks are left.
struct Sticks {
    mistake: Mistake,
    asked: AtomicU32,
}

/// The number of sticks below which some mistakes begin.
const FEW: u32 = 6;

#[derive(Clone)]
struct Heap {
    sticks: u32,
    mover: usize,
    moves: u32,
    /// A counter that clones wrongly share.
    shared: std::sync::Arc<AtomicU32>,
}

impl Sticks {
    fn with(mistake: Mistake) -> Sticks {
        Sticks { mistake, asked: AtomicU32::new(0) }
    }

    fn has(&self, mistake: Mistake) -> bool {
        self.mistake == mistake
    }

    fn flips(&self, mistake: Mistake) -> bool {
        self.has(mistake) && self.asked.fetch_add(1, Ordering::Relaxed) % 2 == 1
    }
}

impl Game for Sticks {
    type State = Heap;
    type Move = u32;

    fn initial_state(&self) -> Heap {
        let sticks = if self.flips(M::StartChanges) { 2 } else { 16 };
        Heap { sticks, mover: 0, moves: 0, shared: Default::default() }
    }
    fn num_players(&self) -> usize {
        match self.mistake {
            M::NoPlayers => 0,
            M::NinePlayers => 9,
            M::ThreeWithZeroSum => 3,
            _ => 2,
        }
    }
    fn turn(&self, heap: &Heap) -> Turn {
        let few = heap.sticks < FEW;
        match heap.sticks {
            4 if self.has(M::PanicInTurn) => panic!("no turn"),
            0 if self.has(M::NoMoves) => Turn::Player(heap.mover),
            0 if !self.has(M::Endless) => Turn::Over,
            _ if few && self.has(M::NoSuchPlayer) => Turn::Player(7),
            _ if few && self.has(M::UnannouncedChance) => Turn::Chance,
            _ if few && self.flips(M::TurnChanges) => Turn::Player(1 - heap.mover),
            _ if self.has(M::SharedState) => {
                Turn::Player(heap.shared.load(Ordering::Relaxed) as usize % 2)
            }
            _ => Turn::Player(heap.mover),
        }
    }
    fn legal_moves(&self, heap: &Heap, moves: &mut Vec<u32>) {
        let most = heap.sticks.min(3);
        match self.mistake {
            M::PanicInMoves if heap.sticks == 4 => panic!("no moves"),
            M::TooManyMoves if heap.sticks == 9 => moves.extend(1..=70_000),
            M::OrderChanges if self.flips(M::OrderChanges) => moves.extend((1..=most).rev()),
            M::MovesChange if self.flips(M::MovesChange) => moves.extend(1..=heap.sticks.min(2)),
            M::RepeatedMove if most == 2 => moves.extend([1, 2, 1]),
            M::Endless if most < 3 => moves.push(0),
            M::ClearsTheBuffer => {
                moves.clear();
                moves.extend(1..=most);
            }
            _ => moves.extend(1..=most),
        }
    }
    fn play(&self, heap: &mut Heap, taken: u32) {
        assert!(!self.has(M::PanicInPlay) || taken != heap.sticks, "no move");
        let changed = taken < heap.sticks && self.flips(M::PlayChanges);
        heap.sticks -= taken + u32::from(changed);
        heap.mover = 1 - heap.mover;
        heap.moves += 1;
        if self.has(M::SharedState) {
            heap.shared.fetch_add(1, Ordering::Relaxed);
        }
    }
    fn after(&self, heap: &Heap, taken: u32) -> Heap {
        let mut next = heap.clone();
        self.play(&mut next, taken);
        if self.has(M::AfterIsNotPlay) && heap.sticks > 9 {
            next.sticks -= 1;
        }
        next
    }
    fn payoff(&self, heap: &Heap, player: usize) -> i32 {
        assert!(!self.has(M::PanicInPayoff), "no payoff");
        let value = if player == heap.mover { -1 } else { 1 };
        match self.mistake {
            M::PayoffChanges if self.flips(M::PayoffChanges) => -value,
            M::PayoffOutside => 2 * value,
            M::NotZeroSum => -1,
            _ => value,
        }
    }
    #[expect(clippy::reversed_empty_ranges, reason = "an empty range is what is tested")]
    fn payoff_range(&self, _player: usize) -> RangeInclusive<i32> {
        if self.has(M::EmptyRange) { 1..=-1 } else { -1..=1 }
    }
    fn zero_sum(&self) -> bool {
        ![M::ZeroSumForgotten, M::OutcomeFalls, M::Endless].contains(&self.mistake)
    }
    fn outcome(&self, player: usize, payoff: i32) -> Outcome {
        match payoff {
            0 if self.has(M::OutcomeFalls) => Outcome::Win,
            1 if self.has(M::OutcomeFalls) => Outcome::Draw,
            0 if self.has(M::OutcomesDoNotMirror) && player == 1 => Outcome::Win,
            payoff => match payoff.signum() {
                -1 => Outcome::Loss,
                0 => Outcome::Draw,
                _ => Outcome::Win,
            },
        }
    }
    fn random_move(&self, heap: &Heap, moves: &mut Vec<u32>, rng: &mut Rng) -> Option<u32> {
        self.legal_moves(heap, moves);
        match heap.sticks {
            3 if self.has(M::NoRandomMove) => None,
            1 | 2 if self.has(M::IllegalRandomMove) => Some(3),
            _ => Some(moves[rng.below(moves.len() as u32) as usize]),
        }
    }
    fn mobility(&self, heap: &Heap, moves: &mut Vec<u32>) -> usize {
        self.legal_moves(heap, moves);
        match heap.sticks {
            3 if self.has(M::MobilityTooSmall) => 2,
            1 if self.has(M::MobilityZero) => 0,
            _ => moves.len(),
        }
    }
    fn key(&self, heap: &Heap) -> Option<u64> {
        assert!(!self.has(M::PanicInHash) || heap.sticks > 3, "no hash");
        let all = |key: u64| Some(key.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let (sticks, mover) = (u64::from(heap.sticks), heap.mover as u64);
        match self.mistake {
            M::HashChanges if self.flips(M::HashChanges) => Some(1),
            M::ConstantHash => Some(7),
            M::HashForgetsTheMover => all(sticks),
            M::ForeseesWithoutHash => None,
            _ => all(sticks << 1 | mover),
        }
    }

    fn knowledge(&self) -> impl DomainKnowledge<Self> {
        self
    }
    fn player_name(&self, player: usize) -> String {
        match self.mistake {
            M::OneName => "he".into(),
            M::NameWithBreak => format!("{player}\n"),
            _ => format!("player {player}"),
        }
    }
    fn move_text(&self, _heap: &Heap, taken: u32) -> String {
        match self.mistake {
            M::OneTextForTwoMoves if taken > 1 => "many".into(),
            M::MoveTextWithBreak => format!("take\n{taken}"),
            _ => format!("take-{taken}"),
        }
    }
    fn parse_move(&self, heap: &Heap, text: &str) -> Result<u32, TextError> {
        let taken = text.strip_prefix("take-").and_then(|taken| taken.parse().ok());
        match self.mistake {
            M::MoveReadAsAnother => Ok(1),
            M::MoveRefused if heap.sticks < FEW => Err(TextError::new("not now")),
            _ => taken.ok_or_else(|| TextError::new(format!("'{text}' is no move"))),
        }
    }
    fn state_text(&self, heap: &Heap) -> String {
        assert!(!self.has(M::PanicInText), "no text");
        match self.mistake {
            M::StateTextChanges if self.flips(M::StateTextChanges) => "changed".into(),
            M::StateTextWithBreak => format!("{}\n{}", heap.sticks, heap.mover),
            M::StateTextForgetsTheMover => format!("{} sticks", heap.sticks),
            _ => format!("{} {}", heap.sticks, heap.mover),
        }
    }
    fn parse_state(&self, text: &str) -> Result<Heap, TextError> {
        let refused = || TextError::new(format!("'{text}' is no position"));
        let (sticks, mover) = text.split_once(' ').ok_or_else(refused)?;
        let (mut sticks, mover) = match (sticks.parse(), mover.parse()) {
            (Ok(sticks), Ok(mover)) => (sticks, mover),
            _ if self.has(M::StateTextForgetsTheMover) => (16, 0),
            _ => return Err(refused()),
        };
        match self.mistake {
            M::StateReadAsAnother if sticks == 5 => sticks = 4,
            M::StateRefused if sticks < FEW => return Err(refused()),
            _ => {}
        }
        Ok(Heap { sticks, mover, ..self.initial_state() })
    }
}

impl DomainKnowledge<Sticks> for Sticks {
    fn rollout_move(&self, heap: &Heap, _moves: &mut Vec<u32>, _rng: &mut Rng) -> Option<u32> {
        (heap.sticks == 2 && self.has(M::IllegalPlayoutMove)).then_some(3)
    }

    /// Plays no move unless one of two mistakes is set. With one, the move from two sticks may
    /// differ from the one that a single draw would choose; with the other, the returned number is
    /// too small.
    fn rollout(&self, heap: &mut Heap, cap: u32, rng: &mut Rng) -> u32 {
        if !self.has(M::PlaysOutOtherMoves) && !self.has(M::PlaysOutTooFew) {
            return 0;
        }
        let mut played = 0;
        while played < cap && matches!(self.turn(heap), Turn::Player(_)) {
            let drawn = self.random_move(heap, &mut Vec::new(), rng).expect("a move");
            let other = self.has(M::PlaysOutOtherMoves) && heap.sticks == 2;
            self.play(heap, if other { 1 } else { drawn });
            played += 1;
        }
        if self.has(M::PlaysOutTooFew) { played.saturating_sub(1) } else { played }
    }

    /// Plays no move unless its mistake is set; then it always plays the first legal move.
    fn rollout_randomly(&self, heap: &mut Heap, cap: u32, _rng: &mut Rng) -> u32 {
        let mut played = 0;
        while self.has(M::PlaysOutOtherRandomMoves)
            && played < cap
            && matches!(self.turn(heap), Turn::Player(_))
        {
            self.play(heap, 1);
            played += 1;
        }
        played
    }

    fn evaluate(&self, _heap: &Heap) -> Option<f32> {
        match self.mistake {
            M::WorthOutside => Some(f32::NAN),
            M::WorthChanges if self.flips(M::WorthChanges) => Some(0.5),
            _ => Some(0.0),
        }
    }

    fn static_bound_at(&self, heap: &Heap, at_least: i32, moves: &mut Vec<u32>) -> StaticBound {
        match (self.mistake, self.static_bound_for_prover(heap, moves)) {
            // A bound that contradicts the payoff.
            (M::BoundWrong, StaticBound::Payoff(payoff)) if heap.sticks == 5 => {
                if payoff >= at_least { StaticBound::AtMost(-1) } else { StaticBound::AtLeast(1) }
            }
            // The game pushes a losing move for this threshold only.
            (M::NarrowsToLosses, StaticBound::Moves) if at_least == -1 && heap.sticks == 5 => {
                moves.clear();
                moves.push(2);
                StaticBound::Moves
            }
            (_, static_bound) => static_bound,
        }
    }

    fn static_bound(&self, heap: &Heap, moves: &mut Vec<u32>) -> StaticBound {
        let sign = if heap.mover == 0 { 1 } else { -1 };
        let (best, right) = match heap.sticks % 4 {
            0 => (1, -sign),
            best => (best, sign),
        };
        // The static bound is the payoff if player 0 is to move, and the best moves otherwise.
        let payoff = match self.mistake {
            M::StaticBoundChanges if self.flips(M::StaticBoundChanges) => {
                return StaticBound::Nothing;
            }
            M::StaticBoundOutside => 2 * right,
            M::StaticBoundWrong if heap.sticks == 5 => -right,
            _ => right,
        };
        if heap.mover == 0 {
            return StaticBound::Payoff(payoff);
        }
        match self.mistake {
            M::StaticBoundLoses => moves.extend((1..=heap.sticks.min(3)).find(|&mv| mv != best)),
            M::ForeseesNoMove => {}
            M::ForeseesOthers => moves.push(4),
            M::ForeseesInDisorder if heap.sticks > 1 => moves.extend([2, 1]),
            _ => moves.push(best),
        }
        if moves.is_empty() && self.has(M::StaticBoundLoses) {
            moves.push(best);
        }
        StaticBound::Moves
    }
}

fn checked(mistake: Mistake) -> Result<RulesReport, RulesError> {
    check_rules(&Sticks::with(mistake), 1, 50)
}

fn said(mistake: Mistake) -> String {
    let error = match checked(mistake) {
        Err(error) => error,
        Ok(report) => return format!("nothing, after {report:?}"),
    };
    let text = error.to_string();
    assert!(!text.contains('\n'), "{text}");
    assert!(text.ends_with(&format!("seed 1, game {})", error.game)), "{text}");
    text
}

#[test]
fn a_mistake_is_named() {
    let mut wrong = Vec::new();
    for (mistake, message) in [
        (M::NoPlayers, "the number of players is 0; it must be 1 to 8"),
        (M::NinePlayers, "the number of players is 9"),
        (M::ThreeWithZeroSum, "a zero-sum game must have two players, not 3"),
        (M::EmptyRange, "player 0 has an empty payoff range"),
        (M::OutcomeFalls, "the payoff 0 is a win, but the greater payoff 1 is a draw"),
        (
            M::OutcomesDoNotMirror,
            "but the payoff 0 is a draw for player 0 and 0 is a win for player 1",
        ),
        (M::StartChanges, "the game does not always start from the same position"),
        (M::OneName, "two players are named 'he'"),
        (M::NameWithBreak, "player_name returns a line break"),
        (M::TurnChanges, "two calls of turn for the same position return different results"),
        (M::NoSuchPlayer, "player 7 is to move, but the game has 2 players"),
        (M::UnannouncedChance, "chance decides in a position, but Game::has_chance returns false"),
        (M::NoMoves, "a position that is not over has no legal move"),
        (M::TooManyMoves, "a position has 70000 legal moves; the maximum is 65535"),
        (M::OrderChanges, "two calls of legal_moves for the same position"),
        (M::MovesChange, "two calls of legal_moves for the same position"),
        (M::RepeatedMove, "the move take-1 is listed twice"),
        (M::MobilityTooSmall, "mobility counts 2 moves, but legal_moves lists 3"),
        (M::MobilityZero, "mobility counts 0 moves, but legal_moves lists 1"),
        (M::NoRandomMove, "random_move returns no move"),
        (M::IllegalRandomMove, "random_move returns 3, which is not legal"),
        (M::IllegalPlayoutMove, "rollout_move returns 3, which is not legal"),
        (M::PlaysOutOtherMoves, "rollout does not reach the position that its 8 moves lead to"),
        (M::PlaysOutTooFew, "rollout does not reach the position that its 6 moves lead to"),
        (M::PlaysOutOtherRandomMoves, "rollout_randomly does not reach the position that its 8"),
        (M::WorthOutside, "evaluate returns NaN; it must return a number from -1 to 1"),
        (M::WorthChanges, "two calls of evaluate for the same position"),
        (M::PlayChanges, "two calls of play for the same position"),
        (M::SharedState, "playing the move take-"),
        (M::AfterIsNotPlay, "after and play lead to different positions"),
        (M::PayoffChanges, "two calls of payoff for the same position"),
        (M::PayoffOutside, "outside the range -1 to 1"),
        (M::NotZeroSum, "the game is declared zero-sum, but its payoffs are -1 and -1"),
        (M::OneTextForTwoMoves, "two moves have the same text, 'many'"),
        (M::MoveTextWithBreak, "move_text returns a line break"),
        (M::MoveReadAsAnother, "is read back as the move 1"),
        (M::MoveRefused, "cannot be read back: not now"),
        (M::StateTextChanges, "two calls of state_text for the same position"),
        (M::StateTextWithBreak, "state_text returns a line break"),
        (M::StateReadAsAnother, "the position text '5 "),
        (M::StateRefused, "cannot be read back: '"),
        (M::StateTextForgetsTheMover, "text collision"),
        (M::HashChanges, "two calls of key for the same position"),
        (M::ConstantHash, "key collision: 0x0000000000000007 is also the key of '16 0'"),
        (M::HashForgetsTheMover, "key collision"),
        (M::StaticBoundChanges, "two calls of static_bound for the same position"),
        (M::StaticBoundOutside, "2, outside the range -1 to 1"),
        (M::StaticBoundWrong, "best play to the end pays"),
        (M::BoundWrong, "best play to the end pays"),
        (M::StaticBoundLoses, "static_bound leaves out the best move"),
        (M::NarrowsToLosses, "static_bound leaves out the best move"),
        (
            M::ForeseesNoMove,
            "DomainKnowledge::static_bound returns StaticBound::Moves but pushes no move",
        ),
        (M::ForeseesOthers, "static_bound pushes 4, which is not legal"),
        (M::ForeseesInDisorder, "static_bound pushes moves in a different order"),
        (M::ForeseesWithoutHash, "static_bound pushes moves, but the game has no key"),
        (M::PanicInTurn, "the rules panicked: no turn"),
        (M::PanicInMoves, "the rules panicked: no moves"),
        (M::PanicInPlay, "the rules panicked: no move"),
        (M::PanicInPayoff, "the rules panicked: no payoff"),
        (M::PanicInHash, "the rules panicked: no hash"),
        (M::PanicInText, "the rules panicked: no text"),
    ] {
        let said = said(mistake);
        if !said.contains(message) {
            wrong.push(format!("{mistake:?}: {said}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn right_rules_pass_and_what_was_seen_is_told() {
    for mistake in [M::None, M::ClearsTheBuffer] {
        let report = checked(mistake).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((report.games, report.ended), (50, 50));
        assert!((4..=16).contains(&report.longest));
        // The heap has 0 to 16 sticks, in most cases with either player to move.
        assert!((20..=33).contains(&report.hashes), "{report:?}");
        let seen = [report.positions, report.texts, report.transpositions];
        assert!(seen.into_iter().all(|count| count > 500), "{report:?}");
        assert!(report.static_bounds > 100 && report.narrowed > 100, "{report:?}");
        assert!(report.splits_moves && report.adds_up_to_zero);
    }
    let forgotten = checked(M::ZeroSumForgotten).expect("that is no mistake");
    assert!(forgotten.adds_up_to_zero);
}

#[test]
fn one_seed_is_one_course_of_games() {
    assert_eq!(checked(M::None), checked(M::None));
    let error = || checked(M::HashForgetsTheMover).expect_err("it forgets");
    assert_eq!(error(), error());
    // A check of as many games as the error states finds the fault again.
    let error = error();
    let again = check_rules(&Sticks::with(M::HashForgetsTheMover), 1, error.game + 1);
    assert_eq!(again, Err(error));
}

/// A key collision is reported with both positions and the paths to them.
#[test]
fn one_hash_for_two_futures_is_shown_with_both_ways() {
    let game = Sticks::with(M::HashForgetsTheMover);
    let error = check_rules(&game, 3, 10).expect_err("it forgets");
    let RulesFault::OneKey { key, position, moves, difference } = &*error.fault else {
        panic!("{error}");
    };
    let reached = |moves: &[String]| {
        let mut heap = game.initial_state();
        for text in moves {
            let mv = game.parse_move(&heap, text).expect("a legal move");
            game.play(&mut heap, mv);
        }
        heap
    };
    let (here, there) = (reached(&error.moves), reached(moves));
    assert_eq!((game.key(&here), game.key(&there)), (Some(*key), Some(*key)));
    assert_eq!(game.state_text(&here), error.position);
    assert_eq!(game.state_text(&there), *position);
    assert_eq!(**difference, Difference::Turns(game.turn(&here), game.turn(&there)));
    let text = error.to_string();
    assert!(text.contains(position.as_str()) && text.contains(&error.position), "{text}");
    assert!(text.contains(&moves.join(" ")), "{text}");
}

#[test]
fn a_game_that_never_ends_is_told() {
    let error = check_rules(&Sticks::with(M::Endless), 1, 1).expect_err("it goes on");
    assert_eq!(*error.fault, RulesFault::Endless { moves: LONGEST_GAME });
    // A check of no games reports no fault.
    assert!(check_rules(&Sticks::with(M::Endless), 1, 0).is_ok());
}

/// A piece moves left or right on five cells; the player wins if it is in the middle after eight
/// moves. With `forgets`, the key omits the number of moves left, a fault that shows only in later
/// positions.
struct Walk {
    forgets: bool,
}

impl Game for Walk {
    type State = (i8, u8);
    type Move = i8;

    fn initial_state(&self) -> (i8, u8) {
        (0, 8)
    }
    fn turn(&self, &(_, left): &(i8, u8)) -> Turn {
        if left == 0 { Turn::Over } else { Turn::Player(0) }
    }
    fn legal_moves(&self, &(cell, _): &(i8, u8), moves: &mut Vec<i8>) {
        moves.extend([-1, 1].into_iter().filter(|step| (-2..=2).contains(&(cell + step))));
    }
    fn play(&self, state: &mut (i8, u8), step: i8) {
        *state = (state.0 + step, state.1 - 1);
    }
    fn payoff(&self, &(cell, _): &(i8, u8), _player: usize) -> i32 {
        i32::from(cell == 0)
    }
    fn num_players(&self) -> usize {
        1
    }
    fn key(&self, &(cell, left): &(i8, u8)) -> Option<u64> {
        let left = if self.forgets && left > 0 { 1 } else { u64::from(left) };
        Some((left << 8 | cell as u8 as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }
}

#[test]
fn a_hash_that_forgets_what_shows_only_later_is_found() {
    let report = check_rules(&Walk { forgets: false }, 1, 20);
    assert!(report.is_ok_and(|report| report.transpositions > 20));
    let error = check_rules(&Walk { forgets: true }, 1, 20).expect_err("it forgets the clock");
    let RulesFault::OneKey { difference, .. } = &*error.fault else { panic!("{error}") };
    let Difference::Later { moves, difference } = &**difference else { panic!("{error}") };
    assert!(!moves.is_empty());
    assert!(matches!(**difference, Difference::Turns(..)), "{difference:?}");
}

/// A coin is tossed, and player 0 receives a payoff that depends on it.
struct Coin {
    weights: [u32; 2],
    flips: bool,
    asked: AtomicU32,
}

impl Game for Coin {
    type State = Option<i8>;
    type Move = i8;

    fn initial_state(&self) -> Option<i8> {
        None
    }
    fn turn(&self, side: &Option<i8>) -> Turn {
        if side.is_some() { Turn::Over } else { Turn::Chance }
    }
    fn legal_moves(&self, _: &Option<i8>, moves: &mut Vec<i8>) {
        moves.extend([0, 1]);
    }
    fn play(&self, side: &mut Option<i8>, fallen: i8) {
        *side = Some(fallen);
    }
    fn payoff(&self, side: &Option<i8>, _player: usize) -> i32 {
        side.map_or(0, i32::from)
    }
    fn num_players(&self) -> usize {
        1
    }
    fn has_chance(&self) -> bool {
        true
    }
    fn chance_weight(&self, _: &Option<i8>, fallen: i8) -> u32 {
        let flips = self.flips && self.asked.fetch_add(1, Ordering::Relaxed) % 2 == 1;
        self.weights[fallen as usize] + u32::from(flips)
    }
}

#[test]
fn weights_are_checked() {
    let coin = |weights, flips| {
        let asked = AtomicU32::new(0);
        check_rules(&Coin { weights, flips, asked }, 1, 5).map_err(|error| *error.fault)
    };
    assert!(coin([1, 3], false).is_ok());
    assert_eq!(coin([1, 0], false), Err(RulesFault::Contract(GameError::Weight("1".into()))));
    assert_eq!(coin([1, 3], true), Err(RulesFault::Changes { what: "chance_weight" }));
}

/// A game of sticks that writes positions as texts but cannot parse them; certificates need no
/// more. With `forgets`, positions with different futures have the same text, which is a fault.
struct Written {
    forgets: bool,
}

impl Game for Written {
    type State = (u32, usize);
    type Move = u32;

    fn initial_state(&self) -> (u32, usize) {
        (10, 0)
    }
    fn turn(&self, &(sticks, mover): &(u32, usize)) -> Turn {
        if sticks == 0 { Turn::Over } else { Turn::Player(mover) }
    }
    fn legal_moves(&self, &(sticks, _): &(u32, usize), moves: &mut Vec<u32>) {
        moves.extend(1..=sticks.min(3));
    }
    fn play(&self, state: &mut (u32, usize), taken: u32) {
        *state = (state.0 - taken, 1 - state.1);
    }
    fn payoff(&self, &(_, mover): &(u32, usize), player: usize) -> i32 {
        if player == mover { -1 } else { 1 }
    }
    fn key(&self, &(sticks, mover): &(u32, usize)) -> Option<u64> {
        Some((u64::from(sticks) << 1 | mover as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }
    fn state_text(&self, &(sticks, mover): &(u32, usize)) -> String {
        if self.forgets { format!("{sticks}") } else { format!("{sticks}, {mover} to move") }
    }
    fn move_text(&self, _: &(u32, usize), taken: u32) -> String {
        format!("take {taken}")
    }
}

#[test]
fn a_text_for_two_futures_is_found_where_nobody_reads_it() {
    let report = check_rules(&Written { forgets: false }, 1, 20).expect("nothing is wrong");
    assert_eq!((report.texts, report.splits_moves), (0, false));
    let error = check_rules(&Written { forgets: true }, 1, 20).expect_err("one text for both");
    assert!(matches!(*error.fault, RulesFault::OneText { .. }), "{error}");
    assert!(error.to_string().starts_with("text collision: '"), "{error}");
}

#[test]
fn random_games_pass() {
    for number in 0..300 {
        for game in [RandomGame::new(number), RandomGame::with_chance(number)] {
            check_rules(&game, number, 5).unwrap_or_else(|error| panic!("{game:?}: {error}"));
        }
    }
}
