//! What came of a tuning: the best settings, and why they are thought to be so.

use super::{Candidate, Judge, TuneParams};
use figures::{quartiles, rank_test, sorted};
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write;
use trainer::ExperimentFile;

/// What came of a tuning.
#[derive(Clone, Debug, Serialize)]
pub struct Evidence {
    /// The experiment's name.
    pub experiment: String,
    /// The best candidate's name; `own` where nothing was better than the experiment as it is.
    pub best: String,
    /// What is set in it.
    pub values: BTreeMap<String, Value>,
    /// How candidates were judged.
    pub judge: &'static str,
    /// Rounds.
    pub rounds: usize,
    /// How many settings were tried, the experiment's own included.
    pub tried: usize,
    /// Training, in whole runs, without the check.
    pub spent: f64,
    /// The seeds by which candidates were judged.
    pub seeds: Vec<u64>,
    /// How the last rung came out, the best first.
    pub last: Vec<Ranked>,
    /// The best against the experiment's own settings, on other seeds.
    pub checked: Option<Checked>,
    /// Runs that failed, and why: they count as lost.
    pub failed: BTreeMap<String, String>,
    #[serde(skip)]
    settings: ExperimentFile,
}

/// A candidate in the last rung.
#[derive(Clone, Debug, Serialize)]
pub struct Ranked {
    /// Its name.
    pub candidate: String,
    /// Its share of points, or its grade, in the mean over seeds.
    pub merit: f64,
    /// What is set in it.
    pub values: BTreeMap<String, Value>,
}

/// The best settings against the experiment's own.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Checked {
    /// The seeds, by which nobody was judged before.
    pub seeds: Vec<u64>,
    /// By seed, the share of points of the best's champion against the other's.
    pub points: Vec<f64>,
    /// Grades of the best's champions, where there is an exam.
    pub best: Vec<f64>,
    /// Grades of the experiment's own champions.
    pub own: Vec<f64>,
    /// The probability of such different grades by chance alone (Mann–Whitney, two-sided).
    pub p: Option<f64>,
    /// How often a grade of the best is above one of the experiment's own, equals counted half (Vargha–Delaney).
    pub a: Option<f64>,
}

impl Checked {
    pub(super) fn compare(&mut self) {
        let test = rank_test(&self.best, &self.own);
        (self.p, self.a) = (test.map(|test| test.p), test.map(|test| test.a));
    }

    fn in_words(&self) -> String {
        let middle = |numbers: &[f64]| 100.0 * quartiles(&sorted(numbers.to_vec()))[1];
        let mut words = format!(
            "on {} other seeds it won {:.1} % of the points against the experiment as it was, in the median",
            self.seeds.len(),
            middle(&self.points)
        );
        if let (Some(p), Some(a)) = (self.p, self.a) {
            let (best, own) = (middle(&self.best), middle(&self.own));
            let _ = write!(words, "; grades {best:.1} % against {own:.1} % (Mann–Whitney p = {p:.3}, A = {a:.2})");
        }
        words
    }
}

impl Ranked {
    pub(super) fn new(params: &TuneParams, candidate: &Candidate, merit: f64) -> Ranked {
        Ranked { candidate: candidate.name.clone(), merit, values: values(params, &candidate.experiment) }
    }
}

/// What a tuning has done.
pub(super) struct Found {
    pub rounds: usize,
    pub spent: f64,
    pub tried: usize,
    pub last: Vec<Ranked>,
    pub checked: Option<Checked>,
    pub failed: BTreeMap<String, String>,
}

/// What an experiment has of what may vary.
fn values(params: &TuneParams, experiment: &ExperimentFile) -> BTreeMap<String, Value> {
    let found = experiment.parameters().into_iter();
    let varies = |key: &str| params.ranges.iter().any(|range| range.key == key);
    found.filter(|parameter| varies(&parameter.key)).map(|parameter| (parameter.key, parameter.value)).collect()
}

/// Whether a text is what a tuning has written: [`Evidence::text`].
pub fn is_tuned(text: &str) -> bool {
    text.lines().nth(2).is_some_and(|line| line.starts_with("# By: "))
}

impl Evidence {
    pub(super) fn new(params: &TuneParams, best: &Candidate, found: Found) -> Evidence {
        let Found { rounds, spent, tried, last, checked, failed } = found;
        // All values that may vary, and nothing else that was set for the tuning.
        let value = |key: &String| best.experiment.value(key).expect("it was set").clone();
        let varied: Vec<_> = params.ranges.iter().map(|range| (&range.key, value(&range.key))).collect();
        let settings = params.experiment.with_values(&varied).expect("they could be set before");
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

    /// The experiment with the best settings, as a file: its own text and comments, with the evidence at its head.
    pub fn text(&self, command: &str) -> String {
        let text = self.settings.text();
        let what =
            if self.best == super::OWN { "as it was: no other settings were better" } else { "with tuned settings" };
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
        let _ = writeln!(head, "# The last rung:");
        for ranked in &self.last {
            let set: Vec<String> = ranked.values.iter().map(|(key, value)| format!("{key} = {value}")).collect();
            let _ = writeln!(head, "#   {:5.1} %  {:4}  {}", 100.0 * ranked.merit, ranked.candidate, set.join(", "));
        }
        match &self.checked {
            Some(checked) => {
                let _ = writeln!(head, "# Checked: {}.", checked.in_words());
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

    /// What was found, in a sentence.
    pub fn in_words(&self) -> String {
        match &self.checked {
            Some(checked) => format!("{}: {}", self.best, checked.in_words()),
            None if self.best == super::OWN => "nothing was better than the experiment as it is".to_string(),
            None => format!("{} is best; it was not checked on other seeds", self.best),
        }
    }
}
