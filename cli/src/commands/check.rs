//! `proofwood check`: certificates held against the rules.

use crate::exit::{Failure, Outcome, complain};
use crate::figures;
use crate::live::Progress;
use crate::output::CheckJson;
use crate::positions::find_game;
use crate::print::Printer;
use crate::screen::Line;
use crate::sides;
use proofwood::certificate::{Certificate, Checked, CheckedClaim, Promise, Refusal};
use std::fmt::Write;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

/// Check proofs that were written with solve --certificate
///
/// Every line is held against the rules of the game and nothing else: no search
/// is involved. The format is described in the book, so that you can write a
/// checker of your own.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  proofwood solve tic-tac-toe --algorithm dfpn --certificate draw.proof
  proofwood check draw.proof
  proofwood check --json proofs/*

Exit status: 0 when every file is accepted, 1 when one is refused, 2 when one cannot
be read or is about an unknown game.")]
pub(crate) struct Check {
    /// The certificates
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print one JSON object a file
    #[arg(long)]
    json: bool,
}

impl Check {
    /// Checks one file after the other.
    pub(crate) fn run(self, printer: &mut Printer) -> Result<Outcome, Failure> {
        let mut worst = Outcome::Done;
        for path in &self.files {
            let progress = Progress::new();
            progress.show(&Line::new().item(0, "checking").item(1, path.display().to_string()));
            let result = check(path);
            drop(progress);
            let name = path.display().to_string();
            let outcome = match &result {
                Ok(_) => Outcome::Done,
                Err(NotAccepted::Refused(_)) => Outcome::Failed,
                Err(NotAccepted::Unreadable(Failure::Input(_))) => Outcome::BadLines,
                Err(NotAccepted::Unreadable(_)) => Outcome::Failed,
            };
            worst = worst.max(outcome);
            let reason = result.as_ref().err().map(ToString::to_string);
            let players = match &result {
                Ok(checked) => find_game(&checked.game)?.1.player_names(),
                Err(_) => Vec::new(),
            };
            if self.json {
                let checked = result.as_ref().ok().map(|checked| (checked, &*players));
                printer.json(&CheckJson::new(&name, checked, reason.as_deref()))?;
            }
            match (result, reason) {
                (Ok(checked), _) if !self.json => printer.text(&text(&name, &players, &checked))?,
                (_, Some(reason)) => complain(&format!("{name}: {reason}")),
                _ => {}
            }
        }
        Ok(worst)
    }
}

/// Why a file was not accepted.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotAccepted {
    /// It is no proof.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// It could not be looked at.
    #[error(transparent)]
    Unreadable(#[from] Failure),
}

/// Checks one file.
pub(crate) fn check(path: &Path) -> Result<Checked, NotAccepted> {
    let file = File::open(path).map_err(|error| Failure::reading("it", &error))?;
    if file.metadata().is_ok_and(|data| data.is_dir()) {
        return Err(Failure::Input("it is a directory".into()).into());
    }
    let certificate = Certificate::open(BufReader::new(file))?;
    let (_, rules) = find_game(certificate.game())?;
    Ok(rules.check(certificate)?)
}

/// What was checked, in words.
fn text(name: &str, players: &[String], checked: &Checked) -> String {
    let mut text = format!("{name}: accepted\n");
    let _ = writeln!(text, "  game      {}", checked.game);
    let moves = &checked.root.moves;
    if checked.root.position.is_none() && moves.is_empty() {
        let _ = writeln!(text, "  position  {} (the start)", checked.position);
    } else {
        let _ = writeln!(text, "  position  {}", checked.position);
    }
    for claim in &checked.claims {
        let _ = writeln!(text, "  shown     {}", claim_text(players, claim));
    }
    if let [one, other] = &checked.claims[..]
        && let Some(payoff) = exact(one, other).or_else(|| exact(other, one))
    {
        let player = sides::name(players, one.claim.player);
        let _ = writeln!(text, "  so        {player} gets exactly {payoff}");
    }
    text
}

/// A claim in words, and how it was shown.
fn claim_text(players: &[String], checked: &CheckedClaim) -> String {
    let player = sides::name(players, checked.claim.player);
    let claim = match checked.claim.promise {
        Promise::AtLeast(payoff) => {
            format!("{player} can make sure of at least {payoff}")
        }
        Promise::Below(payoff) if checked.endless => {
            format!("{player} can be held below {payoff}, or kept going round for ever")
        }
        Promise::Below(payoff) => format!("{player} can be held below {payoff}"),
    };
    format!(
        "{claim} ({} positions, {} met again)",
        figures::count(checked.positions as f64),
        figures::count(checked.references as f64),
    )
}

/// The payoff that two claims leave: one more than it cannot be had. Endless
/// play pays nobody, so a claim that rests on it leaves no payoff.
fn exact(least: &CheckedClaim, most: &CheckedClaim) -> Option<i32> {
    let same = least.claim.player == most.claim.player && !most.endless;
    match (least.claim.promise, most.claim.promise) {
        (Promise::AtLeast(payoff), Promise::Below(limit)) if same => {
            (payoff.checked_add(1) == Some(limit)).then_some(payoff)
        }
        _ => None,
    }
}
