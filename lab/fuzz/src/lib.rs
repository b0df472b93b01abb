//! Checks that the fuzz targets share: no parser panics on any text, and every accepted text yields
//! a position, a move or a game that fulfils the contract of [`Game`].
#![forbid(unsafe_code)]

use proofwood::{Game, Rng, Turn};
use proofwood_games::{GameVisitor, games, with_game};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::LazyLock;

/// Boards and rules that are tested besides each game's default and the registry's example.
const VARIANTS: &[&str] = &[
    "mnk:3,3,3,players=3",
    "mnk:64,1,5",
    "connect-four:9x5",
    "connect-four:1x63,k=5",
    "othello:4",
    "p-game:3,6,early=20,values=10",
    "los-alamos:chess-draws",
    "minishogi:sennichite",
    "chinese-checkers:2",
    "chinese-checkers:players=4",
    "chinese-checkers:players=6,turns=9",
    "hex:3x11",
    "atari-go:3x4",
    "nogo:7x4",
    "reversi:4",
    "ataxx:4,clones",
    "awari:2,8",
    "oware:2,8",
    "breakthrough:4x16,pass",
    "breakthrough:9x7,rows=1",
    "knightthrough:3x7",
    "clobber:30x2",
    "domineering:64x1",
    "dots-and-boxes:1x2",
    "pig:7,players=3",
    "ewn:4,setup=chosen",
    "ewn:8",
];

/// The environment variable that names the only game to fuzz; without it, all games are fuzzed.
const ONE_GAME: &str = "PROOFWOOD_FUZZ_GAME";

/// Games that the targets choose from by number: games that need no options, the registry's
/// examples, and variants.
pub fn specs() -> &'static [&'static str] {
    static SPECS: LazyLock<Vec<&str>> = LazyLock::new(|| {
        let one = std::env::var(ONE_GAME).ok();
        let wanted = |spec: &&str| {
            let name = spec.split(':').next();
            one.as_deref().is_none_or(|one| name == Some(one))
        };
        let registered = games().iter().flat_map(|info| [info.name, info.example]);
        let mut specs: Vec<&str> = registered
            .chain(VARIANTS.iter().copied())
            .filter(wanted)
            .filter(|spec| with_game(spec, Exists).is_ok())
            .collect();
        specs.sort_unstable();
        specs.dedup();
        assert!(!specs.is_empty(), "{ONE_GAME} names no game");
        assert!(specs.len() <= 256, "a byte chooses the game");
        specs
    });
    &SPECS
}

struct Exists;

impl GameVisitor for Exists {
    type Output = ();
    fn visit<G: Game>(self, _game: G) {}
}

/// The way to reach a position: a random game with the seed `seed`, of at most `plies` moves.
#[derive(Clone, Copy, Debug)]
pub struct Reached {
    /// The maximum number of moves to play.
    pub plies: u8,
    /// The seed of the random game.
    pub seed: u8,
}

/// Checks `text` as a position of game number `game`.
///
/// # Panics
/// If the game breaks its contract.
pub fn position(game: u8, text: &str) {
    checker(game).position(text);
}

/// Checks `text` as a move and as a list of moves of game number `game`.
///
/// # Panics
/// If the game breaks its contract.
pub fn moves(game: u8, reached: Reached, text: &str) {
    checker(game).moves(reached, text);
}

/// Checks `text` as a specification of a game, and checks the start of that game.
///
/// # Panics
/// If the game breaks its contract.
pub fn spec(text: &str) {
    match with_game(text, Boxed) {
        Ok(game) => game.start(),
        Err(error) => check_message(&error.to_string(), text),
    }
}

/// Swaps cells and digits in the text of a position. Unlike random bytes, the result is often still
/// valid.
pub fn rearrange(text: &mut [u8], seed: u32) {
    const CHANGES: u32 = 4;
    let mut rng = Rng::new(seed.into());
    let Ok(length @ 1..) = u32::try_from(text.len()) else { return };
    for _ in 0..=rng.below(CHANGES) {
        let [from, to] = [(); 2].map(|()| rng.below(length) as usize);
        match rng.below(4) {
            0 => text.swap(from, to),
            1 | 2 => text[to] = text[from],
            _ if text[to].is_ascii_digit() => text[to] = b'0' + rng.below(10) as u8,
            _ => text[to] = text[to].wrapping_add(1).min(b'z'),
        }
    }
}

trait Checker {
    fn position(&self, text: &str);
    fn moves(&self, reached: Reached, text: &str);
    fn start(&self);
}

/// Game number `game`, created once in each thread.
fn checker(game: u8) -> Rc<dyn Checker> {
    thread_local! {
        static MADE: RefCell<HashMap<&'static str, Rc<dyn Checker>>> = RefCell::default();
    }
    let spec = specs()[usize::from(game) % specs().len()];
    MADE.with_borrow_mut(|made| {
        let make = || with_game(spec, Boxed).expect("specs are those that work");
        Rc::clone(made.entry(spec).or_insert_with(make))
    })
}

struct Boxed;

impl GameVisitor for Boxed {
    type Output = Rc<dyn Checker>;
    fn visit<G: Game>(self, game: G) -> Rc<dyn Checker> {
        Rc::new(Checked(game))
    }
}

struct Checked<G>(G);

