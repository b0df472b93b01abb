//! The options of a search, generated from the library's table.
//!
//! This module does not list the options: a new row of [`OPTIONS`] automatically appears on the
//! command line, in the help and in the error messages.

use super::limits::there_is;
use super::presets;
use crate::Trouble;
use proofwood::Config;
use proofwood::options::{OPTIONS, OptionSpec};

/// Search options as text that has not been parsed yet.
#[derive(Clone, Debug, Default)]
pub struct SearchOptions {
    pub(super) preset: Option<String>,
    pub(super) given: Vec<(&'static OptionSpec<Config>, String)>,
}

impl SearchOptions {
    /// Applies the preset and the options to `config`.
    pub fn apply(&self, config: Config) -> Result<Config, Trouble> {
        self.apply_to(None, config)
    }

    /// Applies the preset and the options to `config`, for the game with this description.
    pub fn apply_to(&self, game: Option<&str>, mut config: Config) -> Result<Config, Trouble> {
        if let Some(preset) = &self.preset {
            presets::apply(preset, game, &mut config)?;
        }
        for (spec, text) in &self.given {
            presets::set_one(spec, text, &mut config)?;
            if spec.name == "memory" {
                there_is("--memory", text, config.memory)?;
            }
        }
        config.check()?;
        Ok(config)
    }

    /// Returns the names and texts of the options that were given.
    pub fn given(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.given.iter().map(|(spec, text)| (spec.name, text.as_str()))
    }

    /// Returns the preset that was given, if any.
    pub fn preset(&self) -> Option<&str> {
        self.preset.as_deref()
    }

    /// Returns whether the option `name` was given.
    pub fn gives(&self, name: &str) -> bool {
        self.given.iter().any(|(spec, _)| spec.name == name)
    }

    /// Sets an option or the preset, replacing any earlier value; returns false if the name is
    /// unknown.
    pub fn give(&mut self, name: &str, text: &str) -> bool {
        if name == PRESET {
            self.preset = Some(text.into());
            return true;
        }
        let Some(spec) = OPTIONS.iter().find(|spec| spec.name == name) else { return false };
        self.given.retain(|(given, _)| given.name != name);
        self.given.push((spec, text.into()));
        true
    }

    /// Removes an option and returns its text, for a command that parses it in its own way.
    pub fn take(&mut self, name: &str) -> Option<String> {
        let at = self.given.iter().position(|(spec, _)| spec.name == name)?;
        Some(self.given.remove(at).1)
    }
}

pub(super) const PRESET: &str = "preset";

/// Returns the names and texts of the options that differ from the defaults. The number of threads
/// is always included, since its default depends on the machine.
pub fn differing(config: &Config) -> Vec<(&'static str, String)> {
    let usual = Config::default();
    let all = OPTIONS.iter().map(|spec| (spec.name, (spec.get)(config), (spec.get)(&usual)));
    let differing = all.filter(|(name, text, usual)| *name == "threads" || text != usual);
    differing.map(|(name, text, _)| (name, text)).collect()
}

/// Formats options and limits in command-line form.
pub fn typed(given: &[(&str, String)]) -> String {
    let texts: Vec<String> = given.iter().map(|(name, text)| format!("--{name} {text}")).collect();
    texts.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_written_as_they_are_typed() {
        let config = Config::default().threads(1).memory(256 << 20);
        let text = typed(&differing(&config));
        assert_eq!(text, "--threads 1 --memory 256M");
        let mut read = Config::default();
        presets::set(&text, &mut read).unwrap();
        assert_eq!(read, config);
        presets::set("--threads 2 --c 1 --c default --bias sum --bias default", &mut read).unwrap();
        assert_eq!(typed(&differing(&read)), "--threads 2 --memory 256M");
    }
}
