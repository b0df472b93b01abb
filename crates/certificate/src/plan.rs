//! Chooses the moves of a proof.
//!
//! A proof of an at-least claim needs more than a winning move for every position of the favoured
//! side: if positions can repeat, winning moves may form a cycle, which proves nothing. The plan
//! therefore orders positions. A position is *planned* if the favoured side is to move and has a
//! move to a planned position (or to a won end), or if the other side is to move and all its moves
//! lead to planned positions. A walk descends depth first from the root. A move may lead back to a
//! position on the walk's own path, which is not planned yet: the favoured side skips such a move
//! for now, and a position in which the other side has such a move is deferred. After the walk,
//! another one begins and uses the positions planned so far. Each walk plans at least one position:
//! among the deferred positions, the one nearest to its end has a move to a position nearer to the
//! end, planned in this walk or an earlier one. Without cycles one walk is enough.
//!
//! The proof of a below claim may contain cycles: a position on the path counts as planned, so one
//! walk is enough.
//!
//! The path is stored in a vector; without recursion, long games cannot overflow the stack.

use super::format::{Claim, Identity};
use proofwood_game::contract::{check_mobility, key_after, root_key};
use proofwood_game::{Game, GameError, TextError, Turn};
use std::collections::HashMap;
use std::error::Error;
use std::{fmt, io};

/// Provides known claims about positions and proves further ones.
///
/// A position's key is its [`Game::key`] or, if the game has no keys, a hash of the moves from the
/// certificate's root; equal keys mean equal positions. A result must be valid for the position on
/// every path to it.
pub trait Oracle<G: Game> {
    /// Returns whether the claim is true of this position, or `None` if a search is necessary.
    fn known(&mut self, claim: Claim, state: &G::State, key: u64) -> Option<bool>;

    /// Proves or refutes the claim for this position.
    ///
    /// # Errors
    /// If the oracle fails or is stopped.
    fn decide(
        &mut self,
        claim: Claim,
        state: &G::State,
        key: u64,
    ) -> Result<bool, CertificateError>;

    /// Returns whether to abandon the certificate. It is called often, so it should be fast.
    fn stopped(&self) -> bool {
        false
    }
}

/// The reason why a certificate could not be written.
#[derive(Debug)]
#[non_exhaustive]
pub enum CertificateError {
    /// The certificate's file cannot be written.
    Write(io::Error),
    /// The game broke the contract of [`Game`].
    Game(GameError),
    /// The oracle or its prover failed with this error.
    Asked(Box<dyn Error + Send + Sync>),
    /// A limit was reached, or the user interrupted the work.
    Stopped(String),
    /// The root is not a position of the game.
    Root(TextError),
    /// The root is not the position that was searched. Both texts are empty if the game has none.
    OtherRoot {
        /// The text of the certificate's root.
        root: String,
        /// The text of the position that was searched.
        searched: String,
    },
    /// The claim, or another one that it needs, is false according to the oracle.
    NoProof(String),
    /// The proof exceeds a limit of the format.
    Format(String),
    /// The plan of the proof, which needs this number of bytes, does not fit into memory.
    Memory(u64),
}

impl fmt::Display for CertificateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CertificateError::Write(what) => write!(f, "cannot write the certificate: {what}"),
            CertificateError::Game(what) => write!(f, "the game broke its contract: {what}"),
            CertificateError::Asked(what) => {
                write!(f, "cannot re-prove a position for the certificate: {what}")
            }
            CertificateError::Stopped(what) => {
                write!(f, "the certificate was not finished: {what}")
            }
            CertificateError::Root(what) => {
                write!(f, "the certificate's root cannot be reached: {what}")
            }
            CertificateError::OtherRoot { root, searched } => {
                write!(f, "the root is not the position that was searched{}", told(root, searched))
            }
            CertificateError::NoProof(what) => write!(f, "there is no proof to write: {what}"),
            CertificateError::Format(what) => {
                write!(f, "this cannot be written as a certificate: {what}")
            }
            CertificateError::Memory(what) => write!(
                f,
                "the plan for the certificate needs {what} bytes of memory, which cannot be \
                 allocated"
            ),
        }
    }
}

