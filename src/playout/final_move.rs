//! The choice of the move to play, from the results in the tree.
//!
//! This code does not depend on the game's type, so it is compiled once.

use super::context::Utility;
use super::ending::{plies_to_lose, plies_to_win};
use super::shared::SharedSearch;
use crate::bounds::Fixed;
use crate::game::{Game, Outcome};
use crate::math::{Rng, mix_all_bits};
use crate::select::uniform;
use crate::settings::{Config, Goal};
use crate::threads::Limits;
use crate::tree::{ROOT, Sides, Stage, Tree, Window, Word, mean};

/// The data from which the final move is chosen.
#[derive(Clone, Copy)]
struct Choice<'s> {
    tree: &'s Tree,
    config: &'s Config,
    utility: &'s Utility,
    moves_played: u64,
    /// The root's word and its number of moves.
    word: Word,
    moves: usize,
}

impl<'s> Choice<'s> {
    fn at<G: Game, L>(shared: &'s SharedSearch<G, L>, word: Word) -> Choice<'s> {
        Choice {
            tree: &shared.tree,
            config: &shared.config,
            utility: &shared.utility,
            moves_played: shared.moves_played,
            word,
            moves: word.num_children(),
        }
    }

    fn candidates(&self) -> Vec<Candidate> {
        (0..self.moves).map(|number| candidate(self.tree, self.word, number)).collect()
    }
}

/// A move's data for the comparison with other moves.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    number: usize,
    /// The lower end of the move's alpha-beta window for the mover, in the unit of the goal.
    low: i64,
    high: i64,
    proven_win: bool,
    proven_loss: bool,
    visits: u64,
    mean: f64,
}

/// Selects the move to play: of several proven wins, the quickest, as far as the tree shows.
/// Without a proven win, it is the robust child (Chaslot et al., *Progressive Strategies for
/// Monte-Carlo Tree Search*, 2008): the move with the most visits, not considering proven losses
/// and moves that are proven to be no better than another. The move with the best guarantee takes
/// precedence if that is at least the robust child's mean value. If all moves lose, the move that
/// holds out longest is selected.
pub(crate) fn final_move<G: Game, L>(shared: &SharedSearch<G, L>, word: Word) -> Option<usize> {
    Choice::at(shared, word).best()
}

/// Returns whether the root's move is drawn at random: see [`drawn_move`].
pub(super) fn is_drawn<G: Game, L>(shared: &SharedSearch<G, L>) -> bool {
    let config = &shared.config;
    let over = shared.moves_played >= u64::from(config.temperature_moves);
    config.temperature > 0.0 && !over
}

/// Draws a root move with a probability proportional to its visits to the power of 1 / temperature,
/// as AlphaZero plays the first moves of self-play games. Never draws a proven loss, or a move that
/// is proven to be no better than another. `None` if the temperature is 0, if a player is proven to
/// win, or if no move was visited. The same tree yields the same move.
pub(crate) fn drawn_move<G: Game, L>(shared: &SharedSearch<G, L>, root: Word) -> Option<usize> {
    let is_drawn = !root.is_chance() && is_drawn(shared);
    is_drawn.then(|| Choice::at(shared, root).drawn()).flatten()
}

/// Returns whether no other move can catch up with the visits of the move to play before the search
/// ends. A proof could still change the choice. If the move is drawn at random, the result is
/// `true` only if there is no other move.
pub(crate) fn is_decided<G: Game, L>(shared: &SharedSearch<G, L>, limits: &Limits) -> bool {
    let word = shared.tree.node(ROOT).load();
    if word.stage() != Stage::Expanded {
        return false;
    }
    let (mut total, mut most, mut second, mut leader) = (0, 0, 0, 0);
    for (number, node) in shared.tree.arena.children(word).nodes().iter().enumerate() {
        let visits = node.statistics().visits;
        total += visits;
        if visits > most {
            (most, second, leader) = (visits, most, number);
        } else {
            second = second.max(visits);
        }
    }
    let done = total.saturating_sub(limits.visits_before);
    let Some(left) = limits.left(done) else { return false };
    let alone = word.num_children() == 1 && done > 0;
    // The choice is computed last because it allocates.
    let ahead = most - second > left && !is_drawn(shared);
    alone || ahead && final_move(shared, word) == Some(leader)
}

