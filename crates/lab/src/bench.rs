//! What the fast paths gain over the plain ones, both measured in one run, and the signature of all behaviour.

mod layered;
mod searches;
mod tournaments;

use chance::rng_for;
use cpu_time::ProcessTime;
use evolution::{Activation, Graph, LANES, Lanes, MutationWeights, Network, Results, Scratch, Shape, StrategyConfig};
use games::{Game, GameVisitor};
use serde::Serialize;
use std::hint::black_box;
use std::sync::Arc;
use trainer::Trainer;
use trainer::{Experiment, ExperimentFile, TypedExperiment};
use xxhash_rust::xxh3::Xxh3;

/// Two ways to do the same, in one run. Seconds are those of the processor; for what watching costs, of the clock.
#[derive(Clone, Debug, Serialize)]
pub struct Ratio {
    /// What is done.
    pub name: String,
    /// Per second, the plain way.
    pub plain: f64,
    /// Per second, the fast way.
    pub fast: f64,
    /// How many times faster.
    pub ratio: f64,
    /// What is counted.
    pub unit: &'static str,
}

impl Ratio {
    fn new(name: &str, (plain, fast): (f64, f64), unit: &'static str) -> Ratio {
        Ratio { name: name.to_string(), plain, fast, ratio: fast / plain, unit }
    }
}

/// All ratios, and the signature.
#[derive(Clone, Debug, Serialize)]
pub struct Bench {
    /// Fast against plain.
    pub ratios: Vec<Ratio>,
    /// Changes exactly when any shipped behaviour changes: a hash of short runs.
    pub signature: String,
}

/// Measures everything; takes some seconds.
pub fn bench() -> Bench {
    let ratios = vec![
        network_ratio(),
        tournaments::generation("generation of nim-2x4-c1 (direct head): networks, or tables", "nim-2x4-c1"),
        tournaments::generation("generation of nim-2x4 (value head): networks, or tables", "nim-2x4"),
    ];
    let ratios = ratios.into_iter().chain([evolution_ratio()]);
    let tournaments = on_experiment(BOARD, tournaments::MeasureTournaments);
    let searches = on_experiment(BOARD, searches::MeasureSearches);
    let layered = on_changed_experiment("draughts-enn", &["player.encoder=subsquares"], layered::MeasureLayered);
    let perft = on_experiment("draughts-enn", layered::Perft);
    let ratios = ratios.chain(tournaments).chain(searches).chain([perft]).chain(layered).collect();
    Bench { ratios, signature: signature() }
}

/// A sparse network as NEAT grows them for a small board: 36 inputs, 120 edges.
fn network_ratio() -> Ratio {
    let rng = &mut rng_for(1, &[]);
    let shape = Shape { inputs: 36, outputs: 1 };
    let mut graph = Graph::random(shape, Activation::Tanh, Activation::Identity, rng);
    let grow = MutationWeights { add_edge: 3.0, add_node: 1.0, ..MutationWeights::all(0.0) };
    while graph.edges().len() < 120 {
        graph.mutate(&grow, 1.0, rng);
    }
    const BLOCKS: usize = 32;
    let blocks: Vec<Vec<Lanes>> =
        (0..BLOCKS).map(|_| (0..shape.inputs).map(|_| std::array::from_fn(|_| rng.signed_unit())).collect()).collect();
    let rows: Vec<Vec<f32>> = blocks
        .iter()
        .flat_map(|block| (0..LANES).map(move |lane| block.iter().map(|lanes| lanes[lane]).collect()))
        .collect();
    let network = Network::Graph(graph.clone());
    let mut scratch = Scratch::default();
    let (plain, fast) = rates(
        (BLOCKS * LANES) as f64,
        || rows.iter().map(|row| graph.forward_plain(black_box(row))[0]).sum::<f32>(),
        || {
            blocks
                .iter()
                .map(|block| network.forward_lanes(black_box(block), &mut scratch)[0].iter().sum::<f32>())
                .sum::<f32>()
        },
    );
    Ratio::new("network of 120 edges: a position at a time, or eight", (plain, fast), "positions")
}

/// NEAT as in the paper's settings, 150 genomes of 36 inputs, scores by chance: generations with and without networks made
/// of genomes, which nobody plays.
fn evolution_ratio() -> Ratio {
    struct Config;
    impl OnExperiment for Config {
        type Output = StrategyConfig;
        fn run<G: Game>(self, experiment: Arc<TypedExperiment<G>>) -> StrategyConfig {
            experiment.strategy.clone()
        }
    }
    let config = on_changed_experiment("minichess", PAPER, Config);
    const GENERATIONS: u64 = 200;
    let run = |networks: bool| {
        let mut strategy = config.create(Shape { inputs: 36, outputs: 1 }, &mut rng_for(1, &[]));
        for generation in 0..GENERATIONS {
            let rng = &mut rng_for(2, &[generation]);
            let scores: Vec<f64> = (0..config.population()).map(|_| rng.unit()).collect();
            strategy.advance(&Results::of(&scores), rng);
            if networks {
                black_box(strategy.networks());
            }
        }
        0.0
    };
    let rates = few_rates(GENERATIONS as f64, || run(true), || run(false));
    Ratio::new("NEAT alone, 150 genomes of 36 inputs: with their networks made, or without", rates, "generations")
}

