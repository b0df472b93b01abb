//! `go mate`: provers determine whether the side to move can force a win, and how soon. Unlike in a
//! mating problem of shogi, the winner's moves need not give check.

use super::super::events::Heard;
use super::ear::Ear;
use super::go::{self, Asked};
use super::session::Session;
use proofwood::{Budget, CancelToken, ProofGoal, ProverConfig, SearchError, Turn, Value};
use proofwood_session::Trouble;
use std::time::Duration;

/// The time limit of the search for a move to play if no win was proven.
const AFTER_MATE: Duration = Duration::from_millis(100);

enum Unproven {
    /// No win can be forced.
    None,
    /// A limit ended the proof.
    Open,
    Failed(String),
}

impl Session {
    /// Tries to prove that `mover`, whose turn it is, can force a win. Returns the moves to the
    /// end, or the reason why there is no proof.
    fn prove(&mut self, mover: usize, time: Option<u64>) -> Result<Vec<String>, Unproven> {
        let (position, config) = (self.table.position.copy(), self.table.config());
        let config = ProverConfig::default()
            .threads(config.threads)
            .table(config.memory)
            .goal(ProofGoal::Win)
            .player(mover);
        let mut budget = Budget::default();
        budget.time = time.map(|time| Duration::from_millis(time.max(1)));
        let prove = |cancel: &CancelToken| {
            let mut budget = budget.cancel(cancel);
            let mut proof = position.prove(&config)?;
            proof.start(&budget)?;
            let proof = proof.wait()?;
            budget.time = budget.time.map(|time| time.saturating_sub(proof.elapsed));
            let shortest = match proof.proven {
                Value::Win if budget.time != Some(Duration::ZERO) => {
                    position.shortest_win(mover, &config, &budget).ok()
                }
                _ => None,
            };
            Ok::<_, SearchError>((proof, shortest))
        };
        let (mut ear, output) = (Ear::new(time.is_none(), false), &mut self.output);
        // A failure to write will recur after the proof, and is reported there.
        let mut ready = || drop(output.text("readyok\n"));
        let mut hear = |line: Option<&str>| match line {
            None => Heard::Later,
            line => ear.hear(line, &mut ready),
        };
        let grace = self.table.grace();
        let done = self.events.meanwhile(prove, grace, &mut hear);
        let done =
            done.ok_or_else(|| Unproven::Failed("internal error: the program panicked".into()))?;
        let (proof, shortest) = done.map_err(|error| Unproven::Failed(error.to_string()))?;
        match (proof.proven, proof.solved) {
            (Value::Win, _) => {
                let line = shortest.filter(|known| known.moves.is_some()).map(|known| known.pv);
                Ok(line.unwrap_or(proof.pv))
            }
            (_, true) => Err(Unproven::None),
            _ => Err(Unproven::Open),
        }
    }

    /// Answers `go mate` in USI's format.
    pub(super) fn checkmate(&mut self, time: Option<u64>) -> Result<(), Trouble> {
        let proven = match self.table.position.turn() {
            Turn::Player(mover) => self.prove(mover, time),
            _ => Err(Unproven::None),
        };
        let text = match proven {
            Ok(line) => self.dialect.write_line(&*self.table.position, &line).join(" "),
            Err(Unproven::None) => "nomate".into(),
            Err(Unproven::Open) => "timeout".into(),
            Err(Unproven::Failed(why)) => {
                self.tell(&why)?;
                "notimplemented".into()
            }
        };
        self.output.text(&format!("checkmate {text}\n"))
    }

    /// Answers `go mate` in UCI's format, which always requires a move.
    pub(super) fn mate(
        &mut self,
        mover: usize,
        within: Option<u64>,
    ) -> Result<Vec<String>, Trouble> {
        let why = match self.prove(mover, None) {
            Ok(line) => {
                let moves = self.dialect.write_line(&*self.table.position, &line);
                let plies = u32::try_from(moves.len()).unwrap_or(u32::MAX);
                let score = go::mate(plies, self.dialect);
                let found = format!("info depth {plies} score {score} pv {}\n", moves.join(" "));
                self.output.text(&found)?;
                if within.is_some_and(|most| u64::from(plies.div_ceil(2)) > most) {
                    self.tell("a win is proven, but it takes more moves than allowed")?;
                }
                return Ok(line);
            }
            Err(Unproven::None) => "no win can be forced".to_string(),
            Err(Unproven::Open) => "could not prove whether a win can be forced".into(),
            Err(Unproven::Failed(why)) => why,
        };
        self.tell(&why)?;
        let mut asked = Asked::usual(&self.table);
        asked.budget.time = Some(asked.budget.time.unwrap_or(AFTER_MATE).min(AFTER_MATE));
        self.search(asked)
    }
}
