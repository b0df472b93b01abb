//! What a search answers.

use crate::config::FinalMove;
use crate::fixed::{Expected, Fixed, Span};
use crate::game::{Game, Turn};
use crate::interval::Interval;
use crate::proof_number::ProofNumber;
use crate::shared::Shared;
use crate::sync::{AtomicU32, Ordering};
use crate::tree::{Facts, Prospect, ROOT, Sides, Stage, Stakes, Tree, VALUE_ONE, Word};
use crate::{Goal, Outcome, StopReason};
use std::fmt;
use std::time::Duration;

/// What is proven about a position for one player.
///
/// In games of one player, and of two with zero sum, these are facts. With
/// chance, `Win` and `Loss` hold whatever the dice show, and `NotWin` says that
/// the dice can prevent a win. In other games values are guarantees against a coalition of all other players, so a
/// `Loss` there means: the others together can bring the player to lose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Value {
    /// The player can force a win.
    Win,
    /// The player can force a draw and no more.
    Draw,
    /// The player can be made to lose.
    Loss,
    /// A win cannot be forced; draw or loss is open.
    NotWin,
    /// A loss can be avoided; win or draw is open.
    NotLoss,
    /// Nothing is proven.
    Unknown,
}

impl Value {
    pub(crate) fn of(prospect: Prospect) -> Value {
        match (prospect.worst, prospect.best) {
            (Outcome::Win, _) => Value::Win,
            (_, Outcome::Loss) => Value::Loss,
            (Outcome::Draw, Outcome::Draw) => Value::Draw,
            (Outcome::Draw, Outcome::Win) => Value::NotLoss,
            (Outcome::Loss, Outcome::Draw) => Value::NotWin,
            (Outcome::Loss, Outcome::Win) => Value::Unknown,
        }
    }

    /// The value as lower-case words with hyphens.
    pub fn name(self) -> &'static str {
        match self {
            Value::Win => "win",
            Value::Draw => "draw",
            Value::Loss => "loss",
            Value::NotWin => "not-win",
            Value::NotLoss => "not-loss",
            Value::Unknown => "unknown",
        }
    }

    /// Whether win, draw or loss is proven.
    pub fn is_decided(self) -> bool {
        matches!(self, Value::Win | Value::Draw | Value::Loss)
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The bounds on a payoff; `None` where the game states no limit and nothing
/// is proven. In games with chance the payoff is the expected one, and the bounds
/// are rounded outward to whole numbers; [`Expected`] has them in full.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bounds {
    /// The player can force at least this.
    pub lower: Option<i32>,
    /// The player cannot force more than this.
    pub upper: Option<i32>,
}

impl Bounds {
    const UNKNOWN: Bounds = Bounds { lower: None, upper: None };

    /// The exact payoff, when only one is left.
    pub fn exact(self) -> Option<i32> {
        self.lower.filter(|_| self.lower == self.upper)
    }
}

impl From<Interval> for Bounds {
    fn from(interval: Interval) -> Bounds {
        // −i32::MAX is the second player's view of a first player without limit.
        let exact = interval.is_exact();
        Bounds {
            lower: Some(interval.lower).filter(|&lower| exact || lower > -i32::MAX),
            upper: Some(interval.upper).filter(|&upper| exact || upper < i32::MAX),
        }
    }
}

/// What is known of one move at the root.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct MoveReport<M> {
    /// The move.
    pub mv: M,
    /// Finished playouts through it.
    pub visits: u64,
    /// Mean value of these playouts for the side to move, −1 to 1; `None`
    /// before the first. What a playout is worth depends on the goal: see
    /// [`Goal`].
    pub value: Option<f64>,
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
    pub value: Value,
    /// Bounds on the payoff of the same player.
    pub bounds: Bounds,
    /// Bounds on its expected payoff, in games with chance; `None` also where
    /// bounds are off.
    pub expected: Option<Expected>,
    /// Mean value of all playouts for the same player, −1 to 1: by outcomes or by payoffs,
    /// as [`Goal`] says.
    pub mean: Option<f64>,
    /// Every player's proof number.
    pub proof_numbers: Vec<ProofNumber>,
    /// The values are guarantees against a coalition of all other players.
    pub paranoid: bool,
    /// Moves were left out because such a guarantee made them needless.
    pub paranoid_pruning: bool,
    /// A proof number of the root reached its greatest finite value.
    pub saturated: bool,
    /// The move to play; `None` when the game is over and where chance decides. It need be
    /// neither the most visited move nor the one with the greatest mean: what is proven
    /// comes first ([`FinalMove`]).
    pub best_move: Option<G::Move>,
    /// The line that the search expects, starting with the best move and ending
    /// where chance decides.
    pub pv: Vec<G::Move>,
    /// All moves, in the order of the game; the outcomes where chance decides.
    /// Without nodes for outcomes ([`Chance::Open`](crate::Chance::Open)) there
    /// is nothing to tell of them.
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
    pub sweeping: bool,
    /// How often the tree was pruned because the memory was full, in all
    /// searches.
    pub prunes: u64,
    /// How long this search has taken.
    pub elapsed: Duration,
    /// Worker threads.
    pub threads: usize,
}

