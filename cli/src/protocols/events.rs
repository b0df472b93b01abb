//! What a program waits for that talks with another one line by line: the next line, the
//! end of its own search, Ctrl-C.

use crate::terminal::interrupt::Interrupt;
use crate::terminal::lines::Lines;
use proofwood::{Budget, CancelToken, SearchError};
use proofwood_any_game::{Answer, Searching};
use proofwood_session::Trouble;
use std::collections::VecDeque;
use std::io::{self, BufReader};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

/// Lines that were read and not answered, at most.
const AHEAD: usize = 1024;

/// What happens.
#[derive(Debug)]
pub(super) enum Event {
    /// A line came, or something that is none.
    Line(Result<String, String>),
    /// No more lines will come.
    End,
    /// The search has ended.
    Searched,
    /// Ctrl-C.
    Interrupted,
}

/// What is to become of a line that comes while a search runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Heard {
    /// It was answered.
    Done,
    /// It is answered when the search has ended.
    Later,
    /// The search ends, and that is all.
    Stop,
    /// The search ends, and then the line is answered.
    StopFor,
}

/// How often a search reports, and to whom.
type Reports<'r> = Option<(Duration, &'r mut dyn FnMut(&Answer))>;

/// How a search is listened to.
#[derive(Default)]
pub(super) struct Terms<'r> {
    /// Takes a report after each such time.
    pub(super) reports: Reports<'r>,
    /// The search ends when it is told to, and not before. Its first report comes soon.
    pub(super) holds: bool,
    /// How long the search goes on after the end of the input, where that has no limit otherwise.
    pub(super) grace: Option<Duration>,
}

/// The time of the first report of a search that holds.
const SOON: Duration = Duration::from_millis(100);

/// Everything that happens, in turn.
pub(crate) struct Events {
    receiver: Receiver<Event>,
    sender: Sender<Event>,
    /// One for every line that may be under way.
    permits: Receiver<()>,
    /// What was put off.
    later: VecDeque<Event>,
    /// Whether the user has asked for the end.
    pub(super) interrupted: bool,
}

impl Events {
    /// Begins to read standard input.
    pub(crate) fn open(interrupt: &Interrupt) -> Result<Events, Trouble> {
        let (sender, receiver) = mpsc::channel();
        let (permit, permits) = mpsc::sync_channel(AHEAD);
        let raised = Mutex::new(sender.clone());
        interrupt.call(move || {
            if let Ok(tell) = raised.lock() {
                let _ = tell.send(Event::Interrupted);
            }
        });
        let tell = sender.clone();
        let reader = thread::Builder::new().name("reader".into());
        let started = reader.spawn(move || read(&tell, &permit));
        started.map_err(|error| Trouble::Failed(format!("cannot start a thread: {error}")))?;
        let later = VecDeque::new();
        Ok(Events { receiver, sender, permits, later, interrupted: false })
    }

    /// Waits for what happens next.
    pub(super) fn next(&mut self) -> Event {
        let event = match self.later.pop_front() {
            Some(event) => event,
            // This end holds a sender too, so that the channel stays open.
            None => self.receiver.recv().map_or(Event::End, |event| self.seen(event)),
        };
        self.answered(&event);
        event
    }

    /// Waits for what happens next up to an instant, leaving aside what was put off.
    fn next_until(&mut self, until: Option<Instant>) -> Option<Event> {
        let event = match until {
            None => self.receiver.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(until) => {
                let left = until.saturating_duration_since(Instant::now());
                self.receiver.recv_timeout(left)
            }
        };
        match event {
            Ok(event) => Some(self.seen(event)),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(Event::End),
        }
    }

    fn seen(&mut self, event: Event) -> Event {
        self.interrupted |= matches!(event, Event::Interrupted);
        event
    }

    /// Lets another line be read in place of this one.
    fn answered(&self, event: &Event) {
        if matches!(event, Event::Line(_)) {
            let _ = self.permits.try_recv();
        }
    }

    /// What is left of an event for later.
    fn sort(
        &self,
        event: Event,
        hear: &mut dyn FnMut(Option<&str>) -> Heard,
        cancel: &CancelToken,
    ) -> Option<Event> {
        let heard = match &event {
            Event::Line(Ok(line)) => hear(Some(line)),
            Event::End => hear(None),
            Event::Interrupted => Heard::StopFor,
            Event::Line(Err(_)) | Event::Searched => Heard::Later,
        };
        if let Heard::Stop | Heard::StopFor = heard {
            cancel.cancel();
        }
        // Whoever waits for lines must hear of the end, too.
        if let (Heard::Later | Heard::StopFor, _) | (_, Event::End) = (heard, &event) {
            return Some(event);
        }
        self.answered(&event);
        None
    }