impl Choice<'_> {
    fn best(&self) -> Option<usize> {
        let Choice { tree, word, .. } = *self;
        let mover = word.mover();
        if word.is_chance() {
            return None;
        }
        let mut candidates = self.candidates();
        let lost = candidates.iter().all(|c| c.proven_loss);
        if !lost {
            // If the goal is the score, a loss may have the best guarantee so far.
            candidates.retain(|c| !c.proven_loss);
        }
        let ending = |c: &Candidate| {
            plies_to_win(tree, word.first_child() + c.number as u32, mover).unwrap_or(u32::MAX)
        };
        let by_visits = |a: &Candidate, b: &Candidate| {
            let likes = a.visits.cmp(&b.visits).then(a.mean.total_cmp(&b.mean));
            likes.then(b.number.cmp(&a.number))
        };
        // Of equal guarantees, prefers the one that may still improve.
        let by_low = |a: &Candidate, b: &Candidate| {
            a.low.cmp(&b.low).then((a.high > a.low).cmp(&(b.high > b.low)))
        };
        let by_guarantee = |a: &Candidate, b: &Candidate| by_low(a, b).then(by_visits(a, b));
        let wins: Vec<(u32, &Candidate)> =
            candidates.iter().filter(|c| c.proven_win).map(|c| (ending(c), c)).collect();
        let sooner = |(one, a): &(u32, &Candidate), (other, b): &(u32, &Candidate)| {
            by_low(a, b).then(other.cmp(one)).then(by_visits(a, b))
        };
        if let Some((_, win)) = wins.into_iter().max_by(sooner) {
            return Some(win.number);
        }
        if lost && tree.logic.zero_sum {
            let ending = |c: &Candidate| {
                plies_to_lose(tree, word.first_child() + c.number as u32, 1 - mover)
            };
            let losses = candidates.iter().map(|c| (ending(c), c));
            let later = |(one, a): &(u32, &Candidate), (other, b): &(u32, &Candidate)| {
                by_low(a, b).then(one.cmp(other)).then(by_visits(a, b))
            };
            return losses.max_by(later).map(|(_, c)| c.number);
        }
        let guaranteed = candidates.iter().max_by(|a, b| by_guarantee(a, b))?;
        let secured = guaranteed.low;
        let hopeful = candidates.iter().filter(|c| c.high > secured).max_by(|a, b| by_visits(a, b));
        match hopeful {
            Some(open) if open.mean > self.worth(mover, secured) => Some(open.number),
            _ => Some(guaranteed.number),
        }
    }

    fn drawn(&self) -> Option<usize> {
        let Choice { tree, config, .. } = *self;
        let candidates = self.candidates();
        let not_lost = || candidates.iter().filter(|c| !c.proven_loss);
        let secured = not_lost().map(|c| c.low).max()?;
        if candidates.iter().any(|c| c.proven_win) {
            return None;
        }
        let most = not_lost().map(|c| c.visits).max().filter(|&most| most > 0)? as f64;
        let weight = |c: &Candidate| match c.high > secured || c.low == secured {
            true => (c.visits as f64 / most).powf(1.0 / config.temperature),
            false => 0.0,
        };
        let sum: f64 = not_lost().map(weight).sum();
        let visits = tree.node(ROOT).statistics().visits;
        let salt = mix_all_bits(visits << 20 ^ self.moves_played);
        let mut left = uniform(&mut Rng::new(mix_all_bits(config.seed ^ salt))) * sum;
        let drawn = not_lost().filter(|c| weight(c) > 0.0).find(|c| {
            left -= weight(c);
            left <= 0.0
        });
        drawn.map(|c| c.number)
    }

    /// Returns a guaranteed payoff in the unit of playouts' values; −∞ if nothing is guaranteed.
    fn worth(&self, player: usize, secured: i64) -> f64 {
        let (worst, value) = match self.tree.logic.goal {
            Goal::Outcome => (Outcome::Loss.value().into(), secured as f32),
            Goal::Score => {
                let secured = Fixed::from_bits(secured);
                let least = Fixed::from_payoff(self.tree.logic.ranges[player].lower);
                (least.to_bits(), self.utility.of_mean(player, secured))
            }
        };
        if secured <= worst { f64::NEG_INFINITY } else { f64::from(value) }
    }
}

fn candidate(tree: &Tree, word: Word, number: usize) -> Candidate {
    let mover = word.mover();
    let index = word.first_child() + number as u32;
    let logic = &tree.logic;
    let local_window = if logic.prunes() {
        logic.window_in_play(mover, tree.arena.single(index), 0)
    } else {
        Window::ALL
    };
    let prospect = tree.prospect(index, mover);
    let statistics = tree.node(index).statistics();
    // With chance, a certain win may have a lower mean score than a move that risks a loss.
    let by_status = logic.prunes() && !(logic.chance && logic.goal == Goal::Score);
    // If everybody plays for themselves, a win need not be the best score.
    let decides = logic.sides != Sides::Free || logic.goal == Goal::Outcome;
    // If everybody plays for themselves, a proven loss is certain only at an exact node.
    let certain = logic.sides != Sides::Free || tree.node(index).load().is_exact();
    Candidate {
        number,
        low: local_window.low,
        high: local_window.high,
        proven_win: by_status && decides && prospect.worst == Outcome::Win,
        proven_loss: by_status && certain && prospect.best == Outcome::Loss,
        visits: statistics.visits,
        mean: mean(statistics.value_sum, statistics.visits).unwrap_or(-1.0),
    }
}
