//! The figures of a group: learning curves, final values, success, complexity, and cost.
//!
//! A few configurations share a panel. More have a panel each, with all others in grey in the background.

use super::curves::{Band, GroupCurves, MeasureCurves};
use super::readings::GroupReadings;
use super::table_words::{about_finals, sentence};
use super::tables::seen;
use figures::{Axis, Figure, Key, LOOKS, Look, Mark, Panel, Sample, Survival, quartiles};

/// The largest number of bands in one panel; more would hide each other.
const MOST_BANDS: usize = 4;

/// The figures of one group.
pub(crate) struct GroupFigures {
    /// Figures that depend only on results.
    pub results: Vec<Figure>,
    /// Cost against grade.
    pub cost: Option<Figure>,
}

/// Draws all figures of a group; their names begin with the prefix.
pub(crate) fn of_group(group: GroupReadings, curves: &GroupCurves, prefix: &str) -> GroupFigures {
    let mut results = Vec::new();
    let is_compared = |curves: &&MeasureCurves| group.all.comparison.measures.contains(&curves.measure);
    results.extend(
        curves.measures.iter().filter(is_compared).map(|of| learning_curve(group, of, curves.stride, "learning")),
    );
    results.extend((0..group.all.compared).filter(|&measure| group.has(measure)).map(|measure| finals(group, measure)));
    results.extend(group.solved().then(|| survival(group)));
    let rest = curves.measures.iter().filter(|curves| !is_compared(curves));
    results.extend(rest.map(|of| learning_curve(group, of, curves.stride, "complexity")));
    let mut cost = (0..group.all.compared).find(|&measure| group.has(measure)).map(|measure| cost(group, measure));
    for figure in results.iter_mut().chain(&mut cost) {
        figure.name = format!("{prefix}{}", figure.name);
        if group.all.comparison.groups.len() > 1 {
            figure.title = format!("{}: {}", group.group.title(), figure.title);
        }
    }
    GroupFigures { results, cost }
}

/// What is drawn of a configuration.
struct Drawn {
    marks: Vec<Mark>,
    /// The curve for the background of other panels.
    plain: Mark,
    words: String,
}

/// Returns background, panels and legend: one panel for up to `together` configurations, otherwise a panel for each.
fn arranged(
    group: GroupReadings,
    together: usize,
    sample: Sample,
    drawn: impl Fn(usize, Look) -> Drawn,
) -> (Vec<Mark>, Vec<Panel>, Vec<Key>) {
    let count = group.read.len();
    if count <= together {
        let all: Vec<Drawn> = (0..count).map(|place| drawn(place, Look::Series(place))).collect();
        let key =
            |(place, drawn): (usize, &Drawn)| Key { words: drawn.words.clone(), look: Look::Series(place), sample };
        let legend = all.iter().enumerate().map(key).collect();
        // Areas first, so that they do not cover lines.
        let (areas, rest): (Vec<Mark>, Vec<Mark>) =
            all.into_iter().flat_map(|drawn| drawn.marks).partition(|mark| matches!(mark, Mark::Band(..)));
        return (Vec::new(), vec![Panel { title: String::new(), marks: [areas, rest].concat() }], legend);
    }
    let look = Look::Series(0);
    let mut behind: Vec<Mark> = (0..count).map(|place| drawn(place, Look::Others).plain).collect();
    let mut legend = vec![
        Key { words: "the configuration named above".to_string(), look, sample },
        Key { words: "all configurations".to_string(), look: Look::Others, sample },
    ];
    if let Some(baseline) = group.group.baseline {
        behind.push(drawn(baseline, Look::Baseline).plain);
        legend.push(Key { words: group.name(baseline), look: Look::Baseline, sample });
    }
    let panel = |place: usize| {
        let Drawn { marks, words, .. } = drawn(place, look);
        Panel { title: words, marks }
    };
    (behind, (0..count).map(panel).collect(), legend)
}

