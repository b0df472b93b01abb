//! Comparison of two positions that should be equal.

use crate::{Difference, Game, MAX_CHILDREN, Rng, Turn, line_text};

pub(crate) fn list<G: Game>(game: &G, state: &G::State) -> Vec<G::Move> {
    let mut moves = Vec::new();
    if game.turn(state) != Turn::Over {
        game.legal_moves(state, &mut moves);
    }
    moves
}

/// The part of a position that is compared without playing a move: its turn, moves, chance weights
/// and payoffs.
pub(crate) struct Sight<G: Game> {
    turn: Turn,
    pub(crate) moves: Vec<G::Move>,
    weights: Vec<u32>,
    payoffs: Vec<i32>,
}

impl<G: Game> Sight<G> {
    pub(crate) fn of(game: &G, state: &G::State) -> Sight<G> {
        let (turn, moves) = (game.turn(state), list(game, state));
        let weight = |&outcome: &G::Move| game.chance_weight(state, outcome);
        let chance = turn == Turn::Chance && moves.len() <= MAX_CHILDREN;
        let weights = if chance { moves.iter().map(weight).collect() } else { Vec::new() };
        let players = 0..game.num_players();
        let payoffs = match turn {
            Turn::Over => players.map(|player| game.payoff(state, player)).collect(),
            _ => Vec::new(),
        };
        Sight { turn, moves, weights, payoffs }
    }

    /// The first difference from a symmetric position, whose moves may have other names.
    pub(super) fn difference_of_image(&self, other: &Sight<G>) -> Option<Difference> {
        if self.turn != other.turn {
            return Some(Difference::Turns(self.turn, other.turn));
        }
        if self.moves.len() != other.moves.len() {
            return Some(Difference::NumMoves(self.moves.len(), other.moves.len()));
        }
        self.difference_of_payoffs(other)
    }

    fn difference_of_payoffs(&self, other: &Sight<G>) -> Option<Difference> {
        let mut payoffs = pairs(&self.payoffs, &other.payoffs).enumerate();
        let (player, (&one, &other)) = payoffs.find(|(_, (one, other))| one != other)?;
        Some(Difference::Payoffs { player, payoffs: (one, other) })
    }

    pub(super) fn difference(
        &self,
        game: &G,
        state: &G::State,
        other: &Sight<G>,
    ) -> Option<Difference> {
        if self.turn != other.turn {
            return Some(Difference::Turns(self.turn, other.turn));
        }
        if self.moves.len() != other.moves.len() {
            return Some(Difference::NumMoves(self.moves.len(), other.moves.len()));
        }
        if let Some((&one, &other)) = pairs(&self.moves, &other.moves).find(|(a, b)| a != b) {
            // The other move may be illegal here, so `move_text` does not apply to it.
            let (one, other) = (game.move_text(state, one), format!("{other:?}"));
            return Some(Difference::Moves(one, other));
        }
        for (number, (&one, &other)) in pairs(&self.weights, &other.weights).enumerate() {
            if one != other {
                let outcome = game.move_text(state, self.moves[number]);
                return Some(Difference::Weights { outcome, weights: (one, other) });
            }
        }
        self.difference_of_payoffs(other)
    }
}

fn pairs<'p, T>(one: &'p [T], other: &'p [T]) -> impl Iterator<Item = (&'p T, &'p T)> {
    std::iter::zip(one, other)
}

/// The first difference between two positions that shows without playing a move: in the turn, the
/// moves and their order, the weights or the payoffs.
pub(crate) fn differ<G: Game>(game: &G, one: &G::State, other: &G::State) -> Option<Difference> {
    Sight::of(game, one).difference(game, one, &Sight::of(game, other))
}

/// The expected relation of the keys of two positions.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hashes {
    /// The keys are equal, and so are those of all later positions.
    Same,
    /// The keys may differ.
    MayDiffer,
}

/// The first difference between two positions or, if they agree, between the positions of a random
/// game of at most `plies` moves that is played from both.
pub(crate) fn futures_differ<G: Game>(
    game: &G,
    one: &G::State,
    other: &G::State,
    rng: &mut Rng,
    plies: usize,
    hashes: Hashes,
) -> Option<Difference> {
    let start = one;
    let (mut one, mut other) = (one.clone(), other.clone());
    let mut moves = Vec::new();
    for _ in 0..=plies {
        let sight = Sight::of(game, &one);
        let mut difference = sight.difference(game, &one, &Sight::of(game, &other));
        if difference.is_none() && hashes == Hashes::Same {
            let (a, b) = (game.key(&one), game.key(&other));
            difference = (a != b).then_some(Difference::Keys(a, b));
        }
        match difference {
            Some(difference) if moves.is_empty() => return Some(difference),
            Some(difference) => {
                let moves = line_text(game, start, &moves);
                return Some(Difference::Later { moves, difference: Box::new(difference) });
            }
            // An invalid position is reported by its own check.
            None if !(1..=MAX_CHILDREN).contains(&sight.moves.len()) => return None,
            None => {}
        }
        let mv = sight.moves[rng.below(sight.moves.len() as u32) as usize];
        moves.push(mv);
        game.play(&mut one, mv);
        game.play(&mut other, mv);
    }
    None
}
