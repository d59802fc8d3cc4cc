//! What every parameter means and may be, but for setups, which games describe themselves. The bounds are those of the
//! checks, as a test finds out.

use arena::{Extend, MOST_DEPTH, Playouts};
use evolution::Activation;
use games::{Allowed::*, Described, OPEN};

/// Where the keys of [`NEAT`] stand.
pub(super) const NEAT_AT: [&str; 2] = ["strategy.neat.", "strategy.series.neat."];

const fn of(key: &'static str, about: &'static str, allowed: games::Allowed) -> Described {
    Described { key, about, allowed }
}

const CHANCE: games::Allowed = Number(0.0, 1.0);
const FROM_0: games::Allowed = Number(0.0, OPEN);
const WHOLE: games::Allowed = Whole(0.0, OPEN);
const FROM_1: games::Allowed = Whole(1.0, OPEN);
const POPULATION: games::Allowed = Whole(2.0, 1_000_000.0);
const POINTS: games::Allowed = Number(-1e6, 1e6);
const MEASURED: games::Allowed = Whole(0.0, 10_000.0);
const TRIES: f64 = 10_000.0;
/// What the game offers: filled in where the game is known.
const OF_GAME: games::Allowed = Choice(&[]);

const ACTIVATIONS: games::Allowed = Choice(&[
    (Activation::NAMES[0], "x above 0, alpha·(eˣ − 1) below"),
    (Activation::NAMES[1], "x above 0, 0 below"),
    (Activation::NAMES[2], "1 / (1 + e⁻ˣ), from 0 to 1"),
    (Activation::NAMES[3], "the hyperbolic tangent, from −1 to 1"),
    (Activation::NAMES[4], "x itself"),
    (Activation::NAMES[5], "1 / (1 + e⁻ˢˣ), of steepness s"),
    (Activation::NAMES[6], "the same stretched to −1 to 1"),
    (Activation::NAMES[7], "the same above 0, and 0 below"),
]);

