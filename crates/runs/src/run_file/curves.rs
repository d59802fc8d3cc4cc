//! A run's curves, thinned so that they can be drawn: however long it is, no more points than anybody can see.

use super::RunFile;
use super::generations::Order;
use super::rows::{measured, named, whole};
use crate::Error;
use rusqlite::Row;
use serde::Serialize;
use std::collections::BTreeMap;
use trainer::{Measure, SpeciesReport};

/// All measures that are plotted, of a run over a part of its generations, so many generations to a place.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Curves {
    /// How many generations make one place.
    pub stride: u64,
    /// The number of the first place that is here.
    pub from: u64,
    /// The last generation of each place.
    pub generation: Vec<u64>,
    /// The measures, by key.
    #[cfg_attr(feature = "ts", ts(type = "Record<string, Curve>"))]
    pub series: BTreeMap<&'static str, Curve>,
}

/// One measure: its mean in each place, and the least and the greatest; nothing where it was not measured.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Curve {
    /// The mean.
    pub mean: Vec<Option<f64>>,
    /// The least.
    pub low: Vec<Option<f64>>,
    /// The greatest.
    pub high: Vec<Option<f64>>,
}

/// Sizes of all species at some generations.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct StreamOfSpecies {
    /// The generations.
    pub generation: Vec<u64>,
    /// The species, in the order in which they came up.
    pub species: Vec<SpeciesSizes>,
}

/// Sizes of one species.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct SpeciesSizes {
    /// Its number.
    pub id: u64,
    /// The generation in which it came up.
    pub born: u64,
    /// The place of its first size among the generations.
    pub from: usize,
    /// Its sizes, from there until it is gone.
    pub sizes: Vec<u64>,
}

impl Curves {
    /// The stride at which so many generations make at most so many places: a power of two, so that places stay where
    /// they are while a run grows.
    pub fn stride_for(generations: u64, most_places: u64) -> u64 {
        generations.div_ceil(most_places.max(1)).max(1).next_power_of_two()
    }

    /// Takes a later look at some places, of the same stride: it replaces everything from its first one on.
    pub fn replace_from(&mut self, part: &Curves) {
        debug_assert_eq!(self.stride, part.stride);
        let at = part.from.saturating_sub(self.from) as usize;
        replace(&mut self.generation, at, &part.generation);
        for (name, curve) in &mut self.series {
            if let Some(new) = part.series.get(name) {
                replace(&mut curve.mean, at, &new.mean);
                replace(&mut curve.low, at, &new.low);
                replace(&mut curve.high, at, &new.high);
            }
        }
    }
}

fn replace<T: Copy>(values: &mut Vec<T>, at: usize, new: &[T]) {
    values.truncate(at);
    values.extend_from_slice(new);
}

/// Four digits are more than anybody sees.
fn rounded(value: f64) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return 0.0;
    }
    let unit = 10f64.powi(3 - value.abs().log10().floor() as i32);
    (value * unit).round() / unit
}

impl RunFile {
    /// The curves from one generation to another, so many generations to a place. Places are counted from the run's
    /// beginning; the last one may be incomplete.
    pub fn curves(&self, from: u64, to: u64, stride: u64) -> Result<Curves, Error> {
        let mut found = Curves {
            stride,
            from: from.saturating_sub(1) / stride,
            generation: Vec::new(),
            series: Measure::plotted().map(|measure| (measure.key, Curve::default())).collect(),
        };
        let mut place = Place::empty();
        self.each_generation(from, to, |row| {
            let generation = whole(row, 0)?;
            if place.last > 0 && (place.last - 1) / stride != generation.saturating_sub(1) / stride {
                std::mem::replace(&mut place, Place::empty()).end(&mut found);
            }
            place.last = generation;
            for (part, measure) in place.parts.iter_mut().zip(Measure::plotted()) {
                if let Some(value) = measured(row, measure)? {
                    part.add(value);
                }
            }
            Ok(())
        })?;
        if place.last > 0 {
            place.end(&mut found);
        }
        Ok(found)
    }

