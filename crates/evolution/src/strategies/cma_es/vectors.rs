//! Sums over many numbers in a fixed order.

/// The sum of all products, in four running sums: the compiler can work on them at once, and the sum does not depend on
/// whether it does.
pub fn dot(one: &[f64], two: &[f64]) -> f64 {
    let (ones, twos) = (one.chunks_exact(4), two.chunks_exact(4));
    let rest: f64 = ones.remainder().iter().zip(twos.remainder()).map(|(a, b)| a * b).sum();
    let mut sums = [0.0; 4];
    for (a, b) in ones.zip(twos) {
        for lane in 0..4 {
            sums[lane] += a[lane] * b[lane];
        }
    }
    (sums[0] + sums[2]) + (sums[1] + sums[3]) + rest
}

/// Adds so many times the other.
pub fn add(to: &mut [f64], times: f64, other: &[f64]) {
    to.iter_mut().zip(other).for_each(|(to, other)| *to += times * other);
}
