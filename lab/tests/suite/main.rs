//! Tests of the laboratory's program, run as it is run. `common` is what they share.

mod common;
mod files;
mod json;
mod measuring;
mod reproducing;
mod snapshots;
