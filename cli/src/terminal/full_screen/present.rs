//! The full screen: entering it, keys, and leaving it whatever happens.

use crate::display::watch::{History, Scene, Watched};
use crate::exit::complain;
use crate::terminal::is_watched;
use anstream::{AutoStream, ColorChoice};
use proofwood::{Budget, CancelToken, Config};
use proofwood_any_game::{Answer, ProofAnswer, View};
use proofwood_session::Trouble;
use proofwood_session::words::players;
use ratatui::Terminal;
use ratatui::backend::{Backend, CrosstermBackend};
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};
use ratatui::crossterm::{cursor, execute, terminal};
use std::io::{self, Stderr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// A search that ends sooner is not worth a change of the screen.
const FIRST: Duration = Duration::from_millis(250);
/// How often the search is looked at.
const INTERVAL: Duration = Duration::from_millis(200);
/// How long a key is waited for, so how late the end of the search is seen.
const WAIT: Duration = Duration::from_millis(20);

/// A search on the whole terminal.
pub(crate) struct FullScreen {
    title: String,
    view: View,
    config: Config,
}

impl FullScreen {
    /// Whether there is a terminal.
    pub(crate) fn check() -> Result<(), Trouble> {
        if is_watched() {
            return Ok(());
        }
        let what = "--watch needs a terminal on standard error; leave --watch out";
        Err(Trouble::Input(what.into()))
    }

    /// The search of a position.
    pub(crate) fn new(game: &str, view: View, config: &Config) -> Option<FullScreen> {
        let title = format!("{game}: {}", players::to_move(&view).trim_end());
        Some(FullScreen { title, view, config: config.clone() })
    }

    /// Shows a search until it ends or somebody leaves, which ends it.
    pub(crate) fn show_search(
        &self,
        is_running: &dyn Fn() -> bool,
        snapshot: &dyn Fn() -> Answer,
        budget: &Budget,
    ) {
        let watched = || Watched::of_search(&self.view, &snapshot(), &self.config, budget.time);
        self.show(is_running, &watched, None, budget.cancel.as_ref());
    }

    /// Shows a prover until it ends or somebody leaves, and does what there is to do
    /// meanwhile.
    pub(crate) fn show_proof(
        &self,
        is_running: &dyn Fn() -> bool,
        snapshot: &dyn Fn() -> ProofAnswer,
        meanwhile: Option<&mut dyn FnMut()>,
        budget: &Budget,
    ) {
        let watched = || Watched::of_proof(&self.view, &snapshot(), budget.time);
        self.show(is_running, &watched, meanwhile, budget.cancel.as_ref());
    }

    fn show(
        &self,
        is_running: &dyn Fn() -> bool,
        watched: &dyn Fn() -> Watched,
        meanwhile: Option<&mut dyn FnMut()>,
        cancel: Option<&CancelToken>,
    ) {
        match show_on(&mut Own, &self.title, &self.view.board, is_running, watched, meanwhile) {
            Ok(Left::AtTheEnd) => {}
            Ok(Left::ByKey) => cancel.into_iter().for_each(CancelToken::cancel),
            Err(error) => complain(&format!("--watch: the search goes on unseen: {error}")),
        }
    }
}

/// Why nothing is shown any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Left {
    /// The search has ended.
    AtTheEnd,
    /// The user has asked for the answer.
    ByKey,
}

/// What a key means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Key {
    Leave,
    /// So many rows up or down.
    Scroll(isize),
    /// The terminal has another size.
    Resize,
}

/// The terminal that is drawn on.
trait Host {
    type Backend: Backend;
    /// Takes the whole terminal.
    fn enter(&mut self) -> io::Result<Terminal<Self::Backend>>;
    /// Gives it back.
    fn leave(&mut self);
    /// Waits for a key.
    fn key(&mut self, wait: Duration) -> io::Result<Option<Key>>;
}

/// Gives a terminal back when it is dropped.
struct Entered<'h, H: Host>(&'h mut H);

impl<H: Host> Drop for Entered<'_, H> {
    fn drop(&mut self) {
        self.0.leave();
    }
}

