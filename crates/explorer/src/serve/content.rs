//! The initial content of pages.

use super::{Exploring, Tree};
use crate::search::KeptTree;
use proofwood_notation::game_file::GameFile;
use proofwood_session::Trouble;
use proofwood_session::input::spec::find_game;
use proofwood_session::solving::kept::{Kept, is_tree};
use std::path::Path;

/// The first bytes of a certificate, which is in gzip format.
const CERTIFICATE: &[u8] = &[0x1f, 0x8b];

impl Exploring {
    /// Shows the position to which `moves` lead from `position`, by default from the game's start.
    pub fn of_game(game: &str, position: Option<&str>, moves: &[String]) -> Exploring {
        Exploring { fragment: fragment(game, position, moves), ..Exploring::default() }
    }

    /// Shows a certificate, a tree, or the last position of game `number` in an SGF or PGN file.
    ///
    /// # Errors
    /// If the file cannot be read, or contains none of these.
    pub fn of_file(
        path: &str,
        game: Option<&str>,
        number: Option<usize>,
    ) -> Result<Exploring, Trouble> {
        let bytes = std::fs::read(path).map_err(|error| Trouble::reading(path, &error))?;
        if bytes.starts_with(CERTIFICATE) {
            let (certificate, fragment) = (Some(bytes), "#certificate=".into());
            return Ok(Exploring { certificate, fragment, ..Exploring::default() });
        }
        if is_tree(Path::new(path))? {
            let Kept { game, position, options, .. } = Kept::load(Path::new(path))?;
            let position = position.text();
            let fragment = fragment(&game, Some(&position), &[]) + "&ask=kept";
            let kept = KeptTree { game, position, options };
            let tree = Some(Tree { path: path.into(), kept });
            return Ok(Exploring { tree, fragment, ..Exploring::default() });
        }
        let file = GameFile::open(path, number)?;
        let (game, rules) = find_game(&file.game_or(game)?)?;
        let read = file.play(&game, &*rules, None)?;
        let start = read.start.text();
        let position = (start != rules.start().text()).then_some(&*start);
        Ok(Exploring::of_game(&game, position, &read.moves))
    }
}

fn fragment(game: &str, position: Option<&str>, moves: &[String]) -> String {
    let mut fragment = format!("#game={}", escaped(game));
    if let Some(position) = position {
        fragment += &format!("&position={}", escaped(position));
    }
    if !moves.is_empty() {
        fragment += &format!("&moves={}", escaped(&moves.join(",")));
    }
    fragment
}

fn escaped(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.,:/@".contains(&byte);
    let escape = |byte: u8| match plain(byte) {
        true => char::from(byte).to_string(),
        false => format!("%{byte:02X}"),
    };
    text.bytes().map(escape).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_keep_what_is_put_in() {
        let moves = ["e2-e4".to_string(), "roll 6".into()];
        let text = fragment("mnk:3,3,3", Some("a/b &c=d%+ü x"), &moves);
        assert_eq!(
            text,
            "#game=mnk:3,3,3&position=a/b%20%26c%3Dd%25%2B%C3%BC%20x&moves=e2-e4,roll%206"
        );
    }
}
