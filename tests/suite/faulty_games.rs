//! Tests of games that fail or break their contract: each leads to an error with the cause, never
//! to a hang, and leaves a sound tree.

use proofwood::evaluate::{PolicyRollout, Rollout, UniformRandom};
use proofwood::{
    Algorithm, Budget, Config, Game, Outcome, ProverConfig, Search, SearchError, Turn, Value,
    prove, search,
};
use proofwood_testkit::check::check_claims;
use proofwood_testkit::dice::Dice;
use proofwood_testkit::oracle::Solution;
use proofwood_testkit::random_game::{Path, RandomGame};
use proofwood_testkit::toy::{Does, toy};
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    Turn,
    LegalMoves,
    Play,
    Payoff,
    Hash,
    Evaluate,
}

/// A random game that panics once, at a chosen call.
struct Faulty {
    game: RandomGame,
    calls: Arc<Calls>,
}

/// Counts calls of a game and of its evaluator.
struct Calls {
    at: At,
    /// The number of calls that succeed before the panic.
    left: AtomicU64,
}

impl Calls {
    fn call(&self, at: At) {
        if at == self.at && self.left.fetch_sub(1, Ordering::Relaxed) == 0 {
            panic!("{at:?} went wrong");
        }
    }
}

impl Game for Faulty {
    type State = Path;
    type Move = u8;

    fn initial_state(&self) -> Path {
        self.game.initial_state()
    }
    fn turn(&self, state: &Path) -> Turn {
        self.calls.call(At::Turn);
        self.game.turn(state)
    }
    fn legal_moves(&self, state: &Path, moves: &mut Vec<u8>) {
        self.calls.call(At::LegalMoves);
        self.game.legal_moves(state, moves);
    }
    fn play(&self, state: &mut Path, mv: u8) {
        self.calls.call(At::Play);
        self.game.play(state, mv);
    }
    fn payoff(&self, state: &Path, player: usize) -> i32 {
        self.calls.call(At::Payoff);
        self.game.payoff(state, player)
    }
    fn num_players(&self) -> usize {
        self.game.num_players()
    }
    fn zero_sum(&self) -> bool {
        self.game.zero_sum()
    }
    fn payoff_range(&self, player: usize) -> RangeInclusive<i32> {
        self.game.payoff_range(player)
    }
    fn outcome(&self, player: usize, payoff: i32) -> Outcome {
        self.game.outcome(player, payoff)
    }
    fn key(&self, state: &Path) -> Option<u64> {
        self.calls.call(At::Hash);
        self.game.key(state)
    }
}

fn faulty_playouts(calls: Arc<Calls>) -> Does {
    let playout = PolicyRollout::new(UniformRandom, 1000);
    Does::new(move |state, context, values| {
        calls.call(At::Evaluate);
        playout.rollout(state, context, values)
    })
}

#[test]
fn a_panic_is_an_error_and_leaves_a_sound_tree() {
    const AT: [At; 6] = [At::Turn, At::LegalMoves, At::Play, At::Payoff, At::Hash, At::Evaluate];
    let mut panics = 0;
    for number in 0..400 {
        let mut dice = Dice::new(number);
        let game = RandomGame::new(number);
        let solution = Solution::of(&game, &game.initial_state());
        let at = dice.pick(&AT);
        let left = dice.below(dice.clone().pick(&[10, 100, 3000])) as u64;
        let calls = Arc::new(Calls { at, left: left.into() });
        let (faulty, root) = toy(Faulty { game, calls: Arc::clone(&calls) });
        let config = Config::default()
            .audit(true)
            .threads(dice.pick(&[1, 2, 8]))
            .solver(dice.chance(50))
            .look_ahead(dice.chance(50))
            .seed(number)
            .memory(16 << 20);
        let message = SearchError::Panic(format!("{at:?} went wrong"));
        let playouts = faulty_playouts(calls);
        let mut search = match Search::with_evaluator(faulty, root, config.clone(), playouts) {
            Ok(search) => search,
            Err(error) => {
                assert_eq!(error, message);
                continue;
            }
        };
        let budget = Budget::default().playouts(2000);
        for _ in 0..2 {
            match search.search(&budget) {
                Ok(report) => check_claims(&report, &config, &solution),
                Err(error) => {
                    assert_eq!(error, message);
                    panics += 1;
                    search.audit().unwrap_or_else(|wrong| panic!("game {number}: {wrong}"));
                    let report = search.search(&budget).expect("it panics once");
                    check_claims(&report, &config, &solution);
                    search.audit().unwrap_or_else(|wrong| panic!("game {number}: {wrong}"));
                }
            }
        }
    }
    assert!(panics > 100, "only {panics}");
}

