//! Rules of real games for the Proofwood search engine.
//!
//! Every game is a type that implements [`proofwood_game::Game`]. The [registry](games) lists all
//! games by name, so that a program can offer them without naming any: [`with_game`] creates the
//! game described by a text such as `connect-four:9x5` and passes it to a [`GameVisitor`].
//!
//! ```
//! use proofwood::Game;
//! use proofwood_games::{GameVisitor, perft, with_game};
//!
//! struct Count(u32);
//!
//! impl GameVisitor for Count {
//!     type Output = u64;
//!     fn visit<G: Game>(self, game: G) -> u64 {
//!         perft(&game, &game.initial_state(), self.0)
//!     }
//! }
//!
//! assert_eq!(with_game("othello:6", Count(5)), Ok(1364));
//! ```
#![forbid(unsafe_code)]

mod any;
#[cfg(test)]
mod at_once;
pub mod ataxx;
pub mod awari;
mod bits;
pub mod capture_go;
pub mod chess;
pub mod chinese_checkers;
pub mod clobber;
pub mod connect_four;
mod counts;
pub mod domineering;
pub mod dots_and_boxes;
pub mod ewn;
mod hash;
pub mod hex;
mod info;
pub mod lines_of_action;
pub mod minichess;
pub mod minishogi;
pub mod mnk;
mod options;
pub mod othello;
pub mod oware;
pub mod p_game;
mod perft;
pub mod pig;
mod planes;
pub mod reach_chess;
mod registry;
pub mod reversi;
pub mod skirmish;
mod stones;
pub mod surakarta;
mod symmetry;
mod text;
pub mod through;

pub use any::{AnyGame, AnyMove, AnyState, OwnTypes};
pub use ataxx::Ataxx;
pub use awari::Awari;
pub use capture_go::CaptureGo;
pub use chinese_checkers::ChineseCheckers;
pub use clobber::Clobber;
pub use connect_four::ConnectFour;
pub use counts::Counted;
pub use domineering::Domineering;
pub use dots_and_boxes::DotsAndBoxes;
pub use ewn::Ewn;
pub use hex::Hex;
pub use info::GameInfo;
pub use lines_of_action::LinesOfAction;
pub use minichess::Minichess;
pub use minishogi::Minishogi;
pub use mnk::Mnk;
pub use options::SpecError;
pub use othello::Othello;
pub use oware::Oware;
pub use p_game::PGame;
pub use perft::{perft, perft_until};
pub use pig::Pig;
pub use planes::Planes;
pub use reach_chess::ReachChess;
pub use registry::{GameVisitor, find_info, games, is_same, spelled, with_game};
pub use reversi::Reversi;
pub use skirmish::Skirmish;
pub use surakarta::Surakarta;
pub use through::Through;
