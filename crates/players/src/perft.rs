//! Perft: the number of move sequences of a given length from a position. It tests the rules of a game and their speed.

use crate::Error;
use crate::context::Context;
use crate::player_spec::setup_for;
use chance::rng_for;
use games::{Game, GameVisitor};
use serde::Serialize;
use std::time::Instant;

/// The result of a perft.
#[derive(Clone, Debug, Serialize)]
pub struct Perft {
    /// The number of move sequences of length `depth`.
    pub nodes: u64,
    /// The length of the move sequences.
    pub depth: u32,
    /// The time it took, in seconds.
    pub seconds: f64,
    /// The number of move sequences that begin with each legal move; empty if that was not asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub divide: Vec<(String, u64)>,
}

/// Counts the move sequences of length `depth`. With `divide` the result also lists the count for each first move.
pub fn perft(game: &str, depth: u32, position: Option<&str>, setup: &[String], divide: bool) -> Result<Perft, Error> {
    let visitor = CountMoves { depth, position, setup, divide };
    visitor.in_game(game)?
}

pub(crate) struct CountMoves<'a> {
    depth: u32,
    position: Option<&'a str>,
    setup: &'a [String],
    divide: bool,
}

games::by_name!(CountMoves<'a>, 'a);

impl GameVisitor for CountMoves<'_> {
    type Output = Result<Perft, Error>;

    fn visit<G: Game>(self) -> Result<Perft, Error> {
        let game: G = match self.position {
            Some(text) => text.parse()?,
            None => G::start(&setup_for::<G>(&[], self.setup, Context::nowhere().runs)?, &mut rng_for(0, &[])),
        };
        let clock = Instant::now();
        let mut stack = Vec::new();
        let mut parts = Vec::new();
        let nodes = if self.divide && self.depth > 0 {
            let mut moves = Vec::new();
            game.legal_moves(&mut moves);
            for mv in moves {
                parts.push((mv.to_string(), count(&game.after(mv), self.depth - 1, &mut stack)));
            }
            parts.iter().map(|(_, nodes)| nodes).sum()
        } else {
            count(&game, self.depth, &mut stack)
        };
        Ok(Perft { nodes, depth: self.depth, seconds: clock.elapsed().as_secs_f64(), divide: parts })
    }
}

/// Counts the move sequences of length `depth`. All moves are kept in one vector, which is used as a stack. The moves
/// of the last ply are counted without being played.
pub fn count<G: Game>(game: &G, depth: u32, stack: &mut Vec<G::Move>) -> u64 {
    if depth == 0 {
        return 1;
    }
    if depth == 1 {
        return game.count_moves().unwrap_or_else(|| list(game, stack)) as u64;
    }
    let base = stack.len();
    game.legal_moves(stack);
    let nodes = (base..stack.len()).map(|place| count(&game.after(stack[place]), depth - 1, stack)).sum();
    stack.truncate(base);
    nodes
}

/// Counts the legal moves by listing them.
fn list<G: Game>(game: &G, stack: &mut Vec<G::Move>) -> usize {
    let base = stack.len();
    game.legal_moves(stack);
    let count = stack.len() - base;
    stack.truncate(base);
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(game: &str, position: Option<&str>, expected: &[u64]) {
        for (depth, &nodes) in expected.iter().enumerate() {
            assert_eq!(perft(game, depth as u32, position, &[], false).unwrap().nodes, nodes, "depth {depth}");
            let divided = perft(game, depth as u32, position, &[], true).unwrap();
            assert_eq!(divided.nodes, nodes);
        }
    }

    /// The numbers of tic-tac-toe are published; those of Nim are counted by hand.
    #[test]
    fn golden_numbers() {
        check("tic-tac-toe", None, &[1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]);
        check("nim", Some("2,1"), &[1, 3, 5, 3, 0]);
        check("nim", None, &[1, 15]);
        check("draughts", None, &[1, 7, 49, 302, 1469, 7361, 36768, 179740, 845931]);
        check("minichess", None, &[1, 10, 100, 1186, 14181, 190190, 2565356]);
        check("minichess", Some("rbnkbr/pppppp/6/6/PPPPPP/RBNKBR w"), &[1, 8, 64, 675, 7213, 89817, 1132203]);
    }

    /// Various positions, counted by a second implementation.
    #[test]
    fn golden_numbers_of_positions() {
        #[derive(serde::Deserialize)]
        struct Known {
            fen: String,
            #[serde(alias = "perft_raw")]
            perft: Vec<u64>,
        }
        for (game, file) in [
            ("minichess", include_str!("../tests/minichess-perft.json")),
            ("draughts", include_str!("../tests/draughts-perft.json")),
        ] {
            let known: Vec<Known> = serde_json::from_str(file).unwrap();
            assert!(known.len() > 20);
            for Known { fen, perft: counts } in known {
                for (depth, &nodes) in counts.iter().enumerate() {
                    let depth = depth as u32 + 1;
                    let found = perft(game, depth, Some(&fen), &[], false).unwrap().nodes;
                    assert_eq!(found, nodes, "{fen}, depth {depth}");
                }
            }
        }
    }
}
