//! Games and positions as Python objects.

use crate::answers::json;
use crate::certificates;
use crate::errors::{self, catch};
use crate::evaluate::{ByRules, Wishes};
use crate::game::PyGame;
use crate::options::{Keywords, Solver, of_search, of_solve};
use crate::running::{Handle, Proof, Search};
use crate::wait::aside;
use proofwood::error::ConfigError;
use proofwood::options::PlayoutPolicy;
use proofwood::{CancelToken, Config, ProverConfig, Rng};
use proofwood_any_game::{downcast, forget_search};
use proofwood_games::{GameInfo, find_info, spelled};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use std::sync::Arc;

#[pyclass(frozen, weakref, module = "proofwood._native")]
pub(crate) struct Rules {
    /// The game's name and options, or the name of a Python game.
    #[pyo3(get)]
    spec: String,
    rules: Arc<dyn proofwood_any_game::Rules>,
}

#[pyclass(frozen, module = "proofwood._native")]
pub(crate) struct Position {
    spec: String,
    pub(crate) place: Box<dyn proofwood_any_game::Position>,
}

#[pymethods]
impl Rules {
    #[new]
    fn new(spec: &str) -> PyResult<Rules> {
        let rules = proofwood_any_game::find(spec).map_err(|error| errors::spec(&error))?;
        Ok(Rules { spec: spelled(spec), rules: rules.into() })
    }

    /// Wraps an object of `proofwood.Game`, that is, rules in Python.
    #[staticmethod]
    fn of(game: &Bound<'_, PyAny>, name: String) -> PyResult<Rules> {
        let rules = proofwood_any_game::erase(PyGame::new(game)?);
        Ok(Rules { spec: name, rules: rules.into() })
    }

    fn players(&self) -> Vec<String> {
        self.rules.player_names()
    }

    fn zero_sum(&self) -> bool {
        self.rules.zero_sum()
    }

    fn has_chance(&self) -> PyResult<bool> {
        catch(|| self.rules.start().has_chance())
    }

    fn payoff_range(&self, player: usize) -> (i32, i32) {
        self.rules.payoff_range(player).into_inner()
    }

    fn start(&self) -> PyResult<Position> {
        catch(|| self.place(self.rules.start()))
    }

    fn read(&self, text: &str) -> PyResult<Position> {
        let read = catch(|| self.rules.read(text))?;
        read.map(|place| self.place(place)).map_err(|error| errors::text(&error))
    }

    fn split_moves(&self, text: &str) -> Vec<String> {
        self.rules.split_moves(text).into_iter().map(str::to_string).collect()
    }

    /// Plays random games to check that the rules fulfil their contract.
    fn check_rules<'py>(
        &self,
        py: Python<'py>,
        seed: u64,
        games: u64,
    ) -> PyResult<Bound<'py, PyDict>> {
        let rules = Arc::clone(&self.rules);
        let report = aside(py, move || rules.check_rules(seed, games), || ())?;
        let report = report.map_err(|error| errors::rules(&error))?;
        let dict = PyDict::new(py);
        dict.set_item("games", report.games)?;
        dict.set_item("ended", report.ended)?;
        dict.set_item("longest", report.longest)?;
        dict.set_item("positions", report.positions)?;
        dict.set_item("hashes", report.hashes)?;
        dict.set_item("transpositions", report.transpositions)?;
        dict.set_item("texts", report.texts)?;
        dict.set_item("adds_up_to_zero", report.adds_up_to_zero)?;
        Ok(dict)
    }

    /// Checks a certificate about this game against its rules.
    fn check<'py>(
        &self,
        py: Python<'py>,
        path: PathBuf,
        memory: Option<Bound<'py, PyAny>>,
    ) -> PyResult<String> {
        certificates::check(py, path, memory, Some(Arc::clone(&self.rules)))
    }
}

impl Rules {
    fn place(&self, place: Box<dyn proofwood_any_game::Position>) -> Position {
        Position { spec: self.spec.clone(), place }
    }
}

#[pymethods]
impl Position {
    fn view(&self) -> PyResult<String> {
        json(&catch(|| self.place.view())?)
    }

    fn text(&self) -> PyResult<String> {
        catch(|| self.place.text())
    }

    fn state(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        match downcast::<PyGame>(&*self.place) {
            Some((_, state)) => Ok(state.clone_ref(py)),
            None => Err(PyTypeError::new_err(format!(
                "{} is a built-in game; its positions are not Python objects",
                self.spec
            ))),
        }
    }

    /// Plays a move of a game record. Returns the position after it, and the texts of the moves
    /// played: any forced passes that the record omits, then the move itself.
    fn play(&self, text: &str) -> PyResult<(Position, Vec<String>)> {
        let mut place = self.place.copy();
        let played = catch(|| place.play_recorded(text))?.map_err(|error| errors::text(&error))?;
        Ok((Position { spec: self.spec.clone(), place }, played))
    }

    /// Plays a random move drawn with `seed`. Returns the position after it, and the text of the
    /// move, which is empty if the game is over.
    fn play_random(&self, seed: u64) -> PyResult<(Position, String)> {
        let mut place = self.place.copy();
        let played = catch(|| place.play_random(&mut Rng::new(seed)))?;
        Ok((Position { spec: self.spec.clone(), place }, played))
    }

