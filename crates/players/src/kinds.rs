//! The kinds of players, such as `random` or `material:DEPTH`: what a kind must provide, and the list of all kinds.
//!
//! To add a kind, write one file in `kinds/` and two lines in this file: its `mod` line, and its name in the list
//! below. The command line and the web app then know it. `docs/extending-player.md` shows a complete example.

mod champion;
mod engine;
mod file;
mod first;
mod material;
mod mcts;
mod perfect;
mod random;
mod run;

pub(crate) use run::Run;

use crate::Error;
use crate::context::Context;
use crate::player_network::PlayerNetwork;
use crate::search_options::SearchOptions;
use crate::seated::{SeatParams, Seated};
use games::Game;
use serde::Serialize;
use std::path::Path;

/// A kind of players. A value of the type is one player of that kind, with its argument.
pub trait PlayerKind: Clone + PartialEq + Send + Sync {
    /// The description of the kind for lists and the web app.
    const INFO: KindInfo;

    /// Reads the argument: the text after the colon, or an empty text if there is none. It may fill in `options`. The
    /// error text says what is allowed.
    fn parse(argument: &str, options: &mut SearchOptions) -> Result<Self, String>;

    /// Reads the network that this player plays with; `None` if it has no network. It is called once for each player,
    /// before the first call of [`PlayerKind::seat`].
    fn network(&self, runs: &Path) -> Result<Option<PlayerNetwork>, Error> {
        let _ = runs;
        Ok(None)
    }

    /// Returns an error if visitors of the web app must not use this player.
    fn checked_for_pages(&self, context: &Context) -> Result<(), Error> {
        let _ = context;
        let name = Self::INFO.name;
        let refused =
            || Error::refused(format!("`{name}` players are not allowed in the web app; a run's champion is run:NAME"));
        if Self::INFO.in_pages { Ok(()) } else { Err(refused()) }
    }

    /// Whether the player can play on this machine: it is not if it is a program that is not installed.
    fn is_present(&self, context: &Context) -> bool {
        let _ = context;
        true
    }

    /// Makes a player for one thread, or returns an error if this kind cannot play the game.
    fn seat<G: Game>(&self, params: &SeatParams<'_, G>) -> Result<Seated<G>, Error>;
}

/// The description of a kind of players, for lists and the web app.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct KindInfo {
    /// The name people type.
    pub name: &'static str,
    /// The name of the argument after the colon, such as `DEPTH`; empty if the kind has none.
    pub argument: &'static str,
    /// The bounds of the argument; `None` if it is not a number.
    pub number: Option<NumberInfo>,
    /// An explanation in one line, for lists.
    pub about: &'static str,
    /// The name of the kind where a visitor of the web app chooses a player.
    pub label: &'static str,
    /// The name of a player of this kind within a sentence of the web app; `{}` stands for the argument.
    pub title: &'static str,
    /// The keys of the options that this kind takes.
    pub options: &'static [&'static str],
    /// What a game must have so that this kind can play it.
    pub needs: Needs,
    /// Whether its players have an opinion of positions.
    pub has_values: bool,
    /// Whether its players have a network that can be shown.
    pub has_network: bool,
    /// Whether the argument is a command, in which commas within quotation marks belong to the command.
    pub is_command: bool,
    /// Whether visitors of the web app may use it. It must be `false` if the kind reads files or starts programs that a
    /// visitor names.
    pub in_pages: bool,
}

/// An argument that is a whole number.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct NumberInfo {
    /// What the number counts, such as `plies`.
    pub counts: &'static str,
    /// The smallest number.
    pub least: u32,
    /// The largest number.
    pub most: u32,
    /// A usual number, for forms and examples.
    pub usual: u32,
}

/// What a game must have so that a kind of players can play it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Needs {
    /// Nothing: the kind can play any game.
    Nothing,
    /// A solver of the game or of its endgames.
    Solver,
    /// Pieces that can be counted.
    Pieces,
}

impl KindInfo {
    /// A kind without argument, options, opinion and network, for any game, which the web app may use.
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
            is_command: false,
            in_pages: true,
        }
    }

    /// The form of a player's name, such as `material:DEPTH`.
    pub fn form(&self) -> String {
        if self.argument.is_empty() { self.name.to_string() } else { format!("{}:{}", self.name, self.argument) }
    }

    /// Reads the argument as a number and checks its bounds. The kind must have [`KindInfo::number`].
    pub fn parse_number(&self, argument: &str) -> Result<u32, String> {
        let NumberInfo { counts, least, most, usual } =
            self.number.expect("the kind says that its argument is a number");
        let name = self.name;
        if argument.is_empty() {
            return Err(format!("the number of {counts} is missing; write for example {name}:{usual}"));
        }
        argument.parse().ok().filter(|number| (least..=most).contains(number)).ok_or_else(|| {
            let bounds = if most == u32::MAX { format!("{least} up") } else { format!("{least} to {most}") };
            format!("the number of {counts} is `{argument}`, but it must be a whole number from {bounds}, as in {name}:{usual}")
        })
    }
}

/// Makes the enum of all kinds from the list of their types.
macro_rules! kinds {
    ($($kind:ident($type:ty)),+ $(,)?) => {
        /// A player of any kind, with its argument.
        #[derive(Clone, Debug, PartialEq)]
        pub(crate) enum Kind {
            $($kind($type)),+
        }

        /// All kinds of players, in the order of lists.
        pub const PLAYER_KINDS: &[KindInfo] = &[$(<$type>::INFO),+];

        impl Kind {
            /// Reads the argument and options of a player of the named kind; `None` if there is no such kind.
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

            pub fn checked_for_pages(&self, context: &Context) -> Result<(), Error> {
                match self {
                    $(Kind::$kind(player) => player.checked_for_pages(context)),+
                }
            }

            pub fn is_present(&self, context: &Context) -> bool {
                match self {
                    $(Kind::$kind(player) => player.is_present(context)),+
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
    Engine(engine::Engine),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search_options::OPTIONS;

    /// Every kind has all descriptions, a unique name and only options that exist.
    #[test]
    fn descriptions_of_kinds_are_complete() {
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
