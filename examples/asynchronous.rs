//! Searches in asynchronous code: no thread waits for them, and a search whose future is dropped is
//! stopped.
//!
//! `cargo run --release --example asynchronous`

use proofwood::{Budget, Config, Game, Report, Search, SearchError};
use proofwood_games::ConnectFour;
use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};

/// Stops a search when the future that waits for it is dropped, for example by a timeout.
struct StopOnDrop<'s, G: Game>(&'s mut Search<G>);

impl<G: Game> Drop for StopOnDrop<'_, G> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// Ends the search that an earlier future started, if it is still running after that future was
/// dropped.
async fn rest<G: Game>(search: &mut Search<G>) {
    if search.is_running() {
        let (tell, ended) = oneshot();
        search.on_end(move || tell.send());
        search.stop();
        ended.await;
    }
    let _ = search.wait(); // at once; an error if there was none
}

/// Searches the position until the budget is used up.
async fn think<G: Game>(search: &mut Search<G>, budget: &Budget) -> Result<Report<G>, SearchError> {
    rest(search).await;
    let (tell, ended) = oneshot();
    search.on_end(move || tell.send());
    search.start(budget)?;
    let stopped = StopOnDrop(search);
    ended.await;
    stopped.0.wait() // at once: it has ended
}

/// Plays a move, even while the search ponders.
async fn advance<G: Game>(search: &mut Search<G>, mv: G::Move) -> Result<(), SearchError> {
    rest(search).await;
    search.advance(mv)
}

/// A channel for one message without content, like those of asynchronous runtimes.
fn oneshot() -> (Sender, Receiver) {
    let state = Arc::new(Mutex::new((false, None)));
    (Sender(Arc::clone(&state)), Receiver(state))
}

/// Whether the message was sent, and the task to wake when it is sent.
type Shared = Arc<Mutex<(bool, Option<Waker>)>>;

struct Sender(Shared);

impl Sender {
    fn send(self) {
        let mut state = self.0.lock().expect("nobody panics with it");
        state.0 = true;
        if let Some(waker) = state.1.take() {
            waker.wake();
        }
    }
}

struct Receiver(Shared);

impl Future for Receiver {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let mut state = self.0.lock().expect("nobody panics with it");
        state.1 = Some(context.waker().clone());
        if state.0 { Poll::Ready(()) } else { Poll::Pending }
    }
}

/// Wakes the thread that runs a future.
struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Runs a future to its end, as an asynchronous runtime does.
fn block_on<T>(future: impl Future<Output = T>) -> T {
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let (mut future, mut context) = (pin!(future), Context::from_waker(&waker));
    loop {
        if let Poll::Ready(result) = future.as_mut().poll(&mut context) {
            return result;
        }
        thread::park();
    }
}

/// Polls a future once and drops it, as a runtime does when a client disconnects.
fn begin<T>(future: impl Future<Output = T>) {
    let mut context = Context::from_waker(Waker::noop());
    assert!(pin!(future).poll(&mut context).is_pending(), "nobody has stopped it");
}

fn main() -> Result<(), SearchError> {
    let game = ConnectFour::default();
    let start = game.initial_state();
    let mut search = Search::new(game, start, Config::default().threads(1).memory(64 << 20))?;
    let budget = Budget::default().playouts(10_000);
    let report = block_on(think(&mut search, &budget))?;
    println!("{:?} after {} playouts", report.best_move, report.playouts);
    assert_eq!(report.playouts, 10_000);

    begin(think(&mut search, &Budget::pondering()));
    block_on(advance(&mut search, report.best_move.expect("the game has just begun")))?;
    let report = block_on(think(&mut search, &budget))?;
    println!("{:?} after {} more", report.best_move, report.playouts);
    assert_eq!(report.playouts, 10_000);
    Ok(())
}
