//! The contract of a strategy, and the list of those there are.

use crate::inheritance::Inheritance;
use crate::strategies::blondie::{Blondie, BlondieParams};
use crate::strategies::cma_es::{CmaEs, CmaEsParams};
use crate::strategies::enn::{Enn, EnnParams};
use crate::strategies::ga::{Ga, GaParams};
use crate::strategies::neat::{Neat, NeatParams};
use crate::strategies::openai_es::{OpenaiEs, OpenaiEsParams};
use crate::strategies::random_search::{RandomSearch, RandomSearchParams};
use crate::strategies::series::{Series, SeriesParams};
use crate::strategies::td::{Td, TdParams};
use crate::{Activation, Network, NetworkError, Shape};
use chance::Rng;
use serde::{Deserialize, Serialize};
use std::{fmt, sync::Arc};

/// A population: ask it for networks, tell it their scores. Its genomes are its own business.
pub trait Strategy: Send {
    /// What plays, by place. A network that did not change since the last generation is the same `Arc`.
    fn networks(&self) -> &[Arc<Network>];
    /// Breeds the next generation.
    fn advance(&mut self, results: &Results, rng: &mut Rng);
    /// Takes in networks of another population, in the places of its last; for strategies that
    /// [can](StrategyConfig::takes_migrants).
    fn receive(&mut self, migrants: &[Arc<Network>]) {
        let _ = migrants;
        unreachable!("asked only of strategies that take migrants");
    }
    /// Everything that [`StrategyConfig::restore`] needs to go on from here.
    fn save(&self) -> Vec<u8>;
    /// Who descends from whom, where that is known.
    fn kin(&self) -> Option<Kin> {
        None
    }
    /// How those did that came into the last generation by each way, where that is known.
    fn inheritance(&self) -> &[Inheritance] {
        &[]
    }
    /// The genome at a place as one line of text, where genomes are more than their networks.
    fn genome_text(&self, place: usize) -> Option<String> {
        let _ = place;
        None
    }
    /// The place of the network that it has come to, where that is not whichever scored best: a sample that did may have been
    /// lucky.
    fn chosen(&self) -> Option<usize> {
        None
    }
    /// The one network that learns as it plays, where this is no population.
    fn learner(&mut self) -> Option<&mut Td> {
        None
    }
}

/// Who descends from whom.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Kin {
    /// Every genome, by place.
    pub genomes: Vec<KinEntry>,
    /// Every species.
    pub species: Vec<SpeciesEntry>,
}

/// Where a genome comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KinEntry {
    /// Its number, for the whole run.
    pub number: u64,
    /// Its parents' numbers: the same twice for a copy, 0 for none.
    pub parents: [u64; 2],
    /// Its species' number.
    pub species: u64,
}

/// A species.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpeciesEntry {
    /// Its number, for the whole run.
    pub number: u64,
    /// The generation in which it came up.
    pub born: u64,
    /// The number of the genome that others were compared with.
    pub representative: u64,
}

/// What a strategy is told of a generation.
pub struct Results<'a> {
    /// By place; higher is better.
    pub scores: &'a [f64],
    /// The champions of all generations so far, this one's last.
    pub champions: &'a [Arc<Network>],
    /// By place: inputs of positions in which it was to move in games that it won, the newest first; for strategies that
    /// [ask for them](StrategyConfig::remembers).
    pub won: &'a [Vec<Vec<f32>>],
}

impl<'a> Results<'a> {
    /// Scores, and nothing else.
    pub fn of(scores: &'a [f64]) -> Results<'a> {
        Results { scores, champions: &[], won: &[] }
    }
}

/// Which strategy, with all its parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StrategyConfig {
    /// Shape and weights evolve by mutation alone.
    Enn(EnnParams),
    /// Networks grow, mate and are protected by species.
    Neat(NeatParams),
    /// NEAT in series of tournaments.
    Series(SeriesParams),
    /// A genetic algorithm.
    Ga(GaParams),
    /// Blondie24's scheme.
    Blondie(BlondieParams),
    /// Random networks, again and again.
    RandomSearch(RandomSearchParams),
    /// CMA-ES.
    CmaEs(CmaEsParams),
    /// OpenAI's evolution strategy.
    OpenaiEs(OpenaiEsParams),
    /// One network that learns as it plays itself.
    Td(TdParams),
}

/// A strategy in words, for lists.
#[derive(Clone, Copy, Debug)]
pub struct StrategyInfo {
    /// The name people type.
    pub name: &'static str,
    /// One sentence.
    pub about: &'static str,
}

