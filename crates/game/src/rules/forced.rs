//! Verifies static bounds by retrograde analysis in games whose positions repeat.
//!
//! If every line of play ends, playing to the end finds the best result. If positions repeat, a
//! move can preserve every result that can be forced and still make no progress: if it is the only
//! pushed move, the game never ends. All pushed moves near a position are therefore verified
//! together. For each payoff threshold, the region is analysed backwards from the ends, once with
//! all moves and once with one side restricted to the pushed moves. Both results must be equal. For
//! positions beyond the region, the analysis assumes the result that avoids a false report.

use super::futures::list;
use crate::{DomainKnowledge, Game, GameError, StaticBound, Turn};
use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};
use std::ops::RangeInclusive;

/// Verifies the static bounds in regions, each around a position that has one.
pub(super) struct ForcedPlay {
    compared: HashSet<u64>,
    left: usize,
    /// The number of static bounds that were compared.
    pub(super) static_bounds: u64,
    /// The number of sets of pushed moves that were compared.
    pub(super) narrowed: u64,
}

/// The greatest number of positions in one region.
const NEAR: usize = 2_000;
/// The greatest number of positions in all regions together.
const ALL: usize = 20_000;

impl Default for ForcedPlay {
    fn default() -> Self {
        ForcedPlay { compared: HashSet::new(), left: ALL, static_bounds: 0, narrowed: 0 }
    }
}

pub(super) type Wrong<M> = (Vec<M>, GameError);

impl ForcedPlay {
    /// Verifies the static bounds around `state`, in a two-player zero-sum game without chance, if
    /// positions there repeat. Does nothing for a region that was verified before.
    pub(super) fn compare<G: Game>(
        &mut self,
        game: &G,
        state: &G::State,
    ) -> Result<(), Wrong<G::Move>> {
        let key = game.key(state);
        if self.left == 0 || key.is_none_or(|key| self.compared.contains(&key)) {
            return Ok(());
        }
        let region = Region::around(game, state, NEAR.min(self.left));
        self.left = self.left.saturating_sub(region.places.len());
        self.compared.extend(region.numbers.keys());
        if !region.graph.repeats() {
            return Ok(());
        }
        let (static_bound, narrowed) =
            region.compare().map_err(|unforeseen| region.wrong(unforeseen))?;
        self.static_bounds += static_bound;
        self.narrowed += narrowed;
        Ok(())
    }
}

/// Returns whether the game has a static bound for a position in which the game is not over.
pub(super) fn foresees<G: Game>(game: &G, state: &G::State) -> bool {
    let (least, most) = game.payoff_range(0).into_inner();
    let middle = ((i64::from(least) + i64::from(most)) / 2) as i32;
    let knowledge = game.knowledge();
    knowledge.static_bound(state, &mut Vec::new()) != StaticBound::Nothing
        || knowledge.static_bound_for_prover(state, &mut Vec::new()) != StaticBound::Nothing
        || [middle, middle.saturating_add(1)].into_iter().any(|at_least| {
            knowledge.static_bound_at(state, at_least, &mut Vec::new()) != StaticBound::Nothing
        })
}

struct Region<'g, G: Game> {
    game: &'g G,
    places: Vec<Place<G>>,
    graph: Graph,
    numbers: HashMap<u64, usize>,
}

struct Place<G: Game> {
    state: G::State,
    /// The place and move that first led here; `None` for the first place.
    from: Option<(usize, G::Move)>,
    moves: Vec<G::Move>,
}

/// A region with numbers for its places. It does not depend on the game's type, so that its
/// analysis is compiled only once.
#[derive(Default)]
struct Graph {
    nodes: Vec<GraphNode>,
}

struct GraphNode {
    kind: Kind,
    next: Vec<usize>,
    before: Vec<usize>,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// The game is over, with this payoff for player 0.
    Over(i32),
    ToMove(usize),
    Unknown,
}

/// The static bounds of all places; pushed moves are given by number.
struct Hints {
    method: &'static str,
    static_bound: Vec<StaticBound>,
    pushed: Vec<Option<Vec<usize>>>,
}

/// A side's aim: player 0 receives at least `threshold`, or player 1 keeps player 0 below it.
#[derive(Clone, Copy)]
struct Aim {
    player: usize,
    threshold: i64,
}

impl Aim {
    fn is_met(self, payoff: i32) -> bool {
        (i64::from(payoff) >= self.threshold) == (self.player == 0)
    }

    /// Returns whether the static bound implies that the player can force the aim. No end in the
    /// region pays more than `below` but less than the threshold.
    fn is_foreseen(self, static_bound: StaticBound, below: i64) -> bool {
        match (static_bound, self.player) {
            (StaticBound::Payoff(payoff) | StaticBound::AtLeast(payoff), 0) => {
                i64::from(payoff) > below
            }
            (StaticBound::Payoff(payoff) | StaticBound::AtMost(payoff), 1) => {
                i64::from(payoff) < self.threshold
            }
            _ => false,
        }
    }
}

