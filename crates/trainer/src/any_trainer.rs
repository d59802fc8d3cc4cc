//! A trainer of a game that is known only by name, as files, labs and servers need it. It is instantiated for each game
//! in this crate, so that the code of a generation is compiled only once.

use crate::hall_of_fame::Archive;
use crate::trainer::{Checkpoint, Generation, PartPlayer, Trainer, TypedPartPlayer};
use crate::{Error, ExperimentFile};
use arena::{Exam, Sharing};
use evolution::{Network, NetworkError};
use games::{Game, GameVisitor};
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
    /// From now on, other machines play the games for scores.
    fn share(&mut self, sharing: Box<dyn Sharing>);
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

    fn share(&mut self, sharing: Box<dyn Sharing>) {
        Trainer::share(self, sharing);
    }

    fn examine_champion(&mut self, archive: &dyn Archive) -> Result<Option<Exam>, Error> {
        Trainer::examine_champion(self, archive)
    }
}

impl ExperimentFile {
    /// The first generation of this experiment, not yet played.
    pub fn trainer(&self, threads: usize) -> Box<dyn AnyTrainer> {
        CreateTrainer { experiment: self, threads }.in_game(self.game()).expect(KNOWN)
    }

    /// Goes on with this experiment from a checkpoint.
    pub fn restore(&self, threads: usize, checkpoint: Checkpoint) -> Result<Box<dyn AnyTrainer>, NetworkError> {
        RestoreTrainer { experiment: self, threads, checkpoint }.in_game(self.game()).expect(KNOWN)
    }

    /// Plays games of this experiment for a trainer on another machine.
    pub fn part_player(&self, threads: usize) -> Box<dyn PartPlayer> {
        CreatePartPlayer { experiment: self, threads }.in_game(self.game()).expect(KNOWN)
    }
}

const KNOWN: &str = "an experiment is decoded for a game that is known";

/// Creates the trainer of an experiment.
pub(crate) struct CreateTrainer<'a> {
    experiment: &'a ExperimentFile,
    threads: usize,
}

games::by_name!(CreateTrainer<'a>, 'a);

impl GameVisitor for CreateTrainer<'_> {
    type Output = Box<dyn AnyTrainer>;

    fn visit<G: Game>(self) -> Box<dyn AnyTrainer> {
        Box::new(Trainer::<G>::create(self.experiment.typed().expect(KNOWN), self.threads))
    }
}

/// Restores the trainer of an experiment from a checkpoint.
pub(crate) struct RestoreTrainer<'a> {
    experiment: &'a ExperimentFile,
    threads: usize,
    checkpoint: Checkpoint,
}

games::by_name!(RestoreTrainer<'a>, 'a);

impl GameVisitor for RestoreTrainer<'_> {
    type Output = Result<Box<dyn AnyTrainer>, NetworkError>;

    fn visit<G: Game>(self) -> Result<Box<dyn AnyTrainer>, NetworkError> {
        let experiment = self.experiment.typed().expect(KNOWN);
        Ok(Box::new(Trainer::<G>::restore(experiment, self.threads, self.checkpoint)?))
    }
}

/// Creates the part player of an experiment.
pub(crate) struct CreatePartPlayer<'a> {
    experiment: &'a ExperimentFile,
    threads: usize,
}

games::by_name!(CreatePartPlayer<'a>, 'a);

impl GameVisitor for CreatePartPlayer<'_> {
    type Output = Box<dyn PartPlayer>;

    fn visit<G: Game>(self) -> Box<dyn PartPlayer> {
        Box::new(TypedPartPlayer::<G>::new(self.experiment.typed().expect(KNOWN), self.threads))
    }
}
