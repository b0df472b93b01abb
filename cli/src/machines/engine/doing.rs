//! One job, done.

use super::common::{Common, Ends};
use crate::contest::{ContenderOrder, Contest, GamesOrder, Side};
use crate::exit::complain;
use crate::machines::job::{Done, GameTask, SolveTask, Task};
use crate::solving::certificate::ProofTo;
use crate::solving::solution::{Solution, check_shortest};
use crate::terminal::progress::Watch;
use proofwood::{Budget, CancelToken};
use proofwood_any_game::Proving;
use proofwood_session::files::{Asked, Existing, Whole};
use proofwood_session::input::solver::{Solver, check_names_no_file};
use proofwood_session::input::spec::find_game;
use proofwood_session::{Ended, Trouble};
use std::path::Path;

/// What a worker lends to a job that does not say what it needs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lent {
    pub(super) threads: usize,
    pub(super) memory: Option<u64>,
}

/// Does a job; `None` when it was cancelled. A proof is written to `proof`. Parts of a proof
/// have something in `common`.
pub(super) fn run(
    task: &Task,
    lent: Lent,
    proof: &Path,
    common: Option<&Common>,
    ends: &Ends,
) -> Option<Done> {
    let done = match (task, common) {
        (Task::Solve(task), Some(common)) => part(task, lent, proof, common, ends),
        (Task::Solve(task), None) => solve(task, lent, proof, &ends.cancel),
        (Task::Game(task), _) => play(task, &ends.cancel),
    };
    done.unwrap_or_else(|failure| {
        let is_input = matches!(failure, Trouble::Input(_));
        Some(Done::Failed { is_input, why: failure.to_string() })
    })
}

/// What a job's options say.
fn solver(task: &SolveTask, lent: Lent) -> Result<(Solver, Budget), Trouble> {
    let (limits, provers, options) = task.options.read()?;
    let budget = limits.budget(None)?;
    let plays = budget.playouts.is_some() || budget.bytes.is_some();
    let gives = |name: &str| options.gives(name) || provers.gives(name);
    let threads = (!gives("threads")).then_some(lent.threads);
    let memory = lent.memory.filter(|_| !gives("memory") && !gives("tt"));
    let mut solver = provers.solver(Some(&task.game), options, plays)?.lent(threads, memory);
    if task.certificate.is_some() {
        solver = solver.keeping_proofs();
    }
    solver.check_budget(&budget)?;
    check_names_no_file(solver.leaves())?;
    Ok((solver, budget))
}

fn solve(
    task: &SolveTask,
    lent: Lent,
    proof: &Path,
    cancel: &CancelToken,
) -> Result<Option<Done>, Trouble> {
    let (game, rules) = find_game(&task.game)?;
    let position = task.text.find(&*rules).map_err(Trouble::Input)?;
    let (solver, budget) = solver(task, lent)?;
    if task.shortest {
        check_shortest(&game, &*position)?;
    }
    let budget = budget.cancel(cancel);
    let mut to = proof_to(task, proof, &game, cancel)?;
    let mut solution =
        Solution::find(&*position, &solver, &budget, Watch::default(), to.as_mut(), None)?;
    if task.shortest {
        solution.find_shortest(&*position, &budget)?;
    }
    if cancel.is_cancelled() || solution.outcome() == Ended::Interrupted {
        return Ok(None);
    }
    let text = position.text();
    let json = solution.json(&game, &text, Some(task.line), task.id.as_deref());
    let json = serde_json::to_string(&json)
        .map_err(|error| Trouble::Failed(format!("cannot write JSON: {error}")))?;
    let proof = solution.has_certificate().then(|| "here".to_string());
    Ok(Some(Done::Solved { json, proof, numbers: None }))
}

/// Where the certificate goes that a job asks for; nowhere where it asks for none.
fn proof_to<'t>(
    task: &SolveTask,
    proof: &Path,
    game: &'t str,
    cancel: &'t CancelToken,
) -> Result<Option<ProofTo<'t>>, Trouble> {
    let Some(name) = &task.certificate else { return Ok(None) };
    let (option, existing) = ("--certificate", Existing::Replaced);
    let file = Whole::claim_file(Asked { option, path: proof, existing, resumable: None })?;
    Ok(Some(ProofTo { name: name.clone(), file, game, cancel }))
}

/// A part of a proof. Where there is to be a certificate, a table to which others have told
/// something may be wrong: then it has none that holds, and the part is done again alone.
fn part(
    task: &SolveTask,
    lent: Lent,
    proof: &Path,
    common: &Common,
    ends: &Ends,
) -> Result<Option<Done>, Trouble> {
    match part_with(task, lent, proof, Some(common), ends) {
        Err(Trouble::Failed(why)) if task.certificate.is_some() => {
            complain(&format!("{why}: what other workers have told is not believed any more"));
            common.forget();
            part_with(task, lent, proof, None, ends)
        }
        done => done,
    }
}

fn part_with(
    task: &SolveTask,
    lent: Lent,
    proof: &Path,
    common: Option<&Common>,
    Ends { cancel, enough }: &Ends,
) -> Result<Option<Done>, Trouble> {
    let (game, rules) = find_game(&task.game)?;
    let position = task.text.find(&*rules).map_err(Trouble::Input)?;
    let (solver, budget) = solver(task, lent)?;
    let Solver::Prover(config) = solver.fitting(&*position) else {
        return Err(Trouble::Input("a part of a proof is for a prover".into()));
    };
    let budget = budget.cancel(cancel);
    let mut to = proof_to(task, proof, &game, cancel)?;
    let share = |search: &mut dyn Proving| common.map_or(Ok(()), |c| c.share(search, &game));
    let made = |nodes: u64| common.into_iter().for_each(|common| common.add_nodes(nodes));
    let (solution, numbers) =
        Solution::of_part(&*position, &config, &budget, enough, to.as_mut(), share, made)?;
    if cancel.is_cancelled() || solution.outcome() == Ended::Interrupted {
        return Ok(None);
    }
    let text = position.text();
    let json = solution.json(&game, &text, Some(task.line), None);
    let json = serde_json::to_string(&json)
        .map_err(|error| Trouble::Failed(format!("cannot write JSON: {error}")))?;
    let proof = solution.has_certificate().then(|| "here".to_string());
    Ok(Some(Done::Solved { json, proof, numbers }))
}

fn play(task: &GameTask, cancel: &CancelToken) -> Result<Option<Done>, Trouble> {
    let GamesOrder { settings, a, b } = &task.order;
    let (_, rules) = find_game(&settings.game)?;
    if rules.players() < 2 || task.number == 0 {
        return Err(Trouble::Input("this job is no game of a contest".into()));
    }
    let contender = |name, order: &ContenderOrder| {
        order.contender(&settings.game).map_err(|failure| failure.about(name))
    };
    let (a, b) = (contender("--a", a)?, contender("--b", b)?);
    for (name, side) in [("--a", &a), ("--b", &b)] {
        check_names_no_file(Some(&side.config.leaves)).map_err(|failure| failure.about(name))?;
        let Budget { time, cpu_time, playouts, nodes, bytes, .. } = &side.budget;
        let is_limited = time.is_some() || cpu_time.is_some() || playouts.is_some();
        if !is_limited && nodes.is_none() && bytes.is_none() {
            return Err(Trouble::Input(format!("{name}: a move without a limit never ends")));
        }
    }
    let (rules, side) = (&*rules, Side::Engine(&b));
    let contest = Contest { rules, settings, a: &a, b: side, elsewhere: None };
    Ok(contest.play(task.number, cancel)?.map(|game| Done::Played(Box::new(game))))
}
