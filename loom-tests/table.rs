//! Tables of positions whose entries are two words, written one after the other.
//!
//! ```text
//!   thread A (key 5, answer 1)      thread B (key 6, answer -1)
//!   writes the value 1
//!                                   writes the value -1
//!                                   writes 6 mixed with -1
//!   writes 5 mixed with 1
//! ```
//!
//! The slot now holds B's value and A's mixed word. The rule: the mixed word is the key XOR the
//! mixed value, so a reader that sees such a pair computes a key that matches no position. Both
//! threads wrote to an empty slot, and exactly one may count it as filled: the one whose exchange
//! returned 0.

use super::check::{Model, fails, holds};
use crate::memory::Bucket;
use crate::playout::SolvedTable;
use crate::prove::{Data, Memo, Published, Question, Recall, Table};
use crate::sync::Fault;
use crate::tree::Solved;
use loom::thread;
use std::sync::Arc;

/// The size in bytes of `buckets` buckets, which are larger under loom. At first, a table uses only
/// one bucket.
fn bytes(buckets: u64) -> u64 {
    buckets * size_of::<Bucket>() as u64
}

fn solved_table(buckets: u64) -> Arc<SolvedTable> {
    Arc::new(SolvedTable::new(bytes(buckets)).expect("a table has a bucket at least"))
}

/// Checks that the table contains only the expected answers; entries may be missing.
fn check_solved(table: &SolvedTable, entries: &[(u64, i32)]) {
    for &(key, answer) in entries {
        let found = table.get(key).map(|solved| solved.to_bits() as i32);
        assert!(found.is_none_or(|found| found == answer), "{key} is not {found:?}");
    }
}

fn transpositions(buckets: u64) -> Arc<Table> {
    Arc::new(Table::new(bytes(buckets)).expect("a table has a bucket at least"))
}

/// Writes an entry with two numbers that took `work`. It replaces an entry with the key `former`.
fn put(table: &Table, key: u64, former: u64, numbers: (u32, u32), work: u64) {
    table.put(key, former, Data::open(numbers.0, numbers.1, work));
}

/// Checks that the table contains only the expected numbers; entries may be missing.
fn check_numbers(table: &Table, entries: &[(u64, (u32, u32))]) {
    for &(key, numbers) in entries {
        let found = table.get(key).map(|data| data.fields());
        assert!(found.is_none_or(|found| found == numbers), "{key} is not {found:?}");
    }
}

const ENTRIES: [(u64, i32); 2] = [(5, 1), (6, -1)];

const TWO_WRITERS: Model = Model {
    name: "table, two positions in one bucket",
    threads: 3,
    preemptions: Some(3),
    run: || {
        let table = solved_table(1);
        let writers = ENTRIES.map(|(key, answer)| {
            let table = Arc::clone(&table);
            thread::spawn(move || table.put(key, Solved::from_value(answer)))
        });
        check_solved(&table, &ENTRIES);
        for writer in writers {
            writer.join().unwrap();
        }
        check_solved(&table, &ENTRIES);
        assert!(table.get(7).is_none(), "7 is not there");
        assert!(table.is_counted(), "entries are miscounted");
    },
};

#[test]
fn two_positions_in_one_bucket() {
    holds(TWO_WRITERS);
}

/// A table that counts a slot twice would grow too early.
#[test]
fn counted_twice() {
    fails(TWO_WRITERS, Fault::CountedTwice, "entries are miscounted");
}

#[test]
fn trusted_slot() {
    fails(TWO_WRITERS, Fault::TrustedSlot, "is not");
}

