//! The input of a prover, which consists of a position, a question, and the rules with checks of
//! their contract.

use super::question::{Answer, Basis, Question, Side, Verdict};
use crate::bounds::Interval;
use crate::error::{GameError, SearchError};
use crate::game::{DomainKnowledge, Game, StaticBound, Turn, canonical_key};
use crate::rules::{
    Audited, Declared, canonical_key_after, check_chance, check_mobility, check_mover,
    check_static_bound, key_after, read_payoff, read_weight,
};
use crate::settings::ProverConfig;
use crate::tree::Rules;

pub(crate) struct Setting<'s, G: Game> {
    pub(crate) game: &'s G,
    pub(crate) root: &'s G::State,
    /// The root's key: [`canonical_root_key`] if positions have canonical keys, else [`root_key`].
    pub(crate) root_key: u64,
    pub(crate) config: &'s ProverConfig,
    pub(crate) declared: &'s Declared,
    /// Compares positions with equal keys during audits.
    pub(crate) audited: Option<&'s Audited<G>>,
    pub(crate) question: Question,
    pub(crate) bytes: u64,
}

impl<G: Game> Clone for Setting<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Setting<'_, G> {}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ToMove {
    Claimant,
    Others,
    /// The game is over, and this is the claimant's payoff.
    Over(i32),
}

/// A static bound, interpreted for the question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hint {
    Nothing,
    /// At least one of the listed moves is optimal.
    Moves,
    Answer(Answer),
}

impl ToMove {
    pub(crate) fn is_over(self) -> bool {
        matches!(self, ToMove::Over(_))
    }
}

