//! Runs a lab: trains several members at a time, each in a process of its own, until all are finished.

use super::comparison::MemberState;
use super::folder::LabFolder;
use super::member::MemberLine;
use super::time_left::{MemberProgress, TimeLeft, Wanted};
use crate::Error;
use runs::RunLock;
use serde::Serialize;
use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::time::{Duration, Instant};

/// Options for running a lab.
pub struct WorkOptions {
    /// Makes the command that trains one member in a process of its own, by [`train_member`](super::train_member). The
    /// process writes [`MemberLine`]s as JSON to standard output, and stops when it reads a line. It exits with 0 when
    /// the member is finished, and with 130 when it was interrupted. Otherwise it writes the reason to standard error,
    /// after `gamete: `.
    pub member: Box<dyn Fn(&MemberJob) -> Command>,
    /// The number of processor cores to use.
    pub workers: usize,
}

/// The task of a member's process.
#[derive(Clone, Copy, Debug)]
pub struct MemberJob<'a> {
    /// The lab's folder.
    pub folder: &'a Path,
    /// The member's name.
    pub member: &'a str,
    /// The number of threads that it may use.
    pub threads: usize,
    /// The number of generations to train to; `None` means to the end of the run.
    pub generations: Option<u64>,
}

/// Receives the progress of a lab.
pub trait LabWatcher {
    /// The lab begins; `finished` of its `members` are finished already.
    fn begin(&mut self, members: usize, finished: usize);
    /// A member begins or continues, on this number of threads.
    fn start(&mut self, member: &str, threads: usize);
    /// A member has made progress.
    fn member(&mut self, member: &str, line: MemberLine);
    /// The process of a member has ended: finished, interrupted or failed. `progress` is called before.
    fn end(&mut self, member: &str, state: &MemberState);
    /// The share of all work that is done, from 0 to 1, and the estimated seconds that are left, if known.
    fn progress(&mut self, share: f64, seconds_left: Option<f64>);
}

/// The result of running a lab.
#[derive(Clone, Debug, Serialize)]
pub struct LabOutcome {
    /// The lab's name.
    pub lab: String,
    /// The lab's folder.
    pub folder: PathBuf,
    /// The number of its members.
    pub members: usize,
    /// The number of members that are finished.
    pub finished: usize,
    /// The number of members that were finished when it was started.
    pub finished_before: usize,
    /// The names of members that failed, each with the reason.
    pub failed: Vec<(String, String)>,
    /// Whether the lab was interrupted.
    pub interrupted: bool,
}

/// What happens to a member's process.
enum Event {
    Line(MemberLine),
    Over(std::io::Result<ExitStatus>, String),
}

struct Running {
    /// A line written here asks the member to stop after its current generation. If this process dies in any way, the
    /// stream is closed, and the member stops within seconds.
    stdin: Option<ChildStdin>,
    asked: bool,
    threads: usize,
}

impl Running {
    /// Asks the member to stop, if it was not asked before.
    fn ask_to_stop(&mut self) {
        if !std::mem::replace(&mut self.asked, true)
            && self.stdin.as_mut().is_some_and(|stdin| stdin.write_all(b"stop\n").is_err())
        {
            // The process is ending. If not, closing the stream stops it.
            self.stdin = None;
        }
    }
}

/// Trains all members that are not finished. Returns when all are finished, or when `stop` is set and all running
/// members have stopped.
pub fn run_lab(
    folder: &LabFolder,
    options: &WorkOptions,
    watcher: &mut dyn LabWatcher,
    stop: &AtomicBool,
) -> Result<LabOutcome, Error> {
    let _lock = folder.lock()?;
    let wanted = |(configuration, name)| Wanted { configuration, name, until: None };
    run_members(folder, folder.members().into_iter().map(wanted).collect(), options, watcher, stop)
}

