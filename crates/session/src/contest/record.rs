//! The file of a contest's games.
//!
//! The first line contains the settings, and each further line a game, all as JSON. A game counts
//! only once it has been written and synced to disk. A process that is killed while writing leaves
//! an incomplete line; that game is played again. Records are verified when they are read: see
//! [`verify`].

use super::games::{GameRecord, Settings};
use super::verify;
use crate::Trouble;
use crate::files::{Asked, Existing, Folder, Growing};
use crate::input::spec::find_game;
use proofwood_any_game::Rules;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

/// The games of a contest and the file to which they are written.
pub struct Record {
    /// The file; `None` if the games are not saved.
    file: Option<Growing>,
    /// The first line, if it has not been written yet.
    first: Option<First>,
    /// The games so far.
    pub games: Vec<GameRecord>,
}

/// A cache of verified games by file. A command that opens a file several times verifies each game
/// only once.
#[derive(Default)]
pub struct Verified(RefCell<HashMap<PathBuf, Vec<GameRecord>>>);

/// The records of several contests by name, as files in a folder or only in memory.
#[derive(Default)]
pub struct Records {
    /// The folder of the files; `None` for records in memory.
    pub folder: Option<Folder>,
    verified: Verified,
    unkept: RefCell<HashMap<String, Record>>,
}

impl Records {
    /// Creates records in `folder`, or in memory if that is `None`.
    pub fn of(folder: Option<Folder>) -> Records {
        Records { folder, ..Records::default() }
    }

    /// Opens the record with this name and calls `play` with it.
    pub(super) fn resume<T>(
        &self,
        name: &str,
        settings: &Settings,
        rules: &dyn Rules,
        play: impl FnOnce(&mut Record) -> Result<T, Trouble>,
    ) -> Result<T, Trouble> {
        let Some(folder) = &self.folder else {
            let mut unkept = self.unkept.borrow_mut();
            return play(unkept.entry(name.to_string()).or_insert_with(Record::unkept));
        };
        let path = folder.path().join(format!("{name}.jsonl"));
        let (existing, resumable) = (Existing::Continued, None);
        let asked = Asked { option: "--out", path: &path, existing, resumable };
        play(&mut Record::open(asked, settings, rules, &self.verified)?)
    }
}

impl Record {
    /// Creates a record that is not written to a file.
    pub fn unkept() -> Record {
        Record { file: None, first: None, games: Vec::new() }
    }

    /// Opens the record file of a contest. A file to be resumed must have the same settings, and
    /// its games must agree with them.
    pub fn open(
        asked: Asked<'_>,
        settings: &Settings,
        rules: &dyn Rules,
        verified: &Verified,
    ) -> Result<Record, Trouble> {
        let name = asked.path.display();
        let mut file = Growing::open(asked)?;
        let bytes = file.read()?;
        let mut contents = Contents::read(&bytes, asked.path)?;
        let mut verified = verified.0.borrow_mut();
        let first = match contents.settings.take() {
            // A file without games may have other settings.
            Some(found) if !contents.games.is_empty() => {
                if found != *settings {
                    return Err(Trouble::Input(format!(
                        "{name} contains a different match: {}",
                        difference(&found, settings)
                    )));
                }
                let known = verified.get(asked.path).map_or(&[][..], Vec::as_slice);
                let known = known.iter().zip(&contents.games).take_while(|(a, b)| a == b).count();
                for (line, game) in contents.lines().skip(known) {
                    verify::played(game, settings, rules)
                        .and_then(|()| verify::opened(game, settings, rules))
                        .map_err(|why| verify::refusal(asked.path, line, game, &why))?;
                }
                if contents.complete < bytes.len() {
                    file.keep(bytes[..contents.complete].to_vec());
                }
                None
            }
            _ => {
                file.keep(Vec::new());
                Some(First { contest: settings.clone() })
            }
        };
        verified.insert(asked.path.to_path_buf(), contents.games.clone());
        Ok(Record { file: Some(file), first, games: contents.games })
    }

    /// Writes a game to the file, then adds it to `games`.
    pub fn add(&mut self, game: GameRecord) -> Result<(), Trouble> {
        if let Some(file) = &mut self.file {
            if let Some(first) = self.first.take() {
                file.json(&first)?;
            }
            file.json(&game)?;
        }
        self.games.push(game);
        Ok(())
    }
}

#[derive(Serialize, Deserialize)]
struct First {
    #[serde(rename = "match")]
    contest: Settings,
}

struct Contents {
    settings: Option<Settings>,
    games: Vec<GameRecord>,
    /// The length of all complete lines, in bytes.
    complete: usize,
}

