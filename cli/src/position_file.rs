//! Files of positions, read line by line.
//!
//! A file is CSV when its first line names columns, one of which is
//! `position` or begins with `moves` (such as `moves_1based`); where both are
//! there, `position` counts. A column `id` is repeated in the answers, a
//! column `game` says which game a line belongs to. Any other file has one
//! position, or list of moves, on each line. Blank lines and lines that begin
//! with `#` are left out.
//!
//! Lines are taken as they come, so a program can write positions into a pipe
//! and read each answer before it writes the next.

use crate::exit::Failure;
use crate::positions::play_all;
use proofwood_any_game::{Position, Rules};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};

/// A file of positions.
pub(crate) struct PositionFile {
    /// The name for messages.
    pub(crate) name: String,
    lines: Lines,
    /// The columns of a CSV file.
    columns: Option<Columns>,
    /// The first line of a file without columns.
    first: Option<Line>,
}

/// A line that holds a position, or should.
#[derive(Debug)]
pub(crate) struct Entry {
    /// Its number, counted from 1.
    pub(crate) line: u64,
    pub(crate) id: Option<String>,
    pub(crate) game: Option<String>,
    /// The position, or why there is none.
    pub(crate) text: Result<EntryText, String>,
}

/// How a line gives a position.
#[derive(Debug)]
pub(crate) enum EntryText {
    /// The moves from the start.
    Moves(String),
    /// A position in text form or the moves from the start.
    Either(String),
}

struct Columns {
    names: usize,
    text: usize,
    moves: bool,
    id: Option<usize>,
    game: Option<usize>,
}

type Line = (u64, Result<String, String>);

/// The lines that are neither blank nor comments.
struct Lines {
    reader: Box<dyn BufRead>,
    number: u64,
}

impl PositionFile {
    /// Opens a file, `-` for standard input, and reads its header.
    pub(crate) fn open(path: &str) -> Result<PositionFile, Failure> {
        let (name, reader): (String, Box<dyn BufRead>) = match path {
            "-" => ("standard input".into(), Box::new(BufReader::new(io::stdin()))),
            _ => match File::open(path) {
                Ok(file) => (path.into(), Box::new(BufReader::new(file))),
                Err(error) => return Err(Failure::reading(path, &error)),
            },
        };
        PositionFile::new(name, reader)
    }

    /// A file that is at hand as text.
    pub(crate) fn of_text(name: &str, text: String) -> Result<PositionFile, Failure> {
        PositionFile::new(name.into(), Box::new(io::Cursor::new(text)))
    }

    /// Counts the positions in a file that can be read twice.
    pub(crate) fn count(path: &str) -> Option<u64> {
        fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
        let mut file = PositionFile::open(path).ok()?;
        let mut count = 0;
        while file.next().ok()?.is_some() {
            count += 1;
        }
        Some(count)
    }

    fn new(name: String, reader: Box<dyn BufRead>) -> Result<PositionFile, Failure> {
        let mut lines = Lines { reader, number: 0 };
        let first = lines.next().map_err(|error| Failure::reading(&name, &error))?;
        let header = first.as_ref().and_then(|(_, text)| text.as_ref().ok());
        let columns = header.and_then(|text| Columns::read(text));
        if let (None, Some((number, Ok(text)))) = (&columns, &first)
            && is_header(text)
        {
            return Err(Failure::Input(format!(
                "{name}, line {number}: this header has no column for positions; there must be one \
                 called position or one whose name begins with moves, and there may be id and game"
            )));
        }
        let first = if columns.is_some() { None } else { first };
        Ok(PositionFile { name, lines, columns, first })
    }

    /// The complaint about a file that has come to its end without a position.
    pub(crate) fn is_empty(&self) -> Failure {
        Failure::Input(format!("{} holds no positions", self.name))
    }

    /// The next position; `None` at the end.
    pub(crate) fn next(&mut self) -> Result<Option<Entry>, Failure> {
        let line = match self.first.take() {
            Some(line) => Some(line),
            None => self.lines.next().map_err(|error| Failure::reading(&self.name, &error))?,
        };
        Ok(line.map(|(number, text)| match (text, &self.columns) {
            (Ok(text), Some(columns)) => columns.entry(number, &text),
            (text, _) => {
                Entry { line: number, id: None, game: None, text: text.map(EntryText::Either) }
            }
        }))
    }
}

impl Lines {
    fn next(&mut self) -> io::Result<Option<Line>> {
        loop {
            let mut bytes = Vec::new();
            if self.reader.read_until(b'\n', &mut bytes)? == 0 {
                return Ok(None);
            }
            self.number += 1;
            let bytes = match self.number {
                1 => bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes),
                _ => &bytes,
            };
            let Ok(text) = std::str::from_utf8(bytes) else {
                return Ok(Some((self.number, Err("this line is not UTF-8 text".into()))));
            };
            let text = text.trim();
            if !text.is_empty() && !text.starts_with('#') {
                return Ok(Some((self.number, Ok(text.to_string()))));
            }
        }
    }
}

