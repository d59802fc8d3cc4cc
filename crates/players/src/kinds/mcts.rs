//! `mcts:ROUNDS`: Monte Carlo tree search, which plays many random games from the position.

use super::{KindInfo, NumberInfo, PlayerKind};
use crate::Error;
use crate::search_options::SearchOptions;
use crate::seated::{SeatParams, Seated};
use arena::{MonteCarloPlayer, Playouts};
use games::Game;

/// Monte Carlo tree search without a network. The number of rounds is stored in the player's search options.
#[derive(Clone, Debug, PartialEq)]
pub struct Mcts;

impl PlayerKind for Mcts {
    const INFO: KindInfo = KindInfo {
        argument: "ROUNDS",
        number: Some(NumberInfo { counts: "rounds", least: 0, most: u32::MAX, usual: 500 }),
        options: &["seconds", "playouts", "endgames"],
        has_values: true,
        ..KindInfo::plain(
            "mcts",
            "Monte Carlo tree search with ROUNDS random playouts for each move; seconds=S limits the time; with playouts=captures playouts prefer captures",
            "Monte Carlo: plays on at random",
            "Monte Carlo with {} rounds",
        )
    };

    fn parse(argument: &str, options: &mut SearchOptions) -> Result<Mcts, String> {
        if options.playouts == Some(Playouts::Network) {
            return Err("playouts=network needs a network, as in run:NAME,mcts=500,playouts=network".to_string());
        }
        options.mcts = Some(Self::INFO.parse_number(argument)?);
        Ok(Mcts)
    }

    fn seat<G: Game>(&self, params: &SeatParams<'_, G>) -> Result<Seated<G>, Error> {
        let settings = params.options.monte_carlo().expect("its rounds were given");
        Ok(Seated::anywhere(MonteCarloPlayer::new(settings, params.options.patience(params.context))))
    }
}
