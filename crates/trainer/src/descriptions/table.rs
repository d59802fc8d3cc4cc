//! Meaning and bounds of all parameters that games, schedules, scorings and strategies do not describe themselves.
//! A test compares the bounds with the checks.

use crate::final_champion::FinalChampion;
use arena::{Extend, MOST_DEPTH, Method, Playouts};
use evolution::{CHANCE, FROM_0, FROM_1, WHOLE};
use games::{Allowed::*, Described, key as of};

const MEASURED: games::Allowed = Whole(0.0, 10_000.0);
/// A choice whose names depend on the game; they are filled in later.
const OF_GAME: games::Allowed = Choice(&[]);

/// All parameters that are not described by a game, schedule, scoring or strategy.
pub(crate) const PARAMETERS: &[Described] = &[
    of("game", "the game that is learned", OF_GAME),
    of("seed", "all random numbers are derived from it: the same seed gives the same run", WHOLE),
    of(
        "guests",
        "past champions, drawn anew each generation, that every network also plays against; they get no score",
        WHOLE,
    ),
    of("opening_plies", "largest number of random plies at the beginning of a game, fewer than a game may have", WHOLE),
    of("blunders", "the chance that a move in games for scores is replaced by a random one", CHANCE),
    of("player.encoder", "how positions become inputs", OF_GAME),
    of("player.head", "how outputs become a move", OF_GAME),
    of(
        "player.play",
        "what happens after an illegal attempt, where outputs name moves",
        Choice(&[("strict", "an illegal attempt loses"), ("safe", "the nearest legal move is made instead")]),
    ),
    of(
        "player.depth",
        "search depth of the value head in plies; 0: it evaluates the position after each move, finished ones included",
        Whole(0.0, MOST_DEPTH as f64),
    ),
    of(
        "player.extend",
        "where the search goes deeper because the side to move must capture; needs a depth of at least 1",
        Choice(&[
            (Extend::NAMES[0], "nowhere"),
            (Extend::NAMES[1], "at the last ply, so that no position with a forced capture is evaluated"),
            (Extend::NAMES[2], "everywhere: forced captures do not count as plies"),
        ]),
    ),
    of(
        "player.search",
        "how the search looks ahead",
        Choice(&[
            (Method::NAMES[0], "to the same depth everywhere, with the value of minimax"),
            (Method::NAMES[1], "captures to their end, less deep where a move comes late or a pass would be enough"),
        ]),
    )
    .or("\"exact\""),
    of("player.rounds", "Monte Carlo rounds for each move, instead of a depth; 0: none", WHOLE),
    of(
        "player.ept",
        "plies after which playouts stop and the network evaluates the position; 0: they go to the end",
        WHOLE,
    ),
    of(
        "player.playouts",
        "how moves in playouts are chosen",
        Choice(&[
            (Playouts::NAMES[0], "any legal move, all equally likely"),
            (Playouts::NAMES[1], "any capture if there is one, otherwise any legal move"),
            (Playouts::NAMES[2], "half of the moves are the network's favourite among a few, the others are random"),
        ]),
    ),
    of("stop.generations", "stop after this number of generations", FROM_1),
    of("stop.solved", "stop as soon as the champion is perfect in every position", Switch),
    of("stop.seconds", "stop after this number of seconds, counted from each start or resumption; 0: no limit", FROM_0),
    of(
        "stop.strength",
        "stop when the champion's measured strength is at least this Elo; needs record.strength_every; 0: no limit",
        FROM_0,
    )
    .or("0.0"),
    of("record.past_games", "games of each champion against champions of the past: an even number", MEASURED),
    of(
        "record.growth_games",
        "games of each champion against each of the five before it: an even number; 0: none",
        MEASURED,
    ),
    of(
        "record.final_games",
        "games of the last champion, when the run is over, against each of random, mcts:500 and the champions after a \
         quarter and after half of the run; 0: none",
        MEASURED,
    ),
    of(
        "record.yardsticks",
        "more opponents of the last champion when the run is over: players, such as material:4 or engine:NAME, with \
         spaces between them",
        Text,
    )
    .or("\"\""),
    of(
        "record.strength_every",
        "generations between measurements of the champion's Elo on the game's ladder; 0: none",
        WHOLE,
    )
    .or("0"),
    of("record.strength_games", "games of each measurement of strength", Whole(2.0, 10_000.0)).or("60"),
    of(
        "record.strength_nodes",
        "positions that the champion's search looks at for each move when its strength is measured; 0: as in training",
        WHOLE,
    )
    .or("1000"),
    of(
        "record.final",
        "which champion the run stands for when it plays or is exported",
        Choice(&[
            (FinalChampion::NAMES[0], "that of the last generation"),
            (FinalChampion::NAMES[1], "the one with the greatest measured strength"),
        ]),
    )
    .or("\"newest\""),
    of("record.exam_every", "generations between exams of the champion", FROM_1),
    of("record.games_every", "generations between games that are recorded move by move; 0: none are recorded", WHOLE),
    of(
        "record.genomes_every",
        "generations between records of all genomes as text, if the strategy has them; 0: none",
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
        "number of champions that join each time, those of the last generations; at most half of the population",
        FROM_1,
    ),
];
