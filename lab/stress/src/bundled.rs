//! Compares small boards of the bundled games with retrograde analysis.
//!
//! For each board, all positions are listed, or, if there are too many, those that follow a
//! position late in a random game. Retrograde analysis computes the payoffs that each player can
//! force in finitely many moves, using only the rules; positions are distinguished by their texts.
//! The results are compared with the game's static bounds for every threshold, its symmetries and
//! canonical keys, its keys, and the answers of provers with random settings.

use clap::Args;
use proofwood::{
    Algorithm, Budget, DomainKnowledge, Game, Outcome, ProofGoal, ProofReport, ProverConfig,
    StaticBound, Turn, prove,
};
use proofwood_games::{AnyGame, AnyMove, AnyState};
use proofwood_testkit::check::is_true;
use proofwood_testkit::dice::Dice;
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::process::ExitCode;
use std::sync::Arc;

/// Compare small boards of the bundled games with retrograde analysis
#[derive(Debug, Args)]
pub(crate) struct Bundled {
    /// Games to check, in the form that `proofwood --game` takes [default: small boards of all
    /// games]
    specs: Vec<String>,
    /// Maximum number of positions of a board; of larger boards, only late parts are checked
    #[arg(long, default_value_t = 20_000)]
    positions: usize,
    /// Number of random proofs on each board
    #[arg(long, default_value_t = 40)]
    proofs: usize,
    /// Number of late parts to check if a board is too large
    #[arg(long, default_value_t = 3)]
    parts: usize,
    /// Seed of the random choices
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

const SPECS: &[&str] = &[
    "tic-tac-toe",
    "mnk:3,4,3",
    "mnk:4,4,3",
    "mnk:3,3,3,players=3",
    "hex:2",
    "hex:3",
    "hex:3x4",
    "hex:4",
    "connect-four:3x3,k=3",
    "connect-four:4x3,k=3",
    "connect-four:4x4,k=3",
    "connect-four:7x6",
    "breakthrough:1x6",
    "breakthrough:2x4",
    "breakthrough:3x4",
    "breakthrough:3x5,rows=1",
    "breakthrough:2x5,pass",
    "breakthrough:4x5",
    "knightthrough:3x4",
    "knightthrough:3x5",
    "knightthrough:4x5",
    "othello:4",
    "othello:4,empties",
    "othello:6",
    "othello:8",
    "reversi:4",
    "dots-and-boxes:1x1",
    "dots-and-boxes:2x1",
    "dots-and-boxes:2x2",
    "dots-and-boxes:3x2",
    "domineering:2x2",
    "domineering:3x3",
    "domineering:4x4",
    "domineering:4x3,horizontal",
    "atari-go:2",
    "atari-go:3",
    "atari-go:4",
    "nogo:2",
    "nogo:3",
    "nogo:4",
    "clobber:3x3",
    "clobber:4x4",
    "ataxx:3",
    "ataxx:4",
    "ataxx:4,pieces",
    "awari:2,2",
    "awari:3,2",
    "oware:2",
    "p-game:2,6,seed=1",
    "pig:10",
    "ewn:3",
    "gardner",
    "los-alamos",
    "minishogi",
    "surakarta",
    "loa8",
    "chinese-checkers:1",
];

#[derive(Debug, Default)]
struct Counts {
    boards: u64,
    positions: u64,
    payoffs: u64,
    moves: u64,
    images: u64,
    proofs: u64,
    unsolved: u64,
}

impl std::fmt::Display for Counts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Counts { positions, payoffs, moves, images, proofs, unsolved, .. } = self;
        write!(
            f,
            "{positions} positions, {payoffs} payoffs and {moves} lists of moves foreseen, \
             {images} images, {proofs} proofs ({unsolved} unsolved)"
        )
    }
}

