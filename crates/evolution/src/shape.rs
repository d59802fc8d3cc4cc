//! How large networks are and may be.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Numbers of inputs and outputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shape {
    /// How many numbers a network is shown.
    pub inputs: usize,
    /// How many numbers it answers.
    pub outputs: usize,
}

/// Whether a network of such sizes can be; one sentence if it is too large. Checked before memory is taken for it.
pub(crate) fn checked_sizes(inputs: usize, nodes: usize, edges: usize) -> Result<(), String> {
    if inputs > MOST_INPUTS || nodes > MOST_NODES || edges > MOST_EDGES {
        return Err(format!(
            "it has {inputs} inputs, {nodes} hidden nodes and outputs, and {edges} edges, but at most {MOST_INPUTS}, {MOST_NODES} and {MOST_EDGES} are allowed"
        ));
    }
    Ok(())
}

/// That a word of a network's text is not the number that belongs there.
pub(crate) fn no_number(word: &str) -> NetworkError {
    let is_whole = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    NetworkError(match is_whole {
        true => format!(
            "the number `{word}` in the network is too large: at most {MOST_INPUTS} inputs, {MOST_NODES} hidden nodes and outputs, and {MOST_EDGES} edges are allowed"
        ),
        false => format!("`{word}` stands in the network where a number belongs"),
    })
}

/// Why text or bytes are no network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkError(pub String);

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NetworkError {}

/// The most inputs of any network. Inputs take no room in a file but do in memory, so that a file must not name more.
const MOST_INPUTS: usize = 1 << 16;
/// The most hidden nodes and outputs together, and the most edges of a graph: numbers of nodes and edges fit into 32 bits.
const MOST_NODES: usize = 1 << 22;
const MOST_EDGES: usize = 1 << 27;
