//! A family of protocols: UGI for all games, UCI with `UCI_Variant` for the games that
//! Fairy-Stockfish and cutechess support, and USI for minishogi.
//!
//! - [`dialect`]: the differences between them, and the notation of moves and positions.
//! - [`options`]: the engine's options, from the library's table.
//! - [`go`]: the arguments of `go`, and reports on a search.
//! - [`mate`]: `go mate`, which the provers answer.
//! - [`session`]: a game in progress; [`ear`]: lines that arrive while a search runs.

mod command;
mod dialect;
mod ear;
mod go;
mod mate;
mod options;
mod session;

pub use command::{Uci, Ugi};

use super::events::{Event, Terms};
use dialect::{Dialect, Protocol, SHOGI};
use ear::Ear;
use go::Asked;
use proofwood::{Budget, Turn};
use proofwood_notation::game_file::read_position;
use proofwood_notation::variants::Variant;
use proofwood_session::input::options::SearchOptions;
use proofwood_session::{Ended, Trouble, cut};
use session::Session;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};

impl Session {
    fn run(mut self) -> Result<Ended, Trouble> {
        self.restart("startpos").map_err(Trouble::Failed)?;
        while !self.quit {
            match self.events.next() {
                Event::Line(Ok(line)) => {
                    // A panic in a game must not end the session.
                    let obeyed = catch_unwind(AssertUnwindSafe(|| self.obey(&line)));
                    match obeyed {
                        Ok(obeyed) => obeyed?,
                        Err(_) => self.tell("internal error: the program panicked")?,
                    }
                }
                Event::Line(Err(why)) => self.tell(&why)?,
                Event::End => break,
                Event::Interrupted => return Ok(Ended::Interrupted),
                Event::Searched => {}
            }
        }
        Ok(if self.events.interrupted { Ended::Interrupted } else { Ended::Done })
    }

