//! Writes a plan as a file.
//!
//! The writer traverses the listing twice, first to count the references to each position and then
//! to write the entries. It never stores the whole listing in memory.

use super::format::{
    Claim, Entry, Header, Identity, LONGEST_HEADER, LONGEST_LINE, Root, sort_by_text,
};
use super::plan::{CertificateError, Mark, Oracle, Plan, plan, plan_bytes};
use super::read::digest_line;
use flate2::Compression;
use flate2::write::GzEncoder;
use hmac_sha256::Hash as Sha256;
use proofwood_game::contract::{key_after, root_key};
use proofwood_game::{Game, Turn};
use std::fmt::Display;
use std::io::Write;

/// Statistics about a written certificate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Written {
    /// The claims that the certificate proves.
    pub claims: Vec<Claim>,
    /// The number of position entries in the listing.
    pub positions: u64,
    /// The number of references to earlier positions.
    pub references: u64,
    /// The length of the certificate's text before compression, in bytes.
    pub bytes: u64,
    /// The peak memory of the largest plan of a proof, in bytes; see [`write()`].
    pub memory: u64,
}

/// Writes a certificate that proves `claims` about `root` in the game that `spec` describes. It
/// calls `oracle` to prove claims that are not known yet.
///
/// The position in `root` may have any spelling that the game can parse; the file contains the
/// game's own spelling.
///
/// For each claim the writer plans the whole proof before it writes a line. The plan takes 19 to 39
/// bytes for each different position of the proof, and half as much again while its table doubles:
/// at most 58 bytes. The writer descends without recursion; each position on the path also takes
/// memory for its state and its list of moves.
///
/// # Errors
/// If a claim is false, the oracle fails, memory runs out, the format cannot express the proof, or
/// the file cannot be written. The output written so far is then useless.
pub fn write<G: Game, W: Write>(
    game: &G,
    spec: &str,
    root: &Root,
    claims: &[Claim],
    oracle: &mut dyn Oracle<G>,
    mut out: W,
) -> Result<Written, CertificateError> {
    let root = root.spelled(game).map_err(CertificateError::Root)?;
    let state = root.find(game).map_err(CertificateError::Root)?;
    if claims.is_empty() {
        return Err(CertificateError::NoProof("no claim was given".into()));
    }
    let mut out = Out::new(&mut out);
    let header = Header { game: spec.into(), root, claims: claims.to_vec() };
    for line in header.lines() {
        out.line(line)?;
    }
    out.line("")?;
    if out.bytes > LONGEST_HEADER {
        let what = format!("the header is longer than {LONGEST_HEADER} bytes");
        return Err(CertificateError::Format(what));
    }
    let mut written = Written { claims: claims.to_vec(), ..Written::default() };
    for &claim in claims {
        let position = game.state_text(&state);
        write_proof(game, &state, claim, oracle, &mut out, &mut written)
            .map_err(|error| error.about(claim, &position))?;
    }
    out.line(format_args!("end {}", written.positions + written.references))?;
    written.bytes = out.finish()?;
    Ok(written)
}

fn write_proof<G: Game>(
    game: &G,
    root: &G::State,
    claim: Claim,
    oracle: &mut dyn Oracle<G>,
    out: &mut Out<'_>,
    written: &mut Written,
) -> Result<(), CertificateError> {
    if claim.player >= game.num_players() {
        return Err(CertificateError::NoProof("the game has no such player".into()));
    }
    let plan = plan(game, root, claim, oracle)?;
    written.memory = written.memory.max(plan_bytes(plan.len()));
    let mut listing = Listing { game, claim, plan, labels: 0, way: Vec::new() };
    listing.count(root, oracle)?;
    listing.write(root, oracle, out, written)
}

/// The compressed output, and the digest of the text.
struct Out<'w> {
    encoder: GzEncoder<&'w mut dyn Write>,
    digest: Sha256,
    line: Vec<u8>,
    bytes: u64,
}

impl<'w> Out<'w> {
    fn new(out: &'w mut dyn Write) -> Out<'w> {
        let encoder = GzEncoder::new(out, Compression::default());
        Out { encoder, digest: Sha256::new(), line: Vec::new(), bytes: 0 }
    }

    fn line(&mut self, text: impl Display) -> Result<(), CertificateError> {
        self.line.clear();
        writeln!(self.line, "{text}")?;
        self.end_line()
    }

    fn end_line(&mut self) -> Result<(), CertificateError> {
        let feeds = self.line.iter().filter(|&&byte| byte == b'\n').count();
        if feeds != 1 || self.line.len() > LONGEST_LINE + 1 {
            let what = "the text of a move or a position does not fit on one line";
            return Err(CertificateError::Format(what.into()));
        }
        self.digest.update(&self.line);
        self.encoder.write_all(&self.line)?;
        self.bytes += self.line.len() as u64;
        Ok(())
    }

    fn finish(mut self) -> Result<u64, CertificateError> {
        let digest = digest_line(std::mem::take(&mut self.digest));
        self.line(digest)?;
        self.encoder.finish()?.flush()?;
        Ok(self.bytes)
    }
}

/// A depth-first traversal of the proof of a claim.
struct Listing<'l, G: Game> {
    game: &'l G,
    claim: Claim,
    plan: Plan,
    labels: u32,
    way: Vec<ListedNode<G>>,
}

