//! Messages and progress for users.

use proofwood_session::Trouble;
use proofwood_session::solving::observer::Observer;

/// An output for messages and progress.
pub trait Console: Send + Sync {
    /// Prints lines; the text must not end with a line feed.
    fn print(&self, lines: &str) -> Result<(), Trouble>;
    /// Prints a warning.
    fn complain(&self, line: &str);
    /// Shows the progress as items with ranks; an empty list erases it. If the items do not fit,
    /// those with the greatest ranks are left out.
    fn show(&self, items: Vec<(u8, String)>);
    /// Returns an observer for a job's search.
    fn observer(&self) -> Box<dyn Observer + '_>;
}
