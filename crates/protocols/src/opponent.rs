//! Other programs as opponents of the engine, through GTP, UGI or UCI.
//!
//! The program is started for each game and ended after it. A command that does not start is
//! refused before the first game. Any later fault of the program (it exits, does not answer in
//! time, or makes an illegal move) makes it lose the game but does not end the match.

use crate::declared::Declared;
use proofwood::{Budget, CancelToken};
use proofwood_any_game::{Position, Rules};
use proofwood_notation::gtp::{Board, Colours, Letters, Notation};
use proofwood_notation::variants::Variant;
use proofwood_session::contest::{Guests, Seat, Silent};
use proofwood_session::input::lines::Lines;
use proofwood_session::{Trouble, cut};
use std::io::{self, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// The maximum number of lines from the program that wait to be read. If there are more, the thread
/// that receives them blocks.
const UNHEARD: usize = 1024;

/// The interval at which we check, while waiting for the program, whether the match was cancelled.
const GLANCE: Duration = Duration::from_millis(50);

/// The time that the program has to exit after the command to quit, or after it has closed its output.
const FAREWELL: Duration = Duration::from_millis(500);

/// The protocols that an opponent may speak.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// The Go Text Protocol.
    Gtp,
    /// The Universal Game Interface.
    Ugi,
    /// The Universal Chess Interface, with `UCI_Variant`.
    Uci,
}

impl Protocol {
    /// Returns the protocol named `gtp`, `ugi` or `uci`.
    pub fn named(name: &str) -> Option<Protocol> {
        match name {
            "gtp" => Some(Protocol::Gtp),
            "ugi" => Some(Protocol::Ugi),
            "uci" => Some(Protocol::Uci),
            _ => None,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Protocol::Gtp => "gtp",
            Protocol::Ugi => "ugi",
            Protocol::Uci => "uci",
        }
    }
}

/// The command that starts an opponent, with its settings.
#[derive(Clone, Debug)]
pub struct Opponent {
    words: Vec<String>,
    protocol: Protocol,
    variant: Option<&'static Variant>,
    budget: Budget,
    /// The time for which the program may be silent, in addition to the time for a move.
    patience: Duration,
    options: Vec<(String, String)>,
}

impl Opponent {
    /// Parses the command that starts an opponent for `game`.
    pub fn new(
        command: &str,
        protocol: Protocol,
        game: &str,
        rules: &dyn Rules,
        budget: &Budget,
        patience: Duration,
    ) -> Result<Opponent, Trouble> {
        let wrong = |why: String| Err(Trouble::Input(format!("--opponent: {why}")));
        let Some(words) = shlex::split(command).filter(|words| !words.is_empty()) else {
            return wrong(format!(
                "'{command}' is not a valid command; check that its quotes are closed"
            ));
        };
        if rules.players() != 2 || rules.start().has_chance() {
            return wrong(format!(
                "{game} cannot be played against another program; choose a two-player \
                 game without chance"
            ));
        }
        let variant = Variant::of(game);
        if protocol == Protocol::Uci && variant.is_none() {
            return wrong(format!("UCI has no variant for {game}; try --protocol gtp or ugi"));
        }
        let (budget, options) = (budget.clone(), Vec::new());
        Ok(Opponent { words, protocol, variant, budget, patience, options })
    }

    /// Adds options, each in the form `NAME=VALUE`.
    pub fn with_options(mut self, given: &[String]) -> Result<Opponent, Trouble> {
        let wrong = |why: String| Err(Trouble::Input(format!("--opponent-option: {why}")));
        for text in given {
            if self.protocol == Protocol::Gtp {
                return wrong("GTP has no options; put them in the --opponent command".into());
            }
            let option = text.split_once('=').map(|(name, value)| (name.trim(), value.trim()));
            match option.filter(|(name, _)| !name.is_empty() && !text.contains(['\n', '\r'])) {
                Some((name, value)) => self.options.push((name.into(), value.into())),
                None => return wrong(format!("'{}' should be NAME=VALUE", cut(text))),
            }
        }
        Ok(self)
    }

