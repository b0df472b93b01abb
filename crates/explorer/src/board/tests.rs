//! Checks the boards of all games in random games.

use super::{Board, Cell};
use proofwood::{Game, Rng, Turn};
use proofwood_games::{AnyGame, AnyState, games};
use std::collections::{HashMap, HashSet};

/// Descriptions in addition to the registry's examples: usual sizes, and variants with other
/// drawings.
const MORE: &[&str] = &[
    "mnk:16,4,4,players=4",
    "connect-four",
    "othello",
    "hex:11x3",
    "atari-go",
    "domineering",
    "dots-and-boxes",
    "ewn",
    "ewn:3,setup=chosen",
    "awari:3,8",
    "chinese-checkers:players=6",
    "chinese-checkers:1",
    "pig:30,players=3,turns=9",
    "clobber:9x7",
    "breakthrough",
];

/// Plays some random games from a description and calls `see` with each position.
fn each_position(spec: &str, mut see: impl FnMut(&AnyGame, &AnyState, &[String], &Board)) {
    let game = AnyGame::from_spec(spec).unwrap_or_else(|error| panic!("{spec}: {error}"));
    let name = spec.split(':').next().unwrap_or(spec);
    let mut rng = Rng::new(7);
    for _ in 0..2 {
        let mut state = game.initial_state();
        for _ in 0..100 {
            let mut moves = Vec::new();
            let turn = game.turn(&state);
            if turn != Turn::Over {
                game.legal_moves(&state, &mut moves);
            }
            let texts: Vec<String> = moves.iter().map(|&mv| game.move_text(&state, mv)).collect();
            let mover = match turn {
                Turn::Player(player) => Some(player),
                _ => None,
            };
            let board = Board::new(name, &game.state_text(&state), &game.board_text(&state), mover);
            see(&game, &state, &texts, &board);
            if moves.is_empty() {
                break;
            }
            let mv = moves[rng.below(moves.len() as u32) as usize];
            game.play(&mut state, mv);
        }
    }
}

fn all() -> impl Iterator<Item = &'static str> {
    games().iter().map(|info| info.example).chain(MORE.iter().copied())
}

#[test]
fn cells_have_names_of_their_own_and_lie_on_the_board() {
    for spec in all() {
        each_position(spec, |game, state, _, board| {
            let place = format!("{spec}: {}", game.state_text(state));
            let names: HashSet<&str> = board.cells.iter().map(|cell| &*cell.name).collect();
            assert_eq!(names.len(), board.cells.len(), "{place}");
            for Cell { name, x, y, .. } in &board.cells {
                let on = (0.0..=board.columns).contains(x) && (0.0..=board.rows).contains(y);
                assert!(on, "{place}: {name} at {x}, {y}");
            }
            let places: HashSet<String> =
                board.cells.iter().map(|cell| format!("{} {}", cell.x, cell.y)).collect();
            assert_eq!(places.len(), board.cells.len(), "{place}: two cells in one place");
            assert_eq!(board.shape == "text", spec.starts_with("p-game"), "{place}");
        });
    }
}

/// Every move can be played with clicks on existing cells, or with a button. The cells of a move
/// are never a prefix of another move's; only moves with and without promotion may share their
/// cells.
#[test]
fn every_move_can_be_clicked() {
    for spec in all() {
        each_position(spec, |game, state, moves, board| {
            let place = format!("{spec}: {}", game.state_text(state));
            let mut clicks: HashMap<Vec<String>, Vec<&String>> = HashMap::new();
            for mv in moves {
                clicks.entry(board.clicks(mv)).or_default().push(mv);
            }
            for (cells, same) in &clicks {
                assert!(cells.iter().all(|name| board.cell(name).is_some()), "{place}: {same:?}");
                let promotes = |mv: &&String| mv.ends_with(['+', 'q', 'r', 'b', 'n']);
                let plain = same.iter().filter(|mv| !promotes(mv)).count();
                assert!(cells.is_empty() || plain <= 1, "{place}: {same:?} have the same cells");
                let longer = clicks.keys().find(|other| {
                    !cells.is_empty() && other.len() > cells.len() && other.starts_with(cells)
                });
                assert_eq!(longer, None, "{place}: behind {same:?}");
            }
            for mv in clicks.get(&vec![]).into_iter().flatten() {
                let button = match board.shape {
                    "scores" | "text" => true,
                    "numbers" => mv.bytes().all(|b| b.is_ascii_digit()),
                    _ => ["pass", "propose", "end", "no"].contains(&mv.as_str()),
                };
                assert!(button, "{place}: {mv} is a matter of cells");
            }
        });
    }
}

