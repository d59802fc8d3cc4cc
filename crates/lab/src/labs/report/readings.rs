//! Reads all runs of a comparison once. Curves, tables and figures are made from this data.

use super::measure::{self, ComparedMeasure};
use crate::Error;
use crate::labs::{Compared, Comparison, Group, Member, MemberState};
use figures::sorted;
use rayon::prelude::*;
use runs::{RunFile, Series, Stopped};

/// A comparison with the data of its runs, as of one moment.
pub struct Readings {
    pub(crate) comparison: Comparison,
    /// The measures: those that are compared, then those that are only shown.
    pub(crate) measures: Vec<ComparedMeasure>,
    /// The number of measures that are compared.
    pub(crate) compared: usize,
    /// By group, configuration and member, in the order of the comparison.
    pub(crate) groups: Vec<Vec<Vec<Reading>>>,
}

/// The data of one run.
pub(crate) struct Reading {
    /// The run's values by generation; empty if the run has not begun.
    pub series: Series,
    /// Why an existing file could not be read.
    pub problem: Option<String>,
}

impl Readings {
    /// Reads all runs that exist. Refuses a comparison in which no run has a generation.
    pub fn of(comparison: &Comparison) -> Result<Readings, Error> {
        let measures = measure::all(&comparison.measures);
        let keys: Vec<&str> = measures.iter().map(|measure| measure.key.as_str()).collect();
        let read = |configuration: &Compared| -> Vec<Reading> {
            configuration.members.par_iter().map(|member| Reading::of(member, &keys)).collect()
        };
        let groups: Vec<Vec<Vec<Reading>>> =
            comparison.groups.iter().map(|group| group.configurations.par_iter().map(read).collect()).collect();
        let compared = comparison.measures.len();
        let readings = Readings { comparison: comparison.clone(), compared, groups, measures };
        let nothing = |reading: &Reading| reading.series.generation.is_empty();
        if readings.groups.iter().flatten().flatten().all(nothing) {
            let problem = readings.groups.iter().flatten().flatten().find_map(|reading| reading.problem.as_ref());
            let failure = comparison.members().find_map(|member| match &member.state {
                MemberState::Failed(why) => Some(why),
                _ => None,
            });
            let why = problem.or(failure).map_or("no run has finished a generation yet".to_string(), String::clone);
            return Err(Error::refused(format!("there is nothing to report of `{}`: {why}", comparison.lab)));
        }
        Ok(readings)
    }

    /// The groups with the data of their runs.
    pub(crate) fn groups(&self) -> impl Iterator<Item = GroupReadings<'_>> {
        self.comparison.groups.iter().zip(&self.groups).map(|(group, read)| GroupReadings { all: self, group, read })
    }
}

impl Reading {
    fn of(member: &Member, keys: &[&str]) -> Reading {
        let nothing = || Series { measures: vec![Vec::new(); keys.len()], ..Series::default() };
        // A failed member has no data: its file may belong to another run.
        if !member.file.exists() || matches!(member.state, MemberState::Failed(_)) {
            return Reading { series: nothing(), problem: None };
        }
        match RunFile::open(&member.file).and_then(|run| run.series(keys)) {
            Ok(series) => Reading { series, problem: None },
            Err(error) => Reading { series: nothing(), problem: Some(error.to_string()) },
        }
    }

    /// The last generation; 0 if there is none.
    pub fn last(&self) -> u64 {
        self.series.generation.last().copied().unwrap_or(0)
    }

    /// Whether the run stopped because it was solved, so that its last champion also stands for all later generations.
    pub fn stopped_solved(&self) -> bool {
        self.series.stopped == Some(Stopped::Solved)
    }

    /// The mean over the last `last` generations in which the measure was taken. For a run that stopped because it was
    /// solved, the last value alone, because the run would have kept it.
    pub fn final_value(&self, measure: usize, last: u64) -> Option<f64> {
        let last = if self.stopped_solved() { 1 } else { last.max(1) };
        let measured = self.series.measures[measure].iter().rev().flatten().take(last as usize);
        let values: Vec<f64> = measured.copied().collect();
        (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
    }
}

/// One group with the data of its runs.
#[derive(Clone, Copy)]
pub(crate) struct GroupReadings<'a> {
    pub all: &'a Readings,
    pub group: &'a Group,
    pub read: &'a [Vec<Reading>],
}

