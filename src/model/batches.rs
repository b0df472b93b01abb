//! Leaves between workers and callers.

use crate::playout::{Queue, Request};
use std::time::Duration;

/// The queue of leaves, of numbers that are answered by themselves.
pub struct ModelQueue(Queue<Number>);

/// Some numbers are a hundred more: they want an answer with priors, and are the same
/// position as the number without the hundred.
const WITH_PRIORS: u64 = 100;

struct Number {
    worker: usize,
    key: u64,
    wants_priors: bool,
    answer: Option<u64>,
}

impl Request for Number {
    /// The number, and whether there are priors.
    type Answer = (u64, bool);

    fn key(&self) -> u64 {
        self.key
    }

    fn worker(&self) -> usize {
        self.worker
    }

    fn answer(&self) -> (u64, bool) {
        (self.answer.unwrap_or_default(), self.wants_priors)
    }

    fn take(&mut self, &(answer, has_priors): &(u64, bool)) -> bool {
        let fits = has_priors || !self.wants_priors;
        self.answer = fits.then_some(answer);
        fits
    }

    fn bytes(_: &(u64, bool)) -> usize {
        1
    }
}

impl ModelQueue {
    /// A queue for so many workers, which remembers nothing.
    pub fn new(workers: usize) -> ModelQueue {
        let queue = Queue::new(0);
        queue.begin(workers);
        ModelQueue(queue)
    }

    /// Asks for these numbers as a worker, and waits for all answers; returns their sum.
    pub fn work(&self, worker: usize, keys: &[u64], size: usize) -> u64 {
        let _leaving = self.0.leave();
        let (mut answers, mut sum, mut left) = (Vec::new(), 0, keys.len());
        for &number in keys {
            let (key, wants_priors) = (number % WITH_PRIORS, number >= WITH_PRIORS);
            let number = Number { worker, key, wants_priors, answer: None };
            answers.extend(self.0.ask(number, size));
        }
        let mut round = 0;
        loop {
            round = self.0.answers(worker, round, &mut answers);
            left -= answers.len();
            sum += answers.drain(..).filter_map(|number| number.answer).sum::<u64>();
            if left == 0 {
                return sum;
            }
            self.0.wait(round);
        }
    }

    /// Answers numbers until no worker is left; returns how many were asked for.
    pub fn call(&self, size: usize) -> usize {
        let (mut batch, mut asked) = (Vec::new(), 0);
        while self.0.next_batch(size, Duration::ZERO, &|| false, &mut batch) {
            asked += batch.len();
            batch.iter_mut().for_each(|number| number.answer = Some(number.key));
        }
        asked
    }
}
