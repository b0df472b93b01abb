//! Tests of static evaluations.

use proofwood::{DomainKnowledge, Game, Rng, Turn};
use proofwood_games::AnyGame;

/// Positions in which the first player is clearly ahead; `~` is a placeholder for the side to move.
const BETTER: &[(&str, &str, [char; 2])] = &[
    ("ataxx", "o6/7/7/7/xxxxxxx/xxxxxxx/xxxxxxx ~", ['x', 'o']),
    ("awari", "1,0,2,1,3,2/0,1,2,0,1,2 20-13 ~", ['S', 'N']),
    ("breakthrough", "pppppppp/5ppp/3P4/8/8/8/PPP1PPPP/PPPPPPPP ~", ['w', 'b']),
    ("gardner", "r2bk/ppppp/5/PPPPP/RNBQK ~ - - 0", ['w', 'b']),
    ("knightthrough", "nnnnnnnn/3nnnnn/8/3N4/8/8/NNN1NNNN/NNNNNNNN ~", ['w', 'b']),
    ("loa8", "8/o6o/o6o/o1xxx2o/o1x1x2o/o2xx1xo/8/1o4x1 ~", ['x', 'o']),
    ("los-alamos", "rn1knr/pppppp/6/6/PPPPPP/RNQKNR ~ - -", ['w', 'b']),
    ("minishogi", "1bsgk/4p/5/P4/KGSBR[R] ~ - - 0 1", ['w', 'b']),
    ("oware", "1,0,2,1,3,2/0,1,2,0,1,2 20-13 ~", ['S', 'N']),
    ("skirmish", "1nb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR ~ KQk -", ['w', 'b']),
    ("surakarta", "oo2oo/oooooo/6/6/xxxxxx/xxxxxx ~ 0", ['x', 'o']),
];

fn worth(spec: &str, text: &str) -> f32 {
    let game = AnyGame::from_spec(spec).expect(spec);
    let state = game.parse_state(text).unwrap_or_else(|error| panic!("{spec}: {text}: {error}"));
    game.knowledge().evaluate(&state).expect(spec)
}

#[test]
fn who_stands_better_looks_better() {
    for &(spec, position, sides) in BETTER {
        let [first, second] =
            sides.map(|side| worth(spec, &position.replace('~', &side.to_string())));
        assert!(first > 0.2 && second < -0.2, "{spec}: {first}, and {second} to the other side");
    }
}

#[test]
fn the_start_looks_even() {
    let even = ["othello", "reversi:6"];
    for spec in BETTER.iter().map(|&(spec, ..)| spec).chain(even) {
        let game = AnyGame::from_spec(spec).expect(spec);
        let worth = game.knowledge().evaluate(&game.initial_state()).expect(spec);
        // The right to move is a small advantage.
        assert!((0.0..0.25).contains(&worth), "{spec}: {worth}");
        assert!(game.has_evaluation());
    }
    assert!(!AnyGame::from_spec("hex").expect("a game").has_evaluation());
}

#[test]
fn what_is_counted_adds_up_to_the_worth() {
    let mut rng = Rng::new(1);
    for spec in BETTER.iter().map(|&(spec, ..)| spec).chain(["othello", "reversi:6"]) {
        let game = AnyGame::from_spec(spec).expect(spec);
        let (mut state, mut moves) = (game.initial_state(), Vec::new());
        for _ in 0..60 {
            moves.clear();
            if game.turn(&state) == Turn::Over {
                break;
            }
            let parts = game.counted(&state);
            let sum: f32 = parts.iter().map(|part| part.count * part.weight).sum();
            let worth = game.knowledge().evaluate(&state).expect(spec);
            assert!((worth - sum.tanh()).abs() < 1e-6, "{spec}: {worth}, and {parts:?}");
            let mv = game.random_move(&state, &mut moves, &mut rng).expect("a move");
            game.play(&mut state, mv);
        }
    }
    let hex = AnyGame::from_spec("hex").expect("a game");
    assert!(hex.counted(&hex.initial_state()).is_empty());
}

#[test]
fn pieces_that_have_come_further_look_better() {
    let worth = |text: &str| worth("chinese-checkers:1,players=2", text);
    // A star of 13 cells with one piece for each player; A moves up.
    let (start, ahead) = ("B/4/3/4/A", "B/4/1A1/4/1");
    for (text, sign) in [(start, 0.0), (ahead, 1.0)] {
        let (to_a, to_b) = (worth(&format!("{text} A")), worth(&format!("{text} B")));
        match sign {
            0.0 => assert!(to_a == to_b && (0.0..0.3).contains(&to_a), "{text}: {to_a}"),
            _ => assert!(to_a > 0.5 && to_b < -0.3, "{text}: {to_a} {to_b}"),
        }
    }
    let three = AnyGame::from_spec("chinese-checkers").expect("a game");
    assert!(three.knowledge().evaluate(&three.initial_state()).is_none());
}
