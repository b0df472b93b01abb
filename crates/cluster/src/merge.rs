//! Merges certificates: the top of a proof with the certificates of its leaves.
//!
//! A proof is listed depth first, so a leaf's proof is copied unchanged, except that its labels are
//! renumbered. The caller must check each part on arrival, and the merged certificate at the end.

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use hmac_sha256::Hash as Sha256;
use proofwood_session::Trouble;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::Path;

pub(crate) struct Merge<W: Write> {
    out: GzEncoder<BufWriter<W>>,
    digest: Sha256,
    /// The number of entries of all claims.
    entries: u64,
    references: u64,
    /// The number of labels in the current claim.
    labels: u64,
}

fn unfit(path: &Path, why: &str) -> io::Error {
    io::Error::other(format!("{}: {why}", path.display()))
}

impl<W: Write> Merge<W> {
    /// Begins a certificate with the lines of its header.
    pub(crate) fn begin(out: W, header: &[String]) -> io::Result<Merge<W>> {
        let out = GzEncoder::new(BufWriter::new(out), Compression::default());
        let digest = Sha256::new();
        let mut merge = Merge { out, digest, entries: 0, references: 0, labels: 0 };
        for line in header {
            merge.line(line)?;
        }
        merge.line("")?;
        Ok(merge)
    }

    pub(crate) fn next_claim(&mut self) {
        self.labels = 0;
    }

    /// Writes the move of the side that the claim favours.
    pub(crate) fn plays(&mut self, mv: &str) -> io::Result<()> {
        self.entries += 1;
        self.line(&format!("!{mv}"))
    }

    /// Writes the number of the other side's moves; the proof of each must follow.
    pub(crate) fn answers(&mut self, moves: usize) -> io::Result<()> {
        self.entries += 1;
        self.line(&format!("?{moves}"))
    }

    /// Copies the proof of a certificate with one claim.
    pub(crate) fn part(&mut self, path: &Path) -> io::Result<()> {
        let mut lines = BufReader::new(GzDecoder::new(BufReader::new(File::open(path)?)));
        let mut line = String::new();
        let mut claims = 0;
        let mut is_header = true;
        let first = self.labels;
        loop {
            line.clear();
            if lines.read_line(&mut line)? == 0 {
                return Err(unfit(path, "the file ends too soon"));
            }
            let text = line.trim_end_matches('\n');
            if is_header {
                claims += u32::from(text.starts_with("claim "));
                is_header = !text.is_empty();
                continue;
            }
            if claims != 1 {
                return Err(unfit(path, "there should be exactly one claim"));
            }
            if text.starts_with("end ") {
                return Ok(());
            }
            match text.as_bytes().first() {
                Some(b'#') => {
                    self.labels += 1;
                    self.line(text)?;
                }
                Some(b'=') => {
                    let label: Option<u64> = text[1..].parse().ok();
                    let label = label.and_then(|label| label.checked_add(first));
                    let label = label.ok_or_else(|| unfit(path, "a reference is not a number"))?;
                    (self.entries, self.references) = (self.entries + 1, self.references + 1);
                    self.line(&format!("={label}"))?;
                }
                Some(b'!' | b'?') => {
                    self.entries += 1;
                    self.line(text)?;
                }
                _ => return Err(unfit(path, "a line is not a certificate entry")),
            }
        }
    }

    /// Finishes the certificate; returns the numbers of entries and references.
    pub(crate) fn end(mut self) -> io::Result<(u64, u64)> {
        let entries = self.entries;
        self.line(&format!("end {entries}"))?;
        let digest: String = std::mem::take(&mut self.digest)
            .finalize()
            .iter()
            .map(|b| format!("{b:02x}"))
            .collect();
        self.line(&format!("sha256 {digest}"))?;
        self.out.finish()?.flush()?;
        Ok((entries - self.references, self.references))
    }

    fn line(&mut self, text: &str) -> io::Result<()> {
        let line = format!("{text}\n");
        self.digest.update(&line);
        self.out.write_all(line.as_bytes())
    }
}

pub(crate) fn failed(name: &str, error: &io::Error) -> Trouble {
    Trouble::Failed(format!("{name}: cannot merge the parts into a certificate: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proofwood::certificate::{Claim, Promise};
    use proofwood::{Algorithm, Budget, CancelToken, ProofGoal, ProverConfig};
    use proofwood_session::input::spec::find_game;
    use proofwood_session::solving::check::check;
    use std::path::PathBuf;

    /// Writes a certificate that x cannot win after `mv`.
    fn part(folder: &Path, mv: &str) -> PathBuf {
        let (game, rules) = find_game("connect-four:4x4").unwrap();
        let mut position = rules.start();
        position.play(mv).unwrap();
        let config = ProverConfig::default().algorithm(Algorithm::Dfpn).threads(1).table(1 << 20);
        let mut search = position.prove(&config.goal(ProofGoal::Win).player(0)).unwrap();
        search.start(&Budget::default()).unwrap();
        search.wait().unwrap();
        let path = folder.join(format!("{mv}.proof"));
        let mut file = File::create(&path).unwrap();
        search.certify(&game, &position.text(), &CancelToken::new(), &mut file).unwrap();
        path
    }

    /// The certificates of all four moves, each with its own labels, merge into one that is valid.
    #[test]
    fn parts_make_a_whole_that_is_accepted() {
        let folder = std::env::temp_dir().join(format!("proofwood-stitch-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("whole.proof");
        let header = ["proofwood-certificate 1", "game connect-four:4x4", "claim 0 below 1"];
        let header = header.map(String::from);
        let mut merge = Merge::begin(File::create(&path).unwrap(), &header).unwrap();
        merge.next_claim();
        merge.answers(4).unwrap();
        let mut labels = Vec::new();
        for mv in ["1", "2", "3", "4"] {
            merge.part(&part(&folder, mv)).unwrap();
            labels.push(merge.labels);
        }
        assert!(labels.is_sorted_by(|a, b| a < b) && labels[0] > 0, "{labels:?}");
        let (positions, references) = merge.end().unwrap();
        let checked = check(&path).unwrap();
        assert!(checked.holds(Claim { player: 0, promise: Promise::Below(1) }));
        assert_eq!(checked.claims[0].positions, positions);
        assert_eq!(checked.claims[0].references, references);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
