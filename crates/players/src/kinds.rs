//! The kinds of players: the contract of a kind, and the list of those there are.
//!
//! A kind is one file here and two lines in this one: its `mod` line, and its name in the list below. Names of players,
//! `gamete list players`, matches, exams and the pages find it there. `docs/extending-player.md` shows a complete one.

mod champion;
mod file;
mod first;
mod material;
mod mcts;
mod perfect;
mod random;
mod run;

pub(crate) use run::Run;

use crate::Error;
use crate::player_network::PlayerNetwork;
use crate::search_options::SearchOptions;
use crate::seated::{SeatParams, Seated};
use games::Game;
use serde::Serialize;
use std::path::Path;

/// A kind of players. A value of the type is one player of that kind, as it was named.
pub trait PlayerKind: Clone + PartialEq + Send + Sync {
    /// What lists and pages say of the kind.
    const INFO: KindInfo;

    /// Reads the argument, which is the text behind the colon and empty where there is none. The options behind it may
    /// be completed. A refusal says what would be right.
    fn parse(argument: &str, options: &mut SearchOptions) -> Result<Self, String>;

    /// Reads the network that this player plays with; `None` where it is no network. Asked once for each player, before
    /// it takes its first seat.
    fn network(&self, runs: &Path) -> Result<Option<PlayerNetwork>, Error> {
        let _ = runs;
        Ok(None)
    }

    /// Refuses a player that visitors of the web app must not ask for.
    fn checked_for_pages(&self, runs: &Path) -> Result<(), Error> {
        let _ = runs;
        let name = Self::INFO.name;
        let refused = || Error::refused(format!("pages play against no {name}s; a run's champion is run:NAME"));
        if Self::INFO.in_pages { Ok(()) } else { Err(refused()) }
    }

    /// Makes a player for one thread, or says why this kind cannot play that game.
    fn seat<G: Game>(&self, params: &SeatParams<'_, G>) -> Result<Seated<G>, Error>;
}

/// What lists and pages say of a kind of players.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct KindInfo {
    /// The name people type.
    pub name: &'static str,
    /// What stands behind the colon, such as `DEPTH`; empty where nothing does.
    pub argument: &'static str,
    /// The bounds of the argument, where it is a number.
    pub number: Option<NumberInfo>,
    /// One line for lists.
    pub about: &'static str,
    /// What a page calls the kind where one chooses.
    pub label: &'static str,
    /// What a page calls a player of this kind within a sentence; `{}` stands for the argument.
    pub title: &'static str,
    /// The options that may stand behind the argument.
    pub options: &'static [&'static str],
    /// What a game must have so that this kind can play it.
    pub needs: Needs,
    /// Whether it says what positions are worth.
    pub has_values: bool,
    /// Whether it is a network that can be looked into.
    pub has_network: bool,
    /// Whether visitors of the web app may ask for it: not what reads files that they name or starts programs.
    pub in_pages: bool,
}

/// An argument that is a whole number.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct NumberInfo {
    /// What it counts.
    pub counts: &'static str,
    /// The smallest number.
    pub least: u32,
    /// The largest number.
    pub most: u32,
    /// A usual number, for forms and examples.
    pub usual: u32,
}

/// What a kind of players needs of a game.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Needs {
    /// Any game will do.
    Nothing,
    /// A solver of the game, or of its endings.
    Solver,
    /// Pieces that can be counted.
    Pieces,
}

impl KindInfo {
    /// A kind that has only a name: no argument, no options, no opinion, for any game, in pages too.
    pub const fn plain(name: &'static str, about: &'static str, label: &'static str, title: &'static str) -> KindInfo {
        KindInfo {
            name,
            argument: "",
            number: None,
            about,
            label,
            title,
            options: &[],
            needs: Needs::Nothing,
            has_values: false,
            has_network: false,
            in_pages: true,
        }
    }

    /// How players of this kind are named, such as `material:DEPTH`.
    pub fn form(&self) -> String {
        if self.argument.is_empty() { self.name.to_string() } else { format!("{}:{}", self.name, self.argument) }
    }

    /// The number in an argument, within the bounds of the kind.
    pub fn parse_number(&self, argument: &str) -> Result<u32, String> {
        let NumberInfo { counts, least, most, usual } =
            self.number.expect("the kind says that its argument is a number");
        argument.parse().ok().filter(|number| (least..=most).contains(number)).ok_or_else(|| {
            let bounds = if most == u32::MAX { format!("{least} up") } else { format!("{least} to {most}") };
            format!("its {counts} must be a whole number from {bounds}, as in {}:{usual}", self.name)
        })
    }
}

/// Makes the enum of all kinds from the list of their types.
macro_rules! kinds {
    ($($kind:ident($type:ty)),+ $(,)?) => {
        /// A player of any kind, as it was named.
        #[derive(Clone, Debug, PartialEq)]
        pub(crate) enum Kind {
            $($kind($type)),+
        }

        /// All kinds of players, in the order of lists.
        pub const PLAYER_KINDS: &[KindInfo] = &[$(<$type>::INFO),+];

        impl Kind {
            /// Reads the argument and options of a player of the named kind; `None` where there is no such kind.
            pub fn parse(name: &str, argument: &str, options: &mut SearchOptions) -> Option<Result<Kind, String>> {
                $(if name == <$type>::INFO.name {
                    return Some(<$type>::parse(argument, options).map(Kind::$kind));
                })+
                None
            }

            pub fn info(&self) -> &'static KindInfo {
                match self {
                    $(Kind::$kind(_) => &<$type>::INFO),+
                }
            }

            pub fn network(&self, runs: &Path) -> Result<Option<PlayerNetwork>, Error> {
                match self {
                    $(Kind::$kind(player) => player.network(runs)),+
                }
            }

            pub fn checked_for_pages(&self, runs: &Path) -> Result<(), Error> {
                match self {
                    $(Kind::$kind(player) => player.checked_for_pages(runs)),+
                }
            }

            pub fn seat<G: Game>(&self, params: &SeatParams<'_, G>) -> Result<Seated<G>, Error> {
                match self {
                    $(Kind::$kind(player) => player.seat(params)),+
                }
            }
        }
    };
}

kinds! {
    Random(random::Random),
    First(first::First),
    Perfect(perfect::Perfect),
    Material(material::Material),
    Mcts(mcts::Mcts),
    Champion(champion::Champion),
    Run(run::Run),
    File(file::File),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search_options::OPTIONS;

    /// Every kind says what it is, and takes options that there are.
    #[test]
    fn kinds_are_what_they_say() {
        for info in PLAYER_KINDS {
            let words = [info.name, info.about, info.label, info.title];
            assert!(words.iter().all(|words| !words.is_empty()), "{info:?}");
            assert!(info.name.chars().all(|letter| letter.is_ascii_lowercase()), "{info:?}");
            assert!(info.options.iter().all(|key| OPTIONS.iter().any(|option| option.key == *key)), "{info:?}");
            assert_eq!(PLAYER_KINDS.iter().filter(|other| other.name == info.name).count(), 1, "{info:?}");
            if let Some(number) = info.number {
                let usual = Kind::parse(info.name, &number.usual.to_string(), &mut SearchOptions::default());
                assert_eq!(usual.unwrap().unwrap().info(), info);
            }
        }
    }
}
