//! Measures how near proofs are during games, and whether proof numbers point to good moves: `cargo
//! lab -p proofwood-experiments --bin near_proofs -- mnk:5,5,4,players=3`.
//!
//! An engine plays against itself from random openings. It counts proof numbers but gives them no
//! weight in the choice of moves. At each move the mover's proof number is the least number of
//! leaves that must still be proven before it has a forced win against all others. The good move is
//! the one chosen by a search with ten times as many playouts.

use clap::Parser;
use proofwood::{
    Budget, Config, Game, MoveReport, Outcome, ProofNumber, Report, Rng, Turn, search,
};
use proofwood_games::AnyGame;
use std::error::Error;
use std::sync::Arc;

/// Measure how near proofs are while a game is played
#[derive(Parser)]
struct Arguments {
    /// Game, as `proofwood` names it
    game: String,
    /// Playouts for each move
    #[arg(long, default_value = "1000")]
    playouts: u64,
    /// Number of games to play
    #[arg(long, default_value = "100")]
    games: u64,
    /// Random plies at the beginning of each game
    #[arg(long, default_value = "3")]
    random_plies: u32,
    /// Compare one position in N with a longer search
    #[arg(long, default_value = "4")]
    judge_every: u64,
}

type Played = Report<Arc<AnyGame>>;

#[derive(Default)]
struct Seen {
    positions: u64,
    /// The number of positions in each of [`CLASSES`], by the mover's proof number after the
    /// search.
    roots: [u64; CLASSES.len()],
    /// The number of positions in each of [`CLASSES`], by the mover's proof number for the move
    /// that was played.
    played: [u64; CLASSES.len()],
    /// The sum over positions of the share of moves that cannot lead to a forced win.
    hopeless: f64,
    /// The number of positions in which all moves have the same proof number.
    level: u64,
    judged: u64,
    /// The number of judged positions in which the good move has the least proof number; if several
    /// moves have it, the position counts only for its share.
    least: f64,
    /// The expected number of judged positions in which a random move is the good move.
    by_lot: f64,
    /// The number of judged positions in which the most visited move is the good move.
    visited: u64,
    games: u64,
    /// For each game with a winner, the number of plies between the proof of the win and the end of
    /// the game.
    before_the_end: Vec<u64>,
}

/// Classes of proof numbers, each with its name and greatest number; `None` is the class of
/// infinity.
const CLASSES: [(&str, Option<u32>); 6] = [
    ("0", Some(0)),
    ("1 to 10", Some(10)),
    ("11 to 100", Some(100)),
    ("101 to 1,000", Some(1000)),
    ("more", Some(u32::MAX)),
    ("infinite", None),
];

fn class(number: ProofNumber) -> usize {
    let fits = |most: Option<u32>| match (number.get(), most) {
        (Some(number), Some(most)) => number <= most,
        (None, None) => true,
        _ => false,
    };
    CLASSES.iter().position(|&(_, most)| fits(most)).expect("the classes have every number")
}

impl Seen {
    fn note(&mut self, report: &Played) {
        let mover = report.player;
        let number = |mv: &MoveReport<_>| mv.proof_numbers[mover];
        self.positions += 1;
        self.roots[class(report.proof_numbers[mover])] += 1;
        let played = report.moves.iter().find(|mv| Some(mv.mv) == report.best_move);
        self.played[class(played.map_or(ProofNumber::ONE, number))] += 1;
        let hopeless = report.moves.iter().filter(|mv| number(mv).is_infinite()).count();
        self.hopeless += hopeless as f64 / report.moves.len() as f64;
        let first = number(&report.moves[0]);
        self.level += u64::from(report.moves.iter().all(|mv| number(mv) == first));
    }

    fn judge(&mut self, report: &Played, better: &Played) {
        let number = |mv: &MoveReport<_>| mv.proof_numbers[report.player];
        let least = report.moves.iter().map(number).min().unwrap_or(ProofNumber::ONE);
        let ties = report.moves.iter().filter(|mv| number(mv) == least).count();
        let good = report.moves.iter().find(|mv| Some(mv.mv) == better.best_move);
        self.judged += 1;
        if good.is_some_and(|mv| number(mv) == least) {
            self.least += 1.0 / ties as f64;
        }
        self.by_lot += 1.0 / report.moves.len() as f64;
        self.visited += u64::from(report.best_move == better.best_move);
    }

