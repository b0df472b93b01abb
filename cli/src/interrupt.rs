//! Ctrl-C: the first ends the search, the second the program.

use crate::exit::Failure;
use proofwood::CancelToken;

/// Catches the signals that ask the program to end. The search that holds the
/// token then ends with the best answer so far.
pub(crate) fn catch() -> Result<CancelToken, Failure> {
    let token = CancelToken::new();
    let raised = token.clone();
    ctrlc::set_handler(move || {
        if raised.is_cancelled() {
            std::process::exit(130);
        }
        raised.cancel();
    })
    .map_err(|error| Failure::Failed(format!("cannot catch Ctrl-C: {error}")))?;
    Ok(token)
}
