//! Reads the questions in `games/tests/data` and translates them into the notation of our games.

use proofwood::Goal;
use proofwood_games::Mnk;
use serde::{Serialize, Serializer};
use std::path::PathBuf;

/// A position and its known value.
#[derive(Serialize)]
pub(crate) struct Question {
    /// The set, that is, the row of the results in which the question is counted.
    pub(crate) set: String,
    /// The question's id in the file.
    pub(crate) id: String,
    pub(crate) game: String,
    /// The position from which `moves` are played; `None` for the start of the game.
    pub(crate) position: Option<String>,
    /// The moves that lead from `position` to the position in question.
    pub(crate) moves: Vec<String>,
    #[serde(serialize_with = "goal_name")]
    pub(crate) goal: Goal,
    /// The score, or 1, 0 or −1 for a win, a draw or a loss of the side to move.
    pub(crate) value: i32,
    /// First moves that keep the value.
    pub(crate) listed: Vec<String>,
    /// Whether `listed` has all first moves that keep the value.
    pub(crate) all_listed: bool,
    /// The player from whose point of view `value` is given, if that is not the side to move.
    #[serde(skip)]
    pub(crate) asker: Option<(Mnk, usize)>,
}

fn goal_name<S: Serializer>(goal: &Goal, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(if *goal == Goal::Score { "score" } else { "win" })
}

impl Question {
    /// Creates a question about the start of `game`, whose value is `value`.
    fn new(set: &str, id: &str, game: &str, value: i32) -> Question {
        Question {
            set: set.into(),
            id: id.into(),
            game: game.into(),
            position: None,
            moves: Vec::new(),
            goal: Goal::Outcome,
            value,
            listed: Vec::new(),
            all_listed: false,
            asker: None,
        }
    }

    fn at(self, position: String) -> Question {
        Question { position: Some(position), ..self }
    }

    fn score(self) -> Question {
        Question { goal: Goal::Score, ..self }
    }

    /// Adds moves that keep the value; there may be others.
    fn listed<T: Into<String>>(self, moves: impl IntoIterator<Item = T>) -> Question {
        Question { listed: moves.into_iter().map(Into::into).collect(), ..self }
    }

    /// Adds all moves that keep the value.
    fn all_listed<T: Into<String>>(self, moves: impl IntoIterator<Item = T>) -> Question {
        Question { all_listed: true, ..self.listed(moves) }
    }
}

/// All questions, and those that were left out because their games are not built in.
#[derive(Default)]
pub(crate) struct Questions {
    pub(crate) asked: Vec<Question>,
    pub(crate) left_out: Vec<String>,
}

impl Questions {
    pub(crate) fn read() -> Questions {
        let mut questions = Questions::default();
        questions.mates();
        questions.lines_of_action();
        questions.computed();
        questions.openspiel();
        questions.three_players();
        questions.hex_openings();
        questions.hex_puzzles();
        questions.boards();
        questions.endgames();
        questions
    }

    /// Adds the shortest mates, with the moves that begin them. Other first moves may lead to
    /// longer mates.
    fn mates(&mut self) {
        for (file, game) in
            [("losalamos", "los-alamos"), ("gardner", "gardner"), ("minishogi", "minishogi")]
        {
            let rows = rows(&format!("mates/{file}.csv"));
            for length in ["1", "2", "3"] {
                let set = format!("mates/{file} in {length}");
                self.asked.extend(rows.iter().filter(|row| row[3] == length).map(|row| {
                    let question = Question::new(&set, &row[0], game, 1);
                    question.at(row[1].clone()).listed(row[4].split(' '))
                }));
            }
        }
    }

    /// Adds forced wins of Lines of Action with the moves that begin them.
    fn lines_of_action(&mut self) {
        let rows = rows("lines_of_action/forced_wins.csv");
        for plies in ["3", "5", "7"] {
            let set = format!("lines_of_action in {plies} plies");
            self.asked.extend(rows.iter().filter(|row| row[3] == plies).map(|row| {
                let question = Question::new(&set, &row[0], "loa8", 1);
                question.at(format!("{} {}", row[2], row[1])).listed(row[4].split(' '))
            }));
        }
    }

