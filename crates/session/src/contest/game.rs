//! Plays one game of a contest.

use super::contender::Contender;
use super::games::{Side, Spent};
use super::opening::Opening;
use super::seat::{Seat, Silent};
use super::seeds::{Stream, seed_of};
use crate::{Trouble, cut};
use proofwood::{Budget, CancelToken, Rng, SearchError, StopReason, Turn};
use proofwood_any_game::{Answer, Position, Rules, Searching};
use std::time::Instant;

/// A contender in a game, with its search.
pub struct Player {
    contender: Contender,
    search: Option<Box<dyn Searching>>,
    /// Moves not yet applied to the search tree.
    news: Vec<String>,
    /// The moves, playouts and time spent so far.
    pub spent: Spent,
}

pub(super) struct Played {
    /// All moves, including those of the opening.
    pub moves: Vec<String>,
    /// Each player's payoff; `None` for a game drawn because it was too long.
    pub payoffs: Option<Vec<i32>>,
    /// The moves, playouts and time spent in each seat.
    pub spent: Vec<Spent>,
    /// The reason why another program forfeited the game, if it did.
    pub forfeit: Option<String>,
}

enum Seated {
    Engine(Box<Player>),
    Program(Box<dyn Seat>, Spent),
    /// A program that failed to start.
    Absent,
}

impl Player {
    /// Creates a player whose searches use `seed` and end when `cancel` is cancelled.
    pub fn new(contender: &Contender, seed: u64, cancel: &CancelToken) -> Player {
        let mut contender = contender.clone();
        contender.config = contender.config.seed(seed);
        contender.budget = contender.budget.cancel(cancel);
        Player { contender, search: None, news: Vec::new(), spent: Spent::default() }
    }

    /// Replaces the token that ends the searches.
    pub fn end_with(&mut self, cancel: &CancelToken) {
        self.contender.budget = self.contender.budget.clone().cancel(cancel);
    }

    /// Sets the budget of the next moves.
    pub fn spend(&mut self, budget: Budget) {
        self.contender.budget = budget;
    }

    /// Notifies the player of a move, whether its own or another player's.
    pub fn hear(&mut self, mv: &str) {
        if self.search.is_some() {
            self.news.push(mv.to_string());
        }
    }

    /// Drops the tree, because the next position does not follow from the last one.
    pub fn forget(&mut self) {
        self.search = None;
        self.news.clear();
    }

    /// Finds a move with a search executed by `run`. `position` must be the position after the
    /// moves passed to [`hear`](Player::hear).
    pub fn think(
        &mut self,
        position: &dyn Position,
        run: impl FnOnce(&mut dyn Searching, &Budget) -> Result<Answer, SearchError>,
    ) -> Result<Answer, Trouble> {
        let budget = self.contender.budget.clone();
        let answer = run(&mut **self.prepare(position)?, &budget)?;
        self.spent.moves += 1;
        self.spent.playouts += answer.playouts;
        self.spent.seconds += answer.elapsed.as_secs_f64();
        Ok(answer)
    }

    fn prepare(&mut self, position: &dyn Position) -> Result<&mut Box<dyn Searching>, Trouble> {
        let kept = self.search.take().filter(|_| self.contender.reuse);
        let news = std::mem::take(&mut self.news);
        let search = match kept {
            Some(mut search) => {
                news.iter().try_for_each(|mv| search.advance(mv))?;
                search
            }
            None => position.search(&self.contender.config)?,
        };
        Ok(self.search.insert(search))
    }
}

impl Seated {
    fn spent(self) -> Spent {
        match self {
            Seated::Engine(player) => player.spent,
            Seated::Program(_, spent) => spent,
            Seated::Absent => Spent::default(),
        }
    }
}

pub(super) struct GameTerms<'a> {
    pub rules: &'a dyn Rules,
    /// The number of the game, which determines its seeds.
    pub number: u64,
    pub seed: u64,
    /// The number of plies after which the game is a draw.
    pub max_plies: u32,
    pub cancel: &'a CancelToken,
}

