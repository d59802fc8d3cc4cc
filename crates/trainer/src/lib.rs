//! Trains a population, one generation after the other: networks play, get scores, and the strategy breeds the next
//! population. Experiments are data. This crate touches no file, no clock and no database, and starts no threads of its
//! own (`arena` does, to play games). The caller saves the results of each generation.
//!
//! ```
//! use trainer::Experiment;
//!
//! fn main() -> Result<(), trainer::Error> {
//!     let mut trainer = Experiment::shipped("nim-2x4")?.trainer(1);
//!     let mut champions = Vec::new();
//!     for _ in 0..3 {
//!         let generation = trainer.step(&champions)?;
//!         champions.push(generation.champion);
//!     }
//!     assert_eq!(trainer.generation(), 3);
//!     Ok(())
//! }
//! ```

mod any_trainer;
mod catalogue;
#[cfg(test)]
mod combinations;
mod descriptions;
mod error;
mod experiment;
mod final_champion;
mod hall_of_fame;
mod measures;
mod openings;
pub mod override_key;
mod own_games;
mod parameters;
mod report;
mod run_name;
mod shipped;
pub mod toml_error;
mod trainer;

pub use any_trainer::AnyTrainer;
pub use catalogue::{Entry, GameInfo, encoders, game_infos, games, schedules, scorings, strategies};
pub use error::Error;
pub use experiment::{
    Experiment, ExperimentFile, GameCount, Migration, Needs, PlayerParams, Record, Rules, Stop, TypedExperiment,
};
pub use final_champion::FinalChampion;
pub use hall_of_fame::Archive;
pub use measures::{FigureName, InLabs, MEASURES, Measure, Source, Unit};
pub use openings::measuring_plies;
pub use own_games::register;
pub use parameters::{Kind, Parameter};
pub use report::{Birth, GenomeRecord, InheritanceReport, RecordedGame, Report, SpeciesReport};
pub use run_name::{checked_name, name_from};
pub use shipped::{register_experiment, shipped_experiments};
pub use trainer::{Checkpoint, Generation, PartPlayer, Trainer};

/// The example in the book runs as a documentation test.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/extending-measure.md")]
struct Extending;
