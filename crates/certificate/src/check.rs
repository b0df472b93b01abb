//! The checker, which verifies every line of a certificate against the rules.
//!
//! It uses only games and lines: no search, tables, floating-point numbers or threads. Claims that
//! it accepts are true if the rules are right, whichever program wrote them.

use super::checked::{Checked, CheckedClaim};
use super::format::{
    Claim, Entry, Identity, MOST_MOVES, Named, find_move, same_text, sort_by_text,
};
use super::memory::{CountedStack, Memory, entry_bytes, text_bytes};
use super::read::{Certificate, Lines};
use super::refusal::{Reason, Refusal};
use proofwood_game::{Game, Turn};
use std::collections::BTreeMap;
use std::io::BufRead;
use std::num::NonZeroU64;

impl<R: BufRead> Certificate<R> {
    /// Checks every line against the rules of `game`, which must be the game that
    /// [`game`](Certificate::game) describes. Call [`Checked::shows`] on the result to test whether
    /// it proves a claim about a position.
    ///
    /// # Errors
    /// If the file violates the format or the rules, or if the check exceeds its
    /// [limit](Certificate::memory) of memory. The error names the first fault.
    pub fn check<G: Game>(self, game: &G) -> Result<Checked, Refusal> {
        self.check_each(game, &mut |_| true)
    }

    /// Checks the file as [`check`](Certificate::check) does and calls `tell` with the entry of
    /// each verified position: claim by claim, depth first from the root, with a position's moves
    /// in the order of their texts. `tell` returns whether to continue. The claims are proven only
    /// if the whole file is accepted.
    ///
    /// # Errors
    /// The same as for [`check`](Certificate::check), and if `tell` returns `false`.
    pub fn check_each<G: Game>(
        self,
        game: &G,
        tell: &mut dyn FnMut(Listed<'_>) -> bool,
    ) -> Result<Checked, Refusal> {
        let Certificate { header, mut lines, mut memory } = self;
        memory.take(header.bytes())?;
        let root = header.root.find(game).map_err(|error| {
            Refusal::header(format!("the root is not a position of this game: {error}"))
        })?;
        let mut claims = Vec::new();
        for &claim in &header.claims {
            if claim.player >= game.num_players() {
                let reason = format!(
                    "the game has no player {}, whom the claim '{claim}' names",
                    claim.player
                );
                return Err(Refusal::header(reason));
            }
            let before = memory.used();
            let proof = Proof::new(game, &root, claim, &mut lines, &mut memory, tell);
            claims.push(proof.check()?);
            memory.give(memory.used() - before);
        }
        let entries: u64 = claims.iter().map(|proof| proof.positions + proof.references).sum();
        let end = format!("end {entries}");
        match lines.next().map_err(Refusal::file)? {
            Some(line) if line == end => {}
            Some(line) => {
                let line: String = line.chars().take(80).collect();
                return Err(Refusal::file(format!("expected '{end}', found '{line}'")));
            }
            None => return Err(Refusal::file(format!("the file ends before the line '{end}'"))),
        }
        let bytes = lines.bytes;
        lines.finish().map_err(Refusal::file)?;
        Ok(Checked {
            game: header.game,
            root: header.root,
            position: game.state_text(&root),
            claims,
            players: game.num_players(),
            zero_sum: game.zero_sum(),
            has_chance: game.has_chance(),
            bytes,
            memory: memory.most(),
            identity: Identity::of(game, &root),
        })
    }
}

/// A certificate's entry for a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Listed<'t> {
    /// The game is over, and the payoff fulfils the claim.
    Over,
    /// A move of the favoured side.
    Choice {
        /// The text of the move, as the game writes it.
        text: &'t str,
        /// Whether later entries may refer to this position.
        labelled: bool,
    },
    /// All legal moves of a position.
    All {
        /// The number of legal moves, whose entries follow.
        moves: usize,
        /// Whether later entries may refer to this position.
        labelled: bool,
    },
    /// A reference to the position with this label; labels count from 0 in each claim.
    Same(u64),
}

/// The state of the check of one claim's proof.
struct Proof<'c, G: Game, R> {
    game: &'c G,
    root: &'c G::State,
    claim: Claim,
    lines: &'c mut Lines<R>,
    memory: &'c mut Memory,
    /// The positions on the path from the root, whose moves are not all verified yet.
    way: CountedStack<CheckStep<G::Move>>,
    /// The positions on the path that have unread moves left.
    states: CountedStack<G::State>,
    /// The unread moves of these positions; the next move of the last position is on top.
    left: CountedStack<G::Move>,
    /// The keys of the positions on the path, with the number of positions for each key.
    hashes: BTreeMap<u64, u32>,
    /// The labelled positions with references still to come.
    labelled: BTreeMap<u64, Labelled>,
    labels: u64,
    found: CheckedClaim,
    moves: Vec<G::Move>,
    /// Receives each verified position, and returns whether to continue.
    tell: &'c mut dyn FnMut(Listed<'_>) -> bool,
}