    /// Starts the program once to check that it exists and declares the options to be set. Other
    /// faults appear only in the games.
    pub fn check(&self, rules: &dyn Rules, cancel: &CancelToken) -> Result<(), Trouble> {
        if self.options.is_empty() {
            let started = self.spawn().and_then(|mut child| {
                child.kill()?;
                child.wait()
            });
            return started.map(drop).map_err(|error| {
                Trouble::Input(format!(
                    "--opponent: cannot start '{}': {error}; give the name or the path of a \
                     program",
                    cut(&self.words.join(" "))
                ))
            });
        }
        match Guest::start(self, rules.start(), true, cancel) {
            Err(Silent::WrongOption(why)) => {
                Err(Trouble::Input(format!("--opponent-option: {}: {why}", self.words.join(" "))))
            }
            Err(Silent::Forfeit(_) | Silent::Cancelled) | Ok(_) => Ok(()),
        }
    }

    fn spawn(&self) -> io::Result<Child> {
        let (program, arguments) =
            self.words.split_first().ok_or_else(|| io::Error::other("the command is empty"))?;
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        command.stderr(Stdio::null()).spawn()
    }

    /// Describes the program for users: the command, its protocol, limits and options.
    pub fn written(&self) -> String {
        let command = shlex::try_join(self.words.iter().map(String::as_str));
        let command = command.unwrap_or_else(|_| self.words.join(" "));
        let Budget { time, playouts, nodes, .. } = &self.budget;
        let time = time.map_or_else(String::new, |t| format!(" --time {}s", t.as_secs_f64()));
        let count = playouts.or(*nodes).map_or_else(String::new, |n| format!(" --nodes {n}"));
        let options = self.options.iter().map(|(name, value)| format!(", {name}={value}"));
        let options: String = options.collect();
        format!("{command} (by {}{time}{count}{options})", self.protocol.name())
    }
}

impl Guests for Opponent {
    fn sit(
        &self,
        begin: Box<dyn Position>,
        is_start: bool,
        cancel: &CancelToken,
    ) -> Result<Box<dyn Seat>, Silent> {
        Ok(Box::new(Guest::start(self, begin, is_start, cancel)?))
    }
}

struct Guest {
    opponent: Opponent,
    cancel: CancelToken,
    child: Child,
    input: ChildStdin,
    output: Receiver<Result<String, String>>,
    /// The start of the game in the program's notation; `None` for the game's default.
    start: Option<String>,
    moves: Vec<String>,
    /// The nodes that the program reported for its last move.
    nodes: u64,
    position: Box<dyn Position>,
    colours: Colours,
}

