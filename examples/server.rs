//! Runs many searches at once, as a server does, with progress and cancellation, and measures their
//! cost.
//!
//! `cargo run --release --example server`

use proofwood::{Budget, CancelToken, Config, Game, Report, Search, SearchError, StopReason};
use proofwood_games::ConnectFour;
use std::error::Error;
use std::fs;
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

type Rules = Arc<ConnectFour>;

// ANCHOR: watch
/// Answers a request, and calls `tell` with reports while the search runs.
fn answer(rules: Rules, tell: impl Fn(Report<Rules>) + Sync) -> Result<u8, SearchError> {
    let start = rules.initial_state();
    let mut search = Search::new(rules, start, Config::default().threads(1))?;
    search.start(&Budget::default().time(Duration::from_millis(300)))?;
    let watcher = search.watcher(); // may be cloned, sent away and kept
    let report = thread::scope(|threads| {
        threads.spawn(|| {
            while !watcher.wait_timeout(Duration::from_millis(100)) {
                tell(watcher.snapshot());
            }
        });
        search.wait() // blocks this thread, and no other
    })?;
    Ok(report.best_move.expect("the game has just begun"))
}
// ANCHOR_END: watch

/// Cancels all searches of a client with one token.
fn cancelled(rules: Rules) -> Result<StopReason, SearchError> {
    let gone = CancelToken::new();
    let budget = Budget::default().time(Duration::from_secs(3600)).cancel(&gone);
    let start = rules.initial_state();
    let mut search = Search::new(rules, start, Config::default().threads(1))?;
    search.start(&budget)?;
    gone.cancel(); // from anywhere
    Ok(search.wait()?.stop_reason.expect("it has ended"))
}

// ANCHOR: many
/// Answers many requests on one thread, in the order in which they are ready.
fn answers(rules: &Rules, requests: usize) -> Result<Vec<(usize, u64)>, SearchError> {
    let (tell, ended) = mpsc::channel();
    let mut searches = Vec::new();
    for request in 0..requests {
        let start = rules.initial_state();
        let config = Config::default().threads(1).memory(64 << 20);
        let mut search = Search::new(Arc::clone(rules), start, config)?;
        let tell = tell.clone();
        search.on_end(move || {
            let _ = tell.send(request); // or wakes a future
        });
        search.start(&Budget::default().playouts(1000 * (1 + request as u64 % 3)))?;
        searches.push(search);
    }
    let mut answers = Vec::new();
    for request in ended.iter().take(requests) {
        let report = searches[request].wait()?; // at once: it has ended
        answers.push((request, report.playouts));
    }
    Ok(answers)
}
// ANCHOR_END: many

/// The memory of this process in bytes, if the system reports it.
fn resident() -> Option<u64> {
    let text = fs::read_to_string("/proc/self/statm").ok()?;
    Some(text.split(' ').nth(1)?.parse::<u64>().ok()? * 4096)
}

fn main() -> Result<(), Box<dyn Error>> {
    let rules: Rules = Arc::new(ConnectFour::default());
    let mv = answer(Arc::clone(&rules), |report| {
        println!("{} playouts so far, best move {:?}", report.playouts, report.best_move);
    })?;
    println!("the answer is {mv}");
    assert_eq!(cancelled(Arc::clone(&rules))?, StopReason::Cancelled);

    let answers = answers(&rules, 20)?;
    println!("{} requests answered, the first was number {}", answers.len(), answers[0].0);

    // The cost of searches before their first playout.
    let (before, started) = (resident(), Instant::now());
    let config = Config::default().threads(1);
    let make = || Search::new(Arc::clone(&rules), rules.initial_state(), config.clone());
    let mut searches: Vec<_> = (0..200).map(|_| make()).collect::<Result<_, _>>()?;
    println!("200 searches made in {:?}", started.elapsed());
    let started = Instant::now();
    for search in &mut searches {
        search.search(&Budget::default().playouts(1))?;
    }
    println!("200 searches of one playout in {:?}", started.elapsed());
    if let (Some(before), Some(now)) = (before, resident()) {
        println!("{} KiB of memory each", now.saturating_sub(before) / 1024 / 200);
    }
    let started = Instant::now();
    drop(searches);
    println!("dropped in {:?}", started.elapsed());
    Ok(())
}
