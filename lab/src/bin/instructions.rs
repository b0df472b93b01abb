//! A search whose work is always the same, for counting instructions:
//! `instructions connect-four 10000`, or `instructions connect-four bare 10000`
//! for playouts without a tree. `cargo xtask instructions` runs it.

use proofwood::{Budget, Config, Game, PlayoutPolicy, Rng, bare_playouts, search};
use proofwood_games::{GameVisitor, with_game};
use std::hint::black_box;
use std::process::ExitCode;

/// Memory for the tree: enough, and not so much that preparing it counts.
const MEMORY: u64 = 64 << 20;

struct Run {
    bare: bool,
    playouts: u64,
}

impl GameVisitor for Run {
    type Output = Result<u64, proofwood::SearchError>;

    fn visit<G: Game>(self, game: G) -> Self::Output {
        let root = game.initial_state();
        if self.bare {
            black_box(bare_playouts(&game, &root, &mut Rng::new(1), self.playouts));
            return Ok(self.playouts);
        }
        // The weights of the paper and random moves, so that counts compare however the
        // defaults change.
        let config = Config::default().c(std::f64::consts::SQRT_2).c_pn(0.1);
        let config = config.playout_policy(PlayoutPolicy::Random);
        let config = config.threads(1).seed(1).memory(MEMORY);
        search(game, root, config, &Budget::default().playouts(self.playouts))
            .map(|report| report.playouts)
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (game, bare, playouts) = match arguments[..] {
        [game, "bare", playouts] => (game, true, playouts),
        [game, playouts] => (game, false, playouts),
        _ => ("", false, ""),
    };
    let Ok(playouts) = playouts.parse() else {
        eprintln!("usage: instructions GAME [bare] PLAYOUTS");
        return ExitCode::from(2);
    };
    match with_game(game, Run { bare, playouts }) {
        Ok(Ok(made)) if made == playouts => ExitCode::SUCCESS,
        Ok(made) => {
            eprintln!("instructions: {made:?} instead of {playouts} playouts");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("instructions: {error}");
            ExitCode::from(2)
        }
    }
}
