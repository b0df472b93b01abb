//! Games with an erased type: moves and positions are text.
//!
//! A program that selects its games by name, such as `connect-four:9x5`, gets a game's [`Rules`],
//! creates [`Position`]s from them, and searches or proves these. The traits hide the types of
//! games, positions and moves, so the search is compiled once per game, in this crate and not in
//! its dependents.
//!
//! ```
//! use proofwood::{Budget, Config, Value};
//!
//! let rules = proofwood_any_game::find("mnk:3,3,3")?;
//! let mut position = rules.start();
//! position.play("b2")?;
//! let mut search = position.search(&Config::proving())?;
//! search.start(&Budget::default())?;
//! assert_eq!(search.wait()?.proven, Value::Draw);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![deny(missing_docs)]

mod among;
mod answer;
mod by_hand;
mod cold;
mod erased;
mod playouts;
pub mod query;

pub use among::search_among;
pub use answer::{
    Answer, Answered, AnyAnswer, Branch, CheckedAnswer, ClaimAnswer, MoveAnswer, NumbersAnswer,
    ProofAnswer, ProofNumbers, QuestionAnswer, Setting, ShortestAnswer, View,
};
pub use by_hand::ByHand;
pub use playouts::AnyRollout;

use cold::Cold;
use erased::Erased;
use proofwood::certificate::{Certificate, CertificateError, Checked, Listed, Refusal, Written};
use proofwood::error::Inconsistency;
use proofwood::evaluate::{DefaultRollout, LeafEvaluation};
use proofwood::inspect::{Audit, SavedError};
use proofwood::prover::SharedEntries;
use proofwood::rules::{RulesError, RulesReport};
use proofwood::{
    Budget, CancelToken, Config, Game, Outcome, ProverConfig, Recommended, Rng, Search,
    SearchError, TextError, Turn,
};
use proofwood_games::{AnyGame, AnyState, SpecError};
use std::any::Any;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::ops::RangeInclusive;
use std::sync::Arc;

/// Finds a game by its name and options, such as `connect-four:9x5`.
///
/// Searches and provers are compiled for [`AnyGame`], which serves all games, and again for the
/// types of Connect Four, Breakthrough, Hex and Othello. With the feature `fast-games` the other
/// games with fast rules have their own code, too. In builds with debug assertions, only Connect
/// Four has its own code, to save compile time.
///
/// # Errors
/// If there is no such game, or its options are invalid.
pub fn find(spec: &str) -> Result<Box<dyn Rules>, SpecError> {
    let any = Arc::new(AnyGame::from_spec(spec)?);
    let cold = Arc::new(Cold(Arc::clone(&any)));
    macro_rules! quick {
        ($($Name:ident)+) => {
            match &*any {
                $(AnyGame::$Name(game) => {
                    Box::new(Erased::new::<DefaultRollout>(Arc::new(game.clone()), cold))
                })+
                _ => Box::new(Erased::new::<AnyRollout>(any, cold)),
            }
        };
    }
    #[cfg(all(feature = "fast-games", not(debug_assertions)))]
    return Ok(quick! {
        Ataxx Awari CaptureGo Clobber ConnectFour Domineering DotsAndBoxes Hex
        LinesOfAction Mnk Othello Oware PGame Reversi Through
    });
    #[cfg(all(feature = "flagship-games", not(feature = "fast-games"), not(debug_assertions)))]
    return Ok(quick!(ConnectFour Hex Othello Through));
    #[cfg(any(not(feature = "flagship-games"), debug_assertions))]
    Ok(quick!(ConnectFour))
}

/// Erases the type of a game.
pub fn erase<G: Game>(game: G) -> Box<dyn Rules> {
    let game = Arc::new(game);
    let cold = Arc::new(Cold(Arc::clone(&game)));
    Box::new(Erased::new::<DefaultRollout>(game, cold))
}

/// Erases the type of a search with any leaf evaluation.
pub fn forget_search<G: Game, L: LeafEvaluation<Arc<G>>>(
    search: Search<Arc<G>, L>,
) -> Box<dyn Searching> {
    Box::new(search)
}

/// Returns the game and the state of a position, if its game was passed to [`erase`] with type `G`.
pub fn downcast<G: Game>(position: &dyn Position) -> Option<(&Arc<G>, &G::State)> {
    erased::downcast(position)
}

