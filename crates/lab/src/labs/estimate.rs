//! What a lab would cost: every configuration of which no member is done is tried for a moment.

use super::comparison::{Member, MemberState};
use super::folder::LabFolder;
use crate::Error;
use crate::training::{TrainOptions, Unwatched, train};
use runs::RunFile;
use serde::Serialize;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use trainer::ExperimentFile;

/// What a configuration would cost.
#[derive(Clone, Debug, Serialize)]
pub struct Estimate {
    /// The configuration's name.
    pub configuration: String,
    /// Its group.
    pub group: String,
    /// How many members it has.
    pub members: usize,
    /// How many of them are done.
    pub finished: usize,
    /// The most generations of each.
    pub generations: u64,
    /// How many were tried for the estimate; none where finished members tell.
    pub tried: u64,
    /// Seconds of processor time for a whole member; a run that stops when solved takes less.
    pub member_seconds: f64,
    /// And for all that is left, of members that have begun the rest.
    pub seconds_left: f64,
}

/// How long each configuration is tried, and all of them together; though each has one generation at least.
const TRIED_SECONDS: f64 = 0.5;
const ALL_SECONDS: f64 = 60.0;

/// Tries the first member of every configuration for a moment, in a folder that can be thrown away; where members are done, they
/// tell what they cost.
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
            // An island would wait for its neighbour.
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
                // Its file may be of another run.
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

/// Tries an experiment for a moment: the seconds of processor time for a generation, and how many there were.
fn trial(
    experiment: ExperimentFile,
    name: &str,
    seconds: f64,
    scratch: &Path,
    stop: &AtomicBool,
) -> Result<(f64, u64), Error> {
    let experiment = experiment.with_values(&[("stop.seconds", seconds.into()), ("record.final_games", 0.into())])?;
    let options =
        TrainOptions { runs: scratch.to_path_buf(), name: Some(name.to_string()), force: true, threads: Some(1) };
    let tried = train(experiment, &options, &mut Unwatched, stop)?;
    Ok((tried.cpu_seconds / tried.generations.max(1) as f64, tried.generations))
}
