//! Sets of positions solved by remote machines.
//!
//! The program submits the lines and collects the answers in the same order. It verifies that each
//! answer is about its line and that the certificate, if there is one, proves the answer.

use super::check::{NotAccepted, check_within};
use super::earlier::{About, EarlierResult};
use crate::files::Whole;
use crate::input::given::Given;
use crate::input::position_file::Entry;
use crate::{Ended, Trouble};
use proofwood::certificate::{Checked, Claim, DEFAULT_MEMORY, Promise};
use proofwood::{CancelToken, Outcome};
use proofwood_any_game::Rules;
use serde::{Deserialize, Serialize};
use std::fs::File;

/// A connection to machines that solve positions for this program.
pub trait RemoteSet {
    /// Submits a line, unless its answer already exists. `proof` is the name of the certificate, if
    /// one is requested.
    fn hand_out(&mut self, entry: &Entry, game: &str, proof: Option<String>)
    -> Result<(), Trouble>;

    /// Waits for the answer to a line that was submitted; returns `None` if the token was
    /// cancelled.
    fn collect(&mut self, line: u64, cancel: &CancelToken) -> Result<Option<Collected>, Trouble>;

    /// Copies the certificate of a line's answer into a file.
    fn copy_proof(&mut self, line: u64, file: &mut File) -> Result<(), Trouble>;

    /// Rejects the answer to a line, along with all other answers of the same worker, and submits
    /// the line again.
    fn throw_out(&mut self, line: u64, why: &str) -> Result<(), Trouble>;

    /// Submits a line again after `worker` has failed to solve it. Returns true if this run gives
    /// up on the line because two workers, or all that there are, have failed; the next run tries
    /// again.
    fn pass_on(&mut self, line: u64, worker: &str, refused: Refused) -> Result<bool, Trouble>;

    /// Deletes the answer to a line, so that the next run requests it again.
    fn forget(&mut self, line: u64) -> Result<(), Trouble>;

    /// Ends the run after all answers have been written to disk, so that the machines can delete
    /// them.
    fn end(&mut self) -> Result<(), Trouble>;
}

/// A set of positions as sent to other machines.
#[derive(Clone, Debug)]
pub struct SetOrder {
    /// The game of lines that do not name a game.
    pub game: Option<String>,
    /// The path of the file; `-` for standard input.
    pub positions: String,
    /// The options and limits.
    pub options: Given,
    /// Whether the length of the shortest win is to be proven as well.
    pub shortest: bool,
}

/// An answer received for a line.
#[derive(Clone, Debug)]
pub struct Collected {
    /// The name of the worker that answered.
    pub worker: String,
    /// The answer as one line of JSON, without the line feed, or the reason for its absence.
    pub answer: Result<String, Refused>,
    /// Whether a certificate was received with the answer.
    pub has_proof: bool,
}

/// The reason why a worker did not do a job.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Refused {
    /// Whether the job itself is invalid, as opposed to its execution having failed.
    pub is_input: bool,
    /// The reason in words.
    pub why: String,
}

/// A verified answer of another machine.
#[derive(Debug)]
pub struct Answered {
    /// The answer as one line of JSON, without the line feed.
    pub json: String,
    /// The contents of `json`.
    pub result: EarlierResult,
    /// The name of the worker that answered.
    pub worker: String,
    /// Whether the question is answered but the requested certificate is missing.
    pub lacks_proof: bool,
}

impl Collected {
    /// Parses the answer and checks that it is about the line; the error explains the fault.
    pub fn read(&self, line: u64, about: &About) -> Result<(String, EarlierResult), String> {
        let json = match &self.answer {
            Ok(json) => json.clone(),
            Err(refused) => return Err(refused.why.clone()),
        };
        if json.contains(['\n', '\r']) {
            return Err("the answer is not on one line".into());
        }
        let result: EarlierResult =
            serde_json::from_str(&json).map_err(|error| error.to_string())?;
        result.check()?;
        if result.is_cut_short() {
            return Err("the answer was cut short".into());
        }
        result.compare(line, about).map_err(|failure| failure.to_string())?;
        Ok((json, result))
    }
}

impl Answered {
    /// Returns the result of the job, which determines the exit status.
    pub fn outcome(&self) -> Ended {
        match (self.result.solved, self.lacks_proof) {
            (false, _) => Ended::Unsolved,
            (true, true) => Ended::Failed,
            (true, false) => Ended::Done,
        }
    }
}

/// Checks that a certificate proves a result about its position; the error explains the fault. The
/// file may come from an untrusted machine, so the memory for the check is limited.
pub fn shows(
    file: &Whole,
    rules: &dyn Rules,
    about: &About,
    result: &EarlierResult,
    mover: usize,
) -> Result<(), String> {
    let (checked, _) = check_within(file.temporary(), DEFAULT_MEMORY).map_err(|error| {
        let why = match error {
            NotAccepted::Refused(refusal) => refusal.to_string(),
            NotAccepted::Unreadable(failure) => failure.to_string(),
        };
        format!("its certificate is invalid: {why}")
    })?;
    if checked.game != about.game || checked.position != about.position {
        return Err("its certificate is for a different position".into());
    }
    let player = about.player.unwrap_or(mover);
    match claims(&checked, rules, player, result) {
        true => Ok(()),
        false => Err(format!("its certificate does not prove that the value is {}", result.proven)),
    }
}

/// Returns whether the claims of a certificate imply a result's value, and its bounds if the goal
/// is the score.
fn claims(checked: &Checked, rules: &dyn Rules, player: usize, result: &EarlierResult) -> bool {
    let at_least = |payoff| checked.holds(Claim { player, promise: Promise::AtLeast(payoff) });
    let below = |payoff| checked.holds(Claim { player, promise: Promise::Below(payoff) });
    let secures = |sought| rules.threshold(player, sought).is_some_and(at_least);
    // If the game has no payoff that good, the player cannot get one.
    let prevents = |sought| rules.threshold(player, sought).is_none_or(below);
    // In a two-player game, a player who keeps the other from winning does not lose, even if play
    // never ends.
    let survives = || {
        let opponent = 1 - player.min(1);
        let win = rules.threshold(opponent, Outcome::Win);
        let below = |payoff| Claim { player: opponent, promise: Promise::Below(payoff) };
        let holds = win.is_none_or(|payoff| checked.holds(below(payoff)));
        secures(Outcome::Draw) || (rules.players() == 2 && rules.zero_sum() && holds)
    };
    let value = match &*result.proven {
        "win" => secures(Outcome::Win),
        "not-loss" => survives(),
        "draw" => survives() && prevents(Outcome::Win),
        "not-win" => prevents(Outcome::Win),
        "loss" => prevents(Outcome::Draw),
        _ => true,
    };
    let range = rules.payoff_range(player);
    let [lower, upper] = result.bounds;
    let bounds = result.goal.as_deref() != Some("score")
        || (lower.is_none_or(|lower| lower <= *range.start() || at_least(lower))
            && upper.is_none_or(|upper| {
                upper >= *range.end() || upper.checked_add(1).is_some_and(below)
            }));
    value && bounds
}
