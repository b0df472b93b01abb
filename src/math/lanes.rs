//! Arithmetic for selecting moves: on eight siblings at a time, and the logarithm of their visits.

use super::f32x8;

/// The number of siblings that are processed together.
pub(crate) const LANES: usize = 8;

/// The least of eight numbers.
#[inline(always)]
pub(crate) fn least(lanes: f32x8) -> f32 {
    // `f32::min` takes more instructions, because it handles NaN.
    fold(lanes, f32x8::fast_min, |a, b| if b < a { b } else { a })
}

/// The greatest of eight numbers.
#[inline(always)]
pub(crate) fn greatest(lanes: f32x8) -> f32 {
    fold(lanes, f32x8::fast_max, |a, b| if b > a { b } else { a })
}

/// Reduces eight lanes to one number, beginning with the two halves.
#[inline(always)]
fn fold(lanes: f32x8, halves: impl Fn(f32x8, f32x8) -> f32x8, f: impl Fn(f32, f32) -> f32) -> f32 {
    let [a, b, c, d, e, g, h, i] = lanes.to_array();
    // The upper half of the result is dropped, so the compiler does not compute it.
    let [a, b, c, d, ..] = halves(lanes, f32x8::new([e, g, h, i, a, b, c, d])).to_array();
    f(f(a, c), f(b, d))
}

/// The index of the `n`-th set bit among the lowest eight; the index and `n` start at 0. It is
/// looked up in a table, because a loop of unpredictable length would cost a mispredicted branch.
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
        $crate::math::unrolled!(@ $count, $n => $body; 1 2 3 4 5 6 7)
    };
    (@ $count:expr, $n:ident => $body:expr; $($case:literal)*) => {
        match $count {
            $($case => {
                const $n: usize = $case;
                $body
            })*
            _ => {
                const $n: usize = 8;
                $body
            }
        }
    };
}
pub(crate) use unrolled;

/// The number of bits, below the highest, by which the table of logarithms distinguishes numbers.
const BITS: u32 = 9;
const SIZE: usize = 1 << (BITS + 1);

/// ln n for n below `SIZE`; ln 0 is stored as ln 1.
static TABLE: [f32; SIZE] = table();

/// The natural logarithm of `n`, or of 1 if `n` is 0. The result is the same on every machine:
/// platform libraries round `ln` differently, and a single difference can lead to a different tree.
/// So this function uses only a table computed at compile time, and IEEE additions and
/// multiplications. The error is below 0.002, far too small to affect selection.
#[inline]
pub(crate) fn ln(n: u64) -> f32 {
    if n < SIZE as u64 {
        return TABLE[n as usize];
    }
    let shift = u64::BITS - 1 - BITS - n.leading_zeros();
    TABLE[(n >> shift) as usize] + shift as f32 * std::f32::consts::LN_2
}

const fn table() -> [f32; SIZE] {
    let mut table = [0.0; SIZE];
    let mut n = 2;
    while n < SIZE {
        table[n] = series(n as f64) as f32;
        n += 1;
    }
    table
}

/// ln n = k·ln 2 + 2·artanh((m − 1)/(m + 1)) with n = m·2^k and m in [1, 2).
const fn series(n: f64) -> f64 {
    let (mut m, mut k) = (n, 0.0);
    while m >= 2.0 {
        m /= 2.0;
        k += 1.0;
    }
    let x = (m - 1.0) / (m + 1.0);
    let (mut power, mut sum, mut odd) = (x, 0.0, 1.0);
    while odd < 60.0 {
        sum += power / odd;
        power *= x * x;
        odd += 2.0;
    }
    k * std::f64::consts::LN_2 + 2.0 * sum
}

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

    #[test]
    fn agrees_with_the_library() {
        assert_eq!(ln(0), 0.0);
        assert_eq!(ln(1), 0.0);
        let mut n = 2u64;
        while n < u64::MAX / 8 {
            let exact = (n as f64).ln();
            assert!((f64::from(ln(n)) - exact).abs() < 0.002, "ln {n}");
            n = n * 5 / 4 + 1;
        }
        for n in 2..1024u64 {
            assert!((f64::from(ln(n)) - (n as f64).ln()).abs() < 1e-6, "ln {n}");
        }
    }
}