impl Contents {
    fn read(bytes: &[u8], path: &Path) -> Result<Contents, Trouble> {
        let complete = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let mut lines = bytes[..complete].split_inclusive(|&byte| byte == b'\n');
        let wrong = |line: usize, what: &str, error: &dyn std::fmt::Display| {
            Trouble::Input(format!("{}, line {line}: {what}: {error}", path.display()))
        };
        let Some(first) = lines.next() else {
            // A file with other contents must not be emptied.
            const BEGINNING: &[u8] = br#"{"match":"#;
            return match BEGINNING.starts_with(bytes) || bytes.starts_with(BEGINNING) {
                true => Ok(Contents { settings: None, games: Vec::new(), complete }),
                false => Err(wrong(
                    1,
                    "invalid match settings",
                    &"this file was not written by `proofwood match`",
                )),
            };
        };
        let First { contest } = serde_json::from_slice(first)
            .map_err(|error| wrong(1, "invalid match settings", &error))?;
        let mut games: Vec<GameRecord> = Vec::new();
        let mut numbers = HashSet::new();
        for (number, line) in (2..).zip(lines) {
            let game: GameRecord = serde_json::from_slice(line)
                .map_err(|error| wrong(number, "invalid game record", &error))?;
            if !numbers.insert(game.number) {
                return Err(wrong(number, "duplicate game number", &game.number));
            }
            games.push(game);
        }
        Ok(Contents { settings: Some(contest), games, complete })
    }

    fn lines(&self) -> impl Iterator<Item = (usize, &GameRecord)> {
        (2..).zip(&self.games)
    }
}

/// A match read from its file, with the games sorted by number.
pub struct RecordedMatch {
    /// The settings of the match.
    pub settings: Settings,
    /// The rules of the game.
    pub rules: Box<dyn Rules>,
    /// The games so far.
    pub games: Vec<GameRecord>,
}

