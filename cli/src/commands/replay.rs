//! `proofwood replay`: plays a list of moves.

use crate::display::grid::{grid, left, right};
use crate::input::positions::Place;
use crate::terminal::print::Printer;
use proofwood_any_game::View;
use proofwood_notation::game_file::GameFile;
use proofwood_notation::game_file::export::Variations;
use proofwood_session::contest::{GameRecord, RecordedMatch};
use proofwood_session::files::{Asked, Force, Whole};
use proofwood_session::input::moves::{play_all, play_one};
use proofwood_session::input::spec::find_game;
use proofwood_session::json::PlyJson;
use proofwood_session::words::answers;
use proofwood_session::words::games::{about, result};
use proofwood_session::words::numbers;
use proofwood_session::{Ended, Trouble};
use serde::Serialize;
use std::io::Read;
use std::path::PathBuf;

/// Play a list of moves and show where it leads
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  proofwood replay connect-four --moves 4433221
  proofwood replay othello --moves \"f5 d6 c3\" --each
  proofwood replay othello --moves-file game.txt --each --json
  proofwood replay hex:5 --file game.sgf
  proofwood replay othello --moves \"f5 d6 c3\" --sgf game.sgf
  proofwood replay --record match.jsonl
  proofwood replay --record match.jsonl --number 3

With --each and --json, every position is one object on its own line, beginning with
ply 0, the position before the first move. --record lists all games of a match, or
replays the one selected by --number; a game whose moves, payoffs or points contradict
the rules is refused.")]
pub(crate) struct Replay {
    /// The game with its options after a colon; may be omitted if a file names it
    game: Option<String>,
    #[command(flatten)]
    place: Place,
    /// Read the moves from a file, - for standard input; lines that begin with # are ignored
    #[arg(long, value_name = "FILE", conflicts_with_all = ["moves", "file"])]
    moves_file: Option<String>,
    /// Read games from a file that `match` wrote; without --number, they are listed
    #[arg(long, value_name = "FILE",
        conflicts_with_all = ["game", "moves", "moves_file", "position", "file"])]
    record: Option<PathBuf>,
    /// Write the game to a file in SGF
    #[arg(long, value_name = "FILE")]
    sgf: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
    /// Show the position after every move, and before the first
    #[arg(long)]
    each: bool,
    /// Print one JSON object for every position shown
    #[arg(long)]
    json: bool,
}

impl Replay {
    pub(crate) fn run(mut self, printer: &mut Printer) -> Result<Ended, Trouble> {
        let recorded = match self.record.as_deref().map(RecordedMatch::read).transpose()? {
            None => None,
            Some(found) => match self.place.number {
                None => return self.list(&found, printer),
                Some(number) => Some(find_recorded(found, number as u64)?),
            },
        };
        if let Some((found, record)) = &recorded {
            self.game = Some(found.settings.game.clone());
            let (moves, position) = (Some(record.moves.clone()), record.start.clone());
            self.place = Place { moves, position, ..Place::default() };
            if !self.json {
                printer.text(&about(found, record))?;
            }
        }
        let recorded = recorded.map(|(_, record)| record);
        let game = match (&self.game, &self.place.file) {
            (Some(game), _) => game.clone(),
            (None, Some(path)) if path != "-" => {
                let file = GameFile::open(path, self.place.number)?;
                let unsaid = "the file does not name its game; give the game before --file";
                file.game().ok_or_else(|| file.wrong(unsaid))?
            }
            (None, _) => {
                let what = "nothing to replay: give <GAME>, or --record FILE for the games of a \
                            match (see --help)";
                return Err(Trouble::Input(what.into()));
            }
        };
        let (game, rules) = find_game(&game)?;
        let mut position = self.place.before_moves(&*rules)?;
        let text = match &self.moves_file {
            Some(path) => read_moves(path)?,
            None => self.place.moves.clone().unwrap_or_default(),
        };
        let moves = match self.place.read_file(&game, &*rules)? {
            Some(read) => {
                position = read.start;
                read.moves
            }
            None => play_all(&*rules, &mut *position.copy(), &text).map_err(Trouble::Input)?,
        };
        let mut sgf = None;
        if let Some(path) = &self.sgf {
            let file = Whole::claim(Asked::new("--sgf", path, self.force))?;
            sgf = Some((file, Variations::new(&game, &*position)?));
        }
        let mut node = 0;
        let last = |number: usize| recorded.as_ref().filter(|_| number == moves.len());
        if self.each || moves.is_empty() {
            self.print(printer, &game, (0, None), &position.view(), last(0))?;
        }
        for (number, text) in (1..).zip(&moves) {
            let before = position.copy();
            let played = play_one(&mut *position, number, text).map_err(Trouble::Input)?;
            if let Some((_, tree)) = &mut sgf {
                node = tree.add(node, &*before, &played);
            }
            if self.each || number == moves.len() {
                let ply = (number, Some(&*played));
                self.print(printer, &game, ply, &position.view(), last(number))?;
            }
        }
        if let Some((mut file, tree)) = sgf {
            file.write(tree.text().as_bytes())?;
        }
        Ok(Ended::Done)
    }

