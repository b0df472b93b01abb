//! Pits, seeds and captures, shared by the sowing games that capture twos and threes.

use crate::options::{Options, SpecError};

/// The seeds in each pit in the order of sowing: the first player's row from the left, then the
/// second's from the right. On small boards the last entries are unused.
pub(crate) type Pits = [u8; 12];

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Seeds {
    pub(crate) pits: Pits,
    pub(crate) captured: [u8; 2],
}

impl Seeds {
    /// Packs all seeds into two words; the highest byte stays free.
    #[inline]
    pub(crate) fn words(&self) -> [u64; 2] {
        let [a, b, c, d, e, f, g, h, i, j, k, l] = self.pits;
        let [first, second] = self.captured;
        [
            u64::from_le_bytes([a, b, c, d, e, f, g, h]),
            u64::from_le_bytes([i, j, k, l, first, second, 0, 0]),
        ]
    }

    /// The seeds captured by `player` minus those captured by the opponent.
    pub(crate) fn lead(&self, player: usize) -> i32 {
        i32::from(self.captured[player]) - i32::from(self.captured[1 - player])
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Sowing {
    pub(crate) last: usize,
    /// Whether the origin was skipped immediately before the last seed was sown.
    pub(crate) skips_before_last: bool,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Board {
    pub(crate) pits: usize,
    seeds: usize,
}

/// Reads the numbers of pits and seeds from the options.
pub(crate) fn size(options: &mut Options) -> Result<(usize, usize), SpecError> {
    let pits = options.number("the number of pits on each side", 2..=6)?.unwrap_or(6);
    let seeds = options.number("the number of seeds in each pit", 2..=8)?.unwrap_or(4);
    Ok((pits, seeds))
}

impl Board {
    pub(crate) fn new(game: &'static str, pits: usize, seeds: usize) -> Result<Board, SpecError> {
        if (2..=6).contains(&pits) && (2..=8).contains(&seeds) {
            return Ok(Board { pits, seeds });
        }
        let reason = format!(
            "each side must have 2 to 6 pits with 2 to 8 seeds each, not {pits} pits with {seeds} \
             seeds each"
        );
        Err(SpecError::Impossible { game, reason })
    }

    pub(crate) fn total(&self) -> usize {
        2 * self.pits * self.seeds
    }

    pub(crate) fn start(&self) -> Seeds {
        let mut pits = [0; 12];
        pits[..2 * self.pits].fill(self.seeds as u8);
        Seeds { pits, captured: [0, 0] }
    }

    #[inline]
    fn row<'p>(&self, pits: &'p Pits, side: u8) -> &'p [u8] {
        let start = usize::from(side) * self.pits;
        &pits[start..start + self.pits]
    }

    /// The set of a side's pits that hold seeds.
    #[inline]
    pub(crate) fn filled(&self, pits: &Pits, side: u8) -> u64 {
        let row = self.row(pits, side).iter().rev();
        let filled = row.fold(0, |set, &seeds| set << 1 | u64::from(seeds > 0));
        filled << (usize::from(side) * self.pits)
    }

    #[inline]
    pub(crate) fn seeds_of(&self, pits: &Pits, side: u8) -> u8 {
        self.row(pits, side).iter().sum()
    }

    #[inline]
    pub(crate) fn sow(&self, pits: &mut Pits, from: u8) -> Sowing {
        let from = usize::from(from);
        let ring = 2 * self.pits;
        let next = |pit: usize| if pit + 1 == ring { 0 } else { pit + 1 };
        let seeds = std::mem::take(&mut pits[from]);
        let mut last = from;
        let mut skipped = false;
        for _ in 0..seeds {
            last = next(last);
            skipped = last == from;
            if skipped {
                last = next(last);
            }
            pits[last] += 1;
        }
        Sowing { last, skips_before_last: skipped }
    }

    /// The range of captured pits: the other side's consecutive pits, from `last` backwards, that
    /// hold two or three seeds.
    #[inline]
    pub(crate) fn catch(&self, pits: &Pits, side: u8, last: usize) -> std::ops::Range<usize> {
        let row = usize::from(1 - side) * self.pits;
        let end = last + 1;
        let mut start = end;
        if (row..row + self.pits).contains(&last) {
            while start > row && matches!(pits[start - 1], 2 | 3) {
                start -= 1;
            }
        }
        start..end
    }

    /// Captures the seeds of `pits` for `side` and returns their number.
    #[inline]
    pub(crate) fn capture(&self, seeds: &mut Seeds, side: u8, pits: std::ops::Range<usize>) -> u8 {
        let taken = pits.map(|pit| std::mem::take(&mut seeds.pits[pit])).sum();
        seeds.captured[usize::from(side)] += taken;
        taken
    }
}
