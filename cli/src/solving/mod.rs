//! What `search`, `solve` and `check` have in common.

mod check;
mod report_to;
mod search;

pub(crate) use check::{NotAccepted, check, check_within};
pub(crate) use report_to::ReportTo;
pub(crate) use search::{AuditResult, Searched, audit_text, outcome, search};
