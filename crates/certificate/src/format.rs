//! The parts of a certificate and their spelling.

use super::memory::text_bytes;
use proofwood_game::{Game, TextError, Turn, line_text};
use std::fmt;

pub(super) const MAGIC: &str = "proofwood-certificate";
/// The version of the format that this crate reads and writes.
pub const VERSION: u64 = 1;
/// The longest line, in bytes without its line feed. The limit protects against malicious files.
pub(super) const LONGEST_LINE: usize = 1 << 20;
/// The longest header, in bytes including its empty line.
pub(super) const LONGEST_HEADER: u64 = 4 << 20;
pub(super) const MOST_MOVES: usize = 65_535;

/// A statement about a certificate's root.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Claim {
    /// The player whose payoff the claim bounds.
    pub player: usize,
    /// The bound on that payoff.
    pub promise: Promise,
}

/// A bound on a payoff that one side can enforce.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Promise {
    /// The player can force at least this payoff in a finite number of moves, against all others.
    AtLeast(i32),
    /// The others together, including chance, can force the game to end with a lower payoff for the
    /// player or never to end.
    Below(i32),
}

impl Claim {
    /// Returns whether endless play satisfies the claim; its proof may then contain cycles.
    pub(super) fn allows_circles(self) -> bool {
        matches!(self.promise, Promise::Below(_))
    }

    /// Returns whether the side to move is the favoured one, for which the proof shows one move.
    pub(super) fn favours(self, turn: Turn) -> bool {
        let own = turn == Turn::Player(self.player);
        match self.promise {
            Promise::AtLeast(_) => own,
            Promise::Below(_) => !own,
        }
    }

    /// Returns whether `payoff` at the end of the game fulfils the claim.
    pub(super) fn is_kept_by(self, payoff: i32) -> bool {
        match self.promise {
            Promise::AtLeast(least) => payoff >= least,
            Promise::Below(limit) => payoff < limit,
        }
    }

    /// Parses a claim without the leading word `claim`.
    pub(super) fn read(text: &str) -> Option<Claim> {
        let (player, rest) = text.split_once(' ')?;
        let (kind, payoff) = rest.split_once(' ')?;
        let negative = payoff.strip_prefix('-');
        let size = i64::try_from(read_number(negative.unwrap_or(payoff))?).ok()?;
        if negative.is_some() && size == 0 {
            return None;
        }
        let payoff = i32::try_from(if negative.is_some() { -size } else { size }).ok()?;
        let promise = match kind {
            "at-least" => Promise::AtLeast(payoff),
            "below" => Promise::Below(payoff),
            _ => return None,
        };
        Some(Claim { player: usize::try_from(read_number(player)?).ok()?, promise })
    }
}

/// Writes the claim as it appears on its line in a certificate.
impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.promise {
            Promise::AtLeast(payoff) => write!(f, "{} at-least {payoff}", self.player),
            Promise::Below(payoff) => write!(f, "{} below {payoff}", self.player),
        }
    }
}

/// A certificate's root: a start, by default the game's initial position, and moves from there.
///
/// ```
/// use proofwood::certificate::Root;
///
/// let after_two_moves = Root::default().moves(["e4", "e5"]);
/// let from_a_position = Root::default().position("8/8/8/8/8/2k5/1q6/K7 w - - 0 1");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Root {
    /// The start in the game's text form; `None` means the game's initial position.
    pub position: Option<String>,
    /// The moves from the start to the root.
    pub moves: Vec<String>,
}

impl Root {
    /// The root after `moves` from the game's initial position.
    ///
    /// # Errors
    /// If a move is not legal.
    pub fn after<G: Game>(game: &G, moves: &[G::Move]) -> Result<Root, TextError> {
        let (mut state, mut legal) = (game.initial_state(), Vec::new());
        for (number, &mv) in moves.iter().enumerate() {
            legal.clear();
            if game.turn(&state) != Turn::Over {
                game.legal_moves(&state, &mut legal);
            }
            if !legal.contains(&mv) {
                let error = TextError::illegal_move(game, &state, &format!("{mv:?}"), &legal);
                return Err(TextError::new(format!("move {}: {error}", number + 1)));
            }
            game.play(&mut state, mv);
        }
        Ok(Root::default().moves(line_text(game, &game.initial_state(), moves)))
    }

