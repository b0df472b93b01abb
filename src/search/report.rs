//! The report of a search, and the training targets that are computed from it.

use crate::bounds::{Bounds, Expected, ProofNumber, Span, Value};
use crate::game::{Game, Turn};
use crate::playout::{SharedSearch, Utility, drawn_move, final_move, plies_to_win};
use crate::prove::clone_and_debug;
use crate::settings::{SettingInForce, StopReason};
use crate::sync::{AtomicU32, Ordering};
use crate::threads::Counters;
use crate::tree::{Facts, ROOT, Sides, Stage, Tree, Word, mean};
use std::sync::Arc;
use std::time::Duration;

/// The results for one legal move at the root.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct MoveReport<M> {
    /// The move, or the outcome if chance decides.
    pub mv: M,
    /// The number of finished playouts through the move.
    pub visits: u64,
    /// The mean value of these playouts for the side to move, from −1 to 1, limited to the proven
    /// range: at most the value of a draw if the move cannot win. `None` before the first playout.
    /// A playout's value depends on the goal; see [`Goal`](crate::Goal).
    pub mean: Option<f64>,
    /// The evaluator's prior, from 0 to 1; `None` without priors.
    pub prior: Option<f64>,
    /// Bounds on the payoff of the side to move.
    pub bounds: Bounds,
    /// Bounds on the expected payoff of the side to move, in a game with chance.
    pub expected: Option<Expected>,
    /// The probability of this outcome, if chance decides at the root.
    pub probability: Option<f64>,
    /// Every player's proof number in the position after the move.
    pub proof_numbers: Vec<ProofNumber>,
    /// The proven value of the move for the side to move.
    pub proven: Value,
    /// The exact value of the move for the side to move, in the unit of [`mean`](MoveReport::mean),
    /// if it is proven. Unlike the mean, it may be known before the first playout.
    pub worth: Option<f64>,
}

/// The results of a search for its root.
#[non_exhaustive]
pub struct Report<G: Game> {
    /// The player to move; `None` if the game is over or chance decides.
    pub to_move: Option<usize>,
    /// The reason why the search ended; `None` while it runs.
    pub stop_reason: Option<StopReason>,
    /// The player to whom values, bounds and means apply: the player to move. If chance decides, it
    /// is the player whose move led to the root by [`Search::advance`](crate::Search::advance).
    /// Without such a move, and if the game is over, it is player 0.
    pub player: usize,
    /// The value proven for [`player`](Report::player).
    pub proven: Value,
    /// Bounds on the payoff of [`player`](Report::player).
    pub bounds: Bounds,
    /// Bounds on the expected payoff of [`player`](Report::player), in a game with chance; `None`
    /// also if score bounds are off.
    pub expected: Option<Expected>,
    /// The mean value of all playouts for [`player`](Report::player), from −1 to 1, limited to the
    /// proven range. A playout's value depends on the goal; see [`Goal`](crate::Goal). If several
    /// players play without coalitions, a guaranteed result limits the mean only from below.
    pub mean: Option<f64>,
    /// Every player's proof number. If proof numbers are not
    /// [counted](Report::counts_proof_numbers), each is 0, 1 or infinite, here and for each move.
    pub proof_numbers: Vec<ProofNumber>,
    /// Whether proof numbers are counted, which is so if they have a weight
    /// ([`Config::c_pn`](crate::Config::c_pn)).
    pub counts_proof_numbers: bool,
    /// Whether values are guaranteed against a coalition of all other players.
    pub paranoid: bool,
    /// Whether moves were skipped because a guarantee against a coalition made them superfluous.
    pub paranoid_pruning: bool,
    /// Whether a proof number of the root has reached the largest finite number.
    pub saturated: bool,
    /// The move to play; `None` if the game is over or chance decides. It need not be the most
    /// visited move or the one with the greatest mean: proven results take precedence, and so does
    /// a guaranteed result that is as good as the mean of the most visited move.
    pub best_move: Option<G::Move>,
    /// The expected line of play, beginning with the best move and ending where chance decides.
    pub pv: Vec<G::Move>,
    /// If a win is proven, the maximum number of moves of both sides until the game is over,
    /// according to the proof in this tree. There may be a shorter win;
    /// [`shortest_win`](crate::prover::shortest_win) finds the shortest. `None` if no win is
    /// proven; if the tree has the result but not its proof, as from a background prover
    /// ([`Config::prover_share`](crate::Config::prover_share)); if the proof is too large to
    /// examine; and in games that have chance or are not two-player zero-sum games.
    pub ends_in: Option<u32>,
    /// All moves in the order of the game, or all outcomes if chance decides.
    pub moves: Vec<MoveReport<G::Move>>,
    /// The number of playouts of this search.
    pub playouts: u64,
    /// The number of playouts of all searches of this tree.
    pub total_playouts: u64,
    /// The number of nodes in the tree.
    pub nodes: u64,
    /// The size of these nodes in bytes.
    pub bytes: u64,
    /// Whether nodes of an earlier root are still being reclaimed; until then
    /// [`nodes`](Report::nodes) includes them.
    pub reclaiming: bool,
    /// The number of times that the tree was pruned because the memory was full, in all searches.
    pub prunes: u64,
    /// The time that this search has taken.
    pub elapsed: Duration,
    /// The number of worker threads.
    pub threads: usize,
    /// Counts of events inside the searches of this tree, from threads that have ended; `None`
    /// without the feature `counters`.
    pub counters: Option<Counters>,
    /// The settings in force, in the order of [`OPTIONS`](crate::options::OPTIONS): the value in
    /// the configuration, else the game's recommendation, else the default.
    pub settings: Arc<[SettingInForce]>,
}

