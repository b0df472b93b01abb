//! Tests of errors that name the faulty method: rules that change between calls, outcomes that fall
//! as payoffs rise, policies without a move, impossible settings, and payoffs with which no player
//! can lose.

use proofwood::error::{EvaluatorError, GameError};
use proofwood::evaluate::RolloutPolicy;
use proofwood::rules::RulesFault;
use proofwood::{
    Algorithm, Budget, Config, DomainKnowledge, Game, Goal, Outcome, ProofGoal, ProofSearch,
    ProverConfig, Recommended, Rng, Search, SearchError, TextError, Turn, Value, check_rules,
    prove, search,
};
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicU64, Ordering};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Wrong {
    Nothing,
    // The next three faults change the answers in half of the calls.
    Order,
    Moves,
    Turn,
    Key,
    Payoff,
    /// A draw is better than a win.
    OutcomeFalls,
    /// Ranges begin at 0, although payoffs sum to zero.
    NoLoss,
    RandomMove,
    RecommendedC,
    RecommendedShare,
    /// Each player receives the number of sticks that it took.
    Points,
}

/// The players take one to three of twelve sticks; the player who takes the last one wins.
#[derive(Debug)]
struct Heap {
    wrong: Wrong,
    calls: AtomicU64,
}

#[derive(Clone)]
struct Sticks {
    left: u32,
    mover: usize,
    taken: [i32; 2],
}

impl Heap {
    fn new(wrong: Wrong) -> Heap {
        Heap { wrong, calls: AtomicU64::new(0) }
    }

    fn coin(&self, wrong: Wrong) -> bool {
        let call = || self.calls.fetch_add(1, Ordering::Relaxed).wrapping_add(1);
        self.wrong == wrong && Rng::new(call().wrapping_mul(0x9e37_79b9_7f4a_7c15)).below(2) == 0
    }
}

impl Game for Heap {
    type State = Sticks;
    type Move = u32;

