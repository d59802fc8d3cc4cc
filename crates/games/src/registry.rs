//! The list of games: it leads from the name that a person types to code that is generic over the game.
//!
//! A [`GameVisitor`] does something for a game of which only the name is known. [`by_name!`](crate::by_name) makes a
//! table for it with one generic function per game. Another crate adds the entries of its own game by one call at the
//! start of `main`.

use crate::{Decoder, Encoder, Game};
use std::sync::{LazyLock, PoisonError, RwLock};

/// Work that can be done for any game, and that runs once the game is known.
pub trait GameVisitor {
    /// The result of the work.
    type Output;
    /// Does the work for the game `G`.
    fn visit<G: Game>(self) -> Self::Output;
}

/// Receives games one after the other.
pub trait EachGame {
    /// Receives the next game.
    fn game<G: Game>(&mut self);
}

/// Defines [`each_built_in`] from a list of games.
macro_rules! games {
    ($($game:path),+ $(,)?) => {
        /// Passes every game of this crate to `to`, in the order of the list.
        pub fn each_built_in(to: &mut impl $crate::EachGame) {
            $(to.game::<$game>();)+
        }
    };
}
pub(crate) use games;

/// A table with one entry of type `T` for each game, found by the game's name.
pub struct GameTable<T>(RwLock<Vec<(&'static str, T)>>);

impl<T: Copy> GameTable<T> {
    /// A table without games.
    pub const fn new() -> GameTable<T> {
        GameTable(RwLock::new(Vec::new()))
    }

    /// Adds the entry of a game; does nothing if the name is already in the table.
    pub fn add(&self, name: &'static str, entry: T) {
        let mut entries = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if entries.iter().all(|(known, _)| *known != name) {
            entries.push((name, entry));
        }
    }

    /// The entry of the game with this name.
    pub fn find(&self, name: &str) -> Option<T> {
        let entries = self.0.read().unwrap_or_else(PoisonError::into_inner);
        entries.iter().find(|(known, _)| *known == name).map(|(_, entry)| *entry)
    }

    /// All names, in the order in which they were added.
    pub fn names(&self) -> Vec<&'static str> {
        let entries = self.0.read().unwrap_or_else(PoisonError::into_inner);
        entries.iter().map(|(name, _)| *name).collect()
    }
}

impl<T: Copy> Default for GameTable<T> {
    fn default() -> GameTable<T> {
        GameTable::new()
    }
}

/// There is no game with this name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownGame(pub String);

/// Lets a [`GameVisitor`] do its work in a game of which only the name is known. The visitor gets two methods:
/// `in_game` does the work in the game with that name; `add_game` adds a game of another crate. The crate's `register`
/// calls `add_game` of all its visitors, and the compiler warns if one is forgotten.
///
/// ```
/// use games::{Game, GameVisitor};
/// struct Describe;
/// impl GameVisitor for Describe {
///     type Output = &'static str;
///     fn visit<G: Game>(self) -> &'static str {
///         G::ABOUT
///     }
/// }
/// games::by_name!(Describe); // lifetimes of the type follow, as in by_name!(Work<'a>, 'a)
/// assert!(Describe.in_game("nim").is_ok_and(|about| !about.is_empty()));
/// assert!(Describe.in_game("ludo").is_err());
/// # Describe::add_game::<games::nim::Nim>();
/// ```
#[macro_export]
macro_rules! by_name {
    ($work:ty $(, $life:lifetime)*) => {
        const _: () = {
            type Entry = for<$($life),*> fn($work) -> <$work as $crate::GameVisitor>::Output;

            fn visit<$($life,)* G: $crate::Game>(work: $work) -> <$work as $crate::GameVisitor>::Output {
                $crate::GameVisitor::visit::<G>(work)
            }

            struct Fill($crate::GameTable<Entry>);

            impl $crate::EachGame for Fill {
                fn game<G: $crate::Game>(&mut self) {
                    self.0.add(G::NAME, visit::<G>);
                }
            }

            static TABLE: std::sync::LazyLock<$crate::GameTable<Entry>> = std::sync::LazyLock::new(|| {
                let mut fill = Fill($crate::GameTable::new());
                $crate::each_built_in(&mut fill);
                fill.0
            });

            impl<$($life),*> $work {
                /// Does this work in the game with this name.
                pub(crate) fn in_game(
                    self,
                    name: &str,
                ) -> Result<<Self as $crate::GameVisitor>::Output, $crate::UnknownGame> {
                    let entry = TABLE.find(name).ok_or_else(|| $crate::UnknownGame(name.to_string()))?;
                    Ok(entry(self))
                }

                /// Makes this work available for a game of another crate.
                pub(crate) fn add_game<G: $crate::Game>() {
                    TABLE.add(G::NAME, visit::<G>);
                }
            }
        };
    };
}

/// Does the visitor's work for the game of this crate with this name; `None` if there is no such game. For tests and
/// measurements only: people's requests use [`by_name!`](crate::by_name), which also knows games of other crates.
pub fn with_built_in<V: GameVisitor>(name: &str, visitor: V) -> Option<V::Output> {
    struct Find<'a, V: GameVisitor>(&'a str, Option<V>, Option<V::Output>);
    impl<V: GameVisitor> EachGame for Find<'_, V> {
        fn game<G: Game>(&mut self) {
            if self.0 == G::NAME {
                self.2 = self.1.take().map(|visitor| visitor.visit::<G>());
            }
        }
    }
    let mut find = Find(name, Some(visitor), None);
    crate::each_built_in(&mut find);
    find.2
}

/// The names of all games; the entries themselves are empty.
static NAMES: LazyLock<GameTable<()>> = LazyLock::new(|| {
    struct Fill(GameTable<()>);
    impl EachGame for Fill {
        fn game<G: Game>(&mut self) {
            self.0.add(G::NAME, ());
        }
    }
    let mut fill = Fill(GameTable::new());
    crate::each_built_in(&mut fill);
    fill.0
});

/// The names of all games: first those of this crate, then those that were registered.
pub fn names() -> Vec<&'static str> {
    NAMES.names()
}

/// Makes a game of another crate known by its name. Other crates with tables of games need the same call: programs call
/// `gamete::Program::game`, which registers the game with all of them.
pub fn register<G: Game>() {
    NAMES.add(G::NAME, ());
}

/// The game's encoder with this name.
pub fn find_encoder<G: Game>(name: &str) -> Option<&'static dyn Encoder<G>> {
    G::ENCODERS.iter().copied().find(|encoder| encoder.name() == name)
}

/// The game's decoder with this name.
pub fn find_decoder<G: Game>(name: &str) -> Option<&'static dyn Decoder<G>> {
    G::DECODERS.iter().copied().find(|decoder| decoder.name() == name)
}
