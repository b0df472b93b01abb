//! `proofwood play`: plays against a person.

use crate::display::{screen, search_text};
use crate::exit::complain;
use crate::input::positions::{Found, Start};
use crate::solving::live;
use crate::terminal::interrupt::Interrupt;
use crate::terminal::print::Printer;
use crate::terminal::progress::Watch;
use crate::terminal::typed::{Input, Typed};
use proofwood::{Config, Goal, Rng, StopReason, Turn, Value};
use proofwood_any_game::{Answer, Position, Rules};
use proofwood_games::find_info;
use proofwood_session::contest::{Contender, Player};
use proofwood_session::input::limits::Limits;
use proofwood_session::input::moves::play_one;
use proofwood_session::input::options::SearchOptions;
use proofwood_session::input::seats::seats;
use proofwood_session::input::spec::find_game;
use proofwood_session::words::{answers, numbers, players};
use proofwood_session::{Ended, Trouble};
use std::collections::BTreeSet;
use std::time::Duration;

/// The engine's time for a move when no limit is given.
const USUAL_TIME: Duration = Duration::from_secs(1);

const COMMANDS: &str = "\
Commands, besides moves:
  moves     list the legal moves
  board     show the board again
  hint      show the move that the engine would play
  analyse   show the engine's full analysis of the position
  undo      take back your last move and the moves after it
  new       begin a new game
  quit      end the program (also q, exit and Ctrl-D)";

/// Play against the engine in the terminal
///
/// Reads moves and commands, one per line, from the terminal or from a pipe.
#[derive(clap::Args, Debug)]
#[command(after_help = format!("Examples:
  proofwood play connect-four
  proofwood play othello --engine 0 --time 5s
  proofwood play mnk:5,5,4,players=3 --engine 1,2 --playouts 1e5
  proofwood play reach-chess --engine all --preset tuned

{COMMANDS}

Without a limit, the engine takes 1s per move. Dice are rolled automatically, from
--seed. In a terminal, Ctrl-C makes the engine move at once; on your turn, or pressed
twice, it ends the program. At the end the moves are printed in the form that --moves takes.

Exit status: 0 at the end, 2 if a line from a pipe could not be played, 130 after
Ctrl-C."))]
pub(crate) struct Play {
    #[command(flatten)]
    start: Start,
    /// Players that the engine plays, by name or by number from 0: o, "1,2", all or none [default:
    /// all but the first]
    #[arg(short, long, value_name = "PLAYERS")]
    engine: Option<String>,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    options: SearchOptions,
}

impl Play {
    pub(crate) fn run(self, printer: &mut Printer) -> Result<Ended, Trouble> {
        let Found { game, position, played } = self.start.find()?;
        let (_, rules) = find_game(&game)?;
        let engine = seats(self.engine.as_deref(), &rules.player_names())?;
        let config = self.options.apply_to(Some(&game), Config::default())?;
        let budget = self.limits.budget(Some(USUAL_TIME))?;
        let interrupt = Interrupt::catch()?;
        let seed = config.seed;
        let contender = Contender { config: config.clone(), budget, reuse: true };
        let player = Player::new(&contender, seed, interrupt.token());
        let mut session = Session {
            interrupt,
            game,
            rules,
            engine,
            player,
            position,
            past: Vec::new(),
            given: played,
            dice: Rng::new(seed),
            config,
            refused: false,
            shown: false,
            printer,
        };
        session.run(Input::open()?)
    }
}

struct Session<'p> {
    interrupt: Interrupt,
    game: String,
    rules: Box<dyn Rules>,
    engine: BTreeSet<usize>,
    player: Player,
    position: Box<dyn Position>,
    /// The positions before the moves played in this session, each with the move played there.
    past: Vec<(Box<dyn Position>, String)>,
    /// The moves played before this session.
    given: Vec<String>,
    dice: Rng,
    config: Config,
    refused: bool,
    /// Whether the current board is on the screen.
    shown: bool,
    printer: &'p mut Printer,
}

enum Next {
    /// Continue with the player to move.
    Go,
    /// Read another line.
    Ask,
    /// End the session.
    End(Ended),
}

