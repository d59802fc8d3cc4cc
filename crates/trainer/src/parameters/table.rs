//! What every parameter means and may be, but for setups, schedules, scorings and strategies, which describe themselves.
//! The bounds are those of the checks, as a test finds out.

use arena::{Extend, MOST_DEPTH, Playouts};
use evolution::{CHANCE, FROM_0, FROM_1, WHOLE};
use games::{Allowed::*, Described};

const fn of(key: &'static str, about: &'static str, allowed: games::Allowed) -> Described {
    Described { key, about, allowed }
}

const MEASURED: games::Allowed = Whole(0.0, 10_000.0);
/// What the game offers: filled in where the game is known.
const OF_GAME: games::Allowed = Choice(&[]);

/// All parameters that no game, schedule, scoring or strategy describes.
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
