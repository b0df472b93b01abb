//! Positions and moves of games with chess pieces as text.

use super::{COLUMN_A, Chess, Kind, Move, Position, rights_of};
use crate::bits::cells;
use crate::text::{
    Edge, cell_name, column_name, draw_board, is_pass, parse_cell, parse_step, read_fen, write_fen,
};
use proofwood_game::{Game, TextError, Turn};
use std::iter::Peekable;
use std::str::SplitWhitespace;

pub(crate) const SIDES: [&str; 2] = ["white", "black"];
pub(crate) const NAMES: [&str; 2] = ["White", "Black"];
const SIDE_LETTERS: [char; 2] = ['w', 'b'];
const KIND_LETTERS: [char; 6] = ['p', 'n', 'b', 'r', 'q', 'k'];
const KIND_NAMES: [&str; 6] = ["pawns", "knights", "bishops", "rooks", "queens", "kings"];

/// The word that ends the text of a position whose last move was a pass.
pub(crate) const PASSED: &str = "pass";

/// The castling rights: for each, its letter, the side, and the cells of the king and the rook.
const RIGHTS: [(char, usize, u8, u8); 4] =
    [('K', 0, 4, 7), ('Q', 0, 4, 0), ('k', 1, 60, 63), ('q', 1, 60, 56)];

/// The words of a text that follow the fields shared by all games.
pub(crate) type Words<'t> = Peekable<SplitWhitespace<'t>>;

fn name(cell: u8) -> String {
    cell_name(usize::from(cell) % 8, usize::from(cell) / 8)
}

fn first(set: u64) -> String {
    name(set.trailing_zeros() as u8)
}

pub(crate) fn names(set: u64) -> String {
    let names: Vec<String> = cells(set).map(name).collect();
    names.join(" and ")
}

pub(crate) fn move_text(mv: Move) -> String {
    match mv {
        Move::Step { from, to, promotion } => {
            let suffix = promotion.map(|kind| KIND_LETTERS[kind as usize]);
            format!("{}{}{}", name(from), name(to), suffix.map(String::from).unwrap_or_default())
        }
        Move::Pass => "pass".to_string(),
    }
}

pub(crate) fn parse_move<G: Game<Move = Move>>(
    game: &G,
    state: &G::State,
    text: &str,
) -> Result<Move, TextError> {
    let Turn::Player(mover) = game.turn(state) else {
        return Err(TextError::new(format!("the game is over before the move '{text}'")));
    };
    let mut legal = Vec::new();
    game.legal_moves(state, &mut legal);
    let wanted = match is_pass(text) {
        true => Some(Move::Pass),
        false => castling(text, mover).or_else(|| step(text)),
    };
    wanted
        .filter(|mv| legal.contains(mv))
        .ok_or_else(|| TextError::illegal_move(game, state, text, &legal))
}

fn castling(text: &str, mover: usize) -> Option<Move> {
    let is = |spellings: [&str; 2]| spellings.iter().any(|s| text.eq_ignore_ascii_case(s));
    let from = 4 + 56 * mover as u8;
    let to = if is(["O-O", "0-0"]) {
        from + 2
    } else if is(["O-O-O", "0-0-0"]) {
        from - 2
    } else {
        return None;
    };
    Some(Move::Step { from, to, promotion: None })
}

fn step(text: &str) -> Option<Move> {
    let step = parse_step(text)?;
    let cell = |(column, row)| (column < 8 && row < 8).then(|| (row * 8 + column) as u8);
    let promotion = match step.suffix.strip_prefix('=').unwrap_or(step.suffix) {
        "" => None,
        letter => {
            let is = |kind: &Kind| letter.eq_ignore_ascii_case(&letter_of(*kind).to_string());
            Some(Kind::ALL.into_iter().find(is)?)
        }
    };
    Some(Move::Step { from: cell(step.from)?, to: cell(step.to)?, promotion })
}

fn letter_of(kind: Kind) -> char {
    KIND_LETTERS[kind as usize]
}

fn symbol(position: &Position, cell: u8) -> Option<char> {
    let letter = letter_of(position.kind_at(cell)?);
    let white = position.side(0) >> cell & 1 == 1;
    Some(if white { letter.to_ascii_uppercase() } else { letter })
}

/// Writes the board, the side to move, the castling rights and the en passant cell.
pub(crate) fn write(chess: &Chess, position: &Position) -> String {
    let board = write_fen(chess.width, chess.height, |column, row| {
        symbol(position, (row * 8 + column) as u8).map(String::from)
    });
    let rights = RIGHTS.iter().enumerate().filter(|&(i, _)| position.castling >> i & 1 == 1);
    let rights: String = rights.map(|(_, right)| right.0).collect();
    let rights = if rights.is_empty() { "-" } else { &rights };
    let en_passant = match position.en_passant {
        0 => "-".to_string(),
        cell => name(cell),
    };
    format!("{board} {} {rights} {en_passant}", SIDE_LETTERS[position.mover()])
}

