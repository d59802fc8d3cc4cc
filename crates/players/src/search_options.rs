//! The options after a player's name, which say how it looks ahead: `run:NAME,depth=4`.

use crate::context::Context;
use crate::engine_clock::EngineClock;
use arena::{Budget, Extend, Limits, MOST_DEPTH, Method, MonteCarloSettings, Playouts, Progress, Selection};
use games::Protocol;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// The description of an option of players.
pub struct OptionInfo {
    /// The option's key.
    pub key: &'static str,
    /// The name of the value after the equals sign, such as `PLIES`.
    pub value: &'static str,
    /// An explanation in one line, for lists.
    pub about: &'static str,
    /// Reads the value and stores it in the options. The error says what the value must be.
    read: fn(&mut SearchOptions, &str) -> Result<(), String>,
}

const fn option(
    key: &'static str,
    value: &'static str,
    about: &'static str,
    read: fn(&mut SearchOptions, &str) -> Result<(), String>,
) -> OptionInfo {
    OptionInfo { key, value, about, read }
}

/// All options. Each kind of players lists those that it takes.
pub const OPTIONS: &[OptionInfo] = &[
    option("depth", "PLIES", "number of plies to look ahead; 0 is the network alone", |options, value| {
        let depth = value.parse().ok().filter(|depth| *depth <= MOST_DEPTH);
        noted(&mut options.depth, depth, || format!("a whole number from 0 to {MOST_DEPTH}"))
    }),
    option("nodes", "N", "the most positions to search for a move", |options, value| {
        noted(&mut options.nodes, value.parse().ok(), || "a whole number".to_string())
    }),
    option("seconds", "S", "the most seconds for a move", |options, value| {
        let seconds = value.parse().ok().filter(|seconds: &f64| *seconds >= 0.0 && seconds.is_finite());
        noted(&mut options.seconds, seconds, || "a number from 0 up".to_string())
    }),
    option(
        "mcts",
        "ROUNDS",
        "Monte Carlo tree search with this number of rounds, instead of alpha-beta search",
        |options, value| noted(&mut options.mcts, value.parse().ok(), || "a whole number of rounds".to_string()),
    ),
    option(
        "ept",
        "PLIES",
        "Monte Carlo playouts stop after PLIES plies, and the network evaluates",
        |options, value| {
            let plies = value.parse().ok().filter(|plies| *plies > 0);
            noted(&mut options.ept, plies, || "a whole number from 1 up".to_string())
        },
    ),
    option(
        "playouts",
        "HOW",
        "how moves in Monte Carlo playouts are chosen: random, captures, network",
        |options, value| noted(&mut options.playouts, Playouts::named(value), || Playouts::NAMES.join(", ")),
    ),
    option(
        "extend",
        "WHERE",
        "where forced captures extend the search: off, leaves, everywhere (they do not count as plies)",
        |options, value| noted(&mut options.extend, Extend::named(value), || Extend::NAMES.join(", ")),
    ),
    option(
        "search",
        "HOW",
        "how the search looks ahead: exact; selective: deeper where pieces are captured, at equal time",
        |options, value| noted(&mut options.search, Method::named(value), || Method::NAMES.join(", ")),
    ),
    option(
        "hash",
        "WHEN",
        "how long a selective search keeps its transposition table: move, game",
        |options, value| {
            let keeps = ["move", "game"].iter().position(|known| *known == value).map(|place| place == 1);
            noted(&mut options.keeps_table, keeps, || "move or game".to_string())
        },
    ),
    option(
        "without",
        "TECHNIQUE",
        "switches a technique of the selective search off, to measure its share; may be given several times",
        |options, value| {
            let selection = options.without.unwrap_or_default().without(value);
            noted(&mut options.without, selection, || Selection::NAMES.join(", "))
        },
    ),
    option("as-bred", "", "look ahead as the network was bred, not as it usually does", |options, value| {
        options.as_bred = value.is_empty();
        if options.as_bred { Ok(()) } else { Err("alone, without a value".to_string()) }
    }),
    option("endgames", "on", "play from endgame tables where they know a better move", |options, value| {
        let on = ["off", "on"].iter().position(|known| *known == value);
        options.endgames = on.ok_or_else(|| "on or off".to_string())? == 1;
        Ok(())
    }),
    option(
        "level",
        "LEVEL",
        "how strong a champion plays: beginner, club, strong (its usual search)",
        |options, value| noted(&mut options.level, Level::named(value), || Level::NAMES.join(", ")),
    ),
    option(
        "protocol",
        "NAME",
        "the protocol of an engine: uci, cecp, hub; else the usual one of the game",
        |options, value| noted(&mut options.protocol, Protocol::named(value), || Protocol::NAMES.join(", ")),
    ),
    option(
        "mobility",
        "MEN",
        "what each legal move more than the other side has is worth, as a part of the least piece",
        |options, value| {
            let worth = value.parse().ok().filter(|worth: &f32| (0.0..=1.0).contains(worth));
            noted(&mut options.mobility, worth, || "a number from 0 to 1".to_string())
        },
    ),
];

