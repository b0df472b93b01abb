//! Rules in Python, that is, a subclass of `proofwood.Game`, as a game of the library.
//!
//! States are immutable Python objects; a move is a number that stands for a Python object. For
//! each query, the engine calls a Python method, holding the interpreter.

use crate::raised::unwind;
use crate::thread_state::keep;
use crate::wait::given_up;
use proofwood::{Game, TextError, Turn};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyInt, PyString, PyTuple};
use pyo3::{IntoPyObjectExt, intern};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

/// Rules in Python, with those of their properties that never change.
pub(crate) struct PyGame {
    pub(crate) object: Py<PyAny>,
    moves: Moves,
    players: Vec<String>,
    zero_sum: bool,
    has_chance: bool,
    ranges: Vec<RangeInclusive<i32>>,
    own: Own,
}

/// For each optional method, whether the subclass overrides it; only then is it called.
struct Own {
    key: bool,
    weight: bool,
    state_text: bool,
    parse_state: bool,
    board_text: bool,
}

/// A state of a Python game. Clones share the object.
pub(crate) type State = Arc<Py<PyAny>>;

/// A move of a Python game, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Move(u32);

/// All moves seen so far: the object of each number, and the number of each object.
struct Moves {
    numbers: Py<PyDict>,
    /// Moves by number; each is written before its number is visible to other threads.
    objects: RwLock<Vec<Option<Py<PyAny>>>>,
    next: AtomicU32,
}

impl Moves {
    fn new(py: Python<'_>) -> Moves {
        let numbers = PyDict::new(py).unbind();
        Moves { numbers, objects: RwLock::default(), next: AtomicU32::new(0) }
    }

    /// Returns a move's number. No lock is held while Python code (`__hash__`, `__eq__`) may run.
    fn number(&self, mv: &Bound<'_, PyAny>) -> PyResult<Move> {
        let numbers = self.numbers.bind(mv.py());
        if let Some(number) = numbers.get_item(mv)? {
            return number.extract().map(Move);
        }
        // Relaxed: only the uniqueness of the number matters.
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        {
            let mut objects = self.objects.write().unwrap_or_else(PoisonError::into_inner);
            let least = number as usize + 1;
            if objects.len() < least {
                objects.resize_with(least, || None);
            }
            objects[number as usize] = Some(mv.clone().unbind());
        }
        // If another thread was first, its number is used.
        let kept = numbers.call_method1(intern!(mv.py(), "setdefault"), (mv, number))?;
        kept.extract().map(Move)
    }

    fn object(&self, py: Python<'_>, mv: Move) -> Py<PyAny> {
        let objects = self.objects.read().unwrap_or_else(PoisonError::into_inner);
        match objects.get(mv.0 as usize) {
            Some(Some(object)) => object.clone_ref(py),
            _ => unreachable!("a move's object is stored before its number is published"),
        }
    }
}

impl PyGame {
    pub(crate) fn new(object: &Bound<'_, PyAny>) -> PyResult<PyGame> {
        let py = object.py();
        let base = py.import("proofwood._game")?.getattr("Game")?;
        let class = object.get_type();
        let own =
            |name: &str| -> PyResult<bool> { Ok(!class.getattr(name)?.is(base.getattr(name)?)) };
        let players: Vec<String> = object.getattr("players")?.extract()?;
        let ranges = ranges(&object.getattr("payoff_range")?, players.len())?;
        Ok(PyGame {
            object: object.clone().unbind(),
            moves: Moves::new(py),
            zero_sum: object.getattr("zero_sum")?.is_truthy()?,
            has_chance: object.getattr("has_chance")?.is_truthy()?,
            own: Own {
                key: own("key")?,
                weight: own("weight")?,
                state_text: own("state_text")?,
                parse_state: own("parse_state")?,
                board_text: own("board_text")?,
            },
            ranges,
            players,
        })
    }

    /// Calls Python. An exception unwinds to the caller of the engine.
    fn call<T>(&self, act: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<T>) -> T {
        if given_up() {
            // The caller has stopped waiting.
            std::panic::resume_unwind(Box::new("it was interrupted"));
        }
        keep();
        Python::attach(|py| act(self.object.bind(py)).unwrap_or_else(|error| unwind(error)))
    }

    fn text(&self, name: &Bound<'_, PyString>, state: &State) -> String {
        self.call(|game| game.call_method1(name, (&**state,))?.extract())
    }
}

/// Reads the payoff ranges: one for all players, one for each player, or `None`.
fn ranges(given: &Bound<'_, PyAny>, players: usize) -> PyResult<Vec<RangeInclusive<i32>>> {
    if given.is_none() {
        return Ok(vec![i32::MIN..=i32::MAX; players]);
    }
    if let Ok((least, most)) = given.extract::<(i32, i32)>() {
        return Ok(vec![least..=most; players]);
    }
    let wrong = || {
        PyValueError::new_err(
            "payoff_range should be a pair (least, greatest), or one such pair for each player",
        )
    };
    let pairs: Vec<(i32, i32)> = given.extract().map_err(|_| wrong())?;
    match pairs.len() == players {
        true => Ok(pairs.into_iter().map(|(least, most)| least..=most).collect()),
        false => Err(wrong()),
    }
}