impl Bundled {
    /// Checks one board after another; an error on one does not stop the others.
    pub(crate) fn run(&self) -> ExitCode {
        let mut specs: Vec<&str> = self.specs.iter().map(String::as_str).collect();
        if specs.is_empty() {
            specs = SPECS.to_vec();
        }
        let (mut all, mut wrong) = (Counts::default(), 0);
        for spec in specs {
            let mut counts = Counts::default();
            match self.board(spec, &mut counts) {
                Ok(extent) => println!("{spec}, {extent}: {counts}"),
                Err(fault) => {
                    wrong += 1;
                    println!("WRONG: {spec} --seed {}: {fault}", self.seed);
                }
            }
            all.boards += 1;
            all.positions += counts.positions;
            all.payoffs += counts.payoffs;
            all.moves += counts.moves;
            all.images += counts.images;
            all.proofs += counts.proofs;
            all.unsolved += counts.unsolved;
        }
        println!("{} boards, {wrong} wrong: {all}", all.boards);
        if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }

    fn board(&self, spec: &str, counts: &mut Counts) -> Result<&'static str, String> {
        let game = Arc::new(AnyGame::from_spec(spec).map_err(|error| error.to_string())?);
        let mut dice = Dice::new(self.seed);
        let whole = World::around(&game, game.initial_state(), self.positions);
        let (worlds, extent) = match whole {
            Some(world) => (vec![world], "whole"),
            None => {
                let late = |_| World::late(&game, self.positions, &mut dice);
                ((0..self.parts).filter_map(late).collect(), "parts")
            }
        };
        for world in &worlds {
            world.check(counts)?;
            for _ in 0..self.proofs / worlds.len() {
                world.prove(&mut dice, counts)?;
            }
        }
        Ok(extent)
    }
}

/// A position and all that follow it.
struct World {
    game: Arc<AnyGame>,
    places: Vec<Place>,
    numbers: HashMap<String, usize>,
}

struct Place {
    state: AnyState,
    turn: Turn,
    /// The payoff of each player if the game is over; otherwise empty.
    payoffs: Vec<i32>,
    moves: Vec<AnyMove>,
    next: Vec<usize>,
    before: Vec<usize>,
}

/// For each place, the moves to which one side is restricted; `None` if it may play all.
type Pushed = Vec<Option<Vec<usize>>>;

impl World {
    /// Lists `from` and the positions that follow it; returns `None` if there are more than `most`.
    fn around(game: &Arc<AnyGame>, from: AnyState, most: usize) -> Option<World> {
        let (places, numbers) = (Vec::new(), HashMap::new());
        let mut world = World { game: Arc::clone(game), places, numbers };
        world.number(from);
        let mut at = 0;
        while at < world.places.len() {
            if world.places.len() > most {
                return None;
            }
            if world.places[at].turn != Turn::Over {
                let mut moves = Vec::new();
                game.legal_moves(&world.places[at].state, &mut moves);
                for &mv in &moves {
                    let next = game.after(&world.places[at].state, mv);
                    let next = world.number(next);
                    world.places[at].next.push(next);
                    world.places[next].before.push(at);
                }
                world.places[at].moves = moves;
            }
            at += 1;
        }
        Some(world)
    }

    /// Plays a random game and goes back from its end, as long as at most `most` positions follow.
    /// Lists the positions that follow the earliest position reached.
    fn late(game: &Arc<AnyGame>, most: usize, dice: &mut Dice) -> Option<World> {
        const LONGEST: usize = 1000;
        let mut line = vec![game.initial_state()];
        while let Some(state) = line.last().filter(|_| line.len() < LONGEST) {
            if game.turn(state) == Turn::Over {
                break;
            }
            let mut moves = Vec::new();
            game.legal_moves(state, &mut moves);
            line.push(game.after(state, dice.pick(&moves)));
        }
        let fits = |state| World::around(game, state, most);
        line.into_iter().rev().map_while(fits).last()
    }

    fn number(&mut self, state: AnyState) -> usize {
        let (number, game) = (self.places.len(), &self.game);
        let known = *self.numbers.entry(game.state_text(&state)).or_insert(number);
        if known == number {
            let turn = game.turn(&state);
            let players = 0..game.num_players();
            let payoffs = match turn {
                Turn::Over => players.map(|player| game.payoff(&state, player)).collect(),
                _ => Vec::new(),
            };
            let (moves, next, before) = (Vec::new(), Vec::new(), Vec::new());
            self.places.push(Place { state, turn, payoffs, moves, next, before });
        }
        known
    }

