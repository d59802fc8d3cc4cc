//! Reads the runs' files regularly and sends changes to the pages that watch them. A file is read once for all pages.

use crate::cards::{GrowingCurves, Pace, RunCard, RunDetail, card, detail, species};
use crate::jobs::{JobStatus, Jobs};
use crate::refusal::in_words;
use runs::{RunFile, StreamOfSpecies};
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};
use tokio::sync::broadcast;

/// The shortest pause between two readings of the files.
const EVERY: Duration = Duration::from_millis(250);
/// The longest pause between two readings.
const SELDOM: Duration = Duration::from_secs(2);
/// The shortest pause between two readings of species, which take longer to read.
const SPECIES_EVERY: Duration = Duration::from_secs(1);
/// The number of events that a slow page may lag behind; beyond it the page gets a new snapshot.
const MOST_BEHIND: usize = 64;

/// Says that a run was removed or cannot be read. It may come back.
#[derive(Serialize)]
#[cfg_attr(test, derive(serde::Deserialize, ts_rs::TS))]
pub struct RunGone {
    /// The run's name.
    pub name: String,
    /// Why the run cannot be shown; only sent to pages that watch this one run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// A server-sent event: its name and its data as JSON.
#[derive(Clone, Debug)]
pub struct Event {
    pub name: &'static str,
    pub data: Arc<str>,
}

impl Event {
    fn new(name: &'static str, data: &impl Serialize) -> Event {
        // Serialising numbers, texts and lists of them cannot fail.
        Event { name, data: serde_json::to_string(data).unwrap_or_default().into() }
    }
}

/// What a page can watch.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Topic {
    /// All runs.
    Runs,
    /// One run.
    Run(String),
}

/// All topics that pages watch.
pub struct Watch {
    jobs: Arc<Jobs>,
    /// Each topic has its own lock, so that a file that takes long to read does not delay the others.
    topics: Mutex<HashMap<Topic, Arc<Mutex<Watched>>>>,
}

struct Watched {
    sender: broadcast::Sender<Event>,
    state: State,
    /// Whether the files have been read once.
    looked: bool,
}

enum State {
    Runs(FolderState),
    Run(Box<RunTopic>),
}

impl Watch {
    /// Starts a thread that reads the files of all watched topics regularly.
    pub fn begin(jobs: Arc<Jobs>) -> Arc<Watch> {
        let watch = Arc::new(Watch { jobs, topics: Mutex::default() });
        let weak = Arc::downgrade(&watch);
        let look = move || {
            while let Some(watch) = weak.upgrade() {
                let begun = Instant::now();
                // After a panic the next reading may succeed.
                if catch_unwind(AssertUnwindSafe(|| watch.look())).is_err() {
                    eprintln!("gamete: pages may be out of date for a moment because of a bug in Gamete");
                }
                drop(watch);
                // Use at most a tenth of the time, but never pause for longer than `SELDOM`.
                std::thread::sleep((begun.elapsed() * 9).clamp(EVERY, SELDOM));
            }
        };
        if let Err(error) = std::thread::Builder::new().name("watch".to_string()).spawn(look) {
            eprintln!("gamete: pages cannot be kept up to date: {error}");
        }
        watch
    }

    /// Returns a snapshot of the topic, and a receiver for all later events.
    pub fn subscribe(&self, topic: &Topic) -> (Vec<Event>, broadcast::Receiver<Event>) {
        let watched = Arc::clone(lock(&self.topics).entry(topic.clone()).or_insert_with(|| {
            let state = match topic {
                Topic::Runs => State::Runs(FolderState::default()),
                Topic::Run(name) => State::Run(Box::new(RunTopic::new(name))),
            };
            Arc::new(Mutex::new(Watched { sender: broadcast::channel(MOST_BEHIND).0, state, looked: false }))
        }));
        let mut watched = lock(&watched);
        if !watched.looked {
            watched.look(&self.jobs);
        }
        (watched.state.snapshot(), watched.sender.subscribe())
    }

