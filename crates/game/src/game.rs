//! The trait that a game implements for the engine.
//!
//! A [`Game`] is a set of rules: a value that holds board sizes, variants and any tables that the
//! rules need. Positions are its `State`s, small and cheap to clone. Rules and evaluation are
//! separate: an [`Evaluator`](../proofwood/evaluate/trait.Evaluator.html) evaluates leaves.

use crate::{DomainKnowledge, NoKnowledge, Rng};
use std::fmt::{self, Debug};
use std::ops::RangeInclusive;

/// The maximum number of players of a game.
pub const MAX_PLAYERS: usize = 8;

/// The number of the mover at a chance node. It is not a player's number, so every player's proof
/// number treats the node as an opponent's.
pub const CHANCE: usize = 8;

/// The maximum number of children of a node.
pub const MAX_CHILDREN: usize = u16::MAX as usize;

/// The side to move in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Turn {
    /// A player chooses a move; the player's number counts from 0.
    Player(usize),
    /// A die, a card or the like decides, with the weights of [`Game::chance_weight`]. Such a game
    /// returns `true` from [`Game::has_chance`].
    Chance,
    /// The game has ended; [`Game::payoff`] returns the result.
    Over,
}

/// The outcome of a payoff for a player, from worst to best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// Worse than a draw.
    Loss,
    /// Neither a win nor a loss.
    Draw,
    /// Better than a draw.
    Win,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Outcome::Loss => "loss",
            Outcome::Draw => "draw",
            Outcome::Win => "win",
        })
    }
}

impl Outcome {
    /// The outcome as +1, 0 or −1.
    #[inline]
    pub fn value(self) -> i32 {
        self as i32 - 1
    }

    /// The outcome's name in lower case: `loss`, `draw` or `win`.
    #[doc(hidden)]
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Loss => "loss",
            Outcome::Draw => "draw",
            Outcome::Win => "win",
        }
    }

    /// The outcome with the sign of `value`: loss, draw or win.
    #[doc(hidden)]
    #[inline]
    pub fn from_value(value: i32) -> Outcome {
        match value.signum() {
            -1 => Outcome::Loss,
            0 => Outcome::Draw,
            _ => Outcome::Win,
        }
    }

    /// The outcome for the other player of a two-player zero-sum game.
    #[inline]
    pub fn reversed(self) -> Outcome {
        match self {
            Outcome::Loss => Outcome::Win,
            Outcome::Draw => Outcome::Draw,
            Outcome::Win => Outcome::Loss,
        }
    }
}