    fn computed(&mut self) {
        for row in rows("small_boards/computed_values.csv") {
            let [name, board, question, answer] = &row[..] else { panic!("{row:?}") };
            let [height, width] = numbers(board)[..] else { panic!("{row:?}") };
            let set = format!("small_boards/{name}");
            let size = format!("{width}x{height}");
            let id = format!("{name} {board}, {question}");
            let ask = |game: String, value| Question::new(&set, &id, &game, value);
            let value = if answer == "first" { 1 } else { -1 };
            match name.as_str() {
                "dots_and_boxes" => {
                    let (score, lines) = answer.split_once(" [").expect("a score and lines");
                    let lines =
                        numbers(lines).into_iter().map(|line| line_name(width, height, line));
                    let game = format!("dots-and-boxes:{size}");
                    self.asked
                        .push(ask(game, score.parse().expect("a score")).score().all_listed(lines));
                }
                "othello" => {
                    let empties =
                        if question.contains("empties to winner") { ",empties" } else { "" };
                    let score = answer.parse().expect("a score");
                    self.asked.push(ask(format!("othello:{width}{empties}"), score).score());
                }
                "hex" => {
                    let (moves, _) = answer.split_once('(').expect("a number of moves");
                    let moves: Vec<&str> = moves.split_whitespace().collect();
                    let value = if moves.is_empty() { -1 } else { 1 };
                    self.asked.push(ask(format!("hex:{size}"), value).all_listed(moves));
                }
                "domineering" => {
                    let class = answer.chars().next().expect("a class");
                    for (first, wins, option) in
                        [("vertical", "VN", ""), ("horizontal", "HN", ",horizontal")]
                    {
                        let value = if wins.contains(class) { 1 } else { -1 };
                        let mut question = ask(format!("domineering:{size}{option}"), value);
                        question.id += &format!(", {first} first");
                        self.asked.push(question);
                    }
                }
                "clobber" => self.asked.push(ask(format!("clobber:{size}"), value)),
                "atarigo" => self.asked.push(ask(format!("atari-go:{size}"), value)),
                "atarigo_crosscut" => {
                    self.asked.push(ask(format!("atari-go:{size},crosscut"), value));
                }
                "nogo" => self.asked.push(ask(format!("nogo:{size}"), value)),
                "breakthrough" => {
                    let rows = numbers(question)[0];
                    self.asked.push(ask(format!("breakthrough:{size},rows={rows}"), value));
                }
                "knightthrough" => {
                    let rows = numbers(question)[0];
                    self.asked
                        .push(ask(format!("knightthrough:{size},rows={rows},no-pass"), value));
                }
                _ => self.left_out.push(id),
            }
        }
    }

    fn openspiel(&mut self) {
        for row in rows("small_boards/openspiel_minimax_values.csv") {
            let value = row[2].parse::<f64>().expect("a value") as i32;
            match openspiel_game(&row[0], row[3].split(' ')) {
                None => self.left_out.push(row[0].clone()),
                Some((game, moves)) => {
                    let name = game.split(':').next().expect("a name").replace('-', "_");
                    let question =
                        Question::new(&format!("small_boards/{name}"), &row[0], &game, value);
                    let question = question.all_listed(moves);
                    self.asked.push(match row[0].contains("utility_margin") {
                        true => question.score(),
                        false => question,
                    });
                }
            }
        }
    }

    /// Adds the values that one of three players can force against the other two.
    fn three_players(&mut self) {
        for row in rows("small_boards/three_player_paranoid.csv") {
            let [height, width] = numbers(&row[0])[..] else { panic!("{row:?}") };
            let (k, player) = (numbers(&row[1])[0], numbers(&row[2])[0]);
            let value = match row[3].as_str() {
                "can force own line" => 1,
                "can force a draw but no more" => 0,
                _ => -1,
            };
            let id = format!("{}, {k} in a row, {}", row[0], row[2]);
            let game = format!("mnk:{width},{height},{k},players=3");
            let rules = Mnk::new(width, height, k, 3).expect("a board");
            let question = Question::new("small_boards/three players", &id, &game, value);
            self.asked.push(Question { asker: Some((rules, player - 1)), ..question });
        }
    }

