//! Saves the tree of a search, and loads it into another search, which continues with it.
//!
//! `cargo run --release --example saved_tree -- 10000000` grows a tree of 10,000,000 nodes and
//! prints the time to write it and to read it back.

use proofwood::{Budget, Config, Game, Search};
use proofwood_games::ConnectFour;
use std::error::Error;
use std::fs::File;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let nodes = std::env::args().nth(1).map_or(Ok(100_000), |text| text.parse())?;
    let path = std::env::temp_dir().join(format!("proofwood-saved-{}.tree", std::process::id()));
    let new = || {
        let game = ConnectFour::default();
        let position = game.initial_state();
        Search::new(game, position, Config::default().memory(2 << 30))
    };

    let mut search = new()?;
    let report = search.search(&Budget::default().nodes(nodes))?;
    println!("grown   {} nodes, {} playouts", report.nodes, report.total_playouts);

    // The name distinguishes trees of different games.
    let started = Instant::now();
    search.save_tree("connect-four", File::create(&path)?)?;
    let bytes = std::fs::metadata(&path)?.len();
    println!("saved   {bytes} bytes in {:.2} s", started.elapsed().as_secs_f64());

    let mut other = new()?;
    let started = Instant::now();
    let loaded = other.load_tree("connect-four", File::open(&path)?);
    println!("loaded  in {:.2} s", started.elapsed().as_secs_f64());
    std::fs::remove_file(&path)?;
    loaded?;
    assert_eq!(other.snapshot().moves.len(), report.moves.len());

    let report = other.search(&Budget::default().playouts(1000))?;
    println!("goes on with {} playouts", report.total_playouts);
    Ok(())
}
