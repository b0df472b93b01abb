//! Tests of static bounds in games whose positions repeat: `check_rules` and audits refuse pushed
//! moves that keep the value but make no progress, and accept correct ones.

use proofwood::error::GameError;
use proofwood::rules::RulesFault;
use proofwood::{
    Algorithm, Budget, Config, DomainKnowledge, Game, ProverConfig, SearchError, StaticBound,
    TextError, Turn, Value, check_rules, prove, search,
};
use std::ops::RangeInclusive;

/// A game with the positions 0 to 4. Black moves from 0 to 1 or 4, and from 2 to 1. White moves
/// from 1 to 2, or to 3 and wins, and from 4 to 0. Black never loses from 0, because play can
/// repeat through 4.
#[derive(Clone, Copy, Debug)]
struct Rounds {
    hint: Hint,
    method: Method,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Hint {
    Right,
    /// At position 1, pushes White's move to 2, from which White wins too, but later.
    Waits,
    /// At position 0, pushes Black's move to 1, after which White can win.
    Ends,
    /// Claims a draw at a position where play may repeat, although neither player can force a draw.
    Draws,
    /// Claims that at position 0 Black can keep White from winning.
    Holds,
    NoMove,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Method {
    StaticBound,
    Closely,
    Against,
}

const METHODS: [Method; 3] = [Method::StaticBound, Method::Closely, Method::Against];
/// Wrong hints, and parts of the messages about them.
const WRONG: [(Hint, &str); 5] = [
    (Hint::Waits, "pushes no move that makes progress: player 0 can force a payoff of"),
    (Hint::Ends, "pushes only moves after which player 0 can force a payoff of 1 or more"),
    (Hint::Draws, "returns Payoff(0), but it is not true that player"),
    (Hint::Holds, "returns AtMost(0), but it is not true that player 1 can keep player 0's payoff"),
    (Hint::NoMove, "returns StaticBound::Moves but pushes no move"),
];

impl Game for Rounds {
    type State = u8;
    type Move = u8;

    fn initial_state(&self) -> u8 {
        0
    }
    fn turn(&self, &state: &u8) -> Turn {
        match state {
            3 => Turn::Over,
            1 | 4 => Turn::Player(0),
            _ => Turn::Player(1),
        }
    }
    fn legal_moves(&self, &state: &u8, moves: &mut Vec<u8>) {
        match state {
            0 => moves.extend([1, 4]),
            1 => moves.extend([2, 3]),
            2 => moves.push(1),
            _ => moves.push(0),
        }
    }
    fn play(&self, state: &mut u8, mv: u8) {
        *state = mv;
    }
    fn payoff(&self, _: &u8, player: usize) -> i32 {
        if player == 0 { 1 } else { -1 }
    }
    fn payoff_range(&self, _: usize) -> RangeInclusive<i32> {
        -1..=1
    }
    fn zero_sum(&self) -> bool {
        true
    }
    fn key(&self, &state: &u8) -> Option<u64> {
        Some((u64::from(state) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }
    fn state_text(&self, state: &u8) -> String {
        state.to_string()
    }
    fn parse_state(&self, text: &str) -> Result<u8, TextError> {
        text.parse().map_err(|_| TextError::new("no position"))
    }
    fn knowledge(&self) -> impl DomainKnowledge<Self> {
        self
    }
}

impl Rounds {
    fn hint(&self, state: u8, moves: &mut Vec<u8>) -> StaticBound {
        let pushed = match (state, self.hint) {
            (0, Hint::Draws) => return StaticBound::Payoff(0),
            (0, Hint::Holds) => return StaticBound::AtMost(0),
            (2, Hint::Right) => return StaticBound::AtLeast(1),
            (0 | 1, Hint::NoMove) => return StaticBound::Moves,
            (0, Hint::Ends) => 1,
            (0, Hint::Right) => 4,
            (1, Hint::Waits) => 2,
            (1, _) => 3,
            _ => return StaticBound::Nothing,
        };
        moves.push(pushed);
        StaticBound::Moves
    }
}

impl DomainKnowledge<Rounds> for Rounds {
    fn static_bound(&self, &state: &u8, moves: &mut Vec<u8>) -> StaticBound {
        match self.method {
            Method::StaticBound => self.hint(state, moves),
            _ => StaticBound::Nothing,
        }
    }
    fn static_bound_for_prover(&self, state: &u8, moves: &mut Vec<u8>) -> StaticBound {
        match self.method {
            Method::Closely => self.hint(*state, moves),
            _ => self.static_bound(state, moves),
        }
    }
    fn static_bound_at(&self, state: &u8, _: i32, moves: &mut Vec<u8>) -> StaticBound {
        match self.method {
            Method::Against => self.hint(*state, moves),
            _ => self.static_bound_for_prover(state, moves),
        }
    }
}

/// The method's name, which is part of each message.
fn name(method: Method) -> &'static str {
    match method {
        Method::StaticBound => "DomainKnowledge::static_bound ",
        Method::Closely => "DomainKnowledge::static_bound_for_prover ",
        Method::Against => "DomainKnowledge::static_bound_at ",
    }
}

#[test]
fn the_check_of_rules_refuses_hints_that_go_round() {
    for method in METHODS {
        for (hint, message) in WRONG {
            let error = check_rules(&Rounds { hint, method }, 1, 100).expect_err("a wrong hint");
            let text = error.to_string();
            assert!(text.contains(message) && text.contains(name(method)), "{hint:?}: {text}");
            let end = error.moves.last().map_or("0", |mv| mv);
            assert_eq!(end, error.position, "{text}");
        }
        let report = check_rules(&Rounds { hint: Hint::Right, method }, 1, 100);
        let report = report.unwrap_or_else(|error| panic!("{method:?}: {error}"));
        assert!(report.static_bounds > 0 && report.narrowed > 0, "{report:?}");
    }
}

#[test]
fn audits_refuse_hints_that_go_round() {
    let algorithms = [Algorithm::Pns, Algorithm::Dfpn, Algorithm::Pds, Algorithm::Ab];
    let config = || ProverConfig::default().threads(1).table(1 << 16).memory(1 << 20).audit(true);
    for method in METHODS {
        for (hint, message) in WRONG {
            let game = Rounds { hint, method };
            let config = || config().player(0);
            // Provers that grow trees do not request moves.
            let asks = |&algorithm: &Algorithm| hint != Hint::NoMove || algorithm != Algorithm::Pns;
            for algorithm in algorithms.into_iter().chain([Algorithm::Auto]).filter(asks) {
                let config = config().algorithm(algorithm);
                let error = prove(game, 0, config.clone(), &Budget::default()).map(drop);
                let Err(error) = error else { panic!("{algorithm} takes {game:?}") };
                let text = error.to_string();
                // Without moves the check has nothing to compare, and the prover finds the fault
                // itself.
                assert!(text.contains(message), "{algorithm}, {game:?}: {text}");
                if hint != Hint::NoMove {
                    let off = config.foresight(false);
                    prove(game, 0, off, &Budget::default()).expect("nobody asks");
                }
            }
            if hint != Hint::NoMove {
                let config = Config::default().threads(1).memory(1 << 20).audit(true);
                let error = search(game, 0, config, &Budget::default().playouts(100)).map(drop);
                let Err(SearchError::Game(GameError::Foresight { .. })) = error else {
                    panic!("{game:?}: {error:?}");
                };
            }
        }
        for algorithm in algorithms.into_iter().chain([Algorithm::Auto]) {
            let game = Rounds { hint: Hint::Right, method };
            for (root, value) in [(1, Value::Win), (2, Value::Win), (0, Value::Draw)] {
                let config = config().algorithm(algorithm).player(0);
                let report = prove(game, root, config, &Budget::default()).expect("right hints");
                assert_eq!((report.proven, report.solved), (value, true), "{algorithm} at {root}");
            }
        }
    }
}

/// The fault arises only in games with cycles: without a cycle the same check accepts every best
/// move.
#[test]
fn the_fault_is_one_of_the_game() {
    let game = Rounds { hint: Hint::Waits, method: Method::StaticBound };
    let error = check_rules(&game, 1, 100).expect_err("a wrong hint");
    let RulesFault::Contract(GameError::Foresight { method, position, .. }) = &*error.fault else {
        panic!("{error}");
    };
    assert_eq!((*method, position.as_str()), ("static_bound", "1"));
}
