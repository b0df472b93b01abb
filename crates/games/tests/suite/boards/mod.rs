//! Tests of games whose rules follow the GPN-MCTS paper: Ataxx, Awari (and Oware), Reversi and
//! Surakarta.

mod ataxx;
mod awari;
mod reversi;
mod surakarta;

use crate::data::csv_rows;
use crate::perft::count;

/// The greatest count that is checked in debug builds.
const AFFORDABLE: u64 = 300_000;

/// Checks the counts in a row of Ludii's table, but the large counts only in release builds.
fn ludii_perft(game: &str, rule: &str, spec: &str) {
    let rows = csv_rows("perft/ludii_perft.csv");
    let row = rows.iter().find(|row| row[0] == game && row[1] == rule).expect(rule);
    let counts = row[2..].iter().take_while(|count| !count.is_empty());
    let counts: Vec<u64> = counts.map(|count| count.parse().expect("a number")).collect();
    assert!(counts.len() >= 4, "{row:?}");
    for (depth, sequences) in (1..).zip(counts) {
        if cfg!(not(debug_assertions)) || sequences < AFFORDABLE {
            assert_eq!(count(spec, depth), sequences, "{spec} at depth {depth}");
        }
    }
}
