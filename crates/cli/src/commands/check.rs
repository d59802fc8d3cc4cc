//! `gamete check`: checks run files for damage, and saves the intact part of a damaged one.

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

/// Check a run's file for damage, and save the intact part
#[derive(Args)]
#[command(
    after_help = "Examples:\n  gamete check nim-2x4-1\n  gamete check --all\n  gamete check nim-2x4-1 --salvage saved.db\n\nEvery row of a run's file has a checksum. The command names damaged and lost rows, and ends with exit code 1 if there are any. It can check a run while it is being trained."
)]
pub struct CheckArgs {
    /// A run's name, or the path of its file
    #[arg(required_unless_present = "all")]
    run: Option<String>,
    /// Check all runs of the folder, including those of labs
    #[arg(long, conflicts_with = "run")]
    all: bool,
    /// Write a new file with the intact rows; it can be shown and played, and resumed if nothing that training needs is lost
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

/// Checks one run or all runs. With `--salvage`, writes a new file with the intact rows.
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
                    false => print(out, &found)?,
                }
            }
            // With --all, a file that is no run is reported, and the other files are still checked.
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
                tell!("one bit of the description of the run was wrong; it was repaired")
            }
            Some(DamagedRun::Doubtful) => tell!(
                "the description of the run is damaged and was copied as it is; the population was left out, so that training cannot continue with wrong parameters"
            ),
            None => {}
        }
        return Ok(Done::Well);
    }
    Ok(if all_well { Done::Well } else { Done::InPart })
}

/// Returns the files of all runs, including those of labs.
fn all_files(args: &CheckArgs) -> Result<Vec<PathBuf>, Error> {
    let mut files = runs::run_files(&args.runs.runs)?;
    for folder in lab::lab_folders(&args.runs.runs) {
        files.extend(runs::run_files(folder.path())?);
    }
    Ok(files)
}

/// The result of a check as JSON, with the key `intact`.
fn with_verdict(found: &FileCheck) -> serde_json::Value {
    let mut line = json!(found);
    line["intact"] = json!(found.is_intact());
    line
}

/// Prints the result of a check.
fn print(out: &mut impl Write, found: &FileCheck) -> std::io::Result<()> {
    let rows: u64 = found.tables.iter().map(|table| table.intact).sum();
    let file = found.file.display();
    let generations = count(found.generations, "generation");
    if found.is_intact() {
        match found.checksums {
            true => writeln!(out, "{file}: intact; {generations}, {}, all as they were written", count(rows, "row"))?,
            false => writeln!(
                out,
                "{file}: can be read; {generations}, {}; it has format {}, which has no checksums, so damage inside a row cannot be seen; `gamete resume` adds checksums",
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
            false => ("cannot", "; it can still be shown and played as far as its parts are intact"),
        };
        writeln!(out, "  intact: {}, up to generation {}", count(rows, "row"), grouped(found.generations))?;
        writeln!(out, "  training {can} continue{how}")?;
        if found.checksums {
            writeln!(out, "  `gamete check {} --salvage NEW.db` writes a new file with the intact rows", found.run)?;
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
