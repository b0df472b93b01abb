//! Minishogi positions and moves as text.

use super::position::Position;
use super::tables::{CELLS, COLUMN, SIDE, ZONE};
use super::{Kind, Minishogi, Move, State};
use crate::text::{
    Edge, cell_name, column_name, draw_board, leading_cell, legal_move, parse_step, read_fen,
    write_fen,
};
use proofwood_game::{Game, TextError};

pub(super) const PLAYERS: [&str; 2] = ["Sente", "Gote"];
/// The letters of the kinds that can be in hand, in the order of the kinds, then the king's letter.
const LETTERS: [char; 6] = ['G', 'P', 'S', 'R', 'B', 'K'];
const LEGEND: &str =
    "K, G, S, B, R or P, with + before S, B, R or P if promoted, lower-case for Gote";

fn error<T>(message: String) -> Result<T, TextError> {
    Err(TextError::new(message))
}

fn cell_text(cell: usize) -> String {
    cell_name(cell % SIDE, cell / SIDE)
}

fn letter(player: usize, kind: Kind) -> char {
    let letter = LETTERS[kind.unpromoted() as usize];
    if player == 0 { letter } else { letter.to_ascii_lowercase() }
}

fn piece_text(player: usize, kind: Kind) -> String {
    let plus = if kind.is_promoted() { "+" } else { "" };
    format!("{plus}{}", letter(player, kind))
}

/// The unpromoted kind for a letter, in either case.
fn kind_of(letter: char) -> Option<Kind> {
    let at = LETTERS.iter().position(|l| l.eq_ignore_ascii_case(&letter))?;
    Some(Kind::ALL[at])
}

fn player_of(letter: char) -> usize {
    usize::from(letter.is_ascii_lowercase())
}

pub(super) fn move_text(mv: Move) -> String {
    match mv {
        Move::Step { from, to, promote } => {
            let plus = if promote { "+" } else { "" };
            format!("{}{}{plus}", cell_text(from.into()), cell_text(to.into()))
        }
        Move::Drop { kind, to } => format!("{}@{}", letter(0, kind), cell_text(to.into())),
    }
}

pub(super) fn parse_move(game: &Minishogi, state: &State, text: &str) -> Result<Move, TextError> {
    let wanted = drop_of(text).or_else(|| step_of(state, text));
    legal_move(game, state, text, wanted)
}

fn drop_of(text: &str) -> Option<Move> {
    let mut letters = text.chars();
    let kind = kind_of(letters.next()?)?;
    letters.next().filter(|c| matches!(c, '@' | '*'))?;
    match leading_cell(letters.as_str())? {
        (cell, "") => Some(Move::Drop { kind, to: cell_number(cell)? }),
        _ => None,
    }
}

/// Reads a step. A pawn must promote on the last row, so its promotion need not be written.
fn step_of(state: &State, text: &str) -> Option<Move> {
    let step = parse_step(text)?;
    let (from, to) = (cell_number(step.from)?, cell_number(step.to)?);
    let [plain, promoting] = [false, true].map(|promote| Move::Step { from, to, promote });
    match step.suffix {
        "+" => Some(promoting),
        "" if !state.moves.iter().any(|mv| mv == plain) => Some(promoting),
        "" | "=" => Some(plain),
        _ => None,
    }
}

fn cell_number((column, row): (usize, usize)) -> Option<u8> {
    (column < SIDE && row < SIDE).then(|| (row * SIDE + column) as u8)
}

pub(super) fn write(state: &State) -> String {
    let Some(history) = &state.history else { return write_position(&state.position) };
    let mut text = write_position(history.start());
    if !history.moves().is_empty() {
        let moves: Vec<String> = history.moves().iter().map(|&mv| move_text(mv)).collect();
        text += &format!(" moves {}", moves.join(" "));
    }
    text
}

fn write_position(position: &Position) -> String {
    let board = write_fen(SIDE, SIDE, |column, row| {
        let piece = position.piece_at(row * SIDE + column);
        piece.map(|(player, kind)| piece_text(player, kind))
    });
    let [first, second] = [0, 1].map(|player| hand_text(position, player));
    format!("{board}[{first}{second}] {} - - 0 1", ['w', 'b'][position.mover()])
}

