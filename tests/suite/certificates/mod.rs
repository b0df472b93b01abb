//! Certificates: what is written is accepted, what is accepted is true, and the
//! page that describes them says so.

mod agree;
mod file;
mod forged;
mod forger;
mod graph;
mod limits;
mod page;
mod proved;
mod second;
mod spelling;
mod truth;
mod written;
