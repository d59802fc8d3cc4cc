//! What there is to choose from, for lists.

use crate::player_spec::PLAYERS;
use arena::{Examiner, Seating};
use chance::rng_for;
use evolution::StrategyConfig;
use games::{Game, GameVisitor, Setup as _};
use serde::Serialize;

/// Something that can be chosen by name.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Entry {
    /// The name people type.
    pub name: &'static str,
    /// One sentence.
    pub about: &'static str,
}

/// All games.
pub fn games() -> Vec<Entry> {
    struct Describe;
    impl GameVisitor for Describe {
        type Output = Entry;
        fn visit<G: Game>(self) -> Entry {
            Entry { name: G::NAME, about: G::ABOUT }
        }
    }
    games::names().iter().filter_map(|name| games::with_game(name, Describe)).collect()
}

/// What there is to know of a game before it is played.
#[derive(Clone, Debug, Serialize)]
pub struct GameInfo {
    /// The name people type.
    pub name: &'static str,
    /// One sentence on the rules.
    pub about: &'static str,
    /// What the sides are called, the first to move first.
    pub sides: [&'static str; 2],
    /// The form in which whole games are kept, if there is one.
    pub record: Option<&'static str>,
    /// Whether there are pieces to count.
    pub has_material: bool,
    /// Whether the whole game is solved, as it is usually set up.
    pub solved: bool,
    /// Whether there are endgame tables.
    pub has_endgames: bool,
    /// The usual setup.
    pub setup: serde_json::Value,
}

/// All games, described.
pub fn game_infos() -> Vec<GameInfo> {
    struct Describe;
    impl GameVisitor for Describe {
        type Output = GameInfo;
        fn visit<G: Game>(self) -> GameInfo {
            let setup = G::Setup::usual();
            let start = G::start(&setup, &mut rng_for(0, &[]));
            GameInfo {
                name: G::NAME,
                about: G::ABOUT,
                sides: G::SIDES,
                record: G::RECORDS.map(|form| form.name()),
                has_material: start.material().is_some(),
                solved: Examiner::<G>::new(&setup).is_some_and(|examiner| examiner.solver().is_some()),
                has_endgames: G::ENDGAMES.is_some(),
                setup: serde_json::to_value(&setup).unwrap_or_default(),
            }
        }
    }
    games::names().iter().filter_map(|name| games::with_game(name, Describe)).collect()
}

/// All strategies.
pub fn strategies() -> Vec<Entry> {
    StrategyConfig::ALL.iter().map(|info| Entry { name: info.name, about: info.about }).collect()
}

/// All schedules, with what is set for them.
pub fn schedules() -> Vec<Entry> {
    vec![
        Entry { name: "circular", about: "opponents = N: each network meets N others, twice each from the same start" },
        Entry { name: "opens", about: "games: everybody opens so many games against others drawn by chance" },
        Entry { name: "round-robin", about: "double = true or false: everybody meets everybody, twice or once" },
        Entry { name: "self-play", about: "games: one network that learns as it plays meets itself so often" },
    ]
}

/// All kinds of players.
pub fn players() -> Vec<Entry> {
    PLAYERS.to_vec()
}

/// The encoders and the heads of all games: game, `encoder` or `head`, and what it is.
pub fn encoders() -> Vec<(&'static str, &'static str, Entry)> {
    struct Describe;
    impl GameVisitor for Describe {
        type Output = Vec<(&'static str, &'static str, Entry)>;
        fn visit<G: Game>(self) -> Self::Output {
            let encoders = G::ENCODERS.iter().map(|e| ("encoder", Entry { name: e.name(), about: e.about() }));
            let about = |name: &str| G::DECODERS.iter().find(|d| d.name() == name).map(|d| d.about());
            let value = "one output judges the position after each legal move; the best is made";
            let heads = Seating::<G>::heads().into_iter();
            let heads = heads.map(|name| ("head", Entry { name, about: about(name).unwrap_or(value) }));
            encoders.chain(heads).map(|(kind, entry)| (G::NAME, kind, entry)).collect()
        }
    }
    games::names().iter().filter_map(|name| games::with_game(name, Describe)).flatten().collect()
}
