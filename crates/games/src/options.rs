//! Reads a game's options, the part after the colon in `connect-four:9x5,k=4`.
//!
//! Options are separated by commas. They are plain numbers and sizes, whose order matters, or
//! `key=value` pairs and flags in any order. A game reads its own options; [`Options::finish`]
//! rejects all others.

use crate::info::GameInfo;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// The reason why a text does not describe a game, as a one-line message for the user.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SpecError {
    /// No game has the name, or several games share it.
    #[error("there is no game '{name}'{hint}")]
    UnknownGame {
        /// The name that the user gave.
        name: String,
        /// A question that suggests the names of similar games; may be empty.
        hint: String,
    },
    /// The game does not have the option, or accepts fewer options of its kind.
    #[error("{game} has no option '{option}'{known}")]
    UnknownOption {
        /// The canonical name of the game.
        game: &'static str,
        /// The option as the user wrote it.
        option: String,
        /// The options of the game, as a list.
        known: String,
    },
    /// An option is given twice.
    #[error("{game}: the option '{option}' is given twice")]
    DuplicateOption {
        /// The canonical name of the game.
        game: &'static str,
        /// The key of the option, or a description if it has none.
        option: String,
    },
    /// An option that the game needs is missing.
    #[error("{game} needs {option}; for example {example}")]
    MissingOption {
        /// The canonical name of the game.
        game: &'static str,
        /// A description of the missing option.
        option: &'static str,
        /// A complete description of a game as an example.
        example: &'static str,
    },
    /// An option's value is of the wrong kind or out of range.
    #[error("{game}: '{value}' is not a valid value for {option}; it must be {expected}")]
    InvalidValue {
        /// The canonical name of the game.
        game: &'static str,
        /// The key of the option, or a description if it has none.
        option: &'static str,
        /// The value that the user gave.
        value: String,
        /// The allowed values, in words.
        expected: String,
    },
    /// The values are valid, but not in combination.
    #[error("{game}: {reason}")]
    Impossible {
        /// The canonical name of the game.
        game: &'static str,
        /// The conflict between the values, and a possible combination.
        reason: String,
    },
}

/// Escapes control characters, so that a text fits into a one-line message.
pub(crate) fn printable(text: &str) -> String {
    let escape = |c: char| match c.is_control() {
        true => c.escape_default().to_string(),
        false => c.to_string(),
    };
    text.chars().map(escape).collect()
}

/// The options given for a game; each is marked when the game reads it.
pub(crate) struct Options {
    info: &'static GameInfo,
    items: Vec<Item>,
}

struct Item {
    /// The key of a `key=value` pair, or the whole flag or number.
    key: String,
    value: Option<String>,
    taken: bool,
}

impl Item {
    fn is_positional(&self) -> bool {
        self.value.is_none() && self.key.starts_with(|c: char| c.is_ascii_digit() || c == '-')
    }

    fn text(&self) -> String {
        match &self.value {
            None => self.key.clone(),
            Some(value) => format!("{}={value}", self.key),
        }
    }
}

impl Options {
    /// Splits `text`, the part after the colon, into options.
    pub(crate) fn parse(info: &'static GameInfo, text: &str) -> Result<Options, SpecError> {
        let mut items: Vec<Item> = Vec::new();
        if !text.trim().is_empty() {
            for part in text.split(',') {
                let part = printable(part.trim()).to_ascii_lowercase();
                if part.is_empty() {
                    let reason = "an option is missing before or after a comma".to_string();
                    return Err(SpecError::Impossible { game: info.name, reason });
                }
                let item = match part.split_once('=') {
                    None => Item { key: part, value: None, taken: false },
                    Some((key, value)) => Item {
                        key: key.trim_end().to_string(),
                        value: Some(value.trim_start().to_string()),
                        taken: false,
                    },
                };
                if !item.is_positional() && items.iter().any(|other| other.key == item.key) {
                    return Err(SpecError::DuplicateOption { game: info.name, option: item.key });
                }
                items.push(item);
            }
        }
        Ok(Options { info, items })
    }

    pub(crate) fn number<T: FromStr + PartialOrd + Display>(
        &mut self,
        what: &'static str,
        range: RangeInclusive<T>,
    ) -> Result<Option<T>, SpecError> {
        match self.take_positional() {
            None => Ok(None),
            Some(text) => self.ranged(what, &text, range).map(Some),
        }
    }

