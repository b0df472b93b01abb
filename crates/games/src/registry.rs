//! All games by name. This module imports every game, and no game imports it.

use crate::any::AnyGame;
use crate::info::GameInfo;
use crate::options::{Options, SpecError, printable};
use crate::{
    ataxx, awari, capture_go, chinese_checkers, clobber, connect_four, domineering, dots_and_boxes,
    ewn, hex, lines_of_action, minichess, minishogi, mnk, othello, oware, p_game, pig, reach_chess,
    reversi, skirmish, surakarta, through,
};
use proofwood_game::Game;

/// A computation on a game, generic over the type of the game.
pub trait GameVisitor {
    /// The result of the computation.
    type Output;

    /// Runs the computation on `game`.
    fn visit<G: Game>(self, game: G) -> Self::Output;
}

/// A computation on one of this crate's games, which convert to [`AnyGame`].
trait NamedVisitor {
    type Output;

    fn visit<G: Game + Into<AnyGame>>(self, game: G) -> Self::Output;
}

struct Named<V>(V);

impl<V: GameVisitor> NamedVisitor for Named<V> {
    type Output = V::Output;

    fn visit<G: Game + Into<AnyGame>>(self, game: G) -> V::Output {
        self.0.visit(game)
    }
}

struct ToAnyGame;

impl NamedVisitor for ToAnyGame {
    type Output = AnyGame;

    fn visit<G: Game + Into<AnyGame>>(self, game: G) -> AnyGame {
        game.into()
    }
}

/// Generates the table of games and the lookup, from pairs of a game's description and the function
/// that reads its options.
macro_rules! registry {
    ($($info:path => $build:path,)+) => {
        static GAMES: &[GameInfo] = &[$($info),+];

        fn build<V: NamedVisitor>(
            name: &str,
            options: &str,
            visitor: V,
        ) -> Result<V::Output, SpecError> {
            $(if same_name(name, $info.name) {
                let mut options = Options::parse(&$info, options)?;
                let game = $build(&mut options)?;
                options.finish()?;
                return Ok(visitor.visit(game));
            })+
            Err(unknown_game(name, &[]))
        }
    };
}

registry! {
    mnk::TIC_TAC_TOE_INFO => mnk::tic_tac_toe,
    mnk::INFO => mnk::from_options,
    connect_four::INFO => connect_four::from_options,
    othello::INFO => othello::from_options,
    p_game::INFO => p_game::from_options,
    minichess::LOS_ALAMOS_INFO => minichess::los_alamos,
    minichess::GARDNER_INFO => minichess::gardner,
    reach_chess::INFO => reach_chess::from_options,
    skirmish::INFO => skirmish::from_options,
    hex::INFO => hex::from_options,
    capture_go::ATARI_GO_INFO => capture_go::atari_go,
    capture_go::NOGO_INFO => capture_go::nogo,
    ataxx::INFO => ataxx::from_options,
    awari::INFO => awari::from_options,
    oware::INFO => oware::from_options,
    reversi::INFO => reversi::from_options,
    surakarta::INFO => surakarta::from_options,
    through::BREAKTHROUGH_INFO => through::breakthrough,
    through::KNIGHTTHROUGH_INFO => through::knightthrough,
    lines_of_action::LOA7_INFO => lines_of_action::loa7,
    lines_of_action::LOA8_INFO => lines_of_action::loa8,
    clobber::INFO => clobber::from_options,
    domineering::INFO => domineering::from_options,
    dots_and_boxes::INFO => dots_and_boxes::from_options,
    pig::INFO => pig::from_options,
    ewn::INFO => ewn::from_options,
    minishogi::INFO => minishogi::from_options,
    chinese_checkers::INFO => chinese_checkers::from_options,
}

/// Returns the descriptions of all games.
pub fn games() -> &'static [GameInfo] {
    GAMES
}

/// Creates the game that `spec` describes and passes it to `visitor`. A description is a name, or a
/// name, a colon and options separated by commas: `tic-tac-toe`, `connect-four:9x5`,
/// `p-game:2,20,seed=7`. [`find_info`] defines the accepted names.
///
/// # Errors
/// Returns an error if there is no such game, or if its options are invalid.
pub fn with_game<V: GameVisitor>(spec: &str, visitor: V) -> Result<V::Output, SpecError> {
    let (name, options) = spec.split_once(':').unwrap_or((spec, ""));
    build(find_info(name)?.name, options, Named(visitor))
}

impl AnyGame {
    /// Creates the game that `spec` describes; see [`with_game`].
    ///
    /// # Errors
    /// Returns an error if there is no such game, or if its options are invalid.
    pub fn from_spec(spec: &str) -> Result<AnyGame, SpecError> {
        let (name, options) = spec.split_once(':').unwrap_or((spec, ""));
        build(find_info(name)?.name, options, ToAnyGame)
    }
}

