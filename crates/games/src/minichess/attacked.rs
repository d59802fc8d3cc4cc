//! Encoders that count attacked pieces and squares in reach, of several positions at once.

use super::attacks::{
    SQUARES, SideBySide, all_bishops, all_black_pawns, all_kings, all_knights, all_rooks, all_white_pawns,
};
use super::coding::word;
use super::{Board, KINDS, Minichess, Planes, Setup};
use crate::{Encoder, Inputs};

/// The boards of several positions, as their movers see them: the mover's, then those of the other side.
struct Seen<const COUNT: usize> {
    /// The pieces of each kind.
    pieces: [Kinds<COUNT>; 2],
    /// The squares that each kind attacks or defends.
    reached: [Kinds<COUNT>; 2],
}

impl<const COUNT: usize> Seen<COUNT> {
    #[inline(always)]
    fn new(games: &[&Minichess; COUNT]) -> Seen<COUNT> {
        let [mut white, mut black, mut turned] = [[0; COUNT]; 3];
        let mut kinds = [[0; COUNT]; KINDS.len()];
        for (place, game) in games.iter().enumerate() {
            [white[place], black[place]] = game.sides;
            // All bits are set where Black is to move.
            turned[place] = (game.side as u64).wrapping_neg();
            kinds.iter_mut().zip(game.kinds).for_each(|(kind, board)| kind[place] = board);
        }
        let (white, black, turned) = (SideBySide(white), SideBySide(black), SideBySide(turned));
        let [pawns, knights, bishops, rooks, kings] = kinds;
        let kinds = [SideBySide(pawns), SideBySide(knights), SideBySide(bishops), SideBySide(rooks), SideBySide(kings)];
        let empty = !(white | black);
        let [whites, blacks] = [each(kinds, |kind| kind & white), each(kinds, |kind| kind & black)];
        let white_reached = reach(whites, all_white_pawns(whites[0]), empty);
        let black_reached = reach(blacks, all_black_pawns(blacks[0]), empty);
        Seen { pieces: ordered(whites, blacks, turned), reached: ordered(white_reached, black_reached, turned) }
    }

    /// Sets the counts of attacked pieces, which begin at an input.
    #[inline(always)]
    fn count_attacked(&self, begin: usize, lanes: &mut LanesOfInputs) {
        for number in [0, 1] {
            let all = |[pawns, knights, bishops, rooks, kings]: Kinds<COUNT>| pawns | knights | bishops | rooks | kings;
            let (undefended, attacked) = (!all(self.reached[number]), all(self.reached[1 - number]));
            // What less valuable pieces attack.
            let [pawns, knights, bishops, rooks, _] = self.reached[1 - number];
            let minor = pawns | knights | bishops;
            let by_lesser = [SideBySide::from(0), pawns, pawns, minor, minor | rooks];
            for kind in KINDS {
                let pieces = self.pieces[number][kind as usize] & attacked;
                let first = begin + Attacks::COUNTS * kind as usize + number;
                lanes.set(first, pieces.sizes());
                lanes.set(first + 2, (pieces & undefended).sizes());
                lanes.set(first + 4, (pieces & by_lesser[kind as usize]).sizes());
            }
        }
    }

    /// Sets the numbers of squares that pieces can go to.
    #[inline(always)]
    fn count_reached(&self, begin: usize, lanes: &mut LanesOfInputs) {
        for number in [0, 1] {
            let [pawns, knights, bishops, rooks, kings] = self.pieces[number];
            let free = !(pawns | knights | bishops | rooks | kings);
            for kind in KINDS {
                // About the size of the other inputs: a rook reaches up to ten squares.
                let mut sizes = (self.reached[number][kind as usize] & free).sizes();
                sizes.iter_mut().for_each(|size| *size /= 8.0);
                lanes.set(begin + 2 * kind as usize + number, sizes);
            }
        }
    }
}

/// A board of each kind of piece.
type Kinds<const COUNT: usize> = [SideBySide<COUNT>; KINDS.len()];

#[inline(always)]
fn each<const COUNT: usize>(
    [pawns, knights, bishops, rooks, kings]: Kinds<COUNT>,
    compute: impl Fn(SideBySide<COUNT>) -> SideBySide<COUNT>,
) -> Kinds<COUNT> {
    [compute(pawns), compute(knights), compute(bishops), compute(rooks), compute(kings)]
}

/// The squares that each kind of piece of a side reaches. What its pawns attack depends on the side.
#[inline(always)]
fn reach<const COUNT: usize>(pieces: Kinds<COUNT>, pawns: SideBySide<COUNT>, empty: SideBySide<COUNT>) -> Kinds<COUNT> {
    let [_, knights, bishops, rooks, kings] = pieces;
    [pawns, all_knights(knights), all_bishops(bishops, empty), all_rooks(rooks, empty), all_kings(kings)]
}

/// The boards of White and Black, exchanged where `turned` has all bits.
#[inline(always)]
fn ordered<const COUNT: usize>(
    mut white: Kinds<COUNT>,
    mut black: Kinds<COUNT>,
    turned: SideBySide<COUNT>,
) -> [Kinds<COUNT>; 2] {
    for (white, black) in white.iter_mut().zip(&mut black) {
        let swapped = (*white ^ *black) & turned;
        (*white, *black) = (*white ^ swapped, *black ^ swapped);
    }
    [white, black]
}

