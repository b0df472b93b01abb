//! `proofwood games`: lists the games and their rules.

mod check;

use self::check::CheckGames;
use crate::display::screen;
use crate::terminal::print::Printer;
use anstyle::Style;
use proofwood::Rng;
use proofwood_any_game::{Position, Rules};
use proofwood_games::{GameInfo, find_info, games};
use proofwood_session::input::limits::whole;
use proofwood_session::input::spec::{find_game, full_spec};
use proofwood_session::json::{GameJson, GameOptionJson, RecommendedJson};
use proofwood_session::words::players;
use proofwood_session::{Ended, Trouble};
use std::fmt::Write;

/// List the games, or show the rules of one
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  proofwood games
  proofwood games othello
  proofwood games --json
  proofwood games othello:6 --check

A name can be shortened, as in oth for othello, and some games have other
names, such as noughts-and-crosses for tic-tac-toe.")]
pub(crate) struct Games {
    /// Show the rules of this game, its options, and the notation of moves and positions
    #[arg(value_name = "GAME")]
    name: Option<String>,
    /// Print one JSON array; with --check, one object per game
    #[arg(long)]
    json: bool,
    /// Check the rules by playing at random; all games if none is named
    #[arg(long)]
    check: bool,
    /// Number of random games for the check
    #[arg(short, long, value_name = "NUMBER", default_value_t = 20, requires = "check",
        value_parser = whole::<u64>(1..=1_000_000), allow_negative_numbers = true)]
    games: u64,
    /// Seed of the random games
    #[arg(long, value_name = "NUMBER", default_value_t = 0, requires = "check",
        value_parser = whole::<u64>(0..=u64::MAX), allow_negative_numbers = true)]
    seed: u64,
}

impl Games {
    pub(crate) fn run(self, printer: &mut Printer) -> Result<Ended, Trouble> {
        if self.check {
            let Games { name, games, seed, json, .. } = &self;
            let (spec, games, seed, json) = (name.as_deref(), *games, *seed, *json);
            return CheckGames { spec, games, seed, json }.run(printer);
        }
        let found: Vec<&GameInfo> = match &self.name {
            None => games().iter().collect(),
            Some(spec) => {
                let spec = full_spec(spec)?;
                find_info(spec.split(':').next().unwrap_or_default()).into_iter().collect()
            }
        };
        if self.json {
            let list = found.into_iter().map(|info| Ok(Example::of(info)?.json()));
            printer.json(&list.collect::<Result<Vec<GameJson>, Trouble>>()?)?;
        } else if let (Some(_), [info]) = (&self.name, &found[..]) {
            printer.text(&Example::of(info)?.text())?;
        } else {
            printer.text(&screen::fit(&table(&found)))?;
        }
        Ok(Ended::Done)
    }
}

fn table(found: &[&GameInfo]) -> String {
    let mut text = String::new();
    let wide = found.iter().map(|info| info.name.len()).max().unwrap_or(0);
    for info in found {
        let _ = writeln!(text, "{BOLD}{:<wide$}{BOLD:#}  {}", info.name, info.summary);
    }
    text.push_str(
        "\nRun `proofwood games NAME` for the rules, the options and the notation of a game.\n",
    );
    text
}

const BOLD: Style = Style::new().bold();

/// A game with an example of a position, reached by random moves.
struct Example<'i> {
    info: &'i GameInfo,
    spec: String,
    rules: Box<dyn Rules>,
    position: Box<dyn Position>,
}

impl<'i> Example<'i> {
    fn of(info: &'i GameInfo) -> Result<Example<'i>, Trouble> {
        // A game whose size must be given has no default, so its example is used.
        let (spec, rules) = find_game(info.name).or_else(|_| find_game(info.example))?;
        const PLIES: u32 = 6;
        let mut position = rules.start();
        let mut dice = Rng::new(1);
        for _ in 0..PLIES {
            let before = position.copy();
            position.play_random(&mut dice);
            if position.view().is_over() {
                position = before;
                break;
            }
        }
        Ok(Example { info, spec, rules, position })
    }

    fn json(&self) -> GameJson {
        let Example { info, spec, rules, position } = self;
        let options = info.options.iter();
        let payoffs = rules.payoff_range(0);
        GameJson {
            name: info.name,
            also: info.also,
            summary: info.summary,
            rules: info.rules,
            notation: info.notation,
            options: options.map(|&(option, meaning)| GameOptionJson { option, meaning }).collect(),
            example: info.example,
            game: spec.clone(),
            players: rules.player_names(),
            chance: position.has_chance(),
            zero_sum: rules.zero_sum(),
            payoffs: [*payoffs.start(), *payoffs.end()],
            recommended: self.recommended(),
            start: rules.start().text(),
            position: position.text(),
        }
    }

    fn recommended(&self) -> RecommendedJson {
        RecommendedJson::new(self.rules.recommended(), self.rules.players())
    }

    fn text(&self) -> String {
        let Example { info, spec, rules, position } = self;
        let mut text = format!("{BOLD}{}{BOLD:#}  {}\n", info.name, info.summary);
        if !info.also.is_empty() {
            let _ = writeln!(text, "Also known as: {}", info.also.join(", "));
        }
        let names = rules.player_names();
        let payoffs = rules.payoff_range(0);
        let mut facts = format!("Players: {}", names.join(", "));
        if position.has_chance() {
            facts.push_str("; with chance");
        }
        let _ = write!(facts, ". {} receives {} to {}", names[0], payoffs.start(), payoffs.end());
        facts.push_str(match (rules.zero_sum(), names.len()) {
            (true, _) => ", and the other side the opposite.",
            (false, _) => ".",
        });
        let paragraphs = [info.rules, info.notation, &facts];
        for paragraph in paragraphs {
            let _ = writeln!(text, "\n{}", wrapped(paragraph, 0).trim_end());
        }
        if !info.options.is_empty() {
            text.push_str("\nOptions, after the name and a colon, separated by commas:\n");
            for (option, meaning) in info.options {
                let _ = writeln!(text, "  {option}\n{}", indented(meaning));
            }
        }
        let _ = writeln!(text, "\nFor example: {}", info.example);
        let RecommendedJson { c, c_pn, expand_after, playout_cap, prover_share } =
            self.recommended();
        let options = format!(
            "Recommended for {spec}: --c {c} --c-pn {c_pn} \
             --expand-after {expand_after} --playout-cap {playout_cap} \
             --prover-share {prover_share}. A search uses them unless you set these options; \
             with --goal score or random playouts it uses only --c-pn and --expand-after."
        );
        let _ = writeln!(text, "\n{}", wrapped(&options, 0).trim_end());
        let view = position.view();
        let _ = writeln!(text, "\nExample position of {spec}:\n{}\n", position.text());
        let _ = write!(text, "{}\n{}", view.board.trim_end(), players::to_move(&view));
        text
    }
}

/// Wraps a paragraph to at most 78 columns, or the terminal's width.
fn wrapped(text: &str, indent: usize) -> String {
    const WIDTH: usize = 78;
    let width = screen::of_output().unwrap_or(WIDTH).min(WIDTH);
    screen::wrap(text, Some(width.saturating_sub(indent).max(1)))
}

fn indented(text: &str) -> String {
    const INDENT: usize = 6;
    let lines = wrapped(text, INDENT);
    let lines: Vec<String> = lines.lines().map(|line| " ".repeat(INDENT) + line).collect();
    lines.join("\n")
}
