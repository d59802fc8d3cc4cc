//! The input of a report: the runs of each configuration, and the state of each run.
//!
//! For a lab it is made from the lab's folder. Reports, tables and curves read the runs' files themselves. So any runs
//! can be compared, also while they are trained.

use super::file::Islands;
use std::path::PathBuf;

/// Everything that a report compares, as of one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The lab's name.
    pub lab: String,
    /// The question that it answers, in one sentence; may be empty.
    pub about: String,
    /// What is compared, the main measure first: keys of [measures](trainer::MEASURES), or names of parts of the exam.
    pub measures: Vec<String>,
    /// A member's final value is the mean over this number of last generations in which the measure was taken; 1 means
    /// the last one alone.
    pub last: u64,
    /// The groups; only members of one group are compared with each other.
    pub groups: Vec<Group>,
}

impl Comparison {
    /// All runs, ordered by configuration.
    pub fn members(&self) -> impl Iterator<Item = &Member> {
        self.groups.iter().flat_map(|group| &group.configurations).flat_map(|each| &each.members)
    }
}

/// Configurations that are compared with each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The group's name.
    pub name: String,
    /// The place of the baseline, with which all others are compared; `None` if there is none.
    pub baseline: Option<usize>,
    /// The configurations.
    pub configurations: Vec<Compared>,
}

impl Group {
    /// The name to show; `others` for a group without a name.
    pub fn title(&self) -> &str {
        if self.name.is_empty() { "others" } else { &self.name }
    }
}

/// One configuration: the same experiment with several seeds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compared {
    /// The configuration's name.
    pub name: String,
    /// The experiment's name.
    pub experiment: String,
    /// The parameters in which it differs from others of its group: dotted paths and values.
    pub settings: Vec<(String, String)>,
    /// How champions move between its runs; `None` if these are not islands.
    pub islands: Option<Islands>,
    /// All its seeds, also those of runs that have not begun.
    pub seeds: Vec<u64>,
    /// Its runs, one for each seed.
    pub members: Vec<Member>,
}

/// One run of a lab.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// The run's name.
    pub name: String,
    /// Its seed.
    pub seed: u64,
    /// Its file, which need not exist yet.
    pub file: PathBuf,
    /// The state of the run.
    pub state: MemberState,
}

/// The state of a lab's run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MemberState {
    /// It has not begun.
    Waiting,
    /// It is being trained.
    Running,
    /// It was interrupted, and can be resumed.
    Interrupted,
    /// It is finished.
    Finished,
    /// It failed, for this reason.
    Failed(String),
}

impl MemberState {
    /// The state as a word.
    pub fn words(&self) -> &'static str {
        match self {
            MemberState::Waiting => "waiting",
            MemberState::Running => "running",
            MemberState::Interrupted => "interrupted",
            MemberState::Finished => "finished",
            MemberState::Failed(_) => "failed",
        }
    }
}
