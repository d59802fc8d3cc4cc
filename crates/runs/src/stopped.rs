//! Why a training stopped, as its run says.

use serde::Serialize;

/// Why training stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Stopped {
    /// The champion is perfect in every position.
    Solved,
    /// All generations have been played.
    Generations,
    /// The time is over.
    Time,
    /// Somebody asked for it.
    Interrupted,
}

impl Stopped {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Stopped::Solved => "solved",
            Stopped::Generations => "generations",
            Stopped::Time => "time",
            Stopped::Interrupted => "interrupted",
        }
    }

    /// The reason of this name.
    pub fn named(name: &str) -> Option<Stopped> {
        [Stopped::Solved, Stopped::Generations, Stopped::Time, Stopped::Interrupted]
            .into_iter()
            .find(|stopped| stopped.name() == name)
    }

    /// Whether the run came to its end.
    pub fn is_for_good(self) -> bool {
        self != Stopped::Interrupted
    }
}