/// Stores the value that was read. If it is `None`, the error says what the value must be.
fn noted<T>(option: &mut Option<T>, value: Option<T>, must_be: impl Fn() -> String) -> Result<(), String> {
    *option = Some(value.ok_or_else(must_be)?);
    Ok(())
}

/// The keys of the options of champions: all but the last two, which are for engines and for counting pieces.
pub(crate) const CHAMPION_KEYS: &[&str] = &keys::<{ OPTIONS.len() - 2 }>();
/// The keys of the options of all other networks, which have no levels.
pub(crate) const KEYS: &[&str] = &keys::<{ OPTIONS.len() - 3 }>();

/// The keys of the first options.
const fn keys<const COUNT: usize>() -> [&'static str; COUNT] {
    let mut keys = [""; COUNT];
    let mut place = 0;
    while place < COUNT {
        keys[place] = OPTIONS[place].key;
        place += 1;
    }
    keys
}

/// How strong a champion plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// It looks hardly ahead.
    Beginner,
    /// It looks a few plies ahead.
    Club,
    /// It plays as well as it can in a short time.
    Strong,
}

impl Level {
    /// The names of all levels, from weak to strong.
    pub const NAMES: [&'static str; 3] = ["beginner", "club", "strong"];

    fn named(name: &str) -> Option<Level> {
        let place = Level::NAMES.iter().position(|known| *known == name)?;
        Some([Level::Beginner, Level::Club, Level::Strong][place])
    }
}

/// How a player looks ahead. `None` means that the option was not given.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SearchOptions {
    /// The depth of the alpha-beta search in plies.
    pub depth: Option<u32>,
    /// The most positions that a search visits for one move.
    pub nodes: Option<u64>,
    /// The most seconds for one move. The chosen move then depends on the speed of the machine.
    pub seconds: Option<f64>,
    /// The number of Monte Carlo rounds, instead of a depth.
    pub mcts: Option<u32>,
    /// Early playout termination: the number of plies after which a playout stops and the network evaluates.
    pub ept: Option<u32>,
    /// How moves in playouts are chosen.
    pub playouts: Option<Playouts>,
    /// Where forced captures extend the alpha-beta search.
    pub extend: Option<Extend>,
    /// How the alpha-beta search looks ahead.
    pub search: Option<Method>,
    /// Whether a selective search keeps its transposition table for the length of a game.
    pub keeps_table: Option<bool>,
    /// The techniques of a selective search that are left, if some were switched off.
    pub without: Option<Selection>,
    /// Whether endgame tables choose the move where they know a better one.
    pub endgames: bool,
    /// Whether a champion looks ahead as it was bred, although its usual search is another.
    pub as_bred: bool,
    /// The protocol of an engine.
    pub protocol: Option<Protocol>,
    /// What a legal move is worth to a player that counts pieces.
    pub mobility: Option<f32>,
    /// How strong a champion plays.
    pub level: Option<Level>,
}

