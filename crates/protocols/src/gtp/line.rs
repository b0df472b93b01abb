//! Parses commands and formats answers.

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Command {
    /// The number of the command, which the answer repeats.
    pub(super) id: Option<u64>,
    pub(super) name: String,
    pub(super) arguments: Vec<String>,
}

impl Command {
    /// Parses a line; returns `None` if it has no command.
    pub(super) fn read(line: &str) -> Option<Command> {
        let text = line.split('#').next().unwrap_or_default();
        let text: String = text.chars().map(|c| if c == '\t' { ' ' } else { c }).collect();
        let text: String = text.chars().filter(|c| !c.is_control()).collect();
        let mut words = text.split_whitespace().peekable();
        let is_number = |word: &&str| word.bytes().all(|b| b.is_ascii_digit());
        let id = words.next_if(is_number).map(str::parse);
        let name = match (id.is_some(), words.next()) {
            (_, Some(name)) => name.to_string(),
            (true, None) => String::new(),
            (false, None) => return None,
        };
        let arguments = words.map(str::to_string).collect();
        Some(Command { id: id.and_then(Result::ok), name, arguments })
    }

    /// Returns the argument at index `number`. If it is missing, the error describes it as `what`.
    pub(super) fn argument(&self, number: usize, what: &str) -> Result<&str, String> {
        let found = self.arguments.get(number).map(String::as_str);
        found.ok_or_else(|| format!("{} needs {what}", self.name))
    }

    /// Returns whether the command writes its own answer when it succeeds.
    pub(super) fn answers_itself(&self) -> bool {
        self.name.ends_with("analyze")
    }
}

pub(super) fn answer(id: Option<u64>, reply: Result<&str, &str>) -> String {
    let (sign, text) = match reply {
        Ok(text) => ('=', text),
        Err(text) => ('?', text),
    };
    let id = id.map_or_else(String::new, |id| id.to_string());
    // An empty line would end the answer.
    let lines: Vec<&str> =
        text.trim_end().lines().map(|l| if l.is_empty() { " " } else { l }).collect();
    format!("{sign}{id} {}", lines.join("\n")).trim_end().to_string() + "\n\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_the_protocol_says() {
        let read = |line: &str| Command::read(line).map(|c| (c.id, c.name, c.arguments.len()));
        assert_eq!(read("12 play b\ta1 # a comment"), Some((Some(12), "play".into(), 2)));
        assert_eq!(read("quit\r"), Some((None, "quit".into(), 0)));
        assert_eq!(read("99999999999999999999999 name"), Some((None, "name".into(), 0)));
        assert_eq!(read("7"), Some((Some(7), String::new(), 0)));
        assert_eq!((read(""), read("  # x"), read("\u{1}")), (None, None, None));
    }

    #[test]
    fn answers_end_with_an_empty_line_and_have_none_within() {
        assert_eq!(answer(None, Ok("")), "=\n\n");
        assert_eq!(answer(Some(3), Ok("a\n\nb\n")), "=3 a\n \nb\n\n");
        assert_eq!(answer(Some(3), Err("no")), "?3 no\n\n");
    }
}
