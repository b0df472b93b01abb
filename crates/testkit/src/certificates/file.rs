//! Conversions between certificates and lists of lines.

use super::second;
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use proofwood::Game;
use proofwood::certificate::{Certificate, Checked, Promise, Refusal};
use sha2::{Digest, Sha256};
use std::io::{Read, Write};

/// Decompresses a certificate; returns its lines without the last two, the end and the digest.
pub fn lines(file: &[u8]) -> Vec<String> {
    let mut text = String::new();
    GzDecoder::new(file).read_to_string(&mut text).expect("text");
    assert!(text.ends_with('\n'));
    let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
    assert!(lines.pop().expect("a digest").starts_with("sha256 "));
    assert!(lines.pop().expect("an end").starts_with("end "));
    lines
}

/// Returns the text of a certificate with `lines`, a correct end and a correct digest.
pub fn text(lines: &[impl AsRef<str>]) -> String {
    let body = lines.iter().map(AsRef::as_ref).skip_while(|line| !line.is_empty());
    let entries = body.filter(|line| line.starts_with(['!', '?', '='])).count();
    let mut text: String = lines.iter().map(|line| format!("{}\n", line.as_ref())).collect();
    text += &format!("end {entries}\n");
    let digest: String =
        Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
    text + &format!("sha256 {digest}\n")
}

/// Compresses a text with gzip.
pub fn compressed(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(text.as_bytes()).expect("memory");
    encoder.finish().expect("memory")
}

/// Checks a certificate with `lines`, a correct end and a correct digest.
pub fn check<G: Game>(game: &G, lines: &[impl AsRef<str>]) -> Result<Checked, Refusal> {
    check_file(game, &compressed(&text(lines)))
}

/// Checks a compressed certificate.
pub fn check_file<G: Game>(game: &G, file: &[u8]) -> Result<Checked, Refusal> {
    Certificate::open(file)?.check(game)
}

/// Checks a file with the library's checker; returns the result in the second checker's form.
pub fn first<G: Game>(game: &G, file: &[u8]) -> Result<Vec<second::Shown>, String> {
    let checked = check_file(game, file).map_err(|refusal| refusal.to_string())?;
    let shown = checked.claims.iter().map(|shown| {
        let (at_least, payoff) = match shown.claim.promise {
            Promise::AtLeast(payoff) => (true, payoff),
            Promise::Below(payoff) => (false, payoff),
        };
        (shown.claim.player, at_least, payoff, shown.endless)
    });
    Ok(shown.collect())
}
