//! Games that panic.

use proofwood::{Foreseen, Game, Insight, Outcome, Rng, Suited, TextError, Turn};
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// What the panic of a fuse says.
pub(crate) const BLOWN: &str = "the fuse has blown";

/// Blows after so many calls of the game's rules.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fuse(Arc<State>);

#[derive(Debug)]
struct State {
    /// Calls that are still good; all are while this is `OUT`.
    left: AtomicU64,
}

const OUT: u64 = u64::MAX;
/// From here down to 1 every call panics, not only the last good one.
const LASTING: u64 = 1 << 62;

impl Default for State {
    fn default() -> State {
        State { left: AtomicU64::new(OUT) }
    }
}

impl Fuse {
    /// Lights the fuse: the call after the next `calls` panics, and where it
    /// is `lasting` all later ones too.
    pub(crate) fn light(&self, calls: u64, lasting: bool) {
        let left = if lasting { LASTING + calls } else { calls };
        self.0.left.store(left, Ordering::Relaxed);
    }

    /// Puts it out.
    pub(crate) fn put_out(&self) {
        self.0.left.store(OUT, Ordering::Relaxed);
    }

    #[inline]
    fn call(&self) {
        if self.0.left.load(Ordering::Relaxed) != OUT {
            self.burn();
        }
    }

    #[cold]
    fn burn(&self) {
        let burnt = self.0.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
            match left {
                OUT | LASTING => None,
                // It blows once.
                0 => Some(OUT),
                left => Some(left - 1),
            }
        });
        if matches!(burnt, Ok(0) | Err(LASTING)) {
            panic!("{BLOWN}");
        }
    }
}

/// A game with a fuse.
#[derive(Clone, Debug)]
pub(crate) struct Fused<G> {
    /// The game itself, which never panics.
    pub(crate) game: G,
    /// What makes it panic.
    pub(crate) fuse: Fuse,
}

/// Forwards every method, so that none falls back to its default. Methods that
/// make no use of a position or are not called while a search runs are safe.
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

    fn insight(&self) -> impl Insight<Self> {
        self
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

impl<G: Game> Insight<Fused<G>> for Fused<G> {
    fn foreseen(&self, state: &G::State, moves: &mut Vec<G::Move>) -> Foreseen {
        self.fuse.call();
        self.game.insight().foreseen(state, moves)
    }

    fn foreseen_closely(&self, state: &G::State, moves: &mut Vec<G::Move>) -> Foreseen {
        self.fuse.call();
        self.game.insight().foreseen_closely(state, moves)
    }

    fn foreseen_against(
        &self,
        state: &G::State,
        at_least: i32,
        moves: &mut Vec<G::Move>,
    ) -> Foreseen {
        self.fuse.call();
        self.game.insight().foreseen_against(state, at_least, moves)
    }

    fn priority(&self, state: &G::State, mv: G::Move) -> u32 {
        self.fuse.call();
        self.game.insight().priority(state, mv)
    }

    fn images(&self, state: &G::State, images: &mut Vec<G::State>) {
        self.fuse.call();
        self.game.insight().images(state, images);
    }

    fn least_hash(&self, state: &G::State) -> Option<u64> {
        self.fuse.call();
        self.game.insight().least_hash(state)
    }

    fn playout_move(
        &self,
        state: &G::State,
        moves: &mut Vec<G::Move>,
        rng: &mut Rng,
    ) -> Option<G::Move> {
        self.fuse.call();
        self.game.insight().playout_move(state, moves, rng)
    }

    fn suited(&self) -> Suited {
        self.game.insight().suited()
    }
}