clone_and_debug! { Report:
    to_move, stop_reason, player, proven, bounds, expected, mean, proof_numbers,
    counts_proof_numbers, paranoid, paranoid_pruning, saturated, best_move, pv, ends_in, moves, playouts, total_playouts, nodes, bytes,
    reclaiming, prunes, elapsed, threads, counters, settings,
}

/// A training target for a network's policy, for one move.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PolicyTarget<M> {
    /// The move to which the targets apply.
    pub mv: M,
    /// The move's share of the visits, the target of AlphaZero (Silver et al. 2017).
    pub visits: f64,
    /// The move's share in the improved policy softmax(logits + σ(completed Q)) of Danihelka et al.
    /// (2022, equation 11). For a move with a proven value, Q is that value; for other moves
    /// without visits, Q is the mixed value (equation 33).
    pub improved: f64,
}

/// Computes σ of a value from −1 to 1, where `most` is the number of visits of the most visited
/// move (equation 8, with c_visit = 50 and c_scale = 1).
fn sigma(value: f64, most: u64) -> f64 {
    (50.0 + most as f64) * (value + 1.0) / 2.0
}

impl<G: Game> Report<G> {
    /// Returns training targets for a network's policy, one for each move, which add up to one. The
    /// target for the value is [`mean`](Report::mean) or the result of the game. The list is empty
    /// if there are no visits or no priors.
    ///
    /// For σ, values are scaled to the range from 0 to 1, with c_visit = 50 and c_scale = 1. In the
    /// mixed value, the mean of all playouts replaces the network's value of the root, which the
    /// tree does not store.
    pub fn policy_targets(&self) -> Vec<PolicyTarget<G::Move>> {
        let all: u64 = self.moves.iter().map(|known| known.visits).sum();
        let priors: Option<Vec<f64>> = self.moves.iter().map(|known| known.prior).collect();
        let (Some(priors), true, Some(mean)) = (priors, all > 0, self.mean) else {
            return Vec::new();
        };
        let most = self.moves.iter().map(|known| known.visits).max().unwrap_or(0);
        let visited = || {
            self.moves
                .iter()
                .zip(&priors)
                .filter_map(|(known, prior)| known.mean.map(|value| (prior, value)))
        };
        let weight: f64 = visited().map(|(prior, _)| prior).sum();
        let weighted: f64 = visited().map(|(prior, value)| prior * value).sum::<f64>() / weight;
        let all = all as f64;
        let mixed = (mean + all * weighted) / (1.0 + all);
        let logits = self.moves.iter().zip(&priors).map(|(known, prior)| {
            let value = known.worth.or(known.mean).unwrap_or(mixed);
            prior.ln() + sigma(value, most)
        });
        let logits: Vec<f64> = logits.collect();
        let greatest = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = logits.iter().map(|logit| (logit - greatest).exp()).sum();
        let improved = logits.iter().map(|logit| (logit - greatest).exp() / sum);
        let moves = self.moves.iter().zip(improved);
        moves
            .map(|(known, improved)| PolicyTarget {
                mv: known.mv,
                visits: known.visits as f64 / all,
                improved,
            })
            .collect()
    }

