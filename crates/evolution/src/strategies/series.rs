//! The tournament series of Sebastianelli's thesis (2024): parents stay unchanged as benchmarks while the children's
//! values change through a series of tournaments. Only then are all ranked, selected and bred as in NEAT.

use super::layers::broken;
use crate::neat::{Genome, Member};
use crate::params::{StrategyInfo, StrategyParams, default_of_experiment, made_by, must};
use crate::strategies::neat::{self, Neat, NeatParams};
use crate::strategy::{Kin, Results, Strategy};
use crate::{Footprint, Network, NetworkError, Shape};
use chance::Rng;
use parameters::{Allowed::Choice, Described, FROM_1, KeyError, key};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The parameters of the tournament series.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeriesParams {
    /// The number of tournaments in a series; each is a generation of the run.
    pub tournaments: u64,
    /// The values from which a child continues within a series.
    pub keep: Keep,
    /// The parameters of NEAT.
    pub neat: NeatParams,
}

/// The values from which a child continues within a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Keep {
    /// The values of the last tournament, whatever they scored (the thesis). Values always change, with the mutation's
    /// own power.
    Last,
    /// The better values: those of the last tournament, or those before if they scored more.
    Better,
}

const KEYS: &[Described] = &[
    key("tournaments", "number of tournaments in a series; each is a generation of the run", FROM_1),
    key(
        "keep",
        "values from which a child continues within a series",
        Choice(&[
            ("last", "those of the last tournament, whatever they scored"),
            ("better", "those of the last tournament, or those before if they scored more"),
        ]),
    ),
];

default_of_experiment!(SeriesParams, "minichess-tt1");

impl StrategyParams for SeriesParams {
    fn info() -> StrategyInfo {
        let about = "NEAT whose children change their values through a series of tournaments before selection";
        StrategyInfo { name: "series", about, keys: &[("", KEYS), ("neat.", neat::KEYS)] }
    }

    fn population(&self) -> usize {
        self.neat.population
    }

    fn checked(&self) -> Result<(), KeyError> {
        must(self.tournaments > 0, "tournaments", self.tournaments, "it must be at least 1")?;
        self.neat
            .checked()
            .map_err(|error| KeyError::new(format!("neat.{}", error.key), format!("neat.{}", error.what)))
    }

    made_by!(Series);

    /// Includes the genomes of children before their last change.
    fn footprint(&self, shape: Shape) -> Footprint {
        Footprint::of_genomes(self.neat.population, shape, self.neat.start.hidden_max, 2)
    }
}

/// A population within a series.
pub(crate) struct Series {
    params: SeriesParams,
    neat: Neat,
    state: State,
}

/// The state of a series.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct State {
    /// The number of tournaments of this series that have been played.
    played: u64,
    /// By place, whether the genome stays unchanged; none does in the first series.
    fixed: Vec<bool>,
    /// Each child's genome before its last change with the score of that genome, if the child may return to it.
    before: Vec<Option<(Genome, f64)>>,
}

impl Series {
    pub(crate) fn create(params: &SeriesParams, shape: Shape, rng: &mut Rng) -> Series {
        let neat = Neat::create(&params.neat, shape, rng);
        let state = State { played: 0, fixed: vec![false; params.neat.population], before: Vec::new() };
        Series { params: params.clone(), neat, state }
    }

    pub(crate) fn restore(params: &SeriesParams, shape: Shape, bytes: &[u8]) -> Result<Series, NetworkError> {
        let (state, neat): (State, Vec<u8>) = postcard::from_bytes(bytes).map_err(broken)?;
        let neat = Neat::restore(&params.neat, shape, &neat)?;
        let size = params.neat.population;
        if state.fixed.len() != size || !(state.before.is_empty() || state.before.len() == size) {
            return Err(broken(format!("a series of {} networks instead of {size}", state.fixed.len())));
        }
        if state.played >= params.tournaments {
            return Err(broken(format!("{} tournaments of {} are played", state.played, params.tournaments)));
        }
        let earlier = state.before.iter().flatten();
        earlier.into_iter().try_for_each(|(genome, _)| neat.checked(genome)).map_err(broken)?;
        Ok(Series { params: params.clone(), neat, state })
    }

    /// Changes the values of the children; parents stay unchanged.
    fn go_on(&mut self, scores: &[f64], rng: &mut Rng) {
        let State { fixed, before, .. } = &mut self.state;
        before.resize(fixed.len(), None);
        for place in (0..fixed.len()).filter(|&place| !fixed[place]) {
            let genome = self.neat.genome(place);
            let base = match (&before[place], self.params.keep) {
                (Some((better, score)), Keep::Better) if *score > scores[place] => (better.clone(), *score),
                _ => (genome.clone(), scores[place]),
            };
            let child = self.neat.changed(&base.0, rng);
            if self.params.keep == Keep::Better {
                before[place] = Some(base);
            }
            self.neat.replace(place, Member::new(child));
        }
    }
}

impl Strategy for Series {
    fn networks(&self) -> &[Arc<Network>] {
        self.neat.networks()
    }

