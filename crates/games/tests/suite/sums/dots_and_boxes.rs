use super::small_boards;
use crate::bad_input::{no_game, refused, same};
use crate::data::{csv_rows, jsonl};
use crate::oracle::Oracle;
use crate::recorded::{OpenSpielGame, replay_openspiel};
use proofwood::{DomainKnowledge, Game, Rng, StaticBound, Turn};
use proofwood_games::DotsAndBoxes;
use proofwood_games::dots_and_boxes::State;
use std::collections::BTreeSet;

/// Translates OpenSpiel's move `P1(h,row,column)`: player, direction, and place from the top left.
fn translate(game: &DotsAndBoxes, width: usize, height: usize, text: &str) -> String {
    let parts: Vec<&str> = text[3..text.len() - 1].split(',').collect();
    let (row, column) = (parts[1].parse::<usize>().unwrap(), parts[2].parse::<usize>().unwrap());
    let line = match parts[0] {
        "h" => row * width + column,
        _ => (height + 1) * width + row * (width + 1) + column,
    };
    game.move_text(&game.initial_state(), line as u8)
}

#[test]
fn openspiel_games() {
    for (name, side) in [("dots_and_boxes_2x2_margin", 2), ("dots_and_boxes_3x3_margin", 3)] {
        let game = DotsAndBoxes::new(side, side).unwrap();
        let games: Vec<OpenSpielGame> = jsonl(&format!("playouts_openspiel/{name}.jsonl"));
        assert!(!games.is_empty());
        for record in games {
            let at = format!("{name} game {}", record.id);
            let translate = |mv: &str| translate(&game, side, side, mv);
            let replay = replay_openspiel(name, &record, &game, translate);
            let payoffs = [0, 1].map(|player| f64::from(game.payoff(&replay.state, player)));
            assert_eq!(payoffs, record.returns[..], "{at}");
            if let Some(last) = &record.final_state {
                let boxes = ['1', '2'].map(|player| last.matches(player).count());
                let text = game.state_text(&replay.state);
                assert_eq!(text.split(' ').nth(1), Some(&*format!("{}-{}", boxes[0], boxes[1])));
            }
        }
    }
}

#[test]
fn lines_have_their_dots() {
    let game = DotsAndBoxes::new(2, 1).unwrap();
    let start = game.initial_state();
    let names: Vec<String> = (0..7).map(|line| game.move_text(&start, line)).collect();
    assert_eq!(names, ["a2b2", "b2c2", "a1b1", "b1c1", "a1a2", "b1b2", "c1c2"]);
    assert_eq!(translate(&game, 2, 1, "P1(h,1,0)"), "a1b1");
    assert_eq!(translate(&game, 2, 1, "P2(v,0,2)"), "c1c2");
}

/// Computes the number of boxes that the player to move will gain over the other player in the rest
/// of the game. It depends only on the lines, not on the boxes so far.
struct Rest<'g> {
    game: &'g DotsAndBoxes,
    memo: Vec<Option<i8>>,
}

impl Rest<'_> {
    fn gain(&mut self, state: &State) -> i32 {
        let Turn::Player(_) = self.game.turn(state) else { return 0 };
        let lines = state.lines() as usize;
        if let Some(gain) = self.memo[lines] {
            return gain.into();
        }
        let mut moves = Vec::new();
        self.game.legal_moves(state, &mut moves);
        let best = moves.into_iter().map(|mv| self.gain_by(state, mv)).max().expect("a line");
        self.memo[lines] = Some(best as i8);
        best
    }

    fn gain_by(&mut self, state: &State, mv: u8) -> i32 {
        let Turn::Player(mover) = self.game.turn(state) else { panic!("no move is left") };
        let next = self.game.after(state, mv);
        let own = i32::from(next.boxes()[mover]) - i32::from(state.boxes()[mover]);
        match self.game.turn(&next) {
            Turn::Player(other) if other != mover => own - self.gain(&next),
            _ => own + self.gain(&next),
        }
    }
}

#[test]
fn values_and_best_first_lines() {
    let rows = small_boards("dots_and_boxes");
    assert_eq!(rows.len(), 8);
    for (height, width, answer) in rows {
        let lines = 2 * height * width + height + width;
        if lines > 22 && cfg!(debug_assertions) {
            continue;
        }
        let game = DotsAndBoxes::new(width, height).unwrap();
        let start = game.initial_state();
        let mut rest = Rest { game: &game, memo: vec![None; 1 << lines] };
        let value = rest.gain(&start);
        let best = (0..lines as u8).filter(|&mv| rest.gain_by(&start, mv) == value);
        let found = format!("{value} {:?}", best.collect::<Vec<u8>>()).replace(',', "");
        assert_eq!(found, answer, "{height} rows, {width} columns");
    }
}

