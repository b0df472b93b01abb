//! Games that fail or break their contract, limits that are too small, and
//! searches that are started, watched, stopped and dropped at odd moments: an
//! error or an answer, never a hang, and a sound tree afterwards.

mod common;

use common::check::{check_claims, check_figures};
use common::dice::Dice;
use common::oracle::Solution;
use common::random_game::{Path, Payoffs, RandomGame, Shape};
use proofwood::{
    Bias, Budget, CancelToken, Config, Context, Evaluator, FirstPlay, Game, Goal, Outcome, Playout,
    ProofNumber, Search, SearchError, StopReason, Turn, UniformRandom, Value, search,
};
use proofwood_games::p_game::Leaves;
use proofwood_games::{ConnectFour, Mnk, PGame};
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Which code panics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    Turn,
    LegalMoves,
    Play,
    Payoff,
    Hash,
    Evaluate,
}

/// A random game, or its evaluator, that panics at one call, once.
struct Faulty {
    game: RandomGame,
    at: At,
    /// Calls that are still good.
    left: AtomicU64,
}

impl Faulty {
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
        self.call(At::Turn);
        self.game.turn(state)
    }
    fn legal_moves(&self, state: &Path, moves: &mut Vec<u8>) {
        self.call(At::LegalMoves);
        self.game.legal_moves(state, moves);
    }
    fn play(&self, state: &mut Path, mv: u8) {
        self.call(At::Play);
        self.game.play(state, mv);
    }
    fn payoff(&self, state: &Path, player: usize) -> i32 {
        self.call(At::Payoff);
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
    fn hash(&self, state: &Path) -> Option<u64> {
        self.call(At::Hash);
        self.game.hash(state)
    }
}

/// Random playouts that panic where the game says so.
struct FaultyPlayout(Playout<UniformRandom>);

impl Evaluator<Faulty> for FaultyPlayout {
    fn evaluate(
        &self,
        state: &mut Path,
        context: &mut Context<'_, Faulty>,
        values: &mut [f32],
    ) -> bool {
        context.game.call(At::Evaluate);
        self.0.evaluate(state, context, values)
    }
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
        let faulty = Faulty { game, at, left: left.into() };
        let config = Config::default()
            .audit(true)
            .threads(dice.pick(&[1, 2, 8]))
            .solver(dice.chance(50))
            .look_ahead(dice.chance(50))
            .seed(number)
            .memory(16 << 20);
        let message = SearchError::Panic(format!("{at:?} went wrong"));
        let (root, playouts) = (faulty.game.initial_state(), Playout::new(UniformRandom, 1000, 0));
        let mut search =
            match Search::with_evaluator(faulty, root, config.clone(), FaultyPlayout(playouts)) {
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

/// An evaluator that is only asked about positions where the game goes on.
struct Unfinished;

impl Evaluator<RandomGame> for Unfinished {
    fn evaluate(
        &self,
        state: &mut Path,
        context: &mut Context<'_, RandomGame>,
        values: &mut [f32],
    ) -> bool {
        assert_ne!(context.game.turn(state), Turn::Over, "asked about a finished game");
        values.fill(0.0);
        true
    }
}

#[test]
fn an_evaluator_never_sees_a_finished_game() {
    for number in 0..300 {
        let game = RandomGame::new(number);
        let root = game.initial_state();
        let config = Config::default().threads(8).look_ahead(false).solver(false).memory(16 << 20);
        let config = config.score_bounds(number % 2 == 0).seed(number);
        let mut search = Search::with_evaluator(game, root, config, Unfinished).expect("it fits");
        search.search(&Budget::default().playouts(500)).expect("an evaluation");
    }
}

/// What is wrong with the rules of [`Broken`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Defect {
    OutOfRange,
    NotZeroSum,
    NoMoves,
    TooManyMoves,
    Chance,
    NoSuchPlayer,
    #[cfg(debug_assertions)]
    OutcomesFall,
    #[cfg(debug_assertions)]
    BothWin,
}

/// A game of coin tosses in turn that breaks its contract after a few plies.
#[derive(Clone, Copy, Debug)]
struct Broken {
    defect: Defect,
    /// Where the rules break.
    ply: u8,
}

impl Broken {
    fn breaks(&self, defect: Defect, ply: u8) -> bool {
        self.defect == defect && self.ply == ply
    }
}

impl Game for Broken {
    /// The ply, and the payoff of player 0 if it ended there.
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
            #[cfg(debug_assertions)]
            5.. if self.defect == Defect::OutcomesFall => Outcome::Loss,
            #[cfg(debug_assertions)]
            -2..=-1 if self.defect == Defect::BothWin => Outcome::Win,
            ..=-1 => Outcome::Loss,
            0 => Outcome::Draw,
            1.. => Outcome::Win,
        }
    }
}

