//! The experiments that are built into the program.

use crate::{Error, Experiment, ExperimentFile};
use std::sync::{PoisonError, RwLock};

/// Experiments that other crates have registered.
static REGISTERED: RwLock<Vec<(&str, &str)>> = RwLock::new(Vec::new());

/// Names and texts of all experiments, in the order of lists: those of Gamete, then those that were
/// [registered](register_experiment).
pub fn shipped_experiments() -> impl Iterator<Item = (&'static str, &'static str)> {
    let registered = REGISTERED.read().unwrap_or_else(PoisonError::into_inner).clone();
    experiments::ALL.iter().copied().chain(registered)
}

impl Experiment {
    /// Opens a built-in experiment.
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

/// Adds an experiment of another crate in this process, so that it can be trained by its name. Its game and its
/// strategy must be registered first.
pub fn register_experiment(name: &'static str, text: &'static str) -> Result<(), Error> {
    ExperimentFile::parse(name, name, text)?;
    if shipped_experiments().any(|(known, _)| known == name) {
        return Err(Error::Refused(format!("there is an experiment `{name}` already; choose another name")));
    }
    REGISTERED.write().unwrap_or_else(PoisonError::into_inner).push((name, text));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trainer::Trainer;
    use games::{Allowed, Described, Game, GameVisitor};

    /// Each plays as few games as its schedule allows; otherwise the test would take minutes.
    #[test]
    fn every_experiment_plays_a_generation() {
        for (name, text) in shipped_experiments() {
            let file = ExperimentFile::parse(name, name, text).unwrap_or_else(|error| panic!("{error}"));
            games::with_built_in(file.game(), OneGeneration(&file)).unwrap();
        }
    }

    fn least(key: &Described) -> Option<toml::Value> {
        match key.allowed {
            Allowed::Whole(least, _) => Some(toml::Value::Integer(least as i64)),
            _ => None,
        }
    }

    struct OneGeneration<'a>(&'a ExperimentFile);

    impl GameVisitor for OneGeneration<'_> {
        type Output = ();
        fn visit<G: Game>(self) {
            let schedule = self.0.typed::<G>().unwrap().schedule.info();
            let few = |key: &Described| Some((format!("schedule.{}.{}", schedule.name, key.key), least(key)?));
            let fewer: Vec<(String, toml::Value)> = schedule.keys.iter().filter_map(few).collect();
            let experiment = self.0.with_values(&fewer).unwrap().typed::<G>().unwrap();
            let (population, setup) = (experiment.strategy.population(), experiment.setup.clone());
            let generation = Trainer::create(experiment, 1).step(&Vec::new()).unwrap();
            assert_eq!(generation.report.generation, 1);
            assert!(generation.report.games as usize >= population, "{}", self.0.name);
            assert_eq!(generation.report.exam.is_some(), arena::Examiner::<G>::new(&setup).is_some());
        }
    }
}
