//! A lab's folder. It holds the description of the lab (`lab.json`), the run's file of each member, and texts that say
//! why members failed.

use super::comparison::{Compared, Comparison, Group, Member, MemberState};
use super::file::{Islands, Lab, LabKind, MOST_MEMBERS, member_name, without_ending};
use super::settings::differences;
use crate::Error;
use runs::{LAB_NOTE, RunFile, RunLock, Stopped, holds_lab, read_text, write_whole};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use toml::{Table, Value};
use trainer::{ExperimentFile, checked_name, override_key};

/// A lab's folder and the lab as `lab.json` describes it. Training and reporting need nothing else.
#[derive(Clone, Debug)]
pub struct LabFolder {
    path: PathBuf,
    noted: Noted,
}

/// The content of `lab.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Noted {
    lab: String,
    #[serde(default)]
    kind: LabKind,
    about: String,
    measures: Vec<String>,
    last: u64,
    configurations: Vec<NotedConfiguration>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct NotedConfiguration {
    name: String,
    group: String,
    is_baseline: bool,
    experiment: String,
    /// All parameters, in the form in which runs save them; the seed is 0.
    parameters: String,
    seeds: Vec<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    islands: Option<Islands>,
}

impl NotedConfiguration {
    /// The island from which champions come to the island of this seed: the one before it in the ring.
    fn neighbour(&self, seed: u64) -> String {
        let place = self.seeds.iter().position(|each| *each == seed).unwrap_or(0);
        member_name(&self.name, self.seeds[(place + self.seeds.len() - 1) % self.seeds.len()])
    }
}

/// The folder of texts that say why members failed.
const FAILED: &str = "failed";

/// Which configurations of the lab in an existing folder a new lab must also have to continue in this folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Keeps {
    All,
    Some,
}

impl LabFolder {
    /// Checks whether the lab can use this folder, without writing. A folder that holds another lab is refused. A
    /// folder that holds a part of this lab is continued.
    pub fn plan(lab: &Lab, path: &Path) -> Result<LabFolder, Error> {
        LabFolder::planned(lab, path, Keeps::All, "out")
    }

    /// Like [`LabFolder::plan`], for a lab that finds its configurations one after the other: the folder may hold more
    /// configurations than are known now.
    pub(crate) fn plan_growing(lab: &Lab, path: &Path) -> Result<LabFolder, Error> {
        LabFolder::planned(lab, path, Keeps::Some, "name")
    }

    fn planned(lab: &Lab, path: &Path, keeps: Keeps, parameter: &'static str) -> Result<LabFolder, Error> {
        let folder = LabFolder { path: path.to_path_buf(), noted: Noted::of(lab)? };
        let at = || path.display();
        match read_note(path)? {
            Some(old) => {
                folder.noted.continues(&old, keeps).and_then(|()| folder.keeps_runs(&old, keeps)).map_err(|what| {
                    let what = format!("the folder {} belongs to another lab: {what}; choose another", at());
                    Error::parameter(parameter, what)
                })?
            }
            None if path.is_file() => {
                return Err(Error::refused(format!("{} is a file, but a folder belongs here", at())));
            }
            None => folder.checked_without_note().map_err(|what| {
                let what =
                    format!("the folder {} is not empty, and it is not a lab's folder: {what}; choose another", at());
                Error::parameter(parameter, what)
            })?,
        }
        Ok(folder)
    }

    /// Checks that this lab has all members that the older lab has trained in the folder.
    fn keeps_runs(&self, old: &Noted, keeps: Keeps) -> Result<(), String> {
        let now: BTreeSet<String> = self.members().into_iter().map(|(_, member)| member).collect();
        let before =
            old.configurations.iter().flat_map(|each| each.seeds.iter().map(|seed| member_name(&each.name, *seed)));
        match before.filter(|_| keeps == Keeps::All).find(|member| !now.contains(member) && self.file(member).exists())
        {
            Some(member) => Err(format!("it holds the run `{member}`, which this lab does not have")),
            None => Ok(()),
        }
    }

