//! The shortest win: the least number of moves to force it against the best defence.
//!
//! The question "can the player win within n moves?" is asked for n = 1, 2, 3 and so on, until the
//! answer is yes. It is about a modified game, which ends after n moves and is lost for the player
//! if the original game has not been won by then. The modified game has no repetitions, since its
//! positions contain the number of moves left. If positions have keys, all questions share one
//! table.
//!
//! Both sides play their best in the reported line: the winner always plays a move that wins in
//! time, and the other side plays a move that delays the loss until the last move.

use super::Effort;
use super::search::ProofSearch;
use super::table::Table;
use crate::bounds::Value;
use crate::error::{BudgetError, ConfigError, SearchError};
use crate::game::{DomainKnowledge, Game, Outcome, StaticBound, Turn};
use crate::math::mix_all_bits;
use crate::rules::Declared;
use crate::settings::{Budget, ProofGoal, ProverConfig, StopReason};
use crate::sync::Instant;
use crate::threads::catch_panic;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// The shortest forced win of a player; see [`shortest_win`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ShortestWin<M> {
    /// The player who wins.
    pub winner: usize,
    /// The number of moves of both sides together; `None` if a limit ended the search first.
    pub moves: Option<u32>,
    /// A proven lower bound: the win takes more than this number of moves.
    pub more_than: u32,
    /// The best play of both sides: the winner wins as early as possible, the other side delays the
    /// loss as long as possible.
    pub line: Vec<M>,
    /// The work for all questions together.
    pub effort: Effort,
    /// The reason why the search ended without an answer.
    pub stop_reason: Option<StopReason>,
}

/// Proves the shortest forced win of `winner` from `position`, in a two-player zero-sum game
/// without chance. Either side may be to move: the shortest win of a player is also the longest
/// defence of the opponent.
///
/// If `winner` cannot force a win at all, only the budget ends the search; so call
/// [`prove`](crate::prove()) first. The goal and the player of `config` are ignored.
///
/// # Errors
/// Fails if the game is of another kind, `winner` is not a player, or the budget limits playouts.
/// See [`prove`](crate::prove()) for further errors.
pub fn shortest_win<G: Game>(
    game: G,
    position: G::State,
    winner: usize,
    config: &ProverConfig,
    budget: &Budget,
) -> Result<ShortestWin<G::Move>, SearchError> {
    config.check()?;
    budget.check()?;
    if budget.playouts.is_some() {
        return Err(BudgetError::Playouts.into());
    }
    let declared = catch_panic(|| Declared::by(&game))??;
    if !declared.serves_both() {
        return Err(ConfigError::ShortestNeedsTwo.into());
    }
    if winner > 1 {
        let (given, expected) = (winner.to_string(), "0 or 1".into());
        return Err(ConfigError::Value { option: "winner", given, expected }.into());
    }
    let config = config.clone().goal(ProofGoal::Win).player(winner);
    let game = Arc::new(Within { game, winner });
    let table = Arc::new(Table::new(config.table)?);
    let found = ShortestWin {
        winner,
        moves: None,
        more_than: 0,
        line: Vec::new(),
        effort: Effort::default(),
        stop_reason: None,
    };
    let mut asking = Asking { game, config, budget, table, started: Instant::now(), found };
    asking.find(&position)?;
    Ok(asking.found)
}

struct Within<G> {
    game: G,
    winner: usize,
}

#[derive(Clone)]
struct Limited<S> {
    state: S,
    left: u32,
}

impl<G: Game> Within<G> {
    fn is_won(&self, state: &G::State) -> bool {
        let Within { game, winner } = self;
        game.turn(state) == Turn::Over
            && game.outcome(*winner, game.payoff(state, *winner)) == Outcome::Win
    }

    fn with_left(hash: Option<u64>, left: u32) -> Option<u64> {
        hash.map(|hash| mix_all_bits(hash ^ mix_all_bits(u64::from(left) + 1)))
    }
}

