//! Checks of symmetric positions, and of whether a search profits from them.

use super::futures::{Sight, list};
use crate::{Difference, DomainKnowledge, Game, Turn, canonical_key};

/// The greatest number of positions at one depth for which [`meets_images`] compares keys.
const MOST_NEAR: usize = 1 << 12;

/// Returns whether a search from `root` soon visits positions that are symmetric to earlier ones:
/// whether `root`, a child or a grandchild is its own image or an image of another of these
/// positions. In the middle of a game this is rare, and finding the canonical position costs more
/// than it saves. If there are too many positions to compare, the result is true.
pub fn meets_images<G: Game>(game: &G, root: &G::State) -> bool {
    let mut images = Vec::new();
    game.knowledge().symmetries(root, &mut images);
    if images.is_empty() {
        return false;
    }
    // The canonical key and the key of each position so far.
    let mut met = Vec::new();
    let mut level = vec![root.clone()];
    for depth in 0..=2 {
        for state in &level {
            images.clear();
            game.knowledge().symmetries(state, &mut images);
            let hash = game.key(state);
            if images.iter().any(|image| game.key(image) == hash) {
                return hash.is_some();
            }
            met.push((canonical_key(game, state), hash));
        }
        met.sort_unstable();
        if met.windows(2).any(|two| two[0].0 == two[1].0 && two[0].1 != two[1].1) {
            return true;
        }
        if depth < 2 {
            let is_open = |state: &&G::State| game.turn(state) != Turn::Over;
            let nexts = level
                .iter()
                .filter(is_open)
                .flat_map(|state| list(game, state).into_iter().map(|mv| game.after(state, mv)));
            level = nexts.take(MOST_NEAR + 1).collect();
            if level.len() > MOST_NEAR {
                return true;
            }
        }
    }
    false
}

/// An invalid image: its text, which is empty if the game has no texts, and the difference.
pub(crate) type NoImage = (String, Difference);

/// The greatest number of moves, of all images together, up to which the children of all images are
/// compared.
const MANY: usize = 64;

/// A child: its canonical key, its weight at a chance node and the number of the move to it.
type Next = (Option<u64>, u32, usize);

/// Finds the first invalid image of a position. If the images have many moves, only one image's
/// children are checked: image number `turn` modulo the number of images. Returns the number of
/// images if all are valid.
pub(crate) fn find_no_image<G: Game>(
    game: &G,
    state: &G::State,
    turn: u64,
) -> Result<usize, NoImage> {
    let mut images = Vec::new();
    game.knowledge().symmetries(state, &mut images);
    let least = canonical_key(game, state);
    let hashes = images.iter().chain([state]).map(|image| game.key(image));
    if hashes.into_iter().all(|hash| hash != least) {
        return Err((game.state_text(state), Difference::KeyOfNoImage(least)));
    }
    let Some(last) = images.len().checked_sub(1) else { return Ok(0) };
    let own = Sight::of(game, state);
    let all = own.moves.len() * images.len() <= MANY;
    let chosen = (turn % images.len() as u64) as usize;
    let mut nexts = None;
    for (number, image) in images.iter().enumerate().take(last + 1) {
        let differs = |difference| Err((game.state_text(image), difference));
        let theirs = Sight::of(game, image);
        if let Some(difference) = own.difference_of_image(&theirs) {
            return differs(difference);
        }
        let their_least = canonical_key(game, image);
        if their_least != least {
            return differs(Difference::CanonicalKeys(least, their_least));
        }
        if all || number == chosen {
            let nexts = nexts.get_or_insert_with(|| next(game, state));
            let theirs = next(game, image);
            if let Some(number) = missing(nexts, &theirs) {
                let mv = list(game, state)[number];
                return differs(Difference::NoImageOfMove(game.move_text(state, mv)));
            }
        }
    }
    Ok(images.len())
}

fn next<G: Game>(game: &G, state: &G::State) -> Vec<Next> {
    let chance = game.turn(state) == Turn::Chance;
    let mut nexts = Vec::new();
    for (number, &mv) in list(game, state).iter().enumerate() {
        let weight = if chance { game.chance_weight(state, mv) } else { 1 };
        nexts.push((canonical_key(game, &game.after(state, mv)), weight, number));
    }
    nexts.sort_unstable();
    nexts
}

/// The number of a move in the list `one` whose child is missing from `other`.
fn missing(one: &[Next], other: &[Next]) -> Option<usize> {
    let differ = |(one, other): &(&Next, &Next)| (one.0, one.1) != (other.0, other.1);
    let (&(least, weight, number), theirs) = std::iter::zip(one, other).find(differ)?;
    if (least, weight) < (theirs.0, theirs.1) {
        return Some(number);
    }
    // The lists are equally long: if `other` has a surplus child, one of `one` is missing.
    one.iter().rev().zip(other.iter().rev()).find(differ).map(|(&(_, _, number), _)| number)
}
