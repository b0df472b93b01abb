//! Handles the lines that come while a search runs.

use super::super::events::Heard;

/// Decides what to do with each line that comes while a search runs.
pub(super) struct Ear {
    /// Whether the search waits for a command to stop it.
    holds: bool,
    ponders: bool,
    /// Whether a line waits to be answered after this search.
    queued: bool,
    /// The `ponderhit` line, once it has come.
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
            // A command waits before it, so it is meant for that command's search.
            Some("stop") if self.queued => Heard::StopFor,
            Some("stop") => return Heard::Stop,
            Some("ponderhit") if self.ponders && !self.queued => {
                self.hit = line.map(str::to_string);
                return Heard::Stop;
            }
            Some("ponderhit") if !self.queued => return Heard::Done,
            Some("quit") => Heard::StopFor,
            // With these commands the other side has lost interest in an endless search.
            Some("position" | "go") if self.holds => Heard::StopFor,
            Some(word) if self.holds && word.ends_with("newgame") => Heard::StopFor,
            _ => Heard::Later,
        };
        self.queued = true;
        heard
    }
}