impl Guest {
    fn start(
        opponent: &Opponent,
        begin: Box<dyn Position>,
        is_start: bool,
        cancel: &CancelToken,
    ) -> Result<Guest, Silent> {
        let started = opponent.spawn();
        let mut child = started.map_err(|error| format!("cannot start the program: {error}"))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("cannot open its input and output".to_string().into());
        };
        let (say, heard) = mpsc::sync_channel(UNHEARD);
        let reader = thread::Builder::new().name("opponent".into());
        let reader = reader.spawn(move || {
            let mut lines = Lines::new(BufReader::new(output));
            while let Ok(Some(line)) = lines.next() {
                if say.send(line).is_err() {
                    return;
                }
            }
        });
        reader.map_err(|error| format!("cannot start a thread: {error}"))?;
        let text = begin.text();
        let start = match opponent.protocol {
            Protocol::Uci => opponent.variant.map(|variant| variant.write_position(&text)),
            _ => (!is_start).then_some(text),
        };
        let mut guest = Guest {
            opponent: opponent.clone(),
            cancel: cancel.clone(),
            child,
            input,
            output: heard,
            start,
            moves: Vec::new(),
            nodes: 0,
            colours: Colours::of(&begin.player_names()),
            position: begin,
        };
        guest.greet()?;
        Ok(guest)
    }

    /// Sends the commands that prepare the program for a game.
    fn greet(&mut self) -> Result<(), Silent> {
        let until = Instant::now() + self.opponent.patience;
        match self.opponent.protocol {
            Protocol::Gtp => {
                let board = Board::read(&self.position.view());
                if let Some(board) = board.filter(|board| board.columns() == board.rows.len()) {
                    self.ask(&format!("boardsize {}", board.columns()))?;
                }
                self.ask("clear_board")?;
                if self.start.is_some() {
                    let text = self.position.text();
                    self.ask(&format!("proofwood-set_position {text}"))?;
                }
                if let Some(time) = self.opponent.budget.time {
                    let seconds = time.as_secs_f64().ceil();
                    self.ask(&format!("time_settings 0 {seconds} 1"))?;
                }
                Ok(())
            }
            Protocol::Ugi => {
                self.say("ugi")?;
                self.set_options("ugiok", until)?;
                self.say("uginewgame")?;
                self.say("isready")?;
                self.wait_for("readyok", until).map(drop)
            }
            Protocol::Uci => {
                self.say("uci")?;
                self.set_options("uciok", until)?;
                if let Some(variant) = self.opponent.variant {
                    self.say(&format!("setoption name UCI_Variant value {}", variant.name))?;
                }
                self.say("ucinewgame")?;
                self.say("isready")?;
                self.wait_for("readyok", until).map(drop)
            }
        }
    }

    /// Reads the options that the program declares, up to the line `last`, and sets those that the
    /// user gave.
    fn set_options(&mut self, last: &str, until: Instant) -> Result<(), Silent> {
        let mut there = Vec::new();
        loop {
            let line = self.line(until)?;
            if line.split_whitespace().next() == Some(last) {
                break;
            }
            there.extend(Declared::read(&line));
        }
        for (name, value) in self.opponent.options.clone() {
            let Some(option) = there.iter().find(|option| option.is(&name)) else {
                let why = format!("there is no option '{}'", cut(&name));
                return Err(Silent::WrongOption(why));
            };
            option.check(&value).map_err(Silent::WrongOption)?;
            self.say(&format!("setoption name {name} value {value}"))?;
        }
        Ok(())
    }

    fn notation(&self) -> Notation {
        Notation::at(Letters::WithoutI, &self.position.view())
    }

    fn say(&mut self, line: &str) -> Result<(), Silent> {
        let said = self.input.write_all(format!("{line}\n").as_bytes());
        said.and_then(|()| self.input.flush()).map_err(|_| Silent::Forfeit(self.ended()))
    }

    fn ask(&mut self, command: &str) -> Result<String, Silent> {
        let time = self.opponent.budget.time.unwrap_or_default();
        let until = Instant::now() + time + self.opponent.patience;
        self.say(command)?;
        let mut answer = String::new();
        loop {
            let line = self.line(until)?;
            match (line.is_empty(), answer.is_empty()) {
                (true, true) => {}
                (true, false) => break,
                (false, _) => answer += &(line + " "),
            }
        }
        let text = answer.trim_start_matches(['=', '?']);
        let text = text.trim_start_matches(|c: char| c.is_ascii_digit()).trim();
        match answer.starts_with('=') {
            true => Ok(text.to_string()),
            false => Err(format!("'{}' failed: {}", cut(command), cut(text)).into()),
        }
    }

    fn wait_for(&mut self, word: &str, until: Instant) -> Result<String, Silent> {
        loop {
            let line = self.line(until)?;
            let mut words = line.split_whitespace();
            match words.next() {
                Some(first) if first == word => return Ok(line),
                Some("info") if words.clone().next() != Some("string") => {
                    let told = words.skip_while(|word| *word != "nodes").nth(1);
                    self.nodes = told.and_then(|text| text.parse().ok()).unwrap_or(self.nodes);
                }
                _ => {}
            }
        }
    }

    fn line(&mut self, until: Instant) -> Result<String, Silent> {
        loop {
            if self.cancel.is_cancelled() {
                return Err(Silent::Cancelled);
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err("no answer in time".to_string().into());
            }
            match self.output.recv_timeout(left.min(GLANCE)) {
                Ok(Ok(line)) => return Ok(line),
                Ok(Err(why)) => return Err(format!("unreadable output: {why}").into()),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(self.ended().into()),
            }
        }
    }

    fn ended(&mut self) -> String {
        // The program's output closes a moment before the program exits.
        let until = Instant::now() + FAREWELL;
        while Instant::now() < until {
            if let Ok(Some(status)) = self.child.try_wait() {
                return format!("the program exited ({status})");
            }
            thread::sleep(Duration::from_millis(5));
        }
        "the program closed its output".into()
    }
}

