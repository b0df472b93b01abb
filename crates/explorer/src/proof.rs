//! Checks certificates against the rules, and walks through them.

use crate::listing::{Listing, MOST, Shown};
use crate::place::{Place, PlaceJson, find};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use proofwood::certificate::{Certificate, CheckedClaim, Promise};
use proofwood::{Outcome, Turn};
use proofwood_any_game::query::{Moves, Walk, Where, Wrong};
use proofwood_any_game::{ClaimAnswer, Rules};
use serde::Serialize;
use std::io::{BufRead, Cursor};

/// The memory limit of a check, not counting the listing.
const MEMORY: u64 = if cfg!(target_family = "wasm") { 512 << 20 } else { 4 << 30 };
/// The number of entries between two progress reports.
const TELL_EVERY: u64 = 1 << 12;

pub(crate) struct Proof {
    game: String,
    root: Where,
    claims: Vec<ClaimJson>,
    listing: Listing,
}

#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct OpenedJson {
    accepted: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    game: String,
    position: Option<String>,
    root: RootJson,
    claims: Vec<ClaimJson>,
    entries: u64,
    bytes: usize,
    /// The reason why the certificate cannot be walked through, if it is too large.
    #[serde(skip_serializing_if = "Option::is_none")]
    too_large: Option<String>,
}