    fn perft(&self, py: Python<'_>, depth: u32) -> PyResult<u64> {
        let (place, cancel) = (self.place.copy(), CancelToken::new());
        let token = cancel.clone();
        let counted = aside(py, move || place.perft_until(depth, &token), || cancel.cancel())?;
        Ok(counted.unwrap_or_else(|| unreachable!("after a signal nobody gets here")))
    }

    /// Plays random games without a tree, on `threads` threads.
    fn bare_playouts(
        &self,
        py: Python<'_>,
        playouts: u64,
        threads: usize,
        seed: u64,
    ) -> PyResult<()> {
        let place = self.place.copy();
        let config = Config::default().threads(threads.clamp(1, 1024));
        let config = config.playout_policy(PlayoutPolicy::Random);
        aside(py, move || place.bare_playouts(&config, playouts, seed), || ())
    }

    fn search(
        &self,
        py: Python<'_>,
        function: &str,
        keywords: &Bound<'_, PyDict>,
    ) -> PyResult<Search> {
        let keywords = Keywords::read(function, keywords, &of_search)?;
        let mut usual = Config::default();
        if let Some(threads) = self.wishes(py)?.and_then(|wishes| wishes.threads()) {
            usual.threads = threads;
        }
        let config = keywords.search(usual)?;
        self.searching(py, config, &keywords)
    }

    /// Creates the solver that the keywords describe, a search or a prover, ready to start.
    fn solver(
        &self,
        py: Python<'_>,
        function: &str,
        keywords: &Bound<'_, PyDict>,
        keep_proofs: bool,
    ) -> PyResult<Py<PyAny>> {
        let keywords = Keywords::read(function, keywords, &of_solve)?;
        match keywords.clone().solver(self.place.has_chance())? {
            Solver::Playouts(config) => {
                let search = self.searching(py, config, &keywords)?;
                Ok(Py::new(py, search)?.into_any())
            }
            Solver::Prover(mut config) => {
                config.keep_proofs |= keep_proofs;
                let proving = py.detach(|| self.place.prove(&config)).map_err(errors::search)?;
                let handle = Handle::new(proving, &keywords);
                Ok(Py::new(py, Proof { handle, spec: self.spec.clone() })?.into_any())
            }
        }
    }

    fn shortest_win(
        &self,
        py: Python<'_>,
        winner: usize,
        keywords: &Bound<'_, PyDict>,
    ) -> PyResult<String> {
        let keywords = Keywords::read("shortest_win", keywords, &of_solve)?;
        let budget = keywords.budget.clone();
        let config = match keywords.solver(false)? {
            Solver::Prover(config) => config,
            Solver::Playouts(config) => ProverConfig::default().threads(config.threads),
        };
        let (place, cancel) = (self.place.copy(), CancelToken::new());
        let budget = budget.cancel(&cancel);
        let found =
            aside(py, move || place.shortest_win(winner, &config, &budget), || cancel.cancel())?;
        json(&found.map_err(errors::search)?)
    }
}

impl Position {
    /// Returns how a Python game wants its leaves to be evaluated; `None` for other games.
    fn wishes(&self, py: Python<'_>) -> PyResult<Option<Wishes>> {
        let game = downcast::<PyGame>(&*self.place);
        game.map(|(game, _)| Wishes::of(game.object.bind(py))).transpose()
    }

    fn searching(&self, py: Python<'_>, config: Config, keywords: &Keywords) -> PyResult<Search> {
        let wishes = self.wishes(py)?;
        let made = py.detach(|| match (downcast::<PyGame>(&*self.place), wishes) {
            (Some((game, state)), Some(wishes)) => {
                let (game, state, config) = (Arc::clone(game), Arc::clone(state), config.clone());
                if config.leaves != proofwood::options::Leaves::Playouts {
                    return Err(ConfigError::NoEvaluation.into());
                }
                if let Some((batches, batching)) = wishes.batches() {
                    return proofwood::Search::with_batches(game, state, config, batches, batching)
                        .map(forget_search);
                }
                if let Some(single) = wishes.single() {
                    return proofwood::Search::with_evaluator(game, state, config, single)
                        .map(forget_search);
                }
                let rollouts = ByRules::of(&config);
                proofwood::Search::with_rollouts(game, state, config, rollouts).map(forget_search)
            }
            _ => self.place.search(&config),
        });
        let searching = made.map_err(errors::search)?;
        let handle = Handle::new(searching, keywords);
        Ok(Search { handle, spec: self.spec.clone() })
    }
}

/// Returns every game's name, summary, other names, rules, notation, options and example.
#[pyfunction]
pub(crate) fn games(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    proofwood_games::games().iter().map(|info| about(py, info)).collect()
}

#[pyfunction]
pub(crate) fn game_info<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyDict>> {
    let name = name.split(':').next().unwrap_or(name);
    about(py, find_info(name).map_err(|error| errors::spec(&error))?)
}

fn about<'py>(py: Python<'py>, info: &GameInfo) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("name", info.name)?;
    dict.set_item("summary", info.summary)?;
    dict.set_item("also", pyo3::types::PyTuple::new(py, info.also)?)?;
    dict.set_item("rules", info.rules)?;
    dict.set_item("notation", info.notation)?;
    dict.set_item("options", pyo3::types::PyTuple::new(py, info.options)?)?;
    dict.set_item("example", info.example)?;
    Ok(dict)
}