pub(crate) fn draw(chess: &Chess, position: &Position) -> String {
    let rows: Vec<String> = (1..=chess.height).rev().map(|row| row.to_string()).collect();
    let columns: Vec<String> = (0..chess.width).map(column_name).collect();
    draw_board(&rows, &columns, Edge::Bottom, |column, row| {
        let cell = (chess.height - 1 - row) * 8 + column;
        symbol(position, cell as u8).unwrap_or('.')
    })
}

/// Reads the output of [`write`]; also returns the words that follow it.
pub(crate) fn read<'t>(chess: &Chess, text: &'t str) -> Result<(Position, Words<'t>), TextError> {
    let kinds = Kind::ALL
        .into_iter()
        .filter(|kind| matches!(kind, Kind::Pawn | Kind::King) || chess.home.contains(kind));
    let black: String = kinds.map(letter_of).collect();
    let white = black.to_ascii_uppercase();
    let legend = format!("one of {white} for white or {black} for black");
    let (board, rest) = read_fen(text, chess.width, chess.height, &legend, |c, promoted| {
        let kind = black.find(c.to_ascii_lowercase()).filter(|_| !promoted)?;
        let letter = black.as_bytes()[kind] as char;
        let kind = KIND_LETTERS.iter().position(|&other| other == letter)?;
        Some((usize::from(c.is_ascii_lowercase()), kind))
    })?;
    let mut position =
        Position { sides: [0; 2], kinds: [0; 6], mover: 0, castling: 0, en_passant: 0 };
    for (at, piece) in board.into_iter().enumerate() {
        if let Some((side, kind)) = piece {
            let cell = 1 << (at / chess.width * 8 + at % chess.width);
            position.sides[side] |= cell;
            position.kinds[kind] |= cell;
        }
    }
    check_pieces(chess, &position)?;
    let mut words = rest.split_whitespace().peekable();
    position.mover = match words.next().map(str::to_ascii_lowercase).as_deref() {
        Some("w" | "white") => 0,
        Some("b" | "black") => 1,
        Some(word) => {
            return Err(TextError::new(format!(
                "'{word}' is not a side; expected w or b after the board"
            )));
        }
        None => {
            return Err(TextError::new(
                "the side to move is missing; expected w or b after the board",
            ));
        }
    };
    if chess.setup.long_moves {
        read_castling(&mut position, &mut words)?;
        read_en_passant(chess, &mut position, &mut words)?;
    } else {
        // A FEN has fields for castling and en passant even in games without these rules.
        let _ = words.next_if_eq(&"-").and_then(|_| words.next_if_eq(&"-"));
    }
    Ok((position, words))
}

fn check_pieces(chess: &Chess, position: &Position) -> Result<(), TextError> {
    for (side, white_or_black) in SIDES.into_iter().enumerate() {
        let count = |kind| position.pieces(side, kind).count_ones() as usize;
        let refuse = |what: String| Err(TextError::new(format!("{white_or_black} has {what}")));
        let kings = count(Kind::King);
        if kings > 1 || kings == 0 && !chess.setup.kings_fall {
            let right = if chess.setup.kings_fall { "at most 1" } else { "1" };
            return refuse(format!("{}; it must have {right}", counted(kings, Kind::King)));
        }
        let pawns = count(Kind::Pawn);
        if pawns > chess.width {
            let most = chess.width;
            return refuse(format!("{pawns} pawns, but starts with {most}"));
        }
        let mut promoted = 0;
        for &kind in &Kind::ALL[1..5] {
            let most = chess.home.iter().filter(|&&other| other == kind).count();
            let more = count(kind).saturating_sub(most);
            if more > 0 && !chess.setup.promotions.contains(&kind) {
                let found = counted(count(kind), kind);
                return refuse(format!(
                    "{found}, but starts with {most} and cannot gain any by promotion"
                ));
            }
            promoted += more;
        }
        if promoted > chess.width - pawns {
            return refuse(format!(
                "{promoted} extra pieces that must be promoted pawns, but the number of missing \
                 pawns is {}",
                chess.width - pawns,
            ));
        }
        let behind = position.pieces(side, Kind::Pawn) & chess.row(side, 0);
        if behind != 0 {
            let what = format!("a pawn on {}, behind the row where its pawns start", first(behind));
            return refuse(what);
        }
    }
    Ok(())
}

/// Formats a number of pieces with the name of their kind.
fn counted(count: usize, kind: Kind) -> String {
    let name = KIND_NAMES[kind as usize];
    match count {
        0 => format!("no {}", name.trim_end_matches('s')),
        1 => format!("1 {}", name.trim_end_matches('s')),
        _ => format!("{count} {name}"),
    }
}

