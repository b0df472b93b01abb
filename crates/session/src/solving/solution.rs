//! The solution of a position, by any solver.

use super::certificate::{self, Certificate, ProofTo};
use super::checkpoint::Checkpoints;
use super::observer::{self, Observer};
use super::search::{AuditResult, Searched, audit_text, outcome, search};
use crate::input::solver::Solver;
use crate::input::spec::find_game;
use crate::json::{AnswerJson, CertificateJson};
use crate::{Ended, Trouble};
use proofwood::{Budget, Config, ProofGoal, ProverConfig, StopReason, Value};
use proofwood_any_game::{Answer, AnyAnswer, Certifying, Position, ProofAnswer, ShortestAnswer};

/// An answer about a position, with the certificate and other results.
pub struct Solution {
    /// The answer, with the configuration of the solver.
    pub kind: Kind,
    /// The certificate of the answer.
    pub certificate: Certificate,
    /// Whether the last checkpoint failed, so that the state is lost.
    lost: bool,
    /// The checkpoint file from which the proof continued.
    pub resumed: Option<String>,
    /// The length of the shortest win: the outer `None` if it was not requested, the inner `None`
    /// if no player is proven to win.
    pub shortest: Option<Option<ShortestAnswer>>,
}

/// The answer of either kind of solver.
pub enum Kind {
    /// The answer of a search with playouts, with the result of its audit.
    Played(Box<Config>, Answer, Option<AuditResult>),
    /// The answer of a prover, with its configuration.
    Proven(ProverConfig, ProofAnswer),
}

impl Solution {
    /// Solves a position, and writes checkpoints and a certificate if they are requested.
    pub fn find(
        position: &dyn Position,
        solver: &Solver,
        budget: &Budget,
        observer: &dyn Observer,
        proof: Option<&mut ProofTo<'_>>,
        mut checkpoints: Option<Checkpoints>,
    ) -> Result<Solution, Trouble> {
        let text = position.text();
        match &solver.fitting(position) {
            Solver::Playouts { config, .. } => {
                let Searched { search, answer, audit } =
                    search(position, config, budget, observer)?;
                let certificate = certify(&*search, &text, proof, observer)?;
                let kind = Kind::Played(Box::new(config.clone()), answer, audit);
                Ok(Solution { kind, certificate, lost: false, resumed: None, shortest: None })
            }
            Solver::Prover(config) | Solver::Fitting { prover: config, .. } => {
                let mut search = position.prove(config)?;
                let mut resumed = None;
                if let Some(checkpoints) = &checkpoints {
                    checkpoints.check(&*search)?;
                    resumed = checkpoints.resume(&mut *search)?;
                }
                let answer = observer::prove(&mut *search, budget, observer, checkpoints.as_mut())?;
                let certificate = certify(&*search, &text, proof, observer)?;
                let lost =
                    checkpoints.is_some_and(|checkpoints| !checkpoints.are_complete(observer));
                let kind = Kind::Proven(config.clone(), answer);
                Ok(Solution { kind, certificate, lost, resumed, shortest: None })
            }
        }
    }

    /// Creates a solution from an answer of other machines and their merged certificate.
    pub fn of_others(
        config: ProverConfig,
        answer: ProofAnswer,
        certificate: Option<Option<CertificateJson>>,
    ) -> Solution {
        let certificate = match certificate {
            None => Certificate::NotWanted,
            Some(None) => Certificate::NotWritten,
            Some(Some(certificate)) => Certificate::Written(certificate),
        };
        let kind = Kind::Proven(config, answer);
        Solution { kind, certificate, lost: false, resumed: None, shortest: None }
    }

