//! Tools for testing certificates: files, random graphs and their true claims, a second checker,
//! and the page that describes the format.

pub mod file;
pub mod graph;
pub mod page;
pub mod second;
pub mod truth;
