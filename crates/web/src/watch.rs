//! Looks at run files, whoever writes them, and tells all pages that watch: each file is looked at once, however many do.

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

/// How often files are looked at.
const EVERY: Duration = Duration::from_millis(250);
/// How often at least, however long looking takes.
const SELDOM: Duration = Duration::from_secs(2);
/// Species take longer to read, and change no faster.
const SPECIES_EVERY: Duration = Duration::from_secs(1);
/// How many events a slow page may lag behind before it begins anew.
const MOST_BEHIND: usize = 64;

/// That a run is gone, or cannot be read; it may come back.
#[derive(Serialize)]
#[cfg_attr(test, derive(serde::Deserialize, ts_rs::TS))]
pub struct RunGone {
    /// The run's name.
    pub name: String,
    /// Why the run cannot be shown; only pages that watch this run alone hear it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// A named event with its data.
#[derive(Clone, Debug)]
pub struct Event {
    pub name: &'static str,
    pub data: Arc<str>,
}

impl Event {
    fn new(name: &'static str, data: &impl Serialize) -> Event {
        // Numbers, texts and lists of them can always be written.
        Event { name, data: serde_json::to_string(data).unwrap_or_default().into() }
    }
}

/// What a page watches.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Topic {
    /// All runs.
    Runs,
    /// One run.
    Run(String),
}

/// Everything that is watched.
pub struct Watch {
    jobs: Arc<Jobs>,
    /// Each with a lock of its own, so that one that takes long to read keeps nobody else waiting.
    topics: Mutex<HashMap<Topic, Arc<Mutex<Watched>>>>,
}

struct Watched {
    sender: broadcast::Sender<Event>,
    state: State,
    /// Whether anything is known yet.
    looked: bool,
}

enum State {
    Runs(FolderState),
    Run(Box<RunTopic>),
}

impl Watch {
    /// Begins to watch: a thread looks at whatever somebody watches.
    pub fn begin(jobs: Arc<Jobs>) -> Arc<Watch> {
        let watch = Arc::new(Watch { jobs, topics: Mutex::default() });
        let weak = Arc::downgrade(&watch);
        let look = move || {
            while let Some(watch) = weak.upgrade() {
                let begun = Instant::now();
                // Whatever fails here, the next look may not.
                if catch_unwind(AssertUnwindSafe(|| watch.look())).is_err() {
                    eprintln!("gamete: pages may be out of date for a moment, by a fault in Gamete");
                }
                drop(watch);
                // Seldom busier than a tenth of the time, and never asleep for long.
                std::thread::sleep((begun.elapsed() * 9).clamp(EVERY, SELDOM));
            }
        };
        if let Err(error) = std::thread::Builder::new().name("watch".to_string()).spawn(look) {
            eprintln!("gamete: pages cannot be kept up to date: {error}");
        }
        watch
    }

    /// Everything as it stands, and whatever happens from then on.
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

    /// Looks at everything that is watched, and tells.
    fn look(&self) {
        let topics: Vec<Arc<Mutex<Watched>>> = {
            let mut topics = lock(&self.topics);
            // Whoever is about to subscribe holds it as well.
            topics.retain(|_, watched| Arc::strong_count(watched) > 1 || lock(watched).sender.receiver_count() > 0);
            topics.values().cloned().collect()
        };
        for watched in topics {
            // A fault of ours in one topic leaves the others live.
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
            // Whoever listened a moment ago may be gone.
            let _ = self.sender.send(event);
        }
    }
}

impl State {
    /// Begins anew.
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

/// By which a file is known to have changed: when it and its log were last written.
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

/// The folder of runs, as it was seen last.
#[derive(Default)]
struct FolderState {
    runs: BTreeMap<String, Seen>,
}

#[derive(Default)]
struct Seen {
    written: Written,
    training: bool,
    standing: JobStatus,
    pace: Pace,
    card: RunCard,
}

impl FolderState {
    /// What has changed.
    fn look(&mut self, jobs: &Jobs) -> Vec<Event> {
        let mut events = Vec::new();
        // A folder that cannot be read for a moment is not an empty one.
        let Ok(files) = files(jobs.runs()) else { return events };
        let names: Vec<String> = self.runs.keys().filter(|name| !files.contains_key(*name)).cloned().collect();
        for name in names {
            self.runs.remove(&name);
            events.push(Event::new("gone", &RunGone { name, error: None }));
        }
        for (name, file) in files {
            let seen = self.runs.entry(name.clone()).or_default();
            let (written, standing) = (Written::of(&file), jobs.standing(&name));
            // Whether somebody trains it can change without a word in the file.
            let training = runs::is_trained(&file);
            if written == seen.written && standing == seen.standing && training == seen.training {
                continue;
            }
            let card = card(&file, &name, &standing, &mut seen.pace);
            // What could not be read is looked at again, also if nothing is written.
            let written = if card.error.is_none() { written } else { Written::default() };
            (seen.written, seen.standing, seen.training) = (written, standing, training);
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

/// One run, as it was seen last.
struct RunTopic {
    name: String,
    written: Written,
    training: bool,
    standing: JobStatus,
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
            standing: JobStatus::default(),
            pace: Pace::default(),
            detail: None,
            curves: GrowingCurves::default(),
            species: None,
            species_seen: None,
            gone: None,
        }
    }

    /// What has changed.
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
        let (written, standing, training) = (Written::of(&file), jobs.standing(&self.name), runs::is_trained(&file));
        let same = written == self.written && standing == self.standing && training == self.training;
        // Species that were put off are still due.
        if same && self.detail.is_some() && !self.species_due() {
            return Ok(Vec::new());
        }
        let run = RunFile::glance(&file)?;
        let mut events = Vec::new();
        let mut detail = detail(&run, &standing, &mut self.pace)?;
        // Another run of the same name has nothing to do with what was there before.
        if self.detail.as_ref().is_some_and(|before| !before.is_same_run(&detail)) {
            *self = RunTopic::new(&self.name);
        }
        let generation = detail.card.generation;
        // Generations that were looked at before are not looked at again: there may be a million.
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
        (self.written, self.standing, self.training) = (written, standing, training);
        Ok(events)
    }

    /// Whether species should be looked at again: there are new generations, and the last look was a while ago.
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
