//! The protocols of game programs and engines, and how they write the positions and moves of a game.

use super::{Game, NotationError, parse_move};

/// A protocol by which a game program talks to an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// The Universal Chess Interface, which most chess programs speak.
    Uci,
    /// The Chess Engine Communication Protocol of XBoard and WinBoard.
    Cecp,
    /// The protocol of draughts programs, version 2.
    Hub,
}

impl Protocol {
    /// All protocols.
    pub const ALL: [Protocol; 3] = [Protocol::Uci, Protocol::Cecp, Protocol::Hub];
    /// The names that people type, in the order of [`Protocol::ALL`].
    pub const NAMES: [&'static str; 3] = ["uci", "cecp", "hub"];

    /// The protocol with this name.
    pub fn named(name: &str) -> Option<Protocol> {
        Protocol::NAMES.iter().position(|known| *known == name).map(|place| Protocol::ALL[place])
    }

    /// The name that people type.
    pub fn name(self) -> &'static str {
        Protocol::NAMES[self as usize]
    }
}

/// How a protocol writes the positions and moves of a game.
pub struct ProtocolForm<G: Game> {
    /// The protocol.
    pub protocol: Protocol,
    /// The name of the game's rules in this protocol.
    pub variant: &'static str,
    /// Writes a position.
    pub write_position: fn(&G) -> String,
    /// Reads a position.
    pub read_position: fn(&str) -> Result<G, NotationError>,
    /// Writes a legal move.
    pub write_move: fn(&G, G::Move) -> String,
    /// Reads a legal move.
    pub read_move: fn(&G, &str) -> Result<G::Move, NotationError>,
}

impl<G: Game> ProtocolForm<G> {
    /// A protocol that writes positions and moves as the game itself does.
    pub const fn plain(protocol: Protocol, variant: &'static str) -> ProtocolForm<G> {
        ProtocolForm {
            protocol,
            variant,
            write_position: G::to_string,
            read_position: G::from_str,
            write_move: |_, mv| mv.to_string(),
            read_move: parse_move,
        }
    }

    /// The form of a game in a protocol; `None` if the game cannot be played by it.
    pub fn of(protocol: Protocol) -> Option<&'static ProtocolForm<G>> {
        G::PROTOCOLS.iter().find(|form| form.protocol == protocol)
    }
}