    /// Returns the playouts per second of this search.
    pub fn playouts_per_second(&self) -> f64 {
        self.playouts as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }
}

pub(crate) fn report<G: Game, L>(
    shared: &SharedSearch<G, L>,
    stop_reason: Option<StopReason>,
    elapsed: Duration,
    playouts: u64,
    nodes: u64,
) -> Report<G> {
    let tree = &shared.tree;
    let player = shared.root_player;
    let root = tree.node(ROOT);
    let word = root.load();
    let statistics = root.statistics();
    let to_move = match shared.root_turn {
        Turn::Player(player) => Some(player),
        _ => None,
    };
    let moves: Vec<MoveReport<G::Move>> =
        (0..word.num_children()).map(|number| move_report(shared, word, number, player)).collect();
    let pv = principal_variation(shared);
    let facts = tree.root_facts();
    let proof_numbers = facts.proof_numbers[..tree.logic.players].to_vec();
    Report {
        to_move,
        player,
        stop_reason,
        proven: value(tree, &facts, player),
        bounds: bounds(tree, facts.intervals[player]),
        expected: expected(tree, facts.intervals[player]),
        mean: mean_within(tree, ROOT, &facts, player),
        paranoid: !tree.logic.zero_sum && tree.logic.players > 1,
        paranoid_pruning: !tree.logic.zero_sum
            && tree.logic.players > 1
            && matches!(tree.logic.sides, Sides::Versus(_)),
        saturated: proof_numbers.iter().any(|number| number.is_saturated()),
        proof_numbers,
        counts_proof_numbers: tree.logic.proof_numbers,
        best_move: pv.first().copied(),
        pv,
        ends_in: (0..2).find_map(|player| plies_to_win(tree, ROOT, player)),
        moves,
        playouts,
        total_playouts: statistics.visits,
        nodes,
        bytes: nodes * tree.arena.columns().bytes_per_node() as u64,
        prunes: shared.prunes,
        reclaiming: tree.arena.is_reclaiming(),
        elapsed,
        threads: shared.config.threads,
        counters: shared.counted.counters(),
        settings: Arc::clone(&shared.settings),
    }
}

fn move_report<G: Game, L>(
    shared: &SharedSearch<G, L>,
    word: Word,
    number: usize,
    player: usize,
) -> MoveReport<G::Move> {
    let tree = &shared.tree;
    let index = word.first_child() + number as u32;
    let (statistics, facts) = (tree.node(index).statistics(), tree.facts(index));
    MoveReport {
        mv: tree.child_move(word, number),
        visits: statistics.visits,
        mean: mean_within(tree, index, &facts, player),
        prior: prior(tree, word, number),
        bounds: bounds(tree, facts.intervals[player]),
        expected: expected(tree, facts.intervals[player]),
        probability: word.is_chance().then(|| probability(tree, word, number)),
        proof_numbers: facts.proof_numbers[..tree.logic.players].to_vec(),
        proven: value(tree, &facts, player),
        worth: if tree.node(index).load().is_solved() {
            shared.known_worth(index).map(|worth| f64::from(worth[player]))
        } else {
            None
        },
    }
}