impl<G: Game> Setting<'_, G> {
    /// Returns the side to move, or the payoff if the game is over.
    #[inline]
    pub(crate) fn look(&self, state: &G::State) -> Result<ToMove, SearchError> {
        if let Some(audited) = self.audited {
            audited.meet(self.game, state)?;
        }
        let player = self.question.player;
        match self.game.turn(state) {
            Turn::Player(mover) if mover == player => Ok(ToMove::Claimant),
            Turn::Player(mover) => {
                check_mover(mover, self.declared.players)?;
                Ok(ToMove::Others)
            }
            Turn::Chance => {
                check_chance(self.game)?;
                Ok(ToMove::Others)
            }
            Turn::Over => Ok(ToMove::Over(read_payoff(self.game, self.declared, state, player)?)),
        }
    }

    /// Returns whether static bounds are used. In a game with chance they bound expected payoffs,
    /// which do not answer the question.
    #[inline]
    pub(crate) fn foresees(&self) -> bool {
        self.config.foresight && self.declared.serves_both()
    }

    /// Returns the hint for a position that is not over, after filling `moves` for `Hint::Moves`.
    #[inline]
    pub(crate) fn static_bound(
        &self,
        state: &G::State,
        moves: &mut Vec<G::Move>,
    ) -> Result<Hint, SearchError> {
        moves.clear();
        if !self.foresees() {
            return Ok(Hint::Nothing);
        }
        let Question { player, at_least } = self.question;
        // A lower bound on the second player's payoff is an upper bound on the first player's.
        let of_first =
            if player == 0 { at_least } else { at_least.saturating_neg().saturating_add(1) };
        let static_bound = self.game.knowledge().static_bound_at(state, of_first, moves);
        check_static_bound(static_bound, self.declared.ranges[0])?;
        let score = match static_bound {
            StaticBound::Moves if moves.is_empty() => return Err(pushes_nothing(self.game, state)),
            StaticBound::Moves => return Ok(Hint::Moves),
            StaticBound::Payoff(payoff) => payoff,
            StaticBound::AtLeast(payoff) if payoff >= of_first => payoff,
            StaticBound::AtMost(payoff) if payoff < of_first => payoff,
            // No bound, or a bound that leaves the question open.
            _ => return Ok(Hint::Nothing),
        };
        let score = if player == 0 { score } else { score.saturating_neg() };
        Ok(Hint::Answer(Answer { verdict: self.answer(score), score, basis: Basis::ENDS }))
    }

    pub(crate) fn range(&self) -> Interval {
        self.declared.ranges[self.question.player]
    }

    #[inline]
    pub(crate) fn side(&self, state: &G::State) -> Result<Side, SearchError> {
        Ok(match self.look(state)? {
            ToMove::Claimant => Side::Claimant,
            ToMove::Others => Side::Others,
            ToMove::Over(payoff) => Side::Over(self.answer(payoff)),
        })
    }

    #[inline]
    pub(crate) fn answer(&self, payoff: i32) -> Verdict {
        if payoff >= self.question.at_least { Verdict::Proven } else { Verdict::Disproven }
    }

    #[inline]
    pub(crate) fn list(
        &self,
        state: &G::State,
        moves: &mut Vec<G::Move>,
    ) -> Result<(), SearchError> {
        moves.clear();
        self.game.legal_moves(state, moves);
        check_mobility(moves.len())?;
        if self.declared.chance && self.game.turn(state) == Turn::Chance {
            // Provers do not use weights, but a weight of 0 is an error in the rules.
            for &outcome in &*moves {
                read_weight(self.game, state, outcome)?;
            }
        }
        Ok(())
    }

    /// Removes moves that a static bound makes superfluous; returns whether it removed any.
    #[inline]
    pub(crate) fn narrow(
        &self,
        state: &G::State,
        moves: &mut Vec<G::Move>,
        buffer: &mut Vec<G::Move>,
    ) -> Result<bool, SearchError> {
        if self.static_bound(state, buffer)? != Hint::Moves {
            return Ok(false);
        }
        if buffer.len() >= moves.len() {
            return Ok(false);
        }
        std::mem::swap(moves, buffer);
        Ok(true)
    }

    /// Returns the key of `next`, the position after the move `mv` of a position whose moves were
    /// narrowed. In a game without keys, it is computed from the move's index among all legal
    /// moves.
    pub(crate) fn key_of_move(
        &self,
        parent: u64,
        state: &G::State,
        mv: G::Move,
        next: &G::State,
        buffer: &mut Vec<G::Move>,
    ) -> Result<u64, SearchError> {
        let mut number = 0;
        if self.game.key(next).is_none() {
            self.list(state, buffer)?;
            number = buffer
                .iter()
                .position(|&other| other == mv)
                .ok_or_else(|| GameError::StaticBoundMove(self.game.move_text(state, mv)))?;
        }
        Ok(self.key(parent, state, number, next))
    }

    /// Returns the number of legal moves of a position that is not over; moves to symmetric
    /// positions are counted once.
    pub(crate) fn mobility(
        &self,
        state: &G::State,
        buffer: &mut ReplyBuffer<G>,
    ) -> Result<u32, SearchError> {
        let ReplyBuffer { moves, images } = buffer;
        if self.is_own_image(state, &mut images.images) {
            self.list(state, moves)?;
            self.leave_images_out(state, moves, images);
            return Ok(moves.len() as u32);
        }
        self.replies(state, moves)
    }

    #[inline]
    pub(crate) fn replies(
        &self,
        state: &G::State,
        buffer: &mut Vec<G::Move>,
    ) -> Result<u32, SearchError> {
        buffer.clear();
        let moves = self.game.mobility(state, buffer);
        check_mobility(moves)?;
        Ok(moves as u32)
    }

    pub(crate) fn root_key(&self) -> u64 {
        self.root_key
    }

    /// Returns the key of `state`, the position after move number `number` of the position `from`,
    /// whose key is `parent`.
    #[inline]
    pub(crate) fn key(&self, parent: u64, from: &G::State, number: usize, state: &G::State) -> u64 {
        match self.is_symmetric() {
            false => key_after(self.game, parent, number, state),
            true => canonical_key_after(self.game, parent, from, number, state),
        }
    }

    #[inline]
    pub(crate) fn is_symmetric(&self) -> bool {
        self.config.symmetries && self.declared.symmetric
    }

    /// Returns whether a position is symmetric to itself, so that different moves may lead to
    /// symmetric positions; `images` is a buffer.
    #[inline]
    pub(crate) fn is_own_image(&self, state: &G::State, images: &mut Vec<G::State>) -> bool {
        if !self.is_symmetric() {
            return false;
        }
        images.clear();
        self.game.knowledge().symmetries(state, images);
        let hash = self.game.key(state);
        hash.is_some() && images.iter().any(|image| self.game.key(image) == hash)
    }

    /// Removes moves to positions that are symmetric to the position after an earlier move. Only a
    /// position that is symmetric to itself has such moves.
    pub(crate) fn leave_images_out(
        &self,
        state: &G::State,
        moves: &mut Vec<G::Move>,
        buffer: &mut ImageBuffer<G>,
    ) {
        let ImageBuffer { images, leasts } = buffer;
        if !self.is_own_image(state, images) {
            return;
        }
        leasts.clear();
        moves.retain(|&mv| {
            let least = canonical_key(self.game, &self.game.after(state, mv));
            // Without keys, equal positions cannot be recognised.
            let is_new = least.is_none() || !leasts.contains(&least);
            leasts.push(least);
            is_new
        });
    }
}

