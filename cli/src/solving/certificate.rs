//! Certificates of what a search has settled, as files.

use super::check::{NotAccepted, check};
use crate::display::json::CertificateJson;
use crate::display::screen::Line;
use crate::exit::complain;
use crate::terminal::progress::Progress;
use proofwood::CancelToken;
use proofwood::certificate::CertificateError;
use proofwood_any_game::Certifying;
use proofwood_session::Trouble;
use proofwood_session::files::Whole;
use std::io::BufWriter;

/// Where a certificate goes.
pub(crate) struct ProofTo<'t> {
    /// The file's name.
    pub(crate) name: String,
    pub(crate) file: Whole,
    /// The game as the user described it.
    pub(crate) game: &'t str,
    pub(crate) cancel: &'t CancelToken,
}

/// What came of the wish for a certificate.
#[derive(Clone, Debug)]
pub(crate) enum Certificate {
    /// There was none.
    NotWanted,
    /// Nothing is proven, or the writing was stopped: there is no file.
    NotWritten,
    /// It was written and checked.
    Written(CertificateJson),
}

impl Certificate {
    /// The one that was written.
    pub(crate) fn written(&self) -> Option<&CertificateJson> {
        match self {
            Certificate::Written(certificate) => Some(certificate),
            _ => None,
        }
    }
}

/// Writes down why what a search knows of a position is true, and has it
/// checked before the file gets its name. Where nothing is known, says so.
pub(crate) fn write(
    search: &dyn Certifying,
    position: &str,
    to: &mut ProofTo<'_>,
) -> Result<Certificate, Trouble> {
    let ProofTo { name, file, game, cancel } = to;
    let progress = Progress::new();
    progress.show(&Line::new().item(0, "writing").item(1, name.to_string()));
    let mut out = BufWriter::new(file.begin()?);
    let written = search.certify(game, position, cancel, &mut out);
    let written = written.and_then(|written| {
        out.into_inner().map_err(|error| CertificateError::Write(error.into_error()))?;
        Ok(written)
    });
    let written = match written {
        Ok(written) => written,
        Err(error @ (CertificateError::NoProof(_) | CertificateError::Stopped(_))) => {
            drop(progress);
            complain(&format!("{name} is not written: {error}"));
            return Ok(Certificate::NotWritten);
        }
        Err(error) => return Err(Trouble::Failed(format!("{name}: {error}"))),
    };
    progress.show(&Line::new().item(0, "checking").item(1, name.to_string()));
    check(file.temporary()).map_err(|error| match error {
        NotAccepted::Unreadable(failure) => failure.about(name),
        NotAccepted::Refused(refusal) => {
            Trouble::Failed(format!("{name}: what was written does not hold: {refusal}"))
        }
    })?;
    file.finish()?;
    Ok(Certificate::Written(CertificateJson {
        file: name.clone(),
        positions: written.positions,
        references: written.references,
    }))
}
