//! Records of matches, for the tests of this crate and of the program.

use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;

/// A path for a file, in a folder that is removed when the test ends.
pub struct TempFile {
    pub path: PathBuf,
    _folder: TempDir,
}

impl TempFile {
    pub fn new(name: &str) -> TempFile {
        let folder = TempDir::new().unwrap();
        TempFile { path: folder.path().join(name), _folder: folder }
    }

    pub fn path(&self) -> &str {
        self.path.to_str().unwrap()
    }

    /// Returns the games by number, without the fields that differ from run to run.
    pub fn games(&self) -> Vec<Value> {
        let text = fs::read_to_string(&self.path).unwrap_or_default();
        let whole = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
        let mut games = documents(whole);
        assert!(games.is_empty() || games.remove(0)["match"].is_object());
        for game in &mut games {
            for player in ["a", "b"] {
                game[player].as_object_mut().unwrap().remove("seconds");
            }
        }
        games.sort_by_key(|game| game["number"].as_u64());
        games
    }
}

fn documents(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}