impl SearchOptions {
    /// Splits a player's text into the part before the options and the options. Only the keys in `known` are allowed.
    pub(crate) fn split<'a>(text: &'a str, known: &[&str]) -> Result<(&'a str, SearchOptions), String> {
        let mut options = SearchOptions::default();
        let mut rest = text;
        while let Some((before, option)) = rest.rsplit_once(',') {
            let (key, value) = match option.split_once('=') {
                Some(pair) => pair,
                // An option without a value.
                None if known.contains(&option) => (option, ""),
                None => break,
            };
            if key.is_empty() || !key.chars().all(|c| c.is_ascii_lowercase() || c == '-') {
                break;
            }
            let Some(info) = OPTIONS.iter().find(|info| info.key == key && known.contains(&key)) else {
                let known = if known.is_empty() { "none".to_string() } else { known.join(", ") };
                return Err(format!("it takes no option `{key}`; it takes {known}"));
            };
            (info.read)(&mut options, value)
                .map_err(|must_be| format!("{key} is `{value}`, but it must be {must_be}"))?;
            rest = before;
        }
        Ok((rest, options))
    }

    /// The same for a player that is a command: commas in quotation marks do not separate, and parts that are none of
    /// the known options stay with the command.
    pub(crate) fn split_command(text: &str, known: &[&str]) -> Result<(String, SearchOptions), String> {
        let mut options = SearchOptions::default();
        let mut parts = SearchOptions::parts(text);
        let mut problem = None;
        parts.retain(|part| {
            let Some((key, value)) = part.split_once('=').filter(|(key, _)| known.contains(key)) else { return true };
            let info = OPTIONS.iter().find(|info| info.key == key);
            if let Some(Err(must_be)) = info.map(|info| (info.read)(&mut options, value)) {
                problem = Some(format!("{key} is `{value}`, but it must be {must_be}"));
            }
            false
        });
        problem.map_or(Ok((parts.join(","), options)), Err)
    }

    /// The parts of a text between commas. Commas in quotation marks do not separate.
    pub(crate) fn parts(text: &str) -> Vec<&str> {
        let (mut parts, mut begin, mut quote) = (Vec::new(), 0, None);
        for (place, letter) in text.char_indices() {
            match (quote, letter) {
                (None, ',') => {
                    parts.push(&text[begin..place]);
                    begin = place + 1;
                }
                (None, '\'' | '"') => quote = Some(letter),
                (Some(open), _) if open == letter => quote = None,
                _ => {}
            }
        }
        parts.push(&text[begin..]);
        parts
    }

    /// Alpha-beta search of this depth in plies, without other options.
    pub(crate) fn plies(depth: u32) -> SearchOptions {
        SearchOptions { depth: Some(depth), ..SearchOptions::default() }
    }

    /// Whether no option was given, except perhaps `endgames`.
    pub(crate) fn is_empty(&self) -> bool {
        *self == SearchOptions { endgames: self.endgames, ..SearchOptions::default() }
    }

    /// Whether an option of the search was given.
    fn searches(&self) -> bool {
        !SearchOptions { as_bred: false, ..*self }.is_empty()
    }

    /// The limits of an alpha-beta search. Options that were not given do not limit it.
    pub(crate) fn limits(&self) -> Limits {
        Limits {
            nodes: self.nodes.unwrap_or(u64::MAX),
            extend: self.extend.unwrap_or_default(),
            method: self.search.unwrap_or_default(),
            selection: self.without.unwrap_or_default(),
            keeps_table: self.keeps_table.unwrap_or(false),
            ..Limits::depth(self.depth.unwrap_or(MOST_DEPTH))
        }
    }

    /// The time limit of a search and its stop signal; `None` if it has neither.
    pub(crate) fn patience(&self, context: &Context) -> Option<Box<dyn Budget>> {
        if self.seconds.is_none() && context.halt.is_none() && context.clock.is_none() {
            return None;
        }
        let (halt, clock) = (context.halt.clone(), context.clock.clone());
        Some(Box::new(Patience { begun: Instant::now(), seconds: self.seconds, halt, clock }))
    }

    /// The settings of Monte Carlo tree search; `None` if it was not asked for.
    pub(crate) fn monte_carlo(&self) -> Option<MonteCarloSettings> {
        let playouts = self.playouts.unwrap_or(Playouts::Random);
        Some(MonteCarloSettings { rounds: self.mcts?, stop_after: self.ept, playouts })
    }

    /// Why these options cannot be combined; `None` if they can.
    pub(crate) fn problem(&self) -> Option<&'static str> {
        let limited = self.nodes.is_some() || self.seconds.is_some();
        match self {
            SearchOptions { as_bred: true, .. } if self.searches() => {
                Some("as-bred is the search that it was bred with; leave the other options of the search out")
            }
            SearchOptions { depth: Some(0), .. } if limited => Some("at depth 0 there is no search to limit"),
            SearchOptions { mcts: Some(_), depth: Some(_), .. } => Some("it has depth and mcts; choose one of them"),
            SearchOptions { mcts: Some(_), extend: Some(_), .. } => {
                Some("extend belongs to a search by depth, not to mcts")
            }
            SearchOptions { mcts: Some(_), search: Some(_), .. } => {
                Some("search belongs to a search by depth, not to mcts")
            }
            SearchOptions { search: Some(Method::Selective), extend: Some(_), .. } => {
                Some("extend belongs to search=exact; a selective search always follows captures")
            }
            SearchOptions { search: None | Some(Method::Exact), keeps_table: Some(_), .. }
            | SearchOptions { search: None | Some(Method::Exact), without: Some(_), .. } => {
                Some("hash and without are only allowed with search=selective")
            }
            SearchOptions { depth: Some(0), search: Some(_), .. } => Some("at depth 0 there is no search"),
            SearchOptions { mcts: Some(_), nodes: Some(_), .. } => {
                Some("nodes limits a search by depth; mcts is limited by its rounds")
            }
            SearchOptions { mcts: None, ept: Some(_), .. } | SearchOptions { mcts: None, playouts: Some(_), .. } => {
                Some("ept and playouts are only allowed with mcts, as in mcts=500,ept=6")
            }
            _ => None,
        }
    }
}

