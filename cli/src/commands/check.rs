//! `proofwood check`: checks certificates against the rules.

use crate::display::screen::Line;
use crate::exit::complain;
use crate::terminal::print::Printer;
use crate::terminal::progress::Progress;
use proofwood::certificate::{Checked, DEFAULT_MEMORY};
use proofwood::options::read_bytes;
use proofwood_any_game::CheckedAnswer;
use proofwood_notation::outline::Extent;
use proofwood_notation::outline::proof::outlines;
use proofwood_notation::outline::variations::variations;
use proofwood_session::files::{Asked, Force, Whole, check_distinct};
use proofwood_session::input::limits::{read, whole};
use proofwood_session::json::CheckJson;
use proofwood_session::solving::check::{NotAccepted, check_within};
use proofwood_session::words::claims;
use proofwood_session::{Ended, Trouble};
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
or is for an unknown game.")]
pub(crate) struct Check {
    /// Certificates to check
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Memory limit for a check, such as 64M or 2G; a file that needs more is refused [default: 1G]
    #[arg(long, value_name = "BYTES", allow_negative_numbers = true)]
    memory: Option<String>,
    /// Write an accepted proof as variations in SGF; only for a single file
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
                return Err(Trouble::Input("--sgf: give exactly one certificate".into()));
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
                    printer.text(&claims::text(&name, &checked, &players))?;
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