    /// Runs a search to its end. Meanwhile lines go to `hear`, and the end of the input as
    /// none.
    pub(super) fn run(
        &mut self,
        search: &mut dyn Searching,
        budget: &Budget,
        mut terms: Terms<'_>,
        hear: &mut dyn FnMut(Option<&str>) -> Heard,
    ) -> Result<Answer, SearchError> {
        let cancel = CancelToken::new();
        self.sort_later(hear, &cancel);
        search.start(&budget.clone().cancel(&cancel))?;
        let tell = self.sender.clone();
        search.on_end(Box::new(move || {
            let _ = tell.send(Event::Searched);
        }));
        self.listen(&mut terms, &cancel, Some(&|| search.snapshot()), hear);
        search.wait()
    }

    /// Does some work on another thread to its end, which the token asks for; after the end of
    /// the input it asks after `grace`. Meanwhile lines go to `hear`. `None` where the work
    /// panics.
    pub(super) fn meanwhile<T: Send>(
        &mut self,
        work: impl FnOnce(&CancelToken) -> T + Send,
        grace: Duration,
        hear: &mut dyn FnMut(Option<&str>) -> Heard,
    ) -> Option<T> {
        let cancel = CancelToken::new();
        self.sort_later(hear, &cancel);
        let tell = self.sender.clone();
        thread::scope(|scope| {
            let working = scope.spawn(|| {
                let done = catch_unwind(AssertUnwindSafe(|| work(&cancel)));
                let _ = tell.send(Event::Searched);
                done.ok()
            });
            let mut terms = Terms { grace: Some(grace), ..Terms::default() };
            self.listen(&mut terms, &cancel, None, hear);
            working.join().ok().flatten()
        })
    }

    /// Sorts what was put off, for a search that begins.
    fn sort_later(&mut self, hear: &mut dyn FnMut(Option<&str>) -> Heard, cancel: &CancelToken) {
        let mut kept = VecDeque::new();
        while let Some(event) = self.later.pop_front() {
            kept.extend(self.sort(event, hear, cancel));
        }
        self.later = kept;
    }

    /// Waits for an event up to an instant and sorts it, unless it is the end of the search.
    /// Answers the end of the search or of the input, if it was that.
    fn heard(
        &mut self,
        until: Option<Instant>,
        cancel: &CancelToken,
        hear: &mut dyn FnMut(Option<&str>) -> Heard,
    ) -> Option<Event> {
        let event = self.next_until(until)?;
        let mark = match event {
            Event::Searched => return Some(Event::Searched),
            Event::End => Some(Event::End),
            _ => None,
        };
        let event = self.sort(event, hear, cancel);
        self.later.extend(event);
        mark
    }

    /// Listens until a search has ended.
    fn listen(
        &mut self,
        terms: &mut Terms<'_>,
        cancel: &CancelToken,
        snapshot: Option<&dyn Fn() -> Answer>,
        hear: &mut dyn FnMut(Option<&str>) -> Heard,
    ) {
        let every = terms.reports.as_ref().map(|(every, _)| *every);
        let first = every.map(|every| if terms.holds { every.min(SOON) } else { every });
        let mut due = first.map(|first| Instant::now() + first);
        let last = |grace: Option<Duration>| grace.map(|grace| Instant::now() + grace);
        let no_more = self.later.iter().any(|event| matches!(event, Event::End));
        let mut end = if no_more { last(terms.grace) } else { None };
        let mut ended = false;
        while !ended || terms.holds && !cancel.is_cancelled() {
            let until = [due, end].into_iter().flatten().min();
            match self.heard(until, cancel, hear) {
                Some(Event::Searched) => (ended, due) = (true, None),
                Some(Event::End) => end = last(terms.grace),
                _ => {}
            }
            let now = Instant::now();
            if end.is_some_and(|end| end <= now) {
                cancel.cancel();
                end = None;
            }
            if due.is_some_and(|due| due <= now) {
                if let (Some((_, report)), Some(snapshot)) = (&mut terms.reports, snapshot) {
                    report(&snapshot());
                }
                due = every.map(|every| Instant::now() + every);
            }
        }
    }
}

/// Reads lines until there are no more, or nobody wants them.
fn read(tell: &Sender<Event>, permit: &SyncSender<()>) {
    let mut lines = Lines::new(BufReader::new(io::stdin()));
    while let Ok(Some(line)) = lines.next() {
        if permit.send(()).is_err() || tell.send(Event::Line(line)).is_err() {
            return;
        }
    }
    let _ = tell.send(Event::End);
}
