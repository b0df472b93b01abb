//! The screen on a terminal that is none.

use super::*;
use proofwood_any_game::{Position, find};
use ratatui::backend::TestBackend;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A terminal with keys that were pressed before, and a size that may change.
struct Fake {
    size: (u16, u16),
    keys: VecDeque<Key>,
    entered: usize,
    left: usize,
    breaks: bool,
}

impl Fake {
    fn new(keys: &[Key]) -> Fake {
        let keys = keys.iter().copied().collect();
        Fake { size: (80, 24), keys, entered: 0, left: 0, breaks: false }
    }
}

impl Host for Fake {
    type Backend = TestBackend;

    fn enter(&mut self) -> io::Result<Terminal<TestBackend>> {
        self.entered += 1;
        Terminal::new(TestBackend::new(self.size.0, self.size.1)).map_err(io::Error::other)
    }

    fn leave(&mut self) {
        self.left += 1;
    }

    fn key(&mut self, _: Duration) -> io::Result<Option<Key>> {
        match self.breaks {
            true => Err(io::ErrorKind::BrokenPipe.into()),
            false => Ok(self.keys.pop_front()),
        }
    }
}

fn config() -> Config {
    Config::default().threads(1).memory(16 << 20).seed(1)
}

/// The answer of a short search, with figures that are the same on every machine.
fn answer(position: &dyn Position, playouts: u64) -> Answer {
    let mut search = position.search(&config()).unwrap();
    search.start(&Budget::default().playouts(playouts)).unwrap();
    let mut answer = search.wait().unwrap();
    (answer.stop_reason, answer.elapsed) = (None, Duration::from_millis(4200));
    (answer.playouts_per_second, answer.bytes) = (312_000.0, 12 << 20);
    answer
}

/// What is shown of a game after some seconds in a terminal of this size.
fn shown(game: &str, (width, height): (u16, u16), scrolled: usize) -> String {
    let position = find(game).unwrap().start();
    let view = position.view();
    let limit = Some(Duration::from_secs(10));
    let watched = Watched::of_search(&view, &answer(&*position, 2000), &config(), limit);
    let title = format!("{game}: {}", players::to_move(&view).trim_end());
    let mut history = History::new();
    for step in 0..20_u32 {
        history.add(f64::from(step) / 5.0, 0.5 + f64::from(step % 7) / 100.0);
    }
    drawn(
        &Scene {
            title: &title,
            board: &view.board,
            watched: &watched,
            history: &history,
            scrolled,
            colours: true,
        },
        (width, height),
    )
}

fn drawn(scene: &Scene<'_>, (width, height): (u16, u16)) -> String {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| scene.draw(frame)).unwrap();
    terminal.backend().to_string()
}

#[test]
fn a_search_is_shown_where_there_is_room() {
    insta::assert_snapshot!("connect_four_80x24", shown("connect-four", (80, 24), 0));
    insta::assert_snapshot!("othello_120x40", shown("othello", (120, 40), 0));
    insta::assert_snapshot!("connect_four_40x10", shown("connect-four", (40, 10), 0));
    insta::assert_snapshot!("pig_60x20", shown("pig:20", (60, 20), 0));
}

#[test]
fn the_graph_gives_way_to_the_board_and_has_what_is_left() {
    // 17 rows of a board.
    let text = shown("chinese-checkers", (80, 24), 0);
    assert!(!text.contains("rate of the best"), "{text}");
    assert!(text.contains("17             a ") && text.contains("\" 1             A"), "{text}");
    // Above the table, where beside it there is no room.
    let text = shown("othello", (40, 20), 0);
    assert!(text.contains("a b c d e f g h"), "{text}");
    let text = shown("othello", (200, 50), 0);
    let empty = |line: &str| line.trim_matches(['"', ' ', '│']).is_empty();
    let longest = text.lines().map(empty).fold((0, 0), |(longest, run), empty| {
        let run = if empty { run + 1 } else { 0 };
        (usize::max(longest, run), run)
    });
    assert!(longest.0 < 12, "{text}");
}

#[test]
fn moves_that_have_no_room_can_be_scrolled_to() {
    let (first, later) = (shown("othello", (50, 6), 0), shown("othello", (50, 6), 2));
    assert!(first.contains("more: ↑ ↓") && first != later, "{first}\n{later}");
}

