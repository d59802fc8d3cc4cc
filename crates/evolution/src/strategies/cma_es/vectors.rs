//! Sums over many numbers in a fixed order.

/// The dot product, in four running sums: the compiler can vectorise it, and the result does not depend on whether it
/// does.
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

/// Adds `times` the other vector.
pub fn add(to: &mut [f64], times: f64, other: &[f64]) {
    to.iter_mut().zip(other).for_each(|(to, other)| *to += times * other);
}

/// Adds a multiple of each of four other vectors. It does the same as four loops in half the time.
pub fn add_four(to: &mut [f64], times: [f64; 4], others: [&[f64]; 4]) {
    let [a, b, c, d] = others.map(|other| &other[..to.len()]);
    for place in 0..to.len() {
        let (first, second) = (times[0] * a[place] + times[1] * b[place], times[2] * c[place] + times[3] * d[place]);
        to[place] += first + second;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_sums() {
        let row = |begin: f64, count: usize| (0..count).map(|place| begin + place as f64).collect::<Vec<f64>>();
        for count in 0..11 {
            let (one, two) = (row(1.0, count), row(-2.0, count));
            let plain: f64 = one.iter().zip(&two).map(|(a, b)| a * b).sum();
            assert_eq!(dot(&one, &two), plain);
            let others = [1.0, 2.0, -3.0, 5.0].map(|begin| row(begin, count + 2));
            let times = [2.0, -1.0, 0.5, 4.0];
            let (mut together, mut apart) = (one.clone(), one);
            add_four(&mut together, times, [0, 1, 2, 3].map(|number| &others[number][..]));
            others.iter().zip(times).for_each(|(other, times)| add(&mut apart, times, other));
            assert_eq!(together, apart);
        }
    }
}