/// The rules of a game.
pub trait Rules: Send + Sync {
    /// The number of players, from 1 to 8.
    fn players(&self) -> usize;
    /// The players' names, first player first.
    fn player_names(&self) -> Vec<String>;
    /// Returns whether the payoffs of two players always sum to zero.
    fn zero_sum(&self) -> bool;
    /// The least and the greatest payoff that a player can receive.
    fn payoff_range(&self, player: usize) -> RangeInclusive<i32>;
    /// The least payoff with at least `outcome` for a player; `None` if the game has no such
    /// payoff.
    fn threshold(&self, player: usize, outcome: Outcome) -> Option<i32>;
    /// The search options that the game recommends; a field without a recommendation is `None`.
    fn recommended(&self) -> Recommended;
    /// The position in which the game starts.
    fn start(&self) -> Box<dyn Position>;
    /// Reads a position from its text form.
    fn read(&self, text: &str) -> Result<Box<dyn Position>, TextError>;
    /// Splits a text into the moves that it lists.
    fn split_moves<'t>(&self, text: &'t str) -> Vec<&'t str>;
    /// Checks a certificate about this game; returns the claims that it proves.
    fn check(&self, certificate: Certificate<Box<dyn BufRead>>) -> Result<Checked, Refusal> {
        self.check_each(certificate, &mut |_| true)
    }
    /// Checks a certificate, and passes every listed position to `tell` in order; `tell` returns
    /// whether to continue.
    fn check_each(
        &self,
        certificate: Certificate<Box<dyn BufRead>>,
        tell: &mut dyn FnMut(Listed<'_>) -> bool,
    ) -> Result<Checked, Refusal>;
    /// Checks the rules by random play, as [`check_rules`](proofwood::check_rules) does.
    fn check_rules(&self, seed: u64, games: u64) -> Result<RulesReport, RulesError>;
}

/// A position of a game.
pub trait Position: Send + Sync {
    /// Returns a copy of the position.
    fn copy(&self) -> Box<dyn Position>;
    /// The position with its type, for downcasts.
    fn as_any(&self) -> &dyn Any;
    /// The side to move, which is a player or chance; [`Turn::Over`] if the game has ended.
    fn turn(&self) -> Turn;
    /// The players' names, first player first.
    fn player_names(&self) -> Vec<String>;
    /// The players' payoffs, if the game is over.
    fn payoffs(&self) -> Vec<i32>;
    /// The position with its drawing, players and legal moves, as text.
    fn view(&self) -> View;
    /// The text form of the position; empty if the game has no text form.
    fn text(&self) -> String;
    /// Returns whether the game has chance nodes.
    fn has_chance(&self) -> bool;
    /// Plays a move given as text; returns its text in the game's own spelling.
    fn play(&mut self, text: &str) -> Result<String, TextError>;
    /// Plays a move of a game record; returns the texts of all moves played. Records of Othello and
    /// similar games omit forced passes, which are moves here.
    fn play_recorded(&mut self, text: &str) -> Result<Vec<String>, TextError> {
        let mut error = match self.play(text) {
            Ok(played) => return Ok(vec![played]),
            Err(error) => error,
        };
        let mut after = self.copy();
        let mut moves = Vec::new();
        while moves.len() + 1 < self.player_names().len() && after.view().legal_moves == ["pass"] {
            moves.push(after.play("pass")?);
            match after.play(text) {
                Ok(played) => {
                    moves.push(played);
                    moves.iter().try_for_each(|mv| self.play(mv).map(drop))?;
                    return Ok(moves);
                }
                Err(later) => error = later,
            }
        }
        Err(error)
    }
    /// Plays a random legal move, or draws an outcome of chance by its weight; returns its text.
    /// Does nothing when the game is over.
    fn play_random(&mut self, rng: &mut Rng) -> String;
    /// Counts the sequences of exactly `depth` moves from here.
    fn perft(&self, depth: u32) -> u64 {
        self.perft_until(depth, &CancelToken::new()).unwrap_or(0)
    }
    /// Counts the sequences of `depth` moves; `None` if cancelled.
    fn perft_until(&self, depth: u32, cancel: &CancelToken) -> Option<u64>;
    /// Plays `playouts` games from here without a tree, with the configuration's playout policy and
    /// threads.
    fn bare_playouts(&self, config: &Config, playouts: u64, seed: u64);
    /// Converts the position to a position of [`AnyGame`]; `None` for games that are not in the
    /// registry.
    fn among_all(&self) -> Option<(Arc<AnyGame>, AnyState)>;
    /// Prepares a search of the position, which [`Searching::start`] begins.
    fn search(&self, config: &Config) -> Result<Box<dyn Searching>, SearchError>;
    /// Prepares a proof search of the position.
    fn prove(&self, config: &ProverConfig) -> Result<Box<dyn Proving>, SearchError>;
    /// Proves the shortest win of a player from the position.
    fn shortest_win(
        &self,
        winner: usize,
        config: &ProverConfig,
        budget: &Budget,
    ) -> Result<ShortestAnswer, SearchError>;
}