#[test]
fn every_size_is_good_enough() {
    for game in ["connect-four", "chinese-checkers:players=6", "pig:20", "hex:11"] {
        let position = find(game).unwrap().start();
        let (view, answer) = (position.view(), answer(&*position, 200));
        let watched = Watched::of_search(&view, &answer, &config(), None);
        let history = History::new();
        let scene = Scene {
            title: "a title that is longer than many terminals are wide",
            board: &view.board,
            watched: &watched,
            history: &history,
            scrolled: 1000,
            colours: false,
        };
        for width in (1..=10).chain([20, 39, 40, 59, 60, 80, 200]) {
            for height in (1..=12).chain([19, 20, 24, 60]) {
                let text = drawn(&scene, (width, height));
                let says = text.lines().any(|line| line.len() > 2);
                assert!(says, "{game}, {width} by {height}");
            }
        }
    }
}

#[test]
fn a_prover_is_shown_with_its_questions() {
    let position = find("tic-tac-toe").unwrap().start();
    let mut search = position.prove(&proofwood::ProverConfig::default().threads(1)).unwrap();
    search.start(&Budget::default().nodes(50)).unwrap();
    let mut answer = search.wait().unwrap();
    answer.stop_reason = None;
    let view = position.view();
    let watched = Watched::of_proof(&view, &answer, None);
    let (title, history) = ("tic-tac-toe", History::new());
    let (board, watched, history) = (&*view.board, &watched, &history);
    let scene = Scene { title, board, watched, history, scrolled: 0, colours: true };
    let text = drawn(&scene, (80, 24));
    for part in ["question", "force a win?", "nodes/s", "memory", "nodes a second"] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

/// Runs the screen on a terminal for so many looks at the search.
fn watch(host: &mut Fake, looks: usize, watched: &dyn Fn() -> Watched) -> io::Result<Left> {
    let left = Cell::new(looks);
    let start = Instant::now();
    let is_running = || {
        // The first moments are waited for.
        if start.elapsed() > FIRST {
            left.set(left.get().saturating_sub(1));
        }
        left.get() > 0
    };
    show_on(host, "a game", "board", &is_running, watched, None)
}

fn some() -> Watched {
    let position = find("connect-four").unwrap().start();
    Watched::of_search(&position.view(), &answer(&*position, 100), &config(), None)
}

#[test]
fn the_terminal_is_given_back_whatever_happens() {
    let mut host = Fake::new(&[Key::Scroll(1), Key::Resize, Key::Leave]);
    assert_eq!(watch(&mut host, 1000, &some).unwrap(), Left::ByKey);
    assert_eq!((host.entered, host.left), (1, 1));

    let mut host = Fake::new(&[]);
    assert_eq!(watch(&mut host, 5, &some).unwrap(), Left::AtTheEnd);
    assert_eq!((host.entered, host.left), (1, 1));

    let mut host = Fake { breaks: true, ..Fake::new(&[]) };
    assert!(watch(&mut host, 1000, &some).is_err());
    assert_eq!((host.entered, host.left), (1, 1));

    let host = RefCell::new(Fake::new(&[]));
    let fails = || -> Watched { panic!("a fault of ours") };
    let ended = catch_unwind(AssertUnwindSafe(|| watch(&mut host.borrow_mut(), 1000, &fails)));
    assert!(ended.is_err());
    let host = host.into_inner();
    assert_eq!((host.entered, host.left), (1, 1));

    // Nothing is taken for a search that ends at once.
    let mut host = Fake::new(&[]);
    assert_eq!(watch(&mut host, 0, &some).unwrap(), Left::AtTheEnd);
    assert_eq!((host.entered, host.left), (0, 0));
}

#[test]
fn keys_have_their_meaning() {
    use ratatui::crossterm::event::KeyEvent;
    let of = |code, modifiers| meaning(&Event::Key(KeyEvent::new(code, modifiers)));
    for (code, modifiers) in [
        (KeyCode::Char('q'), KeyModifiers::NONE),
        (KeyCode::Esc, KeyModifiers::NONE),
        (KeyCode::Char('c'), KeyModifiers::CONTROL),
    ] {
        assert_eq!(of(code, modifiers), Some(Key::Leave), "{code:?}");
    }
    assert_eq!(of(KeyCode::Char('c'), KeyModifiers::NONE), None);
    assert_eq!(of(KeyCode::Down, KeyModifiers::NONE), Some(Key::Scroll(1)));
    assert_eq!(meaning(&Event::Resize(10, 10)), Some(Key::Resize));
}
