//! Files of positions, read line by line.
//!
//! A file is CSV if its first line is a header with a column `position` or a column whose name
//! begins with `moves` (such as `moves_1based`). If it has both, the moves are played from the
//! position. A column `id` is repeated in the answers; a column `game` names the game of each line.
//! Any other file has a position or a list of moves on each line. Blank lines and lines that begin
//! with `#` are skipped.
//!
//! A misread file would lead to wrong proofs. Ambiguous files are therefore refused, such as one
//! with two columns of the same name, an empty position, or semicolons in the header.
//!
//! Lines are read one at a time, so a program can write positions into a pipe and read each answer
//! before it writes the next. Their length is limited, so that no file can exhaust the memory.

use super::moves::play_all;
use super::spec::find_game;
use crate::Trouble;
use proofwood_any_game::{Position, Rules};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::sync::Arc;

/// The maximum length of a line in bytes, enough for any recorded game.
const LONGEST: usize = 1 << 20;

/// A file of positions, read line by line.
pub struct PositionFile {
    /// The name of the file in messages.
    pub name: String,
    lines: Lines,
    columns: Option<Columns>,
    /// The first line, if it is not a header.
    first: Option<NumberedLine>,
}

/// A line that should contain a position.
#[derive(Debug)]
pub struct Entry {
    /// The number of the line, counted from 1.
    pub line: u64,
    /// The contents of the column `id`.
    pub id: Option<String>,
    /// The contents of the column `game`.
    pub game: Option<String>,
    /// The position, or the reason why the line has none.
    pub text: Result<EntryText, String>,
    /// Whether this is the first line and resembles a header.
    may_be_header: bool,
}

/// The text of a position on a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EntryText {
    /// Moves from the start.
    Moves(String),
    /// A position in text form, or moves from the start.
    Either(String),
    /// A position or moves from the start, followed by further moves.
    After {
        /// The position in text form, or the moves from the start.
        position: String,
        /// The moves from that position.
        moves: String,
    },
}

/// The indices of the columns. At least one of `position` and `moves` is present.
struct Columns {
    names: usize,
    position: Option<usize>,
    moves: Option<usize>,
    id: Option<usize>,
    game: Option<usize>,
}

type NumberedLine = (u64, Result<String, String>);

/// Reads the lines that are neither blank nor comments.
struct Lines {
    reader: Box<dyn BufRead>,
    number: u64,
    bytes: Vec<u8>,
}

/// A file that can be read twice.
pub enum Twice {
    /// The path of a file, which is opened each time.
    File(String),
    /// The name for messages, and the contents.
    Text(String, Arc<[u8]>),
}

impl Twice {
    /// Prepares a file, or standard input if the path is `-`. Any input other than a regular file
    /// is read immediately.
    pub fn new(path: &str) -> Result<Twice, Trouble> {
        if path != "-" && fs::metadata(path).is_ok_and(|data| data.is_file()) {
            return Ok(Twice::File(path.into()));
        }
        let (name, mut reader) = reader(path)?;
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).map_err(|error| Trouble::reading(&name, &error))?;
        Ok(Twice::Text(name, bytes.into()))
    }

    /// Reads the file from the beginning.
    pub fn open(&self) -> Result<PositionFile, Trouble> {
        match self {
            Twice::File(path) => PositionFile::open(path),
            Twice::Text(name, bytes) => {
                PositionFile::new(name.clone(), Box::new(Cursor::new(Arc::clone(bytes))))
            }
        }
    }
}

/// Opens a file, or standard input for `-`. Also returns its name for messages.
fn reader(path: &str) -> Result<(String, Box<dyn BufRead>), Trouble> {
    match path {
        "-" => Ok(("standard input".into(), Box::new(BufReader::new(io::stdin())))),
        _ => match File::open(path) {
            Ok(file) => Ok((path.into(), Box::new(BufReader::new(file)))),
            Err(error) => Err(Trouble::reading(path, &error)),
        },
    }
}

impl PositionFile {
    /// Opens a file, or standard input for `-`, and reads the header.
    pub fn open(path: &str) -> Result<PositionFile, Trouble> {
        let (name, reader) = reader(path)?;
        PositionFile::new(name, reader)
    }

    /// Reads positions from `text`; messages refer to it as `name`.
    pub fn of_text(name: &str, text: String) -> Result<PositionFile, Trouble> {
        PositionFile::new(name.into(), Box::new(io::Cursor::new(text)))
    }

