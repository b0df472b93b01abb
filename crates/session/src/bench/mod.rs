//! Measurements of speed, and of the gain from more threads.
//!
//! - [`sample`]: one search; [`speed`]: the speed of searches, and of playouts without a tree.
//! - [`advice`]: the number of threads to use; [`scale`]: the gain from more threads.

pub mod advice;
pub mod sample;
pub mod scale;
pub mod speed;
