//! Reads the results of an earlier run.

use crate::Trouble;
use crate::files::Growing;
use proofwood_any_game::Position;
use serde::Deserialize;
use std::collections::HashMap;
use std::path::Path;
use std::time::Duration;

/// The results of an earlier run, by line number.
#[derive(Debug, Default)]
pub struct Earlier {
    results: HashMap<u64, EarlierResult>,
}

/// The fields of an earlier result that are compared or used again.
#[derive(Debug, Deserialize, PartialEq)]
pub struct EarlierResult {
    line: Option<u64>,
    id: Option<String>,
    game: Option<String>,
    position: Option<String>,
    /// The goal of the search.
    pub goal: Option<String>,
    algorithm: Option<String>,
    player: Option<usize>,
    /// The name of the proven value.
    #[serde(default)]
    pub proven: String,
    /// Whether the question is answered.
    #[serde(default)]
    pub solved: bool,
    /// The bounds on the payoff.
    #[serde(default)]
    pub bounds: [Option<i32>; 2],
    /// The best move, if one was found.
    pub best_move: Option<String>,
    to_move: Option<usize>,
    /// The number of playouts, from a search with playouts.
    #[serde(default)]
    pub playouts: Option<u64>,
    /// The number of nodes created.
    #[serde(default)]
    pub nodes: u64,
    /// The time in seconds.
    #[serde(default)]
    pub seconds: f64,
    stop_reason: Option<String>,
    error: Option<String>,
}

/// The position and question that a result must be about.
pub struct About {
    /// The contents of the column `id`.
    pub id: Option<String>,
    /// The description of the game.
    pub game: String,
    /// The position's text.
    pub position: String,
    /// The goal of the search.
    pub goal: &'static str,
    /// The name of the solver.
    pub algorithm: &'static str,
    /// The player that a prover's question is about.
    pub player: Option<usize>,
    /// The position that the text describes.
    pub at: Box<dyn Position>,
    /// The minimum payoffs of a win and of a draw for the player whose value is proven; `None` if
    /// the game has no such payoff.
    pub least: [Option<i32>; 2],
}

impl About {
    fn to_move(&self) -> Option<usize> {
        self.at.view().to_move
    }

    /// Returns whether bounds on the payoff contradict a value.
    fn contradicts(&self, value: &str, [lower, upper]: [Option<i32>; 2]) -> bool {
        let [win, draw] = self.least;
        let reaches =
            |least: Option<i32>| least.zip(lower).is_some_and(|(least, lower)| lower >= least);
        let misses = |least: Option<i32>| match (least, upper) {
            (Some(least), Some(upper)) => upper < least,
            (least, _) => least.is_none(),
        };
        match value {
            "win" => misses(win),
            "draw" => reaches(win) || misses(draw),
            "loss" => reaches(draw),
            "not-win" => reaches(win),
            "not-loss" => reaches(win) || misses(draw),
            _ => reaches(win),
        }
    }
}

impl Earlier {
    /// Reads the results in a file. Ignores an incomplete last line, answers cut short by Ctrl-C,
    /// and errors. All these are removed from the file when the first new result is written.
    pub fn read(file: &mut Growing, path: &Path) -> Result<Earlier, Trouble> {
        let text = file.read()?;
        let mut results = HashMap::new();
        let mut kept: Vec<u8> = Vec::with_capacity(text.len());
        for (number, line) in text.split_inclusive(|&byte| byte == b'\n').enumerate() {
            if !line.ends_with(b"\n") {
                continue;
            }
            let wrong = |why: String| {
                let (path, number) = (path.display(), number + 1);
                Trouble::Input(format!(
                    "{path}, line {number}: this is not a result of an earlier run: {why}"
                ))
            };
            let result: EarlierResult =
                serde_json::from_slice(line).map_err(|error| wrong(error.to_string()))?;
            let about = result.line.ok_or_else(|| wrong("it has no field named line".into()))?;
            if result.error.is_some() || result.is_cut_short() {
                continue;
            }
            result.check().map_err(wrong)?;
            if results.insert(about, result).is_some() {
                return Err(wrong(format!("line {about} is answered twice")));
            }
            kept.extend(line);
        }
        if kept.len() < text.len() {
            file.keep(kept);
        }
        Ok(Earlier { results })
    }

