//! Certificates of claims, and a checker that depends only on the rules.
//!
//! A certificate is a file that proves a [`Claim`] about a position. It lists one move for every
//! position of the favoured side and all moves for every other position, down to the end of every
//! line of play. The book's page "The certificate format" describes every byte of the file.
//!
//! - `format`: defines claims, the header and the spelling of each line;
//! - `read`: reads a file's lines and verifies its digest;
//! - `memory`: counts and limits the memory of a check;
//! - `check`: verifies lines against the rules; `checked` holds its result, and `refusal` the
//!   reason for a failure;
//! - `plan`: chooses the moves to write with the help of an [`Oracle`];
//! - `write`: writes the plan to a file.
//!
//! All modules except the last two depend only on the rules of games. The crate depends on
//! `proofwood-game`, the trait for such rules, but not on any search.
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
