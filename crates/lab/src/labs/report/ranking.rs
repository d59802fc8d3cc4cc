//! Ranks the configurations of a group by their medians, and tests each against the first, to see whether the
//! difference could be chance.

use super::readings::GroupReadings;
use super::table_words::{about_finals, compared, heads};
use figures::{Cell, RankTest, Table, holm, in_digits, mean, quartiles, rank_test};

/// The level of significance: a difference counts as shown if p is below it.
const SHOWN: f64 = 0.05;

/// The result of the test of a configuration against the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    First,
    Behind,
    NotShown,
    TooFew,
}

impl Verdict {
    fn words(self) -> &'static str {
        match self {
            Verdict::First => "first",
            Verdict::Behind => "behind",
            Verdict::NotShown => "no difference shown",
            Verdict::TooFew => "too few runs to tell",
        }
    }
}

/// A configuration with its final values, sorted.
struct Ranked {
    place: usize,
    values: Vec<f64>,
    median: f64,
    verdict: Verdict,
    /// The corrected p, and the probability that its runs have the greater value (A).
    test: Option<(f64, f64)>,
}

/// The table of ranks by the main measure; `None` if there are fewer than two configurations with values.
pub(super) fn ranking(group: GroupReadings) -> Option<Table> {
    let measure = compared(group).next()?;
    let all = (0..group.read.len()).map(|place| (place, group.finals(place, measure)));
    let ranked = ranked(all.filter(|(_, values)| !values.is_empty()).collect());
    if ranked.len() < 2 {
        return None;
    }
    let row = |each: &Ranked| {
        let [low, median, high] = quartiles(&each.values);
        vec![
            group.group.configurations[each.place].name.as_str().into(),
            (1 + ranked.iter().filter(|other| other.median > each.median).count()).into(),
            each.values.len().into(),
            Cell::Number(median),
            Cell::Number(low),
            Cell::Number(high),
            each.test.map(|test| test.0).into(),
            each.test.map(|test| test.1).into(),
            each.verdict.words().into(),
        ]
    };
    let columns = heads(&[
        "configuration",
        "rank",
        "n",
        "median",
        "lower quartile",
        "upper quartile",
        "p (Holm)",
        "A",
        "against the first",
    ]);
    let label = group.all.measures[measure].label();
    let caption = format!(
        "{} Sorted by medians, then by means; the unit is that of the measure. p is from Mann–Whitney's U test, two-sided, and A from Vargha and Delaney, each against the first; Holm's correction is for all of them. Behind: p is below {SHOWN}. Too few: with this number of runs, an exact p cannot be below it. The first was chosen by these same runs. {}",
        sentence(group, &label, &ranked),
        about_finals(group)
    );
    let rows = ranked.iter().map(row).collect();
    Some(Table { name: "ranking".into(), title: format!("Which won, by {label}"), caption, columns, rows })
}

/// Sorts configurations by medians and gives each its verdict.
fn ranked(all: Vec<(usize, Vec<f64>)>) -> Vec<Ranked> {
    let ranked = |(place, values): (usize, Vec<f64>)| Ranked {
        place,
        median: quartiles(&values)[1],
        values,
        verdict: Verdict::First,
        test: None,
    };
    let mut all: Vec<Ranked> = all.into_iter().map(ranked).collect();
    all.sort_by(|one, two| two.median.total_cmp(&one.median).then(mean(&two.values).total_cmp(&mean(&one.values))));
    let Some((first, others)) = all.split_first_mut() else { return all };
    let tests: Vec<_> = others.iter().map(|other| rank_test(&other.values, &first.values)).collect();
    let mut corrected = holm(&tests.iter().flatten().map(|test| test.p).collect::<Vec<f64>>()).into_iter();
    for (other, test) in others.iter_mut().zip(&tests) {
        other.test = test.and_then(|test| Some((corrected.next()?, test.a)));
        // The factor by which Holm's correction multiplies p.
        let is_above = |each: &&RankTest| test.is_none_or(|test| each.p >= test.p);
        let factor = tests.iter().flatten().filter(is_above).count();
        let too_few = least_p(other.values.len(), first.values.len()) * factor as f64 >= SHOWN;
        other.verdict = match other.test {
            _ if too_few => Verdict::TooFew,
            Some((p, _)) if p < SHOWN => Verdict::Behind,
            _ => Verdict::NotShown,
        };
    }
    all
}