/// Ends a search after the given seconds, when nobody waits for it any more, or by an engine's clock.
struct Patience {
    begun: Instant,
    seconds: Option<f64>,
    halt: Option<Arc<AtomicBool>>,
    clock: Option<Arc<EngineClock>>,
}

impl Budget for Patience {
    fn begin(&mut self) {
        self.begun = Instant::now();
    }
    fn is_spent(&mut self) -> bool {
        self.seconds.is_some_and(|seconds| self.begun.elapsed().as_secs_f64() >= seconds)
            || self.halt.as_ref().is_some_and(|halt| halt.load(Ordering::Relaxed))
            || self.clock.as_ref().is_some_and(|clock| clock.is_spent())
    }
    fn is_expected(&self) -> bool {
        self.seconds.is_some() || self.clock.is_some()
    }
    fn most_depth(&self) -> u32 {
        self.clock.as_ref().map_or(MOST_DEPTH, |clock| clock.limits().depth)
    }
    fn most_nodes(&self) -> u64 {
        self.clock.as_ref().map_or(u64::MAX, |clock| clock.limits().nodes)
    }
    fn table_bytes(&self) -> Option<usize> {
        self.clock.as_ref().and_then(|clock| clock.table_bytes())
    }
    fn only(&self) -> Option<Arc<[usize]>> {
        self.clock.as_ref().and_then(|clock| clock.limits().only)
    }
    fn hears(&self) -> bool {
        self.clock.is_some()
    }
    fn hear(&mut self, progress: &Progress) {
        if let Some(clock) = &self.clock {
            clock.hear(progress);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_is_read() {
        for OptionInfo { key, .. } in OPTIONS {
            let said = SearchOptions::split(&format!("x,{key}=?"), &[key]).unwrap_err();
            assert!(said.starts_with(&format!("{key} is `?`, but it must be ")), "{said}");
        }
    }
}
