//! What a search answers.

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

/// What is known of one move at the root.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct MoveReport<M> {
    /// The move.
    pub mv: M,
    /// Finished playouts through it.
    pub visits: u64,
    /// Mean value of these playouts for the side to move, −1 to 1, held to what is proven of
    /// the move: where it cannot win, to at most a draw. `None` before the first playout. What
    /// a playout is worth depends on the goal: see [`Goal`](crate::Goal).
    pub mean: Option<f64>,
    /// The evaluator's prior, a share of one; `None` where it has none.
    pub prior: Option<f64>,
    /// Bounds on the payoff of the side to move.
    pub bounds: Bounds,
    /// Bounds on its expected payoff, in games with chance.
    pub expected: Option<Expected>,
    /// The probability of this outcome, where chance decides at the root.
    pub probability: Option<f64>,
    /// Every player's proof number.
    pub proof_numbers: Vec<ProofNumber>,
    /// What is proven for the side to move after this move.
    pub proven: Value,
    /// What the move is worth to the side to move, in the unit of [`mean`](MoveReport::mean),
    /// where that is proven, also before the first playout.
    pub worth: Option<f64>,
}

/// What a search knows of its root.
#[non_exhaustive]
pub struct Report<G: Game> {
    /// The player to move; `None` when the game is over and where chance decides.
    pub to_move: Option<usize>,
    /// Why the search ended; `None` while it runs.
    pub stop_reason: Option<StopReason>,
    /// The player of whom values, bounds and means speak: the one to move. Where
    /// chance decides it is the one whose move [`Search::advance`](crate::Search::advance)
    /// came here by, or else player 0, as when the game is over.
    pub player: usize,
    /// What is proven for this player.
    pub proven: Value,
    /// Bounds on the payoff of the same player.
    pub bounds: Bounds,
    /// Bounds on its expected payoff, in games with chance; `None` also where
    /// bounds are off.
    pub expected: Option<Expected>,
    /// Mean value of all playouts for the same player, −1 to 1, held to what is proven: by
    /// outcomes or by payoffs, as [`Goal`](crate::Goal) says. Where everybody plays for itself,
    /// a guarantee holds it from below alone.
    pub mean: Option<f64>,
    /// Every player's proof number. Where they are not
    /// [counted](Report::counts_proof_numbers), one is 0, 1 or infinite, here and for each move.
    pub proof_numbers: Vec<ProofNumber>,
    /// Proof numbers are counted: they have a weight ([`Config::c_pn`](crate::Config::c_pn)), or a
    /// rule of the user's own may read them.
    pub counts_proof_numbers: bool,
    /// The values are guarantees against a coalition of all other players.
    pub paranoid: bool,
    /// Moves were left out because such a guarantee made them needless.
    pub paranoid_pruning: bool,
    /// A proof number of the root reached its greatest finite value.
    pub saturated: bool,
    /// The move to play; `None` when the game is over and where chance decides. It need be
    /// neither the most visited move nor the one with the greatest mean: what is proven
    /// comes first, and a guarantee that is worth the most visited move's mean.
    pub best_move: Option<G::Move>,
    /// The line that the search expects, starting with the best move and ending
    /// where chance decides.
    pub pv: Vec<G::Move>,
    /// Where somebody is proven to win: in how many moves of both sides the game is over at
    /// the latest, by the proof in this tree, whatever the other does. There may be a sooner
    /// win ([`shortest_win`](crate::prover::shortest_win) finds the soonest). `None` where nobody
    /// is proven to win, where the tree has the result without its reason, as from a prover beside
    /// ([`Config::prover_share`](crate::Config::prover_share)), or more of it than a look takes in,
    /// with chance, and without two players and zero sum.
    pub ends_in: Option<u32>,
    /// All moves, in the order of the game; the outcomes where chance decides.
    pub moves: Vec<MoveReport<G::Move>>,
    /// Playouts of this search.
    pub playouts: u64,
    /// Playouts of all searches of this tree.
    pub total_playouts: u64,
    /// Nodes in the tree.
    pub nodes: u64,
    /// Bytes that these nodes take.
    pub bytes: u64,
    /// Nodes that an earlier root left behind are still being swept, and count
    /// as nodes until they are.
    pub reclaiming: bool,
    /// How often the tree was pruned because the memory was full, in all
    /// searches.
    pub prunes: u64,
    /// How long this search has taken.
    pub elapsed: Duration,
    /// Worker threads.
    pub threads: usize,
    /// What the mechanisms of this tree's searches did, as far as their threads have ended;
    /// `None` without the feature `counters`.
    pub counters: Option<Counters>,
    /// The settings in force, in the order of [`OPTIONS`](crate::options::OPTIONS): what the
    /// configuration says, else what the game recommends, else the default.
    pub settings: Arc<[SettingInForce]>,
}

