//! The engine: requests and running tasks.

use crate::ask::{Ask, Request, Searched, Solved};
use crate::clock;
use crate::fault::Fault;
use crate::place::{self, Place};
use crate::proof::{self, OpenedJson, Proof};
use crate::search::{self, KeptTree, SearchTask};
use crate::solve::{self, SolveTask};
use proofwood::Config;
use proofwood_games::{GameInfo, games};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::collections::VecDeque;
use std::fmt;
use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::Duration;

/// Takes requests and answers them, each a line of JSON.
///
/// At most one search, one proof and one certificate are in progress; a new one ends the previous
/// one.
pub struct Engine {
    threads: usize,
    /// Answers not yet taken by the caller.
    answers: VecDeque<String>,
    /// The latest search, even if it has ended.
    search: Option<SearchTask>,
    /// The latest proof, even if it was stopped.
    solve: Option<SolveTask>,
    /// The certificate that is being checked.
    open: Option<OpenTask>,
    proof: Option<Proof>,
    /// The tree loaded at the start, until another search begins.
    kept: Option<KeptTree>,
    /// Messages of threads that have ended a task or have progress to report.
    rung: Receiver<News>,
    bell: Sender<News>,
    /// Receives answers that cannot wait for the end of a step.
    tell_at_once: Option<fn(&str)>,
}

/// A certificate check in progress.
struct OpenTask {
    id: Value,
    stopped: Arc<AtomicBool>,
    /// The text, until a step takes it.
    text: Option<String>,
}

/// A message from a thread.
enum News {
    /// A search or a proof has ended.
    Ended,
    /// The number of entries of a certificate read so far, for the request.
    Entries(Value, u64),
    /// The result of a certificate check.
    Opened(Value, Box<Result<(OpenedJson, Option<Proof>), Fault>>),
}

impl Engine {
    /// An engine whose searches have `threads` threads; in WebAssembly always one.
    pub fn new(threads: usize) -> Engine {
        let (bell, rung) = mpsc::channel();
        Engine {
            threads: if cfg!(target_family = "wasm") { 1 } else { threads.max(1) },
            answers: VecDeque::new(),
            search: None,
            solve: None,
            open: None,
            proof: None,
            kept: None,
            rung,
            bell,
            tell_at_once: None,
        }
    }

    /// Sets a callback for answers that cannot wait for the end of a step: the progress of a long
    /// one on systems without threads.
    pub fn tell_at_once(&mut self, tell: fn(&str)) {
        self.tell_at_once = Some(tell);
    }

    /// Loads a saved tree at the start. A `kept` request shows its answer, and a search with the
    /// same options, of its position or a later one, continues with it.
    ///
    /// # Errors
    /// A one-line reason why the tree cannot be loaded.
    pub fn load_tree(&mut self, kept: KeptTree, input: &mut dyn Read) -> Result<(), String> {
        let loaded = SearchTask::loaded(&kept, self.threads, input);
        self.search = Some(loaded.map_err(|fault| fault.to_string())?);
        self.kept = Some(kept);
        Ok(())
    }

    /// Accepts a request. Its answers are returned by the next [`step`](Engine::step)s.
    pub fn ask(&mut self, line: &str) {
        let Request { id, ask } = Request::read(line);
        let begun = ask.and_then(|ask| self.begin(&id, ask));
        if let Some(answer) = begun.transpose() {
            self.finish(&id, answer);
        }
    }

    /// Works for about `time`; returns early when there are answers, each a line without its end,
    /// or when nothing is in progress.
    pub fn step(&mut self, time: Duration) -> Vec<String> {
        let until = clock::now().saturating_add(time);
        loop {
            let left = until.saturating_sub(clock::now());
            self.go_on(left);
            let left = until.saturating_sub(clock::now());
            if !self.answers.is_empty() || !self.is_busy() || left.is_zero() {
                return self.answers.drain(..).collect();
            }
            // Where there are threads, they do the work.
            if !cfg!(target_family = "wasm")
                && let Ok(news) = self.rung.recv_timeout(left.min(LOOK_EVERY))
            {
                self.hear(news);
            }
        }
    }

    /// Returns whether a task is in progress, or an answer waits to be taken.
    pub fn is_busy(&self) -> bool {
        let searches = self.search.as_ref().is_some_and(|search| search.id.is_some());
        !self.answers.is_empty() || searches || self.is_solving() || self.open.is_some()
    }

    fn is_solving(&self) -> bool {
        self.solve.as_ref().is_some_and(|solve| solve.id.is_some())
    }