impl std::fmt::Display for Aim {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.player {
            0 => write!(f, "player 0 can force a payoff of {} or more", self.threshold),
            _ => write!(f, "player 1 can keep player 0's payoff below {}", self.threshold),
        }
    }
}

struct Unforeseen {
    place: usize,
    method: &'static str,
    what: String,
}

impl<'g, G: Game> Region<'g, G> {
    fn around(game: &'g G, state: &G::State, most: usize) -> Region<'g, G> {
        let (places, graph, numbers) = (Vec::new(), Graph::default(), HashMap::new());
        let mut region = Region { game, places, graph, numbers };
        region.number(state.clone(), None);
        let mut at = 0;
        while at < region.places.len() {
            let place = &region.places[at];
            let kind = match game.turn(&place.state) {
                Turn::Over => Kind::Over(game.payoff(&place.state, 0)),
                Turn::Player(player) if region.places.len() < most => Kind::ToMove(player),
                _ => Kind::Unknown,
            };
            region.graph.nodes[at].kind = kind;
            if matches!(kind, Kind::ToMove(_)) {
                for mv in list(game, &region.places[at].state) {
                    let next = game.after(&region.places[at].state, mv);
                    let next = region.number(next, Some((at, mv)));
                    region.places[at].moves.push(mv);
                    region.graph.nodes[at].next.push(next);
                    region.graph.nodes[next].before.push(at);
                }
            }
            at += 1;
        }
        region
    }

    /// Returns the number of a position; adds the position if it is new.
    fn number(&mut self, state: G::State, from: Option<(usize, G::Move)>) -> usize {
        let number = self.places.len();
        if let Some(key) = self.game.key(&state) {
            let known = *self.numbers.entry(key).or_insert(number);
            if known < number {
                return known;
            }
        }
        self.places.push(Place { state, from, moves: Vec::new() });
        let (next, before) = (Vec::new(), Vec::new());
        self.graph.nodes.push(GraphNode { kind: Kind::Unknown, next, before });
        number
    }

    /// Collects the static bounds of all places from one method.
    fn hints(
        &self,
        method: &'static str,
        ask: impl Fn(&G::State, &mut Vec<G::Move>) -> StaticBound,
    ) -> Hints {
        let mut hints = Hints { method, static_bound: Vec::new(), pushed: Vec::new() };
        let mut buffer = Vec::new();
        for (Place { state, moves, .. }, node) in std::iter::zip(&self.places, &self.graph.nodes) {
            buffer.clear();
            let static_bound = match node.kind {
                Kind::ToMove(_) => ask(state, &mut buffer),
                _ => StaticBound::Nothing,
            };
            let number = |mv: &G::Move| moves.iter().position(|other| other == mv);
            let pushes = static_bound == StaticBound::Moves && !buffer.is_empty();
            hints.pushed.push(pushes.then(|| buffer.iter().filter_map(number).collect()));
            hints.static_bound.push(static_bound);
        }
        hints
    }

    /// Compares all static bounds. Returns the numbers of bounds and of sets of pushed moves that
    /// were compared.
    fn compare(&self) -> Result<(u64, u64), Unforeseen> {
        let knowledge = self.game.knowledge();
        let always = [
            self.hints("static_bound", |state, moves| knowledge.static_bound(state, moves)),
            self.hints("static_bound_for_prover", |state, moves| {
                knowledge.static_bound_for_prover(state, moves)
            }),
        ];
        // Provers never query payoffs outside the range.
        let range = self.game.payoff_range(0);
        self.graph.compare(&always, range, &|at| {
            self.hints("static_bound_at", |state, moves| {
                knowledge.static_bound_at(state, at, moves)
            })
        })
    }

    fn wrong(&self, Unforeseen { place, method, what }: Unforeseen) -> Wrong<G::Move> {
        let position = self.game.state_text(&self.places[place].state);
        let mut moves = Vec::new();
        let mut at = place;
        while let Some((before, mv)) = self.places[at].from {
            moves.push(mv);
            at = before;
        }
        moves.reverse();
        (moves, GameError::Foresight { method, position, what })
    }
}

impl Graph {
    /// Returns whether a position can repeat. This is the case if some positions remain after those
    /// without predecessors are removed one by one.
    fn repeats(&self) -> bool {
        let mut ways: Vec<usize> = self.nodes.iter().map(|node| node.before.len()).collect();
        let mut free: Vec<usize> = (0..ways.len()).filter(|&place| ways[place] == 0).collect();
        let mut taken = 0;
        while let Some(place) = free.pop() {
            taken += 1;
            for &next in &self.nodes[place].next {
                ways[next] -= 1;
                if ways[next] == 0 {
                    free.push(next);
                }
            }
        }
        taken < self.nodes.len()
    }

