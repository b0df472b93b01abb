//! Options and limits to send to another machine.

use super::limits::Limits;
use super::options::SearchOptions;
use super::provers::ProverOptions;
use crate::Trouble;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// Options and limits by name, each with its value as on the command line.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Given(BTreeMap<String, String>);

impl Given {
    /// Sets an option or a limit, replacing any earlier value.
    pub fn give(&mut self, name: &str, text: String) {
        self.0.insert(name.into(), text);
    }

    /// Removes an option or a limit.
    pub fn take(&mut self, name: &str) {
        self.0.remove(name);
    }

    /// Parses the limits and the options of provers and searches.
    pub fn read(&self) -> Result<(Limits, ProverOptions, SearchOptions), Trouble> {
        let mut limits = Limits::default();
        let (mut provers, mut options) = (ProverOptions::default(), SearchOptions::default());
        for (name, text) in &self.0 {
            let is_known =
                limits.give(name, text) || provers.give(name, text) || options.give(name, text);
            if !is_known {
                return Err(Trouble::Input(format!("this job has an unknown option: {name}")));
            }
        }
        Ok((limits, provers, options))
    }
}

impl<'n> FromIterator<(&'n str, String)> for Given {
    fn from_iter<I: IntoIterator<Item = (&'n str, String)>>(pairs: I) -> Given {
        Given(pairs.into_iter().map(|(name, text)| (name.to_string(), text)).collect())
    }
}

/// Writes the options in command-line form.
impl fmt::Display for Given {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, (name, text)) in self.0.iter().enumerate() {
            let space = if number == 0 { "" } else { " " };
            write!(f, "{space}--{name} {text}")?;
        }
        Ok(())
    }
}
