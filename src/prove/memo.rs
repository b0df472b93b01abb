//! A view of the table for one question.
//!
//! A **solved** position has two ends between which the score lies, whatever the threshold of the
//! question. In a two-player zero-sum game without chance, a payoff that one player can secure is
//! one that the other cannot prevent, so one entry serves both players. Otherwise each player has
//! separate entries. If a player's payoff range is too wide for the fields of an entry, the entry
//! of a solved position contains the answer to one question instead.
//!
//! An end that holds *by repetition* means only that the opponents can forever prevent a better
//! score: it is a disproof for the player, but not a proof for an opponent. Such ends are stored in
//! a separate entry. Neither entry can replace the other: finite ends are stronger, but ends by
//! repetition are often tighter.
//!
//! An **open** position's entry contains its numbers for one question.
//!
//! A position is **disproven on one path** if its disproof depends on the repetition of a position
//! above it. The entry contains a hash of this path, the only one for which it is valid (Kishimoto
//! and Müller 2004).
//!
//! The flags and the high half of an entry's key distinguish these kinds of entries. The low half,
//! which selects the bucket, is taken from the position's key.

use super::data::{Data, FIELD_MAX};
use super::question::{Answer, Basis, Question, Verdict};
use super::setting::Setting;
use super::table::Table;
use crate::bounds::Interval;
use crate::game::Game;
use crate::math::mix_all_bits;
use crate::sync::{Fault, broken};
use crate::threads::{Event, count};

/// The number of an impossible proof or disproof.
pub(crate) const INFINITE: u32 = FIELD_MAX;
/// The greatest finite number, at which sums saturate.
pub(crate) const MAX_FINITE: u32 = INFINITE - 1;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Recall {
    Nothing,
    Open { proof: u32, disproof: u32 },
    Solved(Answer),
}

/// A hash of the question and the path to a position, that is, the keys on the path in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Way(u64);

impl Way {
    /// Returns the path extended by the position with the key `key`.
    #[inline]
    pub(crate) fn past(self, key: u64) -> Way {
        Way(mix_all_bits(self.0.wrapping_mul(3) ^ key))
    }

    fn tag(self) -> u64 {
        self.0 & HIGH_HALF
    }

    fn rest(self) -> u32 {
        self.0 as u32 & FIELD_MAX
    }
}

/// The mask of the half of a key that distinguishes the kinds of entries.
const HIGH_HALF: u64 = !0 << 32;

/// The two ends of a score, each with a flag for repetition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Score {
    lower: (i32, bool),
    upper: (i32, bool),
}

/// The representation of scores, which is the same for all questions about a game.
#[derive(Clone, Copy, Debug)]
enum ScoreScale {
    /// Distances from the least payoff. `mirrored` is set if entries serve both players and the
    /// question is about the second player.
    Ends { least: i32, most: i32, mirrored: bool },
    /// The answer to one question.
    Single,
}

/// The bit of the tag that marks ends by repetition.
const GOES_ROUND: u64 = 1 << 63;

pub(crate) struct Memo<'t> {
    table: &'t Table,
    question: Question,
    scale: ScoreScale,
    /// The tag of solved positions, which depends on the player or the question.
    solved: u64,
    open: u64,
}

