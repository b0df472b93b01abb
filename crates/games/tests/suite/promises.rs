//! Checks in random games that all games satisfy the engine's contract.

use proofwood::{DomainKnowledge, Game, Outcome, Rng, Turn, check_rules};
use proofwood_games::{AnyGame, games};
use proofwood_testkit::rounds::rounds;
use std::collections::HashMap;

/// Variants to check in addition to the plain games and the registry's examples.
const VARIANTS: &[&str] = &[
    "mnk:3,3,3,players=3",
    "mnk:5,4,3,players=4",
    "mnk:8,8,5",
    "mnk:64,1,5",
    "mnk:1,9,3",
    "mnk:4,4,1",
    "connect-four:9x5",
    "connect-four:8x7",
    "connect-four:4x4,k=2",
    "connect-four:32x1",
    "connect-four:1x63,k=5",
    "othello:4",
    "p-game:3,6,early=20,values=10",
    "p-game:1,200",
    "p-game:65535,4",
    "los-alamos:chess-draws",
    "hex:1",
    "hex:7x3",
    "hex:3x11",
    "atari-go:5",
    "atari-go:2x9,crosscut",
    "atari-go:1",
    "nogo:9x1",
    "nogo:1x6",
    "nogo:7x4",
    "reversi:4",
    "ataxx:3",
    "ataxx:4,clones",
    "awari:sow12",
    "awari:2,8",
    "oware:2,8",
    "minishogi:sennichite",
    "chinese-checkers:1,players=2",
    "chinese-checkers:2,turns=60",
    "chinese-checkers:3,players=6,turns=20",
    "chinese-checkers:players=4,turns=25",
    "chinese-checkers:players=6,turns=30",
    "breakthrough:1x9,rows=3",
    "breakthrough:1x7,pass",
    "breakthrough:32x2,rows=1",
    "breakthrough:4x16,pass",
    "breakthrough:9x7,rows=1",
    "knightthrough:3x7",
    "knightthrough:3x7,no-pass",
    "knightthrough:2x9,rows=1",
    "knightthrough:4x6,no-pass",
    "clobber:1x9",
    "clobber:30x2",
    "domineering:1x64",
    "domineering:64x1,horizontal",
    "domineering:6x5",
    "dots-and-boxes:1x1",
    "dots-and-boxes:1x22",
    "pig:7,players=3,turns=20",
    "pig:30,players=3",
    "pig:1",
    "pig:2,turns=1",
    "ewn:3",
    "ewn:4,setup=chosen",
    "ewn:5,setup=random",
    "ewn:8,setup=fixed",
];

/// Returns all games to check: those that need no options, the registry's examples, and the
/// variants.
pub(crate) fn specs() -> Vec<&'static str> {
    let registered = games().iter().flat_map(|info| [info.name, info.example]);
    let mut specs: Vec<&str> = registered
        .filter(|spec| AnyGame::from_spec(spec).is_ok())
        .chain(VARIANTS.to_vec())
        .collect();
    specs.sort_unstable();
    specs.dedup();
    specs
}

const GAMES: usize = 45;
/// Games that last so long, or whose texts are so long, that they are played only this number of
/// times.
const LONG: &[(&str, usize)] = &[("minishogi:sennichite", 10), ("chinese-checkers", 5)];
const LONGEST: usize = 10_000;

fn check_random_games<G: Game>(spec: &str, game: &G) {
    let mut rng = Rng::new(11);
    let mut seen = Seen::default();
    let long = LONG.iter().find(|(name, _)| *name == spec);
    for _ in 0..long.map_or(rounds(GAMES), |&(_, games)| games) {
        let mut state = game.initial_state();
        let mut way = state.clone();
        let mut texts = Vec::new();
        for ply in 0.. {
            assert!(ply < LONGEST, "{} does not end", spec);
            check_text(game, &state);
            check_names(game, &state, spec);
            seen.note(game, &state);
            if game.turn(&state) == Turn::Over {
                break;
            }
            let mv = check_moves(game, &state, &mut rng);
            texts.push(game.move_text(&state, mv));
            game.play(&mut state, mv);
            game.play(&mut way, mv);
            if rng.below(8) == 0 || game.turn(&state) == Turn::Over {
                check_way(game, &way, &state);
                way = state.clone();
            }
        }
        check_payoffs(game, &state);
        assert_eq!(game.split_moves(&texts.join(" ")), texts, "{}", spec);
        assert_eq!(game.split_moves(&format!(" {},", texts.join(", "))), texts);
    }
    seen.check_bits(spec);
}

#[derive(Default)]
struct Seen {
    hashes: HashMap<String, u64>,
    texts: HashMap<u64, String>,
}

impl Seen {
    /// Checks that equal positions have equal keys and different positions have different keys.
    fn note<G: Game>(&mut self, game: &G, state: &G::State) {
        let Some(hash) = game.key(state) else { return };
        let text = game.state_text(state);
        assert_eq!(*self.hashes.entry(text.clone()).or_insert(hash), hash, "{text}");
        let other = self.texts.entry(hash).or_insert_with(|| text.clone());
        assert_eq!(*other, text, "two positions with the hash {hash:#x}");
    }

