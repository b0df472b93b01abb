//! The exports of WebAssembly: an engine, and a buffer for text.
//!
//! The page writes a request to the address that [`reserve`] returns, calls [`ask`], and calls
//! [`step`] until [`busy`] returns 0. After each step the new answers, lines of JSON, are at
//! [`answers`].
//!
//! The page provides a clock, `env.now`, and two functions that take text by its address and
//! length: `env.tell`, for an answer that cannot wait for the end of a step, and `env.fail`, for
//! the message of a panic, after which the module is unusable.

use crate::engine::Engine;
use std::cell::RefCell;
use std::time::Duration;

#[link(wasm_import_module = "env")]
unsafe extern "C" {
    /// Receives an answer that cannot wait for the end of a step.
    safe fn tell(text: *const u8, length: usize);
    /// Receives the message of a panic.
    safe fn fail(text: *const u8, length: usize);
}

struct Desk {
    engine: Engine,
    request: Vec<u8>,
    answers: String,
}

thread_local! {
    static DESK: RefCell<Desk> = RefCell::new(Desk::new());
}

impl Desk {
    fn new() -> Desk {
        std::panic::set_hook(Box::new(|panic| {
            let text = panic.to_string();
            fail(text.as_ptr(), text.len());
        }));
        let mut engine = Engine::new(1);
        engine.tell_at_once(|text| tell(text.as_ptr(), text.len()));
        Desk { engine, request: Vec::new(), answers: String::new() }
    }
}

/// Reserves a buffer for a request of `length` bytes, which is valid until [`ask`] is called.
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
pub extern "C" fn reserve(length: usize) -> *mut u8 {
    DESK.with_borrow_mut(|desk| {
        desk.request.clear();
        desk.request.resize(length, 0);
        desk.request.as_mut_ptr()
    })
}

/// Accepts the request in the buffer.
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
pub extern "C" fn ask() {
    DESK.with_borrow_mut(|desk| {
        let request = std::mem::take(&mut desk.request);
        desk.engine.ask(&String::from_utf8_lossy(&request));
    });
}

/// Works for about `time` milliseconds.
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
pub extern "C" fn step(time: f64) {
    DESK.with_borrow_mut(|desk| {
        let time = Duration::try_from_secs_f64(time / 1e3).unwrap_or_default();
        desk.answers = desk.engine.step(time).join("\n");
    });
}

/// Returns the address of the answers of the last step, in UTF-8, one per line.
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
pub extern "C" fn answers() -> *const u8 {
    DESK.with_borrow(|desk| desk.answers.as_ptr())
}

/// Returns the length of the answers in bytes.
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
pub extern "C" fn answers_length() -> usize {
    DESK.with_borrow(|desk| desk.answers.len())
}

/// Returns 1 if a task is in progress or an answer is waiting to be fetched, otherwise 0.
// SAFETY: no other function has this name.
#[unsafe(no_mangle)]
pub extern "C" fn busy() -> u32 {
    DESK.with_borrow(|desk| desk.engine.is_busy().into())
}
