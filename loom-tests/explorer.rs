//! Tests of loom itself: a completed model proves nothing about interleavings that loom missed.
//!
//! Small random programs make a few accesses to two atomics from two or three threads. A plain
//! search runs them in every sequential order. Loom must find all of these outcomes or, with a
//! limit on preemptions, all outcomes within the limit. It finds more, because relaxed loads may
//! return older values.

use crate::math::Rng;
use loom::sync::atomic::{AtomicU32, Ordering::Relaxed};
use loom::thread;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

/// An access to one of two atomics.
#[derive(Clone, Copy, Debug)]
enum Access {
    Load(usize),
    Store(usize, u32),
    Add(usize, u32),
    /// Stores the second value if the atomic contains the first.
    Exchange(usize, u32, u32),
}

/// The results of each thread's accesses, and the final values of the atomics.
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

/// Adds the outcomes of all sequential orders with at most `preemptions` preemptions.
fn sequential(
    program: &[Vec<Access>],
    cells: [u32; 2],
    answers: Vec<Vec<u32>>,
    running: usize,
    preemptions: usize,
    found: &mut BTreeSet<Outcome>,
) {
    let mut ended = true;
    let can_go_on = answers[running].len() < program[running].len();
    for (thread, accesses) in program.iter().enumerate() {
        let Some(&access) = accesses.get(answers[thread].len()) else { continue };
        ended = false;
        let preempts = usize::from(thread != running && can_go_on);
        let Some(preemptions) = preemptions.checked_sub(preempts) else { continue };
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
        sequential(program, cells, answers, thread, preemptions, found);
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

/// Returns all outcomes that loom finds.
fn explored(program: &[Vec<Access>], preemptions: Option<usize>) -> BTreeSet<Outcome> {
    let found = Arc::new(Mutex::new(BTreeSet::new()));
    let (result, program) = (Arc::clone(&found), program.to_vec());
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = preemptions;
    builder.check(move || {
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
    std::mem::take(&mut *result.lock().unwrap())
}

fn check(programs: usize, preemptions: Option<usize>) {
    let mut rng = Rng::new(1);
    let mut outcomes = 0;
    for _ in 0..programs {
        let program = random_program(&mut rng);
        let mut expected = BTreeSet::new();
        let answers = vec![Vec::new(); program.len()];
        let bound = preemptions.unwrap_or(usize::MAX);
        sequential(&program, [0, 0], answers, 0, bound, &mut expected);
        let found = explored(&program, preemptions);
        let missed: Vec<_> = expected.difference(&found).collect();
        assert!(missed.is_empty(), "{program:?} can end with {missed:?}, which loom missed");
        outcomes += expected.len();
    }
    let bound = preemptions.map_or("any number of".into(), |bound| format!("at most {bound}"));
    println!(
        "explorer: {programs} random programs, {bound} preemptions, all of their {outcomes} \
         outcomes found"
    );
}

#[test]
fn every_order_is_tried() {
    check(200, None);
}

#[test]
fn every_order_with_few_preemptions_is_tried() {
    for bound in 1..=3 {
        check(100, Some(bound));
    }
}
