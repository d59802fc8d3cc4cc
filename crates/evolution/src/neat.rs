//! The parts of NEAT (Stanley and Miikkulainen 2002): genes with innovation numbers, genomes with crossover and
//! mutation, networks made from genomes, and species.

mod crossover;
mod genome;
mod genome_text;
mod innovations;
mod mutate;
mod phenotype;
mod species;

pub use genome::{ConnectionGene, Genome, Layout, NodeGene, Status};
pub use genome_text::{Blueprint, GenomeError};
pub use innovations::Innovations;

pub(crate) use innovations::SavedInnovations;

#[cfg(test)]
pub(crate) use crossover::{Crossover, DisabledFrom};
pub(crate) use crossover::{CrossoverSettings, Fitter, crossover};
#[cfg(test)]
pub(crate) use mutate::Loops;
pub(crate) use mutate::MutationSettings;
pub(crate) use species::{Member, Species, SpeciesSettings, quotas, speciate};
