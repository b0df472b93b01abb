//! Errors in queries. Each error is reported as an answer of one line.

use proofwood::{SearchError, TextError};
use proofwood_games::SpecError;
use serde_json::{Value, json};
use std::fmt::{self, Display};

/// The reason why a query has no answer, in one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// The field at fault; `None` if no single field is.
    pub field: Option<String>,
    /// The error: what is wrong, where, and what would be right.
    pub error: String,
}

/// A line that is not a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The id of the line; null if it has none.
    pub id: Value,
    /// The error to report in the answer.
    pub wrong: Wrong,
}

impl Refusal {
    /// Creates the refusal of a line that cannot be read at all.
    pub fn unreadable(why: impl Display) -> Refusal {
        Refusal { id: Value::Null, wrong: Wrong::new(why) }
    }

    /// Returns the answer to the line.
    pub fn answer(&self) -> Value {
        self.wrong.answer(&self.id)
    }
}

impl Wrong {
    /// Creates an error from a text, which is put on one line and cut to 1000 characters.
    pub fn new(why: impl Display) -> Wrong {
        const LONGEST: usize = 1000;
        let why = why.to_string();
        let line = why.chars().map(|c| if c.is_control() { ' ' } else { c });
        Wrong { field: None, error: line.take(LONGEST).collect() }
    }

    /// Creates an error about a field.
    pub fn of(field: &str, why: impl Display) -> Wrong {
        Wrong { field: Some(field.into()), ..Wrong::new(why) }
    }

    /// Returns the error as the last answer to the query with this id.
    pub fn answer(&self, id: &Value) -> Value {
        let mut answer = json!({ "id": id, "done": true, "error": self.error });
        if let Some(field) = &self.field {
            answer["field"] = field.as_str().into();
        }
        answer
    }

    /// The error for a field whose value has another type, or for an unknown field.
    pub(super) fn unfit(field: &str, value: &Value, error: &serde_json::Error) -> Wrong {
        let error = error.to_string();
        let expected = error.split_once("expected ").map_or(&*error, |(_, expected)| expected);
        let expected = expected.trim_start_matches("one of ").replace('`', "");
        if error.starts_with("unknown field") {
            let none = error.ends_with("there are no fields");
            let there = if none { "none".into() } else { expected };
            return Wrong::of(
                field,
                format!("{field}: there is no such field; known fields: {there}"),
            );
        }
        let expected = match &*expected {
            "a string" => "text",
            "a boolean" => "true or false",
            "a sequence" => "a list",
            "a map" => "an object, such as {\"c-pn\": 0.5}",
            "u32" | "u64" | "usize" => "a non-negative whole number",
            "i64" => "a whole number",
            "f64" => "a number",
            other => other,
        };
        match value.is_array() && expected != "a list" && !expected.contains("list of") {
            true => should_be(field, value, &format!("a list in which each element is {expected}")),
            false => should_be(field, value, expected),
        }
    }
}

impl Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.error)
    }
}

macro_rules! from_errors {
    ($($error:ty),+) => {
        $(impl From<$error> for Wrong {
            fn from(error: $error) -> Wrong {
                Wrong::new(error)
            }
        })+
    };
}

from_errors!(TextError, SpecError, SearchError);

/// The error for a field whose value should be `expected`.
pub(super) fn should_be(field: &str, value: &Value, expected: &str) -> Wrong {
    const LONGEST: usize = 60;
    let shown: String = value.to_string().chars().take(LONGEST).collect();
    Wrong::of(field, format!("{field}: {shown} should be {expected}"))
}

/// The refusal of a line that is not JSON. If only a number is too large, the refusal has the
/// line's id and the field at fault.
pub(super) fn no_json(line: &str, error: &serde_json::Error) -> Refusal {
    #[derive(serde::Deserialize)]
    struct Named {
        id: Value,
    }
    let wrong = Wrong::new(format!("this line is not a JSON object: {error}"));
    let Ok(Named { id }) = serde_json::from_str(line) else {
        return Refusal { id: Value::Null, wrong };
    };
    let before = line.get(..error.column()).unwrap_or_default();
    // The fields of a nested object belong to the field that contains the object.
    let end = before.rfind('{').filter(|&brace| before[..brace].contains('{'));
    let key = end.map_or(before, |brace| &before[..brace]).rsplit_once(':');
    let field = key.and_then(|(key, _)| key.trim_end().strip_suffix('"')?.rsplit('"').next());
    Refusal { id, wrong: Wrong { field: field.map(str::to_string), ..wrong } }
}
