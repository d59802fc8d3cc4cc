//! How a run stands: whether it is trained, and why it stopped.

use super::RunInfo;
use crate::Stopped;
use crate::lock::RunLock;
use std::path::Path;

/// How a run stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunState {
    /// A process is training it now.
    Training,
    /// It stopped, for this reason.
    Stopped(Stopped),
    /// It was killed, and can be resumed.
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

/// How the run in this file stands.
pub(crate) fn state(file: &Path, info: &RunInfo) -> RunState {
    match info.stopped {
        _ if RunLock::is_taken(file) => RunState::Training,
        Some(why) => RunState::Stopped(why),
        None => RunState::Killed,
    }
}
