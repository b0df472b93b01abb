//! Commands that tell what a search knows: as Leela Zero and KataGo do it, which ends with
//! the next line, and for GoGui's menu.

use super::super::events::Heard;
use super::line::Command;
use super::{Gtp, Reply, while_thinking};
use crate::display::numbers;
use crate::exit::Failure;
use crate::notation::gtp::Notation;
use proofwood::{Budget, Turn, Value};
use proofwood_any_game::{Answer, MoveAnswer};
use std::fmt::Write;
use std::time::Duration;

/// The commands.
pub(super) const COMMANDS: &[&str] = &[
    "analyze",
    "kata-analyze",
    "lz-analyze",
    "proofwood-line",
    "proofwood-points",
    "proofwood-proof_numbers",
    "proofwood-value",
    "proofwood-visits",
];

/// GoGui's menu of them.
pub(super) const MENU: &str = "\
pspairs/Points/proofwood-points
pspairs/Visits/proofwood-visits
pspairs/Proof numbers/proofwood-proof_numbers
string/Value/proofwood-value
var/Line/proofwood-line
string/Position/proofwood-position";

/// Whether a command has written its own answer when it succeeds.
pub(super) fn answers_itself(name: &str) -> bool {
    matches!(name, "analyze" | "kata-analyze" | "lz-analyze")
}

/// Which words the lines of an analysis have.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    /// Leela Zero's: win rates as numbers up to 10000.
    Leela,
    /// KataGo's: win rates as fractions.
    Kata,
    /// KataGo's, and what is proven.
    Own,
}

impl Gtp<'_> {
    /// Answers a command that searches.
    pub(super) fn analyse(&mut self, command: &Command) -> Reply {
        match &*command.name {
            "lz-analyze" => self.go_on(command, Style::Leela),
            "kata-analyze" => self.go_on(command, Style::Kata),
            "analyze" => self.go_on(command, Style::Own),
            name => self.look(name),
        }
    }

    /// Analyses until the next line comes.
    fn go_on(&mut self, command: &Command, style: Style) -> Reply {
        const USUAL: u64 = 100;
        let mut every = USUAL;
        let mut words = command.arguments.iter().peekable();
        while let Some(word) = words.next() {
            if let Ok(number) = word.parse() {
                every = number;
            } else if word == "interval" {
                let number = words.next().and_then(|word| word.parse().ok());
                every = number.ok_or("interval needs a number of hundredths of a second")?;
            } else {
                let player = self.player(word)?;
                match self.table.position.turn() {
                    Turn::Player(mover) if mover == player => {}
                    _ => return Err(format!("it is not the turn of {word}").into()),
                }
            }
        }
        if self.table.position.turn() == Turn::Over {
            return Err("the game is over".into());
        }
        let id = command.id.map_or_else(String::new, |id| id.to_string());
        self.printer.text(&format!("={id}\n"))?;
        let (notation, printer) = (self.notation(), &mut *self.printer);
        let mut written: Result<(), Failure> = Ok(());
        let mut report = |answer: &Answer| {
            if written.is_ok() {
                written = printer.text(&infos(answer, &notation, style));
            }
        };
        let every = Duration::from_millis(every.clamp(1, 360_000) * 10);
        let mut hear = |line: Option<&str>| match line.map(str::trim) {
            Some("# interrupt") => Heard::Stop,
            _ => Heard::StopFor,
        };
        let (events, table) = (&mut self.events, &mut self.table);
        let answer =
            table.think(Budget::pondering(), events, Some((every, &mut report)), &mut hear);
        written?;
        let last = match answer {
            Ok(answer) => infos(&answer, &notation, style),
            // The answer has begun as a success, and so it ends.
            Err(failure) => format!("info string {failure}\n"),
        };
        self.printer.text(&(last + "\n"))?;
        Ok(String::new())
    }

    /// Searches as long as for a move, and tells what is known.
    fn look(&mut self, name: &str) -> Reply {
        let player = match self.table.position.turn() {
            Turn::Over => return Err("the game is over".into()),
            Turn::Player(player) => player,
            Turn::Chance => 0,
        };
        let budget = self.budget(player);
        let answer = self.table.think(budget, &mut self.events, None, &mut while_thinking)?;
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
                    answer.value.name(),
                    answer.mean.map_or("no mean".into(), |mean| format!("mean {mean:.3}")),
                    numbers::payoff(answer.bounds, answer.expected).replace(' ', ""),
                    best.unwrap_or_else(|| "-".into()),
                    answer.playouts
                )
            }
        })
    }
}

/// A word on a move for a label on a board.
fn points(mv: &MoveAnswer) -> String {
    match mv.proven {
        Value::Unknown => {
            mv.mean.map_or("-".into(), |value| format!("{:.0}", value.midpoint(1.0) * 100.0))
        }
        proven => proven.name().into(),
    }
}

/// What is known of all moves that were searched, on one line.
fn infos(answer: &Answer, notation: &Notation, style: Style) -> String {
    let mut moves: Vec<&MoveAnswer> = answer.moves.iter().filter(|mv| mv.visits > 0).collect();
    let is_best = |mv: &MoveAnswer| answer.best_move.as_ref() == Some(&mv.text);
    moves.sort_by_key(|mv| (!is_best(mv), u64::MAX - mv.visits));
    let all: u64 = moves.iter().map(|mv| mv.visits).sum();
    let infos = moves.into_iter().enumerate().map(|(order, mv)| {
        let rate = match mv.proven {
            Value::Win => 1.0,
            Value::Draw => 0.5,
            Value::Loss => 0.0,
            _ => mv.mean.unwrap_or(0.0).midpoint(1.0),
        };
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
