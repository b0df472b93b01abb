//! A forger that writes certificates of random claims, correct except for one kind of cheat.

use proofwood::certificate::{Claim, Promise};
use proofwood::{Game, Turn};
use proofwood_testkit::certificates::file::check;
use proofwood_testkit::certificates::graph::Graph;
use proofwood_testkit::certificates::truth::Truth;
use proofwood_testkit::dice::Dice;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cheat {
    /// No cheat: the certificate must be accepted.
    None,
    /// Refers to a position whose proof contains the reference.
    Circle,
    /// Refers to a different position.
    OtherPosition,
    /// Omits a losing reply and states the number of the remaining replies.
    MissingReply,
    /// Omits a losing reply but states the number of all replies.
    MissingReplyCounted,
    /// Chooses a move for the other side.
    OtherSide,
    /// Ends with a payoff that contradicts the claim.
    Payoff,
    /// Plays a move that does not exist.
    IllegalMove,
}

struct Forger<'f> {
    game: &'f Graph,
    claim: Claim,
    cheat: Cheat,
    dice: Dice,
    entries: Vec<Entry>,
    open: Vec<usize>,
    cheated: bool,
}

#[derive(Clone, Debug)]
enum Entry {
    Position { node: usize, text: String },
    Same(usize),
}

impl Forger<'_> {
    fn kept(&self, node: usize) -> bool {
        let payoff = self.game.payoff(&node, self.claim.player);
        match self.claim.promise {
            Promise::AtLeast(least) => payoff >= least,
            Promise::Below(limit) => payoff < limit,
        }
    }

    fn favours(&self, turn: Turn) -> bool {
        let own = turn == Turn::Player(self.claim.player);
        own == matches!(self.claim.promise, Promise::AtLeast(_))
    }

    /// Writes the proof of a node; returns whether that succeeded.
    fn forge(&mut self, node: usize) -> bool {
        let turn = self.game.turn(&node);
        if turn == Turn::Over {
            let fine = self.kept(node);
            self.cheated |= !fine && self.cheat == Cheat::Payoff;
            return fine || self.cheat == Cheat::Payoff;
        }
        if self.refer(node) {
            return true;
        }
        // The checker refuses every position that is listed below itself.
        let round = |&at: &usize| matches!(&self.entries[at], Entry::Position { node: n, .. } if *n == node);
        if self.open.len() > 7 || self.open.iter().any(round) {
            return false;
        }
        let at = self.entries.len();
        self.entries.push(Entry::Position { node, text: String::new() });
        self.open.push(at);
        let moves = &self.game.nodes[node].moves.clone();
        let other_side = self.cheat == Cheat::OtherSide && self.dice.chance(30);
        let favoured = self.favours(turn);
        let text = match favoured || other_side {
            true => self.choose(moves, other_side && !favoured),
            false => self.answer(moves),
        };
        self.open.pop();
        match text {
            Some(text) => self.entries[at] = Entry::Position { node, text },
            None => self.entries.truncate(at),
        }
        self.entries.len() > at
    }

    /// Adds a reference to an earlier entry if that is allowed or part of the cheat.
    fn refer(&mut self, node: usize) -> bool {
        let named = |entry: &Entry| match entry {
            Entry::Position { node, .. } => Some(*node),
            Entry::Same(_) => None,
        };
        let circles =
            self.cheat == Cheat::Circle || matches!(self.claim.promise, Promise::Below(_));
        let same = (0..self.entries.len()).find(|at| {
            named(&self.entries[*at]) == Some(node) && (circles || !self.open.contains(at))
        });
        let other = (self.cheat == Cheat::OtherPosition && self.dice.chance(30)).then(|| {
            let complete = |at: &usize| {
                named(&self.entries[*at]).is_some_and(|n| n != node) && !self.open.contains(at)
            };
            (0..self.entries.len()).find(complete)
        });
        let Some(at) = same.or(other.flatten()) else { return false };
        self.cheated |= named(&self.entries[at]) != Some(node)
            || self.open.contains(&at) && matches!(self.claim.promise, Promise::AtLeast(_));
        self.entries.push(Entry::Same(at));
        true
    }

    fn choose(&mut self, moves: &[(usize, char)], cheats: bool) -> Option<String> {
        if self.cheat == Cheat::IllegalMove && self.dice.chance(50) {
            let letter = ('a'..='h').find(|l| moves.iter().all(|(_, other)| l != other))?;
            let anywhere = self.dice.below(self.game.nodes.len());
            self.cheated = true;
            return self.forge(anywhere).then(|| format!("!{letter}"));
        }
        let first = self.dice.below(moves.len());
        for number in 0..moves.len() {
            let (next, letter) = moves[(first + number) % moves.len()];
            if self.forge(next) {
                self.cheated |= cheats;
                return Some(format!("!{letter}"));
            }
        }
        None
    }

    fn answer(&mut self, moves: &[(usize, char)]) -> Option<String> {
        let mut sorted = moves.to_vec();
        sorted.sort_by_key(|&(_, letter)| letter);
        let mut count = sorted.len();
        for (next, _) in sorted {
            if self.forge(next) {
                continue;
            }
            match self.cheat {
                Cheat::MissingReply => count -= 1,
                Cheat::MissingReplyCounted => {}
                _ => return None,
            }
            self.cheated = true;
        }
        Some(format!("?{count}"))
    }

    /// The lines, with labels for the targets of references.
    fn lines(&self) -> Vec<String> {
        let uses = |at: usize| {
            self.entries
                .iter()
                .filter(|entry| matches!(entry, Entry::Same(to) if *to == at))
                .count()
        };
        let mut labels = Vec::new();
        let mut lines = vec!["proofwood-certificate 1".into(), "game graph".into()];
        lines.extend([format!("claim {}", self.claim), String::new()]);
        for (at, entry) in self.entries.iter().enumerate() {
            match entry {
                Entry::Position { text, .. } => {
                    if uses(at) > 0 {
                        lines.push(format!("#{}", uses(at)));
                        labels.push(at);
                    }
                    lines.push(text.clone());
                }
                Entry::Same(to) => {
                    let label = labels.iter().position(|label| label == to).expect("a label");
                    lines.push(format!("={label}"));
                }
            }
        }
        lines
    }
}

