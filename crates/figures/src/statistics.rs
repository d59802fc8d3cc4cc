//! Statistics of samples: quantiles, confidence intervals of means, comparisons of two samples, and survival curves.
//!
//! All results agree with SciPy to 1e-9: `docs/results/scipy_answers.py` computed SciPy's results, and the tests read
//! them.

use chance::rng_for;

/// A quantile of sorted numbers, interpolated between neighbours (type 7, as in NumPy). There must be at least one
/// number.
pub fn quantile(sorted: &[f64], share: f64) -> f64 {
    debug_assert!(!sorted.is_empty() && sorted.is_sorted());
    let place = share * (sorted.len() - 1) as f64;
    let below = sorted[place.floor() as usize];
    let above = sorted[place.ceil() as usize];
    below + (above - below) * place.fract()
}

/// The lower quartile, the median and the upper quartile.
pub fn quartiles(sorted: &[f64]) -> [f64; 3] {
    [0.25, 0.5, 0.75].map(|share| quantile(sorted, share))
}

/// Sorts numbers in ascending order.
pub fn sorted(mut numbers: Vec<f64>) -> Vec<f64> {
    numbers.sort_by(f64::total_cmp);
    numbers
}

/// The mean of sorted numbers, summed in the same way as in the bootstrap.
pub fn mean(sorted: &[f64]) -> f64 {
    let different = with_counts(sorted);
    different.iter().map(|(value, count)| value * *count as f64).sum::<f64>() / sorted.len() as f64
}

/// The number of samples that the bootstrap draws.
const RESAMPLES: usize = 10_000;
/// The seed of the bootstrap's random numbers.
const BOOTSTRAP: u64 = 0x626f_6f74;

/// The 95 % interval of the mean by the bias-corrected and accelerated bootstrap; `None` for fewer than two numbers.
/// The random numbers depend only on the given numbers, so that the same numbers have the same interval.
///
/// Efron: Better Bootstrap Confidence Intervals, 1987.
pub fn interval_of_mean(sorted: &[f64]) -> Option<[f64; 2]> {
    let count = sorted.len();
    if count < 2 {
        return None;
    }
    let different = with_counts(sorted);
    if let [(value, _)] = different[..] {
        return Some([value, value]);
    }
    // 1. The means of samples drawn from the sample. They are summed value by value, so that the same values in any
    //    order have exactly the same mean.
    let path: Vec<u64> = sorted.iter().map(|number| number.to_bits()).collect();
    let mut rng = rng_for(BOOTSTRAP, &path);
    let which: Vec<usize> = (0..different.len()).flat_map(|place| vec![place; different[place].1]).collect();
    let mut drawn = vec![0usize; different.len()];
    let mut resample = || {
        drawn.fill(0);
        (0..count).for_each(|_| drawn[which[rng.below(count)]] += 1);
        different.iter().zip(&drawn).map(|((value, _), times)| value * *times as f64).sum::<f64>() / count as f64
    };
    let means = self::sorted((0..RESAMPLES).map(|_| resample()).collect());
    // 2. The bias: how far the mean is from the median of these means.
    let middle = mean(sorted);
    let (below, up_to) =
        (means.partition_point(|&other| other < middle), means.partition_point(|&other| other <= middle));
    let bias = normal_quantile((below + up_to) as f64 / (2 * RESAMPLES) as f64);
    // 3. The acceleration, from the means that leave one number out (jackknife). They differ from the mean as the
    //    numbers do, with the opposite sign and a constant factor.
    let differences = || sorted.iter().map(|number| number - middle);
    let (squares, cubes) = differences().fold((0.0, 0.0), |(two, three), d| (two + d * d, three + d * d * d));
    let acceleration = cubes / (6.0 * squares * squares.sqrt());
    // 4. The ends of the interval, as quantiles of the means.
    let end = |share: f64| {
        let z = bias + normal_quantile(share);
        quantile(&means, normal_share(bias + z / (1.0 - acceleration * z)).clamp(0.0, 1.0))
    };
    Some([end(0.025), end(0.975)])
}

/// The different values of sorted numbers, with the number of times that each occurs.
fn with_counts(sorted: &[f64]) -> Vec<(f64, usize)> {
    sorted.chunk_by(|one, two| one == two).map(|equal| (equal[0], equal.len())).collect()
}

/// The share of the standard normal distribution below `z`.
fn normal_share(z: f64) -> f64 {
    0.5 * libm::erfc(-z / std::f64::consts::SQRT_2)
}

/// The quantile of the standard normal distribution. It is found by bisection, which needs no table of constants.
fn normal_quantile(share: f64) -> f64 {
    let (mut low, mut high) = (-40.0, 40.0);
    loop {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            return middle;
        }
        if normal_share(middle) < share { low = middle } else { high = middle }
    }
}

