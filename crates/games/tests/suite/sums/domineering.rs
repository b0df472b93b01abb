use super::small_boards;
use crate::bad_input::{no_game, refused, same};
use proofwood::{DomainKnowledge, Game, Rng, StaticBound, Turn};
use proofwood_games::Domineering;
use proofwood_games::domineering::{
    Side::{self, Horizontal, Vertical},
    State,
};
use std::collections::{BTreeSet, HashMap};

/// Solves positions by plain recursion with a memo. It first tries the moves that leave the fewest
/// moves to the other side.
struct Solver<'g> {
    game: &'g Domineering,
    memo: HashMap<State, bool>,
}

impl Solver<'_> {
    fn mover_wins(&mut self, state: &State) -> bool {
        if let Some(&wins) = self.memo.get(state) {
            return wins;
        }
        let mut moves = Vec::new();
        if self.game.turn(state) != Turn::Over {
            self.game.legal_moves(state, &mut moves);
        }
        let mut next: Vec<State> = moves.into_iter().map(|mv| self.game.after(state, mv)).collect();
        next.sort_by_key(|next| self.game.mobility(next, &mut Vec::new()));
        let wins = next.iter().any(|next| !self.mover_wins(next));
        self.memo.insert(*state, wins);
        wins
    }
}

/// Returns whether the side `first`, which moves first, wins.
fn wins(width: usize, height: usize, first: Side) -> bool {
    let game = Domineering::new(width, height, first).unwrap();
    Solver { game: &game, memo: HashMap::new() }.mover_wins(&game.initial_state())
}

/// Compares the static bounds, which come from counting each side's room, with plain recursion.
#[test]
fn foreseen_winners_win() {
    let (mut static_bound, mut asked) = ([0, 0], 0);
    for (width, height, first) in [
        (5, 5, Vertical),
        (4, 6, Horizontal),
        (6, 4, Vertical),
        (3, 8, Horizontal),
        (9, 2, Vertical),
    ] {
        let game = Domineering::new(width, height, first).unwrap();
        let mut solver = Solver { game: &game, memo: HashMap::new() };
        let mut rng = Rng::new(7 * width as u64 + height as u64);
        for _ in 0..300 {
            let mut state = game.initial_state();
            while game.turn(&state) != Turn::Over {
                let side = if game.turn(&state) == Turn::Player(0) { 1 } else { -1 };
                asked += 1;
                if let StaticBound::Payoff(payoff) =
                    game.knowledge().static_bound(&state, &mut Vec::new())
                {
                    let wins = solver.mover_wins(&state);
                    assert_eq!(payoff * side == 1, wins, "\n{}", game.board_text(&state));
                    static_bound[usize::from(wins)] += 1;
                }
                let mv = game.random_move(&state, &mut Vec::new(), &mut rng).expect("a move");
                game.play(&mut state, mv);
            }
        }
    }
    let [lost, won] = static_bound;
    assert!(lost * 10 > asked && won * 10 > asked, "{static_bound:?} of {asked}");
}

/// Compares the outcome class of each board: whether the vertical side, the horizontal side, the
/// first player or the second player wins.
#[test]
fn outcome_classes() {
    let rows = small_boards("domineering");
    assert_eq!(rows.len(), 31);
    // Larger boards take too long.
    let largest = if cfg!(debug_assertions) { 36 } else { 42 };
    for (height, width, class) in rows {
        if height * width > largest {
            continue;
        }
        let found = match (wins(width, height, Vertical), wins(width, height, Horizontal)) {
            (true, true) => 'N',
            (true, false) => 'V',
            (false, true) => 'H',
            (false, false) => 'P',
        };
        assert_eq!(class.chars().next(), Some(found), "{height} rows, {width} columns");
    }
}

/// Checks that sets of covered cells on small boards are parsed if and only if play can reach them.
#[test]
fn positions_are_those_that_play_comes_to() {
    for first in [Vertical, Horizontal] {
        for (width, height) in [(4, 3), (3, 4), (2, 5), (6, 2), (11, 1)] {
            let game = Domineering::new(width, height, first).unwrap();
            let reached = reached(&game);
            for covered in 0u32..1 << (width * height) {
                let cell = |column, row| covered >> (row * width + column) & 1 == 1;
                let row = |row| {
                    let cells = (0..width).map(|column| if cell(column, row) { 'x' } else { '.' });
                    cells.collect::<String>()
                };
                let text = (0..height).map(row).collect::<Vec<_>>().join("/");
                let read = game.parse_state(&text).map(|state| game.state_text(&state));
                let known = read.as_ref().is_ok_and(|text| reached.contains(text));
                assert_eq!(read.is_ok(), known, "{text}");
            }
            for text in &reached {
                assert_eq!(game.state_text(&game.parse_state(text).unwrap()), *text);
            }
        }
    }
}

