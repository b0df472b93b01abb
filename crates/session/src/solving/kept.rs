//! Loads saved trees without further information about the search: the file's header contains the
//! game, the position and the settings.

use crate::Trouble;
use crate::input::spec::find_game;
use proofwood::Config;
use proofwood::inspect::SavedError;
use proofwood_any_game::{Position, Searching};
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek};
use std::path::Path;

/// The first bytes of a saved tree.
const BEGINNING: &[u8] = b"proofwood-tree ";
/// The maximum length of a line in the header, in bytes.
const LONGEST: u64 = 1 << 20;
/// The memory reserved for each node in any game, in bytes. Unused memory costs nothing.
const NODE: u64 = 256;

/// A search restored from a file.
pub struct Kept {
    /// The description of the game.
    pub game: String,
    /// The position at the root.
    pub position: Box<dyn Position>,
    /// The search with the loaded tree.
    pub search: Box<dyn Searching>,
    /// The names and values of the options on which the meaning of the nodes depends.
    pub options: Vec<(String, String)>,
}

#[derive(Debug, Default)]
struct Head {
    game: String,
    position: String,
    settings: Vec<(String, String)>,
    has_priors: bool,
    counts_proof_numbers: bool,
    nodes: u64,
}

/// Returns whether a file begins like a saved tree.
pub fn is_tree(path: &Path) -> Result<bool, Trouble> {
    let unreadable = |error| Trouble::reading(path.display(), &error);
    let mut beginning = Vec::new();
    let file = File::open(path).map_err(unreadable)?;
    file.take(BEGINNING.len() as u64).read_to_end(&mut beginning).map_err(unreadable)?;
    Ok(beginning == BEGINNING)
}

impl Kept {
    /// Loads a tree and creates a search with the settings in the file.
    pub fn load(path: &Path) -> Result<Kept, Trouble> {
        let name = path.display();
        let wrong = |what: &str| Trouble::Input(format!("cannot load the tree in {name}: {what}"));
        let mut file = File::open(path).map_err(|error| Trouble::reading(&name, &error))?;
        let mut head = Head::read(&mut BufReader::new(&file)).map_err(|what| wrong(&what))?;
        if head.has_priors {
            head.settings.push(("leaves".into(), "game".into()));
        }
        let length = file.metadata().map_err(|error| Trouble::reading(&name, &error))?.len();
        // A node takes at least one byte.
        if head.nodes > length {
            return Err(wrong("it is truncated"));
        }
        let (game, rules) = find_game(&head.game)?;
        let position = match head.position.as_str() {
            "" => rules.start(),
            text => rules.read(text).map_err(|error| wrong(&error.to_string()))?,
        };
        let memory = (head.nodes * NODE).max(64 << 20);
        let mut config = Config::default().threads(1).memory(memory);
        for (setting, value) in &head.settings {
            config.set(setting, value)?;
        }
        let mut search = position.search(&config)?;
        if search.snapshot().counts_proof_numbers != head.counts_proof_numbers {
            let weight = if head.counts_proof_numbers { "0.1" } else { "0" };
            config.set("c-pn", weight)?;
            head.settings.push(("c-pn".into(), weight.into()));
            search = position.search(&config)?;
        }
        file.rewind().map_err(|error| Trouble::reading(&name, &error))?;
        search.load_tree(&game, &mut file).map_err(|error| match error {
            SavedError::Search(error) => Trouble::from(error),
            error => wrong(&error.to_string()),
        })?;
        Ok(Kept { game, position, search, options: head.settings })
    }
}

impl Head {
    /// Parses the lines up to the first empty one.
    fn read(file: &mut dyn BufRead) -> Result<Head, String> {
        let mut head = Head::default();
        for number in 0.. {
            let mut line = Vec::new();
            let file: &mut dyn BufRead = &mut *file;
            file.take(LONGEST).read_until(b'\n', &mut line).map_err(|error| error.to_string())?;
            if line.pop() != Some(b'\n') {
                return Err("it is truncated".into());
            }
            let line = String::from_utf8(line).map_err(|_| "its header is not text")?;
            match (number, line.split_once(' ')) {
                // The loader checks the versions of the format and the program, the root's key and
                // the payoffs.
                (0 | 1 | 4 | 5, _) => {}
                (2, _) => head.game = line,
                (3, _) => head.position = line,
                (_, None) if line.is_empty() => return Ok(head),
                (_, Some(("priors", _))) => head.has_priors = true,
                (_, Some(("proof-numbers", counted))) => {
                    head.counts_proof_numbers = counted == "on"
                }
                (_, Some(("nodes", nodes))) => {
                    head.nodes = nodes.parse().map_err(|_| "its node count is not a number")?;
                }
                (_, Some((name, value))) => {
                    head.settings.push((name.to_string(), value.to_string()));
                }
                _ => return Err(format!("line {} of its header has no value", number + 1)),
            }
        }
        Ok(head)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proofwood::Budget;

    #[test]
    fn a_tree_is_all_that_is_needed() {
        let folder = tempfile::TempDir::new().unwrap();
        let path = folder.path().join("a.tree");
        for (game, moves, set) in [
            ("connect-four", "43", "goal score"),
            ("pig:20", "", "goal score"),
            ("chinese-checkers:players=3", "", "paranoid on"),
            ("connect-four", "", "leaves game"),
            ("hex:5", "", "solver off"),
            ("hex:5", "", "c-pn 0"),
            ("connect-four", "", "c-pn 0.5"),
        ] {
            let (game, rules) = find_game(game).unwrap();
            let mut position = rules.start();
            rules.split_moves(moves).into_iter().for_each(|mv| drop(position.play(mv).unwrap()));
            let mut config = Config::default().threads(1).memory(32 << 20);
            let (name, value) = set.split_once(' ').unwrap();
            config.set(name, value).unwrap();
            let mut search = position.search(&config).unwrap();
            search.start(&Budget::default().playouts(500)).unwrap();
            let answer = search.wait().unwrap();
            search.save_tree(&game, &mut File::create(&path).unwrap()).unwrap();
            assert!(is_tree(&path).unwrap());
            let kept = Kept::load(&path).unwrap();
            assert_eq!((&kept.game, kept.position.text()), (&game, position.text()), "{set}");
            assert_eq!(kept.search.snapshot().nodes, answer.nodes, "{game} {set}");
        }
        let whole = std::fs::read(&path).unwrap();
        for length in [0, 10, 40, 100, whole.len() / 2, whole.len() - 1] {
            std::fs::write(&path, &whole[..length]).unwrap();
            let error = Kept::load(&path).err().expect("it is damaged").to_string();
            assert!(error.starts_with("cannot load the tree in "), "{length}: {error}");
        }
    }
}