/// The first entry doubles the number of buckets. Of the next two writers, one moves that entry to
/// its new bucket while the other writes or doubles the number again. An entry may be lost, but
/// entries must not be mixed up.
const GROWING: Model = Model {
    name: "table, it grows while two write and one reads",
    threads: 3,
    preemptions: Some(1),
    run: || {
        let table = solved_table(4);
        let first = (7, 0);
        table.put(first.0, Solved::from_value(first.1));
        let writers = ENTRIES.map(|(key, answer)| {
            let table = Arc::clone(&table);
            thread::spawn(move || table.put(key, Solved::from_value(answer)))
        });
        let check = || check_solved(&table, &[first, ENTRIES[0], ENTRIES[1]]);
        check();
        for writer in writers {
            writer.join().unwrap();
        }
        check();
        assert!(table.get(8).is_none(), "8 is not there");
        assert!(table.is_counted(), "entries are miscounted");
    },
};

#[test]
fn grows_under_writers() {
    holds(GROWING);
}

#[test]
fn trusted_slot_while_growing() {
    fails(GROWING, Fault::TrustedSlot, "is not");
}

/// Two threads write different positions into one bucket of the transposition table. The second
/// position took more work, so the first one is moved, while a third thread reads.
const TWO_PROVERS: Model = Model {
    name: "transposition table, two positions in one bucket",
    threads: 3,
    preemptions: Some(3),
    run: || {
        const ENTRIES: [(u64, (u32, u32)); 2] = [(5, (1, 2)), (6, (3, 4))];
        let table = transpositions(1);
        let writers = [(ENTRIES[0], 1), (ENTRIES[1], 100)].map(|((key, numbers), work)| {
            let table = Arc::clone(&table);
            thread::spawn(move || put(&table, key, key, numbers, work))
        });
        let check = || check_numbers(&table, &ENTRIES);
        check();
        for writer in writers {
            writer.join().unwrap();
        }
        check();
        assert!(table.get(7).is_none(), "7 is not there");
    },
};

#[test]
fn two_provers_in_one_bucket() {
    holds(TWO_PROVERS);
}

#[test]
fn unmixed_key() {
    fails(TWO_PROVERS, Fault::UnmixedKey, "is not");
}

/// The kind of prover that writes an entry of an open position.
#[derive(Clone, Copy, Debug)]
enum OpenKind {
    /// The entry has proof numbers.
    Dfpn,
    /// The entry has a horizon and a move.
    AlphaBeta,
}

impl OpenKind {
    fn memo(self, table: &Table) -> Memo<'_> {
        let memo = Memo::of_question(table, Question { player: 0, at_least: 1 });
        match self {
            OpenKind::Dfpn => memo,
            OpenKind::AlphaBeta => memo.with_horizons(),
        }
    }
}

/// Df-pn and alpha-beta search the same position at once. Each finds its own entry or none.
const TWO_KINDS: Model = Model {
    name: "transposition table, two kinds of prover at one position",
    threads: 3,
    preemptions: Some(2),
    run: || {
        const KEY: u64 = 0x1234_5678_9abc_def1;
        const WROTE: [(OpenKind, (u32, u32)); 2] =
            [(OpenKind::Dfpn, (3, 5)), (OpenKind::AlphaBeta, (34, 2))];
        let table = transpositions(1);
        let writers = WROTE.map(|(prover, numbers)| {
            let table = Arc::clone(&table);
            thread::spawn(move || prover.memo(&table).put_open(KEY, numbers.0, numbers.1, 10))
        });
        let check = || {
            for (prover, numbers) in WROTE {
                let memo = prover.memo(&table);
                let found = match memo.recall(KEY, memo.start()) {
                    Recall::Open { proof, disproof } => Some((proof, disproof)),
                    _ => None,
                };
                let own = found.is_none_or(|found| found == numbers);
                assert!(own, "what {prover:?} wrote is not {found:?}");
            }
        };
        check();
        for writer in writers {
            writer.join().unwrap();
        }
        check();
    },
};

#[test]
fn two_kinds_of_prover_at_one_position() {
    holds(TWO_KINDS);
}

#[test]
fn one_kind_of_open() {
    fails(TWO_KINDS, Fault::OneKindOfOpen, "is not");
}