/// The smallest possible p: all values of one configuration are below all values of the other, or above.
fn least_p(one: usize, two: usize) -> f64 {
    (1..=one.min(two)).fold(2.0, |p, k| p * k as f64 / (one.max(two) + k) as f64)
}

/// The result in one sentence.
fn sentence(group: GroupReadings, label: &str, ranked: &[Ranked]) -> String {
    let name = |each: &Ranked| group.group.configurations[each.place].name.clone();
    let others = &ranked[1..];
    let of = |verdict: Verdict| -> Vec<String> {
        others.iter().filter(|other| other.verdict == verdict).map(name).collect()
    };
    let mut text =
        format!("{} is first by {label}, with a median of {}", name(&ranked[0]), in_digits(ranked[0].median));
    let (behind, level, few) = (of(Verdict::Behind), of(Verdict::NotShown), of(Verdict::TooFew));
    if behind.len() == others.len() {
        text += if behind.len() == 1 { "; the other is behind" } else { "; all others are behind" };
    } else if !behind.is_empty() {
        text += &format!(
            "; {} of {} others {} behind",
            behind.len(),
            others.len(),
            if behind.len() == 1 { "is" } else { "are" }
        );
    }
    if !level.is_empty() {
        text += &format!("; no difference is shown to {}", level.join(", "));
    }
    if !few.is_empty() {
        text += &format!("; there are too few runs to tell it from {}", few.join(", "));
    }
    text + "."
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(values: &[&[f64]], expected: &[(usize, Verdict)]) {
        let all = values.iter().map(|values| figures::sorted(values.to_vec())).enumerate().collect();
        let found: Vec<_> = ranked(all).iter().map(|each| (each.place, each.verdict)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn configurations_are_ranked_with_verdicts() {
        let low = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8];
        let high = low.map(|value| value + 1.0);
        let near = low.map(|value| value + 0.95);
        check(&[&low, &high], &[(1, Verdict::First), (0, Verdict::Behind)]);
        check(&[&low, &near, &high], &[(2, Verdict::First), (1, Verdict::NotShown), (0, Verdict::Behind)]);
        // If medians are equal, means decide.
        check(&[&[0.9, 1.0, 1.0], &[1.0, 1.0, 1.0]], &[(1, Verdict::First), (0, Verdict::TooFew)]);
        check(&[&high], &[(0, Verdict::First)]);
        check(&[], &[]);
    }

    #[test]
    fn three_runs_against_three_are_too_few() {
        // Two of twenty orders are the most extreme.
        assert!((least_p(3, 3) - 0.1).abs() < 1e-12);
        assert!((least_p(10, 10) - 2.0 / 184_756.0).abs() < 1e-15);
        check(&[&[0.1, 0.2, 0.3], &[1.1, 1.2, 1.3]], &[(1, Verdict::First), (0, Verdict::TooFew)]);
    }

    /// Holm's correction multiplies the greatest p by 1, so two runs can be enough.
    #[test]
    fn too_few_runs_depend_on_the_correction_of_holm() {
        let first: Vec<f64> = (0..10).map(|number| 2.0 + 0.01 * f64::from(number)).collect();
        let behind: Vec<f64> = first.iter().map(|value| value - 1.0).collect();
        check(&[&first, &behind, &[0.1, 0.2]], &[(0, Verdict::First), (1, Verdict::Behind), (2, Verdict::Behind)]);
        check(&[&first, &[0.1]], &[(0, Verdict::First), (1, Verdict::TooFew)]);
    }
}