/// Draws the median and quartiles over generations.
fn learning_curve(group: GroupReadings, curves: &MeasureCurves, stride: u64, kind: &str) -> Figure {
    let known = group.all.measures.iter().find(|measure| measure.key == curves.measure);
    let measure = known.expect("curves are of known measures");
    let last = group.last();
    let values = curves.configurations.iter().flat_map(|band| band.low.iter().chain(&band.high).copied());
    let drawn = |place: usize, look: Look| {
        let band = &curves.configurations[place];
        let xs = || band.generation.iter().map(|&generation| generation as f64);
        let line: Vec<(f64, f64)> = xs().zip(band.median.iter().copied()).collect();
        let area = xs().zip(&band.low).zip(&band.high).map(|((x, &low), &high)| (x, low, high)).collect();
        let marks = vec![Mark::Band(area, look), Mark::Line(line.clone(), look)];
        Drawn { marks, plain: Mark::Line(line, look), words: group.name(place) }
    };
    let (behind, panels, legend) = arranged(group, MOST_BANDS, Sample::Line, drawn);
    let mut caption = format!(
        "Median (line) and quartiles (band) over runs; {}; {}. Unit: {}.",
        numbers_of_runs(group),
        group.seeds(),
        measure.unit.words()
    );
    if stride > 1 {
        caption += &format!(" A run's values are means over {stride} generations each.");
    }
    if group.read.iter().flatten().any(|reading| reading.stopped_solved() && reading.last() < last) {
        caption += " A run that stopped because it was solved goes on at its last value.";
    }
    if curves.configurations.iter().any(|band| ends_early(band, last)) {
        caption += " A curve ends where fewer than half of its runs are left.";
    }
    Figure {
        name: format!("{kind}-{}", measure.slug()),
        title: format!("{} over generations", sentence(&measure.words)),
        caption,
        x: Axis::generations(last),
        y: Axis::around(measure.label(), values, measure.unit.bounds()),
        behind,
        panels,
        legend,
    }
}

fn ends_early(band: &Band, last: u64) -> bool {
    band.generation.last().is_some_and(|&end| end < last)
}

/// The numbers of runs that have begun, as text.
fn numbers_of_runs(group: GroupReadings) -> String {
    let begun = |place: usize| group.read[place].iter().filter(|reading| reading.last() > 0).count();
    let counts: Vec<usize> = (0..group.read.len()).map(begun).collect();
    let words = |count: usize| if count == 1 { "1 run".to_string() } else { format!("{count} runs") };
    match counts[..] {
        [first, ..] if counts.iter().all(|&count| count == first) => format!("n = {} each", words(first)),
        _ => {
            let of = |place: usize| format!("{} of {}", words(counts[place]), group.group.configurations[place].name);
            (0..counts.len()).map(of).collect::<Vec<_>>().join(", ")
        }
    }
}

/// Draws all final values, with median and quartiles.
fn finals(group: GroupReadings, measure: usize) -> Figure {
    let places = 0..group.read.len();
    let of = &group.all.measures[measure];
    let all: Vec<Vec<f64>> = places.clone().map(|place| group.finals(place, measure)).collect();
    let axis = Axis::around(of.label(), all.iter().flatten().copied(), of.unit.bounds());
    let mut marks = Vec::new();
    for (place, values) in all.iter().enumerate().filter(|(_, values)| !values.is_empty()) {
        let look = if group.read.len() <= LOOKS { Look::Series(place) } else { Look::Series(0) };
        let [from, middle, to] = quartiles(values);
        marks.push(Mark::Range { row: place as f64 + 0.33, from, to, middle });
        marks.push(Mark::Points(swarm(&axis, values, place as f64 - 0.13), look));
    }
    let names = places.map(|place| format!("{} (n\u{a0}=\u{a0}{})", group.name(place), all[place].len())).collect();
    Figure {
        name: format!("final-{}", of.slug()),
        title: format!("{} at the end", sentence(&of.words)),
        caption: format!(
            "Every point is a run; below them a thick stroke for the median, and a line from the lower to the upper quartile. Unit: {}. {}",
            of.unit.words(),
            about_finals(group)
        ),
        x: axis,
        y: Axis::names(names),
        behind: Vec::new(),
        panels: vec![Panel { title: String::new(), marks }],
        legend: Vec::new(),
    }
}

