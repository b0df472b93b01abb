//! Facts about the game in a file: its name, the size of its board, and handicap stones. They are
//! compared with the game that the user names.

use super::pgn::Pgn;
use super::points;
use super::sgf::Node;
use proofwood_any_game::{Rules, find};
use proofwood_games::{is_same, spelled};

/// Our own property for a game's name, because SGF has numbers for few games.
pub(super) const GAME: &str = "XG";
/// Our own property for the position before the first move.
pub(super) const POSITION: &str = "XP";

/// The games whose number in SGF determines the rules and the default size.
const NUMBERED: [(&str, &str, &str); 4] =
    [("2", "othello:", "8"), ("9", "loa", "8"), ("10", "ataxx:", "7"), ("11", "hex:", "11")];

/// The game numbers of SGF, with the games that they stand for and those of our games for which
/// files use them. Go editors write 1 for all games on a Go board.
const NUMBERS: [(&str, &str, &[&str]); 8] = [
    ("1", "Go", &["atari-go", "nogo", "mnk", "tic-tac-toe"]),
    ("2", "Othello", &["othello", "reversi"]),
    ("3", "chess", &["gardner", "los-alamos", "reach-chess", "skirmish"]),
    ("4", "Gomoku", &["mnk", "tic-tac-toe"]),
    ("8", "shogi", &["minishogi"]),
    ("9", "Lines of Action", &["loa7", "loa8"]),
    ("10", "Ataxx", &["ataxx"]),
    ("11", "Hex", &["hex"]),
];

pub(super) fn of_sgf(root: &Node) -> Option<String> {
    if let Some(name) = root.value(GAME) {
        return Some(name.trim().to_string());
    }
    let number = root.value("GM")?.trim();
    let (_, name, usual) = NUMBERED.iter().find(|(known, ..)| *known == number)?;
    let size = size(root).unwrap_or_else(|| (*usual).into()).replace(':', "x");
    Some(format!("{name}{size}"))
}

/// Returns the size of the board in the form of [`points::size`]: `8`, or `4:3`.
fn size(root: &Node) -> Option<String> {
    let size = root.value("SZ")?.trim();
    Some(match size.split_once(':') {
        Some((width, height)) if width == height => width.to_string(),
        _ => size.to_string(),
    })
}

fn name_of(game: &str) -> String {
    let spelled = spelled(game);
    spelled.split(':').next().unwrap_or_default().to_string()
}

/// Returns the game with the board size in the file, if the game exists in that size.
pub(super) fn resized(game: &str, root: &Node) -> String {
    let said = of_sgf(root).filter(|said| name_of(said) == name_of(game));
    let has_size = |game: &str, wanted: &str| {
        find(game).is_ok_and(|rules| points::size(&*rules.start()).as_deref() == Some(wanted))
    };
    match (said, size(root)) {
        (Some(said), _) if find(&said).is_ok() => said,
        (_, Some(size)) if !has_size(game, &size) => {
            let (width, height) = size.split_once(':').unwrap_or((&size, &size));
            let name = name_of(game);
            let sized = [format!("{name}:{width}"), format!("{name}:{width}x{height}")];
            let found = sized.into_iter().find(|sized| has_size(sized, &size));
            found.unwrap_or_else(|| game.into())
        }
        _ => game.into(),
    }
}

/// Refuses an SGF file for another game or board size.
pub(super) fn check_sgf(game: &str, rules: &dyn Rules, root: &Node) -> Result<(), String> {
    if let Some(said) = root.value(GAME).map(str::trim)
        && !is_same(said, game)
    {
        return Err(format!("the file is for {said} (XG), not for {game}"));
    }
    if let Some(number) = root.value("GM").map(str::trim).filter(|number| *number != "0") {
        let known = NUMBERS.iter().find(|(known, ..)| *known == number);
        if !known.is_some_and(|(.., games)| games.contains(&name_of(game).as_str())) {
            let what = known.map_or("another game", |(_, what, _)| what);
            return Err(format!("the file is for {what} (GM[{number}]), not for {game}"));
        }
    }
    match (size(root), points::size(&*rules.start())) {
        (Some(said), Some(own)) if said != own => {
            Err(format!("the board size in the file is {said} (SZ), but {game} has size {own}"))
        }
        _ => Ok(()),
    }
}

pub(super) fn check_pgn(game: &str, pgn: &Pgn) -> Result<(), String> {
    match pgn.game() {
        Some(said) if !is_same(&said, game) => {
            Err(format!("the file is for {said} (tag Variant), not for {game}"))
        }
        _ => Ok(()),
    }
}

/// Refuses a handicap game if the file does not set up the handicap stones.
pub(super) fn check_handicap(root: &Node, set_up: bool) -> Result<(), String> {
    match root.value("HA").map(str::trim) {
        Some(given) if !set_up && given.parse::<u32>().is_ok_and(|given| given > 1) => {
            Err(format!("HA[{given}] declares {given} handicap stones, but no AB places them"))
        }
        _ => Ok(()),
    }
}
