//! Cases: numbered, seeded, several at a time. A failed one keeps its files and says how to see it again.

use crate::Attack;
use crate::figures::Figures;
use crate::gamete::Gamete;
use chance::{Rng, rng_for};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// No more failures of one kind are printed in full.
const MOST_PRINTED: usize = 5;
/// No more folders of failures are kept for one attack.
const MOST_KEPT: usize = 20;

/// After so many failed cases an attack gives up: something is wrong with all of them.
const MOST_FAILED: u64 = 1000;

/// What all attacks share.
pub struct Siege {
    /// The program under attack.
    pub gamete: Gamete,
    /// Where all chance comes from.
    pub seed: u64,
    /// The one case to be run; all when not given.
    pub only: Option<u64>,
    /// The one point to be attacked, as `Case::point` names it; all when not given.
    pub point: Option<String>,
    /// How often things are done at least, however long it takes, up to three times the time that was given.
    pub goals: Vec<Goal>,
    /// More words of the command that shows a failure again.
    pub words: String,
    /// Whether a small fixed share is enough.
    pub share: bool,
    /// Columns that are not compared.
    pub except: Vec<String>,
    /// How many cases run at a time.
    pub workers: usize,
    /// Where cases work; it is removed at the end.
    pub scratch: PathBuf,
    /// Where the files of failed cases are kept.
    pub kept: PathBuf,
    /// Whether standard output is for JSON alone.
    pub json: bool,
    /// What is worked out once and used by many cases, by name.
    shared: Mutex<BTreeMap<String, Slot>>,
}

/// A least count: what must be done how often in an attack.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Goal {
    /// In which attack.
    pub attack: Attack,
    /// What is counted.
    pub what: &'static str,
    /// How often.
    pub least: u64,
}

/// The place of something shared, which is filled by the first who asks; others wait.
type Slot = Arc<Mutex<Option<Result<PathBuf, String>>>>;

impl Siege {
    /// A siege of this program.
    pub fn new(gamete: Gamete, seed: u64, scratch: PathBuf, kept: PathBuf) -> Siege {
        let workers = std::thread::available_parallelism().map_or(2, |cores| cores.get());
        Siege {
            gamete,
            seed,
            only: None,
            point: None,
            goals: Vec::new(),
            words: String::new(),
            share: false,
            except: Vec::new(),
            workers,
            scratch,
            kept,
            json: false,
            shared: Mutex::default(),
        }
    }

    /// A folder that is filled once, by whoever asks for it first.
    pub fn once(&self, name: &str, fill: impl FnOnce(&Path) -> Result<(), String>) -> Result<PathBuf, String> {
        let slot = {
            let mut shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(shared.entry(name.to_string()).or_default())
        };
        let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
        slot.get_or_insert_with(|| {
            let folder = self.scratch.join(format!("once-{name}"));
            std::fs::create_dir_all(&folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
            fill(&folder).map_err(|error| match keep(&folder, &self.kept.join(format!("once-{name}"))) {
                Ok(kept) => format!("{error} (files: {})", kept.display()),
                Err(not_kept) => format!("{error} ({not_kept})"),
            })?;
            Ok(folder)
        })
        .clone()
    }

    /// What has been done too seldom, in words.
    pub fn missing(&self, figures: &Figures) -> Vec<String> {
        let count = |goal: &Goal| figures.counts.get(goal.what).copied().unwrap_or(0);
        let missed = self.goals.iter().filter(|goal| goal.attack == figures.attack && count(goal) < goal.least);
        missed.map(|goal| format!("too few: {} {}, at least {} are due", count(goal), goal.what, goal.least)).collect()
    }

    /// The figures of an attack that cannot begin.
    pub fn broken(&self, attack: Attack, error: &str) -> Figures {
        eprintln!("FAILED {attack}: {error}\n  again: {}", self.again(attack, ""));
        let mut figures = Figures::new(attack);
        figures.fail(error);
        figures
    }

    /// The command that shows something again.
    fn again(&self, attack: Attack, which: &str) -> String {
        format!("cargo run --release -p siege -- {attack} --seed {}{which}{}", self.seed, self.words)
    }

    /// Runs cases, several at a time, until the time is over and the goals are reached, or there are no more.
    pub fn cases(
        &self,
        attack: Attack,
        until: Instant,
        most: u64,
        run: impl Fn(&mut Case) -> Result<(), String> + Sync,
    ) -> Figures {
        let begun = Instant::now();
        let latest = until + 2 * until.saturating_duration_since(begun);
        let (next, failed) = (AtomicU64::new(1), AtomicU64::new(0));
        let figures = Mutex::new(Figures::new(attack));
        let printed: Mutex<BTreeMap<String, usize>> = Mutex::default();
        let work = || loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let is_reached = || self.missing(&figures.lock().unwrap_or_else(PoisonError::into_inner)).is_empty();
            let now = Instant::now();
            // The first cases are always run, however little time there is.
            let is_over = number > self.workers as u64 && now >= until && (now >= latest || is_reached());
            if number > most || is_over || failed.load(Ordering::Relaxed) >= MOST_FAILED {
                break;
            }
            let number = match self.only {
                None => number,
                Some(only) if number == 1 => only,
                Some(_) => break,
            };
            let case = self.case(attack, number, &run);
            failed.fetch_add(u64::from(!case.failures.is_empty()), Ordering::Relaxed);
            let mut figures = figures.lock().unwrap_or_else(PoisonError::into_inner);
            self.tell(&case, figures.kept, &mut printed.lock().unwrap_or_else(PoisonError::into_inner));
            figures.add(&case.counts, &case.failures);
        };
        // Strangers at the web app mostly wait.
        let workers = if attack == Attack::Web { 2 * self.workers } else { self.workers };
        std::thread::scope(|scope| {
            for _ in 0..workers {
                scope.spawn(work);
            }
        });
        let mut figures = figures.into_inner().unwrap_or_else(PoisonError::into_inner);
        figures.seconds = begun.elapsed().as_secs_f64();
        figures
    }

