//! The event loop of the protocols that handle one line at a time. An event is a line, the end of a
//! search or Ctrl-C.

use crate::connection::{Connection, Output};
use proofwood::{Budget, CancelToken, SearchError};
use proofwood_any_game::{Answer, Searching};
use proofwood_session::Trouble;
use proofwood_session::input::lines::Lines;
use std::collections::VecDeque;
use std::io::BufRead;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

/// The maximum number of lines that are read before earlier ones are answered.
const AHEAD: usize = 1024;

#[derive(Debug)]
pub(super) enum Event {
    /// A line of the input, or the reason why it cannot be read.
    Line(Result<String, String>),
    End,
    Searched,
    Interrupted,
}

/// The reaction to a line that arrives while a search runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Heard {
    /// The line has been answered.
    Done,
    /// Answer the line after the search.
    Later,
    /// Stop the search; the line itself needs no answer.
    Stop,
    /// Stop the search, and then answer the line.
    StopFor,
}

/// The time between two reports of a search, and the callback that receives them.
type Reports<'r> = Option<(Duration, &'r mut dyn FnMut(&Answer))>;

/// The conditions under which a search runs.
#[derive(Default)]
pub(super) struct Terms<'r> {
    pub(super) reports: Reports<'r>,
    /// Whether the search ends only on a command, even if it has nothing left to do. The first
    /// report is then made within [`SOON`].
    pub(super) holds: bool,
    /// The time for which the search may continue after the end of the input; `None` for no limit.
    pub(super) grace: Option<Duration>,
}

/// The maximum delay of the first report by a search that ends only on a command.
const SOON: Duration = Duration::from_millis(100);

/// Events, in the order in which they happen.
pub(crate) struct Events {
    receiver: Receiver<Event>,
    sender: Sender<Event>,
    /// Holds one message for each line that has been read but not answered.
    permits: Receiver<()>,
    /// Events to be answered after the search.
    later: VecDeque<Event>,
    /// Whether Ctrl-C was pressed.
    pub(super) interrupted: bool,
}

impl Events {
    /// Starts the thread that reads the input.
    pub(crate) fn open(connection: Connection<'_>) -> Result<(Events, Output), Trouble> {
        let Connection { input, output, on_interrupt } = connection;
        let (sender, receiver) = mpsc::channel();
        let (permit, permits) = mpsc::sync_channel(AHEAD);
        let raised = Mutex::new(sender.clone());
        on_interrupt(Box::new(move || {
            if let Ok(tell) = raised.lock() {
                let _ = tell.send(Event::Interrupted);
            }
        }))?;
        let tell = sender.clone();
        let reader = thread::Builder::new().name("reader".into());
        let started = reader.spawn(move || read(input, &tell, &permit));
        started.map_err(|error| Trouble::Failed(format!("cannot start a thread: {error}")))?;
        let later = VecDeque::new();
        let events = Events { receiver, sender, permits, later, interrupted: false };
        Ok((events, Output(output)))
    }

    pub(super) fn next(&mut self) -> Event {
        let event = match self.later.pop_front() {
            Some(event) => event,
            // The channel never closes, because `self` has a sender, too.
            None => self.receiver.recv().map_or(Event::End, |event| self.seen(event)),
        };
        self.answered(&event);
        event
    }

    /// Waits for a new event, at most until `until`; skips events that were put off.
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

    /// Takes back the permit of an answered line, so that the reader may read another one.
    fn answered(&self, event: &Event) {
        if matches!(event, Event::Line(_)) {
            let _ = self.permits.try_recv();
        }
    }

    /// Passes an event to `hear` while a search runs, and stops the search if the reaction requires
    /// it. Returns the event if it has to be answered after the search.
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
        // The loop that waits for lines must see the end of the input, too.
        if let (Heard::Later | Heard::StopFor, _) | (_, Event::End) = (heard, &event) {
            return Some(event);
        }
        self.answered(&event);
        None
    }

    /// Runs a search to its end. Meanwhile, `hear` is called with each line, and with `None` at the
    /// end of the input.
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

    /// Runs `work` on another thread. Meanwhile, `hear` is called with each line, and with `None`
    /// at the end of the input. The token passed to `work` is cancelled when `hear` stops the
    /// search, or `grace` after the end of the input. Returns `None` if `work` panics.
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

    /// Passes the events put off so far to `hear` when a search begins.
    fn sort_later(&mut self, hear: &mut dyn FnMut(Option<&str>) -> Heard, cancel: &CancelToken) {
        let mut kept = VecDeque::new();
        while let Some(event) = self.later.pop_front() {
            kept.extend(self.sort(event, hear, cancel));
        }
        self.later = kept;
    }

    /// Waits for an event until `until` and passes it on to [`sort`](Events::sort). Returns the
    /// event if it is the end of the search or of the input.
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

fn read(input: Box<dyn BufRead + Send>, tell: &Sender<Event>, permit: &SyncSender<()>) {
    let mut lines = Lines::new(input);
    while let Ok(Some(line)) = lines.next() {
        if permit.send(()).is_err() || tell.send(Event::Line(line)).is_err() {
            return;
        }
    }
    let _ = tell.send(Event::End);
}
