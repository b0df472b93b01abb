//! `proofwood solve --positions`: solves all positions in a file.

use super::live::Shown;
use super::report_to::ReportTo;
use super::solution_text;
use crate::exit::complain;
use crate::terminal::interrupt::Interrupt;
use crate::terminal::is_watched;
use crate::terminal::print::Printer;
use crate::terminal::progress::{SetBar, Watch};
use proofwood::{Budget, Outcome, Turn};
use proofwood_any_game::{Position, Rules};
use proofwood_session::files::{Asked, Existing, Force, Growing, Whole, check_distinct};
use proofwood_session::input::position_file::{Entry, PositionFile, Twice};
use proofwood_session::input::solver::Solver;
use proofwood_session::input::spec::find_game;
use proofwood_session::json::ErrorJson;
use proofwood_session::solving::certificate::ProofTo;
use proofwood_session::solving::earlier::{About, Earlier};
use proofwood_session::solving::remote::{Answered, Refused, RemoteSet, shows};
use proofwood_session::solving::solution::{Solution, check_shortest};
use proofwood_session::words::numbers;
use proofwood_session::{Ended, Trouble, cut};
use std::collections::VecDeque;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The arguments of `solve --positions`.
pub(crate) struct SetTask<'a> {
    pub(crate) game: Option<&'a str>,
    pub(crate) positions: &'a str,
    pub(crate) report: &'a ReportTo,
    pub(crate) certificates: Option<&'a Path>,
    /// Whether an earlier run is continued.
    pub(crate) resumes: bool,
    /// Whether the length of the shortest win is proven, too.
    pub(crate) shortest: bool,
    pub(crate) solver: Solver,
    pub(crate) budget: Budget,
    /// The machines that solve the positions, if this one does not.
    pub(crate) remote: Option<Box<dyn RemoteSet>>,
}

pub(crate) struct Set {
    game: Option<(String, Box<dyn Rules>)>,
    positions: PositionFile,
    shortest: bool,
    solver: Solver,
    budget: Budget,
    interrupt: Interrupt,
    json: bool,
    file: Option<Growing>,
    earlier: Earlier,
    /// The folder for certificates, and whether existing ones are replaced.
    certificates: Option<(PathBuf, Existing)>,
    counts: Counts,
    bar: SetBar,
    remote: Option<Box<dyn RemoteSet>>,
    /// Lines that were read and handed out ahead of their turn.
    ahead: VecDeque<Entry>,
    /// Whether all lines can be read at once, unlike those of a pipe.
    is_whole: bool,
}

/// The number of lines handed out ahead of their turn: enough for a thousand machines, in little
/// memory.
const AHEAD: usize = 4096;

enum Solved {
    Here(Box<SolvedHere>),
    Remotely(Box<Answered>),
}

struct SolvedHere {
    game: String,
    position: String,
    solution: Solution,
    /// The length of the shortest win, in words.
    shortest: String,
}

/// The numbers of lines by their result.
#[derive(Default)]
struct Counts {
    answered: u64,
    settled: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    errors: u64,
    other_games: u64,
    /// Answered lines whose result comes from an earlier run.
    earlier: u64,
    /// Lines that Ctrl-C left without an answer.
    left: u64,
}

