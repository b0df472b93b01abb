//! What a program waits for that talks with another one line by line: the next line, the
//! end of its own search, Ctrl-C.

use crate::exit::Failure;
use crate::terminal::interrupt::Interrupt;
use crate::terminal::lines::Lines;
use proofwood::{Budget, CancelToken, SearchError};
use proofwood_any_game::{Answer, Searching};
use std::collections::VecDeque;
use std::io::{self, BufReader};
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
pub(super) type Reports<'r> = Option<(Duration, &'r mut dyn FnMut(&Answer))>;

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
    pub(crate) fn open(interrupt: &Interrupt) -> Result<Events, Failure> {
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
        started.map_err(|error| Failure::Failed(format!("cannot start a thread: {error}")))?;
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

    /// Has these come next, in this order.
    pub(super) fn put_back(&mut self, events: Vec<Event>) {
        events.into_iter().rev().for_each(|event| self.later.push_front(event));
    }

    /// The same, up to an instant.
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
            _ => return Some(event),
        };
        match heard {
            Heard::Later => return Some(event),
            // Whoever waits for lines must hear of the end, too.
            Heard::Stop | Heard::StopFor if matches!(event, Event::End) => {
                cancel.cancel();
                return Some(event);
            }
            Heard::Done => {}
            Heard::Stop => cancel.cancel(),
            Heard::StopFor => {
                cancel.cancel();
                return Some(event);
            }
        }
        self.answered(&event);
        None
    }

    /// Runs a search to its end. Meanwhile lines go to `hear`, and the end of the input as
    /// none; what is known goes to
    /// `report`, again and again.
    pub(super) fn run(
        &mut self,
        search: &mut dyn Searching,
        budget: &Budget,
        report: Reports<'_>,
        hear: &mut dyn FnMut(Option<&str>) -> Heard,
    ) -> Result<Answer, SearchError> {
        let cancel = CancelToken::new();
        // A line that was put off, and would have ended this search.
        let mut kept = VecDeque::new();
        while let Some(event) = self.later.pop_front() {
            kept.extend(self.sort(event, hear, &cancel));
        }
        self.later = kept;
        search.start(&budget.clone().cancel(&cancel))?;
        let tell = self.sender.clone();
        search.on_end(Box::new(move || {
            let _ = tell.send(Event::Searched);
        }));
        let (every, mut report) = match report {
            Some((every, report)) => (Some(every), Some(report)),
            None => (None, None),
        };
        let mut due = every.map(|every| Instant::now() + every);
        loop {
            // Who writes lines without an end is not listened to meanwhile.
            let event = self.next_until(due);
            match event {
                Some(Event::Searched) => break,
                Some(Event::Interrupted) => {
                    cancel.cancel();
                    self.later.push_back(Event::Interrupted);
                }
                Some(event) => {
                    let event = self.sort(event, hear, &cancel);
                    self.later.extend(event);
                }
                None => {
                    if let Some(report) = &mut report {
                        report(&search.snapshot());
                    }
                    due = every.map(|every| Instant::now() + every);
                }
            }
        }
        search.wait()
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