fn hand_text(position: &Position, player: usize) -> String {
    let in_hand = |&kind: &Kind| {
        let number = position.in_hand(player, kind);
        letter(player, kind).to_string().repeat(number.into())
    };
    Kind::ALL[..Kind::IN_HAND].iter().map(in_hand).collect()
}

pub(super) fn draw(state: &State) -> String {
    let position = &state.position;
    let rows: Vec<String> = (1..=SIDE).rev().map(|row| row.to_string()).collect();
    // Columns are two characters wide, for the promoted pieces.
    let columns: Vec<String> =
        (0..SIDE).map(|column| format!(" {}", column_name(column))).collect();
    let board = draw_board(&rows, &columns, Edge::Bottom, |column, row| {
        let piece = position.piece_at((SIDE - 1 - row) * SIDE + column);
        piece.map_or(".".to_string(), |(player, kind)| piece_text(player, kind))
    });
    let hand = |player: usize| match hand_text(position, player).as_str() {
        "" => "nothing in hand".to_string(),
        pieces => format!("in hand: {pieces}"),
    };
    format!("{}\n{board}{}\n", hand(1), hand(0))
}

pub(super) fn read(game: &Minishogi, text: &str) -> Result<State, TextError> {
    let (position, moves) = match word_at(text, "moves") {
        Some(at) => (&text[..at], &text[at + "moves".len()..]),
        None => (text, ""),
    };
    let mut state = match position.trim() {
        "startpos" => game.initial_state(),
        position => game.state(read_position(position)?),
    };
    for (number, text) in (1..).zip(game.split_moves(moves)) {
        let mv = parse_move(game, &state, text)
            .map_err(|error| TextError::new(format!("move {number}: {error}")))?;
        game.play(&mut state, mv);
    }
    Ok(state)
}

/// The byte index of the first occurrence of `word` as a separate word.
fn word_at(text: &str, word: &str) -> Option<usize> {
    let alone = |&(at, _): &(usize, &str)| {
        let next = text[at + word.len()..].chars().next();
        let before = text[..at].chars().next_back();
        [before, next].iter().all(|c| c.is_none_or(char::is_whitespace))
    };
    text.match_indices(word).find(alone).map(|(at, _)| at)
}

fn read_position(text: &str) -> Result<Position, TextError> {
    let (pieces, rest) = read_fen(text, SIDE, SIDE, LEGEND, |c, promoted| {
        let kind = kind_of(c)?;
        match promoted {
            false => Some((player_of(c), kind)),
            true if matches!(kind, Kind::King | Kind::Gold) => None,
            true => Some((player_of(c), kind.promoted())),
        }
    })?;
    let mut position = Position::EMPTY;
    for (cell, piece) in pieces.into_iter().enumerate() {
        if let Some((player, kind)) = piece {
            position.toggle(player, kind, cell);
        }
    }
    let rest = read_rest(rest)?;
    read_hands(&mut position, rest.hands)?;
    if rest.mover == 1 {
        position.pass_turn();
    }
    check(&position)?;
    Ok(position)
}

struct Rest<'t> {
    hands: &'t str,
    mover: usize,
}

/// Splits the text after the rows. A position may be written in two forms; in one of them, the
/// hands are in brackets.
fn read_rest(text: &str) -> Result<Rest<'_>, TextError> {
    match text.strip_prefix('[') {
        Some(text) => {
            let Some((hands, rest)) = text.split_once(']') else {
                return error("the bracket before the pieces in hand is not closed".to_string());
            };
            let words: Vec<&str> = rest.split_whitespace().collect();
            let mover = read_mover(words.first().copied(), ['w', 'b'])?;
            let dashes = words[1..].iter().take_while(|word| **word == "-").count();
            refuse_more(&words[1 + dashes.min(2)..], 2)?;
            Ok(Rest { hands, mover })
        }
        None => {
            let words: Vec<&str> = text.split_whitespace().collect();
            let (Some(&hands), false) = (words.get(1), words.get(2) == Some(&"-")) else {
                return error(
                    "the pieces in hand are missing; add them in brackets after the board, or [] \
                     for none"
                        .to_string(),
                );
            };
            let mover = read_mover(words.first().copied(), ['b', 'w'])?;
            refuse_more(&words[2..], 1)?;
            Ok(Rest { hands, mover })
        }
    }
}