/// Trains these members, each to the generation it is wanted for or to its end. The caller holds the folder's lock.
pub(super) fn run_members(
    folder: &LabFolder,
    members: Vec<Wanted>,
    options: &WorkOptions,
    watcher: &mut dyn LabWatcher,
    stop: &AtomicBool,
) -> Result<LabOutcome, Error> {
    let members: Vec<MemberProgress> = members.into_iter().map(|wanted| MemberProgress::look(folder, wanted)).collect();
    let finished_before = members.iter().filter(|member| member.done).count();
    watcher.begin(members.len(), finished_before);
    let time_left = TimeLeft::begin(&members, options.workers);
    let waiting = (0..members.len()).filter(|&place| !members[place].done).collect();
    let running = members.iter().map(|_| None).collect();
    let (sender, events) = channel();
    let begun = Instant::now();
    let lost = vec![0; members.len()];
    let mut crew = Crew { folder, options, members, waiting, running, lost, failed: Vec::new(), sender };
    loop {
        if !stop.load(Ordering::Relaxed) {
            crew.fill(watcher)?;
        }
        if crew.running.iter().all(Option::is_none) {
            break;
        }
        let mut ended = None;
        match events.recv_timeout(Duration::from_millis(100)).ok() {
            Some((place, Event::Line(line))) => {
                crew.members[place].hear(line);
                watcher.member(&crew.members[place].wanted.name, line);
            }
            Some((place, Event::Over(status, said))) => {
                ended = Some((place, crew.over(place, status, &said, stop.load(Ordering::Relaxed))?));
            }
            None => {}
        }
        let (share, left) = time_left.of(&crew.members, begun.elapsed().as_secs_f64());
        watcher.progress(share, left);
        if let Some((place, state)) = ended {
            watcher.end(&crew.members[place].wanted.name, &state);
        }
        // Pass the request to stop on to all processes.
        if stop.load(Ordering::Relaxed) {
            crew.running.iter_mut().flatten().for_each(Running::ask_to_stop);
        }
    }
    let finished = crew.members.iter().filter(|member| member.done).count() - crew.failed.len();
    Ok(LabOutcome {
        lab: folder.name(),
        folder: folder.path().to_path_buf(),
        members: crew.members.len(),
        finished,
        finished_before,
        interrupted: stop.load(Ordering::Relaxed) && finished + crew.failed.len() < crew.members.len(),
        failed: crew.failed,
    })
}

/// How many times a member is restarted if its process is stopped from outside.
const MOST_LOST: u32 = 3;

/// The members that run and those that wait.
struct Crew<'a> {
    folder: &'a LabFolder,
    options: &'a WorkOptions,
    members: Vec<MemberProgress>,
    waiting: VecDeque<usize>,
    running: Vec<Option<Running>>,
    /// By member: how many times its process was stopped from outside.
    lost: Vec<u32>,
    failed: Vec<(String, String)>,
    sender: Sender<(usize, Event)>,
}

