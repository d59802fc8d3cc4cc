//! Runs a lab whose members are trained on other machines. Their finished run files arrive in the lab's folder, where
//! reports find them like those of members that were trained here.

use super::comparison::MemberState;
use super::folder::LabFolder;
use super::member::MemberLine;
use super::time_left::{MemberProgress, TimeLeft, Wanted};
use super::workers::{LabOutcome, LabWatcher};
use crate::Error;
use runs::{RunFile, RunLock};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
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
/// Members that failed before are only trained if `retry_failed`: they may have taken machines down.
pub fn run_lab_elsewhere(
    folder: &LabFolder,
    elsewhere: &mut dyn Elsewhere,
    retry_failed: bool,
    watcher: &mut dyn LabWatcher,
    stop: &AtomicBool,
) -> Result<LabOutcome, Error> {
    let _lock = folder.lock()?;
    let outcome = train_elsewhere(folder, elsewhere, retry_failed, watcher, stop);
    elsewhere.end(outcome.as_ref().map_or(true, |outcome| outcome.interrupted));
    outcome
}

fn train_elsewhere(
    folder: &LabFolder,
    elsewhere: &mut dyn Elsewhere,
    retry_failed: bool,
    watcher: &mut dyn LabWatcher,
    stop: &AtomicBool,
) -> Result<LabOutcome, Error> {
    let wanted = |(configuration, name)| Wanted { configuration, name, until: None };
    let members = folder.members().into_iter().map(|member| MemberProgress::look(folder, wanted(member))).collect();
    let mut away = Away { folder, watcher, members, running: HashSet::new(), open: 0, failed: Vec::new() };
    let finished_before = away.members.iter().filter(|member| member.done).count();
    away.watcher.begin(away.members.len(), finished_before);
    if !retry_failed {
        away.leave_failed();
    }
    let waiting = away.waiting()?;
    away.open = waiting.len();
    elsewhere.begin(waiting)?;
    let begun = Instant::now();
    let mut time_left = TimeLeft::begin(&away.members, elsewhere.places().max(1));
    while away.open > 0 && !stop.load(Ordering::Relaxed) {
        if let Some(event) = elsewhere.next(Duration::from_millis(200))? {
            away.hear(event)?;
        }
        time_left.set_workers(elsewhere.places().max(1));
        let (share, left) = time_left.of(&away.members, begun.elapsed().as_secs_f64());
        away.watcher.progress(share, left);
    }
    Ok(LabOutcome {
        lab: folder.name(),
        folder: folder.path().to_path_buf(),
        members: away.members.len(),
        finished: away.members.iter().filter(|member| member.done).count() - away.failed.len(),
        finished_before,
        interrupted: away.open > 0,
        failed: away.failed,
    })
}

/// The members of a lab that is trained elsewhere.
struct Away<'a> {
    folder: &'a LabFolder,
    watcher: &'a mut dyn LabWatcher,
    members: Vec<MemberProgress>,
    /// The names of members that some machine has begun to train.
    running: HashSet<String>,
    /// The number of members that are neither finished nor failed.
    open: usize,
    failed: Vec<(String, String)>,
}

impl Away<'_> {
    /// Lets members stay failed that failed when the lab was run before.
    fn leave_failed(&mut self) {
        for member in self.members.iter_mut().filter(|member| !member.done) {
            if let Some(why) = self.folder.why_failed(&member.wanted.name) {
                member.done = true;
                self.failed.push((member.wanted.name.clone(), why));
            }
        }
    }

    /// The members that are not finished.
    fn waiting(&self) -> Result<Vec<AwayMember>, Error> {
        let mut waiting = Vec::new();
        for MemberProgress { wanted: Wanted { name, .. }, .. } in self.members.iter().filter(|member| !member.done) {
            self.folder.set_failure(name, None)?;
            let (experiment, file) = (self.folder.experiment(name)?, self.folder.file(name));
            if file.exists() {
                self.folder.checked_run(name, &RunFile::open(&file)?)?;
            }
            waiting.push(AwayMember { name: name.clone(), experiment, file });
        }
        Ok(waiting)
    }

    /// Handles what happened to a member.
    fn hear(&mut self, event: AwayEvent) -> Result<(), Error> {
        let (AwayEvent::Begun(name)
        | AwayEvent::Line(name, _)
        | AwayEvent::Finished(name, _)
        | AwayEvent::Failed(name, _)) = &event;
        let name = name.clone();
        let Some(member) = self.members.iter_mut().find(|member| member.wanted.name == name && !member.done) else {
            return Ok(());
        };
        match event {
            AwayEvent::Begun(_) => {
                if self.running.insert(name.clone()) {
                    self.watcher.start(&name, 1);
                }
            }
            AwayEvent::Line(_, line) => {
                member.hear(line);
                self.watcher.member(&name, line);
            }
            AwayEvent::Finished(_, bytes) => {
                arrive(self.folder, &name, &bytes)?;
                member.look_again(self.folder);
                self.open -= 1;
                self.watcher.end(&name, &MemberState::Finished);
            }
            AwayEvent::Failed(_, why) => {
                self.folder.set_failure(&name, Some(&why))?;
                member.done = true;
                self.open -= 1;
                self.watcher.end(&name, &MemberState::Failed(why.clone()));
                self.failed.push((name, why));
            }
        }
        Ok(())
    }
}