    fn obey(&mut self, line: &str) -> Result<(), Trouble> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some((&command, rest)) = words.split_first() else { return Ok(()) };
        let done = match command {
            "uci" | "ugi" | "usi" if self.dialect.speaks(command) => return self.introduce(),
            "isready" => return self.output.text("readyok\n"),
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
                return self.output.text(&format!("{}\nFen: {fen}\n", view.board));
            }
            "quit" => {
                self.quit = true;
                Ok(())
            }
            // These have no effect while no search runs.
            "stop" | "ponderhit" | "debug" | "register" | "gameover" => Ok(()),
            _ => Err(format!("unknown command: {line}")),
        };
        match done {
            Ok(()) => Ok(()),
            Err(why) => self.tell(&why),
        }
    }

    fn introduce(&mut self) -> Result<(), Trouble> {
        if self.dialect.protocol == Protocol::Usi && !self.dialect.is_chosen {
            let shogi = Variant::named(SHOGI).map_or(Ok(()), |variant| self.choose(variant));
            shogi.map_err(Trouble::Failed)?;
        }
        let mut text = format!(
            "id name Proofwood {}\nid author the Proofwood authors\n",
            env!("CARGO_PKG_VERSION")
        );
        if let Dialect { variant: Some(variant), protocol, .. } = self.dialect {
            text += &options::variants(protocol, variant);
        }
        text += &options::listed(self.table.config(), self.dialect.protocol, self.lines);
        text += self.dialect.protocol.ok();
        self.output.text(&(text + "\n"))
    }

    /// Goes back to the start of the game, or to the position `start`.
    fn restart(&mut self, start: &str) -> Result<(), String> {
        let position = match start {
            "startpos" => match self.dialect.variant.and_then(Variant::start) {
                None => None,
                Some(text) => Some(read_position(&*self.table.rules, &text)?),
            },
            fen => Some(read_position(&*self.table.rules, &self.dialect.read_position(fen))?),
        };
        self.table.restart(position);
        self.told = (start.to_string(), Vec::new());
        Ok(())
    }

    /// Executes `position [startpos | fen FEN | sfen SFEN] [moves ...]`.
    fn position(&mut self, words: &[&str]) -> Result<(), String> {
        let at = words.iter().position(|word| *word == "moves").unwrap_or(words.len());
        let (start, moves) = words.split_at(at);
        let moves = moves.get(1..).unwrap_or_default();
        let start = match start {
            ["startpos"] => "startpos".to_string(),
            ["fen" | "sfen", fen @ ..] if !fen.is_empty() => fen.join(" "),
            _ => return Err("position needs startpos, or fen followed by a position".into()),
        };
        // The tree is kept if the game continues from the last position.
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
            let played = self.table.follow(&here);
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
        match (&*name.to_ascii_lowercase(), self.dialect.variant) {
            ("uci_variant" | "usi_variant", Some(_)) => {
                let variant = Variant::named(&value)
                    .ok_or_else(|| format!("'{value}' should be {}", options::variant_names()))?;
                return self.choose(variant);
            }
            ("multipv" | "usi_multipv", _) => {
                let lines = value.parse().ok().filter(|n| (1..=options::MOST_LINES).contains(n));
                self.lines = lines.ok_or_else(|| {
                    format!(
                        "{name}: '{value}' should be a number from 1 to {}",
                        options::MOST_LINES
                    )
                })?;
                return Ok(());
            }
            _ => {}
        }
        let mut given = self.options.clone();
        if options::give(&mut given, &name, &value)? {
            self.configure(&self.table.game.clone(), &given)?;
            self.options = given;
        }
        Ok(())
    }

    fn configure(&mut self, game: &str, options: &SearchOptions) -> Result<(), String> {
        let config = options.apply_to(Some(game), proofwood::Config::default());
        self.table.configure(config.map_err(|failure| failure.to_string())?);
        Ok(())
    }

    fn choose(&mut self, variant: &'static Variant) -> Result<(), String> {
        self.configure(variant.game, &self.options.clone())?;
        self.table.change(variant.game).map_err(|failure| failure.to_string())?;
        (self.dialect.variant, self.dialect.is_chosen) = (Some(variant), true);
        self.restart("startpos")
    }

    fn go(&mut self, words: &[&str]) -> Result<(), Trouble> {
        let asked = match self.broken.as_ref() {
            Some(why) => Err(format!("no position is set up: {why}")),
            None => Asked::read(words, &self.table, self.dialect),
        };
        let asked = match asked {
            Ok(asked) => asked,
            Err(why) => {
                self.tell(&why)?;
                return self
                    .output
                    .text(&format!("bestmove {}\n", self.dialect.protocol.no_move()));
            }
        };
        if let Some(odd) = &asked.odd {
            self.tell(odd)?;
        }
        let best = match (self.table.position.turn(), asked.mate) {
            (Turn::Over, None) => Vec::new(),
            // An outcome of chance is drawn from the game's distribution.
            (Turn::Chance, _) => {
                let drawn = self.table.roll();
                self.table.undo(1);
                Vec::from_iter(drawn)
            }
            (Turn::Player(_), None) => self.search(asked)?,
            (_, Some(within)) if self.dialect.protocol == Protocol::Usi => {
                return self.checkmate(within);
            }
            (Turn::Over, _) => Vec::new(),
            (Turn::Player(mover), Some(within)) => self.mate(mover, within)?,
        };
        let line = self.dialect.write_line(&*self.table.position, &best);
        let mut text = match line.first() {
            Some(mv) => format!("bestmove {mv}"),
            None => format!("bestmove {}", self.dialect.protocol.no_move()),
        };
        if let (Some(reply), true) = (line.get(1), self.dialect.protocol != Protocol::Ugi) {
            text += &format!(" ponder {reply}");
        }
        self.output.text(&(text + "\n"))
    }

    /// Searches; returns the best move, and the expected reply if there is one.
    fn search(&mut self, mut asked: Asked) -> Result<Vec<String>, Trouble> {
        loop {
            let Session { table, dialect, lines, events, output, .. } = self;
            let (dialect, lines) = (*dialect, *lines);
            let start = table.position.copy();
            let mut written = Ok(());
            let output = RefCell::new((output, &mut written));
            let say = |text: &str| {
                let (output, written) = &mut *output.borrow_mut();
                if written.is_ok() {
                    **written = output.text(text);
                }
            };
            let mut report = |answer: &_| say(&go::info(answer, lines, dialect, &*start));
            let mut ear = Ear::new(asked.holds(), asked.ponders);
            let mut hear = |line: Option<&str>| ear.hear(line, &mut || say("readyok\n"));
            let budget = if asked.ponders { Budget::pondering() } else { asked.budget.clone() };
            let reports = Some((go::EVERY, &mut report as &mut dyn FnMut(&_)));
            let terms = Terms { reports, holds: asked.holds(), grace: None };
            let answer = table.think(budget, asked.among.as_deref(), events, terms, &mut hear);
            let text = match &answer {
                Ok(answer) => go::info(answer, lines, dialect, &*start),
                Err(failure) => format!("info string {}\n", cut(&failure.to_string())),
            };
            say(&text);
            written?;
            let Some(hit) = ear.hit else {
                let best = answer.ok().and_then(|answer| {
                    let best = answer.best_move?;
                    let reply = answer.pv.get(1).filter(|_| answer.pv.first() == Some(&best));
                    Some(std::iter::once(best.clone()).chain(reply.cloned()).collect())
                });
                return Ok(best.unwrap_or_default());
            };
            // The opponent has played the expected move. The clock runs from now on, and the tree
            // is kept.
            let words: Vec<&str> = hit.split_whitespace().skip(1).collect();
            if let (false, Ok(told)) = (words.is_empty(), Asked::read(&words, table, dialect)) {
                asked.budget = told.budget;
            }
            asked.ponders = false;
        }
    }

    fn query(&mut self, words: &[&str]) -> Result<(), Trouble> {
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
        self.output.text(&format!("response {answer}\n"))
    }
}
