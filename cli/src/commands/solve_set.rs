//! `proofwood solve --positions`: the values of all positions in a file.

use super::solve::Solve;
use crate::certificate::ProofTo;
use crate::exit::{Failure, Outcome, complain};
use crate::figures;
use crate::interrupt::Interrupt;
use crate::live::{SetBar, Watch};
use crate::output::ErrorJson;
use crate::position_file::{Entry, PositionFile};
use crate::positions::find_game;
use crate::print::{Printer, ResultFile, check_distinct, check_unused};
use crate::provers::Solver;
use crate::resume::{About, Earlier};
use crate::solution::Solution;
use proofwood::Budget;
use proofwood_any_game::{Position, Rules};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// A file of positions, ready to be solved.
pub(super) struct Set {
    /// The game of lines that name none.
    game: Option<(String, Box<dyn Rules>)>,
    positions: PositionFile,
    solver: Solver,
    budget: Budget,
    interrupt: Interrupt,
    json: bool,
    file: Option<ResultFile>,
    /// What was answered before.
    earlier: Earlier,
    /// The folder for certificates.
    certificates: Option<PathBuf>,
    tally: Tally,
    bar: SetBar,
}

/// The search of a line that held a position.
struct Solved {
    game: String,
    position: String,
    solution: Solution,
}

/// What has come of the positions so far.
#[derive(Default)]
struct Tally {
    answered: u64,
    settled: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    errors: u64,
    other_games: u64,
    /// Of the answered ones, those that an earlier run has left.
    earlier: u64,
}

impl Set {
    /// Opens the files.
    pub(super) fn prepare(
        solve: &Solve,
        path: &str,
        solver: Solver,
        budget: Budget,
    ) -> Result<Set, Failure> {
        let game = solve.game.as_deref().map(find_game).transpose()?;
        let interrupt = Interrupt::catch()?;
        let positions = interrupt.wait_for(|| PositionFile::open(path))?;
        let (earlier, file) = match solve.report.out.as_deref() {
            None => (Earlier::default(), None),
            Some(out) => {
                check_distinct("--out", out, Path::new(path))?;
                if !solve.resume {
                    check_unused("--out", out, "results")?;
                }
                match solve.resume {
                    true => Earlier::read(out).map(|(earlier, file)| (earlier, Some(file)))?,
                    false => (Earlier::default(), Some(ResultFile::create(out)?)),
                }
            }
        };
        let budget = budget.cancel(interrupt.token());
        let json = solve.report.json;
        let tally = Tally::default();
        let certificates = solve.certificate.clone();
        if let Some(folder) = &certificates {
            fs::create_dir_all(folder).map_err(|error| {
                Failure::Input(format!("--certificate {}: {error}", folder.display()))
            })?;
        }
        let bar = SetBar::new(PositionFile::count(path).unwrap_or(0));
        Ok(Set {
            game,
            positions,
            solver,
            budget,
            interrupt,
            json,
            file,
            earlier,
            certificates,
            tally,
            bar,
        })
    }

    /// Answers line by line.
    pub(super) fn run(mut self, printer: &mut Printer) -> Result<Outcome, Failure> {
        let started = Instant::now();
        let (mut worst, mut any) = (Outcome::Done, false);
        while !self.interrupt.is_raised() {
            let next = self.interrupt.wait_for(|| self.positions.next())?;
            let Some(entry) = next else {
                if !any {
                    return Err(self.positions.is_empty());
                }
                break;
            };
            any = true;
            if self.is_other_game(&entry) {
                self.tally.other_games += 1;
                continue;
            }
            let outcome = match self.recall(&entry)? {
                Some(outcome) => outcome,
                None => match self.solve(&entry) {
                    Ok(solved) => self.report(&entry, solved, printer)?,
                    Err(error) => self.refuse(&entry, &error, printer)?,
                },
            };
            worst = worst.max(outcome);
            let Tally { answered, settled, errors, earlier, .. } = self.tally;
            self.bar.update(settled, answered - settled + errors, earlier);
        }
        if self.interrupt.is_raised() {
            worst = worst.max(Outcome::Interrupted);
        }
        if self.earlier.len() > 0 {
            complain(&format!(
                "{} of the earlier results are about lines that were not read",
                self.earlier.len()
            ));
        }
        if !self.json {
            printer.text(&self.tally.text(&figures::time(started.elapsed())))?;
        }
        Ok(worst)
    }

