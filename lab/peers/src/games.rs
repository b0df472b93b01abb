//! Plays games between our engine and the others, with equal processor time.

use crate::Failure;
use crate::engines::{Chooser, Engine, Played};
use crate::input;
use crate::position::{PerThread, Position, Rules};
use crate::table::grid;
use clap::ValueEnum;
use proofwood::Rng;
use proofwood_games::{ConnectFour, Hex, Othello, Through};
use proofwood_measure::{Clock, wilson};
use serde::Serialize;
use std::io::IsTerminal;
use std::time::Duration;

/// Play our engine against the others, with equal processor time for each move
///
/// Each engine has one thread, its default options and a new tree for each move. Each opening of
/// random moves is played twice, with the sides exchanged. The points are those of our engine.
#[derive(clap::Args, Debug)]
pub(crate) struct Match {
    /// Games to play [default: all]
    #[arg(value_enum)]
    boards: Vec<Board>,
    /// Engines to play against; open-spiel needs --python [default: treant, minimax, arbor,
    /// alpha-beta]
    #[arg(long, value_enum, value_name = "LIST", value_delimiter = ',')]
    against: Vec<Engine>,
    /// Processor time for each move, in seconds
    #[arg(long, default_value_t = 0.2, value_parser = input::seconds)]
    time: f64,
    /// Games against each engine, played in pairs
    #[arg(long, default_value_t = 40, value_parser = clap::value_parser!(u64).range(2..=100_000))]
    games: u64,
    /// Random moves before each game
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u64).range(0..=30))]
    random_plies: u64,
    /// Seed of the openings
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print a line of JSON for each engine instead of a table
    #[arg(long)]
    json: bool,
    /// Python interpreter in which OpenSpiel is installed (pip install open_spiel)
    #[arg(long, default_value = "python3", value_name = "PROGRAM")]
    python: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Board {
    ConnectFour,
    Othello,
    /// Hex on the board of 11x11 cells.
    Hex,
    Breakthrough,
}

impl Board {
    fn open_spiel(self) -> &'static str {
        match self {
            Board::ConnectFour => "connect_four",
            Board::Othello => "othello",
            Board::Hex => "hex",
            Board::Breakthrough => "breakthrough",
        }
    }

    fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_string())
    }
}

#[derive(Default)]
struct Score {
    games: u64,
    points: f64,
    /// The processor time and the number of moves, first of our engine and then of the other one.
    spent: [(Duration, u32); 2],
}

#[derive(Serialize)]
struct Row {
    game: String,
    against: &'static str,
    games: u64,
    points: f64,
    interval: [f64; 2],
    /// Our engine's mean processor time for a move, in milliseconds.
    ours_ms: f64,
    /// The other engine's mean processor time for a move, in milliseconds.
    theirs_ms: f64,
}

impl Match {
    /// Plays all games and prints the results. After Ctrl-C, prints the results of the finished
    /// games.
    pub(crate) fn run(self) -> Result<(), Failure> {
        input::catch_interrupt()?;
        let boards = if self.boards.is_empty() { Board::value_variants() } else { &self.boards };
        let mut rows = Vec::new();
        for &board in boards.iter().take_while(|_| !input::interrupted()) {
            match board {
                Board::ConnectFour => self.play(board, ConnectFour::default(), &mut rows)?,
                Board::Othello => self.play(board, Othello::default(), &mut rows)?,
                Board::Hex => self.play(board, Hex::default(), &mut rows)?,
                Board::Breakthrough => self.play(board, Through::breakthrough(8, 8)?, &mut rows)?,
            }
        }
        if input::interrupted() {
            eprintln!("peers: interrupted; this is what was played until then");
        }
        if self.json {
            return rows.iter().try_for_each(|row| {
                println!("{}", serde_json::to_string(row)?);
                Ok(())
            });
        }
        let header = ["game", "against", "games", "points", "95 %", "ms a move", "theirs"];
        print!("{}", grid(&header, 2, rows.iter().map(Row::cells).collect()));
        println!("points: our share in per cent, with its interval; processor time of a move");
        Ok(())
    }

