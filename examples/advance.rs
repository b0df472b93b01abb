//! Measures the time to move the root of a large tree, to reclaim the memory that this frees, and
//! to prune a tree that fills its memory: `advance [MILLIONS OF NODES]`.

use proofwood::{Budget, Config, Game, Report, Search, SearchError};
use proofwood_games::ConnectFour;
use std::time::Instant;

fn main() -> Result<(), SearchError> {
    let millions = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(10);
    let nodes: u64 = millions * 1_000_000;
    let game = ConnectFour::default();
    let root = game.initial_state();
    let config = Config::default().threads(2).memory(nodes * 40 + (64 << 20));
    let mut search = Search::new(game, root, config)?;
    let report = search.search(&Budget::default().nodes(nodes))?;
    println!("grown: {}", figures(&report));

    let started = Instant::now();
    search.advance(report.best_move.expect("the game is not over"))?;
    println!("advance: {:?}", started.elapsed());
    println!("after it: {}", figures(&search.snapshot()));
    let started = Instant::now();
    let mut swept = search.snapshot();
    while swept.reclaiming {
        swept = search.search(&Budget::default().playouts(100_000))?;
    }
    println!("swept after {:?} of searching: {}", started.elapsed(), figures(&swept));

    // The memory now holds the tree's nodes and no more.
    let mut small = Search::new(ConnectFour::default(), ConnectFour::default().initial_state(), {
        Config::default().threads(2).memory(nodes * 35)
    })?;
    let mut report = small.snapshot();
    let mut longest = std::time::Duration::ZERO;
    while report.prunes == 0 {
        let started = Instant::now();
        report = small.search(&Budget::default().playouts(20_000))?;
        longest = longest.max(started.elapsed());
    }
    let started = Instant::now();
    let after = small.search(&Budget::default().playouts(20_000))?;
    println!(
        "20,000 playouts with a prune: {longest:?}, without: {:?}, {}",
        started.elapsed(),
        figures(&after)
    );
    Ok(())
}

fn figures(report: &Report<ConnectFour>) -> String {
    format!("{} nodes, {} playouts", report.nodes, report.total_playouts)
}
