//! Tests of a game's declarations: ranges, zero sum, outcomes, chance, static bounds. Searches and
//! provers use the same declarations, and refuse the same false ones.

use proofwood::certificate::{Certificate, Root};
use proofwood::{
    Algorithm, Budget, Config, DomainKnowledge, Game, Goal, Outcome, ProofGoal, ProofSearch,
    ProverConfig, SearchError, StaticBound, Turn, Value, prove, search,
};
use proofwood_testkit::check::is_true;
use proofwood_testkit::dice::Dice;
use proofwood_testkit::oracle::Solution;
use proofwood_testkit::random_game::{Path, RandomGame};
use proofwood_testkit::toy::toy;
use std::ops::RangeInclusive;

/// A random game that declares wider ranges of payoffs than its players need.
#[derive(Clone, Debug)]
struct Wide {
    game: RandomGame,
    /// The numbers by which each player's range is widened, below and above.
    more: [(i32, i32); 4],
}

impl Wide {
    fn new(seed: u64) -> Wide {
        let mut dice = Dice::new(seed ^ 0x51de);
        let mut game = RandomGame::new(seed);
        game.tight = true;
        let mut draw = || dice.pick(&[0, 1, 3, 1000, i32::MAX]);
        Wide { game, more: [(); 4].map(|()| (draw(), draw())) }
    }
}

impl Game for Wide {
    type State = Path;
    type Move = u8;

    fn initial_state(&self) -> Path {
        self.game.initial_state()
    }
    fn turn(&self, state: &Path) -> Turn {
        self.game.turn(state)
    }
    fn legal_moves(&self, state: &Path, moves: &mut Vec<u8>) {
        self.game.legal_moves(state, moves);
    }
    fn play(&self, state: &mut Path, mv: u8) {
        self.game.play(state, mv);
    }
    fn payoff(&self, state: &Path, player: usize) -> i32 {
        self.game.payoff(state, player)
    }
    fn num_players(&self) -> usize {
        self.game.num_players()
    }
    fn zero_sum(&self) -> bool {
        self.game.zero_sum()
    }
    fn payoff_range(&self, player: usize) -> RangeInclusive<i32> {
        let (low, high) = self.game.payoff_range(player).into_inner();
        let (below, above) = self.more[player];
        low.saturating_sub(below)..=high.saturating_add(above)
    }
    fn outcome(&self, player: usize, payoff: i32) -> Outcome {
        self.game.outcome(player, payoff)
    }
    fn key(&self, state: &Path) -> Option<u64> {
        self.game.key(state)
    }
}

/// Ranges that are wider than necessary, even if they differ between the players, do not change any
/// answer.
#[test]
fn wide_ranges_change_no_proof() {
    for seed in 0..1500 {
        let game = Wide::new(seed);
        let root = game.initial_state();
        if game.turn(&root) == Turn::Over {
            continue;
        }
        let truth = Solution::of(&game, &root).root;
        let mut dice = Dice::new(seed);
        for player in 0..game.num_players() {
            let config = ProverConfig::default()
                .threads(1)
                .table(1 << 16)
                .player(player)
                .algorithm(dice.pick(&[Algorithm::Dfpn, Algorithm::Pds, Algorithm::Pns]))
                .goal(dice.pick(ProofGoal::ALL));
            let what = format!("player {player} of {game:?} with {config:?}");
            let (game, root) = toy(game.clone());
            let report = prove(game, root, config, &Budget::default())
                .unwrap_or_else(|error| panic!("{error}: {what}"));
            assert!(is_true(report.proven, truth.outcomes[player]), "{}: {what}", report.proven);
            let score = truth.scores[player];
            let (lower, upper) = (report.bounds.lower, report.bounds.upper);
            assert!(
                lower.is_none_or(|lower| lower <= score)
                    && upper.is_none_or(|upper| upper >= score),
                "{:?} without {score}: {what}",
                report.bounds
            );
        }
    }
}

