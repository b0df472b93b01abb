//! Reads parts of the page that describes the format of certificates.

use std::sync::LazyLock;

const PAGE: &str = include_str!("../../../../docs/src/certificate-format.md");

/// Asserts that the page contains `words`, so that a test can quote the sentence that it tests.
pub fn says(words: &str) {
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(plain(PAGE).contains(&plain(words)), "the page does not say: {words}");
}

/// Returns the cells of the table with the header line `heading`, row by row.
pub fn table(heading: &str) -> Vec<Vec<String>> {
    let rows = PAGE.lines().skip_while(|line| *line != heading).skip(2);
    let rows = rows.take_while(|line| line.starts_with('|'));
    let cells = rows.map(|row| {
        let row = row.trim_matches('|').split('|');
        row.map(|cell| cell.trim().replace('`', "")).collect::<Vec<_>>()
    });
    let cells: Vec<_> = cells.collect();
    assert!(!cells.is_empty(), "the page has no table '{heading}'");
    cells
}

static RANGES: LazyLock<Vec<(char, i128, i128)>> = LazyLock::new(|| {
    let rows = table("| number | meaning | from | to |");
    let number = |cell: &str| {
        let digits = cell.split(',').next().expect("a number");
        digits.parse().unwrap_or_else(|_| panic!("'{cell}' is no number"))
    };
    let letter = |cell: &str| cell.chars().next().expect("a letter");
    rows.iter().map(|row| (letter(&row[0]), number(&row[2]), number(&row[3]))).collect()
});

/// Returns the least and the greatest number that `letter` may stand for.
pub fn range(letter: char) -> (i128, i128) {
    let &(_, least, most) = RANGES.iter().find(|row| row.0 == letter).expect("a letter");
    (least, most)
}

/// Returns the limit for `what` from the page's table of limits.
pub fn limit(what: &str) -> usize {
    let rows = table("| what | at most |");
    let row = rows.iter().find(|row| row[0].starts_with(what)).expect("a limit");
    row[1].split(' ').next().expect("a number").parse().expect("a number")
}

/// Returns the page's example of a certificate.
pub fn example() -> &'static str {
    let (_, rest) = PAGE.split_once("```text\n").expect("an example");
    rest.split_once("```").expect("its end").0
}
