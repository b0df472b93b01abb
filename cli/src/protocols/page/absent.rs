//! What a program says that was built without the feature `explore`.

use super::Exploring;
use crate::terminal::print::Printer;
use proofwood_session::{Ended, Trouble};

pub(crate) fn serve(_: Exploring, _: &mut Printer) -> Result<Ended, Trouble> {
    let what = "this program was built without the feature explore: `cargo install proofwood-cli \
                --features explore` (here: --path cli) builds one that serves the explorer";
    Err(Trouble::Input(what.into()))
}
