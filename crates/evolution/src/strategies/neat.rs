//! NEAT (Stanley and Miikkulainen 2002): genomes grow from simple ones, are crossed by innovation numbers, and are
//! protected by species. The variants of Sebastianelli's thesis (2024) are options.

mod params;

pub(crate) use params::KEYS;
pub use params::{Bias, NeatParams, SelectionSettings, StartParams};

use super::layers::broken;
use crate::neat::{
    CrossoverSettings, Fitter, Genome, Innovations, Layout, Member, SavedInnovations, Species, SpeciesSettings,
    crossover, quotas, speciate,
};
use crate::strategy::{Kin, KinEntry, Results, SpeciesEntry, Strategy};
use crate::{Network, NetworkError, Shape};
use chance::Rng;
use serde::{Deserialize, Serialize};
use std::cell::OnceCell;
use std::sync::Arc;

/// A population of genomes.
pub(crate) struct Neat {
    params: NeatParams,
    layout: Layout,
    population: Vec<Arc<Member>>,
    networks: OnceCell<Vec<Arc<Network>>>,
    species: Vec<Species>,
    innovations: Innovations,
    state: State,
}

/// The rest of what a population must save.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct State {
    generation: u64,
    threshold: f64,
    next_genome: u64,
    next_species: u64,
    /// The best score of all generations, and the generation in which it was reached.
    best: f64,
    improved: u64,
}

impl State {
    /// Checks that a run can have reached this state; the error says what is impossible.
    fn checked(&self) -> Result<(), String> {
        // Far beyond what any run reaches, and far below the highest `u64`.
        const MOST: u64 = u64::MAX / 2;
        let State { generation, threshold, next_genome, next_species, improved, .. } = *self;
        if generation == 0 || generation > MOST || improved > generation {
            return Err(format!(
                "generation {generation} with the last improvement in generation {improved} is impossible"
            ));
        }
        if next_genome > MOST || next_species > MOST {
            return Err(format!("the next numbers, genome {next_genome} and species {next_species}, are too large"));
        }
        if !threshold.is_finite() {
            return Err(format!("the threshold of species is {threshold}, which is not a number"));
        }
        Ok(())
    }
}

/// A species in the saved bytes.
#[derive(Serialize, Deserialize)]
struct SavedSpecies {
    number: u64,
    born: u64,
    best: f64,
    improved: u64,
    representative: Genome,
    members: Vec<u32>,
}

impl Neat {
    pub(crate) fn create(params: &NeatParams, shape: Shape, rng: &mut Rng) -> Neat {
        let layout = params.layout(shape);
        let mut innovations = Innovations::new(layout.first_hidden());
        let population: Vec<Arc<Member>> = (1..=params.population as u64)
            .map(|number| Member::new(params.newcomer(&layout, number, &mut innovations, rng)))
            .collect();
        let mut state = State {
            generation: 1,
            threshold: params.species.threshold,
            next_genome: params.population as u64 + 1,
            next_species: 1,
            best: f64::NEG_INFINITY,
            improved: 1,
        };
        let species = speciate(&population, Vec::new(), &params.species, state.threshold, 1, &mut state.next_species);
        Neat { params: params.clone(), layout, population, networks: OnceCell::new(), species, innovations, state }
    }

    pub(crate) fn restore(params: &NeatParams, shape: Shape, bytes: &[u8]) -> Result<Neat, NetworkError> {
        let (state, innovations, genomes, species): (State, SavedInnovations, Vec<Genome>, Vec<SavedSpecies>) =
            postcard::from_bytes(bytes).map_err(broken)?;
        let layout = params.layout(shape);
        if genomes.len() != params.population {
            return Err(broken(format!("{} genomes instead of {}", genomes.len(), params.population)));
        }
        let all = genomes.iter().chain(species.iter().map(|species| &species.representative));
        all.into_iter().try_for_each(|genome| genome.checked(&layout)).map_err(broken)?;
        let innovations = Innovations::restore(innovations, layout.first_hidden()).map_err(broken)?;
        let all = genomes.iter().chain(species.iter().map(|species| &species.representative));
        all.into_iter().try_for_each(|genome| innovations.checked(genome)).map_err(broken)?;
        state.checked().map_err(broken)?;
        let population: Vec<Arc<Member>> = genomes.into_iter().map(Member::new).collect();
        let mut kinds = Vec::new();
        let mut homeless = vec![true; population.len()];
        for SavedSpecies { number, born, best, improved, representative, members } in species {
            // Every genome is in exactly one species, and every species has a member.
            let takes = |place: &u32| homeless.get_mut(*place as usize).is_some_and(std::mem::take);
            if members.is_empty() || !members.iter().all(takes) {
                return Err(broken(format!(
                    "species {number} has no member, or one that does not exist or is in another species"
                )));
            }
            if !(1..=state.generation).contains(&born) || improved > state.generation {
                return Err(broken(format!(
                    "species {number} was formed in generation {born} and improved in {improved}, but this is {}",
                    state.generation
                )));
            }
            // A representative that is still in the population is shared with it.
            let alive = population.iter().find(|member| member.genome.number == representative.number);
            let representative = alive.cloned().unwrap_or_else(|| Member::new(representative));
            let members = members.into_iter().map(|place| place as usize).collect();
            kinds.push(Species { number, born, best, improved, representative, members });
        }
        if let Some(place) = homeless.iter().position(|&homeless| homeless) {
            return Err(broken(format!("the genome at place {place} is in no species")));
        }
        let params = params.clone();
        Ok(Neat { params, layout, population, networks: OnceCell::new(), species: kinds, innovations, state })
    }