/// All but setups and NEAT's own.
pub(super) const PARAMETERS: &[Described] = &[
    of("game", "the game that is learned", OF_GAME),
    of("seed", "all chance comes from it: the same seed gives the same run", WHOLE),
    of("guests", "past champions, drawn anew each generation, that every network also meets; they get no score", WHOLE),
    of("opening_plies", "games begin after up to so many random plies, fewer than a game may have", WHOLE),
    of("blunders", "the chance that a move in games for scores is a random one instead", CHANCE),
    of("player.encoder", "how positions become inputs", OF_GAME),
    of("player.head", "how outputs become a move", OF_GAME),
    of(
        "player.play",
        "what becomes of illegal attempts, where outputs name moves",
        Choice(&[("strict", "an illegal attempt loses"), ("safe", "the nearest legal move is made instead")]),
    ),
    of(
        "player.depth",
        "plies the value head looks ahead; 0: it judges what is after each move, ends included",
        Whole(0.0, MOST_DEPTH as f64),
    ),
    of(
        "player.extend",
        "where the mover must capture, look on; needs a depth of at least 1",
        Choice(&[
            (Extend::NAMES[0], "nowhere, whatever the plies are"),
            (Extend::NAMES[1], "below the last ply, so that no position with a forced capture is judged"),
            (Extend::NAMES[2], "forced captures take no ply"),
        ]),
    ),
    of("player.rounds", "Monte Carlo rounds for each move, instead of depth; 0: none", WHOLE),
    of("player.ept", "plies after which their playouts stop and the network judges; 0: they go to the end", WHOLE),
    of(
        "player.playouts",
        "how moves of playouts are chosen",
        Choice(&[
            (Playouts::NAMES[0], "any, all equally likely"),
            (Playouts::NAMES[1], "any capture where there is one"),
            (Playouts::NAMES[2], "every other move is the one the network likes best, of a few"),
        ]),
    ),
    of(
        "schedule.circular.opponents",
        "different opponents of each network, met twice from the same start: an even number, less than the population",
        Whole(2.0, OPEN),
    ),
    of("schedule.round-robin.double", "whether two networks meet twice, each opening once, or once", Switch),
    of(
        "schedule.opens.games",
        "games that each network opens, against others drawn by chance; both sides score",
        FROM_1,
    ),
    of("schedule.self-play.games", "games of one network against itself in a generation, from which it learns", FROM_1),
    of("scoring.points.win", "points for a game won, above those for a draw", POINTS),
    of("scoring.points.draw", "points for a game drawn", POINTS),
    of("scoring.points.loss", "points for a game lost, not above those for a draw", POINTS),
    of("scoring.points.sharing", "whether points taken from an opponent are shared among all who took some", Switch),
    // ENN.
    of("strategy.enn.population", "how many networks; at least 3 where they meet in a circle", POPULATION),
    of("strategy.enn.activation", "what hidden nodes do with their sums", ACTIVATIONS),
    of("strategy.enn.alpha", "alpha of elu, steepness of steep, bilateral and unilateral", FROM_0),
    of("strategy.enn.output", "what outputs do with their sums", ACTIVATIONS),
    of("strategy.enn.limit", "weights and biases stay within ±limit; above 0", FROM_0),
    of("strategy.enn.mutations_min", "the fewest mutations of a child, not above mutations_max", Whole(0.0, TRIES)),
    of("strategy.enn.mutations_max", "the most mutations of a child; each number is equally likely", Whole(0.0, TRIES)),
    of("strategy.enn.exponent", "copies are drawn in proportion to score raised to this power", FROM_0),
    of(
        "strategy.enn.elites",
        "share of the population: the best, unchanged; all shares together are at most 1",
        CHANCE,
    ),
    of("strategy.enn.random_old", "share of the population: any of the last generation, mutated", CHANCE),
    of("strategy.enn.newcomers", "share of the population: brand-new networks", CHANCE),
    of("strategy.enn.past_champions", "share of the population: champions of earlier generations, mutated", CHANCE),
    of("strategy.enn.weights.change_weight", "how often a weight is drawn anew, relative to other mutations", FROM_0),
    of("strategy.enn.weights.change_bias", "how often a bias is drawn anew, relative to other mutations", FROM_0),
    of("strategy.enn.weights.shift_weight", "how often a weight is moved, relative to other mutations", FROM_0),
    of("strategy.enn.weights.shift_bias", "how often a bias is moved, relative to other mutations", FROM_0),
    of("strategy.enn.weights.add_edge", "how often two nodes are joined, relative to other mutations", FROM_0),
    of("strategy.enn.weights.add_node", "how often a node is added, relative to other mutations", FROM_0),
    of("strategy.enn.weights.remove_edge", "how often a connection is removed, relative to other mutations", FROM_0),
    of("strategy.enn.weights.remove_node", "how often a node is removed, relative to other mutations", FROM_0),
    // The tournament series.
    of("strategy.series.tournaments", "how many tournaments make a series; each is a generation of the run", FROM_1),
    of(
        "strategy.series.keep",
        "what a child goes on from within a series",
        Choice(&[
            ("last", "its last values, whatever they scored"),
            ("better", "those of the last tournament, or those before if they scored more"),
        ]),
    ),
    // The genetic algorithm.
    of("strategy.ga.population", "how many networks; at least 3 where they meet in a circle", POPULATION),
    of(
        "strategy.ga.elites",
        "how many of the best stay and are the parents of all others, by the table of births; fewer than the population",
        FROM_1,
    ),
    of("strategy.ga.hidden", "nodes of each hidden layer; up to 14 layers", WholeList(1.0, 4096.0)),
    of("strategy.ga.wired", "so many of the last inputs go straight to the output; one must be left", WHOLE),
    of("strategy.ga.range", "first weights and biases are within ±range; above 0", Number(0.0, 100.0)),
    of(
        "strategy.ga.crossover",
        "what two parents swap",
        Choice(&[
            ("node", "the dominant weights that enter one hidden node of the better parent"),
            ("two-point", "all weights between two points"),
            ("uniform", "every other weight, by chance"),
        ]),
    ),
    of("strategy.ga.dominance", "where nodes are swapped: weights beyond ±dominance are", FROM_0),
    of("strategy.ga.step", "weights move by up to step/√(2√K), where K is their number; above 0", Number(0.0, 100.0)),
    of(
        "strategy.ga.bound",
        "weights beyond ±bound are pulled half the way back whenever they move; above 0",
        Number(0.0, 100.0),
    ),
    of("strategy.ga.safe", "the chance that a mutation is a safe one", CHANCE),
    of(
        "strategy.ga.tries",
        "of so many tries a safe mutation takes the one that best keeps the answers",
        Whole(2.0, TRIES),
    ),
    of("strategy.ga.remembered", "positions of won games that each network remembers, to tell by", Whole(1.0, TRIES)),
    // Blondie24's scheme.
    of("strategy.blondie.population", "how many networks, half of them parents: an even number", POPULATION),
    of("strategy.blondie.hidden", "nodes of each hidden layer; up to 14 layers", WholeList(1.0, 4096.0)),
    of("strategy.blondie.wired", "so many of the last inputs go straight to the output; one must be left", WHOLE),
    of("strategy.blondie.range", "first weights and biases are within ±range; above 0", Number(0.0, 10.0)),
    of("strategy.blondie.step", "first step sizes, which mutate with the weights; above 0", Number(0.0, 10.0)),
    of(
        "strategy.blondie.genes",
        "numbers that networks carry for the encoder instead of the setup's, as they begin: as many as it takes, or none",
        NumberList,
    ),
    of(
        "strategy.blondie.gene_step",
        "from a parent to its child such a number moves so far, either way, or stays",
        FROM_0,
    ),
    of("strategy.blondie.gene_low", "the least such a number may be, within the encoder's bounds", Number(-OPEN, OPEN)),
    of("strategy.blondie.gene_high", "the most such a number may be, within the encoder's bounds", Number(-OPEN, OPEN)),
    // Random search.
    of("strategy.random-search.population", "how many networks; at least 3 where they meet in a circle", POPULATION),
    of(
        "strategy.random-search.elites",
        "how many of the best so far stay, to be compared again; fewer than the population, which is new otherwise",
        FROM_1,
    ),
    of("strategy.random-search.hidden", "nodes of each hidden layer; up to 14 layers", WholeList(1.0, 4096.0)),
    of("strategy.random-search.wired", "so many of the last inputs go straight to the output; one must be left", WHOLE),
    of("strategy.random-search.range", "weights and biases are within ±range; above 0", Number(0.0, 100.0)),
    // CMA-ES.
    of(
        "strategy.cma-es.population",
        "how many networks: the mean, and those drawn around it each generation; at least 3",
        POPULATION,
    ),
    of("strategy.cma-es.hidden", "nodes of each hidden layer; up to 14 layers", WholeList(1.0, 4096.0)),
    of("strategy.cma-es.wired", "so many of the last inputs go straight to the output; one must be left", WHOLE),
    of(
        "strategy.cma-es.range",
        "the weights and biases around which the first networks are drawn are within ±range; above 0",
        Number(0.0, 100.0),
    ),
    of("strategy.cma-es.sigma", "the deviation with which the first networks are drawn", Number(1e-6, 100.0)),
    of(
        "strategy.cma-es.covariance",
        "which covariances of weights are learned",
        Choice(&[
            ("full", "those of every two weights; up to 2000 weights"),
            ("separable", "the variance of each weight alone, which is faster"),
            ("auto", "full up to 200 weights, separable beyond"),
        ]),
    ),
    // OpenAI's evolution strategy.
    of(
        "strategy.openai-es.population",
        "how many networks: pairs of opposite steps, and the centre, twice where they are even",
        POPULATION,
    ),
    of("strategy.openai-es.hidden", "nodes of each hidden layer; up to 14 layers", WholeList(1.0, 4096.0)),
    of("strategy.openai-es.wired", "so many of the last inputs go straight to the output; one must be left", WHOLE),
    of(
        "strategy.openai-es.range",
        "the centre's first weights and biases are within ±range; above 0",
        Number(0.0, 100.0),
    ),
    of("strategy.openai-es.sigma", "the deviation of networks from the centre", Number(1e-6, 100.0)),
    of(
        "strategy.openai-es.rate",
        "how far the centre moves in a generation, along each weight, where all generations agree; above 0",
        Number(0.0, 10.0),
    ),
    of(
        "strategy.openai-es.momentum",
        "how much of the direction is that of earlier generations (Adam's first beta)",
        Number(0.0, 0.9999),
    ),
    of(
        "strategy.openai-es.scaling",
        "how much of a direction's usual size, by which it is divided, is that of earlier generations (Adam's second beta)",
        Number(0.0, 0.9999),
    ),
    of("strategy.openai-es.decay", "weights are drawn to 0 by so many times themselves", CHANCE),
    // TD(λ).
    of("strategy.td.hidden", "nodes of each hidden layer; up to 14 layers", WholeList(1.0, 4096.0)),
    of("strategy.td.wired", "so many of the last inputs go straight to the output; one must be left", WHOLE),
    of("strategy.td.range", "first weights and biases are within ±range; above 0", Number(0.0, 100.0)),
    of(
        "strategy.td.lambda",
        "how much of an error is passed on to the position before, and so on; 1: all learn from the end alone",
        CHANCE,
    ),
    of("strategy.td.rate", "how far weights move, relative to errors; above 0", Number(0.0, 10.0)),
    of("strategy.td.rate_halves", "after so many generations they move half as far, and so on; 0: never", WHOLE),
    of(
        "strategy.td.exploration",
        "the chance of a random move to explore: what follows it teaches nothing about positions before it",
        CHANCE,
    ),
    of("stop.generations", "stop after so many generations", FROM_1),
    of("stop.solved", "stop as soon as the champion is perfect in every position", Switch),
    of("stop.seconds", "stop after so many seconds, counted from each start or resumption; 0: no limit", FROM_0),
    of("record.past_games", "games of each champion against champions of the past: an even number", MEASURED),
    of(
        "record.growth_games",
        "games of each champion against each of the five before it: an even number; 0: none",
        MEASURED,
    ),
    of(
        "record.final_games",
        "games of the last champion, when the run is over, against each of random, mcts:500 and its champions of a quarter and of half-way; 0: none",
        MEASURED,
    ),
    of("record.exam_every", "generations between exams of the champion", FROM_1),
    of("record.games_every", "generations between games that are kept turn by turn; 0: none are", WHOLE),
    of(
        "record.genomes_every",
        "generations between records of all genomes as text, where there are such; 0: none",
        WHOLE,
    ),
    of(
        "migration.from",
        "the run, in the same folder or as FOLDER/RUN beside it, whose champions join this population",
        Text,
    ),
    of("migration.every", "generations between migrations", FROM_1),
    of(
        "migration.count",
        "champions that join each time, of so many last generations; at most half of the population",
        FROM_1,
    ),
];

