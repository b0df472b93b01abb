//! What fits on a screen: how wide it is, and lines that leave out whole items
//! where there is no room for all.

use anstream::adapter::strip_str;
use std::io;
use terminal_size::{Width, terminal_size_of};
use unicode_width::UnicodeWidthStr;

/// What stands between two items of a line.
const BETWEEN: &str = "  ";

/// The columns of the terminal that standard output is; `None` where it is none,
/// and there is room for everything.
pub(crate) fn of_output() -> Option<usize> {
    let told = || terminal_size_of(io::stdout()).map(|(Width(columns), _)| columns.into());
    fits::WIDTH.get().or_else(told)
}

/// The columns of the terminal that standard error is, 80 where it does not tell, less
/// those of the `^C` that it writes behind a line: on the next row the line could not
/// be taken away any more.
pub(crate) fn of_errors() -> usize {
    const ECHO: usize = 2;
    let size = terminal_size_of(io::stderr());
    let columns = size.map_or(80, |(Width(columns), _)| usize::from(columns));
    columns.saturating_sub(ECHO).max(1)
}

/// The columns that a text takes; colours take none.
pub fn columns(text: &str) -> usize {
    strip_str(text).to_string().width()
}

/// A line made of items, some more important than others.
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// Each with its rank; 0 is the most important.
    items: Vec<(u8, String)>,
}

impl Line {
    /// A line without items.
    pub fn new() -> Line {
        Line::default()
    }

    /// The line with one more item behind the others; an empty one is none.
    #[must_use]
    pub fn item(mut self, rank: u8, text: impl Into<String>) -> Line {
        let text = text.into();
        if !text.is_empty() {
            self.items.push((rank, text));
        }
        self
    }

    /// The most important items, each whole, as far as there is room for them in so
    /// many columns.
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

    /// All items.
    fn items(&self) -> impl Iterator<Item = &str> {
        self.items.iter().map(|(_, text)| text.as_str())
    }
}

/// Breaks a text for standard output.
pub fn fit(text: &str) -> String {
    wrap(text, of_output())
}

/// Breaks a text between words, so that no line is wider than this. Lines that are
/// short enough stay as they are.
pub(crate) fn wrap(text: &str, width: Option<usize>) -> String {
    let Some(width) = width else { return text.to_string() };
    let mut wrapped = String::new();
    for line in text.split_inclusive('\n') {
        if columns(line.trim_end()) <= width {
            wrapped.push_str(line);
            continue;
        }
        // The first word of a line has no blank before it. Blanks stay as they are.
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

/// Tests of what is printed, for the laboratory, too.
pub mod fits {
    use super::{BETWEEN, Line, columns};
    use std::cell::Cell;

    thread_local! {
        /// What a test has made of the terminal.
        pub(super) static WIDTH: Cell<Option<usize>> = const { Cell::new(None) };
    }

    /// Holds what is printed against terminals from 40 columns on: no line is wider.
    /// In one of 40 columns all of `always` is there.
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

    /// Holds a line against terminals of all widths: it is never wider, and every
    /// item is whole or not there. Where there is room, all of `always` is there.
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
