//! Benchmarks: how much faster the fast code paths are than the plain ones, both measured in one run, and the signature
//! of all behaviour. It is a crate of its own so that it is compiled with full optimisation, for one game each.
//!
//! ```no_run
//! for ratio in bench::bench().ratios {
//!     println!("{}: {:.2} times faster", ratio.name, ratio.ratio);
//! }
//! ```

mod layered;
mod searches;
mod tournaments;

use chance::rng_for;
use cpu_time::ProcessTime;
use evolution::{Activation, Graph, LANES, Lanes, MutationWeights, Network, Results, Scratch, Shape};
use games::Game;
use games::draughts::Draughts;
use games::minichess::Minichess;
use games::nim::Nim;
use serde::Serialize;
use std::hint::black_box;
use std::sync::Arc;
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
        tournaments::generation(
            "generation of nim-2x4-c1 (direct head): networks, or tables",
            &typed::<Nim>("nim-2x4-c1", &[]),
        ),
        tournaments::generation(
            "generation of nim-2x4 (value head): networks, or tables",
            &typed::<Nim>("nim-2x4", &[]),
        ),
    ];
    let ratios = ratios.into_iter().chain([evolution_ratio()]);
    let chess = typed::<Minichess>("minichess-enn", &[]);
    let draughts = typed::<Draughts>("draughts-enn", &["player.encoder=subsquares"]);
    let perft = searches::perft(&Draughts::start(&draughts.setup, &mut rng_for(0, &[])), 8);
    let ratios = ratios.chain(tournaments::measure(&chess)).chain(searches::measure(&chess));
    let ratios = ratios.chain([perft]).chain(layered::measure(&draughts)).collect();
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
    let paper = changed("minichess", PAPER);
    let config = paper.rules().strategy;
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

/// An experiment of the program with some parameters changed.
fn changed(name: &str, sets: &[&str]) -> ExperimentFile {
    let mut file = Experiment::shipped(name).expect("it is shipped");
    file.set(sets).expect("the experiment can be changed so");
    file
}

/// Such an experiment of a game that is known here: a benchmark is compiled for one game, not for all.
fn typed<G: Game>(name: &str, sets: &[&str]) -> Arc<TypedExperiment<G>> {
    changed(name, sets).typed().expect("it is an experiment of this game")
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
    let mut hasher = Xxh3::new();
    for (name, sets, generations) in SIGNED {
        let mut trainer = changed(name, sets).trainer(1);
        let mut past = Vec::new();
        for _ in 0..*generations {
            past.push(trainer.step(&past).expect("champions in memory can be read").champion);
        }
        hasher.update(&trainer.signature().to_le_bytes());
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