impl<G: Game> Checker for Checked<G> {
    fn position(&self, text: &str) {
        match self.0.parse_state(text) {
            Ok(state) => check_onward(&self.0, state, text.len() as u64),
            Err(error) => check_message(&error.to_string(), text),
        }
    }

    fn moves(&self, reached: Reached, text: &str) {
        /// The maximum number of moves that are read from a text.
        const MOVES: usize = 64;
        let game = &self.0;
        let mut state = game.initial_state();
        let mut rng = Rng::new(reached.seed.into());
        for _ in 0..reached.plies {
            let Some(mv) = random_move(game, &state, &mut rng) else { break };
            game.play(&mut state, mv);
        }
        parse_move(game, &state, text);
        for text in game.split_moves(text).into_iter().take(MOVES) {
            if let Some(mv) = parse_move(game, &state, text) {
                game.play(&mut state, mv);
            }
        }
        check_state(game, &state);
    }

    fn start(&self) {
        check_onward(&self.0, self.0.initial_state(), 0);
    }
}

/// Checks a position, some of those that follow it, and the positions of a random game that starts
/// there.
fn check_onward<G: Game>(game: &G, mut state: G::State, seed: u64) {
    /// The maximum length of the random game in plies. Every position within the first `CHECKED`
    /// plies is checked, and then only the last one.
    const PLIES: usize = 400;
    const CHECKED: usize = 8;
    check_state(game, &state);
    for next in nexts(game, &state) {
        check_state(game, &next);
    }
    let mut rng = Rng::new(seed);
    for ply in 0..PLIES {
        let Some(mv) = random_move(game, &state, &mut rng) else { break };
        game.play(&mut state, mv);
        if ply < CHECKED {
            check_state(game, &state);
        }
    }
    check_state(game, &state);
}

/// Reads a move and asserts that it is legal.
fn parse_move<G: Game>(game: &G, state: &G::State, text: &str) -> Option<G::Move> {
    match game.parse_move(state, text) {
        Ok(mv) => {
            assert!(legal(game, state).contains(&mv), "'{text}' was read as {mv:?}: not legal");
            Some(mv)
        }
        Err(error) => {
            check_message(&error.to_string(), text);
            None
        }
    }
}

/// Asserts that an error message is one line without control characters.
fn check_message(message: &str, text: &str) {
    assert!(!message.is_empty(), "'{text}'");
    assert!(!message.contains(char::is_control), "{text:?}: {message:?}");
}

/// Checks that reading a position's text gives the same position again, and that its moves or
/// payoffs fulfil the contract.
fn check_state<G: Game>(game: &G, state: &G::State) {
    let text = game.state_text(state);
    assert!(!text.is_empty() && !text.contains('\n'), "'{text}'");
    assert!(!game.board_text(state).is_empty(), "{text}");
    let read = game.parse_state(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(game.state_text(&read), text);
    assert_eq!(game.turn(&read), game.turn(state), "{text}");
    assert_eq!(game.key(&read), game.key(state), "{text}");
    if game.turn(state) == Turn::Over {
        return check_payoffs(game, state, &text);
    }
    let moves = legal(game, state);
    assert!((1..=65_535).contains(&moves.len()), "{text}: {} moves", moves.len());
    assert_eq!(legal(game, &read), moves, "{text}");
    assert_eq!(game.mobility(state, &mut Vec::new()), moves.len(), "{text}");
    if let Turn::Player(player) = game.turn(state) {
        assert!(player < game.num_players(), "{text}: the turn of {player}");
    }
    for mv in some(&moves) {
        let name = game.move_text(state, mv);
        assert_eq!(game.parse_move(state, &name), Ok(mv), "{text}: {name}");
        assert_eq!(game.split_moves(&name), [name.as_str()], "{text}");
        assert!(game.turn(state) != Turn::Chance || game.chance_weight(state, mv) > 0, "{text}");
    }
}

/// Checks that payoffs are in range and, if the game declares it, that they sum to zero.
fn check_payoffs<G: Game>(game: &G, state: &G::State, text: &str) {
    let payoffs: Vec<i32> = (0..game.num_players()).map(|p| game.payoff(state, p)).collect();
    for (player, payoff) in payoffs.iter().enumerate() {
        assert!(game.payoff_range(player).contains(payoff), "{text}: {payoffs:?}");
    }
    assert!(!game.zero_sum() || payoffs.iter().sum::<i32>() == 0, "{text}: {payoffs:?}");
}

fn legal<G: Game>(game: &G, state: &G::State) -> Vec<G::Move> {
    let mut moves = Vec::new();
    game.legal_moves(state, &mut moves);
    moves
}

/// At most `MOST` of the moves, spread over the list.
fn some<M: Copy>(moves: &[M]) -> impl Iterator<Item = M> {
    const MOST: usize = 8;
    moves.iter().copied().step_by(moves.len().div_ceil(MOST).max(1))
}

fn nexts<G: Game>(game: &G, state: &G::State) -> Vec<G::State> {
    if game.turn(state) == Turn::Over {
        return Vec::new();
    }
    some(&legal(game, state)).map(|mv| game.after(state, mv)).collect()
}

fn random_move<G: Game>(game: &G, state: &G::State, rng: &mut Rng) -> Option<G::Move> {
    if game.turn(state) == Turn::Over {
        return None;
    }
    let mv = game.random_move(state, &mut Vec::new(), rng);
    Some(mv.expect("a game that is not over has a move"))
}