impl Error for CertificateError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            CertificateError::Write(error) => Some(error),
            CertificateError::Game(error) => Some(error),
            CertificateError::Asked(error) => Some(&**error),
            _ => None,
        }
    }
}

impl From<io::Error> for CertificateError {
    fn from(error: io::Error) -> CertificateError {
        CertificateError::Write(error)
    }
}

impl From<GameError> for CertificateError {
    fn from(error: GameError) -> CertificateError {
        CertificateError::Game(error)
    }
}

impl CertificateError {
    pub(super) fn about(self, claim: Claim, root: &str) -> CertificateError {
        let root = if root.is_empty() { "the root" } else { root };
        let about = |why: String| format!("for the claim '{claim}' about {root}: {why}");
        match self {
            CertificateError::NoProof(why) => CertificateError::NoProof(about(why)),
            CertificateError::Stopped(why) => CertificateError::Stopped(about(why)),
            CertificateError::Format(why) => CertificateError::Format(about(why)),
            other => other,
        }
    }
}

/// Describes the two positions of an error if their texts differ.
fn told(root: &str, searched: &str) -> String {
    match root == searched {
        true => String::new(),
        false => format!(": expected '{searched}', found '{root}'"),
    }
}

/// The plan for the positions of one claim, by key.
pub(super) type Plan = HashMap<u64, Mark>;

/// The state of a position in the plan. It takes 8 bytes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Mark {
    /// On the path from the root.
    Open,
    /// Deferred in the walk with this number.
    PutOff(u32),
    /// Planned, with the number of the chosen move if the favoured side is to move.
    Planned(u16),
    /// Planned, with the chosen move and the number of references to the position's entry.
    Counted(u16, u32),
    /// Listed in the file, with this label.
    Listed(u32),
}

const _: () = assert!(size_of::<Mark>() == 8);

/// The size in bytes of a plan with `positions` entries while it grows: a table of keys and marks
/// with one extra byte per slot and a load of at most 7/8, and the table of half that size that it
/// replaces.
pub(super) fn plan_bytes(positions: usize) -> u64 {
    let places = (positions as u64).saturating_mul(8).div_ceil(7).next_power_of_two();
    let place = (size_of::<(u64, Mark)>() + 1) as u64;
    (places + places / 2).saturating_mul(place)
}

/// A move number that means "no move chosen".
pub(super) const NO_CHOICE: u16 = u16::MAX;

pub(super) fn plan<G: Game>(
    game: &G,
    root: &G::State,
    claim: Claim,
    oracle: &mut dyn Oracle<G>,
) -> Result<Plan, CertificateError> {
    let (marks, way) = (Plan::new(), Vec::new());
    let mut planner = Planner { game, claim, oracle, marks, planned: 0, walk: 0, way };
    loop {
        let before = planner.planned;
        match planner.walk(root)? {
            MetInPlan::Good => return Ok(planner.marks),
            MetInPlan::PutOff if planner.planned > before => planner.walk += 1,
            MetInPlan::PutOff => return Err(planner.no_proof(root)),
        }
    }
}

struct Planner<'p, G: Game> {
    game: &'p G,
    claim: Claim,
    oracle: &'p mut dyn Oracle<G>,
    marks: Plan,
    planned: u64,
    /// The number of walks before this one.
    walk: u32,
    way: Vec<Visit<G>>,
}

/// A position on the path.
struct Visit<G: Game> {
    state: G::State,
    key: u64,
    favoured: bool,
    moves: Vec<G::Move>,
    /// The numbers of the moves to follow, in reverse order.
    rest: Vec<u16>,
    /// The number of moves in `rest` that the oracle must prove first; these are followed last.
    doubtful: usize,
    followed: u16,
}

