//! The width of the terminal, and lines that omit whole items to fit it.

use anstream::adapter::strip_str;
use std::io;
use terminal_size::{Width, terminal_size_of};
use unicode_width::UnicodeWidthStr;

const BETWEEN: &str = "  ";

/// Returns the width of standard output in columns; `None` if it is not a terminal and so has no
/// limit.
pub(crate) fn of_output() -> Option<usize> {
    let told = || terminal_size_of(io::stdout()).map(|(Width(columns), _)| columns.into());
    fits::WIDTH.get().or_else(told)
}

/// Returns the width of standard error in columns, 80 if it is unknown. Two columns are kept free
/// for the `^C` that a terminal appends to a progress line, because a line that wraps could not be
/// erased.
pub(crate) fn of_errors() -> usize {
    const ECHO: usize = 2;
    let size = terminal_size_of(io::stderr());
    let columns = size.map_or(80, |(Width(columns), _)| usize::from(columns));
    columns.saturating_sub(ECHO).max(1)
}

/// Returns the number of columns that a text occupies, without its colour codes.
pub fn columns(text: &str) -> usize {
    strip_str(text).to_string().width()
}

/// A line of items with different priorities.
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// Each item with its rank; 0 is the most important.
    items: Vec<(u8, String)>,
}

impl Line {
    /// Creates a line without items.
    pub fn new() -> Line {
        Line::default()
    }

    /// Appends an item, unless it is empty.
    #[must_use]
    pub fn item(mut self, rank: u8, text: impl Into<String>) -> Line {
        let text = text.into();
        if !text.is_empty() {
            self.items.push((rank, text));
        }
        self
    }

    /// Appends all items of another line.
    #[must_use]
    pub(crate) fn then(mut self, other: Line) -> Line {
        self.items.extend(other.items);
        self
    }

    /// Returns the most important items that fit into `width` columns, in their original order.
    pub(crate) fn text(&self, width: usize) -> String {
        let mut by_rank: Vec<usize> = (0..self.items.len()).collect();
        by_rank.sort_by_key(|&number| self.items[number].0);
        let (mut left, mut shown) = (width, vec![false; self.items.len()]);
        for number in by_rank {
            let gap = if shown.contains(&true) { BETWEEN.len() } else { 0 };
            let Some(rest) = left.checked_sub(columns(&self.items[number].1) + gap) else { break };
            (left, shown[number]) = (rest, true);
        }
        let items = self.items.iter().zip(shown).filter(|(_, shown)| *shown);
        items.map(|((_, text), _)| text.as_str()).collect::<Vec<_>>().join(BETWEEN)
    }

    fn items(&self) -> impl Iterator<Item = &str> {
        self.items.iter().map(|(_, text)| text.as_str())
    }
}

/// Wraps a text to the width of standard output.
pub fn fit(text: &str) -> String {
    wrap(text, of_output())
}

/// Wraps a text between words, so that no line is wider than `width`. Lines that fit are left
/// unchanged.
pub(crate) fn wrap(text: &str, width: Option<usize>) -> String {
    let Some(width) = width else { return text.to_string() };
    let mut wrapped = String::new();
    for line in text.split_inclusive('\n') {
        if columns(line.trim_end()) <= width {
            wrapped.push_str(line);
            continue;
        }
        // No space precedes the first word of a line. Repeated spaces are kept.
        let mut at = None;
        for word in line.trim_end().split(' ') {
            let wide = columns(word);
            at = Some(match at {
                Some(at) if at + 1 + wide <= width => {
                    wrapped.push(' ');
                    at + 1 + wide
                }
                Some(_) => {
                    wrapped.push('\n');
                    wide
                }
                None => wide,
            });
            wrapped.push_str(word);
        }
        wrapped.push('\n');
    }
    wrapped
}

/// Checks of printed texts for tests, including those of the laboratory.
pub mod fits {
    use super::{BETWEEN, Line, columns};
    use std::cell::Cell;

    thread_local! {
        pub(super) static WIDTH: Cell<Option<usize>> = const { Cell::new(None) };
    }

    /// Checks that no line is wider than the terminal, for widths from 40 to 200 columns, and that
    /// at 40 columns all of `always` is present.
    pub fn check_text(print: impl Fn() -> String, always: &[&str]) {
        for width in 40..=200 {
            WIDTH.set(Some(width));
            let text = print();
            let widest = text.lines().map(columns).max().unwrap_or(0);
            assert!(widest <= width, "{widest} columns for {width}:\n{text}");
            assert!(always.iter().all(|part| text.contains(part)), "{width}:\n{text}");
        }
        WIDTH.set(None);
        assert!(!print().contains("columns hidden"));
    }

    /// Checks that a line is never wider than the terminal, that each item is whole or absent, and
    /// that each item of `always` is present from its width upwards.
    pub fn check(line: &Line, always: &[(usize, &str)]) {
        for width in 20..=200 {
            let text = line.text(width);
            assert!(columns(&text) <= width, "{width}: {text}");
            let mut rest = text.as_str();
            for item in line.items() {
                if let Some(behind) = rest.strip_prefix(item) {
                    let between = behind.strip_prefix(BETWEEN);
                    rest = between.unwrap_or_else(|| {
                        assert_eq!(behind, "", "{width}: {text}");
                        ""
                    });
                }
            }
            assert_eq!(rest, "", "{width}: an item is cut in '{text}'");
            for (from, item) in always {
                assert!(width < *from || text.contains(item), "{width}: no {item} in '{text}'");
            }
        }
        assert!(line.items().all(|item| line.text(400).contains(item)));
    }
}

#[cfg(test)]
pub(crate) mod tests {
    pub(crate) use super::fits::{check, check_text};
    use super::*;

    #[test]
    fn items_are_whole_or_left_out() {
        let line = Line::new().item(1, "4.2 s").item(0, "best f5").item(3, "").item(2, "größer");
        assert_eq!(line.text(80), "4.2 s  best f5  größer");
        assert_eq!(line.text(22), "4.2 s  best f5  größer");
        assert_eq!(line.text(21), "4.2 s  best f5");
        assert_eq!(line.text(13), "best f5");
        assert_eq!(line.text(7), "best f5");
        assert_eq!(line.text(6), "", "4.2 s is less important");
        check(&line, &[(22, "größer")]);
    }

    #[test]
    fn widths_are_those_on_the_screen() {
        assert_eq!(columns("1+ε"), 3);
        assert_eq!(columns("将棋"), 4);
        assert_eq!(columns("\x1b[1m\x1b[32mwin\x1b[0m"), 3);
    }

    #[test]
    fn texts_are_broken_between_words() {
        let text = "short\na line of five words\n";
        assert_eq!(wrap(text, None), text);
        assert_eq!(wrap(text, Some(10)), "short\na line of\nfive words\n");
        assert_eq!(wrap("Line     f5 d6 c3\n", Some(14)), "Line     f5 d6\nc3\n");
        assert_eq!(wrap("unbreakable\n", Some(4)), "unbreakable\n");
    }
}
