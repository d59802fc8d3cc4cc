//! `file:PATH`: a network in a file.

use super::{KindInfo, PlayerKind};
use crate::Error;
use crate::network_seat::seat_network;
use crate::player_network::PlayerNetwork;
use crate::search_options::{KEYS, SearchOptions};
use crate::seated::{SeatParams, Seated};
use games::Game;
use runs::read_text;
use std::path::{Path, PathBuf};

/// A network that was exported, or one line of network or genome text.
#[derive(Clone, Debug, PartialEq)]
pub struct File(PathBuf);

impl PlayerKind for File {
    const INFO: KindInfo = KindInfo {
        argument: "PATH",
        options: KEYS,
        in_pages: false,
        has_values: true,
        has_network: true,
        ..KindInfo::plain(
            "file",
            "a network that was exported, or one line of network or genome text",
            "Networks in files",
            "the network in {}",
        )
    };

    fn parse(argument: &str, _: &mut SearchOptions) -> Result<File, String> {
        match argument {
            "" => Err("the file is missing, as in file:champion.json".to_string()),
            path => Ok(File(path.into())),
        }
    }

    fn network(&self, _: &Path) -> Result<Option<PlayerNetwork>, Error> {
        PlayerNetwork::parse(&self.0, &read_text(&self.0)?).map(Some)
    }

    fn seat<G: Game>(&self, params: &SeatParams<'_, G>) -> Result<Seated<G>, Error> {
        seat_network(params)
    }
}
