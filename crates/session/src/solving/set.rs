//! Files of positions that are solved line by line.

use super::certificate::ProofTo;
use super::earlier::{About, Earlier};
use super::observer::Observer;
use super::remote::{Answered, Refused, RemoteSet, shows};
use super::solution::{Solution, check_shortest};
use crate::files::{Asked, Existing, Force, Growing, Whole, check_distinct, json_line};
use crate::input::position_file::{Entry, PositionFile, Twice};
use crate::input::solver::Solver;
use crate::input::spec::find_game;
use crate::json::ErrorJson;
use crate::{Ended, Trouble, cut};
use proofwood::{Budget, CancelToken, Outcome, Turn};
use proofwood_any_game::{Position, Rules};
use std::collections::VecDeque;
use std::fs;
use std::path::{Path, PathBuf};

/// Shows the progress of solving a set of positions.
pub trait Watcher {
    /// Reads input, which may block for any length of time.
    fn wait<T>(&self, input: impl FnOnce() -> T) -> T {
        input()
    }

    /// Creates an observer of a search that is shown under this label.
    fn observer<'o>(&'o self, label: &'o str) -> Box<dyn Observer + 'o>;

    /// Shows the answer to a line; `json` is the answer as JSON, with a line feed.
    fn show(&self, entry: &Entry, answer: LineAnswer<'_>, json: &str) -> Result<(), Trouble>;

    /// Shows the numbers of solved and open lines, and how many an earlier run has answered.
    fn count(&self, solved: u64, open: u64, earlier: u64);

    /// Reports a problem that does not end the work.
    fn complain(&self, what: &str);
}

/// The answer to a line.
#[derive(Clone, Copy)]
pub enum LineAnswer<'a> {
    /// An answer found on this machine, with the position.
    Here(&'a Solution, &'a dyn Position),
    /// An answer found by another machine.
    Remote(&'a Answered),
    /// The reason why the line has no answer.
    Error(&'a str),
}

/// The arguments of `solve --positions`.
pub struct SetTask<'a> {
    /// The game of lines that do not name a game.
    pub game: Option<&'a str>,
    /// The path of the file; `-` for standard input.
    pub positions: &'a str,
    /// The file for the answers, if they are to be saved.
    pub out: Option<&'a Path>,
    /// Whether that file and existing certificates may be replaced.
    pub force: Force,
    /// The folder for certificates, if they are requested.
    pub certificates: Option<&'a Path>,
    /// Whether an earlier run is continued.
    pub resumes: bool,
    /// Whether the length of the shortest win is to be proven as well.
    pub shortest: bool,
    /// The solver for all lines.
    pub solver: Solver,
    /// The budget of each line.
    pub budget: Budget,
    /// A token that ends the whole run.
    pub cancel: CancelToken,
    /// The remote machines that solve the positions; `None` to solve them on this machine.
    pub remote: Option<Box<dyn RemoteSet>>,
}

/// A file of positions, ready to be solved.
pub struct Set<W> {
    /// The game of lines that do not name a game.
    game: Option<(String, Box<dyn Rules>)>,
    positions: PositionFile,
    shortest: bool,
    solver: Solver,
    budget: Budget,
    cancel: CancelToken,
    file: Option<Growing>,
    earlier: Earlier,
    /// The folder for certificates, and whether existing ones are replaced.
    certificates: Option<(PathBuf, Existing)>,
    counts: Counts,
    watcher: W,
    remote: Option<Box<dyn RemoteSet>>,
    /// Lines that were read and submitted ahead of their turn.
    ahead: VecDeque<Entry>,
    /// Whether all lines can be read at once, unlike those of a pipe.
    is_whole: bool,
}

/// The maximum number of lines submitted ahead of their turn. This is enough for a thousand
/// machines, and needs little memory.
const AHEAD: usize = 4096;

enum Solved {
    /// The game, the position and its answer.
    Here(String, Box<dyn Position>, Box<Solution>),
    Remotely(Box<Answered>),
}

/// The number of lines with each result.
#[derive(Debug, Default)]
pub struct Counts {
    answered: u64,
    solved: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    errors: u64,
    other_games: u64,
    /// Answered lines whose result comes from an earlier run.
    earlier: u64,
    /// Lines left without an answer because of Ctrl-C.
    left: u64,
}

impl<W: Watcher> Set<W> {
    /// Opens all files, and checks the results of an earlier run.
    pub fn prepare(task: SetTask<'_>, watcher: W) -> Result<Set<W>, Trouble> {
        let SetTask { positions: path, force, resumes, shortest, solver, remote, .. } = task;
        let game = task.game.map(find_game).transpose()?;
        let mut file = None;
        let mut earlier = Earlier::default();
        if let Some(out) = task.out {
            check_distinct("--out", out, Path::new(path))?;
            let existing = if resumes { Existing::Continued } else { force.existing() };
            let (option, resumable) = ("--out", Some("results"));
            let file =
                file.insert(Growing::open(Asked { option, path: out, existing, resumable })?);
            if resumes {
                earlier = Earlier::read(file, out)?;
            }
        }
        // To resume, the positions are read twice. With remote workers, lines are read ahead, so
        // the input must not depend on earlier answers.
        let twice = match earlier.is_empty() && remote.is_none() {
            true => None,
            false => Some(watcher.wait(|| Twice::new(path))?),
        };
        let positions = watcher.wait(|| match &twice {
            Some(twice) => twice.open(),
            None => PositionFile::open(path),
        })?;
        let certificates = task.certificates.map(|folder| proofs(folder, force, resumes));
        let set = Set {
            game,
            positions,
            shortest,
            solver,
            budget: task.budget.cancel(&task.cancel),
            cancel: task.cancel,
            file,
            earlier,
            certificates: certificates.transpose()?,
            counts: Counts::default(),
            watcher,
            remote,
            ahead: VecDeque::new(),
            is_whole: twice.is_some() || fs::metadata(path).is_ok_and(|data| data.is_file()),
        };
        if let Some(twice) = twice {
            set.watcher.wait(|| set.compare(twice.open()?))?;
        }
        Ok(set)
    }

