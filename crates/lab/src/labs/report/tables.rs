//! The tables of a report: ranking, final values, comparisons with the baseline, success, every run, and cost.
//!
//! All tables except the table of costs depend only on results: they are equal, byte for byte, if a lab was interrupted
//! and resumed.

use super::ranking::ranking;
use super::readings::{GroupReadings, Reading, Readings};
use super::table_words::{about_finals, compared, heads, sentence};
use figures::{Cell, Survival, Table, holm, interval_of_mean, mean, quartiles, rank_test, sorted};
use runs::Cost;

/// The tables of one group.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupTables {
    /// The group's name.
    pub group: String,
    /// Tables that depend only on results.
    pub tables: Vec<Table>,
    /// Times and work of the runs, which differ if a run is repeated.
    pub cost: Table,
}

/// The tables of every group.
pub fn tables_of(readings: &Readings) -> Vec<GroupTables> {
    readings.groups().map(of_group).collect()
}

pub(crate) fn of_group(group: GroupReadings) -> GroupTables {
    let mut tables = Vec::from_iter(ranking(group));
    tables.push(finals(group));
    tables.extend(comparison(group));
    tables.extend(group.examined().then(|| solved(group)));
    tables.push(members(group));
    GroupTables { group: group.group.name.clone(), tables, cost: cost(group) }
}

fn finals(group: GroupReadings) -> Table {
    let mut rows = Vec::new();
    for measure in compared(group) {
        for place in 0..group.read.len() {
            let values = group.finals(place, measure);
            let mut row = vec![
                group.group.configurations[place].name.as_str().into(),
                group.all.measures[measure].label().as_str().into(),
            ];
            row.push(values.len().into());
            match values[..] {
                [] => row.extend(vec![Cell::Nothing; 8]),
                [least, ..] => {
                    let [low, median, high] = quartiles(&values);
                    let ends = interval_of_mean(&values);
                    let numbers = [median, low, high, least, values[values.len() - 1], mean(&values)];
                    row.extend(numbers.map(Cell::Number));
                    row.extend([0, 1].map(|end| Cell::from(ends.map(|ends| ends[end]))));
                }
            }
            rows.push(row);
        }
    }
    let columns = heads(&[
        "configuration",
        "measure (unit)",
        "n",
        "median",
        "lower quartile",
        "upper quartile",
        "least",
        "greatest",
        "mean",
        "mean, 95 % from",
        "to",
    ]);
    let caption = format!(
        "n: runs. Quartiles are interpolated between neighbouring values, as NumPy does. The interval of the mean is by the bootstrap (10 000 resamples, bias-corrected and accelerated); one run has none. {}",
        about_finals(group)
    );
    Table { name: "final".into(), title: "Final values".into(), caption, columns, rows }
}

fn comparison(group: GroupReadings) -> Option<Table> {
    let baseline = group.group.baseline?;
    let mut rows = Vec::new();
    for measure in compared(group) {
        let of_baseline = group.finals(baseline, measure);
        let others: Vec<usize> = (0..group.read.len()).filter(|&place| place != baseline).collect();
        let tests: Vec<_> =
            others.iter().map(|&place| rank_test(&group.finals(place, measure), &of_baseline)).collect();
        let probabilities: Vec<f64> = tests.iter().flatten().map(|test| test.p).collect();
        let mut corrected = holm(&probabilities).into_iter();
        for (&place, test) in others.iter().zip(tests) {
            let values = group.finals(place, measure);
            let median = |values: &[f64]| (!values.is_empty()).then(|| quartiles(values)[1]);
            // With one run on a side there is no statement about the effect.
            let enough = values.len() > 1 && of_baseline.len() > 1;
            let difference = median(&values).zip(median(&of_baseline)).map(|(one, two)| one - two);
            rows.push(vec![
                group.group.configurations[place].name.as_str().into(),
                group.all.measures[measure].label().as_str().into(),
                values.len().into(),
                of_baseline.len().into(),
                difference.into(),
                test.map(|test| test.u).into(),
                test.map(|test| test.p).into(),
                test.and_then(|_| corrected.next()).into(),
                test.map(|test| test.a).into(),
                test.filter(|_| enough).map_or(Cell::Nothing, |test| effect(test.a).into()),
            ]);
        }
    }
    let columns = heads(&[
        "configuration",
        "measure (unit)",
        "n",
        "n of baseline",
        "difference of medians",
        "U",
        "p",
        "p (Holm)",
        "A",
        "effect",
    ]);
    let caption = format!(
        "Compared with {}: Mann–Whitney's U test of final values, two-sided. p is exact if the smaller sample has up to 8 runs and no values are equal; otherwise it is from the normal distribution with corrections for equal values and continuity, which is rough for few runs. Holm's correction is for all comparisons of one measure in this table. A (Vargha and Delaney) is the probability that a run of the configuration has the greater value, equal ones counted half: 0.5 means no difference; the effect is called small from 0.56 up (or 0.44 down), medium from 0.64 (0.36), large from 0.71 (0.29). {}",
        group.group.configurations[baseline].name,
        about_finals(group)
    );
    let title = format!("Compared with {}", group.group.configurations[baseline].name);
    (!rows.is_empty()).then(|| Table { name: "comparison".into(), title, caption, columns, rows })
}

