//! Tests of games whose rules fail.

use proofwood::{Budget, Config, Game, SearchError, Turn};

/// A game without text forms whose rules fail after some moves.
struct Failing;

impl Game for Failing {
    type State = u32;
    type Move = u32;

    fn initial_state(&self) -> u32 {
        0
    }
    fn turn(&self, state: &u32) -> Turn {
        assert!(*state < 20, "the rules end here");
        Turn::Player(0)
    }
    fn legal_moves(&self, _: &u32, moves: &mut Vec<u32>) {
        moves.extend([1, 2]);
    }
    fn play(&self, state: &mut u32, mv: u32) {
        *state += mv;
    }
    fn payoff(&self, _: &u32, _: usize) -> i32 {
        0
    }
}

#[test]
fn a_game_that_panics_is_an_error() {
    let rules = proofwood_any_game::erase(Failing);
    let mut position = rules.start();
    assert_eq!(position.play("2").as_deref(), Ok("2"));
    assert_eq!(position.view().text, "");
    assert!(rules.read("anything").is_err());
    for threads in [1, 4] {
        let mut search = position.search(&Config::default().threads(threads)).unwrap();
        search.start(&Budget::default().playouts(10_000)).unwrap();
        let error = search.wait().unwrap_err();
        assert!(error.to_string().contains("the rules end here"), "{error}");
        assert!(matches!(error, SearchError::Panic(_)), "{error:?}");
    }
}
