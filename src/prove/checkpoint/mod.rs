//! Checkpoints: a table on disk, so that a long proof survives the end of its program.
//!
//! A checkpoint holds the table's entries and nothing else: a search with these entries quickly
//! reaches the same point again. It is written while the threads work; concurrent writes are as
//! harmless as in the table itself, where an entry whose words come from two writes matches no key.
//!
//! The file is text up to an empty line, then the number of the table's buckets in use, in eight
//! bytes, then the table in blocks (see [`block`]), each after its length in four bytes, then the
//! SHA-256 of everything before the blocks and of the SHA-256 of each of them. All numbers are
//! little-endian. The text contains everything that the meaning of the entries depends on: the
//! format, the program, the game, the position, the root's key, the players whom the entries serve,
//! their payoffs, whether static bounds were trusted, and whether positions are stored under
//! canonical keys. A file that differs in any of it is refused.
//!
//! The disk limits the speed of a checkpoint. So blocks are packed, by several threads while
//! another one writes or reads.
//!
//! Keys below the root come from the game's key. If the root has none, another position, or the
//! same one after another history, could have the same keys: such a search has no checkpoints.

mod bits;
mod block;

use self::block::Layout;
use super::search::ProofSearch;
use super::table::Table;
use crate::game::Game;
use crate::rules::{Declared, root_key};
use crate::settings::ProverConfig;
use crate::threads::in_order;
use hmac_sha256::Hash as Sha256;
use std::error::Error;
use std::fmt;
use std::io::{self, BufRead, BufWriter, Read, Write};
use std::sync::Arc;

/// The format's name and version.
const MAGIC: &str = "proofwood-checkpoint 4";
const VERSION: &str = env!("CARGO_PKG_VERSION");
/// The greatest size of a header in bytes.
const LONGEST_HEADER: u64 = 1 << 20;
/// With more threads, the disk is the bottleneck.
const MOST_THREADS: usize = 16;

/// The reason why a checkpoint cannot be written or used: one line.
#[derive(Debug)]
#[non_exhaustive]
pub enum CheckpointError {
    /// The file cannot be read, or is damaged.
    Damaged(String),
    /// The checkpoint belongs to another search.
    Foreign {
        /// The property that differs.
        what: &'static str,
        /// The property's value in the checkpoint.
        theirs: String,
        /// The property's value in the search.
        ours: String,
    },
    /// The position has no key, so checkpoints of other positions cannot be distinguished.
    Unidentified,
    /// The file cannot be written.
    Write(io::Error),
    /// The table does not fit into memory.
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
                "this position has no key (Game::key), without which a checkpoint of \
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

impl<G: Game> ProofSearch<G> {
    /// Checks that this search can have checkpoints.
    ///
    /// # Errors
    /// [`CheckpointError::Unidentified`] when the position has no [`key`](Game::key).
    pub fn can_be_saved(&self) -> Result<(), CheckpointError> {
        match self.game().key(self.position()) {
            Some(_) => Ok(()),
            None => Err(CheckpointError::Unidentified),
        }
    }

    /// Writes the results of a depth-first prover so far, even while it runs, for
    /// [`load`](ProofSearch::load). `spec` describes the game.
    ///
    /// # Errors
    /// When `out` cannot be written to, or the position has no key.
    pub fn save(&self, spec: &str, mut out: impl Write) -> Result<(), CheckpointError> {
        self.can_be_saved()?;
        let (table, threads) = (self.kept_table(), self.config().threads);
        write(&self.header(spec), table.as_deref(), threads, &mut out)
            .map_err(CheckpointError::Write)
    }

    /// Loads the results that [`save`](ProofSearch::save) has written. The goal, the algorithm and
    /// its parameters, the threads and the size of the table may differ from those of the search
    /// that wrote it; so may the player, with two players, zero sum and no chance.
    ///
    /// # Errors
    /// When the file is damaged, or of another game, position, player, foresight, symmetries or
    /// version of this library, or when the position has no key. The search is then unchanged.
    ///
    /// # Panics
    /// When the search is running.
    pub fn load(&mut self, spec: &str, mut input: impl BufRead) -> Result<(), CheckpointError> {
        assert!(!self.is_running(), "a checkpoint can be read only at rest");
        self.can_be_saved()?;
        let (bytes, threads) = (self.config().table, self.config().threads);
        let table = read(self.header(spec), bytes, threads, &mut input)?;
        self.keep_table(Arc::new(table));
        Ok(())
    }

