//! Dots and Boxes on any board of up to 127 lines, such as 7x7 boxes.
//!
//! The players draw lines between neighbouring dots. A player whose line is the fourth around one
//! or two boxes receives these boxes and moves again; otherwise the other player moves next. The
//! game ends when all lines are drawn, and the payoff is the player's own boxes minus the
//! opponent's. The usual board has 5x5 boxes.
//!
//! The dots are named like cells, a1 at the bottom left, and a move is written as the two dots that
//! the line joins, `a1b1` or `a1a2`, in either order. Positions have a [text
//! form](State#text-form).

mod text;

use crate::bits::{cells, random_cell};
use crate::hash::hash_words;
use crate::info::GameInfo;
use crate::options::{Options, SpecError};
use crate::symmetry::{Grid, Swaps, Symmetries};
use proofwood_game::{DomainKnowledge, Game, Rng, StaticBound, TextError, Turn};
use std::ops::RangeInclusive;

pub(crate) const INFO: GameInfo = GameInfo {
    name: "dots-and-boxes",
    summary: "complete boxes to own them and move again; the payoff counts boxes",
    also: &["boxes"],
    rules: "A and B draw lines between neighbouring dots. A player who draws the last of the four \
            lines around a box owns that box and moves again; otherwise the turn passes to the \
            other player. When all lines are drawn, the payoff is the number of the player's own \
            boxes minus the other player's.",
    notation: "A move is the two dots that the line joins, such as a1b1, with a1 at the bottom \
               left. A position is the rows of lines from the top, separated by /, with - and | \
               for lines and . for those not yet drawn; then the numbers of boxes of A and B, and \
               the player to move.",
    options: &[(
        "WIDTHxHEIGHT",
        "the number of boxes (default 5x5); (2 * width + 1) * (2 * height + 1) is at most 255",
    )],
    example: "dots-and-boxes:3x2",
};

const PLAYERS: [&str; 2] = ["A", "B"];

pub(crate) fn from_options(options: &mut Options) -> Result<DotsAndBoxes, SpecError> {
    let (width, height) = options.size(1..=64)?.unwrap_or((5, 5));
    DotsAndBoxes::new(width, height)
}

/// The rules of Dots and Boxes, including the size of the board.
///
/// The lines are numbered row by row from the top left, first all horizontal lines, then all
/// vertical lines.
#[derive(Clone, Debug)]
pub struct DotsAndBoxes {
    width: usize,
    height: usize,
    all: u128,
    /// For each line, the two boxes beside it as sets of their lines; [`NO_BOX`] beyond the edge of
    /// the board.
    boxes: Vec<[u128; 2]>,
    symmetries: Symmetries<u128>,
}

/// A box that is never complete, because no board has a line 127.
const NO_BOX: u128 = u128::MAX;

/// A position of Dots and Boxes.
///
/// # Text form
/// The rows of lines from the top, separated by `/`. Rows of horizontal lines (`-`) alternate with
/// rows of vertical lines (`|`), and `.` stands for a line not yet drawn. Then follow the numbers
/// of boxes of A, who moves first, and of B, and the player to move: `--/|.|/-./|../.. 0-0 A`. On
/// reading, `x` is also accepted for a line, and players may be numbers, counted from 1. The boxes
/// and the player may be omitted while no box is complete; later, the player may be omitted if the
/// lines imply it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    drawn: u128,
    boxes: [u8; 2],
    /// The player to move; 0 when the game is over.
    mover: u8,
}

impl State {
    /// The drawn lines as a set of their numbers.
    pub fn lines(&self) -> u128 {
        self.drawn
    }

    /// The numbers of boxes that the first and the second player have completed.
    pub fn boxes(&self) -> [u8; 2] {
        self.boxes
    }
}

impl Default for DotsAndBoxes {
    fn default() -> DotsAndBoxes {
        DotsAndBoxes::new(5, 5).expect("the usual board is possible")
    }
}

