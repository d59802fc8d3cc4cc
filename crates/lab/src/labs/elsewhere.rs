//! Runs a lab whose members are trained on other machines. Their finished run files arrive in the lab's folder, where
//! reports find them like those of members that were trained here.

use super::comparison::MemberState;
use super::folder::LabFolder;
use super::member::MemberLine;
use super::time_left::{MemberProgress, TimeLeft, Wanted};
use super::workers::{LabOutcome, LabWatcher};
use crate::Error;
use runs::{RunFile, RunLock};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use trainer::ExperimentFile;

/// A member that another machine is to train.
#[derive(Clone, Debug)]
pub struct AwayMember {
    /// Its name.
    pub name: String,
    /// Its experiment, with its seed.
    pub experiment: ExperimentFile,
    /// The file of its run in the lab's folder. If it exists, training goes on from there.
    pub file: PathBuf,
}

/// What happens to a member on another machine.
#[derive(Debug)]
pub enum AwayEvent {
    /// A machine trains the member.
    Begun(String),
    /// The member has made progress.
    Line(String, MemberLine),
    /// The member is finished; the bytes are those of its run file.
    Finished(String, Vec<u8>),
    /// The member failed, for this reason.
    Failed(String, String),
}

/// Machines that train the members of a lab.
pub trait Elsewhere {
    /// Lets these members be trained.
    fn begin(&mut self, members: Vec<AwayMember>) -> Result<(), Error>;
    /// The next event; `None` if nothing happens for this time.
    fn next(&mut self, patience: Duration) -> Result<Option<AwayEvent>, Error>;
    /// The number of members that can be trained at the same time.
    fn places(&self) -> usize;
    /// Ends the work. `interrupted` says whether it will be continued later.
    fn end(&mut self, interrupted: bool);
}

/// Why the members of a lab can only be trained on this machine, as a sentence; `None` if other machines can do it.
pub fn why_not_elsewhere(folder: &LabFolder) -> Result<Option<String>, Error> {
    for (configuration, member) in folder.members() {
        let stays = |why: &str| Ok(Some(format!("the lab `{}` is trained on this machine only: {why}", folder.name())));
        if folder.has_islands(configuration) {
            return stays("champions move between its populations");
        }
        let experiment = folder.experiment(&member)?;
        let needs_machine = |player: &str| ["run:", "file:", "engine:"].iter().any(|kind| player.starts_with(kind));
        if let Some(player) = experiment.rules().record.yardsticks.split_whitespace().find(|one| needs_machine(one)) {
            return stays(&format!("its members play against {player}, which other machines do not have"));
        }
    }
    Ok(None)
}

/// Trains all members that are not finished on other machines. Returns when all are finished, or when `stop` is set.
pub fn run_lab_elsewhere(
    folder: &LabFolder,
    elsewhere: &mut dyn Elsewhere,
    watcher: &mut dyn LabWatcher,
    stop: &AtomicBool,
) -> Result<LabOutcome, Error> {
    let _lock = folder.lock()?;
    let wanted = |(configuration, name)| Wanted { configuration, name, until: None };
    let mut members: Vec<MemberProgress> =
        folder.members().into_iter().map(|member| MemberProgress::look(folder, wanted(member))).collect();
    let finished_before = members.iter().filter(|member| member.done).count();
    watcher.begin(members.len(), finished_before);
    let mut away = Vec::new();
    for member in members.iter().filter(|member| !member.done) {
        let name = &member.wanted.name;
        folder.set_failure(name, None)?;
        let (experiment, file) = (folder.experiment(name)?, folder.file(name));
        if file.exists() {
            folder.checked_run(name, &RunFile::open(&file)?)?;
        }
        away.push(AwayMember { name: name.clone(), experiment, file });
    }
    let places: HashMap<String, usize> =
        members.iter().enumerate().map(|(place, member)| (member.wanted.name.clone(), place)).collect();
    let mut open = away.len();
    elsewhere.begin(away)?;
    let (begun, mut failed) = (Instant::now(), Vec::new());
    let mut time_left = TimeLeft::begin(&members, elsewhere.places().max(1));
    let mut running = vec![false; members.len()];
    while open > 0 && !stop.load(Ordering::Relaxed) {
        let event = elsewhere.next(Duration::from_millis(200))?;
        time_left.set_workers(elsewhere.places().max(1));
        let (share, left) = time_left.of(&members, begun.elapsed().as_secs_f64());
        watcher.progress(share, left);
        let Some(event) = event else { continue };
        match event {
            AwayEvent::Begun(name) => {
                if let Some(place) = places.get(&name).copied().filter(|place| !running[*place]) {
                    running[place] = true;
                    watcher.start(&name, 1);
                }
            }
            AwayEvent::Line(name, line) => {
                if let Some(&place) = places.get(&name) {
                    members[place].hear(line);
                    watcher.member(&name, line);
                }
            }
            AwayEvent::Finished(name, bytes) => {
                arrive(folder, &name, &bytes)?;
                if let Some(&place) = places.get(&name) {
                    members[place].look_again(folder);
                    open -= 1;
                    watcher.end(&name, &MemberState::Finished);
                }
            }
            AwayEvent::Failed(name, why) => {
                folder.set_failure(&name, Some(&why))?;
                if let Some(&place) = places.get(&name) {
                    members[place].done = true;
                    open -= 1;
                    watcher.end(&name, &MemberState::Failed(why.clone()));
                }
                failed.push((name, why));
            }
        }
    }
    elsewhere.end(open > 0);
    Ok(LabOutcome {
        lab: folder.name(),
        folder: folder.path().to_path_buf(),
        members: members.len(),
        finished: members.iter().filter(|member| member.done).count() - failed.len(),
        finished_before,
        interrupted: open > 0,
        failed,
    })
}

/// Puts the file of a finished run in the lab's folder. An unfinished one of this member is replaced.
fn arrive(folder: &LabFolder, member: &str, bytes: &[u8]) -> Result<(), Error> {
    let file = folder.file(member);
    let _lock = RunLock::take(&file)?;
    if file.exists() {
        runs::remove(&file)?;
    }
    runs::write_whole(&file, bytes)?;
    folder.checked_run(member, &RunFile::open(&file)?)
}
