//! What a lab would cost: every configuration is tried for a moment.

use super::comparison::MemberState;
use super::folder::LabFolder;
use crate::error::Error;
use crate::training::{TrainOptions, Unwatched, train};
use serde::Serialize;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use toml::Value;

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
    /// How many were tried for the estimate.
    pub tried: u64,
    /// Seconds of processor time for a whole member; a run that stops when solved takes less.
    pub member_seconds: f64,
    /// And for all that is left.
    pub seconds_left: f64,
}

/// How long each configuration is tried.
const TRIED_SECONDS: f64 = 0.5;

/// Tries the first member of every configuration for a moment, in a folder that can be thrown away.
pub fn estimate(
    folder: &LabFolder,
    scratch: &Path,
    tell: &mut dyn FnMut(usize, usize),
    stop: &AtomicBool,
) -> Result<Vec<Estimate>, Error> {
    let comparison = folder.comparison();
    let all = comparison.groups.iter().map(|group| group.configurations.len()).sum();
    let mut found = Vec::with_capacity(all);
    for group in &comparison.groups {
        for configuration in &group.configurations {
            if stop.load(Ordering::Relaxed) {
                return Ok(found);
            }
            tell(found.len(), all);
            let finished = configuration.members.iter().filter(|member| member.state == MemberState::Finished).count();
            let first = &configuration.members[0];
            let mut experiment = folder.experiment(&first.name)?;
            let generations = experiment.aim().unwrap_or(1);
            experiment.put("stop.seconds", Value::Float(TRIED_SECONDS))?;
            experiment.put("record.final_games", Value::Integer(0))?;
            let options = TrainOptions {
                runs: scratch.to_path_buf(),
                name: Some(first.name.clone()),
                force: true,
                threads: Some(1),
            };
            let tried = train(experiment, &options, &mut Unwatched, stop)?;
            let member_seconds = tried.cpu_seconds / tried.generations.max(1) as f64 * generations as f64;
            found.push(Estimate {
                configuration: configuration.name.clone(),
                group: group.name.clone(),
                members: configuration.members.len(),
                finished,
                generations,
                tried: tried.generations,
                member_seconds,
                seconds_left: member_seconds * (configuration.members.len() - finished) as f64,
            });
        }
    }
    Ok(found)
}
