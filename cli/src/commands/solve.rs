//! `proofwood solve`: the value of a position, or of a file of them.

use super::search::{One, ReportTo, Searched, audit_text, outcome, search};
use crate::certificate::ProofTo;
use crate::exit::{Failure, Outcome, complain};
use crate::interrupt::Interrupt;
use crate::limits::Limits;
use crate::live::{SetBar, Watch};
use crate::options::{SearchOptions, with_default};
use crate::output::{ErrorJson, SearchJson, goal_name, is_settled};
use crate::position_file::{Entry, PositionFile};
use crate::positions::{Place, Start, find_game};
use crate::print::{Printer, ResultFile, check_distinct};
use crate::resume::Earlier;
use crate::rules::{Position, Rules};
use crate::{figures, table};
use proofwood::{Budget, Chance, Config, Goal};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Prove the value of a position
///
/// Like search, but without a limit unless one is given: runs until the
/// question is settled or the memory is full. With three players or more the
/// question is what the side to move can force against all others (--paranoid).
/// Of a game with chance the expected payoff is solved, unless --goal says otherwise.
#[derive(clap::Args, Debug)]
#[command(mut_arg("paranoid", |argument| with_default(argument, "on")))]
#[command(mut_arg("c-pn", |argument| with_default(argument, "1")))]
#[command(after_help = "Examples:
  proofwood solve tic-tac-toe
  proofwood solve connect-four --moves 43655644233456
  proofwood solve othello:4 --goal score
  proofwood solve ewn:3 --moves \"2 c1b2 1\"
  proofwood solve connect-four --positions set.csv --time 10s --json > results.jsonl
  proofwood solve connect-four --positions set.csv --time 10s --out results.jsonl --resume
  proofwood solve connect-four -m 43655644233456 --certificate draw.proof

A file of positions is CSV with a header that names a column position or moves
(or moves_1based and the like), or has one position or list of moves a line.
Blank lines and lines that begin with # are left out. A column id is repeated in
the answers. Where a column game names another game, the line is left out; where
no game is given, the column decides. Limits hold for each position. Answers come
in the order of the lines; a bad line is answered by an error. Each result is on
the disk before the next search starts: with --resume a run that was killed goes on
behind its last result.

Exit status: 0 when every position is settled, 10 when one is not, 2 for a bad
line, 1 for a failure, 130 after Ctrl-C.")]
pub(crate) struct Solve {
    /// The game with its options after a colon; `proofwood games` lists them all
    #[arg(required_unless_present = "positions")]
    game: Option<String>,
    #[command(flatten)]
    place: Place,
    /// Solve every position of a file, - for standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["moves", "position"])]
    positions: Option<String>,
    /// Go on where an earlier run with the same --positions and --out has ended,
    /// however it did
    #[arg(long, requires_all = ["positions", "out"])]
    resume: bool,
    #[command(flatten)]
    report: ReportTo,
    /// Write the proof to a file, for proofwood check; with --positions, to a
    /// folder, as line-N.proof for each line
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    options: SearchOptions,
}

impl Solve {
    /// Solves and prints the answers.
    pub(crate) fn run(self, printer: &mut Printer) -> Result<Outcome, Failure> {
        let budget = self.limits.budget(None)?;
        let config = self.options.apply(Config::proving())?;
        if config.chance == Chance::Open {
            let why = "--chance open proves nothing, so that solve would never end; use search";
            return Err(Failure::Input(why.into()));
        }
        let goal_given = self.options.gives("goal");
        if let Some(path) = &self.positions {
            return Set::prepare(&self, path, config, goal_given, budget)?.run(printer);
        }
        let game = self.game.unwrap_or_default();
        let start = Start { game, place: self.place };
        let mut one = One::prepare(&start, &self.report, config, budget, self.certificate)?;
        one.reconsider(|position, config| usual_goal(position, config, goal_given));
        let done = one.run(printer)?;
        Ok(match done.outcome {
            Outcome::Done if !done.settled => Outcome::Unsettled,
            other => other,
        })
    }
}

/// A configuration with the goal that fits the game, unless one was given: who
/// wins for certain is rarely the question where dice are rolled.
fn usual_goal(position: &dyn Position, config: &Config, given: bool) -> Config {
    let score = position.has_chance() && config.score_bounds && !given;
    config.clone().goal(if score { Goal::Score } else { config.goal })
}

/// A file of positions, ready to be solved.
struct Set {
    /// The game of lines that name none.
    game: Option<(String, Box<dyn Rules>)>,
    positions: PositionFile,
    config: Config,
    goal_given: bool,
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
    config: Config,
    found: Searched,
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
    fn prepare(
        solve: &Solve,
        path: &str,
        config: Config,
        goal_given: bool,
        budget: Budget,
    ) -> Result<Set, Failure> {
        let game = solve.game.as_deref().map(find_game).transpose()?;
        let interrupt = Interrupt::catch()?;
        let positions = interrupt.wait_for(|| PositionFile::open(path))?;
        let (earlier, file) = match solve.report.out.as_deref() {
            None => (Earlier::default(), None),
            Some(out) => {
                check_distinct(out, Path::new(path))?;
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
            config,
            goal_given,
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
    fn run(mut self, printer: &mut Printer) -> Result<Outcome, Failure> {
        let started = Instant::now();
        let mut worst = Outcome::Done;
        while !self.interrupt.is_raised() {
            let next = self.interrupt.wait_for(|| self.positions.next())?;
            let Some(entry) = next else { break };
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
            let config = usual_goal(&*position, &self.config, self.goal_given);
            Ok((game, position.text(), goal_name(config.goal)))
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
        let config = usual_goal(&*position, &self.config, self.goal_given);
        let found = search(&*position, &config, &self.budget, watch, proof.as_ref())?;
        Ok(Solved { position: position.text(), game, config, found })
    }

    /// Prints what a search found.
    fn report(
        &mut self,
        entry: &Entry,
        solved: Solved,
        printer: &mut Printer,
    ) -> Result<Outcome, Failure> {
        let Solved { game, position, config, found } = solved;
        let Searched { answer, audit, certificate } = found;
        let outcome = outcome(&answer, audit.as_ref());
        let mut json = SearchJson::new(&game, &position, &config, &answer);
        json.line = Some(entry.line);
        json.id = entry.id.as_deref();
        json.audit = audit.map(audit_text);
        json.certificate = certificate;
        if let Some(file) = &mut self.file {
            file.json(&json)?;
        }
        self.bar.suspend(|| match self.json {
            true => printer.json(&json),
            false => printer.text(&table::result_line(&label(entry), &answer, config.goal)),
        })?;
        let settled = is_settled(&answer, config.goal);
        self.tally.count(answer.value.name(), settled);
        Ok(if settled { outcome } else { outcome.max(Outcome::Unsettled) })
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
