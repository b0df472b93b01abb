//! Contests that are played elsewhere.

use super::hub::Machines;
use super::link::name_of;
use crate::contest::{Elsewhere, GameRecord, Games, GamesOrder, Settings};
use crate::machines::job::{Done, GameTask, Job, Task};
use crate::solving::elsewhere::Refused;
use proofwood::CancelToken;
use proofwood_session::Trouble;

impl Elsewhere for Machines {
    fn begin(&self, order: GamesOrder) -> Result<Box<dyn Games + '_>, Trouble> {
        Ok(Box::new(Contest::begin(self, order)?))
    }
}

/// A contest that is played elsewhere.
struct Contest<'m> {
    machines: &'m Machines,
    order: GamesOrder,
    run: String,
}

impl<'m> Contest<'m> {
    fn begin(machines: &'m Machines, order: GamesOrder) -> Result<Contest<'m>, Trouble> {
        let run = name_of(&format!("games {order:?}"));
        let Settings { game, a, b, .. } = &order.settings;
        machines.begin(&run, &format!("games of {game}: {a} against {b}"));
        Ok(Contest { machines, order, run })
    }
}

impl Games for Contest<'_> {
    fn play(&self, number: u64, cancel: &CancelToken) -> Result<Option<GameRecord>, Trouble> {
        let key = number.to_string();
        let order = self.order.clone();
        self.machines.ask(&self.run, &key, Job::new(Task::Game(GameTask { number, order })));
        loop {
            let Some(answer) = self.machines.wait(&self.run, &key, cancel) else {
                return Ok(None);
            };
            return match answer.done {
                Done::Played(game) => Ok(Some(*game)),
                // What was asked for has been looked at here.
                Done::Failed { is_input, why } => {
                    let worker = &answer.worker;
                    let failure = format!("game {number}: {why} (said by {worker})");
                    let refused = Refused { is_input, why };
                    if !self.machines.pass_on(&self.run, &key, worker, refused) {
                        continue;
                    }
                    Err(Trouble::Failed(failure))
                }
                Done::Solved { .. } => {
                    self.throw_out(number, "its answer is no game")?;
                    continue;
                }
            };
        }
    }

    fn throw_out(&self, number: u64, why: &str) -> Result<(), Trouble> {
        let why = format!("game {number}: {why}");
        self.machines.throw_out(&self.run, &number.to_string(), &why);
        Ok(())
    }

    fn end(&self) -> Result<(), Trouble> {
        self.machines.end(&self.run);
        Ok(())
    }
}