impl RecordedMatch {
    /// Reads a file. Refuses a game whose moves, payoffs or points contradict the rules.
    pub fn read(path: &Path) -> Result<RecordedMatch, Trouble> {
        let bytes =
            std::fs::read(path).map_err(|error| Trouble::reading(path.display(), &error))?;
        let mut contents = Contents::read(&bytes, path)?;
        let Some(settings) = contents.settings.take() else {
            return Err(Trouble::Input(format!("{} contains no games", path.display())));
        };
        let (_, rules) = find_game(&settings.game)?;
        for (line, game) in contents.lines() {
            verify::played(game, &settings, &*rules)
                .map_err(|why| verify::refusal(path, line, game, &why))?;
        }
        let mut games = contents.games;
        games.sort_unstable_by_key(|game| game.number);
        Ok(RecordedMatch { settings, rules, games })
    }
}

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
        say("maximum number of plies", &found.max_plies, &wanted.max_plies)
    } else {
        "its openings differ".into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contest::{Openings, Spent};
    use crate::files::Existing;
    use tempfile::TempDir;

    fn settings() -> Settings {
        Settings {
            game: "tic-tac-toe".into(),
            a: "--c-pn 1".into(),
            b: String::new(),
            openings: Openings::Listed(vec!["b2 a1".into()]),
            seed: 1,
            max_plies: 4,
        }
    }

    /// Returns a game drawn because it was too long. A has the first seat in odd-numbered games.
    fn game(number: u64) -> GameRecord {
        GameRecord {
            forfeit: None,
            number,
            a_seat: (number - 1) as usize % 2,
            start: None,
            moves: "b2 a1 c3 a3".into(),
            opening_plies: 2,
            plies: 4,
            payoffs: None,
            points: 0.5,
            a: Spent { moves: 1, ..Spent::default() },
            b: Spent { moves: 1, ..Spent::default() },
        }
    }

    fn open(path: &Path, settings: &Settings, resume: bool) -> Result<Record, Trouble> {
        let existing = if resume { Existing::Continued } else { Existing::Kept };
        let asked = Asked { option: "--record", path, existing, resumable: Some("games") };
        let (_, rules) = find_game(&settings.game).unwrap();
        Record::open(asked, settings, &*rules, &Verified::default())
    }

    #[test]
    fn a_line_cut_short_is_played_again_and_no_other() {
        let folder = TempDir::new().unwrap();
        let path = &folder.path().join("cut.jsonl");
        let mut record = open(path, &settings(), false).unwrap();
        record.add(game(2)).unwrap();
        record.add(game(1)).unwrap();
        drop(record);
        let whole = std::fs::read(path).unwrap();
        let lines = |length: usize| whole[..length].iter().filter(|&&byte| byte == b'\n').count();
        for length in 0..=whole.len() {
            std::fs::write(path, &whole[..length]).unwrap();
            let mut record = open(path, &settings(), true).unwrap();
            assert_eq!(record.games.len(), lines(length).saturating_sub(1), "{length}");
            record.add(game(3)).unwrap();
            drop(record);
            let again = open(path, &settings(), true).unwrap();
            assert_eq!(again.games.last(), Some(&game(3)), "{length}");
            drop(again);
        }
    }

    #[test]
    fn files_of_others_are_left_alone() {
        let folder = TempDir::new().unwrap();
        let path = &folder.path().join("others.jsonl");
        // A file without games may be replaced.
        drop(open(path, &Settings { seed: 9, ..settings() }, false).unwrap());
        open(path, &settings(), false).unwrap().add(game(1)).unwrap();
        let refused = |settings: &Settings, resume: bool| {
            open(path, settings, resume).err().expect("refused").to_string()
        };
        assert!(refused(&settings(), false).contains("--resume continues the games in it"));
        let other = Settings { b: "--c 2".into(), ..settings() };
        assert!(refused(&other, true).contains("its --b is '', not '--c 2'"));
        let first = open(path, &settings(), true).unwrap();
        assert!(refused(&settings(), true).contains("another process"));
        drop(first);
        std::fs::write(path, "a diary").unwrap();
        assert!(refused(&settings(), true).contains("line 1"));
        std::fs::write(path, "a diary\n").unwrap();
        assert!(refused(&settings(), true).contains("line 1"));
        assert_eq!(std::fs::read(path).unwrap(), b"a diary\n");
    }

    #[test]
    fn games_that_cannot_have_been_played_are_refused() {
        let folder = TempDir::new().unwrap();
        let path = &folder.path().join("altered.jsonl");
        let right = game(1);
        let altered = |change: &dyn Fn(&mut GameRecord)| {
            let mut game = right.clone();
            change(&mut game);
            game
        };
        let won = altered(&|game| {
            game.moves = "b2 a1 c3".into();
            (game.plies, game.b.moves) = (3, 0);
        });
        for (game, why) in [
            (altered(&|game| game.points = 7.5), "its points are 7.5, but the rules give 0.5"),
            (altered(&|game| game.points = 1.0), "its points are 1, but the rules give 0.5"),
            (
                altered(&|game| game.payoffs = Some(vec![0, 0])),
                "the game is not over after its last move",
            ),
            (altered(&|game| game.a_seat = 1), "A has seat 1, but in game 1 it should have seat 0"),
            (altered(&|game| game.moves = "b2 a1 c3 c3".into()), "move 4: 'c3'"),
            (altered(&|game| game.plies = 5), "it has 4 moves, but the record says 5"),
            (altered(&|game| game.moves = "b2 a2 c3 a3".into()), "its opening is not"),
            (altered(&|game| (game.opening_plies, game.b.moves) = (1, 2)), "its opening is not"),
            (altered(&|game| game.opening_plies = 9), "its opening has 9 moves"),
            (altered(&|game| game.start = Some("x".into())), "cannot read the position"),
            (altered(&|game| game.a.moves = 2), "A moved 1 times, but the record says 2"),
            (altered(&|game| game.number = 0), "games are numbered from 1"),
            (altered(&|game| game.b.seconds = -1.0), "-1 seconds"),
            (won, "the game is not over after its last move"),
        ] {
            let _ = std::fs::remove_file(path);
            open(path, &settings(), false).unwrap().add(game.clone()).unwrap();
            let refused = open(path, &settings(), true).err().expect(why).to_string();
            assert!(refused.contains(", line 2, game "), "{refused}");
            assert!(refused.contains(why), "{why}: {refused}");
        }
        // The payoffs must be those that the rules give.
        let mut over = altered(&|game| {
            game.moves = "b2 a1 c3 a3 a2 c2 b1".into();
            (game.plies, game.a.moves, game.b.moves) = (7, 3, 2);
        });
        let settings = Settings { max_plies: 9, ..settings() };
        for (payoffs, points, right) in
            [([0, 0], 0.5, false), ([1, -1], 0.5, false), ([1, -1], 1.0, true)]
        {
            // x wins with b1, b2 and b3.
            over.moves = "b2 a1 c3 a3 b3 c2 b1".into();
            (over.payoffs, over.points) = (Some(payoffs.to_vec()), points);
            let _ = std::fs::remove_file(path);
            open(path, &settings, false).unwrap().add(over.clone()).unwrap();
            assert_eq!(open(path, &settings, true).is_ok(), right, "{payoffs:?} {points}");
        }
    }
}
