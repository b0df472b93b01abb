//! The explorer's page over HTTP: it is served to browsers on this machine, with the native
//! engine behind it.
//!
//! - `guard`: who may ask. A page of somebody else's, in the same browser, must not.
//! - `session`: an engine for each page that is open.
//! - `http`: a request and an answer; `server`: what is answered.
//!
//! All of it is in a program built with the feature `explore`; the usual one has `absent` in
//! its place, which says so.

#[cfg(not(feature = "explore"))]
mod absent;
#[cfg(feature = "explore")]
mod guard;
#[cfg(feature = "explore")]
mod http;
#[cfg(feature = "explore")]
mod server;
#[cfg(feature = "explore")]
mod session;

#[cfg(not(feature = "explore"))]
pub(crate) use absent::serve;
#[cfg(feature = "explore")]
pub(crate) use server::serve;

use std::path::PathBuf;

/// A tree in a file, and what the file says of it.
#[derive(Clone, Debug)]
#[cfg_attr(not(feature = "explore"), expect(dead_code, reason = "nobody explores here"))]
pub(crate) struct Tree {
    pub(crate) path: PathBuf,
    pub(crate) game: String,
    pub(crate) position: String,
    /// Names and values of the options on which its meaning depends.
    pub(crate) options: Vec<(String, String)>,
}

/// What is to be explored, and how.
#[derive(Debug, Default)]
#[cfg_attr(not(feature = "explore"), expect(dead_code, reason = "nobody explores here"))]
pub(crate) struct Exploring {
    /// What stands behind the page's address, so that it begins with something.
    pub(crate) fragment: String,
    /// A certificate that the page may load.
    pub(crate) certificate: Option<Vec<u8>>,
    /// A tree that each page begins with.
    pub(crate) tree: Option<Tree>,
    /// Threads of each search.
    pub(crate) threads: usize,
    /// The port; any that is free where it is 0.
    pub(crate) port: u16,
    /// Whether a browser is asked to open the page.
    pub(crate) opens: bool,
}