/// The rules of a game with perfect information, integer payoffs and up to [`MAX_PLAYERS`] players.
///
/// Five methods are required; all others have a default:
///
/// | purpose | methods |
/// |---|---|
/// | required | [`initial_state`](Game::initial_state), [`turn`](Game::turn), [`legal_moves`](Game::legal_moves), [`play`](Game::play), [`payoff`](Game::payoff) |
/// | other rules | [`num_players`](Game::num_players), [`zero_sum`](Game::zero_sum), [`payoff_range`](Game::payoff_range), [`outcome`](Game::outcome), [`has_chance`](Game::has_chance), [`chance_weight`](Game::chance_weight) |
/// | speed | [`key`](Game::key), [`random_move`](Game::random_move), [`mobility`](Game::mobility) |
/// | for callers, the same for all games | [`after`](Game::after) |
/// | knowledge beyond the rules | [`knowledge`](Game::knowledge) |
/// | texts | [`player_name`](Game::player_name), [`move_text`](Game::move_text), [`parse_move`](Game::parse_move), [`split_moves`](Game::split_moves), [`state_text`](Game::state_text), [`parse_state`](Game::parse_state), [`board_text`](Game::board_text) |
///
/// A complete game:
///
/// ```
/// use proofwood::{Game, Turn};
///
/// /// Take one, two or three of the sticks; the player who takes the last one wins.
/// struct Sticks(u32);
///
/// #[derive(Clone)]
/// struct Heap { sticks: u32, mover: usize }
///
/// impl Game for Sticks {
///     type State = Heap;
///     type Move = u32;
///
///     fn initial_state(&self) -> Heap {
///         Heap { sticks: self.0, mover: 0 }
///     }
///     fn turn(&self, heap: &Heap) -> Turn {
///         if heap.sticks == 0 { Turn::Over } else { Turn::Player(heap.mover) }
///     }
///     fn legal_moves(&self, heap: &Heap, moves: &mut Vec<u32>) {
///         moves.extend(1..=heap.sticks.min(3));
///     }
///     fn play(&self, heap: &mut Heap, taken: u32) {
///         heap.sticks -= taken;
///         heap.mover = 1 - heap.mover;
///     }
///     fn payoff(&self, heap: &Heap, player: usize) -> i32 {
///         if player == heap.mover { -1 } else { 1 } // the mover found no stick
///     }
///     fn payoff_range(&self, _player: usize) -> std::ops::RangeInclusive<i32> {
///         -1..=1
///     }
///     fn zero_sum(&self) -> bool {
///         true
///     }
/// }
/// ```
///
/// A search takes ownership of the game; an [`Arc`](std::sync::Arc) of a game is a game too, so
/// several searches can share one.
///
/// # Contract
/// The rules are deterministic: the same state always has the same turn, moves (in the same order)
/// and payoffs. A position that is not over has at least one legal move (a game with forced passes
/// lists the pass) and at most 65,535. The same limits hold for outcomes if chance decides. If a
/// player who cannot move has lost, the game is over, and [`turn`](Game::turn) must return
/// [`Turn::Over`]. Payoffs lie in [`payoff_range`](Game::payoff_range). A search ends with an error
/// if it notices that the game breaks the contract; debug builds also run slower checks. A search
/// cannot notice most breaches: [check your rules](crate::check_rules), then write and check
/// certificates in your tests
/// ([`ProofSearch::certify`](../proofwood/struct.ProofSearch.html#method.certify),
/// [`Certificate::check`](../proofwood/certificate/struct.Certificate.html#method.check)).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a game",
    note = "`Game` is implemented for rules that own all they need (`'static`); pass them by value \
            or in an `Arc`: `&G` is not a game"
)]
pub trait Game: Send + Sync + 'static {
    /// A position: everything that its future depends on.
    type State: Clone + Send + Sync + 'static;
    /// A move, or an outcome of chance.
    type Move: Copy + Eq + Debug + Send + Sync + 'static;

    /// The position in which the game starts.
    fn initial_state(&self) -> Self::State;

    /// The side to move in `state`, or [`Turn::Over`].
    fn turn(&self, state: &Self::State) -> Turn;

    /// Pushes the legal moves, or the possible outcomes of chance, onto `moves`, which is empty. It
    /// is never called when the game is over.
    fn legal_moves(&self, state: &Self::State, moves: &mut Vec<Self::Move>);

    /// Plays a legal move in place. A playout plays many moves without calling other methods
    /// between them, so compute values that only other methods need in those methods.
    fn play(&self, state: &mut Self::State, mv: Self::Move);

    /// The payoff of `player`; called only when the game is over.
    fn payoff(&self, state: &Self::State, player: usize) -> i32;

    // Other rules.

    /// The number of players, 1 to [`MAX_PLAYERS`]; 2 by default.
    fn num_players(&self) -> usize {
        2
    }

    /// Returns whether the payoffs of two players always sum to zero; `false` by default. One score
    /// interval then serves both players, and values are exact. In other games, guarantees hold
    /// against a coalition of the other players. In a zero-sum game, [`outcome`](Game::outcome)
    /// must make a win of one player a loss of the other.
    fn zero_sum(&self) -> bool {
        false
    }

    /// The least and the greatest payoff that `player` can receive; unbounded by default. A tight
    /// range lets score bounds prune from the start. In a zero-sum game the two ranges need not
    /// mirror each other: a search uses the payoffs that both ranges allow.
    fn payoff_range(&self, player: usize) -> RangeInclusive<i32> {
        let _ = player;
        i32::MIN..=i32::MAX
    }

    /// The outcome of a payoff for `player`. It must not get worse when the payoff rises; by
    /// default it is the payoff's sign.
    fn outcome(&self, player: usize, payoff: i32) -> Outcome {
        let _ = player;
        Outcome::from_value(payoff)
    }

    /// Returns whether chance decides in some position of the game; `false` by default. If it
    /// returns `false`, bounds are whole numbers, and a search that reaches a position with
    /// [`Turn::Chance`] ends with an error.
    fn has_chance(&self) -> bool {
        false
    }

    /// The relative weight of an outcome at a chance node, at least 1; equal weights by default.
    fn chance_weight(&self, state: &Self::State, outcome: Self::Move) -> u32 {
        let _ = (state, outcome);
        1
    }

    // Speed.

    /// A 64-bit key of the position; `None` by default. With keys, proofs apply to transpositions,
    /// and provers and certificates recognise repetitions.
    ///
    /// Positions with the same key must have the same future, and list the same moves in the same
    /// order; other positions have different keys as far as 64 bits allow. All bits must be well
    /// mixed because tables use some of them as an index. If the state implements
    /// [`Hash`](std::hash::Hash) and contains only the position, start with a
    /// [`DefaultHasher`](std::hash::DefaultHasher); keys that are updated incrementally (Zobrist
    /// 1970) are faster.
    fn key(&self, state: &Self::State) -> Option<u64> {
        let _ = state;
        None
    }

    /// A uniformly random legal move, or `None` if there is no legal move; not called when the game
    /// is over. Override it if a move can be drawn without listing all of them; `moves` is an empty
    /// scratch buffer.
    fn random_move(
        &self,
        state: &Self::State,
        moves: &mut Vec<Self::Move>,
        rng: &mut Rng,
    ) -> Option<Self::Move> {
        self.legal_moves(state, moves);
        match moves.len() {
            0 => None,
            n => Some(moves[rng.below(n as u32) as usize]),
        }
    }

    /// The number of legal moves; not called when the game is over. Override it if counting is
    /// cheaper than listing; `moves` is an empty scratch buffer.
    fn mobility(&self, state: &Self::State, moves: &mut Vec<Self::Move>) -> usize {
        self.legal_moves(state, moves);
        moves.len()
    }

    /// The game's knowledge of its positions beyond the rules; by default
    /// [`NoKnowledge`](crate::NoKnowledge). Most games with such knowledge implement
    /// [`DomainKnowledge`] themselves and return `self`:
    ///
    /// ```
    /// # use proofwood::{Game, DomainKnowledge, Turn};
    /// # struct Race;
    /// # impl Game for Race {
    /// #     type State = u32;
    /// #     type Move = u32;
    /// #     fn initial_state(&self) -> u32 { 0 }
    /// #     fn turn(&self, &at: &u32) -> Turn { if at == 9 { Turn::Over } else { Turn::Player(0) } }
    /// #     fn legal_moves(&self, &at: &u32, moves: &mut Vec<u32>) { moves.extend(at + 1..=9) }
    /// #     fn play(&self, at: &mut u32, to: u32) { *at = to }
    /// #     fn payoff(&self, _: &u32, _: usize) -> i32 { 1 }
    /// // in `impl Game for Race`
    /// fn knowledge(&self) -> impl DomainKnowledge<Self> {
    ///     self
    /// }
    /// # }
    ///
    /// impl DomainKnowledge<Race> for Race {
    ///     fn move_order(&self, _: &u32, to: u32) -> u32 {
    ///         to // the furthest step first
    ///     }
    /// }
    /// ```
    fn knowledge(&self) -> impl DomainKnowledge<Self> {
        NoKnowledge
    }

    // Texts.

    /// A player's name as it is used within a sentence: `White`, for example, or `x` if that is the
    /// sign of the player's pieces. Names must differ; by default they are `player 0`, `player 1`
    /// and so on.
    fn player_name(&self, player: usize) -> String {
        format!("player {player}")
    }

    /// A move in the game's notation; its `Debug` form by default.
    fn move_text(&self, state: &Self::State, mv: Self::Move) -> String {
        let _ = state;
        format!("{mv:?}")
    }

    /// Parses a legal move in `state`. By default it returns the legal move whose
    /// [`move_text`](Game::move_text) is `text`. If no text matches exactly, case is ignored,
    /// provided that exactly one legal move then matches.
    ///
    /// # Errors
    /// If `text` is not a legal move in `state`; the message lists the legal moves.
    fn parse_move(&self, state: &Self::State, text: &str) -> Result<Self::Move, TextError> {
        if self.turn(state) == Turn::Over {
            return Err(TextError::new(format!("the game is over before the move '{text}'")));
        }
        let mut moves = Vec::new();
        self.legal_moves(state, &mut moves);
        match only_match(&moves, text, |&mv| self.move_text(state, mv)) {
            Some(&mv) => Ok(mv),
            None => Err(TextError::illegal_move(self, state, text, &moves)),
        }
    }

    /// Splits a text into the texts of single moves, by default at spaces and commas. Override it
    /// if moves need no separators, or if [`move_text`](Game::move_text) contains spaces or commas.
    /// Searches and certificates never call it.
    fn split_moves<'t>(&self, text: &'t str) -> Vec<&'t str> {
        text.split(|c: char| c.is_whitespace() || c == ',').filter(|m| !m.is_empty()).collect()
    }

    /// The position as a single line of text that [`parse_state`](Game::parse_state) can read back.
    /// Empty by default, which means that the game has no text form. If positions have a
    /// [`key`](Game::key), positions with different futures must have different texts, because
    /// certificates identify a position by its key and its text.
    fn state_text(&self, state: &Self::State) -> String {
        let _ = state;
        String::new()
    }

    /// Parses a position.
    ///
    /// # Errors
    /// If `text` is not a possible position; the message says why. The default always fails.
    fn parse_state(&self, text: &str) -> Result<Self::State, TextError> {
        let _ = text;
        Err(TextError::no_text_form())
    }

    /// The position drawn over several lines for human readers; [`state_text`](Game::state_text) by
    /// default.
    fn board_text(&self, state: &Self::State) -> String {
        self.state_text(state)
    }

    /// The position after a legal move; `state` stays unchanged. Games need not override it.
    #[inline]
    fn after(&self, state: &Self::State, mv: Self::Move) -> Self::State {
        let mut next = state.clone();
        self.play(&mut next, mv);
        next
    }
}

