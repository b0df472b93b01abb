//! `proofwood replay`: playing a list of moves.

use crate::contest::read_game;
use crate::exit::{Failure, Outcome};
use crate::output::PlyJson;
use crate::positions::{Place, find_game, play_one, split_moves};
use crate::print::Printer;
use crate::table;
use proofwood_any_game::View;
use std::io::Read;
use std::path::PathBuf;

/// Play a list of moves and show where it leads
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  proofwood replay connect-four --moves 4433221
  proofwood replay othello --moves \"f5 d6 c3\" --each
  proofwood replay othello --moves-file game.txt --each --json
  proofwood replay --record match.jsonl --number 3

With --each and --json every position is one object on a line of its own,
beginning with the position before the first move as ply 0.")]
pub(crate) struct Replay {
    /// The game with its options after a colon
    game: Option<String>,
    #[command(flatten)]
    place: Place,
    /// A file with the moves, - for standard input; lines that begin with # are left out
    #[arg(long, value_name = "FILE", conflicts_with = "moves")]
    moves_file: Option<String>,
    /// A file of games that `match` wrote
    #[arg(long, value_name = "FILE", requires = "number",
        conflicts_with_all = ["game", "moves", "moves_file", "position"])]
    record: Option<PathBuf>,
    /// The number of the game in that file, counted from 1
    #[arg(long, value_name = "NUMBER", requires = "record")]
    number: Option<u64>,
    /// Show the position after every move, and before the first
    #[arg(long)]
    each: bool,
    /// Print one JSON object for every position shown
    #[arg(long)]
    json: bool,
}

impl Replay {
    /// Plays the moves.
    pub(crate) fn run(mut self, printer: &mut Printer) -> Result<Outcome, Failure> {
        if let (Some(path), Some(number)) = (&self.record, self.number) {
            let (game, record) = read_game(path, number)?;
            self.game = Some(game);
            self.place = Place { moves: Some(record.moves), position: record.start };
        }
        let Some(game) = &self.game else {
            let what = "what to replay is missing: give <GAME>, or --record FILE with --number N \
                        for a game of a match (--help shows what is possible)";
            return Err(Failure::Input(what.into()));
        };
        let (game, rules) = find_game(game)?;
        let mut position = self.place.before_moves(&*rules)?;
        let moves = match &self.moves_file {
            Some(path) => read_moves(path)?,
            None => self.place.moves.clone().unwrap_or_default(),
        };
        let moves = split_moves(&*rules, &moves);
        if self.each || moves.is_empty() {
            self.print(printer, &game, 0, None, &position.view())?;
        }
        for (number, text) in (1..).zip(&moves) {
            let played = play_one(&mut *position, number, text).map_err(Failure::Input)?;
            if self.each || number == moves.len() {
                self.print(printer, &game, number, Some(&played), &position.view())?;
            }
        }
        Ok(Outcome::Done)
    }

    fn print(
        &self,
        printer: &mut Printer,
        game: &str,
        ply: usize,
        mv: Option<&str>,
        view: &View,
    ) -> Result<(), Failure> {
        if self.json {
            return printer.json(&PlyJson::new(game, ply, mv, view));
        }
        let title = match mv {
            Some(mv) => format!("Move {ply}: {mv}\n"),
            None => "Start\n".to_string(),
        };
        let end = if self.each { "\n" } else { "" };
        printer.text(&format!("{title}{}{end}", table::position(view)))
    }
}

fn read_moves(path: &str) -> Result<String, Failure> {
    let read = match path {
        "-" => {
            let mut text = String::new();
            std::io::stdin().read_to_string(&mut text).map(|_| text)
        }
        _ => std::fs::read_to_string(path),
    };
    let text = read.map_err(|error| Failure::reading(path, &error))?;
    let lines = text.trim_start_matches('\u{feff}').lines();
    let moves: Vec<&str> = lines.filter(|line| !line.trim_start().starts_with('#')).collect();
    Ok(moves.join("\n"))
}
