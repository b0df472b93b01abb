//! Small neural networks for games, as evaluators of a search.
//!
//! These networks take less than a microsecond for a position on one core, about as long as a
//! random playout of Connect Four. They therefore evaluate one leaf at a time, as an
//! [`Evaluator`](proofwood::evaluate::Evaluator) with priors, without batches. The book's page "A
//! network of your own" describes the training of the files in `models/`.
//!
//! | module | contents |
//! |---|---|
//! | `network` | the network: its layers, the value of a position and the priors of moves |
//! | `file` | networks as safetensors files |
//! | `evaluator` | a network as the evaluator of a search |
//!
//! ```
//! use proofwood::{Budget, Config, Game, Search};
//! use proofwood_games::ConnectFour;
//! use proofwood_nets::{ByNetwork, Network};
//!
//! let file = concat!(env!("CARGO_MANIFEST_DIR"), "/models/connect-four.safetensors");
//! let (game, network) = (ConnectFour::default(), Network::load(file.as_ref())?);
//! let evaluator = ByNetwork::new(network, &game)?;
//! let (start, config) = (game.initial_state(), Config::default().threads(1));
//! let mut search = Search::with_evaluator(game, start, config, evaluator)?;
//! let report = search.search(&Budget::default().playouts(1000))?;
//! assert_eq!(report.best_move, Some(3)); // the middle
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod evaluator;
mod file;
// Public for the program that trains a network.
#[doc(hidden)]
pub mod network;
#[cfg(test)]
mod tests;

pub use evaluator::{ByNetwork, OtherGame};
pub use file::FileError;
pub use network::Network;