/// Puts the file of a finished run in the lab's folder, where it replaces an unfinished one of this member. A file that is
/// not the member's run is refused, and changes nothing.
fn arrive(folder: &LabFolder, member: &str, bytes: &[u8]) -> Result<(), Error> {
    let file = folder.file(member);
    let _lock = RunLock::take(&file)?;
    let received = file.with_extension("received");
    runs::remove(&received)?;
    runs::write_whole(&received, bytes)?;
    let taken = take_over(folder, member, &received, &file);
    runs::remove(&received)?;
    taken
}

/// Checks a run file that was received, and copies it to its place.
fn take_over(folder: &LabFolder, member: &str, received: &Path, file: &Path) -> Result<(), Error> {
    let run = RunFile::open(received)?;
    folder.checked_run(member, &run)?;
    run.copy_to(file, &run.info()?.parameters)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Lab, Machine, TrainOptions, Unwatched, train};

    /// A received file that is not the member's run leaves the member's own file as it is, and the log of a killed process
    /// does not change a file that replaces it.
    #[test]
    fn received_files_are_checked_before_they_replace_others() {
        let runs_folder = tempfile::tempdir().unwrap();
        let text = "seeds = 1\n[[configuration]]\nexperiment = \"nim-2x4\"\nset = { stop.generations = 3, strategy.enn.population = 10, schedule.circular.opponents = 8 }\n";
        let lab = Lab::parse("one", "one.toml", text, runs_folder.path()).unwrap();
        let folder = LabFolder::create(&lab, &runs_folder.path().join("one")).unwrap();
        let (_, member) = folder.members().remove(0);
        let elsewhere = tempfile::tempdir().unwrap();
        let trained = |name: &str, generations: i64| {
            let experiment = folder.experiment(&member).unwrap();
            let experiment = experiment.with_values(&[("stop.generations", generations.into())]).unwrap();
            let machine = Machine::threads(1);
            let options =
                TrainOptions { runs: elsewhere.path().into(), name: Some(name.to_string()), force: false, machine };
            let summary = train(experiment, &options, &mut Unwatched, &AtomicBool::new(false)).unwrap();
            let copy = elsewhere.path().join(format!("{name}-copy.db"));
            let run = RunFile::open(&summary.file).unwrap();
            run.copy_to(&copy, &run.info().unwrap().parameters).unwrap();
            runs::read_bytes(&copy).unwrap()
        };
        let (right, wrong) = (trained("right", 3), trained("wrong", 4));
        let file = folder.file(&member);
        arrive(&folder, &member, &right).unwrap();
        let before = RunFile::open(&file).unwrap().last_report().unwrap().unwrap().generation;
        assert_eq!(before, 3);
        for bytes in [&wrong[..], &right[..100], b"nonsense"] {
            assert!(arrive(&folder, &member, bytes).is_err());
            assert_eq!(RunFile::open(&file).unwrap().last_report().unwrap().unwrap().generation, before);
        }
        runs::write_whole(&runs::beside(&file, "-wal"), b"what a killed process has left").unwrap();
        arrive(&folder, &member, &right).unwrap();
        assert!(!runs::beside(&file, "-wal").exists());
        let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert!(!left.iter().any(|name| name.to_string_lossy().contains("received")), "{left:?}");
    }
}
