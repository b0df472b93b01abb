//! Claims written out, and a checker that knows only the rules.
//!
//! A certificate is a file that shows why a [`Claim`] about a position is true:
//! for every position of the side that it favours one move, for every other
//! position all moves, down to the ends of all games. The book's page "The
//! certificate format" describes every byte of it.
//!
//! - `format`: claims, the header, and how each line is spelled;
//! - `read`: a file as lines, and its digest;
//! - `check`: lines held against the rules;
//! - `plan`: which move to write down where, asked of an [`Oracle`];
//! - `write`: the plan as a file.
//!
//! The first three know of nothing but the rules of games.

mod check;
mod format;
mod plan;
mod read;
mod write;

pub use check::{Checked, CheckedClaim, Refusal};
pub use format::{Claim, Promise, Root, VERSION};
pub use plan::{CertificateError, Oracle};
pub use read::Certificate;
pub use write::{Written, write};
