//! What comes of solving a position, whichever solver was at it.

use super::certificate::{self, Certificate, ProofTo};
use super::checkpoint::Checkpoints;
use super::live;
use super::search::{AuditResult, Searched, audit_text, outcome, search};
use crate::display::json::{AnswerJson, CertificateJson};
use crate::display::{proof_text, screen, search_text};
use crate::terminal::progress::Watch;
use proofwood::{Budget, Config, ProofGoal, ProverConfig, StopReason, Value};
use proofwood_any_game::{
    Answer, AnyAnswer, Certifying, Position, ProofAnswer, ShortestAnswer, View,
};
use proofwood_session::input::solver::Solver;
use proofwood_session::input::spec::find_game;
use proofwood_session::{Ended, Trouble};

/// What came of it.
pub(crate) struct Solution {
    kind: Kind,
    certificate: Certificate,
    /// Whether a checkpoint was to hold it, and does not.
    lost: bool,
    /// The checkpoint that it went on from.
    resumed: Option<String>,
    /// How soon the winner wins, if somebody does, where that was asked for.
    shortest: Option<Option<ShortestAnswer>>,
}

enum Kind {
    Played(Box<Config>, Answer, Option<AuditResult>),
    Proven(ProverConfig, ProofAnswer),
}

impl Solution {
    /// Solves a position, with checkpoints where there are to be any, and writes the
    /// proof down where that is asked for.
    pub(crate) fn find(
        position: &dyn Position,
        solver: &Solver,
        budget: &Budget,
        watch: Watch<'_>,
        proof: Option<&mut ProofTo<'_>>,
        mut checkpoints: Option<Checkpoints>,
    ) -> Result<Solution, Trouble> {
        let text = position.text();
        match &solver.fitting(position) {
            Solver::Playouts { config, .. } => {
                let Searched { search, answer, audit } = search(position, config, budget, watch)?;
                let certificate = certify(&*search, &text, proof)?;
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
                let answer = live::prove(&mut *search, budget, watch, checkpoints.as_mut())?;
                let certificate = certify(&*search, &text, proof)?;
                let lost = checkpoints.is_some_and(|checkpoints| !checkpoints.are_complete());
                let kind = Kind::Proven(config.clone(), answer);
                Ok(Solution { kind, certificate, lost, resumed, shortest: None })
            }
        }
    }

    /// What other machines have found, with the certificate that was made of theirs.
    pub(crate) fn of_others(
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

    /// Proves how soon the winner wins, where there is one.
    pub(crate) fn find_shortest(
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
        // The answer is the play that is shown to be shortest, but where more than a win counts.
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

    /// The value's name.
    pub(crate) fn value(&self) -> &'static str {
        match &self.kind {
            Kind::Played(_, answer, _) => answer.proven.name(),
            Kind::Proven(_, answer) => answer.proven.name(),
        }
    }

    /// Whether the question is answered.
    pub(crate) fn is_settled(&self) -> bool {
        match &self.kind {
            Kind::Played(_, answer, _) => answer.settled,
            Kind::Proven(_, answer) => answer.settled,
        }
    }

    /// How the search ended; whether it settled anything does not matter.
    fn ended(&self) -> Ended {
        match &self.kind {
            Kind::Played(_, answer, audit) => outcome(answer, audit.as_ref()),
            Kind::Proven(_, answer) if answer.stop_reason == Some(StopReason::Cancelled) => {
                Ended::Interrupted
            }
            Kind::Proven(..) => Ended::Done,
        }
    }

    /// What the program's exit status is to say.
    pub(crate) fn outcome(&self) -> Ended {
        let settled = match (self.is_settled(), &self.certificate) {
            (false, _) => Ended::Unsettled,
            (true, Certificate::NotWritten) => Ended::Failed,
            (true, _) => Ended::Done,
        };
        let kept = if self.lost { Ended::Failed } else { Ended::Done };
        let shortest = match &self.shortest {
            Some(Some(found)) if found.moves.is_none() => match found.stop_reason {
                Some(StopReason::Cancelled) => Ended::Interrupted,
                _ => Ended::Unsettled,
            },
            _ => Ended::Done,
        };
        self.ended().max(settled).max(kept).max(shortest)
    }

    /// The whole answer for people.
    pub(crate) fn text(&self, view: &View) -> String {
        let mut text = match &self.kind {
            Kind::Played(config, answer, audit) => {
                let mut text = search_text::answer(view, answer, config);
                if let Some(audit) = audit.clone().map(audit_text) {
                    text.push_str(&format!("Audit    {audit}\n"));
                }
                text
            }
            Kind::Proven(_, answer) => proof_text::answer(view, answer),
        };
        text.push_str(&self.shortest_text(view));
        if let Some(file) = &self.resumed {
            text.push_str(&format!("Resumed  from {file}; nodes and time are of this run\n"));
        }
        if let Some(certificate) = self.certificate.written() {
            text.push_str(&search_text::certificate(certificate));
            let by_chance = matches!(&self.kind, Kind::Played(_, a, _) if a.expected.is_some());
            if by_chance {
                text.push_str(
                    "         of who wins for certain; it does not cover the expected payoff\n",
                );
            }
        }
        text
    }

    /// How soon the winner wins, for people; empty where that was not asked for.
    pub(crate) fn shortest_text(&self, view: &View) -> String {
        let found = self.shortest.as_ref();
        found.map_or_else(String::new, |found| search_text::shortest(&view.players, found.as_ref()))
    }

    /// The answer on a line that begins with `label`.
    pub(crate) fn line(&self, label: &str) -> String {
        let line = match &self.kind {
            Kind::Played(config, answer, _) => search_text::result_line(label, answer, config.goal),
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

/// Refuses games in which nobody wins by force as the question means it.
pub(crate) fn check_shortest(game: &str, position: &dyn Position) -> Result<(), Trouble> {
    let (_, rules) = find_game(game)?;
    if rules.players() == 2 && rules.zero_sum() && !position.has_chance() {
        return Ok(());
    }
    let what = "--shortest is for games of two players with zero sum and no chance";
    Err(Trouble::Input(what.into()))
}

/// Writes the proof down where that is asked for.
fn certify(
    search: &dyn Certifying,
    position: &str,
    proof: Option<&mut ProofTo<'_>>,
) -> Result<Certificate, Trouble> {
    proof.map_or(Ok(Certificate::NotWanted), |proof| certificate::write(search, position, proof))
}