/// A search with playouts, with moves as text.
pub trait Searching: Certifying + Send {
    /// Starts the search in the background.
    fn start(&mut self, budget: &Budget) -> Result<(), SearchError>;
    /// Returns whether the search is running.
    fn is_running(&self) -> bool;
    /// Calls `hook` once, when the search ends.
    fn on_end(&self, hook: Box<dyn FnOnce() + Send>);
    /// The answer so far, even while the search runs.
    fn snapshot(&self) -> Answer;
    /// Waits for the end of the search.
    fn wait(&mut self) -> Result<Answer, SearchError>;
    /// Moves the root to any position of the same game, and discards the tree; proven positions are
    /// kept.
    fn go_to(&mut self, position: &dyn Position) -> Result<(), Stuck>;
    /// Moves the root to the position after a move.
    fn advance(&mut self, text: &str) -> Result<(), Stuck>;
    /// The part of the tree below the moves `path`: `depth` levels deep, with the `width` most
    /// visited children of each position. The search must not be running.
    fn tree(&self, path: &[String], depth: u32, width: usize) -> Result<Branch, Stuck>;
    /// Checks the values in the tree against a recomputation.
    fn audit(&mut self) -> Result<Audit, Inconsistency>;
    /// Checks whether the tree can be saved and loaded; returns the reason if not.
    fn can_be_saved(&self) -> Result<(), SavedError>;
    /// Saves the tree; `spec` is the description of the game.
    fn save_tree(&self, spec: &str, out: &mut dyn Write) -> Result<(), SavedError>;
    /// Loads a saved tree; `spec` must be the description that it was saved with.
    fn load_tree(&mut self, spec: &str, input: &mut dyn Read) -> Result<(), SavedError>;
}

/// A proof search of a game's position.
pub trait Proving: Certifying + Send {
    /// Starts the search in the background.
    fn start(&mut self, budget: &Budget) -> Result<(), SearchError>;
    /// Returns whether the search is running.
    fn is_running(&self) -> bool;
    /// Calls `hook` once, when the search ends.
    fn on_end(&self, hook: Box<dyn FnOnce() + Send>);
    /// Makes the search stop soon; its results so far are kept.
    fn stop(&self);
    /// The answer so far, even while the search runs.
    fn snapshot(&self) -> ProofAnswer;
    /// Waits for the end of the search.
    fn wait(&mut self) -> Result<ProofAnswer, SearchError>;
    /// Checks whether the search can have checkpoints; returns the reason if not.
    fn can_be_saved(&self) -> Result<(), SavedError>;
    /// Writes a checkpoint, even while the search runs; `spec` is the description of the game.
    fn save(&self, spec: &str, out: &mut File) -> Result<(), SavedError>;
    /// Shares a table of proven entries with other searches of this game, or starts a new one; see
    /// [`ProofSearch::share`](proofwood::ProofSearch::share).
    fn share(
        &mut self,
        spec: &str,
        known: Option<&SharedEntries>,
    ) -> Result<SharedEntries, SavedError>;
    /// The proof and disproof numbers of the last question.
    fn numbers(&self) -> Option<NumbersAnswer>;
    /// The key that this prover uses for a position of the same game; `None` if the game has no
    /// key.
    fn key_of(&self, position: &dyn Position) -> Option<u64>;
    /// Loads a checkpoint; `spec` must be the description that it was written with.
    fn load(&mut self, spec: &str, input: &mut BufReader<File>) -> Result<(), SavedError>;
}

/// A finished search whose results can be certified.
pub trait Certifying {
    /// Writes a certificate of the results about the position with the text `position`, in the game
    /// with the description `spec`.
    fn certify(
        &self,
        spec: &str,
        position: &str,
        cancel: &CancelToken,
        out: &mut dyn Write,
    ) -> Result<Written, CertificateError> {
        self.certify_after(spec, position, &[], cancel, out)
    }
    /// Writes a certificate about the position after `moves` from a start, which is the position
    /// with the text `position`. If that text is empty, as in games without texts, the start is
    /// that of the game.
    fn certify_after(
        &self,
        spec: &str,
        position: &str,
        moves: &[String],
        cancel: &CancelToken,
        out: &mut dyn Write,
    ) -> Result<Written, CertificateError>;
}

/// The reason why a search cannot move to another position.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Stuck {
    /// The move is not legal, or cannot be read.
    #[error(transparent)]
    Move(#[from] TextError),
    /// The search failed, for instance for lack of memory.
    #[error(transparent)]
    Search(#[from] SearchError),
}