impl Set {
    pub(crate) fn prepare(task: SetTask<'_>) -> Result<Set, Trouble> {
        let SetTask { game, positions: path, report, certificates, solver, budget, .. } = task;
        let remote = task.remote;
        let (resumes, shortest) = (task.resumes, task.shortest);
        let game = game.map(find_game).transpose()?;
        let interrupt = Interrupt::catch()?;
        if let Some(out) = report.file() {
            check_distinct("--out", out, Path::new(path))?;
        }
        let mut file = report.open(Some("results"), resumes)?;
        let earlier = match (&mut file, report.file()) {
            (Some(file), Some(out)) if resumes => Earlier::read(file, out)?,
            _ => Earlier::default(),
        };
        // To resume, the positions are read twice. With remote workers lines are read ahead, so
        // each must be available before the one before it is answered.
        let twice = match earlier.is_empty() && remote.is_none() {
            true => None,
            false => Some(interrupt.wait_for(|| Twice::new(path))?),
        };
        let open = || match &twice {
            Some(twice) => twice.open(),
            None => PositionFile::open(path),
        };
        let positions = interrupt.wait_for(open)?;
        let budget = budget.cancel(interrupt.token());
        let json = report.is_json();
        let counts = Counts::default();
        let claim = |folder| proofs(folder, report.force, resumes);
        let certificates = certificates.map(claim).transpose()?;
        let lines = || PositionFile::count(path).unwrap_or(0);
        let bar = SetBar::new(if is_watched() { interrupt.wait_for(lines) } else { 0 });
        let set = Set {
            game,
            positions,
            shortest,
            solver,
            budget,
            interrupt,
            json,
            file,
            earlier,
            certificates,
            counts,
            bar,
            remote,
            ahead: VecDeque::new(),
            is_whole: twice.is_some() || fs::metadata(path).is_ok_and(|data| data.is_file()),
        };
        if let Some(twice) = twice {
            set.interrupt.wait_for(|| set.compare(twice.open()?))?;
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
                failure.about(&format!("--resume: line {} has a result, but now", entry.line))
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

    pub(crate) fn run(mut self, printer: &mut Printer) -> Result<Ended, Trouble> {
        let started = Instant::now();
        let (mut worst, mut any) = (Ended::Done, false);
        while !self.interrupt.is_raised() {
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
                    Ok(Some(solved)) => self.report(&entry, solved, printer)?,
                    Ok(None) => {
                        self.counts.left += 1;
                        break;
                    }
                    Err(error) => self.refuse(&entry, error, printer)?,
                },
            };
            worst = worst.max(outcome);
            let Counts { answered, settled, errors, earlier, .. } = self.counts;
            self.bar.update(settled, answered - settled + errors, earlier);
        }
        if self.interrupt.is_raised() {
            worst = worst.max(Ended::Interrupted);
            self.count_left();
            if self.remote.is_some() {
                let what = "the workers continue; run the same command with --resume to collect \
                            their answers";
                complain(&what);
            }
        } else if let Some(remote) = &mut self.remote {
            remote.end()?;
        }
        if !self.json {
            printer.text(&self.counts.text(&numbers::time(started.elapsed())))?;
        }
        Ok(worst)
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

    /// Reads the next line. With remote workers, the lines after it are handed out.
    fn next(&mut self) -> Result<Option<Entry>, Trouble> {
        if self.remote.is_none() {
            return self.interrupt.wait_for(|| self.positions.next());
        }
        while self.ahead.len() < AHEAD && !self.interrupt.is_raised() {
            let Some(entry) = self.positions.next()? else { break };
            let is_asked = !self.is_other_game(&entry) && self.earlier.of(entry.line).is_none();
            // An error in a line is reported in its turn.
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

    /// Returns whether a line names another game than the command line.
    fn is_other_game(&self, entry: &Entry) -> bool {
        self.game.as_ref().is_some_and(|(wanted, _)| entry.is_of_another_game(wanted))
    }

    /// Takes a line's result from an earlier run.
    fn recall(&mut self, entry: &Entry) -> Option<Ended> {
        let result = self.earlier.of(entry.line)?;
        self.counts.count(&result.proven, result.settled);
        self.counts.earlier += 1;
        Some(if result.settled { Ended::Done } else { Ended::Unsettled })
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
                    "this line names no game; add a column game, or give the game before \
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
        let label = format!("line {}  ", entry.line);
        let (game_name, cancel) = (game.as_str(), self.interrupt.token());
        let proof = self.claim_proof(entry)?;
        let mut proof = proof.map(|(name, file)| ProofTo { name, file, game: game_name, cancel });
        let watch = Watch { label: &label, bar: Some(&self.bar) };
        let shown = Shown::new(watch);
        let (solver, budget) = (&self.solver, &self.budget);
        let proof = proof.as_mut();
        let mut solution = Solution::find(&*position, solver, budget, &shown, proof, None)?;
        let mut shortest = String::new();
        if self.shortest {
            solution.find_shortest(&*position, budget)?;
            shortest = solution_text::shortest_text(&solution, &position.view());
        }
        let position = position.text();
        let solved = SolvedHere { position, game, solution, shortest };
        Ok(Some(Solved::Here(Box::new(solved))))
    }

    fn claim_proof(&self, entry: &Entry) -> Result<Option<(String, Whole)>, Trouble> {
        let Some((folder, existing)) = &self.certificates else { return Ok(None) };
        let path = folder.join(proof_name(entry.line));
        let (option, existing) = ("--certificate", *existing);
        let file = Whole::claim_file(Asked { option, path: &path, existing, resumable: None })?;
        Ok(Some((path.display().to_string(), file)))
    }

    /// Waits for a remote answer and verifies it. An answer that does not hold is rejected, and the
    /// line is solved again.
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
            let Some(collected) = remote.collect(line, self.interrupt.token())? else {
                return Ok(None);
            };
            let worker = collected.worker.clone();
            if let Err(refused) = collected.answer {
                // If the line itself is at fault, the same error occurs here.
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
                lacks_proof = result.settled && !collected.has_proof;
                if lacks_proof {
                    let said = &result.proven;
                    let what = format!("{worker} sent no certificate, so '{said}' is unchecked");
                    self.bar.suspend(|| complain(&format!("line {line}: {what}")));
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

    fn report(
        &mut self,
        entry: &Entry,
        solved: Solved,
        printer: &mut Printer,
    ) -> Result<Ended, Trouble> {
        let SolvedHere { game, position, solution, shortest } = match solved {
            Solved::Here(solved) => *solved,
            Solved::Remotely(answered) => return self.report_answered(entry, &answered, printer),
        };
        let json = solution.json(&game, &position, Some(entry.line), entry.id.as_deref());
        if let Some(file) = &mut self.file {
            file.json(&json)?;
        }
        self.bar.suspend(|| match self.json {
            true => printer.json(&json),
            false => printer.text(&(solution_text::line(&solution, &label(entry)) + &shortest)),
        })?;
        self.counts.count(solution.value(), solution.is_settled());
        Ok(solution.outcome())
    }

    /// Prints a remote machine's answer word for word.
    fn report_answered(
        &mut self,
        entry: &Entry,
        answered: &Answered,
        printer: &mut Printer,
    ) -> Result<Ended, Trouble> {
        if let Some(file) = &mut self.file {
            file.line(&answered.json)?;
        }
        self.bar.suspend(|| match self.json {
            true => printer.text(&format!("{}\n", answered.json)),
            false => printer.text(&solution_text::line_of_other(answered, &label(entry))),
        })?;
        self.counts.count(&answered.result.proven, answered.result.settled);
        Ok(answered.outcome())
    }

    fn refuse(
        &mut self,
        entry: &Entry,
        error: Trouble,
        printer: &mut Printer,
    ) -> Result<Ended, Trouble> {
        let outcome = match error {
            Trouble::Input(_) => Ended::BadLines,
            _ => Ended::Failed,
        };
        let error = cut(&error.to_string());
        let (what, is_header) = self.positions.wrong(entry, &error);
        if is_header {
            return Err(what);
        }
        self.bar.suspend(|| complain(&what));
        self.counts.errors += 1;
        let game = self.game.as_ref().map(|(name, _)| name.as_str()).or(entry.game.as_deref());
        let id = entry.id.as_deref();
        let json = ErrorJson { line: entry.line, id, game, error: &error };
        if let Some(file) = &mut self.file {
            file.json(&json)?;
        }
        self.bar.suspend(|| match self.json {
            true => printer.json(&json),
            false => printer.text(&format!("{:<8} error: {error}\n", label(entry))),
        })?;
        Ok(outcome)
    }
}

/// Returns the player to move, whom a result is about; the first at a chance node.
fn mover(position: &dyn Position) -> usize {
    match position.turn() {
        Turn::Player(player) => player,
        _ => 0,
    }
}

/// Hands a line out again, to other workers than the one that failed. Returns the failure as an
/// error if a second worker has failed or no other is left.
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

/// Makes the folder for certificates. Refuses a folder that holds some already, unless they may be
/// replaced or the run resumes.
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

/// Returns a line's name in messages: its id, else its number.
fn label(entry: &Entry) -> String {
    entry.id.as_deref().map_or_else(|| entry.line.to_string(), cut)
}

impl Counts {
    fn count(&mut self, value: &str, settled: bool) {
        self.answered += 1;
        self.settled += u64::from(settled);
        match value {
            "win" => self.wins += 1,
            "draw" => self.draws += 1,
            "loss" => self.losses += 1,
            _ => {}
        }
    }

    fn text(&self, time: &str) -> String {
        let Counts { answered, settled, wins, draws, losses, errors, other_games, earlier, left } =
            self;
        let all = answered + left;
        let mut text = format!(
            "\n{settled} of {all} solved ({wins} won, {draws} drawn, {losses} lost) in {time}"
        );
        if *left > 0 {
            text.push_str(&format!("; {} not reached", lines(*left)));
        }
        if *earlier > 0 {
            text.push_str(&format!("; {earlier} of them by an earlier run"));
        }
        if *errors > 0 {
            text.push_str(&format!("; {} could not be answered", lines(*errors)));
        }
        if *other_games > 0 {
            text.push_str(&format!("; {} of other games skipped", lines(*other_games)));
        }
        text + "\n"
    }
}