    fn case<'a>(
        &'a self,
        attack: Attack,
        number: u64,
        run: &(impl Fn(&mut Case) -> Result<(), String> + Sync),
    ) -> Case<'a> {
        let folder = self.scratch.join(format!("{attack}-{number}"));
        let rng = rng_for(self.seed, &[attack as u64, number]);
        let (counts, failures) = (BTreeMap::new(), Vec::new());
        let mut case = Case { siege: self, attack, number, point: None, folder, rng, counts, failures };
        let result = match std::fs::create_dir_all(&case.folder) {
            Ok(()) => run(&mut case),
            Err(error) => Err(format!("siege: cannot make {}: {error}", case.folder.display())),
        };
        case.failures.extend(result.err());
        case
    }

    /// Prints the failures of a case and keeps its files, or removes them.
    fn tell(&self, case: &Case, kept: usize, printed: &mut BTreeMap<String, usize>) {
        if case.failures.is_empty() || kept >= MOST_KEPT {
            let _ = std::fs::remove_dir_all(&case.folder);
        }
        for failure in &case.failures {
            let kind = failure.split(": ").next().unwrap_or_default().to_string();
            let times = printed.entry(kind).or_default();
            *times += 1;
            if *times > MOST_PRINTED {
                continue;
            }
            let point = case.point.as_ref().map_or(String::new(), |point| format!(" --point {point}"));
            let again = self.again(case.attack, &format!(" --case {}{point}", case.number));
            eprintln!("FAILED {} {}: {failure}\n  again: {again}", case.attack, case.number);
        }
        if !case.failures.is_empty() && kept < MOST_KEPT {
            match keep(&case.folder, &self.kept.join(format!("{}-{}-{}", case.attack, self.seed, case.number))) {
                Ok(kept) => eprintln!("  files: {}", kept.display()),
                Err(error) => eprintln!("  {error}"),
            }
        }
    }
}

/// Moves a folder out of the scratch folder, which is removed at the end; where it is now.
fn keep(from: &Path, to: &Path) -> Result<PathBuf, String> {
    let told = |error: std::io::Error| format!("files cannot be kept in {}: {error}", to.display());
    let _ = std::fs::remove_dir_all(to);
    to.parent().map_or(Ok(()), std::fs::create_dir_all).map_err(told)?;
    // Another file system refuses to rename.
    if std::fs::rename(from, to).is_err() {
        copy_folder(from, to)?;
        std::fs::remove_dir_all(from).map_err(told)?;
    }
    Ok(to.to_path_buf())
}

/// One attempt, decided by the siege's seed and its own number.
pub struct Case<'a> {
    /// What all cases share.
    pub siege: &'a Siege,
    /// The attack it belongs to.
    pub attack: Attack,
    /// Its number, from 1.
    pub number: u64,
    /// What it attacks, where its number does not tell that for sure: lists of points may differ from time to time.
    pub point: Option<String>,
    /// A folder of its own.
    pub folder: PathBuf,
    /// Its chance.
    pub rng: Rng,
    /// What was done, counted by name.
    pub counts: BTreeMap<&'static str, u64>,
    /// What went wrong; the words before the first colon are its kind.
    pub failures: Vec<String>,
}