#[test]
fn a_broken_contract_is_named() {
    let defects = [
        (Defect::OutOfRange, "outside of the range -12 to 12"),
        (Defect::NotZeroSum, "declares zero sum, but pays"),
        (Defect::NoMoves, "a position that is not over has no legal move"),
        (Defect::TooManyMoves, "65536 legal moves are more than 65535"),
        (Defect::Chance, "chance decides in a position, but the game does not say so"),
        (Defect::NoSuchPlayer, "player 2 is to move in a game of 2 players"),
        #[cfg(debug_assertions)]
        (Defect::OutcomesFall, "contradicts the outcomes of other payoffs"),
        #[cfg(debug_assertions)]
        (Defect::BothWin, "contradicts the outcomes of other payoffs"),
    ];
    for (defect, message) in defects {
        for number in 0..24 {
            let (ply, threads) = (number % 4, [1, 2, 8][usize::from(number % 3)]);
            let game = Broken { defect, ply };
            let config = Config::default()
                .threads(threads)
                .look_ahead(number % 2 == 0)
                .solver(false)
                .score_bounds(false)
                .memory(64 << 20)
                .audit(true);
            let budget = Budget::default().playouts(20_000);
            let check = |error: SearchError| {
                let named = matches!(&error, SearchError::Game(what) if what.contains(message));
                assert!(named, "{error}");
            };
            match Search::new(game, game.initial_state(), config) {
                Err(error) => check(error),
                Ok(mut search) => {
                    check(search.search(&budget).expect_err("the contract is broken"));
                    check(search.search(&budget).expect_err("it is still broken"));
                }
            }
        }
    }
}

/// A finished game with wrong figures about itself.
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
        (0, false, 0..=0, "0 players"),
        (9, false, 0..=0, "9 players"),
        (3, true, 0..=0, "zero sum with 3 players"),
        (2, true, 1..=0, "an empty payoff range"),
    ];
    for (players, zero_sum, range, message) in odd {
        let error = Search::new(Odd { players, zero_sum, range }, (), Config::default()).err();
        let error = error.expect("an impossible game").to_string();
        assert!(error.contains(message), "{error}");
    }
    let game = Odd { players: 1, zero_sum: false, range: -5..=5 };
    let report = search(game, (), Config::default(), &Budget::default()).expect("it is over");
    assert_eq!((report.value, report.bounds.exact()), (Value::Draw, Some(0)));
}

fn tic_tac_toe() -> Mnk {
    Mnk::new(3, 3, 3, 2).expect("a board")
}

/// More than any small question here takes.
fn ample() -> Budget {
    Budget::default().playouts(10_000_000)
}

/// A search of a game that takes far longer than any test.
fn endless(threads: usize) -> Search<ConnectFour> {
    let game = ConnectFour::default();
    let root = game.initial_state();
    let config = Config::default().threads(threads).audit(true).memory(64 << 20);
    Search::new(game, root, config).expect("it fits")
}

fn audited<G: Game>(search: &mut Search<G>) {
    search.audit().unwrap_or_else(|wrong| panic!("{wrong}"));
}

