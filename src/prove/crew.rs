//! Positions that all threads of a sampling prover play out together.
//!
//! One thread grows the tree and leads: it hands the positions at a leaf to the
//! crew, in portions of some playouts, takes portions itself, and waits for what
//! others still have. The others do nothing else. All data is under one lock,
//! which is held to take a portion and to give back what came of it, never while
//! anything is played; and nobody loads an atomic under it.

use crate::sync::{AtomicU64, Fault, Mutex, Ordering, broken};

/// The positions of one leaf, and what has come of them so far.
pub(crate) struct Crew<S> {
    /// Jobs that were begun: a hint for those who wait for one, without the lock.
    /// Relaxed: what counts is looked up under the lock.
    begun: AtomicU64,
    job: Mutex<Job<S>>,
}

struct Job<S> {
    states: Vec<S>,
    /// Playouts from each position, and in one portion.
    playouts: u32,
    portion: u32,
    /// Won playouts from each position.
    wins: Vec<u32>,
    /// Portions that were taken, and that were given back.
    taken: usize,
    done: usize,
}

/// Some playouts from one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Portion {
    position: usize,
    pub(crate) playouts: u32,
}

impl<S: Clone> Crew<S> {
    pub(crate) fn new() -> Crew<S> {
        let job = Job {
            states: Vec::new(),
            playouts: 0,
            portion: 1,
            wins: Vec::new(),
            taken: 0,
            done: 0,
        };
        Crew { begun: AtomicU64::new(0), job: Mutex::new(job) }
    }

    /// Hands over positions, each for so many playouts. What was handed over
    /// before is forgotten: the leader has waited for it, or all are to stop.
    pub(crate) fn begin(&self, states: &[S], playouts: u32, portion: u32) {
        {
            let mut job = self.job.lock();
            let job = &mut *job;
            job.states.clear();
            job.states.extend_from_slice(states);
            job.wins.clear();
            job.wins.resize(states.len(), 0);
            (job.playouts, job.portion) = (playouts, portion.max(1));
            (job.taken, job.done) = (0, 0);
        }
        self.begun.fetch_add(1, Ordering::Relaxed);
    }

    /// How many jobs were begun.
    pub(crate) fn begun(&self) -> u64 {
        self.begun.load(Ordering::Relaxed)
    }

    /// Gives back the wins of a portion and takes the next one, if there is one.
    pub(crate) fn next(&self, done: Option<(Portion, u32)>) -> Option<(Portion, S)> {
        let mut job = self.job.lock();
        if let Some((Portion { position, .. }, wins)) = done {
            job.wins[position] += wins;
            job.done += 1;
        }
        let portion = job.portion_at(job.taken)?;
        job.taken += 1;
        Some((portion, job.states[portion.position].clone()))
    }

    /// The won playouts of each position, once all were given back: a portion that
    /// came back later would be counted for the next job.
    pub(crate) fn wins(&self, wins: &mut Vec<u32>) -> bool {
        let job = self.job.lock();
        let all = job.portion_at(job.done).is_none() || broken(Fault::HastyLeader);
        if all {
            wins.clone_from(&job.wins);
        }
        all
    }
}

impl<S> Job<S> {
    /// The portion with this number, of those of all positions one after the other.
    fn portion_at(&self, number: usize) -> Option<Portion> {
        let each = self.playouts.div_ceil(self.portion) as usize;
        let (position, part) = (number / each.max(1), (number % each.max(1)) as u32);
        let left = self.playouts - part * self.portion;
        (position < self.states.len())
            .then(|| Portion { position, playouts: left.min(self.portion) })
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    /// Each playout "wins" as often as its position says.
    fn take_all(crew: &Crew<u32>) {
        let mut done = None;
        while let Some((portion, state)) = crew.next(done) {
            done = Some((portion, state * portion.playouts));
        }
    }

    #[test]
    fn portions_make_up_all_playouts() {
        for (playouts, portion) in [(60, 30), (60, 7), (1, 1), (5, 9), (60, 60)] {
            let crew = Crew::new();
            crew.begin(&[3, 0, 5], playouts, portion);
            let mut wins = Vec::new();
            assert!(!crew.wins(&mut wins));
            take_all(&crew);
            assert!(crew.wins(&mut wins));
            assert_eq!(wins, [3 * playouts, 0, 5 * playouts]);
        }
    }

    #[test]
    fn nothing_to_play_is_done() {
        let crew = Crew::<u32>::new();
        crew.begin(&[], 60, 30);
        assert!(crew.next(None).is_none());
        assert!(crew.wins(&mut Vec::new()));
    }

    #[test]
    fn threads_lose_nothing() {
        let crew = Crew::new();
        std::thread::scope(|scope| {
            for job in 1..50 {
                let states: Vec<u32> = (0..job).collect();
                crew.begin(&states, 12, 5);
                let helpers: Vec<_> = (0..3).map(|_| scope.spawn(|| take_all(&crew))).collect();
                take_all(&crew);
                let mut wins = Vec::new();
                while !crew.wins(&mut wins) {
                    std::thread::yield_now();
                }
                assert_eq!(wins, states.iter().map(|state| state * 12).collect::<Vec<_>>());
                helpers.into_iter().for_each(|helper| helper.join().unwrap());
            }
        });
    }
}
