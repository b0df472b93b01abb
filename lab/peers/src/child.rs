//! Measures each engine in its own process, so that engines do not affect each other's memory and
//! the peak of each can be measured.

use crate::engines::{Engine, Proof};
use crate::position::{PerThread, Position, Rules};
use crate::{ALLOCATOR, Failure};
use proofwood::internals::bare_playouts;
use proofwood::{Game, Rng};
use proofwood_games::{ConnectFour, Othello};
use proofwood_measure::{Clock, Pace, peak_bytes};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::hint::black_box;
use std::process::Command;
use std::time::Duration;

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Played {
    ConnectFour,
    Othello,
}

impl Played {
    /// The game's name here and in `proofwood`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Played::ConnectFour => "connect-four",
            Played::Othello => "othello",
        }
    }
}

/// Measure one search, for use by the other commands
#[derive(clap::Args, Debug)]
pub(crate) struct Sample {
    engine: Engine,
    game: Played,
    playouts: u64,
    threads: usize,
    /// Count allocations instead of measuring time
    #[arg(long)]
    count: bool,
}

/// The measurements of one search, including the time to free its tree.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Sampled {
    pub(crate) tree: Pace,
    pub(crate) bare: Pace,
    /// Growth of the process's peak memory during the search.
    pub(crate) bytes: Option<u64>,
    pub(crate) allocations: Option<u64>,
}

impl Sample {
    /// Runs the measurement in a separate process.
    pub(crate) fn of(
        engine: Engine,
        game: Played,
        playouts: u64,
        threads: usize,
        count: bool,
    ) -> Result<Sampled, Failure> {
        let (playouts, threads) = (playouts.to_string(), threads.to_string());
        let mut arguments = vec!["sample", engine.name(), game.name(), &playouts, &threads];
        if count {
            arguments.push("--count");
        }
        run(&arguments)
    }

    pub(crate) fn run(self) -> Result<(), Failure> {
        match self.game {
            Played::ConnectFour => self.measure(ConnectFour::default()),
            Played::Othello => self.measure(Othello::default()),
        }
    }

    fn measure<G: Rules<Move: PerThread>>(self, game: G) -> Result<(), Failure> {
        let Sample { engine, playouts, threads, count, .. } = self;
        let state = game.initial_state();
        let root = Position::root(game, state);
        let before = peak_bytes();
        let mut allocations = None;
        let clock = Clock::start();
        if count {
            let counted = ALLOCATOR.count(|| engine.search(root, playouts, threads));
            allocations = Some(counted.number);
        } else {
            engine.search(root, playouts, threads);
        }
        let tree = Pace::new(playouts, clock.took());
        let bytes = peak_bytes().zip(before).map(|(after, before)| after - before);
        let bare = Pace::beside(&tree, |playouts, seed| bare(root, playouts, threads, seed));
        print(&Sampled { tree, bare, bytes, allocations })
    }
}

/// Plays random games without a tree on `threads` threads.
fn bare<G: Rules>(root: Position<G>, playouts: u64, threads: usize, seed: u64) {
    let play = |number: u64| {
        let share = (playouts + number) / threads as u64;
        black_box(bare_playouts(root.game, &root.state, &mut Rng::new(seed + number), share));
    };
    std::thread::scope(|scope| {
        for number in 1..threads as u64 {
            scope.spawn(move || play(number));
        }
        play(0);
    });
}

/// Try to prove one position of Connect Four, for use by the other commands
#[derive(clap::Args, Debug)]
pub(crate) struct Prove {
    engine: Engine,
    moves: String,
    seconds: f64,
}

impl Prove {
    /// Runs the proof in a separate process.
    pub(crate) fn of(engine: Engine, moves: &str, seconds: f64) -> Result<Proof, Failure> {
        run(&["prove", engine.name(), moves, &seconds.to_string()])
    }

    pub(crate) fn run(self) -> Result<(), Failure> {
        let limit = Duration::try_from_secs_f64(self.seconds)?;
        let root = position(&self.moves)?;
        // A process first loads its code, which takes longer than an easy proof.
        self.engine.prove(position(WON)?, limit);
        print(&self.engine.prove(root, limit))
    }
}

/// A position for warming up, in which the side to move wins at once.
const WON: &str = "112233";

fn position(moves: &str) -> Result<Position<ConnectFour>, Failure> {
    let game = ConnectFour::default();
    let mut state = game.initial_state();
    for text in game.split_moves(moves) {
        let mv = game.parse_move(&state, text)?;
        game.play(&mut state, mv);
    }
    Ok(Position::root(game, state))
}

fn print(value: &impl Serialize) -> Result<(), Failure> {
    println!("{}", serde_json::to_string(value)?);
    Ok(())
}

/// Runs this program with `arguments` and reads its output.
fn run<T: DeserializeOwned>(arguments: &[&str]) -> Result<T, Failure> {
    let output = Command::new(std::env::current_exe()?).args(arguments).output()?;
    if !output.status.success() {
        let complaint = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{}: {} {complaint}", arguments.join(" "), output.status).into());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}
