//! The network of a player, as it was read from a run or file.

use crate::Error;
use crate::portable::PortableNetwork;
use evolution::{Network, NetworkError};
use std::path::Path;

/// A network that was read from a run or file.
#[derive(Clone, Debug, PartialEq)]
pub enum PlayerNetwork {
    /// A network that says for which game it was bred.
    Portable(Box<PortableNetwork>),
    /// A line of text that says nothing but the network: its seat is found by its shape.
    Bare(Box<Network>),
}

impl PlayerNetwork {
    /// Reads the text of a file; the path is for messages.
    pub(crate) fn parse(path: &Path, text: &str) -> Result<PlayerNetwork, Error> {
        if !matches!(text.split_whitespace().next(), Some("graph" | "layered" | "genome")) {
            return Ok(PlayerNetwork::Portable(Box::new(PortableNetwork::parse(path, text)?)));
        }
        let refuse = |error: NetworkError| Error::refused(format!("{} holds no network: {error}", path.display()));
        text.parse().map(|network| PlayerNetwork::Bare(Box::new(network))).map_err(refuse)
    }

    /// The network with the game it was bred for, where it says so.
    pub(crate) fn portable(&self) -> Option<&PortableNetwork> {
        match self {
            PlayerNetwork::Portable(network) => Some(network),
            PlayerNetwork::Bare(_) => None,
        }
    }
}
