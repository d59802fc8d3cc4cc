//! The atlas of a small game: a numbered list of all its positions, with all moves between them. With it, decisions can
//! be tabulated and the game can be solved.

use crate::Starts;
use games::{Game, Solver, Value, Verdict};
use std::collections::HashMap;
use std::sync::Arc;

/// Every position that can occur, as its side to move sees it.
///
/// Positions in which the game goes on ("open") have the numbers below [`Atlas::open`]; finished positions come after
/// them.
pub(crate) struct Atlas<G: Game> {
    positions: Vec<G>,
    numbers: HashMap<G, u32>,
    open: usize,
    /// The index in `next` of each open position's first move, and one more entry at the end.
    first_move: Vec<u32>,
    /// The position after each move.
    next: Vec<u32>,
    /// The value of each finished position for the side that would move; the index is the position's number minus
    /// `open`.
    endings: Vec<Value>,
}

/// The limits of an atlas; larger games would take too long.
const MOST_POSITIONS: usize = 1 << 16;
const MOST_MOVES: usize = 1 << 22;

impl<G: Game> Atlas<G> {
    /// Builds the atlas; `None` if the game is too large, or if a position can occur twice in a game.
    pub fn new(starts: &Starts<G>) -> Option<Atlas<G>> {
        // 1. Find every position, in the order of discovery.
        let mut found: Vec<G> = Vec::new();
        let mut order: HashMap<G, u32> = HashMap::new();
        let mut discover = |game: G, found: &mut Vec<G>| {
            *order.entry(game).or_insert_with_key(|game| {
                found.push(game.clone());
                found.len() as u32 - 1
            })
        };
        for start in starts.listed()? {
            discover(start.for_mover(), &mut found);
        }
        let mut moves = Vec::new();
        let mut ways: Vec<Vec<u32>> = Vec::new();
        let mut drawn = 0;
        while ways.len() < found.len() {
            let game = found[ways.len()].clone();
            moves.clear();
            game.legal_moves(&mut moves);
            drawn += moves.len();
            if found.len() > MOST_POSITIONS || drawn > MOST_MOVES {
                return None;
            }
            let after = |&mv: &G::Move| discover(game.after(mv).for_mover(), &mut found);
            ways.push(moves.iter().map(after).collect());
        }
        // 2. Number the open positions first.
        let (mut goes_on, mut over): (Vec<usize>, Vec<usize>) =
            (0..found.len()).partition(|&place| !ways[place].is_empty());
        let open = goes_on.len();
        goes_on.append(&mut over);
        let mut number = vec![0; found.len()];
        goes_on.iter().enumerate().for_each(|(new, &old)| number[old] = new as u32);
        let positions: Vec<G> = goes_on.iter().map(|&old| found[old].clone()).collect();
        // 3. List the moves.
        let mut first_move = vec![0];
        let mut next = Vec::with_capacity(drawn);
        for &old in &goes_on[..open] {
            next.extend(ways[old].iter().map(|&way| number[way as usize]));
            first_move.push(next.len() as u32);
        }
        let ending = |game: &G| Verdict::at_end(game).expect("a position without moves is the end of a game").value;
        let endings = positions[open..].iter().map(ending).collect();
        let numbers = positions.iter().cloned().zip(0..).collect();
        let atlas = Atlas { positions, numbers, open, first_move, next, endings };
        atlas.last_to_first().is_some().then_some(atlas)
    }

    /// All positions in the order of their numbers.
    pub fn positions(&self) -> &[G] {
        &self.positions
    }

    /// The number of open positions, in which the game goes on.
    pub fn open(&self) -> usize {
        self.open
    }

    /// The number of a position.
    pub fn number(&self, game: &G) -> Option<u32> {
        self.numbers.get(&game.for_mover()).copied()
    }

    /// The positions after each legal move, in the order of the moves, and the index of the first of these moves.
    pub fn moves(&self, open: usize) -> (usize, &[u32]) {
        let (from, to) = (self.first_move[open] as usize, self.first_move[open + 1] as usize);
        (from, &self.next[from..to])
    }

    /// The number of moves of all positions.
    pub fn move_count(&self) -> usize {
        self.next.len()
    }

    /// The value of a finished position for the side that would move there.
    pub fn ending(&self, position: usize) -> Value {
        self.endings[position - self.open]
    }

