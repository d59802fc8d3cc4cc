//! `material:DEPTH`: searches DEPTH plies ahead and counts pieces.

use super::{KindInfo, Needs, NumberInfo, PlayerKind};
use crate::Error;
use crate::search_options::SearchOptions;
use crate::seated::{SeatParams, Seated};
use arena::{MOST_DEPTH, MaterialPlayer};
use chance::rng_for;
use games::Game;

/// Alpha-beta search that counts pieces. The depth is stored in the player's search options.
#[derive(Clone, Debug, PartialEq)]
pub struct Material;

impl PlayerKind for Material {
    const INFO: KindInfo = KindInfo {
        argument: "DEPTH",
        number: Some(NumberInfo { counts: "plies", least: 1, most: MOST_DEPTH, usual: 3 }),
        options: &["nodes", "seconds", "extend", "search", "hash", "without", "mobility", "endgames"],
        needs: Needs::Pieces,
        has_values: true,
        ..KindInfo::plain(
            "material",
            "alpha-beta search of DEPTH plies that counts pieces; equal moves are chosen at random",
            "Counts pieces, looking ahead",
            "a counter of pieces, {} plies ahead",
        )
    };

    fn parse(argument: &str, options: &mut SearchOptions) -> Result<Material, String> {
        options.depth = Some(Self::INFO.parse_number(argument)?);
        Ok(Material)
    }

    fn seat<G: Game>(&self, params: &SeatParams<'_, G>) -> Result<Seated<G>, Error> {
        if G::start(params.setup, &mut rng_for(0, &[])).material().is_none() {
            return Err(Error::refused(format!("{} has no pieces to count, so `material` cannot play it", G::NAME)));
        }
        let options = params.options;
        let player = MaterialPlayer::new(options.limits(), options.patience(params.context));
        Ok(Seated::anywhere(player.with_mobility(options.mobility.unwrap_or(0.0))))
    }
}
