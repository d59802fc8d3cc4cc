//! The experiments inside the program.

use crate::{Error, Experiment, ExperimentFile};
use std::sync::{PoisonError, RwLock};

/// Experiments of other crates.
static REGISTERED: RwLock<Vec<(&str, &str)>> = RwLock::new(Vec::new());

/// Names and texts, in the order of lists: those of Gamete, then those that were [registered](register_experiment).
pub fn shipped_experiments() -> impl Iterator<Item = (&'static str, &'static str)> {
    let registered = REGISTERED.read().unwrap_or_else(PoisonError::into_inner).clone();
    SHIPPED.iter().copied().chain(registered)
}

impl Experiment {
    /// Opens an experiment that is shipped with the program.
    pub fn shipped(name: &str) -> Result<ExperimentFile, Error> {
        match shipped_experiments().find(|(shipped, _)| *shipped == name) {
            Some((shipped, text)) => ExperimentFile::parse(shipped, shipped, text),
            None => {
                let known: Vec<&str> = shipped_experiments().map(|(shipped, _)| shipped).collect();
                Err(Error::unknown("experiment", name, &known))
            }
        }
    }
}

/// Adds an experiment of another crate, for this process: from then on it can be trained by its name. Its game and its
/// strategy are registered first.
pub fn register_experiment(name: &'static str, text: &'static str) -> Result<(), Error> {
    ExperimentFile::parse(name, name, text)?;
    if shipped_experiments().any(|(known, _)| known == name) {
        return Err(Error::Refused(format!("there is an experiment `{name}` already; choose another name")));
    }
    REGISTERED.write().unwrap_or_else(PoisonError::into_inner).push((name, text));
    Ok(())
}

macro_rules! shipped {
    ($($name:literal),+ $(,)?) => {
        const SHIPPED: &[(&str, &str)] =
            &[$(($name, include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/experiments/", $name, ".toml")))),+];
    };
}

shipped![
    "nim-2x4",
    "nim-2x4-direct",
    "nim-2x10",
    "nim-4x8",
    "tic-tac-toe",
    "draughts",
    "draughts-blondie24",
    "draughts-blondie24-91",
    "draughts-enn",
    "draughts-mcts",
    "draughts-neat",
    "draughts-thesis",
    "draughts-thesis-6ply",
    "draughts-thesis-mcts",
    "minichess",
    "minichess-board",
    "minichess-enn",
    "minichess-ga",
    "minichess-01",
    "minichess-02",
    "minichess-03",
    "minichess-04",
    "minichess-05",
    "minichess-06",
    "minichess-07",
    "minichess-08",
    "minichess-09",
    "minichess-10",
    "minichess-11",
    "minichess-12",
    "minichess-13",
    "minichess-14",
    "minichess-15",
    "minichess-16",
    "minichess-17",
    "minichess-18",
    "minichess-28",
    "minichess-29",
    "minichess-30",
    "minichess-31",
    "minichess-34",
    "minichess-35",
    "minichess-36",
    "minichess-37",
    "minichess-tt1",
    "minichess-tt2",
    "minichess-tt3",
    "minichess-tt4",
    "minichess-tt5",
    "minichess-tt6",
    "minichess-tt7",
    "minichess-tt8",
    "nim-2x4-neat",
    "nim-2x4-ga",
    "nim-2x4-random",
    "nim-2x4-cma-es",
    "nim-2x4-openai-es",
    "nim-4x8-neat",
    "nim-stack-2",
    "nim-stack-8",
    "nim-stack-8-slim",
    "nim-1-8-c1",
    "nim-1-8-c2",
    "nim-1-8-c3",
    "nim-1-8-c4",
    "nim-1-8-c5",
    "nim-1-8-c6",
    "nim-1-1000",
    "nim-2x2",
    "nim-2x4-c1",
    "nim-2x4-c2",
    "nim-2x4-c3",
    "nim-2x4-c4",
    "nim-2x4-c5",
    "nim-2x4-c2-graded",
    "nim-2x4-c3-graded",
    "nim-2x4-c4-graded",
    "nim-2x4-c5-graded",
    "nim-2x4-td",
    "tic-tac-toe-td",
    "minichess-td",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trainer::Trainer;
    use games::{Game, GameVisitor};

    /// Every file in `experiments/` is shipped, and can be opened.
    #[test]
    fn all_experiments_are_shipped_and_right() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../experiments");
        let mut files: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
            .collect();
        let mut names: Vec<String> = shipped_experiments().map(|(name, _)| name.to_string()).collect();
        files.sort();
        names.sort();
        assert_eq!(files, names);
        for (name, text) in shipped_experiments() {
            let file = ExperimentFile::parse(name, name, text).unwrap_or_else(|error| panic!("{error}"));
            games::with_built_in(file.game(), OneGeneration(&file)).unwrap();
        }
    }

    struct OneGeneration<'a>(&'a ExperimentFile);

    impl GameVisitor for OneGeneration<'_> {
        type Output = ();
        fn visit<G: Game>(self) {
            let experiment = self.0.typed::<G>().unwrap();
            let (population, setup) = (experiment.strategy.population(), experiment.setup.clone());
            let generation = Trainer::create(experiment, 1).step(&Vec::new()).unwrap();
            assert_eq!(generation.report.generation, 1);
            assert!(generation.report.games as usize >= population, "{}", self.0.name);
            assert_eq!(generation.report.exam.is_some(), arena::Examiner::<G>::new(&setup).is_some());
        }
    }
}
