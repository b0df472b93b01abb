//! The engine behind Proofwood's page.
//!
//! An [`Engine`] takes lines of JSON and answers with lines of JSON. The page does not depend on
//! whether the engine is WebAssembly in the browser or a native program on the same machine. The
//! book's page on the explorer describes every message.
//!
//! ```
//! use proofwood_explorer::Engine;
//! use std::time::Duration;
//!
//! let mut engine = Engine::new(1);
//! engine.ask(r#"{"id": 1, "ask": "position", "game": "tic-tac-toe", "moves": ["b2"]}"#);
//! let answers = engine.step(Duration::from_millis(10));
//! assert!(answers[0].contains(r#""ply":1"#));
//! assert!(!engine.is_busy());
//! ```
//!
//! The modules, from the lowest to the highest; each imports only from those above it:
//!
//! | module | contents |
//! |---|---|
//! | `clock` | a monotonic clock, natively and in a page |
//! | [`board`] | boards as pictures |
//! | `options` | options by name |
//! | `place` | a position: game, start and moves |
//! | `listing` | the entries of a certificate, for stepping through positions |
//! | `proof` | certificates: checking them and walking through them |
//! | `task` | tasks that proceed in steps |
//! | `search` | a running search |
//! | `solve` | a running proof |
//! | `engine` | [`Engine`]: requests and running tasks |
//! | [`page`] | the page's own files, for a program that serves them |
//! | `serve` | the page over HTTP, with the feature `serve` |
//! | `web` | the exports of WebAssembly |
#![deny(missing_docs)]

pub mod board;
mod clock;
mod engine;
mod listing;
mod options;
#[cfg(not(target_family = "wasm"))]
pub mod page;
mod place;
mod proof;
mod search;
#[cfg(feature = "serve")]
pub mod serve;
mod solve;
mod task;
#[cfg(target_family = "wasm")]
mod web;

pub use engine::Engine;
pub use search::KeptTree;