#[test]
fn sixty_four_threads_are_right() {
    let game = tic_tac_toe();
    let config = Config::default().threads(64).audit(true).memory(256 << 20);
    let mut search = Search::new(game, tic_tac_toe().initial_state(), config).expect("it fits");
    let report = search.search(&ample()).expect("a sound game");
    assert_eq!((report.value, report.stop_reason), (Value::Draw, Some(StopReason::Settled)));
    audited(&mut search);
    for number in 0..10 {
        let game = RandomGame::new(number);
        let root = game.initial_state();
        let solution = Solution::of(&game, &root);
        let config = Config::default().threads(64).audit(true).paranoid(true).memory(16 << 20);
        let mut search = Search::new(game, root, config.clone()).expect("it fits");
        let report = search.search(&ample()).expect("a sound game");
        assert_eq!(report.stop_reason, Some(StopReason::Settled));
        check_claims(&report, &config, &solution);
        audited(&mut search);
    }
}

fn played<G: Game>(game: &G, moves: &[&str]) -> G::State {
    let mut state = game.initial_state();
    for text in moves {
        let mv = game.parse_move(&state, text).expect("a legal move");
        game.play(&mut state, mv);
    }
    state
}

#[test]
fn a_megabyte_is_enough_for_a_sensible_move() {
    let connect_four = ConnectFour::default();
    // A win in one, a block, and three in a row with both ends open to come.
    let positions = [
        (&["1", "2", "1", "2", "1", "3"][..], &["1"][..]),
        (&["1", "2", "1", "2", "1"], &["1"]),
        (&["4", "4", "3"], &["2", "5"]),
    ];
    for (moves, sensible) in positions {
        for config in [
            Config::default(),
            Config::default().look_ahead(false).threads(4),
            Config::default().solver(false).score_bounds(false).bias(Bias::None),
            Config::default().goal(Goal::Score).threads(8),
        ] {
            let root = played(&connect_four, moves);
            let config = config.memory(1 << 20).audit(true);
            let mut search = Search::new(connect_four.clone(), root, config).expect("it fits");
            let report = search.search(&Budget::default().playouts(60_000)).expect("a sound game");
            let best = connect_four.move_text(&root, report.best_move.expect("a move"));
            assert!(sensible.contains(&best.as_str()), "{moves:?}: {best}");
            assert!(report.bytes <= 1 << 20);
            audited(&mut search);
        }
    }
}

#[test]
fn without_any_other_limit_full_memory_ends_the_search() {
    let game = ConnectFour::default();
    let root = game.initial_state();
    for threads in [1, 4] {
        let config = Config::default().memory(1 << 20).threads(threads);
        let report = search(game.clone(), root, config, &Budget::default()).expect("a sound game");
        assert_eq!(report.stop_reason, Some(StopReason::Memory));
        assert!(report.best_move.is_some());
    }
}

#[test]
fn too_little_memory_is_refused_and_what_is_needed_is_enough() {
    let game = PGame::new(2000, 3, 1, 0, Leaves::Won { percent: 50 }).expect("a tree");
    let root = game.initial_state();
    let make = |memory| Search::new(game.clone(), root, Config::default().memory(memory));
    let Some(SearchError::Memory { given, needed }) = make(16 << 10).err() else {
        panic!("2000 moves do not fit into 16 K");
    };
    assert!(given == 16 << 10 && needed > given);
    assert!(matches!(make(needed - 1).err(), Some(SearchError::Memory { .. })));
    let report = make(needed).expect("it fits").search(&Budget::default().playouts(100));
    assert_eq!(report.expect("a sound game").playouts, 100);
}

