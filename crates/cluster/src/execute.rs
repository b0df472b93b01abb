//! Executes the jobs of other machines: solves positions and plays games.

use crate::job::{Done, GameTask, SolveTask, Task};
use crate::part::{Lent, solver};
use proofwood::{Budget, CancelToken};
use proofwood_session::contest::{ContenderOrder, Contest, GamesOrder, Side};
use proofwood_session::files::{Asked, Existing, Whole};
use proofwood_session::input::solver::check_names_no_file;
use proofwood_session::input::spec::find_game;
use proofwood_session::solving::certificate::ProofTo;
use proofwood_session::solving::observer::Observer;
use proofwood_session::solving::solution::{Solution, check_shortest};
use proofwood_session::{Ended, Trouble};
use std::path::Path;

/// Executes a job; returns `None` if it was cancelled. Writes the certificate, if any, to `proof`.
pub(crate) fn execute(
    task: &Task,
    lent: Lent,
    proof: &Path,
    observer: &dyn Observer,
    cancel: &CancelToken,
) -> Result<Option<Done>, Trouble> {
    match task {
        Task::Solve(task) => solve(task, lent, proof, observer, cancel),
        Task::Game(task) => play(task, cancel),
        Task::Part(_) => Err(Trouble::Failed("unexpected job: part of a proof".into())),
    }
}

fn solve(
    task: &SolveTask,
    lent: Lent,
    proof: &Path,
    observer: &dyn Observer,
    cancel: &CancelToken,
) -> Result<Option<Done>, Trouble> {
    let (game, rules) = find_game(&task.game)?;
    let position = task.text.find(&*rules).map_err(Trouble::Input)?;
    let (solver, budget) = solver(&game, &task.options, task.certificate.is_some(), lent)?;
    if task.shortest {
        check_shortest(&game, &*position)?;
    }
    let budget = budget.cancel(cancel);
    let mut to = proof_to(task, proof, &game, cancel)?;
    let mut solution = Solution::find(&*position, &solver, &budget, observer, to.as_mut(), None)?;
    if task.shortest {
        solution.find_shortest(&*position, &budget)?;
    }
    if cancel.is_cancelled() || solution.outcome() == Ended::Interrupted {
        return Ok(None);
    }
    let text = position.text();
    let json = solution.json(&game, &text, Some(task.line), task.id.as_deref());
    let answer = serde_json::value::to_raw_value(&json)
        .map_err(|error| Trouble::Failed(format!("cannot write JSON: {error}")))?;
    let proof = json.certificate.map(|_| "here".to_string());
    Ok(Some(Done::Solved { answer, proof }))
}

/// Returns the target for the certificate that a job asks for; `None` if it asks for none.
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

fn play(task: &GameTask, cancel: &CancelToken) -> Result<Option<Done>, Trouble> {
    let order = serde_json::from_value(task.order.clone());
    let GamesOrder { settings, a, b } = &order.map_err(|e| Trouble::Input(e.to_string()))?;
    let (_, rules) = find_game(&settings.game)?;
    if rules.players() < 2 || task.number == 0 {
        return Err(Trouble::Input("this job is not a game of a match".into()));
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
            return Err(Trouble::Input(format!(
                "{name}: set a limit per move, such as a time or a number of playouts"
            )));
        }
    }
    let (rules, side) = (&*rules, Side::Engine(&b));
    let contest = Contest { rules, settings, a: &a, b: side, remote: None };
    let game = contest.play(task.number, cancel)?.map(serde_json::to_value).transpose();
    Ok(game.map_err(|error| Trouble::Failed(error.to_string()))?.map(Done::Played))
}
