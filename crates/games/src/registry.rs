//! The one door from names to games: text on one side, generic code on the other.

use crate::{Decoder, Encoder, Game};

/// Code that works for any game, waiting to be told which.
pub trait GameVisitor {
    /// What it makes.
    type Output;
    /// Does it for this game.
    fn visit<G: Game>(self) -> Self::Output;
}

/// Makes [`names`] and [`with_game`] from a list of games.
macro_rules! games {
    ($($game:path),+ $(,)?) => {
        /// The names of all games, in the order of the list.
        pub fn names() -> &'static [&'static str] {
            &[$(<$game as $crate::Game>::NAME),+]
        }

        /// Does the visitor's work for the game of that name; `None` when there is no such game.
        pub fn with_game<V: $crate::GameVisitor>(name: &str, visitor: V) -> Option<V::Output> {
            $(if name == <$game as $crate::Game>::NAME {
                return Some(visitor.visit::<$game>());
            })+
            None
        }
    };
}
pub(crate) use games;

/// The game's encoder of that name.
pub fn find_encoder<G: Game>(name: &str) -> Option<&'static dyn Encoder<G>> {
    G::ENCODERS.iter().copied().find(|encoder| encoder.name() == name)
}

/// The game's decoder of that name.
pub fn find_decoder<G: Game>(name: &str) -> Option<&'static dyn Decoder<G>> {
    G::DECODERS.iter().copied().find(|decoder| decoder.name() == name)
}
