//! Positions that other machines solve.
//!
//! The program hands lines out and collects their answers in the order of the
//! lines. Nothing that comes back is believed: an answer must be about its line, and where
//! there is a certificate, that must show what the answer says.

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

/// Machines that solve positions for this program.
pub trait RemoteSet {
    /// Has a line solved, unless its answer is there already. A proof that is wanted will
    /// have the name `proof`.
    fn hand_out(&mut self, entry: &Entry, game: &str, proof: Option<String>)
    -> Result<(), Trouble>;

    /// Waits for the answer of a line that was handed out; `None` when it was cancelled.
    fn collect(&mut self, line: u64, cancel: &CancelToken) -> Result<Option<Collected>, Trouble>;

    /// Copies the proof that came with the answer of a line into a file.
    fn copy_proof(&mut self, line: u64, file: &mut File) -> Result<(), Trouble>;

    /// Throws the answer of a line out, and everything else from the same worker; the line
    /// is handed out again.
    fn throw_out(&mut self, line: u64, why: &str) -> Result<(), Trouble>;

    /// Hands a line out to others than a worker that has failed at it. Returns whether the failure
    /// stands: two have failed, or all that are there. Then the next run asks again.
    fn pass_on(&mut self, line: u64, worker: &str, refused: Refused) -> Result<bool, Trouble>;

    /// Forgets the answer of a line, so that the next run asks again.
    fn forget(&mut self, line: u64) -> Result<(), Trouble>;

    /// All answers are on the disk: nothing needs to be kept elsewhere.
    fn end(&mut self) -> Result<(), Trouble>;
}

/// A set of positions that is to be solved elsewhere.
#[derive(Clone, Debug)]
pub struct SetOrder {
    /// The game of lines that name none.
    pub game: Option<String>,
    /// The file, - for standard input.
    pub positions: String,
    /// Options and limits.
    pub options: Given,
    /// How soon the winner wins is asked for, too.
    pub shortest: bool,
}

/// What came back for a line.
#[derive(Clone, Debug)]
pub struct Collected {
    /// The name of the worker that answered.
    pub worker: String,
    /// The answer as one line of JSON, without its end; or why there is none.
    pub answer: Result<String, Refused>,
    /// A proof came with it.
    pub has_proof: bool,
}

/// Why a worker did not do a job.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Refused {
    /// What was asked for is wrong, and not what came of it.
    pub is_input: bool,
    /// The reason.
    pub why: String,
}

/// An answer from elsewhere that was looked at.
#[derive(Debug)]
pub struct Answered {
    /// The answer as one line of JSON, without its end.
    pub json: String,
    /// The same, read.
    pub result: EarlierResult,
    /// The name of the worker that answered.
    pub worker: String,
    /// A certificate was wanted for what is settled, and there is none.
    pub lacks_proof: bool,
}

impl Collected {
    /// The answer, once it is about the line; else what is wrong with it.
    pub fn read(&self, line: u64, about: &About) -> Result<(String, EarlierResult), String> {
        let json = match &self.answer {
            Ok(json) => json.clone(),
            Err(refused) => return Err(refused.why.clone()),
        };
        if json.contains(['\n', '\r']) {
            return Err("it is not on one line".into());
        }
        let result: EarlierResult =
            serde_json::from_str(&json).map_err(|error| error.to_string())?;
        result.check()?;
        if result.is_cut_short() {
            return Err("it was cut short".into());
        }
        result.compare(line, about).map_err(|failure| failure.to_string())?;
        Ok((json, result))
    }
}

impl Answered {
    /// What the program's exit status is to say.
    pub fn outcome(&self) -> Ended {
        match (self.result.settled, self.lacks_proof) {
            (false, _) => Ended::Unsettled,
            (true, true) => Ended::Failed,
            (true, false) => Ended::Done,
        }
    }
}

/// Whether a certificate in a file shows what an answer says of its position; else why not.
/// A file may come from a stranger, and is checked in as much memory as `check` takes.
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
        format!("its certificate does not hold: {why}")
    })?;
    if checked.game != about.game || checked.position != about.position {
        return Err("its certificate is about another position".into());
    }
    let player = about.player.unwrap_or(mover);
    match claims(&checked, rules, player, result) {
        true => Ok(()),
        false => Err(format!("its certificate does not show that the value is {}", result.proven)),
    }
}

/// Whether the claims of a certificate make the value that an answer says, and its bounds
/// where the score was asked for.
fn claims(checked: &Checked, rules: &dyn Rules, player: usize, result: &EarlierResult) -> bool {
    let at_least = |payoff| checked.holds(Claim { player, promise: Promise::AtLeast(payoff) });
    let below = |payoff| checked.holds(Claim { player, promise: Promise::Below(payoff) });
    let secures = |sought| rules.threshold(player, sought).is_some_and(at_least);
    // Where the game pays nothing that good, nobody gets it.
    let prevents = |sought| rules.threshold(player, sought).is_none_or(below);
    // Of two, who keeps the other from winning does not lose, also where play never ends.
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
