//! The checker: every line of a certificate held against the rules.
//!
//! It knows games, lines and nothing else: no search, no table, no floats, no
//! threads. What it accepts is true if the rules are right, whoever wrote the
//! file.

use super::format::{Claim, Entry, Identity, Root, moves_by_text};
use super::read::{Certificate, Lines};
use crate::game::{Game, Turn};
use std::collections::HashMap;
use std::fmt::Display;
use std::io::BufRead;

/// Why a certificate is refused: one line, with the first place where it fails.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the certificate is refused: {reason}")]
pub struct Refusal {
    reason: String,
}

impl Refusal {
    fn new(reason: impl Display) -> Refusal {
        // What is quoted from the file may hold anything.
        let mut reason = reason.to_string();
        reason.retain(|c| !c.is_control());
        Refusal { reason }
    }

    /// A refusal before the first proof.
    pub(super) fn header(reason: impl Display) -> Refusal {
        Refusal::new(reason)
    }

    /// A refusal of the file as a whole.
    fn file(reason: impl Display) -> Refusal {
        Refusal::new(format!("after the proofs: {reason}"))
    }
}

/// A certificate that has been checked: its claims are true.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Checked {
    /// The game, as the certificate describes it.
    pub game: String,
    /// How the root is reached.
    pub root: Root,
    /// The root in the game's text form; empty where the game has none.
    pub position: String,
    /// What was shown about the root.
    pub claims: Vec<CheckedClaim>,
    /// Bytes of the text before compression.
    pub bytes: u64,
}

/// A claim that was shown to be true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CheckedClaim {
    /// The claim.
    pub claim: Claim,
    /// Positions in the listing, each time one is listed.
    pub positions: u64,
    /// References to positions listed before.
    pub references: u64,
    /// The others hold the player by endless play, somewhere at least.
    pub endless: bool,
}

impl<R: BufRead> Certificate<R> {
    /// Checks every line against the rules of `game`, which must be the one
    /// that [`game`](Certificate::game) describes.
    ///
    /// # Errors
    /// When anything in the file is not as the format and the rules want it,
    /// with the first position where it is not.
    pub fn check<G: Game>(self, game: &G) -> Result<Checked, Refusal> {
        let Certificate { header, mut lines } = self;
        let root = header.root.find(game).map_err(|error| {
            Refusal::header(format!("its root is no position of this game: {error}"))
        })?;
        let mut claims = Vec::new();
        for &claim in &header.claims {
            if claim.player >= game.num_players() {
                let reason = format!("the game has no player {} as in '{claim}'", claim.player);
                return Err(Refusal::header(reason));
            }
            claims.push(Proof::new(game, claim, &mut lines).check(root.clone())?);
        }
        let entries: u64 = claims.iter().map(|proof| proof.positions + proof.references).sum();
        let end = format!("end {entries}");
        match lines.next().map_err(Refusal::file)? {
            Some(line) if line == end => {}
            Some(line) => {
                let line: String = line.chars().take(80).collect();
                return Err(Refusal::file(format!("'{line}' stands where '{end}' should")));
            }
            None => return Err(Refusal::file("the file ends early")),
        }
        let bytes = lines.bytes;
        lines.finish().map_err(Refusal::file)?;
        let position = game.state_text(&root);
        Ok(Checked { game: header.game, root: header.root, position, claims, bytes })
    }
}

/// The proof of one claim, as far as it has been read.
struct Proof<'c, G: Game, R> {
    game: &'c G,
    claim: Claim,
    lines: &'c mut Lines<R>,
    /// The positions from the root to here whose moves are not all shown yet.
    way: Vec<Node<G>>,
    /// The labelled positions to which references are still to come.
    labelled: HashMap<u64, Labelled>,
    labels: u64,
    found: CheckedClaim,
    moves: Vec<G::Move>,
}

/// A position whose moves are being shown.
struct Node<G: Game> {
    state: G::State,
    /// The one move of the favoured side, or all moves of the others.
    moves: Vec<G::Move>,
    shown: usize,
    label: Option<u64>,
}

/// A position that can be referred to.
struct Labelled {
    identity: Identity,
    /// References that are to come.
    uses: u64,
    /// Everything below it has been shown.
    complete: bool,
}

impl<'c, G: Game, R: BufRead> Proof<'c, G, R> {
    fn new(game: &'c G, claim: Claim, lines: &'c mut Lines<R>) -> Self {
        let found = CheckedClaim { claim, positions: 0, references: 0, endless: false };
        Proof {
            game,
            claim,
            lines,
            way: Vec::new(),
            labelled: HashMap::new(),
            labels: 0,
            found,
            moves: Vec::new(),
        }
    }

    /// Goes through the listing, depth first.
    fn check(mut self, root: G::State) -> Result<CheckedClaim, Refusal> {
        let mut next = Some(root);
        while let Some(state) = next {
            self.enter(&state).map_err(|reason| self.refuse(&state, reason))?;
            next = self.advance();
        }
        if let Some((label, labelled)) = self.labelled.iter().min_by_key(|(label, _)| **label) {
            let reason = format!(
                "the proof of '{}' is complete, but {} more references to label {label} should come",
                self.claim, labelled.uses,
            );
            return Err(Refusal::new(reason));
        }
        Ok(self.found)
    }

