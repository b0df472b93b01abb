//! Writes certificates of answered questions.

use super::check::{NotAccepted, check};
use super::observer::{Observer, Step};
use crate::Trouble;
use crate::files::Whole;
use crate::json::CertificateJson;
use proofwood::CancelToken;
use proofwood::certificate::CertificateError;
use proofwood_any_game::Certifying;
use std::io::BufWriter;

/// The destination of a certificate.
pub struct ProofTo<'t> {
    /// The name of the file in messages.
    pub name: String,
    /// The file to write to.
    pub file: Whole,
    /// The game as the user described it.
    pub game: &'t str,
    /// A token that cancels the writing.
    pub cancel: &'t CancelToken,
}

/// The result of writing a certificate.
#[derive(Clone, Debug)]
pub enum Certificate {
    /// No certificate was requested.
    NotWanted,
    /// No file was written: nothing is proven, or the writing was cancelled.
    NotWritten,
    /// A certificate was written and checked.
    Written(CertificateJson),
}

impl Certificate {
    /// Returns the certificate, if it was written.
    pub fn written(&self) -> Option<&CertificateJson> {
        match self {
            Certificate::Written(certificate) => Some(certificate),
            _ => None,
        }
    }
}

/// Writes a certificate of the results that the search has proven. The file gets its final name
/// only after a check. If nothing is proven, reports this to `observer`.
pub fn write(
    search: &dyn Certifying,
    position: &str,
    to: &mut ProofTo<'_>,
    observer: &dyn Observer,
) -> Result<Certificate, Trouble> {
    let ProofTo { name, file, game, cancel } = to;
    let step = Step::begin(observer, "writing", name);
    let mut out = BufWriter::new(file.begin()?);
    let written = search.certify(game, position, cancel, &mut out);
    let written = written.and_then(|written| {
        out.into_inner().map_err(|error| CertificateError::Write(error.into_error()))?;
        Ok(written)
    });
    let written = match written {
        Ok(written) => written,
        Err(error @ (CertificateError::NoProof(_) | CertificateError::Stopped(_))) => {
            drop(step);
            observer.complain(&format!("cannot write {name}: {error}"));
            return Ok(Certificate::NotWritten);
        }
        Err(error) => return Err(Trouble::Failed(format!("{name}: {error}"))),
    };
    observer.begin("checking", name);
    check(file.temporary()).map_err(|error| match error {
        NotAccepted::Unreadable(failure) => failure.about(name),
        NotAccepted::Refused(refusal) => {
            Trouble::Failed(format!("{name}: the new certificate is invalid: {refusal}"))
        }
    })?;
    file.finish()?;
    Ok(Certificate::Written(CertificateJson {
        file: name.clone(),
        positions: written.positions,
        references: written.references,
    }))
}
