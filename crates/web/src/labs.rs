//! Requests about labs: which there are, and how one stands.

use crate::App;
use crate::refusal::{Named, Refusal};
use crate::runs::blocking;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use lab::{Comparison, LabFolder, LiveReport};
use serde::Serialize;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

/// A lab in a list.
#[derive(Serialize)]
pub struct LabCard {
    name: String,
    about: String,
    members: usize,
}

/// All labs in the folder of runs.
pub async fn list(State(app): State<App>) -> Result<Json<Vec<LabCard>>, Refusal> {
    let found = blocking(move || {
        let card = |folder: LabFolder| LabCard {
            about: folder.about(),
            members: folder.size(),
            // The folder's name is what it is asked for by.
            name: folder.path().file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned()),
        };
        Ok(lab::lab_folders(app.studio.runs()).into_iter().map(card).collect())
    });
    Ok(Json(found.await?))
}

/// Reports of labs as they were when last asked for: as long as no member has changed, nothing is worked out again.
#[derive(Clone, Default)]
pub struct Reports(Arc<Mutex<HashMap<String, Known>>>);

/// A report, and how the members stood then.
type Known = (Standing, Arc<LiveReport>);

/// By what one sees that members have changed: their files' times and sizes, and their states.
type Standing = Vec<(Option<(SystemTime, u64)>, &'static str)>;

fn standing(comparison: &Comparison) -> Standing {
    let members = comparison.groups.iter().flat_map(|group| &group.configurations).flat_map(|each| &each.members);
    let look = |member: &lab::Member| {
        // What has not been folded in yet lies beside the file.
        let files = [member.file.with_extension("db-wal"), member.file.clone()];
        let found = files.iter().filter_map(|file| std::fs::metadata(file).ok());
        (found.filter_map(|data| Some((data.modified().ok()?, data.len()))).max(), member.state.words())
    };
    members.map(look).collect()
}

/// How a lab stands: its figures and tables.
pub async fn report(State(app): State<App>, Named(name): Named<String>) -> Result<Json<Arc<LiveReport>>, Refusal> {
    let found = blocking(move || {
        let folders = lab::lab_folders(app.studio.runs());
        let folder =
            folders.into_iter().find(|folder| folder.path().file_name().is_some_and(|found| found == name.as_str()));
        let Some(folder) = folder else {
            return Err(Refusal::new(StatusCode::NOT_FOUND, format!("there is no lab `{name}`")));
        };
        let comparison = folder.comparison();
        let standing = standing(&comparison);
        let known = |reports: &Reports| {
            let reports = reports.0.lock().unwrap_or_else(PoisonError::into_inner);
            reports.get(&name).filter(|(then, _)| *then == standing).map(|(_, report)| Arc::clone(report))
        };
        if let Some(report) = known(&app.reports) {
            return Ok(report);
        }
        let report = Arc::new(lab::live_report(&comparison)?);
        let mut reports = app.reports.0.lock().unwrap_or_else(PoisonError::into_inner);
        reports.insert(name, (standing, Arc::clone(&report)));
        Ok(report)
    });
    Ok(Json(found.await?))
}