fn reached(game: &Domineering) -> BTreeSet<String> {
    let start = game.initial_state();
    let mut reached = BTreeSet::from([game.state_text(&start)]);
    let mut open = vec![start];
    while let Some(state) = open.pop() {
        let mut moves = Vec::new();
        if game.turn(&state) != Turn::Over {
            game.legal_moves(&state, &mut moves);
        }
        for mv in moves {
            let next = game.after(&state, mv);
            if reached.insert(game.state_text(&next)) {
                open.push(next);
            }
        }
    }
    reached
}

#[test]
fn positions() {
    let game = Domineering::new(4, 3, Vertical).unwrap();
    refused(
        &game,
        &[
            ("4/4", "the position has 2 rows separated by '/'; the board has 3"),
            ("4/3/4 V", "row 2 from the top has 3 cells; the board is 4 wide"),
            (
                "4/2o1/4",
                "'o' in row 2 from the top, column 3, is not a piece; expected x for a covered \
                 cell",
            ),
            ("4/2x1/4", "an odd number of cells is covered, but a domino covers two"),
            ("4/2x1/2x1 V", "the side to move cannot be 'V': with this board it is H's turn"),
            ("4/2x1/2x1 W", "'W' is not a side; expected V or H after the board"),
            ("4/4/2xx", "1 vertical and 0 horizontal dominoes cannot cover these cells"),
            ("x3/x2x/3x V", "1 vertical and 1 horizontal dominoes cannot cover these cells"),
            ("2xx/xx2/4", "1 vertical and 1 horizontal dominoes cannot cover these cells"),
        ],
    );
    same(&game, "4/2x1/2x1 H", &["..../--x-/__#_", "4/2X1/2x1 h", " 4/2x1/2x1  Horizontal "]);
    let lying = Domineering::new(4, 3, Horizontal).unwrap();
    same(&lying, "4/4/2xx V", &["4/4/2xx", "4/4/2## vertical"]);
    let state = lying.parse_state("4/4/2xx").unwrap();
    assert_eq!(lying.turn(&state), Turn::Player(1));
    assert_eq!(lying.board_text(&state), "3 . . . .\n2 . . . .\n1 . . x x\n  a b c d\n");
}

#[test]
fn moves() {
    let game = Domineering::new(3, 2, Vertical).unwrap();
    let start = game.initial_state();
    for text in ["b1b2", "B1-B2", "b2b1", "b1", "B1"] {
        assert_eq!(game.move_text(&start, game.parse_move(&start, text).unwrap()), "b1b2");
    }
    for text in ["", "b2", "b1c1", "b1b1", "a1b2", "d1d2", "a1a2q", "pass"] {
        assert_eq!(
            game.parse_move(&start, text).unwrap_err().to_string(),
            format!("'{text}' is not a legal move here; legal moves: a1a2 b1b2 c1c2"),
        );
    }
    let state = game.after(&start, game.parse_move(&start, "a1").unwrap());
    for text in ["b1c1", "c1b1", "b1"] {
        assert_eq!(game.move_text(&state, game.parse_move(&state, text).unwrap()), "b1c1");
    }
    let error = game.parse_move(&state, "c1").unwrap_err().to_string();
    assert_eq!(error, "'c1' is not a legal move here; legal moves: b1c1 b2c2");
    let over = game.after(&start, game.parse_move(&start, "b1").unwrap());
    assert_eq!((game.turn(&over), game.payoff(&over, 0)), (Turn::Over, 1));
}

#[test]
fn impossible_boards() {
    no_game("domineering:11x6", "domineering: a 11x6 board has 66 cells; it must have 1 to 64");
    no_game(
        "domineering:6x6,vertical",
        "domineering has no option 'vertical'; its options are: WIDTHxHEIGHT horizontal",
    );
}
