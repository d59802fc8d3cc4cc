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

mod annotation;
mod bench;
mod catalogue;
mod champions;
#[cfg(test)]
mod combinations;
mod contest;
mod crosstable;
mod database;
mod drawing;
mod endgames;
mod error;
mod examination;
mod experiment;
mod growth;
mod hall;
mod home;
mod labs;
mod live;
mod lock;
mod migration;
mod openings;
mod override_key;
mod parameters;
mod perft;
mod player_spec;
mod portable;
mod records;
mod replay;
mod report;
mod run_file;
mod runs;
mod shipped;
mod statistics;
mod stepped;
mod toml_error;
mod trainer;
mod training;

pub use annotation::{AnnotationParams, Blunder, Remark, annotate};
pub use bench::{Bench, Ratio, bench};
pub use catalogue::{Entry, GameInfo, encoders, game_infos, games, players, schedules, strategies};
pub use champions::{ShippedChampion, shipped_champions};
pub use contest::{Contest, ContestParams, contest};
pub use crosstable::{Crosstable, CrosstableParams, MatchWatcher, crosstable, pairs_of};
pub use drawing::{DrawnEdge, DrawnNode, NetworkDrawing, NodeKind, Picture, draw, network_drawing, network_values};
pub use endgames::{Probe, ProbedMove, endings, probe};
pub use error::Error;
pub use examination::{ExamParams, examine, questions, suites};
pub use experiment::{
    CircularParams, Experiment, ExperimentFile, Migration, OpensParams, PlayerParams, Record, RoundRobinParams,
    ScheduleConfig, SelfPlayParams, Stop,
};
pub use growth::{Final, Growth, GrowthParams, RatedChampion, RatedYardstick, Ratings, growth};
pub use home::{Home, Notice};
pub use labs::{
    Checked, Compared, Comparison, Configuration, Crowned, Estimate, Evidence, Finalist, Group, Islands, Judge, Lab,
    LabFolder, LabKind, LabOutcome, LabWatcher, LiveFigure, LiveGroup, LiveReport, LiveTable, Member, MemberLine,
    MemberState, Range, Ranked, TuneParams, TuneWatcher, WorkOptions, WrittenReport, crown, estimate, finalists,
    is_tuned, lab_folders, lab_path, list_labs, live_report, populations, run_lab, seeds, shipped_labs, train_member,
    tune, write_report, write_run_figures, write_whole,
};
pub use live::{Hint, LiveGame, LiveParams, LiveView, live_game};
pub use parameters::{Kind, Parameter};
pub use perft::{Perft, perft};
pub use player_spec::{PlayerSpec, SearchOptions};
pub use portable::{Format, PortableNetwork, export};
pub use records::{CheckedFile, CheckedGame, ReadFile, check_games, read_games, write_record};
pub use replay::{Replay, Turn, replays};
pub use report::{Birth, GenomeRecord, InheritanceReport, RecordedGame, Report, SpeciesReport};
pub use run_file::{Curve, Curves, RunFile, RunInfo, SpeciesSizes, StreamOfSpecies};
pub use runs::{
    RunContent, RunEntry, RunState, is_trained, list_runs, look_at_run, named_run, remove_run, run_files, run_path,
};
pub use shipped::shipped_experiments;
pub use stepped::{KeptGames, SteppedGame, Steps, kept_games};
pub use training::{ChampionSummary, Stopped, Summary, TrainOptions, Unwatched, Watcher, resume, summary, train};
