//! Games whose type is forgotten: everything about them is text here.
//!
//! A program that knows its games only by name, such as `connect-four:9x5`, finds
//! the [`Rules`] of one, makes [`Position`]s of it, and searches or proves them.
//! The types of the games, their positions and moves stay behind these traits, so
//! that the search is compiled once for every game, here, and nothing that uses
//! it needs to be.
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
mod known;
mod playouts;
mod seldom;

pub use among::search_among;
pub use answer::{
    Answer, Answered, AnyAnswer, Branch, CheckedAnswer, ClaimAnswer, MoveAnswer, NumbersAnswer,
    ProofAnswer, ProofNumbers, QuestionAnswer, ShortestAnswer, View,
};
pub use by_hand::ByHand;
pub use playouts::AnyPlayout;

use known::Known;
use proofwood::certificate::{Certificate, CertificateError, Checked, Listed, Refusal, Written};
use proofwood::{
    Audit, Budget, CancelToken, CheckpointError, Config, DefaultPlayout, Game, Inconsistency,
    Knowledge, LeafEvaluation, Outcome, ProverConfig, Rng, RulesError, RulesReport, Search,
    SearchError, Suited, TextError, TreeFileError, Turn,
};
use proofwood_games::{AnyGame, AnyState, SpecError};
use seldom::Seldom;
use std::any::Any;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::ops::RangeInclusive;
use std::sync::Arc;

