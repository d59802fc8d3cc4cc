//! Networks as text: the kind, then its parts. The text of a genome is read as the network that it makes.

use crate::neat::Genome;
use crate::{Network, NetworkError};
use std::{fmt, str::FromStr};

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Network::Graph(graph) => write!(f, "graph {graph}"),
            Network::Layered(layered) => write!(f, "layered {layered}"),
        }
    }
}

impl FromStr for Network {
    type Err = NetworkError;

    fn from_str(text: &str) -> Result<Network, NetworkError> {
        match text.trim().split_once(' ') {
            Some(("graph", rest)) => Ok(Network::Graph(rest.parse()?)),
            Some(("layered", rest)) => Ok(Network::Layered(rest.parse()?)),
            Some(("genome", _)) => {
                let (blueprint, genome) = Genome::from_text(text).map_err(|error| NetworkError(error.to_string()))?;
                Ok(blueprint.network(&genome))
            }
            _ => {
                let found: String = text.trim().chars().take(20).collect();
                Err(NetworkError(format!(
                    "`{found}` is not the beginning of a network; expected `graph`, `layered` or `genome` and its parts"
                )))
            }
        }
    }
}
