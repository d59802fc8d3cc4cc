//! Writes a lab's report: a page, figures, tables, and a file with all generations.
//!
//! Everything is made from `Readings`, which hold the data of all runs as of one moment. So a report can be written
//! while runs are trained. The module `live` makes the same report for the web app.

mod curves;
mod generations;
mod group_figures;
mod live;
mod measure;
mod page;
mod ranking;
mod readings;
mod run_figures;
mod table_words;
mod tables;
#[cfg(test)]
mod tests;

pub use live::{LiveFigure, LiveGroup, LiveReport, LiveTable, live_report};
pub use run_figures::write_run_figures;

use super::{Comparison, MemberState};
use crate::Error;
use curves::curves_of;
use figures::{Figure, Words, svg};
use group_figures::GroupFigures;
use measure::slug;
use page::{Page, Section};
use rayon::prelude::*;
use readings::Readings;
use runs::{folder_for, read_text, remove, write_whole, write_with};
use serde::Serialize;
use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};
use tables::{GroupTables, tables_of};

/// The files of a report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WrittenReport {
    /// The HTML page, which needs no other file.
    pub page: PathBuf,
    /// All figures, each as SVG and as PNG.
    pub figures: Vec<PathBuf>,
    /// All tables, each as CSV and as Markdown.
    pub tables: Vec<PathBuf>,
    /// The Parquet file with all generations of all runs.
    pub generations: PathBuf,
    /// The number of generations in it.
    pub rows: u64,
}

/// Writes a report into a folder. Each file is complete at any moment. `tell` receives the name of each step before it
/// begins.
pub fn write_report(
    comparison: &Comparison,
    folder: &Path,
    tell: &mut dyn FnMut(&str),
) -> Result<WrittenReport, Error> {
    // 1. Read all runs, and compute curves, tables and figures.
    let begun = comparison.members().filter(|member| member.state != MemberState::Waiting).count();
    tell(&format!("reading {begun} runs"));
    let readings = Readings::of(comparison)?;
    let curves = curves_of(&readings);
    tell("comparing");
    let tables = tables_of(&readings);
    let prefixes = prefixes(comparison);
    let drawn: Vec<GroupFigures> = readings
        .groups()
        .zip(&curves)
        .zip(&prefixes)
        .map(|((group, curves), prefix)| group_figures::of_group(group, curves, prefix))
        .collect();
    // 2. Write figures and tables.
    let all: Vec<&Figure> = drawn.iter().flat_map(|group| group.results.iter().chain(&group.cost)).collect();
    tell(&format!("drawing {} figures", all.len()));
    let figures = write_figures(&all, &folder_for(folder, "figures")?)?;
    let in_tables = folder_for(folder, "tables")?;
    let mut written = Vec::new();
    for (group, prefix) in tables.iter().zip(&prefixes) {
        for table in group.tables.iter().chain([&group.cost]) {
            for (ending, text) in [("csv", table.csv()), ("md", table.markdown())] {
                let file = in_tables.join(format!("{prefix}{}.{ending}", table.name));
                write_whole(&file, text.as_bytes())?;
                written.push(file);
            }
        }
    }
    // 3. Write all generations, and the page last: where the page exists, everything else does.
    tell("writing all generations");
    let generations = folder.join("generations.parquet");
    let rows = write_with(&generations, |draft| generations::write(comparison, draft))?;
    let sections =
        readings.groups().zip(&drawn).zip(&tables).map(|((group, figures), tables)| Section { group, figures, tables });
    let page = folder.join("report.html");
    write_whole(&page, Page { readings: &readings, sections: sections.collect() }.html().as_bytes())?;
    remove_earlier(folder, figures.iter().chain(&written))?;
    Ok(WrittenReport { page, figures, tables: written, generations, rows })
}

/// Removes figures and tables of an earlier report in this folder that this report does not have.
fn remove_earlier<'a>(folder: &Path, written: impl Iterator<Item = &'a PathBuf>) -> Result<(), Error> {
    const LIST: &str = "files.txt";
    let within = |file: &'a PathBuf| file.strip_prefix(folder).unwrap_or(file).display().to_string();
    let now: BTreeSet<String> = written.map(within).collect();
    for file in read_text(&folder.join(LIST)).unwrap_or_default().lines() {
        // Ignore paths that lead out of the folder, in case somebody has changed the list.
        let is_within = Path::new(file).components().all(|part| matches!(part, Component::Normal(_)));
        if is_within && !now.contains(file) {
            remove(&folder.join(file))?;
        }
    }
    write_whole(&folder.join(LIST), now.into_iter().collect::<Vec<_>>().join("\n").as_bytes())
}

/// Writes each figure as SVG and as PNG.
fn write_figures(figures: &[&Figure], folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let write = |figure: &&Figure| -> Result<[PathBuf; 2], Error> {
        let text = svg(figure, Words::Inside);
        let files = ["svg", "png"].map(|ending| folder.join(format!("{}.{ending}", figure.name)));
        write_whole(&files[0], text.as_bytes())?;
        write_whole(&files[1], &figures::png(&text))?;
        Ok(files)
    };
    let written: Vec<[PathBuf; 2]> = figures.par_iter().map(write).collect::<Result<_, Error>>()?;
    Ok(written.into_iter().flatten().collect())
}

/// The beginning of the file names of each group; empty if there is only one group.
fn prefixes(comparison: &Comparison) -> Vec<String> {
    let mut prefixes: Vec<String> = Vec::new();
    for (number, group) in comparison.groups.iter().enumerate() {
        let slug = slug(group.title());
        let prefix = format!("{slug}-");
        prefixes.push(match comparison.groups.len() {
            1 => String::new(),
            _ if slug.is_empty() || prefixes.contains(&prefix) => format!("{prefix}{}-", number + 1),
            _ => prefix,
        });
    }
    prefixes
}