/// From a megabyte on a part of the memory goes to the table of settled
/// positions, so what is needed depends on what is given.
#[test]
fn what_is_needed_is_enough_also_with_a_table() {
    for moves in [20_000, 30_000, 40_000, 65_000] {
        let game = PGame::new(moves, 1, 1, 0, Leaves::Won { percent: 50 }).expect("a tree");
        let root = game.initial_state();
        let make = |memory| Search::new(game.clone(), root, Config::default().memory(memory));
        for memory in [16 << 10, 1 << 19, (1 << 20) - 1, 1 << 20, 3 << 19] {
            if let Some(error) = make(memory).err() {
                let SearchError::Memory { given, needed } = error else { panic!("{error}") };
                assert!(given == memory && needed > given, "{moves} moves: {error}");
                assert!(make(needed).is_ok(), "{moves} moves: {error}");
            }
        }
    }
}

#[test]
fn a_settled_or_finished_game_is_answered_at_once() {
    let limits = [
        Budget::default(),
        Budget::default().playouts(1000),
        Budget::default().time(Duration::from_secs(3600)),
        Budget::default().nodes(1),
    ];
    let game = tic_tac_toe();
    let mut search = Search::new(game, tic_tac_toe().initial_state(), Config::default()).expect("");
    let settled = search.search(&ample()).expect("a sound game");
    for budget in &limits {
        let report = search.search(budget).expect("a sound game");
        assert_eq!((report.stop_reason, report.playouts), (Some(StopReason::Settled), 0));
        assert_eq!(report.total_playouts, settled.playouts);
        assert_eq!((report.value, report.best_move), (Value::Draw, settled.best_move));
    }
    // The root's own look at its moves settles a win in one.
    let root = played(&tic_tac_toe(), &["a1", "a3", "b1", "b3"]);
    let mut search = Search::new(tic_tac_toe(), root, Config::default()).expect("it fits");
    let report = search.search(&ample()).expect("a sound game");
    assert_eq!((report.stop_reason, report.playouts), (Some(StopReason::Settled), 0));
    assert_eq!((report.value, report.best_move), (Value::Win, Some(2)));

    let root = played(&tic_tac_toe(), &["a1", "a3", "b1", "b3", "c1"]);
    let mut search = Search::new(tic_tac_toe(), root, Config::default()).expect("it fits");
    for budget in &limits {
        let report = search.search(budget).expect("a sound game");
        assert_eq!((report.stop_reason, report.playouts), (Some(StopReason::GameOver), 0));
        assert_eq!((report.value, report.bounds.exact()), (Value::Win, Some(1)));
        assert!(report.best_move.is_none() && report.moves.is_empty() && report.pv.is_empty());
        assert_eq!(report.to_move, None);
    }
}

#[test]
fn a_search_can_be_cancelled_stopped_and_watched() {
    let far = Budget::default().time(Duration::from_secs(3600));
    for threads in [1, 4] {
        let mut search = endless(threads);
        let token = CancelToken::new();
        search.start(&far.clone().cancel(&token)).expect("nothing runs yet");
        assert!(matches!(search.start(&far), Err(SearchError::Running)));
        let mut seen = 0;
        while seen < 500 {
            let snapshot = search.snapshot();
            assert!(snapshot.playouts >= seen && snapshot.stop_reason.is_none());
            common::check::check_line(search.game(), search.position(), &snapshot);
            seen = snapshot.playouts;
        }
        assert!(search.is_running());
        token.clone().cancel();
        let report = search.wait().expect("a sound game");
        assert_eq!(report.stop_reason, Some(StopReason::Cancelled));
        assert!(matches!(search.wait(), Err(SearchError::NotRunning)));
        audited(&mut search);

        // The token stays up.
        let report = search.search(&far.clone().cancel(&token)).expect("a sound game");
        assert_eq!(report.stop_reason, Some(StopReason::Cancelled));

        search.start(&far).expect("the last search has ended");
        std::thread::scope(|scope| {
            scope.spawn(|| search.stop());
        });
        let report = search.wait().expect("a sound game");
        assert_eq!(report.stop_reason, Some(StopReason::Stopped));
        check_figures(search.game(), search.position(), &report);
        audited(&mut search);
        // Nothing runs: nothing to stop.
        search.stop();
        assert!(!search.is_running());
    }
}

