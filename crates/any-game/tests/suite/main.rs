//! Tests of searches whose game is chosen at run time: one program, which is linked once.

mod among;
mod failing;
mod playouts;