impl DotsAndBoxes {
    /// Creates the rules for `width` columns and `height` rows of boxes.
    ///
    /// # Errors
    /// Returns an error if there are no boxes, or more than 127 lines.
    pub fn new(width: usize, height: usize) -> Result<DotsAndBoxes, SpecError> {
        // There are 2wh + w + h lines, which is (2w + 1)(2h + 1) / 2 rounded down.
        let double = |size: usize| size.saturating_mul(2).saturating_add(1);
        let lines = double(width).saturating_mul(double(height)) / 2;
        if width == 0 || height == 0 || lines > 127 {
            let reason =
                format!("{width}x{height} boxes have {lines} lines; there must be 4 to 127");
            return Err(SpecError::Impossible { game: INFO.name, reason });
        }
        let symmetries = symmetries(width, height);
        let all = (1 << lines) - 1;
        let mut game = DotsAndBoxes { width, height, all, boxes: Vec::new(), symmetries };
        game.boxes = (0..lines).map(|line| game.boxes_at(line)).collect();
        Ok(game)
    }

    /// The horizontal line above a box, counted from the top left, or below a box of the last row.
    fn lying(&self, column: usize, row: usize) -> usize {
        row * self.width + column
    }

    /// The vertical line to the left of a box, or to the right of a box of the last column.
    fn upright(&self, column: usize, row: usize) -> usize {
        (self.height + 1) * self.width + row * (self.width + 1) + column
    }

    fn around(&self, column: usize, row: usize) -> u128 {
        let lying = 1 << self.lying(column, row) | 1 << self.lying(column, row + 1);
        lying | 1 << self.upright(column, row) | 1 << self.upright(column + 1, row)
    }

    /// All boxes, each as the set of its lines.
    fn all_boxes(&self) -> impl Iterator<Item = u128> {
        let boxes = (0..self.height).flat_map(|row| (0..self.width).map(move |c| (c, row)));
        boxes.map(|(column, row)| self.around(column, row))
    }

    fn boxes_at(&self, line: usize) -> [u128; 2] {
        let mut found = self.all_boxes().filter(|lines| lines >> line & 1 == 1);
        [(); 2].map(|()| found.next().unwrap_or(NO_BOX))
    }
}

/// The symmetries of a board as permutations of its lines.
fn symmetries(width: usize, height: usize) -> Symmetries<u128> {
    let lying = Grid::new(width, height + 1);
    let first = width * (height + 1);
    let upright = Grid { first, ..Grid::new(width + 1, height) };
    let mirror = lying.mirror().then(upright.mirror());
    if width != height {
        return Symmetries::two(mirror, lying.flip().then(upright.flip()), 3);
    }
    // Exchanges the horizontal line at a column and a row with the vertical line at that row and
    // that column.
    let transpose = Swaps::new(0..first, |line| {
        let (column, row) = (line % width, line / width);
        first + column * (width + 1) + row
    });
    Symmetries::two(mirror, transpose, 7)
}

#[inline]
fn halves(set: u128) -> [u64; 2] {
    [set as u64, (set >> 64) as u64]
}

/// The hash of a position, or of a symmetric one in which the lines `drawn` are drawn.
#[inline]
fn hash(drawn: u128, state: &State) -> u64 {
    // The lines imply the total number of boxes, so the first player's boxes suffice.
    let [low, high] = halves(drawn);
    hash_words([low, high | u64::from(state.mover) << 63, state.boxes[0].into()])
}

fn lines(set: u128) -> impl Iterator<Item = u8> {
    let [low, high] = halves(set);
    cells(low).chain(cells(high).map(|line| line + 64))
}

impl DotsAndBoxes {
    /// Finds a line that completes all boxes that it touches, if one exists. Drawing it at once is
    /// optimal.
    ///
    /// Suppose that the line completes c boxes. In any later position X without the line, the
    /// player to move can draw it for c boxes and move again, so the value of X to the mover is at
    /// least c higher than the value of X with the line. Now let m be another move. It completes as
    /// many boxes with the line as without, since no box touches both. If m completes no box, the
    /// other side moves next and can draw the line, so the value of m is at least c lower than the
    /// value of m with the line already drawn, which the mover could play after drawing the line
    /// for c boxes. If m completes boxes, the mover moves again, and drawing the line is still
    /// optimal, by induction on the remaining lines.
    fn free_line(&self, state: &State) -> Option<u8> {
        lines(self.all & !state.drawn).find(|&line| {
            let [one, two] = self.boxes[usize::from(line)];
            let completes = |lines: u128| lines & !(state.drawn | 1 << line) == 0;
            completes(one) && (two == NO_BOX || completes(two))
        })
    }
}

impl Game for DotsAndBoxes {
    type State = State;
    /// The number of a line, counted row by row from the top left, first all horizontal lines, then
    /// all vertical lines.
    type Move = u8;