#[test]
fn a_running_search_can_be_dropped() {
    for threads in [1, 2, 8] {
        for pause in [0, 1, 20] {
            let mut search = endless(threads);
            search.start(&Budget::default()).expect("nothing runs yet");
            std::thread::sleep(Duration::from_millis(pause));
        }
    }
}

#[test]
fn limits_of_zero_are_refused_and_absurd_ones_are_none() {
    let mut search = endless(2);
    let zero = [
        Budget::default().playouts(0),
        Budget::default().nodes(0),
        Budget::default().bytes(0),
        Budget::default().time(Duration::ZERO),
    ];
    for budget in zero {
        assert!(matches!(search.search(&budget), Err(SearchError::Budget(_))));
    }
    let absurd = Budget::default().time(Duration::MAX).nodes(u64::MAX).bytes(u64::MAX);
    let report = search.search(&absurd.clone().playouts(500)).expect("a sound game");
    assert_eq!((report.stop_reason, report.playouts), (Some(StopReason::Playouts), 500));
    search.start(&absurd.playouts(u64::MAX)).expect("nothing runs");
    while search.snapshot().playouts < 500 {}
    search.stop();
    assert!(search.wait().expect("a sound game").playouts >= 500);
}

/// Player 1 moves once, then player 0 `k` times; player 0 wins if every move
/// of its own was the right one.
#[derive(Clone, Copy)]
struct Streak {
    k: u8,
}

impl Game for Streak {
    /// The ply, and whether all is well for player 0.
    type State = (u8, bool);
    type Move = u8;

    fn initial_state(&self) -> (u8, bool) {
        (0, true)
    }
    fn turn(&self, &(ply, _): &(u8, bool)) -> Turn {
        match ply {
            0 => Turn::Player(1),
            _ if ply > self.k => Turn::Over,
            _ => Turn::Player(0),
        }
    }
    fn legal_moves(&self, _state: &(u8, bool), moves: &mut Vec<u8>) {
        moves.extend(0..4);
    }
    fn play(&self, state: &mut (u8, bool), mv: u8) {
        *state = (state.0 + 1, state.1 && (state.0 == 0 || mv == (state.0 * 7) % 4));
    }
    fn payoff(&self, &(_, well): &(u8, bool), player: usize) -> i32 {
        if well == (player == 0) { 1 } else { -1 }
    }
    fn zero_sum(&self) -> bool {
        true
    }
}

#[test]
fn several_moves_in_a_row_win() {
    for k in 1..=6 {
        for (solver, score_bounds) in [(true, true), (true, false), (false, true)] {
            let game = Streak { k };
            let config = Config::default().solver(solver).score_bounds(score_bounds).threads(2);
            let mut state = game.initial_state();
            let budget = Budget::default().playouts(200_000);
            let report = search(game, state, config.clone(), &budget).expect("a sound game");
            assert_eq!((report.to_move, report.value), (Some(1), Value::Loss), "k = {k}");
            game.play(&mut state, 3);
            while game.turn(&state) != Turn::Over {
                let report = search(game, state, config.clone(), &budget).expect("a sound game");
                assert_eq!((report.to_move, report.value), (Some(0), Value::Win), "k = {k}");
                game.play(&mut state, report.best_move.expect("a move"));
            }
            assert_eq!(game.payoff(&state, 0), 1, "k = {k}");
        }
    }
}

/// A puzzle for one: add 3, 5 or 7 until the target is met, or missed.
#[derive(Clone, Copy)]
struct Sums {
    target: u32,
}

impl Game for Sums {
    /// The sum and the number of additions.
    type State = (u32, u32);
    type Move = u32;