impl<G: Game> Game for Within<G> {
    type State = Limited<G::State>;
    type Move = G::Move;

    /// Unused, because no search starts from this position.
    fn initial_state(&self) -> Limited<G::State> {
        Limited { state: self.game.initial_state(), left: 0 }
    }

    fn turn(&self, Limited { state, left }: &Limited<G::State>) -> Turn {
        if *left == 0 { Turn::Over } else { self.game.turn(state) }
    }

    fn legal_moves(&self, Limited { state, .. }: &Limited<G::State>, moves: &mut Vec<G::Move>) {
        self.game.legal_moves(state, moves);
    }

    fn play(&self, Limited { state, left }: &mut Limited<G::State>, mv: G::Move) {
        self.game.play(state, mv);
        *left -= 1;
    }

    fn payoff(&self, Limited { state, .. }: &Limited<G::State>, player: usize) -> i32 {
        if self.is_won(state) == (player == self.winner) { 1 } else { -1 }
    }

    fn zero_sum(&self) -> bool {
        true
    }

    fn payoff_range(&self, _: usize) -> RangeInclusive<i32> {
        -1..=1
    }

    fn mobility(
        &self,
        Limited { state, .. }: &Limited<G::State>,
        moves: &mut Vec<G::Move>,
    ) -> usize {
        self.game.mobility(state, moves)
    }

    fn key(&self, Limited { state, left }: &Limited<G::State>) -> Option<u64> {
        Self::with_left(self.game.key(state), *left)
    }

    fn knowledge(&self) -> impl DomainKnowledge<Self> {
        self
    }

    fn move_text(&self, Limited { state, .. }: &Limited<G::State>, mv: G::Move) -> String {
        self.game.move_text(state, mv)
    }

    fn state_text(&self, Limited { state, .. }: &Limited<G::State>) -> String {
        self.game.state_text(state)
    }
}

impl<G: Game> DomainKnowledge<Within<G>> for Within<G> {
    /// Passes on only payoffs with which the winner does not win, because a win may come too late.
    fn static_bound(
        &self,
        Limited { state, .. }: &Limited<G::State>,
        moves: &mut Vec<G::Move>,
    ) -> StaticBound {
        let loses = |payoff: i32| {
            let own = if self.winner == 0 { payoff } else { payoff.saturating_neg() };
            self.game.outcome(self.winner, own) != Outcome::Win
        };
        let static_bound = self.game.knowledge().static_bound(state, moves);
        moves.clear();
        match static_bound {
            StaticBound::Payoff(payoff) if loses(payoff) => {
                StaticBound::Payoff(if self.winner == 0 { -1 } else { 1 })
            }
            _ => StaticBound::Nothing,
        }
    }

    fn move_order(&self, Limited { state, .. }: &Limited<G::State>, mv: G::Move) -> u32 {
        self.game.knowledge().move_order(state, mv)
    }

    fn symmetries(
        &self,
        Limited { state, left }: &Limited<G::State>,
        images: &mut Vec<Limited<G::State>>,
    ) {
        let mut states = Vec::new();
        self.game.knowledge().symmetries(state, &mut states);
        images.extend(states.into_iter().map(|state| Limited { state, left: *left }));
    }

    fn canonical_key(&self, Limited { state, left }: &Limited<G::State>) -> Option<u64> {
        Self::with_left(self.game.knowledge().canonical_key(state), *left)
    }
}

struct Asking<'b, G: Game> {
    game: Arc<Within<G>>,
    config: ProverConfig,
    budget: &'b Budget,
    table: Arc<Table>,
    started: Instant,
    found: ShortestWin<G::Move>,
}

type Told<M> = Option<(bool, Option<M>)>;

