//! `gamete check`: whether run files are what was written.

use crate::arguments::{JsonArg, RunsArg};
use crate::commands::{Out, Run};
use crate::signals::Stop;
use crate::words::{count, grouped};
use crate::{Done, Failure};
use clap::Args;
use lab::Error;
use runs::{DamagedRun, FileCheck};
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;

/// Check whether everything stored of a run is what was written
#[derive(Args)]
#[command(
    after_help = "Examples:\n  gamete check nim-2x4-1\n  gamete check --all\n  gamete check nim-2x4-1 --salvage saved.db\n\nEvery row of a run's file has a checksum. The check names rows that are damaged or lost, and ends with 1 if there are any. Runs may be trained meanwhile."
)]
pub struct CheckArgs {
    /// A run's name, or the path of its file
    #[arg(required_unless_present = "all")]
    run: Option<String>,
    /// Check all runs of the folder, those of labs included
    #[arg(long, conflicts_with = "run")]
    all: bool,
    /// Write a new file of what is intact; it can be shown and played, and resumed if nothing that training needs is lost
    #[arg(long, value_name = "FILE", conflicts_with = "all")]
    salvage: Option<PathBuf>,
    #[command(flatten)]
    runs: RunsArg,
    #[command(flatten)]
    json: JsonArg,
}

impl Run for CheckArgs {
    fn run(self, out: &mut Out, _stop: &Stop) -> Result<Done, Failure> {
        check(out, &self)
    }
}

/// Checks one run or all of them, and writes a new file of what is intact, if that is wanted.
fn check(out: &mut impl Write, args: &CheckArgs) -> Result<Done, Failure> {
    let files = match &args.run {
        Some(run) => vec![runs::run_path(&args.runs.runs, run)?],
        None => all_files(args)?,
    };
    if let Some(to) = args.salvage.as_ref().filter(|to| to.exists()) {
        return Err(Error::parameter("salvage", format!("{} exists already; choose another file", to.display())).into());
    }
    let mut all_well = true;
    for file in &files {
        match runs::check_run(file) {
            Ok(found) => {
                all_well &= found.is_intact();
                match args.json.json {
                    true => writeln!(out, "{}", with_verdict(&found))?,
                    false => tell_of(out, &found)?,
                }
            }
            // Among many one that is no run is told, and the others are looked at.
            Err(error) if args.all => {
                all_well = false;
                match args.json.json {
                    true => writeln!(out, "{}", json!({ "file": file, "intact": false, "error": error.to_string() }))?,
                    false => writeln!(out, "{error}")?,
                }
            }
            Err(error) => return Err(error.into()),
        }
    }
    if files.is_empty() {
        tell!("there are no runs in {}", args.runs.runs.display());
    }
    if let (Some(to), [file]) = (&args.salvage, &files[..]) {
        let saved = runs::salvage_run(file, to)?;
        let (rows, left_out) = (count(saved.rows, "row"), count(saved.left_out, "row"));
        tell!("{rows} written to {}, {left_out} left out", to.display());
        match saved.run {
            Some(DamagedRun::Repaired) => {
                tell!("one bit of the description of the run was wrong; it is repaired")
            }
            Some(DamagedRun::Doubtful) => tell!(
                "the description of the run is damaged and copied as it is; the population is left out, so that training cannot go on by other parameters"
            ),
            None => {}
        }
        return Ok(Done::Well);
    }
    Ok(if all_well { Done::Well } else { Done::InPart })
}

/// The files of all runs, those of labs included.
fn all_files(args: &CheckArgs) -> Result<Vec<PathBuf>, Error> {
    let mut files = runs::run_files(&args.runs.runs)?;
    for folder in lab::lab_folders(&args.runs.runs) {
        files.extend(runs::run_files(folder.path())?);
    }
    Ok(files)
}

fn with_verdict(found: &FileCheck) -> serde_json::Value {
    let mut line = json!(found);
    line["intact"] = json!(found.is_intact());
    line
}

fn tell_of(out: &mut impl Write, found: &FileCheck) -> std::io::Result<()> {
    let rows: u64 = found.tables.iter().map(|table| table.intact).sum();
    let file = found.file.display();
    let generations = count(found.generations, "generation");
    if found.is_intact() {
        match found.checksums {
            true => writeln!(out, "{file}: intact; {generations}, {}, all as they were written", count(rows, "row"))?,
            false => writeln!(
                out,
                "{file}: can be read; {generations}, {}; it has format {}, without checksums, so that damage inside a row cannot be seen; `gamete resume` adds them",
                count(rows, "row"),
                found.format
            )?,
        }
    } else {
        writeln!(out, "{file}: damaged")?;
        let mut list = |what: &str, named: &[String], all: u64| -> std::io::Result<()> {
            if all == 0 {
                return Ok(());
            }
            let more = all - named.len() as u64;
            let more = if more > 0 { format!("; and {} more", grouped(more)) } else { String::new() };
            writeln!(out, "  {what}: {}{more}", named.join("; "))
        };
        list("damaged", &found.damaged, found.damaged_rows)?;
        list("lost", &found.lost, found.lost_things)?;
        if let Some(complaint) = &found.structure {
            writeln!(out, "  the database itself: {complaint}")?;
        }
        let (can, how) = match found.resumable {
            true => ("can", ""),
            false => ("cannot", "; it can still be shown and played where its parts are intact"),
        };
        writeln!(out, "  intact: {}, up to generation {}", count(rows, "row"), grouped(found.generations))?;
        writeln!(out, "  training {can} go on{how}")?;
        if found.checksums {
            writeln!(out, "  `gamete check {} --salvage NEW.db` writes a new file of what is intact", found.run)?;
        }
    }
    if let Some(generation) = found.upgraded {
        writeln!(
            out,
            "  its first {} had no checksums before the file was upgraded from format 4",
            count(generation, "generation")
        )?;
    }
    Ok(())
}