impl Columns {
    /// The columns that `header` names, when it is a header.
    fn read(header: &str) -> Option<Columns> {
        let names = fields(header).ok()?;
        let find = |name: &str| names.iter().position(|n| n.eq_ignore_ascii_case(name));
        let position = find("position");
        let moves = || names.iter().position(|n| n.to_ascii_lowercase().starts_with("moves"));
        Some(Columns {
            names: names.len(),
            text: position.or_else(moves)?,
            moves: position.is_none(),
            id: find("id"),
            game: find("game"),
        })
    }

    fn entry(&self, line: u64, text: &str) -> Entry {
        let refuse = |why: String| Entry { line, id: None, game: None, text: Err(why) };
        let fields = match fields(text) {
            Ok(fields) => fields,
            Err(why) => return refuse(why),
        };
        if fields.len() != self.names {
            return refuse(format!(
                "this line has {} columns; the header has {}",
                fields.len(),
                self.names
            ));
        }
        let field = |column: Option<usize>| {
            column.map(|column| fields[column].clone()).filter(|text| !text.is_empty())
        };
        let text = fields[self.text].clone();
        Entry {
            line,
            id: field(self.id),
            game: field(self.game),
            text: Ok(if self.moves { EntryText::Moves(text) } else { EntryText::Either(text) }),
        }
    }
}

/// Whether a line without a column for positions is a header all the same: no
/// position, and no list of moves, has words such as these.
fn is_header(line: &str) -> bool {
    const WORDS: [&str; 6] = ["id", "game", "name", "fen", "board", "value"];
    let is_word = |name: &String| WORDS.iter().any(|word| name.eq_ignore_ascii_case(word));
    fields(line).is_ok_and(|names| names.len() > 1 && names.iter().any(is_word))
}

/// Cuts a line of CSV into its fields.
fn fields(line: &str) -> Result<Vec<String>, String> {
    // The reader would read on for the end of the quotes.
    if line.matches('"').count() % 2 == 1 {
        return Err("a quotation mark on this line is not closed".into());
    }
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(line.as_bytes());
    let record = reader.records().next().unwrap_or_else(|| Ok(csv::StringRecord::new()));
    let record = record.map_err(|error| error.to_string())?;
    Ok(record.iter().map(str::to_string).collect())
}

impl EntryText {
    /// The position that the line means.
    pub(crate) fn find(&self, rules: &dyn Rules) -> Result<Box<dyn Position>, String> {
        let from_moves = |moves: &str| {
            let mut position = rules.start();
            play_all(rules, &mut *position, moves).map(|_| position)
        };
        match self {
            EntryText::Moves(text) => from_moves(text),
            EntryText::Either(text) => rules.read(text).or_else(|not_position| {
                from_moves(text).map_err(|not_moves| {
                    format!("neither a position ({not_position}) nor moves ({not_moves})")
                })
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &'static str) -> Vec<Entry> {
        let mut file = PositionFile::new("test".into(), Box::new(text.as_bytes())).unwrap();
        std::iter::from_fn(|| file.next().unwrap()).collect()
    }

    fn texts(text: &'static str) -> Vec<(u64, String)> {
        let text_of = |entry: Entry| match entry.text {
            Ok(EntryText::Moves(text)) => (entry.line, format!("moves {text}")),
            Ok(EntryText::Either(text)) => (entry.line, format!("either {text}")),
            Err(error) => (entry.line, format!("error {error}")),
        };
        read(text).into_iter().map(text_of).collect()
    }

    #[test]
    fn plain_lines_keep_their_numbers() {
        assert_eq!(
            texts("\u{feff}# two\r\n44\r\n\n  # more\n 4 5 \n"),
            [(2, "either 44".into()), (5, "either 4 5".into())]
        );
        assert_eq!(texts(""), []);
    }

    #[test]
    fn columns_are_found_by_name() {
        let entries = read("# set\nid,Moves_1based,stones\na,\"4,4\",2\n\nb, 1 2 ,2\n");
        assert_eq!(entries[0].id.as_deref(), Some("a"));
        assert_eq!(entries[1].line, 5);
        assert_eq!(texts("id,moves\n1,\"4,4\"\n"), [(2, "moves 4,4".into())]);
        assert_eq!(texts("moves,position\n4,44\n"), [(2, "either 44".into())]);
        assert_eq!(texts("moves\n4\n"), [(2, "moves 4".into())]);
        let header =
            PositionFile::new("test".into(), Box::new("# set\nid,place\n1,44\n".as_bytes()));
        let why = header.err().expect("no positions").to_string();
        assert!(why.contains("line 2") && why.contains("called position"), "{why}");
    }

    #[test]
    fn broken_lines_do_not_break_the_others() {
        let texts = texts("id,moves\n1\n2,\"4\n3,4\n");
        assert!(texts[0].1.contains("1 columns; the header has 2"), "{texts:?}");
        assert!(texts[1].1.contains("not closed"), "{texts:?}");
        assert_eq!(texts[2], (4, "moves 4".into()));
        let bytes: &[u8] = b"44\n\xff\n45\n";
        let mut file = PositionFile::new("test".into(), Box::new(bytes)).unwrap();
        assert!(file.next().unwrap().unwrap().text.is_ok());
        assert!(file.next().unwrap().unwrap().text.is_err());
        assert_eq!(file.next().unwrap().unwrap().line, 3);
    }
}