/// Shows a search on a terminal until it ends or a key is pressed that leaves.
fn show_on<H: Host>(
    host: &mut H,
    title: &str,
    board: &str,
    is_running: &dyn Fn() -> bool,
    watched: &dyn Fn() -> Watched,
    mut meanwhile: Option<&mut dyn FnMut()>,
) -> io::Result<Left> {
    let start = Instant::now();
    while is_running() && start.elapsed() < FIRST {
        thread::sleep(start.elapsed().mul_f64(0.02).clamp(Duration::from_micros(50), WAIT));
    }
    if !is_running() {
        return Ok(Left::AtTheEnd);
    }
    let entered = Entered(host);
    let mut terminal = entered.0.enter()?;
    let colours = AutoStream::choice(&io::stderr()) != ColorChoice::Never;
    let (mut history, mut scrolled) = (History::new(), 0_usize);
    let mut now = watched();
    let (mut next, mut is_new) = (Instant::now(), true);
    while is_running() {
        if Instant::now() >= next {
            next = Instant::now() + INTERVAL;
            now = watched();
            if let Some(figure) = now.graph {
                history.add(now.elapsed.as_secs_f64(), figure);
            }
            is_new = true;
        }
        if is_new {
            let (watched, history) = (&now, &history);
            let scene = Scene { title, board, watched, history, scrolled, colours };
            terminal
                .draw(|frame| scene.draw(frame))
                .map_err(|error| io::Error::other(error.to_string()))?;
            is_new = false;
        }
        if let Some(meanwhile) = &mut meanwhile {
            meanwhile();
        }
        match entered.0.key(WAIT)? {
            Some(Key::Leave) => return Ok(Left::ByKey),
            Some(Key::Scroll(rows)) => {
                scrolled = scrolled.saturating_add_signed(rows).min(now.rows.len());
                is_new = true;
            }
            Some(Key::Resize) => is_new = true,
            None => {}
        }
    }
    Ok(Left::AtTheEnd)
}

/// Whether the program's own terminal is taken. SeqCst: it is asked for by whoever ends the
/// program, and time does not matter.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// Gives the program's terminal back, if it is taken; for whoever ends the program without
/// more ado.
pub(crate) fn restore() {
    if TAKEN.swap(false, Ordering::SeqCst) {
        let _ = terminal::disable_raw_mode();
        let _ = execute!(io::stderr(), terminal::LeaveAlternateScreen, cursor::Show);
    }
}

/// The program's own terminal.
struct Own;

impl Host for Own {
    type Backend = CrosstermBackend<Stderr>;

    fn enter(&mut self) -> io::Result<Terminal<Self::Backend>> {
        // A panic of this thread is told where it can be read. Those of a search's threads
        // are errors of the search.
        let (own, usual) = (thread::current().id(), Arc::from(std::panic::take_hook()));
        std::panic::set_hook(Box::new(move |info| {
            if thread::current().id() == own {
                restore();
            }
            let usual: &(dyn Fn(&std::panic::PanicHookInfo<'_>) + Send + Sync) = &*usual;
            usual(info);
        }));
        TAKEN.store(true, Ordering::SeqCst);
        terminal::enable_raw_mode()?;
        execute!(io::stderr(), terminal::EnterAlternateScreen, cursor::Hide)?;
        Terminal::new(CrosstermBackend::new(io::stderr()))
    }

    fn leave(&mut self) {
        restore();
    }

    fn key(&mut self, wait: Duration) -> io::Result<Option<Key>> {
        let wait = match has_hung_up(wait) {
            Some(true) => return Ok(Some(Key::Leave)),
            Some(false) => Duration::ZERO,
            None => wait,
        };
        if !event::poll(wait)? {
            return Ok(None);
        }
        Ok(meaning(&event::read()?))
    }
}

/// Waits for a key, and tells whether the terminal was closed instead: crossterm would read
/// its end for ever. `None` where the system does not tell.
#[cfg(unix)]
fn has_hung_up(wait: Duration) -> Option<bool> {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let terminal = io::stderr();
    let mut asked = [PollFd::new(&terminal, PollFlags::IN)];
    let wait = Timespec::try_from(wait).ok()?;
    // A signal ends the wait, which says nothing.
    let _ = poll(&mut asked, Some(&wait));
    Some(asked[0].revents().intersects(PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL))
}

#[cfg(not(unix))]
fn has_hung_up(_wait: Duration) -> Option<bool> {
    None
}

/// What an event means.
fn meaning(event: &Event) -> Option<Key> {
    let key = match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => key,
        Event::Resize(..) => return Some(Key::Resize),
        _ => return None,
    };
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    Some(match key.code {
        KeyCode::Char('q') | KeyCode::Esc => Key::Leave,
        KeyCode::Char('c' | 'd') if control => Key::Leave,
        KeyCode::Up | KeyCode::Char('k') => Key::Scroll(-1),
        KeyCode::Down | KeyCode::Char('j') => Key::Scroll(1),
        KeyCode::PageUp => Key::Scroll(-10),
        KeyCode::PageDown => Key::Scroll(10),
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
