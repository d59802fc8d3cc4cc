//! Runs the numbered cases of an attack, several at a time. The files of a failed case are kept, and the command that
//! repeats it is printed.

use crate::Attack;
use crate::figures::Figures;
use crate::gamete::Gamete;
use chance::{Rng, rng_for};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The largest number of failures of one kind that are printed in full.
const MOST_PRINTED: usize = 5;
/// The largest number of folders of failed cases that are kept for one attack.
const MOST_KEPT: usize = 20;
/// An attack stops after this many failed cases, because then something is probably wrong with all of them.
const MOST_FAILED: u64 = 1000;

/// The settings and files that all attacks share.
pub struct Siege {
    /// The program under attack.
    pub gamete: Gamete,
    /// The seed of all random choices.
    pub seed: u64,
    /// The only case to run; `None` runs all cases.
    pub only: Option<u64>,
    /// The only point to attack, written as in `Case::point`; `None` attacks all points.
    pub point: Option<String>,
    /// Counts that must be reached. An attack continues until they are, up to three times the given time.
    pub goals: Vec<Goal>,
    /// Further arguments of the command that repeats a failure.
    pub words: String,
    /// Whether only a small fixed part of each attack is run (`--share`).
    pub share: bool,
    /// Columns of run files that are not compared.
    pub except: Vec<String>,
    /// The number of cases that run at the same time.
    pub workers: usize,
    /// The folder in which cases work. It is removed at the end.
    pub scratch: PathBuf,
    /// The folder in which the files of failed cases are kept.
    pub kept: PathBuf,
    /// Whether standard output holds only JSON.
    pub json: bool,
    /// Folders that are prepared once and used by many cases, by name.
    shared: Mutex<BTreeMap<String, Slot>>,
}

/// The smallest count that an attack must reach.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Goal {
    /// The attack.
    pub attack: Attack,
    /// The name of the count.
    pub what: &'static str,
    /// The smallest number that is enough.
    pub least: u64,
}

/// A shared folder. The first case that needs it fills it; the other cases wait.
type Slot = Arc<Mutex<Option<Result<PathBuf, String>>>>;

impl Siege {
    /// A siege of this program, with all cases and no goals.
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

    /// Returns the shared folder of this name. The first call fills it.
    pub fn once(&self, name: &str, fill: impl FnOnce(&Path) -> Result<(), String>) -> Result<PathBuf, String> {
        let slot = {
            let mut shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(shared.entry(name.to_string()).or_default())
        };
        let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
        slot.get_or_insert_with(|| {
            let folder = self.scratch.join(format!("once-{name}"));
            std::fs::create_dir_all(&folder).map_err(|error| format!("cannot create {}: {error}", folder.display()))?;
            fill(&folder).map_err(|error| match keep(&folder, &self.kept.join(format!("once-{name}"))) {
                Ok(kept) => format!("{error} (files: {})", kept.display()),
                Err(not_kept) => format!("{error} ({not_kept})"),
            })?;
            Ok(folder)
        })
        .clone()
    }

    /// A message for each goal of this attack that is not reached yet.
    pub fn missed_goals(&self, figures: &Figures) -> Vec<String> {
        let count = |goal: &Goal| figures.counts.get(goal.what).copied().unwrap_or(0);
        let missed = self.goals.iter().filter(|goal| goal.attack == figures.attack && count(goal) < goal.least);
        missed
            .map(|goal| format!("too few: {} {}, but at least {} are required", count(goal), goal.what, goal.least))
            .collect()
    }

    /// Reports that an attack cannot begin; returns its figures, with one failure.
    pub fn broken(&self, attack: Attack, error: &str) -> Figures {
        eprintln!("FAILED {attack}: {error}\n  again: {}", self.again(attack, ""));
        let mut figures = Figures::new(attack);
        figures.fail(error);
        figures
    }

    /// The command that repeats an attack, or with `--case` in `which` one case of it.
    fn again(&self, attack: Attack, which: &str) -> String {
        format!("cargo run --release -p siege -- {attack} --seed {}{which}{}", self.seed, self.words)
    }

