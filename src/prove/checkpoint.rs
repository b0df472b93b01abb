//! A table on disk, so that a long proof survives the end of its program.
//!
//! A checkpoint holds the table's entries and nothing else: a search that has
//! them goes the same way again in no time. It is written while the threads
//! work; what they change meanwhile is as safe to read as from the table itself,
//! where an entry whose words are of two writes is nobody's.
//!
//! The file is text up to an empty line, then entries of two little-endian words
//! each, the key and the data, then an entry of two zeros, then the SHA-256 of
//! everything before. The text says on what the meaning of the entries depends: the
//! format, the program, the game, the position, the root's key, the players whom the
//! entries serve, their payoffs, whether the rules' foresight was believed, and whether
//! positions are looked up under their least images. A file that differs in any of it is
//! refused.
//!
//! Keys below the root come from the game's hash. Where the root has none, another
//! position, or the same one after another history, could have the same keys: such a
//! search has no checkpoints.

use super::search::ProofSearch;
use super::table::{Data, Table};
use crate::game::Game;
use crate::rules::{Declared, root_key};
use crate::settings::ProverConfig;
use sha2::{Digest, Sha256};
use std::error::Error;
use std::fmt;
use std::io::{self, BufRead, BufWriter, Read, Write};
use std::sync::Arc;

/// The format's name and version.
const MAGIC: &str = "proofwood-checkpoint 3";
const VERSION: &str = env!("CARGO_PKG_VERSION");
/// No header is longer.
const LONGEST_HEADER: u64 = 1 << 20;

/// Why a checkpoint cannot be written or used: one line.
#[derive(Debug)]
#[non_exhaustive]
pub enum CheckpointError {
    /// It cannot be read, or is damaged.
    Damaged(String),
    /// It is of another search.
    Foreign {
        /// What differs.
        what: &'static str,
        /// What the checkpoint is about.
        theirs: String,
        /// What the search is about.
        ours: String,
    },
    /// The position has no hash by which a checkpoint of another one could be told
    /// apart.
    Unidentified,
    /// It cannot be written.
    Write(io::Error),
    /// There is no room for the table.
    Search(crate::error::SearchError),
}

impl fmt::Display for CheckpointError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CheckpointError::Damaged(what) => write!(f, "{what}"),
            CheckpointError::Foreign { what, theirs, ours } => {
                write!(f, "it is about {what} '{theirs}', not '{ours}'")
            }
            CheckpointError::Unidentified => f.write_str(
                "this position has no hash (Game::hash), without which a checkpoint of \
                     another position could be taken for one of this",
            ),
            CheckpointError::Write(what) => write!(f, "{what}"),
            CheckpointError::Search(error) => error.fmt(f),
        }
    }
}

impl Error for CheckpointError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            CheckpointError::Search(error) => error.source(),
            _ => None,
        }
    }
}

impl From<crate::error::SearchError> for CheckpointError {
    fn from(error: crate::error::SearchError) -> CheckpointError {
        CheckpointError::Search(error)
    }
}

impl From<io::Error> for CheckpointError {
    fn from(error: io::Error) -> CheckpointError {
        CheckpointError::Damaged(match error.kind() {
            io::ErrorKind::UnexpectedEof => "it is cut short".into(),
            _ => error.to_string(),
        })
    }
}

/// Writes what it is given, and keeps a digest of it.
struct Digesting<W> {
    inner: W,
    digest: Sha256,
}

impl<W: Write> Digesting<W> {
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.digest.update(bytes);
        self.inner.write_all(bytes)
    }
}

impl<R: Read> Digesting<R> {
    fn get<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let mut bytes = [0; N];
        self.inner.read_exact(&mut bytes)?;
        self.digest.update(bytes);
        Ok(bytes)
    }
}

impl<G: Game> ProofSearch<G> {
    /// Whether there can be checkpoints of this search.
    ///
    /// # Errors
    /// [`CheckpointError::Unidentified`] when the position has no
    /// [`hash`](Game::hash).
    pub fn can_be_saved(&self) -> Result<(), CheckpointError> {
        match self.game().hash(self.position()) {
            Some(_) => Ok(()),
            None => Err(CheckpointError::Unidentified),
        }
    }

    /// Writes down what a depth-first prover has found so far, also while it
    /// works, for [`load`](ProofSearch::load). `spec` describes the game.
    ///
    /// # Errors
    /// When `out` cannot be written to, or the position has no hash.
    pub fn save(&self, spec: &str, mut out: impl Write) -> Result<(), CheckpointError> {
        self.can_be_saved()?;
        write(&self.header(spec), self.kept_table().as_deref(), &mut out)
            .map_err(CheckpointError::Write)
    }