    pub(crate) fn required_number<T: FromStr + PartialOrd + Display>(
        &mut self,
        what: &'static str,
        range: RangeInclusive<T>,
    ) -> Result<T, SpecError> {
        self.number(what, range)?.ok_or(SpecError::MissingOption {
            game: self.info.name,
            option: what,
            example: self.info.example,
        })
    }

    /// Reads the next size: `9x5`, columns first, or `6` for a square board.
    pub(crate) fn size(
        &mut self,
        range: RangeInclusive<usize>,
    ) -> Result<Option<(usize, usize)>, SpecError> {
        let Some(text) = self.take_positional() else { return Ok(None) };
        let (width, height) = text.split_once('x').unwrap_or((&text, &text));
        let width = self.ranged("the board's width", width, range.clone())?;
        let height = self.ranged("the board's height", height, range)?;
        Ok(Some((width, height)))
    }

    /// Reads the side of a square board: `6`, or `6x6`.
    pub(crate) fn square(
        &mut self,
        range: RangeInclusive<usize>,
    ) -> Result<Option<usize>, SpecError> {
        match self.size(range)? {
            Some((width, height)) if width != height => {
                let reason = format!("the board must be square, not {width}x{height}");
                Err(SpecError::Impossible { game: self.info.name, reason })
            }
            size => Ok(size.map(|(width, _)| width)),
        }
    }

    /// Reads the value of `key=value`, which must be in `range`.
    pub(crate) fn value<T: FromStr + PartialOrd + Display>(
        &mut self,
        key: &'static str,
        range: RangeInclusive<T>,
    ) -> Result<Option<T>, SpecError> {
        let item = self.items.iter_mut().find(|item| item.key == key && item.value.is_some());
        match item.map(|item| (item.taken = true, item.value.clone()).1) {
            Some(Some(text)) => self.ranged(key, &text, range).map(Some),
            _ => Ok(None),
        }
    }

    /// Reads `key=word`, and returns the value listed for the word in `words`.
    pub(crate) fn word<T: Copy>(
        &mut self,
        key: &'static str,
        words: &[(&str, T)],
    ) -> Result<Option<T>, SpecError> {
        let item = self.items.iter_mut().find(|item| item.key == key && item.value.is_some());
        let Some(item) = item else { return Ok(None) };
        item.taken = true;
        let value = item.value.as_deref().unwrap_or_default();
        let found = words.iter().find(|(word, _)| *word == value);
        found.map(|&(_, meaning)| Some(meaning)).ok_or_else(|| SpecError::InvalidValue {
            game: self.info.name,
            option: key,
            value: value.to_string(),
            expected: words.iter().map(|&(word, _)| word).collect::<Vec<_>>().join(" or "),
        })
    }

    pub(crate) fn flag(&mut self, name: &str) -> bool {
        let item = self.items.iter_mut().find(|item| item.key == name && item.value.is_none());
        item.map(|item| item.taken = true).is_some()
    }

    /// Rejects the options that the game has not read.
    pub(crate) fn finish(self) -> Result<(), SpecError> {
        let Some(item) = self.items.iter().find(|item| !item.taken) else { return Ok(()) };
        let spellings: Vec<&str> =
            self.info.options.iter().map(|&(spelling, _)| spelling).collect();
        Err(SpecError::UnknownOption {
            game: self.info.name,
            option: item.text(),
            known: match spellings.is_empty() {
                true => "; it has no options".to_string(),
                false => format!("; its options are: {}", spellings.join(" ")),
            },
        })
    }

    fn take_positional(&mut self) -> Option<String> {
        let item = self.items.iter_mut().find(|item| !item.taken && item.is_positional())?;
        item.taken = true;
        Some(item.key.clone())
    }

    fn ranged<T: FromStr + PartialOrd + Display>(
        &self,
        what: &'static str,
        text: &str,
        range: RangeInclusive<T>,
    ) -> Result<T, SpecError> {
        text.parse().ok().filter(|value| range.contains(value)).ok_or_else(|| {
            SpecError::InvalidValue {
                game: self.info.name,
                option: what,
                value: text.to_string(),
                expected: format!("a number from {} to {}", range.start(), range.end()),
            }
        })
    }
}