#[test]
fn an_evaluator_never_sees_a_finished_game() {
    for number in 0..300 {
        let (game, root) = toy(RandomGame::new(number));
        let config = Config::default().threads(8).look_ahead(false).solver(false).memory(16 << 20);
        let config = config.score_bounds(number % 2 == 0).seed(number);
        let evaluator = Does::new(|at, context, values| {
            assert_ne!(context.game.turn(at), Turn::Over, "asked about a finished game");
            values.fill(0.0);
            Ok(())
        });
        let mut search = Search::with_evaluator(game, root, config, evaluator).expect("it fits");
        search.search(&Budget::default().playouts(500)).expect("an evaluation");
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Defect {
    OutOfRange,
    NotZeroSum,
    NoMoves,
    TooManyMoves,
    Chance,
    NoSuchPlayer,
    OutcomesFall,
    BothWin,
}

/// A game in which the players in turn add −1, 1 or 2 to a sum. It breaks its contract after a few
/// plies.
#[derive(Clone, Copy, Debug)]
struct Broken {
    defect: Defect,
    /// The ply at which the rules break.
    ply: u8,
}

impl Broken {
    fn breaks(&self, defect: Defect, ply: u8) -> bool {
        self.defect == defect && self.ply == ply
    }
}

impl Game for Broken {
    /// The ply, and player 0's payoff if the game ends there.
    type State = (u8, i32);
    type Move = u32;

    fn initial_state(&self) -> (u8, i32) {
        (0, 0)
    }
    fn turn(&self, &(ply, _): &(u8, i32)) -> Turn {
        match ply {
            6 => Turn::Over,
            _ if self.breaks(Defect::Chance, ply) => Turn::Chance,
            _ if self.breaks(Defect::NoSuchPlayer, ply) => Turn::Player(2),
            _ => Turn::Player(usize::from(ply % 2)),
        }
    }
    fn legal_moves(&self, &(ply, _): &(u8, i32), moves: &mut Vec<u32>) {
        moves.extend(match () {
            () if self.breaks(Defect::NoMoves, ply) => 0..0,
            () if self.breaks(Defect::TooManyMoves, ply) => 0..65_536,
            () => 0..3,
        });
    }
    fn play(&self, state: &mut (u8, i32), mv: u32) {
        *state = (state.0 + 1, state.1 + [-1, 1, 2][mv as usize % 3]);
    }
    fn payoff(&self, &(_, sum): &(u8, i32), player: usize) -> i32 {
        let sum = if self.defect == Defect::OutOfRange { sum * 5 } else { sum };
        match player {
            0 => sum,
            _ if self.defect == Defect::NotZeroSum => 1,
            _ => -sum,
        }
    }
    fn payoff_range(&self, _player: usize) -> RangeInclusive<i32> {
        -12..=12
    }
    fn zero_sum(&self) -> bool {
        true
    }
    fn outcome(&self, _player: usize, payoff: i32) -> Outcome {
        match payoff {
            5.. if self.defect == Defect::OutcomesFall => Outcome::Loss,
            -2.. if self.defect == Defect::BothWin => Outcome::Win,
            ..=-1 => Outcome::Loss,
            0 => Outcome::Draw,
            1.. => Outcome::Win,
        }
    }
}

#[test]
fn a_broken_contract_is_named() {
    let defects = [
        (Defect::OutOfRange, "outside the range -12 to 12"),
        (Defect::NotZeroSum, "declared zero-sum, but its payoffs are"),
        (Defect::NoMoves, "a position that is not over has no legal move"),
        (Defect::TooManyMoves, "a position has 65536 legal moves; the maximum is 65535"),
        (Defect::Chance, "chance decides in a position, but Game::has_chance returns false"),
        (Defect::NoSuchPlayer, "player 2 is to move, but the game has 2 players"),
        (Defect::OutcomesFall, "contradicts the outcomes of other payoffs"),
        (Defect::BothWin, "the payoff -2 is a win for player 0 and its negative 2 is a win for"),
    ];
    for (defect, message) in defects {
        for number in 0..24 {
            let (ply, threads) = (number % 4, [1, 2, 8][usize::from(number % 3)]);
            let (game, root) = toy(Broken { defect, ply });
            let config = Config::default()
                .threads(threads)
                .look_ahead(number % 2 == 0)
                .solver(false)
                .score_bounds(false)
                .memory(64 << 20)
                .audit(true);
            let budget = Budget::default().playouts(20_000);
            let check = |error: SearchError| {
                let named =
                    matches!(&error, SearchError::Game(what) if what.to_string().contains(message));
                assert!(named, "{error}");
            };
            match Search::new(game, root, config) {
                Err(error) => check(error),
                Ok(mut search) => {
                    check(search.search(&budget).expect_err("the contract is broken"));
                    check(search.search(&budget).expect_err("it is still broken"));
                }
            }
        }
    }
}

/// A game of sticks whose key omits part of the position; the player who takes the last stick wins.
#[derive(Clone, Copy, Debug)]
enum Forgets {
    Nothing,
    Mover,
    Everything,
}

impl Game for Forgets {
    type State = (u32, usize);
    type Move = u32;

    fn initial_state(&self) -> (u32, usize) {
        (21, 0)
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
    fn payoff_range(&self, _player: usize) -> RangeInclusive<i32> {
        -1..=1
    }
    fn zero_sum(&self) -> bool {
        true
    }
    fn key(&self, &(sticks, mover): &(u32, usize)) -> Option<u64> {
        let key = match self {
            Forgets::Nothing => 2 * u64::from(sticks) + mover as u64,
            Forgets::Mover => u64::from(sticks),
            Forgets::Everything => 0,
        };
        Some((key + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }
    fn state_text(&self, &(sticks, mover): &(u32, usize)) -> String {
        format!("{sticks} {mover}")
    }
}

/// The results of an audited search and of audited provers in a game with this key.
fn audited(game: Forgets) -> Vec<Result<Value, SearchError>> {
    let (game, root) = toy(game);
    let budget = Budget::default().playouts(20_000);
    let searches = [Config::default(), Config::proving(), Config::proving().look_ahead(false)];
    let searched = searches.into_iter().map(|config| {
        let config = config.threads(2).memory(16 << 20).audit(true);
        search(game.clone(), root.clone(), config, &budget).map(|report| report.proven)
    });
    let proven = Algorithm::ALL.iter().map(|&algorithm| {
        let config = ProverConfig::default().algorithm(algorithm).threads(2).table(1 << 16);
        let config = config.playouts_per_leaf(5).audit(true);
        let report = prove(game.clone(), root.clone(), config, &Budget::default());
        report.map(|report| report.proven)
    });
    searched.chain(proven).collect()
}

/// An audit detects that two positions with the same key have different futures. Without an audit,
/// the same searches prove wrong values.
#[test]
fn an_audit_sees_two_futures_under_one_hash() {
    let said = audited(Forgets::Nothing);
    assert!(said.iter().all(|said| *said == Ok(Value::Win)), "{said:?}");
    for forgets in [Forgets::Mover, Forgets::Everything] {
        for said in audited(forgets) {
            let error = said.expect_err("it forgets").to_string();
            let found = error.contains("key collision: ");
            assert!(found, "{forgets:?}: {error}");
        }
    }
}

struct Odd {
    players: usize,
    zero_sum: bool,
    range: RangeInclusive<i32>,
}

impl Game for Odd {
    type State = ();
    type Move = ();

    fn initial_state(&self) {}
    fn turn(&self, (): &()) -> Turn {
        Turn::Over
    }
    fn legal_moves(&self, (): &(), _moves: &mut Vec<()>) {}
    fn play(&self, (): &mut (), (): ()) {}
    fn payoff(&self, (): &(), _player: usize) -> i32 {
        0
    }
    fn num_players(&self) -> usize {
        self.players
    }
    fn zero_sum(&self) -> bool {
        self.zero_sum
    }
    fn payoff_range(&self, _player: usize) -> RangeInclusive<i32> {
        self.range.clone()
    }
}

#[test]
fn impossible_games_are_refused() {
    #[expect(clippy::reversed_empty_ranges, reason = "an empty range is what is tested")]
    let odd = [
        (0, false, 0..=0, "the number of players is 0"),
        (9, false, 0..=0, "the number of players is 9"),
        (3, true, 0..=0, "a zero-sum game must have two players, not 3"),
        (2, true, 1..=0, "an empty payoff range"),
    ];
    for (players, zero_sum, range, message) in odd {
        let (game, end) = toy(Odd { players, zero_sum, range });
        let error = Search::new(game, end, Config::default()).err();
        let error = error.expect("an impossible game").to_string();
        assert!(error.contains(message), "{error}");
    }
    let (game, end) = toy(Odd { players: 1, zero_sum: false, range: -5..=5 });
    let report = search(game, end, Config::default(), &Budget::default()).expect("it is over");
    assert_eq!((report.proven, report.bounds.exact()), (Value::Draw, Some(0)));
}