    /// Checks all earlier results against their lines before anything is written, so that results
    /// of another set are never mixed with ours.
    fn compare(&self, mut positions: PositionFile) -> Result<(), Trouble> {
        let mut lines = self.earlier.lines();
        while let Some(entry) = positions.next()? {
            let Some(earlier) = self.earlier.of(entry.line) else { continue };
            if self.is_other_game(&entry) {
                continue;
            }
            let about = self.about(&entry);
            let about = about.map_err(|failure| {
                failure.about(&format!("--resume: line {} has a result but is invalid", entry.line))
            })?;
            earlier.compare(entry.line, &about).map_err(|failure| {
                let what = "use the file and options of that run, or another --out";
                Trouble::Input(format!("--resume: {failure}; {what}"))
            })?;
            lines.retain(|&line| line != entry.line);
        }
        match lines.first() {
            None => Ok(()),
            Some(line) => Err(Trouble::Input(format!(
                "--resume: line {line} has a result but no position; use the file and options of \
                 that run, or another --out"
            ))),
        }
    }

    /// Returns the game, position and question that a result for a line must be about.
    fn about(&self, entry: &Entry) -> Result<About, Trouble> {
        let (game, position) = self.find(entry)?;
        let (_, rules) = find_game(&game)?;
        let mover = mover(&*position);
        let solver = self.solver.fitting(&*position);
        let player = solver.player(mover);
        let least = |outcome| rules.threshold(player.unwrap_or(mover), outcome);
        Ok(About {
            id: entry.id.clone(),
            game,
            position: position.text(),
            goal: solver.goal_name(),
            algorithm: solver.algorithm_name(),
            player,
            least: [Outcome::Win, Outcome::Draw].map(least),
            at: position,
        })
    }