    /// Checks whether a folder without `lab.json` can be used for this lab: creating it may have been interrupted, or
    /// the file was lost. All runs in it must belong to this lab.
    fn checked_without_note(&self) -> Result<(), String> {
        let entries = std::fs::read_dir(&self.path).into_iter().flatten().filter_map(|entry| entry.ok());
        let names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        let members: BTreeMap<String, String> =
            self.members().into_iter().map(|(_, member)| (format!("{member}.db"), member)).collect();
        let is_other = |name: &&String| !name.starts_with('.') && ![FAILED, "report"].contains(&name.as_str());
        for name in names.iter().filter(is_other) {
            let file = name.strip_suffix("-wal").or(name.strip_suffix("-shm")).unwrap_or(name);
            let Some(member) = members.get(file) else { return Err(format!("it holds {name}")) };
            // A file that is not a run is reported when the member is trained.
            let Ok(run) = RunFile::open(&self.path.join(file)) else { continue };
            if let Ok(Some(what)) = self.foreign(member, &run) {
                return Err(format!("{name} is another run: {what}"));
            }
        }
        Ok(())
    }

    /// Checks and creates the lab's folder.
    pub fn create(lab: &Lab, path: &Path) -> Result<LabFolder, Error> {
        LabFolder::plan(lab, path)?.made()
    }

    /// Creates the folder if there is none, and writes `lab.json`.
    pub(crate) fn made(self) -> Result<LabFolder, Error> {
        let (folder, path) = (&self, &self.path);
        std::fs::create_dir_all(path).map_err(|source| Error::file("cannot make the folder", path, source))?;
        // A process that runs the lab in this folder holds the lock.
        let lock = folder.lock()?;
        let text = serde_json::to_string_pretty(&folder.noted).expect("a note can be written");
        write_whole(&path.join(LAB_NOTE), text.as_bytes())?;
        drop(lock);
        Ok(self)
    }

    /// Opens a folder that holds a lab.
    pub fn open(path: &Path) -> Result<LabFolder, Error> {
        match read_note(path)? {
            Some(noted) => Ok(LabFolder { path: path.to_path_buf(), noted }),
            None => Err(Error::NoLab { folder: path.to_path_buf() }),
        }
    }

    /// A lab by the path of its folder, or by its name in the folder of runs.
    pub fn find(runs: &Path, lab: &str) -> Result<LabFolder, Error> {
        let by_path = Path::new(lab);
        if holds_lab(by_path) {
            return LabFolder::open(by_path);
        }
        let name = by_path.file_name().map_or(lab.to_string(), |name| name.to_string_lossy().into_owned());
        let in_runs = runs.join(without_ending(&name));
        if holds_lab(&in_runs) {
            return LabFolder::open(&in_runs);
        }
        let known: Vec<String> = lab_folders(runs).iter().map(|folder| folder.name()).collect();
        if known.is_empty() || by_path.is_dir() {
            return LabFolder::open(if by_path.is_dir() { by_path } else { &in_runs });
        }
        Err(Error::unknown("lab", lab, &known.iter().map(String::as_str).collect::<Vec<_>>()))
    }

    /// The folder's path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The lab's name.
    pub fn name(&self) -> String {
        self.noted.lab.clone()
    }

    /// The question that the lab answers.
    pub fn about(&self) -> String {
        self.noted.about.clone()
    }

    /// All configurations and seeds as text. Equal texts are equal labs.
    pub fn description(&self) -> String {
        serde_json::to_string(&self.noted).expect("a note can be written")
    }

    /// The number of its members.
    pub fn size(&self) -> usize {
        self.noted.configurations.iter().map(|configuration| configuration.seeds.len()).sum()
    }

    /// Which command made the lab.
    pub fn kind(&self) -> LabKind {
        self.noted.kind
    }

    /// Locks the lab, so that no other process runs it.
    pub(crate) fn lock(&self) -> Result<RunLock, Error> {
        RunLock::take(&self.path.join("lab.db")).map_err(|error| match error {
            Error::Busy { .. } => Error::refused(format!(
                "the lab `{}` is being run by another process; wait for it, or stop it first",
                self.name()
            )),
            other => other,
        })
    }

    /// The names of all members, each with the number of its configuration. They are ordered by seed, so that every
    /// configuration soon has a first run.
    pub(crate) fn members(&self) -> Vec<(usize, String)> {
        let configurations = &self.noted.configurations;
        let most = configurations.iter().map(|configuration| configuration.seeds.len()).max().unwrap_or(0);
        let nth = |n: usize| {
            let named = move |(number, configuration): (usize, &NotedConfiguration)| {
                Some((number, member_name(&configuration.name, *configuration.seeds.get(n)?)))
            };
            configurations.iter().enumerate().filter_map(named)
        };
        (0..most).flat_map(nth).collect()
    }

