//! The limits of a search, the token that cancels it, and the reasons why it ended.

use crate::error::BudgetError;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Limits of a search, in any combination. The search ends when it reaches one of its limits or
/// proves its goal. Without limits it runs until its goal is proven or the memory is full.
///
/// ```
/// use proofwood::Budget;
/// use std::time::Duration;
///
/// let budget = Budget::default().time(Duration::from_millis(100)).playouts(10_000);
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Budget {
    /// The wall-clock time from the start of the search.
    pub time: Option<Duration>,
    /// The processor time of all worker threads together. Each worker gets an equal share, and the
    /// search ends when the first one has used its share. Other programs on the machine hardly
    /// affect the amount of work. Requires the feature `cpu-time`.
    #[cfg(all(feature = "cpu-time", not(target_family = "wasm")))]
    pub cpu_time: Option<Duration>,
    /// The number of playouts of this search. The limit is exact for any number of threads.
    pub playouts: Option<u64>,
    /// The number of nodes in the tree, including those of earlier searches.
    pub nodes: Option<u64>,
    /// The size of the tree's nodes in bytes.
    pub bytes: Option<u64>,
    /// A token that cancels the search from outside.
    pub cancel: Option<CancelToken>,
}

impl Budget {
    /// Creates a budget for thinking on the opponent's time: the search continues until it is
    /// stopped or its goal is proven, even if the memory is full.
    pub fn pondering() -> Budget {
        Budget::default().time(Duration::MAX)
    }

    /// Limits the wall-clock time.
    #[must_use]
    pub fn time(mut self, time: Duration) -> Budget {
        self.time = Some(time);
        self
    }

    /// Limits the processor time. Requires the feature `cpu-time`.
    #[cfg(all(feature = "cpu-time", not(target_family = "wasm")))]
    #[must_use]
    pub fn cpu_time(mut self, time: Duration) -> Budget {
        self.cpu_time = Some(time);
        self
    }

    /// Limits the number of playouts.
    #[must_use]
    pub fn playouts(mut self, playouts: u64) -> Budget {
        self.playouts = Some(playouts);
        self
    }

    /// Limits the number of nodes in the tree.
    #[must_use]
    pub fn nodes(mut self, nodes: u64) -> Budget {
        self.nodes = Some(nodes);
        self
    }

    /// Limits the size of the tree in bytes.
    #[must_use]
    pub fn bytes(mut self, bytes: u64) -> Budget {
        self.bytes = Some(bytes);
        self
    }

    /// Ends the search when `token` is cancelled.
    #[must_use]
    pub fn cancel(mut self, token: &CancelToken) -> Budget {
        self.cancel = Some(token.clone());
        self
    }

    pub(crate) fn processor_time(&self) -> Option<Duration> {
        #[cfg(all(feature = "cpu-time", not(target_family = "wasm")))]
        return self.cpu_time;
        #[cfg(not(all(feature = "cpu-time", not(target_family = "wasm"))))]
        None
    }

    pub(crate) fn check(&self) -> Result<(), BudgetError> {
        let refuse = |limit| Err(BudgetError::Zero(limit));
        match self {
            Budget { time: Some(Duration::ZERO), .. } => refuse("time"),
            _ if self.processor_time() == Some(Duration::ZERO) => refuse("cpu_time"),
            Budget { playouts: Some(0), .. } => refuse("playouts"),
            Budget { nodes: Some(0), .. } => refuse("nodes"),
            Budget { bytes: Some(0), .. } => refuse("bytes"),
            _ => Ok(()),
        }
    }
}

/// Ends searches from outside, for instance from another thread or a signal handler. Clones share
/// one flag, which cannot be reset.
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<AtomicBool>);

impl CancelToken {
    /// Creates a token that is not cancelled.
    pub fn new() -> CancelToken {
        CancelToken::default()
    }

    /// Ends every search that has this token, within milliseconds.
    pub fn cancel(&self) {
        // Relaxed: no other data depends on the flag.
        self.0.store(true, Ordering::Relaxed);
    }

    /// Returns whether the token has been cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The reason why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StopReason {
    /// The goal was proven for the root.
    Solved,
    /// The estimate is as close to 0 or 1 as requested; nothing is proven.
    Estimated,
    /// The game is over at the root.
    GameOver,
    /// The time limit was reached.
    Time,
    /// The processor time was used up.
    CpuTime,
    /// All playouts of the budget were run.
    Playouts,
    /// The tree reached the budget's number of nodes.
    Nodes,
    /// The tree reached the budget's number of bytes.
    Bytes,
    /// The memory is full, and there is no other limit.
    Memory,
    /// No other move can become the best one within the budget.
    Decided,
    /// The cancel token was cancelled.
    Cancelled,
    /// A caller stopped the search.
    Stopped,
}

impl StopReason {
    /// Returns the reason in lower case: one word, or two joined by a hyphen.
    pub fn name(self) -> &'static str {
        match self {
            StopReason::Solved => "solved",
            StopReason::Estimated => "estimated",
            StopReason::GameOver => "game-over",
            StopReason::Time => "time",
            StopReason::CpuTime => "cpu-time",
            StopReason::Playouts => "playouts",
            StopReason::Nodes => "nodes",
            StopReason::Bytes => "bytes",
            StopReason::Memory => "memory",
            StopReason::Decided => "decided",
            StopReason::Cancelled => "cancelled",
            StopReason::Stopped => "stopped",
        }
    }
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
