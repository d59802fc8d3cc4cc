//! The solver of misère Nim. If all positions fit into memory, a table gives value and distance; otherwise Bouton's
//! theory gives the value alone.

use super::{Nim, Setup};
use crate::{Solver, Value, Verdict};

/// The highest number of positions in a table. A position takes 4 bytes, and up to 68 bytes while the table is
/// computed.
const MOST_POSITIONS: usize = 1 << 20;

/// Knows every position that a setup can lead to.
pub struct NimSolver {
    /// The number of possible values of each stack: its highest number of matches plus one.
    sizes: Vec<usize>,
    /// The number of plies to the end of each position; even if the side to move wins. Empty if there are too many
    /// positions.
    distances: Vec<u32>,
}

impl NimSolver {
    /// Solves all positions within the setup's stacks.
    pub fn new(setup: &Setup) -> NimSolver {
        let sizes: Vec<usize> = setup.stacks.iter().map(|&stack| usize::from(stack) + 1).collect();
        let count = sizes.iter().try_fold(1usize, |product, &size| product.checked_mul(size));
        let distances = match count {
            Some(count) if count <= MOST_POSITIONS => distances(&sizes, count),
            _ => Vec::new(),
        };
        NimSolver { sizes, distances }
    }

    /// The position's index in the table, or `None` if it is not there.
    fn number(&self, stacks: &[u16]) -> Option<usize> {
        if self.distances.is_empty() || stacks.len() != self.sizes.len() {
            return None;
        }
        let (mut number, mut stride) = (0, 1);
        for (&stack, &size) in stacks.iter().zip(&self.sizes) {
            if usize::from(stack) >= size {
                return None;
            }
            number += usize::from(stack) * stride;
            stride *= size;
        }
        Some(number)
    }
}

impl Solver<Nim> for NimSolver {
    fn verdict(&self, game: &Nim) -> Option<Verdict> {
        Some(match self.number(game.stacks()) {
            Some(number) => {
                let distance = self.distances[number];
                let value = if distance.is_multiple_of(2) { Value::Won } else { Value::Lost };
                Verdict { value, distance: Some(distance) }
            }
            None => Verdict { value: bouton(game), distance: None },
        })
    }
}

/// The value by Bouton's theory (1901) for misère play. If a stack has two or more matches, the mover wins exactly if
/// the exclusive or of the stacks is not 0; if all stacks have at most one match, exactly if the number of matches is
/// even.
pub fn bouton(game: &Nim) -> Value {
    let stacks = game.stacks();
    let sum = stacks.iter().fold(0, |sum, stack| sum ^ stack);
    let won = if stacks.iter().any(|&stack| stack > 1) { sum != 0 } else { sum == 0 };
    if won { Value::Won } else { Value::Lost }
}

/// The number of plies to the end of every position, in the order of the positions' indices: the first stack varies
/// fastest.
///
/// An even distance is a win: without matches the mover has won already, at distance 0, and each ply passes the win to
/// the other side. The moves on one stack lead to the positions before this one on a line, so each line carries its
/// best distances along. A position then costs one step per stack instead of one per move.
fn distances(sizes: &[usize], count: usize) -> Vec<u32> {
    /// The best distances for a side that can move to any position of a line.
    #[derive(Clone, Copy)]
    struct Line {
        soonest_lost: u32,
        latest_won: u32,
    }
    const NOTHING: Line = Line { soonest_lost: u32::MAX, latest_won: 0 };

    let strides: Vec<usize> =
        sizes.iter().scan(1, |stride, &size| Some(std::mem::replace(stride, *stride * size))).collect();
    let mut lines = vec![NOTHING; count * sizes.len()];
    let mut distances: Vec<u32> = vec![0; count];
    for number in 0..count {
        // 1. The best distances over all moves.
        let mut offer = NOTHING;
        for (stack, (&stride, &size)) in strides.iter().zip(sizes).enumerate() {
            if !(number / stride).is_multiple_of(size) {
                let line = lines[(number - stride) * sizes.len() + stack];
                offer.soonest_lost = offer.soonest_lost.min(line.soonest_lost);
                offer.latest_won = offer.latest_won.max(line.latest_won);
            }
        }
        // 2. The winner hurries, the loser delays. Without matches the distance is 0.
        distances[number] = match offer.soonest_lost {
            _ if number == 0 => 0,
            u32::MAX => offer.latest_won + 1,
            soonest => soonest + 1,
        };
        // 3. Add this position to the lines through it.
        let distance = distances[number];
        for (stack, (&stride, &size)) in strides.iter().zip(sizes).enumerate() {
            let mut line = if (number / stride).is_multiple_of(size) {
                NOTHING
            } else {
                lines[(number - stride) * sizes.len() + stack]
            };
            if distance.is_multiple_of(2) {
                line.latest_won = line.latest_won.max(distance);
            } else {
                line.soonest_lost = line.soonest_lost.min(distance);
            }
            lines[number * sizes.len() + stack] = line;
        }
    }
    distances
}

