//! Requests over HTTP, and what is answered.
//!
//! | request, below the token | answer |
//! |---|---|
//! | `GET` | on to a session of its own: `N/` |
//! | `GET N/` | the page; the second time on to a new session |
//! | `GET N/style.css` and the like | parts of the page |
//! | `POST N/ask` | 204; the body is a request for the engine |
//! | `POST N/end` | 204; the page goes, and its engine with it |
//! | `GET N/answers` | the answers since the last time, one a line, after 20 s at most |
//! | `GET N/certificate` | the certificate that the program was given |

use super::Exploring;
use super::guard::Guard;
use super::http::{Answer, Connection};
use super::session::Session;
use crate::terminal::interrupt::Interrupt;
use crate::terminal::print::Printer;
use proofwood_explorer::page;
use proofwood_session::{Ended, Trouble};
use std::collections::BTreeMap;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// How long a page waits for answers; where more pages are open than a browser has connections
/// to one server (six), they take turns.
const WAIT: Duration = Duration::from_secs(20);
const TURN: Duration = Duration::from_millis(300);
const AT_ONCE: usize = 4;
/// The largest request: a certificate in base64.
const LARGEST: u64 = 64 << 20;
/// Pages that are open at once; the oldest is closed for one more.
const PAGES: usize = 8;
/// Connections at once, each with a thread.
const CONNECTIONS: usize = 64;

/// What every request is answered from.
struct House {
    guard: Guard,
    exploring: Exploring,
    sessions: Mutex<Sessions>,
    /// Connections that are open. Relaxed: a count, and no data goes with it.
    busy: AtomicUsize,
}

/// A connection that counts as open.
struct Seat(Arc<House>);

impl Seat {
    /// A seat for one more connection, if there is one.
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

/// The pages that are open, by their numbers.
#[derive(Default)]
struct Sessions {
    open: BTreeMap<u64, Arc<Session>>,
    last: u64,
}

/// Serves the page until Ctrl-C.
pub(crate) fn serve(exploring: Exploring, printer: &mut Printer) -> Result<Ended, Trouble> {
    let (host, port) = (Ipv4Addr::LOCALHOST, exploring.port);
    let failed = |error| Trouble::Failed(format!("cannot listen at {host}:{port}: {error}"));
    let listener = TcpListener::bind((host, port)).map_err(failed)?;
    let port = listener.local_addr().map_err(failed)?.port();
    let guard = Guard::new(port)?;
    let address = format!("http://{host}:{port}{}{}", guard.root(), exploring.fragment);
    let interrupt = Interrupt::catch()?;
    // Whoever waits for a connection wakes by one.
    interrupt.call(move || drop(TcpStream::connect((host, port))));
    printer.text(&format!("{address}\n"))?;
    if exploring.opens {
        open(&address);
    }
    let (sessions, busy) = (Mutex::default(), AtomicUsize::new(0));
    let house = Arc::new(House { guard, exploring, sessions, busy });
    loop {
        let accepted = listener.accept();
        if interrupt.is_raised() {
            break;
        }
        let Ok((stream, _)) = accepted else {
            // A connection that is gone again, or no more of them for the moment.
            thread::sleep(Duration::from_millis(10));
            continue;
        };
        // A connection too many is closed.
        let Some(seat) = Seat::of(&house) else { continue };
        // Who has gone meanwhile needs no answer, and without a thread there is none.
        let serve = move || drop(seat.0.serve(stream));
        drop(thread::Builder::new().name("page".into()).spawn(serve));
    }
    // Whoever waits for answers hears that there will be none.
    house.sessions().open.values().for_each(|session| session.end());
    Ok(Ended::Done)
}

/// Asks the system to open an address in a browser. Where it cannot, the address was printed.
fn open(address: &str) {
    let words: &[&str] = match () {
        () if cfg!(target_os = "macos") => &["open"],
        () if cfg!(windows) => &["rundll32", "url.dll,FileProtocolHandler"],
        () => &["xdg-open"],
    };
    let mut command = Command::new(words[0]);
    command.args(&words[1..]).arg(address);
    let _ = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
}

impl House {
    fn sessions(&self) -> MutexGuard<'_, Sessions> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Answers the request of a connection.
    fn serve(&self, stream: TcpStream) -> std::io::Result<()> {
        let Some(mut connection) = Connection::read(stream)? else { return Ok(()) };
        let admitted = self.guard.admit(&connection.request).map(str::to_string);
        let answer = match admitted {
            Ok(path) => self.admitted(&path, &mut connection),
            Err(status) => Answer::told(status, "nothing is served here"),
        };
        connection.answer(&answer)
    }

    /// Answers a request that may ask.
    fn admitted(&self, path: &str, connection: &mut Connection) -> Answer {
        let is_get = matches!(&*connection.request.method, "GET" | "HEAD");
        let closed = || Answer::told(410, "this page was closed: load it again");
        let Some((number, name)) = path.split_once('/') else {
            return match is_get && path.is_empty() {
                true => self.begin(),
                false => Answer::told(404, "there is no such page"),
            };
        };
        let session = number.parse().ok();
        let session = session.and_then(|number| self.sessions().open.get(&number).cloned());
        let Some(session) = session.filter(|session| !session.has_ended()) else {
            // A page that was closed begins anew; its parts and questions do not.
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
                None => Answer::told(404, "there is no certificate"),
            },
            (true, "") if session.load() => {
                Answer::body("text/html; charset=utf-8", page::over_http())
            }
            // A second page with this address has an engine of its own. (A page that is loaded
            // again has ended the one before.)
            (true, "") => self.begin(),
            (true, name) => match page::part(name) {
                Some((kind, text)) => Answer::body(kind, text),
                None => Answer::told(404, "there is no such part of the page"),
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
                    Err(_) => Answer::told(400, "that is no text"),
                }
            }
            _ => Answer::told(405, "that cannot be done here"),
        }
    }

    /// Opens a page of its own, and leads there. A browser keeps what stands behind the #.
    fn begin(&self) -> Answer {
        let Ok(session) = Session::begin(self.exploring.threads, self.exploring.tree.clone())
        else {
            return Answer::told(503, "there is no thread for one more engine");
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
