//! `champion:GAME`: the champion of a game that is shipped with the program.

use super::{KindInfo, PlayerKind};
use crate::Error;
use crate::champions::{ShippedChampion, shipped_champions};
use crate::network_seat::seat_network;
use crate::player_network::PlayerNetwork;
use crate::search_options::{CHAMPION_KEYS, SearchOptions};
use crate::seated::{SeatParams, Seated};
use games::Game;
use std::path::Path;

/// A champion that is shipped with the program. Without options it looks ahead as far as is best for it.
#[derive(Clone, Debug, PartialEq)]
pub struct Champion(&'static ShippedChampion);

impl PlayerKind for Champion {
    const INFO: KindInfo = KindInfo {
        argument: "GAME",
        options: CHAMPION_KEYS,
        has_values: true,
        has_network: true,
        ..KindInfo::plain(
            "champion",
            "the best network bred so far, part of the program; looks ahead as far as is best for it",
            "Shipped",
            "the shipped champion of {}",
        )
    };

    fn parse(argument: &str, options: &mut SearchOptions) -> Result<Champion, String> {
        let champion = ShippedChampion::of(argument).ok_or_else(|| {
            let known: Vec<String> = shipped_champions().iter().map(ShippedChampion::player).collect();
            format!("the champions are {}", known.join(", "))
        })?;
        let level = options.level.take();
        if level.is_some() && !options.is_empty() {
            return Err("a level says how it looks ahead; leave the other options of the search out".to_string());
        }
        if options.is_empty() {
            *options = champion.search(level, options.endgames)?;
        }
        Ok(Champion(champion))
    }

    fn network(&self, _: &Path) -> Result<Option<PlayerNetwork>, Error> {
        Ok(Some(PlayerNetwork::Portable(Box::new(self.0.network()?))))
    }

    fn seat<G: Game>(&self, params: &SeatParams<'_, G>) -> Result<Seated<G>, Error> {
        seat_network(params)
    }
}