/// The result of a descent into a position.
#[derive(Clone, Copy, PartialEq, Eq)]
enum MetInPlan {
    /// The proof may use the position.
    Good,
    /// The position is deferred in this walk.
    PutOff,
}

impl<G: Game> Planner<'_, G> {
    fn walk(&mut self, root: &G::State) -> Result<MetInPlan, CertificateError> {
        let mut news = self.enter(root.clone(), root_key(self.game, root))?;
        loop {
            let next = match self.way.last() {
                None => return Ok(news.unwrap_or(MetInPlan::PutOff)),
                Some(visit) if visit.favoured && news == Some(MetInPlan::Good) => None,
                Some(visit) if !visit.favoured && news == Some(MetInPlan::PutOff) => None,
                Some(_) => self.follow()?,
            };
            news = match next {
                Some((state, key)) => self.enter(state, key)?,
                None => self.leave(news)?,
            };
        }
    }

    /// Enters a position. Returns `None` if its moves must be followed first.
    fn enter(&mut self, state: G::State, key: u64) -> Result<Option<MetInPlan>, CertificateError> {
        if self.oracle.stopped() {
            return Err(CertificateError::Stopped("interrupted".into()));
        }
        let turn = self.game.turn(&state);
        if turn == Turn::Over {
            return match self.claim.is_kept_by(self.game.payoff(&state, self.claim.player)) {
                true => Ok(Some(MetInPlan::Good)),
                false => Err(self.no_proof(&state)),
            };
        }
        match self.marks.get(&key) {
            Some(Mark::Open) if !self.claim.allows_circles() => return Ok(Some(MetInPlan::PutOff)),
            Some(Mark::Open) if Identity::of(self.game, &state).is_some() => {
                return Ok(Some(MetInPlan::Good));
            }
            Some(Mark::Open) => {
                let what = "the proof relies on endless play, but this game's positions lack the \
                            text and key needed to refer to them";
                return Err(CertificateError::Format(what.into()));
            }
            Some(&Mark::PutOff(walk)) if walk == self.walk => return Ok(Some(MetInPlan::PutOff)),
            Some(Mark::PutOff(_)) | None => {}
            Some(Mark::Planned(_) | Mark::Counted(..) | Mark::Listed(_)) => {
                return Ok(Some(MetInPlan::Good));
            }
        }
        // The plan has a mark for each position, so it may exhaust the memory.
        let room = self.marks.try_reserve(1).and_then(|()| self.way.try_reserve(1));
        room.map_err(|why| {
            let planned = self.marks.len();
            CertificateError::Stopped(format!("out of memory after {planned} positions: {why}"))
        })?;
        let mut moves = Vec::new();
        self.game.legal_moves(&state, &mut moves);
        check_mobility(moves.len())?;
        let favoured = self.claim.favours(turn);
        let numbers = 0..moves.len() as u16;
        let mut visit = Visit {
            state,
            key,
            favoured,
            moves,
            rest: if favoured { Vec::new() } else { numbers.rev().collect() },
            doubtful: 0,
            followed: NO_CHOICE,
        };
        if favoured && let Some(choice) = self.sort_out(&mut visit)? {
            self.set_planned(key, choice)?;
            return Ok(Some(MetInPlan::Good));
        }
        self.mark(key, Mark::Open)?;
        let wanted = (self.way.len() + 1) * size_of::<Visit<G>>();
        self.way.try_reserve(1).map_err(|_| CertificateError::Memory(wanted as u64))?;
        self.way.push(visit);
        Ok(None)
    }

    /// Classifies the moves of the favoured side. Returns a move that needs no further proof, or
    /// else stores the moves to follow in `visit`.
    fn sort_out(&mut self, visit: &mut Visit<G>) -> Result<Option<u16>, CertificateError> {
        let (mut known, mut doubtful) = (Vec::new(), Vec::new());
        let mut circle = None;
        for number in 0..visit.moves.len() as u16 {
            let (child, key) = self.child(visit, number);
            if self.game.turn(&child) == Turn::Over {
                if self.claim.is_kept_by(self.game.payoff(&child, self.claim.player)) {
                    return Ok(Some(number));
                }
                continue;
            }
            match self.marks.get(&key) {
                Some(Mark::Planned(_) | Mark::Counted(..) | Mark::Listed(_)) => {
                    return Ok(Some(number));
                }
                Some(Mark::Open) => {
                    let serves =
                        self.claim.allows_circles() && Identity::of(self.game, &child).is_some();
                    circle = circle.or(serves.then_some(number));
                }
                Some(&Mark::PutOff(walk)) if walk == self.walk => {}
                Some(Mark::PutOff(_)) | None => match self.oracle.known(self.claim, &child, key) {
                    Some(true) => known.push(number),
                    Some(false) => {}
                    None => doubtful.push(number),
                },
            }
        }
        if circle.is_some() {
            return Ok(circle);
        }
        if known.is_empty() && !doubtful.is_empty() {
            // A search of this position usually proves one of its moves, too.
            if !self.oracle.decide(self.claim, &visit.state, visit.key)? {
                return Err(self.no_proof(&visit.state));
            }
            let mut still = Vec::new();
            for number in doubtful {
                let (child, key) = self.child(visit, number);
                match self.oracle.known(self.claim, &child, key) {
                    Some(true) => known.push(number),
                    Some(false) => {}
                    None => still.push(number),
                }
            }
            doubtful = still;
        }
        visit.doubtful = doubtful.len();
        visit.rest = doubtful.into_iter().rev().chain(known.into_iter().rev()).collect();
        Ok(None)
    }

    fn child(&self, visit: &Visit<G>, number: u16) -> (G::State, u64) {
        let child = self.game.after(&visit.state, visit.moves[usize::from(number)]);
        let key = key_after(self.game, visit.key, number.into(), &child);
        (child, key)
    }

    /// Returns the next child to enter from the last position of the path.
    fn follow(&mut self) -> Result<Option<(G::State, u64)>, CertificateError> {
        loop {
            let Some(visit) = self.way.last_mut() else { return Ok(None) };
            let Some(number) = visit.rest.pop() else { return Ok(None) };
            visit.followed = number;
            let ask = visit.rest.len() < visit.doubtful;
            let visit = &self.way[self.way.len() - 1];
            let (child, key) = self.child(visit, number);
            if !ask || self.oracle.decide(self.claim, &child, key)? {
                return Ok(Some((child, key)));
            }
        }
    }

    /// Removes the last position of the path; `news` is the result of its last move.
    fn leave(&mut self, news: Option<MetInPlan>) -> Result<Option<MetInPlan>, CertificateError> {
        let Some(visit) = self.way.pop() else { return Ok(None) };
        let good = match (visit.favoured, news) {
            (true, news) => news == Some(MetInPlan::Good),
            (false, news) => news != Some(MetInPlan::PutOff),
        };
        if good {
            let choice = if visit.favoured { visit.followed } else { NO_CHOICE };
            self.set_planned(visit.key, choice)?;
            return Ok(Some(MetInPlan::Good));
        }
        self.mark(visit.key, Mark::PutOff(self.walk))?;
        Ok(Some(MetInPlan::PutOff))
    }

    fn set_planned(&mut self, key: u64, choice: u16) -> Result<(), CertificateError> {
        self.mark(key, Mark::Planned(choice))?;
        self.planned += 1;
        Ok(())
    }

    fn mark(&mut self, key: u64, mark: Mark) -> Result<(), CertificateError> {
        let wanted = plan_bytes(self.marks.len() + 1);
        self.marks.try_reserve(1).map_err(|_| CertificateError::Memory(wanted))?;
        self.marks.insert(key, mark);
        Ok(())
    }

    fn no_proof(&self, state: &G::State) -> CertificateError {
        let place = match self.game.state_text(state) {
            text if text.is_empty() => " at a position below the root".into(),
            text => format!(" at {text}"),
        };
        CertificateError::NoProof(format!("the claim is not proven{place}"))
    }
}