    /// Returns whether there are no results.
    pub fn is_empty(&self) -> bool {
        self.results.is_empty()
    }

    /// Returns the lines that have a result, in order.
    pub fn lines(&self) -> Vec<u64> {
        let mut lines: Vec<u64> = self.results.keys().copied().collect();
        lines.sort_unstable();
        lines
    }

    /// Returns the result for a line, if there is one.
    pub fn of(&self, line: u64) -> Option<&EarlierResult> {
        self.results.get(&line)
    }
}

impl EarlierResult {
    /// Returns whether the search was ended by Ctrl-C.
    pub fn is_cut_short(&self) -> bool {
        self.stop_reason.as_deref() == Some("cancelled")
    }

    /// Refuses a result that no run could have written.
    pub fn check(&self) -> Result<(), String> {
        const VALUES: [&str; 6] = ["win", "draw", "loss", "not-win", "not-loss", "unknown"];
        if !VALUES.contains(&&*self.proven) {
            return Err(format!("'{}' is not a valid value", self.proven));
        }
        // A greater count must be forged and would overflow the sums.
        const MOST: u64 = 1 << 48;
        let Ok(_) = Duration::try_from_secs_f64(self.seconds) else {
            return Err(format!("a time of {} seconds is impossible", self.seconds));
        };
        if self.nodes > MOST || self.seconds > MOST as f64 {
            return Err(format!("{} nodes in {} seconds is impossible", self.nodes, self.seconds));
        }
        let answers = match self.goal.as_deref() {
            Some("outcome") => &["win", "draw", "loss"][..],
            Some("win") => &["win", "draw", "loss", "not-win"],
            Some("draw-or-better") => &["win", "draw", "loss", "not-loss"],
            _ => return Ok(()),
        };
        // In a game with chance, it may be that neither player can force a result.
        match (self.solved, &*self.proven) {
            (true, "unknown") => Err("it is marked as solved, but its value is 'unknown'".into()),
            (false, value) if answers.contains(&value) => {
                Err(format!("it is not marked as solved, but its value is '{value}'"))
            }
            _ => Ok(()),
        }
    }

    /// Refuses a result that does not match the current content of its line.
    pub fn compare(&self, line: u64, now: &About) -> Result<(), Trouble> {
        let number = |player: Option<usize>| player.map_or_else(String::new, |p| p.to_string());
        let text = |field: &'_ Option<String>| field.clone().unwrap_or_default();
        let algorithm = self.algorithm.clone().unwrap_or_else(|| "gpn".into());
        let pairs = [
            ("id", text(&self.id), text(&now.id)),
            ("game", text(&self.game), now.game.clone()),
            ("position", text(&self.position), now.position.clone()),
            // Each algorithm has its own name for the default goal.
            ("algorithm", algorithm, now.algorithm.into()),
            ("goal", text(&self.goal), now.goal.into()),
            ("player", number(self.player), number(now.player)),
            ("side to move", number(self.to_move), number(now.to_move())),
        ];
        for (what, earlier, now) in pairs {
            if earlier != now {
                return Err(Trouble::Input(format!(
                    "the result for line {line} has {what} '{earlier}', but the {what} is now \
                     '{now}'"
                )));
            }
        }
        let wrong = |why: String| {
            Err(Trouble::Input(format!("the result for line {line} is impossible: {why}")))
        };
        if now.contradicts(&self.proven, self.bounds) {
            let end = |end: Option<i32>| end.map_or_else(|| "?".into(), |end| end.to_string());
            let [lower, upper] = self.bounds.map(end);
            return wrong(format!(
                "the value is {}, but the payoff is {lower} to {upper}",
                self.proven
            ));
        }
        match &self.best_move {
            Some(best) if now.at.copy().play(best).is_err() => {
                wrong(format!("{best} is not a legal move"))
            }
            _ => Ok(()),
        }
    }
}