/// What of the experiment `minichess` is different in the paper.
const PAPER: &[&str] = &[
    "strategy.neat.population=150",
    "strategy.neat.bias=input",
    "strategy.neat.mutation.distribution=uniform",
    "strategy.neat.mutation.add_node=0.03",
    "strategy.neat.mutation.add_connection=0.05",
    "strategy.neat.species.threshold=3.0",
    "strategy.neat.species.target=0",
    "strategy.neat.species.stagnation=15",
    "schedule.circular.opponents=20",
];

/// The experiment whose game is measured where a board is needed.
const BOARD: &str = "minichess-enn";

/// Like [`rates`], for work that takes long.
fn few_rates(count: f64, mut plain: impl FnMut() -> f32, mut fast: impl FnMut() -> f32) -> (f64, f64) {
    let (mut best_plain, mut best_fast) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..3 {
        best_plain = best_plain.min(seconds_of(&mut plain));
        best_fast = best_fast.min(seconds_of(&mut fast));
    }
    (count / best_plain, count / best_fast)
}

/// Seconds of processor time that work takes, which other programs on the machine hardly change.
fn seconds_of<T>(work: &mut impl FnMut() -> T) -> f64 {
    let clock = ProcessTime::now();
    black_box(work());
    clock.elapsed().as_secs_f64()
}

/// Work on an experiment of any game.
trait OnExperiment {
    type Output;
    fn run<G: Game>(self, experiment: Arc<TypedExperiment<G>>) -> Self::Output;
}

fn on_experiment<W: OnExperiment>(name: &str, work: W) -> W::Output {
    on_changed_experiment(name, &[], work)
}

fn on_changed_experiment<W: OnExperiment>(name: &str, sets: &[&str], work: W) -> W::Output {
    struct Visitor<'a, W>(&'a ExperimentFile, W);
    impl<W: OnExperiment> GameVisitor for Visitor<'_, W> {
        type Output = W::Output;
        fn visit<G: Game>(self) -> W::Output {
            self.1.run::<G>(self.0.typed::<G>().expect("a shipped experiment is right"))
        }
    }
    let mut file = Experiment::shipped(name).expect("it is shipped");
    file.set(sets).expect("the experiment can be changed so");
    games::with_built_in(file.game(), Visitor(&file, work)).expect("its game is known")
}

/// How often per second each does `count` things: the best of several rounds, taken in turns so that noise hits both.
fn rates(count: f64, mut plain: impl FnMut() -> f32, mut fast: impl FnMut() -> f32) -> (f64, f64) {
    let (mut best_plain, mut best_fast) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..15 {
        for _ in 0..4 {
            best_plain = best_plain.min(seconds_of(&mut plain));
            for _ in 0..8 {
                best_fast = best_fast.min(seconds_of(&mut fast));
            }
        }
    }
    (count / best_plain, count / best_fast)
}

/// Short runs of experiments that reach every part, hashed together.
fn signature() -> String {
    struct Short(u64);
    impl OnExperiment for Short {
        type Output = u128;
        fn run<G: Game>(self, experiment: Arc<TypedExperiment<G>>) -> u128 {
            let mut trainer = Trainer::create(experiment, 1);
            let mut past = Vec::new();
            for _ in 0..self.0 {
                let generation = trainer.step(&past).expect("champions in memory can be read");
                past.push(generation.champion);
            }
            trainer.signature()
        }
    }
    let mut hasher = Xxh3::new();
    for (name, sets, generations) in SIGNED {
        hasher.update(&on_changed_experiment(name, sets, Short(*generations)).to_le_bytes());
    }
    format!("{:032x}", hasher.digest128())
}

/// Which experiments, what is changed in them, and how many generations of each.
const SIGNED: &[(&str, &[&str], u64)] = &[
    ("nim-2x4", &[], 30),
    ("nim-1-8-c3", &[], 100),
    ("nim-2x4-c2-graded", &[], 100),
    ("nim-1-1000", &[], 5),
    ("tic-tac-toe", &[], 2),
    ("minichess-enn", &[], 2),
    ("minichess", &["strategy.neat.population=40", "schedule.circular.opponents=20"], 2),
    ("minichess-tt4", &["strategy.series.neat.population=10", "strategy.series.tournaments=3"], 7),
    ("nim-2x4-neat", &[], 10),
    (
        "draughts-enn",
        &["player.depth=3", "setup.blocked=draws", "strategy.enn.population=10", "schedule.circular.opponents=4"],
        2,
    ),
    (
        "draughts-neat",
        &[
            "player.rounds=20",
            "player.ept=6",
            "player.playouts=network",
            "strategy.neat.population=10",
            "schedule.circular.opponents=4",
        ],
        2,
    ),
    (
        "minichess-enn",
        &["player.depth=2", "setup.repetitions=3", "strategy.enn.population=12", "schedule.circular.opponents=4"],
        3,
    ),
];
