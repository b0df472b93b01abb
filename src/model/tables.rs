//! Tables alone: of settled positions, and of the depth-first provers.

use crate::memory::Bucket;
use crate::playout::SettledTable;
use crate::prove::{Memo, Question, Recall};
use crate::tree::Settled;

/// The table of settled positions alone; at first it uses a single bucket.
pub struct ModelTable(SettledTable);

impl ModelTable {
    /// An empty table that may grow to this many buckets.
    pub fn new(buckets: u64) -> ModelTable {
        // Under loom a bucket is larger than what it stands for.
        match SettledTable::new(buckets * size_of::<Bucket>() as u64) {
            Some(table) => ModelTable(table),
            None => panic!("a table has a bucket at least"),
        }
    }

    /// Remembers an answer.
    pub fn put(&self, key: u64, answer: i32) {
        self.0.put(key, Settled::from_value(answer));
    }

    /// The answer for a key.
    pub fn get(&self, key: u64) -> Option<i32> {
        self.0.get(key).map(|settled| settled.to_bits() as i32)
    }

    /// Whether it counts as many entries as it holds, when nobody is at it.
    pub fn is_counted(&self) -> bool {
        self.0.is_counted()
    }
}

/// Whose entry of an open position it is.
#[derive(Clone, Copy, Debug)]
pub enum OpenKind {
    /// Proof numbers.
    Dfpn,
    /// A horizon and a move.
    AlphaBeta,
}

/// What is asked of the positions in [`ModelTranspositions`].
const QUESTION: Question = Question { player: 0, at_least: 1 };

/// A transposition table alone; at first it uses a single bucket.
pub struct ModelTranspositions(crate::prove::Table);

impl ModelTranspositions {
    /// An empty table that may grow to this many buckets.
    pub fn new(buckets: u64) -> ModelTranspositions {
        // Under loom a bucket is larger than what it stands for.
        match crate::prove::Table::new(buckets * size_of::<Bucket>() as u64) {
            Ok(table) => ModelTranspositions(table),
            Err(error) => panic!("{error}"),
        }
    }

    /// Writes an entry of two numbers that took so much work.
    pub fn put(&self, key: u64, numbers: (u32, u32), work: u64) {
        self.put_over(key, key, numbers, work);
    }

    /// The same; an entry with the key `former` gives way to it.
    pub fn put_over(&self, key: u64, former: u64, numbers: (u32, u32), work: u64) {
        self.0.put(key, former, crate::prove::Data::open(numbers.0, numbers.1, work));
    }

    /// Writes the numbers of an open position as df-pn does, or alpha-beta.
    pub fn put_open(&self, prover: OpenKind, key: u64, numbers: (u32, u32), work: u64) {
        self.memo(prover).put_open(key, numbers.0, numbers.1, work);
    }

    /// The numbers that one of them finds of an open position.
    pub fn recall_open(&self, prover: OpenKind, key: u64) -> Option<(u32, u32)> {
        let memo = self.memo(prover);
        match memo.recall(key, memo.start()) {
            Recall::Open { proof, disproof } => Some((proof, disproof)),
            _ => None,
        }
    }

    fn memo(&self, prover: OpenKind) -> Memo<'_> {
        let memo = Memo::of_question(&self.0, QUESTION);
        match prover {
            OpenKind::Dfpn => memo,
            OpenKind::AlphaBeta => memo.with_horizons(),
        }
    }

    /// How many entries there are.
    pub fn entries(&self) -> usize {
        self.0.entries().count()
    }

    /// The numbers in the entry with a key.
    pub fn get(&self, key: u64) -> Option<(u32, u32)> {
        self.0.get(key).map(|data| data.fields())
    }
}

/// What a table tells other machines, alone: a ring of two slots.
pub struct ModelNews(crate::prove::News);

impl ModelNews {
    /// One that tells everything.
    pub fn new() -> ModelNews {
        match crate::prove::News::new() {
            Ok(news) => ModelNews(news),
            Err(error) => panic!("{error}"),
        }
    }

    /// Tells an entry of two numbers.
    pub fn hear(&self, key: u64, numbers: (u32, u32)) {
        self.0.hear(key, crate::prove::Data::open(numbers.0, numbers.1, 1));
    }

    /// The keys and the numbers that were told since `from`.
    pub fn read(&self, from: &mut u64) -> Vec<(u64, (u32, u32))> {
        self.0.read(from).into_iter().map(|(key, data)| (key, data.fields())).collect()
    }
}