    /// Whether a line's column `game` names a game other than the one asked
    /// for. A name that no game has is a label, not a game.
    fn is_other_game(&self, entry: &Entry) -> bool {
        let Some((wanted, _)) = &self.game else { return false };
        let Some(name) = &entry.game else { return false };
        let plain = |spec: &str| {
            let name = spec.split(':').next().unwrap_or("");
            name.chars().filter(char::is_ascii_alphanumeric).collect::<String>()
        };
        !plain(name).eq_ignore_ascii_case(&plain(wanted)) && find_game(name).is_ok()
    }

    /// Takes the answer for a line from an earlier run.
    fn recall(&mut self, entry: &Entry) -> Result<Option<Outcome>, Failure> {
        let mut earlier = std::mem::take(&mut self.earlier);
        let now = || {
            let (game, position) = self.find(entry)?;
            Ok(About {
                game,
                position: position.text(),
                goal: self.solver.fitting(&*position).goal_name(),
                algorithm: self.solver.algorithm_name(),
            })
        };
        let result = earlier.take(entry.line, now);
        self.earlier = earlier;
        Ok(result?.map(|result| {
            self.tally.count(&result.value, result.settled);
            self.tally.earlier += 1;
            if result.settled { Outcome::Done } else { Outcome::Unsettled }
        }))
    }

    /// The game and the position of a line.
    fn find(&self, entry: &Entry) -> Result<(String, Box<dyn Position>), Failure> {
        let text = entry.text.as_ref().map_err(|why| Failure::Input(why.clone()))?;
        let own;
        let (game, rules) = match (&self.game, &entry.game) {
            (Some(game), _) => game,
            (None, Some(name)) => {
                own = find_game(name)?;
                &own
            }
            (None, None) => {
                return Err(Failure::Input(
                    "no column game says which game this is; give the game before --positions"
                        .into(),
                ));
            }
        };
        let position = text.find(&**rules).map_err(Failure::Input)?;
        Ok((game.clone(), position))
    }

    /// Searches the position of a line.
    fn solve(&self, entry: &Entry) -> Result<Solved, Failure> {
        let (game, position) = self.find(entry)?;
        let label = format!("line {}  ", entry.line);
        let path = self.certificates.as_ref().map(|folder| folder.join(proof_name(entry)));
        let proof = path.as_deref().map(|path| ProofTo {
            path,
            game: &game,
            cancel: self.interrupt.token(),
        });
        let watch = Watch { label: &label, bar: Some(&self.bar) };
        let (solver, budget) = (&self.solver, &self.budget);
        let solution = Solution::find(&*position, solver, budget, watch, proof.as_ref())?;
        Ok(Solved { position: position.text(), game, solution })
    }

    /// Prints what a search found.
    fn report(
        &mut self,
        entry: &Entry,
        solved: Solved,
        printer: &mut Printer,
    ) -> Result<Outcome, Failure> {
        let Solved { game, position, solution } = solved;
        let json = solution.json(&game, &position, Some(entry.line), entry.id.as_deref());
        if let Some(file) = &mut self.file {
            file.json(&json)?;
        }
        self.bar.suspend(|| match self.json {
            true => printer.json(&json),
            false => printer.text(&solution.line(&label(entry))),
        })?;
        self.tally.count(solution.value(), solution.is_settled());
        Ok(solution.outcome())
    }

    /// Answers a line that could not be solved.
    fn refuse(
        &mut self,
        entry: &Entry,
        error: &Failure,
        printer: &mut Printer,
    ) -> Result<Outcome, Failure> {
        let outcome = match error {
            Failure::Input(_) => Outcome::BadLines,
            _ => Outcome::Failed,
        };
        let error = error.to_string();
        let what = format!("{}, line {}: {error}", self.positions.name, entry.line);
        self.bar.suspend(|| complain(&what));
        self.tally.errors += 1;
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

fn lines(number: u64) -> String {
    if number == 1 { "1 line".into() } else { format!("{number} lines") }
}

/// The name of the file for a line's certificate.
fn proof_name(entry: &Entry) -> String {
    format!("line-{}.proof", entry.line)
}

/// What people know a line by.
fn label(entry: &Entry) -> String {
    entry.id.clone().unwrap_or_else(|| entry.line.to_string())
}

impl Tally {
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
        let Tally { answered, settled, wins, draws, losses, errors, other_games, earlier } = self;
        let mut text = format!(
            "\n{settled} of {answered} settled ({wins} won, {draws} drawn, {losses} lost) in {time}"
        );
        if *earlier > 0 {
            text.push_str(&format!("; {earlier} of them by an earlier run"));
        }
        if *errors > 0 {
            text.push_str(&format!("; {} could not be answered", lines(*errors)));
        }
        if *other_games > 0 {
            text.push_str(&format!("; {} of other games left out", lines(*other_games)));
        }
        text + "\n"
    }
}