    fn advance(&mut self, results: &Results, rng: &mut Rng) {
        self.state.played += 1;
        if self.state.played < self.params.tournaments {
            self.go_on(results.scores, rng);
            return;
        }
        // A child that scored more before its last change returns to that genome.
        let mut scores = results.scores.to_vec();
        for (place, before) in self.state.before.iter_mut().enumerate() {
            if let Some((genome, score)) = before.take_if(|(_, score)| *score > scores[place]) {
                scores[place] = score;
                self.neat.replace(place, Member::new(genome));
            }
        }
        let before: Vec<u64> = (0..self.state.fixed.len()).map(|place| self.neat.genome(place).number).collect();
        self.neat.advance(&Results { scores: &scores, ..*results }, rng);
        let stayed = |place: usize| before.contains(&self.neat.genome(place).number);
        let fixed = (0..before.len()).map(stayed).collect();
        self.state = State { played: 0, fixed, before: Vec::new() };
    }

    fn save(&self) -> Vec<u8> {
        postcard::to_allocvec(&(&self.state, self.neat.save())).expect("genomes can always be written")
    }

    fn kin(&self) -> Option<Kin> {
        let mut kin = self.neat.kin()?;
        // NEAT counts series, a run counts tournaments.
        let tournaments = self.params.tournaments;
        let before = |series: u64| (series - 1).saturating_mul(tournaments);
        kin.species.iter_mut().for_each(|species| species.born = before(species.born).saturating_add(1));
        Some(kin)
    }

    fn genome_text(&self, place: usize) -> Option<String> {
        self.neat.genome_text(place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chance::rng_for;

    const SHAPE: Shape = Shape { inputs: 3, outputs: 1 };

    fn params(keep: Keep) -> SeriesParams {
        let mut neat = neat::tests::paper();
        neat.population = 20;
        (neat.selection.parents_stay, neat.selection.parents) = (true, 0.25);
        (neat.mutation.add_node, neat.mutation.weights) = (0.3, 1.0);
        SeriesParams { tournaments: 5, keep, neat }
    }

    fn advance(series: &mut Series, generation: u64) {
        let rng = &mut rng_for(5, &[generation]);
        let scores: Vec<f64> = (0..20).map(|_| rng.unit()).collect();
        series.advance(&Results::of(&scores), rng);
    }

    #[test]
    fn parents_wait_while_children_change() {
        for keep in [Keep::Last, Keep::Better] {
            let mut series = Series::create(&params(keep), SHAPE, &mut rng_for(1, &[]));
            let shapes =
                |series: &Series| -> Vec<usize> { (0..20).map(|place| series.neat.genome(place).genes()).collect() };
            for generation in 1..=30 {
                let (networks, genes) = (series.networks().to_vec(), shapes(&series));
                let fixed = series.state.fixed.clone();
                advance(&mut series, generation);
                // No genome's species is older than the tournament in which it was formed.
                let born = |species: &crate::SpeciesEntry| species.born <= generation + 1 && species.born % 5 == 1;
                assert!(series.kin().unwrap().species.iter().all(born));
                if generation % 5 == 0 {
                    let stayed = series.state.fixed.iter().filter(|fixed| **fixed).count();
                    assert!((3..=8).contains(&stayed), "{stayed}");
                    continue;
                }
                assert_eq!(shapes(&series), genes, "structure waits");
                for place in 0..20 {
                    let same = Arc::ptr_eq(&networks[place], &series.networks()[place]);
                    assert_eq!(same, fixed[place], "place {place} in generation {generation}");
                }
            }
        }
    }

    #[test]
    fn a_restored_series_continues_like_the_original() {
        for keep in [Keep::Last, Keep::Better] {
            let params = params(keep);
            let mut alone = Series::create(&params, SHAPE, &mut rng_for(1, &[]));
            let mut saved = Series::create(&params, SHAPE, &mut rng_for(1, &[]));
            for generation in 1..=23 {
                advance(&mut alone, generation);
                advance(&mut saved, generation);
                saved = Series::restore(&params, SHAPE, &saved.save()).unwrap();
                assert_eq!(alone.save(), saved.save());
                assert_eq!(alone.kin(), saved.kin());
            }
            let bytes = alone.save();
            assert!(Series::restore(&params, SHAPE, &bytes[..bytes.len() / 2]).is_err());
        }
        let error = SeriesParams { tournaments: 0, ..params(Keep::Last) }.checked().unwrap_err();
        assert!(error.what.contains("at least 1"));
    }

    #[test]
    fn impossible_saved_series_are_refused() {
        let params = params(Keep::Better);
        let mut series = Series::create(&params, SHAPE, &mut rng_for(1, &[]));
        advance(&mut series, 1);
        for played in [5, u64::MAX] {
            series.state.played = played;
            let error = Series::restore(&params, SHAPE, &series.save()).err().expect("it must be refused").0;
            assert!(error.contains("tournaments of 5 are played"), "{error}");
        }
        // Numbers of generations do not overflow, however long a series is.
        series.state.played = 0;
        series.params.tournaments = u64::MAX;
        assert!(series.kin().is_some());
    }
}
