//! Which champion a run stands for when it plays or is exported.

use serde::{Deserialize, Serialize};

/// Which champion a run stands for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FinalChampion {
    /// The champion of the last generation.
    #[default]
    Newest,
    /// The champion with the greatest measured strength.
    Strength,
}

impl FinalChampion {
    /// The names, in the order of the variants.
    pub const NAMES: [&str; 2] = ["newest", "strength"];

    pub(crate) fn is_newest(&self) -> bool {
        *self == FinalChampion::Newest
    }
}
