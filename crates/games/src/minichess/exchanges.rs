//! Exchanges on one square, and attacks on kings: what searches ask before they look at a move.

use super::attacks::{BISHOP_LINES, Bitboard, KING, KNIGHT, PAWN_CAPTURES, ROOK_LINES, bishop, rook};
use super::{KINDS, Kind, Minichess, Step, worth};
use crate::Side;

/// The value of a piece in an exchange. Losing the king is worse than losing everything else.
fn price(kind: Kind) -> i32 {
    if kind == Kind::King { 1000 } else { worth(kind) }
}

impl Minichess {
    /// The pieces of a side that attack a square while these squares are occupied.
    #[inline]
    fn attackers(&self, square: usize, side: Side, occupied: Bitboard) -> Bitboard {
        let own = self.sides[side as usize] & occupied;
        let of = |kind: Kind| self.kinds[kind as usize] & own;
        let mut attackers = PAWN_CAPTURES[!side as usize][square] & of(Kind::Pawn)
            | KNIGHT[square] & of(Kind::Knight)
            | KING[square] & of(Kind::King);
        // Most squares have no rook and no bishop in line.
        if ROOK_LINES[square] & of(Kind::Rook) != 0 {
            attackers |= rook(square, occupied) & of(Kind::Rook);
        }
        if BISHOP_LINES[square] & of(Kind::Bishop) != 0 {
            attackers |= bishop(square, occupied) & of(Kind::Bishop);
        }
        attackers
    }

    /// Whether the mover can capture the other side's king.
    pub(super) fn attacks_king(&self) -> bool {
        let king = self.sides[!self.side as usize] & self.kings();
        king != 0 && self.attackers(king.trailing_zeros() as usize, self.side, self.occupied()) != 0
    }

    /// Whether a move loses material if both sides then capture on its target square, each with its least valuable
    /// piece first, and each stops when it likes (static exchange evaluation).
    pub(super) fn loses_by_exchange(&self, mv: Step) -> bool {
        let to = usize::from(mv.to);
        let gain =
            self.kind_on(mv.to).map_or(0, price) + if mv.promotes { price(Kind::Rook) - price(Kind::Pawn) } else { 0 };
        let moved = if mv.promotes { Kind::Rook } else { self.kind_on(mv.from).expect("a piece moves") };
        // What the side that captures next wins at most, if it may take the piece that moved last for nothing.
        let mut prize = price(moved) - gain;
        if prize <= 0 {
            return false;
        }
        let mut occupied = self.occupied() & !(1 << mv.from) | 1 << to;
        let (mut side, mut loses) = (self.side, false);
        loop {
            side = !side;
            let attackers = self.attackers(to, side, occupied);
            let Some(kind) = KINDS.into_iter().find(|kind| attackers & self.kinds[*kind as usize] != 0) else {
                return loses;
            };
            let pieces = attackers & self.kinds[kind as usize];
            occupied &= !(pieces & pieces.wrapping_neg());
            // A king does not capture a protected piece.
            if kind == Kind::King && self.attackers(to, !side, occupied) != 0 {
                return loses;
            }
            loses = !loses;
            // If this side is ahead even when its piece is lost, the exchange is decided. An equal exchange counts for
            // the side that made the move.
            prize = price(kind) - prize;
            if prize < i32::from(!loses) {
                return loses;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Game;
    use chance::rng_for;

    /// The material that the side to move wins on a square when it may stop at any time, by trying all captures.
    fn won(game: &Minichess, to: u8) -> i32 {
        let mut moves = Vec::new();
        game.legal_moves(&mut moves);
        let captures = moves.into_iter().filter(|mv| mv.to == to);
        let gains = captures.map(|mv| {
            let promotion = if mv.promotes { price(Kind::Rook) - price(Kind::Pawn) } else { 0 };
            price(game.kind_on(to).expect("a piece is captured")) + promotion - won(&game.after(mv), to)
        });
        gains.max().unwrap_or(0).max(0)
    }

    #[test]
    fn exchanges_are_those_of_all_captures() {
        let (mut same, mut all, mut losing) = (0, 0, 0);
        for number in 0..400 {
            let rng = &mut rng_for(number, &[]);
            let mut game = Minichess::start(&crate::Setup::usual(), rng);
            for _ in 0..60 {
                let mut moves = Vec::new();
                game.legal_moves(&mut moves);
                if moves.is_empty() {
                    break;
                }
                for &mv in &moves {
                    if game.kind_on(mv.to) == Some(Kind::King) {
                        assert!(game.attacks_king() && !game.loses_by_exchange(mv), "{game} {mv}");
                        continue;
                    }
                    let promotion = if mv.promotes { price(Kind::Rook) - price(Kind::Pawn) } else { 0 };
                    let gain = game.kind_on(mv.to).map_or(0, price) + promotion;
                    let expected = gain - won(&game.after(mv), mv.to) < 0;
                    all += 1;
                    losing += u32::from(expected);
                    same += u32::from(game.loses_by_exchange(mv) == expected);
                }
                game = game.after(moves[rng.below(moves.len())]);
            }
        }
        // Pawns that become rooks within an exchange are left out, and captures begin with the least piece.
        assert!(same * 1000 >= all * 995 && losing > all / 10, "{same} of {all}, {losing} lose");
    }

    #[test]
    fn a_king_is_attacked_where_it_can_be_captured() {
        for number in 0..200 {
            let rng = &mut rng_for(number, &[1]);
            let mut game = Minichess::start(&crate::Setup::usual(), rng);
            for _ in 0..60 {
                let mut moves = Vec::new();
                game.legal_moves(&mut moves);
                if moves.is_empty() {
                    break;
                }
                let captures = moves.iter().any(|&mv| game.after(mv).king_is_gone());
                assert_eq!(game.attacks_king(), captures, "{game}");
                game = game.after(moves[rng.below(moves.len())]);
            }
        }
    }
}