impl Session<'_> {
    fn run(&mut self, mut input: Input) -> Result<Ended, Trouble> {
        let person = input.is_person();
        self.show_board()?;
        self.printer.text(&self.welcome())?;
        let mut next = Next::Go;
        loop {
            if let Next::Go = next {
                next = self.go_on(person)?;
            }
            if let Next::End(outcome) = next {
                return Ok(outcome);
            }
            self.interrupt.leave_behind(self.moves_text());
            next = match input.next(&self.prompt(), &self.interrupt)? {
                Typed::Text(line) => self.obey(line.trim(), person)?,
                Typed::Unreadable(why) => self.refuse(&why, person)?,
                Typed::End => return self.end(person),
                Typed::Interrupted => {
                    self.end(person)?;
                    return Ok(Ended::Interrupted);
                }
            };
        }
    }

    fn welcome(&self) -> String {
        let names = self.position.player_names();
        let yours: Vec<&str> = (0..names.len())
            .filter(|seat| !self.engine.contains(seat))
            .map(|seat| names[seat].as_str())
            .collect();
        match &yours[..] {
            [] => String::new(),
            [one] => format!("You are {one}. Enter help for the commands.\n"),
            all => format!("You play {}. Enter help for the commands.\n", all.join(" and ")),
        }
    }

    /// Plays the moves of the engine and of chance until it is a person's turn or the game is over;
    /// then shows the board.
    fn go_on(&mut self, person: bool) -> Result<Next, Trouble> {
        loop {
            match self.position.turn() {
                Turn::Over => {
                    self.show_new_board()?;
                    let players = self.position.player_names();
                    let result = players::result(&players, &self.position.payoffs());
                    self.printer.text(&format!("{result}.\n"))?;
                    return Ok(Next::Ask);
                }
                Turn::Chance => {
                    let before = self.position.copy();
                    let mv = self.position.play_random(&mut self.dice);
                    self.printer.text(&format!("Chance: {mv}\n"))?;
                    self.played(before, mv);
                }
                Turn::Player(seat) if self.engine.contains(&seat) => {
                    let answer = self.search(person)?;
                    if answer.stop_reason == Some(StopReason::Cancelled) && !self.moves_now(person)
                    {
                        self.printer.text(&self.moves_text())?;
                        return Ok(Next::End(Ended::Interrupted));
                    }
                    let best = match answer.best_move.clone() {
                        Some(best) => best,
                        // Ctrl-C was pressed before the first playout.
                        None => self.position.view().legal_moves.swap_remove(0),
                    };
                    let name = players::name(&answer.players, seat);
                    let text = format!("{name} plays {best}{}\n", worth(&answer));
                    self.printer.text(&players::sentence(&text))?;
                    self.play(&best).map_err(Trouble::Failed)?;
                    self.show_board()?;
                }
                Turn::Player(_) => {
                    self.show_new_board()?;
                    return Ok(Next::Ask);
                }
            }
        }
    }

    fn obey(&mut self, line: &str, person: bool) -> Result<Next, Trouble> {
        let over = self.position.turn() == Turn::Over;
        match line.to_ascii_lowercase().as_str() {
            "" => {}
            "help" | "?" => self.help()?,
            "hint" | "analyse" | "analyze" | "moves" if over => {
                self.printer.text("The game is over; enter undo, new or quit\n")?;
            }
            "moves" => {
                let view = self.position.view();
                let count = view.legal_moves.len();
                let moves = format!("{} ({count})\n", view.legal_moves.join(" "));
                self.printer.text(&screen::fit(&moves))?;
            }
            "board" => self.show_board()?,
            "hint" => {
                let answer = self.search(person)?;
                let best = answer.best_move.as_deref().unwrap_or("no move");
                let worth = worth(&answer);
                self.printer.text(&format!("{best}{worth}\n"))?;
            }
            "analyse" | "analyze" => {
                let answer = self.search(person)?;
                let answer = search_text::answer(&self.position.view(), &answer, &self.config);
                self.printer.text(&screen::fit(&answer))?;
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
            "quit" | "q" | "exit" => {
                return self.end(person).map(Next::End);
            }
            _ => match self.play(line) {
                Ok(()) => {
                    self.show_board()?;
                    return Ok(Next::Go);
                }
                Err(error) => {
                    return self.refuse(&format!("{error}; enter help for the commands"), person);
                }
            },
        }
        Ok(Next::Ask)
    }

    /// Reports that a line could not be played: to a person on standard output, to a program on
    /// standard error.
    fn refuse(&mut self, why: &str, person: bool) -> Result<Next, Trouble> {
        self.refused = true;
        match person {
            true => self.printer.text(&screen::fit(&format!("{why}\n")))?,
            false => complain(&why),
        }
        Ok(Next::Ask)
    }

    fn help(&mut self) -> Result<(), Trouble> {
        let notation = find_info(self.game.split(':').next().unwrap_or_default());
        let notation = notation.map_or("", |info| info.notation);
        // The notation of positions is not needed here.
        let moves = notation.split_once(" A position is").map_or(notation, |(moves, _)| moves);
        self.printer.text(&screen::fit(&format!("{moves}\n{COMMANDS}\n")))
    }

    /// Takes back a person's last move and all moves after it.
    fn undo(&mut self) -> Result<Next, Trouble> {
        let person = |position: &dyn Position| matches!(position.turn(), Turn::Player(seat) if !self.engine.contains(&seat));
        match self.past.iter().rposition(|(before, _)| person(&**before)) {
            Some(last) => {
                if let Some((before, _)) = self.past.drain(last..).next() {
                    self.position = before;
                }
                self.player.forget();
                self.show_board()?;
            }
            None => self.printer.text("You have no move to take back\n")?,
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
        self.shown = false;
    }

    /// Returns whether Ctrl-C ends only the engine's search. This is the case if a person at the
    /// terminal plays at least one side.
    fn moves_now(&self, person: bool) -> bool {
        person && self.engine.len() < self.rules.players()
    }

    fn search(&mut self, person: bool) -> Result<Answer, Trouble> {
        if self.moves_now(person) {
            self.player.end_with(&self.interrupt.renew());
        }
        self.interrupt.leave_behind(self.moves_text());
        self.player
            .think(&*self.position, |search, budget| live::run(search, budget, Watch::default()))
    }

    fn show_new_board(&mut self) -> Result<(), Trouble> {
        if self.shown { Ok(()) } else { self.show_board() }
    }

    fn show_board(&mut self) -> Result<(), Trouble> {
        self.shown = true;
        let board = answers::board(&self.position.view());
        self.printer.text(&format!("\n{board}\n"))
    }

    fn prompt(&self) -> String {
        match self.position.turn() {
            Turn::Player(seat) => {
                let names = self.position.player_names();
                players::sentence(players::name(&names, seat)) + "> "
            }
            _ => "undo, new or quit> ".to_string(),
        }
    }

    /// Prints the moves and ends the session. If a line from a program was refused, the exit status
    /// reports it.
    fn end(&mut self, person: bool) -> Result<Ended, Trouble> {
        self.printer.text(&self.moves_text())?;
        Ok(if self.refused && !person { Ended::BadLines } else { Ended::Done })
    }

    /// Formats the moves of the game in the form of `--moves`.
    fn moves_text(&self) -> String {
        let here = self.past.iter().map(|(_, mv)| mv.as_str());
        let moves: Vec<&str> = self.given.iter().map(String::as_str).chain(here).collect();
        match moves.is_empty() {
            true => String::new(),
            false => format!("Moves: {}\n", moves.join(" ")),
        }
    }
}

/// Formats the value of the best move in brackets.
fn worth(answer: &Answer) -> String {
    let name = players::name(&answer.players, answer.to_move.unwrap_or(0));
    let others = if answer.paranoid { " against all the others together" } else { "" };
    match answer.proven {
        Value::Win => format!(" ({name} wins{others}, proven)"),
        Value::Draw => format!(" (a draw{others}, proven)"),
        Value::Loss => format!(" ({name} loses{others}, proven)"),
        _ => answers::mean(answer, Goal::default())
            .map_or_else(String::new, |mean| format!(" ({} for {name})", numbers::share(mean))),
    }
}
