//! Reads the lines of a certificate and the digest over them.

use super::format::{
    Claim, Header, LONGEST_HEADER, LONGEST_LINE, MAGIC, Root, VERSION, read_number,
};
use super::memory::{DEFAULT_MEMORY, Memory};
use super::refusal::Refusal;
use flate2::bufread::GzDecoder;
use hmac_sha256::Hash as Sha256;
use std::fmt::Write;
use std::io::{self, BufRead, BufReader, Read};

/// A certificate whose header has been read. [`game`](Certificate::game) describes the game, so
/// that the caller can create it and call [`check`](Certificate::check).
pub struct Certificate<R> {
    pub(super) header: Header,
    pub(super) lines: Lines<R>,
    pub(super) memory: Memory,
}

impl<R: BufRead> Certificate<R> {
    /// Reads a certificate's header, which is at most 4 MiB long.
    ///
    /// # Errors
    /// If the file is not a certificate or has an unsupported version.
    pub fn open(reader: R) -> Result<Certificate<R>, Refusal> {
        let mut lines = Lines::new(reader);
        let foreign =
            |why: String| Refusal::header(format!("the file is not a certificate: {why}"));
        let first = match lines.next() {
            Ok(Some(line)) => line.to_string(),
            Ok(None) => return Err(foreign("it is empty".into())),
            Err(error) => return Err(foreign(error.to_string())),
        };
        let version = first.strip_prefix(MAGIC).and_then(|rest| rest.strip_prefix(' '));
        let version = version.and_then(read_number);
        match version {
            Some(VERSION) => {}
            Some(other) => {
                return Err(Refusal::header(format!(
                    "the file has format version {other}, but this program reads version {VERSION}"
                )));
            }
            None => return Err(foreign(format!("its first line is not '{MAGIC} {VERSION}'"))),
        }
        let (mut header, mut stage) = (Header::default(), 0);
        loop {
            match lines.next().map_err(|error| Refusal::header(error.to_string()))? {
                Some("") => break,
                Some(line) if header.take(line, &mut stage) => {}
                Some(line) => {
                    let line: String = line.chars().take(80).collect();
                    return Err(Refusal::header(format!("unexpected line '{line}' in the header")));
                }
                None => return Err(Refusal::header("the file ends within the header")),
            }
            if lines.bytes > LONGEST_HEADER {
                let reason = format!("the header is longer than {LONGEST_HEADER} bytes");
                return Err(Refusal::header(reason));
            }
        }
        if header.claims.is_empty() {
            return Err(Refusal::header("the file contains no claim"));
        }
        Ok(Certificate { header, lines, memory: Memory::new(DEFAULT_MEMORY) })
    }

    /// Sets the memory limit of [`check`](Certificate::check) in bytes; the default is
    /// [`DEFAULT_MEMORY`]. A file that needs more is refused.
    ///
    /// The count covers everything that grows with the file: the header, the path from the root to
    /// the current position, and the positions with references still to come. It excludes buffers
    /// of about 2 MiB and heap memory that the game's states own.
    #[must_use]
    pub fn memory(mut self, bytes: u64) -> Certificate<R> {
        self.memory = Memory::new(bytes);
        self
    }

    /// The description of the game, as the certificate's writer gave it.
    pub fn game(&self) -> &str {
        &self.header.game
    }

    /// The description of the root, the position that the claims are about.
    pub fn root(&self) -> &Root {
        &self.header.root
    }

    /// The certificate's claims, which may be false until the certificate is checked.
    pub fn claims(&self) -> &[Claim] {
        &self.header.claims
    }
}

/// Lines of a compressed stream.
pub(super) struct Lines<R> {
    reader: BufReader<GzDecoder<R>>,
    line: Vec<u8>,
    digest: Sha256,
    pub(super) bytes: u64,
}

impl<R: BufRead> Lines<R> {
    fn new(reader: R) -> Lines<R> {
        let reader = BufReader::with_capacity(1 << 16, GzDecoder::new(reader));
        Lines { reader, line: Vec::new(), digest: Sha256::new(), bytes: 0 }
    }

    /// The next line without its line feed; `None` at the end.
    pub(super) fn next(&mut self) -> io::Result<Option<&str>> {
        let wrong = |what: &str| io::Error::new(io::ErrorKind::InvalidData, what);
        // A line is added to the digest when the next one is read, so the digest line never is.
        self.digest.update(&self.line);
        self.line.clear();
        let limit = LONGEST_LINE as u64 + 1;
        let read = self.reader.by_ref().take(limit).read_until(b'\n', &mut self.line);
        self.bytes += read.map_err(damaged)? as u64;
        match self.line.last() {
            None => return Ok(None),
            Some(b'\n') => {}
            Some(_) if self.line.len() > LONGEST_LINE => {
                return Err(wrong("a line is longer than 1 MiB"));
            }
            Some(_) => return Err(wrong("the file ends within a line")),
        }
        let text = std::str::from_utf8(&self.line[..self.line.len() - 1]);
        text.map(Some).map_err(|_| wrong("a line is not UTF-8 text"))
    }

    /// Reads the digest line, which must match, and the end of the file.
    pub(super) fn finish(mut self) -> io::Result<()> {
        let wrong = |what: &str| Err(io::Error::new(io::ErrorKind::InvalidData, what));
        self.digest.update(&self.line);
        let expected = digest_line(std::mem::take(&mut self.digest));
        self.line.clear();
        match self.next()? {
            None => return wrong("the file ends before the digest"),
            Some(line) if line == expected => {}
            Some(_) => return wrong("the digest is wrong: the file was altered or damaged"),
        }
        if self.next()?.is_some() {
            return wrong("the file continues after the digest");
        }
        let mut rest = self.reader.into_inner().into_inner();
        if !rest.fill_buf()?.is_empty() {
            return wrong("the file continues after the compressed data");
        }
        Ok(())
    }
}

/// Rewords decompression errors for users.
fn damaged(error: io::Error) -> io::Error {
    let what = match error.kind() {
        io::ErrorKind::UnexpectedEof => "the file is truncated".to_string(),
        _ => format!("the file cannot be decompressed: {error}"),
    };
    io::Error::new(error.kind(), what)
}

/// The digest line, without its line feed.
pub(super) fn digest_line(digest: Sha256) -> String {
    let mut line = String::from("sha256 ");
    for byte in digest.finalize() {
        let _ = write!(line, "{byte:02x}");
    }
    line
}