/// The inputs of some positions among several.
struct LanesOfInputs<'a> {
    values: &'a mut [f32],
    together: usize,
    /// The first position, and how many there are.
    first: usize,
    count: usize,
}

impl LanesOfInputs<'_> {
    #[inline(always)]
    fn set<const COUNT: usize>(&mut self, input: usize, values: [f32; COUNT]) {
        let lanes = &mut self.values[input * self.together + self.first..];
        match self.count == COUNT {
            true => lanes[..COUNT].copy_from_slice(&values),
            false => lanes[..self.count].copy_from_slice(&values[..self.count]),
        }
    }
}

/// How many positions are looked at together: measured fastest with two numbers in a register.
const TOGETHER: usize = 4;

/// Sets the counts of attacked pieces of all positions, from an input on, and, if there is another input for them, the
/// numbers of squares that pieces can go to.
fn count(games: &[Minichess], values: &mut [f32], together: usize, attacked: usize, reached: Option<usize>) {
    #[inline(always)]
    fn tell<const COUNT: usize>(
        games: &[&Minichess; COUNT],
        lanes: &mut LanesOfInputs,
        attacked: usize,
        reached: Option<usize>,
    ) {
        let seen = Seen::new(games);
        seen.count_attacked(attacked, lanes);
        if let Some(reached) = reached {
            seen.count_reached(reached, lanes);
        }
    }
    for (number, games) in games.chunks(TOGETHER).enumerate() {
        let mut lanes = LanesOfInputs { values, together, first: number * TOGETHER, count: games.len() };
        match games {
            [game] => tell(&[game], &mut lanes, attacked, reached),
            games => {
                let games: [_; TOGETHER] = std::array::from_fn(|lane| &games[lane.min(games.len() - 1)]);
                tell(&games, &mut lanes, attacked, reached);
            }
        }
    }
}

/// The inputs of [`Board`], then counts of attacked pieces, so that a network does not have to learn them.
pub struct Attacks;

impl Attacks {
    /// The number of counts for each kind of piece: the mover's attacked pieces and the other side's; the same two
    /// counts for undefended pieces; and for pieces that a less valuable piece attacks.
    const COUNTS: usize = 6;
}

impl Encoder<Minichess> for Attacks {
    fn name(&self) -> &'static str {
        "attacks"
    }
    fn about(&self) -> &'static str {
        "the inputs of board, then attacked pieces of each kind: in all, undefended, and by a less valuable piece"
    }
    fn width(&self, setup: &Setup) -> usize {
        Board.width(setup) + Attacks::COUNTS * KINDS.len()
    }
    fn encode(&self, setup: &Setup, game: &Minichess, inputs: &mut Inputs) {
        inputs.set_all(self, setup, game);
    }
    fn encode_all(&self, setup: &Setup, _: &[f32], games: &[Minichess], values: &mut [f32], together: usize) {
        Board.encode_all(setup, &[], games, values, together);
        count(games, values, together, Board.width(setup), None);
    }
    fn label(&self, setup: &Setup, input: usize) -> String {
        let Some(count) = input.checked_sub(Board.width(setup)) else { return Board.label(setup, input) };
        let (kind, what) = (word(KINDS[count / Attacks::COUNTS]), count % Attacks::COUNTS);
        let whose = ["own", "the other's"][what % 2];
        format!("{whose} {kind}s attacked{}", ["", ", undefended", " by a less valuable piece"][what / 2])
    }
}

/// The inputs of [`Planes`], then the counts of [`Attacks`], then the number of squares that pieces reach, so that a
/// network can learn what a piece is worth on each square, in danger and out of it.
pub struct Vision;

impl Vision {
    /// The number of counts of reached squares: for each kind of piece, the mover's and the other side's.
    const REACHED: usize = 2 * KINDS.len();

    /// The first input of the counts of attacked pieces.
    const ATTACKED: usize = SQUARES * KINDS.len();

    /// The first input of the counts of reached squares.
    const REACH: usize = Vision::ATTACKED + Attacks::COUNTS * KINDS.len();
}

impl Encoder<Minichess> for Vision {
    fn name(&self) -> &'static str {
        "vision"
    }
    fn about(&self) -> &'static str {
        "the inputs of planes, then attacked pieces of each kind as in attacks, then squares that each kind can go to"
    }
    fn width(&self, _: &Setup) -> usize {
        Vision::REACH + Vision::REACHED
    }
    fn encode(&self, setup: &Setup, game: &Minichess, inputs: &mut Inputs) {
        inputs.set_all(self, setup, game);
    }
    fn encode_all(&self, setup: &Setup, _: &[f32], games: &[Minichess], values: &mut [f32], together: usize) {
        Planes.encode_all(setup, &[], games, values, together);
        count(games, values, together, Vision::ATTACKED, Some(Vision::REACH));
    }
    fn label(&self, setup: &Setup, input: usize) -> String {
        if let Some(count) = input.checked_sub(Vision::REACH) {
            let whose = ["own", "the other's"][count % 2];
            return format!("squares that {whose} {}s can go to, in eighths", word(KINDS[count / 2]));
        }
        match input.checked_sub(Vision::ATTACKED) {
            Some(count) => Attacks.label(setup, Board.width(setup) + count),
            None => Planes.label(setup, input),
        }
    }
}