    /// Reads the files of all watched topics and sends the changes.
    fn look(&self) {
        let topics: Vec<Arc<Mutex<Watched>>> = {
            let mut topics = lock(&self.topics);
            // A page that is subscribing at this moment holds a second reference.
            topics.retain(|_, watched| Arc::strong_count(watched) > 1 || lock(watched).sender.receiver_count() > 0);
            topics.values().cloned().collect()
        };
        for watched in topics {
            // A panic in one topic does not disturb the others.
            let look = AssertUnwindSafe(|| lock(&watched).look(&self.jobs));
            if catch_unwind(look).is_err() {
                lock(&watched).state.forget();
            }
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Watched {
    fn look(&mut self, jobs: &Jobs) {
        self.looked = true;
        for event in self.state.look(jobs) {
            // Sending fails if no page listens any more.
            let _ = self.sender.send(event);
        }
    }
}

impl State {
    /// Forgets what was read, so that everything is read again.
    fn forget(&mut self) {
        match self {
            State::Runs(folder) => *folder = FolderState::default(),
            State::Run(run) => **run = RunTopic::new(&run.name),
        }
    }

    fn look(&mut self, jobs: &Jobs) -> Vec<Event> {
        match self {
            State::Runs(folder) => folder.look(jobs),
            State::Run(run) => run.look(jobs),
        }
    }

    fn snapshot(&self) -> Vec<Event> {
        match self {
            State::Runs(folder) => {
                vec![Event::new("runs", &folder.runs.values().map(|seen| &seen.card).collect::<Vec<_>>())]
            }
            State::Run(run) => run.snapshot(),
        }
    }
}

/// Shows whether a file has changed: the time of the last write and the size, of the file and of its log.
#[derive(Clone, Debug, Default, PartialEq)]
struct Written([Option<(SystemTime, u64)>; 2]);

impl Written {
    fn of(file: &Path) -> Written {
        let look = |file: &Path| {
            std::fs::metadata(file).ok().map(|found| (found.modified().unwrap_or(SystemTime::UNIX_EPOCH), found.len()))
        };
        Written([look(file), look(&runs::beside(file, "-wal"))])
    }
}

/// The folder of runs as it was last read.
#[derive(Default)]
struct FolderState {
    runs: BTreeMap<String, Seen>,
}

#[derive(Default)]
struct Seen {
    written: Written,
    training: bool,
    status: JobStatus,
    pace: Pace,
    card: RunCard,
}

impl FolderState {
    /// Reads again and returns events for all changes.
    fn look(&mut self, jobs: &Jobs) -> Vec<Event> {
        let mut events = Vec::new();
        // If the folder cannot be read for a moment, do not report its runs as removed.
        let Ok(files) = files(jobs.runs()) else { return events };
        let names: Vec<String> = self.runs.keys().filter(|name| !files.contains_key(*name)).cloned().collect();
        for name in names {
            self.runs.remove(&name);
            events.push(Event::new("gone", &RunGone { name, error: None }));
        }
        for (name, file) in files {
            let seen = self.runs.entry(name.clone()).or_default();
            let (written, status) = (Written::of(&file), jobs.status(&name));
            // Whether a process trains the run can change without a change of the file.
            let training = runs::is_trained(&file);
            if written == seen.written && status == seen.status && training == seen.training {
                continue;
            }
            let card = card(&file, &name, &status, &mut seen.pace);
            // A file that could not be read is read again, even if it has not changed.
            let written = if card.error.is_none() { written } else { Written::default() };
            (seen.written, seen.status, seen.training) = (written, status, training);
            if card != seen.card {
                events.push(Event::new("run", &card));
                seen.card = card;
            }
        }
        events
    }
}

/// The files of runs by name.
fn files(folder: &Path) -> Result<BTreeMap<String, PathBuf>, lab::Error> {
    let name = |file: &Path| Some(file.file_stem()?.to_str()?.to_string());
    Ok(runs::run_files(folder)?.into_iter().filter_map(|file| Some((name(&file)?, file))).collect())
}

/// One run as it was last read.
struct RunTopic {
    name: String,
    written: Written,
    training: bool,
    status: JobStatus,
    pace: Pace,
    detail: Option<RunDetail>,
    curves: GrowingCurves,
    species: Option<StreamOfSpecies>,
    species_seen: Option<(Instant, u64)>,
    gone: Option<String>,
}

impl RunTopic {
    fn new(name: &str) -> RunTopic {
        RunTopic {
            name: name.to_string(),
            written: Written::default(),
            training: false,
            status: JobStatus::default(),
            pace: Pace::default(),
            detail: None,
            curves: GrowingCurves::default(),
            species: None,
            species_seen: None,
            gone: None,
        }
    }

    /// Reads again and returns events for all changes.
    fn look(&mut self, jobs: &Jobs) -> Vec<Event> {
        match self.read(jobs) {
            Ok(events) => {
                self.gone = None;
                events
            }
            Err(error) => {
                let why = in_words(&error);
                if self.gone.as_ref() == Some(&why) {
                    return Vec::new();
                }
                *self = RunTopic { gone: Some(why), ..RunTopic::new(&self.name) };
                vec![self.gone_event()]
            }
        }
    }

    fn read(&mut self, jobs: &Jobs) -> Result<Vec<Event>, lab::Error> {
        let file = runs::named_run(jobs.runs(), &self.name)?;
        let (written, status, training) = (Written::of(&file), jobs.status(&self.name), runs::is_trained(&file));
        let same = written == self.written && status == self.status && training == self.training;
        // Species may be due although nothing else has changed.
        if same && self.detail.is_some() && !self.species_due() {
            return Ok(Vec::new());
        }
        let run = RunFile::glance(&file)?;
        let mut events = Vec::new();
        let mut detail = detail(&run, &status, &mut self.pace)?;
        // The run was replaced by another one of the same name.
        if self.detail.as_ref().is_some_and(|before| !before.is_same_run(&detail)) {
            *self = RunTopic::new(&self.name);
        }
        let generation = detail.card.generation;
        // Only new generations are searched: a run may have a million of them.
        detail.first_solved = match &self.detail {
            Some(RunDetail { first_solved: Some(first), .. }) => Some(*first),
            Some(before) => run.first_solved_from(before.card.generation + 1)?,
            None => run.first_solved()?,
        };
        if self.detail.as_ref() != Some(&detail) {
            events.push(Event::new("detail", &detail));
            self.detail = Some(detail);
        }
        if let Some(part) = self.curves.look(&run, generation)? {
            events.push(Event::new("curves", &part));
        }
        if self.species_due() {
            let found = species(&run)?;
            self.species_seen = Some((Instant::now(), generation));
            if found != self.species {
                events.extend(found.iter().map(|found| Event::new("species", found)));
                self.species = found;
            }
        }
        (self.written, self.status, self.training) = (written, status, training);
        Ok(events)
    }

    /// Whether species should be read again: there are new generations, and the pause is over.
    fn species_due(&self) -> bool {
        let generation = self.detail.as_ref().map_or(0, |detail| detail.card.generation);
        self.species_seen.is_none_or(|(when, seen)| seen != generation && when.elapsed() >= SPECIES_EVERY)
    }

    fn gone_event(&self) -> Event {
        Event::new("gone", &RunGone { name: self.name.clone(), error: self.gone.clone() })
    }

    fn snapshot(&self) -> Vec<Event> {
        if self.gone.is_some() {
            return vec![self.gone_event()];
        }
        let detail = self.detail.iter().map(|detail| Event::new("detail", detail));
        let curves = self.curves.whole().map(|curves| Event::new("curves", curves));
        let species = self.species.iter().map(|species| Event::new("species", species));
        detail.chain(curves).chain(species).collect()
    }
}
