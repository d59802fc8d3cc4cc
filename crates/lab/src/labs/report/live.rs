//! The report of a lab for the web app: the figures and tables of the written report, as of now.

use super::readings::GroupReadings;
use super::table_words::sentence;
use super::{GroupTables, Readings, curves_of, group_figures, prefixes, tables_of};
use crate::Error;
use crate::labs::{Comparison, MemberState};
use figures::{Words, svg};
use serde::Serialize;

/// The report of a lab, as of now.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct LiveReport {
    /// The lab's name.
    pub lab: String,
    /// The question that the lab answers.
    pub about: String,
    /// The number of members in each state: `finished`, `running`, and so on.
    pub states: Vec<(&'static str, usize)>,
    /// Members that failed, each with the reason.
    pub problems: Vec<String>,
    /// The groups; empty while no member has played a generation.
    pub groups: Vec<LiveGroup>,
}

/// A group of configurations, as of now.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct LiveGroup {
    /// The group's name.
    pub name: String,
    /// The group's figures.
    pub figures: Vec<LiveFigure>,
    /// The group's tables; the table of costs is the last.
    pub tables: Vec<LiveTable>,
}

/// A figure as an SVG picture.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct LiveFigure {
    /// The title.
    pub title: String,
    /// The caption: units, seeds, and what is drawn.
    pub caption: String,
    /// The picture, without title and caption.
    pub svg: String,
}

/// A table as HTML.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct LiveTable {
    /// The title.
    pub title: String,
    /// The caption: units, seeds, and the meaning of the columns.
    pub caption: String,
    /// The heads and rows, as in the written report.
    pub html: String,
}

/// Makes the report of a lab, as of now.
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
        // No generation has been played yet.
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
