//! What the rules say of a node that is evaluated or expanded. All user code of an
//! expansion runs here, before the tree is changed.

use super::shared::SharedSearch;
use crate::error::SearchError;
use crate::game::{Game, MAX_PLAYERS, Turn};
use crate::rules::{
    check_chance, check_mobility, check_mover, check_outcome, check_payoff, check_sum, read_weight,
};
use crate::tree::{End, EndedChild, MoveTree};

/// Lists the moves of a position and, with look-ahead, those that end the
/// game; `buffer` is to work in.
pub(crate) fn list_children<G: Game, L>(
    shared: &SharedSearch<G, L>,
    state: &G::State,
    moves: &mut Vec<G::Move>,
    ended: &mut Vec<EndedChild>,
    buffer: &mut Vec<G::Move>,
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
        let next = &game.after(state, mv);
        shared.check_hash(next)?;
        let mover = match game.turn(next) {
            Turn::Over => {
                let mut payoffs = [0; MAX_PLAYERS];
                read_payoffs(game, tree, next, &mut payoffs[..tree.logic.players])?;
                ended.push(EndedChild { number, end: End::Over(payoffs) });
                continue;
            }
            Turn::Player(mover) => check_mover(mover, tree.logic.players)?,
            Turn::Chance => check_chance(game)?,
        };
        if let Some(answer) = shared.known(next, buffer)? {
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
    for &outcome in outcomes {
        weights.push(read_weight(game, state, outcome)?);
    }
    Ok(())
}

/// Reads the payoffs of a finished game and holds them to the contract.
pub(crate) fn read_payoffs<G: Game>(
    game: &G,
    tree: &MoveTree<G::Move>,
    state: &G::State,
    payoffs: &mut [i32],
) -> Result<(), SearchError> {
    for (player, payoff) in payoffs.iter_mut().enumerate() {
        *payoff = game.payoff(state, player);
        check_payoff(game, player, *payoff)?;
        if cfg!(debug_assertions) {
            check_outcome(game, tree.logic.thresholds[player], player, *payoff)?;
        }
    }
    if tree.logic.zero_sum {
        check_sum([payoffs[0], payoffs[1]], tree.logic.chance)?;
    }
    Ok(())
}