#[test]
fn wide_ranges_change_no_search() {
    for seed in 0..400 {
        let game = Wide::new(seed);
        let root = game.initial_state();
        let Turn::Player(player) = game.turn(&root) else { continue };
        let truth = Solution::of(&game, &root).root;
        let goal = Dice::new(seed).pick(&[Goal::Outcome, Goal::Score]);
        let config = Config::proving().threads(1).goal(goal).memory(16 << 20);
        let budget = Budget::default().playouts(3000);
        let (toy, root) = toy(game.clone());
        let report = match search(toy, root, config, &budget) {
            // All payoffs in the range are wins, or all are losses.
            Err(SearchError::OneOutcome) if goal == Goal::Outcome => continue,
            report => report.unwrap_or_else(|error| panic!("{error}: {game:?}")),
        };
        assert!(is_true(report.proven, truth.outcomes[player]), "{}: {game:?}", report.proven);
        let score = truth.scores[player];
        assert!(
            report.bounds.lower.is_none_or(|lower| lower <= score)
                && report.bounds.upper.is_none_or(|upper| upper >= score),
            "{:?} without {score}: {game:?}",
            report.bounds
        );
    }
}

/// The declaration that is false.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wrong {
    Nothing,
    /// Both players receive −1.
    Sum,
    /// A payoff of one player has no opposite in the other's range.
    Ranges,
    /// A draw counts as a win for player 1, but as a draw for player 0.
    Outcomes,
    /// The game has chance nodes but declares that it has no chance.
    Chance,
    /// An outcome of chance has weight 0.
    Weight,
    /// The static bound is a payoff that never occurs.
    Foresight,
}

/// Each player moves twice, then the game is a draw.
#[derive(Clone, Copy, Debug)]
struct Short(Wrong);

impl Game for Short {
    type State = u32;
    type Move = u8;

