//! Runs a search that always does the same work, so that its instructions can be counted:
//! `instructions connect-four 10000`, `instructions connect-four plain 10000` for a search without
//! a weight for proof numbers, or `instructions connect-four bare 10000` for playouts without a
//! tree. `cargo xtask instructions` runs this program.

use proofwood::internals::bare_playouts;
use proofwood::options::PlayoutPolicy;
use proofwood::{Budget, Config, Game, Rng, search};
use proofwood_games::{ConnectFour, Othello};
use std::hint::black_box;
use std::process::ExitCode;

/// The memory for the tree in bytes: enough for the search, but small enough to be prepared in
/// almost no time.
const MEMORY: u64 = 64 << 20;

struct Run<'a> {
    kind: &'a str,
    playouts: u64,
}

impl Run<'_> {
    /// Runs the search or the playouts; returns the number of playouts.
    fn of<G: Game>(self, game: G) -> Result<u64, proofwood::SearchError> {
        let root = game.initial_state();
        if self.kind == "bare" {
            black_box(bare_playouts(&game, &root, &mut Rng::new(1), self.playouts));
            return Ok(self.playouts);
        }
        // The weights of the paper, random moves and no static bounds, so that counts stay
        // comparable when defaults or the games' knowledge change.
        let c_pn = if self.kind == "plain" { 0.0 } else { 0.1 };
        let config = Config::default().c(std::f64::consts::SQRT_2).c_pn(c_pn);
        let config = config.playout_policy(PlayoutPolicy::Random).foresight(false);
        let config = config.threads(1).seed(1).memory(MEMORY);
        search(game, root, config, &Budget::default().playouts(self.playouts))
            .map(|report| report.playouts)
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (game, kind, playouts) = match arguments[..] {
        [game, kind @ ("plain" | "bare"), playouts] => (game, kind, playouts),
        [game, playouts] => (game, "", playouts),
        _ => ("", "", ""),
    };
    let run = playouts.parse().map(|playouts| Run { kind, playouts });
    // Only these two games: the registry would compile the searches of all games.
    let (asked, made) = match (game, run) {
        ("connect-four", Ok(run)) => (run.playouts, run.of(black_box(ConnectFour::default()))),
        ("othello", Ok(run)) => (run.playouts, run.of(black_box(Othello::default()))),
        _ => {
            eprintln!("usage: instructions connect-four|othello [plain|bare] PLAYOUTS");
            return ExitCode::from(2);
        }
    };
    match made {
        Ok(made) if made == asked => ExitCode::SUCCESS,
        made => {
            eprintln!("instructions: {made:?} instead of {asked} playouts");
            ExitCode::FAILURE
        }
    }
}
