//! Requests about labs: list all labs, and report on one.

use crate::App;
use crate::refusal::{PathParts, Refusal};
use crate::runs::blocking;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use lab::{Comparison, LabFolder, LabKind, LiveReport, Member, MemberState};
use serde::Serialize;
use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

/// A lab in a list. It is a comparison of many runs, several populations of one experiment, or a tuning.
#[derive(Clone, Serialize)]
#[cfg_attr(test, derive(serde::Deserialize, ts_rs::TS))]
pub struct LabCard {
    /// The name of the lab's folder.
    pub name: String,
    /// The question that the lab answers.
    pub about: String,
    /// Which command made the lab.
    pub kind: LabKind,
    /// The number of its runs.
    pub members: usize,
    /// The number of runs that are finished.
    pub finished: usize,
    /// The number of runs that are being trained.
    pub running: usize,
}

/// Answers with all labs in the folder of runs and their progress.
pub async fn list(State(app): State<App>) -> Result<Json<Vec<LabCard>>, Refusal> {
    let found = blocking(move || {
        Ok(lab::lab_folders(app.jobs.runs()).into_iter().map(|folder| app.reports.card(&folder)).collect())
    });
    Ok(Json(found.await?))
}

fn card_of(folder: &LabFolder) -> LabCard {
    let comparison = folder.comparison();
    let count = |state: MemberState| comparison.members().filter(|member| member.state == state).count();
    LabCard {
        about: folder.about(),
        kind: folder.kind(),
        members: folder.size(),
        finished: count(MemberState::Finished),
        running: count(MemberState::Running),
        // Requests name a lab by its folder.
        name: folder.path().file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned()),
    }
}

/// Caches the reports and list entries of labs. They are computed again only if the lab or one of its runs has changed.
#[derive(Clone, Default)]
pub struct Reports {
    reports: Arc<Mutex<HashMap<String, Known>>>,
    cards: Arc<Mutex<HashMap<PathBuf, KnownCard>>>,
}

/// A cached report with the data from which it was made.
struct Known {
    comparison: Comparison,
    files: Vec<File>,
    report: Arc<LiveReport>,
}

/// A cached list entry with the files from which it was made.
struct KnownCard {
    files: Vec<(OsString, File)>,
    looked: Instant,
    took: Duration,
    card: LabCard,
}

/// The pause before the list entry of a running lab is computed again, as a multiple of the time that computing took:
/// it opens the files of all members, of which there can be hundreds.
const PAUSES: u32 = 20;

/// Shows whether a file has changed: the time of the last write and the size; `None` if there is no file.
type File = Option<(SystemTime, u64)>;

fn file_of(member: &Member) -> File {
    // The newest changes may still be in the log beside the file.
    let files = [runs::beside(&member.file, "-wal"), member.file.clone()];
    let found = files.iter().filter_map(|file| std::fs::metadata(file).ok());
    found.filter_map(|data| Some((data.modified().ok()?, data.len()))).max()
}

/// All files in a lab's folder, sorted by name.
fn files_in(folder: &Path) -> Vec<(OsString, File)> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().filter_map(|entry| entry.ok());
    let look = |entry: std::fs::DirEntry| {
        let data = entry.metadata().ok();
        (entry.file_name(), data.and_then(|data| Some((data.modified().ok()?, data.len()))))
    };
    let mut files: Vec<(OsString, File)> = entries.map(look).collect();
    files.sort();
    files
}

impl Reports {
    /// The list entry of a lab.
    fn card(&self, folder: &LabFolder) -> LabCard {
        let (looked, files) = (Instant::now(), files_in(folder.path()));
        let known = || self.cards.lock().unwrap_or_else(PoisonError::into_inner);
        let same = |known: &&KnownCard| {
            (known.card.running == 0 && known.files == files) || known.looked.elapsed() < PAUSES * known.took
        };
        if let Some(known) = known().get(folder.path()).filter(same) {
            return known.card.clone();
        }
        let card = card_of(folder);
        let new = KnownCard { files, looked, took: looked.elapsed(), card: card.clone() };
        known().insert(folder.path().to_path_buf(), new);
        card
    }

    /// The report of the lab of this name.
    fn of(&self, name: &str, comparison: Comparison) -> Result<Arc<LiveReport>, lab::Error> {
        let files: Vec<File> = comparison.members().map(file_of).collect();
        let known = || self.reports.lock().unwrap_or_else(PoisonError::into_inner);
        let same = |known: &&Known| known.comparison == comparison && known.files == files;
        if let Some(known) = known().get(name).filter(same) {
            return Ok(Arc::clone(&known.report));
        }
        let report = Arc::new(lab::live_report(&comparison)?);
        known().insert(name.to_string(), Known { comparison, files, report: Arc::clone(&report) });
        Ok(report)
    }
}

/// Answers with the report of a lab: its figures and tables as of now.
pub async fn report(
    State(app): State<App>,
    PathParts(name): PathParts<String>,
) -> Result<Json<Arc<LiveReport>>, Refusal> {
    let found = blocking(move || {
        let folders = lab::lab_folders(app.jobs.runs());
        let folder =
            folders.into_iter().find(|folder| folder.path().file_name().is_some_and(|found| found == name.as_str()));
        match folder {
            Some(folder) => Ok(app.reports.of(&name, folder.comparison())?),
            None => Err(Refusal::new(StatusCode::NOT_FOUND, format!("there is no lab `{name}`"))),
        }
    });
    Ok(Json(found.await?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use lab::{Compared, Group};

    fn comparison(baseline: usize, file: &std::path::Path) -> Comparison {
        let member = |seed: u64| Member { name: "a".into(), seed, file: file.into(), state: MemberState::Finished };
        let named = |name: &str| Compared {
            name: name.into(),
            experiment: "nim-2x4".into(),
            settings: Vec::new(),
            islands: None,
            seeds: vec![1],
            members: vec![member(1)],
        };
        let configurations = vec![named("a"), named("b")];
        let groups = vec![Group { name: String::new(), baseline: Some(baseline), configurations }];
        Comparison { lab: "l".into(), about: String::new(), measures: vec!["grade".into()], last: 1, groups }
    }

    #[test]
    fn a_report_is_kept_until_the_lab_or_a_run_changes() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.db");
        let reports = Reports::default();
        let asked = |baseline: usize| reports.of("l", comparison(baseline, &file)).unwrap();
        let first = asked(0);
        assert!(Arc::ptr_eq(&first, &asked(0)));
        // The same runs with another baseline.
        let other = asked(1);
        assert!(!Arc::ptr_eq(&first, &other) && Arc::ptr_eq(&other, &asked(1)));
        std::fs::write(&file, "no run").unwrap();
        assert!(!Arc::ptr_eq(&other, &asked(1)));
    }
}