    /// Checks that a genome can be in this population; the error says why it cannot.
    pub(crate) fn checked(&self, genome: &Genome) -> Result<(), String> {
        genome.checked(&self.layout).and_then(|()| self.innovations.checked(genome))
    }

    /// The genome at a place.
    pub(crate) fn genome(&self, place: usize) -> &Genome {
        &self.population[place].genome
    }

    /// A copy of a genome with mutated values and a new number.
    pub(crate) fn changed(&mut self, genome: &Genome, rng: &mut Rng) -> Genome {
        let number = self.state.next_genome;
        self.state.next_genome += 1;
        let mut child = Genome { number, parents: [genome.number; 2], ..genome.clone() };
        child.mutate_values(&self.layout, &self.params.mutation, self.params.range(), 1.0, rng);
        child
    }

    /// Replaces the genome at a place by another one of the same species.
    pub(crate) fn replace(&mut self, place: usize, member: Arc<Member>) {
        self.population[place] = member;
        self.networks = OnceCell::new();
    }

    /// The places of each species' members, from the best down. Also updates the best scores of species and population.
    fn ranked(&mut self, scores: &[f64]) -> Vec<Vec<usize>> {
        let State { generation, best, improved, .. } = &mut self.state;
        let mut ranked = Vec::with_capacity(self.species.len());
        for species in &mut self.species {
            let mut members = species.members.clone();
            members.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]).then(a.cmp(&b)));
            let top = scores[members[0]];
            if top > species.best {
                (species.best, species.improved) = (top, *generation);
            }
            if top > *best {
                (*best, *improved) = (top, *generation);
            }
            ranked.push(members);
        }
        ranked
    }

    /// Each species' claim to the next generation: the mean of its members' scores, or 0 if it stagnates.
    fn claims(&mut self, ranked: &[Vec<usize>], scores: &[f64]) -> Vec<f64> {
        let SpeciesSettings { stagnation, refocus, .. } = self.params.species;
        let generation = self.state.generation;
        let mut claims: Vec<f64> = ranked
            .iter()
            .map(|members| members.iter().map(|&place| scores[place]).sum::<f64>() / members.len() as f64)
            .collect();
        let mut order: Vec<usize> = (0..ranked.len()).collect();
        order.sort_by(|&a, &b| scores[ranked[b][0]].total_cmp(&scores[ranked[a][0]]).then(a.cmp(&b)));
        if refocus > 0 && generation - self.state.improved > refocus {
            order.iter().skip(2).for_each(|&place| claims[place] = 0.0);
            // These species get more time: their count begins anew.
            self.state.improved = generation;
            order.iter().take(2).for_each(|&place| self.species[place].improved = generation);
        } else if stagnation > 0 {
            // The best species keeps its claim, even if it stagnates.
            for &place in &order[1..] {
                if generation - self.species[place].improved >= stagnation {
                    claims[place] = 0.0;
                }
            }
        }
        claims
    }

    /// A child of the species with index `home`, with one parent or two.
    fn child(
        &mut self,
        parents: &[Vec<usize>],
        home: usize,
        scores: &[f64],
        ranks: &[f32],
        rng: &mut Rng,
    ) -> Arc<Member> {
        let draw = |places: &[usize], rng: &mut Rng| places[rng.below(places.len())];
        let one = draw(&parents[home], rng);
        let number = self.state.next_genome;
        self.state.next_genome += 1;
        let CrossoverSettings { mutation_only, interspecies, .. } = self.params.crossover;
        let alone = mutation_only > 0.0 && rng.unit() < mutation_only;
        let (mut child, best) = if alone {
            let genome = &self.population[one].genome;
            (Genome { number, parents: [genome.number; 2], ..genome.clone() }, one)
        } else {
            let abroad = interspecies > 0.0 && parents.len() > 1 && rng.unit() < interspecies;
            let two = match abroad {
                // Any species but its own.
                true => draw(&parents[(home + 1 + rng.below(parents.len() - 1)) % parents.len()], rng),
                false => draw(&parents[home], rng),
            };
            let (one_genome, two_genome) = (&self.population[one].genome, &self.population[two].genome);
            // The fitter parent comes first: the one with the higher score, then fewer genes, then the lower place.
            let order = scores[two].total_cmp(&scores[one]);
            let order = order.then(one_genome.genes().cmp(&two_genome.genes())).then(one.cmp(&two));
            let pair = if order.is_gt() { Fitter(two_genome, one_genome) } else { Fitter(one_genome, two_genome) };
            let best = if order.is_gt() { two } else { one };
            (crossover(&pair, &self.params.crossover, number, rng), best)
        };
        let by_rank = if self.params.mutation.power_by_rank { 0.5 + ranks[best] } else { 1.0 };
        let power = by_rank * self.params.mutation.fallen(self.state.generation);
        child.mutate(&self.layout, &self.params.mutation, self.params.range(), power, &mut self.innovations, rng);
        Member::new(child)
    }
}

