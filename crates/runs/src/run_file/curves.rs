//! The curves of a run, thinned for drawing: a long run has no more points than a screen can show.

use super::RunFile;
use super::generations::Order;
use super::rows::{measured, named, whole};
use crate::Error;
use rusqlite::Row;
use serde::Serialize;
use std::collections::BTreeMap;
use trainer::{Measure, SpeciesReport};

/// The curves of all plotted measures over a part of a run. Each point combines `stride` generations.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Curves {
    /// The number of generations in each point.
    pub stride: u64,
    /// The number of the first point in this part, counted from 0 at the beginning of the run.
    pub from: u64,
    /// The last generation of each point.
    pub generation: Vec<u64>,
    /// The curves, by the measure's key.
    #[cfg_attr(feature = "ts", ts(type = "Record<string, Curve>"))]
    pub series: BTreeMap<&'static str, Curve>,
}

/// The curve of one measure, by point. `None` means that no generation of the point has a value.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Curve {
    /// The mean over the generations of each point.
    pub mean: Vec<Option<f64>>,
    /// The smallest value in each point.
    pub low: Vec<Option<f64>>,
    /// The largest value in each point.
    pub high: Vec<Option<f64>>,
}

/// The sizes of all species in some generations.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct StreamOfSpecies {
    /// The numbers of the generations.
    pub generation: Vec<u64>,
    /// The species, in the order in which they appeared.
    pub species: Vec<SpeciesSizes>,
}

/// The sizes of one species.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct SpeciesSizes {
    /// The number of the species.
    pub id: u64,
    /// The generation in which the species appeared.
    pub born: u64,
    /// The index of its first size in [`StreamOfSpecies::generation`].
    pub from: usize,
    /// Its sizes from there on, until the species has died out.
    pub sizes: Vec<u64>,
}

impl Curves {
    /// The number of generations per point for curves of at most `most_places` points. It is a power of two, so that
    /// points keep their generations while a run grows.
    pub fn stride_for(generations: u64, most_places: u64) -> u64 {
        generations.div_ceil(most_places.max(1)).max(1).next_power_of_two()
    }

    /// Replaces all points from the first one of `part` on by those of `part`, which must have the same stride.
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

/// The value rounded to four digits, which are more than a drawing can show.
fn rounded(value: f64) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return 0.0;
    }
    let unit = 10f64.powi(3 - value.abs().log10().floor() as i32);
    (value * unit).round() / unit
}

impl RunFile {
    /// The curves over a range of generations, with `stride` generations in each point. Points are counted from the
    /// run's beginning. The last one may have fewer generations.
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

    /// A small curve of up to `places` values, for lists, with the name of its measure: `grade` if champions take
    /// exams, else `score`.
    pub fn small_curve(&self, places: u64) -> Result<(&'static str, Vec<f64>), Error> {
        let _moment = self.one_moment()?;
        let last = self.last_generation()?;
        let stride = (last / places).max(1);
        let read = |column: &str| -> Result<Vec<f64>, Error> {
            let mut values = Vec::new();
            // Only some generations are read, evenly spread, which is fast for runs of any length.
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

    /// The sizes of species in about `most_places` generations, evenly spread.
    pub fn stream_of_species(&self, most_places: u64) -> Result<StreamOfSpecies, Error> {
        let _moment = self.one_moment()?;
        let last = self.last_generation()?;
        if self.species(last)?.is_empty() {
            return Ok(StreamOfSpecies::default());
        }
        let stride = Curves::stride_for(last, most_places);
        let mut found = StreamOfSpecies::default();
        let mut places: BTreeMap<u64, usize> = BTreeMap::new();
        // The first generation, then all multiples of the stride, then the last one.
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

/// The point of the curves that is being read.
struct Place {
    /// Its last generation so far; 0 before the first.
    last: u64,
    /// One entry for each plotted measure.
    parts: Vec<Part>,
}

/// The values of one measure in one point.
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

    /// Adds the finished point to the curves.
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
    fn curves_are_means_over_fixed_ranges_of_generations() {
        let (_folder, run) = run("nim-2x4", 23);
        let reports = run.reports(0).unwrap();
        let whole = run.curves(1, u64::MAX, 1).unwrap();
        assert_eq!(whole.generation, (1..=23).collect::<Vec<u64>>());
        let scores: Vec<Option<f64>> = reports.iter().map(|report| Some(rounded(report.best_score))).collect();
        assert_eq!(whole.series["best_score"].mean, scores);
        assert_eq!(whole.series["best_score"].low, scores);
        // The first champion has no champions of the past to play against.
        assert_eq!(whole.series["past_share"].mean[0], None);
        let thin = run.curves(1, u64::MAX, 4).unwrap();
        assert_eq!(thin.generation, [4, 8, 12, 16, 20, 23]);
        let some: Vec<f64> = reports[4..8].iter().map(|report| report.best_score).collect();
        assert_eq!(thin.series["best_score"].mean[1], Some(rounded(some.iter().sum::<f64>() / 4.0)));
        assert_eq!(thin.series["best_score"].high[1], some.iter().copied().map(rounded).reduce(f64::max));
        // A part of the curves equals the same part of the whole.
        let part = run.curves(9, 23, 4).unwrap();
        assert_eq!((part.from, &part.generation[..]), (2, &thin.generation[2..]));
        assert_eq!(part.series["edges"].mean, thin.series["edges"].mean[2..]);
        // Curves that were read in two steps equal those that were read at once.
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
    fn values_are_rounded_to_four_digits() {
        let found = [0.0, 1.0, 0.123_456, -1234.56, 98_765.4, f64::NAN].map(rounded);
        assert_eq!(found, [0.0, 1.0, 0.1235, -1235.0, 98_770.0, 0.0]);
    }

    #[test]
    fn small_curves_end_with_the_last_generation() {
        let (_folder, run) = run("nim-2x4", 23);
        let reports = run.reports(0).unwrap();
        let grade = |report: &trainer::Report| rounded(report.exam.as_ref().unwrap().grade());
        let (what, values) = run.small_curve(10).unwrap();
        assert_eq!((what, values.len(), *values.last().unwrap()), ("grade", 10, grade(&reports[22])));
        assert_eq!(values[0], grade(&reports[4]));
        assert_eq!(run.small_curve(100).unwrap().1.len(), 23);
    }

    #[test]
    fn sizes_of_species_add_up_to_the_population() {
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
