//! Generates the positions of `lab/data/loa_won.csv`: `cargo lab -p proofwood-experiments --bin
//! loa_positions > lab/data/loa_won.csv`.
//!
//! **The rule.** MCTS plays a game of Lines of Action against itself on one thread, after some
//! random moves; game number n has the seed n. From the end of a decided game the program goes back
//! two plies at a time, through the positions in which the later winner is to move. It stops at the
//! first one whose win df-pn fails to prove, with ε = 1/4 and with ε = 0, within the limit of nodes
//! and with a table of 2^20 entries. The last position with a proof is selected.

use clap::Parser;
use proofwood::{Budget, Config, Game, ProofGoal, ProverConfig, Rng, Search, Turn, Value, prove};
use proofwood_games::LinesOfAction;
use std::error::Error;
use std::sync::Arc;

/// Generate won positions of Lines of Action
#[derive(Parser)]
struct Arguments {
    /// Number of the first game
    #[arg(long, default_value = "1")]
    first: u64,
    /// Number of games to play
    #[arg(long, default_value = "100")]
    games: u64,
    /// Random moves before each game
    #[arg(long, default_value = "6")]
    random: u32,
    /// Playouts per move
    #[arg(long, default_value = "1000")]
    playouts: u64,
    /// Limit on the nodes of a proof
    #[arg(long, default_value = "16777216")]
    nodes: u64,
}

/// The maximum length of a game in plies; longer games are discarded.
const LONGEST: usize = 300;
/// The size in bytes of a table of 2^20 entries.
const TABLE: u64 = 16 << 20;

type State = <LinesOfAction as Game>::State;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let game = Arc::new(LinesOfAction::default());
    println!("id,position,plies_before_the_end");
    for number in arguments.first..arguments.first + arguments.games {
        let Some(states) = decided_game(&game, number, &arguments)? else { continue };
        // The last position is over. In the one before it, the side to move is the winner, or the
        // loser, who connected the winner's pieces.
        let end = states.len() - 1;
        let winner = usize::from(game.payoff(&states[end], 1) > 0);
        let mut won = None;
        for ply in (0..end).rev() {
            if game.turn(&states[ply]) != Turn::Player(winner) {
                continue;
            }
            if !is_won(&game, &states[ply], arguments.nodes)? {
                break;
            }
            won = Some(ply);
        }
        if let Some(ply) = won {
            println!("game-{number},{},{}", game.state_text(&states[ply]), end - ply);
        }
    }
    Ok(())
}

/// The positions of a game from first to last; `None` if the game has no winner.
fn decided_game(
    game: &Arc<LinesOfAction>,
    number: u64,
    arguments: &Arguments,
) -> Result<Option<Vec<State>>, Box<dyn Error>> {
    let mut rng = Rng::new(number);
    let mut states = vec![game.initial_state()];
    let mut moves = Vec::new();
    while states.len() <= LONGEST {
        let state = &states[states.len() - 1];
        if game.turn(state) == Turn::Over {
            return Ok((game.payoff(state, 0) != 0).then_some(states));
        }
        moves.clear();
        let mv = if states.len() <= arguments.random as usize {
            game.random_move(state, &mut moves, &mut rng)
        } else {
            let config = Config::default().threads(1).memory(256 << 20).seed(number);
            let mut search = Search::new(Arc::clone(game), *state, config)?;
            search.search(&Budget::default().playouts(arguments.playouts))?.best_move
        };
        let next = game.after(state, mv.ok_or("no move")?);
        states.push(next);
    }
    Ok(None)
}

/// Whether df-pn proves, with either ε, that the side to move wins.
fn is_won(game: &Arc<LinesOfAction>, state: &State, nodes: u64) -> Result<bool, Box<dyn Error>> {
    for epsilon in [0.25, 0.0] {
        let config =
            ProverConfig::default().threads(1).table(TABLE).epsilon(epsilon).goal(ProofGoal::Win);
        let report = prove(Arc::clone(game), *state, config, &Budget::default().nodes(nodes))?;
        if report.solved {
            return Ok(report.proven == Value::Win);
        }
    }
    Ok(false)
}
