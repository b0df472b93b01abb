//! The state that the threads of a prover with a table share.

use crate::bounds::Interval;
use crate::game::Game;
use crate::memory::Pages;
use crate::prove::memo::{INFINITE, MAX_FINITE, Memo, Recall};
use crate::prove::question::{Answer, Basis, Verdict};
use crate::prove::report::RootNumbers;
use crate::prove::setting::{Setting, ToMove};
use crate::sync::{AtomicU16, Ordering};

pub(crate) struct SharedTable<'s, G: Game> {
    pub(crate) setting: Setting<'s, G>,
    pub(crate) memo: Memo<'s>,
    /// For each value of a key's low bits, the number of threads below positions with such a key;
    /// empty with one thread. Relaxed: the numbers are only hints.
    busy: Pages<AtomicU16>,
    /// Whether the table is shared with other machines.
    hears: bool,
}

const BUSY: usize = 1 << 12;

impl<'s, G: Game> SharedTable<'s, G> {
    pub(crate) fn new(setting: Setting<'s, G>, memo: Memo<'s>) -> SharedTable<'s, G> {
        let counters = if setting.config.threads > 1 { BUSY } else { 0 };
        // If there is no memory for these counters, threads only collide more often.
        let busy = Pages::zeroed(counters).unwrap_or_else(|_| Pages::none());
        let hears = memo.hears();
        SharedTable { setting, memo, busy, hears }
    }

    pub(crate) fn bounds(&self, answer: Answer) -> Option<Interval> {
        let Interval { lower, upper } = self.setting.range();
        match answer.verdict {
            Verdict::Proven => Some(Interval { lower: answer.score, upper }),
            Verdict::Disproven if answer.basis == Basis::ENDS => {
                Some(Interval { lower, upper: answer.score })
            }
            Verdict::Disproven => None,
        }
    }

    /// Returns a line of play that begins with `first` and continues as far as the table has
    /// answers. The side that the answer favours plays moves that prove it; the other side moves to
    /// the position that took the most work.
    pub(crate) fn line(&self, first: G::Move) -> Vec<G::Move> {
        const LONGEST: usize = 200;
        let setting = &self.setting;
        let mut state = setting.root.clone();
        let mut passed = vec![setting.root_key()];
        let (mut line, mut moves, mut next) = (Vec::new(), Vec::new(), Some(first));
        while let Some(mv) = next
            && line.len() < LONGEST
        {
            // The move's index determines the key in a game without keys.
            moves.clear();
            setting.game.legal_moves(&state, &mut moves);
            let number = moves.iter().position(|&other| other == mv).unwrap_or(0);
            line.push(mv);
            let from = state.clone();
            setting.game.play(&mut state, mv);
            let key = setting.key(passed[passed.len() - 1], &from, number, &state);
            if passed.contains(&key) || !matches!(setting.look(&state), Ok(look) if !look.is_over())
            {
                break;
            }
            passed.push(key);
            moves.clear();
            setting.game.legal_moves(&state, &mut moves);
            let Some((answer, _)) = self.memo.solved(key) else { break };
            // For the favoured side, all known moves with this answer are good; for the other side,
            // all moves have this answer.
            let mut most = 0;
            next = None;
            for (number, &mv) in moves.iter().enumerate() {
                let after = setting.game.after(&state, mv);
                let child = setting.key(key, &state, number, &after);
                let known = match setting.look(&after) {
                    Ok(ToMove::Over(score)) => Some((setting.answer(score), 0)),
                    Ok(_) => self.memo.solved(child).map(|(known, work)| (known.verdict, work)),
                    Err(_) => None,
                };
                if let Some((verdict, work)) = known
                    && verdict == answer.verdict
                    && work >= most
                {
                    (next, most) = (Some(mv), work);
                }
            }
        }
        line
    }

    /// Returns the most promising but unproven move at the root, by the numbers in the table.
    pub(crate) fn likeliest(&self) -> Option<G::Move> {
        let setting = &self.setting;
        let claims = setting.look(setting.root).ok()? == ToMove::Claimant;
        let (mut moves, way) = (Vec::new(), self.memo.start().past(setting.root_key()));
        setting.list(setting.root, &mut moves).ok()?;
        let hardness = |number: usize, mv: G::Move| {
            let next = setting.game.after(setting.root, mv);
            let (proof, disproof) = match setting.look(&next) {
                Ok(ToMove::Over(score)) => solved_numbers(setting.answer(score)),
                _ => {
                    let key = setting.key(setting.root_key(), setting.root, number, &next);
                    match self.memo.recall(key, way) {
                        Recall::Solved(answer) => solved_numbers(answer.verdict),
                        Recall::Open { proof, disproof } => (proof, disproof),
                        // Not searched, because other moves looked better.
                        Recall::Nothing => (MAX_FINITE, MAX_FINITE),
                    }
                }
            };
            if claims { (proof, INFINITE - disproof) } else { (disproof, INFINITE - proof) }
        };
        let ranked = moves.iter().enumerate().map(|(number, &mv)| (hardness(number, mv), mv));
        ranked.min_by_key(|&(hardness, _)| hardness).map(|(_, mv)| mv)
    }

    /// Returns whether several threads share the table and announce what they search.
    #[inline]
    pub(crate) fn is_shared(&self) -> bool {
        !self.busy.is_empty()
    }

    /// Returns whether other threads or machines may solve positions.
    #[inline]
    pub(crate) fn has_others(&self) -> bool {
        self.is_shared() || self.hears
    }

    pub(crate) fn root_from_elsewhere(&self) -> Option<Found<G::Move>> {
        let key = self.setting.root_key();
        let (answer, _) = self.hears.then(|| self.memo.solved(key)).flatten()?;
        Some(Found { answer, best: None })
    }

    /// Returns the table's numbers of the root and of the positions after its moves.
    pub(crate) fn numbers(&self) -> Option<RootNumbers<G>> {
        let setting = &self.setting;
        let claims = setting.look(setting.root).ok()? == ToMove::Claimant;
        let (mut moves, way) = (Vec::new(), self.memo.start().past(setting.root_key()));
        setting.list(setting.root, &mut moves).ok()?;
        let numbers = |number: usize, mv: G::Move| {
            let next = setting.game.after(setting.root, mv);
            if let ToMove::Over(score) = setting.look(&next).ok()? {
                return Some(solved_numbers(setting.answer(score)));
            }
            let key = setting.key(setting.root_key(), setting.root, number, &next);
            match self.memo.recall(key, way) {
                Recall::Solved(answer) => Some(solved_numbers(answer.verdict)),
                Recall::Open { proof, disproof } => Some((proof, disproof)),
                Recall::Nothing => None,
            }
        };
        let (mut of_moves, mut known) = (Vec::new(), Vec::new());
        for (number, mv) in moves.into_iter().enumerate() {
            let numbers = numbers(number, mv);
            of_moves.push((mv, numbers));
            known.push(numbers.unwrap_or((1, 1)));
        }
        let (proof, disproof) = of_root(claims, &known)?;
        Some(RootNumbers { proof, disproof, moves: of_moves })
    }

    #[inline]
    pub(crate) fn busy(&self, key: u64) -> u32 {
        match self.busy.get(key as usize & (BUSY - 1)) {
            Some(counter) => counter.load(Ordering::Relaxed).into(),
            None => 0,
        }
    }

    #[inline]
    pub(crate) fn enter(&self, key: u64) {
        if let Some(counter) = self.busy.get(key as usize & (BUSY - 1)) {
            counter.fetch_add(1, Ordering::Relaxed);
        }
    }

    #[inline]
    pub(crate) fn leave(&self, key: u64) {
        if let Some(counter) = self.busy.get(key as usize & (BUSY - 1)) {
            counter.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Found<M> {
    pub(crate) answer: Answer,
    pub(crate) best: Option<M>,
}

/// Computes a position's proof and disproof numbers from the numbers after its moves. `claims` is
/// true if the claimant is to move.
fn of_root(claims: bool, moves: &[(u32, u32)]) -> Option<(u32, u32)> {
    let proofs = moves.iter().map(|&(proof, _)| proof);
    let disproofs = moves.iter().map(|&(_, disproof)| disproof);
    let sum = |sum: u64| sum.min(MAX_FINITE.into()) as u32;
    Some(match claims {
        true => (proofs.min()?, sum(disproofs.map(u64::from).sum())),
        false => (sum(proofs.map(u64::from).sum()), disproofs.min()?),
    })
}

pub(crate) fn solved_numbers(verdict: Verdict) -> (u32, u32) {
    match verdict {
        Verdict::Proven => (0, INFINITE),
        Verdict::Disproven => (INFINITE, 0),
    }
}
