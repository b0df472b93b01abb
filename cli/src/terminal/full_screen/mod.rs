//! The whole terminal, which shows a search while it runs: `--watch`.
//!
//! It is drawn on standard error, so that the answer can go elsewhere. Whoever leaves it, by
//! a key, a signal, an error or a panic, finds the terminal as it was before.
//!
//! What draws takes long to build, so the usual program has [`absent`] in the place of
//! `present`, which says so.

#[cfg(not(feature = "watch"))]
mod absent;
#[cfg(feature = "watch")]
mod present;

#[cfg(not(feature = "watch"))]
pub(crate) use absent::{FullScreen, restore};
#[cfg(feature = "watch")]
pub(crate) use present::{FullScreen, restore};

use proofwood::Config;
use proofwood_any_game::View;
use proofwood_session::Trouble;

/// The option of `search` and `solve`.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
pub(crate) struct WatchOption {
    /// Show the search on the whole terminal while it runs: board, moves, proof numbers,
    /// line of play, and how its value changes. Needs a program with the feature watch
    #[arg(long)]
    pub(crate) watch: bool,
}

impl WatchOption {
    /// Refuses the option where nothing can be shown.
    pub(crate) fn check(self) -> Result<(), Trouble> {
        if self.watch { FullScreen::check() } else { Ok(()) }
    }

    /// The screen for the search of a position, if one is wanted.
    pub(crate) fn screen(self, game: &str, view: View, config: &Config) -> Option<FullScreen> {
        if self.watch { FullScreen::new(game, view, config) } else { None }
    }
}
