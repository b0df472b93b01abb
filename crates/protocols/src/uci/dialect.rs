//! The differences between UGI, UCI and USI.

use proofwood_any_game::Position;
use proofwood_notation::variants::{Variant, usi};

/// The default game under USI.
pub(super) const SHOGI: &str = "minishogi";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Protocol {
    Ugi,
    Uci,
    Usi,
}

impl Protocol {
    /// Returns the word that ends the engine's introduction, such as `uciok`.
    pub(super) fn ok(self) -> &'static str {
        match self {
            Protocol::Ugi => "ugiok",
            Protocol::Uci => "uciok",
            Protocol::Usi => "usiok",
        }
    }

    pub(super) fn no_move(self) -> &'static str {
        match self {
            Protocol::Usi => "resign",
            _ => "0000",
        }
    }

    /// Converts the length of a win from plies to the unit of the protocol's mate scores: plies in
    /// USI, otherwise the winner's moves.
    pub(super) fn moves(self, plies: u32) -> u32 {
        match self {
            Protocol::Usi => plies,
            _ => plies.div_ceil(2),
        }
    }

    /// Returns an option's name in this protocol: USI adds a prefix.
    pub(super) fn option(self, name: &str) -> String {
        match self {
            Protocol::Usi => format!("USI_{name}"),
            _ => name.into(),
        }
    }
}

/// The protocol, and the notation of moves and positions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dialect {
    pub(crate) protocol: Protocol,
    /// The variant that the protocol uses for the game; `None` in UGI, which uses the game's own
    /// notation.
    pub(crate) variant: Option<&'static Variant>,
    /// Whether the user has chosen the game; if not, the protocol may use its own default.
    pub(super) is_chosen: bool,
}

impl Dialect {
    pub(crate) fn ugi() -> Dialect {
        Dialect { protocol: Protocol::Ugi, variant: None, is_chosen: true }
    }

    /// Returns the dialect for UCI, which changes to USI if the other side sends `usi`.
    pub(crate) fn uci(variant: &'static Variant, is_chosen: bool) -> Dialect {
        Dialect { protocol: Protocol::Uci, variant: Some(variant), is_chosen }
    }

    /// Returns whether `word` starts a protocol that this dialect supports, and if so adopts it. A
    /// dialect for UCI supports USI, too.
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

    /// Returns whether moves and positions are written in shogi notation.
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
            // A move must be one word.
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

    /// Writes a line of moves from the position `start`, stopping before the first illegal move.
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
