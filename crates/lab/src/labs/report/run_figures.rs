//! The figures of one run: its measures over generations, the size of its networks, its species, and its cost.

use super::measure::ComparedMeasure;
use super::table_words::sentence;
use super::write_figures;
use crate::Error;
use figures::{Axis, Figure, Key, Kind, LOOKS, Look, Mark, Panel, Sample};
use runs::{Curves, RunFile, Series, StreamOfSpecies, folder_for};
use std::path::{Path, PathBuf};
use trainer::{FigureName, MEASURES};

/// The figures that the table of measures names, each with the keys of its measures.
fn shared_figures() -> Vec<(FigureName, Vec<&'static str>)> {
    let mut figures: Vec<(FigureName, Vec<&'static str>)> = Vec::new();
    for (figure, key) in MEASURES.iter().filter_map(|measure| Some((measure.figure?, measure.key))) {
        match figures.iter_mut().find(|(known, _)| *known == figure) {
            Some((_, keys)) => keys.push(key),
            None => figures.push((figure, vec![key])),
        }
    }
    figures
}

/// The largest number of points of a curve.
const MOST_POINTS: u64 = 10_000;

/// Writes the figures of a run into a folder, each as SVG and as PNG.
pub fn write_run_figures(run: &RunFile, folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let figures = figures_of(run)?;
    write_figures(&figures.iter().collect::<Vec<_>>(), &folder_for(folder, "")?)
}

fn figures_of(run: &RunFile) -> Result<Vec<Figure>, Error> {
    let info = run.info()?;
    let parts: Vec<&str> =
        run.last_exam()?.map_or_else(Vec::new, |exam| exam.parts().iter().map(|part| part.0).collect());
    let shared = shared_figures();
    let columns = shared.iter().flat_map(|(_, keys)| keys.iter().copied());
    let keys: Vec<&str> = parts.iter().copied().chain(columns).collect();
    // If there are too many generations to see them apart, means are drawn.
    let stride = Curves::stride_for(run.last_report()?.map_or(1, |report| report.generation), MOST_POINTS);
    let series = run.thinned_series(&keys, stride)?;
    if series.generation.is_empty() {
        return Err(Error::refused(format!(
            "the run `{}` has no figures yet: no generation has been played",
            run.name()
        )));
    }
    let mut whose = format!(
        "Run {}: experiment {}, {} with the strategy {}, seed {}.",
        run.name(),
        info.experiment,
        info.game,
        info.strategy,
        info.seed
    );
    if stride > 1 {
        whose += &format!(" Each point is the mean of {stride} generations.");
    }
    let drawn = Drawn { series: &series, keys: &keys, whose: &whose };
    let mut figures = Vec::new();
    figures.extend(drawn.over_generations("grade", "Grades of the champion's exam", &parts));
    for (FigureName { file, title }, keys) in &shared {
        figures.extend(drawn.over_generations(file, title, keys));
    }
    let stream = run.stream_of_species(200)?;
    if !stream.species.is_empty() {
        figures.push(species(&stream, &whose));
    }
    figures.push(drawn.cost(parts.first().copied().unwrap_or("best_score")));
    Ok(figures)
}

struct Drawn<'a> {
    series: &'a Series,
    keys: &'a [&'a str],
    whose: &'a str,
}

impl Drawn<'_> {
    /// The points of a measure: generations and values.
    fn points(&self, key: &str) -> Vec<(f64, f64)> {
        let Some(place) = self.keys.iter().position(|known| *known == key) else { return Vec::new() };
        let all = self.series.generation.iter().zip(&self.series.measures[place]);
        all.filter_map(|(&generation, value)| Some((generation as f64, (*value)?))).collect()
    }

    /// Draws measures over generations: up to three in one panel, more in one panel each. `None` if nothing was
    /// measured.
    fn over_generations(&self, name: &str, title: &str, keys: &[&str]) -> Option<Figure> {
        let measured: Vec<(ComparedMeasure, Vec<(f64, f64)>)> = keys
            .iter()
            .map(|key| (ComparedMeasure::new(key), self.points(key)))
            .filter(|(_, points)| !points.is_empty())
            .collect();
        let (first, _) = measured.first()?;
        let label = if measured.len() == 1 {
            first.label()
        } else {
            format!("{} ({})", sentence(title).to_lowercase(), first.unit.words())
        };
        let values = measured.iter().flat_map(|(_, points)| points.iter().map(|point| point.1));
        let (x, y) = (
            Axis::generations(self.series.generation.last().copied().unwrap_or(1)),
            Axis::around(label, values, first.unit.bounds()),
        );
        let caption = format!("{} Unit: {}, by generation.", self.whose, first.unit.words());
        let together = measured.len() <= LOOKS.min(3);
        let mut panels = if together { vec![Panel::default()] } else { Vec::new() };
        let mut legend = Vec::new();
        for (place, (measure, points)) in measured.into_iter().enumerate() {
            if together {
                let look = Look::Series(place);
                panels[0].marks.push(Mark::Line(points, look));
                legend.push(Key { words: measure.words, look, sample: Sample::Line });
            } else {
                panels.push(Panel { title: measure.words, marks: vec![Mark::Line(points, Look::Series(0))] });
            }
        }
        if legend.len() == 1 {
            legend.clear();
        }
        let (name, title) = (name.to_string(), title.to_string());
        Some(Figure { name, title, caption, x, y, behind: Vec::new(), panels, legend })
    }

    /// Draws a measure against processor time.
    fn cost(&self, key: &str) -> Figure {
        let measure = ComparedMeasure::new(key);
        let place = self.keys.iter().position(|known| *known == key);
        let values = place.map_or(&[][..], |place| &self.series.measures[place]);
        let points: Vec<(f64, f64)> = self
            .series
            .cpu_seconds
            .iter()
            .zip(values)
            .filter_map(|(&seconds, value)| Some((seconds, (*value)?)))
            .collect();
        let high = points.iter().map(|point| point.0).fold(0.0, f64::max);
        let label = "processor time (seconds)".to_string();
        Figure {
            name: "cost".to_string(),
            title: format!("Cost against {}", measure.words),
            caption: format!(
                "{} Units: seconds of processor time from the beginning on; {}.",
                self.whose,
                measure.unit.words()
            ),
            x: Axis { high: if high > 0.0 { high } else { 1.0 }, ..Axis::amounts(label, std::iter::empty()) },
            y: Axis::around(measure.label(), points.iter().map(|point| point.1), measure.unit.bounds()),
            behind: Vec::new(),
            panels: vec![Panel { title: String::new(), marks: vec![Mark::Line(points, Look::Series(0))] }],
            legend: Vec::new(),
        }
    }
}

