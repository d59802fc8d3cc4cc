//! The genetic algorithm of Nguyen (2018): layered networks of one size. The best networks stay; the others are their
//! children, by crossover and mutation.

use super::layers::{HIDDEN, Layers, RANGE, WIRED, broken, has_layers, layered, with_weights};
use super::memory::Memory;
use crate::footprint::{PIECE, bytes};
use crate::inheritance::{Descent, Inheritance, Way, inheritance, ranking};
use crate::lanes::Scratch;
use crate::params::{
    POPULATION, StrategyInfo, StrategyParams, above_0, chance, checked_elites, default_of_experiment, from_0, made_by,
    must,
};
use crate::strategy::{Host, Results, Strategy};
use crate::{Footprint, Layered, Network, NetworkError, Shape};
use chance::Rng;
use parameters::{Allowed::*, CHANCE, Described, FROM_0, FROM_1, KeyError, key};
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::sync::Arc;

/// The parameters of the genetic algorithm.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GaParams {
    /// The number of networks.
    pub population: usize,
    /// The number of elites: the best networks stay unchanged and are the parents of all others.
    pub elites: usize,
    /// The number of nodes in each hidden layer.
    pub hidden: Vec<usize>,
    /// How many of the last inputs go directly to the output with weight 1.
    pub wired: usize,
    /// Weights and biases begin within ±range.
    pub range: f64,
    /// What two parents swap.
    pub crossover: Crossover,
    /// With the crossover `node`, only weights beyond ±dominance are swapped.
    pub dominance: f64,
    /// In a mutation, weights move by up to step/√(2√K), where K is the number of weights.
    pub step: f64,
    /// When a weight beyond ±bound moves, the part beyond the bound is halved.
    pub bound: f64,
    /// The probability that a mutation is a safe mutation.
    pub safe: f64,
    /// The number of tries of a safe mutation; the one that changes the network's answers least is taken.
    pub tries: usize,
    /// The number of positions from won games that each network remembers for safe mutations.
    pub remembered: usize,
}

/// What two parents swap. The two children are complementary: what one has from a parent, the other has from the other
/// parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Crossover {
    /// The dominant weights that enter one hidden node of the better parent.
    Node,
    /// All weights between two points.
    TwoPoint,
    /// Each weight with probability ½.
    Uniform,
}

/// The highest number of tries and of positions, so that a typing error cannot stop the run.
const MOST_TRIES: usize = 10_000;

const KEYS: &[Described] = &[
    key("population", "number of networks; at least 3 with the schedule circular", POPULATION),
    key(
        "elites",
        "number of the best networks that stay and are the parents of all others; less than the population",
        FROM_1,
    ),
    HIDDEN,
    WIRED,
    RANGE,
    key(
        "crossover",
        "what two parents swap",
        Choice(&[
            ("node", "the dominant weights that enter one hidden node of the better parent"),
            ("two-point", "all weights between two points"),
            ("uniform", "each weight with probability 1/2"),
        ]),
    ),
    key("dominance", "with the crossover node, only weights beyond ±dominance are swapped", FROM_0),
    key("step", "weights move by up to step/√(2√K), where K is the number of weights; above 0", Number(0.0, 100.0)),
    key("bound", "when a weight beyond ±bound moves, the part beyond the bound is halved; above 0", Number(0.0, 100.0)),
    key("safe", "probability that a mutation is a safe mutation", CHANCE),
    key(
        "tries",
        "number of tries of a safe mutation, which takes the one that changes the network's answers least",
        Whole(2.0, MOST_TRIES as f64),
    ),
    key(
        "remembered",
        "number of positions from won games that each network remembers for safe mutations",
        Whole(1.0, MOST_TRIES as f64),
    ),
];

has_layers!(GaParams);
default_of_experiment!(GaParams, "nim-2x4-ga");

impl StrategyParams for GaParams {
    fn info() -> StrategyInfo {
        let about = "layered networks of one size; the best stay and have children by crossover and mutation (a genetic algorithm)";
        StrategyInfo { name: "ga", about, keys: &[("", KEYS)] }
    }

    fn population(&self) -> usize {
        self.population
    }

