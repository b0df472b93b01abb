//! `proofwood games`: what can be played.

use crate::exit::{Failure, Outcome};
use crate::output::{GameJson, GameOptionJson};
use crate::print::Printer;
use anstyle::Style;
use proofwood_games::{GameInfo, games};
use std::fmt::Write;

/// List the games, their options and an example of each
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  proofwood games
  proofwood games othello
  proofwood games --json")]
pub(crate) struct Games {
    /// Only the games whose name contains this
    name: Option<String>,
    /// Print one JSON array
    #[arg(long)]
    json: bool,
}

impl Games {
    /// Prints the list.
    pub(crate) fn run(self, printer: &mut Printer) -> Result<Outcome, Failure> {
        let wanted = self.name.as_deref().unwrap_or("").to_ascii_lowercase();
        let found: Vec<&GameInfo> =
            games().iter().filter(|info| info.name.contains(&wanted)).collect();
        if found.is_empty() {
            return Err(Failure::Input(format!(
                "no game has '{wanted}' in its name; `proofwood games` lists them all"
            )));
        }
        if self.json {
            let list: Vec<GameJson> = found.into_iter().map(json).collect();
            printer.json(&list)?;
        } else {
            printer.text(&table(&found))?;
        }
        Ok(Outcome::Done)
    }
}

fn json(info: &GameInfo) -> GameJson {
    let options = info.options.iter();
    GameJson {
        name: info.name,
        summary: info.summary,
        options: options.map(|&(option, meaning)| GameOptionJson { option, meaning }).collect(),
        example: info.example,
    }
}

fn table(found: &[&GameInfo]) -> String {
    const NAME: Style = Style::new().bold();
    let mut text = String::new();
    for info in found {
        let _ = writeln!(text, "{NAME}{}{NAME:#}  {}", info.name, info.summary);
        let wide = info.options.iter().map(|(option, _)| option.len()).max().unwrap_or(0);
        for (option, meaning) in info.options {
            let _ = writeln!(text, "    {option:<wide$}  {meaning}");
        }
        let _ = writeln!(text, "    for example: {}\n", info.example);
    }
    text.push_str("Options follow the name after a colon, separated by commas.\n");
    text
}
