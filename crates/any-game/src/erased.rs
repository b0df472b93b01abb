//! Typed games behind the traits that erase their types.
//!
//! The code in this file is compiled once for every game, so it only forwards calls to the game or
//! the search, and converts their results to strings or plain structs. Except for bare playouts,
//! generic code is instantiated for `Arc<G>` alone, so that it is not compiled a second time for
//! `G`.

use crate::answer::settings;
use crate::cold::ColdCalls;
use crate::{
    Answer, Branch, ByHand, Certifying, MoveAnswer, NumbersAnswer, Position, ProofAnswer,
    ProofNumbers, Proving, QuestionAnswer, Rules, Searching, ShortestAnswer, Stuck, View,
};
use proofwood::certificate::{
    Certificate, CertificateError, Checked, Listed, Refusal, Root, Written,
};
use proofwood::error::{ConfigError, Inconsistency};
use proofwood::evaluate::{DefaultRollout, LeafEvaluation, Rollout};
use proofwood::inspect::{Audit, NodeView, SavedError};
use proofwood::internals::bare_rollouts;
use proofwood::options::Leaves;
use proofwood::prover::{Question, RootNumbers, SharedEntries};
use proofwood::rules::{RulesError, RulesReport};
use proofwood::{
    Budget, CancelToken, Config, Game, Goal, Outcome, ProofReport, ProofSearch, ProverConfig,
    Recommended, Report, Rng, Search, SearchError, StopReason, TextError, Turn, line_text,
};
#[cfg(feature = "nets")]
use proofwood_games::Planes;
use proofwood_games::{AnyGame, AnyState, perft_until, spelled};
#[cfg(feature = "nets")]
use proofwood_nets::{ByNetwork, Network};
use std::any::Any;
use std::fs::File;
use std::hint::black_box;
use std::io::{BufRead, BufReader, Read, Write};
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::Arc;

type Opened = Result<Box<dyn Searching>, SearchError>;

/// A game whose type is to be erased, with its generic functions.
pub(crate) struct Erased<G: Game> {
    game: Arc<G>,
    search: fn(Arc<G>, G::State, &Config) -> Opened,
    /// Plays a number of playouts without a tree.
    bare_playouts: fn(&Arc<G>, &G::State, DefaultRollout, Rng, u64),
    cold: Arc<dyn ColdCalls>,
}

/// Returns the game and the state of a position if its game has type `G`.
pub(crate) fn downcast<G: Game>(position: &dyn Position) -> Option<(&Arc<G>, &G::State)> {
    let place = position.as_any().downcast_ref::<ErasedPosition<G>>()?;
    Some((&place.erased.game, &place.state))
}

/// A position whose type is to be erased.
struct ErasedPosition<G: Game> {
    erased: Erased<G>,
    state: G::State,
}

/// Derived code would require `G: Clone`.
impl<G: Game> Clone for Erased<G> {
    fn clone(&self) -> Erased<G> {
        let Erased { search, bare_playouts, .. } = *self;
        let (game, cold) = (Arc::clone(&self.game), Arc::clone(&self.cold));
        Erased { game, search, bare_playouts, cold }
    }
}

impl<G: Game> Erased<G> {
    /// Wraps a game, with rollouts of type `R`.
    pub(crate) fn new<R>(game: Arc<G>, cold: Arc<dyn ColdCalls>) -> Erased<G>
    where
        R: Rollout<Arc<G>> + From<DefaultRollout>,
    {
        Erased {
            game,
            search: |game, state, config| {
                let playout = R::from(DefaultRollout::of(config));
                Ok(Box::new(Search::with_rollouts(game, state, config.clone(), playout)?))
            },
            bare_playouts: |game, state, playout, mut rng, playouts| {
                black_box(bare_rollouts(game, state, &R::from(playout), &mut rng, playouts));
            },
            cold,
        }
    }

