//! Determines the format of a file from its beginning.

use super::pgn::{self, Pgn};
use super::sgf::Collection;

/// The contents of a file, by format.
#[derive(PartialEq)]
pub(super) enum Kind {
    /// A collection, and the root of the selected game.
    Sgf(Collection, usize),
    Pgn(Pgn),
    /// A position, or moves in the form of `--moves`.
    Plain(String),
}

impl Kind {
    pub(super) fn read(text: &str, number: Option<usize>) -> Result<Kind, String> {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let mut lines = lines.filter(|line| !line.starts_with('#'));
        let first = lines.next().ok_or("the file is empty")?;
        let word = first.split_whitespace().next().unwrap_or_default();
        let is_numbered = word.starts_with(|c: char| c.is_ascii_digit())
            && word.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with('.')
            && !word.contains('/');
        if first.starts_with('(') {
            return Kind::sgf(text, number);
        }
        if is_numbered || first.starts_with(['[', '{', ';', '%']) {
            return Kind::pgn(text, 0, number);
        }
        // Other text may precede the game, for example in an email.
        match (Collection::begin(text), pgn::begin(text)) {
            (Some(sgf), tag) if tag.is_none_or(|tag| sgf < tag) => Kind::sgf(text, number),
            (_, Some(tag)) => Kind::pgn(text, tag, number),
            _ => {
                one(number, 1)?;
                let lines: Vec<&str> = std::iter::once(first).chain(lines).collect();
                Ok(Kind::Plain(lines.join("\n")))
            }
        }
    }

    fn sgf(text: &str, number: Option<usize>) -> Result<Kind, String> {
        let all = Collection::read(text)?;
        let root = all.roots[one(number, all.roots.len())?];
        Ok(Kind::Sgf(all, root))
    }

    fn pgn(text: &str, begin: usize, number: Option<usize>) -> Result<Kind, String> {
        let mut games = Pgn::read(text, begin)?;
        let at = one(number, games.len())?;
        Ok(Kind::Pgn(games.swap_remove(at)))
    }

    /// Clears all values that are not ASCII. These are names and comments, which have no effect.
    pub(super) fn without_names(mut self) -> Kind {
        let empty = |text: &mut String| {
            if !text.is_ascii() {
                text.clear();
            }
        };
        match &mut self {
            Kind::Sgf(all, _) => {
                let properties = all.nodes.iter_mut().flat_map(|node| &mut node.properties);
                properties.flat_map(|(_, values)| values).for_each(empty);
            }
            Kind::Pgn(pgn) => pgn.tags.iter_mut().for_each(|(_, value)| empty(value)),
            Kind::Plain(_) => {}
        }
        self
    }
}

fn one(number: Option<usize>, games: usize) -> Result<usize, String> {
    match number {
        None if games == 1 => Ok(0),
        Some(number) if (1..=games).contains(&number) => Ok(number - 1),
        _ if games == 0 => Err("the file contains no game".into()),
        None => Err(format!("the file contains {games} games; choose one with --number")),
        Some(number) => {
            let what = if games == 1 { "game" } else { "games" };
            Err(format!("--number {number}: the file contains {games} {what}"))
        }
    }
}
