//! The champions that are shipped with the program, so that there is a strong opponent before any training.

use crate::Error;
use crate::portable::PortableNetwork;
use crate::search_options::{KEYS, SearchOptions};
use serde::Serialize;
use std::path::Path;

/// A champion that is shipped with the program.
#[derive(Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ShippedChampion {
    /// The game it plays.
    pub game: &'static str,
    /// How it looks ahead by default, as options of a player. If the text is empty, it looks ahead as it was bred.
    pub options: &'static str,
    /// A sentence about its strength.
    pub about: &'static str,
    /// The experiment that bred it.
    #[serde(skip)]
    pub experiment: &'static str,
    /// The seed of that training.
    #[serde(skip)]
    pub seed: u64,
    /// Its network, as an exported file.
    #[serde(skip)]
    text: &'static str,
}

macro_rules! text {
    ($name:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/champions/", $name, ".json"))
    };
}

/// All champions that are shipped with the program, at most one for each game.
pub fn shipped_champions() -> &'static [ShippedChampion] {
    &[
        ShippedChampion {
            game: "nim",
            options: "",
            about: "plays all 120 positions of two stacks of up to ten matches perfectly, without looking ahead",
            experiment: "nim-2x10",
            seed: 1,
            text: text!("nim"),
        },
        ShippedChampion {
            game: "tic-tac-toe",
            options: "depth=4",
            about: "looks four plies ahead here, and then plays 99 % of all positions perfectly; 57 % without looking",
            experiment: "tic-tac-toe",
            seed: 1,
            text: text!("tic-tac-toe"),
        },
        ShippedChampion {
            game: "minichess",
            options: "depth=6",
            about: "27.5 of 30 points in the exam without looking ahead; looks six plies ahead here",
            experiment: "minichess",
            seed: 5,
            text: text!("minichess"),
        },
        ShippedChampion {
            game: "draughts",
            options: "depth=8,extend=everywhere",
            about: "at four plies, forced captures not counted, it takes 97 % of the points from `material:4`; looks eight plies ahead here",
            experiment: "draughts",
            seed: 1,
            text: text!("draughts"),
        },
    ]
}

impl ShippedChampion {
    /// The champion of a game; `None` if the game has none.
    pub fn of(game: &str) -> Option<&'static ShippedChampion> {
        shipped_champions().iter().find(|champion| champion.game == game)
    }

    /// The champion's network with its game, setup and seating.
    pub fn network(&self) -> Result<PortableNetwork, Error> {
        PortableNetwork::parse(Path::new(&format!("champion:{}", self.game)), self.text)
    }

    /// How it looks ahead by default.
    pub(crate) fn usual_search(&self, endgames: bool) -> SearchOptions {
        // The options are constants above, and a test parses them all.
        let (_, search) = SearchOptions::split(&format!("champion,{}", self.options), KEYS).unwrap_or_default();
        SearchOptions { endgames, ..search }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Context, LiveParams, PlayerSpec, live_game};

    /// Every champion can play, and its network names the experiment and seed above.
    #[test]
    fn every_champion_plays() {
        for champion in shipped_champions() {
            let player: PlayerSpec = format!("champion:{}", champion.game).parse().unwrap();
            let (asked, bare) = (
                format!("champion,{}", champion.options),
                if champion.options.is_empty() { "champion," } else { "champion" },
            );
            assert_eq!(SearchOptions::split(&asked, KEYS).unwrap().0, bare);
            let context = Context::nowhere();
            let params = LiveParams {
                game: champion.game,
                against: Some(&player),
                position: None,
                setup: &[],
                seed: 1,
                context: &context,
            };
            let mut game = live_game(&params).unwrap();
            let answer = game.answer().unwrap();
            assert_eq!(game.written().len(), 1, "{answer}");
            let ShippedChampion { experiment, seed, .. } = champion;
            let origin = champion.network().unwrap().origin;
            assert!(origin.starts_with(&format!("{experiment}, seed {seed}, champion of generation ")), "{origin}");
            assert!(champion.text.len() < 100_000);
        }
    }
}
