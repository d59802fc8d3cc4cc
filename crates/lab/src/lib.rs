//! Trains runs from start to stop, and works with many runs at once: labs, tunings, populations, measurements of growth
//! and reports.
//!
//! ```no_run
//! use lab::{TrainOptions, Unwatched};
//! use std::sync::atomic::AtomicBool;
//!
//! fn main() -> Result<(), lab::Error> {
//!     let experiment = runs::open_experiment("nim-2x4")?;
//!     let summary = lab::train(experiment, &TrainOptions::default(), &mut Unwatched, &AtomicBool::new(false))?;
//!     println!("{}: {:?}", summary.run, summary.exam);
//!     Ok(())
//! }
//! ```

#![cfg_attr(test, allow(clippy::disallowed_methods))]

#[cfg(feature = "fuzzing")]
pub mod fuzzing;
mod growth;
mod labs;
mod memory;
mod network_pictures;
mod opponents;
mod own_games;
mod training;

pub use growth::{Growth, GrowthParams, growth};
pub use labs::{
    AwayEvent, AwayMember, Checked, Compared, Comparison, Configuration, Crowned, Elsewhere, Estimate, Evidence,
    Finalist, Group, Islands, Judge, Lab, LabFolder, LabKind, LabOutcome, LabWatcher, LiveFigure, LiveGroup,
    LiveReport, LiveTable, Member, MemberJob, MemberLine, MemberState, Range, Ranked, TuneParams, TuneWatcher,
    WorkOptions, WrittenReport, crown, estimate, finalists, is_tuned, lab_folders, lab_path, list_labs, live_report,
    populations, run_lab, run_lab_elsewhere, seeds, shipped_labs, skipped_opponents, train_member, tune,
    why_not_elsewhere, write_report, write_run_figures,
};
pub use memory::{Promise, promised_memory};
pub use network_pictures::{draw, network_drawing, network_values};
pub use own_games::register;
pub use runs::Error;
pub use training::{
    ChampionSummary, Machine, Share, StrongestSummary, Summary, TrainOptions, Unwatched, Watcher, interrupted_run,
    resume, summary, train,
};
