//! The statements that a checked certificate proves.

use super::format::{Claim, Identity, Promise, Root};
use proofwood_game::Game;

/// A certificate that has been checked: its claims are true.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Checked {
    /// The game, as the certificate describes it.
    pub game: String,
    /// The description of the root, the position that the claims are about.
    pub root: Root,
    /// The root in the game's text form; empty if the game has no text form.
    pub position: String,
    /// The proven claims about the root.
    pub claims: Vec<CheckedClaim>,
    /// The number of players of the game.
    pub players: usize,
    /// Whether the game has two players and zero sum.
    pub zero_sum: bool,
    /// Whether the game has chance nodes.
    pub has_chance: bool,
    /// The length of the certificate's text before compression, in bytes.
    pub bytes: u64,
    /// The peak of counted memory in bytes; see
    /// [`Certificate::memory`](super::Certificate::memory).
    pub memory: u64,
    /// The root's identity, if the game identifies positions.
    pub(super) identity: Option<Identity>,
}

/// A proven claim, with the size of its proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CheckedClaim {
    /// The statement that was proven.
    pub claim: Claim,
    /// The number of position entries in the listing; a position that is listed twice counts twice.
    pub positions: u64,
    /// The number of references to earlier positions.
    pub references: u64,
    /// Whether the proof relies on endless play at some position.
    pub endless: bool,
}

impl Checked {
    /// Returns whether the certificate shows that `claim` is true of `position`: its root is this
    /// position, and one of its claims implies `claim`. `game` is the game with which the
    /// certificate was checked.
    ///
    /// If the game has no key or no text, positions cannot be compared, and the answer is `false`.
    /// Then compare [`root`](Checked::root) with the root that you expect, and call
    /// [`holds`](Checked::holds).
    pub fn shows<G: Game>(&self, game: &G, position: &G::State, claim: Claim) -> bool {
        self.identity.is_some()
            && self.identity == Identity::of(game, position)
            && self.holds(claim)
    }

    /// Returns whether one of the certificate's claims implies `claim` for the certificate's root.
    /// For example, a player who can secure 3 can also secure 2, and in a zero-sum game the other
    /// player then cannot receive more than −3.
    pub fn holds(&self, claim: Claim) -> bool {
        self.claims.iter().any(|shown| self.follows(claim, shown))
    }

    fn follows(&self, claim: Claim, shown: &CheckedClaim) -> bool {
        let same = claim.player == shown.claim.player;
        let opponents = self.zero_sum && claim.player + shown.claim.player == 1;
        // In a zero-sum game, at least s for one player means less than 1 − s for the other. The
        // converse holds only without chance and without endless play.
        let finite = !self.has_chance && !shown.endless;
        match (claim.promise, shown.claim.promise) {
            (Promise::AtLeast(least), Promise::AtLeast(more)) => same && more >= least,
            (Promise::Below(limit), Promise::Below(less)) => same && less <= limit,
            (Promise::Below(limit), Promise::AtLeast(least)) => {
                opponents && i64::from(least) >= 1 - i64::from(limit)
            }
            (Promise::AtLeast(least), Promise::Below(limit)) => {
                opponents && finite && 1 - i64::from(limit) >= i64::from(least)
            }
        }
    }

