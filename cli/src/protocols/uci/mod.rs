//! Protocols of one family: UGI for all games, UCI with `UCI_Variant` for the games that
//! Fairy-Stockfish and cutechess know, and USI for minishogi.
//!
//! - [`dialect`]: what differs among them, and how moves and positions are written.
//! - [`options`]: the engine's options, from the library's table.
//! - [`go`]: what `go` asks for, and what is told of a search.

mod dialect;
mod go;
mod options;

pub(crate) use dialect::Dialect;

use super::events::{Event, Events, Heard};
use super::table::Table;
use crate::exit::{Failure, Outcome, cut};
use crate::input::options::SearchOptions;
use crate::notation::variants::Variant;
use crate::terminal::print::Printer;
use dialect::Protocol;
use proofwood::Turn;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A session.
pub(crate) struct Session<'p> {
    table: Table,
    dialect: Dialect,
    options: SearchOptions,
    /// Where the game began, and the moves since, as they were written.
    told: (String, Vec<String>),
    /// Why there is no position.
    broken: Option<String>,
    events: Events,
    printer: &'p mut Printer,
    quit: bool,
}

impl<'p> Session<'p> {
    /// A session at a table. `options` are those of the command line.
    pub(crate) fn new(
        table: Table,
        dialect: Dialect,
        options: SearchOptions,
        events: Events,
        printer: &'p mut Printer,
    ) -> Session<'p> {
        let told = ("startpos".into(), Vec::new());
        Session { table, dialect, options, told, broken: None, events, printer, quit: false }
    }

    /// Answers until the input ends.
    pub(crate) fn run(mut self) -> Result<Outcome, Failure> {
        self.restart("startpos").map_err(Failure::Failed)?;
        while !self.quit {
            match self.events.next() {
                Event::Line(Ok(line)) => {
                    // A game that fails has a line fail, and not the session.
                    let obeyed = catch_unwind(AssertUnwindSafe(|| self.obey(&line)));
                    match obeyed {
                        Ok(obeyed) => obeyed?,
                        Err(_) => self.tell("internal error: a panic")?,
                    }
                }
                Event::Line(Err(why)) => self.tell(&why)?,
                Event::End => break,
                Event::Interrupted => return Ok(Outcome::Interrupted),
                Event::Searched => {}
            }
        }
        Ok(if self.events.interrupted { Outcome::Interrupted } else { Outcome::Done })
    }

    /// Says something that is no part of the protocol.
    fn tell(&mut self, what: &str) -> Result<(), Failure> {
        self.printer.text(&format!("info string {}\n", cut(what)))
    }

    /// Does what a line says.
    fn obey(&mut self, line: &str) -> Result<(), Failure> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some((&command, rest)) = words.split_first() else { return Ok(()) };
        let done = match command {
            "uci" | "ugi" | "usi" if self.dialect.speaks(command) => return self.introduce(),
            "isready" => return self.printer.text("readyok\n"),
            "setoption" => self.setoption(rest),
            "ucinewgame" | "ugenewgame" | "uginewgame" | "usinewgame" => self.restart("startpos"),
            "position" => {
                let done = self.position(rest);
                self.broken = done.as_ref().err().cloned();
                done
            }
            "go" => return self.go(rest),
            "query" => return self.query(rest),
            "d" => {
                let view = self.table.position.view();
                let fen = self.dialect.write_position(&view.text);
                return self.printer.text(&format!("{}\nFen: {fen}\n", view.board));
            }
            "quit" => {
                self.quit = true;
                Ok(())
            }
            // There is nothing to stop, and nothing to be said.
            "stop" | "ponderhit" | "debug" | "register" | "gameover" => Ok(()),
            _ => Err(format!("unknown command: {line}")),
        };
        match done {
            Ok(()) => Ok(()),
            Err(why) => self.tell(&why),
        }
    }

    fn introduce(&mut self) -> Result<(), Failure> {
        let mut text = format!(
            "id name Proofwood {}\nid author the Proofwood authors\n",
            env!("CARGO_PKG_VERSION")
        );
        if let Dialect { variant: Some(variant), protocol } = self.dialect {
            text += &options::variants(protocol, variant);
        }
        text += &options::listed(self.table.config());
        text += self.dialect.protocol.ok();
        self.printer.text(&(text + "\n"))
    }

    /// Goes back to the start, or to a position as it is written there.
    fn restart(&mut self, start: &str) -> Result<(), String> {
        let position = match start {
            "startpos" => match self.dialect.variant.and_then(Variant::start) {
                None => None,
                Some(text) => Some(self.read(&text)?),
            },
            fen => Some(self.read(&self.dialect.read_position(fen))?),
        };
        self.table.restart(position);
        self.told = (start.to_string(), Vec::new());
        Ok(())
    }

    /// Reads a position of ours. Counters that a game does not have may stand behind it.
    fn read(&self, text: &str) -> Result<Box<dyn proofwood_any_game::Position>, String> {
        let mut bare = text.trim();
        loop {
            match self.table.rules.read(bare) {
                Ok(position) => return Ok(position),
                Err(error) => match bare.rsplit_once(' ') {
                    Some((rest, last)) if last.bytes().all(|b| b.is_ascii_digit() || b == b'-') => {
                        bare = rest.trim_end();
                    }
                    _ => return Err(format!("cannot read the position: {error}")),
                },
            }
        }
    }

    /// `position [startpos | fen FEN | sfen SFEN] [moves ...]`
    fn position(&mut self, words: &[&str]) -> Result<(), String> {
        let at = words.iter().position(|word| *word == "moves").unwrap_or(words.len());
        let (start, moves) = words.split_at(at);
        let moves = moves.get(1..).unwrap_or_default();
        let start = match start {
            ["startpos"] => "startpos".to_string(),
            ["fen" | "sfen", fen @ ..] if !fen.is_empty() => fen.join(" "),
            _ => return Err("position needs startpos, or fen and a position".into()),
        };
        // The tree is kept where the game goes on.
        let common = moves.iter().zip(&self.told.1).take_while(|(new, old)| *new == old).count();
        let played = self.told.1.len();
        let goes_on = start == self.told.0 && played == self.table.moves().len();
        if !goes_on || self.broken.is_some() || !self.table.undo(played - common) {
            self.restart(&start)?;
        }
        let common = if goes_on && self.broken.is_none() { common } else { 0 };
        self.told.1.truncate(common);
        for (number, mv) in moves.iter().enumerate().skip(common) {
            let here = self.dialect.read_move(mv);
            let played = self.table.play(&here);
            played.map_err(|error| format!("move {} ({mv}): {error}", number + 1))?;
            self.told.1.push(mv.to_string());
        }
        Ok(())
    }

    fn setoption(&mut self, words: &[&str]) -> Result<(), String> {
        let at = words.iter().position(|word| *word == "value").unwrap_or(words.len());
        let (name, value) = words.split_at(at);
        let name = name.strip_prefix(&["name"]).unwrap_or(name).join(" ");
        let value = value.get(1..).unwrap_or_default().join(" ");
        if let ("uci_variant" | "usi_variant", Some(_)) =
            (&*name.to_ascii_lowercase(), self.dialect.variant)
        {
            let variant = Variant::named(&value)
                .ok_or_else(|| format!("'{value}' should be {}", options::variant_names()))?;
            self.table.change(variant.game).map_err(|failure| failure.to_string())?;
            self.dialect.variant = Some(variant);
            return self.restart("startpos");
        }
        let mut given = self.options.clone();
        if !options::give(&mut given, &name, &value)? {
            return Ok(());
        }
        let base = proofwood::Config::default();
        let config = given.apply_to(Some(&self.table.game), base);
        self.table.configure(config.map_err(|failure| failure.to_string())?);
        self.options = given;
        Ok(())
    }

    fn go(&mut self, words: &[&str]) -> Result<(), Failure> {
        if let Some(why) = self.broken.clone() {
            self.tell(&format!("there is no position: {why}"))?;
            return self.printer.text(&format!("bestmove {}\n", self.dialect.protocol.no_move()));
        }
        let asked = match go::Asked::read(words, &self.table, self.dialect.protocol) {
            Ok(asked) => asked,
            Err(why) => {
                self.tell(&why)?;
                go::Asked::usual(&self.table)
            }
        };
        let best = match self.table.position.turn() {
            Turn::Over => None,
            // Chance has no engine; it is drawn as the game says.
            Turn::Chance => {
                let drawn = self.table.roll();
                self.table.undo(1);
                drawn
            }
            Turn::Player(_) => self.search(&asked)?,
        };
        let text = self.table.position.text();
        let best = best.map(|mv| self.dialect.write_move(&text, &mv));
        let best = best.unwrap_or_else(|| self.dialect.protocol.no_move().into());
        self.printer.text(&format!("bestmove {best}\n"))
    }

    fn search(&mut self, asked: &go::Asked) -> Result<Option<String>, Failure> {
        let Session { table, dialect, events, printer, .. } = self;
        let (dialect, mut stopped) = (*dialect, false);
        let start = table.position.copy();
        let printer = std::cell::RefCell::new(&mut **printer);
        let written = std::cell::RefCell::new(Ok(()));
        let say = |text: &str| {
            let mut written = written.borrow_mut();
            if written.is_ok() {
                *written = printer.borrow_mut().text(text);
            }
        };
        let mut report = |answer: &_| say(&go::info(answer, dialect, &*start));
        let mut hear = |line: Option<&str>| match line.map(str::trim) {
            None if asked.waits => Heard::StopFor,
            Some("stop") => {
                stopped = true;
                Heard::Stop
            }
            Some("quit") => Heard::StopFor,
            Some("isready") => {
                say("readyok\n");
                Heard::Done
            }
            Some("ponderhit") => Heard::Done,
            _ => Heard::Later,
        };
        let every = Some((go::EVERY, &mut report as &mut dyn FnMut(&_)));
        let answer = table.think(asked.budget.clone(), events, every, &mut hear);
        let line = match &answer {
            Ok(answer) => go::info(answer, dialect, &*start),
            Err(failure) => format!("info string {}\n", cut(&failure.to_string())),
        };
        say(&line);
        written.into_inner()?;
        if asked.waits && !stopped && !self.events.interrupted {
            self.wait_for_stop();
        }
        Ok(answer.ok().and_then(|answer| answer.best_move))
    }

    /// An endless search tells its move when it is asked to, also where it has ended.
    fn wait_for_stop(&mut self) {
        let mut later = Vec::new();
        loop {
            let event = self.events.next();
            match &event {
                Event::Line(Ok(line)) if line.trim() == "stop" => break,
                Event::Line(Ok(line)) if line.trim() == "isready" => {
                    // What cannot be written now cannot be written later, and is seen then.
                    let _ = self.printer.text("readyok\n");
                    continue;
                }
                Event::Line(Ok(line)) if line.trim() != "quit" => {
                    later.push(event);
                    continue;
                }
                Event::Searched => continue,
                _ => {}
            }
            later.push(event);
            break;
        }
        self.events.put_back(later);
    }

    fn query(&mut self, words: &[&str]) -> Result<(), Failure> {
        let turn = self.table.position.turn();
        let yes = |yes: bool| if yes { "true" } else { "false" };
        let answer = match words {
            ["gameover"] => yes(turn == Turn::Over),
            ["p1turn"] => yes(turn == Turn::Player(0)),
            ["result"] => match (turn, &self.table.position.payoffs()[..]) {
                (Turn::Over, [a, b]) if a > b => "p1win",
                (Turn::Over, [a, b]) if a < b => "p2win",
                (Turn::Over, _) => "draw",
                _ => "none",
            },
            _ => return self.tell("query needs gameover, p1turn or result"),
        };
        self.printer.text(&format!("response {answer}\n"))
    }
}

impl Protocol {
    /// What stands for a move where there is none.
    fn no_move(self) -> &'static str {
        match self {
            Protocol::Usi => "resign",
            _ => "0000",
        }
    }
}
