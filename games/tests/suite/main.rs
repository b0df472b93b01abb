//! Tests of the games: against records of other programs, against values
//! computed by plain recursion, and of what every game promises the engine.

mod bad_input;
mod data;
mod lines;
mod minishogi;
mod oracle;
mod p_game;
mod perft;
mod promises;
mod recorded;
mod small_boards;
mod uniform;
