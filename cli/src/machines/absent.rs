//! What a program says that was built without the feature `machines`.

use super::{On, OneAnswer, OneOrder, ServeTask, StatusTask, WorkTask};
use crate::contest;
use crate::solving::elsewhere::{Elsewhere, SetOrder};
use crate::terminal::print::Printer;
use proofwood::CancelToken;
use proofwood_session::files::Whole;
use proofwood_session::{Ended, Trouble};

/// There are none.
pub enum Machines {}

fn missing() -> Trouble {
    let what = "this program was built without the feature machines: `cargo install proofwood-cli \
                --features machines` (here: --path cli) builds one that talks to other machines";
    Trouble::Input(what.into())
}

impl Machines {
    pub(crate) fn connect(on: &On) -> Result<Option<Machines>, Trouble> {
        if on.url().is_some() { Err(missing()) } else { Ok(None) }
    }

    pub(crate) fn positions(self, _: SetOrder) -> Result<Box<dyn Elsewhere>, Trouble> {
        match self {}
    }

    pub(crate) fn prove(
        &self,
        _: &OneOrder,
        _: &CancelToken,
        _: Option<&mut Whole>,
    ) -> Result<OneAnswer, Trouble> {
        match *self {}
    }

    pub(crate) fn dry_run(&self, _: &SetOrder, _: &mut Printer) -> Result<Ended, Trouble> {
        match *self {}
    }
}

impl contest::Elsewhere for Machines {
    fn begin(&self, _: contest::GamesOrder) -> Result<Box<dyn contest::Games + '_>, Trouble> {
        match *self {}
    }
}

pub(crate) fn work(_: WorkTask, _: &mut Printer) -> Result<Ended, Trouble> {
    Err(missing())
}

pub(crate) fn serve(_: ServeTask, _: &mut Printer) -> Result<Ended, Trouble> {
    Err(missing())
}

pub(crate) fn status(_: StatusTask, _: &mut Printer) -> Result<Ended, Trouble> {
    Err(missing())
}
