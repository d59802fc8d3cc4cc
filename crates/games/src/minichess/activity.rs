//! Encoders that add to the inputs of another one what the pieces of both sides can do.

use super::attacks::{Bitboard, KING, KNIGHT, PAWN_CAPTURES, SIDE, bishop, rook};
use super::{ALL, Differences, KINDS, Kind, Minichess, Pieces, Setup};
use crate::bits::bits;
use crate::{Counters, Encoder, FactSet, Facts, Game, Inputs, Side};

/// The inputs of another encoder, then for every kind of piece the number of squares that its pieces can go to, and the
/// number of squares beside the other side's king, or under it, that they attack. Each square counts once for every piece.
pub struct WithActivity {
    name: &'static str,
    about: &'static str,
    board: &'static (dyn Encoder<Minichess> + Sync),
    facts: &'static (dyn Facts<Minichess> + Sync),
    /// Whether the other side's counts are inputs of their own. If not, they are subtracted from the mover's.
    is_apart: bool,
}

/// The number of counts of a side: for each kind of piece, the squares it can go to, then those near the other king.
const COUNTS: usize = 2 * KINDS.len();

/// What a unit of a count adds to its input, so that most inputs are about as large as those of the pieces.
const UNIT: f32 = 0.125;

impl WithActivity {
    /// The inputs of [`Pieces`], then the counts of both sides.
    pub const PIECES: WithActivity = WithActivity {
        name: "pieces-and-activity",
        about: "the inputs of pieces, then for each side and kind the squares in reach, and those near the other king",
        board: &Pieces,
        facts: &Pieces,
        is_apart: true,
    };
    /// The inputs of [`Differences`], then the mover's counts less those of the other side.
    pub const DIFFERENCES: WithActivity = WithActivity {
        name: "differences-and-activity",
        about: "the inputs of differences, then how many more squares each kind has in reach, and near the other king",
        board: &Differences,
        facts: &Differences,
        is_apart: false,
    };
}

impl Minichess {
    /// The counts of a side.
    #[inline]
    fn activity(&self, side: Side) -> [i32; COUNTS] {
        let (own, other, occupied) = (self.sides[side as usize], self.sides[!side as usize], self.occupied());
        let around = bits(other & self.kings()).fold(0, |squares, king| squares | KING[king] | 1 << king);
        let mut counts = [0; COUNTS];
        let mut count = |kind: Kind, free: Bitboard, near: Bitboard| {
            counts[kind as usize] += free.count_ones() as i32;
            counts[KINDS.len() + kind as usize] += near.count_ones() as i32;
        };
        let of = |kind: Kind| own & self.kinds[kind as usize];
        let pawns = of(Kind::Pawn);
        let ahead = match side {
            Side::First => pawns >> SIDE,
            Side::Second => pawns << SIDE,
        };
        count(Kind::Pawn, ahead & ALL & !occupied, 0);
        for square in bits(pawns) {
            let attacked = PAWN_CAPTURES[side as usize][square];
            count(Kind::Pawn, attacked & other, attacked & around);
        }
        let mut pieces = |kind: Kind, attacked: &dyn Fn(usize) -> Bitboard| {
            for square in bits(of(kind)) {
                let attacked = attacked(square);
                count(kind, attacked & !own, attacked & around);
            }
        };
        pieces(Kind::Knight, &|square| KNIGHT[square]);
        pieces(Kind::Bishop, &|square| bishop(square, occupied));
        pieces(Kind::Rook, &|square| rook(square, occupied));
        pieces(Kind::King, &|square| KING[square]);
        counts
    }
}