/// Clones and shows a report whatever its game: derived code would ask of the game, of
/// which nothing is stored, what it asks of the fields.
macro_rules! clone_and_debug {
    ($report:ident: $($field:ident),* $(,)?) => {
        impl<G: Game> Clone for $report<G> {
            fn clone(&self) -> Self {
                $report { $($field: Clone::clone(&self.$field)),* }
            }
        }

        impl<G: Game> fmt::Debug for $report<G> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($report))
                    $(.field(stringify!($field), &self.$field))*
                    .finish()
            }
        }
    };
}
pub(crate) use clone_and_debug;

clone_and_debug! { Report:
    to_move, stop_reason, player, value, bounds, expected, mean, proof_numbers, paranoid,
    paranoid_pruning, saturated, best_move, pv, moves, playouts, total_playouts, nodes, bytes,
    sweeping, prunes, elapsed, threads,
}

impl<G: Game> Report<G> {
    /// Playouts per second of this search.
    pub fn playouts_per_second(&self) -> f64 {
        self.playouts as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }
}

/// Reads the report from a tree, also while workers change it.
pub(crate) fn report<G: Game, E>(
    shared: &Shared<G, E>,
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
    let moves: Vec<MoveReport<G::Move>> = (0..num_moves(shared, word))
        .map(|number| move_report(tree, word, number, player))
        .collect();
    let pv = principal_variation(shared);
    let facts = tree.root_facts();
    let proof_numbers = facts.proof_numbers[..tree.logic.players].to_vec();
    Report {
        to_move,
        player,
        stop_reason,
        value: value(tree, &facts, player),
        bounds: bounds(tree, facts.intervals[player]),
        expected: expected(tree, facts.intervals[player]),
        mean: mean(statistics.value_sum, statistics.visits),
        paranoid: !tree.logic.zero_sum && tree.logic.players > 1,
        paranoid_pruning: !tree.logic.zero_sum
            && tree.logic.players > 1
            && matches!(tree.logic.sides, Sides::Versus(_)),
        saturated: proof_numbers.iter().any(|number| number.is_saturated()),
        proof_numbers,
        best_move: pv.first().copied(),
        pv,
        moves,
        playouts,
        total_playouts: statistics.visits,
        nodes,
        bytes: nodes * tree.arena.columns().bytes_per_node::<G::Move>() as u64,
        prunes: shared.prunes,
        sweeping: tree.arena.is_sweeping(),
        elapsed,
        threads: shared.config.threads,
    }
}

/// The number of moves among a node's children.
fn num_moves<G: Game, E>(shared: &Shared<G, E>, word: Word) -> usize {
    match shared.is_open_loop() {
        // The moves after the first dice, which are others in every playout.
        true if shared.root_turn == Turn::Chance => 0,
        true => word.num_children().saturating_sub(1),
        false => word.num_children(),
    }
}

fn move_report<M: Copy>(tree: &Tree<M>, word: Word, number: usize, player: usize) -> MoveReport<M> {
    let index = word.first_child() + number as u32;
    let (statistics, facts) = (tree.node(index).statistics(), tree.facts(index));
    MoveReport {
        mv: tree.arena.child_move(word, number),
        visits: statistics.visits,
        value: mean(statistics.value_sum, statistics.visits),
        bounds: bounds(tree, facts.intervals[player]),
        expected: expected(tree, facts.intervals[player]),
        probability: word.is_chance().then(|| probability(tree, word, number)),
        proof_numbers: facts.proof_numbers[..tree.logic.players].to_vec(),
        proven: value(tree, &facts, player),
    }
}

pub(crate) fn value<M: Copy>(tree: &Tree<M>, facts: &Facts, player: usize) -> Value {
    let logic = &tree.logic;
    let value = Value::of(logic.prospect_of(player, facts));
    let lucky = logic.chance && logic.solver && facts.proof_numbers[player].is_infinite();
    if lucky && value == Value::Unknown { Value::NotWin } else { value }
}

pub(crate) fn mean(sum: i64, visits: u64) -> Option<f64> {
    (visits > 0).then(|| sum as f64 / visits as f64 / VALUE_ONE as f64)
}

pub(crate) fn bounds<M: Copy>(tree: &Tree<M>, span: Span) -> Bounds {
    if tree.logic.score_bounds { span.hull().into() } else { Bounds::UNKNOWN }
}

pub(crate) fn expected<M: Copy>(tree: &Tree<M>, span: Span) -> Option<Expected> {
    let kept = tree.logic.chance && tree.logic.score_bounds;
    kept.then(|| Expected::new(span))
}

/// How likely an outcome of chance is.
pub(crate) fn probability<M: Copy>(tree: &Tree<M>, word: Word, number: usize) -> f64 {
    let weight = |cell: &AtomicU32| u64::from(cell.load(Ordering::Relaxed));
    let weights = tree.arena.children(word).weights();
    weight(&weights[number]) as f64 / weights.iter().map(weight).sum::<u64>() as f64
}