    fn initial_state(&self) -> (u32, u32) {
        (0, 0)
    }
    fn turn(&self, &(sum, _): &(u32, u32)) -> Turn {
        if sum < self.target { Turn::Player(0) } else { Turn::Over }
    }
    fn legal_moves(&self, _state: &(u32, u32), moves: &mut Vec<u32>) {
        moves.extend([3, 5, 7]);
    }
    fn play(&self, state: &mut (u32, u32), mv: u32) {
        *state = (state.0 + mv, state.1 + 1);
    }
    fn payoff(&self, &(sum, additions): &(u32, u32), _player: usize) -> i32 {
        // The fewer additions the better; 100 is out of reach.
        if sum == self.target { 100 - additions as i32 } else { -1 }
    }
    fn num_players(&self) -> usize {
        1
    }
    fn payoff_range(&self, _player: usize) -> RangeInclusive<i32> {
        -1..=100
    }
}

#[test]
fn puzzles_for_one_are_solved() {
    for (target, best) in [(4, None), (1, None), (15, Some(97)), (21, Some(97)), (23, Some(95))] {
        for threads in [1, 3] {
            let game = Sums { target };
            let config = Config::default().threads(threads);
            let budget = Budget::default().playouts(500_000);
            let report = search(game, (0, 0), config.clone(), &budget).expect("a sound game");
            let value = if best.is_some() { Value::Win } else { Value::Loss };
            assert_eq!(report.value, value, "{target}");
            let report =
                search(game, (0, 0), config.goal(Goal::Score), &budget).expect("a sound game");
            assert_eq!(report.bounds.exact(), Some(best.unwrap_or(-1)), "{target}");
            let end = report.pv.iter().fold((0, 0), |state, &mv| game.after(&state, mv));
            assert_eq!(game.payoff(&end, 0), best.unwrap_or(-1), "the line wins as promised");
        }
    }
}

/// A range of payoffs that holds no win, or nothing else, says so before the
/// first playout.
#[test]
fn what_the_range_rules_out_is_known_at_once() {
    for number in 0..50 {
        for (cuts, value) in [((0, 1000), Value::NotWin), ((-1000, -1000), Value::Win)] {
            let mut game = RandomGame::with_players(number, 1);
            (game.payoffs, game.tight, game.cuts) = (Payoffs::General(9), true, Some(cuts));
            (game.shape, game.depth, game.early) = (Shape::Bushy(3), 6, 0);
            for solver in [true, false] {
                let config = Config::default().solver(solver).memory(16 << 20);
                let search = Search::new(game.clone(), game.initial_state(), config);
                let report = search.expect("it fits").snapshot();
                assert_eq!(report.value, value, "{number}");
                let proven = value == Value::Win;
                assert_eq!(report.proof_numbers[0].is_proven(), proven);
                assert_eq!(report.proof_numbers[0].is_infinite(), !proven);
            }
        }
    }
}

/// One move at every ply; player 0 wins at the end.
#[derive(Clone, Copy)]
struct Chain {
    length: u32,
}

impl Game for Chain {
    type State = u32;
    type Move = ();

    fn initial_state(&self) -> u32 {
        0
    }
    fn turn(&self, &ply: &u32) -> Turn {
        if ply == self.length { Turn::Over } else { Turn::Player(ply as usize % 2) }
    }
    fn legal_moves(&self, _ply: &u32, moves: &mut Vec<()>) {
        moves.push(());
    }
    fn play(&self, ply: &mut u32, (): ()) {
        *ply += 1;
    }
    fn payoff(&self, _ply: &u32, player: usize) -> i32 {
        if player == 0 { 1 } else { -1 }
    }
    fn zero_sum(&self) -> bool {
        true
    }
}

#[test]
fn a_chain_of_thousands_needs_no_recursion() {
    // On a stack that thousands of calls would not fit on.
    let run = || {
        for threads in [1, 4] {
            let game = Chain { length: 3000 };
            let config = Config::default().threads(threads).audit(true).memory(64 << 20);
            let mut search = Search::new(game, 0, config).expect("it fits");
            let report = search.search(&ample()).expect("a sound game");
            assert_eq!((report.value, report.stop_reason), (Value::Win, Some(StopReason::Settled)));
            assert_eq!(report.nodes, 3001);
            audited(&mut search);
        }
    };
    let small = std::thread::Builder::new().stack_size(64 << 10).spawn(run);
    small.expect("a thread").join().expect("no overflow");
}