    /// Goes on with what [`save`](ProofSearch::save) has written. The goal, the
    /// algorithm and its numbers, the threads and the size of the table may differ from
    /// those of the search that wrote it, and with two players and zero sum without
    /// chance the player, too.
    ///
    /// # Errors
    /// When the file is damaged, or of another game, position, player, foresight,
    /// symmetries or version of this library, or when the position has no hash. The search is then as
    /// it was before.
    ///
    /// # Panics
    /// When the search is running.
    pub fn load(&mut self, spec: &str, mut input: impl BufRead) -> Result<(), CheckpointError> {
        assert!(!self.is_running(), "a checkpoint can be read only at rest");
        self.can_be_saved()?;
        let table = read(self.header(spec), self.config().table, &mut input)?;
        self.keep_table(Arc::new(table));
        Ok(())
    }

    /// The lines of the header, each with what it is about.
    pub(super) fn header(&self, spec: &str) -> Lines {
        let (game, root) = (self.game(), self.position());
        let position = (game.state_text(root), root_key(game, root));
        header(self.config(), self.declared(), self.player(), spec, position)
    }
}

/// Lines of a header, each with what it is about.
pub(super) type Lines = [(&'static str, String); 9];

/// The header of a checkpoint. `position` is the root's text and key.
///
/// This and what follows knows no game's types, so that it is compiled once.
fn header(
    config: &ProverConfig,
    declared: &Declared,
    player: usize,
    spec: &str,
    (text, key): (String, u64),
) -> Lines {
    let player = match declared.serves_both() {
        true => "player any".into(),
        false => format!("player {player}"),
    };
    let ranges = declared.ranges[..declared.players].iter();
    let ranges = ranges.map(|range| format!(" {}..{}", range.lower, range.upper));
    let foresight = if config.foresight { "believed" } else { "not believed" };
    let symmetries = match config.symmetries && declared.symmetric {
        true => "believed",
        false => "not used",
    };
    [
        ("the format", MAGIC.into()),
        ("the program", format!("proofwood {VERSION}")),
        ("the game", spec.replace(char::is_control, " ")),
        ("the position", text.replace(char::is_control, " ")),
        ("the root", format!("{key:016x}")),
        ("the player", player),
        ("the payoffs", format!("payoffs{}", ranges.collect::<String>())),
        ("foresight", format!("foresight {foresight}")),
        ("symmetries", format!("symmetries {symmetries}")),
    ]
}

fn write(header: &Lines, table: Option<&Table>, out: &mut dyn Write) -> io::Result<()> {
    let inner = BufWriter::with_capacity(1 << 16, out);
    let mut out = Digesting { inner, digest: Sha256::new() };
    for (_, line) in header {
        out.put(line.as_bytes())?;
        out.put(b"\n")?;
    }
    out.put(b"\n")?;
    if let Some(table) = table {
        for (key, data) in table.entries() {
            out.put(&key.to_le_bytes())?;
            out.put(&data.bits().to_le_bytes())?;
        }
    }
    out.put(&[0; 16])?;
    let digest = out.digest.finalize();
    out.inner.write_all(&digest)?;
    out.inner.flush()
}

/// Reads a checkpoint into a table of `bytes` bytes.
fn read(header: Lines, bytes: u64, input: &mut dyn BufRead) -> Result<Table, CheckpointError> {
    let mut input = Digesting { inner: input, digest: Sha256::new() };
    check_header(header, &mut input)?;
    let table = Table::new(bytes)?;
    loop {
        let key = u64::from_le_bytes(input.get()?);
        match (key, u64::from_le_bytes(input.get()?)) {
            (0, 0) => break,
            (key, bits) => match Data::from_bits(bits) {
                Some(data) => table.put(key, key, data),
                None => return Err(CheckpointError::Damaged("it has an empty entry".into())),
            },
        }
    }
    let expected = input.digest.finalize();
    let mut digest = [0; 32];
    input.inner.read_exact(&mut digest)?;
    if digest[..] != expected[..] {
        return Err(CheckpointError::Damaged("its digest is wrong".into()));
    }
    if !input.inner.fill_buf()?.is_empty() {
        return Err(CheckpointError::Damaged("something follows its digest".into()));
    }
    Ok(table)
}

fn check_header(
    header: Lines,
    input: &mut Digesting<&mut dyn BufRead>,
) -> Result<(), CheckpointError> {
    let mut left = LONGEST_HEADER;
    for (what, ours) in header.into_iter().chain([("the end of the header", String::new())]) {
        let mut line = Vec::new();
        let read = Read::by_ref(&mut input.inner).take(left).read_until(b'\n', &mut line)?;
        input.digest.update(&line);
        left -= read as u64;
        let theirs = line.strip_suffix(b"\n").unwrap_or(&line);
        if theirs == ours.as_bytes() {
            continue;
        }
        if what == "the format" {
            return Err(CheckpointError::Damaged("it is no checkpoint".into()));
        }
        let theirs = String::from_utf8_lossy(theirs);
        let theirs = theirs.chars().filter(|c| !c.is_control()).take(200).collect();
        return Err(CheckpointError::Foreign { what, theirs, ours });
    }
    Ok(())
}
