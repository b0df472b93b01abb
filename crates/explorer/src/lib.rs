//! The engine behind Proofwood's page.
//!
//! One [`Engine`] takes lines of JSON and answers lines of JSON. It does not matter to the page
//! whether they come from WebAssembly in the browser or from a native program on the same
//! machine. The book's page on the explorer has every message.
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
//! The modules, from the lowest to the highest. A module imports from those above it in this
//! table:
//!
//! | module | contents |
//! |---|---|
//! | `clock` | the time that has passed, natively and in a page |
//! | `fault` | what went wrong, in one line |
//! | [`board`] | boards as pictures are drawn from them |
//! | `ask` | what can be asked |
//! | `options` | options by their names |
//! | `place` | a position: which game, from where, after which moves |
//! | `listing` | what a certificate lists, to go from a position to the next |
//! | `proof` | certificates: checked, and walked through |
//! | `search` | a search under way |
//! | `solve` | a proof under way |
//! | `engine` | [`Engine`]: what is asked and what is under way |
//! | [`page`] | the page's own files, for a program that serves them |
//! | `web` | what WebAssembly exports |
#![deny(missing_docs)]

mod ask;
pub mod board;
mod clock;
mod engine;
mod fault;
mod listing;
mod options;
#[cfg(not(target_family = "wasm"))]
pub mod page;
mod place;
mod proof;
mod search;
mod solve;
#[cfg(target_family = "wasm")]
mod web;

pub use engine::Engine;
pub use search::KeptTree;
