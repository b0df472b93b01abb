//! `proofwood solve`: the value of a position, or of a file of them.

use super::search::{AuditResult, One, ReportTo, audit_text, outcome, search};
use crate::exit::{Failure, Outcome, complain};
use crate::interrupt::Interrupt;
use crate::limits::Limits;
use crate::options::{SearchOptions, with_default};
use crate::output::{ErrorJson, SearchJson, is_settled};
use crate::position_file::{Entry, PositionFile};
use crate::positions::{Place, Start, find_game};
use crate::print::{Printer, ResultFile};
use crate::rules::{Answer, Position, Rules};
use crate::{figures, table};
use proofwood::{Budget, Chance, Config, Goal, Value};
use std::path::Path;
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
  proofwood solve ewn:3 --moves \"2 b1b2 1\"
  proofwood solve connect-four --positions set.csv --time 10s --json > results.jsonl

A file of positions is CSV with a header that names a column position or moves
(or moves_1based and the like), or has one position or list of moves a line.
Blank lines and lines that begin with # are left out. A column id is repeated in
the answers. Where a column game names another game, the line is left out; where
no game is given, the column decides. Limits hold for each position. Answers come
in the order of the lines; a bad line is answered by an error.

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
    #[command(flatten)]
    report: ReportTo,
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
        let mut one = One::prepare(&start, &self.report, config, budget)?;
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
    tally: Tally,
}

/// The search of a line that held a position.
struct Solved {
    game: String,
    position: String,
    config: Config,
    answer: Answer,
    audit: Option<AuditResult>,
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
        let out = solve.report.out.as_deref();
        let file = out.map(|out| ResultFile::create(out, Some(Path::new(path)))).transpose()?;
        let budget = budget.cancel(interrupt.token());
        let json = solve.report.json;
        let tally = Tally::default();
        Ok(Set { game, positions, config, goal_given, budget, interrupt, json, file, tally })
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
            let outcome = match self.solve(&entry) {
                Ok(solved) => self.report(&entry, solved, printer)?,
                Err(error) => self.refuse(&entry, &error, printer)?,
            };
            worst = worst.max(outcome);
        }
        if self.interrupt.is_raised() {
            worst = worst.max(Outcome::Interrupted);
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

    /// Searches the position of a line.
    fn solve(&self, entry: &Entry) -> Result<Solved, Failure> {
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
        let label = format!("line {}  ", entry.line);
        let config = usual_goal(&*position, &self.config, self.goal_given);
        let (answer, audit) = search(&*position, &config, &self.budget, &label)?;
        Ok(Solved { game: game.to_string(), position: position.text(), config, answer, audit })
    }

    /// Prints what a search found.
    fn report(
        &mut self,
        entry: &Entry,
        solved: Solved,
        printer: &mut Printer,
    ) -> Result<Outcome, Failure> {
        let Solved { game, position, config, answer, audit } = solved;
        let outcome = outcome(&answer, audit.as_ref());
        let mut json = SearchJson::new(&game, &position, &config, &answer);
        json.line = Some(entry.line);
        json.id = entry.id.as_deref();
        json.audit = audit.map(audit_text);
        if let Some(file) = &mut self.file {
            file.json(&json)?;
        }
        if self.json {
            printer.json(&json)?;
        } else {
            printer.text(&table::result_line(&label(entry), &answer, config.goal))?;
        }
        let settled = is_settled(&answer, config.goal);
        self.tally.count(answer.value, settled);
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
        complain(&format!("{}, line {}: {error}", self.positions.name, entry.line));
        self.tally.errors += 1;
        let game = self.game.as_ref().map(|(name, _)| name.as_str()).or(entry.game.as_deref());
        let id = entry.id.as_deref();
        let json = ErrorJson { line: entry.line, id, game, error: &error };
        if let Some(file) = &mut self.file {
            file.json(&json)?;
        }
        if self.json {
            printer.json(&json)?;
        } else {
            printer.text(&format!("{:<8} error: {error}\n", label(entry)))?;
        }
        Ok(outcome)
    }
}

fn lines(number: u64) -> String {
    if number == 1 { "1 line".into() } else { format!("{number} lines") }
}

/// What people know a line by.
fn label(entry: &Entry) -> String {
    entry.id.clone().unwrap_or_else(|| entry.line.to_string())
}

impl Tally {
    fn count(&mut self, value: Value, settled: bool) {
        self.answered += 1;
        self.settled += u64::from(settled);
        match value {
            Value::Win => self.wins += 1,
            Value::Draw => self.draws += 1,
            Value::Loss => self.losses += 1,
            _ => {}
        }
    }

    fn text(&self, time: &str) -> String {
        let Tally { answered, settled, wins, draws, losses, errors, other_games } = self;
        let mut text = format!(
            "\n{settled} of {answered} settled ({wins} won, {draws} drawn, {losses} lost) in {time}"
        );
        if *errors > 0 {
            text.push_str(&format!("; {} could not be answered", lines(*errors)));
        }
        if *other_games > 0 {
            text.push_str(&format!("; {} of other games left out", lines(*other_games)));
        }
        text + "\n"
    }
}
