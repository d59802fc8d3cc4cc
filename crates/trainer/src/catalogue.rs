//! Lists of what users can choose from: games, strategies, schedules, scorings, encoders and heads.

use arena::{Examiner, Head, ScheduleConfig, ScheduleInfo, ScoringConfig, ScoringInfo};
use chance::rng_for;
use games::{Game, GameVisitor, Setup as _};
use serde::Serialize;

/// Something that can be chosen by name.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Entry {
    /// The name that users type.
    pub name: &'static str,
    /// One sentence about it.
    pub about: &'static str,
}

/// All games.
pub fn games() -> Vec<Entry> {
    games::names().into_iter().filter_map(|game| EntryOf.in_game(game).ok()).collect()
}

pub(crate) struct EntryOf;

games::by_name!(EntryOf);

impl GameVisitor for EntryOf {
    type Output = Entry;

    fn visit<G: Game>(self) -> Entry {
        Entry { name: G::NAME, about: G::ABOUT }
    }
}

/// A description of a game.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct GameInfo {
    /// The name that users type.
    pub name: &'static str,
    /// One sentence about the rules.
    pub about: &'static str,
    /// The names of the sides; the first one moves first.
    pub sides: [&'static str; 2],
    /// The name of the file format for whole games, if there is one.
    pub record: Option<&'static str>,
    /// Whether the game has pieces to count.
    pub has_material: bool,
    /// Whether the whole game is solved in its usual setup.
    pub solved: bool,
    /// Whether there are endgame tables.
    pub has_endgames: bool,
    /// The usual setup.
    #[cfg_attr(feature = "ts", ts(type = "Record<string, unknown>"))]
    pub setup: serde_json::Value,
}

/// Descriptions of all games.
pub fn game_infos() -> Vec<GameInfo> {
    games::names().into_iter().filter_map(|game| InfoOf.in_game(game).ok()).collect()
}

pub(crate) struct InfoOf;

games::by_name!(InfoOf);

impl GameVisitor for InfoOf {
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

/// All strategies.
pub fn strategies() -> Vec<Entry> {
    evolution::strategies().iter().map(|info| Entry { name: info.name, about: info.about }).collect()
}

/// All schedules, by name.
pub fn schedules() -> Vec<Entry> {
    let entry = |info: &ScheduleInfo| Entry { name: info.name, about: info.about };
    let mut all: Vec<Entry> = ScheduleConfig::ALL.iter().map(entry).collect();
    all.sort_by_key(|entry| entry.name);
    all
}

/// All scorings, by name.
pub fn scorings() -> Vec<Entry> {
    let entry = |info: &ScoringInfo| Entry { name: info.name, about: info.about };
    let mut all: Vec<Entry> = ScoringConfig::ALL.iter().map(entry).collect();
    all.sort_by_key(|entry| entry.name);
    all
}

/// The encoders and heads of all games: the game, `encoder` or `head`, and the entry.
pub fn encoders() -> Vec<(&'static str, &'static str, Entry)> {
    games::names().into_iter().filter_map(|game| EncodersOf.in_game(game).ok()).flatten().collect()
}

pub(crate) struct EncodersOf;

games::by_name!(EncodersOf);

impl GameVisitor for EncodersOf {
    type Output = Vec<(&'static str, &'static str, Entry)>;

    fn visit<G: Game>(self) -> Self::Output {
        let encoders = G::ENCODERS.iter().map(|e| ("encoder", Entry { name: e.name(), about: e.about() }));
        let about = |name: &str| G::DECODERS.iter().find(|d| d.name() == name).map(|d| d.about());
        let heads = Head::<G>::names().into_iter();
        let heads = heads.filter_map(|name| Some((name, Head::<G>::about(name).or(about(name))?)));
        let heads = heads.map(|(name, about)| ("head", Entry { name, about }));
        encoders.chain(heads).map(|(kind, entry)| (G::NAME, kind, entry)).collect()
    }
}
