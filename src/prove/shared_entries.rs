//! Results of provers, shared between searches and machines.
//!
//! Shared results consist of a table and the premises of its entries. The premises are the lines of
//! a checkpoint's header, except for the lines about the position. An entry's key depends on the
//! position's key and on the kind of answer (see `memo`), so one table serves all positions of a
//! game and all questions about them. Below a position without a key, keys are specific to one
//! search, so entries are not shared.

use super::data::Data;
use super::search::ProofSearch;
use super::table::Table;
use crate::game::Game;
use crate::math::OneWord;
use crate::rules::meets_images;
use crate::saved::SavedError;
use crate::threads::catch_panic;
use std::collections::HashSet;
use std::fmt;
use std::hash::BuildHasherDefault;
use std::sync::Arc;

/// Results of table-based provers about positions of one game. They outlive a search, and machines
/// that search the same game can exchange them; see [`ProofSearch::share`].
///
/// Clones share one table. It can be read and extended while searches run.
///
/// # Examples
/// The second search reuses the results of the first:
///
/// ```
/// use proofwood::{Budget, ProofSearch, ProverConfig};
/// use proofwood::prover::SharedEntries;
/// # use proofwood_testkit::sticks::Sticks;
///
/// let config = ProverConfig::default().player(0);
/// let mut first = ProofSearch::new(Sticks(10), (9, 1), config.clone())?;
/// let shared_entries = first.share("sticks", None)?;
/// first.search(&Budget::default())?;
/// let mut from = 0;
/// let findings = shared_entries.entries_since(&mut from);
/// assert!(!findings.is_empty());
///
/// // On another machine.
/// let mut second = ProofSearch::new(Sticks(10), (10, 0), config)?;
/// let shared_entries = second.share("sticks", None)?;
/// shared_entries.import(&findings);
/// assert!(second.search(&Budget::default())?.solved);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct SharedEntries {
    table: Arc<Table>,
    premises: String,
}

/// An entry of a table as two words, a key and data. Their meaning depends on the
/// [`premises`](SharedEntries::premises) of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SharedEntry {
    /// The key, computed from the position's key and the kind of answer.
    pub key: u64,
    /// The data, which encodes an answer or the numbers of an open position.
    pub data: u64,
}

// Most functions are neither generic nor inlined, so that they are optimised even if the calling
// program is not. Tables have millions of entries.
impl SharedEntry {
    /// Appends entries to `to` as bytes: two little-endian words each.
    pub fn write(findings: &[SharedEntry], to: &mut Vec<u8>) {
        to.reserve(findings.len() * SharedEntry::BYTES);
        for SharedEntry { key, data } in findings {
            to.extend_from_slice(&key.to_le_bytes());
            to.extend_from_slice(&data.to_le_bytes());
        }
    }

    /// Reads the output of [`write`](SharedEntry::write); `None` if the last entry is incomplete.
    pub fn read(bytes: &[u8]) -> Option<Vec<SharedEntry>> {
        Some(SharedEntry::in_bytes(bytes)?.iter().map(SharedEntry::of_bytes).collect())
    }

    /// Divides bytes into entries; `None` if the last entry is incomplete.
    fn in_bytes(bytes: &[u8]) -> Option<&[[u8; SharedEntry::BYTES]]> {
        let (findings, rest) = bytes.as_chunks();
        rest.is_empty().then_some(findings)
    }

    #[inline]
    fn of_bytes(bytes: &[u8; SharedEntry::BYTES]) -> SharedEntry {
        let both = u128::from_le_bytes(*bytes);
        SharedEntry { key: both as u64, data: (both >> 64) as u64 }
    }

    const BYTES: usize = 16;
}

impl fmt::Debug for SharedEntries {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedEntries").field("premises", &self.premises).finish_non_exhaustive()
    }
}

impl SharedEntries {
    /// Returns the premises of the entries as several lines of text. Entries are valid only for
    /// tables with equal premises.
    pub fn premises(&self) -> &str {
        &self.premises
    }

    /// Returns the entries published since number `from`, but only the latest entry for each key.
    /// Begin with `from` = 0; each call advances it for the next call. Entries from other machines
    /// are excluded. If there are tens of thousands of entries, the oldest may be missing.
    pub fn entries_since(&self, from: &mut u64) -> Vec<SharedEntry> {
        let entries =
            self.table.published().map_or_else(Vec::new, |published| published.read(from));
        let mut seen = HashSet::<u64, BuildHasherDefault<OneWord>>::default();
        seen.reserve(entries.len());
        let latest = entries.into_iter().rev().filter(|&(key, _)| seen.insert(key));
        latest.map(|(key, data)| SharedEntry { key, data: data.bits() }).collect()
    }

    /// Excludes entries from [`entries_since`](SharedEntries::entries_since): open positions with
    /// fewer expansions than `work`, and solved positions with fewer than a sixteenth of `work`. By
    /// default no entries are excluded.
    pub fn publish_from(&self, work: u64) {
        if let Some(published) = self.table.published() {
            published.publish_from(work);
        }
    }

    /// Adds entries from other machines to the table without checking them.
    pub fn import(&self, findings: &[SharedEntry]) {
        self.import_each(findings, |&finding| finding);
    }

    /// Adds entries in the format of [`SharedEntry::write`] without copying the bytes. Returns
    /// `false` and adds nothing if the length is wrong.
    pub fn import_bytes(&self, bytes: &[u8]) -> bool {
        let findings = SharedEntry::in_bytes(bytes);
        findings.map(|findings| self.import_each(findings, SharedEntry::of_bytes)).is_some()
    }

