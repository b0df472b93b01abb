//! Asks the solver one question and checks its answer.

use crate::sets::Question;
use proofwood::{Bounds, Budget, Config, Game, Goal, ProverConfig, Report, Search, Value, prove};
use proofwood_games::{GameVisitor, SpecError, with_game};
use proofwood_testkit::asks::Asks;
use serde::Serialize;
use std::ops::RangeInclusive;

/// The solver's answer, compared with the file.
#[derive(Serialize)]
pub(crate) struct Answer {
    /// The proven value, as a word.
    found: &'static str,
    bounds: [Option<i32>; 2],
    best_move: Option<String>,
    /// Whether the proven value or score is exact.
    pub(crate) answered: bool,
    /// Whether the best move is in the file's list, if there is one.
    pub(crate) by_listed_move: Option<bool>,
    /// The contradiction with the file, in words.
    pub(crate) wrong: Option<String>,
    playouts: u64,
    nodes: u64,
    pub(crate) seconds: f64,
}

#[derive(Clone)]
pub(crate) enum Solver {
    Playouts(Config),
    Prover(ProverConfig),
}

pub(crate) fn ask(question: &Question, solver: &Solver, budget: &Budget) -> Option<Answer> {
    let asking = Asking { question, solver, budget };
    let answer = match question.asker.clone() {
        Some((game, player)) => asking.visit(Asks { game, player }),
        None => match with_game(&question.game, asking) {
            Ok(answer) => answer,
            Err(SpecError::UnknownGame { .. }) => return None,
            Err(error) => Err(error.to_string()),
        },
    };
    Some(answer.unwrap_or_else(Answer::unreadable))
}

impl Answer {
    /// Returns the answer for a row that the game cannot read, which counts as a wrong answer.
    fn unreadable(why: String) -> Answer {
        Answer {
            found: Value::Unknown.name(),
            bounds: [None; 2],
            best_move: None,
            answered: false,
            by_listed_move: None,
            wrong: Some(why),
            playouts: 0,
            nodes: 0,
            seconds: 0.0,
        }
    }
}

struct Asking<'a> {
    question: &'a Question,
    solver: &'a Solver,
    budget: &'a Budget,
}

impl GameVisitor for Asking<'_> {
    type Output = Result<Answer, String>;

    fn visit<G: Game>(self, game: G) -> Result<Answer, String> {
        let Asking { question, solver, budget } = self;
        let mut state = match &question.position {
            Some(text) => game.parse_state(text).map_err(|error| error.to_string())?,
            None => game.initial_state(),
        };
        let read = |state: &G::State, text: &String| {
            game.parse_move(state, text).map_err(|error| error.to_string())
        };
        for text in &question.moves {
            let mv = read(&state, text)?;
            game.play(&mut state, mv);
        }
        let listed = question.listed.iter().map(|text| read(&state, text));
        let listed: Vec<G::Move> = listed.collect::<Result<_, _>>()?;
        let config = match solver {
            Solver::Playouts(config) => config.clone().goal(question.goal),
            Solver::Prover(config) => {
                return proven(question, config.clone(), budget, game, state, &listed);
            }
        };
        let mut search = Search::new(game, state, config).map_err(|error| error.to_string())?;
        let report = search.search(budget).map_err(|error| error.to_string())?;
        let text = |mv| search.game().move_text(search.position(), mv);
        let range = range(question.goal, report.proven, report.bounds);
        let answered = range.start() == range.end();
        let in_list = |mv: &G::Move| listed.contains(mv);
        Ok(Answer {
            found: report.proven.name(),
            bounds: [report.bounds.lower, report.bounds.upper],
            best_move: report.best_move.map(text),
            answered,
            by_listed_move: report
                .best_move
                .as_ref()
                .filter(|_| answered && !listed.is_empty())
                .map(in_list),
            wrong: contradiction(question, &report, in_list, text),
            playouts: report.playouts,
            nodes: report.nodes,
            seconds: report.elapsed.as_secs_f64(),
        })
    }
}

fn proven<G: Game>(
    question: &Question,
    config: ProverConfig,
    budget: &Budget,
    game: G,
    state: G::State,
    listed: &[G::Move],
) -> Result<Answer, String> {
    let game = std::sync::Arc::new(game);
    let report =
        prove(std::sync::Arc::clone(&game), state.clone(), config.goal(question.goal), budget)
            .map_err(|error| error.to_string())?;
    let range = range(question.goal, report.proven, report.bounds);
    let answered = range.start() == range.end();
    let by_listed = |mv: &G::Move| listed.contains(mv);
    Ok(Answer {
        found: report.proven.name(),
        bounds: [report.bounds.lower, report.bounds.upper],
        best_move: report.best_move.map(|mv| game.move_text(&state, mv)),
        answered,
        by_listed_move: report
            .best_move
            .as_ref()
            .filter(|_| answered && !listed.is_empty())
            .map(by_listed),
        wrong: (!range.contains(&question.value)).then(|| format!("{range:?} is proven")),
        playouts: 0,
        nodes: report.effort.nodes,
        seconds: report.elapsed.as_secs_f64(),
    })
}

/// Returns the values that are still possible: scores, or 1 for a win, 0 for a draw and −1 for a
/// loss.
fn range(goal: Goal, value: Value, bounds: Bounds) -> RangeInclusive<i32> {
    if goal == Goal::Score {
        return bounds.lower.unwrap_or(i32::MIN)..=bounds.upper.unwrap_or(i32::MAX);
    }
    match value {
        Value::Win => 1..=1,
        Value::Draw => 0..=0,
        Value::Loss => -1..=-1,
        Value::NotLoss => 0..=1,
        Value::NotWin => -1..=0,
        _ => -1..=1,
    }
}

/// Describes a contradiction between the file and the proven values of the position or of its first
/// moves.
fn contradiction<G: Game>(
    question: &Question,
    report: &Report<G>,
    in_list: impl Fn(&G::Move) -> bool,
    text: impl Fn(G::Move) -> String,
) -> Option<String> {
    let Question { goal, value, .. } = *question;
    let root = range(goal, report.proven, report.bounds);
    if !root.contains(&value) {
        return Some(format!("{root:?} is proven"));
    }
    if question.listed.is_empty() {
        return None;
    }
    report.moves.iter().find_map(|after| {
        let proven = range(goal, after.proven, after.bounds);
        let mv = text(after.mv);
        match in_list(&after.mv) {
            true if *proven.end() < value => Some(format!("{mv} is listed, but {proven:?}")),
            false if question.all_listed && *proven.start() >= value => {
                Some(format!("{mv} is not listed, but {proven:?}"))
            }
            _ => None,
        }
    })
}
