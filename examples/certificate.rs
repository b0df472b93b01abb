//! Writes a proof to a file: proves that Tic-Tac-Toe is a draw, writes a certificate, and checks it
//! using only the rules.
//!
//! `cargo run --release --example certificate`

use proofwood::certificate::{Certificate, Claim, Promise, Root};
use proofwood::{Budget, Game, ProofSearch, ProverConfig, Value};
use proofwood_games::Mnk;
use std::error::Error;
use std::fs::{self, File};
use std::io::{BufReader, BufWriter};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::temp_dir().join(format!("proofwood-{}.proof", std::process::id()));

    // ANCHOR: write
    let game = Mnk::new(3, 3, 3, 2)?; // Tic-Tac-Toe
    let start = game.initial_state();
    let config = ProverConfig::default().threads(2).table(16 << 20);
    let mut search = ProofSearch::new(game, start, config)?;
    let report = search.search(&Budget::default())?;
    assert_eq!(report.proven, Value::Draw);

    // A reader of the file needs the game's name and the position: here the start, after no moves.
    let (name, root) = ("tic-tac-toe", Root::default());
    let file = BufWriter::new(File::create(&path)?);
    let written = search.certify(name, &root, None, file)?;
    println!("{} positions, {} bytes", written.positions, fs::metadata(&path)?.len());
    // ANCHOR_END: write

    // ANCHOR: check
    let rules = Mnk::new(3, 3, 3, 2)?;
    let file = BufReader::new(File::open(&path)?);
    let checked = Certificate::open(file)?.check(&rules)?;

    // The file is valid. It must also be about this position, and show the expected claims: player
    // 0 gets a draw, and no more.
    let start = rules.initial_state();
    for promise in [Promise::AtLeast(0), Promise::Below(1)] {
        let claim = Claim { player: 0, promise };
        assert!(checked.shows(&rules, &start, claim));
        println!("true: player {claim}");
    }
    // ANCHOR_END: check

    // ANCHOR: refused
    // A file that was altered is refused.
    let mut bytes = fs::read(&path)?;
    fs::remove_file(&path)?;
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    let refusal = Certificate::open(&bytes[..])
        .and_then(|certificate| certificate.check(&rules))
        .expect_err("a bit was changed");
    println!("{refusal}");
    // ANCHOR_END: refused
    Ok(())
}
