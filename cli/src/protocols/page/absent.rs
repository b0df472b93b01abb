//! What a program says that was built without the feature `explore`.

use super::Exploring;
use crate::exit::{Failure, Outcome};
use crate::terminal::print::Printer;

pub(crate) fn serve(_: Exploring, _: &mut Printer) -> Result<Outcome, Failure> {
    let what = "this program was built without the feature explore: `cargo install proofwood-cli \
                --features explore` (here: --path cli) builds one that serves the explorer";
    Err(Failure::Input(what.into()))
}