    fn checked(&self) -> Result<(), KeyError> {
        checked_elites(self.population, self.elites)?;
        for (key, number) in [("range", self.range), ("step", self.step), ("bound", self.bound)] {
            above_0(key, number, 100.0)?;
        }
        from_0("dominance", self.dominance)?;
        chance("safe", self.safe)?;
        for (key, number, least) in [("tries", self.tries, 2), ("remembered", self.remembered, 1)] {
            let right = self.safe == 0.0 || (least..=MOST_TRIES).contains(&number);
            must(right, key, number, format_args!("safe mutation needs {least} to {MOST_TRIES}"))?;
        }
        Ok(())
    }

    made_by!(Ga of layers);

    fn footprint(&self, shape: Shape) -> Footprint {
        let mut found = Footprint::of_layers(self.population, self.layers().sizes(shape), 1);
        // Positions of won games: those of all networks during breeding, and those of elites in the saved population.
        let position = bytes::<f32>(shape.inputs as u64) + bytes::<Vec<f32>>(1) + PIECE;
        let remembered = position.saturating_mul(self.remembers() as u64);
        found.breeding = found.breeding.saturating_add(remembered.saturating_mul(self.population as u64));
        found.saved = found.saved.saturating_add(remembered.saturating_mul(self.elites as u64));
        found
    }

    fn remembers(&self) -> usize {
        if self.safe > 0.0 { self.remembered } else { 0 }
    }

    fn takes_migrants(&self) -> bool {
        true
    }
}

/// How children are made, by the ranks of their parents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Birth {
    /// Two complementary children of these parents.
    Cross(usize, usize),
    /// A mutated copy.
    Mutate(usize),
}

/// The table of births: how the children of one round are made.
///
/// With five elites it is the table of the thesis: elites 1 and 2 have two children by crossover and a mutated copy of
/// each, so do 2 and 3, and 4 and 5 have one mutated copy each: ten children in all. With other numbers of elites, the
/// better half pair like this, each with the next, and the others are only copied. If more children are needed, the
/// table is used again from its beginning.
fn births(elites: usize) -> Vec<Birth> {
    let pairs = if elites == 1 { 0 } else { ((elites - 1) / 2).max(1) };
    let of_pair = |one: usize| [Birth::Cross(one, one + 1), Birth::Mutate(one), Birth::Mutate(one + 1)];
    let paired = if pairs == 0 { 0 } else { pairs + 1 };
    (0..pairs).flat_map(of_pair).chain((paired..elites).map(Birth::Mutate)).collect()
}

/// The elites by rank, then their children.
pub(crate) struct Ga {
    params: GaParams,
    networks: Vec<Arc<Network>>,
    agents: Vec<Agent>,
    inheritance: Vec<Inheritance>,
}

/// What is known about a network besides the network itself.
#[derive(Clone, Serialize, Deserialize)]
struct Agent {
    descent: Descent,
    /// Inputs of positions in which the network was to move, from games that it won, newest first.
    remembered: Vec<Vec<f32>>,
}

impl Ga {
    pub(crate) fn create(params: &GaParams, shape: Shape, rng: &mut Rng) -> Ga {
        let network = |_| Arc::new(Network::Layered(params.layers().random(shape, params.range, rng)));
        let networks = (0..params.population).map(network).collect();
        let first = |place| Agent {
            descent: Descent { way: Way::First, parents: [place; 2], change: None },
            remembered: Vec::new(),
        };
        let agents = (0..params.population).map(first).collect();
        Ga { params: params.clone(), networks, agents, inheritance: Vec::new() }
    }

    pub(crate) fn restore(params: &GaParams, shape: Shape, bytes: &[u8]) -> Result<Ga, NetworkError> {
        let saved: Vec<(Network, Agent)> = postcard::from_bytes(bytes).map_err(broken)?;
        if saved.len() != params.population {
            return Err(broken(format!("{} networks instead of {}", saved.len(), params.population)));
        }
        for (network, agent) in &saved {
            params.layers().checked(shape, 0, network)?;
            let fits = |inputs: &Vec<f32>| inputs.len() == shape.inputs && inputs.iter().all(|input| input.is_finite());
            if agent.remembered.len() > params.remembers() || !agent.remembered.iter().all(fits) {
                return Err(broken("there are too many remembered positions, or one has wrong inputs"));
            }
            if agent.descent.parents.iter().any(|&parent| parent >= params.population) {
                return Err(broken("a network has a parent beyond the population"));
            }
        }
        let (networks, agents) = saved.into_iter().map(|(network, agent)| (Arc::new(network), agent)).unzip();
        Ok(Ga { params: params.clone(), networks, agents, inheritance: Vec::new() })
    }

