//! A position that every engine can store. It is small, `Copy` and refers to its rules, because the
//! other crates' traits do not pass the rules to a position.

use proofwood::{Game, Rng, Turn};
use std::cell::RefCell;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

/// Games that all engines can play: zero-sum games of two players who take turns.
pub(crate) trait Rules: Game<State: Copy + fmt::Debug> + Clone {}

impl<G: Game<State: Copy + fmt::Debug> + Clone> Rules for G {}

pub(crate) struct Position<G: Rules> {
    pub(crate) game: &'static G,
    pub(crate) state: G::State,
    pub(crate) ply: u16,
    /// Whether player 1 was to move at the root.
    first: bool,
}

/// The result of a finished game for the player who would have moved next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Won,
    Drawn,
    Lost,
}

impl<G: Rules> Clone for Position<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Rules> Copy for Position<G> {}

impl<G: Rules> fmt::Debug for Position<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.state, f)
    }
}

impl<G: Rules> fmt::Display for Position<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.game.board_text(&self.state))
    }
}

impl<G: Rules> Position<G> {
    /// Creates the root of a search. Its rules stay in memory until the program ends.
    pub(crate) fn root(game: G, state: G::State) -> Position<G> {
        let first = game.turn(&state) == Turn::Player(1);
        Position { game: Box::leak(Box::new(game)), state, ply: 0, first }
    }

    /// Returns the position as the root of another search.
    pub(crate) fn as_root(&self) -> Position<G> {
        Position { ply: 0, first: self.next() == 1, ..*self }
    }

    #[inline]
    pub(crate) fn play(&mut self, mv: G::Move) {
        self.game.play(&mut self.state, mv);
        self.ply += 1;
    }

    #[inline]
    pub(crate) fn is_over(&self) -> bool {
        self.game.turn(&self.state) == Turn::Over
    }

    #[inline]
    pub(crate) fn moves(&self, moves: &mut Vec<G::Move>) {
        self.game.legal_moves(&self.state, moves);
    }

    /// If the game is over, the result for the player who would have moved next.
    #[inline]
    pub(crate) fn end(&self) -> Option<End> {
        self.is_over().then(|| match self.game.payoff(&self.state, self.next()).signum() {
            1 => End::Won,
            0 => End::Drawn,
            _ => End::Lost,
        })
    }

    /// The player to move, or the one who would be if the game were not over. Players take turns,
    /// and a pass is a move.
    #[inline]
    pub(crate) fn next(&self) -> usize {
        usize::from(self.first) ^ usize::from(self.ply & 1)
    }
}

/// A thread's random number generator, and its buffer of moves for playouts.
pub(crate) struct Player<M> {
    rng: Rng,
    moves: Vec<M>,
}

impl<M> Default for Player<M> {
    /// Creates a player with a seed of its own.
    fn default() -> Player<M> {
        static SEED: AtomicU64 = AtomicU64::new(1);
        Player { rng: Rng::new(SEED.fetch_add(1, Ordering::Relaxed)), moves: Vec::new() }
    }
}

impl<M: Copy> Player<M> {
    /// The legal moves of a position; none if the game is over.
    pub(crate) fn list<G: Rules<Move = M>>(&mut self, position: &Position<G>) -> &[M] {
        self.moves.clear();
        if !position.is_over() {
            position.moves(&mut self.moves);
        }
        &self.moves
    }

    /// Plays a random game to its end, as our engine's playouts do; returns player 0's payoff.
    #[inline]
    pub(crate) fn play_out<G: Rules<Move = M>>(&mut self, position: &Position<G>) -> i32 {
        let Position { game, mut state, .. } = *position;
        while game.turn(&state) != Turn::Over {
            self.moves.clear();
            match game.random_move(&state, &mut self.moves, &mut self.rng) {
                Some(mv) => game.play(&mut state, mv),
                None => break,
            }
        }
        game.payoff(&state, 0)
    }
}

/// A move type for which each thread has a [`Player`]. It serves engines that pass no player to
/// their playouts.
pub(crate) trait PerThread: Copy + Sized + 'static {
    /// Calls `work` with the thread's player.
    fn with_player<T>(work: impl FnOnce(&mut Player<Self>) -> T) -> T;
}

macro_rules! per_thread {
    ($($move:ty),+) => {
        $(impl PerThread for $move {
            #[inline]
            fn with_player<T>(work: impl FnOnce(&mut Player<$move>) -> T) -> T {
                thread_local!(static PLAYER: RefCell<Player<$move>> = RefCell::default());
                PLAYER.with_borrow_mut(work)
            }
        })+
    };
}

per_thread!(u8, proofwood_games::othello::Move, proofwood_games::through::Move);
