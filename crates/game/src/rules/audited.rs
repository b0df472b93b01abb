//! Positions by their hashes, for searches that are audited.
//!
//! A proof is carried from one position to another where their hashes are equal, so a hash
//! that leaves something out settles positions that nobody has looked at, and the tree is
//! as consistent as ever. An audit keeps a position beside each hash and compares. It also compares
//! what the game foresees where play can go round.

use super::forced::{ForcedPlay, foresees};
use super::futures::{Hashes, futures_differ};
use super::symmetry::find_no_image;
use crate::GameError;
use crate::Rng;
use crate::{Game, Turn};
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The most positions to keep.
const MOST: usize = 1 << 16;
/// How often the future of a position is compared, and not only what is seen of it,
const COMPARISONS: u8 = 4;
/// and how far, in moves.
const FUTURE: usize = 200;

/// Positions by hash. Locked for a moment at each: an audit is slow anyway, and nothing of the
/// tree is owned meanwhile.
pub struct Audited<G: Game> {
    met: Mutex<HashMap<u64, Met<G>>>,
    /// Whether images of positions count as the positions.
    symmetries: bool,
    /// Where what is foreseen counts.
    foresight: Option<Mutex<ForcedPlay>>,
}

struct Met<G: Game> {
    state: G::State,
    comparisons: u8,
}

impl<G: Game> Audited<G> {
    /// With nothing kept yet; whether to compare images and what is foreseen.
    pub fn new(game: &G, symmetries: bool, foresight: bool) -> Audited<G> {
        let suits = game.num_players() == 2 && game.zero_sum() && !game.has_chance();
        let foresight = (foresight && suits).then(Mutex::default);
        Audited { met: Mutex::new(HashMap::new()), symmetries, foresight }
    }

    /// Compares a position with the one that had its hash, or keeps it.
    pub fn meet(&self, game: &G, state: &G::State) -> Result<(), GameError> {
        let Some(hash) = game.key(state) else { return Ok(()) };
        if self.symmetries
            && let Err((image, difference)) = find_no_image(game, state, hash)
        {
            let texts = Box::new([game.state_text(state), image]);
            return Err(GameError::NoImage { texts, difference: Box::new(difference) });
        }
        let (other, comparisons) = {
            let mut met = lock(&self.met);
            let room = met.len() < MOST;
            let Some(found) = met.get_mut(&hash) else {
                if room {
                    met.insert(hash, Met { state: state.clone(), comparisons: 0 });
                }
                drop(met);
                return self.compare_foresight(game, state);
            };
            found.comparisons = found.comparisons.saturating_add(1);
            (found.state.clone(), found.comparisons)
        };
        let plies = if comparisons <= COMPARISONS { FUTURE } else { 0 };
        let mut rng = Rng::new(hash ^ u64::from(comparisons));
        match futures_differ(game, state, &other, &mut rng, plies, Hashes::Same) {
            None => Ok(()),
            Some(difference) => {
                let texts = Box::new([game.state_text(state), game.state_text(&other)]);
                Err(GameError::TwoFutures { key: hash, texts, difference: Box::new(difference) })
            }
        }
    }

    /// Compares what is foreseen around a position with what can be forced.
    fn compare_foresight(&self, game: &G, state: &G::State) -> Result<(), GameError> {
        match &self.foresight {
            Some(forced) if game.turn(state) != Turn::Over && foresees(game, state) => {
                lock(forced).compare(game, state).map_err(|(_, error)| error)
            }
            _ => Ok(()),
        }
    }
}

/// A panic of the game's code ends the search, and what is kept here stays whole.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