/// Compares static bounds with plain recursion for every position with few lines left and for many
/// others: bounds must hold, and the pushed line must be optimal.
#[test]
fn what_is_foreseen_is_so() {
    let (mut bounds, mut lines_seen, mut asked) = (0, 0, 0);
    for (width, height) in [(1, 1), (4, 1), (5, 1), (2, 2), (3, 2)] {
        let game = DotsAndBoxes::new(width, height).unwrap();
        let lines = 2 * height * width + height + width;
        let mut rest = Rest { game: &game, memo: vec![None; 1 << lines] };
        let mut rng = Rng::new(lines as u64);
        for _ in 0..2_000 {
            let mut state = game.initial_state();
            while let Turn::Player(mover) = game.turn(&state) {
                let [own, other] = state.boxes().map(i32::from);
                let gain = rest.gain(&state);
                let right = own - other + if mover == 0 { gain } else { -gain };
                let at_least = right + rng.below(7) as i32 - 3;
                let mut moves = Vec::new();
                let board = || game.board_text(&state);
                asked += 1;
                match game.knowledge().static_bound_at(&state, at_least, &mut moves) {
                    StaticBound::AtLeast(bound) => {
                        assert!(
                            at_least <= bound && bound <= right,
                            "{bound}, {right}: {}",
                            board()
                        );
                        bounds += 1;
                    }
                    StaticBound::AtMost(bound) => {
                        assert!(
                            right <= bound && bound < at_least,
                            "{bound}, {right}: {}",
                            board()
                        );
                        bounds += 1;
                    }
                    StaticBound::Moves => {
                        assert_eq!(moves.len(), 1);
                        assert_eq!(
                            rest.gain_by(&state, moves[0]),
                            gain,
                            "{moves:?} in {}",
                            board()
                        );
                        lines_seen += 1;
                    }
                    static_bound => assert_eq!(static_bound, StaticBound::Nothing),
                }
                let mv = game.random_move(&state, &mut Vec::new(), &mut rng).unwrap();
                game.play(&mut state, mv);
            }
        }
    }
    assert!(bounds * 20 > asked && lines_seen * 20 > asked, "{bounds}, {lines_seen} of {asked}");
}

#[test]
fn openspiel_values() {
    let table = csv_rows("small_boards/openspiel_minimax_values.csv");
    for (name, width, height) in [
        ("dots_and_boxes(num_rows=1,num_cols=2,utility_margin=true)", 2, 1),
        ("dots_and_boxes(num_rows=2,num_cols=2,utility_margin=true)", 2, 2),
    ] {
        let row = table.iter().find(|row| row[0] == name).expect(name);
        let game = DotsAndBoxes::new(width, height).unwrap();
        let (value, moves) = Oracle::new(&game, 0).solve();
        assert_eq!(value, row[2].parse::<f64>().unwrap() as i32, "{name}");
        let best = row[3].split(' ').map(|mv| translate(&game, width, height, mv));
        assert_eq!(BTreeSet::from_iter(moves), best.collect::<BTreeSet<String>>(), "{name}");
    }
}

#[test]
fn who_completes_a_box_goes_on() {
    let game = DotsAndBoxes::new(2, 1).unwrap();
    let mut state = game.initial_state();
    let mut movers = Vec::new();
    for mv in ["a1b1", "a2b2", "a1a2", "b1c1", "b2c2", "c1c2", "b1b2"] {
        movers.push(game.turn(&state));
        state = game.after(&state, game.parse_move(&state, mv).unwrap());
    }
    assert_eq!(movers, [0, 1, 0, 1, 0, 1, 0].map(Turn::Player));
    // The last line completed both boxes.
    assert_eq!(game.turn(&state), Turn::Over);
    assert_eq!((game.payoff(&state, 0), game.payoff(&state, 1)), (2, -2));
    let state = game.parse_state("-./||./-. 0-1 B").unwrap();
    let next = game.after(&state, game.parse_move(&state, "b1c1").unwrap());
    assert_eq!(game.state_text(&next), "-./||./-- 0-1 A");
}