#[derive(Clone, Debug, Default, Serialize)]
struct RootJson {
    position: Option<String>,
    moves: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
struct ClaimJson {
    text: String,
    #[serde(flatten)]
    claim: ClaimAnswer,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct WalkJson {
    #[serde(flatten)]
    place: PlaceJson,
    claim: String,
    answer: Option<String>,
    /// The moves of the other side, all of which the proof answers.
    replies: Vec<ReplyJson>,
    /// The number of certificate entries below this position.
    left: u32,
}

#[derive(Clone, Debug, Serialize)]
struct ReplyJson {
    #[serde(rename = "move")]
    text: String,
    left: u32,
}

/// Checks a certificate in base64. `tell` receives the number of entries read, and returns whether
/// to continue. Returns the result, and the proof if it was accepted and can be walked through.
pub(crate) fn open(
    text: &str,
    tell: &mut dyn FnMut(u64) -> bool,
) -> Result<(OpenedJson, Option<Proof>), Wrong> {
    let bytes = STANDARD
        .decode(text.trim())
        .map_err(|error| Wrong::new(format!("the certificate is not valid base64: {error}")))?;
    let size = bytes.len();
    let input: Box<dyn BufRead> = Box::new(Cursor::new(bytes));
    let mut opened = OpenedJson { bytes: size, ..OpenedJson::default() };
    let certificate = match Certificate::open(input) {
        Ok(certificate) => certificate.memory(MEMORY),
        Err(refusal) => {
            opened.reason = Some(Wrong::new(refusal).to_string());
            return Ok((opened, None));
        }
    };
    let game = certificate.game().to_string();
    let (game, rules) = find(&game)
        .map_err(|wrong| Wrong::new(format!("the certificate names an invalid game: {wrong}")))?;
    let root = certificate.root();
    opened.root = RootJson { position: root.position.clone(), moves: root.moves.clone() };
    opened.game.clone_from(&game);
    let (mut listing, mut entries) = (Listing::default(), 0u64);
    let checked = rules.check_each(certificate, &mut |listed| {
        listing.take(listed);
        entries += 1;
        !entries.is_multiple_of(TELL_EVERY) || tell(entries)
    });
    opened.entries = entries;
    let checked = match checked {
        Ok(checked) => checked,
        Err(refusal) if refusal.lacks_memory() => return Err(Wrong::new(refusal)),
        Err(refusal) => {
            opened.reason = Some(Wrong::new(refusal).to_string());
            return Ok((opened, None));
        }
    };
    opened.accepted = true;
    opened.entries = checked.claims.iter().map(|claim| claim.positions + claim.references).sum();
    opened.position = Some(checked.position).filter(|text| !text.is_empty());
    opened.claims = checked.claims.iter().map(|claim| ClaimJson::new(&*rules, claim)).collect();
    if listing.is_too_large() {
        opened.too_large = Some(format!(
            "the certificate was checked, but it is too large to walk through here: it lists more \
             than {MOST} positions"
        ));
        return Ok((opened, None));
    }
    let RootJson { position, moves } = opened.root.clone();
    let root = Where { game: Some(game.clone()), position, moves: Moves::List(moves) };
    let claims = opened.claims.clone();
    Ok((opened, Some(Proof { game, root, claims, listing })))
}

impl ClaimJson {
    fn new(rules: &dyn Rules, checked: &CheckedClaim) -> ClaimJson {
        ClaimJson { text: in_words(rules, checked), claim: checked.into() }
    }
}

fn in_words(rules: &dyn Rules, checked: &CheckedClaim) -> String {
    let player = checked.claim.player;
    let names = rules.player_names();
    let name = names.get(player).map_or("the player", String::as_str);
    let [win, draw] = [Outcome::Win, Outcome::Draw].map(|good| rules.threshold(player, good));
    let others = if rules.players() > 2 { "the others together" } else { "the other side" };
    let endless = if checked.endless { ", if only by endless play" } else { "" };
    match checked.claim.promise {
        Promise::AtLeast(payoff) => match () {
            () if win == Some(payoff) => format!("{name} can force a win"),
            () if draw == Some(payoff) => format!("{name} can force a draw"),
            () => format!("{name} can secure {payoff} or more"),
        },
        Promise::Below(payoff) => match () {
            () if draw == Some(payoff) => format!("{name} loses against best play{endless}"),
            () if win == Some(payoff) => format!("{others} can keep {name} from winning{endless}"),
            () => format!("{others} can hold {name} below {payoff}{endless}"),
        },
    }
}

impl Proof {
    /// Returns the position in a claim's proof after the moves of a path.
    pub(crate) fn walk(&self, asked: &Walk) -> Result<WalkJson, Wrong> {
        let number = asked.claim;
        let (Some(mut node), Some(claim)) = (self.listing.claim(number), self.claims.get(number))
        else {
            let last = self.claims.len().saturating_sub(1);
            return Err(Wrong::new(format!(
                "the certificate has no claim {number}; claims are numbered 0 to {last}"
            )));
        };
        let mut place = Place::find(&self.root)?;
        for text in &asked.path {
            let replies = self.replies(&place, node)?;
            let reply = replies.iter().position(|reply| reply.text == *text).ok_or_else(|| {
                let at = place.played.join(" ");
                let wrong = match self.listing.shown(node) {
                    Shown::Over => "the game is over at this point".to_string(),
                    Shown::Choice(answer) => format!("the proof plays {answer} here"),
                    Shown::All => "it is not a legal move here".to_string(),
                };
                let short: String = text.chars().take(40).collect();
                Wrong::new(match at.is_empty() {
                    true => format!("there is no '{short}' at the root: {wrong}"),
                    false => format!("there is no '{short}' after {at}: {wrong}"),
                })
            })?;
            node = self.listing.after(node, reply);
            place.play(text)?;
            match place.played.last() {
                Some(written) if written != text => {
                    return Err(Wrong::new(format!(
                        "the move text '{text}' is read back as {written}"
                    )));
                }
                _ => {}
            }
        }
        let answer = match self.listing.shown(node) {
            Shown::Choice(answer) => Some(answer.to_string()),
            _ => None,
        };
        let replies = self.replies(&place, node)?;
        Ok(WalkJson {
            place: place.view(),
            claim: claim.text.clone(),
            replies: if answer.is_some() { Vec::new() } else { replies },
            answer,
            left: self.listing.left(node),
        })
    }

    /// Returns the moves with which the proof continues, sorted by text as in the certificate.
    fn replies(&self, place: &Place, node: usize) -> Result<Vec<ReplyJson>, Wrong> {
        let texts = match self.listing.shown(node) {
            Shown::Over => Vec::new(),
            Shown::Choice(answer) => vec![answer.to_string()],
            Shown::All => {
                if place.position.turn() == Turn::Over {
                    return Err(Wrong::new(format!(
                        "{}: by the rules, the game is over here",
                        self.game
                    )));
                }
                let mut texts = place.position.view().legal_moves;
                texts.sort_unstable();
                texts
            }
        };
        let children: Vec<usize> = self.listing.children(node, texts.len()).collect();
        let replies = texts.into_iter().zip(children);
        Ok(replies
            .map(|(text, child)| ReplyJson { text, left: self.listing.left(child) })
            .collect())
    }
}