    /// Answers short requests, and begins long ones.
    fn begin(&mut self, id: &Value, ask: Ask) -> Result<Option<Value>, Fault> {
        match ask {
            Ask::Games => {
                let games: Vec<Value> = games().iter().map(game).collect();
                return Ok(Some(json!({ "games": games })));
            }
            Ask::Position(of) => return to_json(&Place::find(&of)?.view()).map(Some),
            Ask::Search(asked) => self.begin_search(id, &asked, Config::default())?,
            Ask::Solve(asked) => self.begin_solve(id, &asked)?,
            Ask::Tree(of) => {
                let search = self.search.as_mut();
                let search = search.ok_or_else(|| Fault::new("no search has a tree yet"))?;
                let tree = search.tree(&of)?;
                return Ok(Some(json!({ "tree": to_json(&tree)? })));
            }
            Ask::Kept => {
                let (search, kept) = (self.search.as_mut(), self.kept.as_ref());
                let Some((search, kept)) = search.zip(kept) else {
                    return Err(Fault::new("no tree was loaded, or a new search has begun"));
                };
                let options: Map<String, Value> =
                    kept.options.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
                let mut answer = to_json(&search.known()?)?;
                answer["options"] = options.into();
                return Ok(Some(answer));
            }
            Ask::Stop { which } => return Ok(Some(json!({ "stopped": self.stop(&which) }))),
            Ask::Open { certificate } => {
                self.stop_open();
                self.proof = None;
                let stopped = Arc::new(AtomicBool::new(false));
                self.open = Some(OpenTask { id: id.clone(), stopped, text: Some(certificate) });
            }
            Ask::Walk(asked) => {
                let proof = self.proof.as_ref();
                let proof = proof.ok_or_else(|| Fault::new("no certificate is open"))?;
                return to_json(&proof.walk(&asked)?).map(Some);
            }
        }
        Ok(None)
    }

    fn begin_search(&mut self, id: &Value, asked: &Searched, base: Config) -> Result<(), Fault> {
        self.end_search();
        let earlier = self.search.take();
        self.kept = None;
        self.search = Some(SearchTask::new(id.clone(), asked, base, self.threads, earlier)?);
        Ok(())
    }

    fn begin_solve(&mut self, id: &Value, asked: &Solved) -> Result<(), Fault> {
        let place = Place::find(&asked.search.of)?;
        let fitting = if place.position.has_chance() { "gpn" } else { "auto" };
        if asked.algorithm.as_deref().unwrap_or(fitting) == "gpn" {
            let mut search = asked.search.clone();
            if let Some(goal) = &asked.goal {
                search.options.insert("goal".into(), goal.as_str().into());
            }
            return self.begin_search(id, &search, Config::proving());
        }
        if let Some(earlier) = self.solve.as_ref().and_then(|solve| solve.id.clone()) {
            self.stop(&earlier);
        }
        let earlier = self.solve.take();
        self.solve = Some(SolveTask::new(id.clone(), asked, &place, self.threads, earlier)?);
        Ok(())
    }

    /// Ends the running search with its last answer.
    fn end_search(&mut self) {
        if let Some(id) = self.search.as_ref().and_then(|search| search.id.clone()) {
            self.stop(&id);
        }
    }

    /// Ends a request with its last answer; returns whether it was in progress.
    fn stop(&mut self, which: &Value) -> bool {
        let searches = self.search.as_ref().is_some_and(|search| search.id.as_ref() == Some(which));
        if let Some(search) = self.search.as_mut().filter(|_| searches) {
            search.id = None;
            let answer = search.stop().and_then(|answer| to_json(&answer));
            if answer.is_err() {
                self.search = None;
            }
            self.finish(which, answer);
            return true;
        }
        let solves = self.solve.as_ref().is_some_and(|solve| solve.id.as_ref() == Some(which));
        if let Some(solve) = self.solve.as_mut().filter(|_| solves) {
            solve.id = None;
            let answer = solve.stop().and_then(|answer| to_json(&answer));
            if answer.is_err() {
                self.solve = None;
            }
            self.finish(which, answer);
            return true;
        }
        if self.open.as_ref().is_some_and(|open| open.id == *which) {
            self.stop_open();
            return true;
        }
        false
    }

    /// Ends the running certificate check.
    fn stop_open(&mut self) {
        if let Some(open) = self.open.take() {
            open.stopped.store(true, Ordering::Relaxed);
            self.finish(&open.id, Err(Fault::new("the check was stopped")));
        }
    }

    /// Continues the running tasks for about `time`, and reports their progress.
    fn go_on(&mut self, time: Duration) {
        while let Ok(news) = self.rung.try_recv() {
            self.hear(news);
        }
        self.go_on_open();
        let searches = self.search.as_ref().is_some_and(|search| search.id.is_some());
        // Without threads the two share a step.
        let time = if self.is_solving() { time / 2 } else { time };
        if searches {
            self.go_on_search(time);
        }
        if self.is_solving() {
            self.go_on_solve(time);
        }
    }

    fn go_on_search(&mut self, time: Duration) {
        let bell = self.bell();
        let Some(search) = &mut self.search else { return };
        let Some(id) = search.id.clone() else { return };
        match search.step(time, bell) {
            Ok(search::Progress::Silent) => {}
            Ok(search::Progress::Answer(answer)) => self.tell(&id, to_json(&*answer)),
            Ok(search::Progress::Done(answer)) => {
                search.id = None;
                self.finish(&id, to_json(&*answer));
            }
            Err(fault) => {
                self.search = None;
                self.finish(&id, Err(fault));
            }
        }
    }