    fn place(&self, state: G::State) -> Box<dyn Position> {
        Box::new(ErasedPosition { erased: self.clone(), state })
    }
}

/// Returns the rest of a word that begins with a move number, such as `12.` or `12...c4`. A number
/// after the dots is rejected, since either could be the move.
fn after_number(word: &str) -> Option<&str> {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let mv = rest.trim_start_matches('.');
    let is_number = rest.len() < word.len() && mv.len() < rest.len();
    (is_number && !mv.starts_with(|c: char| c.is_ascii_digit())).then_some(mv)
}

impl<G: Game> Rules for Erased<G> {
    fn players(&self) -> usize {
        self.game.num_players()
    }

    fn player_names(&self) -> Vec<String> {
        player_names(&*self.game)
    }

    fn zero_sum(&self) -> bool {
        self.game.zero_sum()
    }

    fn recommended(&self) -> Recommended {
        proofwood::DomainKnowledge::recommended(&self.game.knowledge())
    }

    fn payoff_range(&self, player: usize) -> RangeInclusive<i32> {
        self.game.payoff_range(player)
    }

    fn threshold(&self, player: usize, outcome: Outcome) -> Option<i32> {
        Question::threshold(&*self.game, player, outcome)
    }

    fn start(&self) -> Box<dyn Position> {
        self.place(self.game.initial_state())
    }

    fn read(&self, text: &str) -> Result<Box<dyn Position>, TextError> {
        self.game.parse_state(text).map(|state| self.place(state))
    }

    fn split_moves<'t>(&self, text: &'t str) -> Vec<&'t str> {
        let words = self.game.split_moves(text).into_iter();
        let moves = words.flat_map(|word| match after_number(word) {
            Some(rest) => self.game.split_moves(rest),
            None => vec![word],
        });
        moves.collect()
    }

    fn check_each(
        &self,
        certificate: Certificate<Box<dyn BufRead>>,
        tell: &mut dyn FnMut(Listed<'_>) -> bool,
    ) -> Result<Checked, Refusal> {
        self.cold.check(certificate, tell)
    }

    fn check_rules(&self, seed: u64, games: u64) -> Result<RulesReport, RulesError> {
        self.cold.check_rules(seed, games)
    }
}

