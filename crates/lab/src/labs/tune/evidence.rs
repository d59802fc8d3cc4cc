//! The result of a tuning: the best candidate, and the evidence that it is better.

use super::{Candidate, Judge, TuneParams};
use figures::{quartiles, rank_test, sorted};
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write;
use trainer::ExperimentFile;

/// The result of a tuning.
#[derive(Clone, Debug, Serialize)]
pub struct Evidence {
    /// The experiment's name.
    pub experiment: String,
    /// The best candidate's name; `own` if no candidate was better than the experiment itself.
    pub best: String,
    /// Its values of the parameters that vary.
    pub values: BTreeMap<String, Value>,
    /// How candidates were judged: `games` or `exam`.
    pub judge: &'static str,
    /// The number of rounds.
    pub rounds: usize,
    /// The number of candidates, including the experiment's own parameters.
    pub tried: usize,
    /// The amount of training, in whole runs, without the check.
    pub spent: f64,
    /// The seeds with which candidates were trained and judged.
    pub seeds: Vec<u64>,
    /// The result of the last rung, the best candidate first.
    pub last: Vec<Ranked>,
    /// The comparison of the best candidate with the experiment on other seeds; `None` if there was none.
    pub checked: Option<Checked>,
    /// Runs that failed, with the reason. They count as lost.
    pub failed: BTreeMap<String, String>,
    #[serde(skip)]
    settings: ExperimentFile,
}

/// A candidate in the last rung.
#[derive(Clone, Debug, Serialize)]
pub struct Ranked {
    /// The candidate's name.
    pub candidate: String,
    /// The mean over seeds of its champions' shares of points, or of their grades.
    pub merit: f64,
    /// Its values of the parameters that vary.
    pub values: BTreeMap<String, Value>,
}

/// The comparison of the best candidate with the experiment's own parameters.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Checked {
    /// The seeds, which were not used to judge candidates.
    pub seeds: Vec<u64>,
    /// By seed, the share of points of the best candidate's champion against the experiment's champion.
    pub points: Vec<f64>,
    /// The grades of the best candidate's champions; empty if there is no exam.
    pub best: Vec<f64>,
    /// The grades of the experiment's own champions.
    pub own: Vec<f64>,
    /// The probability that grades differ at least this much by chance (Mann–Whitney, two-sided).
    pub p: Option<f64>,
    /// The probability that a grade of the best candidate is above one of the experiment's own, equal ones counted half
    /// (Vargha–Delaney).
    pub a: Option<f64>,
}

impl Checked {
    pub(super) fn compare(&mut self) {
        let test = rank_test(&self.best, &self.own);
        (self.p, self.a) = (test.map(|test| test.p), test.map(|test| test.a));
    }

    /// Whether the best settings were shown to be better than the experiment's own: they won more than half of the
    /// points with more seeds than chance explains (sign test), or got higher grades (Mann–Whitney), at a level of 5 %.
    /// In one direction each test errs in 2.5 % of cases, so that both together err in at most 5 %.
    fn is_better(&self) -> bool {
        const LEVEL: f64 = 0.05;
        let higher = self.p.zip(self.a).is_some_and(|(p, a)| p < LEVEL && a > 0.5);
        let (more, fewer) = self.seeds_above_and_below();
        higher || (more > fewer && sign_test(more, fewer) < LEVEL)
    }

    /// The number of seeds with more than half of the points, and with less than half.
    fn seeds_above_and_below(&self) -> (usize, usize) {
        let count = |wanted: fn(&f64) -> bool| self.points.iter().filter(|&points| wanted(points)).count();
        (count(|points| *points > 0.5), count(|points| *points < 0.5))
    }