    /// The root at `state`, without moves.
    ///
    /// # Errors
    /// If the game has no text form for positions; use [`after`](Root::after) instead.
    pub fn at<G: Game>(game: &G, state: &G::State) -> Result<Root, TextError> {
        match game.state_text(state) {
            text if text.is_empty() => Err(TextError::new(
                "this game has no text form for positions; give the moves instead",
            )),
            text => Ok(Root::default().position(text)),
        }
    }

    /// Sets the start, in the game's text form.
    #[must_use]
    pub fn position(mut self, text: impl Into<String>) -> Root {
        self.position = Some(text.into());
        self
    }

    /// Sets the moves from the start, in the game's notation.
    #[must_use]
    pub fn moves(mut self, moves: impl IntoIterator<Item: Into<String>>) -> Root {
        self.moves = moves.into_iter().map(Into::into).collect();
        self
    }

    /// Finds the root's state. The position may have any spelling that the game can parse.
    ///
    /// # Errors
    /// If the position cannot be read, or a move is not exactly the text of one legal move.
    pub fn find<G: Game>(&self, game: &G) -> Result<G::State, TextError> {
        let mut state = self.start(game)?;
        let mut moves = Vec::new();
        for text in &self.moves {
            moves.clear();
            if game.turn(&state) != Turn::Over {
                game.legal_moves(&state, &mut moves);
            }
            match find_move(game, &state, &moves, text) {
                Named::One(mv) => game.play(&mut state, mv),
                Named::None => return Err(TextError::illegal_move(game, &state, text, &moves)),
                Named::Several => return Err(TextError::new(same_text(text))),
            }
        }
        Ok(state)
    }

    /// The same root with its position in the game's own spelling, if the game has texts.
    pub(super) fn spelled<G: Game>(&self, game: &G) -> Result<Root, TextError> {
        let position = match &self.position {
            None => None,
            Some(given) => match game.state_text(&self.start(game)?) {
                written if written.is_empty() => Some(given.clone()),
                written => Some(written),
            },
        };
        Ok(Root { position, moves: self.moves.clone() })
    }

    fn start<G: Game>(&self, game: &G) -> Result<G::State, TextError> {
        match &self.position {
            Some(text) => game.parse_state(text),
            None => Ok(game.initial_state()),
        }
    }
}

/// The header: the lines before the proofs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) game: String,
    pub(super) root: Root,
    pub(super) claims: Vec<Claim>,
}

impl Header {
    /// The header's lines, without the empty line at the end.
    pub(super) fn lines(&self) -> Vec<String> {
        let mut lines = vec![format!("{MAGIC} {VERSION}"), format!("game {}", self.game)];
        lines.extend(self.root.position.iter().map(|text| format!("position {text}")));
        lines.extend(self.root.moves.iter().map(|text| format!("move {text}")));
        lines.extend(self.claims.iter().map(|claim| format!("claim {claim}")));
        lines
    }

    pub(super) fn bytes(&self) -> u64 {
        let texts = [&self.game].into_iter().chain(&self.root.position).chain(&self.root.moves);
        let claims = (self.claims.capacity() * size_of::<Claim>()) as u64;
        let moves = (self.root.moves.capacity() * size_of::<String>()) as u64;
        texts.map(|text| text_bytes(text.capacity())).sum::<u64>() + claims + moves
    }

    /// Reads the next line; `stage` is the current place in the header. Returns whether the line is
    /// allowed there.
    pub(super) fn take(&mut self, line: &str, stage: &mut u8) -> bool {
        let Some((keyword, rest)) = line.split_once(' ') else { return false };
        let (place, fits) = match keyword {
            "game" => (1, *stage < 1),
            "position" => (2, *stage == 1),
            "move" => (3, (1..=3).contains(stage)),
            "claim" => (4, *stage >= 1),
            _ => return false,
        };
        *stage = place;
        match place {
            1 => self.game = rest.to_string(),
            2 => self.root.position = Some(rest.to_string()),
            3 => self.root.moves.push(rest.to_string()),
            _ => match Claim::read(rest) {
                Some(claim) => self.claims.push(claim),
                None => return false,
            },
        }
        fits
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Entry<'t> {
    /// A move of the favoured side.
    Choice(&'t str),
    /// The number of legal moves of the other side, all of which follow.
    All(u64),
    /// A reference to the position with this label.
    Same(u64),
    /// The number of later references to the next entry, which receives a label.
    Label(u64),
}

impl<'t> Entry<'t> {
    pub(super) fn read(line: &'t str) -> Option<Entry<'t>> {
        let number = || read_number(&line[1..]);
        match line.as_bytes().first()? {
            b'!' => Some(Entry::Choice(&line[1..])),
            b'?' => number().map(Entry::All),
            b'=' => number().map(Entry::Same),
            b'#' => number().map(Entry::Label),
            _ => None,
        }
    }
}

impl fmt::Display for Entry<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Entry::Choice(mv) => write!(f, "!{mv}"),
            Entry::All(count) => write!(f, "?{count}"),
            Entry::Same(label) => write!(f, "={label}"),
            Entry::Label(uses) => write!(f, "#{uses}"),
        }
    }
}

