//! What differs among UGI, UCI and USI.

use proofwood_any_game::Position;
use proofwood_notation::variants::{Variant, usi};

/// The game of programs that begin with `usi`.
pub(super) const SHOGI: &str = "minishogi";

/// One of the protocols.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Protocol {
    Ugi,
    Uci,
    Usi,
}

impl Protocol {
    /// What ends the introduction.
    pub(super) fn ok(self) -> &'static str {
        match self {
            Protocol::Ugi => "ugiok",
            Protocol::Uci => "uciok",
            Protocol::Usi => "usiok",
        }
    }

    /// What stands for a move where there is none.
    pub(super) fn no_move(self) -> &'static str {
        match self {
            Protocol::Usi => "resign",
            _ => "0000",
        }
    }

    /// The length of a win as scores count it: plies by USI, else the winner's moves.
    pub(super) fn moves(self, plies: u32) -> u32 {
        match self {
            Protocol::Usi => plies,
            _ => plies.div_ceil(2),
        }
    }

    /// An option's name: USI has its own for some.
    pub(super) fn option(self, name: &str) -> String {
        match self {
            Protocol::Usi => format!("USI_{name}"),
            _ => name.into(),
        }
    }
}

/// How a session talks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dialect {
    pub(crate) protocol: Protocol,
    /// The game as others know it; with UGI moves and positions are written as here.
    pub(crate) variant: Option<&'static Variant>,
    /// The user has chosen the game, so that the protocol does not.
    pub(super) is_chosen: bool,
}

impl Dialect {
    /// UGI.
    pub(crate) fn ugi() -> Dialect {
        Dialect { protocol: Protocol::Ugi, variant: None, is_chosen: true }
    }

    /// UCI, or USI where the other side begins with it.
    pub(crate) fn uci(variant: &'static Variant, is_chosen: bool) -> Dialect {
        Dialect { protocol: Protocol::Uci, variant: Some(variant), is_chosen }
    }

    /// Whether this word begins the protocol. Who speaks UCI speaks USI, too.
    pub(super) fn speaks(&mut self, word: &str) -> bool {
        match (word, self.variant.is_some()) {
            ("ugi", false) => true,
            ("uci", true) => {
                self.protocol = Protocol::Uci;
                true
            }
            ("usi", true) => {
                self.protocol = Protocol::Usi;
                true
            }
            _ => false,
        }
    }

    /// Whether moves and positions are written as in shogi.
    fn is_shogi(self) -> bool {
        self.protocol == Protocol::Usi && self.variant.is_some_and(|variant| variant.name == SHOGI)
    }

    pub(super) fn write_position(self, text: &str) -> String {
        match self.variant {
            _ if self.is_shogi() => usi::write_position(text),
            Some(variant) => variant.write_position(text),
            None => text.to_string(),
        }
    }

    pub(super) fn read_position(self, text: &str) -> String {
        match self.variant {
            _ if self.is_shogi() => usi::read_position(text),
            Some(variant) => variant.read_position(text),
            None => text.to_string(),
        }
    }

    pub(super) fn write_move(self, position: &str, mv: &str) -> String {
        match self.variant {
            _ if self.is_shogi() => usi::write_move(mv),
            Some(variant) => variant.write_move(position, mv),
            // A move is one word.
            None => mv.replace(' ', "_"),
        }
    }

    pub(super) fn read_move(self, mv: &str) -> String {
        match self.variant {
            _ if self.is_shogi() => usi::read_move(mv),
            Some(variant) => variant.read_move(mv),
            None => mv.replace('_', " "),
        }
    }

    /// A line of moves from a position on, as far as they can be played.
    pub(super) fn write_line(self, start: &dyn Position, moves: &[String]) -> Vec<String> {
        let mut position = start.copy();
        let mut line = Vec::new();
        for mv in moves {
            line.push(self.write_move(&position.text(), mv));
            if position.play(mv).is_err() {
                line.pop();
                break;
            }
        }
        line
    }
}