    /// Comes to a position, and reads what the certificate says of it.
    fn enter(&mut self, state: &G::State) -> Result<(), String> {
        let game = self.game;
        let turn = game.turn(state);
        if turn == Turn::Over {
            let payoff = game.payoff(state, self.claim.player);
            return match self.claim.is_kept_by(payoff) {
                true => Ok(()),
                false => {
                    Err(format!("the game is over and pays player {} {payoff}", self.claim.player))
                }
            };
        }
        self.moves.clear();
        game.legal_moves(state, &mut self.moves);
        let mut uses = None;
        let mut line = next_line(self.lines)?;
        if let Some(Entry::Label(announced)) = Entry::read(line) {
            uses = Some(announced);
            line = next_line(self.lines)?;
        }
        let favoured = self.claim.favours(turn);
        let moves = match Entry::read(line) {
            Some(Entry::Choice(text)) if favoured => {
                let chosen = self.moves.iter().find(|&&mv| game.move_text(state, mv) == text);
                vec![*chosen.ok_or_else(|| {
                    let text: String = text.chars().take(80).collect();
                    format!("'{text}' is not a legal move")
                })?]
            }
            Some(Entry::All(count)) if !favoured => {
                // A position without moves would be proven by nothing.
                if self.moves.is_empty() || self.moves.len() as u64 != count {
                    let legal = self.moves.len();
                    return Err(format!("there are {legal} legal moves, and {count} are shown"));
                }
                moves_by_text(game, state, &mut self.moves);
                self.moves.clone()
            }
            Some(Entry::Same(label)) if uses.is_none() => return self.refer(state, label),
            Some(Entry::Choice(_)) => {
                return Err("one move is shown where all are needed".into());
            }
            Some(Entry::All(_)) => return Err("a move of the favoured side is missing".into()),
            _ => {
                let line: String = line.chars().take(80).collect();
                return Err(format!("'{line}' says nothing about it"));
            }
        };
        self.found.positions += 1;
        let label = uses.map(|uses| self.label(state, uses)).transpose()?;
        self.way.push(Node { state: state.clone(), moves, shown: 0, label });
        Ok(())
    }

    /// Gives a position the next label.
    fn label(&mut self, state: &G::State, uses: u64) -> Result<u64, String> {
        let identity = Identity::of(self.game, state)
            .ok_or("it has a label, but this game does not identify positions")?;
        if uses == 0 {
            return Err("it has a label to which nothing refers".into());
        }
        let label = self.labels;
        self.labels += 1;
        self.labelled.insert(label, Labelled { identity, uses, complete: false });
        Ok(label)
    }

    /// Holds a position against the one that it is said to be.
    fn refer(&mut self, state: &G::State, label: u64) -> Result<(), String> {
        let labelled = self
            .labelled
            .get_mut(&label)
            .ok_or_else(|| format!("it refers to label {label}, which nobody expects here"))?;
        if Identity::of(self.game, state).as_ref() != Some(&labelled.identity) {
            return Err(format!("it is not the position of label {label}"));
        }
        if !labelled.complete {
            if !self.claim.allows_circles() {
                return Err(format!("it rests on itself: label {label} is not proven yet"));
            }
            self.found.endless = true;
        }
        labelled.uses -= 1;
        if labelled.uses == 0 {
            self.labelled.remove(&label);
        }
        self.found.references += 1;
        Ok(())
    }

    /// Completes what has no move left to show; answers the next position.
    fn advance(&mut self) -> Option<G::State> {
        loop {
            let node = self.way.last_mut()?;
            if let Some(&mv) = node.moves.get(node.shown) {
                node.shown += 1;
                return Some(self.game.after(&node.state, mv));
            }
            if let Some(label) = node.label
                && let Some(labelled) = self.labelled.get_mut(&label)
            {
                labelled.complete = true;
            }
            self.way.pop();
        }
    }

    /// The refusal of a position, with the way that leads to it.
    fn refuse(&self, state: &G::State, reason: String) -> Refusal {
        const MOST: usize = 60;
        let played = |node: &Node<G>| self.game.move_text(&node.state, node.moves[node.shown - 1]);
        let mut moves: Vec<String> = self.way.iter().take(MOST).map(played).collect();
        if self.way.len() > MOST {
            moves.push(format!("and {} more", self.way.len() - MOST));
        }
        let place = match moves.is_empty() {
            true => "at the root".to_string(),
            false => format!("after {}", moves.join(" ")),
        };
        let position = match self.game.state_text(state) {
            text if text.is_empty() => String::new(),
            text => format!(", at {text}"),
        };
        let entry = self.found.positions + self.found.references + 1;
        Refusal::new(format!(
            "in the proof of '{}', entry {entry}, {place}{position}: {reason}",
            self.claim
        ))
    }
}

/// The next line of a proof.
fn next_line<R: BufRead>(lines: &mut Lines<R>) -> Result<&str, String> {
    lines.next().map_err(|error| error.to_string())?.ok_or_else(|| "the file ends here".to_string())
}