/// Reads a decimal number without leading zeros or signs.
pub(super) fn read_number(text: &str) -> Option<u64> {
    let plain = text == "0" || !text.starts_with(['0', '+']);
    text.parse().ok().filter(|_| plain)
}

/// The identity of a position: its text and its key. A game that lacks either does not identify
/// positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Identity {
    text: Box<str>,
    hash: u64,
}

impl Identity {
    pub(super) fn of<G: Game>(game: &G, state: &G::State) -> Option<Identity> {
        let hash = game.key(state)?;
        let text = game.state_text(state);
        (!text.is_empty()).then(|| Identity { text: text.into_boxed_str(), hash })
    }

    pub(super) fn text_len(&self) -> usize {
        self.text.len()
    }
}

/// The legal moves with a given text.
pub(super) enum Named<M> {
    None,
    One(M),
    Several,
}

pub(super) fn find_move<G: Game>(
    game: &G,
    state: &G::State,
    moves: &[G::Move],
    text: &str,
) -> Named<G::Move> {
    let mut named = moves.iter().filter(|&&mv| game.move_text(state, mv) == text);
    match (named.next(), named.next()) {
        (None, _) => Named::None,
        (Some(&mv), None) => Named::One(mv),
        (Some(_), Some(_)) => Named::Several,
    }
}

/// Sorts items by the text of the move that `of` returns for each of them.
///
/// # Errors
/// If two moves have the same text; the message says so.
pub(super) fn sort_by_text<G: Game, T: Copy>(
    game: &G,
    state: &G::State,
    moves: &mut Vec<T>,
    of: impl Fn(T) -> G::Move,
) -> Result<(), String> {
    let texts = moves.iter().map(|&mv| game.move_text(state, of(mv))).collect();
    *moves = sorted(texts)?.into_iter().map(|(_, number)| moves[number]).collect();
    Ok(())
}

/// Sorts texts, each with its original index. It is a separate function because its generic caller
/// is compiled for every game.
fn sorted(texts: Vec<String>) -> Result<Vec<(String, usize)>, String> {
    let mut numbered: Vec<(String, usize)> = texts.into_iter().zip(0..).collect();
    numbered.sort_unstable();
    match numbered.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        Some(pair) => Err(same_text(&pair[0].0)),
        None => Ok(numbered),
    }
}

pub(super) fn same_text(text: &str) -> String {
    let text: String = text.chars().take(80).collect();
    format!("two legal moves have the text '{text}', so a certificate cannot tell them apart")
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn claims_and_entries_read_back() {
        for payoff in [i32::MIN, -1, 0, 7, i32::MAX] {
            for promise in [Promise::AtLeast(payoff), Promise::Below(payoff)] {
                let claim = Claim { player: 2, promise };
                assert_eq!(Claim::read(&claim.to_string()), Some(claim));
            }
        }
        for entry in [Entry::Choice("a1 b2"), Entry::All(7), Entry::Same(0), Entry::Label(12)] {
            assert_eq!(Entry::read(&entry.to_string()), Some(entry));
        }
    }

    #[test]
    fn other_spellings_are_refused() {
        for text in [
            "",
            "0",
            "0 at-least",
            "0 at-least 01",
            "+0 below 1",
            "0 below 3000000000",
            "0 below -0",
            "-0 below 1",
            "0 below --1",
            "0  below 1",
            "0 below 1 ",
            "0 Below 1",
        ] {
            assert_eq!(Claim::read(text), None, "{text}");
        }
        for line in ["", "4", "?", "?+1", "=01", "# 1", "=-1", "?é"] {
            assert_eq!(Entry::read(line), None, "{line}");
        }
    }
}