#[test]
fn positions() {
    let game = DotsAndBoxes::new(2, 2).unwrap();
    refused(
        &game,
        &[
            ("", "the position has 1 row separated by '/'; 2 rows of boxes need 5 rows of lines"),
            (
                "../.../.. 0-0 A",
                "the position has 3 rows separated by '/'; 2 rows of boxes need 5 rows of lines",
            ),
            (
                "../../../.../..",
                "row 2 from the top has 2 characters, but must have 3 vertical lines",
            ),
            (
                "../.../.../.../..",
                "row 3 from the top has 3 characters, but must have 2 horizontal lines",
            ),
            (
                "../|-./../.../..",
                "'-' in row 2 from the top, place 2, is not a vertical line; expected |, or . for \
                 a line not yet drawn",
            ),
            (
                "-./.../../.../.. A",
                "the side to move cannot be 'A': after these lines it is B's turn",
            ),
            ("-./.../../.../.. x", "there is no player 'x'; the players are A and B"),
            (
                "-./.../../.../.. 0-1 A",
                "the boxes 0-1 do not add up to 0, the number of complete boxes",
            ),
            (
                "-./||./-./.../..",
                "some boxes are complete; add each player's number of boxes after the lines, such \
                 as 1-0",
            ),
            (
                "-./||./-./.../.. 1-1",
                "the boxes 1-1 do not add up to 1, the number of complete boxes",
            ),
            (
                "-./||./-./.../.. a-b",
                "'a-b' is not a pair of box counts; expected A's and B's, such as 2-1",
            ),
            // Three lines ended a turn; the line that completed the box did not.
            (
                "-./||./-./.../.. 1-0 A",
                "the side to move cannot be 'A': after these lines it is B's turn",
            ),
            ("--/|||/--/.../.. 1-1", "either player could be to move; add A or B at the end"),
            (
                "../.../../.../.. 0-0 A 1",
                "unexpected '1'; the lines are followed by the boxes, such as 2-1, and the player \
                 to move",
            ),
            (
                "../.../../.../.. A 0-0",
                "unexpected '0-0'; the lines are followed by the boxes, such as 2-1, and the \
                 player to move",
            ),
        ],
    );
    same(
        &game,
        "-./|.|/-./.../.. 0-0 A",
        &[
            "x./x.X/x./.../..",
            "-./|.|/-./.../..   A",
            "-./|.|/-./.../.. 0-0",
            "-./|.|/-./.../.. 0-0 1",
        ],
    );
    same(&game, "-./||./-./.../.. 0-1 B", &["-./||./-./.../.. 0:1"]);
    same(&game, "--/|||/--/|||/-- 3-1 A", &["--/|||/--/|||/-- 3-1", "--/|||/--/|||/-- 3-1 B"]);
    same(&game, "--/|.|/-./|../.. 0-0 A", &["--/|.|/-./|../.."]);
    let state = game.parse_state("-./||./-./.../-. 0-1").unwrap();
    assert_eq!(
        game.board_text(&state),
        "3 .---.   .\n  |   |\n2 .---.   .\n\n1 .---.   .\n  a   b   c\nboxes: A 0, B 1\n",
    );
}

#[test]
fn moves() {
    let game = DotsAndBoxes::new(1, 1).unwrap();
    let start = game.initial_state();
    for text in ["a1b1", "A1-B1", "b1a1", "b1-a1"] {
        assert_eq!(game.move_text(&start, game.parse_move(&start, text).unwrap()), "a1b1");
    }
    for text in ["", "a1", "a1b2", "b1c1", "a1a1", "a1b1+", "pass"] {
        assert_eq!(
            game.parse_move(&start, text).unwrap_err().to_string(),
            format!("'{text}' is not a legal move here; legal moves: a2b2 a1b1 a1a2 b1b2"),
        );
    }
}

/// Checks that every box on the largest boards belongs to one player and is counted once.
#[test]
fn all_boxes_are_counted() {
    let mut rng = Rng::new(1);
    for (width, height) in [(7, 7), (8, 7), (42, 1), (1, 42), (1, 1)] {
        let game = DotsAndBoxes::new(width, height).unwrap();
        for _ in 0..20 {
            let mut state = game.initial_state();
            let mut lines = 0;
            while let Some(mv) = game.random_move(&state, &mut Vec::new(), &mut rng) {
                game.play(&mut state, mv);
                lines += 1;
            }
            assert_eq!(lines, 2 * width * height + width + height);
            assert_eq!(game.turn(&state), Turn::Over);
            let text = game.state_text(&state);
            let boxes = text.split([' ', '-']).filter_map(|count| count.parse::<usize>().ok());
            assert_eq!(boxes.take(2).sum::<usize>(), width * height, "{text}");
            assert_eq!(game.parse_state(&text), Ok(state));
        }
    }
}

#[test]
fn impossible_boards() {
    no_game(
        "dots-and-boxes:8x8",
        "dots-and-boxes: 8x8 boxes have 144 lines; there must be 4 to 127",
    );
    assert!(DotsAndBoxes::new(8, 7).is_ok());
    assert!(DotsAndBoxes::new(42, 1).is_ok());
    assert!(DotsAndBoxes::new(43, 1).is_err());
}
