//! Estimates the cost of a lab: every configuration without a finished member is trained for a short time.

use super::comparison::{Member, MemberState};
use super::folder::LabFolder;
use crate::Error;
use crate::training::{Machine, TrainOptions, Unwatched, train};
use runs::RunFile;
use serde::Serialize;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use trainer::ExperimentFile;

/// The estimated cost of a configuration.
#[derive(Clone, Debug, Serialize)]
pub struct Estimate {
    /// The configuration's name.
    pub configuration: String,
    /// Its group.
    pub group: String,
    /// The number of its members.
    pub members: usize,
    /// The number of members that are finished.
    pub finished: usize,
    /// The largest number of generations of each member.
    pub generations: u64,
    /// The number of generations trained for the estimate; 0 if the times of finished members are used.
    pub tried: u64,
    /// Seconds of processor time for a whole member; a run that stops when solved takes less.
    pub member_seconds: f64,
    /// Seconds of processor time for all that is left of its members.
    pub seconds_left: f64,
}

/// How many seconds each configuration is trained; each has at least one generation.
const TRIED_SECONDS: f64 = 0.5;
/// How many seconds all configurations are trained together.
const ALL_SECONDS: f64 = 60.0;

/// Estimates the cost of every configuration. Uses the times of finished members; if there are none, trains the first
/// member for a short time in the folder `scratch`. `tell` receives the number of configurations done and of all.
pub fn estimate(
    folder: &LabFolder,
    scratch: &Path,
    tell: &mut dyn FnMut(usize, usize),
    stop: &AtomicBool,
) -> Result<Vec<Estimate>, Error> {
    let comparison = folder.comparison();
    let all = comparison.groups.iter().map(|group| group.configurations.len()).sum();
    let mut found = Vec::with_capacity(all);
    let seconds = (ALL_SECONDS / all.max(1) as f64).min(TRIED_SECONDS);
    for group in &comparison.groups {
        for configuration in &group.configurations {
            if stop.load(Ordering::Relaxed) {
                return Ok(found);
            }
            tell(found.len(), all);
            let is_done = |member: &&Member| member.state == MemberState::Finished;
            let spent = |member: &Member| Some(RunFile::open(&member.file).ok()?.times().ok()?.cpu_seconds);
            let costs: Vec<f64> = configuration.members.iter().filter(is_done).filter_map(spent).collect();
            let finished = configuration.members.iter().filter(is_done).count();
            let played = |member: &Member| Some(RunFile::open(&member.file).ok()?.last_report().ok()??.generation);
            let first = &configuration.members[0];
            // Without migration, because an island would wait for its neighbour.
            let experiment = folder.experiment(&first.name)?.with_migration(None)?;
            let generations = experiment.aim().unwrap_or(1);
            let (member_seconds, tried) = match &costs[..] {
                [] => {
                    let (seconds, tried) = trial(experiment, &first.name, seconds, scratch, stop)?;
                    (seconds * generations as f64, tried)
                }
                costs => (costs.iter().sum::<f64>() / costs.len() as f64, 0),
            };
            let left = |member: &Member| match member.state {
                MemberState::Finished => 0.0,
                // The file may belong to another run, so it does not count.
                MemberState::Failed(_) => 1.0,
                _ => (1.0 - played(member).unwrap_or(0) as f64 / generations.max(1) as f64).max(0.0),
            };
            found.push(Estimate {
                configuration: configuration.name.clone(),
                group: group.name.clone(),
                members: configuration.members.len(),
                finished,
                generations,
                tried,
                member_seconds,
                seconds_left: member_seconds * configuration.members.iter().map(left).sum::<f64>(),
            });
        }
    }
    Ok(found)
}

/// Trains an experiment for a short time. Returns the processor seconds per generation and the number of generations.
fn trial(
    experiment: ExperimentFile,
    name: &str,
    seconds: f64,
    scratch: &Path,
    stop: &AtomicBool,
) -> Result<(f64, u64), Error> {
    let experiment = experiment.with_values(&[("stop.seconds", seconds.into()), ("record.final_games", 0.into())])?;
    let options = TrainOptions {
        runs: scratch.to_path_buf(),
        name: Some(name.to_string()),
        force: true,
        machine: Machine::threads(1),
    };
    let tried = train(experiment, &options, &mut Unwatched, stop)?;
    Ok((tried.cpu_seconds / tried.generations.max(1) as f64, tried.generations))
}
