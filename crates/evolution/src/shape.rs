//! The shape of networks, and the limits on their size.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The numbers of inputs and outputs of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shape {
    /// The number of inputs.
    pub inputs: usize,
    /// The number of outputs.
    pub outputs: usize,
}

/// Checks that a network of this size is allowed; the error says why it is not. Called before memory is allocated.
pub(crate) fn checked_sizes(inputs: usize, nodes: usize, edges: usize) -> Result<(), String> {
    if inputs > MOST_INPUTS || nodes > MOST_NODES || edges > MOST_EDGES {
        return Err(format!(
            "it has {inputs} inputs, {nodes} hidden nodes and outputs, and {edges} edges, but at most {MOST_INPUTS}, {MOST_NODES} and {MOST_EDGES} are allowed"
        ));
    }
    Ok(())
}

/// The error for a word of a network's text that is not a valid number.
pub(crate) fn no_number(word: &str) -> NetworkError {
    let is_whole = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    NetworkError(match is_whole {
        true => format!(
            "the number `{word}` in the network is too large: at most {MOST_INPUTS} inputs, {MOST_NODES} hidden nodes and outputs, and {MOST_EDGES} edges are allowed"
        ),
        false => format!("`{word}` is in the network where a number is expected"),
    })
}

/// Why text or bytes are not a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkError(pub String);

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NetworkError {}

/// The highest number of inputs. Inputs take memory but no bytes in a file, so a small file could otherwise ask for any
/// amount.
const MOST_INPUTS: usize = 1 << 16;
/// The highest number of hidden nodes and outputs together, and of edges. Indices of nodes and edges fit into 32 bits.
const MOST_NODES: usize = 1 << 22;
const MOST_EDGES: usize = 1 << 27;
