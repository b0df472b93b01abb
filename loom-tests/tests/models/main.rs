//! Every rule of the concurrency design as a loom model with its failing twin.

#[cfg(loom)]
mod arena;
#[cfg(loom)]
mod backup;
#[cfg(loom)]
mod batches;
#[cfg(loom)]
mod bounds;
#[cfg(loom)]
mod carried;
#[cfg(loom)]
mod chance;
#[cfg(loom)]
mod climbing;
#[cfg(loom)]
mod expansion;
#[cfg(loom)]
mod explorer;
#[cfg(loom)]
mod forks;
#[cfg(loom)]
#[cfg(loom)]
mod guards;
#[cfg(loom)]
mod notes;
#[cfg(loom)]
mod pause;
#[cfg(loom)]
mod proof;
#[cfg(loom)]
mod provers;
#[cfg(loom)]
mod publication;
#[cfg(loom)]
mod ranks;
#[cfg(loom)]
mod rests;
#[cfg(loom)]
mod search;
#[cfg(loom)]
mod setting;
#[cfg(loom)]
mod sweep;
#[cfg(loom)]
mod table;
#[cfg(loom)]
mod tries;
