//! Serves the page over HTTP to browsers on this machine, with the native engine behind it.
//!
//! - `content`: the games, certificates and trees with which pages begin.
//! - `guard`: refuses requests from other pages in the same browser.
//! - `session`: an engine for each open page.
//! - `http`: reads a request and writes an answer.
//!
//! | request, below the token | answer |
//! |---|---|
//! | `GET` | a redirect to a new session, `N/` |
//! | `GET N/` | the page; the second time, a redirect to a new session |
//! | `GET N/style.css` and the like | parts of the page |
//! | `POST N/ask` | 204; the body is a request for the engine |
//! | `POST N/end` | 204; the page is closed, and its engine ends |
//! | `GET N/answers` | the answers since the last request, one per line, after at most 20 s |
//! | `GET N/certificate` | the certificate that the program was given |

mod content;
mod guard;
mod http;
mod session;

use crate::engine::Engine;
use crate::page;
use crate::search::KeptTree;
use guard::Guard;
use http::{Answer, Connection};
use proofwood_session::Trouble;
use session::Session;
use std::collections::BTreeMap;
use std::fs::File;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// The time for which a page waits for answers: `WAIT`, or `TURN` if more than `AT_ONCE` pages are
/// open, because all pages share the six connections that a browser opens to one server.
const WAIT: Duration = Duration::from_secs(20);
const TURN: Duration = Duration::from_millis(300);
const AT_ONCE: usize = 4;
/// The size limit of a request in bytes; the largest requests are certificates in base64.
const LARGEST: u64 = 64 << 20;
/// The greatest number of open pages; one more closes the oldest.
const PAGES: usize = 8;
/// The greatest number of connections, each with a thread.
const CONNECTIONS: usize = 64;

/// A tree in a file, with its description.
#[derive(Clone, Debug)]
pub struct Tree {
    /// The path of the file.
    pub path: PathBuf,
    /// The game, the position and the options of the tree.
    pub kept: KeptTree,
}

/// The contents of the pages that a server serves.
#[derive(Debug, Default)]
pub struct Exploring {
    /// The fragment of the page's address, which describes what the page shows at first.
    pub fragment: String,
    /// A certificate that the page can load.
    pub certificate: Option<Vec<u8>>,
    /// The tree with which each page begins.
    pub tree: Option<Tree>,
    /// The number of threads of each search.
    pub threads: usize,
    /// The port; 0 for any free one.
    pub port: u16,
}

/// A server that listens on its port.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    at: SocketAddr,
    house: Arc<House>,
}

#[derive(Debug)]
struct House {
    guard: Guard,
    exploring: Exploring,
    sessions: Mutex<Sessions>,
    /// The number of open connections. Relaxed ordering suffices, because it guards no other data.
    busy: AtomicUsize,
    /// Whether the server has to end. Relaxed ordering suffices, because it guards no other data.
    ended: AtomicBool,
}

/// Counts a connection as open until it is dropped.
struct Seat(Arc<House>);

impl Seat {
    /// Counts one more connection; returns `None` if there are too many.
    fn of(house: &Arc<House>) -> Option<Seat> {
        let others = house.busy.fetch_add(1, Ordering::Relaxed);
        let seat = Seat(Arc::clone(house));
        (others < CONNECTIONS).then_some(seat)
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.0.busy.fetch_sub(1, Ordering::Relaxed);
    }
}

#[derive(Debug, Default)]
struct Sessions {
    open: BTreeMap<u64, Arc<Session>>,
    last: u64,
}

impl Server {
    /// Binds the server to this machine's loopback address.
    ///
    /// # Errors
    /// If the port is taken, or the system provides no random numbers.
    pub fn open(exploring: Exploring) -> Result<Server, Trouble> {
        let (host, port) = (Ipv4Addr::LOCALHOST, exploring.port);
        let failed = |error| Trouble::Failed(format!("cannot listen on {host}:{port}: {error}"));
        let listener = TcpListener::bind((host, port)).map_err(failed)?;
        let at = listener.local_addr().map_err(failed)?;
        let guard = Guard::new(at.port())?;
        let (sessions, busy) = (Mutex::default(), AtomicUsize::new(0));
        let ended = AtomicBool::new(false);
        let house = Arc::new(House { guard, exploring, sessions, busy, ended });
        Ok(Server { listener, at, house })
    }

    /// Returns the address of the page, with the token that every request needs.
    pub fn address(&self) -> String {
        let House { guard, exploring, .. } = &*self.house;
        format!("http://{}{}{}", self.at, guard.root(), exploring.fragment)
    }

