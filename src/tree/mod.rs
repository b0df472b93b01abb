//! The shared tree: an arena of nodes and the rules by which many threads change it concurrently.
//!
//! The tree does not depend on a game. Positions stay with the workers, which pass in the player to
//! move, the number of moves and the payoffs of a finished game. So no user code runs while a
//! thread owns a node.

mod answer;
mod arena;
mod audit;
mod backup;
mod chunks;
mod columns;
mod combine;
mod deduce;
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
mod setup;
#[cfg(all(test, not(loom)))]
mod tests;
mod trail;
mod tried;
mod walks;

pub(crate) use answer::Solved;
#[cfg(all(test, loom))]
pub(crate) use arena::Arena;
pub(crate) use arena::{Block, Columns, Full, Numbers, Reservation, Slab, with_numbers};
pub use audit::Audit;
pub(crate) use audit::Rules;
pub(crate) use chunks::NoArena;
pub(crate) use growth::{Listing, MoveTree, ROOT, SeenChild, Tree};
pub(crate) use logic::{Facts, Logic, Window};
pub(crate) use node::{Node, NodeClaim, Stage, Statistics, VALUE_ONE, VISITS_MASK, Word};
pub(crate) use premises::{Premises, Sides};
pub(crate) use ranks::refresh_ranks;
pub(crate) use read::mean;
pub(crate) use restore::{FactNumbers, Record};
pub(crate) use trail::{Step, Trail, in_units};
pub(crate) use tried::Tried;
