//! `proofwood solve`: proves the value of a position, or of each in a file.

use super::machines::{On, connect};
use crate::display::screen;
use crate::input::positions::{Place, Start};
use crate::solving::file_options::CheckpointOptions;
use crate::solving::live::Shown;
use crate::solving::report_to::ReportTo;
use crate::solving::{set, solution_text};
use crate::terminal::interrupt::Interrupt;
use crate::terminal::print::Printer;
use proofwood::{Algorithm, Budget, ProofGoal};
use proofwood_session::files::{Asked, Whole};
use proofwood_session::input::args::{Words, with_default};
use proofwood_session::input::limits::Limits;
use proofwood_session::input::options::SearchOptions;
use proofwood_session::input::provers::ProverOptions;
use proofwood_session::input::solver::{Solver, check_names_no_file};
use proofwood_session::input::spec::find_game;
use proofwood_session::json::{AnswerJson, CertificateJson};
use proofwood_session::solving::certificate::ProofTo;
use proofwood_session::solving::machines::{ProofOrder, Proven, Remote, WorkJson};
use proofwood_session::solving::remote::SetOrder;
use proofwood_session::solving::set::SetTask;
use proofwood_session::solving::solution::{Solution, check_shortest};
use proofwood_session::{Ended, Trouble};
use std::path::{Path, PathBuf};

const GOAL: &str = "Question to answer: who wins (outcome), whether the player can win (win) or at \
                    least draw, or the exact score; gpn takes only outcome and score [outcome | \
                    win | draw-or-better | score] [default: outcome]";

/// Prove the value of a position
///
/// Like search, but without a limit unless one is given: runs until the position is solved or the
/// memory is full. With three players or more, the question is what the side to move can force
/// against all others together (--paranoid). In games with chance it solves the expected payoff,
/// unless --goal says otherwise.
///
/// --algorithm chooses the prover; the default finds most answers soonest. Provers answer one
/// question after another, such as "can the side to move force a win?". ab (alpha-beta), dfpn and
/// pds search depth first with a transposition table (--tt) instead of a tree; auto, the default,
/// alternates ab and dfpn, and the report says which of them answered. pns and pn2 grow a tree
/// within --memory, best first. mcpns and ppns do so too, with playouts from each new position;
/// df-ppns is ppns depth first, with a table. gpn is the search with playouts; it is the default
/// for games with chance, and whenever an option or limit is given that only gpn has, such as
/// --playouts. All use --threads and --goal; those with playouts use --seed and --playout-cap, and
/// the others --mobility (on for dfpn and pds, off for the rest).
#[derive(clap::Args, Debug)]
#[command(mut_arg("paranoid", |argument| with_default(argument, "on")))]
#[command(mut_arg("c", |argument| with_default(argument, "1.4142135623730951")))]
#[command(mut_arg("c-pn", |argument| with_default(argument, "1")))]
#[command(mut_arg("bytes", |argument| argument.help(
    "End the search when the tree takes this many bytes, such as 64M or 1G. auto, ab, dfpn, pds \
     and df-ppns have --tt instead")))]
#[command(mut_arg("goal", |argument| argument
    .help(GOAL)
    .value_parser(Words::of(ProofGoal::ALL.iter().map(|goal| goal.name())))))]
#[command(after_help = "Examples:
  proofwood solve tic-tac-toe
  proofwood solve connect-four --moves 43655644233456
  proofwood solve connect-four --moves 43655644233456 --algorithm dfpn
  proofwood solve othello:4 --goal score
  proofwood solve loa8 --position \"...\" --algorithm dfpn --goal win
  proofwood solve othello:4 --algorithm dfpn --goal score --tt 64M
  proofwood solve hex:5 --algorithm pn2 --memory 256M --goal win
  proofwood solve othello:6 --algorithm ppns --precision 1e-5 --goal win
  proofwood solve ewn:3 --moves \"2 b1b2 1\"
  proofwood solve connect-four --positions set.csv --time 10s --json
  proofwood solve connect-four --positions set.csv -o out.jsonl --resume
  proofwood solve tic-tac-toe --algorithm dfpn --certificate draw.proof
  proofwood solve hex:5 --algorithm dfpn --checkpoint hex.table --resume

A file of positions is CSV whose header names a column position or moves (or
moves_1based and the like), or plain text with one position or list of moves per line.
If both columns are there, the moves are played from the position. The sources contain an
example: tests/data/positions/solver_positions.csv.
Blank lines and lines that begin with # are skipped. A column id is repeated in the
answers. A column game chooses the game of each line; if a game is given on the command
line, lines of other games are skipped. Limits apply to each position. Answers come in
the order of the lines, and a bad line is answered with an error. Each result is on
disk before the next search starts: --resume continues a killed run after its last
result, once it has checked that all results match their lines.