    /// Solves the lines in order. Returns the worst result of any line, and the counts.
    pub fn run(mut self) -> Result<(Ended, Counts), Trouble> {
        let (mut worst, mut any) = (Ended::Done, false);
        while !self.cancel.is_cancelled() {
            let Some(entry) = self.next()? else {
                if !any {
                    return Err(self.positions.is_empty());
                }
                break;
            };
            any = true;
            if self.is_other_game(&entry) {
                self.counts.other_games += 1;
                continue;
            }
            let outcome = match self.recall(&entry) {
                Some(outcome) => outcome,
                None => match self.solve(&entry) {
                    Ok(Some(solved)) => self.report(&entry, solved)?,
                    Ok(None) => {
                        self.counts.left += 1;
                        break;
                    }
                    Err(error) => self.refuse(&entry, error)?,
                },
            };
            worst = worst.max(outcome);
            let Counts { answered, solved, errors, earlier, .. } = self.counts;
            self.watcher.count(solved, answered - solved + errors, earlier);
        }
        if self.cancel.is_cancelled() {
            worst = worst.max(Ended::Interrupted);
            self.count_left();
            if self.remote.is_some() {
                let what = "the workers continue; run the same command with --resume to collect \
                            their answers";
                self.watcher.complain(what);
            }
        } else if let Some(remote) = &mut self.remote {
            remote.end()?;
        }
        Ok((worst, self.counts))
    }

    /// Counts the lines that were not reached, unless that would mean waiting for input.
    fn count_left(&mut self) {
        let mut ahead = std::mem::take(&mut self.ahead).into_iter();
        let mut next = || match ahead.next() {
            None if self.is_whole => self.positions.next().ok().flatten(),
            entry => entry,
        };
        let rest: Vec<Entry> = std::iter::from_fn(&mut next).collect();
        for entry in rest {
            if !self.is_other_game(&entry) && self.recall(&entry).is_none() {
                self.counts.left += 1;
            }
        }
    }

    /// Reads the next line. With remote workers, also submits the lines after it.
    fn next(&mut self) -> Result<Option<Entry>, Trouble> {
        if self.remote.is_none() {
            return self.watcher.wait(|| self.positions.next());
        }
        while self.ahead.len() < AHEAD && !self.cancel.is_cancelled() {
            let Some(entry) = self.positions.next()? else { break };
            let is_asked = !self.is_other_game(&entry) && self.earlier.of(entry.line).is_none();
            // An error in a line is reported when its turn comes.
            let found = if is_asked { self.find(&entry).ok() } else { None };
            let fits = |(game, position): &(String, Box<dyn Position>)| {
                !self.shortest || check_shortest(game, &**position).is_ok()
            };
            let found = found.filter(fits);
            if let (Some((game, _)), Some(remote)) = (found, &mut self.remote) {
                let folder = self.certificates.as_ref().map(|(folder, _)| folder);
                let proof = folder.map(|folder| folder.join(proof_name(entry.line)));
                let proof = proof.map(|path| path.display().to_string());
                remote.hand_out(&entry, &game, proof)?;
            }
            self.ahead.push_back(entry);
        }
        Ok(self.ahead.pop_front())
    }

    /// Returns whether a line names a game other than the one on the command line.
    fn is_other_game(&self, entry: &Entry) -> bool {
        self.game.as_ref().is_some_and(|(wanted, _)| entry.is_of_another_game(wanted))
    }

    /// Counts a line's result from an earlier run, if there is one.
    fn recall(&mut self, entry: &Entry) -> Option<Ended> {
        let result = self.earlier.of(entry.line)?;
        self.counts.count(&result.proven, result.solved);
        self.counts.earlier += 1;
        Some(if result.solved { Ended::Done } else { Ended::Unsolved })
    }

    fn find(&self, entry: &Entry) -> Result<(String, Box<dyn Position>), Trouble> {
        let text = entry.text.as_ref().map_err(|why| Trouble::Input(why.clone()))?;
        let own;
        let (game, rules) = match (&self.game, &entry.game) {
            (Some(game), _) => game,
            (None, Some(name)) => {
                own = find_game(name)?;
                &own
            }
            (None, None) => {
                return Err(Trouble::Input(
                    "this line names no game; add a column called game, or give the game before \
                     --positions"
                        .into(),
                ));
            }
        };
        let position = text.find(&**rules).map_err(Trouble::Input)?;
        Ok((game.clone(), position))
    }

