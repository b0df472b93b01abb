//! Implements the traits for a game behind an `Arc`, so that several searches can share its tables.

use crate::{DomainKnowledge, Game, Outcome, Recommended, Rng, StaticBound, TextError, Turn};
use std::ops::RangeInclusive;
use std::sync::Arc;

/// Forwards every method, so that no method falls back to its default.
#[deny(clippy::missing_trait_methods)]
impl<G: Game> Game for Arc<G> {
    type State = G::State;
    type Move = G::Move;

    fn initial_state(&self) -> G::State {
        (**self).initial_state()
    }

    #[inline]
    fn turn(&self, state: &G::State) -> Turn {
        (**self).turn(state)
    }

    #[inline]
    fn legal_moves(&self, state: &G::State, moves: &mut Vec<G::Move>) {
        (**self).legal_moves(state, moves);
    }

    #[inline]
    fn play(&self, state: &mut G::State, mv: G::Move) {
        (**self).play(state, mv);
    }

    #[inline]
    fn payoff(&self, state: &G::State, player: usize) -> i32 {
        (**self).payoff(state, player)
    }

    fn num_players(&self) -> usize {
        (**self).num_players()
    }

    fn zero_sum(&self) -> bool {
        (**self).zero_sum()
    }

    fn payoff_range(&self, player: usize) -> RangeInclusive<i32> {
        (**self).payoff_range(player)
    }

    fn outcome(&self, player: usize, payoff: i32) -> Outcome {
        (**self).outcome(player, payoff)
    }

    #[inline]
    fn after(&self, state: &G::State, mv: G::Move) -> G::State {
        (**self).after(state, mv)
    }

    fn has_chance(&self) -> bool {
        (**self).has_chance()
    }

    #[inline]
    fn chance_weight(&self, state: &G::State, outcome: G::Move) -> u32 {
        (**self).chance_weight(state, outcome)
    }

    #[inline]
    fn random_move(
        &self,
        state: &G::State,
        moves: &mut Vec<G::Move>,
        rng: &mut Rng,
    ) -> Option<G::Move> {
        (**self).random_move(state, moves, rng)
    }

    #[inline]
    fn mobility(&self, state: &G::State, moves: &mut Vec<G::Move>) -> usize {
        (**self).mobility(state, moves)
    }

    #[inline]
    fn key(&self, state: &G::State) -> Option<u64> {
        (**self).key(state)
    }

    fn knowledge(&self) -> impl DomainKnowledge<Self> {
        self
    }

    fn player_name(&self, player: usize) -> String {
        (**self).player_name(player)
    }

    fn move_text(&self, state: &G::State, mv: G::Move) -> String {
        (**self).move_text(state, mv)
    }

    fn parse_move(&self, state: &G::State, text: &str) -> Result<G::Move, TextError> {
        (**self).parse_move(state, text)
    }

    fn split_moves<'t>(&self, text: &'t str) -> Vec<&'t str> {
        (**self).split_moves(text)
    }

    fn state_text(&self, state: &G::State) -> String {
        (**self).state_text(state)
    }

    fn parse_state(&self, text: &str) -> Result<G::State, TextError> {
        (**self).parse_state(text)
    }

    fn board_text(&self, state: &G::State) -> String {
        (**self).board_text(state)
    }
}

/// Forwards every method, so that no method falls back to its default.
#[deny(clippy::missing_trait_methods)]
impl<G: Game> DomainKnowledge<Arc<G>> for Arc<G> {
    #[inline]
    fn static_bound(&self, state: &G::State, moves: &mut Vec<G::Move>) -> StaticBound {
        (**self).knowledge().static_bound(state, moves)
    }

    #[inline]
    fn static_bound_for_prover(&self, state: &G::State, moves: &mut Vec<G::Move>) -> StaticBound {
        (**self).knowledge().static_bound_for_prover(state, moves)
    }

    #[inline]
    fn static_bound_at(
        &self,
        state: &G::State,
        at_least: i32,
        moves: &mut Vec<G::Move>,
    ) -> StaticBound {
        (**self).knowledge().static_bound_at(state, at_least, moves)
    }

    #[inline]
    fn move_order(&self, state: &G::State, mv: G::Move) -> u32 {
        (**self).knowledge().move_order(state, mv)
    }

    #[inline]
    fn rollout(&self, state: &mut G::State, cap: u32, rng: &mut Rng) -> u32 {
        (**self).knowledge().rollout(state, cap, rng)
    }

    #[inline]
    fn rollout_randomly(&self, state: &mut G::State, cap: u32, rng: &mut Rng) -> u32 {
        (**self).knowledge().rollout_randomly(state, cap, rng)
    }

    #[inline]
    fn rollout_move(
        &self,
        state: &G::State,
        moves: &mut Vec<G::Move>,
        rng: &mut Rng,
    ) -> Option<G::Move> {
        (**self).knowledge().rollout_move(state, moves, rng)
    }

    #[inline]
    fn evaluate(&self, state: &G::State) -> Option<f32> {
        (**self).knowledge().evaluate(state)
    }

    fn recommended(&self) -> Recommended {
        (**self).knowledge().recommended()
    }

    fn symmetries(&self, state: &G::State, images: &mut Vec<G::State>) {
        (**self).knowledge().symmetries(state, images);
    }

    #[inline]
    fn canonical_key(&self, state: &G::State) -> Option<u64> {
        (**self).knowledge().canonical_key(state)
    }
}