    fn import_each<F>(&self, findings: &[F], read: impl Fn(&F) -> SharedEntry) {
        /// Entries are prefetched this many entries ahead.
        const AHEAD: usize = 32;
        for (number, finding) in findings.iter().enumerate() {
            if let Some(later) = findings.get(number + AHEAD) {
                self.table.prefetch(read(later).key);
            }
            let SharedEntry { key, data } = read(finding);
            if let Some(data) = Data::from_bits(data) {
                self.table.learn(key, data);
            }
        }
    }
}

impl<G: Game> ProofSearch<G> {
    /// Makes this search use and extend the table of `known` or, if `known` is `None`, a new table
    /// of the configured size. `spec` identifies the game.
    ///
    /// # Errors
    /// Fails if the position has no [`key`](Game::key), `known` is about another game or has other
    /// premises, or the table does not fit into memory.
    ///
    /// # Panics
    /// Panics if the search is running or has a watcher.
    pub fn share(
        &mut self,
        spec: &str,
        known: Option<&SharedEntries>,
    ) -> Result<SharedEntries, SavedError> {
        assert!(!self.is_running(), "a search can share its table only while it is not running");
        self.can_be_saved()?;
        // A search on its own decides on symmetries from its root. Searches that share a table must
        // agree, so they decide from the initial position.
        let game = self.game();
        let symmetric = catch_panic(|| meets_images(game, &game.initial_state()))?;
        assert!(self.set_symmetric(symmetric), "a search with a watcher cannot share its table");
        let premises = self.premises(spec);
        let shared_entries = match known {
            Some(known) if known.premises == premises => known.clone(),
            Some(known) => {
                let (what, theirs) = ("the premises".into(), known.premises.replace('\n', ", "));
                let ours = premises.replace('\n', ", ");
                return Err(SavedError::Foreign { what, theirs, ours });
            }
            None => {
                SharedEntries { table: Arc::new(Table::publishing(self.config().table)?), premises }
            }
        };
        self.keep_table(Arc::clone(&shared_entries.table));
        Ok(shared_entries)
    }

    fn premises(&self, spec: &str) -> String {
        let about_one = |what: &str| matches!(what, "the format" | "the position" | "the root");
        let header = self.header(spec);
        let lines = header.lines().filter(|(what, _)| !about_one(what));
        lines.map(|(_, line)| format!("{line}\n")).collect()
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::settings::{Algorithm, Budget, ProverConfig};
    use proofwood_testkit::graph::Graph;

    /// Checks that a search with another search's entries needs fewer nodes for the answer.
    #[test]
    fn a_search_goes_on_with_what_another_has_told() {
        let (mut alone, mut told) = (0, 0);
        for seed in 0..40 {
            let config = ProverConfig::default().algorithm(Algorithm::Dfpn).threads(1);
            let search = || ProofSearch::new(Graph::new(seed), 0, config.clone()).unwrap();
            let mut first = search();
            let Ok(shared_entries) = first.share("graph", None) else { panic!("it has a hash") };
            let answer = first.search(&Budget::default()).unwrap();
            let mut from = 0;
            let findings = shared_entries.entries_since(&mut from);
            assert!(shared_entries.entries_since(&mut from).is_empty());
            let mut second = search();
            second.share("graph", None).unwrap().import(&findings);
            let again = second.search(&Budget::default()).unwrap();
            assert_eq!(again.proven, answer.proven, "{seed}");
            (alone, told) = (alone + answer.effort.nodes, told + again.effort.nodes);
        }
        assert!(told * 2 < alone, "{told} of {alone}");
    }

    /// Checks that only the later of two entries with the same key is reported, and that its bytes
    /// restore it exactly.
    #[test]
    fn findings_go_as_bytes_and_once() {
        let mut search = ProofSearch::new(Graph::new(1), 0, ProverConfig::default()).unwrap();
        let shared_entries = search.share("graph", None).unwrap();
        let (early, late, other) = (Data::open(1, 2, 3), Data::open(4, 5, 6), Data::open(7, 8, 9));
        for (key, data) in [(11, early), (12, other), (11, late)] {
            shared_entries.table.put(key, key, data);
        }
        let findings = shared_entries.entries_since(&mut 0);
        let told =
            [(11, late), (12, other)].map(|(key, data)| SharedEntry { key, data: data.bits() });
        assert_eq!(findings, told);
        let mut bytes = Vec::new();
        SharedEntry::write(&findings, &mut bytes);
        assert_eq!(bytes[..8], 11_u64.to_le_bytes());
        assert_eq!(SharedEntry::read(&bytes), Some(findings));
        assert_eq!(SharedEntry::read(&bytes[1..]), None);
        assert_eq!(SharedEntry::read(&[]), Some(Vec::new()));
        let mut third = ProofSearch::new(Graph::new(1), 0, ProverConfig::default()).unwrap();
        let shared_entries = third.share("graph", None).unwrap();
        assert!(!shared_entries.import_bytes(&bytes[1..]));
        assert_eq!(shared_entries.table.get(11), None);
        assert!(shared_entries.import_bytes(&bytes));
        assert_eq!([11, 12].map(|key| shared_entries.table.get(key)), [Some(late), Some(other)]);
    }

    #[test]
    fn other_premises_are_refused() {
        let search = |config| ProofSearch::new(Graph::new(1), 0, config).unwrap();
        let known = search(ProverConfig::default()).share("graph", None).unwrap();
        let mut same = search(ProverConfig::default().epsilon(0.5));
        assert!(same.share("graph", Some(&known)).is_ok());
        assert!(same.share("another", Some(&known)).is_err());
        let mut other = search(ProverConfig::default().foresight(false));
        assert!(other.share("graph", Some(&known)).is_err());
    }
}
