//! Openings: the positions in which the games of a contest begin.

use super::seeds::{Stream, seed_of};
use crate::Trouble;
use crate::input::moves::play_all;
use crate::input::position_file::{EntryText, PositionFile};
use proofwood::{Rng, Turn};
use proofwood_any_game::{Position, Rules};
use serde::{Deserialize, Serialize};

/// The source of a contest's openings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Openings {
    /// Plays this number of random plies from the start.
    Random(u32),
    /// Uses these openings in turn, each a position or a list of moves from the start.
    Listed(Vec<String>),
}

pub(super) struct Opening {
    pub position: Box<dyn Position>,
    /// The text of the position before `moves`; `None` for the game's start.
    pub start: Option<String>,
    pub moves: Vec<String>,
}

impl Openings {
    /// Reads a file with a position or a list of moves on each line. A line that is not a legal
    /// opening of the game is an error.
    pub fn read(path: &str, game: &str, rules: &dyn Rules) -> Result<Openings, Trouble> {
        let mut file = PositionFile::open(path)?;
        let mut list = Vec::new();
        while let Some(mut entry) = file.next()? {
            if entry.is_of_another_game(game) {
                continue;
            }
            let text = std::mem::replace(&mut entry.text, Err(String::new()));
            let checked = text.and_then(|text| {
                let text = match text {
                    EntryText::Moves(text) | EntryText::Either(text) => text,
                    after => after.find(rules)?.text(),
                };
                listed(&text, rules).map(|_| text)
            });
            list.push(checked.map_err(|why| file.wrong(&entry, &why).0)?);
        }
        match list.is_empty() {
            true => Err(Trouble::Input(format!("{path}: the file contains no openings"))),
            false => Ok(Openings::Listed(list)),
        }
    }

    /// Returns the opening at this index, counted from 0.
    pub(super) fn find(
        &self,
        rules: &dyn Rules,
        seed: u64,
        number: u64,
    ) -> Result<Opening, Trouble> {
        match self {
            Openings::Random(plies) => {
                random(rules, *plies, seed_of(seed, Stream::Opening, number))
            }
            Openings::Listed(list) => {
                let text = &list[(number % list.len() as u64) as usize];
                listed(text, rules).map_err(Trouble::Input)
            }
        }
    }
}

/// Parses a listed opening: moves from the start, or a position.
fn listed(text: &str, rules: &dyn Rules) -> Result<Opening, String> {
    let mut position = rules.start();
    let (start, moves) = match play_all(rules, &mut *position, text) {
        Ok(moves) => (None, moves),
        Err(_) => {
            position = EntryText::Either(text.to_string()).find(rules)?;
            (Some(text.to_string()), Vec::new())
        }
    };
    match position.turn() {
        Turn::Over => Err("the game is over at this point".into()),
        _ => Ok(Opening { position, start, moves }),
    }
}

fn random(rules: &dyn Rules, plies: u32, seed: u64) -> Result<Opening, Trouble> {
    const TRIES: u32 = 1000;
    let mut rng = Rng::new(seed);
    for _ in 0..TRIES {
        let mut position = rules.start();
        let mut moves = Vec::new();
        while moves.len() < plies as usize && position.turn() != Turn::Over {
            moves.push(position.play_random(&mut rng));
        }
        if position.turn() != Turn::Over {
            return Ok(Opening { position, start: None, moves });
        }
    }
    Err(Trouble::Input(format!(
        "--random-plies {plies}: the game ended earlier in all {TRIES} attempts; use fewer plies"
    )))
}
