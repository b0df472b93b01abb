//! Compares [`AnyGame`] with the games that it wraps.

use crate::promises::specs;
use proofwood::{DomainKnowledge, Game, Rng, StaticBound, Turn};
use proofwood_games::{AnyGame, GameVisitor, with_game};
use std::ops::ControlFlow;
use std::sync::Arc;

struct Twins(&'static str);

const GAMES: u64 = 3;
const LONGEST: usize = 2_000;

impl GameVisitor for Twins {
    type Output = ();

    fn visit<G: Game>(self, game: G) {
        let any = AnyGame::from_spec(self.0).unwrap();
        assert_eq!(any.num_players(), game.num_players());
        assert_eq!(any.zero_sum(), game.zero_sum());
        assert_eq!(any.has_chance(), game.has_chance());
        assert_eq!(any.knowledge().recommended(), game.knowledge().recommended());
        for player in 0..game.num_players() {
            assert_eq!(any.player_name(player), game.player_name(player));
            let range = game.payoff_range(player);
            assert_eq!(any.payoff_range(player), range);
            for payoff in [*range.start(), 0, 1, *range.end()] {
                assert_eq!(any.outcome(player, payoff), game.outcome(player, payoff));
            }
        }
        for seed in 0..GAMES {
            self.play(&game, &any, seed);
        }
    }
}

impl Twins {
    fn play<G: Game>(&self, game: &G, any: &AnyGame, seed: u64) {
        let (mut rng, mut any_rng) = (Rng::new(seed), Rng::new(seed));
        let (mut state, mut any_state) = (game.initial_state(), any.initial_state());
        let mut line = String::new();
        for _ in 0..LONGEST {
            if compare(game, any, &state, &any_state).is_break() {
                return;
            }
            let (mut moves, mut any_moves) = (Vec::new(), Vec::new());
            let (mv, any_mv) = match game.turn(&state) {
                Turn::Over => unreachable!("a game that is over has no more to compare"),
                Turn::Chance => {
                    game.legal_moves(&state, &mut moves);
                    any.legal_moves(&any_state, &mut any_moves);
                    let place = rng.below(moves.len() as u32) as usize;
                    assert_eq!(any_rng.below(moves.len() as u32) as usize, place);
                    (moves[place], any_moves[place])
                }
                Turn::Player(_) => (
                    game.random_move(&state, &mut moves, &mut rng).unwrap(),
                    any.random_move(&any_state, &mut any_moves, &mut any_rng).unwrap(),
                ),
            };
            if game.turn(&state) != Turn::Chance {
                let (mut one, mut other) = (rng.clone(), any_rng.clone());
                let (mut moves, mut any_moves) = (Vec::new(), Vec::new());
                let drawn = game.knowledge().rollout_move(&state, &mut moves, &mut one);
                let any_drawn =
                    any.knowledge().rollout_move(&any_state, &mut any_moves, &mut other);
                assert_eq!(format!("{any_drawn:?}"), format!("{drawn:?}"), "{}", self.0);
                let (mut end, mut any_end) = (state.clone(), any_state.clone());
                let played = game.knowledge().rollout(&mut end, 100, &mut one);
                assert_eq!(any.knowledge().rollout(&mut any_end, 100, &mut other), played);
                assert_eq!(any.state_text(&any_end), game.state_text(&end), "{}", self.0);
            }
            if matches!(game.turn(&state), Turn::Player(_)) {
                let worth = game.knowledge().evaluate(&state);
                assert_eq!(any.knowledge().evaluate(&any_state), worth, "{}", self.0);
            }
            let text = game.move_text(&state, mv);
            assert_eq!(any.move_text(&any_state, any_mv), text, "{}", self.0);
            assert_eq!(format!("{any_mv:?}"), format!("{mv:?}"));
            assert_eq!(any.parse_move(&any_state, &text), Ok(any_mv), "{}", self.0);
            assert!(any.parse_move(&any_state, "no move").is_err());
            line = format!("{line} {text}");
            game.play(&mut state, mv);
            any.play(&mut any_state, any_mv);
        }
        assert_eq!(any.split_moves(&line), game.split_moves(&line));
    }
}

/// Compares the results of all methods for a position; returns `Break` if the game is over.
fn compare<G: Game>(
    game: &G,
    any: &AnyGame,
    state: &G::State,
    any_state: &<AnyGame as Game>::State,
) -> ControlFlow<()> {
    let text = game.state_text(state);
    assert_eq!(any.state_text(any_state), text);
    assert_eq!(any.state_text(&any.parse_state(&text).unwrap()), text);
    assert!(any.parse_state("no position").is_err() == game.parse_state("no position").is_err());
    assert_eq!(any.board_text(any_state), game.board_text(state));
    assert_eq!(any.key(any_state), game.key(state));
    assert_eq!(any.knowledge().canonical_key(any_state), game.knowledge().canonical_key(state));
    let (mut images, mut any_images) = (Vec::new(), Vec::new());
    game.knowledge().symmetries(state, &mut images);
    any.knowledge().symmetries(any_state, &mut any_images);
    let texts: Vec<_> = images.iter().map(|image| game.state_text(image)).collect();
    let any_texts: Vec<_> = any_images.iter().map(|image| any.state_text(image)).collect();
    assert_eq!(any_texts, texts);
    let turn = game.turn(state);
    assert_eq!(any.turn(any_state), turn);
    if turn == Turn::Over {
        for player in 0..game.num_players() {
            assert_eq!(any.payoff(any_state, player), game.payoff(state, player));
        }
        return ControlFlow::Break(());
    }
    let (mut moves, mut any_moves) = (Vec::new(), Vec::new());
    assert_eq!(any.mobility(any_state, &mut any_moves), game.mobility(state, &mut moves));
    let texts = |moves: &[G::Move]| -> Vec<_> {
        moves.iter().map(|&mv| game.move_text(state, mv)).collect()
    };
    let any_texts = |moves: &[<AnyGame as Game>::Move]| -> Vec<_> {
        moves.iter().map(|&mv| any.move_text(any_state, mv)).collect()
    };
    moves.clear();
    any_moves.clear();
    game.legal_moves(state, &mut moves);
    any.legal_moves(any_state, &mut any_moves);
    assert_eq!(any_texts(&any_moves), texts(&moves));
    if turn == Turn::Chance {
        for (&mv, &any_mv) in moves.iter().zip(&any_moves) {
            assert_eq!(any.chance_weight(any_state, any_mv), game.chance_weight(state, mv));
        }
    }
    for (&mv, &any_mv) in moves.iter().zip(&any_moves) {
        assert_eq!(
            any.knowledge().move_order(any_state, any_mv),
            game.knowledge().move_order(state, mv)
        );
    }
    if turn != Turn::Chance && game.num_players() == 2 && game.zero_sum() && !game.has_chance() {
        moves.clear();
        any_moves.clear();
        let static_bound = game.knowledge().static_bound(state, &mut moves);
        assert_eq!(any.knowledge().static_bound(any_state, &mut any_moves), static_bound);
        assert_eq!(any_texts(&any_moves), texts(&moves));
        moves.clear();
        any_moves.clear();
        let static_bound = game.knowledge().static_bound_for_prover(state, &mut moves);
        assert_eq!(
            any.knowledge().static_bound_for_prover(any_state, &mut any_moves),
            static_bound
        );
        assert_eq!(any_texts(&any_moves), texts(&moves));
        let at_least = moves.len() as i32 - 1;
        moves.clear();
        any_moves.clear();
        let static_bound = game.knowledge().static_bound_at(state, at_least, &mut moves);
        let any_bound = any.knowledge().static_bound_at(any_state, at_least, &mut any_moves);
        assert_eq!(any_bound, static_bound);
        assert_eq!(any_texts(&any_moves), texts(&moves));
    }
    ControlFlow::Continue(())
}

/// Checks that a game in an `Arc` has the same static bounds as the game itself.
#[test]
fn a_shared_game_foresees_what_the_game_foresees() {
    let (mut moves, mut shared_moves, mut told) = (Vec::new(), Vec::new(), 0);
    for spec in ["othello:4", "dots-and-boxes:2x2"] {
        let game = AnyGame::from_spec(spec).unwrap();
        let shared = Arc::new(game.clone());
        for seed in 0..20 {
            let (mut rng, mut state) = (Rng::new(seed), game.initial_state());
            while game.turn(&state) != Turn::Over {
                for at_least in -2..=2 {
                    moves.clear();
                    shared_moves.clear();
                    let static_bound =
                        game.knowledge().static_bound_at(&state, at_least, &mut moves);
                    let knowledge = shared.knowledge();
                    let other = knowledge.static_bound_at(&state, at_least, &mut shared_moves);
                    assert_eq!((other, &shared_moves), (static_bound, &moves), "{spec}");
                    told += usize::from(static_bound != StaticBound::Nothing);
                }
                let mv = game.random_move(&state, &mut Vec::new(), &mut rng).unwrap();
                game.play(&mut state, mv);
            }
        }
    }
    assert!(told > 100, "{told}");
}

#[test]
fn any_game_says_what_the_game_says() {
    for spec in specs() {
        with_game(spec, Twins(spec)).unwrap();
    }
}

/// Checks that `AnyGame` forwards every method; a missing one would silently use its default.
#[test]
fn every_method_of_a_game_is_passed_on() {
    const TRAIT: &str = include_str!("../../../game/src/game.rs");
    /// Methods that call other methods and that no game overrides.
    const MADE_OF_OTHERS: [&str; 2] = ["after", "line_text"];
    let methods = |source: &'static str| {
        let names = source.lines().filter_map(|line| line.trim_start().strip_prefix("fn "));
        names.filter_map(|line| line.split(['(', '<']).next()).collect::<Vec<_>>()
    };
    let (_, game) = TRAIT.split_once("pub trait Game").unwrap();
    let (game, _) = game.split_once("\n}").unwrap();
    let passed_on = methods(include_str!("../../src/any.rs"));
    let missing = |name: &&str| !passed_on.contains(name) && !MADE_OF_OTHERS.contains(name);
    assert_eq!(methods(game).into_iter().filter(missing).collect::<Vec<_>>(), [""; 0]);
    assert!(methods(game).len() > 20);
}