impl StrategyConfig {
    /// All strategies.
    pub const ALL: &'static [StrategyInfo] = &[
        EnnParams::INFO,
        NeatParams::INFO,
        SeriesParams::INFO,
        GaParams::INFO,
        BlondieParams::INFO,
        RandomSearchParams::INFO,
        CmaEsParams::INFO,
        OpenaiEsParams::INFO,
        TdParams::INFO,
    ];

    /// The strategy in words.
    pub fn info(&self) -> StrategyInfo {
        match self {
            StrategyConfig::Enn(_) => EnnParams::INFO,
            StrategyConfig::Neat(_) => NeatParams::INFO,
            StrategyConfig::Series(_) => SeriesParams::INFO,
            StrategyConfig::Ga(_) => GaParams::INFO,
            StrategyConfig::Blondie(_) => BlondieParams::INFO,
            StrategyConfig::RandomSearch(_) => RandomSearchParams::INFO,
            StrategyConfig::CmaEs(_) => CmaEsParams::INFO,
            StrategyConfig::OpenaiEs(_) => OpenaiEsParams::INFO,
            StrategyConfig::Td(_) => TdParams::INFO,
        }
    }

    /// How many networks it breeds.
    pub fn population(&self) -> usize {
        match self {
            StrategyConfig::Enn(params) => params.population,
            StrategyConfig::Neat(params) => params.population,
            StrategyConfig::Series(params) => params.neat.population,
            StrategyConfig::Ga(params) => params.population,
            StrategyConfig::Blondie(params) => params.population,
            StrategyConfig::RandomSearch(params) => params.population,
            StrategyConfig::CmaEs(params) => params.population,
            StrategyConfig::OpenaiEs(params) => params.population,
            StrategyConfig::Td(_) => 1,
        }
    }

    /// Whether the parameters can be; what cannot, in one sentence.
    pub fn checked(&self) -> Result<(), ParamError> {
        match self {
            StrategyConfig::Enn(params) => params.checked(),
            StrategyConfig::Neat(params) => params.checked(),
            StrategyConfig::Series(params) => params.checked(),
            StrategyConfig::Ga(params) => params.checked(),
            StrategyConfig::Blondie(params) => params.checked(),
            StrategyConfig::RandomSearch(params) => params.checked(),
            StrategyConfig::CmaEs(params) => params.checked(),
            StrategyConfig::OpenaiEs(params) => params.checked(),
            StrategyConfig::Td(params) => params.checked(),
        }
    }

    /// Whether its networks can have that shape; why not, in one sentence.
    pub fn fits(&self, shape: Shape) -> Result<(), ParamError> {
        match self {
            StrategyConfig::Ga(params) => params.layers().fits(shape),
            StrategyConfig::Blondie(params) => params.layers().fits(shape),
            StrategyConfig::RandomSearch(params) => params.layers().fits(shape),
            StrategyConfig::CmaEs(params) => params.fits(shape),
            StrategyConfig::OpenaiEs(params) => params.layers().fits(shape),
            StrategyConfig::Td(params) => params.layers().fits(shape),
            StrategyConfig::Enn(_) | StrategyConfig::Neat(_) | StrategyConfig::Series(_) => Ok(()),
        }
    }

    /// How many numbers its networks carry for their encoder.
    pub fn genes(&self) -> usize {
        match self {
            StrategyConfig::Blondie(params) => params.genes.len(),
            StrategyConfig::Enn(_)
            | StrategyConfig::Neat(_)
            | StrategyConfig::Series(_)
            | StrategyConfig::Ga(_)
            | StrategyConfig::RandomSearch(_)
            | StrategyConfig::CmaEs(_)
            | StrategyConfig::OpenaiEs(_)
            | StrategyConfig::Td(_) => 0,
        }
    }

    /// Between which numbers those stay.
    pub fn gene_bounds(&self) -> Option<(f64, f64)> {
        match self {
            StrategyConfig::Blondie(params) if !params.genes.is_empty() => Some((params.gene_low, params.gene_high)),
            StrategyConfig::Blondie(_)
            | StrategyConfig::Enn(_)
            | StrategyConfig::Neat(_)
            | StrategyConfig::Series(_)
            | StrategyConfig::Ga(_)
            | StrategyConfig::RandomSearch(_)
            | StrategyConfig::CmaEs(_)
            | StrategyConfig::OpenaiEs(_)
            | StrategyConfig::Td(_) => None,
        }
    }

    /// Whether it is one network that learns as it plays itself, and no population.
    pub fn learns(&self) -> bool {
        matches!(self, StrategyConfig::Td(_))
    }

    /// How many positions of won games it wants of each network, each generation.
    pub fn remembers(&self) -> usize {
        match self {
            StrategyConfig::Ga(params) => params.remembers(),
            StrategyConfig::Enn(_)
            | StrategyConfig::Neat(_)
            | StrategyConfig::Series(_)
            | StrategyConfig::Blondie(_)
            | StrategyConfig::RandomSearch(_)
            | StrategyConfig::CmaEs(_)
            | StrategyConfig::OpenaiEs(_)
            | StrategyConfig::Td(_) => 0,
        }
    }

    /// Whether networks of another population can join it: not where a network is but a part of what is bred.
    pub fn takes_migrants(&self) -> bool {
        match self {
            StrategyConfig::Enn(_) | StrategyConfig::Ga(_) => true,
            StrategyConfig::Neat(_)
            | StrategyConfig::Series(_)
            | StrategyConfig::Blondie(_)
            | StrategyConfig::RandomSearch(_)
            | StrategyConfig::CmaEs(_)
            | StrategyConfig::OpenaiEs(_)
            | StrategyConfig::Td(_) => false,
        }
    }

    /// The first generation. The parameters have been [checked](StrategyConfig::checked).
    pub fn create(&self, shape: Shape, rng: &mut Rng) -> Box<dyn Strategy> {
        match self {
            StrategyConfig::Enn(params) => Box::new(Enn::create(params, shape, rng)),
            StrategyConfig::Neat(params) => Box::new(Neat::create(params, shape, rng)),
            StrategyConfig::Series(params) => Box::new(Series::create(params, shape, rng)),
            StrategyConfig::Ga(params) => Box::new(Ga::create(params, shape, rng)),
            StrategyConfig::Blondie(params) => Box::new(Blondie::create(params, shape, rng)),
            StrategyConfig::RandomSearch(params) => Box::new(RandomSearch::create(params, shape, rng)),
            StrategyConfig::CmaEs(params) => Box::new(CmaEs::create(params, shape, rng)),
            StrategyConfig::OpenaiEs(params) => Box::new(OpenaiEs::create(params, shape, rng)),
            StrategyConfig::Td(params) => Box::new(Td::create(params, shape, rng)),
        }
    }

    /// The generation that was saved.
    pub fn restore(&self, shape: Shape, bytes: &[u8]) -> Result<Box<dyn Strategy>, NetworkError> {
        match self {
            StrategyConfig::Enn(params) => Ok(Box::new(Enn::restore(params, shape, bytes)?)),
            StrategyConfig::Neat(params) => Ok(Box::new(Neat::restore(params, shape, bytes)?)),
            StrategyConfig::Series(params) => Ok(Box::new(Series::restore(params, shape, bytes)?)),
            StrategyConfig::Ga(params) => Ok(Box::new(Ga::restore(params, shape, bytes)?)),
            StrategyConfig::Blondie(params) => Ok(Box::new(Blondie::restore(params, shape, bytes)?)),
            StrategyConfig::RandomSearch(params) => Ok(Box::new(RandomSearch::restore(params, shape, bytes)?)),
            StrategyConfig::CmaEs(params) => Ok(Box::new(CmaEs::restore(params, shape, bytes)?)),
            StrategyConfig::OpenaiEs(params) => Ok(Box::new(OpenaiEs::restore(params, shape, bytes)?)),
            StrategyConfig::Td(params) => Ok(Box::new(Td::restore(params, shape, bytes)?)),
        }
    }
}

/// Whether so many networks can be bred: a slip of the finger should not fill the memory.
pub(crate) fn checked_population(population: usize) -> Result<(), ParamError> {
    const MOST: usize = 1_000_000;
    match population {
        1..=MOST => Ok(()),
        _ => {
            let what = format!("population is {population}, but it must be from 1 to {MOST}");
            Err(ParamError { key: "population", what })
        }
    }
}

/// Whether these are names of activations.
pub(crate) fn checked_activations(names: [(&'static str, &str); 2]) -> Result<(), ParamError> {
    match names.into_iter().find(|(_, name)| Activation::named(name, 0.0).is_none()) {
        None => Ok(()),
        Some((key, name)) => {
            let what = format!("{key} is `{name}`, but there are {}", Activation::NAMES.join(", "));
            Err(ParamError { key, what })
        }
    }
}

/// Why parameters cannot be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParamError {
    /// The parameter at fault, or one of those.
    pub key: &'static str,
    /// What was found, and what would be right.
    pub what: String,
}

impl fmt::Display for ParamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for ParamError {}