/// NEAT's own, alone or in a series.
pub(super) const NEAT: &[Described] = &[
    of("population", "how many networks; at least 3 where they meet in a circle", POPULATION),
    of("activation", "what hidden nodes do with their sums", ACTIVATIONS),
    of("output", "what outputs do with their sums", ACTIVATIONS),
    of("steepness", "steepness of steep, bilateral and unilateral, alpha of elu; above 0", FROM_0),
    of(
        "bias",
        "where biases are",
        Choice(&[("nodes", "every node has its own"), ("input", "a further input is always 1")]),
    ),
    of("start.range", "new weights and biases are within ±range; above 0", FROM_0),
    of("start.hidden_min", "the fewest hidden nodes of the first genomes, not above hidden_max", Whole(0.0, 1000.0)),
    of("start.hidden_max", "the most hidden nodes of the first genomes", Whole(0.0, 1000.0)),
    of("start.density", "the chance of each connection, where there are hidden nodes", CHANCE),
    of("start.mutated", "whether every genome is mutated once before its first game", Switch),
    of("mutation.weights", "the chance that a child's values change", CHANCE),
    of("mutation.perturb", "the chance that a value is moved; else it is drawn anew", CHANCE),
    of("mutation.power", "how far values are moved", FROM_0),
    of("mutation.power_halves", "after so many generations values move half as far, and so on; 0: it stays", WHOLE),
    of(
        "mutation.distribution",
        "by which distribution values are moved",
        Choice(&[
            ("gaussian", "a normal one whose deviation is the power"),
            ("uniform", "anything up to the power, up or down"),
        ]),
    ),
    of("mutation.power_by_rank", "whether values move farther in children of low-ranking parents", Switch),
    of("mutation.limit", "weights and biases stay within ±limit; above 0", FROM_0),
    of("mutation.add_node", "the chance of a new node", CHANCE),
    of("mutation.add_connection", "the chance of new connections", CHANCE),
    of("mutation.connection_tries", "pairs of nodes that are then tried", Whole(1.0, TRIES)),
    of("mutation.every_try", "whether each try may add a connection; else the first that can is the last", Switch),
    of(
        "mutation.loops",
        "what becomes of loops; networks have none in any case",
        Choice(&[
            ("forbid", "a connection that would close one is not added"),
            ("retire", "one connection of the loop is switched off for ever"),
            ("reactivate", "the same, but it may come back where that closes no loop"),
        ]),
    ),
    of("crossover.mutation_only", "share of children with one parent", CHANCE),
    of("crossover.interspecies", "the chance that the second parent is of another species", CHANCE),
    of(
        "crossover.values",
        "what a child gets where both parents have a gene",
        Choice(&[("random", "the value of either, by chance"), ("average", "the mean of both")]),
    ),
    of("crossover.disabled", "the chance that a gene that is off in a parent stays off", CHANCE),
    of(
        "crossover.disabled_from",
        "whose genes that are off count",
        Choice(&[
            ("either", "a gene that is off in either parent, with that chance"),
            ("fitter", "a gene is on or off as in the fitter parent"),
        ]),
    ),
    of("species.excess", "what connections beyond the other genome's last one count in differences", FROM_0),
    of("species.disjoint", "what other connections that only one has count", FROM_0),
    of("species.nodes", "what nodes that only one has count", FROM_0),
    of("species.weight", "what the mean difference of weights counts", FROM_0),
    of("species.bias", "what the mean difference of biases counts", FROM_0),
    of("species.small", "genomes with fewer genes are compared without dividing by their number", WHOLE),
    of("species.threshold", "from this difference on genomes are of different species; above 0", FROM_0),
    of("species.target", "the threshold moves toward so many species, not above the population; 0: it stays", WHOLE),
    of("species.threshold_step", "by so much each generation", FROM_0),
    of(
        "species.stagnation",
        "a species that did not improve for so many generations has no children; 0: all have",
        WHOLE,
    ),
    of(
        "species.refocus",
        "if nobody improved for so many generations, the best two species alone have children; 0: never",
        WHOLE,
    ),
    of("species.least", "species that would get fewer places get none; not above the population", WHOLE),
    of("selection.parents", "share of each species, the best, that become parents; above 0", CHANCE),
    of("selection.parents_stay", "whether parents stay in the next generation", Switch),
    of("selection.champions_above", "species with more members keep their champion unchanged", WHOLE),
];