impl<'t> Memo<'t> {
    pub(crate) fn new<G: Game>(table: &'t Table, setting: &Setting<'_, G>) -> Memo<'t> {
        let (question, declared) = (setting.question, setting.declared);
        let fits = |range: &Interval| {
            i64::from(range.upper) - i64::from(range.lower) <= i64::from(FIELD_MAX)
        };
        let serves_both = declared.serves_both();
        let whose = if serves_both { 0 } else { question.player };
        let Interval { lower: least, upper: most } = declared.ranges[whose];
        let (scale, solved) = match declared.ranges[..declared.players].iter().all(fits) {
            true => {
                let mirrored = serves_both && question.player == 1;
                (ScoreScale::Ends { least, most, mirrored }, (whose as u64) << 32)
            }
            false => (ScoreScale::Single, mix_all_bits(question.word()) & HIGH_HALF),
        };
        let open = mix_all_bits(!question.word()) & HIGH_HALF;
        Memo { table, question, scale, solved, open }
    }

    /// Returns the view for a prover that stores horizons for open positions, not proof numbers.
    /// Neither kind of prover reads the other's open entries.
    pub(crate) fn with_horizons(self) -> Memo<'t> {
        // In the loom model's failing twin, both kinds of provers read each other's entries.
        if broken(Fault::OneKindOfOpen) {
            return self;
        }
        Memo { open: mix_all_bits(self.open) & HIGH_HALF, ..self }
    }

    /// Returns the view for a prover that stores probabilities for open positions.
    pub(crate) fn with_probabilities(self) -> Memo<'t> {
        Memo { open: mix_all_bits(!self.open) & HIGH_HALF, ..self }
    }

    #[cfg(loom)]
    pub(crate) fn of_question(table: &'t Table, question: Question) -> Memo<'t> {
        let [solved, open] =
            [question.word(), !question.word()].map(|word| mix_all_bits(word) & HIGH_HALF);
        Memo { table, question, scale: ScoreScale::Single, solved, open }
    }

    pub(crate) fn hears(&self) -> bool {
        self.table.published().is_some()
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.table.bytes()
    }

    pub(crate) fn start(&self) -> Way {
        Way(mix_all_bits(self.question.word()))
    }

    #[inline]
    pub(crate) fn prefetch(&self, key: u64) {
        self.table.prefetch(key);
    }

    /// Looks up the position with the key `key`, reached by the path `way`.
    #[inline]
    pub(crate) fn recall(&self, key: u64, way: Way) -> Recall {
        count(Event::TableLookup);
        let mut recall = Recall::Nothing;
        for (found, data) in self.table.beside(key) {
            let tag = found ^ key;
            if data.is_solved() {
                if tag & !GOES_ROUND == self.solved & !GOES_ROUND
                    && let Some(answer) = self.answer(data)
                {
                    // Prefers an answer on finite lines to one by repetition.
                    if answer.basis == Basis::ENDS {
                        count(Event::TableHit);
                        return Recall::Solved(answer);
                    }
                    recall = Recall::Solved(answer);
                }
            } else if !data.goes_round().0 {
                if tag == self.open && recall == Recall::Nothing {
                    let (proof, disproof) = data.fields();
                    recall = Recall::Open { proof, disproof };
                }
            } else if tag == way.tag()
                && data.fields().0 == way.rest()
                && !matches!(recall, Recall::Solved(_))
            {
                let basis = Basis(data.fields().1);
                let score = self.question.at_least - 1;
                recall = Recall::Solved(Answer { verdict: Verdict::Disproven, score, basis });
            }
        }
        if matches!(recall, Recall::Solved(_)) {
            count(Event::TableHit);
        }
        recall
    }

    /// Returns a position's answer and its rank by work, if the answer holds on every path.
    pub(crate) fn solved(&self, key: u64) -> Option<(Answer, u64)> {
        [false, true].into_iter().find_map(|round| {
            let data = self.table.get(self.solved_key(key, round));
            let data = data.filter(|data| data.is_solved())?;
            self.answer(data).map(|answer| (answer, data.rank()))
        })
    }

    #[inline]
    pub(crate) fn put_open(&self, key: u64, proof: u32, disproof: u32, work: u64) {
        let own = key ^ self.open;
        self.table.put(own, own, Data::open(proof, disproof, work));
    }

    /// Stores the answer for a position at depth `depth`, reached by the path `way`.
    pub(crate) fn put_answer(&self, key: u64, way: Way, depth: usize, answer: Answer, work: u64) {
        if answer.basis.is_above(depth) {
            let data = Data::open(way.rest(), answer.basis.0, work).on_one_way();
            self.table.put(key ^ way.tag(), key ^ self.open, data);
            return;
        }
        let own = self.solved_key(key, answer.basis != Basis::ENDS);
        let before = self.table.get(own).filter(|data| data.is_solved());
        let Some(data) = self.data(answer, before, work) else { return };
        self.table.put(own, key ^ self.open, data);
    }

    pub(crate) fn all_solved(&self, tell: &mut dyn FnMut(u64, Verdict)) {
        for (key, data) in self.table.entries().filter(|(_, data)| data.is_solved()) {
            if let Some(answer) = self.answer(data) {
                // In an entry for ends by repetition both flags are set.
                let round = data.goes_round() == (true, true);
                tell(self.solved_key(key, round), answer.verdict);
            }
        }
    }

    /// Converts a position's key to its entry's key or vice versa. `round` selects the entry for
    /// ends by repetition.
    #[inline]
    fn solved_key(&self, key: u64, round: bool) -> u64 {
        key ^ self.solved ^ if round { GOES_ROUND } else { 0 }
    }

    /// Returns the answer of a solved position's entry, if the entry implies one.
    #[inline]
    fn answer(&self, data: Data) -> Option<Answer> {
        let at_least = self.question.at_least;
        let score = match self.scale {
            ScoreScale::Ends { .. } => self.score(data),
            ScoreScale::Single => {
                let (fields, (stamp, answers)) = (data.fields(), self.stamp());
                if (fields.0, fields.1 >> 1) != (stamp, answers) {
                    return None;
                }
                let goes_round = data.goes_round();
                match fields.1 & 1 {
                    0 => Score { lower: (i32::MIN, true), upper: (at_least - 1, goes_round.1) },
                    _ => Score { lower: (at_least, goes_round.0), upper: (i32::MAX, true) },
                }
            }
        };
        let Score { lower, upper } = score;
        if lower.0 >= at_least && !lower.1 {
            return Some(Answer { verdict: Verdict::Proven, score: lower.0, basis: Basis::ENDS });
        }
        let basis = if upper.1 { Basis::ROUND } else { Basis::ENDS };
        (upper.0 < at_least).then_some(Answer {
            verdict: Verdict::Disproven,
            score: upper.0,
            basis,
        })
    }

    /// Encodes the question in the fields of an entry that answers only this question.
    fn stamp(&self) -> (u32, u32) {
        let stamp = mix_all_bits(self.question.word());
        (stamp as u32 & FIELD_MAX, (stamp >> 32) as u32 & FIELD_MAX >> 1)
    }

    #[inline]
    fn score(&self, data: Data) -> Score {
        let ScoreScale::Ends { least, mirrored, .. } = self.scale else { unreachable!("no ends") };
        let ((low, high), round) = (data.fields(), data.goes_round());
        let at = |distance: u32| (i64::from(least) + i64::from(distance)) as i32;
        let score = Score { lower: (at(low), round.0), upper: (at(high), round.1) };
        if mirrored { score.mirrored() } else { score }
    }

    /// Merges an answer with the previous entry; returns `None` if the answer adds nothing to it.
    fn data(&self, answer: Answer, before: Option<Data>, work: u64) -> Option<Data> {
        let round = answer.basis != Basis::ENDS;
        let ScoreScale::Ends { least, most, mirrored } = self.scale else {
            let (stamp, answers) = self.stamp();
            let proven = u32::from(answer.verdict == Verdict::Proven);
            return Some(Data::solved((stamp, round), (answers << 1 | proven, round), work));
        };
        let all = Score { lower: (least, true), upper: (most, true) };
        let all = if mirrored { all.mirrored() } else { all };
        let known = before.map_or(all, |data| self.score(data));
        let mut score = known;
        match answer.verdict {
            Verdict::Proven => score.lower = greater(known.lower, (answer.score, round), 1),
            Verdict::Disproven => score.upper = greater(known.upper, (answer.score, round), -1),
        }
        if score == known {
            return None;
        }
        let Score { lower, upper } = if mirrored { score.mirrored() } else { score };
        let distance = |end: i32| (i64::from(end) - i64::from(least)) as u32;
        Some(Data::solved((distance(lower.0), lower.1), (distance(upper.0), upper.1), work))
    }
}