    /// The places from which a player can force the aim. `unknown` is the assumed result at
    /// positions beyond the region; `kept` restricts one side to its pushed moves.
    fn forced(&self, aim: Aim, unknown: bool, kept: Option<(usize, &Hints)>) -> Vec<bool> {
        let is_end = |node: &GraphNode| match node.kind {
            Kind::Over(payoff) => aim.is_met(payoff),
            Kind::Unknown => unknown,
            Kind::ToMove(_) => false,
        };
        let mut forced: Vec<bool> = self.nodes.iter().map(is_end).collect();
        let ends = (0..forced.len()).filter(|&place| forced[place]);
        let mut new: VecDeque<usize> = ends.collect();
        while let Some(place) = new.pop_front() {
            for &before in &self.nodes[place].before {
                let Kind::ToMove(mover) = self.nodes[before].kind else { continue };
                if forced[before] {
                    continue;
                }
                let pushed = kept.filter(|&(player, _)| player == mover);
                let pushed = pushed.and_then(|(_, hints)| hints.pushed[before].as_ref());
                let next = &self.nodes[before].next;
                let leads = |number: &usize| forced[next[*number]];
                let is_forced = match (pushed, mover == aim.player) {
                    (Some(pushed), true) => pushed.iter().any(leads),
                    (Some(pushed), false) => pushed.iter().all(leads),
                    (None, true) => true,
                    (None, false) => next.iter().all(|&next| forced[next]),
                };
                if is_forced {
                    forced[before] = true;
                    new.push_back(before);
                }
            }
        }
        forced
    }

    /// Verifies the static bounds `always`, and for each threshold in `range` the static bounds
    /// that `against` returns. Returns the numbers of bounds and of sets of pushed moves that were
    /// compared.
    fn compare(
        &self,
        always: &[Hints],
        range: RangeInclusive<i32>,
        against: &dyn Fn(i32) -> Hints,
    ) -> Result<(u64, u64), Unforeseen> {
        let end = |node: &GraphNode| match node.kind {
            Kind::Over(payoff) => Some(i64::from(payoff)),
            _ => None,
        };
        let mut thresholds: BTreeSet<i64> = self.nodes.iter().filter_map(end).collect();
        thresholds.extend(thresholds.last().map(|most| most + 1));
        let (mut payoffs, mut pushes) = (HashSet::new(), HashSet::new());
        let mut below = i64::MIN;
        for threshold in thresholds {
            let asked = i32::try_from(threshold).ok().filter(|at| range.contains(at));
            let asked = asked.map(against);
            for player in 0..2 {
                let aim = Aim { player, threshold };
                let (least, most) = (i64::from(*range.start()), i64::from(*range.end()));
                if [threshold <= least, threshold > most][player] {
                    continue;
                }
                let surely = self.forced(aim, false, None);
                let maybe = self.forced(aim, true, None);
                for hints in always.iter().chain(&asked) {
                    hold_payoffs(hints, aim, below, &maybe)?;
                    self.hold_moves(hints, aim, &surely, &maybe)?;
                    for (place, &static_bound) in hints.static_bound.iter().enumerate() {
                        if static_bound == StaticBound::Moves && surely[place] == maybe[place] {
                            pushes.insert(place);
                        } else if aim.is_foreseen(static_bound, below) && surely[place] {
                            payoffs.insert(place);
                        }
                    }
                }
            }
            below = threshold;
        }
        Ok((payoffs.len() as u64, pushes.len() as u64))
    }

    /// Checks that pushed moves preserve the result that each side can force, make progress towards
    /// it, and preserve the results that the other side cannot force.
    fn hold_moves(
        &self,
        hints: &Hints,
        aim: Aim,
        surely: &[bool],
        maybe: &[bool],
    ) -> Result<(), Unforeseen> {
        let pushes = |place: usize, player: usize| {
            self.nodes[place].kind == Kind::ToMove(player) && hints.pushed[place].is_some()
        };
        let places = 0..self.nodes.len();
        let kept = self.forced(aim, true, Some((aim.player, hints)));
        let lost = |&place: &usize| pushes(place, aim.player) && surely[place] && !kept[place];
        if let Some(place) = places.clone().find(lost) {
            let what = format!(
                "pushes no move that makes progress: {aim} in finitely many moves, but not with \
                 the pushed moves alone"
            );
            return Err(Unforeseen { place, method: hints.method, what });
        }
        let other = 1 - aim.player;
        let gained = self.forced(aim, false, Some((other, hints)));
        let lets = |&place: &usize| pushes(place, other) && gained[place] && !maybe[place];
        match places.clone().find(lets) {
            None => Ok(()),
            Some(place) => {
                let what = format!(
                    "pushes only moves after which {aim} in finitely many moves; another move \
                     prevents that"
                );
                Err(Unforeseen { place, method: hints.method, what })
            }
        }
    }
}

/// Checks that the payoffs of static bounds can be forced.
fn hold_payoffs(hints: &Hints, aim: Aim, below: i64, maybe: &[bool]) -> Result<(), Unforeseen> {
    let is_wrong =
        |&place: &usize| aim.is_foreseen(hints.static_bound[place], below) && !maybe[place];
    match (0..maybe.len()).find(is_wrong) {
        None => Ok(()),
        Some(place) => {
            let what = format!(
                "returns {:?}, but it is not true that {aim} in finitely many moves",
                hints.static_bound[place]
            );
            Err(Unforeseen { place, method: hints.method, what })
        }
    }
}
