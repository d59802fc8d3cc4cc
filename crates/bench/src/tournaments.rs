//! Tournaments: by tables or by networks, in blocks or one by one, remembered or played again.

use super::{Ratio, few_rates, rates, seconds_of};
use arena::{Arena, Circular, Conditions, Pairing, RoundRobin, Schedule, Seating, Techniques};
use chance::rng_for;
use evolution::{Activation, Graph, MutationWeights, Network};
use games::Game;
use std::sync::Arc;
use trainer::TypedExperiment;

/// The games of one generation: every decision worked out when it is needed, or all beforehand.
pub(super) fn generation<G: Game>(name: &str, experiment: &TypedExperiment<G>) -> Ratio {
    let rng = &mut rng_for(2, &[]);
    let seating = || experiment.seating().clone();
    let shape = seating().shape();
    let mut network = || {
        let mut graph = Graph::random(shape, Activation::Elu(0.1), Activation::Identity, rng);
        for _ in 0..20 {
            graph.mutate(&MutationWeights::all(1.0), 1.0, rng);
        }
        Arc::new(Network::Graph(graph))
    };
    let networks: Vec<Arc<Network>> = (0..100).map(|_| network()).collect();
    let pairings = Circular { opponents: 50 }.pairings(networks.len(), rng);
    let plain = Techniques { memory: false, ..Techniques::ALL };
    let mut plain_arena = Arena::with_tables(seating(), false).with_techniques(plain);
    let mut arena = Arena::new(seating());
    let run = |arena: &mut Arena<G>| {
        // An empty generation in between, or tables and games would be remembered.
        arena.enter(&[]);
        arena.forget_except(&[], |_| false);
        let entrants = arena.enter(&networks);
        arena.play(&entrants, &pairings, &Conditions::default(), &mut rng_for(3, &[])).len()
    };
    let rates = rates(pairings.len() as f64, || run(&mut plain_arena) as f32, || run(&mut arena) as f32);
    Ratio::new(name, rates, "games")
}

/// Networks of so many edges, as they have grown from what joins all inputs to the output.
pub(super) fn grown<G: Game>(seating: &Seating<G>, edges: usize, count: usize) -> Vec<Arc<Network>> {
    let rng = &mut rng_for(4, &[]);
    let grow = MutationWeights { add_edge: 3.0, add_node: 1.0, ..MutationWeights::all(0.0) };
    let network = |_| {
        let mut graph = Graph::random(seating.shape(), Activation::Sigmoid, Activation::Tanh, rng);
        while graph.edges().len() < edges {
            graph.mutate(&grow, 1.0, rng);
        }
        Arc::new(Network::Graph(graph))
    };
    (0..count).map(network).collect()
}

/// The tournament of Sebastianelli's thesis: 50 networks, everybody against everybody with both colours, 2450 games.
pub(super) fn measure<G: Game>(experiment: &TypedExperiment<G>) -> Vec<Ratio> {
    let seating = || experiment.seating().clone().at_depth(1).expect("its networks judge positions");
    let mut networks = grown(&seating(), 200, 75);
    let newborn = networks.split_off(50);
    let pairings = RoundRobin { double: true }.pairings(networks.len(), &mut rng_for(4, &[]));
    let games = pairings.len() as f64;
    let play = |arena: &mut Arena<G>, networks: &[Arc<Network>], pairings: &[Pairing]| {
        let entrants = arena.enter(networks);
        arena.play(&entrants, pairings, &Conditions::default(), &mut rng_for(5, &[])).len() as f32
    };
    // 1. Positions judged one by one, or in blocks; all decisions worked out, or those looked up that were made before.
    let blocks = Techniques { memory: false, ..Techniques::ALL };
    let one_by_one = Techniques { blocks: false, ..blocks };
    let fresh = |techniques| play(&mut Arena::new(seating()).with_techniques(techniques), &networks, &pairings);
    let by_blocks = few_rates(games, || fresh(one_by_one), || fresh(blocks));
    let by_memory = few_rates(games, || fresh(blocks), || fresh(Techniques::ALL));
    // 2. The next generation keeps half of its networks: all games played, or only the new ones.
    let next = [&networks[..25], &newborn].concat();
    let second = |remembers: bool| {
        let mut arena = Arena::new(seating());
        if remembers {
            play(&mut arena, &networks, &pairings);
        }
        games / seconds_of(&mut || play(&mut arena, &next, &pairings))
    };
    let best = |remembers: bool| (0..3).map(|_| second(remembers)).fold(0.0, f64::max);
    let name = "double round robin of 50 networks of 200 edges, depth 1";
    vec![
        Ratio::new(&format!("{name}: a position at a time, or eight"), by_blocks, "games"),
        Ratio::new(&format!("{name}: decisions worked out, or looked up"), by_memory, "games"),
        Ratio::new(&format!("{name}, half met before: all games, or new ones"), (best(false), best(true)), "games"),
    ]
}
