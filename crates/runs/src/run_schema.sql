-- The tables of a run's file, format 5. Every row has a checksum of its table's name and its other values
-- (`run_file/rows.rs`), so that damage is noticed when the row is read. These columns are in every file of format 5. Measures
-- that came later have theirs behind the checksum of `generation` (`Source::Added` in `trainer/src/measures.rs`), and so have
-- `kept_finals` and `kept_ratings` behind that of `run`: the numbers of rows in `final` and `rating`.
create table run (                      -- one row: what this run is
    experiment text not null,           -- the experiment's name
    parameters text not null,           -- all its parameters, TOML
    game text not null,
    strategy text not null,
    seed integer not null,
    program text not null,              -- the version of Gamete that began it
    created integer not null,           -- seconds since 1970
    stopped text,                       -- why training stopped last; null while it goes on or was killed
    upgraded integer,                   -- how many generations were there when checksums came: the file had format 4
    checksum integer not null
) strict;
create table generation (
    generation integer primary key,
    best_score real not null,
    mean_score real not null,
    past_share real,                    -- points of the champion against champions of the past
    growth real,                        -- its mean result against the five champions before it, from -1 to 1
    grade real,                         -- of the champion's exam, where it took one: the one number to look at
    exam text,                          -- all of the exam, JSON
    solved integer,                     -- whether it was perfect in every position
    grade_in_games real,                -- perfect turns of the champion in the games it was scored by
    mean_turns real not null,
    mean_layers real not null,          -- hidden layers per network
    mean_nodes real not null,           -- nodes per hidden layer
    champion_place integer not null,
    champion_layers text not null,      -- nodes in each layer
    champion_hidden integer not null,
    champion_edges integer not null,
    champion_genome integer,            -- its number, where genomes have one
    games integer not null,             -- these six: from the beginning up to here
    reused integer not null,
    evaluations integer not null,
    seconds real not null,
    cpu_seconds real not null,
    signature text not null,
    kept_games integer not null,        -- these five: rows of this generation in `game`, `birth`, `species`,
    kept_births integer not null,       -- `inheritance` and `genome`, so that a lost one is noticed
    kept_species integer not null,
    kept_ways integer not null,
    kept_genomes integer not null,
    checksum integer not null
) strict;
create table champion (
    generation integer primary key,
    network blob not null,
    checksum integer not null
) strict;
create table births (                   -- many births in a row; the view `birth` has one in each
    first integer primary key,          -- the number of the first genome; the others have the next numbers
    generation integer not null,        -- in which they first played
    count integer not null,
    parent_one_base integer not null,   -- added to what the letters tell
    parent_one text not null,           -- a letter for each birth
    parent_two_base integer not null,
    parent_two text not null,
    species_base integer not null,
    species text not null,
    checksum integer not null
) strict;
create view birth as                    -- every genome that has a number, when it first played
with recursive place (place) as (select 0 union all select place + 1 from place where place < 255),
letter as (
    select first + place as genome, generation,
        parent_one_base, unicode(substr(parent_one, place + 1, 1)) as one,
        parent_two_base, unicode(substr(parent_two, place + 1, 1)) as two,
        species_base, unicode(substr(species, place + 1, 1)) as kind
    from births join place on place < count
)
select genome, generation,
    iif(one < 2, 0, parent_one_base + one - 2 - 2048 * (one >= 55296)) as parent_one,   -- the fitter; 0 for none
    iif(two < 2, 0, parent_two_base + two - 2 - 2048 * (two >= 55296)) as parent_two,   -- the same again for a copy
    iif(kind < 2, 0, species_base + kind - 2 - 2048 * (kind >= 55296)) as species
from letter;
create table species (
    generation integer not null,
    species integer not null,
    born integer not null,              -- the generation in which it came up
    size integer not null,
    best_score real not null,
    representative integer not null,    -- the genome that others were compared with
    checksum integer not null,
    primary key (generation, species)
) strict, without rowid;
create table inheritance (              -- how those did that came into a generation by each way
    generation integer not null,
    way text not null,
    count integer not null,
    improved integer not null,          -- scored more than their parents; elites: ranked higher than before
    stayed integer not null,            -- in the next generation
    change real,                        -- of answers to positions that the parents remember: the median
    checksum integer not null,
    primary key (generation, way)
) strict, without rowid;
create table final (                    -- the last champion's matches when the run was over
    number integer primary key,
    opponent text not null,             -- a player, or an earlier champion
    contest text not null,              -- how it came out, JSON
    checksum integer not null
) strict;
create table rating (                   -- strength on one scale, as measured last: random is 0
    number integer primary key,
    player text,                        -- who learns nothing; null for champions
    generation integer,                 -- of champions
    elo real,                           -- null where there is no bound
    elo_low real,                       -- the 95 % interval
    elo_high real,
    depth integer,                      -- plies that champions looked ahead; null: as they were bred
    games integer not null,             -- that each two played
    checksum integer not null
) strict;
create table genome (                   -- all genomes of some generations
    generation integer not null,
    place integer not null,
    genome integer not null,
    species integer not null,
    score real not null,
    text text not null,
    checksum integer not null,
    primary key (generation, place)
) strict, without rowid;
create table game (
    generation integer not null,
    number integer not null,
    first integer not null,             -- the generation of the champion who moved first
    second integer not null,
    start text not null,
    moves text not null,
    illegal text,                       -- an illegal attempt that ended it
    outcome text not null,
    checksum integer not null,
    primary key (generation, number)
) strict, without rowid;
create table population (               -- one row: the generation to be played next
    one integer primary key check (one = 1),
    generation integer not null,        -- how many have been played
    signature text not null,
    bytes blob not null,
    met blob not null,                  -- games that its networks need not play again
    checksum integer not null
) strict;
