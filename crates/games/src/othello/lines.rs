//! Lines of discs on a bitboard, which determine the cells for new discs and the discs that a new
//! disc flips.
//!
//! [`Lines::moves`] and [`Lines::turned`] follow lines of the other side's discs in all eight
//! directions at once, by shifting whole boards. Smaller boards lie in the corner of the 8x8 board.
//! A line through a disc on the left or right edge can only be vertical, so excluding these discs
//! from other lines also keeps those lines from continuing in the next row.

/// The cells through which horizontal and diagonal lines can pass.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lines {
    inner_columns: u64,
}

impl Lines {
    pub(super) fn new(size: usize) -> Lines {
        let row: u64 = ((1 << (size - 2)) - 1) << 1;
        Lines { inner_columns: row * 0x0101_0101_0101_0101 }
    }

    /// The cells, empty or not, that follow a line of `other` discs that starts next to a disc of
    /// `own`.
    #[inline]
    pub(super) fn moves(self, own: u64, other: u64) -> u64 {
        let inner = other & self.inner_columns;
        let ends = |through, shift| {
            run_up(own, through, shift) << shift | run_down(own, through, shift) >> shift
        };
        ends(inner, 1) | ends(inner, 7) | ends(other, 8) | ends(inner, 9)
    }

    /// The discs of `other` that lie between `disc` and a disc of `own`.
    #[inline]
    pub(super) fn turned(self, own: u64, other: u64, disc: u64) -> u64 {
        let inner = other & self.inner_columns;
        let between = |through, shift| {
            let up = run_up(disc, through, shift);
            let down = run_down(disc, through, shift);
            all_if(up << shift & own != 0) & up | all_if(down >> shift & own != 0) & down
        };
        between(inner, 1) | between(inner, 7) | between(other, 8) | between(inner, 9)
    }
}

#[inline]
fn all_if(condition: bool) -> u64 {
    0u64.wrapping_sub(condition.into())
}

/// The cells of `through` that are reached from `start` by up to six steps of `shift` within
/// `through`. More steps are not needed, because no more discs fit between two discs.
#[inline(always)]
fn run_up(start: u64, through: u64, shift: u32) -> u64 {
    let one = through & start << shift;
    let two = one | through & one << shift;
    let pairs = through & through << shift;
    let four = two | pairs & two << (2 * shift);
    four | pairs & four << (2 * shift)
}

/// The cells reached by downward steps, as in [`run_up`].
#[inline(always)]
fn run_down(start: u64, through: u64, shift: u32) -> u64 {
    let one = through & start >> shift;
    let two = one | through & one >> shift;
    let pairs = through & through >> shift;
    let four = two | pairs & two >> (2 * shift);
    four | pairs & four >> (2 * shift)
}
