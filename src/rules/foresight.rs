//! What rules say they foresee, against play to the end.

use super::fault::RulesFault;
use super::futures::list;
use crate::game::{Foreseen, Game, Insight, Turn};

/// Best play to the end, where that takes no more than a few positions.
struct BestPlay<'g, G: Game> {
    game: &'g G,
    /// Positions that may still be looked at.
    left: u32,
}

/// The most positions to look at for one value,
const POSITIONS: u32 = 5_000;
/// and for all together.
const ALL_POSITIONS: u32 = 2_000_000;
/// The longest line to look at: the stack must hold it.
const DEPTH: u32 = 200;

impl<G: Game> BestPlay<'_, G> {
    /// What player 0 gets by best play from here; by these moves if they are given. None
    /// where that takes too long to find out. Alpha-beta, with no other knowledge than
    /// the range of payoffs.
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
/// That comes last: until all other promises were looked at, whatever play below a
/// position meets may be wrong, and not what was foreseen of it.
pub(super) struct Foresight<G: Game> {
    due: Vec<Due<G>>,
    left: u32,
    /// Foreseen payoffs that were compared.
    pub(super) foreseen: u64,
    /// Foreseen moves that were.
    pub(super) narrowed: u64,
}

/// A position of which something is foreseen.
struct Due<G: Game> {
    state: G::State,
    at: u32,
    /// How many moves it has.
    moves: usize,
    /// What is foreseen of player 0's payoff; nothing or moves say nothing of it.
    foreseen: Foreseen,
    narrowed: Option<Vec<G::Move>>,
}

/// The most positions to keep.
const MOST: usize = 20_000;

impl<G: Game> Default for Foresight<G> {
    fn default() -> Self {
        Foresight { due: Vec::new(), left: ALL_POSITIONS, foreseen: 0, narrowed: 0 }
    }
}

impl<G: Game> Foresight<G> {
    /// What player 0 gets by best play from a position, by these moves if they are given.
    fn best_play(&mut self, game: &G, state: &G::State, moves: Option<&[G::Move]>) -> Option<i32> {
        let most = POSITIONS.min(self.left);
        let mut play = BestPlay { game, left: most };
        let value = play.value(state, moves, game.payoff_range(0).into_inner(), DEPTH);
        self.left -= most - play.left;
        value
    }

    /// Compares all that was foreseen with play to the end, as far as that is near. With a
    /// fault comes the way to it.
    pub(super) fn compare(&mut self, game: &G) -> Result<(), (u32, RulesFault)> {
        // The fewer moves, the nearer the end in most games.
        let mut order: Vec<(usize, usize)> =
            self.due.iter().map(|due| due.moves).zip(0..).collect();
        order.sort_unstable();
        let due = std::mem::take(&mut self.due);
        for (_, number) in order {
            let Due { state, at, foreseen, narrowed, .. } = &due[number];
            let Some(right) = self.best_play(game, state, None) else { continue };
            self.hold(*foreseen, right).map_err(|fault| (*at, fault))?;
            // The questions that are the hardest to answer.
            for at_least in [right, right.saturating_add(1)] {
                let insight = game.insight();
                let ask = |moves: &mut Vec<_>| insight.foreseen_against(state, at_least, moves);
                let answer = ask_twice(ask, "foreseen_against").map_err(|fault| (*at, fault))?;
                self.hold(answer.0, right).map_err(|fault| (*at, fault))?;
                if answer.0 == Foreseen::Moves && narrowed.as_ref() != Some(&answer.1) {
                    let legal = list(game, state);
                    check_pushed(game, state, &legal, &answer.1).map_err(|fault| (*at, fault))?;
                    self.hold_moves(game, state, &answer.1, right).map_err(|fault| (*at, fault))?;
                }
            }
            if let Some(moves) = narrowed {
                self.hold_moves(game, state, moves, right).map_err(|fault| (*at, fault))?;
            }
        }
        Ok(())
    }

    /// Compares what the moves that were pushed lead to with what is right.
    fn hold_moves(
        &mut self,
        game: &G,
        state: &G::State,
        moves: &[G::Move],
        right: i32,
    ) -> Result<(), RulesFault> {
        let Some(foreseen) = self.best_play(game, state, Some(moves)) else { return Ok(()) };
        self.narrowed += 1;
        if foreseen == right { Ok(()) } else { Err(RulesFault::ForeseenLoses { right, foreseen }) }
    }