    /// Returns a function that ends the server.
    pub fn end(&self) -> impl Fn() + Send + 'static {
        let (house, at) = (Arc::clone(&self.house), self.at);
        move || {
            house.ended.store(true, Ordering::Relaxed);
            // Wakes the server, which waits for a connection.
            drop(TcpStream::connect(at));
        }
    }

    /// Serves pages until the function from [`end`](Server::end) is called.
    pub fn run(&self) {
        loop {
            let accepted = self.listener.accept();
            if self.house.ended.load(Ordering::Relaxed) {
                break;
            }
            let Ok((stream, _)) = accepted else {
                // The connection was closed already, or there are too many open files.
                thread::sleep(Duration::from_millis(10));
                continue;
            };
            // Too many connections: this one is closed.
            let Some(seat) = Seat::of(&self.house) else { continue };
            // Errors are ignored: the client has gone, or there is no thread for the connection.
            let serve = move || drop(seat.0.serve(stream));
            drop(thread::Builder::new().name("page".into()).spawn(serve));
        }
        // Wakes the pages that wait for answers.
        self.house.sessions().open.values().for_each(|session| session.end());
    }
}

/// Creates the engine for a page. If the file of the tree has changed since the program loaded it,
/// the engine has no tree.
fn engine(threads: usize, tree: Option<Tree>) -> Engine {
    let mut engine = Engine::new(threads);
    if let Some(Tree { path, kept }) = tree
        && let Ok(mut file) = File::open(path)
    {
        let _ = engine.load_tree(kept, &mut file);
    }
    engine
}

impl House {
    fn sessions(&self) -> MutexGuard<'_, Sessions> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn serve(&self, stream: TcpStream) -> std::io::Result<()> {
        let Some(mut connection) = Connection::read(stream)? else { return Ok(()) };
        let admitted = self.guard.admit(&connection.request).map(str::to_string);
        let answer = match admitted {
            Ok(path) => self.admitted(&path, &mut connection),
            Err(status) => Answer::told(status, "there is nothing at this address"),
        };
        connection.answer(&answer)
    }

    fn admitted(&self, path: &str, connection: &mut Connection) -> Answer {
        let is_get = matches!(&*connection.request.method, "GET" | "HEAD");
        let closed = || Answer::told(410, "this page was closed; reload it");
        let Some((number, name)) = path.split_once('/') else {
            return match is_get && path.is_empty() {
                true => self.begin(),
                false => Answer::told(404, "there is no such page"),
            };
        };
        let session = number.parse().ok();
        let session = session.and_then(|number| self.sessions().open.get(&number).cloned());
        let Some(session) = session.filter(|session| !session.has_ended()) else {
            // Reloading a closed page starts a new session, but its parts and requests are refused.
            return if is_get && name.is_empty() { self.begin() } else { closed() };
        };
        match (is_get, name) {
            (true, "answers") => {
                let open = self.sessions().open.len();
                match session.answers(if open > AT_ONCE { TURN } else { WAIT }) {
                    Some(lines) => Answer::body("application/x-ndjson", lines.join("\n")),
                    None => closed(),
                }
            }
            (false, "end") if connection.request.method == "POST" => {
                session.end();
                Answer { status: 204, ..Answer::body("", "") }
            }
            (true, "certificate") => match &self.exploring.certificate {
                Some(bytes) => Answer::body("application/octet-stream", bytes.clone()),
                None => Answer::told(404, "there is no certificate to load"),
            },
            (true, "") if session.load() => {
                Answer::body("text/html; charset=utf-8", page::over_http())
            }
            // A second page with this address gets its own engine. (When a page is reloaded, it
            // ends its engine first.)
            (true, "") => self.begin(),
            (true, name) => match page::part(name) {
                Some((kind, text)) => Answer::body(kind, text),
                None => Answer::told(404, "the server has no such resource"),
            },
            (false, "ask") if connection.request.method == "POST" => {
                let body = match connection.body(LARGEST) {
                    Ok(body) => body,
                    Err(answer) => return answer,
                };
                match String::from_utf8(body) {
                    Ok(line) => match session.ask(line) {
                        true => Answer { status: 204, ..Answer::body("", "") },
                        false => closed(),
                    },
                    Err(_) => Answer::told(400, "the request is not UTF-8 text"),
                }
            }
            _ => Answer::told(405, "this method is not supported here"),
        }
    }

    /// Starts a session and redirects to it. Browsers keep the fragment of the address.
    fn begin(&self) -> Answer {
        let Exploring { threads, tree, .. } = &self.exploring;
        let (threads, tree) = (*threads, tree.clone());
        let Ok(session) = Session::begin(move || engine(threads, tree)) else {
            return Answer::told(503, "too many engines are running; close a page");
        };
        let mut sessions = self.sessions();
        sessions.open.retain(|_, session| !session.has_ended());
        while sessions.open.len() >= PAGES {
            if let Some((_, oldest)) = sessions.open.pop_first() {
                oldest.end();
            }
        }
        sessions.last += 1;
        let number = sessions.last;
        sessions.open.insert(number, Arc::new(session));
        let place = format!("{}{number}/", self.guard.root());
        Answer { location: Some(place), ..Answer::told(303, "here") }
    }
}
