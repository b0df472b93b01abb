//! A game wrapper that panics after a given number of calls.

use proofwood::{DomainKnowledge, Game, Outcome, Recommended, Rng, StaticBound, TextError, Turn};
use std::ops::RangeInclusive;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The message of a fuse's panic.
pub const BLOWN: &str = "the fuse has blown";

/// A countdown of calls to the game's rules; the last call panics.
#[derive(Clone, Debug, Default)]
pub struct Fuse(Arc<State>);

#[derive(Debug)]
struct State {
    /// The number of calls before the panic; `OUT` if no panic is due.
    left: AtomicU64,
}

const OUT: u64 = u64::MAX;
/// An offset that marks a countdown after which all calls panic, not only one.
const LASTING: u64 = 1 << 62;

impl Default for State {
    fn default() -> State {
        State { left: AtomicU64::new(OUT) }
    }
}

impl Fuse {
    /// Starts the countdown: the next `calls` calls succeed and the one after them panics; if
    /// `lasting`, so do all later calls.
    pub fn light(&self, calls: u64, lasting: bool) {
        let left = if lasting { LASTING + calls } else { calls };
        self.0.left.store(left, Ordering::Relaxed);
    }

    /// Stops the countdown, so that no call panics.
    pub fn put_out(&self) {
        self.0.left.store(OUT, Ordering::Relaxed);
    }

    /// Calls `run` with the countdown paused.
    pub fn covered<T>(&self, run: impl FnOnce() -> T) -> T {
        let left = self.0.left.swap(OUT, Ordering::Relaxed);
        let result = run();
        self.0.left.store(left, Ordering::Relaxed);
        result
    }

    /// Returns `true` if no countdown is running.
    pub fn is_out(&self) -> bool {
        self.0.left.load(Ordering::Relaxed) == OUT
    }

    /// Counts a call.
    ///
    /// # Panics
    /// If the countdown has reached its end.
    #[inline]
    pub fn call(&self) {
        if self.0.left.load(Ordering::Relaxed) != OUT {
            self.burn();
        }
    }

    #[cold]
    fn burn(&self) {
        let burnt = self.0.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
            match left {
                OUT | LASTING => None,
                // Stop the countdown, so that only one call panics.
                0 => Some(OUT),
                left => Some(left - 1),
            }
        });
        if matches!(burnt, Ok(0) | Err(LASTING)) {
            // Not `panic!`, which would print a message.
            resume_unwind(Box::new(BLOWN));
        }
    }
}

/// A game whose methods count down a fuse.
#[derive(Clone, Debug)]
pub struct Fused<G> {
    /// The game to which calls are forwarded.
    pub game: G,
    /// The fuse that makes the game panic.
    pub fuse: Fuse,
}

/// Forwards every method, so that no method falls back to its default. Methods that ignore the
/// position, or that no search calls, never panic.
#[deny(clippy::missing_trait_methods)]
impl<G: Game> Game for Fused<G> {
    type State = G::State;
    type Move = G::Move;

    fn initial_state(&self) -> G::State {
        self.game.initial_state()
    }

    fn turn(&self, state: &G::State) -> Turn {
        self.fuse.call();
        self.game.turn(state)
    }

    fn legal_moves(&self, state: &G::State, moves: &mut Vec<G::Move>) {
        self.fuse.call();
        self.game.legal_moves(state, moves);
    }

    fn play(&self, state: &mut G::State, mv: G::Move) {
        self.fuse.call();
        self.game.play(state, mv);
    }

    fn payoff(&self, state: &G::State, player: usize) -> i32 {
        self.fuse.call();
        self.game.payoff(state, player)
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
        self.fuse.call();
        self.game.outcome(player, payoff)
    }

    fn after(&self, state: &G::State, mv: G::Move) -> G::State {
        self.fuse.call();
        self.game.after(state, mv)
    }

    fn has_chance(&self) -> bool {
        self.game.has_chance()
    }

    fn chance_weight(&self, state: &G::State, outcome: G::Move) -> u32 {
        self.fuse.call();
        self.game.chance_weight(state, outcome)
    }

    fn random_move(
        &self,
        state: &G::State,
        moves: &mut Vec<G::Move>,
        rng: &mut Rng,
    ) -> Option<G::Move> {
        self.fuse.call();
        self.game.random_move(state, moves, rng)
    }

    fn mobility(&self, state: &G::State, moves: &mut Vec<G::Move>) -> usize {
        self.fuse.call();
        self.game.mobility(state, moves)
    }

    fn key(&self, state: &G::State) -> Option<u64> {
        self.fuse.call();
        self.game.key(state)
    }

    fn knowledge(&self) -> impl DomainKnowledge<Self> {
        self
    }

    fn player_name(&self, player: usize) -> String {
        self.game.player_name(player)
    }

    fn move_text(&self, state: &G::State, mv: G::Move) -> String {
        self.game.move_text(state, mv)
    }

    fn parse_move(&self, state: &G::State, text: &str) -> Result<G::Move, TextError> {
        self.game.parse_move(state, text)
    }

    fn split_moves<'t>(&self, text: &'t str) -> Vec<&'t str> {
        self.game.split_moves(text)
    }

    fn state_text(&self, state: &G::State) -> String {
        self.game.state_text(state)
    }

    fn parse_state(&self, text: &str) -> Result<G::State, TextError> {
        self.game.parse_state(text)
    }

    fn board_text(&self, state: &G::State) -> String {
        self.game.board_text(state)
    }
}

#[deny(clippy::missing_trait_methods)]
impl<G: Game> DomainKnowledge<Fused<G>> for Fused<G> {
    fn static_bound(&self, state: &G::State, moves: &mut Vec<G::Move>) -> StaticBound {
        self.fuse.call();
        self.game.knowledge().static_bound(state, moves)
    }

    fn static_bound_for_prover(&self, state: &G::State, moves: &mut Vec<G::Move>) -> StaticBound {
        self.fuse.call();
        self.game.knowledge().static_bound_for_prover(state, moves)
    }

    fn static_bound_at(
        &self,
        state: &G::State,
        at_least: i32,
        moves: &mut Vec<G::Move>,
    ) -> StaticBound {
        self.fuse.call();
        self.game.knowledge().static_bound_at(state, at_least, moves)
    }

    fn move_order(&self, state: &G::State, mv: G::Move) -> u32 {
        self.fuse.call();
        self.game.knowledge().move_order(state, mv)
    }

    fn symmetries(&self, state: &G::State, images: &mut Vec<G::State>) {
        self.fuse.call();
        self.game.knowledge().symmetries(state, images);
    }

    fn canonical_key(&self, state: &G::State) -> Option<u64> {
        self.fuse.call();
        self.game.knowledge().canonical_key(state)
    }

    fn rollout(&self, state: &mut G::State, cap: u32, rng: &mut Rng) -> u32 {
        self.fuse.call();
        self.game.knowledge().rollout(state, cap, rng)
    }

    fn rollout_randomly(&self, state: &mut G::State, cap: u32, rng: &mut Rng) -> u32 {
        self.fuse.call();
        self.game.knowledge().rollout_randomly(state, cap, rng)
    }

    fn rollout_move(
        &self,
        state: &G::State,
        moves: &mut Vec<G::Move>,
        rng: &mut Rng,
    ) -> Option<G::Move> {
        self.fuse.call();
        self.game.knowledge().rollout_move(state, moves, rng)
    }

    fn evaluate(&self, state: &G::State) -> Option<f32> {
        self.fuse.call();
        self.game.knowledge().evaluate(state)
    }

    fn recommended(&self) -> Recommended {
        self.game.knowledge().recommended()
    }
}