impl<G: Game> Position for ErasedPosition<G> {
    fn copy(&self) -> Box<dyn Position> {
        self.erased.place(self.state.clone())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn turn(&self) -> Turn {
        self.erased.game.turn(&self.state)
    }

    fn player_names(&self) -> Vec<String> {
        player_names(&*self.erased.game)
    }

    fn payoffs(&self) -> Vec<i32> {
        (0..self.erased.game.num_players())
            .map(|player| self.erased.game.payoff(&self.state, player))
            .collect()
    }

    fn view(&self) -> View {
        let ErasedPosition { erased: Erased { game, .. }, state } = self;
        let turn = game.turn(state);
        let mut moves = Vec::new();
        if turn != Turn::Over {
            game.legal_moves(state, &mut moves);
        }
        View {
            text: game.state_text(state),
            board: game.board_text(state),
            players: player_names(&**game),
            to_move: match turn {
                Turn::Player(player) => Some(player),
                _ => None,
            },
            probabilities: (turn == Turn::Chance).then(|| {
                let weights = moves.iter().map(|&mv| f64::from(game.chance_weight(state, mv)));
                let sum: f64 = weights.clone().sum();
                weights.map(|weight| weight / sum).collect()
            }),
            legal_moves: moves.into_iter().map(|mv| game.move_text(state, mv)).collect(),
            payoffs: (turn == Turn::Over).then(|| self.payoffs()),
        }
    }

    fn text(&self) -> String {
        self.erased.game.state_text(&self.state)
    }

    fn has_chance(&self) -> bool {
        self.erased.game.has_chance()
    }

    fn play(&mut self, text: &str) -> Result<String, TextError> {
        let mv = self.erased.game.parse_move(&self.state, text)?;
        let written = self.erased.game.move_text(&self.state, mv);
        self.erased.game.play(&mut self.state, mv);
        Ok(written)
    }

    fn play_random(&mut self, rng: &mut Rng) -> String {
        let ErasedPosition { erased: Erased { game, .. }, state } = self;
        let mut moves = Vec::new();
        let turn = game.turn(state);
        if turn != Turn::Over {
            game.legal_moves(state, &mut moves);
        }
        let weight = |&mv: &G::Move| match turn {
            Turn::Chance => game.chance_weight(state, mv).max(1),
            _ => 1,
        };
        let mut left = rng.below(moves.iter().map(weight).sum::<u32>().max(1));
        let drawn = moves.iter().find(|mv| {
            let weight = weight(mv);
            let found = left < weight;
            left = left.saturating_sub(weight);
            found
        });
        let Some(&mv) = drawn else { return String::new() };
        let text = game.move_text(state, mv);
        game.play(state, mv);
        text
    }

    fn perft_until(&self, depth: u32, cancel: &CancelToken) -> Option<u64> {
        perft_until(&self.erased.game, &self.state, depth, &|| cancel.is_cancelled())
    }

    fn bare_playouts(&self, config: &Config, playouts: u64, seed: u64) {
        let ErasedPosition { erased: Erased { game, bare_playouts, .. }, state } = self;
        let playout = DefaultRollout::of(config);
        on_threads(config.threads, &|number: u64| {
            let share = (playouts + number) / config.threads as u64;
            bare_playouts(game, state, playout, Rng::new(seed.wrapping_add(number)), share);
        });
    }

    fn search(&self, config: &Config) -> Result<Box<dyn Searching>, SearchError> {
        let ErasedPosition { erased: Erased { game, search, .. }, state } = self;
        match &config.leaves {
            Leaves::Playouts => search(Arc::clone(game), state.clone(), config),
            Leaves::Network(file) => search_by_network(self, config, file),
            _ => search_by_hand(self, config),
        }
    }

    fn among_all(&self) -> Option<(Arc<AnyGame>, AnyState)> {
        self.erased.cold.among_all(&self.state, &|| self.text())
    }

    fn prove(&self, config: &ProverConfig) -> Result<Box<dyn Proving>, SearchError> {
        let search =
            ProofSearch::new(Arc::clone(&self.erased.game), self.state.clone(), config.clone())?;
        Ok(Box::new(search))
    }

    fn shortest_win(
        &self,
        winner: usize,
        config: &ProverConfig,
        budget: &Budget,
    ) -> Result<ShortestAnswer, SearchError> {
        self.erased.cold.shortest_win(&self.state, &|| self.text(), winner, config, budget)
    }
}

impl<G: Game> Proving for ProofSearch<Arc<G>> {
    fn start(&mut self, budget: &Budget) -> Result<(), SearchError> {
        ProofSearch::start(self, budget)
    }

    fn is_running(&self) -> bool {
        ProofSearch::is_running(self)
    }

    fn on_end(&self, hook: Box<dyn FnOnce() + Send>) {
        ProofSearch::on_end(self, hook);
    }

    fn stop(&self) {
        ProofSearch::stop(self);
    }

    fn snapshot(&self) -> ProofAnswer {
        proof_answer(self.game(), self.position(), self.config(), ProofSearch::snapshot(self))
    }

    fn wait(&mut self) -> Result<ProofAnswer, SearchError> {
        let report = ProofSearch::wait(self)?;
        Ok(proof_answer(self.game(), self.position(), self.config(), report))
    }

    fn can_be_saved(&self) -> Result<(), SavedError> {
        ProofSearch::can_be_saved(self)
    }

    fn save(&self, spec: &str, out: &mut File) -> Result<(), SavedError> {
        ProofSearch::save(self, spec, out)
    }

