//! Claims written out, and a checker that knows only the rules.
//!
//! A certificate is a file that shows why a [`Claim`] about a position is true:
//! for every position of the side that it favours one move, for every other
//! position all moves, down to the ends of all games. The book's page "The
//! certificate format" describes every byte of it.
//!
//! - `format`: claims, the header, and how each line is spelled;
//! - `read`: a file as lines, and its digest;
//! - `memory`: what a check takes, counted;
//! - `check`: lines held against the rules; `checked` says what came of it, and
//!   `refusal` why nothing did;
//! - `plan`: which move to write down where, asked of an [`Oracle`];
//! - `write`: the plan as a file.
//!
//! All but the last two know of nothing but the rules of games. The crate depends on
//! `proofwood-game`, the trait for such rules, and on no search.
#![forbid(unsafe_code)]

mod check;
mod checked;
mod format;
mod memory;
mod plan;
mod read;
mod refusal;
mod write;

pub use check::Listed;
pub use checked::{Checked, CheckedClaim};
pub use format::{Claim, Promise, Root, VERSION};
pub use memory::DEFAULT_MEMORY;
pub use plan::{CertificateError, Oracle};
pub use read::Certificate;
pub use refusal::Refusal;
pub use write::{Written, write};