impl<G: Game> Asking<'_, G> {
    fn find(&mut self, root: &G::State) -> Result<(), SearchError> {
        if catch_panic(|| self.game.game.turn(root))? == Turn::Over {
            self.found.stop_reason = Some(StopReason::GameOver);
            self.found.moves = catch_panic(|| self.game.is_won(root))?.then_some(0);
            return Ok(());
        }
        for left in 1.. {
            match self.ask(root, left)? {
                None => return Ok(()),
                Some((false, _)) => self.found.more_than = left,
                Some((true, _)) => {
                    self.found.moves = Some(left);
                    return self.follow(root, left);
                }
            }
        }
        Ok(())
    }

    /// Returns whether the winner wins from `state` within `left` moves; `None` if a limit ended
    /// the search first.
    fn ask(&mut self, state: &G::State, left: u32) -> Result<Told<G::Move>, SearchError> {
        let position = Limited { state: state.clone(), left };
        if left == 0 || catch_panic(|| self.game.turn(&position))? == Turn::Over {
            return Ok(Some((catch_panic(|| self.game.is_won(state))?, None)));
        }
        let mut budget = self.budget.clone();
        if let Some(time) = budget.time {
            let rest = time.saturating_sub(self.started.elapsed());
            if rest.is_zero() {
                self.found.stop_reason = Some(StopReason::Time);
                return Ok(None);
            }
            budget.time = Some(rest);
        }
        if let Some(nodes) = budget.nodes {
            let rest = nodes.saturating_sub(self.found.effort.nodes);
            if rest == 0 {
                self.found.stop_reason = Some(StopReason::Nodes);
                return Ok(None);
            }
            budget.nodes = Some(rest);
        }
        let game = Arc::clone(&self.game);
        let has_hash = catch_panic(|| game.key(&position))?.is_some();
        let mut search = ProofSearch::new(game, position, self.config.clone())?;
        // If the position has no key, the keys below it depend only on the moves from there, so in
        // the table of another question they would match other positions.
        if has_hash {
            search.keep_table(Arc::clone(&self.table));
        }
        let report = search.search(&budget)?;
        let effort = &mut self.found.effort;
        effort.expansions += report.effort.expansions;
        effort.nodes += report.effort.nodes;
        effort.bytes = effort.bytes.max(report.effort.bytes);
        if !report.solved {
            self.found.stop_reason = report.stop_reason;
            return Ok(None);
        }
        Ok(Some((report.proven == Value::Win, report.best_move)))
    }

    /// Extends the line by the best play from `root`, a position won in exactly `moves` moves.
    fn follow(&mut self, root: &G::State, moves: u32) -> Result<(), SearchError> {
        let (mut state, mut left) = (root.clone(), moves);
        while left > 0 {
            let game = Arc::clone(&self.game);
            let turn = catch_panic(|| game.game.turn(&state))?;
            let best = match turn == Turn::Player(game.winner) {
                true => self.ask(&state, left)?.and_then(|(_, best)| best),
                false => self.hold_out(&state, left)?,
            };
            // There is a best move unless a limit ended the search.
            let Some(best) = best else { return Ok(()) };
            self.found.line.push(best);
            catch_panic(|| game.game.play(&mut state, best))?;
            left -= 1;
        }
        Ok(())
    }

    /// Returns a move after which the winner needs all the remaining moves.
    fn hold_out(&mut self, state: &G::State, left: u32) -> Result<Option<G::Move>, SearchError> {
        let game = Arc::clone(&self.game);
        let mut moves = Vec::new();
        catch_panic(|| game.game.legal_moves(state, &mut moves))?;
        for &mv in &moves {
            let next = catch_panic(|| game.game.after(state, mv))?;
            let sooner = match left.checked_sub(2) {
                Some(fewer) => self.ask(&next, fewer)?,
                None => Some((false, None)),
            };
            match sooner {
                Some((false, _)) => return Ok(Some(mv)),
                Some((true, _)) => {}
                None => return Ok(None),
            }
        }
        Ok(None)
    }
}
