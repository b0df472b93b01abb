//! Lines for people, wherever those look.

use proofwood_session::Trouble;

/// What people see of many machines.
pub trait Console: Send + Sync {
    /// Prints lines of the output, without the end of the last one.
    fn print(&self, lines: &str) -> Result<(), Trouble>;
    /// Prints a line on what is wrong.
    fn complain(&self, line: &str);
    /// Shows how far the work is, or nothing more where there are no items. Where they are too
    /// long, those with the greatest numbers are left out first.
    fn show(&self, items: Vec<(u8, String)>);
}