impl Encoder<Minichess> for WithActivity {
    fn name(&self) -> &'static str {
        self.name
    }
    fn about(&self) -> &'static str {
        self.about
    }
    fn width(&self, setup: &Setup) -> usize {
        self.board.width(setup) + self.counters()
    }
    fn encode(&self, setup: &Setup, game: &Minichess, inputs: &mut Inputs) {
        self.board.encode(setup, game, inputs);
        let mut counters = Counters::default();
        self.count_in(game, &mut counters);
        for (counter, &count) in counters[..self.counters()].iter().enumerate() {
            inputs.set(self.board.width(setup) + counter, UNIT * count as f32);
        }
    }
    fn label(&self, setup: &Setup, input: usize) -> String {
        let Some(counter) = input.checked_sub(self.board.width(setup)) else { return self.board.label(setup, input) };
        let (kind, where_) = (super::coding::word(KINDS[counter % KINDS.len()]), counter / KINDS.len() % 2);
        let whose = match (self.is_apart, counter < COUNTS) {
            (false, _) => "more squares",
            (true, true) => "own squares",
            (true, false) => "the other's squares",
        };
        format!("{whose} in reach of {kind}s{}", ["", ", near the king"][where_])
    }
    fn facts(&self) -> Option<&dyn Facts<Minichess>> {
        Some(self)
    }
}

impl Facts<Minichess> for WithActivity {
    fn count(&self) -> usize {
        self.facts.count()
    }
    fn hold(&self, game: &Minichess) -> FactSet {
        self.facts.hold(game)
    }
    fn add(&self, setup: &Setup, genes: &[f32], fact: usize, tell: &mut dyn FnMut(usize, f32)) {
        self.facts.add(setup, genes, fact, tell);
    }
    fn counters(&self) -> usize {
        if self.is_apart { 2 * COUNTS } else { COUNTS }
    }
    fn count_in(&self, game: &Minichess, counters: &mut Counters) {
        let mover = game.side_to_move();
        let [own, other] = [mover, !mover].map(|side| game.activity(side));
        if self.is_apart {
            counters[..COUNTS].copy_from_slice(&own);
            counters[COUNTS..2 * COUNTS].copy_from_slice(&other);
        } else {
            counters.iter_mut().zip(own).zip(other).for_each(|((counter, own), other)| *counter = own - other);
        }
    }
    fn add_unit(&self, setup: &Setup, counter: usize, tell: &mut dyn FnMut(usize, f32)) {
        tell(self.board.width(setup) + counter, UNIT);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode;

    #[test]
    fn squares_in_reach_are_counted() {
        let setup = <Setup as crate::Setup>::usual();
        let game: Minichess = "5k/6/1p4/P2R2/6/K5 w".parse().unwrap();
        let own = game.activity(Side::First);
        // The pawn can step and capture, the rook has nine squares, the king three. The rook attacks no square near f6.
        assert_eq!(own, [2, 0, 0, 9, 3, 0, 0, 0, 0, 0]);
        let other = game.activity(Side::Second);
        assert_eq!(other, [2, 0, 0, 0, 3, 0, 0, 0, 0, 0]);
        let near: Minichess = "5k/6/6/6/4R1/K5 w".parse().unwrap();
        assert_eq!(near.activity(Side::First)[KINDS.len()..], [0, 0, 0, 2, 0]);
        let inputs = encode(&WithActivity::DIFFERENCES, &setup, &game);
        let counts: Vec<f32> = inputs[inputs.len() - COUNTS..].iter().map(|input| input / UNIT).collect();
        assert_eq!(counts, [0.0, 0.0, 0.0, 9.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    }

    /// The other side sees the opposite differences, and a reflected board looks the same.
    #[test]
    fn the_other_side_sees_the_opposite() {
        let setup = <Setup as crate::Setup>::usual();
        let see = |text: &str| encode(&WithActivity::DIFFERENCES, &setup, &text.parse().unwrap());
        let one = see("2k3/6/1p4/3R2/6/K5 w");
        assert_eq!(one, see("3k2/6/4p1/2R3/6/5K w"));
        let game: Minichess = "2k3/6/1p4/3R2/6/K5 w".parse().unwrap();
        let other = encode(&WithActivity::DIFFERENCES, &setup, &game.passed().unwrap());
        assert!(one.iter().zip(&other).all(|(one, other)| *one == -*other));
    }
}