    fn hex_openings(&mut self) {
        for row in rows("hex/opening_winners.csv") {
            let value = if row[2] == "white" { 1 } else { -1 };
            let (set, game) = match row[0].as_str() {
                "6x6" => ("hex/openings 6x6", "hex:6"),
                "7x7" => ("hex/openings 7x7", "hex:7"),
                other => panic!("{other}"),
            };
            let question = Question::new(set, &row[1], game, value);
            self.asked.push(Question { moves: vec![row[1].clone()], ..question });
        }
    }

    fn boards(&mut self) {
        for row in rows("connect_four/board_size_values.csv") {
            let (width, height) = (numbers(&row[0])[0], numbers(&row[1])[0]);
            let set = match width.max(height) {
                ..=5 => "connect_four/boards up to 5x5",
                _ => "connect_four/larger boards",
            };
            let game = format!("connect-four:{width}x{height}");
            let id = format!("{width}x{height}");
            if width * (height + 1) > 64 {
                self.left_out.push(game);
                continue;
            }
            let value = match row[2].as_str() {
                "draw" => 0,
                "first_player_wins" => 1,
                "second_player_wins" => -1,
                other => panic!("{other}"),
            };
            self.asked.push(Question::new(set, &id, &game, value));
        }
    }

    /// Adds Othello endgames in which the empty cells count for the winner.
    fn endgames(&mut self) {
        for row in rows("othello/ffo.csv") {
            let set = match numbers(&row[3])[0] {
                ..=16 => "othello/ffo up to 16 empties",
                17..=20 => "othello/ffo 17 to 20 empties",
                _ => "othello/ffo more empties",
            };
            let score = row[4].parse().expect("a score");
            let question = Question::new(set, &row[0], "othello:8,empties", score);
            let question = question.at(format!("{} {}", row[1], row[2])).score();
            self.asked.push(question.all_listed(row[5].split(' ')));
        }
    }

    /// Adds Hex puzzles. A puzzle gives its stones in the columns for black and white, or as moves
    /// such as `B:b2`.
    fn hex_puzzles(&mut self) {
        let mut questions = Vec::new();
        for row in rows("hex/puzzles.csv") {
            let [name, size, black, white, moved, side, asked, answer] = &row[..] else {
                panic!("{row:?}")
            };
            let size: usize = size.parse().expect("a size");
            let set = match size {
                ..=6 => "hex/puzzles up to 6x6",
                7 => "hex/puzzles 7x7",
                8..=9 => "hex/puzzles 8x8 and 9x9",
                _ => "hex/puzzles 10x10 and 11x11",
            };
            let stones = |stones: &str, side: &str| -> Vec<String> {
                let moved = moved.split_whitespace().filter_map(|mv| mv.strip_prefix(side));
                stones.split_whitespace().chain(moved).map(str::to_string).collect()
            };
            let stones = [stones(black, "B:"), stones(white, "W:")];
            let moves: Vec<&str> =
                answer.split_whitespace().filter(|_| asked == "winning_moves").collect();
            let wins = if asked == "winner" { answer == side } else { !moves.is_empty() };
            let question =
                Question::new(set, name, &format!("hex:{size}"), if wins { 1 } else { -1 });
            questions.push((size, question.at(hex_position(size, &stones, side)).listed(moves)));
        }
        questions.sort_by_key(|&(size, _)| size);
        self.asked.extend(questions.into_iter().map(|(_, question)| question));
    }
}

fn rows(file: &str) -> Vec<Vec<String>> {
    let path: PathBuf =
        [env!("CARGO_MANIFEST_DIR"), "../../crates/games/tests/data", file].iter().collect();
    let mut reader = csv::Reader::from_path(path).expect(file);
    let rows = reader.records().map(|row| row.expect(file).iter().map(str::to_string).collect());
    rows.collect()
}

fn numbers(text: &str) -> Vec<usize> {
    text.split(|c: char| !c.is_ascii_digit()).filter_map(|number| number.parse().ok()).collect()
}

