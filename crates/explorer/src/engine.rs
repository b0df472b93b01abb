//! The engine: requests and running tasks.

use crate::clock;
use crate::place::{self, Place};
use crate::proof::{self, OpenedJson, Proof};
use crate::search::{KeptTree, SearchTask};
use crate::solve::SolveTask;
use crate::task::{self, Task, to_json};
use proofwood::Config;
use proofwood_any_game::query::{self, Ask, Given, Open, Query, Refusal, Stop, Wrong};
use proofwood_games::{GameInfo, games};
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
/// At most one search, one proof and one check of a certificate run at a time; a new one ends the
/// previous one of its kind.
pub struct Engine {
    threads: usize,
    /// Answers not yet taken by the caller.
    answers: VecDeque<String>,
    /// The latest search, even if it has ended.
    search: Option<SearchTask>,
    /// The latest proof, even if it was stopped.
    solve: Option<SolveTask>,
    open: Option<OpenTask>,
    proof: Option<Proof>,
    /// The tree loaded at the start, which is kept until another search begins.
    kept: Option<KeptTree>,
    /// Messages from threads that have ended a task or have progress to report.
    rung: Receiver<News>,
    bell: Sender<News>,
    /// Receives answers that cannot wait for the end of a step.
    tell_at_once: Option<fn(&str)>,
}

struct OpenTask {
    id: Value,
    stopped: Arc<AtomicBool>,
    /// The certificate in base64, until a step takes it.
    text: Option<String>,
}

enum News {
    Ended,
    /// The request's id, and the number of certificate entries read so far.
    Entries(Value, u64),
    Opened(Value, Box<Result<(OpenedJson, Option<Proof>), Wrong>>),
}

impl Engine {
    /// Creates an engine whose searches use `threads` threads, or always one in WebAssembly.
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
    /// step on systems without threads.
    pub fn tell_at_once(&mut self, tell: fn(&str)) {
        self.tell_at_once = Some(tell);
    }

    /// Loads a saved tree at the start. A `kept` request returns its results, and a search with the
    /// same options from its position or a later one continues with it.
    ///
    /// # Errors
    /// A one-line reason why the tree cannot be loaded.
    pub fn load_tree(&mut self, kept: KeptTree, input: &mut dyn Read) -> Result<(), String> {
        let loaded = SearchTask::loaded(&kept, self.threads, input);
        self.search = Some(loaded.map_err(|wrong| wrong.to_string())?);
        self.kept = Some(kept);
        Ok(())
    }

    /// Accepts a request. Its answers are returned by the next [`step`](Engine::step)s.
    pub fn ask(&mut self, line: &str) {
        let (id, begun) = match Query::read(line, "search") {
            Ok(Query { id, ask }) => (id.clone(), self.begin(&id, ask)),
            Err(Refusal { id, wrong }) => (id, Err(wrong)),
        };
        if let Some(answer) = begun.transpose() {
            self.finish(&id, answer);
        }
    }

    /// Works for about `time` and returns the answers, each on one line. Returns early when there
    /// are answers, or when nothing is in progress.
    pub fn step(&mut self, time: Duration) -> Vec<String> {
        let until = clock::now().saturating_add(time);
        loop {
            let left = until.saturating_sub(clock::now());
            self.go_on(left);
            let left = until.saturating_sub(clock::now());
            if !self.answers.is_empty() || !self.is_busy() || left.is_zero() {
                return self.answers.drain(..).collect();
            }
            // If there are threads, they do the work.
            if !cfg!(target_family = "wasm")
                && let Ok(news) = self.rung.recv_timeout(left.min(LOOK_EVERY))
            {
                self.hear(news);
            }
        }
    }

    /// Returns whether a task is in progress, or an answer is waiting to be returned.
    pub fn is_busy(&self) -> bool {
        let searches = self.search.as_ref().is_some_and(Task::is_under_way);
        !self.answers.is_empty() || searches || self.is_solving() || self.open.is_some()
    }

    fn is_solving(&self) -> bool {
        self.solve.as_ref().is_some_and(Task::is_under_way)
    }

    /// Answers a short request, or begins a long one.
    fn begin(&mut self, id: &Value, ask: Ask) -> Result<Option<Value>, Wrong> {
        match ask {
            Ask::Games(_) => {
                let games: Vec<Value> = games().iter().map(game).collect();
                return Ok(Some(json!({ "games": games })));
            }
            Ask::Position(of) => return to_json(&Place::find(&of)?.view()).map(Some),
            Ask::Search(asked) => {
                self.begin_search(id, served(*asked)?, Config::default())?;
            }
            Ask::Solve(asked) => self.begin_solve(id, served(*asked)?)?,
            Ask::Tree(of) => {
                let search = self.search.as_mut();
                let search =
                    search.ok_or_else(|| Wrong::new("there is no tree yet; start a search"))?;
                let tree = search.tree(&of)?;
                return Ok(Some(json!({ "tree": to_json(&tree)? })));
            }
            Ask::Kept(_) => {
                let (search, kept) = (self.search.as_mut(), self.kept.as_ref());
                let Some((search, kept)) = search.zip(kept) else {
                    return Err(Wrong::new("no tree is loaded, or a new search has replaced it"));
                };
                let options: Map<String, Value> =
                    kept.options.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
                let mut answer = to_json(&search.known()?)?;
                answer["options"] = options.into();
                return Ok(Some(answer));
            }
            Ask::Stop(Stop { which, turns }) => {
                if turns.is_some() {
                    return Err(Wrong::of(
                        "turns",
                        "turns: only one position per query is allowed here",
                    ));
                }
                return Ok(Some(json!({ "stopped": self.stop(which.as_ref()) })));
            }
            Ask::Version(_) => return Ok(Some(json!({ "version": env!("CARGO_PKG_VERSION") }))),
            Ask::Open(Open { certificate }) => {
                self.stop_open();
                self.proof = None;
                let stopped = Arc::new(AtomicBool::new(false));
                self.open = Some(OpenTask { id: id.clone(), stopped, text: Some(certificate) });
            }
            Ask::Walk(asked) => {
                let proof = self.proof.as_ref();
                let proof = proof.ok_or_else(|| Wrong::new("no certificate is open"))?;
                return to_json(&proof.walk(&asked)?).map(Some);
            }
        }
        Ok(None)
    }