/// Mixes a key into a hash. A key is a text, bytes, a whole number, or a tuple of them.
fn mix(key: &Bound<'_, PyAny>, hasher: &mut DefaultHasher) -> PyResult<()> {
    if let Ok(bytes) = key.cast::<PyBytes>() {
        (0u8, bytes.as_bytes()).hash(hasher);
    } else if let Ok(text) = key.cast::<PyString>() {
        (1u8, &*text.to_cow()?).hash(hasher);
    } else if key.cast::<PyInt>().is_ok() {
        match key.extract::<i64>() {
            Ok(number) => (2u8, number).hash(hasher),
            Err(_) => (3u8, key.str()?.to_cow()?.as_ref()).hash(hasher),
        }
    } else if let Ok(parts) = key.cast::<PyTuple>() {
        (4u8, parts.len()).hash(hasher);
        parts.iter().try_for_each(|part| mix(&part, hasher))?;
    } else if key.is_none() {
        5u8.hash(hasher);
    } else {
        let kind = key.get_type().name()?;
        let what = format!(
            "key() should return bytes, a string, a whole number, or a tuple of these, not {kind}"
        );
        return Err(PyTypeError::new_err(what));
    }
    Ok(())
}

impl Game for PyGame {
    type State = State;
    type Move = Move;

    fn initial_state(&self) -> State {
        self.call(|game| {
            Ok(Arc::new(game.call_method0(intern!(game.py(), "initial_state"))?.unbind()))
        })
    }

    fn turn(&self, state: &State) -> Turn {
        self.call(|game| {
            let turn = game.call_method1(intern!(game.py(), "turn"), (&**state,))?;
            if turn.is_none() {
                return Ok(Turn::Over);
            }
            match turn.extract::<i64>() {
                Ok(-1) => Ok(Turn::Chance),
                // A player that does not exist violates the contract, which the engine reports.
                Ok(player) if player >= 0 => Ok(Turn::Player(player as usize)),
                _ => {
                    let what = format!(
                        "turn() should return a player (counted from 0), CHANCE, or None when the \
                         game is over, not {}",
                        turn.repr()?
                    );
                    Err(PyTypeError::new_err(what))
                }
            }
        })
    }

    fn legal_moves(&self, state: &State, moves: &mut Vec<Move>) {
        self.call(|game| {
            let listed = game.call_method1(intern!(game.py(), "legal_moves"), (&**state,))?;
            for mv in listed.try_iter()? {
                moves.push(self.moves.number(&mv?)?);
            }
            Ok(())
        });
    }

    fn play(&self, state: &mut State, mv: Move) {
        *state = self.call(|game| {
            let mv = self.moves.object(game.py(), mv);
            Ok(Arc::new(game.call_method1(intern!(game.py(), "play"), (&**state, mv))?.unbind()))
        });
    }

    fn payoff(&self, state: &State, player: usize) -> i32 {
        self.call(|game| {
            let payoffs = game.call_method1(intern!(game.py(), "payoffs"), (&**state,))?;
            let payoffs: Vec<i32> = payoffs.extract().map_err(|_| {
                PyTypeError::new_err(
                    "payoffs() should return a list of whole numbers, one for each player",
                )
            })?;
            match payoffs.len() == self.players.len() {
                true => Ok(payoffs[player]),
                false => {
                    let (has, needs) = (payoffs.len(), self.players.len());
                    let what = format!("payoffs() returned {has} payoffs for {needs} players");
                    Err(PyValueError::new_err(what))
                }
            }
        })
    }

    fn num_players(&self) -> usize {
        self.players.len()
    }

    fn zero_sum(&self) -> bool {
        self.zero_sum
    }

    fn payoff_range(&self, player: usize) -> RangeInclusive<i32> {
        self.ranges.get(player).cloned().unwrap_or(i32::MIN..=i32::MAX)
    }

    fn has_chance(&self) -> bool {
        self.has_chance
    }

    fn chance_weight(&self, state: &State, outcome: Move) -> u32 {
        if !self.own.weight {
            return 1;
        }
        self.call(|game| {
            let outcome = self.moves.object(game.py(), outcome);
            game.call_method1(intern!(game.py(), "weight"), (&**state, outcome))?.extract()
        })
    }

    fn key(&self, state: &State) -> Option<u64> {
        if !self.own.key {
            return None;
        }
        self.call(|game| {
            let key = game.call_method1(intern!(game.py(), "key"), (&**state,))?;
            if key.is_none() {
                return Ok(None);
            }
            // The hasher has fixed keys, so a position has the same key in every run.
            let mut hasher = DefaultHasher::new();
            mix(&key, &mut hasher)?;
            Ok(Some(hasher.finish()))
        })
    }

    fn player_name(&self, player: usize) -> String {
        self.players.get(player).cloned().unwrap_or_default()
    }

    fn move_text(&self, state: &State, mv: Move) -> String {
        self.call(|game| {
            let mv = self.moves.object(game.py(), mv);
            game.call_method1(intern!(game.py(), "move_text"), (&**state, mv))?.extract()
        })
    }

    fn state_text(&self, state: &State) -> String {
        match self.own.state_text {
            true => self.call(|game| Ok(self.text(intern!(game.py(), "state_text"), state))),
            false => String::new(),
        }
    }

    fn parse_state(&self, text: &str) -> Result<State, TextError> {
        if !self.own.parse_state {
            let what = "this game has no text form for positions; give the moves instead";
            return Err(TextError::new(what));
        }
        self.call(|game| {
            match game.call_method1(intern!(game.py(), "parse_state"), (text,)) {
                Ok(state) => Ok(Ok(Arc::new(state.unbind()))),
                // The exception's text is the error.
                Err(error) if error.is_instance_of::<PyValueError>(game.py()) => {
                    Ok(Err(TextError::new(error.value(game.py()))))
                }
                Err(error) => Err(error),
            }
        })
    }

    fn board_text(&self, state: &State) -> String {
        match self.own.board_text {
            true => self.call(|game| Ok(self.text(intern!(game.py(), "board_text"), state))),
            false if self.own.state_text => self.state_text(state),
            false => self.call(|game| {
                let state = (**state).clone_ref(game.py()).into_bound_py_any(game.py())?;
                Ok(state.str()?.to_string())
            }),
        }
    }
}