    /// The lines of the header, each with its property.
    pub(super) fn header(&self, spec: &str) -> Lines {
        let (game, root) = (self.game(), self.position());
        let position = (game.state_text(root), root_key(game, root));
        header(self.config(), self.declared(), self.player(), spec, position)
    }
}

/// Lines of a header, each with its property.
pub(super) type Lines = [(&'static str, String); 9];

/// The header of a checkpoint. `position` is the root's text and key.
///
/// This and the following functions are not generic over games, so that they are compiled once.
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

fn write(
    header: &Lines,
    table: Option<&Table>,
    threads: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    let buckets = table.map_or(0, Table::in_use);
    let mut beginning = header.iter().flat_map(|(_, line)| [line, "\n"]).collect::<String>();
    beginning.push('\n');
    let mut beginning = beginning.into_bytes();
    beginning.extend(buckets.to_le_bytes());
    let mut digest = Sha256::new();
    digest.update(&beginning);
    let mut out = BufWriter::with_capacity(1 << 16, out);
    out.write_all(&beginning)?;
    if let (Some(table), Some(layout)) = (table, Layout::of(buckets)) {
        let mut blocks = 0..layout.blocks();
        let pack = |number| {
            let block = layout.pack(number, table);
            (Sha256::hash(&block), block)
        };
        let put = |(own, block): (_, Vec<u8>)| {
            digest.update(own);
            out.write_all(&(block.len() as u32).to_le_bytes())?;
            out.write_all(&block)
        };
        in_order(threads.min(MOST_THREADS), || Ok(blocks.next()), pack, put)?;
    }
    out.write_all(&digest.finalize())?;
    out.flush()
}

/// Reads a checkpoint into a table of `bytes` bytes.
fn read(
    header: Lines,
    bytes: u64,
    threads: usize,
    input: &mut dyn BufRead,
) -> Result<Table, CheckpointError> {
    let damaged = |what: &str| CheckpointError::Damaged(what.into());
    let mut digest = Sha256::new();
    check_header(header, input, &mut digest)?;
    let buckets: [u8; 8] = get(input)?;
    digest.update(buckets);
    let buckets = u64::from_le_bytes(buckets);
    let layout = Layout::of(buckets).ok_or_else(|| damaged("it is of no possible table"))?;
    let table = if buckets == 0 { Table::new(bytes) } else { Table::with_in_use(bytes, buckets) }?;
    let (mut blocks, mut taken) = (0..layout.blocks(), 0);
    let next = || {
        let Some(number) = blocks.next() else { return Ok(None) };
        let length = u32::from_le_bytes(get(input)?);
        if length > layout.longest() {
            return Err(damaged("it has a block that is too long"));
        }
        let mut block = vec![0; length as usize];
        input.read_exact(&mut block)?;
        Ok(Some((number, block)))
    };
    let unpack = |(number, block): (u64, Vec<u8>)| {
        (Sha256::hash(&block), layout.unpack(number, &block, &table))
    };
    in_order(threads.min(MOST_THREADS), next, unpack, |(own, slots)| {
        digest.update(own);
        taken += slots.ok_or_else(|| damaged("it has a block that is none"))?;
        Ok::<_, CheckpointError>(())
    })?;
    table.count_restored(taken);
    if get::<32>(input)?[..] != digest.finalize()[..] {
        return Err(damaged("its digest is wrong"));
    }
    if !input.fill_buf()?.is_empty() {
        return Err(damaged("something follows its digest"));
    }
    Ok(table)
}

fn get<const N: usize>(input: &mut dyn BufRead) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    input.read_exact(&mut bytes)?;
    Ok(bytes)
}

fn check_header(
    header: Lines,
    input: &mut dyn BufRead,
    digest: &mut Sha256,
) -> Result<(), CheckpointError> {
    let mut left = LONGEST_HEADER;
    for (what, ours) in header.into_iter().chain([("the end of the header", String::new())]) {
        let mut line = Vec::new();
        let read = (&mut *input).take(left).read_until(b'\n', &mut line)?;
        digest.update(&line);
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