impl Strategy for Neat {
    fn networks(&self) -> &[Arc<Network>] {
        let blueprint = self.params.blueprint(self.layout);
        let make = |member: &Arc<Member>| {
            Arc::clone(member.network.get_or_init(|| Arc::new(blueprint.network(&member.genome))))
        };
        self.networks.get_or_init(|| self.population.iter().map(make).collect())
    }

    fn advance(&mut self, results: &Results, rng: &mut Rng) {
        // 1. Scores that are finite and at least 0, and the ranking within each species.
        let raw = finite(results.scores);
        let lowest = raw.iter().copied().fold(0.0, f64::min);
        let scores: Vec<f64> = raw.iter().map(|score| score - lowest).collect();
        let ranked = self.ranked(&raw);
        let ranks = if self.params.mutation.power_by_rank { shares_above(&scores) } else { Vec::new() };
        // 2. The number of places for each species.
        let claims = self.claims(&ranked, &scores);
        let quotas = quotas(&claims, self.params.population, self.params.species.least);
        // 3. The parents of each species.
        let SelectionSettings { parents, parents_stay, champions_above } = self.params.selection;
        let mut parent_places: Vec<Vec<usize>> = Vec::new();
        let mut homes = Vec::new();
        for (members, &quota) in ranked.iter().zip(&quotas) {
            if quota > 0 {
                let count = ((parents * members.len() as f64).round() as usize).clamp(1, members.len());
                parent_places.push(members[..count].to_vec());
                homes.push((quota, members.len()));
            }
        }
        // 4. The members that stay, then children.
        let mut next: Vec<Arc<Member>> = Vec::with_capacity(self.params.population);
        for (home, &(quota, size)) in homes.iter().enumerate() {
            let staying = match parents_stay {
                true => parent_places[home].len().min(quota),
                false => usize::from(size > champions_above),
            };
            next.extend(parent_places[home][..staying].iter().map(|&place| Arc::clone(&self.population[place])));
            for _ in staying..quota {
                next.push(self.child(&parent_places, home, &scores, &ranks, rng));
            }
        }
        // 5. The species of the next generation, around representatives drawn from the last one's members.
        for (species, members) in self.species.iter_mut().zip(&ranked) {
            let count = match parents_stay {
                true => ((parents * members.len() as f64).round() as usize).clamp(1, members.len()),
                false => members.len(),
            };
            species.representative = Arc::clone(&self.population[members[rng.below(count)]]);
        }
        let State { generation, threshold, next_species, .. } = &mut self.state;
        *generation += 1;
        let SpeciesSettings { target, threshold_step, .. } = self.params.species;
        if target > 0 {
            match self.species.len().cmp(&target) {
                std::cmp::Ordering::Greater => *threshold += threshold_step,
                std::cmp::Ordering::Less if *threshold > 2.0 * threshold_step => *threshold -= threshold_step,
                std::cmp::Ordering::Less => *threshold *= 0.5,
                std::cmp::Ordering::Equal => {}
            }
        }
        let kinds = std::mem::take(&mut self.species);
        self.species = speciate(&next, kinds, &self.params.species, *threshold, *generation, next_species);
        self.population = next;
        self.networks = OnceCell::new();
    }