#[cfg(test)]
mod tests {
    use super::super::Start;
    use super::*;
    use crate::Game;

    fn all_positions(stacks: &[u16]) -> Vec<Nim> {
        let mut all = vec![vec![]];
        for &most in stacks {
            all = all.iter().flat_map(|head: &Vec<u16>| (0..=most).map(move |n| [&head[..], &[n]].concat())).collect();
        }
        all.iter().map(|stacks| Nim::new(stacks)).collect()
    }

    fn solver(stacks: &[u16]) -> NimSolver {
        NimSolver::new(&Setup { stacks: stacks.to_vec(), start: Start::Random })
    }

    #[test]
    fn the_table_agrees_with_the_theory() {
        let solver = solver(&[7, 7, 7, 7]);
        let positions = all_positions(&[7, 7, 7, 7]);
        assert_eq!(positions.len(), 4096);
        for game in positions {
            let verdict = solver.verdict(&game).unwrap();
            assert_eq!(verdict.value, bouton(&game), "{game}");
            assert!(verdict.distance.is_some());
        }
    }

    /// Computes distances by trying every move.
    #[test]
    fn the_table_agrees_with_trying_every_move() {
        for stacks in [&[9][..], &[5, 6], &[4, 2, 3], &[2, 2, 2, 2]] {
            let solver = solver(stacks);
            for game in all_positions(stacks) {
                let (mut moves, mut lost, mut won) = (Vec::new(), Vec::new(), Vec::new());
                game.legal_moves(&mut moves);
                for &mv in &moves {
                    let next = game.after(mv);
                    let verdict = solver.verdict(&next).unwrap();
                    if verdict.value == Value::Lost { &mut lost } else { &mut won }.push(verdict.distance.unwrap());
                }
                let expected = match (lost.iter().min(), won.iter().max()) {
                    (Some(soonest), _) => Verdict { value: Value::Won, distance: Some(soonest + 1) },
                    (None, Some(latest)) => Verdict { value: Value::Lost, distance: Some(latest + 1) },
                    (None, None) => Verdict { value: Value::Won, distance: Some(0) },
                };
                assert_eq!(solver.verdict(&game), Some(expected), "{game}");
            }
        }
    }

    #[test]
    fn beyond_memory_the_theory_alone_answers() {
        let solver = solver(&[65535; 8]);
        let game: Nim = "65535,65535,1".parse().unwrap();
        assert_eq!(solver.verdict(&game), Some(Verdict { value: Value::Won, distance: None }));
        let lost: Nim = "5,5".parse().unwrap();
        assert_eq!(solver.perfect(&lost, super::super::Take { stack: 0, amount: 1 }), None);
        assert_eq!(solver.perfect(&game, super::super::Take { stack: 2, amount: 1 }), Some(true));
        assert_eq!(solver.perfect(&game, super::super::Take { stack: 0, amount: 2 }), Some(false));
    }

    #[test]
    fn one_tall_stack_is_still_a_table() {
        let tallest = solver(&[65535]).verdict(&Nim::new(&[65535]));
        assert_eq!(tallest, Some(Verdict { value: Value::Won, distance: Some(2) }));
    }
}
