//! NEAT's parts (Stanley and Miikkulainen 2002): genes with innovation numbers, genomes and how they mix and change,
//! networks made of them, and species.

mod crossover;
mod distance;
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

pub(crate) use crossover::{Crossover, CrossoverParams, DisabledFrom, Fitter, crossover};
pub(crate) use distance::DistanceParams;
pub(crate) use mutate::{Distribution, Loops, MutationParams};
pub(crate) use species::{Member, Species, quotas, speciate};