    /// Solves a line's position, here or on another machine; returns `None` if the run was
    /// interrupted first.
    fn solve(&mut self, entry: &Entry) -> Result<Option<Solved>, Trouble> {
        let (game, position) = self.find(entry)?;
        if self.shortest {
            check_shortest(&game, &*position)?;
        }
        if let Some(mut remote) = self.remote.take() {
            let answered = self.collect(entry, &mut *remote);
            self.remote = Some(remote);
            return Ok(answered?.map(Box::new).map(Solved::Remotely));
        }
        let proof = self.claim_proof(entry)?;
        let mut proof =
            proof.map(|(name, file)| ProofTo { name, file, game: &game, cancel: &self.cancel });
        let label = format!("line {}", entry.line);
        let observer = self.watcher.observer(&label);
        let (solver, budget) = (&self.solver, &self.budget);
        let mut solution =
            Solution::find(&*position, solver, budget, &*observer, proof.as_mut(), None)?;
        if self.shortest {
            solution.find_shortest(&*position, budget)?;
        }
        drop((observer, proof));
        Ok(Some(Solved::Here(game, position, Box::new(solution))))
    }

    fn claim_proof(&self, entry: &Entry) -> Result<Option<(String, Whole)>, Trouble> {
        let Some((folder, existing)) = &self.certificates else { return Ok(None) };
        let path = folder.join(proof_name(entry.line));
        let (option, existing) = ("--certificate", *existing);
        let file = Whole::claim_file(Asked { option, path: &path, existing, resumable: None })?;
        Ok(Some((path.display().to_string(), file)))
    }

    /// Waits for a remote answer and verifies it. An invalid answer is rejected, and the line is
    /// solved again.
    fn collect(
        &self,
        entry: &Entry,
        remote: &mut dyn RemoteSet,
    ) -> Result<Option<Answered>, Trouble> {
        let (about, line) = (self.about(entry)?, entry.line);
        let (_, rules) = find_game(&about.game)?;
        let mover = mover(&*about.at);
        let mut proof = self.claim_proof(entry)?;
        loop {
            let Some(collected) = remote.collect(line, &self.cancel)? else {
                return Ok(None);
            };
            let worker = collected.worker.clone();
            if let Err(refused) = collected.answer {
                // If the line itself is invalid, the same error occurs on this machine.
                if let Err(failure) = self.solver.try_out(&*about.at) {
                    remote.forget(line)?;
                    return Err(failure);
                }
                pass_on(remote, line, &worker, refused)?;
                continue;
            }
            let (json, result) = match collected.read(line, &about) {
                Ok(read) => read,
                Err(why) => {
                    remote.throw_out(line, &why)?;
                    continue;
                }
            };
            let mut lacks_proof = false;
            if let Some((_, file)) = &mut proof {
                lacks_proof = result.solved && !collected.has_proof;
                if lacks_proof {
                    let said = &result.proven;
                    let what = format!("{worker} sent no certificate, so '{said}' is unchecked");
                    self.watcher.complain(&format!("line {line}: {what}"));
                }
                if collected.has_proof {
                    let made = file.begin()?;
                    if let Err(failure) = remote.copy_proof(line, made) {
                        // The server may have lost the certificate.
                        let refused = Refused { is_input: false, why: failure.to_string() };
                        pass_on(remote, line, &worker, refused)?;
                        continue;
                    }
                    if let Err(why) = shows(file, &*rules, &about, &result, mover) {
                        remote.throw_out(line, &why)?;
                        continue;
                    }
                    file.finish()?;
                }
            }
            return Ok(Some(Answered { json, result, worker, lacks_proof }));
        }
    }

    /// Writes, shows and counts a result.
    fn report(&mut self, entry: &Entry, solved: Solved) -> Result<Ended, Trouble> {
        match &solved {
            Solved::Here(game, position, solution) => {
                let text = position.text();
                let json = solution.json(game, &text, Some(entry.line), entry.id.as_deref());
                self.tell(entry, LineAnswer::Here(solution, &**position), &json_line(&json)?)?;
                self.counts.count(solution.value(), solution.is_solved());
                Ok(solution.outcome())
            }
            // The answer is written exactly as it was received.
            Solved::Remotely(answered) => {
                self.tell(entry, LineAnswer::Remote(answered), &format!("{}\n", answered.json))?;
                self.counts.count(&answered.result.proven, answered.result.solved);
                Ok(answered.outcome())
            }
        }
    }

