//! How a player looks ahead, as it is said behind its name.

use crate::context::Context;
use arena::{Budget, Extend, Limits, MOST_DEPTH, MonteCarloSettings, Playouts};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// An option of players in words.
pub struct OptionInfo {
    /// Its key.
    pub key: &'static str,
    /// What stands behind the equals sign.
    pub value: &'static str,
    /// One line for lists.
    pub about: &'static str,
    /// Notes the value that was given; otherwise what the value must be.
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

/// All options there are; each kind of players says which of them it takes.
pub const OPTIONS: &[OptionInfo] = &[
    option("depth", "PLIES", "plies to look ahead, 0 for a network alone", |options, value| {
        let depth = value.parse().ok().filter(|depth| *depth <= MOST_DEPTH);
        noted(&mut options.depth, depth, || format!("a whole number from 0 to {MOST_DEPTH}"))
    }),
    option("nodes", "N", "no more positions than this for a move", |options, value| {
        noted(&mut options.nodes, value.parse().ok(), || "a whole number".to_string())
    }),
    option("seconds", "S", "no more time than this for a move", |options, value| {
        let seconds = value.parse().ok().filter(|seconds: &f64| *seconds >= 0.0 && seconds.is_finite());
        noted(&mut options.seconds, seconds, || "a number from 0 up".to_string())
    }),
    option("mcts", "ROUNDS", "Monte Carlo rounds instead of plies", |options, value| {
        noted(&mut options.mcts, value.parse().ok(), || "a whole number of rounds".to_string())
    }),
    option("ept", "PLIES", "in Monte Carlo rounds the network judges after so many plies", |options, value| {
        let plies = value.parse().ok().filter(|plies| *plies > 0);
        noted(&mut options.ept, plies, || "a whole number from 1 up".to_string())
    }),
    option(
        "playouts",
        "HOW",
        "how Monte Carlo rounds are played to the end: random, captures, network",
        |options, value| noted(&mut options.playouts, Playouts::named(value), || Playouts::NAMES.join(", ")),
    ),
    option(
        "extend",
        "WHERE",
        "where it looks on because captures are forced: off, leaves, everywhere (they take no ply)",
        |options, value| noted(&mut options.extend, Extend::named(value), || Extend::NAMES.join(", ")),
    ),
    option("endgames", "on", "endgame tables play where they know better", |options, value| {
        let on = ["off", "on"].iter().position(|known| *known == value);
        options.endgames = on.ok_or_else(|| "on or off".to_string())? == 1;
        Ok(())
    }),
];

/// Notes the value that was read; otherwise what the value must be.
fn noted<T>(option: &mut Option<T>, value: Option<T>, must_be: impl Fn() -> String) -> Result<(), String> {
    *option = Some(value.ok_or_else(must_be)?);
    Ok(())
}

/// The keys of all options, for kinds that take them all.
pub(crate) const KEYS: &[&str] = &{
    let mut keys = [""; OPTIONS.len()];
    let mut place = 0;
    while place < OPTIONS.len() {
        keys[place] = OPTIONS[place].key;
        place += 1;
    }
    keys
};

/// How far to look ahead.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SearchOptions {
    /// So many plies.
    pub depth: Option<u32>,
    /// No more than so many positions.
    pub nodes: Option<u64>,
    /// For no longer than so many seconds; what is found then depends on the machine.
    pub seconds: Option<f64>,
    /// So many Monte Carlo rounds instead of plies.
    pub mcts: Option<u32>,
    /// Their playouts stop after so many plies, and the network judges.
    pub ept: Option<u32>,
    /// How moves of playouts are chosen.
    pub playouts: Option<Playouts>,
    /// Where a search looks on because the mover must capture.
    pub extend: Option<Extend>,
    /// Whether endgame tables play where they know better.
    pub endgames: bool,
}

impl SearchOptions {
    /// Takes options off the end of a player's name: what is left, and the options. Only these keys may be given.
    pub(crate) fn split<'a>(text: &'a str, known: &[&str]) -> Result<(&'a str, SearchOptions), String> {
        let mut options = SearchOptions::default();
        let mut rest = text;
        while let Some((before, option)) = rest.rsplit_once(',') {
            let Some((key, value)) = option.split_once('=') else { break };
            if key.is_empty() || !key.chars().all(|c| c.is_ascii_lowercase()) {
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

    /// So many plies, and nothing else.
    pub(crate) fn plies(depth: u32) -> SearchOptions {
        SearchOptions { depth: Some(depth), ..SearchOptions::default() }
    }

    /// Whether nothing was asked for, but for endgame tables.
    pub(crate) fn is_empty(&self) -> bool {
        *self == SearchOptions { endgames: self.endgames, ..SearchOptions::default() }
    }

    /// The limits of a search.
    pub(crate) fn limits(&self) -> Limits {
        let (depth, nodes) = (self.depth.unwrap_or(MOST_DEPTH), self.nodes.unwrap_or(u64::MAX));
        Limits { depth, nodes, extend: self.extend.unwrap_or_default() }
    }

    /// The clock of a search, and the button that ends it, where there is one or the other.
    pub(crate) fn patience(&self, context: &Context) -> Option<Box<dyn Budget>> {
        if self.seconds.is_none() && context.halt.is_none() {
            return None;
        }
        Some(Box::new(Patience { begun: Instant::now(), seconds: self.seconds, halt: context.halt.clone() }))
    }

    /// How rounds are made, where they are asked for.
    pub(crate) fn monte_carlo(&self) -> Option<MonteCarloSettings> {
        let playouts = self.playouts.unwrap_or(Playouts::Random);
        Some(MonteCarloSettings { rounds: self.mcts?, stop_after: self.ept, playouts })
    }

    /// What of it does not go together.
    pub(crate) fn problem(&self) -> Option<&'static str> {
        let limited = self.nodes.is_some() || self.seconds.is_some();
        match self {
            SearchOptions { depth: Some(0), .. } if limited => Some("at depth 0 there is no search to limit"),
            SearchOptions { mcts: Some(_), depth: Some(_), .. } => Some("it has depth and mcts, but one must do"),
            SearchOptions { mcts: Some(_), extend: Some(_), .. } => {
                Some("extend says how plies are looked ahead, not rounds")
            }
            SearchOptions { mcts: Some(_), nodes: Some(_), .. } => Some("nodes limit a depth; rounds limit mcts"),
            SearchOptions { mcts: None, ept: Some(_), .. } | SearchOptions { mcts: None, playouts: Some(_), .. } => {
                Some("ept and playouts say how the rounds of mcts are made, as in mcts=500,ept=6")
            }
            _ => None,
        }
    }
}

/// Lets a search go on for so long, and while somebody waits for it.
struct Patience {
    begun: Instant,
    seconds: Option<f64>,
    halt: Option<Arc<AtomicBool>>,
}

impl Budget for Patience {
    fn begin(&mut self) {
        self.begun = Instant::now();
    }
    fn is_spent(&mut self) -> bool {
        self.seconds.is_some_and(|seconds| self.begun.elapsed().as_secs_f64() >= seconds)
            || self.halt.as_ref().is_some_and(|halt| halt.load(Ordering::Relaxed))
    }
    fn is_expected(&self) -> bool {
        self.seconds.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_is_read() {
        for OptionInfo { key, .. } in OPTIONS {
            let said = SearchOptions::split(&format!("x,{key}=?"), KEYS).unwrap_err();
            assert!(said.starts_with(&format!("{key} is `?`, but it must be ")), "{said}");
        }
    }
}
