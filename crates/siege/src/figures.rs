//! The figures of an attack: what was done how often, and how often it failed, as a table or as JSON.

use crate::Attack;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The figures of one attack.
pub struct Figures {
    /// The attack.
    pub attack: Attack,
    /// The number of cases that were run.
    pub cases: u64,
    /// The number of failures.
    pub failures: u64,
    /// Failures by kind.
    pub kinds: BTreeMap<String, u64>,
    /// The number of failed cases, of which the first have their folders kept.
    pub kept: usize,
    /// Counts of what was done, by name.
    pub counts: BTreeMap<&'static str, u64>,
    /// Counts of parts, such as fuzz targets, by their names.
    pub parts: BTreeMap<String, BTreeMap<&'static str, u64>>,
    /// The duration in seconds.
    pub seconds: f64,
    /// Why the attack was skipped; `None` if it was not.
    pub skipped: Option<String>,
}

impl Figures {
    /// The figures of an attack that has not begun.
    pub fn new(attack: Attack) -> Figures {
        let (kinds, counts, parts) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        Figures { attack, cases: 0, failures: 0, kinds, kept: 0, counts, parts, seconds: 0.0, skipped: None }
    }

    /// The figures of an attack that is skipped.
    pub fn skipped(attack: Attack, why: &str) -> Figures {
        Figures { skipped: Some(why.to_string()), ..Figures::new(attack) }
    }

    /// Adds the counts and failures of a case.
    pub fn add(&mut self, counts: &BTreeMap<&'static str, u64>, failures: &[String]) {
        self.cases += 1;
        self.kept += usize::from(!failures.is_empty());
        failures.iter().for_each(|failure| self.fail(failure));
        for (what, times) in counts {
            let so_far = self.counts.entry(what).or_default();
            // Counts that begin with "most " keep the maximum of all cases; the others are added up.
            *so_far = if what.starts_with("most ") { (*so_far).max(*times) } else { *so_far + times };
        }
    }

    /// Adds a failure. The words before the first colon are its kind.
    pub fn fail(&mut self, failure: &str) {
        self.failures += 1;
        *self.kinds.entry(failure.split(": ").next().unwrap_or_default().to_string()).or_default() += 1;
    }

    fn minutes(&self) -> f64 {
        self.seconds / 60.0
    }

    /// The figures as one JSON object.
    pub fn json(&self) -> Value {
        let mut object = Map::new();
        object.insert("attack".to_string(), self.attack.to_string().into());
        object.insert("cases".to_string(), self.cases.into());
        object.insert("minutes".to_string(), ((self.minutes() * 100.0).round() / 100.0).into());
        object.insert("failures".to_string(), self.failures.into());
        object.insert(
            "kinds".to_string(),
            self.kinds.iter().map(|(kind, times)| (kind.clone(), Value::from(*times))).collect(),
        );
        if let Some(why) = &self.skipped {
            object.insert("skipped".to_string(), why.clone().into());
        }
        if !self.parts.is_empty() {
            object.insert("parts".to_string(), serde_json::json!(self.parts));
        }
        object.extend(self.counts.iter().map(|(what, times)| (what.replace(' ', "_"), Value::from(*times))));
        Value::Object(object)
    }
}

/// All figures as a table, with a line for each kind of failure.
pub fn table(all: &[Figures]) -> String {
    let mut text = format!("{:<12}{:>7}{:>9}{:>10}  {}\n", "attack", "cases", "minutes", "failures", "done");
    for figures in all {
        let done = figures.skipped.as_ref().map_or_else(|| listed(&figures.counts), |why| format!("skipped: {why}"));
        let (attack, cases, minutes) = (figures.attack.to_string(), figures.cases, figures.minutes());
        text += &format!("{attack:<12}{cases:>7}{minutes:>9.1}{:>10}  {done}\n", figures.failures);
        for (kind, times) in &figures.kinds {
            text += &format!("{:<12}{:>26}  {kind}\n", "", times);
        }
        for (part, counts) in &figures.parts {
            text += &format!("{:<40}{part}: {}\n", "", listed(counts));
        }
    }
    let sum = |figure: fn(&Figures) -> u64| all.iter().map(figure).sum::<u64>();
    let minutes: f64 = all.iter().map(Figures::minutes).sum();
    let (cases, failures) = (sum(|each| each.cases), sum(|each| each.failures));
    // Counts that several attacks share.
    let common = ["kills", "requests"].map(|what| {
        let times: u64 = all.iter().filter_map(|figures| figures.counts.get(what)).sum();
        format!("{times} {what}")
    });
    text + &format!("{:<12}{cases:>7}{minutes:>9.1}{failures:>10}  {}\n", "all", common.join(", "))
}

fn listed(counts: &BTreeMap<&'static str, u64>) -> String {
    let each: Vec<String> = counts.iter().map(|(what, times)| format!("{times} {what}")).collect();
    each.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_written_as_json_and_as_a_table() {
        let mut figures = Figures { cases: 3, failures: 1, seconds: 90.0, ..Figures::new(Attack::Web) };
        figures.counts.insert("starts without lock", 2);
        figures.kinds.insert("no lock".to_string(), 1);
        figures.parts.insert("a target".to_string(), [("edges", 900)].into());
        let json = figures.json();
        assert_eq!(
            (&json["attack"], &json["starts_without_lock"], &json["minutes"]),
            (&"web".into(), &2.into(), &1.5.into())
        );
        assert_eq!(json["parts"]["a target"]["edges"], 900);
        let text = table(&[figures, Figures::skipped(Attack::Fuzz, "not part of the share")]);
        assert!(text.contains("2 starts without lock") && text.contains("a target: 900 edges"), "{text}");
        assert!(text.contains("skipped: not part of the share"), "{text}");
        let last = text.lines().last().unwrap().split_whitespace();
        assert!(last.eq(["all", "3", "1.5", "1", "0", "kills,", "0", "requests"]), "{text}");
    }
}
