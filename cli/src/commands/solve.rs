//! `proofwood solve`: the value of a position, or of a file of them.

use super::search::{AuditResult, Finished, One, ReportTo, audit_text, outcome, search};
use crate::exit::{Failure, Outcome, complain};
use crate::interrupt::Interrupt;
use crate::limits::Limits;
use crate::options::{SearchOptions, with_default};
use crate::output::{ErrorJson, ProofJson, SearchJson, is_settled};
use crate::position_file::{Entry, PositionFile};
use crate::positions::{Place, Start, find_game};
use crate::print::{Printer, ResultFile};
use crate::provers::{ProverOptions, Solver};
use crate::rules::{Answer, ProofAnswer, Rules};
use crate::{figures, live, proof_text, table};
use proofwood::{Budget, Config, ProverConfig, StopReason, Value};
use std::path::Path;
use std::time::Instant;

const GOAL: &str = "What to find out: who wins, whether the player wins, whether it loses, or \
the exact score; gpn finds out who wins when asked for a win \
[outcome | win | draw-or-better | score; default outcome]";

/// Prove the value of a position
///
/// Like search, but without a limit unless one is given: runs until the
/// question is settled or the memory is full. With three players or more the
/// question is what the side to move can force against all others (--paranoid).
///
/// --algorithm chooses how. gpn, the default, is the search with playouts. dfpn
/// and pds play nothing out: they ask one question after another, such as
/// "can the side to move make sure of a win?", and answer it depth first with a
/// transposition table (--tt) in place of a tree. pns and pn2 grow a tree within
/// --memory where it proves most. mcpns and ppns do so too, with playouts from
/// each new position. All of them use --threads, --goal, --seed and --mobility
/// (off) of the search options.
#[derive(clap::Args, Debug)]
#[command(mut_arg("paranoid", |argument| with_default(argument, "on")))]
#[command(mut_arg("c-pn", |argument| with_default(argument, "1")))]
#[command(mut_arg("goal", |argument| argument.help(GOAL)))]
#[command(after_help = "Examples:
  proofwood solve tic-tac-toe
  proofwood solve connect-four --moves 43655644233456
  proofwood solve othello:4 --goal score
  proofwood solve loa8 --position \"...\" --algorithm dfpn --goal win --time 1m
  proofwood solve othello:4 --algorithm dfpn --goal score --tt 64M --threads 2
  proofwood solve hex:5 --algorithm pn2 --memory 256M --goal win
  proofwood solve othello:6 --algorithm ppns --precision 1e-5 --goal win
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
    provers: ProverOptions,
    #[command(flatten)]
    options: SearchOptions,
}

impl Solve {
    /// Solves and prints the answers.
    pub(crate) fn run(self, printer: &mut Printer) -> Result<Outcome, Failure> {
        let budget = self.limits.budget(None)?;
        let solver = self.provers.solver(self.options.clone())?;
        if let Some(path) = &self.positions {
            return Set::prepare(&self, path, solver, budget)?.run(printer);
        }
        let game = self.game.unwrap_or_default();
        let start = Start { game, place: self.place };
        let done = match solver {
            Solver::Playouts(config) => {
                One::prepare(&start, &self.report, config, budget)?.run(printer)?
            }
            Solver::Prover(config) => prove_one(&start, &self.report, &config, budget, printer)?,
        };
        Ok(match done.outcome {
            Outcome::Done if !done.settled => Outcome::Unsettled,
            other => other,
        })
    }
}

/// Proves one position and prints the answer.
fn prove_one(
    start: &Start,
    report: &ReportTo,
    config: &ProverConfig,
    budget: Budget,
    printer: &mut Printer,
) -> Result<Finished, Failure> {
    let found = start.find()?;
    let mut file = report.out.as_deref().map(|path| ResultFile::create(path, None)).transpose()?;
    let budget = budget.cancel(Interrupt::catch()?.token());
    let answer = live::prove(&mut *found.position.prove(config)?, &budget, "")?;
    let text = found.position.text();
    let json = ProofJson::new(&found.game, &text, config, &answer);
    if let Some(file) = &mut file {
        file.json(&json)?;
    }
    if report.json {
        printer.json(&json)?;
    } else {
        printer.text(&proof_text::answer(&found.position.view(), &answer))?;
    }
    Ok(Finished { outcome: proof_outcome(&answer), settled: answer.settled })
}

