//! Counters of a search's mechanisms: cached selections, fast paths, table hits.
//!
//! An option that saves time should show how often it does. Counting takes time itself, so it is
//! compiled with the feature `counters` alone; without it [`count`] does nothing.
//!
//! Each thread counts for itself and adds its counts to those of its search when it ends, so a
//! report of a running search contains the counts of ended threads.

macro_rules! counters {
    ($($field:ident, $event:ident: $meaning:literal;)*) => {
        /// Numbers of events in a search or a prover: see [`Report::counters`] and
        /// [`ProofReport::counters`].
        ///
        /// [`Report::counters`]: crate::Report::counters
        /// [`ProofReport::counters`]: crate::ProofReport::counters
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        #[non_exhaustive]
        pub struct Counters {
            $(#[doc = $meaning] pub $field: u64,)*
        }

        impl Counters {
            /// Every counter: its field's name, its meaning, and its value.
            pub fn iter(&self) -> impl Iterator<Item = (&'static str, &'static str, u64)> {
                [$((stringify!($field), $meaning, self.$field)),*].into_iter()
            }

            #[cfg(feature = "counters")]
            fn add(&mut self, other: Counters) {
                $(self.$field += other.$field;)*
            }

            #[cfg(feature = "counters")]
            fn field(&mut self, event: Event) -> &mut u64 {
                match event {
                    $(Event::$event => &mut self.$field,)*
                }
            }
        }

        #[derive(Clone, Copy, Debug)]
        pub(crate) enum Event {
            $(#[doc = $meaning] $event,)*
        }
    };
}

counters! {
    choices_made, ChoiceMade: "Choices of a child that were made by comparing the children.";
    choices_kept, ChoiceKept: "Choices that were taken over from an earlier playout (`keep_choice`).";
    fast_choices, FastChoice: "Choices made on the fast path for at most eight children.";
    expansions, Expansion: "Nodes that got children while the threads were at work.";
    claims_lost, ClaimLost: "Nodes that another thread was evaluating or expanding already.";
    table_lookups, TableLookup: "Positions looked up in the table: of settled positions, or the provers'.";
    table_hits, TableHit: "Positions found there, settled.";
    playouts_cut_off, CutOff: "Playouts that were cut off before the game was over.";
}

#[cfg(feature = "counters")]
std::thread_local! {
    /// This thread's counts that are not yet added to its search.
    static COUNTED: std::cell::Cell<Counters> = std::cell::Cell::default();
}

#[inline(always)]
pub(crate) fn count(event: Event) {
    count_many(event, 1);
}

/// Counts something that happened several times.
#[inline(always)]
pub(crate) fn count_many(event: Event, times: u64) {
    #[cfg(feature = "counters")]
    COUNTED.with(|counted| {
        let mut counters = counted.get();
        *counters.field(event) += times;
        counted.set(counters);
    });
    let _ = (event, times);
}

/// The counts of all threads of a search.
#[derive(Debug, Default)]
pub(crate) struct Counted {
    #[cfg(feature = "counters")]
    sum: parking_lot::Mutex<Counters>,
}

impl Counted {
    /// Resets this thread's counts, which may stem from another search.
    pub(crate) fn begin_thread(&self) {
        #[cfg(feature = "counters")]
        COUNTED.with(|counted| counted.take());
    }

    /// Adds this thread's counts.
    pub(crate) fn end_thread(&self) {
        #[cfg(feature = "counters")]
        self.sum.lock().add(COUNTED.with(|counted| counted.take()));
    }

    /// The sums; `None` without the feature `counters`.
    pub(crate) fn counters(&self) -> Option<Counters> {
        #[cfg(feature = "counters")]
        return Some(*self.sum.lock());
        #[cfg(not(feature = "counters"))]
        None
    }
}