/// Player 1 alone moves, and has so many moves that the leaves which player 0
/// would have to prove are more than a proof number can count.
#[derive(Clone, Copy)]
struct Vast;

/// Plies before the positions with many moves.
const VAST_PLIES: u8 = 4;

impl Game for Vast {
    type State = u8;
    type Move = u16;

    fn initial_state(&self) -> u8 {
        0
    }
    fn turn(&self, &ply: &u8) -> Turn {
        if ply > VAST_PLIES { Turn::Over } else { Turn::Player(1) }
    }
    fn legal_moves(&self, ply: &u8, moves: &mut Vec<u16>) {
        moves.extend(0..self.mobility(ply, &mut Vec::new()) as u16);
    }
    fn play(&self, ply: &mut u8, _mv: u16) {
        *ply += 1;
    }
    fn payoff(&self, _ply: &u8, _player: usize) -> i32 {
        0
    }
    fn zero_sum(&self) -> bool {
        true
    }
    fn mobility(&self, &ply: &u8, _moves: &mut Vec<u16>) -> usize {
        if ply == VAST_PLIES { 65_535 } else { 17 }
    }
}

/// Values nothing, so that no playout lists the many moves.
struct Nothing;

impl Evaluator<Vast> for Nothing {
    fn evaluate(&self, _: &mut u8, _: &mut Context<'_, Vast>, values: &mut [f32]) -> bool {
        values.fill(0.0);
        true
    }
}

#[test]
fn a_sum_too_great_to_count_is_no_disproof() {
    let config = Config::default()
        .threads(1)
        .c(100.0)
        .c_pn(0.0)
        .first_play(FirstPlay::Value(1000.0))
        .memory(6 << 20);
    let mut search = Search::with_evaluator(Vast, 0, config, Nothing).expect("it fits");
    let report = search.search(&Budget::default().playouts(90_000)).expect("a sound game");
    assert_eq!(report.proof_numbers[0], ProofNumber::MAX_FINITE);
    assert!(report.saturated && report.proof_numbers[0].is_open());
    assert_eq!((report.value, report.stop_reason), (Value::Unknown, Some(StopReason::Playouts)));
    let largest = report.moves.iter().map(|mv| mv.proof_numbers[0]).max().expect("moves");
    assert!(largest.is_open() && !largest.is_saturated(), "{largest}");
}

#[test]
fn sums_and_biases_stay_finite_at_the_limit() {
    let (greatest, infinite) = (ProofNumber::MAX_FINITE, ProofNumber::INFINITE);
    assert_eq!(ProofNumber::finite(u64::MAX), greatest);
    assert_eq!(ProofNumber::finite(u64::from(u32::MAX)), greatest);
    assert_eq!(greatest.and(greatest).and(ProofNumber::ONE), greatest);
    assert_eq!(greatest.or(infinite), greatest);
    for bias in [Bias::Rank, Bias::Max, Bias::Sum] {
        let terms = bias.terms(&[greatest, greatest, ProofNumber::ONE, infinite]);
        assert!(terms[0] > 0.0 && terms[0] == terms[1] && terms[3] == 0.0, "{bias:?} {terms:?}");
        assert!(terms[2] > terms[0] && terms[2] <= 1.0, "{bias:?} {terms:?}");
    }
}

#[test]
fn processor_time_ends_a_search() {
    for threads in [1, 3] {
        let mut search = endless(threads);
        let time = Duration::from_millis(60);
        let report = search.search(&Budget::default().cpu_time(time)).expect("a sound game");
        assert_eq!(report.stop_reason, Some(StopReason::CpuTime));
        // A thread cannot have used its share in less time on the wall.
        assert!(report.playouts > 0 && report.elapsed >= time / threads as u32);
        audited(&mut search);
    }
    assert!(endless(1).search(&Budget::default().cpu_time(Duration::ZERO)).is_err());
}
