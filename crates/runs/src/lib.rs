//! Runs as files: opens experiments, saves trainings in run files, and locks a run for one writer. This is the first
//! crate that uses files and clocks.
//!
//! ```no_run
//! use runs::{RunFile, run_path};
//! use std::path::Path;
//!
//! fn main() -> Result<(), runs::Error> {
//!     let run = RunFile::open(&run_path(Path::new("runs"), "nim-2x4-1")?)?;
//!     println!("{}: {} generations", run.name(), run.reports(1)?.len());
//!     Ok(())
//! }
//! ```

#![cfg_attr(test, allow(clippy::disallowed_methods))]

mod database;
mod error;
mod experiments;
mod folder;
mod lock;
mod measured;
mod migration;
mod open_files;
mod run_file;
mod sqlite_words;
mod stopped;
#[cfg(test)]
mod testing;
mod text_file;
mod whole_file;

pub use database::{beside, remove};
pub use error::Error;
pub use experiments::open_experiment;
pub use folder::{
    LAB_NOTE, RunContent, RunEntry, holds_lab, is_trained, list_runs, look_at_run, named_run, remove_run, run_files,
    run_path,
};
pub use lock::{RunLock, check_one_name};
pub use measured::{Final, MatchResult, RatedChampion, RatedYardstick, Ratings};
pub use migration::migrants;
pub use open_files::{read_bytes, read_bytes_up_to};
pub use run_file::{
    CheckedTable, Cost, Curve, Curves, DamagedRun, FileCheck, RunFile, RunInfo, RunState, Salvaged, Series,
    SpeciesSizes, StreamOfSpecies, Times, check_run, salvage_run, seal_run,
};
pub use rusqlite::types::Value as StoredValue;
pub use stopped::Stopped;
pub use text_file::{read_old_text, read_text};
pub use whole_file::{folder_for, write_whole, write_with};
