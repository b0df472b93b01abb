//! What comes of solving a position, whichever solver was at it.

use crate::certificate::{self, ProofTo};
use crate::checkpoint::Checkpoints;
use crate::exit::{Failure, Outcome};
use crate::live::{self, Watch};
use crate::output::{CertificateJson, ProofJson, SearchJson, goal_name, is_settled};
use crate::provers::Solver;
use crate::solving::{AuditResult, Searched, audit_text, outcome, search};
use crate::{proof_text, screen, table};
use proofwood::{Algorithm, Budget, Config, Goal, ProverConfig, StopReason};
use proofwood_any_game::{Answer, Position, ProofAnswer, View};

/// What came of it.
pub(crate) struct Solution {
    kind: Kind,
    /// The certificate, where one was asked for, and whether there is one.
    certificate: Option<Option<CertificateJson>>,
    /// Whether a checkpoint was to hold it, and does not.
    lost: bool,
}

enum Kind {
    Played(Config, Answer, Option<AuditResult>),
    Proven(ProverConfig, ProofAnswer),
}

/// The same as JSON.
#[derive(serde::Serialize)]
#[serde(untagged)]
pub(crate) enum SolutionJson<'a> {
    Played(SearchJson<'a>),
    Proven(ProofJson<'a>),
}

impl Solution {
    /// Solves a position, and writes the proof down where that is asked for.
    pub(crate) fn find(
        position: &dyn Position,
        solver: &Solver,
        budget: &Budget,
        watch: Watch<'_>,
        proof: Option<&mut ProofTo<'_>>,
    ) -> Result<Solution, Failure> {
        Solution::go_on(position, solver, budget, watch, proof, None)
    }

    /// The same with checkpoints, from the last of which the proof goes on when
    /// it `resumes`.
    pub(crate) fn go_on(
        position: &dyn Position,
        solver: &Solver,
        budget: &Budget,
        watch: Watch<'_>,
        proof: Option<&mut ProofTo<'_>>,
        checkpoints: Option<(Checkpoints, bool)>,
    ) -> Result<Solution, Failure> {
        let text = position.text();
        match &solver.fitting(position) {
            Solver::Playouts(config, _) => {
                let Searched { search, answer, audit } = search(position, config, budget, watch)?;
                let written = proof.map(|proof| certificate::write(&*search, &text, proof));
                let certificate = written.transpose()?;
                let kind = Kind::Played(config.clone(), answer, audit);
                Ok(Solution { kind, certificate, lost: false })
            }
            Solver::Prover(config) => {
                let mut search = position.prove(config)?;
                if let Some((checkpoints, resumes)) = &checkpoints {
                    checkpoints.check(&*search)?;
                    if *resumes {
                        checkpoints.load(&mut *search)?;
                    }
                }
                let mut checkpoints = checkpoints.map(|(checkpoints, _)| checkpoints);
                let answer = live::prove(&mut *search, budget, watch, checkpoints.as_mut())?;
                let written = proof.map(|proof| certificate::write(&*search, &text, proof));
                let certificate = written.transpose()?;
                let lost = checkpoints.is_some_and(|checkpoints| !checkpoints.are_complete());
                Ok(Solution { kind: Kind::Proven(config.clone(), answer), certificate, lost })
            }
        }
    }

    /// The value's name.
    pub(crate) fn value(&self) -> &'static str {
        match &self.kind {
            Kind::Played(_, answer, _) => answer.value.name(),
            Kind::Proven(_, answer) => answer.value.name(),
        }
    }

    /// Whether the question is answered.
    pub(crate) fn is_settled(&self) -> bool {
        match &self.kind {
            Kind::Played(config, answer, _) => is_settled(answer, config.goal),
            Kind::Proven(_, answer) => answer.settled,
        }
    }

    /// How the search ended; whether it settled anything does not matter.
    fn ended(&self) -> Outcome {
        match &self.kind {
            Kind::Played(_, answer, audit) => outcome(answer, audit.as_ref()),
            Kind::Proven(_, answer) if answer.stop_reason == Some(StopReason::Cancelled) => {
                Outcome::Interrupted
            }
            Kind::Proven(..) => Outcome::Done,
        }
    }

    /// What the program's exit status is to say.
    pub(crate) fn outcome(&self) -> Outcome {
        let settled = match (self.is_settled(), &self.certificate) {
            (false, _) => Outcome::Unsettled,
            (true, Some(None)) => Outcome::Failed,
            (true, _) => Outcome::Done,
        };
        let kept = if self.lost { Outcome::Failed } else { Outcome::Done };
        self.ended().max(settled).max(kept)
    }

    /// The whole answer for people.
    pub(crate) fn text(&self, view: &View) -> String {
        let mut text = match &self.kind {
            Kind::Played(config, answer, audit) => {
                let mut text = table::answer(view, answer, config);
                if let Some(audit) = audit.clone().map(audit_text) {
                    text.push_str(&format!("Audit    {audit}\n"));
                }
                text
            }
            Kind::Proven(_, answer) => proof_text::answer(view, answer),
        };
        if let Some(Some(certificate)) = &self.certificate {
            text.push_str(&table::certificate(certificate));
            let by_chance = matches!(&self.kind, Kind::Played(_, a, _) if a.expected.is_some());
            if by_chance {
                text.push_str(
                    "         of who wins for certain; it does not cover the expected payoff\n",
                );
            }
        }
        text
    }

    /// The answer on a line that begins with `label`.
    pub(crate) fn line(&self, label: &str) -> String {
        let line = match &self.kind {
            Kind::Played(config, answer, _) => table::result_line(label, answer, config.goal),
            Kind::Proven(_, answer) => proof_text::result_line(label, answer),
        };
        let text = line.text(screen::of_output().unwrap_or(usize::MAX));
        text.trim_end().to_string() + "\n"
    }

    /// The answer as JSON; `line` and `id` are those of a file of positions.
    pub(crate) fn json<'a>(
        &'a self,
        game: &'a str,
        position: &'a str,
        line: Option<u64>,
        id: Option<&'a str>,
    ) -> SolutionJson<'a> {
        let certificate = self.certificate.clone().flatten();
        match &self.kind {
            Kind::Played(config, answer, audit) => {
                let audit = audit.clone().map(audit_text);
                let mut json = SearchJson::new(game, position, config, answer);
                (json.line, json.id, json.audit) = (line, id, audit);
                json.certificate = certificate;
                SolutionJson::Played(json)
            }
            Kind::Proven(config, answer) => {
                let mut json = ProofJson::new(game, position, config, answer);
                (json.line, json.id, json.certificate) = (line, id, certificate);
                SolutionJson::Proven(json)
            }
        }
    }
}