impl Question {
    fn word(self) -> u64 {
        u64::from(self.at_least as u32) << 8 | self.player as u64
    }
}

impl Score {
    fn mirrored(self) -> Score {
        let turned = |(end, round): (i32, bool)| (end.saturating_neg(), round);
        Score { lower: turned(self.upper), upper: turned(self.lower) }
    }
}

/// Returns the greater of two ends, or the lesser if `sign` is −1. Of equal ends, it prefers one
/// without repetition.
fn greater(known: (i32, bool), new: (i32, bool), sign: i64) -> (i32, bool) {
    let tightness = |end: (i32, bool)| (i64::from(end.0) * sign, !end.1);
    if tightness(new) > tightness(known) { new } else { known }
}

pub(crate) fn remember(memo: &Memo<'_>, question: Question, key: u64, verdict: Verdict) {
    let (score, basis) = match verdict {
        Verdict::Proven => (question.at_least, Basis::ENDS),
        // The disproof may depend on a repetition, so it is stored as an end by repetition.
        Verdict::Disproven => (question.at_least.saturating_sub(1), Basis::ROUND),
    };
    memo.put_answer(key, memo.start(), 0, Answer { verdict, score, basis }, 1);
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::rules::Declared;
    use crate::settings::ProverConfig;
    use proofwood_testkit::graph::Graph;

    fn with_memos(check: impl Fn(Memo<'_>, Memo<'_>)) {
        let (game, config) = (&Graph::new(1), &ProverConfig::default());
        let declared = &Declared::by(game).expect("a sound game");
        let table = Table::new(1 << 16).expect("memory");
        let memo = |at_least| {
            let question = Question { player: 0, at_least };
            Memo::new(
                &table,
                &Setting {
                    game,
                    root: &0,
                    root_key: 0,
                    config,
                    declared,
                    audited: None,
                    question,
                    bytes: 0,
                },
            )
        };
        check(memo(0), memo(1));
    }

    fn disproven(score: i32, basis: Basis) -> Answer {
        Answer { verdict: Verdict::Disproven, score, basis }
    }

    /// Checks that a tighter end by repetition does not replace a finite end, in either order.
    #[test]
    fn ends_that_go_round_push_no_finite_end_out() {
        const KEY: u64 = 0x1234_5678_9abc_def0;
        for round_first in [false, true] {
            with_memos(|lower, higher| {
                let finite = disproven(0, Basis::ENDS);
                let round = disproven(-1, Basis::ROUND);
                let put_round = || lower.put_answer(KEY, lower.start(), 0, round, 1);
                if round_first {
                    put_round();
                }
                higher.put_answer(KEY, higher.start(), 0, finite, 1);
                if !round_first {
                    put_round();
                }
                assert_eq!(higher.solved(KEY).map(|(answer, _)| answer), Some(finite));
                assert_eq!(higher.recall(KEY, higher.start()), Recall::Solved(finite));
                assert_eq!(lower.solved(KEY).map(|(answer, _)| answer), Some(round));
                assert_eq!(lower.recall(KEY, lower.start()), Recall::Solved(round));
                let mut told = Vec::new();
                higher.all_solved(&mut |key, verdict| told.push((key, verdict)));
                // Both entries are reported with the key of their position.
                assert_eq!(told, [(KEY, Verdict::Disproven); 2]);
            });
        }
    }
}