    /// Whether the members of a configuration are islands, which must run and stop together.
    pub(crate) fn has_islands(&self, configuration: usize) -> bool {
        self.noted.configurations[configuration].islands.is_some()
    }

    /// The experiment of a member, with its seed.
    pub(crate) fn experiment(&self, member: &str) -> Result<ExperimentFile, Error> {
        let Some((configuration, seed)) = self.of_member(member) else {
            let known = self.members();
            let known: Vec<&str> = known.iter().map(|(_, name)| name.as_str()).collect();
            return Err(Error::unknown("member", member, &known));
        };
        let place = self.path.join(LAB_NOTE).display().to_string();
        let experiment = ExperimentFile::parse(&configuration.experiment, &place, &configuration.parameters)?;
        let experiment = experiment.with_values(&[("seed", Value::Integer(seed as i64))])?;
        match configuration.islands {
            Some(islands) => islands.joined(&experiment, configuration.neighbour(seed)),
            None => Ok(experiment),
        }
    }

    /// The file of a member's run, which need not exist.
    pub fn file(&self, member: &str) -> PathBuf {
        self.path.join(format!("{member}.db"))
    }

    /// The state of a member.
    fn state(&self, member: &str) -> MemberState {
        match self.of_member(member) {
            Some((configuration, seed)) => self.state_of(configuration, seed, member),
            None => MemberState::Waiting,
        }
    }

    fn state_of(&self, configuration: &NotedConfiguration, seed: u64, member: &str) -> MemberState {
        let file = self.file(member);
        let look = || -> Result<bool, Error> {
            let run = RunFile::open(&file)?;
            match self.foreign_to(configuration, seed, &run)? {
                Some(what) => Err(another_run(&run, &what)),
                None => is_finished(&run),
            }
        };
        if RunLock::is_taken(&file) {
            // A process whose parent was killed may hold the lock of a finished run for a moment: it wanted to train the
            // run itself, and sees that there is nothing to do.
            return if look().is_ok_and(|finished| finished) { MemberState::Finished } else { MemberState::Running };
        }
        if let Some(why) = self.why_failed(member) {
            return MemberState::Failed(why);
        }
        if !file.exists() {
            return MemberState::Waiting;
        }
        match look() {
            Ok(true) => MemberState::Finished,
            Ok(false) => MemberState::Interrupted,
            Err(error) => MemberState::Failed(error.to_string()),
        }
    }

    /// Refuses a run that does not belong to the member.
    pub(crate) fn checked_run(&self, member: &str, run: &RunFile) -> Result<(), Error> {
        match self.foreign(member, run)? {
            Some(what) => Err(another_run(run, &what)),
            None => Ok(()),
        }
    }

    /// Says in which parameter a run differs from this member, or `None`. Somebody may have put another run there, or
    /// resumed it beyond its end.
    pub(crate) fn foreign(&self, member: &str, run: &RunFile) -> Result<Option<String>, Error> {
        match self.of_member(member) {
            Some((configuration, seed)) => self.foreign_to(configuration, seed, run),
            None => Ok(None),
        }
    }

    fn foreign_to(
        &self,
        configuration: &NotedConfiguration,
        seed: u64,
        run: &RunFile,
    ) -> Result<Option<String>, Error> {
        let mut wanted = configuration.parameters.parse::<Table>().unwrap_or_default();
        wanted.insert("seed".to_string(), Value::Integer(seed as i64));
        let found = run.info()?.parameters.parse::<Table>().unwrap_or_default();
        // Candidates of a tuning are trained step by step, and islands have extra keys for the source of champions.
        let free = |key: &str| {
            key.starts_with("migration.")
                || (self.noted.kind == LabKind::Tuning && ["stop.generations", "record.final_games"].contains(&key))
        };
        let found = difference(&found, &wanted, &free);
        Ok(found.map(|(key, there, here)| format!("it has {key} = {there}, and this lab {here}")))
    }

