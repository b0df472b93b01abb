//! A game of Connect Four with clocks and little memory: one player also thinks on the opponent's
//! time, the other only on its own.
//!
//! `cargo run --release --example pondering`

use proofwood::{Budget, Clock, Config, Game, Outcome, Search, SearchError, Turn};
use proofwood_games::ConnectFour;
use std::sync::Arc;
use std::time::{Duration, Instant};

fn main() -> Result<(), SearchError> {
    let game = Arc::new(ConnectFour::default());
    let config = Config::default().threads(1).memory(16 << 20).stop_when_decided(true);
    let search =
        |seed| Search::new(Arc::clone(&game), game.initial_state(), config.clone().seed(seed));
    let mut players = [search(1)?, search(2)?];
    let mut clocks = [Clock::new(Duration::from_secs(2)).increment(Duration::from_millis(20)); 2];

    while let Turn::Player(mover) = game.turn(players[0].position()) {
        // Only the first player ponders.
        let ponders = mover == 1;
        if ponders {
            players[0].start(&Budget::pondering())?;
        }
        let kept = players[mover].snapshot().total_playouts;
        let started = Instant::now();
        let report = players[mover].search(&clocks[mover].budget())?;
        clocks[mover] = clocks[mover].after(started.elapsed());
        let Some(best) = report.best_move else { break };
        println!(
            "player {mover} plays {:<2} {kept:>7} playouts kept, {:>7} new, {:>9} nodes{}, {:.2?} left",
            game.move_text(players[mover].position(), best),
            report.playouts,
            report.nodes,
            if report.reclaiming { " and what the sweep has left" } else { "" },
            clocks[mover].left,
        );
        // Stops the search if it ponders, and keeps the tree below this move.
        for player in &mut players {
            player.advance(best)?;
        }
    }
    let end = players[0].position();
    println!("{}", game.board_text(end));
    match game.outcome(0, game.payoff(end, 0)) {
        Outcome::Win => println!("the player who ponders wins"),
        Outcome::Draw => println!("a draw"),
        Outcome::Loss => println!("the player who does not ponder wins"),
    }
    Ok(())
}
