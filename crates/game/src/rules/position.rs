//! Checks of one position.

use super::fault::RulesFault;
use super::futures::{Hashes, Sight, differ, futures_differ, list};
use crate::{Difference, DomainKnowledge, Game, GameError, MAX_CHILDREN, Rng, TextError, Turn};
use std::collections::HashSet;

/// The greatest number of moves for which all are compared with each other.
const MANY: usize = 1000;
/// The number of moves that are tried in each position.
const TRIED: usize = 4;

pub(super) fn turn<G: Game>(game: &G, state: &G::State) -> Result<Turn, RulesFault> {
    let (turn, players) = (game.turn(state), game.num_players());
    if game.turn(state) != turn {
        return Err(RulesFault::Changes { what: "turn" });
    }
    match turn {
        Turn::Player(player) if player >= players => {
            Err(GameError::Mover { mover: player, players }.into())
        }
        Turn::Chance if !game.has_chance() => Err(GameError::UnannouncedChance.into()),
        _ => Ok(turn),
    }
}

/// The first method among `turn`, `legal_moves`, `payoff` and `key` whose result varies.
pub(super) fn changes<G: Game>(game: &G, state: &G::State) -> Option<&'static str> {
    /// The number of calls of a method. A result that varies in half of the calls goes unnoticed in
    /// one of 10^9 positions.
    const OFTEN: usize = 30;
    let turn = game.turn(state);
    let differs = |same: &dyn Fn() -> bool| (0..OFTEN).any(|_| !same());
    if differs(&|| game.turn(state) == turn) {
        return Some("turn");
    }
    let key = game.key(state);
    if differs(&|| game.key(state) == key) {
        return Some("key");
    }
    if turn == Turn::Over {
        let payoffs = || (0..game.num_players()).map(|player| game.payoff(state, player));
        let first: Vec<i32> = payoffs().collect();
        return differs(&|| payoffs().eq(first.iter().copied())).then_some("payoff");
    }
    let moves = list(game, state);
    differs(&|| list(game, state) == moves).then_some("legal_moves")
}

pub(super) fn names<G: Game>(game: &G) -> Result<(), RulesFault> {
    let mut names = HashSet::new();
    for player in 0..game.num_players() {
        let name = game.player_name(player);
        if name.contains(char::is_control) {
            return Err(RulesFault::ControlCharacters { what: "player_name", text: name });
        }
        if !names.insert(name.clone()) {
            return Err(RulesFault::SameName { name });
        }
    }
    Ok(())
}

/// Checks the moves of a position in which the game is not over.
pub(super) fn moves<G: Game>(
    game: &G,
    state: &G::State,
    turn: Turn,
    rng: &mut Rng,
) -> Result<Vec<G::Move>, RulesFault> {
    let moves = list(game, state);
    number(moves.len())?;
    if list(game, state) != moves {
        return Err(RulesFault::Changes { what: "legal_moves" });
    }
    let compared = if moves.len() <= MANY { moves.len() } else { TRIED };
    for number in 0..compared {
        let mv = if compared == moves.len() { moves[number] } else { any(&moves, rng) };
        if moves.iter().filter(|&&other| other == mv).count() > 1 {
            return Err(RulesFault::RepeatedMove { mv: game.move_text(state, mv) });
        }
    }
    if turn == Turn::Chance {
        for &outcome in moves.iter() {
            let weight = game.chance_weight(state, outcome);
            if weight == 0 {
                return Err(GameError::Weight(game.move_text(state, outcome)).into());
            }
            if game.chance_weight(state, outcome) != weight {
                return Err(RulesFault::Changes { what: "chance_weight" });
            }
        }
    }
    let counted = game.mobility(state, &mut Vec::new());
    if counted != moves.len() {
        return Err(RulesFault::Mobility { counted, listed: moves.len() });
    }
    let check = |method, drawn: Option<G::Move>| match drawn {
        Some(mv) if moves.contains(&mv) => Ok(()),
        _ => Err(RulesFault::RandomMove { method, drawn: drawn.map(|mv| format!("{mv:?}")) }),
    };
    // The random games must not depend on the random numbers that a playout draws.
    let mut playouts = rng.clone();
    for _ in 0..2 {
        check("random_move", game.random_move(state, &mut Vec::new(), rng))?;
        if turn != Turn::Chance {
            let known = game.knowledge().rollout_move(state, &mut Vec::new(), &mut playouts);
            known.map_or(Ok(()), |mv| check("rollout_move", Some(mv)))?;
        }
    }
    if turn != Turn::Chance {
        let knowledge = game.knowledge();
        let at_once = |state: &mut _, rng: &mut _| knowledge.rollout(state, CAP, rng);
        let informed =
            |state: &_, moves: &mut _, rng: &mut _| knowledge.rollout_move(state, moves, rng);
        rollout(game, state, &playouts, ("rollout", at_once), informed)?;
        let at_once = |state: &mut _, rng: &mut _| knowledge.rollout_randomly(state, CAP, rng);
        rollout(game, state, &playouts, ("rollout_randomly", at_once), |_, _, _| None)?;
        worth(game, state)?;
    }
    Ok(moves)
}