impl Solver {
    /// The solver with the goal that fits the game, unless one was given: who wins
    /// for certain is rarely the question where dice are rolled.
    pub(crate) fn fitting(&self, position: &dyn Position) -> Solver {
        match self {
            Solver::Playouts(config, false) if position.has_chance() && config.score_bounds => {
                Solver::Playouts(config.clone().goal(Goal::Score), false)
            }
            other => other.clone(),
        }
    }

    /// Refuses limits that the solver does not have.
    pub(crate) fn check_budget(&self, budget: &Budget) -> Result<(), Failure> {
        let why = match self {
            Solver::Prover(_) if budget.playouts.is_some() => {
                "--playouts: provers play no playouts; limit --time or --nodes"
            }
            Solver::Prover(ProverConfig {
                algorithm: Algorithm::Dfpn | Algorithm::Pds, ..
            }) if budget.bytes.is_some() => {
                "--bytes: dfpn and pds grow no tree, and a full table does not end them; --tt says \
                 how large it is"
            }
            _ => return Ok(()),
        };
        Err(Failure::Input(why.into()))
    }

    /// Refuses a solver that has no table to write checkpoints of.
    pub(crate) fn check_table(&self) -> Result<(), Failure> {
        let why = match self {
            Solver::Prover(ProverConfig {
                algorithm: Algorithm::Dfpn | Algorithm::Pds, ..
            }) => {
                return Ok(());
            }
            Solver::Prover(ProverConfig { algorithm, .. }) => {
                format!("--checkpoint is for dfpn and pds and not for {algorithm}")
            }
            Solver::Playouts(..) => {
                "--checkpoint is for a prover with a table: add --algorithm dfpn".into()
            }
        };
        Err(Failure::Input(why))
    }

    /// The name of what is to be found out, as in JSON.
    pub(crate) fn goal_name(&self) -> &'static str {
        match self {
            Solver::Playouts(config, _) => goal_name(config.goal),
            Solver::Prover(config) => config.goal.name(),
        }
    }

    /// The player whom a prover's question is about where this one is to move; none
    /// for the search with playouts, which finds out about all.
    pub(crate) fn player(&self, mover: usize) -> Option<usize> {
        match self {
            Solver::Playouts(..) => None,
            Solver::Prover(config) => Some(config.player.unwrap_or(mover)),
        }
    }

    /// The prover's name; none for the search with playouts.
    pub(crate) fn algorithm_name(&self) -> &'static str {
        match self {
            Solver::Playouts(..) => "gpn",
            Solver::Prover(config) => config.algorithm.name(),
        }
    }
}
