//! The champions that are shipped with the program, so that there is a strong opponent before any training.

use crate::Error;
use crate::portable::PortableNetwork;
use crate::search_options::{KEYS, Level, SearchOptions};
use serde::Serialize;
use std::path::Path;

/// A champion that is shipped with the program.
#[derive(Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ShippedChampion {
    /// The game it plays.
    pub game: &'static str,
    /// What may be written behind `@` in its name: versions of the program whose strongest champion it is, and `evolved`
    /// for the strongest that was bred by evolution alone.
    #[serde(skip)]
    pub names: &'static [&'static str],
    /// A sentence about its strength.
    pub about: &'static str,
    /// The experiment that bred it.
    #[serde(skip)]
    pub experiment: &'static str,
    /// The seed of that training.
    #[serde(skip)]
    pub seed: u64,
    /// How it looks ahead at the levels below `strong`, as options of a player; `None` if it has no levels.
    #[serde(skip)]
    levels: Option<[&'static str; 2]>,
    /// Its network, as an exported file.
    #[serde(skip)]
    text: &'static str,
}

macro_rules! text {
    ($name:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/champions/", $name, ".json"))
    };
}

/// All champions that are shipped with the program. The strongest of each game come first.
const CHAMPIONS: &[ShippedChampion] = &[
    ShippedChampion {
        game: "nim",
        names: &["0.1", "0.2", "evolved"],
        about: "plays all 120 positions of two stacks of up to ten matches perfectly, without looking ahead",
        experiment: "nim-2x10",
        seed: 1,
        levels: None,
        text: text!("nim"),
    },
    ShippedChampion {
        game: "tic-tac-toe",
        names: &["0.1", "0.2", "evolved"],
        about: "looks four plies ahead here, and then plays 99 % of all positions perfectly; 57 % without looking",
        experiment: "tic-tac-toe",
        seed: 1,
        levels: None,
        text: text!("tic-tac-toe"),
    },
    ShippedChampion {
        game: "minichess",
        names: &["0.2"],
        about: "learned the values that its own searches find; looks eleven plies ahead here, by a selective search; 82 % against Fairy-Stockfish at depth 6 in equal time",
        experiment: "minichess-bootstrap",
        seed: 1,
        levels: Some(["depth=0", "depth=1"]),
        text: text!("minichess"),
    },
    ShippedChampion {
        game: "draughts",
        names: &["0.2"],
        about: "learned the values that its own searches find; looks sixteen plies ahead here, by a selective search; 82 % against the champion of version 0.1 in equal time",
        experiment: "draughts-bootstrap",
        seed: 1,
        levels: Some(["depth=0", "depth=1"]),
        text: text!("draughts"),
    },
    ShippedChampion {
        game: "minichess",
        names: &["0.1"],
        about: "bred by NEAT; 27.5 of 30 points in the exam without looking ahead; looks six plies ahead here",
        experiment: "minichess",
        seed: 5,
        levels: None,
        text: text!("minichess-0.1"),
    },
    ShippedChampion {
        game: "draughts",
        names: &["0.1"],
        about: "the champion of version 0.1: the same network, which looked eight plies ahead by an exact search",
        experiment: "draughts",
        seed: 1,
        levels: None,
        text: text!("draughts-0.1"),
    },
];

/// All champions that are shipped with the program: the strongest of each game, those bred by evolution alone, and those of
/// earlier versions. The strongest of each game come first.
pub fn shipped_champions() -> &'static [ShippedChampion] {
    CHAMPIONS
}

impl ShippedChampion {
    /// The strongest champion of a game, `GAME`; or another one, `GAME@evolved` or `GAME@VERSION`. `None` if there is none.
    pub fn of(name: &str) -> Option<&'static ShippedChampion> {
        let (game, name) = name.split_once('@').map_or((name, None), |(game, name)| (game, Some(name)));
        let named = |champion: &ShippedChampion| name.is_none_or(|name| champion.names.contains(&name));
        CHAMPIONS.iter().find(|champion| champion.game == game && named(champion))
    }

    /// The player, as it is written on the command line.
    pub fn player(&self) -> String {
        match ShippedChampion::of(self.game) {
            Some(strongest) if strongest == self => format!("champion:{}", self.game),
            _ => format!("champion:{}@{}", self.game, self.names[0]),
        }
    }

    /// The champion's network with its game, setup and seating.
    pub fn network(&self) -> Result<PortableNetwork, Error> {
        PortableNetwork::parse(Path::new(&self.player()), self.text)
    }

    /// How it looks ahead if nothing else is asked for, as options of a player. If the text is empty, it looks ahead as it
    /// was bred.
    pub fn options(&self) -> String {
        self.network().map(|network| network.usual_search).unwrap_or_default()
    }

    /// The names of its levels below `strong`, from weak to strong.
    pub fn levels(&self) -> &'static [&'static str] {
        if self.levels.is_some() { &Level::NAMES[..2] } else { &[] }
    }

    /// How it looks ahead at a level, as options of a player; `None` if it has no levels.
    pub fn options_at(&self, level: Level) -> Option<String> {
        let [beginner, club] = self.levels?;
        Some(match level {
            Level::Beginner => beginner.to_string(),
            Level::Club => club.to_string(),
            Level::Strong => self.options(),
        })
    }

    /// How it looks ahead at a level, or if nothing else is asked for.
    pub(crate) fn search(&self, level: Option<Level>, endgames: bool) -> Result<SearchOptions, String> {
        let options = match level {
            None => self.options(),
            Some(level) => self.options_at(level).ok_or_else(|| format!("{} has no levels", self.player()))?,
        };
        // A test reads the options of all files.
        let search = SearchOptions::split(&format!("champion,{options}"), KEYS).map(|(_, search)| search);
        Ok(SearchOptions { endgames, ..search.unwrap_or_default() })
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
            let player: PlayerSpec = champion.player().parse().unwrap();
            assert_eq!(ShippedChampion::of(&champion.player()["champion:".len()..]), Some(champion));
            let options = champion.options();
            let bare = if options.is_empty() { "champion," } else { "champion" };
            let asked = format!("champion,{options}");
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
            assert!(champion.text.len() < 300_000);
            for level in champion.levels.iter().flatten() {
                assert_eq!(SearchOptions::split(&format!("champion,{level}"), KEYS).unwrap().0, "champion", "{level}");
            }
        }
        assert!(ShippedChampion::of("draughts@0.1") != ShippedChampion::of("draughts"));
        assert_eq!(ShippedChampion::of("nim@0.1"), ShippedChampion::of("nim"));
        assert_eq!(ShippedChampion::of("nim@evolved"), ShippedChampion::of("nim"));
        let parse = |text: &str| text.parse::<PlayerSpec>().map(|player| player.search());
        let usual = parse("champion:minichess").unwrap();
        assert_eq!(parse("champion:minichess,level=strong").unwrap(), usual);
        let levels = ["beginner", "club"].map(|level| parse(&format!("champion:minichess,level={level}")).unwrap());
        assert!(levels[0] != levels[1] && levels[1] != usual);
        for (text, why) in [
            ("champion:nim,level=club", "champion:nim has no levels"),
            ("champion:minichess,level=club,depth=3", "a level says how it looks ahead"),
            ("champion:minichess,level=master", "level is `master`, but it must be beginner, club, strong"),
            ("run:x,level=club", "it takes no option `level`"),
        ] {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.contains(why), "{error}");
        }
        assert!(ShippedChampion::of("nim@7").is_none() && ShippedChampion::of("go").is_none());
    }
}
