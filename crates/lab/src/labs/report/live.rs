//! A report for pages that follow a lab: the same figures as pictures and the same tables, as they stand now.

use super::readings::GroupReadings;
use super::table_words::sentence;
use super::{GroupTables, Readings, curves_of, group_figures, prefixes, tables_of};
use crate::Error;
use crate::labs::{Comparison, MemberState};
use figures::{Words, svg};
use serde::Serialize;

/// How a lab stands.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct LiveReport {
    /// The lab's name.
    pub lab: String,
    /// What it asks.
    pub about: String,
    /// How many members are how: `finished`, `running`, and so on.
    pub states: Vec<(&'static str, usize)>,
    /// What is wrong with which.
    pub problems: Vec<String>,
    /// Its groups; none while no member has played a generation.
    pub groups: Vec<LiveGroup>,
}

/// A group, as it stands.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct LiveGroup {
    /// Its name.
    pub name: String,
    /// Its figures.
    pub figures: Vec<LiveFigure>,
    /// Its tables, that of costs last.
    pub tables: Vec<LiveTable>,
}

/// A figure as a picture.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct LiveFigure {
    /// What it shows.
    pub title: String,
    /// Units, seeds, and what is drawn.
    pub caption: String,
    /// The picture, without these words.
    pub svg: String,
}

/// A table as a part of a page.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct LiveTable {
    /// What it shows.
    pub title: String,
    /// Units, seeds, and what its columns mean.
    pub caption: String,
    /// Heads and rows, as in the report.
    pub html: String,
}

/// How a lab stands now.
pub fn live_report(comparison: &Comparison) -> Result<LiveReport, Error> {
    let mut states: Vec<(&'static str, usize)> = Vec::new();
    for member in comparison.members() {
        match states.iter_mut().find(|(words, _)| *words == member.state.words()) {
            Some((_, count)) => *count += 1,
            None => states.push((member.state.words(), 1)),
        }
    }
    let problem = |member: &crate::Member| match &member.state {
        MemberState::Failed(why) => Some(format!("{}: {why}", member.name)),
        MemberState::Waiting | MemberState::Running | MemberState::Interrupted | MemberState::Finished => None,
    };
    let groups = match Readings::of(comparison) {
        Ok(readings) => groups_of(comparison, &readings),
        // Nothing has been played: there is nothing to show yet.
        Err(Error::Trainer(trainer::Error::Refused(_))) => Vec::new(),
        Err(error) => return Err(error),
    };
    Ok(LiveReport {
        lab: comparison.lab.clone(),
        about: comparison.about.clone(),
        states,
        problems: comparison.members().filter_map(problem).collect(),
        groups,
    })
}

fn groups_of(comparison: &Comparison, readings: &Readings) -> Vec<LiveGroup> {
    let (curves, prefixes) = (curves_of(readings), prefixes(comparison));
    let all = readings.groups().zip(&curves).zip(&prefixes).zip(tables_of(readings));
    let live = |(((group, curves), prefix), tables): (((GroupReadings, _), &String), GroupTables)| {
        let drawn = group_figures::of_group(group, curves, prefix);
        let figures = drawn.results.iter().chain(&drawn.cost).map(|figure| LiveFigure {
            title: sentence(&figure.title),
            caption: figure.caption.clone(),
            svg: svg(figure, Words::Outside),
        });
        let tables = tables.tables.into_iter().chain([tables.cost]).map(|table| LiveTable {
            html: table.grid(),
            title: table.title,
            caption: table.caption,
        });
        LiveGroup { name: group.group.title().to_string(), figures: figures.collect(), tables: tables.collect() }
    };
    all.map(live).collect()
}