/// A position on the path. States are large and paths can be long, so for a position without unread
/// moves only the last move is stored.
struct CheckStep<M> {
    mv: M,
    /// The number of the position's moves that follow `mv`.
    left: u32,
    /// The label plus 1, if the position has a label.
    label: Option<NonZeroU64>,
    /// The key, if the game has keys; 0 is stored as 1, which is harmless here.
    hash: Option<NonZeroU64>,
}

/// A labelled position, to which later entries may refer.
struct Labelled {
    identity: Identity,
    uses: u64,
    /// Whether everything below the position has been verified.
    complete: bool,
}

/// The number of bytes in memory for a label, without its text.
const LABEL_BYTES: u64 = entry_bytes::<u64, Labelled>();
/// The number of bytes in memory for the key of a position on the path.
const HASH_BYTES: u64 = entry_bytes::<u64, u32>();

impl<'c, G: Game, R: BufRead> Proof<'c, G, R> {
    fn new(
        game: &'c G,
        root: &'c G::State,
        claim: Claim,
        lines: &'c mut Lines<R>,
        memory: &'c mut Memory,
        tell: &'c mut dyn FnMut(Listed<'_>) -> bool,
    ) -> Self {
        Proof {
            game,
            root,
            claim,
            lines,
            memory,
            way: CountedStack::new(),
            states: CountedStack::new(),
            left: CountedStack::new(),
            hashes: BTreeMap::new(),
            labelled: BTreeMap::new(),
            labels: 0,
            found: CheckedClaim { claim, positions: 0, references: 0, endless: false },
            moves: Vec::new(),
            tell,
        }
    }

    fn check(mut self) -> Result<CheckedClaim, Refusal> {
        let mut next = Some(self.root.clone());
        while let Some(state) = next {
            match self.enter(&state) {
                Err(reason) => return Err(self.refuse(&state, &reason)),
                Ok(true) => self.states.push(state, self.memory)?,
                Ok(false) => {}
            }
            next = self.advance();
        }
        if let Some((label, labelled)) = self.labelled.first_key_value() {
            let reason = format!(
                "the proof of '{}' is complete, but the references to label {label} fall {} short \
                 of the announced number",
                self.claim, labelled.uses,
            );
            return Err(Refusal::new(reason));
        }
        Ok(self.found)
    }

    /// Enters a position and reads its entry; returns whether its moves follow.
    fn enter(&mut self, state: &G::State) -> Result<bool, Reason> {
        let game = self.game;
        let turn = game.turn(state);
        if turn == Turn::Over {
            let payoff = game.payoff(state, self.claim.player);
            if self.claim.is_kept_by(payoff) {
                return go_on((self.tell)(Listed::Over)).map(|()| false);
            }
            let player = self.claim.player;
            return Err(format!(
                "the game is over and pays player {player} {payoff}, which contradicts the claim"
            )
            .into());
        }
        self.moves.clear();
        game.legal_moves(state, &mut self.moves);
        let mut uses = None;
        let mut line = next_line(self.lines)?;
        if let Some(Entry::Label(announced)) = Entry::read(line) {
            uses = Some(announced);
            line = next_line(self.lines)?;
        }
        let labelled = uses.is_some();
        let favoured = self.claim.favours(turn);
        match Entry::read(line) {
            Some(Entry::Choice(text)) if favoured => {
                let chosen = match find_move(game, state, &self.moves, text) {
                    Named::One(mv) => mv,
                    Named::Several => return Err(same_text(text).into()),
                    Named::None => {
                        let text: String = text.chars().take(80).collect();
                        return Err(format!("'{text}' is not a legal move").into());
                    }
                };
                self.moves.clear();
                self.moves.push(chosen);
                go_on((self.tell)(Listed::Choice { text, labelled }))?;
            }
            Some(Entry::All(count)) if !favoured => {
                let legal = self.moves.len();
                // Without moves, the position would count as proven without a proof.
                if legal == 0 || legal > MOST_MOVES || legal as u64 != count {
                    let reason =
                        format!("there are {legal} legal moves, but the proof announces {count}");
                    return Err(reason.into());
                }
                sort_by_text(game, state, &mut self.moves, |mv| mv)?;
                go_on((self.tell)(Listed::All { moves: legal, labelled }))?;
            }
            Some(Entry::Same(label)) if uses.is_none() => {
                self.refer(state, label)?;
                return go_on((self.tell)(Listed::Same(label))).map(|()| false);
            }
            Some(Entry::Choice(_)) => {
                return Err("the proof gives one move where all moves are needed".into());
            }
            Some(Entry::All(_)) => return Err("a move of the favoured side is missing".into()),
            _ => {
                let line: String = line.chars().take(80).collect();
                return Err(format!("'{line}' does not prove the position").into());
            }
        }
        let hash = self.note_hash(state)?;
        let label = uses.map(|uses| self.label(state, uses)).transpose()?;
        self.found.positions += 1;
        // The move stored there is a placeholder: the first move replaces it.
        let mv = self.moves[0];
        self.way.push(CheckStep { mv, left: self.moves.len() as u32, label, hash }, self.memory)?;
        for &mv in self.moves.iter().rev() {
            self.left.push(mv, self.memory)?;
        }
        Ok(true)
    }

    /// Records a position on the path, and refuses one that the path already contains, because a
    /// proof never needs a repetition. An endless descent is therefore refused at its first
    /// repetition.
    fn note_hash(&mut self, state: &G::State) -> Result<Option<NonZeroU64>, Reason> {
        let Some(hash) = self.game.key(state) else { return Ok(None) };
        let hash = NonZeroU64::new(hash).unwrap_or(NonZeroU64::MIN);
        if self.hashes.contains_key(&hash.get()) {
            if self.is_on_the_way(state, hash) {
                return Err("the position occurs again below itself".into());
            }
        } else {
            self.memory.take(HASH_BYTES)?;
        }
        *self.hashes.entry(hash.get()).or_insert(0) += 1;
        Ok(Some(hash))
    }

    /// Returns whether the path contains the position `state`, whose key is `hash`.
    fn is_on_the_way(&self, state: &G::State, hash: NonZeroU64) -> bool {
        let identity = Identity::of(self.game, state);
        let mut at = self.root.clone();
        identity.is_some()
            && self.way.items().iter().any(|step| {
                let same = step.hash == Some(hash) && Identity::of(self.game, &at) == identity;
                self.game.play(&mut at, step.mv);
                same
            })
    }

    fn label(&mut self, state: &G::State, uses: u64) -> Result<NonZeroU64, Reason> {
        let identity = Identity::of(self.game, state)
            .ok_or("the position has a label, but this game does not identify positions")?;
        if uses == 0 {
            return Err("nothing refers to the label of this position".into());
        }
        self.memory.take(LABEL_BYTES + text_bytes(identity.text_len()))?;
        let label = self.labels;
        self.labels += 1;
        self.labelled.insert(label, Labelled { identity, uses, complete: false });
        Ok(NonZeroU64::MIN.saturating_add(label))
    }

    fn refer(&mut self, state: &G::State, label: u64) -> Result<(), Reason> {
        let labelled = self.labelled.get_mut(&label).ok_or_else(|| {
            format!("the entry refers to label {label}, which is not in use here")
        })?;
        if Identity::of(self.game, state).as_ref() != Some(&labelled.identity) {
            return Err(format!("this is not the position labelled {label}").into());
        }
        if !labelled.complete {
            if !self.claim.allows_circles() {
                let reason = format!("the proof is circular: label {label} is not proven yet");
                return Err(reason.into());
            }
            self.found.endless = true;
        }
        labelled.uses -= 1;
        if labelled.uses == 0 {
            self.memory.give(LABEL_BYTES + text_bytes(labelled.identity.text_len()));
            self.labelled.remove(&label);
        }
        self.found.references += 1;
        Ok(())
    }

    /// Removes positions without unread moves from the end of the path; returns the next position.
    fn advance(&mut self) -> Option<G::State> {
        loop {
            let step = self.way.last_mut()?;
            if step.left > 0 {
                step.left -= 1;
                step.mv = self.left.pop()?;
                let mut state = match step.left {
                    0 => self.states.pop()?,
                    _ => self.states.last()?.clone(),
                };
                self.game.play(&mut state, step.mv);
                return Some(state);
            }
            let step = self.way.pop()?;
            if let Some(label) = step.label
                && let Some(labelled) = self.labelled.get_mut(&(label.get() - 1))
            {
                labelled.complete = true;
            }
            if let Some(hash) = step.hash
                && let Some(count) = self.hashes.get_mut(&hash.get())
            {
                *count -= 1;
                if *count == 0 {
                    self.hashes.remove(&hash.get());
                    self.memory.give(HASH_BYTES);
                }
            }
        }
    }

    fn refuse(&self, state: &G::State, reason: &Reason) -> Refusal {
        const MOST: usize = 60;
        let way = self.way.items();
        let mut at = self.root.clone();
        let played = way.iter().take(MOST).map(|step| {
            let text = self.game.move_text(&at, step.mv);
            self.game.play(&mut at, step.mv);
            text
        });
        let mut moves: Vec<String> = played.collect();
        if way.len() > MOST {
            moves.push(format!("and {} more", way.len() - MOST));
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
        let claim = self.claim;
        let place = format!("in the proof of '{claim}', entry {entry}, {place}{position}");
        Refusal::proof(&place, reason)
    }
}

/// Returns an error if the callback stopped the check.
fn go_on(more: bool) -> Result<(), Reason> {
    if more { Ok(()) } else { Err("the check was stopped".into()) }
}

fn next_line<R: BufRead>(lines: &mut Lines<R>) -> Result<&str, String> {
    lines.next().map_err(|error| error.to_string())?.ok_or_else(|| "the file ends here".to_string())
}