    /// What was compared, a line for points and a line for grades.
    fn lines(&self) -> Vec<String> {
        let middle = |numbers: &[f64]| 100.0 * quartiles(&sorted(numbers.to_vec()))[1];
        let (more, fewer) = self.seeds_above_and_below();
        let mut lines = vec![format!(
            "points: {:.1} % against the experiment as it is (median of {} other seeds), more than half with {more} of the seeds, less than half with {fewer}; chance alone gives such a difference in {:.0} % of cases (sign test)",
            middle(&self.points),
            self.seeds.len(),
            100.0 * sign_test(more, fewer)
        )];
        if let (Some(p), Some(a)) = (self.p, self.a) {
            let (best, own) = (middle(&self.best), middle(&self.own));
            lines.push(format!(
                "grades: {best:.1} % against {own:.1} % (medians); chance alone gives such a difference in {:.0} % of cases (Mann–Whitney p = {p:.3}); its champion has the higher grade in {:.0} % of pairs (A = {a:.2}; 0.50 is level)",
                100.0 * p,
                100.0 * a
            ));
        }
        lines
    }
}

/// The probability that two counts differ as much or more if both cases are equally likely (two-sided sign test).
fn sign_test(more: usize, fewer: usize) -> f64 {
    let (n, few) = (more + fewer, more.min(fewer));
    // The tail of the binomial distribution; logarithms, because 2^n is too large for many seeds.
    let mut ln_term = -(n as f64) * std::f64::consts::LN_2;
    let mut tail = 0.0;
    for k in 0..=few {
        tail += ln_term.exp();
        ln_term += ((n - k) as f64 / (k + 1) as f64).ln();
    }
    (2.0 * tail).min(1.0)
}

impl Ranked {
    pub(super) fn new(params: &TuneParams, candidate: &Candidate, merit: f64) -> Ranked {
        Ranked { candidate: candidate.name.clone(), merit, values: values(params, &candidate.experiment) }
    }
}

/// What a tuning has found.
pub(super) struct Found {
    pub rounds: usize,
    pub spent: f64,
    pub tried: usize,
    pub last: Vec<Ranked>,
    pub checked: Option<Checked>,
    pub failed: BTreeMap<String, String>,
}

/// An experiment's values of the parameters that vary.
fn values(params: &TuneParams, experiment: &ExperimentFile) -> BTreeMap<String, Value> {
    let found = experiment.parameters().into_iter();
    let varies = |key: &str| params.ranges.iter().any(|range| range.key == key);
    found.filter(|parameter| varies(&parameter.key)).map(|parameter| (parameter.key, parameter.value)).collect()
}

/// Whether a text was written by a tuning, with [`Evidence::text`].
pub fn is_tuned(text: &str) -> bool {
    text.lines().nth(2).is_some_and(|line| line.starts_with("# By: "))
}

impl Evidence {
    pub(super) fn new(params: &TuneParams, best: &Candidate, found: Found) -> Evidence {
        let Found { rounds, spent, tried, last, checked, failed } = found;
        // Take over only the parameters that vary, not those that were set for the tuning.
        let value = |key: &String| best.experiment.value(key).expect("it was set").clone();
        let varied: Vec<_> = params.ranges.iter().map(|range| (&range.key, value(&range.key))).collect();
        let settings = params.experiment.with_values(&varied).expect("the same values were valid before");
        Evidence {
            experiment: params.experiment.name.clone(),
            best: best.name.clone(),
            values: values(params, &best.experiment),
            judge: match params.judge {
                Judge::Games => "games",
                Judge::Exam => "exam",
            },
            rounds,
            tried,
            spent,
            seeds: params.seeds.clone(),
            last,
            checked,
            failed,
            settings,
        }
    }