Exit status: 0 if every position is solved, 10 if one is not, 2 for a bad line, 1 for
a failure or a proof that cannot be written to --certificate, 130 after Ctrl-C.")]
pub(crate) struct Solve {
    /// The game with its options after a colon; `proofwood games` lists them all. With
    /// --positions, the lines of the file may name it
    game: Option<String>,
    #[command(flatten)]
    place: Place,
    /// Solve every position of a file, - for standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["moves", "position"])]
    positions: Option<String>,
    /// Continue an earlier run with the same --positions and --out, or with the same --checkpoint,
    /// however it ended
    #[arg(long, conflicts_with = "force")]
    resume: bool,
    #[command(flatten)]
    report: ReportTo,
    /// Write the proof to a file, for proofwood check; with --positions, to a
    /// folder, as line-N.proof for each line
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// Also prove the shortest forced win against the best resistance, and print its line (two
    /// players, zero sum, no chance). The limits apply to that search separately
    #[arg(long)]
    shortest: bool,
    /// With --on: show the state of this command on the server without changing anything
    #[arg(long, requires = "on", help_heading = "Many machines")]
    dry_run: bool,
    #[command(flatten)]
    on: On,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    checkpoints: CheckpointOptions,
    #[command(flatten)]
    provers: ProverOptions,
    #[command(flatten)]
    options: SearchOptions,
}

/// An answer from other machines, with statistics of their work.
#[derive(serde::Serialize)]
struct SolvedRemotely<'a> {
    #[serde(flatten)]
    solved: AnswerJson<'a>,
    machines: &'a WorkJson,
}

impl Solve {
    pub(crate) fn run(self, printer: &mut Printer) -> Result<Ended, Trouble> {
        let budget = self.limits.budget(None)?;
        let plays = budget.playouts.is_some() || budget.bytes.is_some();
        let options = self.options.clone();
        let mut solver = self.provers.solver(self.game.as_deref(), options, plays)?;
        if self.certificate.is_some() {
            solver = solver.keeping_proofs();
        }
        solver.check_budget(&budget)?;
        if self.checkpoints.are_given() {
            solver = solver.with_table()?;
        }
        if self.game.is_none() && self.positions.is_none() {
            let what = "nothing to solve: give <GAME>, or --positions FILE for all positions in a \
                        file (see --help)";
            return Err(Trouble::Input(what.into()));
        }
        let order = self.order()?;
        if self.on.url().is_some() {
            check_names_no_file(solver.leaves())?;
        }
        let machines = connect(&self.on)?;
        if let (Some(machines), true) = (&machines, self.dry_run) {
            return machines.dry_run(&order);
        }
        let enough = match self.positions {
            Some(_) => self.report.file().is_some(),
            None => self.checkpoints.are_given(),
        };
        if self.resume && !enough {
            let what = "--resume needs --positions with --out, or --checkpoint";
            return Err(Trouble::Input(what.into()));
        }
        if let Some(positions) = &self.positions {
            if self.shortest && self.resume {
                let what = "--shortest cannot resume earlier results; leave out --resume";
                return Err(Trouble::Input(what.into()));
            }
            let interrupt = Interrupt::catch()?;
            let task = SetTask {
                game: self.game.as_deref(),
                positions,
                out: self.report.file(),
                force: self.report.force,
                certificates: self.certificate.as_deref(),
                resumes: self.resume,
                shortest: self.shortest,
                solver,
                budget,
                cancel: interrupt.token().clone(),
                remote: machines.map(|machines| machines.positions(order)),
            };
            return set::solve(task, &self.report, &interrupt, printer);
        }
        match machines {
            Some(machines) => self.solve_elsewhere(&*machines, &solver, &budget, printer),
            None => self.solve_one(&solver, budget, printer),
        }
    }

    /// Returns the set of positions in the form in which it is sent to other machines.
    fn order(&self) -> Result<SetOrder, Trouble> {
        let own = self.provers.given().chain(self.options.given());
        let own = own.chain(self.options.preset().map(|name| ("preset", name)));
        let own = own.map(|(name, text)| (name, text.to_string()));
        let options = own.chain(self.limits.given()?).collect();
        let positions = self.positions.clone().unwrap_or_default();
        Ok(SetOrder { game: self.game.clone(), positions, options, shortest: self.shortest })
    }

