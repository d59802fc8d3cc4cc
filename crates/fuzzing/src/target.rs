//! The list of fuzz targets.

use crate::{files, networks, populations, positions, records, requests, runs, texts};

/// A fuzz target: a parser with its check.
pub struct Target {
    /// The target's name, which is also the name of its folder in the corpus.
    pub name: &'static str,
    /// What the target reads, in a few words.
    pub about: &'static str,
    /// The longest input in bytes, so that each takes little time.
    pub most_bytes: usize,
    /// Checks one input; panics if a check fails.
    pub check: fn(&[u8]),
}

const fn target(name: &'static str, about: &'static str, most_bytes: usize, check: fn(&[u8])) -> Target {
    Target { name, about, most_bytes, check }
}

/// All targets.
pub const TARGETS: &[Target] = &[
    target("network-text", "a network as a line of text", 4096, networks::text),
    target("network-json", "a network as JSON", 4096, networks::json),
    target("network-blob", "a network as run files keep it", 4096, networks::blob),
    target("network-file", "an exported network, as text or JSON", 4096, networks::file),
    target("genome-text", "a genome as a line of text", 4096, networks::genome),
    target("population-enn", "a saved population", 4096, |bytes| populations::check("enn", bytes)),
    target("population-neat", "a saved population", 4096, |bytes| populations::check("neat", bytes)),
    target("population-series", "a saved population", 4096, |bytes| populations::check("series", bytes)),
    target("population-ga", "a saved population", 4096, |bytes| populations::check("ga", bytes)),
    target("population-blondie", "a saved population", 4096, |bytes| populations::check("blondie", bytes)),
    target("population-random-search", "a saved population", 4096, |bytes| populations::check("random-search", bytes)),
    target("population-cma-es", "a saved population", 8192, |bytes| populations::check("cma-es", bytes)),
    target("population-openai-es", "a saved population", 4096, |bytes| populations::check("openai-es", bytes)),
    target("population-td", "a saved learner", 4096, |bytes| populations::check("td", bytes)),
    target("experiment", "an experiment in TOML", 8192, texts::experiment),
    target("override", "`--set KEY=VALUE`, a line for each", 512, texts::overriding),
    target("parameter", "a parameter from a form: a line with the key, then JSON", 512, texts::parameter),
    target("player", "a player as people name it", 256, texts::player),
    target("seeds", "seeds as people type them", 256, texts::seeds),
    target("range", "`--vary KEY=LOW..HIGH`", 256, texts::range),
    target("lab", "a lab in TOML", 4096, texts::lab),
    target("lab-note", "lab.json", 8192, files::lab_note),
    target("position-nim", "a position and moves, a line for each", 256, positions::nim),
    target("position-tic-tac-toe", "a position and moves, a line for each", 128, positions::tic_tac_toe),
    target("position-minichess", "a position and moves, a line for each", 256, positions::minichess),
    target("position-draughts", "a position and moves, a line for each", 512, positions::draughts),
    target("setup", "a game, its setup and moves, a line for each", 512, texts::setup),
    target("records", "a line with the game, then PGN or PDN", 4096, records::check),
    target("questions", "test positions of an exam", 1024, files::questions),
    target("exam", "an exam's result as run files keep it", 1024, files::exam),
    target("met", "remembered games as run files keep them", 4096, files::met),
    target("tables", "a file of endgame tables", 4096, files::tables),
    target("run-row", "a value of a row of a run's file, of format 5 or 4", 2048, runs::row),
    target("member-line", "what a member of a lab says of itself", 512, texts::member_line),
    target("cluster-message", "a message between coordinators and workers", 4096, cluster::fuzzing::check_message),
    target("request", "a request to the web app", 4096, requests::check),
    target("gate", "a request to a web app that asks for a token", 1024, requests::gate),
];

/// The target of this name.
pub fn find(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}
