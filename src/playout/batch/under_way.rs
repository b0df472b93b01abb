//! The loop of a worker whose leaves are valued in batches.
//!
//! The worker starts one playout after another. A playout that reaches a leaf to be valued stays in
//! flight until the value arrives. If the leaf is already being valued (a *collision*), the playout
//! is parked: it counts as in flight, so that the next playout takes another path, and is discarded
//! when the next answers arrive. The limit on parked playouts grows with the tree, since a small
//! tree has few other paths (lc0's pull requests 1540 and 1613 do the same).

use super::super::chance::{Mix, finish};
use super::super::rollout::LeafEvaluation;
use super::super::run::Look;
use super::super::worker::Worker;
use super::{Batches, Batching, Leaf};
use crate::error::SearchError;
use crate::game::{Game, MAX_PLAYERS, canonical_key};
use crate::settings::Config;
use crate::tree::{ROOT, SeenChild, Trail, Window};

struct UnderWay<'s, M> {
    trail: Trail<'s>,
    mixes: Vec<Mix>,
    /// Whether the leaf is expanded when its value arrives, and the known facts about its children.
    expands: bool,
    ended: Vec<(usize, SeenChild)>,
    /// The outcomes of chance, which have no priors from the evaluator, and their weights.
    outcomes: Vec<M>,
    weights: Vec<u32>,
    /// The position's key in the table of solved positions.
    key: u64,
}

/// The result of starting a playout.
enum Start<'s> {
    /// The playout has already ended and has been counted.
    Finished,
    /// The playout's leaf was passed to the queue and is being valued.
    Asked,
    /// The playout's leaf had already been requested.
    Collided(Trail<'s>),
}

/// Limits on the playouts that a worker may have in flight.
#[derive(Clone, Copy, Debug)]
struct Room {
    leaves: usize,
    /// The limit on all playouts in flight, including parked ones.
    all: usize,
}

/// The maximum number of playouts in flight, over all workers together.
const MOST_UNDER_WAY: usize = 2000;

impl Room {
    /// Returns limits with room for two batches of each caller, one being valued and one being
    /// gathered, and for a few more leaves, since some playouts end without a leaf.
    fn of<G: Game>(batches: &Batches<G>, config: &Config) -> Room {
        let batching = &batches.batching;
        let Batching { size, calls, .. } = *batching;
        let wanted = if calls == 0 { size } else { 2 * size + size / 8 };
        let wanted = wanted * calls.max(1);
        let all = (MOST_UNDER_WAY / config.threads).max(1);
        Room { leaves: wanted.div_ceil(config.threads).min(all.div_ceil(2)).max(1), all }
    }
}

impl<'s, G: Game, L: LeafEvaluation<G>> Worker<'s, G, L> {
    /// Makes playouts until the search is stopping, with many leaves in flight.
    pub(in super::super) fn run_batched(
        &mut self,
        batches: &Batches<G>,
    ) -> Result<(), SearchError> {
        /// The number of playouts between two checks of the clock.
        const LOOK_EVERY: u32 = 16;
        /// The number of playouts between two checks for answers.
        const ANSWERS_EVERY: u32 = 8;
        let _leaving = batches.queue.leave();
        let (shared, size) = (self.shared, batches.batching.size);
        let (control, room) = (&shared.control, Room::of(batches, &shared.config));
        let number = self.number as usize;
        let mut under_way: Vec<Option<UnderWay<'s, G::Move>>> = Vec::new();
        let mut free: Vec<usize> = Vec::new();
        let mut parked: Vec<Trail<'s>> = Vec::new();
        let (mut answered, mut batch) = (Vec::new(), Vec::new());
        let (mut lease, mut until_look, mut round) = (0, 0, 0);
        while !control.stopped() {
            if until_look == 0 {
                self.cache.add_all();
                match self.look() {
                    Look::GoOn => until_look = LOOK_EVERY,
                    Look::Pause => {}
                    Look::End => break,
                }
            }
            if until_look.is_multiple_of(ANSWERS_EVERY) {
                round = batches.queue.answers(number, round, &mut answered);
            }
            for leaf in answered.drain(..) {
                parked.clear();
                let slot = leaf.slot;
                let Some(playout) = under_way[slot].take() else {
                    unreachable!("a leaf is answered once");
                };
                free.push(slot);
                self.finish_leaf(playout, leaf);
            }
            let asked = under_way.len() - free.len();
            let may_park = 1 + shared.tree.node(ROOT).statistics().visits as usize / 32;
            let may_start = !control.pauses()
                && asked < room.leaves
                && parked.len() < may_park.min(4 * size)
                && asked + parked.len() < room.all;
            if may_start && lease == 0 {
                lease = control.lease(shared.config.threads);
            }
            if may_start && lease > 0 {
                until_look = until_look.saturating_sub(1);
                let slot = free.pop().unwrap_or_else(|| {
                    under_way.push(None);
                    under_way.len() - 1
                });
                match self.start_playout(batches, slot, &mut under_way[slot])? {
                    Start::Asked => lease -= 1,
                    Start::Finished => {
                        free.push(slot);
                        lease -= 1;
                    }
                    Start::Collided(trail) => {
                        free.push(slot);
                        parked.push(trail);
                    }
                }
                continue;
            }
            until_look = 0;
            if asked == 0 && (lease == 0 || control.pauses()) {
                break;
            }
            if batches.batching.calls == 0 {
                batches.queue.take(size, &mut batch);
                if !batch.is_empty() {
                    batches.call(&mut batch, shared, &mut self.workspace)?;
                    batches.queue.answer(&mut batch);
                    continue;
                }
            }
            // With no leaf in flight, no answer would discard this worker's parked playouts.
            if asked == 0 {
                parked.clear();
            }
            batches.queue.wait(round);
        }
        let asked = under_way.iter().flatten().count() as u64;
        control.return_lease(lease.saturating_add(asked));
        Ok(())
    }

