//! Lines that come while a search runs.

use super::super::events::Heard;

/// What becomes of the lines that come while a search runs.
pub(super) struct Ear {
    /// The search ends when it is told to, and not before.
    holds: bool,
    /// The search waits for `ponderhit`.
    ponders: bool,
    /// A line waits for the end of this search.
    queued: bool,
    /// The `ponderhit` that came.
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
            // Behind another command it is for the search that this asks for.
            Some("stop") if self.queued => Heard::StopFor,
            Some("stop") => return Heard::Stop,
            Some("ponderhit") if self.ponders && !self.queued => {
                self.hit = line.map(str::to_string);
                return Heard::Stop;
            }
            Some("ponderhit") if !self.queued => return Heard::Done,
            Some("quit") => Heard::StopFor,
            // Whoever says this has no use for a search without an end.
            Some("position" | "go") if self.holds => Heard::StopFor,
            Some(word) if self.holds && word.ends_with("newgame") => Heard::StopFor,
            _ => Heard::Later,
        };
        self.queued = true;
        heard
    }
}
