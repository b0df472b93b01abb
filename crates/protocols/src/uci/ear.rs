//! Handles the lines that arrive while a search runs.

use super::super::events::Heard;

/// Decides how to react to each line that arrives while a search runs.
pub(super) struct Ear {
    /// Whether the search continues until a command ends it.
    holds: bool,
    ponders: bool,
    /// Whether a line has been queued, to be answered after this search.
    queued: bool,
    /// The `ponderhit` line, once it has arrived.
    pub(super) hit: Option<String>,
}

impl Ear {
    pub(super) fn new(holds: bool, ponders: bool) -> Ear {
        Ear { holds, ponders, queued: false, hit: None }
    }

    pub(super) fn hear(&mut self, line: Option<&str>, ready: &mut dyn FnMut()) -> Heard {
        let word = line.map(|line| line.split_whitespace().next().unwrap_or_default());
        let heard = match word {
            None if self.holds => return Heard::StopFor,
            None => return Heard::Later,
            Some("isready") => {
                ready();
                return Heard::Done;
            }
            // This `stop` is meant for the search of the command queued before it.
            Some("stop") if self.queued => Heard::StopFor,
            Some("stop") => return Heard::Stop,
            Some("ponderhit") if self.ponders && !self.queued => {
                self.hit = line.map(str::to_string);
                return Heard::Stop;
            }
            Some("ponderhit") if !self.queued => return Heard::Done,
            Some("quit") => Heard::StopFor,
            // After such a command, the other side no longer needs an endless search.
            Some("position" | "go") if self.holds => Heard::StopFor,
            Some(word) if self.holds && word.ends_with("newgame") => Heard::StopFor,
            _ => Heard::Later,
        };
        self.queued = true;
        heard
    }
}
