//! Operations on eight siblings at once.

use super::f32x8;

pub(crate) const LANES: usize = 8;

#[inline(always)]
pub(crate) fn least(lanes: f32x8) -> f32 {
    // `f32::min` takes more instructions, because it handles NaN.
    fold(lanes, f32x8::fast_min, |a, b| if b < a { b } else { a })
}

#[inline(always)]
pub(crate) fn greatest(lanes: f32x8) -> f32 {
    fold(lanes, f32x8::fast_max, |a, b| if b > a { b } else { a })
}

/// Reduces eight lanes to one: `halves` combines the two halves, `f` the rest.
#[inline(always)]
fn fold(lanes: f32x8, halves: impl Fn(f32x8, f32x8) -> f32x8, f: impl Fn(f32, f32) -> f32) -> f32 {
    let [a, b, c, d, e, g, h, i] = lanes.to_array();
    // The upper half of the result is unused, so the compiler does not compute it.
    let [a, b, c, d, ..] = halves(lanes, f32x8::new([e, g, h, i, a, b, c, d])).to_array();
    f(f(a, c), f(b, d))
}

/// Returns the index of the `n`-th set bit among the lowest eight, both counted from 0. A table
/// gives it, because the branches of a loop would be mispredicted.
#[inline]
pub(crate) fn nth_bit(bits: u32, n: u32) -> usize {
    static PLACES: [[u8; LANES]; 1 << LANES] = places();
    PLACES[bits as usize % (1 << LANES)][n as usize % LANES].into()
}

const fn places() -> [[u8; LANES]; 1 << LANES] {
    let mut places = [[0; LANES]; 1 << LANES];
    let mut bits = 0;
    while bits < 1 << LANES {
        let (mut place, mut n) = (0, 0);
        while place < LANES {
            if bits >> place & 1 == 1 {
                places[bits][n] = place as u8;
                n += 1;
            }
            place += 1;
        }
        bits += 1;
    }
    places
}

/// Evaluates `$body` with `$n` as a constant: `$count` if that is 1 to 7, otherwise 8, so that
/// loops over the lanes compile without branches.
macro_rules! unrolled {
    ($count:expr, $n:ident => $body:expr) => {
        match $count {
            1 => {
                const $n: usize = 1;
                $body
            }
            2 => {
                const $n: usize = 2;
                $body
            }
            3 => {
                const $n: usize = 3;
                $body
            }
            4 => {
                const $n: usize = 4;
                $body
            }
            5 => {
                const $n: usize = 5;
                $body
            }
            6 => {
                const $n: usize = 6;
                $body
            }
            7 => {
                const $n: usize = 7;
                $body
            }
            _ => {
                const $n: usize = 8;
                $body
            }
        }
    };
}
pub(crate) use unrolled;

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn every_set_bit_is_found() {
        for bits in 1u32..256 {
            let set: Vec<usize> = (0..8).filter(|place| bits >> place & 1 == 1).collect();
            for (n, &place) in (0..).zip(&set) {
                assert_eq!(nth_bit(bits, n), place);
            }
        }
    }

    #[test]
    fn ends_of_eight_numbers() {
        for place in 0..8 {
            let mut numbers = [2.0; 8];
            numbers[place] = 3.0;
            assert_eq!((least(f32x8::new(numbers)), greatest(f32x8::new(numbers))), (2.0, 3.0));
            numbers[place] = f32::NEG_INFINITY;
            assert_eq!(least(f32x8::new(numbers)), f32::NEG_INFINITY);
        }
    }
}