/// Returns the item whose name is `text`, or else the only one that matches if case is ignored.
fn only_match<'i, T>(items: &'i [T], text: &str, name: impl Fn(&T) -> String) -> Option<&'i T> {
    let mut found = None;
    for item in items {
        match name(item) {
            name if name == text => return Some(item),
            name if !name.eq_ignore_ascii_case(text) => {}
            _ if found.is_some() => found = Some(None),
            _ => found = Some(Some(item)),
        }
    }
    found.flatten()
}

/// A one-line message for the user: the reason why a text is not a move or a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    message: String,
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TextError { message } = self;
        write!(f, "{message}")
    }
}

impl std::error::Error for TextError {}

impl TextError {
    /// Creates an error. The message names the fault, its place and the right form, on one line
    /// without a full stop. Control characters, which only quoted input can contain, are escaped.
    pub fn new(message: impl fmt::Display) -> TextError {
        let mut message = message.to_string();
        if message.contains(char::is_control) {
            let escape = |c: char| match c.is_control() {
                true => c.escape_default().to_string(),
                false => c.to_string(),
            };
            message = message.chars().map(escape).collect();
        }
        TextError { message }
    }

    pub(crate) fn no_text_form() -> TextError {
        TextError::new("this game has no text form for positions; give the moves instead")
    }

    /// The error for `text` in a position where only the moves in `legal` are allowed.
    pub fn illegal_move<G: Game + ?Sized>(
        game: &G,
        state: &G::State,
        text: &str,
        legal: &[G::Move],
    ) -> TextError {
        const SHOWN: usize = 40;
        let mut list: Vec<String> =
            legal.iter().take(SHOWN).map(|&mv| game.move_text(state, mv)).collect();
        if legal.len() > SHOWN {
            list.push(format!("and {} more", legal.len() - SHOWN));
        }
        TextError::new(format!(
            "'{text}' is not a legal move here; legal moves: {}",
            list.join(" ")
        ))
    }
}
