//! Trains the candidates of a tuning: all in one lab's folder, each for the same number of games.

use super::{Candidate, OWN, TuneWatcher, Tuning};
use crate::Error;
use crate::labs::file::{Configuration, Lab, LabKind, member_name};
use crate::labs::folder::LabFolder;
use crate::labs::time_left::Wanted;
use crate::labs::workers::run_members;
use runs::RunFile;
use std::collections::BTreeMap;
use trainer::Report;

impl Tuning<'_> {
    /// Trains candidates with these seeds up to 1/`part` of a whole run; returns `false` if it was interrupted.
    pub(super) fn train(
        &mut self,
        candidates: &[Candidate],
        seeds: &[u64],
        part: u64,
        watcher: &mut dyn TuneWatcher,
    ) -> Result<bool, Error> {
        let aim = |candidate| (candidate, self.generations_of(candidate, part));
        let aims: Vec<(&Candidate, u64)> = candidates.iter().map(aim).collect();
        let Some(failed) = self.train_until(&aims, seeds, watcher)? else { return Ok(false) };
        if let Some((member, why)) = failed.first().filter(|_| failed.len() == candidates.len() * seeds.len()) {
            return Err(Error::refused(format!("all runs failed, so nothing can be compared: {member}: {why}")));
        }
        // Training by an earlier, interrupted call counts as if it were done now. Failed runs count as if they were
        // complete.
        for candidate in candidates {
            for &seed in seeds {
                let counted = self.counted.entry(member_name(&candidate.name, seed)).or_default();
                let share = 1.0 / part as f64;
                self.spent += (share - *counted).max(0.0);
                *counted = share.max(*counted);
            }
        }
        Ok(true)
    }

    /// The number of generations of a candidate that have as many games as 1/`part` of a run of the experiment itself.
    pub(super) fn generations_of(&self, candidate: &Candidate, part: u64) -> u64 {
        let games = self.all[0].games.of(self.generations).div_ceil(part.into());
        // The largest number that a TOML file can hold.
        candidate.games.generations_for(games, i64::MAX as u64)
    }

    /// Trains candidates with these seeds, each to its generation. Returns the runs that failed with the reasons, or
    /// `None` if it was interrupted.
    fn train_until(
        &mut self,
        aims: &[(&Candidate, u64)],
        seeds: &[u64],
        watcher: &mut dyn TuneWatcher,
    ) -> Result<Option<Vec<(String, String)>>, Error> {
        let folder = LabFolder::plan_growing(&self.lab(), self.path)?.made()?;
        let named = |(candidate, until): (&Candidate, u64)| -> Vec<(String, u64)> {
            seeds.iter().map(|&seed| (member_name(&candidate.name, seed), until)).collect()
        };
        let untils: BTreeMap<String, u64> = aims.iter().copied().flat_map(named).collect();
        let wanted = |(configuration, name): (usize, String)| {
            let until = Some(*untils.get(&name)?);
            Some(Wanted { configuration, name, until })
        };
        let members: Vec<Wanted> = folder.members().into_iter().filter_map(wanted).collect();
        // Another tuning of this name may have had other candidates. Files that are not runs fail later, in training.
        for member in &members {
            if let Ok(run) = RunFile::open(&folder.file(&member.name))
                && let Some(what) = folder.foreign(&member.name, &run)?
            {
                let what = format!("{} belongs to another tuning: {what}; choose another name", run.path().display());
                return Err(Error::parameter("name", what));
            }
        }
        let _lock = folder.lock()?;
        let mut training = watcher.training(&folder);
        let outcome = run_members(&folder, members, self.options, &mut *training, self.stop)?;
        self.failed.extend(outcome.failed.iter().cloned());
        Ok((!outcome.interrupted).then_some(outcome.failed))
    }

    /// All candidates, as a lab.
    pub(super) fn lab(&self) -> Lab {
        let configuration = |candidate: &Candidate| {
            let mut seeds = self.params.seeds.clone();
            if self.checked.contains(&candidate.name) {
                seeds.extend(&self.params.check);
            }
            Configuration {
                name: candidate.name.clone(),
                group: String::new(),
                is_baseline: candidate.name == OWN,
                experiment: candidate.experiment.clone(),
                seeds,
                islands: None,
            }
        };
        Lab {
            name: self.path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned()),
            kind: LabKind::Tuning,
            about: format!(
                "Tuning of {}; candidates that dropped out were trained for a part of a run.",
                self.params.experiment.name
            ),
            measures: vec!["grade".to_string()],
            last: 1,
            configurations: self.all.iter().map(configuration).collect(),
        }
    }

    /// The last generation of a candidate's run, and the run.
    pub(super) fn last_report(&self, candidate: &Candidate, seed: u64) -> Option<(Report, RunFile)> {
        let file = self.path.join(format!("{}.db", member_name(&candidate.name, seed)));
        let run = RunFile::open(&file).ok()?;
        Some((run.last_report().ok()??, run))
    }
}