    fn initial_state(&self) -> Sticks {
        Sticks { left: 12, mover: 0, taken: [0; 2] }
    }
    fn turn(&self, sticks: &Sticks) -> Turn {
        match sticks.left {
            0 => Turn::Over,
            1..6 if self.coin(Wrong::Turn) => Turn::Player(1 - sticks.mover),
            _ => Turn::Player(sticks.mover),
        }
    }
    fn legal_moves(&self, sticks: &Sticks, moves: &mut Vec<u32>) {
        let most = sticks.left.min(3);
        match most {
            2.. if self.coin(Wrong::Moves) => moves.extend(1..most),
            _ => moves.extend(1..=most),
        }
        if self.coin(Wrong::Order) {
            moves.reverse();
        }
    }
    fn play(&self, sticks: &mut Sticks, taken: u32) {
        sticks.taken[sticks.mover] += taken as i32;
        sticks.left -= taken;
        sticks.mover = 1 - sticks.mover;
    }
    fn payoff(&self, sticks: &Sticks, player: usize) -> i32 {
        let won = player != sticks.mover;
        match self.wrong {
            Wrong::Points => sticks.taken[player],
            Wrong::Payoff if self.coin(Wrong::Payoff) => 0,
            _ => {
                if won {
                    1
                } else {
                    -1
                }
            }
        }
    }
    fn payoff_range(&self, _: usize) -> RangeInclusive<i32> {
        match self.wrong {
            Wrong::NoLoss => 0..=1,
            Wrong::Points => 0..=12,
            _ => -1..=1,
        }
    }
    fn zero_sum(&self) -> bool {
        !matches!(self.wrong, Wrong::Points | Wrong::OutcomeFalls | Wrong::Payoff)
    }
    fn outcome(&self, _: usize, payoff: i32) -> Outcome {
        match payoff.signum() {
            -1 => Outcome::Loss,
            0 if self.wrong == Wrong::OutcomeFalls => Outcome::Win,
            1 if self.wrong == Wrong::OutcomeFalls => Outcome::Draw,
            0 => Outcome::Draw,
            _ => Outcome::Win,
        }
    }
    fn key(&self, sticks: &Sticks) -> Option<u64> {
        let Sticks { left, mover, taken } = sticks;
        let taken = if self.wrong == Wrong::Points { taken[0] as u64 } else { 0 };
        let key = (u64::from(*left) << 9 | taken << 1 | *mover as u64) + 1;
        (!self.coin(Wrong::Key)).then_some(key.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }
    fn random_move(&self, sticks: &Sticks, moves: &mut Vec<u32>, rng: &mut Rng) -> Option<u32> {
        self.legal_moves(sticks, moves);
        let drawn = moves[rng.below(moves.len() as u32) as usize];
        (sticks.left > 3 || self.wrong != Wrong::RandomMove).then_some(drawn)
    }
    fn state_text(&self, Sticks { left, mover, taken }: &Sticks) -> String {
        format!("{left} {mover} {taken:?}")
    }
    fn knowledge(&self) -> impl DomainKnowledge<Self> {
        self
    }
}

impl DomainKnowledge<Heap> for Heap {
    fn recommended(&self) -> Recommended {
        match self.wrong {
            Wrong::RecommendedC => Recommended::default().c(f64::NAN),
            Wrong::RecommendedShare => Recommended::default().prover_share(7.0),
            _ => Recommended::default(),
        }
    }
}

#[test]
fn what_changes_from_call_to_call_is_named() {
    for (wrong, what) in [
        (Wrong::Order, "legal_moves"),
        (Wrong::Moves, "legal_moves"),
        (Wrong::Turn, "turn"),
        (Wrong::Key, "key"),
        (Wrong::Payoff, "payoff"),
    ] {
        for seed in 0..40 {
            let error = check_rules(&Heap::new(wrong), seed, 20).expect_err("it changes");
            assert_eq!(*error.fault, RulesFault::Changes { what }, "{wrong:?}, {seed}: {error}");
        }
    }
    for seed in 0..40 {
        check_rules(&Heap::new(Wrong::Nothing), seed, 20).expect("nothing is wrong");
    }
}

fn searched(wrong: Wrong) -> Result<Value, SearchError> {
    let (game, config) = (Heap::new(wrong), Config::default().threads(1).memory(1 << 20));
    let root = game.initial_state();
    search(game, root, config, &Budget::default().playouts(1000)).map(|report| report.proven)
}

fn prover() -> ProverConfig {
    ProverConfig::default().threads(1).table(1 << 16).memory(1 << 20)
}

#[test]
fn outcomes_that_fall_are_refused_by_all() {
    let falls = |error: &SearchError| {
        matches!(error, SearchError::Game(GameError::Outcomes { .. }))
            && error.to_string().contains("must not have a worse outcome")
    };
    assert!(searched(Wrong::OutcomeFalls).is_err_and(|error| falls(&error)));
    for goal in ProofGoal::ALL {
        let game = Heap::new(Wrong::OutcomeFalls);
        let root = game.initial_state();
        let error = prove(game, root.clone(), prover().goal(*goal), &Budget::default()).err();
        assert!(error.is_some_and(|error| falls(&error)), "{goal}");
        let game = Heap::new(Wrong::OutcomeFalls);
        assert!(ProofSearch::new(game, root, prover()).is_err_and(|error| falls(&error)));
    }
}

#[test]
fn a_zero_sum_of_ranges_that_allow_one_payoff_is_refused() {
    let one = |error: &SearchError| {
        matches!(error, SearchError::Game(GameError::ZeroSumOnePayoff { only: 0, .. }))
    };
    assert!(searched(Wrong::NoLoss).is_err_and(|error| one(&error)));
    let game = Heap::new(Wrong::NoLoss);
    let root = game.initial_state();
    let error = prove(game, root, prover(), &Budget::default()).err();
    assert!(error.is_some_and(|error| one(&error)));
}

/// A policy that chooses no move, or an illegal one, when few sticks are left.
struct Few(Option<u32>);

impl RolloutPolicy<Heap> for Few {
    fn choose(
        &self,
        game: &Heap,
        sticks: &Sticks,
        moves: &mut Vec<u32>,
        rng: &mut Rng,
    ) -> Option<u32> {
        if sticks.left <= 3 { self.0 } else { game.random_move(sticks, moves, rng) }
    }
}

#[test]
fn a_policy_without_a_legal_move_is_named() {
    let search = |policy| {
        let game = Heap::new(Wrong::Nothing);
        let (root, config) = (game.initial_state(), Config::default().threads(1));
        let mut search =
            Search::with_rollout_policy(game, root, config, policy).expect("sound settings");
        search.search(&Budget::default().playouts(1000)).expect_err("no move")
    };
    let none = search(Few(None));
    assert!(matches!(none, SearchError::Evaluator(EvaluatorError::NoMove { .. })), "{none}");
    let text = none.to_string();
    assert!(text.contains("Few") && text.contains("chooses no move"), "{text}");
    if cfg!(debug_assertions) {
        let text = search(Few(Some(4))).to_string();
        assert!(text.contains("Few, which chooses the illegal move 4"), "{text}");
    }
    assert_eq!(searched(Wrong::RandomMove), Err(SearchError::Game(GameError::NoRandomMove)));
}

#[test]
fn settings_that_suit_no_game_are_those_of_the_game() {
    for (wrong, message) in [
        (
            Wrong::RecommendedC,
            "DomainKnowledge::recommended: c is NaN; it must be a number from 0 to 1000",
        ),
        (
            Wrong::RecommendedShare,
            "DomainKnowledge::recommended: prover_share is 7; it must be a number from 0 to 0.9",
        ),
    ] {
        let error = check_rules(&Heap::new(wrong), 1, 1).expect_err("no such setting");
        assert!(error.to_string().starts_with(message), "{error}");
        let error = searched(wrong).expect_err("no such setting").to_string();
        assert!(error.ends_with(message), "{error}");
    }
}

/// If every payoff is above 0 and therefore a win, playouts do not show which player is ahead.
#[test]
fn points_that_nobody_loses_are_told() {
    assert_eq!(searched(Wrong::Points), Err(SearchError::NobodyLoses));
    let game = Heap::new(Wrong::Points);
    let (root, config) = (game.initial_state(), Config::default().threads(1).goal(Goal::Score));
    search(game, root, config, &Budget::default().playouts(100)).expect("the score is a question");
    let report = check_rules(&Heap::new(Wrong::Points), 1, 20).expect("sound rules");
    assert_eq!((report.sum, report.anybody_lost), (Some(12), false));
    let remarks = report.remarks().join("\n");
    assert!(
        remarks.contains("no player ever lost") && remarks.contains("add up to 12"),
        "{remarks}"
    );
    let report = check_rules(&Heap::new(Wrong::Nothing), 1, 20).expect("sound rules");
    assert_eq!((report.sum, report.anybody_lost, report.remarks().len()), (Some(0), true, 0));
}

/// Player 1 ends the game and receives 2, or play repeats without end.
#[derive(Clone, Copy)]
struct EndOrRound;

impl Game for EndOrRound {
    type State = u8;
    type Move = char;

