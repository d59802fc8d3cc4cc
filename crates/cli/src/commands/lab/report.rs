//! `gamete lab report`: writes the results of a lab so far.

use crate::arguments::{JsonArg, RunsArg};
use crate::commands::{Out, Run};
use crate::signals::Stop;
use crate::words::count;
use crate::{Done, Failure};
use clap::Args;
use lab::LabFolder;
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;

/// Write the results of a lab so far: a page, figures, tables, all generations
#[derive(Args)]
#[command(
    after_help = "Examples:\n  gamete lab report nim-thesis\n  gamete lab report runs/nim-thesis --out paper\n\nThe lab may still be running. The page report.html needs no other file and no internet. Beside it are\nfigures/ (SVG and PNG), tables/ (CSV and Markdown), generations.parquet, and files.txt, a list of all files.\nFigures and tables of an earlier report that are not part of this one are removed."
)]
pub struct LabReportArgs {
    /// A lab: its name, or the path of its folder
    lab: String,
    /// The folder of the report [default: `report` in the lab's folder]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    runs: RunsArg,
    #[command(flatten)]
    json: JsonArg,
}

impl Run for LabReportArgs {
    const STOPS_GENTLY: bool = true;

    fn run(self, out: &mut Out, _stop: &Stop) -> Result<Done, Failure> {
        report(out, &self)
    }
}

fn report(out: &mut impl Write, args: &LabReportArgs) -> Result<Done, Failure> {
    let folder = LabFolder::find(&args.runs.runs, &args.lab)?;
    let into = args.out.clone().unwrap_or_else(|| folder.path().join("report"));
    let written = lab::write_report(&folder.comparison(), &into, &mut |step| tell!("{step}"))?;
    match args.json.json {
        true => writeln!(out, "{}", json!(written))?,
        false => {
            writeln!(
                out,
                "{}, {} and {} of {}",
                written.page.display(),
                count(written.figures.len() as u64 / 2, "figure"),
                count(written.tables.len() as u64 / 2, "table"),
                folder.name()
            )?;
            writeln!(out, "{} in {}", count(written.rows, "generation"), written.generations.display())?;
        }
    }
    Ok(Done::Well)
}