/// Names of games that are not in the registry, each with the most similar game that is.
static MISTAKEN: &[(&str, &str)] = &[
    ("checkers", "chinese-checkers"),
    ("shogi", "minishogi"),
    ("gomoku", "mnk:8,8,5"),
    ("five-in-a-row", "mnk:8,8,5"),
    ("connect-five", "mnk:8,8,5"),
];

/// Finds a game by its name, by [another name](GameInfo::also) that no other game has, or by an
/// unambiguous prefix of at least two letters. Case and hyphens do not matter.
///
/// # Errors
/// Returns an error if the name matches no game, or more than one.
pub fn find_info(name: &str) -> Result<&'static GameInfo, SpecError> {
    let name = name.trim();
    let all = |fits: &dyn Fn(&GameInfo) -> bool| -> Vec<&'static GameInfo> {
        GAMES.iter().filter(|&info| fits(info)).collect()
    };
    let typed: String = plain(name).collect();
    let begins = |info: &GameInfo| plain(info.name).collect::<String>().starts_with(&typed);
    let exact = all(&|info| same_name(name, info.name));
    let other = all(&|info| info.also.iter().any(|also| same_name(name, also)));
    let begun = all(&|info| typed.len() > 1 && begins(info));
    match [exact, other, begun].into_iter().find(|found| !found.is_empty()).as_deref() {
        Some([info]) => Ok(info),
        Some(several) => Err(unknown_game(name, &names(several))),
        None => match MISTAKEN.iter().find(|(other, _)| same_name(name, other)) {
            Some((_, near)) => Err(unknown_game(name, &[near])),
            None => Err(unknown_game(name, &names(&nearest(name)))),
        },
    }
}

