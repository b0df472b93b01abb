//! Verifies static bounds by playing to the end.

use super::fault::RulesFault;
use super::forced::ForcedPlay;
use super::futures::list;
use super::known::KnownPositions;
use crate::{DomainKnowledge, Game, GameError, StaticBound, Turn};

struct BestPlay<'g, G: Game> {
    game: &'g G,
    left: u32,
}

/// The greatest number of positions that are searched for one value.
const POSITIONS: u32 = 5_000;
/// The greatest number of positions that are searched for all values together.
const ALL_POSITIONS: u32 = 2_000_000;
/// The maximum depth of the search, small enough for the recursion to fit on the stack.
const DEPTH: u32 = 200;

impl<G: Game> BestPlay<'_, G> {
    /// Player 0's payoff under best play from `state`, with one of `moves` as the first move if
    /// they are given; `None` if the budget or the depth does not suffice. It is found by
    /// alpha-beta, with no knowledge except the range of payoffs.
    fn value(
        &mut self,
        state: &G::State,
        moves: Option<&[G::Move]>,
        window: (i32, i32),
        depth: u32,
    ) -> Option<i32> {
        self.left = self.left.checked_sub(1)?;
        let Turn::Player(mover) = self.game.turn(state) else {
            return Some(self.game.payoff(state, 0));
        };
        if depth == 0 {
            return None;
        }
        let listed = if moves.is_none() { list(self.game, state) } else { Vec::new() };
        let (mut alpha, mut beta) = window;
        let mut best = if mover == 0 { i32::MIN } else { i32::MAX };
        for &mv in moves.unwrap_or(&listed) {
            let next = self.game.after(state, mv);
            let value = self.value(&next, None, (alpha, beta), depth - 1)?;
            if mover == 0 {
                best = best.max(value);
                alpha = alpha.max(value);
            } else {
                best = best.min(value);
                beta = beta.min(value);
            }
            if alpha >= beta {
                break;
            }
        }
        Some(best)
    }
}

/// Positions to compare with play to the end.
///
/// They are compared last: until all other parts of the contract have been checked, a fault found
/// below a position may have another cause than its static bound.
pub(super) struct Foresight<G: Game> {
    due: Vec<Due<G>>,
    /// Verifies static bounds in games whose positions repeat; it is used first.
    forced: ForcedPlay,
    left: u32,
    /// The number of static bounds that were compared.
    pub(super) static_bounds: u64,
    /// The number of sets of pushed moves that were compared.
    pub(super) narrowed: u64,
}

struct Due<G: Game> {
    state: G::State,
    at: u32,
    /// The number of the random game that reached the position.
    number: u64,
    moves: usize,
    /// The bound on player 0's payoff; `Nothing` and `Moves` do not bound it.
    static_bound: StaticBound,
    narrowed: Option<Vec<G::Move>>,
}

const MOST: usize = 20_000;

impl<G: Game> Default for Foresight<G> {
    fn default() -> Self {
        let forced = ForcedPlay::default();
        Foresight { due: Vec::new(), forced, left: ALL_POSITIONS, static_bounds: 0, narrowed: 0 }
    }
}

impl<G: Game> Foresight<G> {
    /// Player 0's payoff under best play from a position, with one of `moves` as the first move if
    /// they are given.
    fn best_play(&mut self, game: &G, state: &G::State, moves: Option<&[G::Move]>) -> Option<i32> {
        let most = POSITIONS.min(self.left);
        let mut play = BestPlay { game, left: most };
        let value = play.value(state, moves, game.payoff_range(0).into_inner(), DEPTH);
        self.left -= most - play.left;
        value
    }

    /// Compares all static bounds with play to the end, where the end is near. A fault is returned
    /// with the path to it and the number of the random game.
    pub(super) fn compare(
        &mut self,
        game: &G,
        known: &mut KnownPositions<G>,
    ) -> Result<(), (u32, u64, RulesFault)> {
        // In most games, fewer moves mean a nearer end.
        let mut due = std::mem::take(&mut self.due);
        due.sort_by_key(|due| due.moves);
        for Due { state, at, number, .. } in &due {
            self.forced.compare(game, state).map_err(|(moves, error)| {
                let at = moves.into_iter().fold(*at, |at, mv| known.step(at, mv));
                (at, *number, error.into())
            })?;
        }
        self.static_bounds += self.forced.static_bounds;
        self.narrowed += self.forced.narrowed;
        for due in &due {
            self.compare_one(game, due).map_err(|fault| (due.at, due.number, fault))?;
        }
        Ok(())
    }

    fn compare_one(&mut self, game: &G, due: &Due<G>) -> Result<(), RulesFault> {
        let Due { state, static_bound, narrowed, .. } = due;
        let Some(right) = self.best_play(game, state, None) else { return Ok(()) };
        self.hold(*static_bound, right)?;
        // These thresholds are the hardest to decide.
        for at_least in [right, right.saturating_add(1)] {
            let knowledge = game.knowledge();
            let ask = |moves: &mut Vec<_>| knowledge.static_bound_at(state, at_least, moves);
            let answer = ask_twice(ask, "static_bound_at")?;
            self.hold(answer.0, right)?;
            if answer.0 == StaticBound::Moves && narrowed.as_ref() != Some(&answer.1) {
                check_pushed(game, state, &list(game, state), &answer.1, "static_bound_at")?;
                self.hold_moves(game, state, &answer.1, right)?;
            }
        }
        match narrowed {
            Some(moves) => self.hold_moves(game, state, moves, right),
            None => Ok(()),
        }
    }

