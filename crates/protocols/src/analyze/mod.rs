//! Analysis for other programs: JSON lines in, JSON lines out.
//!
//! One thread reads lines and turns them into jobs ([`query`]), one position each. A fixed number
//! of threads takes jobs from a [`queue`], the one with the highest priority first, and searches
//! ([`work`]). One thread writes the [`answers`], each an [`answer`]. The queue and the channel of
//! answers have a maximum length: a full one blocks its producers, so a client cannot exhaust the
//! memory. Saved trees are files in one folder ([`trees`]).
//!
//! After the end of the input all jobs are finished. Ctrl-C stops them, and each is answered with
//! the results so far; a client that no longer reads cannot keep the program from ending.

mod answer;
mod answers;
mod command;
mod query;
mod queue;
mod trees;
mod work;

pub use command::Analyze;

use crate::connection::Connection;
use answer::Reply;
use answers::{Answers, write};
use proofwood_any_game::query::{Refusal, Stop};
use proofwood_session::input::lines::Lines;
use proofwood_session::{Ended, Trouble};
use query::{Defaults, Reader, Request};
use queue::Queue;
use std::io::{self, BufRead};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

const SCHEMA: &str = include_str!("../../data/analyze.schema.json");

/// The time after which an interrupted program ends even if the client has not read all answers.
const PATIENCE: Duration = Duration::from_secs(2);

enum Event {
    Read(io::Result<()>),
    Worked,
    /// The writer has ended: it has written every answer, or the client has closed the pipe.
    Written(io::Result<()>),
    Interrupted,
}

fn serve(defaults: Defaults, jobs: usize, connection: Connection<'_>) -> Result<Ended, Trouble> {
    let Connection { input, output, on_interrupt } = connection;
    let (tell, events) = mpsc::channel();
    let (answers, lines) = Answers::channel();
    let queue = Arc::new(Queue::default());
    let raised = Mutex::new(tell.clone());
    on_interrupt(Box::new(move || {
        if let Ok(tell) = raised.lock() {
            let _ = tell.send(Event::Interrupted);
        }
    }))?;
    start_reader(input, Reader::new(defaults), &queue, &answers, tell.clone())?;
    start_workers(jobs, &queue, &answers, tell.clone())?;
    spawn("writer", move || {
        let _ = tell.send(Event::Written(write(&lines, output)));
    })?;

    let (mut failed, mut interrupted, mut unheard) = (None, false, false);
    loop {
        let event = match interrupted || unheard {
            false => events.recv().map_err(|_| RecvTimeoutError::Disconnected),
            true => events.recv_timeout(PATIENCE),
        };
        match event {
            Ok(Event::Read(read)) => {
                failed = read.err().map(|error| Trouble::reading("standard input", &error));
                queue.close();
            }
            Ok(Event::Worked) if unheard => break,
            Ok(Event::Worked) => {
                let answers = answers.clone();
                spawn("end", move || answers.end())?;
            }
            Ok(Event::Interrupted) => {
                interrupted = true;
                queue.cancel_all();
            }
            Ok(Event::Written(Err(error))) => {
                queue.cancel_all();
                failed = Some(Trouble::writing("standard output", &error));
                unheard = true;
                if !queue.is_open() {
                    break;
                }
            }
            Ok(Event::Written(Ok(()))) => break,
            // A job is still writing a tree to its file.
            Err(RecvTimeoutError::Timeout) if queue.is_open() => {}
            // The client does not read its answers.
            Err(_) => break,
        }
    }
    match failed {
        Some(failure) => Err(failure),
        None if interrupted => Ok(Ended::Interrupted),
        None => Ok(Ended::Done),
    }
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> Result<(), Trouble> {
    let started = thread::Builder::new().name(name.into()).spawn(work);
    started.map(drop).map_err(|error| Trouble::Failed(format!("cannot start a thread: {error}")))
}

/// Starts the thread that reads lines until the input ends and executes them.
fn start_reader(
    input: Box<dyn BufRead + Send>,
    mut reader: Reader,
    queue: &Arc<Queue>,
    answers: &Answers,
    tell: mpsc::Sender<Event>,
) -> Result<(), Trouble> {
    let (queue, answers) = (Arc::clone(queue), answers.clone());
    spawn("reader", move || {
        let mut lines = Lines::new(input);
        let end = loop {
            match lines.next() {
                Err(error) => break Err(error),
                Ok(None) => break Ok(()),
                Ok(Some(Ok(line))) if line.trim().is_empty() => {}
                Ok(Some(line)) => {
                    let request = match line {
                        Ok(line) => reader.read(&line),
                        Err(why) => Request::Answer(Refusal::unreadable(why).answer().to_string()),
                    };
                    take(request, &queue, &answers);
                }
            }
        };
        let _ = tell.send(Event::Read(end));
    })
}

fn take(request: Request, queue: &Queue, answers: &Answers) {
    match request {
        Request::Answer(answer) => answers.send(answer),
        Request::Stop(id, Stop { which, turns }) => {
            let (running, ended) = queue.stop(which.as_ref(), turns.as_deref());
            ended.iter().for_each(|job| answers.send(Reply::nothing(job).line()));
            let stopped = running > 0 || !ended.is_empty();
            answers.send(Reply::stopped(&id, stopped).line());
        }
        Request::Analyse(jobs) => jobs.each(|job| queue.push(job)),
    }
}

fn start_workers(
    jobs: usize,
    queue: &Arc<Queue>,
    answers: &Answers,
    tell: mpsc::Sender<Event>,
) -> Result<(), Trouble> {
    let mut workers = Vec::new();
    for number in 1..=jobs {
        let (queue, answers) = (Arc::clone(queue), answers.clone());
        let work = move || {
            while let Some(running) = queue.take() {
                let answer = work::answer(&running.job, &answers, &queue);
                // A client that has received the answer may use the same id again.
                queue.end(running.number);
                answers.send(answer);
            }
        };
        let worker = thread::Builder::new().name(format!("worker {number}")).spawn(work);
        workers.push(worker.map_err(|error| {
            Trouble::Failed(format!("cannot start {jobs} threads: {error}; lower --jobs"))
        })?);
    }
    spawn("workers", move || {
        workers.into_iter().for_each(|worker| drop(worker.join()));
        let _ = tell.send(Event::Worked);
    })
}
