//! Counters of events inside a search, such as cached selections, fast paths and table hits.
//!
//! The counters show how often an optimisation applies. Counting itself takes time, so it requires
//! the feature `counters`; without it [`count`] does nothing.
//!
//! Each thread has its own counters. It adds them to the counters of its search when it ends, so a
//! report of a running search includes only threads that have ended.

macro_rules! counters {
    ($($field:ident, $event:ident: $meaning:literal;)*) => {
        /// The numbers of events in a search or a prover; see [`Report::counters`] and
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
            /// Returns every counter: the name of its field, its meaning and its value.
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
    choices_made, ChoiceMade: "Selections that compared the children.";
    choices_kept, ChoiceKept: "Selections reused from an earlier playout (`keep_choice`).";
    fast_choices, FastChoice: "Selections made on the fast path for at most eight children.";
    expansions, Expansion: "Nodes expanded while the threads ran.";
    claims_lost, ClaimLost: "Visits to nodes that another thread was already evaluating or \
     expanding.";
    table_lookups, TableLookup: "Positions looked up in the table of solved positions or in the \
                                 provers' table.";
    table_hits, TableHit: "Positions found solved in such a table.";
    playouts_cut_off, CutOff: "Playouts that were cut off before the game was over.";
}

#[cfg(feature = "counters")]
std::thread_local! {
    /// This thread's counts since it last added them to its search.
    static COUNTED: std::cell::Cell<Counters> = std::cell::Cell::default();
}

#[inline(always)]
pub(crate) fn count(event: Event) {
    count_many(event, 1);
}

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

#[derive(Debug, Default)]
pub(crate) struct Counted {
    #[cfg(feature = "counters")]
    sum: parking_lot::Mutex<Counters>,
}

impl Counted {
    /// Resets this thread's counts, which may come from another search.
    pub(crate) fn begin_thread(&self) {
        #[cfg(feature = "counters")]
        COUNTED.with(|counted| counted.take());
    }

    pub(crate) fn end_thread(&self) {
        #[cfg(feature = "counters")]
        self.sum.lock().add(COUNTED.with(|counted| counted.take()));
    }

    pub(crate) fn counters(&self) -> Option<Counters> {
        #[cfg(feature = "counters")]
        return Some(*self.sum.lock());
        #[cfg(not(feature = "counters"))]
        None
    }
}
