//! Files of results that an earlier run has left.

use crate::exit::Failure;
use crate::print::ResultFile;
use serde::Deserialize;
use std::collections::HashMap;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

/// The results of an earlier run, by the line of the position they answer.
#[derive(Debug, Default)]
pub(crate) struct Earlier {
    results: HashMap<u64, EarlierResult>,
}

/// What is read again of a result.
#[derive(Debug, Deserialize, PartialEq)]
pub(crate) struct EarlierResult {
    line: Option<u64>,
    game: Option<String>,
    position: Option<String>,
    goal: Option<String>,
    algorithm: Option<String>,
    #[serde(default)]
    pub(crate) value: String,
    #[serde(default)]
    pub(crate) settled: bool,
    stop_reason: Option<String>,
    error: Option<String>,
}

/// What a result must be about to count.
pub(crate) struct About {
    pub(crate) game: String,
    pub(crate) position: String,
    pub(crate) goal: &'static str,
    pub(crate) algorithm: &'static str,
}

impl Earlier {
    /// Reads the results in a file, and opens it to add more. What is to be done
    /// again is taken out of the file with the first new result: a last line that
    /// was not finished, answers that Ctrl-C cut short, and errors.
    pub(crate) fn read(path: &Path) -> Result<(Earlier, ResultFile), Failure> {
        let text = match fs::read(path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Ok((Earlier::default(), ResultFile::append(path)?));
            }
            Err(error) => return Err(Failure::reading(path.display(), &error)),
        };
        let mut results = HashMap::new();
        let mut kept: Vec<u8> = Vec::with_capacity(text.len());
        for (number, line) in text.split_inclusive(|&byte| byte == b'\n').enumerate() {
            if !line.ends_with(b"\n") {
                continue;
            }
            let wrong = |why: String| {
                let (path, number) = (path.display(), number + 1);
                Failure::Input(format!(
                    "{path}, line {number}: this is no result to go on from: {why}"
                ))
            };
            let result: EarlierResult =
                serde_json::from_slice(line).map_err(|error| wrong(error.to_string()))?;
            let about = result.line.ok_or_else(|| wrong("it names no line".into()))?;
            if result.error.is_some() || result.stop_reason.as_deref() == Some("cancelled") {
                continue;
            }
            if results.insert(about, result).is_some() {
                return Err(wrong(format!("line {about} is answered for the second time")));
            }
            kept.extend(line);
        }
        let file = match kept.len() < text.len() {
            true => ResultFile::append_to(path, kept)?,
            false => ResultFile::append(path)?,
        };
        Ok((Earlier { results }, file))
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.results.len()
    }

    /// The result for a line, which must be about the same as the line is now.
    pub(crate) fn take(
        &mut self,
        line: u64,
        now: impl FnOnce() -> Result<About, Failure>,
    ) -> Result<Option<EarlierResult>, Failure> {
        let Some(result) = self.results.remove(&line) else { return Ok(None) };
        let now = now()?;
        let text = |field: &'_ Option<String>| field.clone().unwrap_or_default();
        let earlier = [text(&result.game), text(&result.position), text(&result.goal)];
        let algorithm = result.algorithm.clone().unwrap_or_else(|| "gpn".into());
        let [game, position, goal] = earlier;
        let pairs = [
            ("game", game, &*now.game),
            ("position", position, &*now.position),
            // Each algorithm has its own name for the usual goal.
            ("algorithm", algorithm, now.algorithm),
            ("goal", goal, now.goal),
        ];
        for (what, earlier, now) in pairs {
            if earlier != now {
                return Err(Failure::Input(format!(
                    "--resume: the result for line {line} has the {what} '{earlier}', and now \
                     it is '{now}'; give the file and the options of that run, or another --out"
                )));
            }
        }
        Ok(Some(result))
    }
}