    /// A mutated copy of an elite, and how it was made.
    fn mutated(&self, elite: usize, rng: &mut Rng) -> (Network, Descent) {
        let parent = layered(&self.networks[elite]);
        let memory = Memory::new(parent, &self.agents[elite].remembered);
        // A network without remembered positions cannot be mutated safely.
        let safe = rng.unit() < self.params.safe && memory.is_some();
        let (way, tries) = if safe { (Way::SafeMutation, self.params.tries) } else { (Way::Mutation, 1) };
        let (network, change) = self.best_moved(parent, memory.as_ref(), tries, rng);
        (network, Descent { way, parents: [elite; 2], change })
    }

    /// The best of several mutated copies, the one with the most similar answers to its parent's, and how much they
    /// differ.
    fn best_moved(
        &self,
        parent: &Layered,
        memory: Option<&Memory>,
        tries: usize,
        rng: &mut Rng,
    ) -> (Network, Option<f32>) {
        let mut scratch = Scratch::default();
        let mut mutated = || {
            let network = with_weights(parent, self.moved(parent.weights(), rng));
            let change = memory.map(|memory| memory.change(&network, &mut scratch));
            (network, change)
        };
        let mut best = mutated();
        for _ in 1..tries {
            let another = mutated();
            if another.1 < best.1 {
                best = another;
            }
        }
        best
    }

    /// Moves every weight by a random amount.
    fn moved(&self, weights: &[f32], rng: &mut Rng) -> Vec<f32> {
        let GaParams { step, bound, .. } = self.params;
        let farthest = (step / (2.0 * (weights.len() as f64).sqrt()).sqrt()) as f32;
        let bound = bound as f32;
        let moved = |weight: &f32| {
            let weight = weight + farthest * rng.signed_unit();
            let beyond = weight.abs() - bound;
            if beyond > 0.0 { weight.signum() * (bound + beyond / 2.0) } else { weight }
        };
        weights.iter().map(moved).collect()
    }

    /// Two children: each is one parent with some weights of the other.
    fn crossed(&self, better: usize, other: usize, rng: &mut Rng) -> [(Network, Descent); 2] {
        let [one, two] = [better, other].map(|place| layered(&self.networks[place]));
        let mut weights = [one.weights().to_vec(), two.weights().to_vec()];
        let [first, second] = &mut weights;
        let count = first.len();
        let mut swap = |place: usize| std::mem::swap(&mut first[place], &mut second[place]);
        match self.params.crossover {
            Crossover::Node => dominant(one, self.params.dominance as f32, rng).into_iter().for_each(swap),
            Crossover::TwoPoint => {
                let mut points = [rng.below(count + 1), rng.below(count + 1)];
                points.sort();
                (points[0]..points[1]).for_each(swap);
            }
            Crossover::Uniform => (0..count).filter(|_| rng.below(2) == 0).for_each(&mut swap),
        }
        let descent = Descent { way: Way::Crossover, parents: [better, other], change: None };
        let [first, second] = weights;
        [(with_weights(one, first), descent), (with_weights(two, second), descent)]
    }
}

/// The indices of the dominant weights, biases included, that enter one hidden node, chosen among nodes that have some.
/// If no node has any, the indices of all weights that enter one node.
fn dominant(network: &Layered, dominance: f32, rng: &mut Rng) -> Vec<usize> {
    let mut nodes: Vec<Range<usize>> = Vec::new();
    let mut begin = 0;
    for (weights, before, _) in network.layers() {
        let entering = |node: usize| begin + node * (before + 1)..begin + (node + 1) * (before + 1);
        nodes.extend((0..weights.len() / (before + 1)).map(entering));
        begin += weights.len();
    }
    // Outputs are not hidden nodes, but networks without hidden nodes have nothing else.
    let outputs = network.shape().outputs;
    if nodes.len() > outputs {
        nodes.truncate(nodes.len() - outputs);
    }
    let is_dominant = |place: &usize| network.weights()[*place].abs() > dominance;
    let some: Vec<&Range<usize>> =
        nodes.iter().filter(|node| (*node).clone().any(|place| is_dominant(&place))).collect();
    match some.len() {
        0 => nodes[rng.below(nodes.len())].clone().collect(),
        count => some[rng.below(count)].clone().filter(is_dominant).collect(),
    }
}