    /// The configuration and the seed of a member.
    fn of_member(&self, member: &str) -> Option<(&NotedConfiguration, u64)> {
        self.noted.configurations.iter().find_map(|configuration| {
            let is_its = |seed: &&u64| member_name(&configuration.name, **seed) == member;
            configuration.seeds.iter().find(is_its).map(|&seed| (configuration, seed))
        })
    }

    /// Whether a member is finished, or has reached the generation `until` if it is given.
    pub(crate) fn is_done(&self, member: &str, until: Option<u64>) -> bool {
        let Some(until) = until else { return self.state(member) == MemberState::Finished };
        let played = |run: &RunFile| Ok::<_, Error>(run.last_report()?.map_or(0, |report| report.generation));
        // A run that is solved or has used up its time does not continue.
        let over = |run: &RunFile| {
            Ok::<_, Error>(matches!(run.info()?.stopped, Some(Stopped::Solved | Stopped::Strength | Stopped::Time)))
        };
        let found = RunFile::open(&self.file(member)).and_then(|run| Ok(over(&run)? || played(&run)? >= until));
        found.unwrap_or(false) && !RunLock::is_taken(&self.file(member))
    }

    /// Saves why a member failed; `None` removes the text.
    pub(crate) fn set_failure(&self, member: &str, why: Option<&str>) -> Result<(), Error> {
        let file = self.failure(member);
        match why {
            Some(why) => {
                let folder = self.path.join(FAILED);
                std::fs::create_dir_all(&folder)
                    .map_err(|source| Error::file("cannot make the folder", &folder, source))?;
                write_whole(&file, why.as_bytes())
            }
            None if file.exists() => {
                std::fs::remove_file(&file).map_err(|source| Error::file("cannot remove", &file, source))
            }
            None => Ok(()),
        }
    }

    /// Why a member failed, as `set_failure` saved it; `None` if it did not fail.
    pub(crate) fn why_failed(&self, member: &str) -> Option<String> {
        read_text(&self.failure(member)).ok().map(|why| why.trim().to_string())
    }

    fn failure(&self, member: &str) -> PathBuf {
        self.path.join(FAILED).join(format!("{member}.txt"))
    }

    /// The data for a report, as of now.
    pub fn comparison(&self) -> Comparison {
        let mut groups: Vec<Group> = Vec::new();
        for configuration in &self.noted.configurations {
            let place = groups.iter().position(|group| group.name == configuration.group).unwrap_or_else(|| {
                groups.push(Group { name: configuration.group.clone(), baseline: None, configurations: Vec::new() });
                groups.len() - 1
            });
            let group = &mut groups[place];
            if configuration.is_baseline {
                group.baseline = Some(group.configurations.len());
            }
            let member = |&seed: &u64| {
                let name = member_name(&configuration.name, seed);
                Member { seed, file: self.file(&name), state: self.state_of(configuration, seed, &name), name }
            };
            group.configurations.push(Compared {
                name: configuration.name.clone(),
                experiment: configuration.experiment.clone(),
                settings: Vec::new(),
                islands: configuration.islands,
                seeds: configuration.seeds.clone(),
                members: configuration.seeds.iter().map(member).collect(),
            });
        }
        for group in &mut groups {
            let all = self.noted.configurations.iter().filter(|configuration| configuration.group == group.name);
            let texts: Vec<&str> = all.map(|configuration| configuration.parameters.as_str()).collect();
            for (configuration, settings) in group.configurations.iter_mut().zip(differences(&texts)) {
                configuration.settings = settings;
            }
        }
        let Noted { lab, about, measures, last, .. } = &self.noted;
        Comparison { lab: lab.clone(), about: about.clone(), measures: measures.clone(), last: *last, groups }
    }
}

fn another_run(run: &RunFile, what: &str) -> Error {
    Error::refused(format!(
        "{} is not the run of this member: {what}; move the file away, and the lab trains the member itself",
        run.path().display()
    ))
}

/// Whether a run is finished: it has stopped for good, and its final matches have been played.
fn is_finished(run: &RunFile) -> Result<bool, Error> {
    let info = run.info()?;
    let finals = || {
        let wanted = info.experiment_file(run.path())?;
        let games = wanted.value("record.final_games").ok().and_then(Value::as_integer);
        Ok::<bool, Error>(games.is_none_or(|games| games == 0) || !run.finals()?.is_empty())
    };
    Ok(match info.stopped {
        Some(Stopped::Solved | Stopped::Strength | Stopped::Generations) => finals()?,
        Some(Stopped::Time) => true,
        Some(Stopped::Interrupted) | None => false,
    })
}

