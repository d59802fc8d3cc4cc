//! A lab's report: a page, figures, tables, and all generations as one file.
//!
//! Everything is made of `Readings`, which hold a comparison as it stands at one moment, so that a report can be written
//! while runs are trained; `live` has the same for pages that follow a lab.

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

/// What was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WrittenReport {
    /// The page, which needs no other file.
    pub page: PathBuf,
    /// All figures, each as SVG and as PNG.
    pub figures: Vec<PathBuf>,
    /// All tables, each as CSV and as Markdown.
    pub tables: Vec<PathBuf>,
    /// All generations of all runs.
    pub generations: PathBuf,
    /// How many generations those are.
    pub rows: u64,
}

/// Writes a report into a folder. Each file is whole at any moment; what is done next is told before it is done.
pub fn write_report(
    comparison: &Comparison,
    folder: &Path,
    tell: &mut dyn FnMut(&str),
) -> Result<WrittenReport, Error> {
    // 1. Everything is read, and worked out.
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
    // 2. Figures and tables.
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
    // 3. All generations, then the page, which tells that everything is there.
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

/// Figures and tables that the last report here had and this one has not: nobody should take them for these.
fn remove_earlier<'a>(folder: &Path, written: impl Iterator<Item = &'a PathBuf>) -> Result<(), Error> {
    const LIST: &str = "files.txt";
    let within = |file: &'a PathBuf| file.strip_prefix(folder).unwrap_or(file).display().to_string();
    let now: BTreeSet<String> = written.map(within).collect();
    for file in read_text(&folder.join(LIST)).unwrap_or_default().lines() {
        // A list that somebody has written leads nowhere else.
        let is_within = Path::new(file).components().all(|part| matches!(part, Component::Normal(_)));
        if is_within && !now.contains(file) {
            remove(&folder.join(file))?;
        }
    }
    write_whole(&folder.join(LIST), now.into_iter().collect::<Vec<_>>().join("\n").as_bytes())
}

/// Each figure as SVG and as PNG.
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

/// What file names of each group begin with: nothing where there is but one.
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