impl Strategy for Ga {
    fn networks(&self) -> &[Arc<Network>] {
        &self.networks
    }

    fn advance(&mut self, results: &Results, rng: &mut Rng) {
        let GaParams { population, elites, .. } = self.params;
        let descents: Vec<Descent> = self.agents.iter().map(|agent| agent.descent).collect();
        self.inheritance = inheritance(&descents, results.scores, elites);
        // 1. The elites, by rank, with what they remember.
        let order = ranking(results.scores);
        let scores: Vec<f64> = order[..elites].iter().map(|&place| results.scores[place]).collect();
        let keep = |(rank, &place): (usize, &usize)| {
            let new = results.won.get(place).into_iter().flatten();
            let remembered = new.chain(&self.agents[place].remembered).take(self.params.remembers()).cloned().collect();
            Agent { descent: Descent { way: Way::Elite, parents: [rank; 2], change: None }, remembered }
        };
        let agents = order[..elites].iter().enumerate().map(keep).collect();
        self.networks = order[..elites].iter().map(|&place| Arc::clone(&self.networks[place])).collect();
        self.agents = agents;
        // 2. Their children, by the table of births.
        let mut children: Vec<(Network, Descent)> = Vec::with_capacity(population);
        for birth in births(elites).into_iter().cycle() {
            if children.len() >= population - elites {
                break;
            }
            match birth {
                Birth::Mutate(elite) => children.push(self.mutated(elite, rng)),
                Birth::Cross(one, two) => {
                    // Of two parents with equal scores, a random one counts as the better.
                    let turned = scores[one] == scores[two] && rng.below(2) == 1;
                    let (better, other) = if turned { (two, one) } else { (one, two) };
                    children.extend(self.crossed(better, other, rng));
                }
            }
        }
        children.truncate(population - elites);
        for (network, descent) in children {
            self.networks.push(Arc::new(network));
            self.agents.push(Agent { descent, remembered: Vec::new() });
        }
    }

    fn host(&mut self) -> Option<&mut dyn Host> {
        Some(self)
    }

    fn save(&self) -> Vec<u8> {
        let all: Vec<(&Network, &Agent)> = self.networks.iter().map(|network| &**network).zip(&self.agents).collect();
        postcard::to_allocvec(&all).expect("networks can always be written")
    }

    fn inheritance(&self) -> &[Inheritance] {
        &self.inheritance
    }
}

