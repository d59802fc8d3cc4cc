//! What is compared in a lab, as it stands at one moment.

use serde::Serialize;
use std::path::PathBuf;

/// Everything that a report tells of, as it stands at one moment.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// The lab's name.
    pub lab: String,
    /// What it asks, in a sentence or two; may be empty.
    pub about: String,
    /// What is compared, the main one first.
    pub measures: Vec<String>,
    /// A member's final value is the mean over its last so many generations in which it was measured.
    pub last: u64,
    /// Only members of one group are compared with each other.
    pub groups: Vec<Group>,
}

/// Configurations that are compared with each other.
#[derive(Clone, Debug, Serialize)]
pub struct Group {
    /// Its name.
    pub name: String,
    /// The configuration that the others are compared with, by number.
    pub baseline: Option<usize>,
    /// The configurations.
    pub configurations: Vec<Compared>,
}

/// An experiment with certain parameters, and its runs.
#[derive(Clone, Debug, Serialize)]
pub struct Compared {
    /// Its name.
    pub name: String,
    /// The experiment's name.
    pub experiment: String,
    /// The seeds, one for each member.
    pub seeds: Vec<u64>,
    /// The runs.
    pub members: Vec<Member>,
}

/// One run of a lab.
#[derive(Clone, Debug, Serialize)]
pub struct Member {
    /// Its name: the configuration's and the seed.
    pub name: String,
    /// The seed of all its chance.
    pub seed: u64,
    /// The run's file, once it has begun.
    pub file: PathBuf,
    /// How it stands.
    pub state: MemberState,
}

/// How a member of a lab stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MemberState {
    /// Not begun.
    Waiting,
    /// Some process trains it now.
    Running,
    /// Begun, and not finished; to run the lab again goes on with it.
    Interrupted,
    /// Done.
    Finished,
    /// It failed, for this reason.
    Failed(String),
}
