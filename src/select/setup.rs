//! The rules of selection that a configuration determines.

use super::puct::Puct;
use super::score::Diversify;
use super::weight::Weight;
use super::{ReuseRule, Selection};
use crate::settings::{Bias, Config, Goal, Resolved, VirtualLoss};

impl Selection {
    /// Creates the rules for a configuration. In three cases, every visit makes its own selection:
    /// with `chance`, because bounds close only through visits to every outcome; with `priors`,
    /// because an evaluation takes far longer than a selection; and with `batches`, because a
    /// thread has many playouts in flight and all nodes count them.
    pub(crate) fn new(
        config: &Config,
        resolved: &Resolved,
        chance: bool,
        priors: bool,
        batches: bool,
    ) -> Selection {
        let under_way = match config.virtual_loss {
            VirtualLoss::Unobserved => 1.0,
            VirtualLoss::None => 0.0,
        };
        let disprove_rest = config.disprove_rest && chance && config.goal == Goal::Score;
        let (c, weight) = (resolved.c.value, Weight::of(resolved.c_pn));
        let attentive = chance || priors || batches;
        let reuse = ReuseRule::new(if attentive { 0 } else { config.keep_choice }, config.threads);
        Selection {
            c: c as f32,
            weight,
            // With a weight of 0, no bias is computed, and proof numbers are not counted.
            bias: if weight.c_pn == 0.0 { Bias::None } else { config.bias },
            under_way,
            reuse,
            count_below: if batches { u64::MAX } else { reuse.count_below(config.threads) },
            diversify: Diversify::new(c, config.threads),
            puct: Puct::new(c),
            disprove_rest,
        }
    }

    /// Discards the noise that was drawn for the root's moves, because the root changes.
    pub(crate) fn forget_root(&mut self) {
        self.puct.set_noisy(Box::default());
    }
}

impl ReuseRule {
    /// With at least `visits` visits per thread, a selection serves 2 playouts; with twice as many
    /// visits, 4; and so on up to 16. If `visits` is 0, every visit selects.
    pub(crate) fn new(visits: u64, threads: usize) -> ReuseRule {
        const NEVER: u32 = u64::BITS - 1;
        let shift = visits.checked_ilog2().map_or(NEVER, |shift| shift + threads.ilog2());
        ReuseRule { shift: shift.min(NEVER) }
    }

    /// Returns the number of visits below which nodes count playouts in flight. At nodes whose
    /// selections serve several playouts, no thread reads that count.
    pub(crate) fn count_below(self, threads: usize) -> u64 {
        /// The number of visits per thread at which one visit is less than a thousandth of all.
        const MANY: u64 = if cfg!(loom) { 1 } else { 1 << 10 };
        match threads {
            1 => 0,
            _ => self.visits().unwrap_or(MANY * threads as u64),
        }
    }
}

/// The strength of a thread's preference for its half of the children. With 0.15, two threads make
/// 1.9 times as many playouts as one in Othello, and 1.6 times as many in Connect Four; with 0,
/// only 1.2 times as many. With equal numbers of playouts, the playing strength is the same.
const SPREAD: f64 = 0.15;

impl Diversify {
    /// Returns factors that add [`SPREAD`]` · (1 + c)` to `c` in a thread's own half of the
    /// children and subtract it, down to 0, in the other half. With one thread, or a C of 0, there
    /// is no preference.
    ///
    /// A share of C alone does not suffice: a tenth of Othello's C of 0.2 separates no threads,
    /// because the values of its moves differ by more. Neither does a constant alone: 0.15
    /// separates few threads with Connect Four's C of 1.
    pub(crate) fn new(c: f64, threads: usize) -> Diversify {
        /// At nodes with fewer visits, threads have separated already or meet by chance. Separating
        /// them there would save hardly any time, and with few visits the scores carry little
        /// information anyway.
        const MANY: u64 = 1 << 10;
        let differ = threads > 1 && c > 0.0;
        let share = if differ { (SPREAD * (1.0 + c) / c) as f32 } else { 0.0 };
        Diversify {
            own: 1.0 + share,
            others: (1.0 - share).max(0.0),
            from: if differ { MANY } else { u64::MAX },
            bits: threads.next_power_of_two() as u32 - 1,
        }
    }
}
