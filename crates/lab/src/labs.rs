//! Labs: many runs that are trained and compared. A lab's file says which experiments are trained with which parameters
//! and seeds. Its folder holds the runs and their results.

mod comparison;
mod elsewhere;
mod estimate;
mod file;
mod folder;
mod member;
mod opponents;
mod populations;
mod report;
mod settings;
mod time_left;
mod tune;
mod workers;

pub use comparison::{Compared, Comparison, Group, Member, MemberState};
pub use elsewhere::{AwayEvent, AwayMember, Elsewhere, run_lab_elsewhere, why_not_elsewhere};
pub use estimate::{Estimate, estimate};
pub use file::{Configuration, Islands, Lab, LabKind, seeds, shipped_labs};
#[cfg(feature = "fuzzing")]
pub(crate) use folder::note_again;
pub use folder::{LabFolder, lab_folders, lab_path, list_labs};
pub use member::{MemberLine, train_member};
pub use opponents::skipped_opponents;
pub use populations::{Crowned, Finalist, crown, finalists, populations};
pub use report::{
    LiveFigure, LiveGroup, LiveReport, LiveTable, WrittenReport, live_report, write_report, write_run_figures,
};
pub use tune::{Checked, Evidence, Judge, Range, Ranked, TuneParams, TuneWatcher, is_tuned, tune};
pub use workers::{LabOutcome, LabWatcher, MemberJob, WorkOptions, run_lab};
