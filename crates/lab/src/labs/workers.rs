//! Running a lab: so many members at a time, each in a process of its own, until all are done.

use super::comparison::MemberState;
use super::folder::LabFolder;
use super::member::MemberLine;
use super::time_left::{MemberProgress, TimeLeft, Wanted};
use crate::Error;
use serde::Serialize;
use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::time::{Duration, Instant};

/// How to run a lab.
pub struct WorkOptions {
    /// Makes the command that trains one member in a process of its own, by [`train_member`](super::train_member). The
    /// process writes [`MemberLine`]s as JSON to standard output, stops when it reads a line, and ends with 0 when the
    /// member is done, or with 130 when it was interrupted. Otherwise it writes why to standard error, after `gamete: `.
    pub member: Box<dyn Fn(&MemberJob) -> Command>,
    /// How many processor cores are used.
    pub workers: usize,
}

/// What a member's process is to do.
#[derive(Clone, Copy, Debug)]
pub struct MemberJob<'a> {
    /// The lab's folder.
    pub folder: &'a Path,
    /// The member's name.
    pub member: &'a str,
    /// How many threads it may use.
    pub threads: usize,
    /// Up to how many generations; to its end where that is `None`.
    pub generations: Option<u64>,
}

/// Watches a lab.
pub trait LabWatcher {
    /// It begins: so many members, of which so many are done already.
    fn begin(&mut self, members: usize, finished: usize);
    /// A member begins or goes on, on so many threads.
    fn start(&mut self, member: &str, threads: usize);
    /// How far a member is.
    fn member(&mut self, member: &str, line: MemberLine);
    /// A member is over: done, interrupted or failed. How far all are with it has been told before.
    fn end(&mut self, member: &str, state: &MemberState);
    /// The share of all work that is done, from 0 to 1, and how many seconds are left, as far as can be told.
    fn progress(&mut self, share: f64, seconds_left: Option<f64>);
}

/// What came of a lab.
#[derive(Clone, Debug, Serialize)]
pub struct LabOutcome {
    /// The lab's name.
    pub lab: String,
    /// Its folder.
    pub folder: PathBuf,
    /// How many members it has.
    pub members: usize,
    /// How many are done.
    pub finished: usize,
    /// How many were done when it was started.
    pub finished_before: usize,
    /// Those that failed, and why.
    pub failed: Vec<(String, String)>,
    /// Whether it was interrupted.
    pub interrupted: bool,
}

/// What a member's process does.
enum Event {
    Line(MemberLine),
    Over(std::io::Result<ExitStatus>, String),
}

struct Running {
    /// A line asks it to stop when its generation is done. When this process dies, however that happens, its end asks it to
    /// stop within seconds.
    stdin: Option<ChildStdin>,
    asked: bool,
    threads: usize,
}

impl Running {
    /// Asks it to stop, once.
    fn ask_to_stop(&mut self) {
        if !std::mem::replace(&mut self.asked, true)
            && self.stdin.as_mut().is_some_and(|stdin| stdin.write_all(b"stop\n").is_err())
        {
            // It is about to end; or else it stops now.
            self.stdin = None;
        }
    }
}

/// Runs all members that are not done, and returns when they are, or when `stop` is set and the running ones have stopped.
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

/// Runs these members, each up to so many generations or to its end. The caller holds the folder's lock.
pub(super) fn run_members(
    folder: &LabFolder,
    members: Vec<Wanted>,
    options: &WorkOptions,
    watcher: &mut dyn LabWatcher,
    stop: &AtomicBool,
) -> Result<LabOutcome, Error> {
    let works: Vec<MemberProgress> = members.into_iter().map(|wanted| MemberProgress::look(folder, wanted)).collect();
    let finished_before = works.iter().filter(|work| work.done).count();
    watcher.begin(works.len(), finished_before);
    let time_left = TimeLeft::begin(&works, options.workers);
    let waiting = (0..works.len()).filter(|&place| !works[place].done).collect();
    let running = works.iter().map(|_| None).collect();
    let (sender, events) = channel();
    let begun = Instant::now();
    let lost = vec![0; works.len()];
    let mut crew = Crew { folder, options, works, waiting, running, lost, failed: Vec::new(), sender };
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
                crew.works[place].hear(line);
                watcher.member(&crew.works[place].wanted.name, line);
            }
            Some((place, Event::Over(status, said))) => {
                ended = Some((place, crew.over(place, status, &said, stop.load(Ordering::Relaxed))?));
            }
            None => {}
        }
        let (share, left) = time_left.of(&crew.works, begun.elapsed().as_secs_f64());
        watcher.progress(share, left);
        if let Some((place, state)) = ended {
            watcher.end(&crew.works[place].wanted.name, &state);
        }
        // Who is asked to stop asks the others.
        if stop.load(Ordering::Relaxed) {
            crew.running.iter_mut().flatten().for_each(Running::ask_to_stop);
        }
    }
    let finished = crew.works.iter().filter(|work| work.done).count() - crew.failed.len();
    Ok(LabOutcome {
        lab: folder.name(),
        folder: folder.path().to_path_buf(),
        members: crew.works.len(),
        finished,
        finished_before,
        interrupted: stop.load(Ordering::Relaxed) && finished + crew.failed.len() < crew.works.len(),
        failed: crew.failed,
    })
}

