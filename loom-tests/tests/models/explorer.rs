//! The explorer itself: what a model completes with is worth no more than the
//! interleavings it tried.
//!
//! Small random programs, a few accesses by each of two or three threads to two
//! atomics, are run in every order by a plain search that takes them as one
//! sequence. Loom, without a bound on preemptions, must find each of those
//! outcomes. It finds more, because relaxed loads may answer older values.

use loom::sync::atomic::{AtomicU32, Ordering::Relaxed};
use loom::thread;
use proofwood::Rng;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

/// An access to one of two atomics.
#[derive(Clone, Copy, Debug)]
enum Access {
    Load(usize),
    Store(usize, u32),
    Add(usize, u32),
    /// Stores the second if the first is there.
    Exchange(usize, u32, u32),
}

/// What each thread's accesses answered, and what was left in the atomics.
type Outcome = (Vec<Vec<u32>>, [u32; 2]);

fn random_program(rng: &mut Rng) -> Vec<Vec<Access>> {
    let (threads, accesses) = if rng.below(2) == 0 { (2, 3) } else { (3, 2) };
    let access = |rng: &mut Rng| {
        let (cell, value) = (rng.below(2) as usize, 1 + rng.below(3));
        match rng.below(5) {
            0 | 1 => Access::Load(cell),
            2 => Access::Store(cell, value),
            3 => Access::Add(cell, value),
            _ => Access::Exchange(cell, rng.below(2), value),
        }
    };
    (0..threads).map(|_| (0..accesses).map(|_| access(rng)).collect()).collect()
}

/// Adds every outcome of taking the accesses one by one in any order.
fn sequential(
    program: &[Vec<Access>],
    cells: [u32; 2],
    answers: Vec<Vec<u32>>,
    found: &mut BTreeSet<Outcome>,
) {
    let mut ended = true;
    for (thread, accesses) in program.iter().enumerate() {
        let Some(&access) = accesses.get(answers[thread].len()) else { continue };
        ended = false;
        let (mut cells, mut answers) = (cells, answers.clone());
        let (cell, new) = match access {
            Access::Load(cell) => (cell, cells[cell]),
            Access::Store(cell, value) => (cell, value),
            Access::Add(cell, value) => (cell, cells[cell] + value),
            Access::Exchange(cell, old, value) if cells[cell] == old => (cell, value),
            Access::Exchange(cell, ..) => (cell, cells[cell]),
        };
        answers[thread].push(if matches!(access, Access::Store(..)) { 0 } else { cells[cell] });
        cells[cell] = new;
        sequential(program, cells, answers, found);
    }
    if ended {
        found.insert((answers, cells));
    }
}

fn run(access: Access, cells: &[AtomicU32; 2]) -> u32 {
    match access {
        Access::Load(cell) => cells[cell].load(Relaxed),
        Access::Store(cell, value) => {
            cells[cell].store(value, Relaxed);
            0
        }
        Access::Add(cell, value) => cells[cell].fetch_add(value, Relaxed),
        Access::Exchange(cell, old, value) => {
            let (Ok(seen) | Err(seen)) = cells[cell].compare_exchange(old, value, Relaxed, Relaxed);
            seen
        }
    }
}

/// Every outcome that loom finds.
fn explored(program: &[Vec<Access>]) -> BTreeSet<Outcome> {
    let found = Arc::new(Mutex::new(BTreeSet::new()));
    let (result, program) = (Arc::clone(&found), program.to_vec());
    loom::model::Builder::new().check(move || {
        let cells = Arc::new([AtomicU32::new(0), AtomicU32::new(0)]);
        let spawn = |accesses: &Vec<Access>| {
            let (accesses, cells) = (accesses.clone(), Arc::clone(&cells));
            move || accesses.iter().map(|&access| run(access, &cells)).collect::<Vec<u32>>()
        };
        let threads: Vec<_> = program[1..].iter().map(|a| thread::spawn(spawn(a))).collect();
        let mut answers = vec![spawn(&program[0])()];
        answers.extend(threads.into_iter().map(|thread| thread.join().unwrap()));
        let left = [cells[0].load(Relaxed), cells[1].load(Relaxed)];
        found.lock().unwrap().insert((answers, left));
    });
    let found = std::mem::take(&mut *result.lock().unwrap());
    found
}

#[test]
fn every_order_is_tried() {
    const PROGRAMS: usize = 200;
    let mut rng = Rng::new(1);
    let mut outcomes = 0;
    for _ in 0..PROGRAMS {
        let program = random_program(&mut rng);
        let mut expected = BTreeSet::new();
        sequential(&program, [0, 0], vec![Vec::new(); program.len()], &mut expected);
        let found = explored(&program);
        let missed: Vec<_> = expected.difference(&found).collect();
        assert!(missed.is_empty(), "{program:?} can end with {missed:?}, which loom missed");
        outcomes += expected.len();
    }
    println!("explorer: {PROGRAMS} random programs, all of their {outcomes} outcomes found");
}