    /// The experiment with the best parameters as a TOML file. The experiment's comments stay, except that the evidence
    /// replaces the first line.
    pub fn text(&self, command: &str) -> String {
        let text = self.settings.text();
        let what = match &self.checked {
            _ if self.best == super::OWN => "as it was: no other settings were better",
            Some(checked) if checked.is_better() => "with tuned settings",
            Some(_) => "with tuned settings, which were not shown to be better",
            None => "with tuned settings, which were not checked on other seeds",
        };
        let mut head = format!("# {} {what}.\n#\n# By: {command}\n", self.experiment);
        let judged = if self.judge == "games" { "games between their champions" } else { "their champions' exam" };
        let seeds: Vec<String> = self.seeds.iter().map(u64::to_string).collect();
        let _ = writeln!(
            head,
            "# {} settings were tried in {} round{}, with seeds {}, judged by {judged} after equal numbers of games; {:.1} whole runs of training.",
            self.tried,
            self.rounds,
            if self.rounds == 1 { "" } else { "s" },
            seeds.join(", "),
            self.spent
        );
        let _ = writeln!(head, "# The last stage:");
        for ranked in &self.last {
            let set: Vec<String> = ranked.values.iter().map(|(key, value)| format!("{key} = {value}")).collect();
            let _ = writeln!(head, "#   {:5.1} %  {:4}  {}", 100.0 * ranked.merit, ranked.candidate, set.join(", "));
        }
        match &self.checked {
            Some(checked) => {
                let _ = writeln!(head, "# Checked: {}.", checked.lines().join(".\n#   "));
            }
            None if self.best == super::OWN => {}
            None => {
                let _ = writeln!(head, "# Not checked on other seeds.");
            }
        }
        for (member, why) in &self.failed {
            let _ = writeln!(head, "# Failed, and counted as lost: {member}: {why}");
        }
        let body = text.trim_start_matches(|c| c != '\n').trim_start();
        let body = if text.starts_with('#') { body } else { text };
        format!("{head}\n{body}")
    }

    /// The result: a sentence, and a line for each thing that was compared on other seeds.
    pub fn in_words(&self) -> String {
        let best = &self.best;
        let verdict = match &self.checked {
            Some(checked) if checked.is_better() => {
                format!("{best} was shown to be better than the experiment as it is")
            }
            Some(_) => format!(
                "no setting was shown to be better than the experiment as it is; {best}, the first of the last stage, was compared with it"
            ),
            None if best == super::OWN => {
                "no setting was better than the experiment as it is (`own`), the first of the last stage".to_string()
            }
            None => format!(
                "no setting was shown to be better than the experiment as it is: {best}, the first of the last stage, was not compared with it on other seeds"
            ),
        };
        let lines = self.checked.as_ref().map_or_else(Vec::new, Checked::lines);
        std::iter::once(verdict).chain(lines).collect::<Vec<_>>().join("\n  ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sign_test_counts_coins() {
        let check = |more: usize, fewer: usize, expected: f64| {
            assert!(
                (sign_test(more, fewer) - expected).abs() < 1e-12,
                "{more} and {fewer}: {}",
                sign_test(more, fewer)
            );
        };
        // Both tails of the binomial distribution: 2 · (1 + 10) / 2^10 for nine of ten.
        check(9, 1, 22.0 / 1024.0);
        check(1, 9, 22.0 / 1024.0);
        check(10, 0, 2.0 / 1024.0);
        check(5, 5, 1.0);
        check(0, 0, 1.0);
        assert!(sign_test(2000, 2000) == 1.0 && sign_test(2200, 2000) < 0.01 && sign_test(2020, 2000) > 0.5);
    }

    #[test]
    fn a_level_result_is_not_called_better() {
        let checked = |points: &[f64], best: &[f64], own: &[f64]| {
            let mut checked = Checked {
                seeds: (0..points.len() as u64).collect(),
                points: points.to_vec(),
                best: best.to_vec(),
                own: own.to_vec(),
                ..Checked::default()
            };
            checked.compare();
            checked
        };
        assert!(!checked(&[0.5; 10], &[], &[]).is_better());
        assert!(!checked(&[0.6, 0.7, 0.4], &[], &[]).is_better());
        assert!(!checked(&[0.3; 10], &[], &[]).is_better(), "worse is not better");
        assert!(checked(&[0.6; 10], &[], &[]).is_better());
        let (low, high) = ([0.1, 0.2, 0.3, 0.4, 0.5], [0.6, 0.7, 0.8, 0.9, 1.0]);
        assert!(checked(&[0.5; 5], &high, &low).is_better());
        assert!(!checked(&[0.5; 5], &low, &high).is_better());
    }
}