    fn text(&self, place: usize) -> String {
        self.game.state_text(&self.places[place].state)
    }

    /// Marks the places from which `player` forces an end with a payoff of at least `at_least`. If
    /// `kept` is given, that player is restricted to its pushed moves. Chance is an opponent.
    fn forced(&self, player: usize, at_least: i32, kept: Option<(usize, &Pushed)>) -> Vec<bool> {
        let pays = |place: &Place| place.payoffs.get(player).is_some_and(|&paid| paid >= at_least);
        let mut forced: Vec<bool> = self.places.iter().map(pays).collect();
        let mut new: VecDeque<usize> = (0..forced.len()).filter(|&place| forced[place]).collect();
        while let Some(place) = new.pop_front() {
            for &before in &self.places[place].before {
                let Place { turn, next, .. } = &self.places[before];
                let pushed = kept.filter(|&(kept, _)| *turn == Turn::Player(kept));
                let pushed = pushed.and_then(|(_, pushed)| pushed[before].as_ref());
                let mut leads = next.iter().enumerate().filter_map(|(number, &next)| {
                    let counts = pushed.is_none_or(|pushed| pushed.contains(&number));
                    counts.then_some(forced[next])
                });
                let is_forced = match *turn == Turn::Player(player) {
                    true => leads.any(|leads| leads),
                    false => leads.all(|leads| leads),
                };
                if is_forced && !forced[before] {
                    forced[before] = true;
                    new.push_back(before);
                }
            }
        }
        forced
    }

    /// The payoffs that a player gets at the ends of the game.
    fn payoffs(&self, player: usize) -> BTreeSet<i32> {
        self.places.iter().filter_map(|place| place.payoffs.get(player).copied()).collect()
    }

    /// The greatest payoff that a player forces at each place; `None` if it cannot force an end.
    fn values(&self, player: usize) -> Vec<Option<i32>> {
        let mut values = vec![None; self.places.len()];
        for at_least in self.payoffs(player) {
            let forced = self.forced(player, at_least, None);
            let forces = values.iter_mut().zip(forced).filter(|(_, forced)| *forced);
            forces.for_each(|(value, _)| *value = Some(at_least));
        }
        values
    }

    fn check(&self, counts: &mut Counts) -> Result<(), String> {
        counts.positions += self.places.len() as u64;
        let game = &*self.game;
        let values: Vec<_> = (0..game.num_players()).map(|player| self.values(player)).collect();
        self.check_images(&values, counts)?;
        if game.num_players() == 2 && game.zero_sum() && !game.has_chance() {
            self.check_foresight(counts)?;
        }
        Ok(())
    }

    /// Checks that positions with the same key, and symmetric positions, have the same values.
    fn check_images(&self, values: &[Vec<Option<i32>>], counts: &mut Counts) -> Result<(), String> {
        let (game, knowledge) = (&*self.game, self.game.knowledge());
        let worth =
            |place: usize| -> Vec<_> { values.iter().map(|values| values[place]).collect() };
        let alike = |one: usize, other: usize| {
            self.places[one].turn == self.places[other].turn && worth(one) == worth(other)
        };
        let (mut keys, mut leasts) = (HashMap::new(), HashMap::new());
        let mut images = Vec::new();
        for (place, Place { state, turn, .. }) in self.places.iter().enumerate() {
            images.clear();
            knowledge.symmetries(state, &mut images);
            let key = game.key(state);
            let least = |state: &AnyState, images: &[AnyState]| {
                let all = images.iter().map(|image| game.key(image));
                knowledge.canonical_key(state).or_else(|| all.fold(game.key(state), std::cmp::min))
            };
            let own = least(state, &images);
            for (known, key) in [(&mut keys, key), (&mut leasts, own)] {
                let Some(key) = key else { continue };
                let other = *known.entry(key).or_insert(place);
                if !alike(place, other) {
                    let (one, other) = (self.text(place), self.text(other));
                    return Err(format!("one key, two values: '{one}' and '{other}'"));
                }
            }
            counts.images += images.len() as u64;
            for image in &images {
                let mut theirs = Vec::new();
                knowledge.symmetries(image, &mut theirs);
                let there = self.numbers.get(&game.state_text(image));
                let is_image = game.turn(image) == *turn
                    && least(image, &theirs) == own
                    && there.is_none_or(|&there| alike(place, there));
                if !is_image {
                    let (text, image) = (self.text(place), game.state_text(image));
                    return Err(format!("'{image}' should be an image of '{text}'"));
                }
            }
        }
        Ok(())
    }

