//! A random game with domain knowledge: true static bounds, symmetric positions, and its own
//! playouts.

use proofwood::{DomainKnowledge, Game, Outcome, Recommended, Rng, StaticBound, Turn};
use proofwood_testkit::dice::{Dice, branch};
use proofwood_testkit::random_game::{Path, RandomGame, Shape};
use std::collections::HashMap;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::RangeInclusive;
use std::sync::Arc;

/// A random game with domain knowledge.
#[derive(Clone, Debug)]
pub(crate) struct Knowing {
    pub(crate) game: RandomGame,
    truths: Truths,
    /// The percentage of positions for which `static_bound` returns a bound. `closely` is the
    /// percentage for the more thorough methods that provers call.
    foresight: u64,
    closely: u64,
    /// Whether each position has two sides, which are symmetric.
    has_sides: bool,
    /// Whether the game plays whole rollouts; `prefers` is whether it prefers some moves in them,
    /// and `values` whether it evaluates the positions at which they are cut off.
    at_once: bool,
    prefers: bool,
    values: bool,
    recommended: Recommended,
}

/// Player 0's value at each position of a zero-sum game without chance.
#[derive(Clone)]
struct Truths(Arc<HashMap<Path, i32>>);

impl fmt::Debug for Truths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} positions", self.0.len())
    }
}

/// A position of the random game, and which of its two sides it shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Sided {
    pub(crate) path: Path,
    side: bool,
}

/// The properties that are drawn independently for a position.
enum Trait {
    StaticBound,
    Close,
    Asked,
    Priority,
    Value,
    Side,
    Preferred,
}

impl Knowing {
    /// Draws a game from a seed. A `deep` game has a large tree of few positions.
    pub(crate) fn draw(seed: u64, deep: bool, dice: &mut Dice) -> Knowing {
        let mut game = match dice.below(10) {
            0..=4 => {
                let more = (0..).map(|n| RandomGame::with_players(seed + n * 7_777_777, 2));
                more.into_iter().find(Game::zero_sum).expect("one of many has zero sum")
            }
            5..=7 => RandomGame::new(seed),
            _ => RandomGame::with_chance(seed),
        };
        if deep {
            game.shape = Shape::Bushy(dice.pick(&[2, 3, 6, 12]));
            game.depth = dice.pick(&[12, 20, 40]);
            game.early = dice.pick(&[0, 0, 3, 10]);
            if game.has_chance() {
                // The oracle's fractions grow with the depth.
                (game.depth, game.weights) = (8, &[1, 1, 2, 4]);
            }
        }
        if deep || dice.chance(40) {
            game.merging = Some(dice.pick(&[3, 10, 30, 100]));
        }
        if dice.chance(50) {
            game.hashed = 100;
        }
        let is_solved = game.zero_sum() && !game.has_chance();
        let mut truths = HashMap::new();
        if is_solved {
            solve(&game, &game.initial_state(), &mut truths);
        }
        let mut percent = |most| if is_solved { dice.pick(&[0, 5, most]) } else { 0 };
        let (foresight, closely) = (percent(30), percent(60));
        Knowing {
            truths: Truths(Arc::new(truths)),
            foresight,
            closely,
            has_sides: dice.chance(30),
            at_once: dice.chance(60),
            prefers: dice.chance(60),
            values: dice.chance(50),
            recommended: Recommended::default()
                .c(dice.chance(30).then(|| dice.pick(&[0.0, 0.3, 2.0])))
                .c_pn(dice.chance(30).then(|| dice.pick(&[0.0, 0.1, 1.0])))
                .expand_after(dice.chance(30).then(|| dice.pick(&[1, 2, 3, 10])))
                .playout_cap(dice.chance(30).then(|| dice.pick(&[0, 1, 3, 1000])))
                .prover_share(dice.chance(30).then(|| dice.pick(&[0.0, 0.3, 0.9]))),
            game,
        }
    }

    /// A random number that is equal for both sides of a position.
    fn of(&self, state: &Sided, what: Trait) -> u64 {
        let mut hasher = DefaultHasher::new();
        state.path.hash(&mut hasher);
        branch(hasher.finish(), what as u64)
    }

    /// A true static bound for `percent` of the positions; nothing for the others.
    fn hint(&self, state: &Sided, percent: u64, what: Trait, moves: &mut Vec<u8>) -> StaticBound {
        let draw = self.of(state, what);
        let truth = self.truths.0.get(&state.path).filter(|_| draw % 100 < percent);
        let Some(&truth) = truth else { return StaticBound::Nothing };
        let (range, by) = (self.payoff_range(0), (draw >> 8 & 3) as i32);
        match draw >> 20 & 3 {
            0 => StaticBound::Payoff(truth),
            1 => StaticBound::AtLeast(truth.saturating_sub(by).max(*range.start())),
            2 => StaticBound::AtMost(truth.saturating_add(by).min(*range.end())),
            _ if self.game.hashed == 100 => {
                let mut legal = Vec::new();
                self.legal_moves(state, &mut legal);
                let is_best = |&mv: &u8| self.truths.0[&self.game.after(&state.path, mv)] == truth;
                let best = legal.iter().copied().find(is_best).expect("a best move");
                let any = |mv: u8| branch(draw, mv.into()).is_multiple_of(4);
                moves.extend(legal.into_iter().filter(|&mv| mv == best || any(mv)));
                StaticBound::Moves
            }
            _ => StaticBound::Nothing,
        }
    }

