//! What a report tells of: which runs stand for which configuration, and how each of them stands.
//!
//! Whoever runs a lab fills this in from its folder; reports, tables and curves read the runs' files themselves. So a
//! comparison can be made of any runs, and at any moment, also while they are trained.

use super::file::Islands;
use std::path::PathBuf;

/// Everything that a report tells of, as it stands at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// Its name.
    pub lab: String,
    /// What it is about, in one sentence; may be empty.
    pub about: String,
    /// What is compared, the main one first: keys of [measures](trainer::MEASURES), or names of parts of the exam.
    pub measures: Vec<String>,
    /// A member's final value is the mean over its last so many generations in which it was measured; 1 means the last
    /// one alone.
    pub last: u64,
    /// Only members of one group are compared with each other.
    pub groups: Vec<Group>,
}

impl Comparison {
    /// All runs, configuration by configuration.
    pub fn members(&self) -> impl Iterator<Item = &Member> {
        self.groups.iter().flat_map(|group| &group.configurations).flat_map(|each| &each.members)
    }
}

/// Configurations that are compared with each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Its name.
    pub name: String,
    /// The place of the configuration that all others are compared with.
    pub baseline: Option<usize>,
    /// The configurations.
    pub configurations: Vec<Compared>,
}

impl Group {
    /// What it is called beside other groups: one without a name holds all the others.
    pub fn title(&self) -> &str {
        if self.name.is_empty() { "others" } else { &self.name }
    }
}

/// One configuration: the same experiment with several seeds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compared {
    /// Its name.
    pub name: String,
    /// The experiment's name.
    pub experiment: String,
    /// Parameters in which it differs from others of its group, by dotted path.
    pub settings: Vec<(String, String)>,
    /// How champions move between its runs, where these are islands.
    pub islands: Option<Islands>,
    /// The seeds that it is to have, also those that nobody has begun.
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
    /// How it stands.
    pub state: MemberState,
}

/// How a run of a lab stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MemberState {
    /// Nobody has begun it.
    Waiting,
    /// It is being trained.
    Running,
    /// It was broken off, and can go on.
    Interrupted,
    /// It is over.
    Finished,
    /// It could not go on, for this reason.
    Failed(String),
}

impl MemberState {
    /// The word for it.
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