/// The largest number of species with an area of their own; more outlines cannot be explanation apart.
const MOST_SPECIES: usize = 24;

/// Draws the sizes of species on top of each other: the largest species, and above them all others as one area.
fn species(stream: &StreamOfSpecies, whose: &str) -> Figure {
    // 1. Choose the species with the most members over all generations.
    let all = &stream.species;
    let mut by_size: Vec<usize> = (0..all.len()).collect();
    by_size.sort_by_key(|&place| std::cmp::Reverse(all[place].sizes.iter().sum::<u64>()));
    let mut largest = by_size[..all.len().min(MOST_SPECIES)].to_vec();
    largest.sort_unstable();
    // 2. Draw each on top of the one before.
    let mut height = vec![0.0; stream.generation.len()];
    let mut marks = Vec::new();
    for (place, species) in largest.iter().map(|&place| &all[place]).enumerate() {
        // Draw only the generations in which the species exists, and one before and after, where it has no height.
        let from = species.from.saturating_sub(1);
        let to = (species.from + species.sizes.len()).min(stream.generation.len() - 1);
        let mut area = Vec::new();
        for (at, low) in height.iter_mut().enumerate().take(to + 1).skip(from) {
            let size = at.checked_sub(species.from).and_then(|at| species.sizes.get(at)).copied().unwrap_or(0) as f64;
            area.push((stream.generation[at] as f64, *low, *low + size));
            *low += size;
        }
        let edge = area.iter().map(|&(x, _, high)| (x, high)).collect();
        marks.push(Mark::Band(area, Look::Series(place)));
        marks.push(Mark::Line(edge, Look::Others));
    }
    // 3. Draw the others as one area.
    let mut rest = vec![0.0; stream.generation.len()];
    for species in all.iter().enumerate().filter(|(place, _)| !largest.contains(place)).map(|(_, species)| species) {
        rest[species.from..].iter_mut().zip(&species.sizes).for_each(|(sum, &size)| *sum += size as f64);
    }
    let others = all.len() - largest.len();
    let mut explanation =
        "Each area is a species, the oldest at the bottom, and its height is its number of members; colours repeat."
            .to_string();
    if others > 0 {
        let area = stream.generation.iter().zip(&height).zip(&rest);
        let area = area.map(|((&x, &low), &size)| (x as f64, low, low + size)).collect();
        marks.push(Mark::Band(area, Look::Others));
        explanation += &format!(
            " Only the {} with the most members over all generations have an area of their own; the grey area at the top is the other {others} together.",
            largest.len()
        );
    }
    let most = height.iter().zip(&rest).map(|(drawn, rest)| drawn + rest).fold(1.0, f64::max);
    Figure {
        name: "species".to_string(),
        title: "Species".to_string(),
        caption: format!(
            "{whose} {explanation} There were {} in all. Unit: number of networks, by generation.",
            all.len()
        ),
        x: Axis::generations(stream.generation.last().copied().unwrap_or(1)),
        y: Axis {
            low: 0.0,
            high: most,
            kind: Kind::Whole,
            ..Axis::around("members of species (number)".to_string(), [0.0, most].into_iter(), None)
        },
        behind: Vec::new(),
        panels: vec![Panel { title: String::new(), marks }],
        legend: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use runs::SpeciesSizes;

    /// Draws ten generations with `small` species of one member each, and a large one.
    fn drawn(small: u64) -> Figure {
        let of = |id: u64, size: u64| SpeciesSizes { id, born: 1, from: 0, sizes: vec![size; 10] };
        let species = (1..=small).map(|id| of(id, 1)).chain([of(small + 1, 60)]).collect();
        super::species(&StreamOfSpecies { generation: (1..=10).collect(), species }, "Run a.")
    }

    #[test]
    fn few_species_have_outlines_and_hundreds_do_not() {
        let count = |figure: &Figure, wanted: fn(&Mark) -> bool| {
            figure.panels[0].marks.iter().filter(|mark| wanted(mark)).count()
        };
        let (lines, bands) =
            (|mark: &Mark| matches!(mark, Mark::Line(..)), |mark: &Mark| matches!(mark, Mark::Band(..)));
        let few = drawn(9);
        assert_eq!((count(&few, lines), count(&few, bands)), (10, 10));
        assert!(!few.caption.contains("together"));
        let many = drawn(300);
        assert_eq!((count(&many, lines), count(&many, bands)), (MOST_SPECIES, MOST_SPECIES + 1));
        assert!(many.caption.contains("the other 277 together. There were 301 in all"), "{}", many.caption);
        // All members are counted, and the largest species has an area of its own although it came last.
        let Some(Mark::Band(rest, Look::Others)) = many.panels[0].marks.last() else { panic!("no others") };
        assert_eq!((rest[4], many.y.high), ((5.0, 83.0, 360.0), 360.0));
    }
}
