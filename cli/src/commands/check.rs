//! `proofwood check`: checks certificates against the rules.

use crate::display::json::CheckJson;
use crate::display::screen::Line;
use crate::exit::complain;
use crate::terminal::print::Printer;
use crate::terminal::progress::Progress;
use proofwood::certificate::{Checked, CheckedClaim, Claim, DEFAULT_MEMORY, Promise};
use proofwood::options::read_bytes;
use proofwood_any_game::CheckedAnswer;
use proofwood_notation::outline::Extent;
use proofwood_notation::outline::proof::outlines;
use proofwood_notation::outline::variations::variations;
use proofwood_session::files::{Asked, Force, Whole, check_distinct};
use proofwood_session::input::limits::{read, whole};
use proofwood_session::solving::check::{NotAccepted, check_within};
use proofwood_session::words::numbers;
use proofwood_session::words::players;
use proofwood_session::{Ended, Trouble};
use std::fmt::Write;
use std::path::PathBuf;

/// Check proofs written with solve --certificate
///
/// Checks every line against the rules of the game alone, without any search. The book describes
/// the format, so that you can write your own checker.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  proofwood solve tic-tac-toe --algorithm dfpn --certificate draw.proof
  proofwood check draw.proof
  proofwood check --json proofs/*
  proofwood check --memory 64M from-a-stranger.proof
  proofwood check draw.proof --sgf draw.sgf --depth 4

Exit status: 0 if every file is accepted, 1 if one is refused, 2 if one cannot be read
or is about an unknown game.")]
pub(crate) struct Check {
    /// Certificates to check
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Memory limit of a check, such as 64M or 2G; a file that needs more is refused [default: 1G]
    #[arg(long, value_name = "BYTES", allow_negative_numbers = true)]
    memory: Option<String>,
    /// Write an accepted proof as variations in SGF; for a single file
    #[arg(long, value_name = "FILE")]
    sgf: Option<PathBuf>,
    /// Maximum length of these variations, in moves from the root
    #[arg(short, long, value_name = "NUMBER", default_value_t = 6, requires = "sgf",
        value_parser = whole::<usize>(1..=1000), allow_negative_numbers = true)]
    depth: usize,
    #[command(flatten)]
    force: Force,
    /// Print one JSON object per file
    #[arg(long)]
    json: bool,
}

impl Check {
    pub(crate) fn run(self, printer: &mut Printer) -> Result<Ended, Trouble> {
        let memory = read("--memory", self.memory.as_deref(), read_bytes)?;
        let memory = memory.unwrap_or(DEFAULT_MEMORY);
        let mut worst = Ended::Done;
        let mut sgf = match (&self.sgf, &self.files[..]) {
            (None, _) => None,
            (Some(path), [file]) => {
                check_distinct("--sgf", path, file)?;
                Some(Whole::claim(Asked::new("--sgf", path, self.force))?)
            }
            (Some(_), _) => {
                return Err(Trouble::Input("--sgf: give a single certificate".into()));
            }
        };
        for path in &self.files {
            let progress = Progress::new();
            progress.show(&Line::new().item(0, "checking").item(1, path.display().to_string()));
            let result = check_within(path, memory);
            let text_of = |checked: &Checked| {
                progress.show(&Line::new().item(0, "writing variations"));
                let extent = Extent { depth: self.depth, width: usize::MAX, nodes: usize::MAX };
                let (root, outlines) = outlines(path, checked, extent)?;
                variations(&checked.game, &*root, &outlines)
            };
            let tree = match (&result, &sgf) {
                (Ok((checked, _)), Some(_)) => Some(text_of(checked)?),
                _ => None,
            };
            drop(progress);
            if let (Some(tree), Some(file)) = (tree, &mut sgf) {
                file.write(tree.as_bytes())?;
            }
            let name = path.display().to_string();
            let outcome = match &result {
                Ok(_) => Ended::Done,
                Err(NotAccepted::Refused(_)) => Ended::Failed,
                Err(NotAccepted::Unreadable(Trouble::Input(_))) => Ended::BadLines,
                Err(NotAccepted::Unreadable(_)) => Ended::Failed,
            };
            worst = worst.max(outcome);
            let reason = result.as_ref().err().map(reason);
            if self.json {
                let checked = result.as_ref().ok();
                printer.json(&CheckJson {
                    file: &name,
                    accepted: checked.is_some(),
                    reason: reason.as_deref(),
                    checked: checked.map(|(checked, players)| CheckedAnswer::new(checked, players)),
                })?;
            }
            match (result, reason) {
                (Ok((checked, players)), _) if !self.json => {
                    printer.text(&text(&name, &checked, &players))?;
                }
                (_, Some(reason)) => complain(&format!("{name}: {reason}")),
                _ => {}
            }
        }
        Ok(worst)
    }
}

fn reason(error: &NotAccepted) -> String {
    match error {
        NotAccepted::Refused(refusal) if refusal.lacks_memory() => {
            format!("{refusal}; raise --memory")
        }
        error => error.to_string(),
    }
}

fn text(name: &str, checked: &Checked, players: &[String]) -> String {
    let mut text = format!("{name}: accepted\n");
    let _ = writeln!(text, "  game      {}", checked.game);
    let moves = &checked.root.moves;
    if checked.root.position.is_none() && moves.is_empty() {
        let _ = writeln!(text, "  position  {} (the start)", checked.position);
    } else {
        let _ = writeln!(text, "  position  {}", checked.position);
    }
    for claim in &checked.claims {
        let words = claim_text(checked, claim, players);
        let positions = numbers::count(claim.positions as f64);
        let references = numbers::count(claim.references as f64);
        let _ =
            writeln!(text, "  proven    {words} ({positions} positions, {references} met again)");
    }
    if let Some(conclusion) = conclusion(checked, players) {
        let _ = writeln!(text, "  result    {conclusion}");
    }
    text
}

/// Writes a claim in words. It holds against all other players together.
fn claim_text(checked: &Checked, shown: &CheckedClaim, players: &[String]) -> String {
    let Claim { player, promise } = shown.claim;
    let name = players::name(players, player);
    let alone = checked.players == 1;
    let others = match checked.players {
        2 => players::name(players, 1 - player),
        _ => "all others together",
    };
    let endless = if shown.endless { ", or repeat positions for ever" } else { "" };
    match (promise, checked.has_chance) {
        (Promise::AtLeast(payoff), false) if alone => format!("{name} can get at least {payoff}"),
        (Promise::AtLeast(payoff), true) if alone => {
            format!("{name} can make sure of at least {payoff}, whatever the dice")
        }
        (Promise::AtLeast(payoff), false) => {
            let verb = if checked.players == 2 { "does" } else { "do" };
            format!("{name} can make sure of at least {payoff}, whatever {others} {verb}")
        }
        (Promise::AtLeast(payoff), true) => {
            format!("{name} can make sure of at least {payoff}, whatever {others} and chance do")
        }
        (Promise::Below(payoff), false) if alone => {
            let endless = if shown.endless { ", or goes on for ever" } else { "" };
            format!("{name} cannot get {payoff}: every line of play ends below it{endless}")
        }
        (Promise::Below(payoff), true) if alone => {
            format!("{name} cannot make sure of {payoff}: chance can leave less{endless}")
        }
        (Promise::Below(payoff), false) => {
            format!("{others} can hold {name} below {payoff}{endless}")
        }
        (Promise::Below(payoff), true) => format!(
            "{name} cannot make sure of {payoff}: {others} and chance can leave less{endless}"
        ),
    }
}

/// Sums the claims up: the exact payoff if they determine it, else the best that a player can
/// secure.
fn conclusion(checked: &Checked, players: &[String]) -> Option<String> {
    if let Some((player, payoff)) = checked.exact() {
        let name = players::name(players, player);
        return Some(match checked.players {
            1 => format!("the most that {name} can get is {payoff}"),
            _ => format!("{name} gets exactly {payoff} with best play"),
        });
    }
    checked.claims.iter().find_map(|shown| {
        let Claim { player, promise: Promise::AtLeast(payoff) } = shown.claim else {
            return None;
        };
        let below = Claim { player, promise: Promise::Below(payoff.checked_add(1)?) };
        let name = players::name(players, player);
        checked.holds(below).then(|| format!("{payoff} is the most that {name} can make sure of"))
    })
}
