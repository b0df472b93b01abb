//! The commands for playing a game.

use super::super::events::Terms;
use super::line::Command;
use super::session::{Reply, Session, Stop, while_thinking};
use super::{analysis, board};
use proofwood::Turn;
use proofwood_any_game::Answer;
use proofwood_notation::game_file::GameFile;
use proofwood_session::input::limits::read_count;
use proofwood_session::input::spec::find_game;
use std::time::Duration;

/// The commands for all games. The others need a board.
const ALWAYS: &[&str] = &[
    "boardsize",
    "clear_board",
    "final_score",
    "genmove",
    "gg-undo",
    "gogui-analyze_commands",
    "gogui-interrupt",
    "gogui-play_sequence",
    "gogui-rules_final_result",
    "gogui-rules_game_id",
    "gogui-rules_legal_moves",
    "gogui-rules_side_to_move",
    "gogui-version",
    "kata-list_time_settings",
    "kata-time_settings",
    "kgs-time_settings",
    "known_command",
    "komi",
    "list_commands",
    "loadsgf",
    "name",
    "play",
    "proofwood-position",
    "proofwood-set_position",
    "protocol_version",
    "quit",
    "reg_genmove",
    "showboard",
    "time_left",
    "time_settings",
    "undo",
    "version",
];

/// The names of the time systems in `kgs-time_settings`.
const TIME_SETTINGS: &str = "none absolute byoyomi canadian";

const PASS: &str = "pass";

/// The names of the swap move of Hex. The stones and the colour to move stay the same, and the
/// players exchange colours.
const SWAPS: &[&str] = &["swap-pieces", "swap-sides", "swap"];

fn seconds(text: &str) -> Result<Duration, String> {
    let wrong = || format!("'{text}' should be a non-negative number of seconds");
    let seconds: f64 = text.parse().map_err(|_| wrong())?;
    Some(seconds).filter(|s| (0.0..=1e9).contains(s)).map(Duration::from_secs_f64).ok_or_else(wrong)
}

fn whole(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| format!("'{text}' should be a non-negative whole number"))
}

impl Session {
    /// Executes a command and returns the answer.
    pub(super) fn reply(&mut self, command: &Command) -> Reply {
        let said = |text: &str| Ok(text.to_string());
        match &*command.name {
            "protocol_version" => said("2"),
            "name" => said("Proofwood"),
            "version" => said(env!("CARGO_PKG_VERSION")),
            "list_commands" => Ok(self.commands().join("\n")),
            "known_command" => {
                let known = self.commands().contains(&command.argument(0, "a command's name")?);
                said(if known { "true" } else { "false" })
            }
            "quit" => {
                self.quit = true;
                said("")
            }
            "boardsize" => self.boardsize(command),
            "clear_board" => {
                self.table.restart(None);
                self.clocks.restart();
                said("")
            }
            // GUIs send `komi` even for games that have none; the number has no effect.
            "komi" => match command.argument(0, "a number")?.parse::<f64>() {
                Ok(_) => said(""),
                Err(_) => Err("komi needs a number".into()),
            },
            "play" => self.play(command),
            "genmove" => self.genmove(command, true),
            "reg_genmove" => self.genmove(command, false),
            "undo" => self.undo(1),
            "gg-undo" => {
                let moves = command.arguments.first().map_or(Ok(1), |text| whole(text))?;
                self.undo(moves as usize)
            }
            "showboard" => Ok(format!("\n{}", self.table.position.view().board)),
            "time_settings" => {
                let main = seconds(command.argument(0, "three numbers")?)?;
                let period = seconds(command.argument(1, "three numbers")?)?;
                let moves = whole(command.argument(2, "three numbers")?)?;
                self.clocks.set(main, period, moves);
                said("")
            }
            "kata-list_time_settings" => said(TIME_SETTINGS),
            "kgs-time_settings" | "kata-time_settings" => self.kinds_of_time(command),
            "gogui-play_sequence" => self.play_sequence(command),
            "time_left" => {
                let player = self.player(command.argument(0, "a colour")?)?;
                let time = seconds(command.argument(1, "a time")?)?;
                let moves = command.arguments.get(2).map_or(Ok(0), |text| whole(text))?;
                self.clocks.tell(player, time, moves);
                said("")
            }
            "final_score" => self.final_score(),
            "loadsgf" => self.loadsgf(command),
            "proofwood-position" => Ok(self.table.position.text()),
            "proofwood-set_position" => {
                let position = self.table.rules.read(&command.arguments.join(" "));
                let position =
                    position.map_err(|error| format!("cannot read the position: {error}"))?;
                self.table.restart(Some(position));
                said("")
            }
            name if analysis::COMMANDS.contains(&name) => self.analyse(command),
            name if board::COMMANDS.contains(&name) || name.starts_with("gogui-") => {
                self.gogui(command)
            }
            _ => Err("unknown command".into()),
        }
    }