    fn initial_state(&self) -> u8 {
        0
    }
    fn turn(&self, &state: &u8) -> Turn {
        match state {
            0 => Turn::Player(1),
            1 => Turn::Over,
            _ => Turn::Player(0),
        }
    }
    fn legal_moves(&self, &state: &u8, moves: &mut Vec<char>) {
        match state {
            0 => moves.extend(['b', 'B', 'e']),
            _ => moves.extend(['k', 'l']),
        }
    }
    fn play(&self, state: &mut u8, mv: char) {
        *state = match mv {
            'e' => 1,
            'b' | 'B' => 2,
            _ => 0,
        };
    }
    fn payoff(&self, _: &u8, player: usize) -> i32 {
        if player == 1 { 2 } else { -2 }
    }
    fn payoff_range(&self, _: usize) -> RangeInclusive<i32> {
        -3..=3
    }
    fn zero_sum(&self) -> bool {
        true
    }
    fn key(&self, &state: &u8) -> Option<u64> {
        Some((u64::from(state) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }
    fn move_text(&self, _: &u8, mv: char) -> String {
        mv.to_string()
    }
}

/// Of two winning moves, the best move is the one whose win does not depend on endless play.
#[test]
fn the_best_move_wins_where_another_player_is_asked_about() {
    for algorithm in [Algorithm::Dfpn, Algorithm::Pds, Algorithm::Ab, Algorithm::Pns] {
        let config = prover().algorithm(algorithm).player(0).goal(ProofGoal::Score);
        let report = prove(EndOrRound, 0, config, &Budget::default()).expect("sound rules");
        assert_eq!((report.proven, report.solved), (Value::Loss, true), "{algorithm}");
        assert_eq!(report.best_move, Some('e'), "{algorithm}");
    }
}

/// Two moves may differ only in upper and lower case.
#[test]
fn a_move_is_read_as_it_is_written() {
    let read = |state: u8, text: &str| EndOrRound.parse_move(&state, text);
    for mv in ['b', 'B', 'e'] {
        assert_eq!(read(0, &mv.to_string()), Ok(mv));
    }
    assert_eq!((read(0, "E"), read(2, "K")), (Ok('e'), Ok('k')));
    assert!(read(0, "k").is_err());
    /// A game with two moves whose texts differ only in upper and lower case.
    struct Both;
    impl Game for Both {
        type State = ();
        type Move = u8;
        fn initial_state(&self) {}
        fn turn(&self, _: &()) -> Turn {
            Turn::Player(0)
        }
        fn legal_moves(&self, _: &(), moves: &mut Vec<u8>) {
            moves.extend([0, 1]);
        }
        fn play(&self, _: &mut (), _: u8) {}
        fn payoff(&self, _: &(), _: usize) -> i32 {
            0
        }
        fn move_text(&self, _: &(), mv: u8) -> String {
            ["bxc6", "Bxc6"][usize::from(mv)].into()
        }
    }
    assert_eq!((Both.parse_move(&(), "bxc6"), Both.parse_move(&(), "Bxc6")), (Ok(0), Ok(1)));
    let unclear: Result<u8, TextError> = Both.parse_move(&(), "BXC6");
    assert!(unclear.is_err_and(|error| error.to_string().contains("legal moves: bxc6 Bxc6")));
}
