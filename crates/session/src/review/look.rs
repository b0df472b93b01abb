//! Searches the positions of a game, first with a prover and then with playouts.

use super::known::Known;
use crate::Trouble;
use crate::solving::observer::{self, Observer};
use proofwood::prover::SharedEntries;
use proofwood::{Budget, Config, Goal, ProverConfig, StopReason, Turn};
use proofwood_any_game::{Position, Searching};
use std::time::{Duration, Instant};

/// Knowledge about a position, from the first player's view, and its best move.
pub struct Found {
    /// The proven value, bounds and mean, from the first player's view.
    pub known: Known,
    /// The best move, if one is known.
    pub best: Option<String>,
}

/// The settings for searching the positions.
pub struct Plan<'p> {
    /// The game's description.
    pub game: &'p str,
    /// The prover's configuration; `None` for playouts only.
    pub prover: Option<ProverConfig>,
    /// The configuration of the search with playouts.
    pub config: &'p Config,
    /// The budget for each position.
    pub budget: &'p Budget,
    /// Creates an observer for the search with this label.
    pub observer: for<'l> fn(&'l str) -> Box<dyn Observer + 'l>,
}

/// The searches, reused from position to position.
struct Looking<'p> {
    plan: &'p Plan<'p>,
    search: Box<dyn Searching>,
    /// The prover's table, shared by all positions of the game.
    shared_entries: Option<SharedEntries>,
    cancelled: bool,
}

/// Searches all positions from last to first; after Ctrl-C the earlier ones are missing. Entry `n`
/// of the result is for the position after `n` moves.
pub fn look_at_all(
    start: &dyn Position,
    moves: &[String],
    plan: &Plan<'_>,
) -> Result<Vec<Option<Found>>, Trouble> {
    let positions = positions(start, moves)?;
    let mut found: Vec<Option<Found>> = positions.iter().map(|_| None).collect();
    let mut looking = Looking {
        plan,
        search: positions[positions.len() - 1].search(plan.config)?,
        shared_entries: None,
        cancelled: false,
    };
    for (number, position) in positions.iter().enumerate().rev() {
        let label = format!("{} of {}", positions.len() - number, positions.len());
        let (one, rest) = looking.look(&**position, &label)?;
        // The move played here may have been a mistake, so the rest of the budget goes to the next
        // position if that is not solved yet.
        let after = found.get_mut(number + 1).and_then(Option::as_mut);
        if let (Some(rest), Some(after), Turn::Player(_)) = (rest, after, position.turn())
            && !looking.is_solved(&after.known)
        {
            let (more, _) = looking.prove(&*positions[number + 1], &label, rest)?;
            after.known = after.known.and(&more.known);
            after.best = more.best.or(after.best.take());
        }
        found[number] = Some(one);
        if looking.cancelled {
            break;
        }
    }
    conclude(moves, &positions, &mut found);
    Ok(found)
}

fn positions(start: &dyn Position, moves: &[String]) -> Result<Vec<Box<dyn Position>>, Trouble> {
    let mut positions = vec![start.copy()];
    for mv in moves {
        let mut next = positions[positions.len() - 1].copy();
        next.play(mv).map_err(|error| Trouble::Failed(error.to_string()))?;
        positions.push(next);
    }
    Ok(positions)
}

/// Propagates knowledge between adjacent positions. A player can secure at least as much as after
/// the move played; no move leads to more than the position's upper bound; and a forced move leaves
/// the value unchanged. One backward and one forward pass suffice.
fn conclude(moves: &[String], positions: &[Box<dyn Position>], found: &mut [Option<Found>]) {
    let mover = |number: usize| match positions[number].turn() {
        Turn::Player(player) => Some(player),
        _ => None,
    };
    let is_forced = |number: usize| positions[number].view().legal_moves.len() == 1;
    let pair = |found: &[Option<Found>], number: usize| match &found[number..number + 2] {
        [Some(before), Some(after)] => Some((before.known, after.known)),
        _ => None,
    };
    let last = positions.len() - 1;
    let numbers: Vec<usize> = (0..last).rev().chain(0..last).collect();
    for number in numbers {
        let (Some(player), Some((before, after))) = (mover(number), pair(found, number)) else {
            continue;
        };
        let (before, after) = (before.of_player(player), after.of_player(player));
        let (mut now, mut next) = (before.with_move(&after), after.limited_by(&before));
        if is_forced(number) {
            (now, next) = (now.and(&after), next.and(&before));
        }
        // If the position after the played move raises the proven value, that move is the best one.
        // If the value comes from the previous position, no best move is known.
        let best = [Some(moves[number].clone()), None];
        let less = [before.secures_less_than(&now, Goal::Score), next.value() != after.value()];
        for (at, known) in [now, next].into_iter().enumerate() {
            if let Some(found) = &mut found[number + at] {
                found.known = known.of_player(player);
                if less[at] {
                    found.best.clone_from(&best[at]);
                }
            }
        }
    }
}