    /// Compares what is foreseen of a payoff with what is right.
    fn hold(&mut self, foreseen: Foreseen, right: i32) -> Result<(), RulesFault> {
        let (payoff, holds) = match foreseen {
            Foreseen::Payoff(payoff) => (payoff, payoff == right),
            Foreseen::AtLeast(payoff) => (payoff, payoff <= right),
            Foreseen::AtMost(payoff) => (payoff, payoff >= right),
            Foreseen::Nothing | Foreseen::Moves => return Ok(()),
        };
        self.foreseen += 1;
        if holds { Ok(()) } else { Err(RulesFault::Foreseen { payoff, right }) }
    }

    /// Looks at what is foreseen of a position of two players with zero sum and no chance in
    /// which the game is not over and that has these moves, and keeps it for later.
    pub(super) fn look(
        &mut self,
        game: &G,
        state: &G::State,
        at: u32,
        moves: &[G::Move],
    ) -> Result<(), RulesFault> {
        let insight = game.insight();
        let seen = ask_twice(|moves| insight.foreseen(state, moves), "foreseen")?;
        let closely =
            ask_twice(|moves| insight.foreseen_closely(state, moves), "foreseen_closely")?;
        let (least, most) = game.payoff_range(0).into_inner();
        let middle = ((i64::from(least) + i64::from(most)) / 2) as i32;
        let ask = |moves: &mut Vec<_>| insight.foreseen_against(state, middle, moves);
        let against = ask_twice(ask, "foreseen_against")?;
        let mut answers = vec![seen];
        for answer in [closely, against] {
            if !answers.contains(&answer) {
                answers.push(answer);
            }
        }
        answers.into_iter().try_for_each(|answer| self.look_at(game, state, at, moves, answer))
    }

    /// The same for one answer.
    fn look_at(
        &mut self,
        game: &G,
        state: &G::State,
        at: u32,
        moves: &[G::Move],
        (foreseen, pushed): (Foreseen, Vec<G::Move>),
    ) -> Result<(), RulesFault> {
        if foreseen == Foreseen::Moves {
            check_pushed(game, state, moves, &pushed)?;
        }
        let narrows = foreseen == Foreseen::Moves && pushed.len() < moves.len();
        let payoff = match foreseen {
            Foreseen::Payoff(payoff) | Foreseen::AtLeast(payoff) | Foreseen::AtMost(payoff) => {
                Some(payoff)
            }
            Foreseen::Nothing | Foreseen::Moves => None,
        };
        let (least, most) = game.payoff_range(0).into_inner();
        if let Some(payoff) = payoff.filter(|payoff| !(least..=most).contains(payoff)) {
            return Err(RulesFault::ForeseenOutside { payoff, least, most });
        }
        if (payoff.is_some() || narrows) && self.due.len() < MOST {
            let (state, narrowed) = (state.clone(), narrows.then_some(pushed));
            self.due.push(Due { state, at, moves: moves.len(), foreseen, narrowed });
        }
        Ok(())
    }
}

/// Holds moves that were pushed to those of the position.
fn check_pushed<G: Game>(
    game: &G,
    state: &G::State,
    moves: &[G::Move],
    pushed: &[G::Move],
) -> Result<(), RulesFault> {
    let alien = pushed.iter().find(|mv| !moves.contains(mv));
    if pushed.is_empty() || alien.is_some() {
        return Err(RulesFault::ForeseenMove { mv: alien.map(|mv| format!("{mv:?}")) });
    }
    let mut rest = moves.iter();
    if !pushed.iter().all(|mv| rest.any(|legal| legal == mv)) {
        return Err(RulesFault::ForeseenOrder);
    }
    match game.key(state) {
        None => Err(RulesFault::ForeseenWithoutKey),
        Some(_) => Ok(()),
    }
}

/// What is foreseen of a position, and the moves that were pushed, where it is moves.
fn ask_twice<M: PartialEq>(
    method: impl Fn(&mut Vec<M>) -> Foreseen,
    what: &'static str,
) -> Result<(Foreseen, Vec<M>), RulesFault> {
    let ask = || {
        let mut pushed = Vec::new();
        let foreseen = method(&mut pushed);
        // Otherwise nobody looks at them.
        (foreseen, if foreseen == Foreseen::Moves { pushed } else { Vec::new() })
    };
    let seen = ask();
    if ask() == seen { Ok(seen) } else { Err(RulesFault::Changes { what }) }
}