/// Rejects a position with a pawn of `side` on its last row, where it would have been promoted.
pub(crate) fn check_promoted(
    chess: &Chess,
    position: &Position,
    side: usize,
) -> Result<(), TextError> {
    let late = position.pieces(side, Kind::Pawn) & chess.last_row(side);
    if late == 0 {
        return Ok(());
    }
    Err(TextError::new(format!(
        "{} has a pawn on {}, but pawns are promoted there",
        SIDES[side],
        first(late),
    )))
}

/// Rejects a position in which the side to move could capture the other side's king.
pub(crate) fn check_waiting_king(chess: &Chess, position: &Position) -> Result<(), TextError> {
    let mover = position.mover();
    if !chess.in_check(position, 1 - mover) {
        return Ok(());
    }
    Err(TextError::new(format!(
        "{0} is to move and attacks the king on {1}, but {2} must not leave its king attacked",
        SIDES[mover],
        first(position.pieces(1 - mover, Kind::King)),
        SIDES[1 - mover],
    )))
}

/// The next field of a FEN; `None` if it is missing or `-`.
fn field<'t>(words: &mut Words<'t>) -> Option<&'t str> {
    let starts_counter = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    words
        .next_if(|word| !starts_counter(word) && !word.eq_ignore_ascii_case(PASSED))
        .filter(|&word| word != "-")
}

fn read_castling(position: &mut Position, words: &mut Words<'_>) -> Result<(), TextError> {
    let Some(word) = field(words) else { return Ok(()) };
    for letter in word.chars() {
        let right = RIGHTS.iter().position(|right| right.0 == letter).ok_or_else(|| {
            TextError::new(format!(
                "'{letter}' is not a castling right; the side to move must be followed by some of \
                 KQkq, or - for none"
            ))
        })?;
        let (_, side, king, rook) = RIGHTS[right];
        if position.pieces(side, Kind::King) >> king & 1 == 0
            || position.pieces(side, Kind::Rook) >> rook & 1 == 0
        {
            return Err(TextError::new(format!(
                "the castling right '{letter}' needs the {} king on {} and a rook on {}",
                SIDES[side],
                name(king),
                name(rook),
            )));
        }
        position.castling |= rights_of(king) & rights_of(rook);
    }
    Ok(())
}

fn read_en_passant(
    chess: &Chess,
    position: &mut Position,
    words: &mut Words<'_>,
) -> Result<(), TextError> {
    let Some(word) = field(words) else { return Ok(()) };
    let waiting = 1 - position.mover();
    let passed = parse_cell(word)
        .filter(|&(column, row)| column < 8 && row < 8)
        .map(|(column, row)| (row * 8 + column) as u8)
        .filter(|&cell| {
            // The pawn has stepped over this cell from its initial row.
            let bit = 1 << cell & chess.row(waiting, 2);
            let column = if bit == 0 { 0 } else { COLUMN_A << (cell % 8) };
            let occupied = position.side(0) | position.side(1);
            let empty = (chess.row(waiting, 1) | chess.row(waiting, 2)) & column & occupied == 0;
            let pawns = position.pieces(waiting, Kind::Pawn);
            empty && pawns & chess.row(waiting, 3) & column != 0
        });
    let Some(cell) = passed else {
        return Err(TextError::new(format!(
            "'{word}' is not a cell that a pawn of {} has just stepped over; the castling rights \
             must be followed by that cell, or - for none",
            SIDES[waiting],
        )));
    };
    chess.allow_en_passant(position, cell);
    Ok(())
}

/// Reads the next word as a number from 0 to `most`, if there is one; `what` names it in errors.
pub(crate) fn read_counter(
    words: &mut Words<'_>,
    what: &str,
    most: u32,
) -> Result<Option<u32>, TextError> {
    let Some(word) = words.next_if(|word| word.bytes().all(|b| b.is_ascii_digit())) else {
        return Ok(None);
    };
    word.parse()
        .ok()
        .filter(|&count| count <= most)
        .map(Some)
        .ok_or_else(|| TextError::new(format!("{what} cannot be {word}; it must be 0 to {most}")))
}

pub(crate) fn finish(mut words: Words<'_>) -> Result<(), TextError> {
    match words.next() {
        None => Ok(()),
        Some(word) => Err(TextError::new(format!("unexpected '{word}' after the position"))),
    }
}

/// Consumes the next word if it marks the last move as a pass, and returns whether it did.
pub(crate) fn read_passed(words: &mut Words<'_>) -> bool {
    words.next_if(|word| word.eq_ignore_ascii_case(PASSED)).is_some()
}

/// Rejects a position in which the side that passed last had a move.
pub(crate) fn check_passed(chess: &Chess, position: &Position) -> Result<(), TextError> {
    let mut before = *position;
    before.pass();
    let mut moves = Vec::new();
    chess.spans(&before, chess.promotions()).list(&mut moves);
    match moves.first() {
        None => Ok(()),
        Some(&mv) => Err(TextError::new(format!(
            "{} cannot have passed, because it had the legal move {}",
            SIDES[before.mover()],
            move_text(mv),
        ))),
    }
}