    fn save(&self) -> Vec<u8> {
        let genomes: Vec<&Genome> = self.population.iter().map(|member| &member.genome).collect();
        let save = |species: &Species| SavedSpecies {
            number: species.number,
            born: species.born,
            best: species.best,
            improved: species.improved,
            representative: species.representative.genome.clone(),
            members: species.members.iter().map(|&place| place as u32).collect(),
        };
        let species: Vec<SavedSpecies> = self.species.iter().map(save).collect();
        let saved = (&self.state, self.innovations.save(), genomes, species);
        postcard::to_allocvec(&saved).expect("genomes can always be written")
    }

    fn kin(&self) -> Option<Kin> {
        let mut species_of = vec![0; self.population.len()];
        for species in &self.species {
            species.members.iter().for_each(|&place| species_of[place] = species.number);
        }
        let genomes = self.population.iter().zip(species_of).map(|(member, species)| {
            let Genome { number, parents, .. } = member.genome;
            KinEntry { number, parents, species }
        });
        let species = self.species.iter().map(|species| SpeciesEntry {
            number: species.number,
            born: species.born,
            representative: species.representative.genome.number,
        });
        Some(Kin { genomes: genomes.collect(), species: species.collect() })
    }

    fn genome_text(&self, place: usize) -> Option<String> {
        Some(self.population.get(place)?.genome.to_text(&self.params.blueprint(self.layout)))
    }
}

/// The scores with NaN replaced by the lowest finite score, and infinities by the lowest or the highest one.
fn finite(scores: &[f64]) -> Vec<f64> {
    let numbers = || scores.iter().copied().filter(|score| score.is_finite());
    let (low, high) = (numbers().fold(f64::INFINITY, f64::min), numbers().fold(f64::NEG_INFINITY, f64::max));
    let (low, high) = if low <= high { (low, high) } else { (0.0, 0.0) };
    scores.iter().map(|score| if score.is_nan() { low } else { score.clamp(low, high) }).collect()
}