fn cell(column: usize, row: usize) -> String {
    format!("{}{row}", char::from(b'a' + column as u8))
}

/// Names the line of Dots and Boxes with the number `line`. Numbers run from the top left, first
/// through all horizontal lines row by row, then through all vertical ones.
fn line_name(width: usize, height: usize, line: usize) -> String {
    let lying = (height + 1) * width;
    if line < lying {
        let (column, row) = (line % width, height + 1 - line / width);
        cell(column, row) + &cell(column + 1, row)
    } else {
        let (column, row) = ((line - lying) % (width + 1), height - (line - lying) / (width + 1));
        cell(column, row) + &cell(column, row + 1)
    }
}

/// Translates the name of an OpenSpiel game, and moves from its start, into our notation; `None` if
/// the game is not built in.
fn openspiel_game<'m>(
    name: &str,
    moves: impl Iterator<Item = &'m str>,
) -> Option<(String, Vec<String>)> {
    let (family, parameters) = name.split_once('(').unwrap_or((name, ""));
    let numbers_of = numbers;
    let parameter = numbers(parameters);
    // A cell given as row and column from the top left, both from 0.
    let cells = |height: usize| {
        move |mv: &str| {
            let [row, column] = numbers_of(mv)[..] else { panic!("{mv}") };
            cell(column, height - row)
        }
    };
    Some(match (family, &parameter[..]) {
        ("tic_tac_toe", []) => (family.replace('_', "-"), moves.map(cells(3)).collect()),
        ("mnk", &[columns, rows, k]) => {
            (format!("mnk:{columns},{rows},{k}"), moves.map(cells(rows)).collect())
        }
        ("gomoku", &[size, k]) if !parameters.contains("true") => {
            (format!("mnk:{size},{size},{k}"), moves.map(cells(size)).collect())
        }
        ("hex", &[size]) if !parameters.contains("swap") => {
            (format!("hex:{size}"), moves.map(String::from).collect())
        }
        ("clobber", &[rows, columns]) => {
            (format!("clobber:{columns}x{rows}"), moves.map(String::from).collect())
        }
        ("dots_and_boxes", &[rows, columns]) => {
            let line = |mv: &str| {
                // `P1(h,1,0)`: the player, horizontal or vertical, row and column.
                let [_, row, column] = numbers(mv)[..] else { panic!("{mv}") };
                let upright = (rows + 1) * columns + row * (columns + 1) + column;
                let number = if mv.contains('h') { row * columns + column } else { upright };
                line_name(columns, rows, number)
            };
            (format!("dots-and-boxes:{columns}x{rows}"), moves.map(line).collect())
        }
        ("connect_four", &[columns, rows]) | ("connect_four", &[columns, rows, _]) => {
            let k = parameter.get(2).unwrap_or(&4);
            let column = |mv: &str| (numbers(mv)[0] + 1).to_string();
            (format!("connect-four:{columns}x{rows},k={k}"), moves.map(column).collect())
        }
        ("breakthrough", &[rows, columns]) => {
            // In OpenSpiel the first player moves down the board, in our games up.
            let mirrored = |mv: &str| -> String {
                let row = |c: char| {
                    c.to_digit(10)
                        .map_or(c.to_string(), |row| (rows + 1 - row as usize).to_string())
                };
                mv.chars().map(row).collect()
            };
            let pieces = if rows < 6 { 1 } else { 2 };
            (format!("breakthrough:{columns}x{rows},rows={pieces}"), moves.map(mirrored).collect())
        }
        _ => return None,
    })
}

/// The text of a position on a square Hex board, with `stones` and the side to move.
fn hex_position(size: usize, stones: &[Vec<String>; 2], side: &str) -> String {
    let mut board = vec![vec!['.'; size]; size];
    for (stones, mark) in stones.iter().zip(['X', 'O']) {
        for stone in stones {
            let column = usize::from(stone.as_bytes()[0] - b'a');
            board[numbers(stone)[0] - 1][column] = mark;
        }
    }
    let rows: Vec<String> = board.into_iter().map(String::from_iter).collect();
    format!("{} {side}", rows.join("/"))
}
