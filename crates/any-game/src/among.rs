//! A search restricted to some moves of its root.
//!
//! It searches a derived game whose root has no other moves. Its proofs hold only for these moves.

use crate::{Position, Searching, Stuck};
use proofwood::options::Leaves;
use proofwood::{
    Config, DomainKnowledge, Game, Outcome, Recommended, Rng, Search, StaticBound, TextError, Turn,
};
use proofwood_games::{AnyGame, AnyState};
use std::ops::RangeInclusive;
use std::sync::Arc;

type AnyMove = <AnyGame as Game>::Move;

/// Prepares a search of a position restricted to the root moves `moves`.
///
/// The search makes playouts, and its code is compiled once, for [`AnyGame`].
///
/// # Errors
/// If `moves` is empty, a move is not legal, the game is not in the registry, or the configuration
/// does not evaluate leaves by playouts.
pub fn search_among(
    position: &dyn Position,
    config: &Config,
    moves: &[String],
) -> Result<Box<dyn Searching>, Stuck> {
    let wrong = |why: &str| Stuck::Move(TextError::new(why));
    let known = position.among_all();
    let (game, state) = known
        .ok_or_else(|| wrong("a search of this game cannot be restricted to certain moves"))?;
    if config.leaves != Leaves::Playouts {
        return Err(wrong(
            "a search restricted to certain moves evaluates leaves only by playouts; omit leaves",
        ));
    }
    let mut own = Vec::new();
    for text in moves {
        let mv = game.parse_move(&state, text)?;
        if !own.contains(&mv) {
            own.push(mv);
        }
    }
    if own.is_empty() {
        return Err(wrong("the list of moves to search is empty"));
    }
    let game = Arc::new(Among { game, moves: own });
    let state = Place { state, is_root: true };
    Ok(Box::new(Search::new(game, state, config.clone())?))
}

/// A game with restricted root moves.
struct Among {
    game: Arc<AnyGame>,
    moves: Vec<AnyMove>,
}

/// A position, marked if it is the root. The same position further down has all its moves.
#[derive(Clone)]
struct Place {
    state: AnyState,
    is_root: bool,
}

impl Game for Among {
    type State = Place;
    type Move = AnyMove;

    fn initial_state(&self) -> Place {
        Place { state: self.game.initial_state(), is_root: false }
    }

    fn turn(&self, place: &Place) -> Turn {
        self.game.turn(&place.state)
    }

    fn legal_moves(&self, place: &Place, moves: &mut Vec<AnyMove>) {
        self.game.legal_moves(&place.state, moves);
        if place.is_root {
            moves.retain(|mv| self.moves.contains(mv));
        }
    }

    fn play(&self, place: &mut Place, mv: AnyMove) {
        self.game.play(&mut place.state, mv);
        place.is_root = false;
    }

    fn payoff(&self, place: &Place, player: usize) -> i32 {
        self.game.payoff(&place.state, player)
    }

    fn num_players(&self) -> usize {
        self.game.num_players()
    }

    fn zero_sum(&self) -> bool {
        self.game.zero_sum()
    }

    fn payoff_range(&self, player: usize) -> RangeInclusive<i32> {
        self.game.payoff_range(player)
    }

    fn outcome(&self, player: usize, payoff: i32) -> Outcome {
        self.game.outcome(player, payoff)
    }

    fn has_chance(&self) -> bool {
        self.game.has_chance()
    }

    fn chance_weight(&self, place: &Place, outcome: AnyMove) -> u32 {
        self.game.chance_weight(&place.state, outcome)
    }

    /// The root has fewer moves than the same position further down, so it gets a different key.
    fn key(&self, place: &Place) -> Option<u64> {
        self.game.key(&place.state).map(|key| if place.is_root { !key } else { key })
    }

    fn random_move(
        &self,
        place: &Place,
        moves: &mut Vec<AnyMove>,
        rng: &mut Rng,
    ) -> Option<AnyMove> {
        if !place.is_root {
            return self.game.random_move(&place.state, moves, rng);
        }
        self.moves.get(rng.below(self.moves.len() as u32) as usize).copied()
    }

    fn mobility(&self, place: &Place, moves: &mut Vec<AnyMove>) -> usize {
        match place.is_root {
            true => self.moves.len(),
            false => self.game.mobility(&place.state, moves),
        }
    }

    fn knowledge(&self) -> impl DomainKnowledge<Self> {
        self
    }

    fn player_name(&self, player: usize) -> String {
        self.game.player_name(player)
    }

    fn move_text(&self, place: &Place, mv: AnyMove) -> String {
        self.game.move_text(&place.state, mv)
    }

    fn parse_move(&self, place: &Place, text: &str) -> Result<AnyMove, TextError> {
        self.game.parse_move(&place.state, text)
    }

    fn state_text(&self, place: &Place) -> String {
        self.game.state_text(&place.state)
    }
}

/// Forwards the game's knowledge, except at the root, whose best move may be missing.
impl DomainKnowledge<Among> for Among {
    fn static_bound(&self, place: &Place, moves: &mut Vec<AnyMove>) -> StaticBound {
        match place.is_root {
            true => StaticBound::Nothing,
            false => self.game.knowledge().static_bound(&place.state, moves),
        }
    }

    fn rollout(&self, place: &mut Place, cap: u32, rng: &mut Rng) -> u32 {
        match place.is_root {
            true => 0,
            false => self.game.knowledge().rollout(&mut place.state, cap, rng),
        }
    }

    fn rollout_randomly(&self, place: &mut Place, cap: u32, rng: &mut Rng) -> u32 {
        match place.is_root {
            true => 0,
            false => self.game.knowledge().rollout_randomly(&mut place.state, cap, rng),
        }
    }

    fn rollout_move(
        &self,
        place: &Place,
        moves: &mut Vec<AnyMove>,
        rng: &mut Rng,
    ) -> Option<AnyMove> {
        match place.is_root {
            true => None,
            false => self.game.knowledge().rollout_move(&place.state, moves, rng),
        }
    }

    fn evaluate(&self, place: &Place) -> Option<f32> {
        self.game.knowledge().evaluate(&place.state)
    }

    fn recommended(&self) -> Recommended {
        self.game.knowledge().recommended()
    }
}