/// By place, the share of the population that scores higher.
fn shares_above(scores: &[f64]) -> Vec<f32> {
    let mut sorted: Vec<f64> = scores.to_vec();
    sorted.sort_by(f64::total_cmp);
    let above =
        |score: &f64| (sorted.len() - sorted.partition_point(|other| other <= score)) as f32 / sorted.len() as f32;
    scores.iter().map(above).collect()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::StrategyParams;
    use crate::neat::{Crossover, DisabledFrom, Loops, MutationSettings};
    use chance::rng_for;
    use std::collections::{BTreeMap, BTreeSet};

    const SHAPE: Shape = Shape { inputs: 3, outputs: 2 };

    /// The parameters of the paper.
    pub fn paper() -> NeatParams {
        let mut all: BTreeMap<String, NeatParams> =
            toml::from_str(include_str!("../../examples/shared/neat.toml")).unwrap();
        all.remove("neat").unwrap()
    }

    fn params() -> NeatParams {
        let mut params = paper();
        params.population = 40;
        (params.mutation.add_node, params.mutation.add_connection) = (0.2, 0.4);
        params
    }

    fn scores(generation: u64) -> Vec<f64> {
        let rng = &mut rng_for(5, &[generation]);
        (0..40).map(|_| rng.unit() - 0.2).collect()
    }

    fn advance(neat: &mut Neat, generation: u64) {
        neat.advance(&Results::of(&scores(generation)), &mut rng_for(7, &[generation]));
    }

    fn variants() -> Vec<NeatParams> {
        let mut all = vec![params()];
        for loops in [Loops::Retire, Loops::Reactivate] {
            let mut params = params();
            params.mutation.loops = loops;
            (params.mutation.every_try, params.mutation.connection_tries) = (true, 5);
            (params.bias, params.mutation.power_by_rank) = (Bias::Nodes, true);
            params.crossover.values = Crossover::Average;
            params.crossover.disabled_from = DisabledFrom::Fitter;
            (params.selection.parents_stay, params.selection.parents) = (true, 0.25);
            (params.species.nodes, params.species.bias, params.species.least) = (0.1, 0.1, 2);
            (params.species.target, params.species.threshold_step) = (5, 0.2);
            all.push(params);
        }
        let mut dense = params();
        (dense.start.hidden_min, dense.start.hidden_max, dense.start.density) = (1, 10, 0.5);
        all.push(dense);
        all
    }

    #[test]
    fn the_power_falls_by_half() {
        let fallen =
            |power_halves, generation| MutationSettings { power_halves, ..params().mutation }.fallen(generation);
        assert_eq!([1, 50, 5000].map(|generation| fallen(0, generation)), [1.0; 3]);
        let found = [1, 11, 21, 26, 1_000_000].map(|generation| fallen(10, generation));
        for (found, expected) in found.into_iter().zip([1.0, 0.5, 0.25, 0.25 / 2f32.sqrt(), 0.0]) {
            assert!((found - expected).abs() < 1e-6, "{found} and {expected}");
        }
    }

    /// Genomes are valid, networks can be made, the population keeps its size, and innovation numbers mean the same in
    /// all genomes.
    #[test]
    fn populations_keep_their_promises() {
        for params in variants() {
            params.checked().unwrap();
            let mut neat = Neat::create(&params, SHAPE, &mut rng_for(1, &[]));
            let mut ends: BTreeMap<u32, (u32, u32)> = BTreeMap::new();
            let mut grown = 0;
            for generation in 1..=60 {
                assert_eq!(neat.networks().len(), 40);
                let mut numbers = BTreeSet::new();
                for member in &neat.population {
                    member.genome.checked(&neat.layout).unwrap();
                    assert!(numbers.insert(member.genome.number));
                    for gene in &member.genome.connections {
                        assert_eq!(*ends.entry(gene.innovation).or_insert((gene.from, gene.to)), (gene.from, gene.to));
                        assert!(gene.weight.abs() <= 8.0);
                    }
                    grown = grown.max(member.genome.nodes.len());
                }
                let members: usize = neat.species.iter().map(|species| species.members.len()).sum();
                assert_eq!(members, 40);
                advance(&mut neat, generation);
            }
            assert!(grown > 4, "no genome has grown");
        }
    }

    #[test]
    fn a_restored_population_continues_like_the_original() {
        for params in variants() {
            let mut neat = Neat::create(&params, SHAPE, &mut rng_for(1, &[]));
            for generation in 1..=40 {
                advance(&mut neat, generation);
                if generation % 7 == 0 {
                    let bytes = neat.save();
                    let mut restored = Neat::restore(&params, SHAPE, &bytes).unwrap();
                    assert_eq!(restored.save(), bytes);
                    advance(&mut restored, 100 + generation);
                    let mut same = Neat::restore(&params, SHAPE, &bytes).unwrap();
                    advance(&mut same, 100 + generation);
                    assert_eq!(restored.save(), same.save());
                    neat = Neat::restore(&params, SHAPE, &bytes).unwrap();
                }
            }
            let mut alone = Neat::create(&params, SHAPE, &mut rng_for(1, &[]));
            (1..=40).for_each(|generation| advance(&mut alone, generation));
            assert_eq!(alone.save(), neat.save());
            assert_eq!(alone.kin(), neat.kin());
        }
    }

    /// NaN and infinities never win, and no place is lost by them.
    #[test]
    fn odd_scores_do_no_harm() {
        assert_eq!(finite(&[1.0, f64::NAN, -2.0, f64::INFINITY, f64::NEG_INFINITY]), [1.0, -2.0, -2.0, 1.0, -2.0]);
        assert_eq!(finite(&[f64::NAN, f64::INFINITY]), [0.0, 0.0]);
        for params in variants() {
            let mut neat = Neat::create(&params, SHAPE, &mut rng_for(1, &[]));
            for generation in 1..=20u64 {
                let rng = &mut rng_for(3, &[generation]);
                let odd = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -1e300, 1e300];
                let scores: Vec<f64> = (0..40).map(|_| odd[rng.below(6)]).collect();
                neat.advance(&Results::of(&scores), rng);
                assert_eq!(neat.networks().len(), 40);
            }
        }
    }

    #[test]
    fn damaged_bytes_are_refused() {
        let params = params();
        let neat = Neat::create(&params, SHAPE, &mut rng_for(1, &[]));
        let bytes = neat.save();
        for cut in [0, 1, bytes.len() / 2, bytes.len() - 1] {
            assert!(Neat::restore(&params, SHAPE, &bytes[..cut]).is_err());
        }
        assert!(Neat::restore(&params, Shape { inputs: 2, outputs: 2 }, &bytes).is_err());
    }

    /// Parents that stay are the best of their species and stay the same networks.
    #[test]
    fn parents_stay_where_they_should() {
        let mut params = params();
        (params.selection.parents_stay, params.selection.parents, params.species.stagnation) = (true, 0.25, 0);
        let mut neat = Neat::create(&params, SHAPE, &mut rng_for(1, &[]));
        let before: Vec<Arc<Network>> = neat.networks().to_vec();
        let best = (0..40).max_by(|&a, &b| scores(1)[a].total_cmp(&scores(1)[b])).unwrap();
        advance(&mut neat, 1);
        let after = neat.networks();
        assert!(after.iter().any(|network| Arc::ptr_eq(network, &before[best])));
        let stayed = after.iter().filter(|network| before.iter().any(|old| Arc::ptr_eq(old, network))).count();
        assert!((8..=14).contains(&stayed), "{stayed}");
    }

    #[test]
    fn invalid_parameters_are_refused() {
        let check = |change: &dyn Fn(&mut NeatParams), why: &str| {
            let mut params = params();
            change(&mut params);
            let error = params.checked().unwrap_err().what;
            assert!(error.contains(why), "{error}");
        };
        check(&|p| p.mutation.add_node = 1.5, "mutation.add_node is 1.5, but a chance is from 0 to 1");
        check(&|p| p.crossover.disabled = f64::NAN, "crossover.disabled is NaN");
        check(&|p| p.species.threshold = 0.0, "species.threshold is 0, but it must be a number above 0");
        check(&|p| p.population = 0, "population is 0");
        check(&|p| p.species.least = 41, "species.least is 41, but it must be at most the population, 40");
        check(&|p| p.species.target = 41, "species.target is 41");
        check(&|p| p.selection.parents = 0.0, "selection.parents is 0");
        check(&|p| (p.selection.parents, p.selection.parents_stay) = (1.0, true), "leaves no room for children");
        check(&|p| p.mutation.connection_tries = 0, "mutation.connection_tries is 0");
        check(&|p| p.start.hidden_min = 3, "start.hidden_min is 3");
        check(&|p| p.activation = "step".into(), "activation is `step`");
        check(&|p| p.mutation.limit = -1.0, "mutation.limit is -1");
    }

    /// Saved populations that no run can reach are refused. Some of them caused a panic a generation later.
    #[test]
    fn impossible_saved_populations_are_refused() {
        type Saved = (State, SavedInnovations, Vec<Genome>, Vec<SavedSpecies>);
        let params = params();
        let mut neat = Neat::create(&params, SHAPE, &mut rng_for(1, &[]));
        (1..=5).for_each(|generation| advance(&mut neat, generation));
        let check = |change: &dyn Fn(&mut Saved), why: &str| {
            let mut saved: Saved = postcard::from_bytes(&neat.save()).unwrap();
            change(&mut saved);
            let restored = Neat::restore(&params, SHAPE, &postcard::to_allocvec(&saved).unwrap());
            let error = restored.err().unwrap_or_else(|| panic!("restored, but {why}")).0;
            assert!(error.contains(why), "{error}");
        };
        check(&|saved| saved.0.improved = 7, "the last improvement in generation 7");
        check(&|saved| saved.0.generation = u64::MAX, "generation 18446744073709551615");
        check(&|saved| saved.0.next_genome = u64::MAX, "genome 18446744073709551615");
        check(&|saved| saved.0.threshold = f64::NAN, "the threshold of species is NaN");
        check(&|saved| saved.3.clear(), "the genome at place 0 is in no species");
        check(&|saved| saved.3[0].members.truncate(0), "has no member, or one that does not exist");
        check(&|saved| saved.3[0].members[0] = 40, "one that does not exist");
        check(&|saved| saved.3[0].members.extend_from_within(..1), "or is in another species");
        check(&|saved| saved.3[0].born = 0, "was formed in generation 0");
        check(&|saved| saved.3[0].improved = 7, "improved in 7");
        check(&|saved| saved.2[0].connections[0].weight = f32::NAN, "is NaN, which is not a number");
        check(&|saved| saved.2[0].nodes[0].bias = f32::INFINITY, "is inf, which is not a number");
        let last = |saved: &mut Saved| saved.2[0].connections.last_mut().unwrap().innovation = u32::MAX;
        check(&last, "connection 4294967295");
    }
}