/// The greatest number of moves of a whole playout in this check.
const CAP: u32 = 8;

/// Compares a whole playout by the game with the same playout played move by move. `known` draws
/// each single move; if it returns `None`, the move is random.
fn rollout<G: Game>(
    game: &G,
    state: &G::State,
    rng: &Rng,
    (method, at_once): (&'static str, impl FnOnce(&mut G::State, &mut Rng) -> u32),
    known: impl Fn(&G::State, &mut Vec<G::Move>, &mut Rng) -> Option<G::Move>,
) -> Result<(), RulesFault> {
    let (mut ended_at, mut by_moves) = (state.clone(), state.clone());
    let played = at_once(&mut ended_at, &mut rng.clone());
    let (mut rng, mut moves, mut left) = (rng.clone(), Vec::new(), played);
    while left > 0 && matches!(game.turn(&by_moves), Turn::Player(_)) {
        moves.clear();
        let known = known(&by_moves, &mut moves, &mut rng);
        moves.clear();
        let drawn = known.or_else(|| game.random_move(&by_moves, &mut moves, &mut rng));
        let Some(mv) = drawn else { break };
        game.play(&mut by_moves, mv);
        left -= 1;
    }
    let difference = differ(game, &ended_at, &by_moves);
    let goes_on = matches!(game.turn(&by_moves), Turn::Player(_));
    let ends_early = (1..CAP).contains(&played) && goes_on;
    if left > 0 || played > CAP || ends_early || difference.is_some() {
        return Err(RulesFault::PlayOut { method, played, difference });
    }
    Ok(())
}

/// Checks that the static evaluation lies in its range and is the same in every call.
fn worth<G: Game>(game: &G, state: &G::State) -> Result<(), RulesFault> {
    let Some(worth) = game.knowledge().evaluate(state) else { return Ok(()) };
    // This comparison also rejects NaN.
    if !(-1.0..=1.0).contains(&worth) {
        return Err(RulesFault::Evaluation { said: worth.to_string() });
    }
    match game.knowledge().evaluate(state) {
        Some(again) if again == worth => Ok(()),
        _ => Err(RulesFault::Changes { what: "evaluate" }),
    }
}

/// Checks the number of moves of a position in which the game is not over.
fn number(moves: usize) -> Result<(), GameError> {
    match moves {
        0 => Err(GameError::NoMoves),
        1..=MAX_CHILDREN => Ok(()),
        moves => Err(GameError::TooManyMoves(moves)),
    }
}

fn any<M: Copy>(moves: &[M], rng: &mut Rng) -> M {
    moves[rng.below(moves.len() as u32) as usize]
}

/// Checks the texts of moves; returns whether a text that joins some of them is split into the same
/// texts.
pub(super) fn move_texts<G: Game>(
    game: &G,
    state: &G::State,
    moves: &[G::Move],
    rng: &mut Rng,
) -> Result<bool, RulesFault> {
    let mut texts = HashSet::new();
    for &mv in moves.iter().take(MANY) {
        let text = game.move_text(state, mv);
        if text.contains(char::is_control) {
            return Err(RulesFault::ControlCharacters { what: "move_text", text });
        }
        if !texts.insert(text.clone()) {
            return Err(RulesFault::SameText { text });
        }
    }
    let mut tried = Vec::new();
    for _ in 0..TRIED.min(moves.len()) {
        let mv = any(moves, rng);
        let text = game.move_text(state, mv);
        match game.parse_move(state, &text) {
            Ok(read) if read == mv => {}
            read => {
                let read = read.map(|mv| format!("{mv:?}"));
                return Err(RulesFault::MoveText { text, read });
            }
        }
        tried.push(text);
    }
    Ok(game.split_moves(&tried.join(" ")) == tried)
}

/// Checks that `play` and `after` lead to the same position, and that moves in a copy leave the
/// original unchanged.
pub(super) fn steps<G: Game>(
    game: &G,
    state: &G::State,
    moves: &[G::Move],
    rng: &mut Rng,
) -> Result<(), RulesFault> {
    let before = (Sight::of(game, state), game.state_text(state), game.key(state));
    let changed = || {
        before.0.difference(game, state, &Sight::of(game, state)).is_some()
            || game.state_text(state) != before.1
            || game.key(state) != before.2
    };
    for _ in 0..TRIED.min(moves.len()) {
        let mv = any(moves, rng);
        let text = || game.move_text(state, mv);
        let mut played = state.clone();
        game.play(&mut played, mv);
        if changed() {
            return Err(RulesFault::CloneShares { mv: text() });
        }
        let mut again = state.clone();
        game.play(&mut again, mv);
        if same_place(game, &again, &played).is_some() {
            return Err(RulesFault::Changes { what: "play" });
        }
        if turn(game, &played)? != Turn::Over {
            number(list(game, &played).len())?;
        }
        if let Some(difference) = same_place(game, &game.after(state, mv), &played) {
            return Err(RulesFault::After { mv: text(), difference });
        }
        if changed() {
            return Err(RulesFault::CloneShares { mv: text() });
        }
    }
    Ok(())
}

/// The first difference in turn, moves, weights, payoffs, text or key between two positions.
pub(super) fn same_place<G: Game>(
    game: &G,
    one: &G::State,
    other: &G::State,
) -> Option<Difference> {
    let hashes = (game.key(one), game.key(other));
    let texts = (game.state_text(one), game.state_text(other));
    differ(game, one, other)
        .or_else(|| (texts.0 != texts.1).then_some(Difference::Texts(texts.0, texts.1)))
        .or_else(|| (hashes.0 != hashes.1).then_some(Difference::Keys(hashes.0, hashes.1)))
}

/// Checks that the position's text, if the game has texts, is read back as the same position.
/// Returns whether it was read.
pub(super) fn state_text<G: Game>(
    game: &G,
    state: &G::State,
    rng: &mut Rng,
) -> Result<bool, RulesFault> {
    let text = game.state_text(state);
    if text.contains(char::is_control) {
        return Err(RulesFault::ControlCharacters { what: "state_text", text });
    }
    if text.is_empty() {
        return Ok(false);
    }
    let read = match game.parse_state(&text) {
        Ok(read) => read,
        // The game writes positions but cannot read them.
        Err(error) if error == TextError::no_text_form() => return Ok(false),
        Err(error) => return Err(RulesFault::StateText { text, error }),
    };
    // A part of the position that the text omits may matter only later.
    let plies = if rng.below(8) == 0 { FUTURE } else { 0 };
    let difference = same_place(game, state, &read)
        .or_else(|| futures_differ(game, state, &read, rng, plies, Hashes::Same));
    match difference {
        None => Ok(true),
        Some(difference) => Err(RulesFault::ReadAsAnother { text, difference }),
    }
}

/// The maximum number of moves played from two positions to compare their futures.
pub(super) const FUTURE: usize = 1000;