impl Crew<'_> {
    /// Starts waiting members on free cores; the last members get several cores each. The islands of a configuration
    /// wait for each other's champions, so all of them are started together.
    fn fill(&mut self, watcher: &mut dyn LabWatcher) -> Result<(), Error> {
        let mut busy: usize = self.running.iter().flatten().map(|member| member.threads).sum();
        while let Some(place) = self.waiting.front().copied()
            && (busy < self.options.workers || self.is_awaited(place))
        {
            self.waiting.pop_front();
            if self.folder.has_islands(self.members[place].wanted.configuration) {
                let (same, others): (Vec<usize>, Vec<usize>) =
                    self.waiting.iter().partition(|other| self.are_of_one(place, **other));
                self.waiting = same.into_iter().chain(others).collect();
            }
            let threads = (self.options.workers.saturating_sub(busy) / (self.waiting.len() + 1)).max(1);
            self.folder.set_failure(&self.members[place].wanted.name, None)?;
            match self.launch(place, threads) {
                Ok(stdin) => {
                    self.running[place] = Some(Running { stdin, asked: false, threads });
                    busy += threads;
                    watcher.start(&self.members[place].wanted.name, threads);
                }
                Err(why) => self.fail(place, &why)?,
            }
        }
        Ok(())
    }

    fn are_of_one(&self, one: usize, other: usize) -> bool {
        self.members[one].wanted.configuration == self.members[other].wanted.configuration
    }

    /// Whether other islands of its configuration are running already and wait for this one.
    fn is_awaited(&self, place: usize) -> bool {
        let lives = |other: usize| self.running[other].is_some() && self.are_of_one(place, other);
        self.folder.has_islands(self.members[place].wanted.configuration) && (0..self.members.len()).any(lives)
    }

    /// Starts a member's process. Its lines and its end are sent as events.
    fn launch(&self, place: usize, threads: usize) -> Result<Option<ChildStdin>, String> {
        let Wanted { name, until, .. } = &self.members[place].wanted;
        let job = MemberJob { folder: self.folder.path(), member: name, threads, generations: *until };
        let mut command = (self.options.member)(&job);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child: Child = command.spawn().map_err(|error| format!("its process could not be started: {error}"))?;
        let stdin = child.stdin.take();
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        let sender = self.sender.clone();
        std::thread::spawn(move || {
            let complaints = std::thread::spawn(move || {
                let mut said = String::new();
                // Output that is not valid text is ignored; the exit status says whether the process succeeded.
                stderr.map(|mut stderr| stderr.read_to_string(&mut said));
                said
            });
            for line in stdout.into_iter().flat_map(|stdout| BufReader::new(stdout).lines()).map_while(Result::ok) {
                if let Ok(line) = serde_json::from_str(&line) {
                    let _ = sender.send((place, Event::Line(line)));
                }
            }
            let status = child.wait();
            let said = complaints.join().unwrap_or_default();
            let _ = sender.send((place, Event::Over(status, said)));
        });
        Ok(stdin)
    }

    /// Handles the end of a member's process; returns the member's new state.
    fn over(
        &mut self,
        place: usize,
        status: std::io::Result<ExitStatus>,
        said: &str,
        stopping: bool,
    ) -> Result<MemberState, Error> {
        let was_asked = stopping || self.running[place].as_ref().is_none_or(|member| member.asked);
        self.running[place] = None;
        let status = match status {
            Ok(status) if status.success() => {
                self.members[place].look_again(self.folder);
                if self.members[place].done {
                    return Ok(MemberState::Finished);
                }
                let file = self.folder.file(&self.members[place].wanted.name);
                // Another process, whose parent was killed, holds the run's lock for a moment.
                if RunLock::is_taken(&file) && self.may_restart(place) {
                    return Ok(MemberState::Interrupted);
                }
                "success, but its run is not finished".to_string()
            }
            Ok(status) if status.code() == Some(130) && was_asked => return Ok(MemberState::Interrupted),
            Ok(status) if status.code() == Some(130) => {
                if self.may_restart(place) {
                    return Ok(MemberState::Interrupted);
                }
                let why = format!("its process was stopped from outside {} times", self.lost[place]);
                self.fail(place, &why)?;
                return Ok(MemberState::Failed(why));
            }
            Ok(status) => status.to_string(),
            Err(error) => error.to_string(),
        };
        // Errors of the program are one sentence. A panic prints more, of which the first line is the most useful.
        let sentence = said.lines().find_map(|line| line.strip_prefix("gamete: ")).map(str::to_string);
        let first =
            || said.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("it gave no reason").to_string();
        let why = sentence.unwrap_or_else(|| format!("its process ended with {status}; {}", first()));
        self.fail(place, &why)?;
        Ok(MemberState::Failed(why))
    }

    /// Lets a member wait for another start, unless it was restarted too often. Returns whether it waits.
    fn may_restart(&mut self, place: usize) -> bool {
        self.lost[place] += 1;
        let may = self.lost[place] <= MOST_LOST;
        if may {
            self.waiting.push_front(place);
        }
        may
    }

    /// Saves that a member failed. The other islands of its configuration would wait for it for ever, so they are asked
    /// to stop, or not started.
    fn fail(&mut self, place: usize, why: &str) -> Result<(), Error> {
        self.members[place].done = true;
        let Wanted { name, configuration, .. } = self.members[place].wanted.clone();
        self.folder.set_failure(&name, Some(why))?;
        self.failed.push((name, why.to_string()));
        if self.folder.has_islands(configuration) {
            self.waiting.retain(|other| self.members[*other].wanted.configuration != configuration);
            for (other, member) in self.running.iter_mut().enumerate() {
                if let Some(member) =
                    member.as_mut().filter(|_| self.members[other].wanted.configuration == configuration)
                {
                    member.ask_to_stop();
                }
            }
        }
        Ok(())
    }
}
