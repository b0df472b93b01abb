//! A second checker, written only from the page about the format. It shares no code with the
//! library's checker.
//!
//! It stores all labels and all texts on the path, and descends recursively.

use super::page;
use flate2::bufread::GzDecoder;
use proofwood::{Game, TextError, Turn};
use sha2::{Digest, Sha256};
use std::io::Read;
use std::str::Split;

/// A proven claim: the player, whether it is an at-least claim, the payoff, and whether the proof
/// uses endless play.
pub type Shown = (usize, bool, i32, bool);

/// Checks a compressed certificate; returns the proven claims.
pub fn check<G: Game>(game: &G, file: &[u8]) -> Result<Vec<Shown>, String> {
    let mut rest = file;
    let mut bytes = Vec::new();
    GzDecoder::new(&mut rest).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    if !rest.is_empty() {
        return Err("something follows".into());
    }
    let text = String::from_utf8(bytes).map_err(|error| error.to_string())?;
    check_text(game, &text)
}

fn check_text<G: Game>(game: &G, text: &str) -> Result<Vec<Shown>, String> {
    let text = text.strip_suffix('\n').ok_or("it ends within a line")?;
    let (body, digest) = text.rsplit_once('\n').ok_or("one line")?;
    let body = format!("{body}\n");
    let sum: String =
        Sha256::digest(body.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
    if digest != format!("sha256 {sum}") {
        return Err("the digest".into());
    }
    let longest = page::limit("a line");
    if text.split('\n').any(|line| line.len() > longest) {
        return Err("a long line".into());
    }
    let header = body.find("\n\n").ok_or("no empty line")? + 2;
    if header > page::limit("the header") {
        return Err("a long header".into());
    }
    let mut lines = body[..header - 2].split('\n').peekable();
    if lines.next() != Some("proofwood-certificate 1") {
        return Err("the first line".into());
    }
    lines.next().and_then(|line| line.strip_prefix("game ")).ok_or("no game")?;
    let wrong = |error: TextError| error.to_string();
    let position = lines.peek().and_then(|line| line.strip_prefix("position "));
    let mut root = match position {
        Some(text) => game.parse_state(text).map_err(wrong)?,
        None => game.initial_state(),
    };
    lines.next_if(|_| position.is_some());
    while let Some(text) = lines.peek().and_then(|line| line.strip_prefix("move ")) {
        let mv = only(game, &root, text)?;
        game.play(&mut root, mv);
        lines.next();
    }
    let claims: Vec<(usize, bool, i32)> = lines.map(claim).collect::<Result<_, _>>()?;
    if claims.is_empty() {
        return Err("no claim".into());
    }
    let mut entries = 0;
    let mut lines = body[header..].strip_suffix('\n').ok_or("no end")?.split('\n');
    let mut shown = Vec::new();
    for (player, at_least, payoff) in claims {
        if player >= game.num_players() {
            return Err("no such player".into());
        }
        let identifies = game.key(&root).is_some() && !game.state_text(&root).is_empty();
        let mut proof = Proof {
            game,
            claim: (player, at_least, payoff),
            lines: &mut lines,
            identifies,
            labels: Vec::new(),
            way: Vec::new(),
            entries: 0,
            endless: false,
        };
        proof.show(&root)?;
        if proof.labels.iter().any(|label| label.left > 0) {
            return Err("references are missing".into());
        }
        entries += proof.entries;
        shown.push((player, at_least, payoff, proof.endless));
    }
    let end = lines.next().and_then(|line| line.strip_prefix("end ")).ok_or("no end")?;
    if number(end, 'E')? != i128::from(entries) || lines.next().is_some() {
        return Err("the end".into());
    }
    Ok(shown)
}

/// Parses a number in the page's range for `letter`.
fn number(text: &str, letter: char) -> Result<i128, String> {
    let (least, most) = page::range(letter);
    let digits = if least < 0 { text.strip_prefix('-').unwrap_or(text) } else { text };
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let zeros = digits.starts_with('0') && text != "0";
    let number: i128 = text.parse().map_err(|_| format!("'{text}' is no number"))?;
    match plain && !zeros && (least..=most).contains(&number) {
        true => Ok(number),
        false => Err(format!("'{text}' cannot stand for {letter}")),
    }
}

fn claim(line: &str) -> Result<(usize, bool, i32), String> {
    let words: Vec<&str> = line.split(' ').collect();
    let ["claim", player, kind, payoff] = words[..] else { return Err(line.into()) };
    let at_least = match kind {
        "at-least" => true,
        "below" => false,
        _ => return Err(line.into()),
    };
    Ok((number(player, 'P')? as usize, at_least, number(payoff, 'T')? as i32))
}

/// Returns the legal moves in the order of their texts, or an error if two texts are equal.
fn legal<G: Game>(game: &G, state: &G::State) -> Result<Vec<(String, G::Move)>, String> {
    let mut moves = Vec::new();
    if game.turn(state) != Turn::Over {
        game.legal_moves(state, &mut moves);
    }
    let mut moves: Vec<_> = moves.iter().map(|&mv| (game.move_text(state, mv), mv)).collect();
    moves.sort_by(|one, other| one.0.as_bytes().cmp(other.0.as_bytes()));
    match moves.windows(2).any(|pair| pair[0].0 == pair[1].0) {
        true => Err("two moves have one text".into()),
        false => Ok(moves),
    }
}

/// Returns the legal move with the given text, or an error unless there is exactly one.
fn only<G: Game>(game: &G, state: &G::State, text: &str) -> Result<G::Move, String> {
    let mut found = Vec::new();
    let mut moves = Vec::new();
    if game.turn(state) != Turn::Over {
        game.legal_moves(state, &mut moves);
    }
    found.extend(moves.into_iter().filter(|&mv| game.move_text(state, mv) == text));
    match found[..] {
        [mv] => Ok(mv),
        _ => Err(format!("'{text}' is no move, or several")),
    }
}

struct Label {
    text: String,
    left: i128,
    complete: bool,
}

struct Proof<'p, 't, G: Game> {
    game: &'p G,
    claim: (usize, bool, i32),
    lines: &'p mut Split<'t, char>,
    identifies: bool,
    labels: Vec<Label>,
    way: Vec<String>,
    entries: u64,
    endless: bool,
}

impl<G: Game> Proof<'_, '_, G> {
    fn show(&mut self, state: &G::State) -> Result<(), String> {
        let game = self.game;
        let (player, at_least, bound) = self.claim;
        let turn = game.turn(state);
        if turn == Turn::Over {
            let payoff = game.payoff(state, player);
            return match if at_least { payoff >= bound } else { payoff < bound } {
                true => Ok(()),
                false => Err(format!("it pays {payoff}")),
            };
        }
        let favoured = (turn == Turn::Player(player)) == at_least;
        let text = game.state_text(state);
        let mut line = self.lines.next().ok_or("no line")?;
        let mut label = None;
        if let Some(uses) = line.strip_prefix('#') {
            let left = number(uses, 'U')?;
            if !self.identifies {
                return Err("a label without identity".into());
            }
            label = Some(self.labels.len());
            self.labels.push(Label { text: text.clone(), left, complete: false });
            line = self.lines.next().ok_or("no line")?;
        }
        self.entries += 1;
        let moves = if let Some(chosen) = line.strip_prefix('!').filter(|_| favoured) {
            vec![only(game, state, chosen)?]
        } else if let Some(count) = line.strip_prefix('?').filter(|_| !favoured) {
            let moves = legal(game, state)?;
            if number(count, 'N')? != moves.len() as i128 {
                return Err(format!("{} moves", moves.len()));
            }
            moves.into_iter().map(|(_, mv)| mv).collect()
        } else if let Some(there) = line.strip_prefix('=').filter(|_| label.is_none()) {
            let there = usize::try_from(number(there, 'K')?).map_err(|_| "no label")?;
            let there = self.labels.get_mut(there).filter(|label| label.left > 0);
            let there = there.filter(|label| label.text == text).ok_or("no such label")?;
            there.left -= 1;
            if !there.complete {
                self.endless = true;
                return if at_least { Err("a circle".into()) } else { Ok(()) };
            }
            return Ok(());
        } else {
            return Err(format!("'{line}'"));
        };
        if self.identifies && self.way.contains(&text) {
            return Err("a way round".into());
        }
        self.way.push(text);
        for mv in moves {
            self.show(&game.after(state, mv))?;
        }
        self.way.pop();
        if let Some(label) = label {
            self.labels[label].complete = true;
        }
        Ok(())
    }
}