/// The line of best moves, as far as the tree knows it and until chance decides.
fn principal_variation<G: Game, E>(shared: &Shared<G, E>) -> Vec<G::Move> {
    const LONGEST: usize = 1000;
    let tree = &shared.tree;
    let mut line = Vec::new();
    let mut word = tree.node(ROOT).load();
    let mut open = shared.is_open_loop().then(|| shared.root.clone());
    while word.stage() == Stage::Expanded && line.len() < LONGEST {
        // In open loop only the rules know where the dice come.
        if open.as_ref().is_some_and(|state| !matches!(shared.game.turn(state), Turn::Player(_))) {
            break;
        }
        let Some(number) = final_move(shared, word) else { break };
        // Beyond the root a line of unvisited nodes says nothing.
        let child = tree.node(word.first_child() + number as u32);
        if !line.is_empty() && child.statistics().visits == 0 && !child.load().is_settled() {
            break;
        }
        let mv = tree.arena.child_move(word, number);
        line.push(mv);
        if let Some(state) = &mut open {
            shared.game.play(state, mv);
        }
        word = child.load();
    }
    line
}

/// What the choice of the final move compares.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    number: usize,
    /// The stakes for the mover in the unit of the question.
    low: i64,
    high: i64,
    proven_win: bool,
    proven_loss: bool,
    visits: u64,
    mean: f64,
}

/// The move to play: a proven win; else no proven loss while anything else is
/// left, no move that another is proven to be at least as good as, and among
/// the rest by the configured rule.
pub(crate) fn final_move<G: Game, E>(shared: &Shared<G, E>, word: Word) -> Option<usize> {
    let tree = &shared.tree;
    let mover = word.mover();
    if word.is_chance() {
        return None;
    }
    let mut candidates: Vec<Candidate> =
        (0..num_moves(shared, word)).map(|number| candidate(tree, word, number, mover)).collect();
    if candidates.iter().any(|c| !c.proven_loss) {
        // Asked for the score, a loss may have the best guarantee so far.
        candidates.retain(|c| !c.proven_loss);
    }
    let by_visits = |a: &Candidate, b: &Candidate| {
        a.visits.cmp(&b.visits).then(a.mean.total_cmp(&b.mean)).then(b.number.cmp(&a.number))
    };
    let by_guarantee = |a: &Candidate, b: &Candidate| {
        // Of equal guarantees the one that may still turn out better.
        a.low.cmp(&b.low).then((a.high > a.low).cmp(&(b.high > b.low))).then(by_visits(a, b))
    };
    let proven = candidates.iter().filter(|c| c.proven_win);
    if let Some(win) = proven.max_by(|a, b| by_guarantee(a, b)) {
        return Some(win.number);
    }
    let guaranteed = candidates.iter().max_by(|a, b| by_guarantee(a, b))?;
    let secured = guaranteed.low;
    let hopeful = candidates.iter().filter(|c| c.high > secured).max_by(|a, b| by_visits(a, b));
    let robust = shared.config.final_move == FinalMove::Robust;
    match hopeful {
        Some(open) if robust && open.mean > worth(shared, mover, secured) => Some(open.number),
        _ => Some(guaranteed.number),
    }
}

/// What a secured stake is worth in the unit of playout values; less than
/// anything when nothing is secured.
fn worth<G: Game, E>(shared: &Shared<G, E>, player: usize, secured: i64) -> f64 {
    let (worst, value) = match shared.tree.logic.goal {
        Goal::Win => (Outcome::Loss.value().into(), secured as f32),
        Goal::Score => {
            let secured = Fixed::from_bits(secured);
            let least = Fixed::from_payoff(shared.tree.logic.ranges[player].lower);
            (least.to_bits(), shared.utility.of_mean(player, secured))
        }
    };
    if secured <= worst { f64::NEG_INFINITY } else { f64::from(value) }
}

fn candidate<M: Copy>(tree: &Tree<M>, word: Word, number: usize, mover: usize) -> Candidate {
    let index = word.first_child() + number as u32;
    let logic = &tree.logic;
    let stakes = if logic.prunes() {
        logic.stakes_in_play(mover, tree.arena.single(index), 0)
    } else {
        Stakes::ALL
    };
    let prospect = tree.prospect(index, mover);
    let statistics = tree.node(index).statistics();
    // A sure win may be worth less on average than what can go wrong.
    let by_status = logic.prunes() && !(logic.chance && logic.goal == Goal::Score);
    // Nor is any win the most that there is to get among equals.
    let decides = logic.sides != Sides::Free || logic.goal == Goal::Win;
    // A loss against all others together is none where everybody plays for themselves.
    let certain = logic.sides != Sides::Free || tree.node(index).load().is_exact();
    Candidate {
        number,
        low: stakes.low,
        high: stakes.high,
        proven_win: by_status && decides && prospect.worst == Outcome::Win,
        proven_loss: by_status && certain && prospect.best == Outcome::Loss,
        visits: statistics.visits,
        mean: mean(statistics.value_sum, statistics.visits).unwrap_or(-1.0),
    }
}
