//! SGF: trees of moves, as written by programs for Go, Hex, Othello and other games (FF[4],
//! <https://www.red-bean.com/sgf/>).
//!
//! Nodes are stored in a list and refer to their children by index. No operation is therefore
//! recursive, including deallocation, even for a file with a million moves.

/// The maximum number of properties in a node; the standard defines fewer than a hundred.
const MOST_PROPERTIES: usize = 1000;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Node {
    pub properties: Vec<(String, Vec<String>)>,
    pub children: Vec<usize>,
}

/// A collection of games: all nodes, and the indices of the games' roots.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Collection {
    pub nodes: Vec<Node>,
    pub roots: Vec<usize>,
}

impl Node {
    /// Returns the first value of a property, if any.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.values(name).first().map(String::as_str)
    }

    /// Returns all values of a property.
    pub fn values(&self, name: &str) -> &[String] {
        let found = self.properties.iter().find(|(other, _)| other == name);
        found.map_or(&[], |(_, values)| values)
    }

    /// Sets a property, replacing any earlier values.
    pub fn set(&mut self, name: &str, value: impl Into<String>) {
        self.properties.retain(|(other, _)| other != name);
        self.properties.push((name.into(), vec![value.into()]));
    }
}

impl Collection {
    /// Creates a collection of one game that begins with this node.
    pub fn new(root: Node) -> Collection {
        Collection { nodes: vec![root], roots: vec![0] }
    }

    /// Adds a child to a node; returns its index.
    pub fn add(&mut self, parent: usize, node: Node) -> usize {
        let number = self.nodes.len();
        self.nodes.push(node);
        self.nodes[parent].children.push(number);
        number
    }

    /// Returns the nodes of a game's main line, from the root.
    pub fn main_line(&self, root: usize) -> impl Iterator<Item = &Node> {
        let mut next = Some(root);
        std::iter::from_fn(move || {
            let node = &self.nodes[next?];
            next = node.children.first().copied();
            Some(node)
        })
    }

    /// Returns the byte index at which the first game in a text begins.
    pub fn begin(text: &str) -> Option<usize> {
        let begins = |at: &usize| text[at + 1..].trim_start().starts_with(';');
        text.match_indices('(').map(|(at, _)| at).find(begins)
    }

    /// Parses a collection. Text before its first game is skipped.
    pub fn read(text: &str) -> Result<Collection, String> {
        let start = Collection::begin(text).ok_or("the file is not SGF: it contains no '(;'")?;
        let mut reader = Reader { text, at: start, line: 1 + newlines(&text[..start]) };
        let mut all = Collection::default();
        // For each open parenthesis, the node before it.
        let mut open: Vec<Option<usize>> = Vec::new();
        let mut before: Option<usize> = None;
        // The line where the current game begins, for errors.
        let mut line = 0;
        while let Some(c) = reader.next() {
            match c {
                '(' => {
                    line = if open.is_empty() { reader.line } else { line };
                    open.push(before);
                }
                ')' => {
                    before = open.pop().ok_or_else(|| reader.wrong("unexpected ')'"))?;
                }
                ';' if !open.is_empty() => {
                    let node = reader.node()?;
                    let number = all.nodes.len();
                    all.nodes.push(node);
                    match before {
                        Some(parent) => all.nodes[parent].children.push(number),
                        None => all.roots.push(number),
                    }
                    before = Some(number);
                }
                // Any text is allowed between games and after the last one.
                _ if open.is_empty() => {}
                other => return Err(reader.wrong(&format!("unexpected '{other}'"))),
            }
        }
        match open.is_empty() {
            true => Ok(all),
            false => {
                Err(reader
                    .wrong(&format!("the game that begins on line {line} has no closing ')'")))
            }
        }
    }

    pub fn text(&self) -> String {
        enum Step {
            Text(&'static str),
            Node(usize),
        }
        let mut text = String::new();
        let mut steps = Vec::new();
        for &root in &self.roots {
            steps.extend([Step::Text(")\n"), Step::Node(root), Step::Text("(")]);
            while let Some(step) = steps.pop() {
                let node = match step {
                    Step::Text(part) => {
                        text.push_str(part);
                        continue;
                    }
                    Step::Node(number) => &self.nodes[number],
                };
                text.push(';');
                for (name, values) in &node.properties {
                    text.push_str(name);
                    values.iter().for_each(|value| push_value(&mut text, value));
                }
                let varies = node.children.len() > 1;
                for &child in node.children.iter().rev() {
                    if varies {
                        steps.push(Step::Text(")"));
                    }
                    steps.push(Step::Node(child));
                    if varies {
                        steps.push(Step::Text("\n("));
                    }
                }
            }
        }
        text
    }
}

fn push_value(text: &mut String, value: &str) {
    text.push('[');
    for c in value.chars() {
        if matches!(c, ']' | '\\') {
            text.push('\\');
        }
        text.push(c);
    }
    text.push(']');
}

fn newlines(text: &str) -> usize {
    text.bytes().filter(|&byte| byte == b'\n').count()
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    line: usize,
}

impl Reader<'_> {
    fn wrong(&self, what: &str) -> String {
        format!("line {}: {what}", self.line)
    }

    fn take(&mut self) -> Option<char> {
        let c = self.text[self.at..].chars().next()?;
        self.at += c.len_utf8();
        self.line += usize::from(c == '\n');
        Some(c)
    }

    /// Returns the next character that is not whitespace.
    fn next(&mut self) -> Option<char> {
        loop {
            let c = self.take()?;
            if !c.is_whitespace() {
                return Some(c);
            }
        }
    }

    fn peek(&mut self) -> Option<char> {
        let (at, line) = (self.at, self.line);
        let c = self.next();
        (self.at, self.line) = (at, line);
        c
    }