impl Noted {
    fn of(lab: &Lab) -> Result<Noted, Error> {
        let noted = |configuration: &super::file::Configuration| {
            Ok(NotedConfiguration {
                name: configuration.name.clone(),
                group: configuration.group.clone(),
                is_baseline: configuration.is_baseline,
                experiment: configuration.experiment.name.clone(),
                parameters: configuration.with_seed(0)?.canonical(),
                seeds: configuration.seeds.clone(),
                islands: configuration.islands,
            })
        };
        Ok(Noted {
            lab: lab.name.clone(),
            kind: lab.kind,
            about: lab.about.clone(),
            measures: lab.measures.clone(),
            last: lab.last,
            configurations: lab.configurations.iter().map(noted).collect::<Result<_, Error>>()?,
        })
    }

    /// Reads and checks the text of `lab.json`; the error is a sentence.
    fn parse(text: &str) -> Result<Noted, String> {
        let noted: Noted = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if noted.last == 0 {
            return Err("last is 0, but final values are means over at least 1 generation".to_string());
        }
        let count = noted.configurations.iter().fold(0usize, |sum, each| sum.saturating_add(each.seeds.len()));
        if count > MOST_MEMBERS {
            return Err(format!("it has {count} members, but at most {MOST_MEMBERS} are allowed"));
        }
        // The names of members are also names of files, so they must be valid.
        let mut names = BTreeSet::new();
        for configuration in &noted.configurations {
            if configuration.seeds.is_empty() {
                return Err(format!("`{}` has no seeds, but at least one belongs there", configuration.name));
            }
            for &seed in &configuration.seeds {
                let name = member_name(&configuration.name, seed);
                checked_name(&name).map_err(|error| error.to_string())?;
                if !names.insert(name) {
                    return Err(format!("two members are called `{}`", member_name(&configuration.name, seed)));
                }
            }
        }
        Ok(noted)
    }

    /// Checks that the runs of the older lab can be used for this one: configurations of the same name must be equal.
    fn continues(&self, old: &Noted, keeps: Keeps) -> Result<(), String> {
        let same = |before: &NotedConfiguration| self.configurations.iter().find(|now| now.name == before.name);
        if !old.configurations.iter().any(|before| same(before).is_some()) {
            return Err(format!("it holds the lab `{}`, which has no configuration in common with this lab", old.lab));
        }
        for before in &old.configurations {
            match same(before) {
                None if keeps == Keeps::All => {
                    return Err(format!("it holds `{}`, which this lab does not have", before.name));
                }
                None => {}
                Some(now) if before.islands != now.islands || (now.islands.is_some() && before.seeds != now.seeds) => {
                    return Err(format!("`{}` has other islands there", now.name));
                }
                Some(now) => {
                    let table = |of: &NotedConfiguration| of.parameters.parse::<Table>().unwrap_or_default();
                    if let Some((key, there, here)) = difference(&table(before), &table(now), &|_| false) {
                        return Err(format!("`{}` has {key} = {there} there, and {here} here", now.name));
                    }
                }
            }
        }
        Ok(())
    }
}

/// The first parameter in which two tables differ, with both values. Keys for which `free` is true are ignored.
fn difference(one: &Table, two: &Table, free: &dyn Fn(&str) -> bool) -> Option<(String, String, String)> {
    if one == two {
        return None;
    }
    let mut keys = override_key::paths(one);
    keys.extend(override_key::paths(two));
    let value = |table: &Table, key: &str| {
        override_key::find(table, key).map_or_else(|_| "nothing".to_string(), |value| value.to_string())
    };
    let differs = |key: String| {
        let (there, here) = (value(one, &key), value(two, &key));
        (there != here && !free(&key)).then_some((key, there, here))
    };
    keys.into_iter().find_map(differs)
}