impl<'a> GroupReadings<'a> {
    /// Each configuration with the data of its members.
    pub fn configurations(self) -> impl Iterator<Item = (&'a Compared, &'a [Reading])> {
        self.group.configurations.iter().zip(self.read).map(|(configuration, read)| (configuration, &read[..]))
    }

    /// A configuration's name in figures; it says which one is the baseline.
    pub fn name(self, place: usize) -> String {
        let name = &self.group.configurations[place].name;
        let is_clear = self.group.baseline != Some(place) || name.to_lowercase().contains("baseline");
        if is_clear { name.clone() } else { format!("{name} (baseline)") }
    }

    /// The last generation of all runs.
    pub fn last(self) -> u64 {
        self.read.iter().flatten().map(Reading::last).max().unwrap_or(0)
    }

    /// The final values of a configuration's runs, sorted.
    pub fn finals(self, place: usize, measure: usize) -> Vec<f64> {
        let last = self.all.comparison.last;
        sorted(self.read[place].iter().filter_map(|reading| reading.final_value(measure, last)).collect())
    }

    /// Whether a measure was taken in any run of the group.
    pub fn has(self, measure: usize) -> bool {
        self.read.iter().flatten().any(|reading| reading.series.measures[measure].iter().any(Option::is_some))
    }

    /// Whether any champion took an exam.
    pub fn examined(self) -> bool {
        self.read.iter().flatten().any(|reading| reading.series.examined)
    }

    /// Whether any champion was perfect in every position.
    pub fn solved(self) -> bool {
        self.read.iter().flatten().any(|reading| reading.series.first_solved.is_some())
    }

    /// The number of runs that have begun and are not finished, and the number of runs that failed.
    pub fn unfinished(self) -> [usize; 2] {
        let members = || self.group.configurations.iter().flat_map(|configuration| &configuration.members);
        let failed = members().filter(|member| matches!(member.state, MemberState::Failed(_))).count();
        let begun = members().zip(self.read.iter().flatten()).filter(|(_, reading)| reading.last() > 0);
        [begun.filter(|(member, _)| member.state != MemberState::Finished).count(), failed]
    }

    /// Whether any run stopped because it was solved.
    pub fn stopped_solved(self) -> bool {
        self.read.iter().flatten().any(Reading::stopped_solved)
    }

    /// The seeds of all configurations as text.
    pub fn seeds(self) -> String {
        // First the seeds that most configurations have, then the others with the names of their configurations.
        let mut found: Vec<(&[u64], Vec<&str>)> = Vec::new();
        for Compared { name, seeds, .. } in &self.group.configurations {
            match found.iter_mut().find(|(known, _)| known == seeds) {
                Some((_, names)) => names.push(name),
                None => found.push((seeds, vec![name])),
            }
        }
        found.sort_by_key(|(_, names)| std::cmp::Reverse(names.len()));
        let words = |(place, (seeds, names)): (usize, &(&[u64], Vec<&str>))| match place {
            0 => seeds_in_words(seeds),
            _ => format!("{} of {}", seeds_in_words(seeds), names.join(", ")),
        };
        let all: Vec<String> = found.iter().enumerate().map(words).collect();
        if all.is_empty() { seeds_in_words(&[]) } else { all.join("; ") }
    }
}

/// Seeds as text: `seeds 1 to 10`, or a list if they are not consecutive.
pub(crate) fn seeds_in_words(seeds: &[u64]) -> String {
    let follow = seeds.windows(2).all(|two| two[0].checked_add(1) == Some(two[1]));
    match seeds {
        [] => "no seeds".to_string(),
        [seed] => format!("seed {seed}"),
        [first, .., last] if seeds.len() > 2 && follow => format!("seeds {first} to {last}"),
        several => format!("seeds {}", several.iter().map(u64::to_string).collect::<Vec<_>>().join(", ")),
    }
}
