//! Checkpoints: a prover's table on disk, so that a long proof survives the end of the program.
//!
//! A checkpoint contains only the entries of the table: a search that begins with these entries
//! soon reaches the same point again. It can be written while threads change the table, because an
//! entry whose words come from two writes matches no key.
//!
//! The file begins with text up to an empty line. It is followed by the number of buckets in use,
//! in eight bytes; the blocks of the table (see [`block`]), each preceded by its length in four
//! bytes; and a SHA-256 over everything before the blocks and the SHA-256 of each block. All
//! numbers are little-endian. The text contains everything on which the meaning of the entries
//! depends: the format, the program, the game, the position, the root's key, the players whose
//! questions the entries answer, their payoffs, whether static bounds were used, and whether keys
//! are canonical. A file that differs from the search in any of these is rejected.
//!
//! The disk limits the speed of a checkpoint, so blocks are packed. Several threads pack or unpack
//! blocks while another thread writes or reads them.
//!
//! If the root has no key in the game, the keys below it depend on the moves from the root, and
//! positions below another root could have equal keys. So such a search has no checkpoints.

mod bits;
mod block;

use self::block::Layout;
use super::search::ProofSearch;
use super::table::Table;
use crate::game::Game;
use crate::rules::Declared;
use crate::saved::{Header, Reader, SavedError, Writer, damaged, text_and_key};
use crate::settings::ProverConfig;
use crate::threads::in_order;
use hmac_sha256::Hash as Sha256;
use std::io::{self, Read, Write};
use std::sync::Arc;

const MAGIC: &str = "proofwood-checkpoint 4";
/// The greatest number of packing threads; with more threads, the disk is the bottleneck.
const MOST_THREADS: usize = 16;

impl<G: Game> ProofSearch<G> {
    /// Checks that this search can have checkpoints.
    ///
    /// # Errors
    /// Returns [`SavedError::Unidentified`] if the position has no [`key`](Game::key).
    pub fn can_be_saved(&self) -> Result<(), SavedError> {
        match self.game().key(self.position()) {
            Some(_) => Ok(()),
            None => Err(SavedError::Unidentified),
        }
    }

    /// Writes what a depth-first prover has found so far, in the format that
    /// [`load`](ProofSearch::load) reads; the prover may be running. `spec` identifies the game.
    ///
    /// # Errors
    /// Fails if `out` cannot be written, or the position has no key.
    pub fn save(&self, spec: &str, mut out: impl Write) -> Result<(), SavedError> {
        self.can_be_saved()?;
        let (table, threads) = (self.kept_table(), self.config().threads);
        write(&self.header(spec), table.as_deref(), threads, &mut out).map_err(SavedError::Write)
    }

    /// Loads the results that [`save`](ProofSearch::save) has written. The goal, the algorithm and
    /// its parameters, the threads and the size of the table may differ from those of the search
    /// that wrote the results. In a two-player zero-sum game without chance, the player may differ,
    /// too.
    ///
    /// # Errors
    /// Fails if the file is damaged, the position has no key, or the file differs from this search
    /// in the game, the position, the player, the use of static bounds or symmetries, or the
    /// version of this library. The search is then unchanged.
    ///
    /// # Panics
    /// Panics if the search is running.
    pub fn load(&mut self, spec: &str, mut input: impl Read) -> Result<(), SavedError> {
        assert!(!self.is_running(), "a checkpoint can be loaded only while no search is running");
        self.can_be_saved()?;
        let (bytes, threads) = (self.config().table, self.config().threads);
        let table = read(&self.header(spec), bytes, threads, &mut input)?;
        self.keep_table(Arc::new(table));
        Ok(())
    }

    pub(super) fn header(&self, spec: &str) -> Header {
        let header = Header::new(MAGIC, spec, text_and_key(self.game(), self.position()));
        header_without_types(self.config(), self.declared(), self.player(), header)
    }
}

/// Adds the settings on which the entries depend.
///
/// These functions do not depend on the game's type, so they are compiled only once.
fn header_without_types(
    config: &ProverConfig,
    declared: &Declared,
    player: usize,
    mut header: Header,
) -> Header {
    let player = match declared.serves_both() {
        true => "player any".into(),
        false => format!("player {player}"),
    };
    header.line("the player", player);
    header.payoffs(&declared.ranges[..declared.players]);
    let foresight = if config.foresight { "believed" } else { "ignored" };
    header.line("foresight", format!("foresight {foresight}"));
    let symmetries = match config.symmetries && declared.symmetric {
        true => "believed",
        false => "not used",
    };
    header.line("symmetries", format!("symmetries {symmetries}"));
    header
}

fn write(
    header: &Header,
    table: Option<&Table>,
    threads: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    let buckets = table.map_or(0, Table::in_use);
    let mut out = Writer::new(out);
    header.write(&mut out)?;
    out.byte(b'\n')?;
    out.bytes(&buckets.to_le_bytes())?;
    if let (Some(table), Some(layout)) = (table, Layout::of(buckets)) {
        let mut blocks = 0..layout.blocks();
        let pack = |number| {
            let block = layout.pack(number, table);
            (Sha256::hash(&block), block)
        };
        let put = |(own, block): (_, Vec<u8>)| {
            out.digested(&[&(block.len() as u32).to_le_bytes(), &block], &own)
        };
        in_order(threads.min(MOST_THREADS), || Ok(blocks.next()), pack, put)?;
    }
    out.finish()
}

fn read(
    header: &Header,
    bytes: u64,
    threads: usize,
    input: &mut dyn Read,
) -> Result<Table, SavedError> {
    let mut input = Reader::new(input);
    header.check(&mut input)?;
    if !input.line(0)?.is_empty() {
        return Err(damaged("its header does not end"));
    }
    let buckets = u64::from_le_bytes(input.array()?);
    let layout = Layout::of(buckets).ok_or_else(|| damaged("its table has an impossible size"))?;
    let table = if buckets == 0 { Table::new(bytes) } else { Table::with_in_use(bytes, buckets) }?;
    let (mut blocks, mut digests, mut taken) = (0..layout.blocks(), Vec::new(), 0);
    let next = || {
        let Some(number) = blocks.next() else { return Ok(None) };
        let mut length = [0; 4];
        input.undigested(&mut length)?;
        let length = u32::from_le_bytes(length);
        if length > layout.longest() {
            return Err(damaged("a block is too long"));
        }
        let mut block = vec![0; length as usize];
        input.undigested(&mut block)?;
        Ok(Some((number, block)))
    };
    let unpack = |(number, block): (u64, Vec<u8>)| {
        (Sha256::hash(&block), layout.unpack(number, &block, &table))
    };
    in_order(threads.min(MOST_THREADS), next, unpack, |(own, slots)| {
        digests.push(own);
        taken += slots.ok_or_else(|| damaged("a block cannot be unpacked"))?;
        Ok::<_, SavedError>(())
    })?;
    table.count_restored(taken);
    digests.iter().for_each(|own| input.take_digest(own));
    input.finish()?;
    Ok(table)
}