pub(crate) fn value(tree: &Tree, facts: &Facts, player: usize) -> Value {
    let logic = &tree.logic;
    let value = Value::of(logic.prospect_of(player, facts));
    let lucky = logic.chance && logic.solver && facts.proof_numbers[player].is_infinite();
    if lucky && value == Value::Unknown { Value::NotWin } else { value }
}

/// Returns the mean value of a node's playouts for a player, limited to the proven range, because
/// the values of early playouts may lie outside it.
///
/// If several players play without coalitions, an upper bound shows only what all others together
/// could enforce, so it limits the mean only if it is exact. If all others play against one player,
/// guarantees of the others do not limit the mean, because they do not play for their own payoff.
pub(crate) fn mean_within(tree: &Tree, index: u32, facts: &Facts, player: usize) -> Option<f64> {
    let node = tree.node(index);
    let statistics = node.statistics();
    let mean = mean(statistics.value_sum, statistics.visits)?;
    let logic = &tree.logic;
    let (is_least, is_most) = match logic.sides {
        _ if !logic.prunes() => (false, false),
        Sides::Versus(one) => (logic.zero_sum || one == player, logic.zero_sum || one == player),
        Sides::Free => (true, node.load().is_exact()),
    };
    let utility = Utility::new(logic.goal, logic.chance, logic.thresholds, logic.ranges);
    let outcomes = logic.prospect_of(player, facts);
    let [least, most] = utility.between(player, outcomes, facts.intervals[player]);
    // The lower limit is applied last, because workers may change both limits meanwhile.
    let mean = if is_most { mean.min(most) } else { mean };
    Some(if is_least { mean.max(least) } else { mean })
}

pub(crate) fn bounds(tree: &Tree, span: Span) -> Bounds {
    if tree.logic.score_bounds { span.hull().into() } else { Bounds::UNKNOWN }
}

pub(crate) fn expected(tree: &Tree, span: Span) -> Option<Expected> {
    let kept = tree.logic.chance && tree.logic.score_bounds;
    kept.then(|| Expected::new(span))
}

/// Returns the evaluator's prior of a move, if it has been computed.
pub(crate) fn prior(tree: &Tree, word: Word, number: usize) -> Option<f64> {
    let children = tree.arena.children(word);
    let has = !word.is_chance() && children.has_priors();
    children.prior(number).filter(|_| has).map(f64::from)
}

pub(crate) fn probability(tree: &Tree, word: Word, number: usize) -> f64 {
    let weight = |cell: &AtomicU32| u64::from(cell.load(Ordering::Relaxed));
    let weights = tree.arena.children(word).weights();
    weight(&weights[number]) as f64 / weights.iter().map(weight).sum::<u64>() as f64
}

/// Returns the line of best moves, until the tree ends or chance decides.
fn principal_variation<G: Game, L>(shared: &SharedSearch<G, L>) -> Vec<G::Move> {
    const LONGEST: usize = 1000;
    let tree = &shared.tree;
    let mut line = Vec::new();
    let mut word = tree.node(ROOT).load();
    while word.stage() == Stage::Expanded && line.len() < LONGEST {
        let drawn = if line.is_empty() { drawn_move(shared, word) } else { None };
        let Some(number) = drawn.or_else(|| final_move(shared, word)) else { break };
        // Below the root's children, unvisited nodes carry no information.
        let child = tree.node(word.first_child() + number as u32);
        if !line.is_empty() && child.statistics().visits == 0 && !child.load().is_solved() {
            break;
        }
        line.push(tree.child_move(word, number));
        word = child.load();
    }
    line
}