    /// Checks that every bit is set in about half of the keys.
    fn check_bits(&self, spec: &str) {
        let total = self.texts.len();
        if total < 2000 {
            return;
        }
        for bit in 0..64 {
            let set = self.texts.keys().filter(|&hash| hash >> bit & 1 == 1).count();
            let fair = total * 45 / 100..total * 55 / 100;
            assert!(fair.contains(&set), "{spec}: bit {bit} is set in {set} of {total}");
        }
    }
}

fn check_text<G: Game>(game: &G, state: &G::State) {
    let text = game.state_text(state);
    assert!(!text.contains('\n'), "{text}");
    assert!(!game.board_text(state).is_empty(), "{text}");
    let read = game.parse_state(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(game.state_text(&read), text);
    assert_eq!(game.turn(&read), game.turn(state), "{text}");
    assert_eq!(game.key(&read), game.key(state), "{text}");
    if game.turn(state) != Turn::Over {
        assert_eq!(legal(game, &read), legal(game, state), "{text}");
    }
}

/// Checks that players have different names, and that the player to move appears as a word in the
/// position's text, by the whole name or by its first letter.
fn check_names<G: Game>(game: &G, state: &G::State, spec: &str) {
    let names: Vec<String> = (0..game.num_players()).map(|p| game.player_name(p)).collect();
    for (player, name) in names.iter().enumerate() {
        assert!(!names[..player].contains(name), "{spec}: two players are called {name}");
    }
    let Turn::Player(mover) = game.turn(state) else { return };
    let text = game.state_text(state);
    // A path in a tree does not name a player, nor do moves that follow a position. A FEN of
    // Minishogi writes w for Sente.
    let word = match spec.split(':').next() {
        Some("p-game" | "minishogi") => return,
        Some("oware") if text.contains(" moves ") => return,
        // The boxes, the seeds or the scores follow the rows.
        Some("dots-and-boxes" | "awari" | "oware") => 2,
        _ => 1,
    };
    let word = text.split(' ').nth(word).unwrap_or_else(|| panic!("{spec}: {text}"));
    let is_named = |name: &str| match word.len() {
        1 => name[..1].eq_ignore_ascii_case(word),
        _ => name.eq_ignore_ascii_case(word),
    };
    let named: Vec<usize> = (0..names.len()).filter(|&player| is_named(&names[player])).collect();
    assert_eq!(named, [mover], "{spec}: {text} and {names:?}");
}

fn legal<G: Game>(game: &G, state: &G::State) -> Vec<G::Move> {
    let mut moves = Vec::new();
    game.legal_moves(state, &mut moves);
    moves
}

fn check_moves<G: Game>(game: &G, state: &G::State, rng: &mut Rng) -> G::Move {
    let before = game.state_text(state);
    let moves = legal(game, state);
    assert!((1..=65_535).contains(&moves.len()), "{before}");
    assert_eq!(game.mobility(state, &mut Vec::new()), moves.len(), "{before}");
    assert!(matches!(game.turn(state), Turn::Chance | Turn::Player(_)), "{before}");
    if let Turn::Player(player) = game.turn(state) {
        assert!(player < game.num_players(), "{before}");
    }
    // If there are very many moves, about a hundred of them suffice.
    for &mv in moves.iter().step_by(moves.len() / 100 + 1) {
        let text = game.move_text(state, mv);
        assert_eq!(game.parse_move(state, &text), Ok(mv), "{before}: {text}");
        assert_eq!(game.parse_move(state, &text.to_uppercase()), Ok(mv), "{before}: {text}");
        assert_eq!(game.split_moves(&text), [text.as_str()], "{before}");
        let next = game.after(state, mv);
        assert_eq!(game.state_text(state), before, "after {text}");
        assert_ne!(game.state_text(&next), before, "after {text}");
        let mut played = state.clone();
        game.play(&mut played, mv);
        assert_eq!(game.state_text(&next), game.state_text(&played), "{before}: {text}");
    }
    assert!(game.parse_move(state, "").is_err(), "{before}");
    assert!(game.parse_move(state, "nonsense").is_err(), "{before}");
    if game.turn(state) != Turn::Chance {
        let known = game.knowledge().rollout_move(state, &mut Vec::new(), &mut rng.clone());
        assert!(known.is_none_or(|mv| moves.contains(&mv)), "{before}: {known:?} for a playout");
        check_worth(game, state);
    }
    let mv = game.random_move(state, &mut Vec::new(), rng).expect("a move");
    assert!(moves.contains(&mv), "{before}: {mv:?}");
    mv
}

/// Checks that a static evaluation is from −1 to 1 and the same for all symmetric positions.
fn check_worth<G: Game>(game: &G, state: &G::State) {
    let text = game.state_text(state);
    let worth = game.knowledge().evaluate(state);
    assert!(worth.is_none_or(|worth| (-1.0..=1.0).contains(&worth)), "{text}: {worth:?}");
    let mut images = Vec::new();
    game.knowledge().symmetries(state, &mut images);
    for image in images {
        let other = game.knowledge().evaluate(&image);
        let alike = match (worth, other) {
            (Some(one), Some(other)) => (one - other).abs() < 1e-4,
            (one, other) => one == other,
        };
        assert!(alike, "{text}: {worth:?}, and {}: {other:?}", game.state_text(&image));
    }
}

/// Checks that a position reached by moves alone equals the one reached by the same moves with
/// calls to other methods after each move.
fn check_way<G: Game>(game: &G, way: &G::State, state: &G::State) {
    let text = game.state_text(state);
    assert_eq!(game.key(way), game.key(state), "{text}");
    assert_eq!(game.turn(way), game.turn(state), "{text}");
    if game.turn(state) != Turn::Over {
        assert_eq!(legal(game, way), legal(game, state), "{text}");
    }
    assert_eq!(game.state_text(way), text);
}

/// Checks that payoffs are in range, sum to zero if the game declares it, and that outcomes do not
/// get worse as payoffs rise.
fn check_payoffs<G: Game>(game: &G, state: &G::State) {
    let text = game.state_text(state);
    let payoffs: Vec<i32> = (0..game.num_players()).map(|p| game.payoff(state, p)).collect();
    for (player, payoff) in payoffs.iter().enumerate() {
        let range = game.payoff_range(player);
        assert!(range.contains(payoff), "{text}: {payoffs:?}");
        let (least, most) = (*range.start(), *range.end());
        let outcomes = [least, *payoff, most].map(|payoff| game.outcome(player, payoff));
        assert!(outcomes.is_sorted(), "{text}: {outcomes:?}");
        assert_eq!(game.outcome(player, most), Outcome::Win, "nobody can win");
    }
    if game.zero_sum() {
        assert_eq!(payoffs.len(), 2);
        assert_eq!(payoffs.iter().sum::<i32>(), 0, "{text}");
    }
    assert!(game.parse_move(state, "a1").is_err(), "{text}: a move after the end");
}

#[test]
fn random_games_keep_the_promises() {
    for spec in specs() {
        check_random_games(spec, &AnyGame::from_spec(spec).expect(spec));
    }
}

/// Calls `check_rules`, as the authors of games should.
fn check_as_authors_do<G: Game>(spec: &str, game: &G) {
    let long = LONG.iter().any(|(name, _)| *name == spec);
    let games = if long { 2 } else { rounds(12) };
    let report = check_rules(game, 3, games);
    let report = report.unwrap_or_else(|error| panic!("{}: {error}", spec));
    assert_eq!((report.ended, report.splits_moves), (games, true), "{}", spec);
    assert!(report.texts > 0, "{}", spec);
    let hashed = game.key(&game.initial_state()).is_some();
    assert_eq!(report.hashes > 0, hashed, "{}", spec);
    if ["hex:6", "othello", "domineering"].contains(&spec) {
        assert!(report.static_bounds > 0, "{}", spec);
    }
    if report.adds_up_to_zero {
        assert!(game.zero_sum(), "{} does not say that its payoffs add up to 0", spec);
    }
}

#[test]
fn rules_pass_the_check_for_authors() {
    for spec in specs() {
        check_as_authors_do(spec, &AnyGame::from_spec(spec).expect(spec));
    }
}

/// Visits positions from the start in breadth-first order, in which several orders of moves reach
/// the same position, and compares their keys.
fn transpositions<G: Game>(game: &G) -> usize {
    const MOST: usize = 4_000;
    let mut seen = Seen::default();
    let mut level = vec![game.initial_state()];
    let mut again = 0;
    if game.key(&level[0]).is_none() {
        return again;
    }
    while !level.is_empty() && seen.hashes.len() < MOST {
        let mut next = Vec::new();
        for state in &level {
            if game.turn(state) == Turn::Over {
                continue;
            }
            for mv in legal(game, state).into_iter().take(100) {
                let state = game.after(state, mv);
                let known = seen.hashes.len();
                seen.note(game, &state);
                if seen.hashes.len() == known {
                    again += 1;
                } else if next.len() < MOST {
                    next.push(state);
                }
            }
        }
        level = next;
    }
    again
}

/// Games in which only one order of moves leads to each position.
const TREES: &[&str] = &["p-game"];

fn name(spec: &str) -> &str {
    spec.split(':').next().unwrap_or(spec)
}

#[test]
fn hashes_know_positions_again() {
    for spec in specs() {
        let again = transpositions(&AnyGame::from_spec(spec).expect(spec));
        let example = games().iter().any(|info| info.example == spec);
        assert!(again > 0 || !example || TREES.contains(&name(spec)), "{spec}: none came up again");
    }
}