    /// The positions in an order in which each comes after all positions that it can lead to; `None` if there is a
    /// cycle.
    fn last_to_first(&self) -> Option<Vec<u32>> {
        let mut waits_for: Vec<usize> = (0..self.open).map(|place| self.moves(place).1.len()).collect();
        let mut leads_here: Vec<Vec<u32>> = vec![Vec::new(); self.positions.len()];
        for place in 0..self.open {
            self.moves(place).1.iter().for_each(|&next| leads_here[next as usize].push(place as u32));
        }
        let mut order: Vec<u32> = (self.open as u32..self.positions.len() as u32).collect();
        let mut done = 0;
        while done < order.len() {
            for &before in &leads_here[order[done] as usize] {
                waits_for[before as usize] -= 1;
                if waits_for[before as usize] == 0 {
                    order.push(before);
                }
            }
            done += 1;
        }
        (order.len() == self.positions.len()).then_some(order)
    }
}

/// A solver with the verdict of every position of an atlas, found backwards from finished positions.
pub(crate) struct AtlasSolver<G: Game> {
    atlas: Arc<Atlas<G>>,
    verdicts: Vec<Verdict>,
}

impl<G: Game> AtlasSolver<G> {
    /// Solves the whole game.
    pub fn new(atlas: Arc<Atlas<G>>) -> AtlasSolver<G> {
        let mut verdicts = vec![Verdict { value: Value::Drawn, distance: Some(0) }; atlas.positions().len()];
        for place in atlas.last_to_first().expect("an atlas has no cycle") {
            let place = place as usize;
            verdicts[place] = if place >= atlas.open() {
                Verdict { value: atlas.ending(place), distance: Some(0) }
            } else {
                best(atlas.moves(place).1.iter().map(|&next| verdicts[next as usize]))
            };
        }
        AtlasSolver { atlas, verdicts }
    }
}

/// The verdict of a position from those after its moves. The winner prefers a short game, all others a long one.
fn best(after: impl Iterator<Item = Verdict>) -> Verdict {
    let seen = after.map(|next| (next.value.reversed(), next.distance.expect("an atlas knows all distances") + 1));
    let preference = |&(value, distance): &(Value, u32)| {
        let haste = if value == Value::Won { -i64::from(distance) } else { i64::from(distance) };
        (value, haste)
    };
    let (value, distance) = seen.max_by_key(preference).expect("an open position has moves");
    Verdict { value, distance: Some(distance) }
}

impl<G: Game> Solver<G> for AtlasSolver<G> {
    fn verdict(&self, game: &G) -> Option<Verdict> {
        match self.atlas.number(game) {
            Some(number) => Some(self.verdicts[number as usize]),
            None => explore(game),
        }
    }
}

/// The verdict of a position outside the atlas, to which no start of the setup leads.
fn explore<G: Game>(game: &G) -> Option<Verdict> {
    let starts = Starts::listing(vec![(game.for_mover(), 1.0)]);
    let atlas = Atlas::new(&starts).expect("positions after a position of a small game are few");
    let solver = AtlasSolver::new(Arc::new(atlas));
    solver.verdict(game)
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::nim::{Nim, NimSolver, Setup, Start};
    use games::tic_tac_toe::TicTacToe;

    #[test]
    fn the_atlas_and_theory_agree_about_nim() {
        for stacks in [vec![8], vec![4, 4], vec![3, 2, 5]] {
            let setup = Setup { stacks, start: Start::Random };
            let atlas = Arc::new(Atlas::<Nim>::new(&Starts::new(&setup)).unwrap());
            let theory = NimSolver::new(&setup);
            let sizes = setup.stacks.iter().map(|&stack| usize::from(stack) + 1);
            assert_eq!(atlas.positions().len(), sizes.product::<usize>());
            assert_eq!(atlas.open(), atlas.positions().len() - 1);
            let solver = AtlasSolver::new(Arc::clone(&atlas));
            for game in atlas.positions() {
                assert_eq!(solver.verdict(game), theory.verdict(game), "{game}");
            }
        }
    }

    #[test]
    fn tic_tac_toe_is_a_draw() {
        let setup = games::tic_tac_toe::Setup {};
        let atlas = Arc::new(Atlas::<TicTacToe>::new(&Starts::new(&setup)).unwrap());
        assert_eq!(atlas.positions().len(), 5478);
        let solver = AtlasSolver::new(atlas);
        let check = |text: &str, value, distance| {
            let verdict = solver.verdict(&text.parse().unwrap());
            assert_eq!(verdict, Some(Verdict { value, distance: Some(distance) }), "{text}");
        };
        check(".../.../...", Value::Drawn, 9);
        check("xx./oo./...", Value::Won, 1);
        check("x.x/.o./o.x", Value::Lost, 2);
        check("xxo/xoo/x..", Value::Lost, 0);
    }

    #[test]
    fn large_games_have_no_atlas() {
        for stacks in [vec![65535; 8], vec![5000], vec![300, 300]] {
            assert!(Atlas::<Nim>::new(&Starts::new(&Setup { stacks, start: Start::Random })).is_none());
        }
    }
}