/// The points of one row; points that would cover each other are moved apart.
fn swarm(axis: &Axis, sorted: &[f64], row: f64) -> Vec<(f64, f64)> {
    // The width of a point as a share of the axis, its height as a share of the row, and the largest height of a group.
    const WIDE: f64 = 1.0 / 55.0;
    const HIGH: f64 = 0.17;
    const MOST: f64 = 0.5;
    let cell = |value: &f64| (axis.share(*value) / WIDE).round() as i64;
    let mut points = Vec::new();
    for together in sorted.chunk_by(|one, two| cell(one) == cell(two)) {
        let count = together.len();
        let step = if count > 1 { HIGH.min(MOST / (count - 1) as f64) } else { 0.0 };
        for (number, &value) in together.iter().enumerate() {
            points.push((value, row + step * (number as f64 - (count - 1) as f64 / 2.0)));
        }
    }
    points
}

/// Draws the share of runs that are not solved yet.
fn survival(group: GroupReadings) -> Figure {
    let last = group.last();
    let drawn = |place: usize, look: Look| {
        let seen = seen(&group.read[place]);
        let found = Survival::new(&seen);
        let mut points = vec![(0.0, 1.0)];
        points.extend(&found.steps);
        let left_at = |time: f64| found.steps.iter().rev().find(|step| step.0 <= time).map_or(1.0, |step| step.1);
        let end = seen.iter().map(|one| one.0).fold(0.0, f64::max);
        points.push((end, left_at(end)));
        let strokes = found.censored.iter().map(|&time| (time, left_at(time))).collect();
        let solved = seen.iter().filter(|one| one.1).count();
        Drawn {
            marks: vec![Mark::Steps(points.clone(), look), Mark::Strokes(strokes, look)],
            plain: Mark::Steps(points, look),
            words: format!("{}: {solved} of {} solved", group.name(place), seen.len()),
        }
    };
    let (behind, panels, legend) = arranged(group, LOOKS, Sample::Line, drawn);
    Figure {
        name: "solved".to_string(),
        title: "Runs that are not solved yet".to_string(),
        caption: format!(
            "Kaplan–Meier's estimate of the share of runs without a champion that is perfect in every position; a short stroke marks the last generation of a run that was not solved; {}; {}. Units: share of runs, generations.",
            numbers_of_runs(group),
            group.seeds()
        ),
        x: Axis::generations(last),
        y: Axis {
            low: -0.03,
            high: 1.05,
            ..Axis::around("runs not solved yet (share)".to_string(), [0.0, 1.0].into_iter(), None)
        },
        behind,
        panels,
        legend,
    }
}

/// Draws the main measure against processor time.
fn cost(group: GroupReadings, measure: usize) -> Figure {
    let of = &group.all.measures[measure];
    let points = |place: usize| -> Vec<(f64, f64)> {
        let point = |reading: &super::readings::Reading| {
            Some((reading.series.cost?.times.cpu_seconds, reading.final_value(measure, group.all.comparison.last)?))
        };
        group.read[place].iter().filter_map(point).collect()
    };
    let all: Vec<(f64, f64)> = (0..group.read.len()).flat_map(points).collect();
    let drawn = |place: usize, look: Look| {
        let mark = Mark::Points(points(place), look);
        Drawn { marks: vec![mark.clone()], plain: mark, words: group.name(place) }
    };
    let (behind, panels, legend) = arranged(group, LOOKS, Sample::Point, drawn);
    Figure {
        name: "cost".to_string(),
        title: format!("Cost against {}", of.words),
        caption: format!(
            "Every point is a run. Units: seconds of processor time, from its beginning on; {}. Times differ if a run is repeated. {}",
            of.unit.words(),
            about_finals(group)
        ),
        x: Axis::amounts("processor time (seconds)".to_string(), all.iter().map(|point| point.0)),
        y: Axis::around(of.label(), all.iter().map(|point| point.1), of.unit.bounds()),
        behind,
        panels,
        legend,
    }
}
