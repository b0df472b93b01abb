//! Finds games by their descriptions.

use crate::Trouble;
use proofwood_any_game::{Rules, find};
use proofwood_games::{SpecError, find_info};

/// Finds a game by its description. Also returns the description, trimmed and with the game's full
/// name.
pub fn find_game(spec: &str) -> Result<(String, Box<dyn Rules>), Trouble> {
    let spec = full_spec(spec)?;
    let rules = find(&spec).map_err(no_game)?;
    Ok((spec, rules))
}

/// Replaces the name in a game's description with the game's full name.
pub fn full_spec(spec: &str) -> Result<String, Trouble> {
    let spec = spec.trim();
    let (name, options) = spec.split_once(':').unwrap_or((spec, ""));
    let info = find_info(name).map_err(no_game)?;
    // A name that differs only in case or hyphens stays as it was typed.
    let plain = |name: &str| name.to_ascii_lowercase().replace(['-', '_', ' '], "");
    match (plain(name) == plain(info.name), options) {
        (true, _) => Ok(spec.to_string()),
        (false, "") => Ok(info.name.to_string()),
        (false, options) => Ok(format!("{}:{options}", info.name)),
    }
}

fn no_game(error: SpecError) -> Trouble {
    let text = error.to_string();
    Trouble::Input(match error {
        SpecError::UnknownGame { hint, .. } if hint.is_empty() => {
            text + "; `proofwood games` lists all games"
        }
        SpecError::UnknownGame { .. } => text + " `proofwood games` lists all games",
        _ => text,
    })
}