    /// Proves the length of the shortest win, if a player is proven to win.
    pub fn find_shortest(
        &mut self,
        position: &dyn Position,
        budget: &Budget,
    ) -> Result<(), Trouble> {
        let (player, value, config) = match &self.kind {
            Kind::Played(config, answer, _) => (
                answer.to_move.unwrap_or(0),
                answer.proven,
                ProverConfig::default().threads(config.threads),
            ),
            Kind::Proven(config, answer) => (answer.player, answer.proven, config.clone()),
        };
        let winner = match value {
            Value::Win => Some(player),
            Value::Loss => Some(1 - player),
            _ => None,
        };
        let mut budget = budget.clone();
        budget.playouts = None;
        let found = winner.map(|winner| position.shortest_win(winner, &config, &budget));
        let found = found.transpose()?;
        // The shortest line of play replaces the one found first, unless the goal is the score.
        if let Some(ShortestAnswer { moves: Some(_), pv: line, .. }) = &found {
            let (goal, best, pv) = match &mut self.kind {
                Kind::Played(config, answer, _) => {
                    (config.goal.into(), &mut answer.best_move, &mut answer.pv)
                }
                Kind::Proven(config, answer) => {
                    (config.goal, &mut answer.best_move, &mut answer.pv)
                }
            };
            if goal != ProofGoal::Score {
                *best = line.first().cloned();
                pv.clone_from(line);
            }
        }
        self.shortest = Some(found);
        Ok(())
    }

    /// Returns the name of the proven value.
    pub fn value(&self) -> &'static str {
        match &self.kind {
            Kind::Played(_, answer, _) => answer.proven.name(),
            Kind::Proven(_, answer) => answer.proven.name(),
        }
    }

    /// Returns whether the question is answered.
    pub fn is_solved(&self) -> bool {
        match &self.kind {
            Kind::Played(_, answer, _) => answer.solved,
            Kind::Proven(_, answer) => answer.solved,
        }
    }

    /// Returns the result of the run itself, regardless of whether the question is answered.
    fn ended(&self) -> Ended {
        match &self.kind {
            Kind::Played(_, answer, audit) => outcome(answer, audit.as_ref()),
            Kind::Proven(_, answer) if answer.stop_reason == Some(StopReason::Cancelled) => {
                Ended::Interrupted
            }
            Kind::Proven(..) => Ended::Done,
        }
    }

    /// Returns the result of solving, which determines the exit status.
    pub fn outcome(&self) -> Ended {
        let solved = match (self.is_solved(), &self.certificate) {
            (false, _) => Ended::Unsolved,
            (true, Certificate::NotWritten) => Ended::Failed,
            (true, _) => Ended::Done,
        };
        let kept = if self.lost { Ended::Failed } else { Ended::Done };
        let shortest = match &self.shortest {
            Some(Some(found)) if found.moves.is_none() => match found.stop_reason {
                Some(StopReason::Cancelled) => Ended::Interrupted,
                _ => Ended::Unsolved,
            },
            _ => Ended::Done,
        };
        self.ended().max(solved).max(kept).max(shortest)
    }

    /// Returns the answer as JSON; `line` and `id` refer to a file of positions.
    pub fn json<'a>(
        &'a self,
        game: &'a str,
        position: &'a str,
        line: Option<u64>,
        id: Option<&'a str>,
    ) -> AnswerJson<'a> {
        let (answer, audit): (AnyAnswer<'_>, _) = match &self.kind {
            Kind::Played(_, answer, audit) => (answer.into(), audit.clone().map(audit_text)),
            Kind::Proven(_, answer) => (answer.into(), None),
        };
        AnswerJson {
            line,
            id,
            audit,
            certificate: self.certificate.written(),
            shortest: self.shortest.as_ref().map(Option::as_ref),
            ..AnswerJson::new(game, position, answer)
        }
    }
}

/// Refuses games for which a shortest win is not defined: games with chance, games for any number
/// of players but two, and games that are not zero-sum.
pub fn check_shortest(game: &str, position: &dyn Position) -> Result<(), Trouble> {
    let (_, rules) = find_game(game)?;
    if rules.players() == 2 && rules.zero_sum() && !position.has_chance() {
        return Ok(());
    }
    let what = "--shortest applies only to two-player zero-sum games without chance";
    Err(Trouble::Input(what.into()))
}

fn certify(
    search: &dyn Certifying,
    position: &str,
    proof: Option<&mut ProofTo<'_>>,
    observer: &dyn Observer,
) -> Result<Certificate, Trouble> {
    proof.map_or(Ok(Certificate::NotWanted), |proof| {
        certificate::write(search, position, proof, observer)
    })
}
