//! Certificates in tests: files, graphs to write them about, what is true of these, a second
//! checker, and the page that describes the format.

pub mod file;
pub mod graph;
pub mod page;
pub mod second;
pub mod truth;