    /// Runs cases, several at a time, until the time is over and the goals are reached, or until `most` cases have run.
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
            let is_reached = || self.missed_goals(&figures.lock().unwrap_or_else(PoisonError::into_inner)).is_empty();
            let now = Instant::now();
            // Each worker runs at least one case, even if there is no time.
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
            self.report(&case, figures.kept, &mut printed.lock().unwrap_or_else(PoisonError::into_inner));
            figures.add(&case.counts, &case.failures);
        };
        // Clients of the web app mostly wait, so twice as many cases can run.
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
            Err(error) => Err(format!("siege: cannot create {}: {error}", case.folder.display())),
        };
        case.failures.extend(result.err());
        case
    }

    /// Prints the failures of a case and keeps its files. Without failures it removes the files.
    fn report(&self, case: &Case, kept: usize, printed: &mut BTreeMap<String, usize>) {
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

/// Moves a folder out of the scratch folder, which is removed at the end, and returns its new path.
fn keep(from: &Path, to: &Path) -> Result<PathBuf, String> {
    let to_message = |error: std::io::Error| format!("cannot keep the files in {}: {error}", to.display());
    let _ = std::fs::remove_dir_all(to);
    to.parent().map_or(Ok(()), std::fs::create_dir_all).map_err(to_message)?;
    // A rename to another file system fails.
    if std::fs::rename(from, to).is_err() {
        copy_folder(from, to)?;
        std::fs::remove_dir_all(from).map_err(to_message)?;
    }
    Ok(to.to_path_buf())
}

/// One test of an attack. The siege's seed and the number of the case decide what happens in it.
pub struct Case<'a> {
    /// The settings that all cases share.
    pub siege: &'a Siege,
    /// The attack it belongs to.
    pub attack: Attack,
    /// Its number, from 1.
    pub number: u64,
    /// The point that is attacked, for attacks with a list of points. The list can differ from run to run, so the
    /// number of the case alone does not repeat it.
    pub point: Option<String>,
    /// The folder of this case.
    pub folder: PathBuf,
    /// The random numbers of this case.
    pub rng: Rng,
    /// Counts of what was done, by name.
    pub counts: BTreeMap<&'static str, u64>,
    /// The failures. The words before the first colon are the kind of the failure.
    pub failures: Vec<String>,
}

impl Case<'_> {
    /// Adds to a count.
    pub fn count(&mut self, what: &'static str, times: u64) {
        *self.counts.entry(what).or_default() += times;
    }

    /// Records the failure, if there is one. The case continues.
    pub fn check(&mut self, result: Result<(), String>) {
        self.failures.extend(result.err());
    }

    /// A random duration from 0 up to `most`.
    pub fn moment(&mut self, most: Duration) -> Duration {
        most.mul_f64(self.rng.unit())
    }
}

/// Copies all files of a folder and of its subfolders.
pub fn copy_folder(from: &Path, to: &Path) -> Result<(), String> {
    let to_message = |error: std::io::Error| format!("siege: cannot copy {}: {error}", from.display());
    std::fs::create_dir_all(to).map_err(to_message)?;
    for entry in std::fs::read_dir(from).map_err(to_message)? {
        let path = entry.map_err(to_message)?.path();
        let target = to.join(path.file_name().expect("every entry of a folder has a name"));
        match path.is_dir() {
            true => copy_folder(&path, &target)?,
            false => drop(std::fs::copy(&path, &target).map_err(to_message)?),
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
    fn missed_goals_are_reported() {
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
        assert!(figures.counts["kills"] >= 30 || siege.missed_goals(&figures).len() == 1, "{:?}", figures.counts);
        assert_eq!(siege.missed_goals(&run(3)), ["too few: 3 kills, but at least 40 are required"]);
        let mut enough = Figures::new(Attack::Storm);
        enough.counts.insert("kills", 40);
        assert_eq!(siege.missed_goals(&enough), Vec::<String>::new());
    }

    #[test]
    fn files_of_a_failed_preparation_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let siege = siege(folder.path());
        let result = siege.once("x", |folder| {
            std::fs::write(folder.join("file"), "text").unwrap();
            Err("reference: exit code 2".to_string())
        });
        assert!(result.unwrap_err().starts_with("reference: exit code 2 (files: "));
        assert!(folder.path().join("kept/once-x/file").exists());
        assert_eq!(siege.broken(Attack::Power, "reference: exit code 2").failures, 1);
    }

    #[test]
    fn a_single_case_draws_the_same_random_numbers() {
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