impl Case<'_> {
    /// Counts something that was done.
    pub fn count(&mut self, what: &'static str, times: u64) {
        *self.counts.entry(what).or_default() += times;
    }

    /// Notes what went wrong, and goes on.
    pub fn check(&mut self, result: Result<(), String>) {
        self.failures.extend(result.err());
    }

    /// A duration from 0 up to this one.
    pub fn moment(&mut self, most: Duration) -> Duration {
        most.mul_f64(self.rng.unit())
    }
}

/// Copies all files of a folder, and of the folders in it.
pub fn copy_folder(from: &Path, to: &Path) -> Result<(), String> {
    let told = |error: std::io::Error| format!("siege: cannot copy {}: {error}", from.display());
    std::fs::create_dir_all(to).map_err(told)?;
    for entry in std::fs::read_dir(from).map_err(told)? {
        let path = entry.map_err(told)?.path();
        let target = to.join(path.file_name().expect("an entry of a folder has a name"));
        match path.is_dir() {
            true => copy_folder(&path, &target)?,
            false => drop(std::fs::copy(&path, &target).map_err(told)?),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn siege(folder: &Path) -> Siege {
        let gamete = Gamete::new("gamete".into(), folder.join("tables"));
        Siege::new(gamete, 1, folder.join("scratch"), folder.join("kept"))
    }

    #[test]
    fn a_failed_case_is_counted_and_its_files_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let siege = siege(folder.path());
        let figures = siege.cases(Attack::Storm, Instant::now() + Duration::from_secs(60), 6, |case| {
            std::fs::write(case.folder.join("file"), "text").unwrap();
            case.count("kills", 2);
            if case.number == 4 { Err("odd: it failed".to_string()) } else { Ok(()) }
        });
        assert_eq!((figures.cases, figures.failures, figures.counts["kills"]), (6, 1, 12));
        assert!(folder.path().join("kept/storm-1-4/file").exists());
        assert!(!siege.scratch.join("storm-1").exists());
    }

    #[test]
    fn goals_are_reached_or_missed_with_a_sentence() {
        let folder = tempfile::tempdir().unwrap();
        let goals = vec![
            Goal { attack: Attack::Storm, what: "kills", least: 40 },
            Goal { attack: Attack::Web, what: "starts", least: 9 },
        ];
        let siege = Siege { goals, workers: 1, ..siege(folder.path()) };
        let run = |most| {
            let begun = Instant::now();
            siege.cases(Attack::Storm, begun + Duration::from_millis(100), most, |case| {
                std::thread::sleep(Duration::from_millis(4));
                case.count("kills", 1);
                Ok(())
            })
        };
        // 100 ms are enough for at most 25 kills.
        let figures = run(u64::MAX);
        assert!(figures.counts["kills"] >= 30 || siege.missing(&figures).len() == 1, "{:?}", figures.counts);
        assert_eq!(siege.missing(&run(3)), ["too few: 3 kills, at least 40 are due"]);
        let mut enough = Figures::new(Attack::Storm);
        enough.counts.insert("kills", 40);
        assert_eq!(siege.missing(&enough), Vec::<String>::new());
    }

    #[test]
    fn what_cannot_be_prepared_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let siege = siege(folder.path());
        let told = siege.once("x", |folder| {
            std::fs::write(folder.join("file"), "text").unwrap();
            Err("reference: exit code 2".to_string())
        });
        assert!(told.unwrap_err().starts_with("reference: exit code 2 (files: "));
        assert!(folder.path().join("kept/once-x/file").exists());
        assert_eq!(siege.broken(Attack::Power, "reference: exit code 2").failures, 1);
    }

    #[test]
    fn one_case_alone_has_the_same_chance() {
        let folder = tempfile::tempdir().unwrap();
        let drawn = |only| {
            let siege = Siege { only, ..siege(folder.path()) };
            let seen = Mutex::new(BTreeMap::new());
            siege.cases(Attack::Damage, Instant::now() + Duration::from_secs(60), 5, |case| {
                let number = case.number;
                seen.lock().unwrap().insert(number, case.rng.below(1_000_000));
                Ok(())
            });
            seen.into_inner().unwrap()
        };
        let (all, one) = (drawn(None), drawn(Some(3)));
        assert_eq!((all.len(), one.len()), (5, 1));
        assert_eq!(all[&3], one[&3]);
    }
}