    fn go_on_solve(&mut self, time: Duration) {
        let bell = self.bell();
        let Some(solve) = &mut self.solve else { return };
        let Some(id) = solve.id.clone() else { return };
        match solve.step(time, bell) {
            Ok(solve::Progress::Silent) => {}
            Ok(solve::Progress::Answer(answer)) => self.tell(&id, to_json(&*answer)),
            Ok(solve::Progress::Done(answer)) => {
                solve.id = None;
                // A settled proof no longer needs its table.
                if answer.settled {
                    self.solve = None;
                }
                self.finish(&id, to_json(&*answer));
            }
            Err(fault) => {
                self.solve = None;
                self.finish(&id, Err(fault));
            }
        }
    }

    /// Begins to check a certificate: on its own thread, or at once on systems without threads.
    fn go_on_open(&mut self) {
        let Some(open) = &mut self.open else { return };
        let Some(text) = open.text.take() else { return };
        let (id, stopped) = (open.id.clone(), Arc::clone(&open.stopped));
        if cfg!(target_family = "wasm") {
            let tell_at_once = self.tell_at_once;
            let opened = proof::open(&text, &mut |entries| {
                if let Some(tell) = tell_at_once {
                    tell(&json!({ "id": id, "entries": entries }).to_string());
                }
                true
            });
            self.hear(News::Opened(id, Box::new(opened)));
            return;
        }
        let bell = self.bell.clone();
        let check = move || {
            let opened = proof::open(&text, &mut |entries| {
                // Sending fails if the engine has been dropped.
                bell.send(News::Entries(id.clone(), entries)).is_ok()
                    && !stopped.load(Ordering::Relaxed)
            });
            let _ = bell.send(News::Opened(id, Box::new(opened)));
        };
        let thread = std::thread::Builder::new().name("proofwood-check".into());
        if let Err(error) = thread.spawn(check)
            && let Some(open) = self.open.take()
        {
            self.finish(&open.id, Err(Fault::new(format!("no thread can be started: {error}"))));
        }
    }

    /// Handles a message from a thread.
    fn hear(&mut self, news: News) {
        let current =
            |id: &Value, open: &Option<OpenTask>| open.as_ref().is_some_and(|open| open.id == *id);
        match news {
            News::Ended => {}
            News::Entries(id, entries) if current(&id, &self.open) => {
                self.tell(&id, Ok(json!({ "entries": entries })));
            }
            News::Opened(id, opened) if current(&id, &self.open) => {
                self.open = None;
                let answer = opened.and_then(|(opened, proof)| {
                    self.proof = proof;
                    to_json(&opened)
                });
                self.finish(&id, answer);
            }
            // From a check that was stopped.
            News::Entries(..) | News::Opened(..) => {}
        }
    }

    /// A hook that reports the end of a search or a proof.
    fn bell(&self) -> Box<dyn FnOnce() + Send> {
        let bell = self.bell.clone();
        Box::new(move || {
            // Sending fails if the engine has been dropped.
            let _ = bell.send(News::Ended);
        })
    }

    /// Queues the last answer to a request.
    fn finish(&mut self, id: &Value, answer: Result<Value, Fault>) {
        let mut answer = answer.unwrap_or_else(|fault| json!({ "error": fault.to_string() }));
        answer["done"] = true.into();
        self.tell(id, Ok(answer));
    }

    /// Queues an answer to a request.
    fn tell(&mut self, id: &Value, answer: Result<Value, Fault>) {
        let mut answer = answer.unwrap_or_else(|fault| json!({ "error": fault.to_string() }));
        answer["id"] = id.clone();
        self.answers.push_back(answer.to_string());
    }
}

/// The longest sleep of a step between checks for progress.
const LOOK_EVERY: Duration = Duration::from_millis(50);

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine")
            .field("threads", &self.threads)
            .field("is_busy", &self.is_busy())
            .finish_non_exhaustive()
    }
}

fn to_json(answer: &impl Serialize) -> Result<Value, Fault> {
    serde_json::to_value(answer).map_err(Fault::new)
}

/// A game's entry in the list of games.
fn game(info: &GameInfo) -> Value {
    let options = info.options.iter();
    let options = options.map(|(option, meaning)| json!({ "option": option, "meaning": meaning }));
    // A game whose size is required is invalid by its name alone.
    let game = place::find(info.name).map_or_else(|_| info.example.into(), |(spec, _)| spec);
    json!({
        "name": info.name,
        "summary": info.summary,
        "rules": info.rules,
        "notation": info.notation,
        "options": options.collect::<Vec<_>>(),
        "example": info.example,
        "game": game,
    })
}