    /// Compares the payoff to which the pushed moves lead with `right`, the payoff under best play.
    fn hold_moves(
        &mut self,
        game: &G,
        state: &G::State,
        moves: &[G::Move],
        right: i32,
    ) -> Result<(), RulesFault> {
        let Some(static_bound) = self.best_play(game, state, Some(moves)) else { return Ok(()) };
        self.narrowed += 1;
        if static_bound == right {
            Ok(())
        } else {
            Err(RulesFault::StaticBoundLoses { right, static_bound })
        }
    }

    /// Compares the payoff of a static bound with `right`, the payoff under best play.
    fn hold(&mut self, static_bound: StaticBound, right: i32) -> Result<(), RulesFault> {
        let (payoff, holds) = match static_bound {
            StaticBound::Payoff(payoff) => (payoff, payoff == right),
            StaticBound::AtLeast(payoff) => (payoff, payoff <= right),
            StaticBound::AtMost(payoff) => (payoff, payoff >= right),
            StaticBound::Nothing | StaticBound::Moves => return Ok(()),
        };
        self.static_bounds += 1;
        if holds { Ok(()) } else { Err(RulesFault::StaticBound { payoff, right }) }
    }

    /// Checks the form of a position's static bound and stores the bound for the comparison. The
    /// game must be a two-player zero-sum game without chance and must not be over; `moves` are the
    /// legal moves.
    pub(super) fn look(
        &mut self,
        game: &G,
        state: &G::State,
        (at, number): (u32, u64),
        moves: &[G::Move],
    ) -> Result<(), RulesFault> {
        let (least, most) = game.payoff_range(0).into_inner();
        let middle = ((i64::from(least) + i64::from(most)) / 2) as i32;
        let knowledge = game.knowledge();
        let ask = |method| {
            let answer = |moves: &mut Vec<_>| match method {
                "static_bound" => knowledge.static_bound(state, moves),
                "static_bound_for_prover" => knowledge.static_bound_for_prover(state, moves),
                _ => knowledge.static_bound_at(state, middle, moves),
            };
            ask_twice(answer, method)
        };
        let mut answers = Vec::new();
        for method in ["static_bound", "static_bound_for_prover", "static_bound_at"] {
            let answer = ask(method)?;
            if answers.contains(&answer) {
                continue;
            }
            let (static_bound, pushed) = &answer;
            if *static_bound == StaticBound::Moves {
                check_pushed(game, state, moves, pushed, method)?;
            }
            let narrows = *static_bound == StaticBound::Moves && pushed.len() < moves.len();
            let payoff = match *static_bound {
                StaticBound::Payoff(payoff)
                | StaticBound::AtLeast(payoff)
                | StaticBound::AtMost(payoff) => Some(payoff),
                StaticBound::Nothing | StaticBound::Moves => None,
            };
            if let Some(payoff) = payoff.filter(|payoff| !(least..=most).contains(payoff)) {
                return Err(RulesFault::StaticBoundOutside { payoff, least, most });
            }
            if (payoff.is_some() || narrows) && self.due.len() < MOST {
                let (state, narrowed) = (state.clone(), narrows.then(|| pushed.clone()));
                let (moves, static_bound) = (moves.len(), *static_bound);
                self.due.push(Due { state, at, number, moves, static_bound, narrowed });
            }
            answers.push(answer);
        }
        Ok(())
    }
}

/// Checks that pushed moves are legal, in order and without repetition.
fn check_pushed<G: Game>(
    game: &G,
    state: &G::State,
    moves: &[G::Move],
    pushed: &[G::Move],
    method: &'static str,
) -> Result<(), RulesFault> {
    if pushed.is_empty() {
        return Err(GameError::StaticBoundNoMove { method }.into());
    }
    if let Some(alien) = pushed.iter().find(|mv| !moves.contains(mv)) {
        return Err(RulesFault::StaticBoundMove { mv: format!("{alien:?}") });
    }
    let mut rest = moves.iter();
    if !pushed.iter().all(|mv| rest.any(|legal| legal == mv)) {
        return Err(RulesFault::StaticBoundOrder);
    }
    match game.key(state) {
        None => Err(RulesFault::StaticBoundWithoutKey),
        Some(_) => Ok(()),
    }
}

/// Requests the static bound of a position twice. Returns it, with the pushed moves if it is
/// `Moves`, or an error if the two results differ.
fn ask_twice<M: PartialEq>(
    method: impl Fn(&mut Vec<M>) -> StaticBound,
    what: &'static str,
) -> Result<(StaticBound, Vec<M>), RulesFault> {
    let ask = || {
        let mut pushed = Vec::new();
        let static_bound = method(&mut pushed);
        // Pushed moves are ignored with any other result.
        (static_bound, if static_bound == StaticBound::Moves { pushed } else { Vec::new() })
    };
    let seen = ask();
    if ask() == seen { Ok(seen) } else { Err(RulesFault::Changes { what }) }
}
