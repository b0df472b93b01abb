//! Runs models to completion, and checks that their twins fail.

use crate::sync::{Fault, break_rule};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Once};
use std::time::Instant;

/// A model, and the extent of its exploration.
#[derive(Clone, Copy)]
pub struct Model {
    /// A description of the scenario.
    pub name: &'static str,
    /// The number of threads, including the one that sets up the model and checks the result.
    pub threads: usize,
    /// The greatest number of preemptions in one run; `None` tries every interleaving.
    pub preemptions: Option<usize>,
    /// One run: creates the objects, spawns the threads, joins them and checks the result.
    pub run: fn(),
}

/// Explores a model to completion.
///
/// # Panics
/// If an interleaving fails, or an environment variable would cut the exploration short.
pub fn holds(model: Model) {
    let started = Instant::now();
    let iterations = explore(model);
    println!(
        "{}: {} threads, {}, {iterations} iterations, {:.1} s, completed",
        model.name,
        model.threads,
        bound(model),
        started.elapsed().as_secs_f64(),
    );
}

/// Explores a model in which the rule `fault` is broken.
///
/// # Panics
/// If no interleaving fails, or if the failure's message does not contain `reason`. If no reason
/// were required, an exceeded limit of loom would count as a detected fault.
pub fn fails(model: Model, fault: Fault, reason: &str) {
    assert!(!reason.is_empty(), "{} with {fault:?}: say how it must fail", model.name);
    hush_expected_panics();
    let count = Cell::new(0);
    EXPECTED.set(true);
    break_rule(Some(fault));
    let result = catch_unwind(AssertUnwindSafe(|| count.set(explore(model))));
    break_rule(None);
    EXPECTED.set(false);
    let Err(panic) = result else {
        panic!("{} with {fault:?} must fail, but completed {} iterations", model.name, count.get());
    };
    let message = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("a panic without a message");
    assert!(
        message.contains(reason),
        "{} with {fault:?} must fail because of {reason:?}, but failed with: {message}",
        model.name,
    );
    let first_line = message.lines().next().unwrap_or_default();
    println!("{} with {fault:?}: fails as it must: {first_line}", model.name);
}

/// Explores every interleaving of a model; returns the number of runs.
fn explore(model: Model) -> usize {
    let runs = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&runs);
    let mut builder = loom::model::Builder::new();
    forbid_limits(&builder);
    builder.preemption_bound = model.preemptions;
    builder.max_threads = model.threads;
    // A run beyond this limit fails the model; it does not end the exploration.
    builder.max_branches = 20_000;
    builder.check(move || {
        counter.fetch_add(1, Ordering::Relaxed);
        (model.run)();
    });
    runs.load(Ordering::Relaxed)
}

/// Panics if an environment variable would end an exploration early or change it.
fn forbid_limits(builder: &loom::model::Builder) {
    assert!(
        builder.max_duration.is_none() && builder.max_permutations.is_none(),
        "a model that is cut short has failed: unset LOOM_MAX_DURATION and LOOM_MAX_PERMUTATIONS"
    );
    assert!(
        builder.checkpoint_file.is_none() && builder.preemption_bound.is_none(),
        "models say themselves how far they look: unset LOOM_CHECKPOINT_FILE and \
         LOOM_MAX_PREEMPTIONS"
    );
}

fn bound(model: Model) -> String {
    match model.preemptions {
        Some(bound) => format!("at most {bound} preemptions"),
        None => "any number of preemptions".into(),
    }
}

thread_local! {
    /// Whether the test expects a panic on this thread.
    static EXPECTED: Cell<bool> = const { Cell::new(false) };
}

/// Suppresses the messages of the panics that failing twins provoke.
fn hush_expected_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if !EXPECTED.get() {
                usual(panic);
            }
        }));
    });
}