    fn commands(&self) -> Vec<&'static str> {
        let boards = board::COMMANDS.iter().filter(|_| self.board().is_some());
        let mut all: Vec<&str> =
            ALWAYS.iter().chain(analysis::COMMANDS).chain(boards).copied().collect();
        all.sort_unstable();
        all
    }

    pub(super) fn player(&self, text: &str) -> Result<usize, String> {
        let colours = self.colours();
        colours.find(text).ok_or_else(|| {
            let names: Vec<String> =
                (0..self.table.rules.players()).map(|player| colours.name(player)).collect();
            format!("there is no player '{text}'; the players are {}", names.join(" and "))
        })
    }

    /// Returns whose turn it is, or an error unless it is the turn of the colour `text`.
    pub(super) fn check_turn(&self, text: &str) -> Result<Turn, Stop> {
        let turn = self.table.position.turn();
        match turn {
            Turn::Over => Err("the game is over".into()),
            Turn::Chance if text.eq_ignore_ascii_case("chance") => Ok(turn),
            Turn::Chance => Err("it is chance's turn; give 'chance' as the colour".into()),
            Turn::Player(mover) if self.player(text)? == mover => Ok(turn),
            Turn::Player(mover) => {
                let mover = self.colours().name(mover);
                let hint = "undo takes back a move, and clear_board starts again";
                Err(format!("it is {mover}'s turn; {hint}").into())
            }
        }
    }

    fn play(&mut self, command: &Command) -> Reply {
        let colour = command.argument(0, "a colour and a move")?;
        let mv = command.argument(1, "a colour and a move")?;
        if mv.eq_ignore_ascii_case(PASS) && self.table.position.turn() == Turn::Over {
            self.player(colour)?;
            self.table.stand(PASS);
            return Ok(String::new());
        }
        self.check_turn(colour)?;
        if self.can_swap() && SWAPS.iter().any(|swap| mv.eq_ignore_ascii_case(swap)) {
            self.table.stand(mv);
            return Ok(String::new());
        }
        let own = self.notation().read(mv);
        // The error quotes the vertex as it was sent.
        let quoted = |error: String| error.replacen(&format!("'{own}'"), &format!("'{mv}'"), 1);
        self.table.play(&own).map_err(quoted)?;
        Ok(String::new())
    }

    /// Returns whether the swap move can be played: in Hex, as the second move.
    fn can_swap(&self) -> bool {
        let is_stone = |c: &char| c.is_ascii_alphabetic();
        let text = self.table.position.text();
        let stones = text.split(' ').next().unwrap_or_default().chars().filter(is_stone);
        let is_hex = self.table.game.split(':').next() == Some("hex");
        is_hex && stones.count() == 1 && self.table.moves().len() <= 1
    }

    fn genmove(&mut self, command: &Command, play: bool) -> Reply {
        // Programs for Go expect both sides to pass at the end.
        if self.table.position.turn() == Turn::Over {
            self.player(command.argument(0, "a colour")?)?;
            if play {
                self.table.stand(PASS);
            }
            return Ok(PASS.into());
        }
        let Turn::Player(player) = self.check_turn(command.argument(0, "a colour")?)? else {
            let rolled = self.table.roll().unwrap_or_default();
            if !play {
                self.table.undo(1);
            }
            return Ok(rolled);
        };
        let budget = self.budget(player);
        let (table, events) = (&mut self.table, &mut self.events);
        let answer = table.think(budget, None, events, Terms::default(), &mut while_thinking)?;
        self.played(player, &answer, play)
    }

    /// Returns the best move in GTP's notation, and plays it if `play` is true.
    pub(super) fn played(&mut self, player: usize, answer: &Answer, play: bool) -> Reply {
        let mv = answer.best_move.as_ref().ok_or("no move to play")?;
        let written = self.notation().write(mv);
        if play {
            self.clocks.spend(player, answer.elapsed);
            self.table.play(mv)?;
        }
        Ok(written)
    }

    /// Plays the game in an SGF file, stopping before the move with the given number, if any.
    fn loadsgf(&mut self, command: &Command) -> Reply {
        let path = command.argument(0, "a file")?;
        if path == "-" {
            return Err("loadsgf: standard input is in use for commands; give a file".into());
        }
        let most = command.arguments.get(1).map(|text| whole(text)).transpose()?;
        let most = most.map(|number| number.saturating_sub(1) as usize);
        let file = GameFile::open(path, None)?;
        let (spec, rules) = find_game(&file.resized(&self.table.game))?;
        let game = file.play(&spec, &*rules, most)?;
        self.table.change(&spec)?;
        self.table.restart(Some(game.start));
        self.clocks.restart();
        for mv in &game.moves {
            self.table.play(mv)?;
        }
        Ok(String::new())
    }

    fn undo(&mut self, moves: usize) -> Reply {
        match self.table.undo(moves) {
            true => Ok(String::new()),
            false => Err("cannot undo".into()),
        }
    }

    fn kinds_of_time(&mut self, command: &Command) -> Reply {
        let needs = format!("one of {}, followed by its numbers", TIME_SETTINGS.replace(' ', ", "));
        let number = |at: usize| command.argument(at, &needs).map_err(Stop::from);
        let time = |at: usize| number(at).and_then(|text| Ok(seconds(text)?));
        match number(0)? {
            "none" => self.clocks.stop(),
            "absolute" => self.clocks.set(time(1)?, Duration::ZERO, 0),
            "byoyomi" => {
                let (main, period, _) = (time(1)?, time(2)?, whole(number(3)?)?);
                self.clocks.set_byoyomi(main, period);
            }
            "canadian" => self.clocks.set(time(1)?, time(2)?, whole(number(3)?)?),
            other => return Err(format!("'{other}' should be {needs}").into()),
        }
        Ok(String::new())
    }

    /// Plays a sequence of moves; takes all of them back if one is illegal.
    fn play_sequence(&mut self, command: &Command) -> Reply {
        for (played, pair) in command.arguments.chunks(2).enumerate() {
            let one = Command { id: None, name: "play".into(), arguments: pair.to_vec() };
            if let Err(stop) = self.play(&one) {
                self.table.undo(played);
                return Err(stop);
            }
        }
        Ok(String::new())
    }

    /// Changes the game to the requested board size, if the game supports it.
    fn boardsize(&mut self, command: &Command) -> Reply {
        let text = command.argument(0, "a number")?;
        let size = read_count(text).ok().filter(|&size| size <= 64);
        let size = size.ok_or_else(|| Stop::from("unacceptable size"))? as usize;
        let is = |gtp: &Session| {
            let board = gtp.board();
            board.is_some_and(|board| board.columns() == size && board.rows.len() == size)
        };
        let before = self.table.game.clone();
        if is(self) {
            self.table.restart(None);
            return Ok(String::new());
        }
        let name = before.split(':').next().unwrap_or_default();
        for spec in [format!("{name}:{size}"), format!("{name}:{size}x{size}")] {
            if self.table.change(&spec).is_ok() && is(self) {
                return Ok(String::new());
            }
        }
        self.table.change(&before)?;
        Err("unacceptable size".into())
    }

    fn final_score(&mut self) -> Reply {
        let position = &self.table.position;
        if position.turn() != Turn::Over {
            return Err("the game is not over".into());
        }
        let payoffs = position.payoffs();
        let colours = self.colours();
        if payoffs.len() != 2 {
            let all: Vec<String> = payoffs.iter().map(i32::to_string).collect();
            return Ok(all.join(" "));
        }
        let margin =
            payoffs[0].abs_diff(payoffs[1]) / if position_is_zero_sum(&payoffs) { 2 } else { 1 };
        Ok(match payoffs[0].cmp(&payoffs[1]) {
            std::cmp::Ordering::Equal => "0".into(),
            order => {
                let winner = colours.name(usize::from(order.is_lt()));
                let letter = winner.chars().next().unwrap_or('?').to_ascii_uppercase();
                format!("{letter}+{margin}")
            }
        })
    }
}

fn position_is_zero_sum(payoffs: &[i32]) -> bool {
    payoffs.iter().sum::<i32>() == 0
}