    fn list(&self, found: &RecordedMatch, printer: &mut Printer) -> Result<Ended, Trouble> {
        if self.json {
            found.games.iter().try_for_each(|game| printer.json(game))?;
            return Ok(Ended::Done);
        }
        let header = [right("game", 0), left("A is", 1), left("result", 0), right("plies", 2)];
        let names = found.rules.player_names();
        let rows = found.games.iter().map(|game| {
            let seat = names.get(game.a_seat).cloned().unwrap_or_default();
            vec![game.number.to_string(), seat, result(game).into(), game.plies.to_string()]
        });
        printer.text(&grid(&header, rows))?;
        Ok(Ended::Done)
    }

    fn print(
        &self,
        printer: &mut Printer,
        game: &str,
        (ply, mv): (usize, Option<&str>),
        view: &View,
        recorded: Option<&GameRecord>,
    ) -> Result<(), Trouble> {
        if self.json {
            let ply = PlyJson::new(game, ply, mv, view);
            return printer.json(&Shown { ply, recorded });
        }
        let title = match mv {
            Some(mv) => format!("Move {ply}: {mv}\n"),
            None => "Start\n".to_string(),
        };
        let end = if self.each { "\n" } else { "" };
        printer.text(&format!("{title}{}{end}", answers::position(view)))
    }
}

/// A position and, if it is the last of a recorded game, the record of this game.
#[derive(Serialize)]
struct Shown<'a> {
    #[serde(flatten)]
    ply: PlyJson<'a>,
    /// The record of the game, if the game is from a match's record.
    #[serde(skip_serializing_if = "Option::is_none")]
    recorded: Option<&'a GameRecord>,
}

fn find_recorded(
    found: RecordedMatch,
    number: u64,
) -> Result<(RecordedMatch, GameRecord), Trouble> {
    match found.games.iter().find(|game| game.number == number).cloned() {
        Some(game) => Ok((found, game)),
        None => Err(Trouble::Input(format!(
            "--number {number}: there is no such game; the file contains {}; --record without \
             --number lists them",
            numbers::number(found.games.len() as u64, "game")
        ))),
    }
}

fn read_moves(path: &str) -> Result<String, Trouble> {
    let read = match path {
        "-" => {
            let mut text = String::new();
            std::io::stdin().read_to_string(&mut text).map(|_| text)
        }
        _ => std::fs::read_to_string(path),
    };
    let text = read.map_err(|error| Trouble::reading(path, &error))?;
    let lines = text.trim_start_matches('\u{feff}').lines();
    let moves: Vec<&str> = lines.filter(|line| !line.trim_start().starts_with('#')).collect();
    Ok(moves.join("\n"))
}
