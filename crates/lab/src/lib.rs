//! Experiments, the runs they make, and what is recorded of them: the first crate that touches files and clocks.
//!
//! ```no_run
//! use lab::{Experiment, TrainOptions, Unwatched};
//! use std::sync::atomic::AtomicBool;
//! # fn main() -> Result<(), lab::Error> {
//! let experiment = Experiment::open("nim-2x4")?;
//! let summary = lab::train(experiment, &TrainOptions::default(), &mut Unwatched, &AtomicBool::new(false))?;
//! println!("{}: {:?}", summary.run, summary.exam);
//! # Ok(()) }
//! ```

mod error;
mod experiment;
mod hall;
mod lock;
mod override_key;
mod report;
mod run_file;
mod runs;
mod shipped;
mod toml_error;
mod trainer;
mod training;

pub use error::Error;
pub use experiment::{Experiment, ExperimentFile, PlayerParams, Record, ScheduleConfig, Stop};
pub use report::{RecordedGame, Report};
pub use run_file::{RunFile, RunInfo};
pub use runs::{RunEntry, RunState, list_runs, run_path};
pub use shipped::shipped_experiments;
pub use training::{Stopped, Summary, TrainOptions, Unwatched, Watcher, resume, train};
