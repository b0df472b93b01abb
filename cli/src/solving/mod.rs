//! What `search` and `solve` have in common.

mod report_to;
mod search;

pub(crate) use report_to::ReportTo;
pub(crate) use search::{AuditResult, Searched, audit_text, outcome, search};
