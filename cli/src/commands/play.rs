//! `proofwood play`: a person against the engine.

use crate::contest::{Contender, Player};
use crate::exit::{Failure, Outcome, complain};
use crate::figures;
use crate::interrupt::Interrupt;
use crate::limits::Limits;
use crate::live;
use crate::options::SearchOptions;
use crate::positions::{Found, Start, find_game, play_one};
use crate::print::Printer;
use crate::table;
use proofwood::{Config, Rng, StopReason, Turn, Value};
use proofwood_any_game::{Answer, Position, Rules};
use std::collections::BTreeSet;
use std::io::{self, BufRead, IsTerminal};
use std::time::Duration;

/// What the engine takes for a move when no limit is given.
const USUAL_TIME: Duration = Duration::from_secs(1);

const COMMANDS: &str = "\
A move is written as the game writes it. Besides:
  moves     lists the legal moves
  board     shows the board again
  hint      what the engine would play
  analyse   all that the engine finds out about the position
  undo      takes your last move back, and what was played after it
  new       begins a new game
  quit      ends";

/// Play against the engine in the terminal
///
/// Reads moves and commands, one a line, from the terminal or from a pipe.
#[derive(clap::Args, Debug)]
#[command(after_help = format!("Examples:
  proofwood play connect-four
  proofwood play othello --engine 0 --time 5s
  proofwood play mnk:5,5,4,players=3 --engine 1,2 --playouts 1e5
  proofwood play loa8 --engine all --preset tuned

{COMMANDS}

Without a limit the engine takes 1s for a move. Dice fall by themselves; --seed
says how.

Exit status: 0 at the end, 2 when a line from a pipe could not be played, 130 after
Ctrl-C."))]
pub(crate) struct Play {
    #[command(flatten)]
    start: Start,
    /// The players that the engine is, counted from 0: 1, "0,2", all or none
    /// [default: all but player 0]
    #[arg(short, long, value_name = "PLAYERS")]
    engine: Option<String>,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    options: SearchOptions,
}

impl Play {
    /// Plays until the input ends.
    pub(crate) fn run(self, printer: &mut Printer) -> Result<Outcome, Failure> {
        let Found { game, position, played } = self.start.find()?;
        let (_, rules) = find_game(&game)?;
        let engine = seats(self.engine.as_deref(), rules.players())?;
        let config = self.options.apply_to(Some(&game), Config::default())?;
        let budget = self.limits.budget(Some(USUAL_TIME))?;
        let interrupt = Interrupt::catch()?;
        let seed = config.seed;
        let contender = Contender { config: config.clone(), budget, reuse: true };
        let player = Player::new(&contender, seed, interrupt.token());
        let mut table = Table {
            rules,
            engine,
            player,
            position,
            past: Vec::new(),
            given: played,
            dice: Rng::new(seed),
            config,
            refused: false,
            printer,
        };
        table.run(&interrupt)
    }
}

/// The seats that the engine takes.
fn seats(text: Option<&str>, players: usize) -> Result<BTreeSet<usize>, Failure> {
    let wrong = || {
        let text = text.unwrap_or_default();
        let last = players.saturating_sub(1);
        Failure::Input(format!(
            "--engine: '{text}' should be all, none, or players from 0 to {last} such as 1 or 0,2"
        ))
    };
    match text.map(str::trim) {
        None => Ok((1..players).collect()),
        Some("all") => Ok((0..players).collect()),
        Some("none") => Ok(BTreeSet::new()),
        Some(list) => list
            .split(',')
            .map(|seat| seat.trim().parse().ok().filter(|&seat| seat < players).ok_or_else(wrong))
            .collect(),
    }
}

/// A game under way.
struct Table<'p> {
    rules: Box<dyn Rules>,
    engine: BTreeSet<usize>,
    player: Player,
    position: Box<dyn Position>,
    /// Each position before a move that was played here, and the move.
    past: Vec<(Box<dyn Position>, String)>,
    /// The moves that the game began with.
    given: Vec<String>,
    dice: Rng,
    config: Config,
    refused: bool,
    printer: &'p mut Printer,
}