/// A member that somebody else stops goes on so many times.
const MOST_LOST: u32 = 3;

/// Members at work, and those that wait.
struct Crew<'a> {
    folder: &'a LabFolder,
    options: &'a WorkOptions,
    works: Vec<MemberProgress>,
    waiting: VecDeque<usize>,
    running: Vec<Option<Running>>,
    /// How often a member was stopped by somebody else.
    lost: Vec<u32>,
    failed: Vec<(String, String)>,
    sender: Sender<(usize, Event)>,
}

impl Crew<'_> {
    /// Free cores get members; the last ones share what is left. Islands wait for each other, so that all of them live at
    /// once.
    fn fill(&mut self, watcher: &mut dyn LabWatcher) -> Result<(), Error> {
        let mut busy: usize = self.running.iter().flatten().map(|member| member.threads).sum();
        while let Some(place) = self.waiting.front().copied()
            && (busy < self.options.workers || self.is_awaited(place))
        {
            self.waiting.pop_front();
            if self.folder.has_islands(self.works[place].wanted.configuration) {
                let (same, others): (Vec<usize>, Vec<usize>) =
                    self.waiting.iter().partition(|other| self.are_of_one(place, **other));
                self.waiting = same.into_iter().chain(others).collect();
            }
            let threads = (self.options.workers.saturating_sub(busy) / (self.waiting.len() + 1)).max(1);
            self.folder.set_failure(&self.works[place].wanted.name, None)?;
            match self.launch(place, threads) {
                Ok(stdin) => {
                    self.running[place] = Some(Running { stdin, asked: false, threads });
                    busy += threads;
                    watcher.start(&self.works[place].wanted.name, threads);
                }
                Err(why) => self.fail(place, &why)?,
            }
        }
        Ok(())
    }

    fn are_of_one(&self, one: usize, other: usize) -> bool {
        self.works[one].wanted.configuration == self.works[other].wanted.configuration
    }

    /// Whether others of its islands live already, and wait for it.
    fn is_awaited(&self, place: usize) -> bool {
        let lives = |other: usize| self.running[other].is_some() && self.are_of_one(place, other);
        self.folder.has_islands(self.works[place].wanted.configuration) && (0..self.works.len()).any(lives)
    }

    /// Starts a member's process. Its lines and its end arrive as events.
    fn launch(&self, place: usize, threads: usize) -> Result<Option<ChildStdin>, String> {
        let Wanted { name, until, .. } = &self.works[place].wanted;
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
                // What is not text says nothing; whether it ended well is told by its status.
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

    /// A member's process is over; how the member stands.
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
                self.works[place].look_again(self.folder);
                if self.works[place].done {
                    return Ok(MemberState::Finished);
                }
                "success, but its run is not at its end".to_string()
            }
            Ok(status) if status.code() == Some(130) && was_asked => return Ok(MemberState::Interrupted),
            Ok(status) if status.code() == Some(130) => {
                self.lost[place] += 1;
                if self.lost[place] <= MOST_LOST {
                    self.waiting.push_front(place);
                    return Ok(MemberState::Interrupted);
                }
                let why = format!("somebody else stopped its process {} times", self.lost[place]);
                self.fail(place, &why)?;
                return Ok(MemberState::Failed(why));
            }
            Ok(status) => status.to_string(),
            Err(error) => error.to_string(),
        };
        // The program's own complaints are one sentence; a panic says more, of which the first line tells most.
        let sentence = said.lines().find_map(|line| line.strip_prefix("gamete: ")).map(str::to_string);
        let first =
            || said.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("it said nothing").to_string();
        let why = sentence.unwrap_or_else(|| format!("its process ended with {status}; {}", first()));
        self.fail(place, &why)?;
        Ok(MemberState::Failed(why))
    }

    /// Notes that a member failed. Islands that wait for it would wait for ever: they are asked to stop, or not begun.
    fn fail(&mut self, place: usize, why: &str) -> Result<(), Error> {
        self.works[place].done = true;
        let Wanted { name, configuration, .. } = self.works[place].wanted.clone();
        self.folder.set_failure(&name, Some(why))?;
        self.failed.push((name, why.to_string()));
        if self.folder.has_islands(configuration) {
            self.waiting.retain(|other| self.works[*other].wanted.configuration != configuration);
            for (other, member) in self.running.iter_mut().enumerate() {
                if let Some(member) =
                    member.as_mut().filter(|_| self.works[other].wanted.configuration == configuration)
                {
                    member.ask_to_stop();
                }
            }
        }
        Ok(())
    }
}
