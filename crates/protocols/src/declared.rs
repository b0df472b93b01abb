//! Options that another program declares in UCI or UGI.

use proofwood_session::cut;

/// An option declared by a line `option name NAME type TYPE ...`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Declared {
    name: String,
    kind: Kind,
}

#[derive(Debug, PartialEq, Eq)]
enum Kind {
    /// A whole number, with the minimum and the maximum if the line states them.
    Spin(Option<i64>, Option<i64>),
    Check,
    Combo(Vec<String>),
    /// A button, a string, or an unknown type.
    Other,
}

impl Declared {
    /// Parses a line; returns `None` if it does not declare an option.
    pub(super) fn read(line: &str) -> Option<Declared> {
        let rest = line.trim_start().strip_prefix("option name ")?;
        let (name, rest) = rest.split_once(" type ")?;
        let mut words = rest.split_whitespace();
        let kind = words.next()?;
        let words: Vec<&str> = words.collect();
        let number = |of: &str| {
            let place = words.iter().position(|&word| word == of)?;
            words.get(place + 1)?.parse().ok()
        };
        let kind = match kind {
            "spin" => Kind::Spin(number("min"), number("max")),
            "check" => Kind::Check,
            "combo" => {
                let values = rest.split(" var ").skip(1);
                Kind::Combo(values.map(|value| value.trim().to_owned()).collect())
            }
            _ => Kind::Other,
        };
        Some(Declared { name: name.trim().to_owned(), kind })
    }

    /// Returns whether `name` is the option's name, ignoring case.
    pub(super) fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    /// Checks a value; the error describes the valid ones.
    pub(super) fn check(&self, value: &str) -> Result<(), String> {
        let right = match &self.kind {
            Kind::Spin(min, max) => {
                let (low, high) = (min.unwrap_or(i64::MIN), max.unwrap_or(i64::MAX));
                match (value.parse::<i64>(), min, max) {
                    (Ok(number), ..) if (low..=high).contains(&number) => return Ok(()),
                    (_, Some(min), Some(max)) => format!("a whole number from {min} to {max}"),
                    (_, Some(min), None) => format!("a whole number of at least {min}"),
                    (_, None, Some(max)) => format!("a whole number of at most {max}"),
                    (_, None, None) => "a whole number".to_owned(),
                }
            }
            Kind::Check if !matches!(value, "true" | "false") => "true or false".to_owned(),
            Kind::Combo(values) if !values.iter().any(|v| v.eq_ignore_ascii_case(value)) => {
                format!("one of {}", cut(&values.join(", ")))
            }
            _ => return Ok(()),
        };
        Err(format!("'{}' should be {right}, not '{}'", self.name, cut(value)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_held_against_what_is_declared() {
        let check = |line: &str, value: &str| {
            Declared::read(line).expect("it declares an option").check(value).err()
        };
        let skill = "option name Skill Level type spin default 20 min -20 max 20";
        assert!(Declared::read(skill).is_some_and(|option| option.is("skill level")));
        assert_eq!(check(skill, "-20"), None);
        for value in ["21", "five", "", "1.5"] {
            let wrong = check(skill, value).expect("it is refused");
            assert!(wrong.contains("a whole number from -20 to 20"), "{wrong}");
        }
        assert_eq!(check("option name n type spin default 0", "7"), None);
        let wrong = check("option name n type spin default 0 min 1", "0");
        assert_eq!(wrong.as_deref(), Some("'n' should be a whole number of at least 1, not '0'"));
        let ponder = "option name Ponder type check default false";
        assert_eq!(check(ponder, "true"), None);
        assert!(check(ponder, "yes").is_some_and(|wrong| wrong.contains("true or false")));
        let style = "option name Style type combo default Very Solid var Very Solid var Wild";
        assert_eq!(check(style, "very solid"), None);
        assert!(check(style, "solid").is_some_and(|wrong| wrong.contains("Very Solid, Wild")));
        assert_eq!(check("option name Path type string default <empty>", "a b"), None);
        assert_eq!(check("option name new type slider", "3"), None);
        for line in ["uciok", "option name", "option name x", "id name option name x type check"] {
            assert_eq!(Declared::read(line), None, "{line}");
        }
    }
}