fn names(found: &[&'static GameInfo]) -> Vec<&'static str> {
    found.iter().map(|info| info.name).collect()
}

/// The canonical form of a description: the name as [`games`] lists it, options in lower case and
/// without spaces. `Connect_Four: 9X5` becomes `connect-four:9x5`, and so does `connect:9x5`. A
/// text that does not describe a game is returned unchanged.
pub fn spelled(spec: &str) -> String {
    let (name, options) = spec.split_once(':').unwrap_or((spec, ""));
    let Ok(info) = find_info(name) else { return spec.to_string() };
    let options: String = options.chars().filter(|c| !c.is_whitespace()).collect();
    match options.is_empty() {
        true => info.name.to_string(),
        false => format!("{}:{}", info.name, options.to_ascii_lowercase()),
    }
}

/// Returns whether two descriptions mean the same game with the same rules and board, such as
/// `othello` and `Othello:8`. Returns `false` if one of the texts does not describe a game.
pub fn is_same(a: &str, b: &str) -> bool {
    match (AnyGame::from_spec(a), AnyGame::from_spec(b)) {
        (Ok(a), Ok(b)) => format!("{a:?}") == format!("{b:?}"),
        _ => false,
    }
}

fn same_name(a: &str, b: &str) -> bool {
    plain(a).eq(plain(b))
}

fn plain(name: &str) -> impl Iterator<Item = char> {
    name.chars().filter(|c| !matches!(c, '-' | '_' | ' ')).map(|c| c.to_ascii_lowercase())
}

fn nearest(name: &str) -> Vec<&'static GameInfo> {
    let near = |info: &&GameInfo| distance(name, info.name);
    let nearest = GAMES.iter().min_by_key(near);
    nearest.into_iter().filter(|info| near(info) <= info.name.len() / 2).collect()
}

fn unknown_game(name: &str, meant: &[&str]) -> SpecError {
    let names: Vec<String> = meant.iter().map(|meant| format!("'{meant}'")).collect();
    let hint = match &names[..] {
        [] => String::new(),
        [one] => format!("; did you mean {one}?"),
        [most @ .., last] => format!("; did you mean {} or {last}?", most.join(", ")),
    };
    SpecError::UnknownGame { name: printable(name), hint }
}

/// The number of letters to change, add or remove to turn one name into the other (Levenshtein).
fn distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = plain(to).collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (i, a) in plain(from).enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &b) in to.iter().enumerate() {
            let changed = diagonal + usize::from(a != b);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Name;

    impl GameVisitor for Name {
        type Output = &'static str;
        fn visit<G: Game>(self, _game: G) -> &'static str {
            std::any::type_name::<G>()
        }
    }

    fn error(spec: &str) -> String {
        with_game(spec, Name).expect_err(spec).to_string()
    }

    #[test]
    fn examples_work_and_names_are_distinct() {
        for info in games() {
            assert!(with_game(info.example, Name).is_ok(), "{}", info.example);
            assert!(info.example.starts_with(info.name));
            let same = games().iter().filter(|other| same_name(other.name, info.name)).count();
            assert_eq!(same, 1, "{}", info.name);
        }
    }

    #[test]
    fn spelling_is_free() {
        for spec in ["Tic-Tac-Toe", "tictactoe", "connect_four", " othello : 6 ", "othello:"] {
            assert!(with_game(spec, Name).is_ok(), "{spec}");
        }
    }

    #[test]
    fn one_spelling_is_the_right_one() {
        for (spec, right) in [
            ("Tic_Tac_Toe", "tic-tac-toe"),
            (" tictactoe: ", "tic-tac-toe"),
            ("oth:6", "othello:6"),
            ("MNK: 3, 3,3 , Players = 3", "mnk:3,3,3,players=3"),
            ("othello:6", "othello:6"),
            ("no such game: 1", "no such game: 1"),
        ] {
            assert_eq!(spelled(spec), right);
        }
        for info in games() {
            assert_eq!(spelled(&info.example.to_uppercase()), info.example);
        }
    }

    #[test]
    fn unknown_names_get_a_hint() {
        assert!(error("otello").starts_with("there is no game 'otello'; did you mean 'othello'?"));
        assert!(error("conect4").contains("did you mean 'connect-four'?"));
        assert_eq!(error("backgammon-and-more"), "there is no game 'backgammon-and-more'");
        assert_eq!(error(""), "there is no game ''");
    }

    #[test]
    fn beginnings_and_other_names_will_do() {
        for (name, found) in [
            ("oth", "othello"),
            ("Connect", "connect-four"),
            ("connectf", "connect-four"),
            ("noughts and crosses", "tic-tac-toe"),
            ("sternhalma", "chinese-checkers"),
            ("loa", "loa8"),
        ] {
            assert_eq!(find_info(name).map(|info| info.name), Ok(found), "{name}");
        }
        assert!(find_info("lines-of").is_err(), "the beginning of another name");
        assert!(with_game("oth:6", Name).is_ok());
        let chess = "did you mean 'los-alamos', 'gardner', 'reach-chess' or 'skirmish'?";
        assert!(error("chess").ends_with(chess), "{}", error("chess"));
        // Common names of other games are not accepted.
        for (name, near) in [
            ("checkers", "'chinese-checkers'?"),
            ("Shogi", "'minishogi'?"),
            ("gomoku", "'mnk:8,8,5'?"),
            ("awele", "'awari' or 'oware'?"),
            ("mancala", "'awari' or 'oware'?"),
            ("minichess", "'los-alamos' or 'gardner'?"),
        ] {
            assert!(error(name).ends_with(&format!("; did you mean {near}")), "{}", error(name));
        }
        for (_, near) in MISTAKEN {
            assert!(with_game(near, Name).is_ok(), "{near}");
        }
        assert!(error("a").len() < 80 && error("at").ends_with("'atari-go' or 'ataxx'?"));
    }

    #[test]
    fn every_game_tells_its_rules() {
        for info in games() {
            assert!(info.rules.len() > 60 && info.rules.ends_with('.'), "{}", info.name);
            assert!(info.notation.contains("A position is"), "{}", info.name);
            for text in [info.rules, info.notation] {
                assert!(!text.contains("  ") && !text.contains('\n'), "{}: {text}", info.name);
            }
            assert!(info.summary.len() <= 80, "{}: {}", info.name, info.summary.len());
        }
    }

    #[test]
    fn wrong_options_are_refused() {
        for (spec, message) in [
            ("tic-tac-toe:4", "tic-tac-toe has no option '4'; it has no options"),
            ("othello:8,8", "othello has no option '8'; its options are: SIZE empties"),
            ("othello:full", "othello has no option 'full'; its options are: SIZE empties"),
            (
                "othello:empties=1",
                "othello has no option 'empties=1'; its options are: SIZE empties",
            ),
            ("othello:8,", "othello: an option is missing before or after a comma"),
            ("othello:empties,8,empties", "othello: the option 'empties' is given twice"),
            ("connect-four:k=3,k=4", "connect-four: the option 'k' is given twice"),
            ("othello:x", "othello has no option 'x'; its options are: SIZE empties"),
            (
                "connect-four:7xsix",
                "connect-four: 'six' is not a valid value for the board's height; it must be a \
                 number from 1 to 63",
            ),
            ("mnk:3,3", "mnk needs k, the length of a line; for example mnk:4,4,3"),
            (
                "mnk:3,3,3,players=5",
                "mnk: '5' is not a valid value for players; it must be a number from 2 to 4",
            ),
        ] {
            let wrong = error(spec);
            assert_eq!(wrong, message, "{spec}");
        }
    }
}