    /// Returns the player whose payoff the claims determine, and that payoff under optimal play.
    /// Returns `None` if the game has chance, if it is neither a one-player nor a two-player
    /// zero-sum game, or if the proofs rely on endless play. In such cases a claim states what a
    /// player can secure against all others together; the player may receive more.
    pub fn exact(&self) -> Option<(usize, i32)> {
        let nobody_else = self.players == 1 || (self.players == 2 && self.zero_sum);
        if !nobody_else || self.has_chance {
            return None;
        }
        let finite = |claim: Claim| {
            self.claims.iter().any(|shown| !shown.endless && self.follows(claim, shown))
        };
        self.claims.iter().find_map(|shown| {
            let player = shown.claim.player;
            let (Promise::AtLeast(least) | Promise::Below(least)) = shown.claim.promise;
            let payoff = match shown.claim.promise {
                Promise::AtLeast(_) => least,
                Promise::Below(_) => least.checked_sub(1)?,
            };
            let below = Promise::Below(payoff.checked_add(1)?);
            let both = [Promise::AtLeast(payoff), below];
            let both = both.map(|promise| finite(Claim { player, promise }));
            (both == [true, true]).then_some((player, payoff))
        })
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    fn checked(players: usize, zero_sum: bool, claims: &[(usize, Promise, bool)]) -> Checked {
        let claims = claims.iter().map(|&(player, promise, endless)| {
            let claim = Claim { player, promise };
            CheckedClaim { claim, positions: 1, references: 0, endless }
        });
        Checked {
            game: String::new(),
            root: Root::default(),
            position: String::new(),
            claims: claims.collect(),
            players,
            zero_sum,
            has_chance: false,
            bytes: 0,
            memory: 0,
            identity: None,
        }
    }

    use Promise::{AtLeast, Below};

    #[test]
    fn more_shows_less() {
        let three = checked(3, false, &[(1, AtLeast(2), false), (1, Below(5), true)]);
        for (player, promise, holds) in [
            (1, AtLeast(2), true),
            (1, AtLeast(i32::MIN), true),
            (1, AtLeast(3), false),
            (0, AtLeast(2), false),
            (1, Below(5), true),
            (1, Below(i32::MAX), true),
            (1, Below(4), false),
            (0, Below(i32::MAX), false),
            (2, Below(5), false),
        ] {
            assert_eq!(three.holds(Claim { player, promise }), holds, "{player} {promise:?}");
        }
    }

    /// Checks that a claim about one player of a zero-sum game proves exactly those claims about
    /// the other player that follow from it.
    #[test]
    fn zero_sum_turns_claims_round() {
        for shown in -3..=3 {
            for asked in -4..=4 {
                let sure = checked(2, true, &[(0, AtLeast(shown), false)]);
                // Player 1 receives the negated payoff of player 0, which is at least `shown`.
                let follows = (shown..=5).all(|payoff| -payoff < asked);
                let below = Claim { player: 1, promise: Below(asked) };
                assert_eq!(sure.holds(below), follows, "{shown} {asked}");
                assert!(!checked(2, false, &[(0, AtLeast(shown), false)]).holds(below));
                let held = |endless| checked(2, true, &[(0, Below(shown), endless)]);
                let follows = (-5..shown).all(|payoff| -payoff >= asked);
                let least = Claim { player: 1, promise: AtLeast(asked) };
                assert_eq!(held(false).holds(least), follows, "{shown} {asked}");
                assert!(!held(true).holds(least), "endless play pays nobody");
                let dice = Checked { has_chance: true, ..held(false) };
                assert!(!dice.holds(least), "the dice helped");
                let dice = Checked { has_chance: true, ..sure };
                assert_eq!(dice.holds(below), (shown..=5).all(|payoff| -payoff < asked));
            }
        }
        let most = checked(2, true, &[(0, AtLeast(i32::MAX), false)]);
        assert!(most.holds(Claim { player: 1, promise: Below(1 - i32::MAX) }));
        assert!(!most.holds(Claim { player: 1, promise: Below(-i32::MAX) }));
    }

    #[test]
    fn a_payoff_is_exact_only_where_nothing_else_can_happen() {
        let draw = [(0, AtLeast(0), false), (0, Below(1), false)];
        assert_eq!(checked(2, true, &draw).exact(), Some((0, 0)));
        assert_eq!(checked(1, false, &draw).exact(), Some((0, 0)));
        assert_eq!(checked(2, false, &draw).exact(), None, "the other one may not want to");
        assert_eq!(checked(3, false, &draw).exact(), None, "the others may not agree");
        let dice = Checked { has_chance: true, ..checked(2, true, &draw) };
        assert_eq!(dice.exact(), None, "the dice may fall well");
        let dice = Checked { has_chance: true, ..checked(1, false, &draw) };
        assert_eq!(dice.exact(), None);
        let endless = [(0, AtLeast(0), false), (0, Below(1), true)];
        assert_eq!(checked(2, true, &endless).exact(), None);
        let both = [(0, AtLeast(0), false), (1, AtLeast(0), false)];
        assert_eq!(checked(2, true, &both).exact(), Some((0, 0)));
        let both = [(1, Below(-2), false), (0, Below(4), false)];
        assert_eq!(checked(2, true, &both).exact(), Some((1, -3)));
        assert_eq!(checked(2, true, &both[..1]).exact(), None);
        let most = [(0, AtLeast(i32::MAX), false), (0, Below(i32::MIN), false)];
        assert_eq!(checked(1, false, &most[..1]).exact(), None);
        assert_eq!(checked(1, false, &most[1..]).exact(), None);
    }
}