/// Finds a game by its description, such as `connect-four:9x5`.
///
/// Searches and provers are compiled once for all games, for [`AnyGame`], and for the types of
/// Connect Four, Breakthrough, Hex and Othello. With the feature `fast-games` the other games
/// whose rules are quick have their own, too. In builds with debug assertions, which are to be
/// built soon, only Connect Four has.
///
/// # Errors
/// When there is no such game, or its options are wrong.
pub fn find(spec: &str) -> Result<Box<dyn Rules>, SpecError> {
    let any = AnyGame::from_spec(spec)?;
    let seldom = Arc::new(Seldom(any.clone()));
    macro_rules! quick {
        ($($Name:ident)+) => {
            match any {
                $(AnyGame::$Name(game) => {
                    Box::new(Known::new::<DefaultPlayout>(Arc::new(game), seldom))
                })+
                slow => Box::new(Known::new::<AnyPlayout>(Arc::new(slow), seldom)),
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

/// Forgets the type of a game.
pub fn forget<G: Game>(game: G) -> Box<dyn Rules> {
    let game = Arc::new(game);
    let seldom = Arc::new(Seldom(Arc::clone(&game)));
    Box::new(Known::new::<DefaultPlayout>(game, seldom))
}

/// Forgets the type of a search, whatever values its leaves.
pub fn forget_search<G: Game, L: LeafEvaluation<Arc<G>>>(
    search: Search<Arc<G>, L>,
) -> Box<dyn Searching> {
    Box::new(search)
}

/// The game and the state of a position whose game has this type, as it was given to
/// [`forget`].
pub fn recall<G: Game>(position: &dyn Position) -> Option<(&Arc<G>, &G::State)> {
    known::recall(position)
}

/// The rules of some game.
pub trait Rules: Send + Sync {
    /// The number of players.
    fn players(&self) -> usize;
    /// What each player is called, first player first.
    fn player_names(&self) -> Vec<String>;
    /// Whether the payoffs of two players always add up to zero.
    fn zero_sum(&self) -> bool;
    /// The least and the greatest payoff that a player can receive.
    fn payoff_range(&self, player: usize) -> RangeInclusive<i32>;
    /// The least payoff that is worth at least this outcome to a player; `None` where the game
    /// pays nothing that good.
    fn threshold(&self, player: usize, outcome: Outcome) -> Option<i32>;
    /// The options of a search that the game recommends; `None` where it says nothing.
    fn recommended(&self) -> Suited;
    /// The position that the game starts from.
    fn start(&self) -> Box<dyn Position>;
    /// Reads a position.
    fn read(&self, text: &str) -> Result<Box<dyn Position>, TextError>;
    /// Cuts a list of moves into its moves.
    fn split_moves<'t>(&self, text: &'t str) -> Vec<&'t str>;
    /// Checks a certificate about this game.
    fn check(&self, certificate: Certificate<Box<dyn BufRead>>) -> Result<Checked, Refusal> {
        self.check_each(certificate, &mut |_| true)
    }
    /// The same, and tells of every position that it lists, in this order; whoever is told
    /// answers whether to go on.
    fn check_each(
        &self,
        certificate: Certificate<Box<dyn BufRead>>,
        tell: &mut dyn FnMut(Listed<'_>) -> bool,
    ) -> Result<Checked, Refusal>;
    /// Checks the rules themselves by random play.
    fn check_rules(&self, seed: u64, games: u64) -> Result<RulesReport, RulesError>;
}

/// A position of some game.
pub trait Position: Send + Sync {
    /// The same position, to go on from on its own.
    fn copy(&self) -> Box<dyn Position>;
    /// The position with its type, for who knows that.
    fn as_any(&self) -> &dyn Any;
    /// Whose turn it is.
    fn turn(&self) -> Turn;
    /// What each player is called, first player first.
    fn player_names(&self) -> Vec<String>;
    /// What each player receives, once the game is over.
    fn payoffs(&self) -> Vec<i32>;
    /// Everything there is to see.
    fn view(&self) -> View;
    /// The position's text form.
    fn text(&self) -> String;
    /// Whether chance may decide in the game.
    fn has_chance(&self) -> bool;
    /// Plays a move; answers it as the game writes it.
    fn play(&mut self, text: &str) -> Result<String, TextError>;
    /// Plays a move of a record; answers all moves that were played, as the game writes them.
    /// Records of Othello and the like leave forced passes out, and each pass is a move.
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
    /// Plays a legal move, all equally likely, or an outcome of chance by its
    /// weight; answers it as the game writes it. Nothing happens when the game
    /// is over.
    fn play_random(&mut self, rng: &mut Rng) -> String;
    /// The number of sequences of `depth` moves.
    fn perft(&self, depth: u32) -> u64 {
        self.perft_until(depth, &CancelToken::new()).unwrap_or(0)
    }
    /// The same; `None` when it was cancelled before.
    fn perft_until(&self, depth: u32, cancel: &CancelToken) -> Option<u64>;
    /// Plays games out from here without a tree, as a search with this configuration would: by
    /// its policy and on its threads.
    fn bare_playouts(&self, config: &Config, playouts: u64, seed: u64);
    /// The position as one of any game; `None` for games that are not in the registry.
    fn among_all(&self) -> Option<(Arc<AnyGame>, AnyState)>;
    /// Prepares a search from here.
    fn search(&self, config: &Config) -> Result<Box<dyn Searching>, SearchError>;
    /// Prepares a proof of what this position is worth.
    fn prove(&self, config: &ProverConfig) -> Result<Box<dyn Proving>, SearchError>;
    /// Proves how soon this player can force a win from here.
    fn shortest_win(
        &self,
        winner: usize,
        config: &ProverConfig,
        budget: &Budget,
    ) -> Result<ShortestAnswer, SearchError>;
}

/// A search of some game's position.
pub trait Searching: Certifying + Send {
    /// Starts it in the background.
    fn start(&mut self, budget: &Budget) -> Result<(), SearchError>;
    /// Whether it is still running.
    fn is_running(&self) -> bool;
    /// Has this called once, when it has ended.
    fn on_end(&self, hook: Box<dyn FnOnce() + Send>);
    /// What it knows so far.
    fn snapshot(&self) -> Answer;
    /// Waits for its end.
    fn wait(&mut self) -> Result<Answer, SearchError>;
    /// Goes to any position of the same game, and forgets the tree; what was proven of
    /// positions stays known.
    fn go_to(&mut self, position: &dyn Position) -> Result<(), Stuck>;
    /// Goes on to the position after a move.
    fn advance(&mut self, text: &str) -> Result<(), Stuck>;
    /// The part of the tree at rest that begins after these moves: so many moves deep, and of
    /// each position as many children, those with the most visits.
    fn tree(&self, path: &[String], depth: u32, width: usize) -> Result<Branch, Stuck>;
    /// Checks the tree that it leaves.
    fn audit(&mut self) -> Result<Audit, Inconsistency>;
    /// Whether its tree can be saved and loaded.
    fn can_be_saved(&self) -> Result<(), TreeFileError>;
    /// Writes its tree down, of the game of this description.
    fn save_tree(&self, spec: &str, out: &mut dyn Write) -> Result<(), TreeFileError>;
    /// Goes on with a tree that was saved.
    fn load_tree(&mut self, spec: &str, input: &mut dyn Read) -> Result<(), TreeFileError>;
}

/// A proof search of some game's position.
pub trait Proving: Certifying + Send {
    /// Starts it in the background.
    fn start(&mut self, budget: &Budget) -> Result<(), SearchError>;
    /// Whether it is still running.
    fn is_running(&self) -> bool;
    /// Has this called once, when it has ended.
    fn on_end(&self, hook: Box<dyn FnOnce() + Send>);
    /// Has it end soon, with what it has come to.
    fn stop(&self);
    /// What it knows so far.
    fn snapshot(&self) -> ProofAnswer;
    /// Waits for its end.
    fn wait(&mut self) -> Result<ProofAnswer, SearchError>;
    /// Whether there can be checkpoints.
    fn can_be_saved(&self) -> Result<(), CheckpointError>;
    /// Writes a checkpoint, also while it runs.
    fn save(&self, spec: &str, out: &mut File) -> Result<(), CheckpointError>;
    /// Goes on with what is known of this game, or with nothing; see
    /// [`ProofSearch::share`](proofwood::ProofSearch::share).
    fn share(
        &mut self,
        spec: &str,
        known: Option<&Knowledge>,
    ) -> Result<Knowledge, CheckpointError>;
    /// What the question still takes that was asked last.
    fn numbers(&self) -> Option<NumbersAnswer>;
    /// Tells a position of the same game from all others, as this prover does; `None` where
    /// the game has no key.
    fn key_of(&self, position: &dyn Position) -> Option<u64>;
    /// Goes on from a checkpoint.
    fn load(&mut self, spec: &str, input: &mut BufReader<File>) -> Result<(), CheckpointError>;
}

/// A search, ended, whose proofs can be written down.
pub trait Certifying {
    /// Writes down why what it knows is true of the position with this text in
    /// the game of this description.
    fn certify(
        &self,
        spec: &str,
        position: &str,
        cancel: &CancelToken,
        out: &mut dyn Write,
    ) -> Result<Written, CertificateError> {
        self.certify_after(spec, position, &[], cancel, out)
    }
    /// The same of the position after these moves from there; without a text from the start,
    /// for games that have no texts.
    fn certify_after(
        &self,
        spec: &str,
        position: &str,
        moves: &[String],
        cancel: &CancelToken,
        out: &mut dyn Write,
    ) -> Result<Written, CertificateError>;
}

/// Why a search cannot go on to another position.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Stuck {
    /// The move is not possible.
    #[error(transparent)]
    Move(#[from] TextError),
    /// The search fails.
    #[error(transparent)]
    Search(#[from] SearchError),
}