#[test]
fn no_forgery_shows_what_is_false() {
    let cheats = [
        Cheat::None,
        Cheat::Circle,
        Cheat::OtherPosition,
        Cheat::MissingReply,
        Cheat::MissingReplyCounted,
        Cheat::OtherSide,
        Cheat::Payoff,
        Cheat::IllegalMove,
    ];
    for (number, cheat) in cheats.into_iter().enumerate() {
        let (mut honest, mut forged) = (0, 0);
        for seed in 0..5000 {
            let mut dice = Dice::new(seed * 8 + number as u64);
            let game = Graph { hashed: true, written: true, ..Graph::new(seed) };
            let (player, payoff) = (dice.below(game.players), dice.below(5) as i32 - 2);
            let promise = dice.pick(&[Promise::AtLeast(payoff), Promise::Below(payoff)]);
            let claim = Claim { player, promise };
            let (entries, open, cheated) = (Vec::new(), Vec::new(), false);
            let mut forger = Forger { game: &game, claim, cheat, dice, entries, open, cheated };
            if !forger.forge(0) {
                continue;
            }
            let lines = forger.lines();
            let is_true = Truth::new(&game, &0, player, payoff).is_true(claim, &0);
            match check(&game, &lines) {
                Ok(_) => assert!(is_true, "{cheat:?}, seed {seed}: {claim}: {lines:#?}"),
                Err(error) => assert!(forger.cheated, "seed {seed}: {error}: {lines:#?}"),
            }
            honest += u32::from(!forger.cheated);
            forged += u32::from(!is_true);
        }
        assert!(honest > 200, "{cheat:?}: {honest}");
        assert!(cheat == Cheat::None || forged > 30, "{cheat:?}: {forged}");
    }
}