/// The pieces on the board are those of the position's text. If the text begins with rows, as a FEN
/// does, the rows are parsed here, independently of the drawing.
#[test]
fn pieces_are_those_of_the_position() {
    let mut compared = HashSet::new();
    for spec in all() {
        each_position(spec, |game, state, _, board| {
            let text = game.state_text(state);
            let Some(rows) = rows_of(board, &text) else { return };
            compared.insert(spec.split(':').next());
            let on_board = board.cells.iter().filter(|cell| cell.kind != "hand");
            let on_board: Vec<String> = on_board.map(sign).collect();
            assert_eq!(on_board, rows, "{spec}: {text}");
        });
    }
    assert!(compared.len() >= 20, "{compared:?}");
}

/// Returns the signs of the pieces in a position's text, row by row from the top, in lower case if
/// case has no meaning; `None` if the text has no rows.
fn rows_of(board: &Board, text: &str) -> Option<Vec<String>> {
    if text.contains(" moves ") || ["dots", "pits", "scores", "text"].contains(&board.shape) {
        return None;
    }
    let keeps_case = ["chess", "shogi", "numbers"].contains(&board.shape);
    let mut cells = Vec::new();
    let mut letters = text.split([' ', '[']).next()?.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '/' => {}
            '.' | '-' => cells.push(String::new()),
            '0'..='9' => {
                let mut run = letter.to_digit(10)? as usize;
                while let Some(digit) = letters.peek().and_then(|c| c.to_digit(10)) {
                    run = 10 * run + digit as usize;
                    letters.next();
                }
                cells.extend(vec![String::new(); run]);
            }
            '+' if board.shape == "shogi" => cells.push(format!("+{}", letters.next()?)),
            _ if keeps_case => cells.push(letter.to_string()),
            _ => cells.push(letter.to_ascii_lowercase().to_string()),
        }
    }
    Some(cells)
}

/// Returns a piece in the position's notation.
fn sign(cell: &Cell) -> String {
    let Some(piece) = &cell.piece else { return String::new() };
    let words: Vec<&str> = piece.split('-').collect();
    let letter = match (words.last().copied().unwrap_or_default(), &cell.text) {
        ("plus", _) => "+".to_string(),
        ("hash", _) => "#".to_string(),
        ("domino", _) => "x".to_string(),
        ("knight", _) => "n".to_string(),
        ("white" | "black", Some(number)) => {
            let letter = b'a' + number.parse::<u8>().unwrap_or(0) - 1;
            char::from(letter).to_string()
        }
        (kind, _) => kind[..1].to_string(),
    };
    let promoted = if words.contains(&"promoted") { "+" } else { "" };
    let capital = ["white", "sente"].contains(&words[0]);
    let letter = if capital { letter.to_ascii_uppercase() } else { letter };
    format!("{promoted}{letter}")
}

#[test]
fn what_is_no_board_is_shown_as_its_lines() {
    let board = Board::new("unheard-of", "17", "seventeen sticks\n", None);
    assert_eq!((board.shape, &*board.notes), ("text", &["seventeen sticks".to_string()][..]));
    for game in games() {
        // An unsuitable drawing must not panic.
        for drawing in ["", "a", "1\n", "a b\n1 x\n", "North South 1 2"] {
            Board::new(game.name, "", drawing, Some(0)).clicks("a1b1");
        }
    }
}

#[test]
fn moves_are_clicked_as_people_expect() {
    let clicks = |spec: &str, moves: &[&str], wanted: &str| {
        let game = AnyGame::from_spec(spec).unwrap_or_else(|error| panic!("{spec}: {error}"));
        let mut state = game.initial_state();
        for text in moves {
            let mv = game.parse_move(&state, text).unwrap_or_else(|error| panic!("{error}"));
            game.play(&mut state, mv);
        }
        let mover = match game.turn(&state) {
            Turn::Player(player) => Some(player),
            _ => None,
        };
        let name = spec.split(':').next().unwrap_or(spec);
        let board = Board::new(name, &game.state_text(&state), &game.board_text(&state), mover);
        board.clicks(wanted).join(" ")
    };
    assert_eq!(clicks("connect-four", &["4", "4"], "4"), "d3");
    assert_eq!(clicks("othello", &[], "d3"), "d3");
    assert_eq!(clicks("reach-chess", &[], "e2e4"), "e2 e4");
    assert_eq!(clicks("domineering", &[], "a1a2"), "a1");
    assert_eq!(clicks("dots-and-boxes", &[], "a1b1"), "a1b1");
    assert_eq!(clicks("oware", &[], "f1"), "f1");
    assert_eq!(clicks("ataxx", &[], "b1"), "b1");
    assert_eq!(clicks("pig", &[], "roll"), "");
    assert_eq!(clicks("chinese-checkers", &[], "pass"), "");
}
