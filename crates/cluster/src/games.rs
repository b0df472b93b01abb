//! Contests whose games are played by remote workers.

use crate::connection::name_of;
use crate::coordinator::Machines;
use crate::job::{Done, GameTask, Job, Task};
use proofwood::CancelToken;
use proofwood_session::Trouble;
use proofwood_session::contest::{GameRecord, Games, GamesOrder, RemoteGames, Settings};

impl RemoteGames for Machines {
    fn begin(&self, order: GamesOrder) -> Result<Box<dyn Games + '_>, Trouble> {
        Ok(Box::new(Contest::begin(self, order)?))
    }
}

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
        let order = serde_json::to_value(&self.order);
        let order = order.map_err(|error| Trouble::Failed(error.to_string()))?;
        let task = GameTask { number, game: self.order.settings.game.clone(), order };
        self.machines.ask(&self.run, &key, Job::new(Task::Game(task)));
        loop {
            let Some(answer) = self.machines.wait(&self.run, &key, cancel) else {
                return Ok(None);
            };
            return match answer.done {
                Done::Played(game) => match serde_json::from_value(game) {
                    Ok(game) => Ok(Some(game)),
                    Err(error) => {
                        self.throw_out(number, &error.to_string())?;
                        continue;
                    }
                },
                // This machine has checked the task, so a refusal is the worker's fault.
                Done::Failed(refused) => {
                    let (worker, why) = (&answer.worker, &refused.why);
                    let failure = format!("game {number}: {why} (reported by {worker})");
                    if !self.machines.pass_on(&self.run, &key, worker, refused) {
                        continue;
                    }
                    Err(Trouble::Failed(failure))
                }
                Done::Solved { .. } | Done::Part(_) => {
                    self.throw_out(number, "the answer is not a game record")?;
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
