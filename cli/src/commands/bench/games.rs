//! The games that `bench` measures.

use proofwood_any_game::Rules;
use proofwood_session::Trouble;
use proofwood_session::input::spec::find_game;

/// The games to measure when none is named.
const USUAL_GAMES: [&str; 2] = ["connect-four", "othello"];

pub type NamedRules = (String, Box<dyn Rules>);

/// Finds the games with these names, or the default ones if there are none.
pub fn find_games(names: &[String]) -> Result<Vec<NamedRules>, Trouble> {
    match names {
        [] => USUAL_GAMES.iter().map(|name| find_game(name)).collect(),
        names => names.iter().map(|name| find_game(name)).collect(),
    }
}