    fn print(&self) {
        let share = |part: f64, whole: u64| 100.0 * part / whole.max(1) as f64;
        let classes = |counts: &[u64; CLASSES.len()]| {
            let named = CLASSES.iter().zip(counts).map(|((name, _), &count)| {
                format!("{name}: {:.1} %", share(count as f64, self.positions))
            });
            named.collect::<Vec<_>>().join(", ")
        };
        println!("{} games, {} positions", self.games, self.positions);
        println!("the mover's number at the root: {}", classes(&self.roots));
        println!("and of the move that was played: {}", classes(&self.played));
        println!(
            "moves without hope of a forced win: {:.1} %",
            share(self.hopeless, self.positions)
        );
        println!(
            "positions whose moves are alike: {:.1} %",
            share(self.level as f64, self.positions)
        );
        println!(
            "the good move in {} positions: by the least number {:.1} %, by lot {:.1} %, by visits {:.1} %",
            self.judged,
            share(self.least, self.judged),
            share(self.by_lot, self.judged),
            share(self.visited as f64, self.judged),
        );
        let won = self.before_the_end.len() as u64;
        let mut plies = self.before_the_end.clone();
        plies.sort_unstable();
        let mean = plies.iter().sum::<u64>() as f64 / won.max(1) as f64;
        println!(
            "games that were won: {:.1} %; the proof stood {mean:.1} plies before their end, median {}",
            share(won as f64, self.games),
            plies.get(plies.len() / 2).copied().unwrap_or(0),
        );
    }
}

fn play(
    game: &Arc<AnyGame>,
    number: u64,
    arguments: &Arguments,
    seen: &mut Seen,
) -> Result<(), Box<dyn Error>> {
    let mut rng = Rng::new(number);
    let mut state = game.initial_state();
    let mut moves = Vec::new();
    // The first ply, counted from 0, from which on each player had a forced win.
    let mut since = vec![None; game.num_players()];
    for ply in 0u64.. {
        let winner = match game.turn(&state) {
            Turn::Over => (0..game.num_players())
                .find(|&player| game.outcome(player, game.payoff(&state, player)) == Outcome::Win),
            Turn::Chance => return Err("games with chance have no forced wins to speak of".into()),
            Turn::Player(_) => {
                moves.clear();
                let by_lot = game.random_move(&state, &mut moves, &mut rng);
                let mut mv = by_lot.ok_or("a game that is not over has a move")?;
                if ply >= u64::from(arguments.random_plies) {
                    let look = |playouts: u64, seed: u64| {
                        let config = Config::default().c_pn(0.0).threads(1).memory(64 << 20);
                        let budget = Budget::default().playouts(playouts);
                        search(game.clone(), state.clone(), config.seed(seed), &budget)
                    };
                    let report = look(arguments.playouts, number)?;
                    seen.note(&report);
                    for (player, since) in since.iter_mut().enumerate() {
                        match report.proof_numbers[player].is_proven() {
                            true => *since = since.or(Some(ply)),
                            false => *since = None,
                        }
                    }
                    if seen.positions.is_multiple_of(arguments.judge_every)
                        && report.moves.len() > 1
                    {
                        seen.judge(&report, &look(10 * arguments.playouts, !number)?);
                    }
                    mv = report.best_move.ok_or("a search has a move to play")?;
                }
                game.play(&mut state, mv);
                continue;
            }
        };
        seen.games += 1;
        if let Some(winner) = winner {
            seen.before_the_end.push(since[winner].map_or(0, |since| ply - since));
        }
        return Ok(());
    }
    unreachable!("plies have no end");
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let game = Arc::new(AnyGame::from_spec(&arguments.game)?);
    let mut seen = Seen::default();
    for number in 0..arguments.games {
        play(&game, number, &arguments, &mut seen)?;
    }
    println!("{}, {} playouts a move", arguments.game, arguments.playouts);
    seen.print();
    Ok(())
}
