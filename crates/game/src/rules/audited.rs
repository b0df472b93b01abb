//! The positions that a search with an audit has stored, by key.
//!
//! Positions with equal keys share proofs. If a key omits part of the position, a proof also counts
//! for positions that the search never visited, and nothing in the tree contradicts it. An audit
//! stores one position for each key and compares it with later ones. It also verifies static bounds
//! in games whose positions repeat.

use super::forced::{ForcedPlay, foresees};
use super::futures::{Hashes, futures_differ};
use super::symmetry::find_no_image;
use crate::{Game, GameError, Rng, Turn};
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

const MOST: usize = 1 << 16;
/// The number of comparisons per key that include the positions' futures; later comparisons cover
/// only the positions themselves.
const COMPARISONS: u8 = 4;
/// The maximum number of moves played from two positions to compare their futures.
const FUTURE: usize = 200;

/// The stored positions, by key. Each visit briefly takes a lock, which is acceptable because an
/// audit is slow anyway and the thread holds no claim in the tree while it waits.
pub struct Audited<G: Game> {
    met: Mutex<HashMap<u64, Met<G>>>,
    symmetries: bool,
    /// Verifies static bounds; `None` if disabled or not applicable.
    foresight: Option<Mutex<ForcedPlay>>,
}

struct Met<G: Game> {
    state: G::State,
    comparisons: u8,
}

impl<G: Game> Audited<G> {
    /// Creates an empty audit. With `symmetries` it verifies symmetric positions, and with
    /// `foresight` static bounds.
    pub fn new(game: &G, symmetries: bool, foresight: bool) -> Audited<G> {
        let suits = game.num_players() == 2 && game.zero_sum() && !game.has_chance();
        let foresight = (foresight && suits).then(Mutex::default);
        Audited { met: Mutex::new(HashMap::new()), symmetries, foresight }
    }

    /// Compares a position with the one stored under its key; stores it if there is none.
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

    /// Compares the static bounds around a position with the results that can be forced.
    fn compare_foresight(&self, game: &G, state: &G::State) -> Result<(), GameError> {
        match &self.foresight {
            Some(forced) if game.turn(state) != Turn::Over && foresees(game, state) => {
                lock(forced).compare(game, state).map_err(|(_, error)| error)
            }
            _ => Ok(()),
        }
    }
}

/// Locks a mutex. Poisoning is harmless: a panic in the game's code ends the search, and the stored
/// data stays consistent.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