    /// Plays to the end of the game, but at most `cap` moves.
    fn play_on(&self, state: &mut Sided, cap: u32, rng: &mut Rng, prefers: bool) -> u32 {
        let (mut played, mut moves) = (0, Vec::new());
        while self.at_once && played < cap && matches!(self.turn(state), Turn::Player(_)) {
            let preferred = prefers.then(|| self.rollout_move(state, &mut moves, rng)).flatten();
            moves.clear();
            let mv = preferred.or_else(|| self.random_move(state, &mut moves, rng));
            self.play(state, mv.expect("the game goes on"));
            played += 1;
        }
        played
    }
}

/// Solves a game by minimax and stores the value of each position.
fn solve(game: &RandomGame, state: &Path, truths: &mut HashMap<Path, i32>) -> i32 {
    if let Some(&known) = truths.get(state) {
        return known;
    }
    let mut moves = Vec::new();
    let value = match game.turn(state) {
        Turn::Player(mover) => {
            game.legal_moves(state, &mut moves);
            let sign = if mover == 0 { 1 } else { -1 };
            let values = moves.iter().map(|&mv| solve(game, &game.after(state, mv), truths));
            values.max_by_key(|&value| sign * value).expect("the game goes on")
        }
        _ => game.payoff(state, 0),
    };
    truths.insert(*state, value);
    value
}

impl Game for Knowing {
    type State = Sided;
    type Move = u8;

    fn initial_state(&self) -> Sided {
        Sided { path: self.game.initial_state(), side: false }
    }
    fn turn(&self, state: &Sided) -> Turn {
        self.game.turn(&state.path)
    }
    fn legal_moves(&self, state: &Sided, moves: &mut Vec<u8>) {
        self.game.legal_moves(&state.path, moves);
    }
    fn play(&self, state: &mut Sided, mv: u8) {
        state.side ^= self.has_sides && branch(self.of(state, Trait::Side), mv.into()) & 1 == 0;
        self.game.play(&mut state.path, mv);
    }
    fn payoff(&self, state: &Sided, player: usize) -> i32 {
        self.game.payoff(&state.path, player)
    }
    fn num_players(&self) -> usize {
        self.game.num_players()
    }
    fn zero_sum(&self) -> bool {
        self.game.zero_sum()
    }
    fn payoff_range(&self, player: usize) -> RangeInclusive<i32> {
        self.game.payoff_range(player)
    }
    fn outcome(&self, player: usize, payoff: i32) -> Outcome {
        self.game.outcome(player, payoff)
    }
    fn has_chance(&self) -> bool {
        self.game.has_chance()
    }
    fn chance_weight(&self, state: &Sided, outcome: u8) -> u32 {
        self.game.chance_weight(&state.path, outcome)
    }
    fn key(&self, state: &Sided) -> Option<u64> {
        let key = self.game.key(&state.path)?;
        Some(if state.side { !key } else { key })
    }
    fn knowledge(&self) -> impl DomainKnowledge<Self> {
        self
    }
    fn state_text(&self, state: &Sided) -> String {
        format!("{state:?}")
    }
}

impl DomainKnowledge<Knowing> for Knowing {
    fn static_bound(&self, state: &Sided, moves: &mut Vec<u8>) -> StaticBound {
        self.hint(state, self.foresight, Trait::StaticBound, moves)
    }
    fn static_bound_for_prover(&self, state: &Sided, moves: &mut Vec<u8>) -> StaticBound {
        match self.static_bound(state, moves) {
            StaticBound::Nothing => self.hint(state, self.closely, Trait::Close, moves),
            known => known,
        }
    }
    fn static_bound_at(&self, state: &Sided, at_least: i32, moves: &mut Vec<u8>) -> StaticBound {
        let known = self.static_bound_for_prover(state, moves);
        let draw = self.of(state, Trait::Asked);
        match self.truths.0.get(&state.path) {
            Some(&truth) if known == StaticBound::Nothing && draw % 100 < self.closely => {
                let by = 1 + (draw >> 30 & 1) as i32;
                match truth >= at_least {
                    true => StaticBound::AtLeast(at_least.max(*self.payoff_range(0).start())),
                    false => StaticBound::AtMost(truth.max(at_least.saturating_sub(by))),
                }
            }
            _ => known,
        }
    }
    fn move_order(&self, state: &Sided, mv: u8) -> u32 {
        (branch(self.of(state, Trait::Priority), mv.into()) % 5) as u32
    }
    fn rollout(&self, state: &mut Sided, cap: u32, rng: &mut Rng) -> u32 {
        self.play_on(state, cap, rng, true)
    }
    fn rollout_randomly(&self, state: &mut Sided, cap: u32, rng: &mut Rng) -> u32 {
        self.play_on(state, cap, rng, false)
    }
    fn rollout_move(&self, state: &Sided, moves: &mut Vec<u8>, rng: &mut Rng) -> Option<u8> {
        if !self.prefers || self.of(state, Trait::Preferred).is_multiple_of(3) {
            return None;
        }
        moves.clear();
        self.game.legal_moves(&state.path, moves);
        let any = |rng: &mut Rng| rng.below(moves.len() as u32);
        Some(moves[any(rng).max(any(rng)) as usize])
    }
    fn evaluate(&self, state: &Sided) -> Option<f32> {
        let draw = self.of(state, Trait::Value);
        let value = (draw >> 20 & 1023) as f32 / 511.5 - 1.0;
        (self.values && !draw.is_multiple_of(5)).then_some(value)
    }
    fn recommended(&self) -> Recommended {
        self.recommended
    }
    fn symmetries(&self, state: &Sided, images: &mut Vec<Sided>) {
        if self.has_sides {
            images.push(Sided { side: !state.side, ..*state });
        }
    }
    fn canonical_key(&self, state: &Sided) -> Option<u64> {
        let key = self.game.key(&state.path)?;
        self.has_sides.then(|| key.min(!key))
    }
}