impl Seat for Guest {
    fn hear(&mut self, mv: &str, own: bool) -> Result<(), Silent> {
        let there = match (self.opponent.protocol, self.opponent.variant) {
            (Protocol::Uci, Some(variant)) => variant.write_move(&self.position.text(), mv),
            (Protocol::Gtp, _) => self.notation().write(mv),
            _ => mv.replace(' ', "_"),
        };
        if self.opponent.protocol == Protocol::Gtp && !own {
            let colour = match self.position.turn() {
                proofwood::Turn::Player(player) => self.colours.name(player),
                _ => String::new(),
            };
            self.ask(&format!("play {colour} {there}"))?;
        }
        self.moves.push(there);
        self.position.play(mv).map(drop).map_err(|error| Silent::Forfeit(error.to_string()))
    }

    fn think(&mut self, seat: usize) -> Result<String, Silent> {
        let Budget { time, playouts, nodes, .. } = self.opponent.budget.clone();
        let until = Instant::now() + time.unwrap_or_default() + self.opponent.patience;
        let said = if self.opponent.protocol == Protocol::Gtp {
            let colour = self.colours.name(seat);
            self.ask(&format!("genmove {colour}"))?
        } else {
            let start = match &self.start {
                None => "startpos".to_string(),
                Some(fen) => format!("fen {fen}"),
            };
            let moves = match &self.moves[..] {
                [] => String::new(),
                moves => format!(" moves {}", moves.join(" ")),
            };
            self.say(&format!("position {start}{moves}"))?;
            self.say(&match (time, playouts.or(nodes)) {
                (Some(time), _) => format!("go movetime {}", time.as_millis().max(1)),
                (None, Some(count)) => format!("go nodes {count}"),
                (None, None) => "go movetime 1000".into(),
            })?;
            let line = self.wait_for("bestmove", until)?;
            line.split_whitespace().nth(1).unwrap_or_default().to_string()
        };
        let word = said.split_whitespace().next().unwrap_or_default();
        match word.to_ascii_lowercase().as_str() {
            "" | "(none)" | "none" => Err("no move in its answer".to_string().into()),
            "resign" => Err("it resigned".to_string().into()),
            _ => Ok(match (self.opponent.protocol, self.opponent.variant) {
                (Protocol::Uci, Some(variant)) => variant.read_move(word),
                (Protocol::Gtp, _) => self.notation().read(word),
                _ => word.replace('_', " "),
            }),
        }
    }

    fn take_nodes(&mut self) -> u64 {
        std::mem::take(&mut self.nodes)
    }
}

impl Drop for Guest {
    fn drop(&mut self) {
        let _ = self.input.write_all(b"quit\n");
        let until = Instant::now() + FAREWELL;
        while Instant::now() < until {
            match self.child.try_wait() {
                Ok(None) => thread::sleep(Duration::from_millis(2)),
                _ => return,
            }
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
