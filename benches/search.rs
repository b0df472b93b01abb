//! Measures the cost of a playout: without a tree, and in a search with default settings, on one
//! thread and on two.
//!
//! `cargo bench` runs it. Compare only figures from the same run, not from another machine or day.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use proofwood::internals::bare_playouts;
use proofwood::{Budget, Config, Game, Rng, search};
use proofwood_games::{ConnectFour, Othello};
use std::hint::black_box;
use std::sync::Arc;

fn playouts<G: Game>(criterion: &mut Criterion, name: &str, game: G, count: u64) {
    let game = Arc::new(game);
    let root = game.initial_state();
    let mut group = criterion.benchmark_group(name);
    group.sample_size(20).throughput(Throughput::Elements(count));
    let mut rng = Rng::new(1);
    group.bench_function("bare", |bencher| {
        bencher.iter(|| black_box(bare_playouts(&*game, &root, &mut rng, count)));
    });
    let without_numbers = || Config::default().c_pn(0.0);
    let without_solver = |config: Config| config.solver(false).score_bounds(false);
    // The configurations of `proofwood bench`.
    let configurations = [
        ("defaults", Config::default()),
        ("proof numbers off", without_numbers()),
        ("solver off", without_solver(Config::default())),
        (
            "all of these off",
            without_solver(without_numbers()).look_ahead(false).transpositions(false),
        ),
    ];
    for (what, config) in configurations {
        for threads in [1, 2] {
            group.bench_with_input(BenchmarkId::new(what, threads), &threads, |bencher, &n| {
                let config = config.clone().threads(n).memory(1 << 30);
                let budget = Budget::default().playouts(count);
                bencher.iter(|| search(Arc::clone(&game), root.clone(), config.clone(), &budget));
            });
        }
    }
    group.finish();
}

fn connect_four(criterion: &mut Criterion) {
    playouts(criterion, "connect four", ConnectFour::default(), 100_000);
}

fn othello(criterion: &mut Criterion) {
    playouts(criterion, "othello", Othello::default(), 20_000);
}

criterion_group!(benches, connect_four, othello);
criterion_main!(benches);
