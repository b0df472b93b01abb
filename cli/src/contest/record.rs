//! The file of a contest's games.
//!
//! The first line holds the settings, every other one a game, all as JSON. A
//! game is written and handed to the disk before it counts. A process that is
//! killed while it writes leaves a line without an end; that game is played
//! again.

use super::{Openings, Spent};
use crate::exit::Failure;
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// What decides which games a contest has; not how many of them are played,
/// nor how many at a time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Settings {
    pub(crate) game: String,
    /// The contenders' options.
    pub(crate) a: String,
    pub(crate) b: String,
    pub(crate) openings: Openings,
    pub(crate) seed: u64,
    /// After so many plies a game is a draw.
    pub(crate) max_plies: u32,
}

/// A game that was played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct GameRecord {
    /// Its number, counted from 1.
    pub(crate) number: u64,
    /// The seat of contender A; B has all others.
    pub(crate) a_seat: usize,
    /// The position before the moves; null for the game's start.
    pub(crate) start: Option<String>,
    /// All moves, the first `opening_plies` of which nobody chose.
    pub(crate) moves: String,
    pub(crate) opening_plies: usize,
    pub(crate) plies: usize,
    /// What each player received; null for a draw by length.
    pub(crate) payoffs: Option<Vec<i32>>,
    /// A's share of the one point that there is.
    pub(crate) points: f64,
    pub(crate) a: Spent,
    /// What all players of B spent together.
    pub(crate) b: Spent,
}

/// A contest's file, open for more games.
pub(crate) struct Record {
    path: PathBuf,
    file: File,
    pub(crate) games: Vec<GameRecord>,
}

impl Record {
    /// Opens the file for a contest with these settings. A file that has games
    /// already is an error, unless they are of the same contest and `resume`
    /// is asked for.
    pub(crate) fn open(path: &Path, settings: &Settings, resume: bool) -> Result<Record, Failure> {
        let name = path.display();
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(|error| Failure::writing(path.display(), &error))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(Failure::Input(format!("{name}: another process is writing to it")));
            }
            Err(TryLockError::Error(error)) => {
                return Err(Failure::writing(path.display(), &error));
            }
        }
        let mut record = Record { path: path.to_path_buf(), file, games: Vec::new() };
        let mut bytes = Vec::new();
        let read = record.file.read_to_end(&mut bytes);
        read.map_err(|error| Failure::reading(path.display(), &error))?;
        let contents = Contents::read(&bytes, path)?;
        match contents.settings {
            _ if contents.games.is_empty() => record.begin(settings)?,
            None => record.begin(settings)?,
            Some(_) if !resume => {
                return Err(Failure::Input(format!(
                    "{name} holds the games of a match already: --resume goes on with it, \
                     --record FILE takes another file"
                )));
            }
            Some(found) if found != *settings => {
                return Err(Failure::Input(format!(
                    "{name} holds another match: {}",
                    difference(&found, settings)
                )));
            }
            Some(_) => record.cut(contents.complete)?,
        }
        record.games = contents.games;
        Ok(record)
    }

    /// Writes a game; it counts from now on.
    pub(crate) fn add(&mut self, game: GameRecord) -> Result<(), Failure> {
        self.line(&game)?;
        self.games.push(game);
        Ok(())
    }

    fn begin(&mut self, settings: &Settings) -> Result<(), Failure> {
        self.cut(0)?;
        self.line(&First { contest: settings.clone() })
    }

    /// Drops what is after the last complete line.
    fn cut(&mut self, length: usize) -> Result<(), Failure> {
        let cut = self.file.set_len(length as u64).and_then(|()| self.file.seek(SeekFrom::End(0)));
        cut.map(|_| ()).map_err(|error| Failure::writing(self.path.display(), &error))
    }

    fn line(&mut self, value: &impl Serialize) -> Result<(), Failure> {
        let text = serde_json::to_string(value)
            .map_err(|error| Failure::Failed(format!("cannot write JSON: {error}")))?;
        let line = text + "\n";
        let written = self.file.write_all(line.as_bytes()).and_then(|()| self.file.sync_data());
        written.map_err(|error| Failure::writing(self.path.display(), &error))
    }
}

/// The first line of a file.
#[derive(Serialize, Deserialize)]
struct First {
    #[serde(rename = "match")]
    contest: Settings,
}

/// What a file holds.
struct Contents {
    settings: Option<Settings>,
    games: Vec<GameRecord>,
    /// The length of all complete lines.
    complete: usize,
}