    /// A small curve of so many places: grades, where champions take exams, else scores, and which of them it is.
    pub fn small_curve(&self, places: u64) -> Result<(&'static str, Vec<f64>), Error> {
        let _moment = self.one_moment()?;
        let last = self.last_generation()?;
        let stride = (last / places).max(1);
        let read = |column: &str| -> Result<Vec<f64>, Error> {
            let mut values = Vec::new();
            // At the end of each place alone: that is quick however long the run is.
            let ends = (0..places).map_while(|place| last.checked_sub(place * stride)).take_while(|end| *end > 0);
            for end in ends {
                let newest = |row: &Row| named::<Option<f64>>(row, column);
                match self.find_generation(1, end, Order::Back, newest)? {
                    Some(value) => values.push(rounded(value)),
                    None => break,
                }
            }
            values.reverse();
            Ok(values)
        };
        let grades = read("grade")?;
        match grades.is_empty() {
            false => Ok(("grade", grades)),
            true => Ok(("score", read("best_score")?)),
        }
    }

    /// Sizes of species at up to about so many generations, evenly spread.
    pub fn stream_of_species(&self, most_places: u64) -> Result<StreamOfSpecies, Error> {
        let _moment = self.one_moment()?;
        let last = self.last_generation()?;
        if self.species(last)?.is_empty() {
            return Ok(StreamOfSpecies::default());
        }
        let stride = Curves::stride_for(last, most_places);
        let mut found = StreamOfSpecies::default();
        let mut places: BTreeMap<u64, usize> = BTreeMap::new();
        // The first, then every so many, then the last.
        let mut generation = 1;
        loop {
            let place = found.generation.len();
            found.generation.push(generation);
            for SpeciesReport { species: id, born, size, .. } in self.species(generation)? {
                let known = *places.entry(id).or_insert_with(|| {
                    found.species.push(SpeciesSizes { id, born, from: place, sizes: Vec::new() });
                    found.species.len() - 1
                });
                let species = &mut found.species[known];
                species.sizes.resize(place - species.from, 0);
                species.sizes.push(size);
            }
            if generation == last {
                break;
            }
            generation = (generation - generation % stride + stride).min(last);
        }
        Ok(found)
    }
}

/// What is known of the place that is being read.
struct Place {
    /// Its last generation so far.
    last: u64,
    /// By plotted measure.
    parts: Vec<Part>,
}

/// One measure in one place.
#[derive(Clone, Copy, Default)]
struct Part {
    sum: f64,
    low: f64,
    high: f64,
    count: u64,
}

impl Part {
    fn add(&mut self, value: f64) {
        let is_first = self.count == 0;
        self.low = if is_first { value } else { self.low.min(value) };
        self.high = if is_first { value } else { self.high.max(value) };
        self.sum += value;
        self.count += 1;
    }
}

impl Place {
    fn empty() -> Place {
        Place { last: 0, parts: vec![Part::default(); Measure::plotted().count()] }
    }