    fn share(
        &mut self,
        spec: &str,
        known: Option<&SharedEntries>,
    ) -> Result<SharedEntries, SavedError> {
        ProofSearch::share(self, &spelled(spec), known)
    }

    fn numbers(&self) -> Option<NumbersAnswer> {
        let (game, root) = (self.game(), self.position());
        let RootNumbers { proof, disproof, moves, .. } = ProofSearch::numbers(self)?;
        let moves = moves.into_iter();
        let moves = moves.map(|(mv, numbers)| (game.move_text(root, mv), numbers)).collect();
        Some(NumbersAnswer { proof, disproof, moves })
    }

    fn key_of(&self, position: &dyn Position) -> Option<u64> {
        let place = position.as_any().downcast_ref::<ErasedPosition<G>>()?;
        ProofSearch::key_of(self, &place.state)
    }

    fn load(&mut self, spec: &str, input: &mut BufReader<File>) -> Result<(), SavedError> {
        ProofSearch::load(self, spec, input)
    }
}

impl<G: Game, L: LeafEvaluation<Arc<G>>> Searching for Search<Arc<G>, L> {
    fn start(&mut self, budget: &Budget) -> Result<(), SearchError> {
        Search::start(self, budget)
    }

    fn is_running(&self) -> bool {
        Search::is_running(self)
    }

    fn on_end(&self, hook: Box<dyn FnOnce() + Send>) {
        Search::on_end(self, hook);
    }

    fn snapshot(&self) -> Answer {
        answer(self.game(), self.position(), self.config(), Search::snapshot(self))
    }

    fn wait(&mut self) -> Result<Answer, SearchError> {
        let report = Search::wait(self)?;
        Ok(answer(self.game(), self.position(), self.config(), report))
    }

    fn go_to(&mut self, position: &dyn Position) -> Result<(), Stuck> {
        let state = match position.as_any().downcast_ref::<ErasedPosition<G>>() {
            Some(place) => Some(place.state.clone()),
            // A search by static evaluation uses [`AnyGame`].
            None => position
                .among_all()
                .and_then(|(_, state)| (&state as &dyn Any).downcast_ref::<G::State>().cloned()),
        };
        let other = || TextError::new("this position belongs to another game");
        Ok(Search::set_position(self, state.ok_or_else(other)?)?)
    }

    fn advance(&mut self, text: &str) -> Result<(), Stuck> {
        let mv = self.game().parse_move(self.position(), text)?;
        Ok(Search::advance(self, mv)?)
    }

    fn tree(&self, path: &[String], depth: u32, width: usize) -> Result<Branch, Stuck> {
        let (game, mut state) = (self.game(), self.position().clone());
        let reader = Search::tree(self)?;
        let mut node = reader.root();
        for text in path {
            let mv = game.parse_move(&state, text)?;
            let next = node.children().into_iter().find(|child| child.mv() == Some(mv));
            node =
                next.ok_or_else(|| TextError::new(format!("the tree lacks the move '{text}'")))?;
            game.play(&mut state, mv);
        }
        let text = path.last().cloned();
        Ok(branch(game, &state, node, text, depth, width))
    }

    fn audit(&mut self) -> Result<Audit, Inconsistency> {
        Search::audit(self)
    }

    fn can_be_saved(&self) -> Result<(), SavedError> {
        Search::can_be_saved(self)
    }

    fn save_tree(&self, spec: &str, out: &mut dyn Write) -> Result<(), SavedError> {
        Search::save_tree(self, &spelled(spec), out)
    }

