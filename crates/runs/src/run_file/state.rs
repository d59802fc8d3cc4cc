//! The state of a run: whether it is being trained, and why it stopped if it is not.

use super::RunInfo;
use crate::Stopped;
use crate::lock::RunLock;
use std::path::Path;

/// The state of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunState {
    /// A process is training it now.
    Training,
    /// The training stopped for this reason.
    Stopped(Stopped),
    /// The training process was killed. The run can be resumed.
    Killed,
}

impl std::fmt::Display for RunState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            RunState::Training => f.write_str("training"),
            RunState::Stopped(why) => f.write_str(why.name()),
            RunState::Killed => f.write_str("killed"),
        }
    }
}

/// The state of the run in this file.
pub(crate) fn state(file: &Path, info: &RunInfo) -> RunState {
    match info.stopped {
        _ if RunLock::is_taken(file) => RunState::Training,
        Some(why) => RunState::Stopped(why),
        None => RunState::Killed,
    }
}