/// The name of an effect's size, after Vargha and Delaney (2000).
fn effect(a: f64) -> &'static str {
    match (a - 0.5).abs() {
        distance if distance < 0.06 => "none",
        distance if distance < 0.14 => "small",
        distance if distance < 0.21 => "medium",
        _ => "large",
    }
}

/// For each run that has begun: the generation in which it was solved and `true`, or its last generation and `false`.
pub(crate) fn seen(read: &[Reading]) -> Vec<(f64, bool)> {
    let begun = read.iter().filter(|reading| reading.last() > 0);
    begun
        .map(|reading| match reading.series.first_solved {
            Some(generation) => (generation as f64, true),
            None => (reading.last() as f64, false),
        })
        .collect()
}

fn solved(group: GroupReadings) -> Table {
    let row = |place: usize| {
        let seen = seen(&group.read[place]);
        let ended = sorted(seen.iter().filter(|one| one.1).map(|one| one.0).collect());
        let rate = (!seen.is_empty()).then(|| ended.len() as f64 / seen.len() as f64);
        let range = wilson(ended.len(), seen.len());
        vec![
            group.group.configurations[place].name.as_str().into(),
            seen.len().into(),
            ended.len().into(),
            rate.into(),
            range.map(|range| range[0]).into(),
            range.map(|range| range[1]).into(),
            Survival::new(&seen).median().map(|generation| generation as u64).into(),
            ended.first().map(|generation| *generation as u64).into(),
            ended.last().map(|generation| *generation as u64).into(),
        ]
    };
    let columns = heads(&[
        "configuration",
        "n",
        "solved",
        "success rate",
        "rate, 95 % from",
        "to",
        "median generation",
        "first",
        "last",
    ]);
    let caption = format!(
        "n: runs that have begun. Solved: a champion was perfect in every position; the interval of the rate is Wilson's. The median generation is Kaplan–Meier's, with runs that were not solved counted up to their last generation; there is none while more than half are unsolved. First and last: generations in which the first and the last run were solved. {}.",
        sentence(&group.seeds())
    );
    let rows = (0..group.read.len()).map(row).collect();
    Table { name: "solved".into(), title: "Success".into(), caption, columns, rows }
}

/// Wilson's 95 % interval of a rate.
fn wilson(successes: usize, of: usize) -> Option<[f64; 2]> {
    const Z: f64 = 1.959_963_984_540_054;
    if of == 0 {
        return None;
    }
    let (n, rate, square) = (of as f64, successes as f64 / of as f64, Z * Z);
    let middle = (rate + square / (2.0 * n)) / (1.0 + square / n);
    let half = Z / (1.0 + square / n) * (rate * (1.0 - rate) / n + square / (4.0 * n * n)).sqrt();
    // Rounding may lead slightly beyond 0 or 1.
    Some([(middle - half).max(0.0), (middle + half).min(1.0)])
}

fn members(group: GroupReadings) -> Table {
    let measures: Vec<usize> = compared(group).collect();
    let mut rows = Vec::new();
    for (configuration, read) in group.configurations() {
        for (member, reading) in configuration.members.iter().zip(read) {
            let mut row = vec![
                configuration.name.as_str().into(),
                member.name.as_str().into(),
                Cell::Count(member.seed),
                member.state.words().into(),
                Cell::Count(reading.last()),
                reading.series.first_solved.into(),
            ];
            let value = |&measure: &usize| reading.final_value(measure, group.all.comparison.last).into();
            row.extend(measures.iter().map(value));
            rows.push(row);
        }
    }
    let mut columns = heads(&["configuration", "run", "seed", "state", "generations", "solved in generation"]);
    columns.extend(measures.iter().map(|&measure| group.all.measures[measure].label()));
    let caption = about_finals(group);
    Table { name: "runs".into(), title: "Every run".into(), caption, columns, rows }
}

fn cost(group: GroupReadings) -> Table {
    let row = |place: usize| {
        let costs: Vec<Cost> = group.read[place].iter().filter_map(|reading| reading.series.cost).collect();
        let median = |of: &dyn Fn(&Cost) -> f64| {
            let values = sorted(costs.iter().map(of).collect());
            Cell::from((!values.is_empty()).then(|| quartiles(&values)[1]))
        };
        let seconds = |of: &dyn Fn(&Cost) -> f64| Cell::Number(costs.iter().map(of).sum());
        vec![
            group.group.configurations[place].name.as_str().into(),
            costs.len().into(),
            median(&|cost| cost.times.seconds),
            median(&|cost| cost.times.cpu_seconds),
            median(&|cost| cost.games as f64),
            median(&|cost| cost.evaluations as f64),
            seconds(&|cost| cost.times.seconds),
            seconds(&|cost| cost.times.cpu_seconds),
        ]
    };
    let columns = heads(&[
        "configuration",
        "n",
        "seconds (median)",
        "processor seconds (median)",
        "games (median)",
        "positions judged (median)",
        "seconds (all runs)",
        "processor seconds (all runs)",
    ]);
    let caption = format!(
        "n: runs that have begun. Medians over runs, each from its beginning up to now. Times depend on the machine, and differ if a run is repeated; a resumed run judges its population once more. {}.",
        sentence(&group.seeds())
    );
    let rows = (0..group.read.len()).map(row).collect();
    Table { name: "cost".into(), title: "Cost".into(), caption, columns, rows }
}