/// Returns the error for a game that returns `StaticBound::Moves` without moves, with the name of
/// the faulty method.
#[cold]
fn pushes_nothing<G: Game>(game: &G, state: &G::State) -> SearchError {
    let knowledge = game.knowledge();
    let is_empty = |ask: &dyn Fn(&mut Vec<G::Move>) -> StaticBound| {
        let mut moves = Vec::new();
        ask(&mut moves) == StaticBound::Moves && moves.is_empty()
    };
    let method = match () {
        () if is_empty(&|moves| knowledge.static_bound(state, moves)) => "static_bound",
        () if is_empty(&|moves| knowledge.static_bound_for_prover(state, moves)) => {
            "static_bound_for_prover"
        }
        () => "static_bound_at",
    };
    GameError::StaticBoundNoMove { method }.into()
}

pub(crate) struct ImageBuffer<G: Game> {
    images: Vec<G::State>,
    leasts: Vec<Option<u64>>,
}

impl<G: Game> Default for ImageBuffer<G> {
    fn default() -> Self {
        ImageBuffer { images: Vec::new(), leasts: Vec::new() }
    }
}

pub(crate) struct ReplyBuffer<G: Game> {
    moves: Vec<G::Move>,
    images: ImageBuffer<G>,
}

impl<G: Game> Default for ReplyBuffer<G> {
    fn default() -> Self {
        ReplyBuffer { moves: Vec::new(), images: ImageBuffer::default() }
    }
}

/// The rules of the question's two-sided game, which audits of a tree use.
impl<G: Game> Rules for Setting<'_, G> {
    type State = G::State;
    type Move = G::Move;

    fn turn(&self, state: &G::State) -> Turn {
        match self.question.side(self.game, state) {
            Side::Claimant => Turn::Player(0),
            Side::Others => Turn::Player(1),
            Side::Over(_) => Turn::Over,
        }
    }

    fn legal_moves(&self, state: &G::State, moves: &mut Vec<G::Move>) {
        self.game.legal_moves(state, moves);
        self.leave_images_out(state, moves, &mut ImageBuffer::default());
    }

    /// Chance is an opponent here, so its weights do not matter.
    fn chance_weight(&self, _: &G::State, _: G::Move) -> u32 {
        1
    }

    fn after(&self, state: &G::State, mv: G::Move) -> G::State {
        self.game.after(state, mv)
    }

    fn payoff(&self, state: &G::State, side: usize) -> i32 {
        match self.question.side(self.game, state) {
            Side::Over(verdict) => verdict.payoffs()[side],
            _ => 0,
        }
    }
}