    fn initial_state(&self) -> State {
        State { drawn: 0, boxes: [0; 2], mover: 0 }
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        match state.drawn == self.all {
            true => Turn::Over,
            false => Turn::Player(usize::from(state.mover)),
        }
    }

    fn legal_moves(&self, state: &State, moves: &mut Vec<u8>) {
        moves.extend(lines(self.all & !state.drawn));
    }

    #[inline]
    fn play(&self, state: &mut State, mv: u8) {
        state.drawn |= 1 << mv;
        let [one, two] =
            self.boxes[usize::from(mv)].map(|lines| u8::from(lines & !state.drawn == 0));
        match one + two {
            0 => state.mover = 1 - state.mover,
            completed => state.boxes[usize::from(state.mover)] += completed,
        }
        if state.drawn == self.all {
            state.mover = 0;
        }
    }

    fn payoff(&self, state: &State, player: usize) -> i32 {
        i32::from(state.boxes[player]) - i32::from(state.boxes[1 - player])
    }

    fn zero_sum(&self) -> bool {
        true
    }

    fn payoff_range(&self, _player: usize) -> RangeInclusive<i32> {
        let boxes = (self.width * self.height) as i32;
        -boxes..=boxes
    }

    #[inline]
    fn random_move(&self, state: &State, _moves: &mut Vec<u8>, rng: &mut Rng) -> Option<u8> {
        let [low, high] = halves(self.all & !state.drawn);
        if high == 0 {
            return random_cell(low, rng);
        }
        match rng.below(low.count_ones() + high.count_ones()) < low.count_ones() {
            true => random_cell(low, rng),
            false => random_cell(high, rng).map(|line| line + 64),
        }
    }

    #[inline]
    fn mobility(&self, state: &State, _moves: &mut Vec<u8>) -> usize {
        (self.all & !state.drawn).count_ones() as usize
    }

    #[inline]
    fn key(&self, state: &State) -> Option<u64> {
        Some(hash(state.drawn, state))
    }

    fn knowledge(&self) -> impl DomainKnowledge<Self> {
        self
    }

    fn player_name(&self, player: usize) -> String {
        PLAYERS[player].to_string()
    }

    fn move_text(&self, _state: &State, mv: u8) -> String {
        text::move_text(self, mv)
    }

    fn parse_move(&self, state: &State, text: &str) -> Result<u8, TextError> {
        text::parse_move(self, state, text)
    }

    fn state_text(&self, state: &State) -> String {
        text::write(self, state)
    }

    fn parse_state(&self, text: &str) -> Result<State, TextError> {
        text::read(self, text)
    }

    fn board_text(&self, state: &State) -> String {
        text::draw(self, state)
    }
}

impl DomainKnowledge<DotsAndBoxes> for DotsAndBoxes {
    /// Returns a bound if the remaining boxes cannot change whether `at_least` is reached, or
    /// pushes a line that is optimal to draw at once.
    fn static_bound_at(&self, state: &State, at_least: i32, moves: &mut Vec<u8>) -> StaticBound {
        let [own, other] = state.boxes.map(i32::from);
        let left = (self.width * self.height) as i32 - own - other;
        let margin = own - other;
        if margin - left >= at_least {
            return StaticBound::AtLeast(margin - left);
        }
        if margin + left < at_least {
            return StaticBound::AtMost(margin + left);
        }
        match self.free_line(state) {
            Some(line) => {
                moves.push(line);
                StaticBound::Moves
            }
            None => StaticBound::Nothing,
        }
    }

    /// Ranks lines that complete boxes first, and lines that give a box away last.
    #[inline]
    fn move_order(&self, state: &State, mv: u8) -> u32 {
        let undrawn = self.boxes[usize::from(mv)]
            .map(|lines| (lines & !(state.drawn | 1 << mv)).count_ones());
        match undrawn {
            [0, 0] => 4,
            [0, _] | [_, 0] => 3,
            // One line of a box remains; `NO_BOX`, used beyond the edge, has many more.
            [1, _] | [_, 1] => 0,
            _ => 1,
        }
    }

    fn symmetries(&self, state: &State, images: &mut Vec<State>) {
        self.symmetries.each([state.drawn], |[drawn]| images.push(State { drawn, ..*state }));
    }

    #[inline]
    fn canonical_key(&self, state: &State) -> Option<u64> {
        let [drawn] = self.symmetries.least([state.drawn]);
        Some(hash(drawn, state))
    }
}