/// The result of a test whether one of two samples is greater.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankTest {
    /// The Mann–Whitney U: the number of pairs in which the number of the first sample is greater. Equal pairs count
    /// half.
    pub u: f64,
    /// The Vargha–Delaney A: U as a share of all pairs. ½ means that no sample is greater.
    pub a: f64,
    /// The two-sided p-value.
    pub p: f64,
}

/// The p-value is exact if the smaller sample has at most this many numbers and there are no ties.
const EXACT: usize = 8;

/// Compares two samples by the two-sided Mann–Whitney test; `None` if one of them is empty.
///
/// For small samples without ties, the p-value is exact. For others it comes from the normal distribution, with
/// corrections for ties and continuity.
pub fn rank_test(one: &[f64], two: &[f64]) -> Option<RankTest> {
    if one.is_empty() || two.is_empty() {
        return None;
    }
    let (m, n) = (one.len() as f64, two.len() as f64);
    // 1. All numbers are sorted together. The ranks of the first sample are summed; equal numbers get their mean rank.
    let mut all: Vec<(f64, bool)> = one.iter().map(|&x| (x, true)).chain(two.iter().map(|&x| (x, false))).collect();
    all.sort_by(|one, two| one.0.total_cmp(&two.0));
    let (mut ranks, mut ties, mut before) = (0.0, 0.0, 0.0);
    for equal in all.chunk_by(|one, two| one.0 == two.0) {
        let count = equal.len() as f64;
        ranks += equal.iter().filter(|number| number.1).count() as f64 * (before + (count + 1.0) / 2.0);
        ties += count * count * count - count;
        before += count;
    }
    let u = ranks - m * (m + 1.0) / 2.0;
    let greater = u.max(m * n - u);
    // 2. The probability of this U or one farther from the middle, on both sides.
    let p = if one.len().min(two.len()) <= EXACT && ties == 0.0 {
        let counts = shares_of_u(one.len(), two.len());
        2.0 * counts[greater as usize..].iter().sum::<f64>()
    } else {
        let total = m + n;
        let deviation = (m * n / 12.0 * (total + 1.0 - ties / (total * (total - 1.0)))).sqrt();
        let z = (greater - m * n / 2.0 - 0.5) / deviation;
        2.0 * normal_share(-z)
    };
    Some(RankTest { u, a: u / (m * n), p: p.min(1.0) })
}

/// The probability of each U for two samples of m and n numbers without ties, if no sample is greater.
fn shares_of_u(m: usize, n: usize) -> Vec<f64> {
    // The largest of i + j numbers belongs to the first sample with probability i/(i + j), and is then greater than all
    // j numbers of the second. So the distribution for i and j follows from those with one number less.
    let (m, n) = (m.min(n), m.max(n));
    let mut rows: Vec<Vec<f64>> = vec![vec![1.0]; m + 1];
    for j in 1..=n {
        for i in 1..=m {
            let greatest_is_first = i as f64 / (i + j) as f64;
            let mut shares = vec![0.0; i * j + 1];
            for (u, share) in rows[i - 1].iter().enumerate() {
                shares[u + j] += greatest_is_first * share;
            }
            for (u, share) in rows[i].iter().enumerate() {
                shares[u] += (1.0 - greatest_is_first) * share;
            }
            rows[i] = shares;
        }
    }
    rows.swap_remove(m)
}

/// The p-values of several tests after Holm's correction for multiple tests.
pub fn holm(probabilities: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..probabilities.len()).collect();
    order.sort_by(|&one, &two| probabilities[one].total_cmp(&probabilities[two]));
    let mut corrected = vec![0.0; probabilities.len()];
    let mut least: f64 = 0.0;
    for (rank, &place) in order.iter().enumerate() {
        least = least.max(probabilities[place] * (order.len() - rank) as f64).min(1.0);
        corrected[place] = least;
    }
    corrected
}

/// A survival curve by the Kaplan–Meier estimate, for example of runs that are not yet solved.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Survival {
    /// The times of events, and the share of cases without an event from then on.
    pub steps: Vec<(f64, f64)>,
    /// The times at which the observation of cases ended without an event.
    pub censored: Vec<f64>,
}

impl Survival {
    /// Computes the curve. `seen` has for each case the time up to which it was observed, and whether the event
    /// happened then.
    pub fn new(seen: &[(f64, bool)]) -> Survival {
        let mut seen = seen.to_vec();
        seen.sort_by(|one, two| one.0.total_cmp(&two.0));
        let (mut left, mut at_risk) = (1.0, seen.len());
        let mut found = Survival::default();
        for at_once in seen.chunk_by(|one, two| one.0 == two.0) {
            let ended = at_once.iter().filter(|one| one.1).count();
            if ended > 0 {
                left *= (at_risk - ended) as f64 / at_risk as f64;
                found.steps.push((at_once[0].0, left));
            }
            found.censored.extend(at_once.iter().filter(|one| !one.1).map(|one| one.0));
            at_risk -= at_once.len();
        }
        found
    }

