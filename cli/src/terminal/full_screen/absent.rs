//! What a program says that was built without the feature `watch`.

use proofwood::{Budget, Config};
use proofwood_any_game::{Answer, ProofAnswer, View};
use proofwood_session::Trouble;

/// There is none.
pub(crate) enum FullScreen {}

impl FullScreen {
    pub(crate) fn check() -> Result<(), Trouble> {
        let what = "--watch: this program was built without the feature watch: `cargo install \
                    proofwood-cli --features watch` (here: --path cli) builds one with it";
        Err(Trouble::Input(what.into()))
    }

    pub(crate) fn new(_: &str, _: View, _: &Config) -> Option<FullScreen> {
        None
    }

    pub(crate) fn show_search(&self, _: &dyn Fn() -> bool, _: &dyn Fn() -> Answer, _: &Budget) {
        match *self {}
    }

    pub(crate) fn show_proof(
        &self,
        _: &dyn Fn() -> bool,
        _: &dyn Fn() -> ProofAnswer,
        _: Option<&mut dyn FnMut()>,
        _: &Budget,
    ) {
        match *self {}
    }
}

/// Nothing was changed.
pub(crate) fn restore() {}
