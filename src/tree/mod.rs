//! The shared tree: an arena of nodes and the rules by which many threads
//! change it at once.
//!
//! Nothing here knows a game: positions stay with the workers, which tell the
//! tree who moves, how many moves there are and what a finished game pays. So
//! no user code runs while a thread holds a duty towards others.

mod arena;
mod audit;
mod backup;
mod chunks;
mod columns;
mod combine;
mod deduce;
mod derived;
mod free;
mod growth;
mod import;
mod lists;
mod logic;
mod node;
mod premises;
mod prune;
mod ranks;
mod read;
mod reroot;
mod restore;
#[cfg(all(test, not(loom)))]
mod tests;
mod trail;
mod tried;

#[cfg(all(test, loom))]
pub(crate) use arena::Arena;
pub(crate) use arena::{Full, Reservation, Slab};
pub use audit::Audit;
pub(crate) use audit::Rules;
pub(crate) use chunks::NoArena;
pub(crate) use columns::{Block, Columns, Numbers, with_numbers};
pub(crate) use growth::{End, EndedChild, Listing, MoveTree, ROOT, SeenChild, Tree};
pub(crate) use logic::{Facts, Logic, Settled, Window};
pub(crate) use node::{Node, NodeClaim, Stage, Statistics, VALUE_ONE, VISITS_MASK, Word, mean};
pub(crate) use premises::{Premises, Sides};
pub(crate) use ranks::refresh_ranks;
pub(crate) use restore::{FactNumbers, Record};
pub(crate) use trail::{Step, Trail, in_units};
pub(crate) use tried::Tried;
