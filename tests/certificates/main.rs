//! Certificates: what is written is accepted, and what is accepted is true.

#[path = "../common/mod.rs"]
mod common;
mod file;
mod forged;
mod forger;
mod graph;
mod proved;
mod truth;
mod written;
