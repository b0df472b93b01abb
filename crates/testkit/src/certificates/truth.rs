//! Solves every position of a small game by retrograde analysis. It shares only the rules with the
//! library.

use proofwood::certificate::{CertificateError, Claim, Oracle, Promise};
use proofwood::{Game, Turn};
use std::collections::{HashMap, HashSet};
use std::hash::Hash;

/// The positions from which a player can force a payoff.
pub struct Truth<S> {
    player: usize,
    at_least: i32,
    secure: HashSet<S>,
}

impl<S: Clone + Eq + Hash> Truth<S> {
    /// Finds the positions reachable from `root` in which `player` can force at least `at_least`.
    pub fn new<G: Game<State = S>>(game: &G, root: &S, player: usize, at_least: i32) -> Truth<S> {
        let mut children: HashMap<S, Vec<S>> = HashMap::new();
        let mut todo = vec![root.clone()];
        while let Some(state) = todo.pop() {
            if children.contains_key(&state) {
                continue;
            }
            let mut moves = Vec::new();
            if game.turn(&state) != Turn::Over {
                game.legal_moves(&state, &mut moves);
            }
            let next: Vec<S> = moves.iter().map(|&mv| game.after(&state, mv)).collect();
            todo.extend(next.iter().cloned());
            children.insert(state, next);
        }
        let mut secure = HashSet::new();
        loop {
            let before = secure.len();
            for (state, next) in &children {
                let good = match game.turn(state) {
                    Turn::Over => game.payoff(state, player) >= at_least,
                    Turn::Player(mover) if mover == player => {
                        next.iter().any(|child| secure.contains(child))
                    }
                    _ => next.iter().all(|child| secure.contains(child)),
                };
                if good {
                    secure.insert(state.clone());
                }
            }
            if secure.len() == before {
                return Truth { player, at_least, secure };
            }
        }
    }

    /// Returns whether a claim about the same player and payoff is true of a position.
    pub fn is_true(&self, claim: Claim, state: &S) -> bool {
        assert_eq!(claim.player, self.player);
        match claim.promise {
            Promise::AtLeast(payoff) => {
                assert_eq!(payoff, self.at_least);
                self.secure.contains(state)
            }
            Promise::Below(payoff) => {
                assert_eq!(payoff, self.at_least);
                !self.secure.contains(state)
            }
        }
    }

    /// Returns the true claim about a position: at least the payoff, or below it.
    pub fn claim(&self, state: &S) -> Claim {
        let promise = match self.secure.contains(state) {
            true => Promise::AtLeast(self.at_least),
            false => Promise::Below(self.at_least),
        };
        Claim { player: self.player, promise }
    }
}

/// An oracle with true answers, some of which it returns only when a proof is requested.
pub struct Knowing<S> {
    /// The solutions for single claims, each from retrograde analysis.
    pub truths: Vec<Truth<S>>,
    /// The percentage of positions for which `known` returns `None`.
    pub forgets: u64,
    /// The number of requested proofs.
    pub solved: u64,
}

impl<S: Clone + Eq + Hash> Knowing<S> {
    fn answer(&self, claim: Claim, state: &S) -> bool {
        let (Promise::AtLeast(payoff) | Promise::Below(payoff)) = claim.promise;
        let fits = |truth: &&Truth<S>| truth.player == claim.player && truth.at_least == payoff;
        self.truths.iter().find(fits).expect("a claim that was asked").is_true(claim, state)
    }
}

impl<G: Game<State: Eq + Hash>> Oracle<G> for Knowing<G::State> {
    fn known(&mut self, claim: Claim, state: &G::State, key: u64) -> Option<bool> {
        (key % 100 >= self.forgets).then(|| self.answer(claim, state))
    }

    fn decide(
        &mut self,
        claim: Claim,
        state: &G::State,
        _key: u64,
    ) -> Result<bool, CertificateError> {
        self.solved += 1;
        Ok(self.answer(claim, state))
    }
}