    fn initial_state(&self) -> u32 {
        1
    }
    fn turn(&self, &state: &u32) -> Turn {
        match state {
            4..=7 if matches!(self.0, Wrong::Chance | Wrong::Weight) => Turn::Chance,
            16.. => Turn::Over,
            _ => Turn::Player(state.ilog2() as usize % 2),
        }
    }
    fn legal_moves(&self, _: &u32, moves: &mut Vec<u8>) {
        moves.extend([0, 1]);
    }
    fn play(&self, state: &mut u32, mv: u8) {
        *state = *state * 2 + u32::from(mv);
    }
    fn payoff(&self, _: &u32, _: usize) -> i32 {
        if self.0 == Wrong::Sum { -1 } else { 0 }
    }
    fn zero_sum(&self) -> bool {
        true
    }
    fn payoff_range(&self, player: usize) -> RangeInclusive<i32> {
        match player {
            1 if self.0 == Wrong::Ranges => 2..=3,
            _ => -1..=1,
        }
    }
    fn outcome(&self, player: usize, payoff: i32) -> Outcome {
        let better = i32::from(self.0 == Wrong::Outcomes && player == 1);
        match payoff + better {
            ..=-1 => Outcome::Loss,
            0 => Outcome::Draw,
            1.. => Outcome::Win,
        }
    }
    fn has_chance(&self) -> bool {
        self.0 == Wrong::Weight
    }
    fn chance_weight(&self, _: &u32, outcome: u8) -> u32 {
        if self.0 == Wrong::Weight { outcome.into() } else { 1 }
    }
    fn key(&self, &state: &u32) -> Option<u64> {
        Some(u64::from(state).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    fn knowledge(&self) -> impl DomainKnowledge<Self> {
        self
    }
}

impl DomainKnowledge<Short> for Short {
    fn static_bound(&self, &state: &u32, _: &mut Vec<u8>) -> StaticBound {
        match self.0 {
            Wrong::Foresight if state >= 4 => StaticBound::Payoff(-7),
            _ => StaticBound::Nothing,
        }
    }
}

/// Searches and provers enforce the same contract.
#[test]
fn what_cannot_be_true_is_refused_by_all() {
    const WRONG: [(Wrong, &str); 6] = [
        (Wrong::Sum, "the game is declared zero-sum, but its payoffs are -1 and -1"),
        (
            Wrong::Ranges,
            "no payoff in player 0's range, -1 to 1, is the negative of a payoff in player 1's",
        ),
        (
            Wrong::Outcomes,
            "the payoff 0 is a draw for player 0 and its negative 0 is a win for player 1",
        ),
        (Wrong::Chance, "chance decides in a position, but Game::has_chance returns false"),
        (Wrong::Weight, "the chance outcome"),
        (Wrong::Foresight, "the static bound gives player 0 -7, outside the range -1 to 1"),
    ];
    let named = |error: &SearchError, message: &str| {
        assert!(matches!(error, SearchError::Game(_)), "{error}");
        assert!(error.to_string().contains(message), "{error}, not {message}");
    };
    for (wrong, message) in WRONG {
        let (game, root) = toy(Short(wrong));
        for &algorithm in Algorithm::ALL {
            // Provers that grow trees do not use static bounds.
            if wrong == Wrong::Foresight && !algorithm.has_table() {
                continue;
            }
            let config = ProverConfig::default().threads(1).table(1 << 16).algorithm(algorithm);
            let config = config.goal(ProofGoal::Score);
            let error = prove(game.clone(), root.clone(), config, &Budget::default());
            named(&error.expect_err("it cannot be true"), message);
        }
        let config = Config::proving().threads(1).memory(16 << 20).goal(Goal::Score);
        let error = search(game, root, config, &Budget::default().playouts(1000));
        named(&error.expect_err("it cannot be true"), message);
    }
    let (sound, root) = toy(Short(Wrong::Nothing));
    let report = prove(sound, root, ProverConfig::default().threads(1), &Budget::default());
    assert_eq!(report.expect("a sound game").proven, Value::Draw);
}

/// A game without keys, in which the players in turn make five choices, each among four moves.
/// Player 0 wins if its second choice is 2 plus the parity of the choice before it, and its third
/// choice equals the choice before it. The game's knowledge excludes 0 and 1 as its second choice,
/// which always lose.
#[derive(Clone, Copy, Debug)]
struct Choices;

impl Game for Choices {
    /// The number of choices made, and the choices themselves with two bits for each, the last one
    /// in the lowest bits.
    type State = (u32, u32);
    type Move = u32;

    fn initial_state(&self) -> (u32, u32) {
        (0, 0)
    }
    fn turn(&self, &(made, _): &(u32, u32)) -> Turn {
        if made == 5 { Turn::Over } else { Turn::Player(made as usize % 2) }
    }
    fn legal_moves(&self, _: &(u32, u32), moves: &mut Vec<u32>) {
        moves.extend(0..4);
    }
    fn play(&self, state: &mut (u32, u32), choice: u32) {
        *state = (state.0 + 1, state.1 << 2 | choice);
    }
    fn payoff(&self, &(_, choices): &(u32, u32), player: usize) -> i32 {
        let choice = |from_last: u32| choices >> (2 * from_last) & 3;
        let wins = choice(2) == 2 + choice(3) % 2 && choice(0) == choice(1);
        if wins == (player == 0) { 1 } else { -1 }
    }
    fn zero_sum(&self) -> bool {
        true
    }
    fn payoff_range(&self, _: usize) -> RangeInclusive<i32> {
        -1..=1
    }

    fn knowledge(&self) -> impl DomainKnowledge<Self> {
        self
    }
}

impl DomainKnowledge<Choices> for Choices {
    fn static_bound(&self, state: &(u32, u32), moves: &mut Vec<u32>) -> StaticBound {
        if state.0 != 2 {
            return StaticBound::Nothing;
        }
        self.legal_moves(state, moves);
        moves.retain(|&choice| choice >= 2);
        StaticBound::Moves
    }
}

/// Without keys, positions are identified by the numbers of the moves that lead to them. Pushed
/// moves keep their numbers: otherwise two positions would share a key, and certificates would mix
/// them up.
#[test]
fn foreseen_moves_keep_their_numbers() {
    for &algorithm in Algorithm::ALL.iter().filter(|algorithm| algorithm.has_table()) {
        let config = ProverConfig::default().threads(1).table(1 << 16).algorithm(algorithm);
        let (game, root) = toy(Choices);
        let mut search = ProofSearch::new(game.clone(), root, config).expect("a sound game");
        let report = search.search(&Budget::default()).expect("a sound game");
        assert_eq!(report.proven, Value::Win, "{algorithm}");
        let mut file = Vec::new();
        search.certify("choices", &Root::default(), None, &mut file).expect("a proof");
        let mut file = &file[..];
        let certificate = Certificate::open(&mut file).expect("a certificate");
        certificate.check(&game).expect("a sound proof");
    }
}