    fn solve_elsewhere(
        self,
        machines: &dyn Remote,
        solver: &Solver,
        budget: &Budget,
        printer: &mut Printer,
    ) -> Result<Ended, Trouble> {
        let refuse = |what: &str| Err(Trouble::Input(format!("--on with one position: {what}")));
        if self.shortest || self.checkpoints.are_given() || self.dry_run {
            return refuse("leave out --shortest, --checkpoint and --dry-run");
        }
        if self.place.file.is_some() {
            return refuse("give --moves or --position instead of --file");
        }
        let Budget { cpu_time, playouts, nodes, bytes, .. } = budget;
        if cpu_time.is_some() || playouts.is_some() || nodes.is_some() || bytes.is_some() {
            return refuse("--time is the only limit allowed");
        }
        let (Solver::Prover(config) | Solver::Fitting { prover: config, .. }) = solver else {
            return refuse("a prover is needed; add --algorithm auto, ab, dfpn or pds");
        };
        if !matches!(
            config.algorithm,
            Algorithm::Auto | Algorithm::Ab | Algorithm::Dfpn | Algorithm::Pds
        ) || config.goal == ProofGoal::Score
        {
            return refuse(
                "--algorithm must be auto, ab, dfpn or pds, and --goal must not be score",
            );
        }
        let SetOrder { mut options, .. } = self.order()?;
        ["goal", "player", "time"].into_iter().for_each(|name| options.take(name));
        let start =
            Start { game: self.game.clone().unwrap_or_default(), place: self.place.clone() };
        let found = start.find()?;
        let (_, rules) = find_game(&found.game)?;
        let before = self.place.position.as_ref().map(|_| self.place.before_moves(&*rules));
        let start = before.transpose()?.map(|position| position.text());
        let order = ProofOrder {
            game: found.game.clone(),
            rules,
            position: found.position.copy(),
            start,
            moves: found.played.clone(),
            options,
            config: config.clone(),
            time: budget.time,
        };
        let mut file = self.report.open()?;
        let claim = |path: &PathBuf| {
            Whole::claim_file(Asked::new("--certificate", path, self.report.force))
        };
        let mut proof = self.certificate.as_ref().map(claim).transpose()?;
        let interrupt = Interrupt::catch()?;
        let proven = machines.prove(&order, interrupt.token(), proof.as_mut())?;
        let Proven { answer, certificate: written, by } = proven;
        let certificate = self.certificate.as_ref().map(|path| {
            let file = path.display().to_string();
            written.map(|(positions, references)| CertificateJson { file, positions, references })
        });
        let (view, text) = (found.position.view(), found.position.text());
        let solution = Solution::of_others(config.clone(), answer, certificate);
        let solved = solution.json(&found.game, &text, None, None);
        let json = SolvedRemotely { solved, machines: &by };
        if let Some(file) = &mut file {
            file.json(&json)?;
        }
        match self.report.is_json() {
            true => printer.json(&json)?,
            false => {
                printer.text(&screen::fit(&(solution_text::text(&solution, &view) + &by.text())))?
            }
        }
        Ok(solution.outcome())
    }

    fn solve_one(
        self,
        solver: &Solver,
        budget: Budget,
        printer: &mut Printer,
    ) -> Result<Ended, Trouble> {
        let found = Start { game: self.game.unwrap_or_default(), place: self.place }.find()?;
        if self.shortest {
            check_shortest(&found.game, &*found.position)?;
        }
        let force = self.report.force;
        let checkpoints = self.checkpoints.of(&found.game, self.resume, force)?;
        let mut file = self.report.open()?;
        let interrupt = Interrupt::catch()?;
        let budget = budget.cancel(interrupt.token());
        let (game, cancel) = (&*found.game, interrupt.token());
        let claim = |path: &Path| {
            let file = Whole::claim_file(Asked::new("--certificate", path, force))?;
            Ok::<_, Trouble>(ProofTo { name: path.display().to_string(), file, game, cancel })
        };
        let mut proof = self.certificate.as_deref().map(claim).transpose()?;
        let position = &*found.position;
        let proof = proof.as_mut();
        let mut solution =
            Solution::find(position, solver, &budget, &Shown::default(), proof, checkpoints)?;
        if self.shortest {
            solution.find_shortest(position, &budget)?;
        }
        let text = position.text();
        let json = solution.json(game, &text, None, None);
        if let Some(file) = &mut file {
            file.json(&json)?;
        }
        match self.report.is_json() {
            true => printer.json(&json)?,
            false => {
                printer.text(&screen::fit(&solution_text::text(&solution, &position.view())))?
            }
        }
        Ok(solution.outcome())
    }
}
