//! The only random number generator of Gamete, and the only functions that draw from it.
//!
//! A piece of work gets its generator from what it *is*, never from a clock or a global variable. So the same seed
//! gives the same result with any number of threads and after any interruption, and a saved run contains no generator:
//!
//! ```
//! use chance::rng_for;
//! const DICE: u64 = 1;
//! let roll = |throw| 1 + rng_for(42, &[DICE, throw]).below(6);
//! assert_eq!(roll(7), roll(7));
//! ```
//!
//! The sampling is written here, on top of the bits of a published generator (PCG64 DXSM), because general libraries
//! may change the values they draw in a minor version. The golden tests below keep our values fixed.

use rand_core::Rng as _;
use rand_pcg::Pcg64Dxsm;

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub struct Rng(Pcg64Dxsm);

/// The generator for one piece of work. `path` names the work within the run, for example by stream, generation and
/// game.
pub fn rng_for(seed: u64, path: &[u64]) -> Rng {
    let mut low = mix(seed ^ 0x9e37_79b9_7f4a_7c15);
    let mut high = mix(low ^ 0xd1b5_4a32_d192_ed03);
    for &part in path {
        low = mix(low ^ part);
        high = mix(high.wrapping_add(low));
    }
    Rng(Pcg64Dxsm::new(u128::from(high) << 64 | u128::from(low), u128::from(mix(high ^ low))))
}

/// SplitMix64's finaliser: every bit of the result depends on every bit of `number`.
fn mix(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The natural logarithm of a number above 0, in plain arithmetic, because the platform's own function may differ in
/// the last bit.
pub fn ln(x: f64) -> f64 {
    // 1. x = m·2ⁿ with m from √½ to √2.
    let bits = x.to_bits();
    let mut n = (bits >> 52) as i32 - 1023;
    let mut m = f64::from_bits(bits & 0x000f_ffff_ffff_ffff | 0x3ff0_0000_0000_0000);
    if m > std::f64::consts::SQRT_2 {
        m *= 0.5;
        n += 1;
    }
    // 2. ln m = 2 artanh t by its series; t² is below 0.03.
    let t = (m - 1.0) / (m + 1.0);
    let square = t * t;
    let series = (0..9).rev().fold(0.0, |sum, k| sum * square + 1.0 / f64::from(2 * k + 1));
    f64::from(n) * std::f64::consts::LN_2 + 2.0 * t * series
}

impl Rng {
    /// A whole number in `0..bound`; `bound` must not be 0.
    pub fn below(&mut self, bound: usize) -> usize {
        debug_assert!(bound > 0);
        // The high half of a widening product. Its bias, bound / 2^64, is far below what any run could notice.
        ((u128::from(self.0.next_u64()) * bound as u128) >> 64) as usize
    }

    /// A number in [0, 1), one of 2^53 equally likely values.
    pub fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// A number in [−1, 1), one of 2^24 equally likely values.
    pub fn signed_unit(&mut self) -> f32 {
        (self.0.next_u64() >> 40) as f32 * (2.0 / (1u64 << 24) as f32) - 1.0
    }

    /// A number from the normal distribution with mean 0 and standard deviation 1, by Marsaglia's polar method.
    pub fn gaussian(&mut self) -> f32 {
        loop {
            let (u, v) = (2.0 * self.unit() - 1.0, 2.0 * self.unit() - 1.0);
            let square = u * u + v * v;
            if square > 0.0 && square < 1.0 {
                return (u * (-2.0 * ln(square) / square).sqrt()) as f32;
            }
        }
    }

    /// The index of one of the weights, drawn in proportion to the weights; `None` if no weight is above 0.
    pub fn weighted(&mut self, weights: &[f64]) -> Option<usize> {
        let total: f64 = weights.iter().sum();
        if total <= 0.0 {
            return None;
        }
        let mut left = self.unit() * total;
        for (place, &weight) in weights.iter().enumerate() {
            left -= weight;
            if left < 0.0 {
                return Some(place);
            }
        }
        // Rounding errors can leave a rest. It counts for the last weight above 0.
        weights.iter().rposition(|&weight| weight > 0.0)
    }

    /// Shuffles the items; all orders are equally likely.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.below(last + 1);
            items.swap(last, other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn golden_draws_never_change() {
        let mut rng = rng_for(1, &[2, 3]);
        let draws: Vec<usize> = (0..6).map(|_| rng.below(1000)).collect();
        assert_eq!(draws, GOLDEN_BELOW);
        assert_eq!(rng.unit().to_bits(), GOLDEN_UNIT);
        assert_eq!(rng.signed_unit().to_bits(), GOLDEN_SIGNED);
        let mut items = [0, 1, 2, 3, 4, 5, 6, 7];
        rng.shuffle(&mut items);
        assert_eq!(items, GOLDEN_SHUFFLE);
    }
    const GOLDEN_BELOW: [usize; 6] = [658, 676, 597, 744, 8, 392];
    const GOLDEN_UNIT: u64 = 4_599_850_146_752_294_876;
    const GOLDEN_SIGNED: u32 = 3_204_812_300;
    const GOLDEN_SHUFFLE: [i32; 8] = [0, 5, 3, 7, 6, 4, 2, 1];

    #[test]
    fn neighbouring_paths_are_unrelated() {
        let firsts: std::collections::BTreeSet<usize> = (0..1000)
            .map(|n| rng_for(5, &[1, n]).below(1 << 40))
            .chain((0..1000).map(|n| rng_for(n, &[1]).below(1 << 40)))
            .collect();
        assert_eq!(firsts.len(), 2000);
    }

    #[test]
    fn draws_are_even() {
        let mut rng = rng_for(9, &[]);
        let mut counts = [0u32; 7];
        (0..70_000).for_each(|_| counts[rng.below(7)] += 1);
        assert!(counts.iter().all(|&count| (9_600..10_400).contains(&count)), "{counts:?}");
        let mean = (0..70_000).map(|_| f64::from(rng.signed_unit())).sum::<f64>() / 70_000.0;
        assert!(mean.abs() < 0.01, "{mean}");
    }

    #[test]
    fn weights_of_nothing_draw_nothing() {
        let mut rng = rng_for(9, &[]);
        assert_eq!(rng.weighted(&[0.0, 0.0]), None);
        assert_eq!(rng.weighted(&[]), None);
        assert!((0..100).all(|_| rng.weighted(&[0.0, 2.0, 0.0]) == Some(1)));
    }

    #[test]
    fn gaussian_numbers_are_gaussian() {
        let rng = &mut rng_for(3, &[]);
        let drawn: Vec<f64> = (0..200_000).map(|_| f64::from(rng.gaussian())).collect();
        let moment = |power: i32| drawn.iter().map(|x| x.powi(power)).sum::<f64>() / drawn.len() as f64;
        assert!(moment(1).abs() < 0.01 && (moment(2) - 1.0).abs() < 0.02, "{} {}", moment(1), moment(2));
        assert!(moment(3).abs() < 0.03 && (moment(4) - 3.0).abs() < 0.1, "{} {}", moment(3), moment(4));
        for x in [1e-300, 1e-9, 0.3, 0.999, 1.0, 1.5, 7e8] {
            assert!((ln(x) - x.ln()).abs() <= 1e-14 * (1.0 + x.ln().abs()), "{x}");
        }
        assert_eq!(rng_for(1, &[]).gaussian().to_bits(), rng_for(1, &[]).gaussian().to_bits());
    }
}
