//! The truth about misère Nim: verdict and distance of every position from a table where it fits into memory, beyond
//! that the verdict alone from Bouton's theory.

use super::{Nim, Setup};
use crate::{Solver, Value, Verdict};

/// The most positions that are tabulated: 4 bytes each to keep, at most 68 while they are computed.
const MOST_POSITIONS: usize = 1 << 20;

/// Knows every position that a setup can lead to.
pub struct NimSolver {
    /// How many values each stack can take, one more than its bound.
    sizes: Vec<usize>,
    /// Plies to the end, by position; even when the side to move wins. Empty when there are too many positions.
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

    /// The position's number in the table, when it is in there.
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

/// Who wins by Bouton's theory (1901), misère: while a stack of two or more stands, the mover wins exactly when the
/// exclusive or of the stacks is not 0; with single matches only, exactly when their number is even.
pub fn bouton(game: &Nim) -> Value {
    let stacks = game.stacks();
    let sum = stacks.iter().fold(0, |sum, stack| sum ^ stack);
    let won = if stacks.iter().any(|&stack| stack > 1) { sum != 0 } else { sum == 0 };
    if won { Value::Won } else { Value::Lost }
}

/// Plies to the end for every position in order of its number: the first stack counts fastest.
///
/// An even distance is a win: without matches the mover has won already, at 0, and each ply passes the win across.
/// A position's moves along one stack are the positions before it on that line, so each line carries along what the
/// best of them is, and a position costs one step per stack instead of one per move.
fn distances(sizes: &[usize], count: usize) -> Vec<u32> {
    /// The best that a line of positions offers to whoever moves into it.
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
        // 1. What all moves together offer.
        let mut offer = NOTHING;
        for (stack, (&stride, &size)) in strides.iter().zip(sizes).enumerate() {
            if !(number / stride).is_multiple_of(size) {
                let line = lines[(number - stride) * sizes.len() + stack];
                offer.soonest_lost = offer.soonest_lost.min(line.soonest_lost);
                offer.latest_won = offer.latest_won.max(line.latest_won);
            }
        }
        // 2. The winner hurries, the loser delays; without matches there is nothing to do.
        distances[number] = match offer.soonest_lost {
            _ if number == 0 => 0,
            u32::MAX => offer.latest_won + 1,
            soonest => soonest + 1,
        };
        // 3. The lines through here go on with this position on them.
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

    /// Distances by trying every move, the plain way.
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