    fn start_playout(
        &mut self,
        batches: &Batches<G>,
        slot: usize,
        place: &mut Option<UnderWay<'s, G::Move>>,
    ) -> Result<Start<'s>, SearchError> {
        let shared = self.shared;
        let mut state = shared.root.clone();
        let (path, count_below) = (self.paths.pop(), shared.selection.count_below);
        let path = path.unwrap_or_default();
        let mut trail = Trail::from_root(&shared.tree, path, shared.root_step(), count_below);
        // No selection is cached here: every visit selects.
        if let Some(values) = self.descend(&mut trail, &mut state, Window::ALL, 0)? {
            let units = finish(&mut trail, self.cache.covers(), &values, &self.mixes);
            self.cache.count(&units);
            self.paths.push(trail.into_path());
            return Ok(Start::Finished);
        }
        // This playout is one of those in flight. The root has no count, but it is expanded.
        let last = trail.last();
        if last.node.statistics().in_flight > 1 {
            return Ok(Start::Collided(trail));
        }
        let word = last.node.load();
        let expands =
            shared.leaves.has_priors() && { self.prepare_expansion(word, &trail, &state)? };
        let chooses = expands && !word.is_chance();
        let listed = if expands { std::mem::take(&mut self.moves) } else { Vec::new() };
        let (moves, outcomes) = if chooses { (listed, Vec::new()) } else { (Vec::new(), listed) };
        let key = shared.key(&state);
        let (told_apart, marks) = self.tell_apart(batches, &state, &moves);
        let mut leaf = Leaf::new(state, moves, shared.tree.logic.players);
        (leaf.key, leaf.marks) = (told_apart, marks);
        (leaf.worker, leaf.slot) = (self.number as usize, slot);
        let playout = UnderWay {
            trail,
            mixes: std::mem::take(&mut self.mixes),
            expands,
            ended: std::mem::take(&mut self.ended),
            outcomes,
            weights: std::mem::take(&mut self.weights),
            key,
        };
        match batches.queue.ask(leaf, batches.batching.size) {
            None => {
                *place = Some(playout);
                Ok(Start::Asked)
            }
            Some(leaf) => {
                self.finish_leaf(playout, leaf);
                Ok(Start::Finished)
            }
        }
    }

    /// Returns a leaf's key, which is 0 if it has none, and, if symmetric positions share an
    /// answer, the keys of the positions after its moves.
    fn tell_apart(
        &self,
        batches: &Batches<G>,
        state: &G::State,
        moves: &[G::Move],
    ) -> (u64, Vec<u64>) {
        let game = &self.shared.game;
        if !batches.is_function {
            return (0, Vec::new());
        }
        if !batches.batching.symmetries {
            return (game.key(state).unwrap_or(0), Vec::new());
        }
        let mark = |state: &G::State| canonical_key(game, state);
        let marks = moves.iter().map(|&mv| mark(&game.after(state, mv))).collect::<Option<_>>();
        match (mark(state), marks) {
            (Some(key), Some(marks)) => (key, marks),
            _ => (0, Vec::new()),
        }
    }

    fn finish_leaf(&mut self, playout: UnderWay<'s, G::Move>, leaf: Leaf<G>) {
        let UnderWay { mut trail, mixes, expands, ended, outcomes, weights, key } = playout;
        let logic = &self.shared.tree.logic;
        let mut values = [0.0; MAX_PLAYERS];
        let valued = &mut values[..logic.players];
        valued.copy_from_slice(&leaf.values);
        if expands {
            self.moves = if outcomes.is_empty() { leaf.moves } else { outcomes };
            self.priors = leaf.priors;
            (self.ended, self.weights) = (ended, weights);
            self.expand_prepared(&trail, key);
        }
        let units = finish(&mut trail, self.cache.covers(), &values, &mixes);
        self.cache.count(&units);
        self.mixes = mixes;
        self.paths.push(trail.into_path());
    }
}