/// What comes after a line.
enum Next {
    /// Whoever is to move.
    Go,
    /// Another line.
    Ask,
    /// The end.
    End(Outcome),
}

impl Table<'_> {
    fn run(&mut self, interrupt: &Interrupt) -> Result<Outcome, Failure> {
        let terminal = io::stdin().is_terminal();
        let mut lines = io::stdin().lock().split(b'\n');
        self.show_board()?;
        let mut next = Next::Go;
        loop {
            if let Next::Go = next {
                next = self.go_on()?;
            }
            if let Next::End(outcome) = next {
                return Ok(outcome);
            }
            if terminal {
                let prompt = self.prompt();
                self.printer.text(&prompt)?;
            }
            let line = interrupt.wait_for(|| lines.next());
            let Some(line) =
                line.transpose().map_err(|e| Failure::reading("standard input", &e))?
            else {
                return self.end();
            };
            next = match std::str::from_utf8(&line) {
                Ok(line) => self.obey(line.trim())?,
                Err(_) => self.refuse("this line is not UTF-8 text")?,
            };
        }
    }

    /// Plays for the engine and the dice until a person is to move or the game
    /// is over.
    fn go_on(&mut self) -> Result<Next, Failure> {
        loop {
            match self.position.turn() {
                Turn::Over => {
                    let payoffs = table::payoffs_text(&self.position.payoffs());
                    self.printer.text(&format!("Game over: {payoffs}\n"))?;
                    return Ok(Next::Ask);
                }
                Turn::Chance => {
                    let before = self.position.copy();
                    let mv = self.position.play_random(&mut self.dice);
                    self.printer.text(&format!("Chance: {mv}\n"))?;
                    self.played(before, mv);
                }
                Turn::Player(seat) if self.engine.contains(&seat) => {
                    let answer = self.search()?;
                    if answer.stop_reason == Some(StopReason::Cancelled) {
                        self.say_moves()?;
                        return Ok(Next::End(Outcome::Interrupted));
                    }
                    let best = answer.best_move.clone().unwrap_or_default();
                    let worth = worth(&answer);
                    self.printer.text(&format!("Player {seat} plays {best}{worth}\n"))?;
                    self.play(&best).map_err(Failure::Failed)?;
                    self.show_board()?;
                }
                Turn::Player(_) => return Ok(Next::Ask),
            }
        }
    }

    /// Does what a line says.
    fn obey(&mut self, line: &str) -> Result<Next, Failure> {
        let over = self.position.turn() == Turn::Over;
        match line.to_ascii_lowercase().as_str() {
            "" => {}
            "help" | "?" => self.printer.text(&format!("{COMMANDS}\n"))?,
            "hint" | "analyse" | "analyze" | "moves" if over => {
                self.printer.text("The game is over; undo, new or quit\n")?;
            }
            "moves" => {
                let view = self.position.view();
                let count = view.legal_moves.len();
                self.printer.text(&format!("{} ({count})\n", view.legal_moves.join(" ")))?;
            }
            "board" => self.show_board()?,
            "hint" => {
                let answer = self.search()?;
                let best = answer.best_move.as_deref().unwrap_or("no move");
                let worth = worth(&answer);
                self.printer.text(&format!("{best}{worth}\n"))?;
            }
            "analyse" | "analyze" => {
                let answer = self.search()?;
                self.printer.text(&table::answer(&self.position.view(), &answer, &self.config))?;
            }
            "undo" => return self.undo(),
            "new" => {
                self.position = self.rules.start();
                self.past.clear();
                self.given.clear();
                self.player.forget();
                self.show_board()?;
                return Ok(Next::Go);
            }
            "quit" | "exit" => {
                return self.end().map(Next::End);
            }
            // A record may leave a forced pass out; a person at the board would
            // play for the other side by that.
            mv if mv != "pass" && self.position.view().legal_moves == ["pass"] => {
                return self.refuse("The only move is pass");
            }
            _ => match self.play(line) {
                Ok(()) => {
                    self.show_board()?;
                    return Ok(Next::Go);
                }
                Err(error) => return self.refuse(&format!("{error}; help lists the commands")),
            },
        }
        Ok(Next::Ask)
    }

    /// Says why a line could not be played: to a person beside the board, and out
    /// of a program's way.
    fn refuse(&mut self, why: &str) -> Result<Next, Failure> {
        self.refused = true;
        match io::stdin().is_terminal() {
            true => self.printer.text(&format!("{why}\n"))?,
            false => complain(&why),
        }
        Ok(Next::Ask)
    }

    /// Goes back to before the last move of a person.
    fn undo(&mut self) -> Result<Next, Failure> {
        let person = |position: &dyn Position| matches!(position.turn(), Turn::Player(seat) if !self.engine.contains(&seat));
        match self.past.iter().rposition(|(before, _)| person(&**before)) {
            Some(last) => {
                if let Some((before, _)) = self.past.drain(last..).next() {
                    self.position = before;
                }
                self.player.forget();
                self.show_board()?;
            }
            None => self.printer.text("There is no move of yours to take back\n")?,
        }
        Ok(Next::Ask)
    }

    fn play(&mut self, text: &str) -> Result<(), String> {
        let before = self.position.copy();
        let number = self.given.len() + self.past.len() + 1;
        let mv = play_one(&mut *self.position, number, text)?;
        self.played(before, mv);
        Ok(())
    }

    fn played(&mut self, before: Box<dyn Position>, mv: String) {
        self.player.hear(&mv);
        self.past.push((before, mv));
    }

    fn search(&mut self) -> Result<Answer, Failure> {
        self.player.think(&*self.position, |search, budget| {
            live::run(search, budget, live::Watch::default())
        })
    }

    fn show_board(&mut self) -> Result<(), Failure> {
        let board = table::board(&self.position.view());
        self.printer.text(&format!("\n{board}\n"))
    }

    fn prompt(&self) -> String {
        match self.position.turn() {
            Turn::Player(seat) => format!("Player {seat}> "),
            _ => "> ".to_string(),
        }
    }

    /// Says what was played. Only a person can have seen that a line was
    /// refused.
    fn end(&mut self) -> Result<Outcome, Failure> {
        self.say_moves()?;
        let unseen = self.refused && !io::stdin().is_terminal();
        Ok(if unseen { Outcome::BadLines } else { Outcome::Done })
    }

    /// The moves of the game, for `replay --moves`.
    fn say_moves(&mut self) -> Result<(), Failure> {
        let here = self.past.iter().map(|(_, mv)| mv.as_str());
        let moves: Vec<&str> = self.given.iter().map(String::as_str).chain(here).collect();
        match moves.is_empty() {
            true => Ok(()),
            false => self.printer.text(&format!("Moves: {}\n", moves.join(" "))),
        }
    }
}

/// What a move is worth, in brackets.
fn worth(answer: &Answer) -> String {
    match (answer.value, answer.mean) {
        (Value::Win | Value::Draw | Value::Loss, _) => format!(" ({}, proven)", answer.value),
        (_, Some(mean)) => format!(" ({})", figures::share(mean)),
        (_, None) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_engine_sits_where_it_is_told() {
        let seats = |text, players| seats(text, players).map(Vec::from_iter);
        assert_eq!(seats(None, 3).unwrap(), [1, 2]);
        assert_eq!(seats(Some("all"), 2).unwrap(), [0, 1]);
        assert!(seats(Some("none"), 2).unwrap().is_empty());
        assert_eq!(seats(Some("2, 0"), 3).unwrap(), [0, 2]);
        for wrong in ["2", "-1", "", "first"] {
            assert!(seats(Some(wrong), 2).unwrap_err().to_string().contains("from 0 to 1"));
        }
    }
}