    fn node(&mut self) -> Result<Node, String> {
        let mut node = Node::default();
        while let Some(c) = self.peek().filter(|c| c.is_ascii_alphabetic()) {
            let mut name = String::new();
            let mut letter = Some(c);
            while let Some(c) = letter.filter(|c| c.is_ascii_alphanumeric()) {
                self.next();
                // Old files have lower-case letters in names, which are ignored.
                if !c.is_ascii_lowercase() {
                    name.push(c);
                }
                letter = self.peek();
            }
            let mut values = Vec::new();
            while self.peek() == Some('[') {
                self.next();
                values.push(self.value()?);
            }
            if values.is_empty() {
                return Err(self.wrong(&format!("the property '{name}' has no value in brackets")));
            }
            if node.properties.len() >= MOST_PROPERTIES {
                let most = MOST_PROPERTIES;
                return Err(self.wrong(&format!("a node has more than {most} properties")));
            }
            match node.properties.iter_mut().find(|(other, _)| *other == name) {
                Some((_, all)) => all.append(&mut values),
                None => node.properties.push((name, values)),
            }
        }
        Ok(node)
    }

    /// Reads a value up to its closing bracket.
    fn value(&mut self) -> Result<String, String> {
        let line = self.line;
        let mut value = String::new();
        loop {
            match self.take() {
                Some(']') => return Ok(value),
                Some('\\') => match self.take() {
                    // An escaped line break is removed.
                    Some('\n') | None => {}
                    Some(c) => value.push(c),
                },
                Some('\r') => {}
                Some(c) => value.push(c),
                None => return Err(format!("line {line}: a value has no closing ']'")),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Generates valid collections of arbitrary values, with each node below an earlier one.
    fn collections() -> impl Strategy<Value = Collection> {
        let name = prop::sample::select(vec!["B", "W", "C", "AB", "SZ", "X9"]);
        let value = "[^\r]{0,8}";
        let node = prop::collection::btree_map(name, prop::collection::vec(value, 1..3), 0..3);
        prop::collection::vec((node, any::<prop::sample::Index>()), 1..30).prop_map(|nodes| {
            let mut all = Collection::default();
            for (number, (properties, parent)) in nodes.into_iter().enumerate() {
                let properties = properties.into_iter().map(|(n, v)| (n.to_string(), v)).collect();
                let node = Node { properties, children: Vec::new() };
                match number {
                    0 => all = Collection::new(node),
                    _ => drop(all.add(parent.index(number), node)),
                }
            }
            all
        })
    }

    /// Returns the nodes in the order of the text, with their depths.
    fn sorted(all: &Collection) -> Vec<(usize, Node)> {
        let mut open = vec![(0, all.roots[0])];
        let mut sorted = Vec::new();
        while let Some((depth, number)) = open.pop() {
            let node = &all.nodes[number];
            open.extend(node.children.iter().rev().map(|&child| (depth + 1, child)));
            sorted.push((depth, Node { children: Vec::new(), ..node.clone() }));
        }
        sorted
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(all in collections()) {
            let read = Collection::read(&all.text()).unwrap();
            prop_assert_eq!(sorted(&read), sorted(&all));
        }

        #[test]
        fn any_text_is_read_to_an_end(text in "[(;)BW\\[\\]a-c\\\\ \n]{0,60}") {
            let _ = Collection::read(&text);
            let _ = Collection::read(&format!("(;{text}"));
        }
    }

    #[test]
    fn a_file_of_the_standard_is_read() {
        let text = "junk (c)\n(;FF[4]C[root\\]; a \\\\ b](;C[a];C[b](;C[c])\n(;C[d];C[e]))\n(;C[f](;C[g]\n;C[h])(;Comment[i])))(;GaMe[2])x";
        let all = Collection::read(text).unwrap();
        assert_eq!(all.roots.len(), 2);
        assert_eq!(all.nodes[0].value("C"), Some("root]; a \\ b"));
        let line = all.main_line(0).filter_map(|node| node.value("C")).collect::<Vec<_>>();
        assert_eq!(line[1..], ["a", "b", "c"]);
        assert_eq!(all.nodes[all.roots[1]].value("GM"), Some("2"));
        assert!(all.nodes.iter().any(|node| node.value("C") == Some("i")));
    }

    #[test]
    fn a_million_moves_are_no_recursion() {
        let text = format!("({})", ";B[aa]".repeat(1_000_000));
        let all = Collection::read(&text).unwrap();
        assert_eq!(all.main_line(0).count(), 1_000_000);
        assert_eq!(all.text().trim_end(), text);
        let deep = format!("{}{}", "(;".repeat(500_000), ")".repeat(500_000));
        assert_eq!(Collection::read(&deep).unwrap().nodes.len(), 500_000);
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        let letter = |number: u32| char::from_u32('A' as u32 + number % 26).expect("a letter");
        let name = |number| [letter(number / 26 / 26), letter(number / 26), letter(number)];
        let names = (0..1001).map(|number| name(number).iter().collect::<String>() + "[]");
        let many = format!("(;{})", names.collect::<String>());
        for (text, why) in [
            ("", "the file is not SGF: it contains no '(;'"),
            ("hello", "the file is not SGF: it contains no '(;'"),
            ("\n(;B[aa]\n", "line 3: the game that begins on line 2 has no closing ')'"),
            ("(;B[aa]\n;W[bb\n", "line 2: a value has no closing ']'"),
            ("(;B[aa]\n;W)", "line 2: the property 'W' has no value in brackets"),
            ("(;B[aa]\n{})", "line 2: unexpected '{'"),
            (&many, "line 1: a node has more than 1000 properties"),
        ] {
            assert_eq!(Collection::read(text).unwrap_err(), why, "{text}");
        }
    }
}