clone_and_debug! { Report:
    to_move, stop_reason, player, proven, bounds, expected, mean, proof_numbers,
    counts_proof_numbers, paranoid, paranoid_pruning, saturated, best_move, pv, ends_in, moves, playouts, total_playouts, nodes, bytes,
    reclaiming, prunes, elapsed, threads, counters, settings,
}

/// What a finished search teaches a network, of one move.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PolicyTarget<M> {
    /// The move.
    pub mv: M,
    /// Its share of the visits, as AlphaZero learns it (Silver et al. 2017).
    pub visits: f64,
    /// Its share in the improved policy, softmax(logits + σ(completed Q)), of Danihelka et
    /// al. (2022, equation 11): a move whose worth is proven has that value, and any other
    /// without visits the mixed value of its equation 33.
    pub improved: f64,
}

/// σ of a value from −1 to 1, where the most tried move has `most` visits (equation 8, with
/// c_visit 50 and c_scale 1).
fn sigma(value: f64, most: u64) -> f64 {
    (50.0 + most as f64) * (value + 1.0) / 2.0
}

impl<G: Game> Report<G> {
    /// What a network may learn from this search: targets for the policy, of each move. They
    /// add up to one. The target for the value is [`mean`](Report::mean), or the result of
    /// the game. Empty without visits, and where the evaluator has no priors.
    ///
    /// Values are taken from 0 to 1 for σ, with c_visit 50 and c_scale 1. In the mixed value
    /// the mean of all playouts stands for the network's own value of the root, which the tree
    /// does not keep.
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

    /// Playouts per second of this search.
    pub fn playouts_per_second(&self) -> f64 {
        self.playouts as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }
}

/// Reads the report from a tree, also while workers change it.
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
        worth: if tree.node(index).load().is_settled() {
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

/// Mean value of a node's playouts for a player, held to what is proven of the node: the first
/// playouts knew nothing of it.
///
/// Where everybody plays for itself, that all others together could keep a player from more
/// says nothing of what it gets. Where all play against one player, nor do the guarantees of
/// the others, who do not seek their own good.
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
    // In this order, since workers may change what is read here meanwhile.
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

/// The evaluator's prior of a move, where it has any and was asked.
pub(crate) fn prior(tree: &Tree, word: Word, number: usize) -> Option<f64> {
    let children = tree.arena.children(word);
    let has = !word.is_chance() && children.has_priors();
    children.prior(number).filter(|_| has).map(f64::from)
}

/// How likely an outcome of chance is.
pub(crate) fn probability(tree: &Tree, word: Word, number: usize) -> f64 {
    let weight = |cell: &AtomicU32| u64::from(cell.load(Ordering::Relaxed));
    let weights = tree.arena.children(word).weights();
    weight(&weights[number]) as f64 / weights.iter().map(weight).sum::<u64>() as f64
}

/// The line of best moves, as far as the tree knows it and until chance decides.
fn principal_variation<G: Game, L>(shared: &SharedSearch<G, L>) -> Vec<G::Move> {
    const LONGEST: usize = 1000;
    let tree = &shared.tree;
    let mut line = Vec::new();
    let mut word = tree.node(ROOT).load();
    while word.stage() == Stage::Expanded && line.len() < LONGEST {
        let drawn = if line.is_empty() { drawn_move(shared, word) } else { None };
        let Some(number) = drawn.or_else(|| final_move(shared, word)) else { break };
        // Beyond the root a line of unvisited nodes says nothing.
        let child = tree.node(word.first_child() + number as u32);
        if !line.is_empty() && child.statistics().visits == 0 && !child.load().is_settled() {
            break;
        }
        line.push(tree.child_move(word, number));
        word = child.load();
    }
    line
}