    /// Nothing more belongs to it.
    fn end(self, curves: &mut Curves) {
        curves.generation.push(self.last);
        for (part, measure) in self.parts.iter().zip(Measure::plotted()) {
            let of = |value: f64| (part.count > 0).then(|| rounded(value));
            let curve = curves.series.entry(measure.key).or_default();
            curve.mean.push(of(part.sum / part.count as f64));
            curve.low.push(of(part.low));
            curve.high.push(of(part.high));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::trained;

    fn run(experiment: &str, generations: u64) -> (tempfile::TempDir, RunFile) {
        let folder = tempfile::tempdir().unwrap();
        let last = format!("stop.generations={generations}");
        let file = trained(folder.path(), "one", experiment, &[&last, "stop.solved=false"]);
        let run = RunFile::open(&file).unwrap();
        (folder, run)
    }

    #[test]
    fn curves_are_means_over_places_that_stay() {
        let (_folder, run) = run("nim-2x4", 23);
        let reports = run.reports(0).unwrap();
        let whole = run.curves(1, u64::MAX, 1).unwrap();
        assert_eq!(whole.generation, (1..=23).collect::<Vec<u64>>());
        let scores: Vec<Option<f64>> = reports.iter().map(|report| Some(rounded(report.best_score))).collect();
        assert_eq!(whole.series["best_score"].mean, scores);
        assert_eq!(whole.series["best_score"].low, scores);
        // The first champion has no past.
        assert_eq!(whole.series["past_share"].mean[0], None);
        let thin = run.curves(1, u64::MAX, 4).unwrap();
        assert_eq!(thin.generation, [4, 8, 12, 16, 20, 23]);
        let some: Vec<f64> = reports[4..8].iter().map(|report| report.best_score).collect();
        assert_eq!(thin.series["best_score"].mean[1], Some(rounded(some.iter().sum::<f64>() / 4.0)));
        assert_eq!(thin.series["best_score"].high[1], some.iter().copied().map(rounded).reduce(f64::max));
        // A part of it, from a place on, is that part.
        let part = run.curves(9, 23, 4).unwrap();
        assert_eq!((part.from, &part.generation[..]), (2, &thin.generation[2..]));
        assert_eq!(part.series["edges"].mean, thin.series["edges"].mean[2..]);
        // Looked at twice, or once: the same.
        let mut early = run.curves(1, 10, 4).unwrap();
        assert_eq!(early.generation, [4, 8, 10]);
        early.replace_from(&part);
        assert_eq!(early, thin);
    }

    #[test]
    fn strides_double() {
        assert_eq!([0, 1, 500, 501, 1000, 100_000].map(|all| Curves::stride_for(all, 500)), [1, 1, 1, 2, 2, 256]);
    }

    #[test]
    fn digits_that_nobody_sees_are_left_out() {
        let found = [0.0, 1.0, 0.123_456, -1234.56, 98_765.4, f64::NAN].map(rounded);
        assert_eq!(found, [0.0, 1.0, 0.1235, -1235.0, 98_770.0, 0.0]);
    }

    #[test]
    fn small_curves_end_where_the_run_does() {
        let (_folder, run) = run("nim-2x4", 23);
        let reports = run.reports(0).unwrap();
        let grade = |report: &trainer::Report| rounded(report.exam.as_ref().unwrap().grade());
        let (what, values) = run.small_curve(10).unwrap();
        assert_eq!((what, values.len(), *values.last().unwrap()), ("grade", 10, grade(&reports[22])));
        assert_eq!(values[0], grade(&reports[4]));
        assert_eq!(run.small_curve(100).unwrap().1.len(), 23);
    }

    #[test]
    fn all_members_are_of_some_species_at_every_place() {
        let (_folder, run) = run("nim-2x4-neat", 21);
        let population: u64 = run.species(1).unwrap().iter().map(|species| species.size).sum();
        for most in [100, 6] {
            let stream = run.stream_of_species(most).unwrap();
            assert_eq!((stream.generation[0], *stream.generation.last().unwrap()), (1, 21));
            for place in 0..stream.generation.len() {
                let size = |s: &SpeciesSizes| place.checked_sub(s.from).and_then(|at| s.sizes.get(at)).copied();
                assert_eq!(stream.species.iter().filter_map(size).sum::<u64>(), population, "place {place}");
            }
        }
        assert_eq!(run.stream_of_species(6).unwrap().generation, [1, 4, 8, 12, 16, 20, 21]);
        let (_folder, run) = self::run("nim-2x4", 3);
        assert_eq!(run.stream_of_species(6).unwrap(), StreamOfSpecies::default());
    }
}