    /// Checks that static bounds can be forced, and that restricting a side to its pushed moves
    /// loses no value.
    fn check_foresight(&self, counts: &mut Counts) -> Result<(), String> {
        let knowledge = self.game.knowledge();
        let ends = self.payoffs(0);
        let above = ends.last().and_then(|most| most.checked_add(1));
        for at_least in ends.iter().copied().chain(above) {
            let below = 1 - at_least;
            let right = [self.forced(0, at_least, None), self.forced(1, below, None)];
            for method in ["static_bound", "static_bound_for_prover", "static_bound_at"] {
                let mut pushed: Pushed = vec![None; self.places.len()];
                for (place, Place { state, turn, moves, .. }) in self.places.iter().enumerate() {
                    if *turn == Turn::Over {
                        continue;
                    }
                    let mut buffer = Vec::new();
                    let static_bound = match method {
                        "static_bound" => knowledge.static_bound(state, &mut buffer),
                        "static_bound_for_prover" => {
                            knowledge.static_bound_for_prover(state, &mut buffer)
                        }
                        _ => knowledge.static_bound_at(state, at_least, &mut buffer),
                    };
                    let (first, second) = match static_bound {
                        StaticBound::Payoff(payoff) => (payoff >= at_least, payoff < at_least),
                        StaticBound::AtLeast(payoff) => (payoff >= at_least, false),
                        StaticBound::AtMost(payoff) => (false, payoff < at_least),
                        _ => (false, false),
                    };
                    if first && !right[0][place] || second && !right[1][place] {
                        let text = self.text(place);
                        return Err(format!("{method}: {static_bound:?} at '{text}' ({at_least})"));
                    }
                    counts.payoffs += u64::from(first || second);
                    if static_bound == StaticBound::Moves {
                        let number = |mv: &AnyMove| moves.iter().position(|other| other == mv);
                        let numbers: Option<Vec<usize>> = buffer.iter().map(number).collect();
                        let Some(numbers) = numbers.filter(|numbers| !numbers.is_empty()) else {
                            let text = self.text(place);
                            return Err(format!("{method} pushes no move, or others, at '{text}'"));
                        };
                        pushed[place] = Some(numbers);
                        counts.moves += 1;
                    }
                }
                for (player, own) in [(0, at_least), (1, below)] {
                    for keeps in 0..2 {
                        let forced = self.forced(player, own, Some((keeps, &pushed)));
                        let differs = |&place: &usize| forced[place] != right[player][place];
                        if let Some(place) = (0..forced.len()).find(differs) {
                            let text = self.text(place);
                            return Err(format!(
                                "moves pushed by {method} change what player {player} forces at \
                                 '{text}' ({own})"
                            ));
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Runs a random prover on a random position and checks its answer.
    fn prove(&self, dice: &mut Dice, counts: &mut Counts) -> Result<(), String> {
        let game = &*self.game;
        let open = |place: &usize| matches!(self.places[*place].turn, Turn::Player(_));
        let open: Vec<usize> = (0..self.places.len()).filter(open).collect();
        if open.is_empty() || game.has_chance() {
            return Ok(());
        }
        let (place, player) = (dice.pick(&open), dice.below(game.num_players()));
        let config = ProverConfig::default()
            .algorithm(dice.pick(Algorithm::ALL))
            .goal(dice.pick(ProofGoal::ALL))
            .player(player)
            .threads(dice.pick(&[1, 1, 2]))
            .table(dice.pick(&[64, 1 << 12, 1 << 20]))
            .memory(16 << 20)
            .foresight(dice.chance(70))
            .symmetries(dice.chance(70))
            .audit(dice.chance(20))
            .seed(dice.below(1 << 20) as u64);
        let what = || format!("'{}', player {player}, {config:?}", self.text(place));
        let budget = Budget::default().nodes(200_000);
        let state = self.places[place].state.clone();
        let report = prove(Arc::clone(&self.game), state, config.clone(), &budget);
        let report = report.map_err(|error| format!("{error}: {}", what()))?;
        counts.proofs += 1;
        counts.unsolved += u64::from(!report.solved);
        match self.holds(place, player, &report) {
            true => Ok(()),
            false => Err(format!("{} with {:?}: {}", report.proven, report.bounds, what())),
        }
    }

    /// Whether everything that a prover reports about a place is true.
    fn holds(&self, place: usize, player: usize, report: &ProofReport<Arc<AnyGame>>) -> bool {
        let game = &*self.game;
        let range = game.payoff_range(player);
        let forces = |player: usize, least: Outcome| {
            let is_so = |&payoff: &i32| game.outcome(player, payoff) >= least;
            let at_least = self.payoffs(player).into_iter().find(is_so);
            at_least.map_or_else(Vec::new, |at_least| self.forced(player, at_least, None))
        };
        let at = |forced: &[bool], place: usize| forced.get(place) == Some(&true);
        let wins = forces(player, Outcome::Win);
        let versus = game.num_players() == 2 && game.zero_sum();
        let others = if versus { forces(1 - player, Outcome::Win) } else { Vec::new() };
        let loses = match versus {
            true => at(&others, place),
            false => !at(&forces(player, Outcome::Draw), place),
        };
        let outcome = match (at(&wins, place), loses) {
            (true, _) => Outcome::Win,
            (_, true) => Outcome::Loss,
            _ => Outcome::Draw,
        };
        let value = self.values(player)[place];
        let lower = report.bounds.lower.filter(|lower| lower > range.start());
        let upper = report.bounds.upper.filter(|upper| upper < range.end());
        let best = report.best_move.and_then(|best| {
            let Place { moves, next, .. } = &self.places[place];
            moves.iter().position(|&mv| mv == best).map(|number| next[number])
        });
        let mover = self.places[place].turn;
        let keeps = best.is_none_or(|best| match outcome {
            Outcome::Win if report.proven == proofwood::Value::Win => {
                mover != Turn::Player(player) || at(&wins, best)
            }
            Outcome::Loss if versus && report.proven == proofwood::Value::Loss => {
                mover == Turn::Player(player) || at(&others, best)
            }
            _ => true,
        });
        is_true(report.proven, outcome)
            && lower.is_none_or(|lower| value.is_some_and(|value| value >= lower))
            && upper.is_none_or(|upper| value.is_none_or(|value| value <= upper))
            && keeps
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small(specs: &[&str]) -> Bundled {
        let specs = specs.iter().map(|spec| spec.to_string()).collect();
        Bundled { specs, positions: 2000, proofs: 10, parts: 1, seed: 1 }
    }

    #[test]
    fn small_boards_are_right() {
        let bundled = small(&["hex:2x3", "breakthrough:2x4", "dots-and-boxes:2x1", "ataxx:3"]);
        let mut counts = Counts::default();
        for spec in &bundled.specs {
            bundled.board(spec, &mut counts).expect("nothing is wrong");
        }
        let Counts { positions, payoffs, moves, images, proofs, .. } = counts;
        let compared = [positions, payoffs, moves, images];
        assert!(compared.into_iter().all(|count| count > 100) && proofs > 20, "{counts:?}");
    }

    /// If all pushed moves of a side lose, it forces less with them than with all moves.
    #[test]
    fn pushed_moves_that_lose_are_seen() {
        let game = Arc::new(AnyGame::from_spec("tic-tac-toe").expect("a game"));
        let state = game.parse_state("XX./OO./... X").expect("a position");
        let world = World::around(&game, state, 2000).expect("it fits");
        let mut pushed: Pushed = vec![None; world.places.len()];
        let forced = world.forced(0, 1, None);
        let loses = |number: &usize| !forced[world.places[0].next[*number]];
        pushed[0] = Some((0..5).filter(loses).collect());
        assert!(forced[0] && pushed[0].as_ref().is_some_and(|pushed| !pushed.is_empty()));
        assert!(!world.forced(0, 1, Some((0, &pushed)))[0]);
    }
}