    fn load_tree(&mut self, spec: &str, input: &mut dyn Read) -> Result<(), SavedError> {
        Search::load_tree(self, &spelled(spec), input)
    }
}

/// Converts a node of the tree and its children, up to `depth` levels and `width` children each.
fn branch<G: Game>(
    game: &G,
    state: &G::State,
    node: NodeView<'_, G>,
    text: Option<String>,
    depth: u32,
    width: usize,
) -> Branch {
    let mut children = node.children();
    let all = children.len();
    // The sort is stable, so children with equal visits stay in the order of the rules.
    children.sort_by_key(|child| std::cmp::Reverse(child.visits()));
    children.truncate(if depth == 0 { 0 } else { width });
    let children: Vec<Branch> = children
        .into_iter()
        .filter_map(|child| {
            let mv = child.mv()?;
            let text = Some(game.move_text(state, mv));
            Some(branch(game, &game.after(state, mv), child, text, depth - 1, width))
        })
        .collect();
    let player = node.player();
    Branch {
        text,
        visits: node.visits(),
        mean: node.mean(),
        proven: node.value(player),
        bounds: node.bounds(player),
        expected: node.expected(player),
        proof_numbers: ProofNumbers::new(node.proof_numbers(), true),
        more: all - children.len(),
        children,
    }
}

impl<G: Game, L: LeafEvaluation<G>> Certifying for Search<G, L> {
    fn certify_after(
        &self,
        spec: &str,
        position: &str,
        moves: &[String],
        cancel: &CancelToken,
        out: &mut dyn Write,
    ) -> Result<Written, CertificateError> {
        let root = root(self.game(), position, moves);
        Search::certify(self, &spelled(spec), &root, Some(cancel), out)
    }
}

impl<G: Game> Certifying for ProofSearch<G> {
    fn certify_after(
        &self,
        spec: &str,
        position: &str,
        moves: &[String],
        cancel: &CancelToken,
        out: &mut dyn Write,
    ) -> Result<Written, CertificateError> {
        let root = root(self.game(), position, moves);
        ProofSearch::certify(self, &spelled(spec), &root, Some(cancel), out)
    }
}

/// Describes a root by the moves from the position with the text `position`, or from the game's
/// start if that text is empty.
fn root<G: Game>(game: &G, position: &str, moves: &[String]) -> Root {
    let is_start = position.is_empty() || game.state_text(&game.initial_state()) == position;
    let begin = if is_start { Root::default() } else { Root::default().position(position) };
    begin.moves(moves)
}

/// Calls `work` with each number below `threads`, each time on a different thread. This is a
/// separate function because its caller is compiled for every game.
fn on_threads(threads: usize, work: &(dyn Fn(u64) + Sync)) {
    std::thread::scope(|scope| {
        for number in 1..threads as u64 {
            scope.spawn(move || work(number));
        }
        work(0);
    });
}

/// Prepares a search by static evaluation. It is compiled once for all games, because the
/// evaluation takes longer than the dispatch to the game.
fn search_by_hand(position: &dyn Position, config: &Config) -> Opened {
    let known = position.among_all().filter(|(game, _)| game.has_evaluation());
    let (game, state) = known.ok_or(ConfigError::NoEvaluation)?;
    let search = Search::with_evaluator(game, state, config.clone(), ByHand)?;
    Ok(Box::new(search))
}

#[cfg(feature = "nets")]
fn search_by_network(position: &dyn Position, config: &Config, file: &Path) -> Opened {
    /// Prepares a search of a game whose positions have input planes.
    fn search<G: Planes + Clone>(
        game: &G,
        state: G::State,
        config: &Config,
        network: Network,
    ) -> Opened {
        let game = Arc::new(game.clone());
        let evaluator = ByNetwork::new(network, &*game)
            .map_err(|error| ConfigError::NoNetwork(error.to_string()))?;
        Ok(Box::new(Search::with_evaluator(game, state, config.clone(), evaluator)?))
    }
    let network = Network::load(file).map_err(|error| ConfigError::NoNetwork(error.to_string()))?;
    let known = position.among_all();
    match known.as_ref().map(|(game, state)| (&**game, state)) {
        Some((AnyGame::ConnectFour(game), AnyState::ConnectFour(state))) => {
            search(game, *state, config, network)
        }
        Some((AnyGame::Othello(game), AnyState::Othello(state))) => {
            search(game, *state, config, network)
        }
        _ => Err(ConfigError::NoNetwork("networks exist only for connect-four and othello".into())
            .into()),
    }
}

#[cfg(not(feature = "nets"))]
fn search_by_network(_: &dyn Position, _: &Config, _: &Path) -> Opened {
    let why = "this program was built without networks; rebuild it with the feature nets";
    Err(ConfigError::NoNetwork(why.into()).into())
}

fn player_names<G: Game>(game: &G) -> Vec<String> {
    (0..game.num_players()).map(|player| game.player_name(player)).collect()
}

fn proof_answer<G: Game>(
    game: &G,
    root: &G::State,
    config: &ProverConfig,
    report: ProofReport<G>,
) -> ProofAnswer {
    let questions = report.asked.iter().map(|asked| QuestionAnswer {
        player: asked.question.player,
        at_least: asked.question.at_least,
        outcome: game.outcome(asked.question.player, asked.question.at_least),
        verdict: asked.verdict,
        answered_by: asked.answered_by,
        estimate: asked.estimate,
        nodes: asked.effort.nodes,
        expansions: asked.effort.expansions,
        elapsed: asked.elapsed,
    });
    ProofAnswer {
        questions: questions.collect(),
        players: player_names(game),
        player: report.player,
        to_move: report.to_move,
        algorithm: report.algorithm,
        goal: report.goal,
        stop_reason: report.stop_reason,
        solved: report.solved,
        proven: report.proven,
        bounds: report.bounds,
        paranoid: report.paranoid,
        best_move: report.best_move.map(|mv| game.move_text(root, mv)),
        pv: line_text(game, root, &report.pv),
        nodes: report.effort.nodes,
        expansions: report.effort.expansions,
        nodes_per_second: report.nodes_per_second(),
        bytes: report.effort.bytes,
        elapsed: report.elapsed,
        threads: report.threads,
        seed: config.seed,
        counters: report.counters,
    }
}

fn answer<G: Game>(game: &G, root: &G::State, config: &Config, report: Report<G>) -> Answer {
    let text = |mv| game.move_text(root, mv);
    let pv = line_text(game, root, &report.pv);
    let counted = report.counts_proof_numbers;
    let moves = report.moves.iter().map(|known| MoveAnswer {
        text: text(known.mv),
        visits: known.visits,
        mean: known.mean,
        prior: known.prior,
        bounds: known.bounds,
        expected: known.expected,
        probability: known.probability,
        proof_numbers: ProofNumbers::new(known.proof_numbers.clone(), counted),
        proven: known.proven,
        pv: Vec::new(),
    });
    let is_proven = match config.goal {
        Goal::Score => match report.expected {
            Some(expected) => expected.is_final(),
            None => report.bounds.exact().is_some(),
        },
        _ => report.proven.is_decided(),
    };
    let is_over = matches!(report.stop_reason, Some(StopReason::Solved | StopReason::GameOver));
    Answer {
        players: player_names(game),
        to_move: report.to_move,
        goal: config.goal,
        stop_reason: report.stop_reason,
        solved: is_proven || is_over,
        proven: report.proven,
        bounds: report.bounds,
        expected: report.expected,
        mean: report.mean,
        paranoid: report.paranoid,
        paranoid_pruning: report.paranoid_pruning,
        saturated: report.saturated,
        counts_proof_numbers: counted,
        ends_in: report.ends_in,
        best_move: report.best_move.map(text),
        pv,
        moves: moves.collect(),
        playouts: report.playouts,
        playouts_per_second: report.playouts_per_second(),
        nodes: report.nodes,
        bytes: report.bytes,
        elapsed: report.elapsed,
        threads: report.threads,
        seed: config.seed,
        settings: settings(&report.settings, report.stop_reason),
        counters: report.counters,
        proof_numbers: ProofNumbers::new(report.proof_numbers, counted),
    }
}