    fn play<G: Rules<Move: PerThread>>(
        &self,
        board: Board,
        game: G,
        rows: &mut Vec<Row>,
    ) -> Result<(), Failure> {
        let rivals = if self.against.is_empty() { &Engine::RIVALS[..] } else { &self.against };
        let time = Duration::try_from_secs_f64(self.time)?;
        let played = Played { time, open_spiel: board.open_spiel(), python: &self.python };
        let start = game.initial_state();
        let start = Position::root(game, start);
        for &rival in rivals {
            let mut score = Score::default();
            for pair in 0..self.games.div_ceil(2) {
                let opening = self.opening(&start, pair);
                for ours in 0..2 {
                    let mut players =
                        [Engine::Proofwood.chooser(&played)?, rival.chooser(&played)?];
                    match score.add(&start, &opening, ours, &mut players) {
                        // Ctrl-C ends the other programs, too.
                        Err(_) if input::interrupted() => break,
                        added => added?,
                    }
                }
                if input::interrupted() {
                    break;
                }
                if std::io::stderr().is_terminal() {
                    let Score { games, points, .. } = score;
                    eprint!("\r{} {}: {points} of {games} ", board.name(), rival.title());
                }
            }
            if std::io::stderr().is_terminal() {
                eprintln!();
            }
            if score.games > 0 {
                rows.push(score.row(board, rival));
            }
            if input::interrupted() {
                break;
            }
        }
        Ok(())
    }

    /// Draws the random moves of an opening, after which the game is not over yet.
    fn opening<G: Rules>(&self, start: &Position<G>, pair: u64) -> Vec<G::Move> {
        let mut rng = Rng::new(self.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(pair));
        let mut legal = Vec::new();
        loop {
            let (mut position, mut moves) = (*start, Vec::new());
            while (moves.len() as u64) < self.random_plies && !position.is_over() {
                legal.clear();
                position.moves(&mut legal);
                let mv = legal[rng.below(legal.len() as u32) as usize];
                position.play(mv);
                moves.push(mv);
            }
            if !position.is_over() {
                return moves;
            }
        }
    }
}

impl Score {
    /// Plays a game in which our engine is player number `ours`. A game ended by Ctrl-C does not
    /// count.
    fn add<G: Rules>(
        &mut self,
        start: &Position<G>,
        opening: &[G::Move],
        ours: usize,
        players: &mut [Box<dyn Chooser<G>>; 2],
    ) -> Result<(), Failure> {
        let (mut position, mut moves, mut legal) = (*start, opening.to_vec(), Vec::new());
        opening.iter().for_each(|&mv| position.play(mv));
        while !position.is_over() {
            if input::interrupted() {
                return Ok(());
            }
            let number = usize::from(position.next() != ours);
            legal.clear();
            position.moves(&mut legal);
            let clock = Clock::start();
            // A forced move needs no search.
            let chosen = match legal[..] {
                [only] => Some(only),
                _ => players[number].choose(position.as_root(), &moves),
            };
            if legal.len() > 1 {
                self.spent[number].0 += clock.took().cpu + players[number].took_elsewhere();
                self.spent[number].1 += 1;
            }
            let is_legal = |mv: &G::Move| legal.contains(mv);
            let Some(mv) = chosen.filter(is_legal) else {
                let engine = ["ours", "the other"][number];
                return Err(format!("{engine} has chosen no legal move in\n{position}").into());
            };
            position.play(mv);
            moves.push(mv);
        }
        self.games += 1;
        let payoff = position.game.payoff(&position.state, ours);
        self.points += f64::from(payoff.signum() + 1) / 2.0;
        Ok(())
    }

    fn row(&self, board: Board, rival: Engine) -> Row {
        let points = self.points / self.games as f64;
        let (lower, upper) = wilson(points, self.games as f64);
        let [ours_ms, theirs_ms] =
            self.spent.map(|(spent, moves)| spent.as_secs_f64() * 1e3 / f64::from(moves.max(1)));
        Row {
            game: board.name(),
            against: rival.title(),
            games: self.games,
            points,
            interval: [lower, upper],
            ours_ms,
            theirs_ms,
        }
    }
}

impl Row {
    fn cells(&self) -> Vec<String> {
        let percent = |share: f64| format!("{:.1}", 100.0 * share);
        let [lower, upper] = self.interval;
        vec![
            self.game.clone(),
            self.against.into(),
            self.games.to_string(),
            percent(self.points),
            format!("{} to {}", percent(lower), percent(upper)),
            format!("{:.1}", self.ours_ms),
            format!("{:.1}", self.theirs_ms),
        ]
    }
}
