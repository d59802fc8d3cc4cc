//! Learning curves of configurations: the median and the quartiles over their runs.
//!
//! A curve has a limited number of points. If a run has more generations, its value at a point is the mean over several
//! generations.

use super::readings::{GroupReadings, Reading, Readings};
use figures::{quartiles, sorted};
use runs::Curves;

/// The largest number of points of a curve; more would look like noise in a figure.
const MOST_PLACES: u64 = 200;

/// The curves of one group.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupCurves {
    /// The number of generations for each point.
    pub stride: u64,
    /// The curves of all measures that were taken in the group, in the order of the comparison.
    pub measures: Vec<MeasureCurves>,
}

/// One measure of all configurations of a group.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasureCurves {
    /// The measure's key.
    pub measure: String,
    /// One curve for each configuration.
    pub configurations: Vec<Band>,
}

/// The median over the runs of a configuration, with the quartiles.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Band {
    /// The configuration's name.
    pub name: String,
    /// The last generation of each point.
    pub generation: Vec<u64>,
    /// The median of all runs that have a value at this point.
    pub median: Vec<f64>,
    /// The lower quartile.
    pub low: Vec<f64>,
    /// The upper quartile.
    pub high: Vec<f64>,
}

/// The curves of every group.
pub fn curves_of(readings: &Readings) -> Vec<GroupCurves> {
    readings.groups().map(of_group).collect()
}

pub(crate) fn of_group(group: GroupReadings) -> GroupCurves {
    let last = group.last();
    let stride = Curves::stride_for(last, MOST_PLACES);
    let measured = (0..group.all.measures.len()).filter(|&measure| group.has(measure));
    let measures = measured.map(|measure| MeasureCurves {
        measure: group.all.measures[measure].key.clone(),
        configurations: (0..group.read.len()).map(|place| band(group, place, measure, stride, last)).collect(),
    });
    GroupCurves { stride, measures: measures.collect() }
}

/// The curve of one configuration. It ends where less than half of the runs that have begun have a value: a median
/// would then be of other runs than before.
fn band(group: GroupReadings, place: usize, measure: usize, stride: u64, last: u64) -> Band {
    let begun: Vec<&Reading> = group.read[place].iter().filter(|reading| reading.last() > 0).collect();
    let mut walks: Vec<Walk> = begun.iter().map(|reading| Walk { reading, measure, next: 0, value: None }).collect();
    let mut band = Band { name: group.group.configurations[place].name.clone(), ..Band::default() };
    for end in (1..=last.div_ceil(stride)).map(|number| (number * stride).min(last)) {
        let values = sorted(walks.iter_mut().filter_map(|walk| walk.value_up_to(end)).collect());
        if !values.is_empty() && 2 * values.len() >= begun.len() {
            let [low, median, high] = quartiles(&values);
            band.generation.push(end);
            band.median.push(median);
            band.low.push(low);
            band.high.push(high);
        }
    }
    band
}

/// Reads the values of a run from point to point.
struct Walk<'a> {
    reading: &'a Reading,
    measure: usize,
    next: usize,
    value: Option<f64>,
}

impl Walk<'_> {
    /// The mean at the point that ends with generation `end`; the last value before if nothing was measured there.
    /// After its end, a run that stopped because it was solved keeps its last value; any other run has none.
    fn value_up_to(&mut self, end: u64) -> Option<f64> {
        let series = &self.reading.series;
        let from = self.next;
        while series.generation.get(self.next).is_some_and(|&next| next <= end) {
            self.next += 1;
        }
        let measured: Vec<f64> = series.measures[self.measure][from..self.next].iter().flatten().copied().collect();
        let Some(&newest) = measured.last() else {
            return self.value.filter(|_| end <= self.reading.last() || self.reading.stopped_solved());
        };
        self.value = Some(newest);
        let mean = measured.iter().sum::<f64>() / measured.len() as f64;
        (end <= self.reading.last() || self.reading.stopped_solved()).then_some(mean)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::labs::{Compared, Comparison, Group};
    use runs::Series;
    use runs::Stopped;

    /// A run with these grades, which stopped for this reason.
    fn run(grades: &[Option<f64>], stopped: Stopped) -> Reading {
        let generation = (1..=grades.len() as u64).collect();
        let stopped = Some(stopped);
        let measures = vec![grades.to_vec(), vec![None; grades.len()], vec![None; grades.len()]];
        Reading { series: Series { generation, measures, stopped, ..Series::default() }, problem: None }
    }

    fn readings(runs: Vec<Reading>) -> Readings {
        let (name, experiment) = ("a".to_string(), "e".to_string());
        let configurations = vec![Compared {
            name,
            experiment,
            settings: Vec::new(),
            islands: None,
            seeds: Vec::new(),
            members: Vec::new(),
        }];
        let groups = vec![Group { name: "g".into(), baseline: None, configurations }];
        let measures = vec!["grade".to_string()];
        let comparison = Comparison { lab: "l".into(), about: String::new(), measures, last: 1, groups };
        let measures = super::super::measure::all(&comparison.measures);
        Readings { measures, compared: 1, comparison, groups: vec![vec![runs]] }
    }

    #[track_caller]
    fn check(runs: Vec<Reading>, generations: &[u64], medians: &[f64]) {
        let curves = curves_of(&readings(runs));
        let band = &curves[0].measures[0].configurations[0];
        assert_eq!((&band.generation[..], &band.median[..]), (generations, medians));
    }

    #[test]
    fn solved_runs_go_on_and_others_end() {
        let long = || run(&[0.0, 0.125, 0.25, 0.5].map(Some), Stopped::Generations);
        let solved = || run(&[0.5, 1.0].map(Some), Stopped::Solved);
        let short = || run(&[0.5, 0.875].map(Some), Stopped::Time);
        check(vec![long(), solved()], &[1, 2, 3, 4], &[0.25, 0.5625, 0.625, 0.75]);
        check(vec![long(), short()], &[1, 2, 3, 4], &[0.25, 0.5, 0.25, 0.5]);
        // One of three is less than half.
        check(vec![long(), short(), short()], &[1, 2], &[0.5, 0.875]);
    }

    #[test]
    fn long_runs_are_means_over_places() {
        // Four generations for each point except the last; the second run is measured in every fifth generation.
        let all: Vec<Option<f64>> = (0..401).map(|number| Some(f64::from(number))).collect();
        let some: Vec<Option<f64>> = (0..401).map(|number| (number % 5 == 0).then_some(f64::from(number))).collect();
        for (grades, first) in [(all, [1.5, 5.5, 9.5]), (some, [0.0, 5.0, 10.0])] {
            let readings = readings(vec![run(&grades, Stopped::Generations)]);
            let group = &curves_of(&readings)[0];
            let band = &group.measures[0].configurations[0];
            assert_eq!((group.stride, &band.generation[..3], band.generation.len()), (4, &[4, 8, 12][..], 101));
            assert_eq!((&band.median[..3], band.median[100]), (&first[..], 400.0));
        }
    }

    #[test]
    fn between_measurements_the_last_one_counts() {
        check(vec![run(&[None, Some(0.5), None, Some(0.7)], Stopped::Generations)], &[2, 3, 4], &[0.5, 0.5, 0.7]);
    }
}
