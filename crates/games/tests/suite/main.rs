//! Compares the games with records of other programs and with plain recursion, and checks the
//! contract between games and the engine.

mod any_game;
mod bad_input;
mod boards;
mod chance;
mod chess;
mod chinese_checkers;
mod chinese_checkers_plain;
mod connect_four;
mod data;
mod evaluation;
mod fuzz_findings;
mod lines;
mod lines_of_action;
mod minishogi;
mod oracle;
mod othello;
mod p_game;
mod perft;
mod playouts;
mod promises;
mod recorded;
mod shortest;
mod small_boards;
mod stones;
mod sums;
mod symmetries;
mod through;
mod uniform;