/// Plays a game with `seats` as the players. Returns `None` if it was cancelled.
pub(super) fn play(
    opening: Opening,
    seats: &[Side<'_>],
    terms: &GameTerms<'_>,
) -> Result<Option<Played>, Trouble> {
    let seed = |seat: usize| {
        let stream = terms.number * seats.len() as u64 + seat as u64;
        seed_of(terms.seed, Stream::Search, stream)
    };
    let mut game = Game {
        seated: Vec::new(),
        dice: Rng::new(seed_of(terms.seed, Stream::Chance, terms.number)),
        position: opening.position.copy(),
        moves: opening.moves.clone(),
    };
    let mut ended = Ok(());
    for (seat, side) in seats.iter().enumerate() {
        let seated = match side {
            Side::Engine(contender) => {
                Seated::Engine(Box::new(Player::new(contender, seed(seat), terms.cancel)))
            }
            Side::Program(program) => {
                let begin = begin(&opening, terms.rules)?;
                let is_start = opening.start.is_none();
                let guest = program.sit(begin, is_start, terms.cancel);
                let told = guest.and_then(|mut guest| {
                    opening.moves.iter().try_for_each(|mv| guest.hear(mv, false))?;
                    Ok(guest)
                });
                match told {
                    Ok(guest) => Seated::Program(guest, Spent::default()),
                    Err(silent) => {
                        ended = ended.and(Err(silent));
                        Seated::Absent
                    }
                }
            }
        };
        game.seated.push(seated);
    }
    let forfeit = match ended.map_err(Ended::Silent).and_then(|()| game.run(terms)) {
        Ok(()) => None,
        Err(Ended::Failed(failure)) => return Err(failure),
        Err(Ended::Silent(Silent::Cancelled)) => return Ok(None),
        Err(Ended::Silent(Silent::Forfeit(reason) | Silent::WrongOption(reason))) => Some(reason),
    };
    let over = game.position.turn() == Turn::Over;
    Ok(Some(Played {
        moves: game.moves,
        payoffs: over.then(|| game.position.payoffs()),
        spent: game.seated.into_iter().map(Seated::spent).collect(),
        forfeit: forfeit.filter(|_| !over),
    }))
}

fn begin(opening: &Opening, rules: &dyn Rules) -> Result<Box<dyn Position>, Trouble> {
    match &opening.start {
        None => Ok(rules.start()),
        // The opening is a position without moves and has already been read.
        Some(_) if opening.moves.is_empty() => Ok(opening.position.copy()),
        Some(text) => rules.read(text).map_err(|error| Trouble::Failed(error.to_string())),
    }
}

struct Game {
    seated: Vec<Seated>,
    dice: Rng,
    position: Box<dyn Position>,
    moves: Vec<String>,
}

/// The reason why a game ended early: a player failed to move, or the engine failed.
enum Ended {
    Silent(Silent),
    Failed(Trouble),
}

impl From<Silent> for Ended {
    fn from(silent: Silent) -> Ended {
        Ended::Silent(silent)
    }
}

impl From<Trouble> for Ended {
    fn from(failure: Trouble) -> Ended {
        Ended::Failed(failure)
    }
}

impl Game {
    /// Plays until the game is over or has reached the maximum length.
    fn run(&mut self, terms: &GameTerms<'_>) -> Result<(), Ended> {
        while self.moves.len() < terms.max_plies as usize {
            let (mv, mover) = match self.position.turn() {
                Turn::Over => break,
                Turn::Chance => (self.position.play_random(&mut self.dice), None),
                Turn::Player(seat) => (self.turn_of(seat)?, Some(seat)),
            };
            self.moves.push(mv.clone());
            for (seat, seated) in self.seated.iter_mut().enumerate() {
                match seated {
                    Seated::Engine(player) => player.hear(&mv),
                    // If a program fails here after the last move, the result of the game stands.
                    Seated::Program(guest, _) => guest.hear(&mv, mover == Some(seat))?,
                    Seated::Absent => {}
                }
            }
        }
        Ok(())
    }

    fn turn_of(&mut self, seat: usize) -> Result<String, Ended> {
        match &mut self.seated[seat] {
            Seated::Engine(player) => {
                let answer = player.think(&*self.position, quietly)?;
                if answer.stop_reason == Some(StopReason::Cancelled) {
                    return Err(Silent::Cancelled.into());
                }
                let best = answer.best_move.unwrap_or_default();
                let played = self.position.play(&best);
                Ok(played.map_err(|error| Trouble::Failed(error.to_string()))?)
            }
            Seated::Program(guest, spent) => {
                let started = Instant::now();
                let mv = guest.think(seat)?;
                spent.seconds += started.elapsed().as_secs_f64();
                spent.playouts += guest.take_nodes();
                let played = self
                    .position
                    .play(&mv)
                    .map_err(|_| Silent::Forfeit(format!("illegal move {}", cut(&mv))))?;
                spent.moves += 1;
                Ok(played)
            }
            Seated::Absent => Err(Silent::Forfeit("the opponent is missing".into()).into()),
        }
    }
}

/// Runs a search without a progress line.
fn quietly(search: &mut dyn Searching, budget: &Budget) -> Result<Answer, SearchError> {
    search.start(budget)?;
    search.wait()
}

/// Returns the share of a game's one point that a seat receives. The players with the best payoff
/// split the point equally; if there are no payoffs, all players do. A draw between two players
/// gives each half a point.
pub(super) fn points(payoffs: Option<&[i32]>, players: usize, seat: usize) -> f64 {
    let Some(payoffs) = payoffs else { return 1.0 / players as f64 };
    let best = payoffs.iter().max();
    let winners = payoffs.iter().filter(|&payoff| Some(payoff) == best).count();
    if payoffs.get(seat) == best { 1.0 / winners as f64 } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_share_the_point() {
        assert_eq!(points(Some(&[1, -1]), 2, 0), 1.0);
        assert_eq!(points(Some(&[1, -1]), 2, 1), 0.0);
        assert_eq!(points(Some(&[0, 0]), 2, 1), 0.5);
        assert_eq!(points(Some(&[5, 5, -1]), 3, 0), 0.5);
        assert_eq!(points(Some(&[5, 5, -1]), 3, 2), 0.0);
        assert_eq!(points(None, 3, 2), 1.0 / 3.0);
    }
}