/// Two threads replace the same entry with different ones, as when an answer for all paths replaces
/// an answer for one path.
const GIVES_WAY: Model = Model {
    name: "transposition table, an entry gives way to two others",
    threads: 3,
    preemptions: Some(2),
    run: || {
        let table = transpositions(1);
        put(&table, FORMER.0, FORMER.0, FORMER.1, 1);
        let writers = [(6, (3, 4), 100), (7, (5, 6), 1)].map(|(key, numbers, work)| {
            let table = Arc::clone(&table);
            thread::spawn(move || put(&table, key, FORMER.0, numbers, work))
        });
        let check = || check_numbers(&table, &[FORMER, (6, (3, 4)), (7, (5, 6))]);
        check();
        for writer in writers {
            writer.join().unwrap();
        }
        check();
    },
};

const FORMER: (u64, (u32, u32)) = (5, (1, 2));

#[test]
fn an_entry_gives_way() {
    holds(GIVES_WAY);
}

#[test]
fn unmixed_key_of_one_that_gives_way() {
    fails(GIVES_WAY, Fault::UnmixedKey, "is not");
}

/// The thread that fills the first slot doubles the table and moves the entries to their new
/// buckets, while another thread writes to the old bucket and a third one reads both.
const GROWING_PROVERS: Model = Model {
    name: "transposition table, it grows while two write and one reads",
    threads: 3,
    preemptions: Some(1),
    run: || {
        // Both entries belong to the second bucket, once there is one.
        const ENTRIES: [(u64, (u32, u32)); 2] = [(5, (1, 2)), (7, (3, 4))];
        let table = transpositions(4);
        let writers = [(ENTRIES[0], 1), (ENTRIES[1], 100)].map(|((key, numbers), work)| {
            let table = Arc::clone(&table);
            thread::spawn(move || put(&table, key, key, numbers, work))
        });
        let check = || check_numbers(&table, &ENTRIES);
        check();
        for writer in writers {
            writer.join().unwrap();
        }
        check();
        assert!(table.get(6).is_none(), "6 is not there");
        assert!(table.entries().count() > 0, "everything is lost");
    },
};

#[test]
fn grows_under_provers() {
    holds(GROWING_PROVERS);
}

#[test]
fn unmixed_key_while_growing() {
    fails(GROWING_PROVERS, Fault::UnmixedKey, "is not");
}

/// Two threads publish enough entries for the ring to wrap while a third one reads. Each entry read
/// was published, or has a key that matches no position.
const NEWS: Model = Model {
    name: "news, the ring goes round while two tell and one reads",
    threads: 3,
    preemptions: Some(2),
    run: || {
        const ENTRIES: [(u64, (u32, u32)); 3] = [(5, (1, 2)), (6, (3, 4)), (7, (5, 6))];
        // A ring of two slots.
        let published = Arc::new(Published::new().expect("a model has room for a ring"));
        let tellers = [&ENTRIES[..1], &ENTRIES[1..]].map(|entries| {
            let published = Arc::clone(&published);
            let hear = move |&(key, (first, second)): &(u64, (u32, u32))| {
                published.publish(key, Data::open(first, second, 1));
            };
            thread::spawn(move || entries.iter().for_each(hear))
        });
        let mut from = 0;
        let mut check = || {
            for (key, read) in published.read(&mut from) {
                let (read, told) = (read.fields(), ENTRIES.iter().find(|(told, _)| *told == key));
                assert!(told.is_none_or(|&(_, told)| told == read), "{key} is not {read:?}");
            }
        };
        check();
        for teller in tellers {
            teller.join().unwrap();
        }
        check();
    },
};

#[test]
fn news_that_go_round() {
    holds(NEWS);
}

#[test]
fn unmixed_key_of_news() {
    fails(NEWS, Fault::UnmixedKey, "is not");
}