    /// Counts the positions in a regular file; returns `None` for other inputs.
    pub fn count(path: &str) -> Option<u64> {
        fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
        let mut file = PositionFile::open(path).ok()?;
        let mut count = 0;
        while file.next().ok()?.is_some() {
            count += 1;
        }
        Some(count)
    }

    fn new(name: String, reader: Box<dyn BufRead>) -> Result<PositionFile, Trouble> {
        let mut lines = Lines { reader, number: 0, bytes: Vec::new() };
        let first = lines.next().map_err(|error| Trouble::reading(&name, &error))?;
        let columns = match &first {
            Some((number, Ok(text))) => Columns::read(text)
                .map_err(|why| Trouble::Input(format!("{name}, line {number}: {why}")))?,
            _ => None,
        };
        let first = if columns.is_some() { None } else { first };
        Ok(PositionFile { name, lines, columns, first })
    }

    /// Returns the error for a file without positions.
    pub fn is_empty(&self) -> Trouble {
        Trouble::Input(format!("{} contains no positions", self.name))
    }

    /// Reads the next position; returns `None` at the end.
    #[expect(clippy::should_implement_trait, reason = "a line may be impossible to read")]
    pub fn next(&mut self) -> Result<Option<Entry>, Trouble> {
        let first = self.first.take();
        let may_be_header =
            first.as_ref().is_some_and(|(_, text)| text.as_deref().is_ok_and(may_be_header));
        let line = match first {
            Some(line) => Some(line),
            None => self.lines.next().map_err(|error| Trouble::reading(&self.name, &error))?,
        };
        Ok(line.map(|(line, text)| match (text, &self.columns) {
            (Ok(text), Some(columns)) => columns.entry(line, &text),
            (text, _) => {
                let text = text.map(EntryText::Either);
                Entry { line, id: None, game: None, text, may_be_header }
            }
        }))
    }

    /// Returns the error for a line without a valid position. The flag is true if the line seems to
    /// be a header with unknown column names, so that there is no point in reading the other lines.
    pub fn wrong(&self, entry: &Entry, why: &str) -> (Trouble, bool) {
        let place = format!("{}, line {}", self.name, entry.line);
        match entry.may_be_header {
            false => (Trouble::Input(format!("{place}: {why}")), false),
            true => {
                let why = format!(
                    "{place}: this line is neither a position nor a header with a column called \
                     position or moves; separate columns with commas"
                );
                (Trouble::Input(why), true)
            }
        }
    }
}

impl Entry {
    /// Returns whether the column `game` names a game other than `wanted`. An unknown name is only
    /// a label and is ignored.
    pub fn is_of_another_game(&self, wanted: &str) -> bool {
        let Some(name) = &self.game else { return false };
        let plain = |spec: &str| {
            let name = spec.split(':').next().unwrap_or("");
            name.chars().filter(char::is_ascii_alphanumeric).collect::<String>()
        };
        // A label that is an abbreviation of a game's name counts as that game.
        find_game(name).is_ok_and(|(spec, _)| !plain(&spec).eq_ignore_ascii_case(&plain(wanted)))
    }
}