impl Host for Ga {
    fn receive(&mut self, migrants: &[Arc<Network>]) {
        let first = self.networks.len() - migrants.len();
        self.networks[first..].clone_from_slice(migrants);
        for (place, agent) in self.agents.iter_mut().enumerate().skip(first) {
            let descent = Descent { way: Way::Migrant, parents: [place; 2], change: None };
            *agent = Agent { descent, remembered: Vec::new() };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chance::rng_for;

    fn params() -> GaParams {
        GaParams {
            population: 15,
            elites: 5,
            hidden: vec![6, 3],
            wired: 0,
            range: 1.0,
            crossover: Crossover::Node,
            dominance: 0.75,
            step: 1.0,
            bound: 1.0,
            safe: 0.5,
            tries: 10,
            remembered: 20,
        }
    }

    const SHAPE: Shape = Shape { inputs: 5, outputs: 1 };

    /// `count` positions for every network, as if all had won.
    fn won(count: usize) -> Vec<Vec<Vec<f32>>> {
        let rng = &mut rng_for(5, &[]);
        (0..15).map(|_| (0..count).map(|_| (0..5).map(|_| rng.signed_unit()).collect()).collect()).collect()
    }

    fn scores(strategy: &Ga) -> Vec<f64> {
        let output_bias = |network: &Arc<Network>| {
            let weights = layered(network).weights();
            f64::from(weights[weights.len() - 4])
        };
        strategy.networks().iter().map(output_bias).collect()
    }

    #[test]
    fn five_elites_have_the_children_of_the_thesis() {
        use Birth::{Cross, Mutate};
        let table = [Cross(0, 1), Mutate(0), Mutate(1), Cross(1, 2), Mutate(1), Mutate(2), Mutate(3), Mutate(4)];
        assert_eq!(births(5), table);
        assert_eq!(births(1), [Mutate(0)]);
        assert_eq!(births(2), [Cross(0, 1), Mutate(0), Mutate(1)]);
        assert_eq!(births(4), [Cross(0, 1), Mutate(0), Mutate(1), Mutate(2), Mutate(3)]);
        for (population, elites) in [(2, 1), (15, 5), (40, 5), (6, 5), (100, 20)] {
            let params = GaParams { population, elites, ..params() };
            let mut strategy = Ga::create(&params, SHAPE, &mut rng_for(1, &[]));
            strategy.advance(&Results::of(&scores(&strategy)), &mut rng_for(2, &[]));
            assert_eq!(strategy.networks().len(), population);
            assert_eq!(strategy.agents.iter().filter(|agent| agent.descent.way == Way::Elite).count(), elites);
        }
    }

    #[test]
    fn the_best_stay_and_their_children_get_better() {
        let mut strategy = Ga::create(&params(), SHAPE, &mut rng_for(1, &[]));
        let first = scores(&strategy).into_iter().fold(f64::MIN, f64::max);
        let mut seen = [0; Way::ALL.len()];
        for generation in 0..40 {
            let (scores, before) = (scores(&strategy), strategy.networks().to_vec());
            let won = won(3);
            strategy.advance(&Results { won: &won, ..Results::of(&scores) }, &mut rng_for(2, &[generation]));
            for (rank, &place) in ranking(&scores)[..5].iter().enumerate() {
                assert!(Arc::ptr_eq(&before[place], &strategy.networks()[rank]));
            }
            for found in strategy.inheritance() {
                seen[Way::ALL.iter().position(|way| *way == found.way).unwrap()] += found.improved;
                assert!(found.improved <= found.count && found.stayed <= found.count);
            }
            let remembered = strategy.agents.iter().map(|agent| agent.remembered.len()).max();
            assert!(remembered.is_some_and(|count| count <= 20));
        }
        let last = scores(&strategy).into_iter().fold(f64::MIN, f64::max);
        assert!(last > first + 0.2, "{first} to {last}");
        // With these scores no elite overtakes another, and no child scores more than the better parent.
        assert!(seen[..3] == [0; 3] && seen[3..5].iter().all(|&count| count > 0), "{seen:?}");
        // The bounds are soft: weights lie only a little beyond them.
        assert!(layered(&strategy.networks()[0]).weights().iter().all(|weight| weight.abs() < 1.5));
    }

    /// Whatever two parents swap, both children together have the weights of both parents.
    #[test]
    fn children_are_complementary() {
        for crossover in [Crossover::Node, Crossover::TwoPoint, Crossover::Uniform] {
            let strategy = Ga::create(&GaParams { crossover, ..params() }, SHAPE, &mut rng_for(1, &[]));
            let parents = [0, 1].map(|place| layered(&strategy.networks[place]).weights().to_vec());
            let mut moved = 0;
            for number in 0..20 {
                let [first, second] = strategy.crossed(0, 1, &mut rng_for(3, &[number]));
                let (first, second) = (layered(&first.0).weights(), layered(&second.0).weights());
                for place in 0..first.len() {
                    let pair = [first[place], second[place]];
                    let straight = pair == [parents[0][place], parents[1][place]];
                    assert!(straight || pair == [parents[1][place], parents[0][place]]);
                    if !straight {
                        moved += 1;
                        assert!(crossover != Crossover::Node || parents[0][place].abs() > 0.75);
                    }
                }
            }
            let share = moved as f64 / (20 * parents[0].len()) as f64;
            let fair = if crossover == Crossover::Node { 0.005..0.1 } else { 0.2..0.7 };
            assert!(fair.contains(&share), "{crossover:?}: {share}");
        }
        // If no weight is dominant, the weights of a whole node are swapped, and the node is never the output.
        let strategy = Ga::create(&params(), SHAPE, &mut rng_for(1, &[]));
        let network = layered(&strategy.networks[0]);
        let places = dominant(network, 2.0, &mut rng_for(1, &[]));
        assert!((places.len() == 6 || places.len() == 7) && *places.last().unwrap() < network.weights().len() - 4);
    }

    /// With the same step, safe mutation changes answers less, in the median.
    #[test]
    fn safe_mutation_is_safer() {
        let strategy = Ga::create(&GaParams { hidden: vec![40, 10], ..params() }, SHAPE, &mut rng_for(1, &[]));
        let parent = layered(&strategy.networks[0]);
        let memory = Memory::new(parent, &won(20)[0]).unwrap();
        let median = |tries: usize| {
            let change =
                |number| strategy.best_moved(parent, Some(&memory), tries, &mut rng_for(4, &[number])).1.unwrap();
            let mut changes: Vec<f32> = (0..41).map(change).collect();
            changes.sort_by(f32::total_cmp);
            changes[20]
        };
        let (plain, safe) = (median(1), median(10));
        assert!(safe < 0.7 * plain, "{safe} and {plain}");
        assert!(Memory::new(parent, &[]).is_none());
    }

    #[test]
    fn saving_and_going_on_is_the_same_as_going_on() {
        let mut one = Ga::create(&params(), SHAPE, &mut rng_for(1, &[]));
        let go_on = |strategy: &mut Ga, generations: Range<u64>| {
            for generation in generations {
                let (scores, won) = (scores(strategy), won(generation as usize));
                let results = Results { won: &won, ..Results::of(&scores) };
                strategy.advance(&results, &mut rng_for(2, &[generation]));
            }
        };
        go_on(&mut one, 0..4);
        let mut other = Ga::restore(&params(), SHAPE, &one.save()).unwrap();
        assert!(other.agents[0].remembered.len() > 1);
        for strategy in [&mut one, &mut other] {
            go_on(strategy, 4..8);
        }
        assert_eq!(one.save(), other.save());
        assert_eq!(one.inheritance(), other.inheritance());
        for (bytes, shape) in [(&one.save()[..9], SHAPE), (&one.save()[..], Shape { inputs: 6, outputs: 1 })] {
            assert!(Ga::restore(&params(), shape, bytes).is_err());
        }
        one.agents[0].remembered[0].pop();
        let error = Ga::restore(&params(), SHAPE, &one.save()).err().unwrap().0;
        assert!(error.contains("there are too many remembered positions, or one has wrong inputs"), "{error}");
    }

    #[test]
    fn invalid_parameters_are_refused() {
        let check = |params: GaParams, why: &str| {
            let error = params.checked().unwrap_err().what;
            assert!(error.contains(why), "{error}");
        };
        check(GaParams { elites: 15, ..params() }, "elites is 15, but it must be from 1 to 14");
        check(GaParams { elites: 20, ..params() }, "elites is 20, but it must be from 1 to 14");
        check(GaParams { elites: 0, ..params() }, "elites is 0");
        check(GaParams { population: 1, ..params() }, "population is 1, but it must be at least 2");
        check(GaParams { step: f64::NAN, ..params() }, "step is NaN, but it must be above 0");
        check(GaParams { dominance: -1.0, ..params() }, "dominance is -1");
        check(GaParams { safe: 1.5, ..params() }, "safe is 1.5, but a chance is from 0 to 1");
        check(GaParams { tries: 1, ..params() }, "tries is 1, but safe mutation needs 2 to");
        check(GaParams { remembered: 0, ..params() }, "remembered is 0, but safe mutation needs 1 to");
        assert!(GaParams { remembered: 0, tries: 0, safe: 0.0, ..params() }.checked().is_ok());
        let error = GaParams { hidden: vec![40, 0], ..params() }.layers().fits(SHAPE).unwrap_err().what;
        assert!(error.contains("the layers are 5-40-0-1, but each must have"), "{error}");
    }

    #[test]
    fn more_is_not_remembered_than_was_asked() {
        let params = params();
        let mut ga = Ga::create(&params, SHAPE, &mut rng_for(1, &[]));
        ga.agents[0].remembered = vec![vec![0.0; SHAPE.inputs]; params.remembered];
        assert!(Ga::restore(&params, SHAPE, &ga.save()).is_ok());
        ga.agents[0].remembered.push(vec![0.0; SHAPE.inputs]);
        assert!(Ga::restore(&params, SHAPE, &ga.save()).is_err());
    }
}