    /// Writes a line of JSON to the file, if there is one, and shows the answer.
    fn tell(&mut self, entry: &Entry, answer: LineAnswer<'_>, json: &str) -> Result<(), Trouble> {
        if let Some(file) = &mut self.file {
            file.line(json.trim_end_matches('\n'))?;
        }
        self.watcher.show(entry, answer, json)
    }

    fn refuse(&mut self, entry: &Entry, error: Trouble) -> Result<Ended, Trouble> {
        let outcome = match error {
            Trouble::Input(_) => Ended::BadLines,
            _ => Ended::Failed,
        };
        let error = cut(&error.to_string());
        let (what, is_header) = self.positions.wrong(entry, &error);
        if is_header {
            return Err(what);
        }
        self.watcher.complain(&what.to_string());
        self.counts.errors += 1;
        let game = self.game.as_ref().map(|(name, _)| name.as_str()).or(entry.game.as_deref());
        let json = ErrorJson { line: entry.line, id: entry.id.as_deref(), game, error: &error };
        let json = json_line(&json)?;
        self.tell(entry, LineAnswer::Error(&error), &json)?;
        Ok(outcome)
    }
}

/// Returns the player to whom the result applies: the player to move, or the first player at a
/// chance node.
fn mover(position: &dyn Position) -> usize {
    match position.turn() {
        Turn::Player(player) => player,
        _ => 0,
    }
}

/// Submits a line again to workers other than the one that failed. Returns the failure as an error
/// if a second worker has failed or no other worker is left.
fn pass_on(
    remote: &mut dyn RemoteSet,
    line: u64,
    worker: &str,
    refused: Refused,
) -> Result<(), Trouble> {
    let failure = Trouble::Failed(format!("{} (reported by {worker})", refused.why));
    match remote.pass_on(line, worker, refused)? {
        true => Err(failure),
        false => Ok(()),
    }
}

fn lines(number: u64) -> String {
    if number == 1 { "1 line".into() } else { format!("{number} lines") }
}

/// Creates the folder for certificates. Refuses a folder that already contains certificates, unless
/// they may be replaced or the run resumes.
fn proofs(folder: &Path, force: Force, resumes: bool) -> Result<(PathBuf, Existing), Trouble> {
    let unusable = |error| Trouble::Input(format!("--certificate {}: {error}", folder.display()));
    fs::create_dir_all(folder).map_err(unusable)?;
    let existing = if resumes { Existing::Replaced } else { force.existing() };
    if existing == Existing::Kept {
        for entry in fs::read_dir(folder).map_err(unusable)? {
            let name = entry.map_err(unusable)?.file_name();
            let name = name.to_string_lossy();
            if name.starts_with("line-") && name.ends_with(".proof") {
                return Err(Trouble::Input(format!(
                    "{} already contains {name}; use --force to replace it, or give another \
                     folder to --certificate",
                    folder.display()
                )));
            }
        }
    }
    Ok((folder.to_path_buf(), existing))
}

fn proof_name(line: u64) -> String {
    format!("line-{line}.proof")
}

impl Counts {
    fn count(&mut self, value: &str, solved: bool) {
        self.answered += 1;
        self.solved += u64::from(solved);
        match value {
            "win" => self.wins += 1,
            "draw" => self.draws += 1,
            "loss" => self.losses += 1,
            _ => {}
        }
    }

    /// Formats the counts for users; `time` is the duration of the run.
    pub fn text(&self, time: &str) -> String {
        let Counts { answered, solved, wins, draws, losses, errors, other_games, earlier, left } =
            self;
        let all = answered + left;
        let mut text = format!(
            "\n{solved} of {all} solved ({wins} won, {draws} drawn, {losses} lost) in {time}"
        );
        if *left > 0 {
            text.push_str(&format!("; {} not reached", lines(*left)));
        }
        if *earlier > 0 {
            text.push_str(&format!("; {earlier} answered by an earlier run"));
        }
        if *errors > 0 {
            text.push_str(&format!("; {} could not be answered", lines(*errors)));
        }
        if *other_games > 0 {
            text.push_str(&format!("; {} for other games skipped", lines(*other_games)));
        }
        text + "\n"
    }
}
