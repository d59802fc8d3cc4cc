//! The network of a player, read from a run or a file.

use crate::Error;
use crate::portable::PortableNetwork;
use evolution::{Network, NetworkError};
use std::path::Path;

/// A network that was read from a run or a file.
#[derive(Clone, Debug, PartialEq)]
pub enum PlayerNetwork {
    /// A network together with the game, setup and seating it was bred for.
    Portable(Box<PortableNetwork>),
    /// A network alone. Its encoder and head are found by its shape.
    Bare(Box<Network>),
}

impl PlayerNetwork {
    /// Reads the text of a file. The path is used in error messages.
    pub(crate) fn parse(path: &Path, text: &str) -> Result<PlayerNetwork, Error> {
        if !matches!(text.split_whitespace().next(), Some("graph" | "layered" | "genome")) {
            return Ok(PlayerNetwork::Portable(Box::new(PortableNetwork::parse(path, text)?)));
        }
        let refuse = |error: NetworkError| Error::refused(format!("{} contains no network: {error}", path.display()));
        text.parse().map(|network| PlayerNetwork::Bare(Box::new(network))).map_err(refuse)
    }

    /// The network with the game it was bred for; `None` for a network alone.
    pub(crate) fn portable(&self) -> Option<&PortableNetwork> {
        match self {
            PlayerNetwork::Portable(network) => Some(network),
            PlayerNetwork::Bare(_) => None,
        }
    }
}
