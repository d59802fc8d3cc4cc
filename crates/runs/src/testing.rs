//! Trains small runs for tests, with this crate and those below it alone.

use crate::{Error, RunFile, RunInfo, Stopped, Times};
use games::{Game, GameVisitor};
use std::path::{Path, PathBuf};
use trainer::{Experiment, ExperimentFile, Trainer};

/// Trains a shipped experiment, with some changed parameters, to its last generation. Returns the run's file.
pub fn trained(folder: &Path, name: &str, experiment: &str, changes: &[&str]) -> PathBuf {
    let mut experiment = Experiment::shipped(experiment).unwrap();
    experiment.set(changes).unwrap();
    let file = folder.join(format!("{name}.db"));
    games::with_built_in(experiment.game(), Train { experiment: &experiment, file: &file }).unwrap();
    file
}

/// Continues a run up to a generation. Returns its signature.
pub fn resumed(file: &Path, generations: u64) -> Result<String, Error> {
    let run = RunFile::open_to_write(file)?;
    let game = run.info()?.game;
    games::with_built_in(&game, Resume { run, generations }).unwrap()
}

struct Train<'a> {
    experiment: &'a ExperimentFile,
    file: &'a Path,
}

impl GameVisitor for Train<'_> {
    type Output = ();
    fn visit<G: Game>(self) {
        let experiment = self.experiment.typed::<G>().unwrap();
        let trainer = Trainer::create(experiment.clone(), 1);
        let info = RunInfo {
            experiment: self.experiment.name.clone(),
            parameters: experiment.canonical(),
            game: G::NAME.to_string(),
            strategy: experiment.strategy.info().name.to_string(),
            seed: experiment.seed,
            program: "test".to_string(),
            created: 0,
            stopped: None,
            upgraded: None,
        };
        let run = RunFile::create(self.file, &info, &trainer.population(), trainer.signature()).unwrap();
        go_on(run, trainer, &info.parameters, experiment.stop.generations).unwrap();
    }
}

struct Resume {
    run: RunFile,
    generations: u64,
}

impl GameVisitor for Resume {
    type Output = Result<String, Error>;
    fn visit<G: Game>(self) -> Result<String, Error> {
        let parameters = self.run.info()?.parameters;
        let experiment = ExperimentFile::parse("run", "run", &parameters)?.typed::<G>()?;
        let trainer = Trainer::restore(experiment, 1, self.run.checkpoint()?).unwrap();
        go_on(self.run, trainer, &parameters, self.generations)
    }
}

fn go_on<G: Game>(
    mut run: RunFile,
    mut trainer: Trainer<G>,
    parameters: &str,
    generations: u64,
) -> Result<String, Error> {
    run.set_training(parameters, trainer.generation())?;
    while trainer.generation() < generations {
        let generation = trainer.step(&run)?;
        run.append(&generation, Times::default())?;
    }
    run.set_stopped(Stopped::Generations, generations)?;
    Ok(format!("{:032x}", trainer.signature()))
}