    fn begin_search(
        &mut self,
        id: &Value,
        mut asked: query::Task,
        base: Config,
    ) -> Result<(), Wrong> {
        asked.options.extend(asked.goal.take().map(|goal| ("goal".to_string(), goal)));
        let ended = task::end(&mut self.search, None);
        self.last_answers(ended);
        let earlier = self.search.take();
        self.kept = None;
        self.search = Some(SearchTask::new(id.clone(), &asked, base, self.threads, earlier)?);
        Ok(())
    }

    fn begin_solve(&mut self, id: &Value, asked: query::Task) -> Result<(), Wrong> {
        let place = Place::find(&asked.of())?;
        let fitting = if place.position.has_chance() { "gpn" } else { "auto" };
        if asked.algorithm.as_ref().map_or(fitting.into(), Given::to_string) == "gpn" {
            return self.begin_search(id, asked, Config::proving());
        }
        let ended = task::end(&mut self.solve, None);
        self.last_answers(ended);
        let earlier = self.solve.take();
        self.solve = Some(SolveTask::new(id.clone(), &asked, &place, self.threads, earlier)?);
        Ok(())
    }

    /// Stops the query with this id, or all queries; returns whether any was running.
    fn stop(&mut self, which: Option<&Value>) -> bool {
        let searches = task::end(&mut self.search, which);
        let solves = task::end(&mut self.solve, which);
        let opens = self.open.as_ref().is_some_and(|open| which.is_none_or(|id| open.id == *id));
        if opens {
            self.stop_open();
        }
        let ended = searches.is_some() || solves.is_some() || opens;
        self.last_answers(searches.into_iter().chain(solves));
        ended
    }

    fn last_answers(&mut self, ended: impl IntoIterator<Item = task::Answered>) {
        ended.into_iter().for_each(|(id, answer)| self.finish(&id, answer));
    }

    fn stop_open(&mut self) {
        if let Some(open) = self.open.take() {
            open.stopped.store(true, Ordering::Relaxed);
            self.finish(&open.id, Err(Wrong::new("the check was stopped")));
        }
    }

    /// Continues the running tasks for about `time`, and reports their progress.
    fn go_on(&mut self, time: Duration) {
        while let Ok(news) = self.rung.try_recv() {
            self.hear(news);
        }
        self.go_on_open();
        // Without threads, a search and a proof share a step.
        let time = if self.is_solving() { time / 2 } else { time };
        let [for_search, for_proof] = [self.bell(), self.bell()];
        let searched = task::go_on(&mut self.search, time, for_search);
        let solved = task::go_on(&mut self.solve, time, for_proof);
        for ((id, answer), last) in searched.into_iter().chain(solved) {
            if last { self.finish(&id, answer) } else { self.tell(&id, answer) }
        }
    }

    /// Begins to check a certificate on a thread of its own. On systems without threads, checks it
    /// before returning.
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
            self.finish(&open.id, Err(Wrong::new(format!("cannot start a thread: {error}"))));
        }
    }

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
            // The check was stopped.
            News::Entries(..) | News::Opened(..) => {}
        }
    }

    /// Returns a hook that reports the end of a search or a proof.
    fn bell(&self) -> Box<dyn FnOnce() + Send> {
        let bell = self.bell.clone();
        Box::new(move || {
            // Sending fails if the engine has been dropped.
            let _ = bell.send(News::Ended);
        })
    }

    fn finish(&mut self, id: &Value, answer: Result<Value, Wrong>) {
        let mut answer = answer.unwrap_or_else(|wrong| wrong.answer(id));
        answer["done"] = true.into();
        self.tell(id, Ok(answer));
    }

    fn tell(&mut self, id: &Value, answer: Result<Value, Wrong>) {
        let mut answer = answer.unwrap_or_else(|wrong| wrong.answer(id));
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

/// Refuses fields of a query that only `proofwood analyze` supports.
fn served(asked: query::Task) -> Result<query::Task, Wrong> {
    let unknown = [
        ("allow_moves", asked.allow_moves.is_some()),
        ("avoid_moves", asked.avoid_moves.is_some()),
        ("turns", asked.turns.is_some()),
        ("priority", asked.priority.is_some()),
        ("priorities", asked.priorities.is_some()),
        ("cpu_time", asked.cpu_time.is_some()),
        ("nodes", asked.nodes.is_some()),
        ("bytes", asked.bytes.is_some()),
        ("load_tree", asked.load_tree.is_some()),
        ("save_tree", asked.save_tree.is_some()),
        ("force", asked.force),
    ];
    match unknown.iter().find(|(_, given)| *given) {
        Some((field, _)) => {
            Err(Wrong::of(field, format!("{field}: only `proofwood analyze` has this field")))
        }
        None => Ok(asked),
    }
}

fn game(info: &GameInfo) -> Value {
    let options = info.options.iter();
    let options = options.map(|(option, meaning)| json!({ "option": option, "meaning": meaning }));
    // If a game requires a size, its name alone is not a valid description.
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
