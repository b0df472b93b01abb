//! Commands that report on a search: those of Leela Zero and KataGo, which run until the next line
//! arrives, and those in GoGui's menu.

use super::super::events::{Heard, Terms};
use super::super::table::{ranked, rate};
use super::line::Command;
use super::session::{Reply, Session, Stop, while_thinking};
use proofwood::{Budget, Turn, Value};
use proofwood_any_game::{Answer, MoveAnswer};
use proofwood_notation::gtp::Notation;
use proofwood_session::Trouble;
use proofwood_session::words::numbers;
use std::fmt::Write;
use std::time::Duration;

pub(super) const COMMANDS: &[&str] = &[
    "analyze",
    "genmove_analyze",
    "kata-analyze",
    "kata-genmove_analyze",
    "lz-analyze",
    "lz-genmove_analyze",
    "proofwood-line",
    "proofwood-points",
    "proofwood-proof_numbers",
    "proofwood-value",
    "proofwood-visits",
];

/// The entries of GoGui's menu for these commands.
pub(super) const MENU: &str = "\
pspairs/Points/proofwood-points
pspairs/Visits/proofwood-visits
pspairs/Proof numbers/proofwood-proof_numbers
string/Value/proofwood-value
var/Line/proofwood-line
string/Position/proofwood-position";

/// Arguments followed by a truth value. They are ignored, because each requests something that is
/// either unavailable here or reported anyway.
const SWITCHES: &[&str] = &[
    "movesOwnership",
    "movesOwnershipStdev",
    "noResultValue",
    "ownership",
    "ownershipStdev",
    "pvEdgeVisits",
    "pvVisits",
    "rootInfo",
];

struct Wanted {
    /// The time between two reports, in hundredths of a second.
    every: u64,
    /// The minimum number of moves in a report, if there are that many, and the maximum.
    least: usize,
    most: usize,
    /// The moves to search; `None` for all.
    among: Option<Vec<String>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    /// Leela Zero's format: win rates as whole numbers up to 10000.
    Leela,
    /// KataGo's format: win rates as fractions.
    Kata,
    /// KataGo's format with proven values added.
    Own,
}

impl Session {
    /// Answers a command that searches.
    pub(super) fn analyse(&mut self, command: &Command) -> Reply {
        let name = &*command.name;
        let style = match name.split_once('-') {
            Some(("lz", _)) => Style::Leela,
            Some(("kata", _)) => Style::Kata,
            _ => Style::Own,
        };
        match command.answers_itself() {
            true => self.go_on(command, style, name.ends_with("genmove_analyze")),
            false => self.look(name),
        }
    }

    fn wanted(&self, command: &Command) -> Result<Wanted, Stop> {
        let mut wanted = Wanted { every: 100, least: 0, most: usize::MAX, among: None };
        let mut words = command.arguments.iter().map(String::as_str);
        while let Some(word) = words.next() {
            let mut whole = || {
                let number = words.next().and_then(|word| word.parse::<u64>().ok());
                number.ok_or_else(|| format!("{word} needs a whole number"))
            };
            match word {
                "interval" => wanted.every = whole()?,
                "minmoves" => wanted.least = whole()? as usize,
                "maxmoves" => wanted.most = whole()?.max(1) as usize,
                "allow" | "avoid" => {
                    let [Some(colour), Some(moves), Some(depth)] =
                        [words.next(), words.next(), words.next()]
                    else {
                        return Err(format!("{word} needs a colour, moves and depth 1").into());
                    };
                    if depth != "1" {
                        let why = "only the first move can be restricted, so the depth must be 1";
                        return Err(format!("{word} {colour} {moves} {depth}: {why}").into());
                    }
                    self.check_turn(colour)?;
                    self.restrict(&mut wanted, word == "allow", moves)?;
                }
                switch if SWITCHES.contains(&switch) => match words.next() {
                    Some("true" | "false") => {}
                    _ => return Err(format!("{word} needs true or false").into()),
                },
                number if number.parse::<u64>().is_ok() => {
                    wanted.every = number.parse().unwrap_or_default();
                }
                colour => drop(self.check_turn(colour)?),
            }
        }
        Ok(wanted)
    }

    /// Restricts the analysis to `moves`, or to all other moves if `allowed` is false.
    fn restrict(&self, wanted: &mut Wanted, allowed: bool, moves: &str) -> Result<(), String> {
        let notation = self.notation();
        let mut named = Vec::new();
        for mv in moves.split(',') {
            let played = self.table.position.copy().play(&notation.read(mv));
            named.push(played.map_err(|error| error.to_string())?);
        }
        let all = wanted.among.take().unwrap_or_else(|| self.table.position.view().legal_moves);
        let left: Vec<String> =
            all.into_iter().filter(|mv| named.contains(mv) == allowed).collect();
        if left.is_empty() {
            return Err("no legal move is left to search".into());
        }
        wanted.among = Some(left);
        Ok(())
    }

