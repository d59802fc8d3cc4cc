//! The reasons why a training stopped.

use serde::Serialize;

/// Why training stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Stopped {
    /// The champion plays a perfect move in every position.
    Solved,
    /// The champion has the strength that was asked for.
    Strength,
    /// All generations have been played.
    Generations,
    /// The time limit has been reached.
    Time,
    /// A user stopped it.
    Interrupted,
}

impl Stopped {
    /// The word for the reason, as stored in run files and printed.
    pub fn name(self) -> &'static str {
        match self {
            Stopped::Solved => "solved",
            Stopped::Strength => "strength",
            Stopped::Generations => "generations",
            Stopped::Time => "time",
            Stopped::Interrupted => "interrupted",
        }
    }

    /// The reason with this word; `None` if there is none.
    pub fn named(name: &str) -> Option<Stopped> {
        use Stopped::{Generations, Interrupted, Solved, Strength, Time};
        [Solved, Strength, Generations, Time, Interrupted].into_iter().find(|stopped| stopped.name() == name)
    }

    /// Whether the run reached one of its limits or was solved. An interrupted run has not ended.
    pub fn is_for_good(self) -> bool {
        self != Stopped::Interrupted
    }
}