/// A position whose moves are being listed.
struct ListedNode<G: Game> {
    state: G::State,
    key: u64,
    /// The moves to list with their numbers, in reverse order.
    rest: Vec<(u16, G::Move)>,
}

impl<G: Game> Listing<'_, G> {
    fn count(
        &mut self,
        root: &G::State,
        oracle: &mut dyn Oracle<G>,
    ) -> Result<(), CertificateError> {
        let mut next = Some((root.clone(), root_key(self.game, root)));
        while let Some((state, key)) = next {
            check_stop(oracle)?;
            self.count_one(state, key)?;
            next = self.advance();
        }
        Ok(())
    }

    fn count_one(&mut self, state: G::State, key: u64) -> Result<(), CertificateError> {
        let turn = self.game.turn(&state);
        if turn == Turn::Over {
            return Ok(());
        }
        let choice = match self.plan.get_mut(&key) {
            Some(mark @ &mut Mark::Planned(choice)) => {
                *mark = Mark::Counted(choice, 0);
                choice
            }
            Some(Mark::Counted(choice, uses)) => {
                if Identity::of(self.game, &state).is_some() {
                    *uses = uses.checked_add(1).ok_or_else(|| {
                        CertificateError::Format("too many references to one position".into())
                    })?;
                    return Ok(());
                }
                *choice
            }
            _ => return Err(unplanned()),
        };
        self.push(state, key, turn, choice)
    }

    fn write(
        &mut self,
        root: &G::State,
        oracle: &mut dyn Oracle<G>,
        out: &mut Out<'_>,
        written: &mut Written,
    ) -> Result<(), CertificateError> {
        let mut next = Some((root.clone(), root_key(self.game, root)));
        while let Some((state, key)) = next {
            check_stop(oracle)?;
            self.write_one(state, key, out, written)?;
            next = self.advance();
        }
        Ok(())
    }

    fn write_one(
        &mut self,
        state: G::State,
        key: u64,
        out: &mut Out<'_>,
        written: &mut Written,
    ) -> Result<(), CertificateError> {
        let turn = self.game.turn(&state);
        if turn == Turn::Over {
            return Ok(());
        }
        let choice = match self.plan.get_mut(&key) {
            Some(Mark::Listed(label)) => {
                written.references += 1;
                return out.line(Entry::Same((*label).into()));
            }
            Some(&mut Mark::Counted(choice, 0)) => choice,
            Some(mark @ &mut Mark::Counted(choice, uses)) => {
                *mark = Mark::Listed(self.labels);
                self.labels = self.labels.checked_add(1).ok_or_else(|| {
                    CertificateError::Format("too many positions with references".into())
                })?;
                out.line(Entry::Label(uses.into()))?;
                choice
            }
            _ => return Err(unplanned()),
        };
        written.positions += 1;
        let favoured = self.claim.favours(turn);
        self.push(state, key, turn, choice)?;
        match self.way.last() {
            Some(ListedNode { state, rest, .. }) if favoured => {
                let text = self.game.move_text(state, rest[0].1);
                out.line(Entry::Choice(&text))
            }
            Some(ListedNode { rest, .. }) => out.line(Entry::All(rest.len() as u64)),
            None => Err(unplanned()),
        }
    }

    fn push(
        &mut self,
        state: G::State,
        key: u64,
        turn: Turn,
        choice: u16,
    ) -> Result<(), CertificateError> {
        let mut moves = Vec::new();
        self.game.legal_moves(&state, &mut moves);
        let numbered = moves.into_iter().enumerate();
        let mut rest: Vec<(u16, G::Move)> = numbered.map(|(at, mv)| (at as u16, mv)).collect();
        let chosen = rest.get(usize::from(choice)).copied();
        sort_by_text(self.game, &state, &mut rest, |(_, mv)| mv)
            .map_err(CertificateError::Format)?;
        rest.reverse();
        if self.claim.favours(turn) {
            rest = vec![chosen.ok_or_else(unplanned)?];
        }
        let wanted = (self.way.len() + 1) * size_of::<ListedNode<G>>();
        self.way.try_reserve(1).map_err(|_| CertificateError::Memory(wanted as u64))?;
        self.way.push(ListedNode { state, key, rest });
        Ok(())
    }

    fn advance(&mut self) -> Option<(G::State, u64)> {
        loop {
            let node = self.way.last_mut()?;
            if let Some((number, mv)) = node.rest.pop() {
                let state = self.game.after(&node.state, mv);
                let key = key_after(self.game, node.key, number.into(), &state);
                return Some((state, key));
            }
            self.way.pop();
        }
    }
}

fn unplanned() -> CertificateError {
    CertificateError::NoProof(
        "a position continues differently at its second visit: the game breaks its contract".into(),
    )
}

fn check_stop<G: Game>(oracle: &dyn Oracle<G>) -> Result<(), CertificateError> {
    match oracle.stopped() {
        true => Err(CertificateError::Stopped("interrupted".into())),
        false => Ok(()),
    }
}
