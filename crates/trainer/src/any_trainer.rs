//! A trainer of a game that is known only by name, as files, labs and servers need it. It is instantiated for each game
//! in this crate, so that the code of a generation is compiled only once.

use crate::experiment::TypedExperiment;
use crate::hall_of_fame::Archive;
use crate::trainer::{Checkpoint, Generation, Trainer};
use crate::{Error, ExperimentFile};
use arena::Exam;
use evolution::{Network, NetworkError};
use games::Game;
use std::sync::Arc;

/// A [`Trainer`] of any game. Each method is documented there.
pub trait AnyTrainer {
    /// The population as bytes, before its first game.
    fn population(&self) -> Vec<u8>;
    /// A hash of everything that has happened so far.
    fn signature(&self) -> u128;
    /// The number of generations played so far.
    fn generation(&self) -> u64;
    /// Takes in networks of another population; returns whether they fit.
    fn receive(&mut self, migrants: &[Arc<Network>]) -> bool;
    /// Plays, scores, measures and breeds one generation.
    fn step(&mut self, archive: &dyn Archive) -> Result<Generation, Error>;
    /// The exam of the newest champion.
    fn examine_champion(&mut self, archive: &dyn Archive) -> Result<Option<Exam>, Error>;
}

impl<G: Game> AnyTrainer for Trainer<G> {
    fn population(&self) -> Vec<u8> {
        Trainer::population(self)
    }

    fn signature(&self) -> u128 {
        Trainer::signature(self)
    }

    fn generation(&self) -> u64 {
        Trainer::generation(self)
    }

    fn receive(&mut self, migrants: &[Arc<Network>]) -> bool {
        Trainer::receive(self, migrants)
    }

    fn step(&mut self, archive: &dyn Archive) -> Result<Generation, Error> {
        Trainer::step(self, archive)
    }

    fn examine_champion(&mut self, archive: &dyn Archive) -> Result<Option<Exam>, Error> {
        Trainer::examine_champion(self, archive)
    }
}

impl ExperimentFile {
    /// Creates the first generation of this experiment, which has not played yet.
    pub fn trainer(&self, threads: usize) -> Box<dyn AnyTrainer> {
        self.any().trainer(threads)
    }

    /// Continues this experiment from a checkpoint.
    pub fn restore(&self, threads: usize, checkpoint: Checkpoint) -> Result<Box<dyn AnyTrainer>, NetworkError> {
        self.any().restore(threads, checkpoint)
    }
}

/// Creates trainers for the game of an experiment.
pub(crate) trait TrainerFactory {
    fn trainer(self: Arc<Self>, threads: usize) -> Box<dyn AnyTrainer>;
    fn restore(self: Arc<Self>, threads: usize, checkpoint: Checkpoint) -> Result<Box<dyn AnyTrainer>, NetworkError>;
}

impl<G: Game> TrainerFactory for TypedExperiment<G> {
    fn trainer(self: Arc<Self>, threads: usize) -> Box<dyn AnyTrainer> {
        Box::new(Trainer::create(self, threads))
    }

    fn restore(self: Arc<Self>, threads: usize, checkpoint: Checkpoint) -> Result<Box<dyn AnyTrainer>, NetworkError> {
        Ok(Box::new(Trainer::restore(self, threads, checkpoint)?))
    }
}