impl Lines {
    fn next(&mut self) -> io::Result<Option<NumberedLine>> {
        loop {
            self.bytes.clear();
            let most = LONGEST as u64 + 1;
            if self.reader.by_ref().take(most).read_until(b'\n', &mut self.bytes)? == 0 {
                return Ok(None);
            }
            self.number += 1;
            if self.bytes.len() > LONGEST && self.bytes.last() != Some(&b'\n') {
                self.reader.skip_until(b'\n')?;
                let why = format!("this line is longer than {LONGEST} bytes");
                return Ok(Some((self.number, Err(why))));
            }
            let bytes = match self.number {
                1 => self.bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&self.bytes),
                _ => &self.bytes,
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
    /// Parses a header. Returns `None` if `line` is not a header, and an error if it is ambiguous.
    fn read(line: &str) -> Result<Option<Columns>, String> {
        let Ok(names) = fields(line) else { return Ok(None) };
        let names: Vec<String> = names.iter().map(|name| name.to_ascii_lowercase()).collect();
        let one = |what: &str, is_it: &dyn Fn(&str) -> bool| {
            let mut found = (0..names.len()).filter(|&column| is_it(&names[column]));
            match (found.next(), found.next()) {
                (Some(a), Some(b)) => Err(format!(
                    "two columns could hold the {what}: '{}' and '{}'; keep only one of them",
                    names[a], names[b]
                )),
                (found, _) => Ok(found),
            }
        };
        let position = one("position", &|name| name == "position")?;
        let moves = one("moves", &|name| name.starts_with("moves"))?;
        let id = one("id", &|name| name == "id")?;
        let game = one("game", &|name| name == "game")?;
        match (position, moves) {
            (Some(_), Some(moves)) if names[moves] != "moves" => Err(format!(
                "the purpose of the column '{0}' next to the column 'position' is unclear: name \
                 it 'moves' if its moves are to be played from the position; otherwise choose a \
                 name that does not begin with 'moves'",
                names[moves]
            )),
            (None, None) if names.len() > 1 && names.iter().any(|name| is_known(name)) => {
                Err("this header has no column for positions; one must be called position or have \
                     a name that begins with moves (id and game are optional)"
                    .into())
            }
            (None, None) => match names_cut_by_others(line) {
                Some(what) => Err(format!("this header separates columns with {what}; use commas")),
                None => Ok(None),
            },
            _ => Ok(Some(Columns { names: names.len(), position, moves, id, game })),
        }
    }

    fn entry(&self, line: u64, text: &str) -> Entry {
        let refuse = |why: String| Entry {
            line,
            id: None,
            game: None,
            text: Err(why),
            may_be_header: false,
        };
        let fields = match fields(text) {
            Ok(fields) => fields,
            Err(why) => return refuse(why),
        };
        if fields.len() != self.names {
            return refuse(format!(
                "this line has {} columns, but the header has {}",
                fields.len(),
                self.names
            ));
        }
        let cell = |column: usize| fields[column].clone();
        let field = |column: Option<usize>| column.map(cell).filter(|text| !text.is_empty());
        let (position, moves) = (self.position.map(cell), self.moves.map(cell));
        let text = match (position, moves) {
            (Some(position), _) if position.is_empty() => {
                Err("the column position is empty on this line; write the position even if it is \
                     the start of the game"
                    .into())
            }
            (Some(position), Some(moves)) if !moves.is_empty() => {
                Ok(EntryText::After { position, moves })
            }
            (Some(position), _) => Ok(EntryText::Either(position)),
            (None, moves) => Ok(EntryText::Moves(moves.unwrap_or_default())),
        };
        Entry { line, id: field(self.id), game: field(self.game), text, may_be_header: false }
    }
}

/// Returns whether a field is a common column name, which can be neither a position nor a move.
fn is_known(name: &str) -> bool {
    ["id", "game", "name", "fen", "board", "value"].contains(&name)
}

/// Returns the separator other than a comma that splits the line into known column names.
fn names_cut_by_others(line: &str) -> Option<&'static str> {
    let is_column = |name: &str| {
        let name = name.trim().trim_matches('"').to_ascii_lowercase();
        name == "position" || name.starts_with("moves") || is_known(&name)
    };
    [(';', "semicolons"), ('\t', "tabs")]
        .into_iter()
        .find(|&(by, _)| line.contains(by) && line.split(by).any(is_column))
        .map(|(_, what)| what)
}

/// Returns whether a line resembles a header: several names, all without digits. Moves such as
/// `roll,stop` match, too.
fn may_be_header(line: &str) -> bool {
    let is_name = |name: &str| {
        let name = name.trim().trim_matches('"');
        let is_part = |c: char| c.is_alphabetic() || matches!(c, '_' | ' ' | '-');
        name.len() > 1 && name.chars().all(is_part)
    };
    let names: Vec<&str> = line.split([',', ';', '\t']).collect();
    names.len() > 1 && names.into_iter().all(is_name)
}

fn fields(line: &str) -> Result<Vec<String>, String> {
    // The reader would look for the closing quote on later lines.
    if line.matches('"').count() % 2 == 1 {
        return Err("this line has an unclosed quotation mark".into());
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
    /// Returns the position that the line describes.
    pub fn find(&self, rules: &dyn Rules) -> Result<Box<dyn Position>, String> {
        let from_moves = |moves: &str| {
            let mut position = rules.start();
            play_all(rules, &mut *position, moves).map(|_| position)
        };
        match self {
            EntryText::Moves(text) => from_moves(text),
            EntryText::After { position, moves } => {
                let mut position = EntryText::Either(position.clone()).find(rules)?;
                play_all(rules, &mut *position, moves)?;
                Ok(position)
            }
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
            Ok(EntryText::After { position, moves }) => {
                (entry.line, format!("{moves} after {position}"))
            }
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
        assert_eq!(
            texts("moves,position\n4,44\n,45\n"),
            [(2, "4 after 44".into()), (3, "either 45".into())]
        );
        assert_eq!(texts("moves\n4\n"), [(2, "moves 4".into())]);
    }

    #[test]
    fn headers_that_could_be_misread_are_refused() {
        for (text, why) in [
            ("# set\nid,place\n1,44\n", "line 2: this header has no column for positions"),
            ("id,moves,moves\n", "line 1: two columns could hold the moves"),
            ("moves_1based,Moves\n", "two columns could hold the moves"),
            ("position,Position\n", "two columns could hold the position"),
            ("id,position,ID\n", "two columns could hold the id"),
            ("position,moves_to_mate\n", "the purpose of the column 'moves_to_mate'"),
            ("id;moves\n1;44\n", "line 1: this header separates columns with semicolons"),
            ("id\tposition\n1\t44\n", "line 1: this header separates columns with tabs"),
        ] {
            let file = PositionFile::new("test".into(), Box::new(text.as_bytes()));
            let found = file.err().expect("refused").to_string();
            assert!(found.contains(why), "{text}: {found}");
        }
        for (line, header) in
            [("stones;turn", true), ("a b,side", true), ("pass", false), ("c4,d3", false)]
        {
            assert_eq!(may_be_header(line), header, "{line}");
        }
        let mut file =
            PositionFile::new("test".into(), Box::new("stones,turn\n44,x\n".as_bytes())).unwrap();
        let first = file.next().unwrap().unwrap();
        let (why, ends) = file.wrong(&first, "neither");
        assert!(
            ends && why.to_string().contains("line 1: this line is neither a position"),
            "{why}"
        );
        let second = file.next().unwrap().unwrap();
        assert!(!file.wrong(&second, "neither").1);
    }

    #[test]
    fn an_empty_position_is_not_the_start() {
        let texts = texts("id,position,moves\na,,4\nb,,\nc,44,5\n");
        assert!(texts[0].1.contains("the column position is empty"), "{texts:?}");
        assert!(texts[1].1.contains("the column position is empty"), "{texts:?}");
        assert_eq!(texts[2], (4, "5 after 44".into()));
    }

    /// A very long input without a line feed.
    struct Endless(u64);

    impl Read for Endless {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let many = buffer.len().min(self.0 as usize);
            buffer[..many].fill(b'4');
            self.0 -= many as u64;
            Ok(many)
        }
    }

    #[test]
    fn long_lines_are_not_kept() {
        let long = Endless(64 * LONGEST as u64).chain("\n44\n".as_bytes());
        let mut file = PositionFile::new("test".into(), Box::new(BufReader::new(long))).unwrap();
        let first = file.next().unwrap().unwrap();
        assert_eq!(first.text.unwrap_err(), "this line is longer than 1048576 bytes");
        assert!(file.lines.bytes.capacity() <= 4 * LONGEST, "{}", file.lines.bytes.capacity());
        assert_eq!(file.next().unwrap().unwrap().line, 2);
        let whole = "4".repeat(LONGEST) + "\n";
        let text: &'static str = Box::leak(whole.into_boxed_str());
        assert!(read(text)[0].text.is_ok());
    }

    #[test]
    fn broken_lines_do_not_break_the_others() {
        let texts = texts("id,moves\n1\n2,\"4\n3,4\n");
        assert!(texts[0].1.contains("1 columns, but the header has 2"), "{texts:?}");
        assert!(texts[1].1.contains("unclosed"), "{texts:?}");
        assert_eq!(texts[2], (4, "moves 4".into()));
        let bytes: &[u8] = b"44\n\xff\n45\n";
        let mut file = PositionFile::new("test".into(), Box::new(bytes)).unwrap();
        assert!(file.next().unwrap().unwrap().text.is_ok());
        assert!(file.next().unwrap().unwrap().text.is_err());
        assert_eq!(file.next().unwrap().unwrap().line, 3);
    }
}
