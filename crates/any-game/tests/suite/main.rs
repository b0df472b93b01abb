//! Tests of searches whose game is chosen at run time.

mod among;
mod failing;
mod playouts;
