//! Attacks the protocols of engines in both directions: `gamete engine` gets random and mutated lines from a program
//! (`program.rs`), and `gamete match` from engines (`matches.rs`, `bad_engine.rs`).

pub mod bad_engine;
mod lines;
mod matches;
mod program;
mod scenes;

use crate::Attack;
use crate::cases::Siege;
use crate::figures::Figures;
use bad_engine::Habit;
use games::Protocol;
use std::time::Instant;

/// Attacks in each direction by turns until the time is over.
pub fn attack(siege: &Siege, until: Instant) -> Figures {
    let most = if siege.share { 6 } else { u64::MAX };
    siege.cases(Attack::Protocols, until, most, |case| {
        // Of six cases, three send lines to engines, and one of each protocol gets lines from engines.
        let turn = (case.number - 1) / 6;
        match (case.number - 1) % 6 {
            to @ 0..=2 => program::garbage(case, 3 * turn + to, if siege.share { 6 } else { 40 }),
            from => {
                let protocol = Protocol::ALL[from as usize - 3];
                // In the share nothing is waited for that does not come.
                let (habit, games) = match (turn + from) % 6 {
                    0 | 3 => (Habit::Noise, 8),
                    2 if !siege.share => (Habit::Hangs, 4),
                    4 if !siege.share => (Habit::Stubborn, 4),
                    _ => (Habit::Faults, 40),
                };
                matches::play(case, protocol, habit, if siege.share { games / 4 } else { games })
            }
        }
    })
}