/// How a proof search ended.
fn proof_outcome(answer: &ProofAnswer) -> Outcome {
    match answer.stop_reason {
        Some(StopReason::Cancelled) => Outcome::Interrupted,
        _ => Outcome::Done,
    }
}

/// A file of positions, ready to be solved.
struct Set {
    /// The game of lines that name none.
    game: Option<(String, Box<dyn Rules>)>,
    positions: PositionFile,
    solver: Solver,
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
    solution: Solution,
}

/// What came of it.
enum Solution {
    Played(Config, Answer, Option<AuditResult>),
    Proven(ProverConfig, ProofAnswer),
}

/// The same as JSON.
#[derive(serde::Serialize)]
#[serde(untagged)]
enum SolutionJson<'a> {
    Played(SearchJson<'a>),
    Proven(ProofJson<'a>),
}

impl Solution {
    fn value(&self) -> Value {
        match self {
            Solution::Played(_, answer, _) => answer.value,
            Solution::Proven(_, answer) => answer.value,
        }
    }

    fn is_settled(&self) -> bool {
        match self {
            Solution::Played(config, answer, _) => is_settled(answer, config.goal),
            Solution::Proven(_, answer) => answer.settled,
        }
    }

    fn outcome(&self) -> Outcome {
        match self {
            Solution::Played(_, answer, audit) => outcome(answer, audit.as_ref()),
            Solution::Proven(_, answer) => proof_outcome(answer),
        }
    }

    fn line(&self, label: &str) -> String {
        match self {
            Solution::Played(config, answer, _) => table::result_line(label, answer, config.goal),
            Solution::Proven(_, answer) => proof_text::result_line(label, answer),
        }
    }

    fn json<'a>(&'a self, game: &'a str, position: &'a str, entry: &'a Entry) -> SolutionJson<'a> {
        let (line, id) = (Some(entry.line), entry.id.as_deref());
        match self {
            Solution::Played(config, answer, audit) => {
                let audit = audit.clone().map(audit_text);
                let mut json = SearchJson::new(game, position, config, answer);
                (json.line, json.id, json.audit) = (line, id, audit);
                SolutionJson::Played(json)
            }
            Solution::Proven(config, answer) => {
                let mut json = ProofJson::new(game, position, config, answer);
                (json.line, json.id) = (line, id);
                SolutionJson::Proven(json)
            }
        }
    }
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
    fn prepare(solve: &Solve, path: &str, solver: Solver, budget: Budget) -> Result<Set, Failure> {
        let game = solve.game.as_deref().map(find_game).transpose()?;
        let interrupt = Interrupt::catch()?;
        let positions = interrupt.wait_for(|| PositionFile::open(path))?;
        let out = solve.report.out.as_deref();
        let file = out.map(|out| ResultFile::create(out, Some(Path::new(path)))).transpose()?;
        let budget = budget.cancel(interrupt.token());
        let json = solve.report.json;
        let tally = Tally::default();
        Ok(Set { game, positions, solver, budget, interrupt, json, file, tally })
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
        let solution = match &self.solver {
            Solver::Playouts(config) => {
                let (answer, audit) = search(&*position, config, &self.budget, &label)?;
                Solution::Played(config.clone(), answer, audit)
            }
            Solver::Prover(config) => {
                let answer = live::prove(&mut *position.prove(config)?, &self.budget, &label)?;
                Solution::Proven(config.clone(), answer)
            }
        };
        Ok(Solved { game: game.to_string(), position: position.text(), solution })
    }

    /// Prints what a search found.
    fn report(
        &mut self,
        entry: &Entry,
        solved: Solved,
        printer: &mut Printer,
    ) -> Result<Outcome, Failure> {
        let Solved { game, position, solution } = solved;
        let json = solution.json(&game, &position, entry);
        if let Some(file) = &mut self.file {
            file.json(&json)?;
        }
        if self.json {
            printer.json(&json)?;
        } else {
            printer.text(&solution.line(&label(entry)))?;
        }
        let (settled, outcome) = (solution.is_settled(), solution.outcome());
        self.tally.count(solution.value(), settled);
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