    /// Analyses until the next line arrives or, with `plays`, for the time of one move, which is
    /// then played.
    fn go_on(&mut self, command: &Command, style: Style, plays: bool) -> Reply {
        let wanted = self.wanted(command)?;
        let player = match self.table.position.turn() {
            Turn::Over => return Err("the game is over".into()),
            Turn::Player(player) => player,
            Turn::Chance if plays => return Err("it is chance's turn".into()),
            Turn::Chance => 0,
        };
        let budget = if plays { self.budget(player) } else { Budget::pondering() };
        let id = command.id.map_or_else(String::new, |id| id.to_string());
        self.output.text(&format!("={id}\n"))?;
        let (notation, output) = (self.notation(), &mut self.output);
        let mut written: Result<(), Trouble> = Ok(());
        let mut report = |answer: &Answer| {
            if written.is_ok() {
                written = output.text(&infos(answer, &notation, style, &wanted));
            }
        };
        let every = Duration::from_millis(wanted.every.clamp(1, 360_000) * 10);
        let terms = Terms { reports: Some((every, &mut report)), ..Terms::default() };
        let mut hear = |line: Option<&str>| match line.map(str::trim) {
            Some("# interrupt") => Heard::Stop,
            _ if plays => Heard::Later,
            _ => Heard::StopFor,
        };
        let (events, table) = (&mut self.events, &mut self.table);
        let answer = table.think(budget, wanted.among.as_deref(), events, terms, &mut hear);
        written?;
        let mut last = match &answer {
            Ok(answer) => infos(answer, &notation, style, &wanted),
            // The reply has begun as a success, so an error is reported as a comment.
            Err(failure) => format!("info string {failure}\n"),
        };
        if let (true, Ok(answer)) = (plays, &answer) {
            last += &format!("play {}\n", self.played(player, answer, true)?);
        }
        self.output.text(&(last + "\n"))?;
        Ok(String::new())
    }

    /// Searches for the time of one move, and returns the result that the command `name` requests.
    fn look(&mut self, name: &str) -> Reply {
        let player = match self.table.position.turn() {
            Turn::Over => return Err("the game is over".into()),
            Turn::Player(player) => player,
            Turn::Chance => 0,
        };
        let budget = self.budget(player);
        let (table, events) = (&mut self.table, &mut self.events);
        let answer = table.think(budget, None, events, Terms::default(), &mut while_thinking)?;
        let notation = self.notation();
        let pairs = |text: &dyn Fn(&MoveAnswer) -> String| {
            let pair = |mv: &MoveAnswer| format!("{} {}", notation.write(&mv.text), text(mv));
            answer.moves.iter().map(pair).collect::<Vec<_>>().join("\n")
        };
        Ok(match name {
            "proofwood-points" => pairs(&points),
            "proofwood-visits" => pairs(&|mv| mv.visits.to_string()),
            "proofwood-proof_numbers" => {
                pairs(&|mv| numbers::proof_numbers(&mv.proof_numbers).replace(' ', ""))
            }
            "proofwood-line" => notation.write_line(&answer.pv),
            _ => {
                let best = answer.best_move.as_deref().map(|mv| notation.write(mv));
                format!(
                    "{}, {}, bounds {}, best {}, {} playouts",
                    answer.proven.name(),
                    answer.mean.map_or("no mean".into(), |mean| format!("mean {mean:.3}")),
                    numbers::payoff(answer.bounds, answer.expected).replace(' ', ""),
                    best.unwrap_or_else(|| "-".into()),
                    answer.playouts
                )
            }
        })
    }
}

fn points(mv: &MoveAnswer) -> String {
    match mv.proven {
        Value::Unknown => {
            mv.mean.map_or("-".into(), |value| format!("{:.0}", value.midpoint(1.0) * 100.0))
        }
        proven => proven.name().into(),
    }
}

fn infos(answer: &Answer, notation: &Notation, style: Style, wanted: &Wanted) -> String {
    let mut moves = ranked(answer);
    let is_best = |mv: &MoveAnswer| answer.best_move.as_ref() == Some(&mv.text);
    let others = answer.moves.iter().filter(|mv| !moves.iter().any(|known| known.text == mv.text));
    let missing: Vec<&MoveAnswer> = others.take(wanted.least.saturating_sub(moves.len())).collect();
    moves.extend(missing);
    let all: u64 = moves.iter().map(|mv| mv.visits).sum();
    let infos = moves.into_iter().take(wanted.most).enumerate().map(|(order, mv)| {
        let rate = rate(mv.proven, Some(mv.mean.unwrap_or(0.0))).unwrap_or_default();
        let prior = mv.visits as f64 / all.max(1) as f64;
        let mut text = format!("info move {} visits {} ", notation.write(&mv.text), mv.visits);
        let _ = match style {
            Style::Leela => write!(
                text,
                "winrate {:.0} prior {:.0} lcb {:.0} ",
                rate * 1e4,
                prior * 1e4,
                rate * 1e4
            ),
            _ => write!(text, "winrate {rate:.4} prior {prior:.4} lcb {rate:.4} "),
        };
        if style == Style::Own {
            let numbers = numbers::proof_numbers(&mv.proof_numbers).replace(' ', "");
            let end = |end: Option<i32>| end.map_or("-".into(), |end| end.to_string());
            let _ = write!(
                text,
                "value {} lower {} upper {} proofNumbers {numbers} ",
                mv.proven.name(),
                end(mv.bounds.lower),
                end(mv.bounds.upper),
            );
        }
        let line = match is_best(mv) {
            true => notation.write_line(&answer.pv),
            false => notation.write(&mv.text),
        };
        let _ = write!(text, "order {order} pv {line}");
        text
    });
    infos.collect::<Vec<_>>().join(" ") + "\n"
}
