//! Games and trees of moves, written as SGF.

use super::facts::{GAME, POSITION};
use super::points;
use super::sgf::{Collection, Node};
use proofwood::Turn;
use proofwood_any_game::Position;
use proofwood_session::Trouble;

/// Games that SGF has a number for, and whether their moves are cells in letters there.
/// Those with a number keep their own coordinates in the standard, as the game writes them.
const NUMBERS: [(&str, u8, bool); 9] = [
    ("atari-go", 1, true),
    ("nogo", 1, true),
    ("othello", 2, true),
    ("mnk", 4, true),
    ("tic-tac-toe", 4, true),
    ("loa7", 9, false),
    ("loa8", 9, false),
    ("ataxx", 10, false),
    ("hex", 11, false),
];

/// A tree of moves in the making.
pub struct Variations {
    all: Collection,
    in_letters: bool,
}

impl Variations {
    /// A tree that begins at this position of a game of two players.
    pub fn new(game: &str, position: &dyn Position) -> Result<Variations, Trouble> {
        if position.player_names().len() != 2 || position.has_chance() {
            return Err(Trouble::Input(format!(
                "{game}: SGF has moves of two players, Black and White, and no dice"
            )));
        }
        let name = proofwood_games::spelled(game);
        let name = name.split(':').next().unwrap_or_default();
        let number = NUMBERS.iter().find(|(known, ..)| *known == name);
        let mut root = Node::default();
        root.set("FF", "4");
        root.set("CA", "UTF-8");
        root.set("AP", concat!("Proofwood:", env!("CARGO_PKG_VERSION")));
        root.set("GM", number.map_or(0, |&(_, number, _)| number).to_string());
        if let Some(size) = points::size(position) {
            root.set("SZ", size);
        }
        root.set(GAME, game);
        let text = position.text();
        if !text.is_empty() {
            root.set(POSITION, text);
        }
        let in_letters = number.is_some_and(|&(_, _, in_letters)| in_letters);
        Ok(Variations { all: Collection::new(root), in_letters })
    }

    /// Adds a move that is played at a position, after the node with this number; answers
    /// the new node's. The root is node 0.
    pub fn add(&mut self, parent: usize, before: &dyn Position, mv: &str) -> usize {
        let colour = if before.turn() == Turn::Player(1) { "W" } else { "B" };
        let text = match self.in_letters {
            true if mv == "pass" => String::new(),
            true => points::in_letters(before, mv),
            false => mv.to_string(),
        };
        let mut node = Node::default();
        node.set(colour, text);
        self.all.add(parent, node)
    }

    /// Sets a node's comment.
    pub fn comment(&mut self, node: usize, text: &str) {
        self.all.nodes[node].set("C", text);
    }

    /// Sets a node's value, from −1 to 1: what is more than 0 is good for Black.
    pub fn value(&mut self, node: usize, value: f64) {
        self.all.nodes[node].set("V", format!("{value:.3}"));
    }

    /// The tree as text.
    pub fn text(&self) -> String {
        self.all.text()
    }
}
