//! The options of `search` and `solve` that determine where answers are written.

use proofwood_session::Trouble;
use proofwood_session::files::{Asked, Force, Growing};
use std::path::{Path, PathBuf};

/// The options for the destination of answers.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct ReportTo {
    /// Print one JSON object per position
    #[arg(long)]
    pub(crate) json: bool,
    /// Also write the JSON objects to a file; - is standard output, as with --json
    #[arg(short, long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) force: Force,
}

impl ReportTo {
    /// Returns whether JSON is written to standard output.
    pub(crate) fn is_json(&self) -> bool {
        self.json || self.out.as_deref() == Some(Path::new("-"))
    }

    /// Returns the file for the JSON objects; `None` if only standard output is used.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.out.as_deref().filter(|out| *out != Path::new("-"))
    }

    /// Opens the file of `--out`, if there is one.
    pub(crate) fn open(&self) -> Result<Option<Growing>, Trouble> {
        let open = |path| Growing::open(Asked::new("--out", path, self.force));
        self.file().map(open).transpose()
    }
}