fn read_mover(word: Option<&str>, names: [char; 2]) -> Result<usize, TextError> {
    let [first, second] = names;
    let expected = format!("{first} for Sente or {second} for Gote");
    match word {
        None => error(format!("the side to move is missing; expected {expected}")),
        Some(word) => {
            names.iter().position(|name| word.eq_ignore_ascii_case(&name.to_string())).ok_or_else(
                || TextError::new(format!("'{word}' is not a side to move; expected {expected}")),
            )
        }
    }
}

/// Skips up to `most` counters, which have no meaning here, and rejects any further words.
fn refuse_more(words: &[&str], most: usize) -> Result<(), TextError> {
    let counters = words.iter().take(most).take_while(|word| word.parse::<u32>().is_ok()).count();
    match words.get(counters) {
        None => Ok(()),
        Some(word) => error(format!("unexpected '{word}' after the position")),
    }
}

/// Reads the pieces in hand; `-` or an empty text means an empty hand, and a number before a piece
/// is its count.
fn read_hands(position: &mut Position, text: &str) -> Result<(), TextError> {
    if text.trim() == "-" {
        return Ok(());
    }
    let mut number = None;
    for c in text.chars().filter(|c| !c.is_whitespace()) {
        if let Some(digit) = c.to_digit(10) {
            number = Some((number.unwrap_or(0) * 10 + digit).min(100));
            continue;
        }
        let Some(kind) = kind_of(c).filter(|kind| *kind != Kind::King) else {
            return error(format!("'{c}' cannot be in hand; only G, P, S, R and B can"));
        };
        let (player, add) = (player_of(c), number.take().unwrap_or(1));
        let held = add + u32::from(position.in_hand(player, kind));
        if add == 0 || held > Kind::EACH as u32 {
            return error(format!("{held} {c} cannot be in hand; there are only two of each kind"));
        }
        position.set_hand(player, kind, held as u8);
    }
    match number {
        None => Ok(()),
        Some(number) => error(format!(
            "the number {number} among the pieces in hand must be followed by a piece"
        )),
    }
}

fn check(position: &Position) -> Result<(), TextError> {
    for (player, name) in PLAYERS.into_iter().enumerate() {
        let kings = position.pieces(player, Kind::King).count_ones();
        if kings != 1 {
            return error(format!(
                "{name} has {kings} kings ({}), but must have one",
                letter(player, Kind::King)
            ));
        }
    }
    for &kind in &Kind::ALL[..Kind::IN_HAND] {
        let held = [0, 1].map(|player| usize::from(position.in_hand(player, kind)));
        let on_board = (0..CELLS).filter(|&cell| {
            position.piece_at(cell).is_some_and(|(_, there)| there.unpromoted() == kind)
        });
        let all = held[0] + held[1] + on_board.count();
        if all > Kind::EACH {
            let letter = letter(0, kind);
            return error(format!(
                "there are {all} {letter} on the board and in hand; the game has only two"
            ));
        }
    }
    for (player, name) in PLAYERS.into_iter().enumerate() {
        let pawns = position.pieces(player, Kind::Pawn);
        let last = pawns & ZONE[player];
        if last != 0 {
            let cell = cell_text(last.trailing_zeros() as usize);
            return error(format!("the pawn on {cell} is on the last row and must be promoted"));
        }
        if let Some(column) = COLUMN.iter().position(|cells| (pawns & cells).count_ones() > 1) {
            let column = column_name(column);
            return error(format!("{name} has two pawns in column {column}; only one is allowed"));
        }
    }
    let waiting = 1 - position.mover();
    if position.checkers(waiting) != 0 {
        return error(format!(
            "{} is in check, but {} is to move",
            PLAYERS[waiting],
            PLAYERS[position.mover()]
        ));
    }
    Ok(())
}