impl Looking<'_> {
    /// Searches a position, first with the prover on half of the budget, then with playouts on the
    /// rest. If the prover solves the position, returns the unused budget.
    fn look(
        &mut self,
        position: &dyn Position,
        label: &str,
    ) -> Result<(Found, Option<Budget>), Trouble> {
        let all = self.plan.budget;
        let decides = matches!(position.turn(), Turn::Player(_));
        let Some(config) = self.plan.prover.as_ref().filter(|_| decides) else {
            return Ok((self.play_out(position, label, all)?, None));
        };
        let half = |time: Option<Duration>| time.map(|time| time / 2);
        let mut budget = all.clone();
        (budget.time, budget.cpu_time) = (half(all.time), half(all.cpu_time));
        let (proven, elapsed) = self.prove(position, label, budget)?;
        let mut rest = all.clone();
        rest.time = all.time.map(|time| time.saturating_sub(elapsed).max(SHORTEST));
        let busy = elapsed.mul_f64(config.threads as f64);
        rest.cpu_time = all.cpu_time.map(|time| time.saturating_sub(busy).max(SHORTEST));
        if self.is_solved(&proven.known) || self.cancelled {
            return Ok((proven, Some(rest)));
        }
        let played = self.play_out(position, label, &rest)?;
        let known = proven.known.and(&played.known);
        Ok((Found { known, best: played.best }, None))
    }

    /// Runs the prover on a position. Also returns the time that it took.
    fn prove(
        &mut self,
        position: &dyn Position,
        label: &str,
        mut budget: Budget,
    ) -> Result<(Found, Duration), Trouble> {
        let config = self.plan.prover.clone().unwrap_or_default();
        let has_table = config.algorithm.has_table();
        // A prover plays no playouts, so the limit applies to its nodes.
        budget.nodes = budget.nodes.or(budget.playouts);
        (budget.playouts, budget.bytes) = (None, None);
        let started = Instant::now();
        let mut search = position.prove(&config)?;
        if has_table {
            // Positions without a key cannot share a table.
            self.shared_entries = search.share(self.plan.game, self.shared_entries.as_ref()).ok();
        }
        let observer = (self.plan.observer)(label);
        let answer = observer::prove(&mut *search, &budget, &*observer, None)?;
        self.cancelled |= answer.stop_reason == Some(StopReason::Cancelled);
        let known = Known::of_proof(&answer);
        Ok((Found { known, best: answer.best_move }, started.elapsed()))
    }

    fn play_out(
        &mut self,
        position: &dyn Position,
        label: &str,
        budget: &Budget,
    ) -> Result<Found, Trouble> {
        self.search.go_to(position)?;
        let observer = (self.plan.observer)(label);
        let answer = observer::run(&mut *self.search, budget, &*observer)?;
        self.cancelled |= answer.stop_reason == Some(StopReason::Cancelled);
        let known = match position.turn() {
            Turn::Over => Known::of_end(&position.view(), &answer),
            _ => Known::of(&answer, position.has_chance()),
        };
        Ok(Found { known, best: answer.best_move })
    }

    fn is_solved(&self, known: &Known) -> bool {
        known.is_solved(self.plan.config.goal)
    }
}

/// The time left for playouts if the prover has used the whole budget.
const SHORTEST: Duration = Duration::from_millis(1);