    /// The first time after which at most half of the cases are left; `None` if more are left at the end.
    pub fn median(&self) -> Option<f64> {
        // Because of rounding, a product of fractions that is ½ may be slightly larger.
        self.steps.iter().find(|step| step.1 <= 0.5 + 1e-12).map(|step| step.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    /// The results of SciPy, NumPy and statsmodels.
    #[derive(Deserialize)]
    struct Answers {
        samples: Vec<Samples>,
        holm: Vec<Corrected>,
        survival: Vec<Survived>,
    }

    #[derive(Deserialize)]
    struct Samples {
        one: Vec<f64>,
        two: Vec<f64>,
        mean: f64,
        quartiles: [f64; 3],
        tenth: f64,
        u: f64,
        p: f64,
        a: f64,
        interval: Option<[f64; 2]>,
    }

    #[derive(Deserialize)]
    struct Corrected {
        given: Vec<f64>,
        corrected: Vec<f64>,
    }

    #[derive(Deserialize)]
    struct Survived {
        seen: Vec<(f64, bool)>,
        times: Vec<f64>,
        left: Vec<f64>,
    }

    fn answers() -> Answers {
        serde_json::from_str(include_str!("statistics/answers.json")).unwrap()
    }

    #[track_caller]
    fn check(what: &str, found: f64, expected: f64) {
        assert!((found - expected).abs() <= 1e-9, "{what}: {found}, but SciPy says {expected}");
    }

    #[test]
    fn samples_have_the_same_statistics_as_in_scipy() {
        let mut with_ties = 0;
        let mut intervals = 0;
        for Samples { one, two, mean: expected, quartiles: quarters, tenth, u, p, a, interval } in answers().samples {
            let row = sorted(one.clone());
            check("mean", mean(&row), expected);
            (0..3).for_each(|i| check("quartile", quartiles(&row)[i], quarters[i]));
            check("quantile", quantile(&row, 0.1), tenth);
            let test = rank_test(&one, &two).unwrap();
            check("U", test.u, u);
            check("p", test.p, p);
            // Very small p-values have a small relative error, too.
            assert!((test.p - p).abs() <= 1e-9 * p, "{} and {p}", test.p);
            check("A", test.a, a);
            let turned = rank_test(&two, &one).unwrap();
            check("p the other way round", turned.p, p);
            check("A the other way round", turned.a, 1.0 - a);
            if let Some(expected) = interval {
                let found = interval_of_mean(&row).unwrap();
                (0..2).for_each(|end| check("end of the interval", found[end], expected[end]));
                intervals += 1;
            }
            with_ties +=
                usize::from(with_counts(&sorted([one.clone(), two.clone()].concat())).len() < one.len() + two.len());
        }
        assert!(with_ties >= 100 && intervals >= 100, "{with_ties} samples with ties, {intervals} intervals");
    }

    #[test]
    fn many_tests_are_corrected_as_statsmodels_does() {
        for Corrected { given, corrected } in answers().holm {
            holm(&given).iter().zip(corrected).for_each(|(found, expected)| check("Holm", *found, expected));
        }
        assert_eq!(holm(&[]), [0.0; 0]);
    }

    #[test]
    fn survivals_are_those_of_scipy() {
        for Survived { seen, times, left } in answers().survival {
            let found = Survival::new(&seen);
            assert_eq!(found.steps.iter().map(|step| step.0).collect::<Vec<f64>>(), times);
            found.steps.iter().zip(left).for_each(|(step, expected)| check("left", step.1, expected));
            assert_eq!(found.censored.len(), seen.iter().filter(|one| !one.1).count());
        }
    }

    #[test]
    fn half_are_left_at_the_median() {
        let ended = |times: &[f64]| times.iter().map(|&time| (time, true)).collect::<Vec<_>>();
        assert_eq!(Survival::new(&ended(&[3.0, 1.0, 2.0])).median(), Some(2.0));
        assert_eq!(Survival::new(&ended(&[3.0, 1.0, 2.0, 4.0])).median(), Some(2.0));
        assert_eq!(Survival::new(&[(1.0, true), (9.0, false), (9.0, false)]).median(), None);
        assert_eq!(Survival::new(&[]).median(), None);
    }

    #[test]
    fn very_small_samples() {
        assert_eq!(interval_of_mean(&[]), None);
        assert_eq!(interval_of_mean(&[0.5]), None);
        assert_eq!(interval_of_mean(&[0.5, 0.5, 0.5]), Some([0.5, 0.5]));
        assert_eq!(rank_test(&[], &[1.0]), None);
        assert_eq!(rank_test(&[1.0, 1.0], &[1.0]).map(|test| test.p), Some(1.0));
    }

    #[test]
    fn quantiles_of_the_normal_distribution_invert_its_shares() {
        for share in [1e-12, 0.025, 0.3, 0.5, 0.8, 0.975] {
            check("share", normal_share(normal_quantile(share)), share);
        }
        check("two deviations", normal_quantile(0.975), 1.959_963_984_540_054);
    }
}
