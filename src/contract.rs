//! Where the engine calls the rules, and holds them to their contract.

use crate::game::{Game, MAX_PLAYERS, Turn};
use crate::shared::Shared;
use crate::tree::{CHANCE, End, EndedChild, MAX_CHILDREN, Tree};
use crate::{GameError, Outcome, SearchError};

/// Lists the moves of a position and, with look-ahead, those that end the
/// game. All user code of an expansion runs here, before the tree is changed.
pub(crate) fn list_children<G: Game, E>(
    shared: &Shared<G, E>,
    state: &G::State,
    moves: &mut Vec<G::Move>,
    ended: &mut Vec<EndedChild>,
) -> Result<(), SearchError> {
    let (game, tree) = (&shared.game, &shared.tree);
    moves.clear();
    ended.clear();
    game.legal_moves(state, moves);
    check_mobility(moves.len())?;
    if !shared.config.look_ahead {
        return Ok(());
    }
    for (number, &mv) in moves.iter().enumerate() {
        let next = game.after(state, mv);
        let mover = match game.turn(&next) {
            Turn::Over => {
                let mut payoffs = [0; MAX_PLAYERS];
                read_payoffs(game, tree, &next, &mut payoffs[..tree.logic.players])?;
                ended.push(EndedChild { number, end: End::Over(payoffs) });
                continue;
            }
            Turn::Player(mover) => check_mover(mover, tree.logic.players)?,
            Turn::Chance => check_chance(game)?,
        };
        if let Some(answer) = shared.known(&next) {
            ended.push(EndedChild { number, end: End::Settled { mover, answer } });
        }
    }
    Ok(())
}

/// The weights of the outcomes where chance decides.
pub(crate) fn read_weights<G: Game>(
    game: &G,
    state: &G::State,
    outcomes: &[G::Move],
    weights: &mut Vec<u32>,
) -> Result<(), SearchError> {
    weights.clear();
    weights.extend(outcomes.iter().map(|&outcome| game.chance_weight(state, outcome)));
    match weights.iter().position(|&weight| weight == 0) {
        None => Ok(()),
        Some(at) => Err(GameError::Weight(game.move_text(state, outcomes[at])).into()),
    }
}

/// Reads the payoffs of a finished game and holds them to the contract.
pub(crate) fn read_payoffs<G: Game>(
    game: &G,
    tree: &Tree<G::Move>,
    state: &G::State,
    payoffs: &mut [i32],
) -> Result<(), SearchError> {
    for (player, payoff) in payoffs.iter_mut().enumerate() {
        *payoff = game.payoff(state, player);
        check_payoff(game, player, *payoff)?;
        if cfg!(debug_assertions) {
            check_outcome(game, tree, player, *payoff)?;
        }
    }
    if tree.logic.zero_sum && tree.logic.chance && payoffs.contains(&i32::MIN) {
        return Err(GameError::NoOpposite.into());
    }
    if tree.logic.zero_sum && payoffs[1] != payoffs[0].saturating_neg() {
        return Err(GameError::ZeroSum(payoffs[0], payoffs[1]).into());
    }
    Ok(())
}

pub(crate) fn check_payoff<G: Game>(
    game: &G,
    player: usize,
    payoff: i32,
) -> Result<(), SearchError> {
    let range = game.payoff_range(player);
    if range.contains(&payoff) {
        return Ok(());
    }
    let (least, most) = range.into_inner();
    Err(GameError::Payoff { player, payoff, least, most }.into())
}

/// The outcome must be the one that the thresholds say, which were found on
/// the assumption that outcomes do not fall when payoffs rise.
fn check_outcome<G: Game>(
    game: &G,
    tree: &Tree<G::Move>,
    player: usize,
    payoff: i32,
) -> Result<(), SearchError> {
    let outcome = game.outcome(player, payoff);
    let threshold = tree.logic.thresholds[player].outcome(payoff);
    let mirrored = !tree.logic.zero_sum
        || game.outcome(1 - player, payoff.saturating_neg()) == Outcome::reversed(outcome);
    if outcome != threshold || !mirrored {
        return Err(GameError::Outcomes { player, payoff, outcome }.into());
    }
    Ok(())
}

/// Answers the mover.
pub(crate) fn check_mover(mover: usize, players: usize) -> Result<usize, SearchError> {
    if mover < players {
        return Ok(mover);
    }
    Err(GameError::Mover { mover, players }.into())
}

pub(crate) fn check_mobility(moves: usize) -> Result<(), SearchError> {
    match moves {
        0 => Err(GameError::NoMoves.into()),
        1..=MAX_CHILDREN => Ok(()),
        _ => Err(GameError::TooManyMoves(moves).into()),
    }
}

/// Whoever decides in a position must be somebody who can.
pub(crate) fn check_turn<G: Game>(game: &G, turn: Turn) -> Result<(), SearchError> {
    match turn {
        Turn::Player(mover) => check_mover(mover, game.num_players()).map(drop),
        Turn::Chance => check_chance(game).map(drop),
        Turn::Over => Ok(()),
    }
}

/// Answers the mover of a node where chance decides.
pub(crate) fn check_chance<G: Game>(game: &G) -> Result<usize, SearchError> {
    if game.has_chance() {
        return Ok(CHANCE);
    }
    Err(GameError::UnannouncedChance.into())
}
