//! The natural logarithm of a visit count, the same on every machine.
//!
//! Platform libraries round `ln` differently, and a single rounding difference can lead to a
//! different tree. This function uses only a table made at compile time and IEEE additions and
//! multiplications.

const BITS: u32 = 9;
const SIZE: usize = 1 << (BITS + 1);

/// `TABLE[n]` is ln n; `TABLE[0]` is ln 1.
static TABLE: [f32; SIZE] = table();

/// The natural logarithm of `n`; 0 for `n` = 0. The error is below 0.002, too small to affect
/// selection.
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

/// Computes ln n = k·ln 2 + 2·artanh((m − 1)/(m + 1)) for n = m·2^k and m in [1, 2).
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
    use super::ln;

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
