//! The curves of a run that `gamete show` draws.

use crate::curves::Points;
use runs::RunFile;
use trainer::MEASURES;

/// A title, the points, and the bounds of the values if they are known.
pub type TitledCurve = (String, Vec<(f64, f64)>, Option<[f64; 2]>);

/// Returns all curves of a run. Reads the run once, and needs little memory for long runs.
pub fn run_curves(file: &RunFile, generations: u64) -> Result<Vec<TitledCurve>, lab::Error> {
    let points = || Points::new(generations);
    let mut grades: Vec<(&'static str, Points)> = Vec::new();
    let shown = || MEASURES.iter().filter(|measure| measure.in_terminal);
    let mut measured: Vec<Points> = shown().map(|_| points()).collect();
    file.each_report(|report, _| {
        let number = report.generation;
        for (place, (name, grade)) in report.exam.iter().flat_map(|exam| exam.parts()).enumerate() {
            if grades.len() == place {
                grades.push((name, points()));
            }
            grades[place].1.add(number, Some(grade));
        }
        measured.iter_mut().zip(shown()).for_each(|(points, measure)| points.add(number, measure.value(&report)));
    })?;
    // Species are read in the order of generations.
    let (mut species, mut counted) = (points(), (0, 0.0));
    file.each_species(|found| {
        if counted.0 != found.generation {
            species.add(counted.0, (counted.0 > 0).then_some(counted.1));
            counted = (found.generation, 0.0);
        }
        counted.1 += 1.0;
    })?;
    species.add(counted.0, (counted.0 > 0).then_some(counted.1));
    let share = Some([0.0, 1.0]);
    let mut curves: Vec<TitledCurve> =
        grades.into_iter().map(|(name, points)| (format!("{name} (share)"), points.finish(), share)).collect();
    if counted.0 > 0 {
        curves.push(("species".to_string(), species.finish(), None));
    }
    curves.extend(measured.into_iter().zip(shown()).map(|(points, measure)| {
        let bounds = measure.unit.bounds().map(|bounds| bounds.map(f64::from));
        // The unit of a share or a result is a part of its title.
        let title = match bounds {
            Some(_) => format!("{} ({})", measure.words, measure.unit.words()),
            None => measure.words.to_string(),
        };
        (title, points.finish(), bounds)
    }));
    Ok(curves)
}