fn read_note(folder: &Path) -> Result<Option<Noted>, Error> {
    let file = folder.join(LAB_NOTE);
    let is_missing = |error: &std::io::Error| {
        matches!(error.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory)
    };
    let text = match read_text(&file) {
        Ok(text) => text,
        Err(Error::File { source, .. }) if is_missing(&source) => return Ok(None),
        Err(error) => return Err(error),
    };
    Noted::parse(&text).map(Some).map_err(|error| {
        Error::refused(format!(
            "{} is not a lab's note ({error}); remove it and run the lab again, which then uses the runs that are there; populations and tunings must begin again under another name",
            file.display()
        ))
    })
}

/// The folder of the lab of this name in a folder of runs.
pub fn lab_path(runs: &Path, name: &str) -> Result<PathBuf, Error> {
    checked_name(name)?;
    Ok(runs.join(name))
}

/// All labs in a folder of runs, sorted by name; an error for each lab whose `lab.json` cannot be read.
pub fn list_labs(runs: &Path) -> Vec<Result<LabFolder, Error>> {
    let entries = std::fs::read_dir(runs).into_iter().flatten().filter_map(|entry| entry.ok());
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(|path| holds_lab(path)).collect();
    paths.sort();
    paths.iter().map(|path| LabFolder::open(path)).collect()
}

/// All labs in a folder of runs whose `lab.json` can be read.
pub fn lab_folders(runs: &Path) -> Vec<LabFolder> {
    list_labs(runs).into_iter().flatten().collect()
}

/// Reads the text of a `lab.json` and writes it again; returns `None` if it is not valid.
#[cfg(feature = "fuzzing")]
pub(crate) fn note_again(text: &str) -> Option<String> {
    let noted = Noted::parse(text).ok()?;
    let folder = LabFolder { path: PathBuf::from("/nonexistent"), noted };
    // Every member has an experiment or an error, without a panic.
    for (_, member) in folder.members().into_iter().take(20) {
        let _ = folder.experiment(&member);
    }
    Some(serde_json::to_string_pretty(&folder.noted).expect("a note can be written"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Machine;
    use crate::labs::{populations, train_member};
    use std::sync::atomic::AtomicBool;
    use trainer::Experiment;

    /// The process of a killed parent may hold a run's lock for a moment after another process has finished the run.
    #[test]
    fn a_finished_member_is_finished_even_while_its_lock_is_taken() {
        let runs = tempfile::tempdir().unwrap();
        let mut experiment = Experiment::shipped("nim-2x4-c1").unwrap();
        experiment.set(&["stop.generations=2", "strategy.enn.population=60"]).unwrap();
        let folder = populations(experiment, runs.path(), Some("x"), 2, None).unwrap();
        let names: Vec<String> = folder.comparison().members().map(|member| member.name.clone()).collect();
        for (name, until) in names.iter().zip([None, Some(1)]) {
            train_member(&folder, name, until, &Machine::threads(1), &mut |_| (), &AtomicBool::new(false)).unwrap();
        }
        let _locks: Vec<RunLock> = names.iter().map(|name| RunLock::take(&folder.file(name)).unwrap()).collect();
        let states = names.iter().map(|name| folder.state(name));
        assert_eq!(states.collect::<Vec<_>>(), [MemberState::Finished, MemberState::Running]);
    }

    #[test]
    fn invalid_notes_are_refused() {
        let note = |name: &str, seeds: &str, last: u64| {
            format!(
                r#"{{"lab":"a","about":"","measures":["grade"],"last":{last},"configurations":[{{"name":"{name}","group":"","is_baseline":false,"experiment":"nim-2x4","parameters":"","seeds":[{seeds}],"islands":{{"every":1,"count":1}}}}]}}"#
            )
        };
        assert!(Noted::parse(&note("a", "1, 2", 10)).is_ok());
        let many = (0..=MOST_MEMBERS).map(|seed| seed.to_string()).collect::<Vec<_>>().join(",");
        for (text, why) in [
            (note("a", "", 10), "`a` has no seeds"),
            (note("a", "1, 1", 10), "two members are called `a-seed-1`"),
            (note("../../a", "1", 10), "`../../a-seed-1` cannot be a run's name"),
            (note("a", "1", 0), "last is 0"),
            (note("a", &many, 10), "it has 100001 members"),
            (note("a", "-1", 10), "invalid value"),
        ] {
            let error = Noted::parse(&text).unwrap_err();
            assert!(error.contains(why), "{error}");
        }
    }
}