impl Contents {
    fn read(bytes: &[u8], path: &Path) -> Result<Contents, Failure> {
        let complete = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let mut lines = bytes[..complete].split_inclusive(|&byte| byte == b'\n');
        let wrong = |line: usize, what: &str, error: &dyn std::fmt::Display| {
            Failure::Input(format!("{}, line {line}: {what}: {error}", path.display()))
        };
        let Some(first) = lines.next() else {
            // A file with other text in it is not ours to empty.
            const BEGINNING: &[u8] = br#"{"match":"#;
            return match BEGINNING.starts_with(bytes) || bytes.starts_with(BEGINNING) {
                true => Ok(Contents { settings: None, games: Vec::new(), complete }),
                false => Err(wrong(1, "not the settings of a match", &"another kind of file")),
            };
        };
        let First { contest } = serde_json::from_slice(first)
            .map_err(|error| wrong(1, "not the settings of a match", &error))?;
        let mut games: Vec<GameRecord> = Vec::new();
        for (number, line) in (2..).zip(lines) {
            let game: GameRecord = serde_json::from_slice(line)
                .map_err(|error| wrong(number, "not a game of a match", &error))?;
            if games.iter().any(|other| other.number == game.number) {
                return Err(wrong(number, "this game is there twice", &game.number));
            }
            games.push(game);
        }
        Ok(Contents { settings: Some(contest), games, complete })
    }
}

/// Reads one game, by its number, from the file of a match.
pub(crate) fn read_game(path: &Path, number: u64) -> Result<(String, GameRecord), Failure> {
    let bytes = std::fs::read(path).map_err(|error| Failure::reading(path.display(), &error))?;
    let contents = Contents::read(&bytes, path)?;
    let count = contents.games.len();
    let game = contents.games.into_iter().find(|game| game.number == number);
    match (contents.settings, game) {
        (Some(settings), Some(game)) => Ok((settings.game, game)),
        _ => Err(Failure::Input(format!(
            "{}: there is no game {number}; it holds {count}",
            path.display()
        ))),
    }
}

/// Says in what two contests differ.
fn difference(found: &Settings, wanted: &Settings) -> String {
    let say = |what: &str, found: &dyn std::fmt::Display, wanted: &dyn std::fmt::Display| {
        format!("its {what} is '{found}', not '{wanted}'")
    };
    if found.game != wanted.game {
        say("game", &found.game, &wanted.game)
    } else if found.a != wanted.a {
        say("--a", &found.a, &wanted.a)
    } else if found.b != wanted.b {
        say("--b", &found.b, &wanted.b)
    } else if found.seed != wanted.seed {
        say("seed", &found.seed, &wanted.seed)
    } else if found.max_plies != wanted.max_plies {
        say("greatest number of plies", &found.max_plies, &wanted.max_plies)
    } else {
        "it has other openings".into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings() -> Settings {
        Settings {
            game: "othello".into(),
            a: "--c-pn 1".into(),
            b: String::new(),
            openings: Openings::Random(2),
            seed: 1,
            max_plies: 100,
        }
    }

    fn game(number: u64) -> GameRecord {
        GameRecord {
            number,
            a_seat: 0,
            start: None,
            moves: "f5 d6".into(),
            opening_plies: 2,
            plies: 2,
            payoffs: None,
            points: 0.5,
            a: Spent::default(),
            b: Spent::default(),
        }
    }

    struct Scratch(PathBuf);

    impl Scratch {
        fn new(name: &str) -> Scratch {
            let name = format!("proofwood-record-{name}-{}", std::process::id());
            Scratch(std::env::temp_dir().join(name))
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = std::fs::remove_file(&self.0);
        }
    }

    #[test]
    fn a_line_cut_short_is_played_again_and_no_other() {
        let scratch = Scratch::new("cut");
        let path = scratch.0.as_path();
        let mut record = Record::open(path, &settings(), false).unwrap();
        record.add(game(2)).unwrap();
        record.add(game(1)).unwrap();
        drop(record);
        let whole = std::fs::read(path).unwrap();
        let lines = |length: usize| whole[..length].iter().filter(|&&byte| byte == b'\n').count();
        for length in 0..=whole.len() {
            std::fs::write(path, &whole[..length]).unwrap();
            let mut record = Record::open(path, &settings(), true).unwrap();
            assert_eq!(record.games.len(), lines(length).saturating_sub(1), "{length}");
            record.add(game(3)).unwrap();
            drop(record);
            let again = Record::open(path, &settings(), true).unwrap();
            assert_eq!(again.games.last(), Some(&game(3)), "{length}");
        }
    }

    #[test]
    fn files_of_others_are_left_alone() {
        let scratch = Scratch::new("others");
        let path = scratch.0.as_path();
        // Without games there is nothing to lose.
        drop(Record::open(path, &Settings { seed: 9, ..settings() }, false).unwrap());
        Record::open(path, &settings(), false).unwrap().add(game(1)).unwrap();
        let refused = |settings: &Settings, resume: bool| {
            Record::open(path, settings, resume).err().expect("refused").to_string()
        };
        assert!(refused(&settings(), false).contains("--resume"));
        let other = Settings { b: "--c 2".into(), ..settings() };
        assert!(refused(&other, true).contains("its --b is '', not '--c 2'"));
        let open = Record::open(path, &settings(), true).unwrap();
        assert!(refused(&settings(), true).contains("another process"));
        drop(open);
        std::fs::write(path, "a diary").unwrap();
        assert!(refused(&settings(), true).contains("line 1"));
        std::fs::write(path, "a diary\n").unwrap();
        assert!(refused(&settings(), true).contains("line 1"));
        assert_eq!(std::fs::read(path).unwrap(), b"a diary\n");
    }
}
