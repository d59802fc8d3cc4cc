//! Test positions about hanging kings and pieces, after Sebastianelli (2024): save the king, capture the king, save
//! pieces by value, capture pieces by value. "King" stands for whatever ends the game.

use super::walk;
use crate::Question;
use crate::proof::{Proof, WON};
use chance::rng_for;
use games::{Game, Outcome, Setup, Suite};
use std::collections::HashSet;

/// Finds `each` positions for each suite, half of them for either side to move.
pub(super) fn find<G: Game>(seed: u64, each: usize, progress: &mut dyn FnMut(usize)) -> Vec<Question<G>> {
    let setup = G::Setup::usual();
    let mut found: Vec<Question<G>> = Vec::new();
    let mut known = HashSet::new();
    let mut open = [[each.div_ceil(2), each / 2]; 4];
    for number in 0.. {
        if open.iter().flatten().all(|&left| left == 0) {
            break;
        }
        // At most one position of a suite from each game, so that positions differ.
        let mut taken = [false; 4];
        for game in walk::<G>(&setup, &mut rng_for(seed, &[number])) {
            let side = game.side_to_move() as usize;
            let Some(question) = ask(&game, |suite| open[suite as usize][side] > 0 && !taken[suite as usize]) else {
                continue;
            };
            if known.insert(game) {
                taken[question.suite as usize] = true;
                open[question.suite as usize][side] -= 1;
                found.push(question);
                progress(found.len());
            }
        }
    }
    found.sort_by_key(|question| question.suite as usize);
    found
}

/// The depths of the proofs, in plies including the first move; captures are then followed to the end.
const PROOFS: [u32; 5] = [2, 3, 4, 5, 6];

/// The question that a position poses, if it belongs to a wanted suite.
pub(super) fn ask<G: Game>(game: &G, wanted: impl Fn(Suite) -> bool) -> Option<Question<G>> {
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    let question = |suite, right| Some(Question { suite, game: game.clone(), right });
    // Right answers must be few, so that they are not found by chance.
    let few = |count: usize| count > 0 && 3 * count <= moves.len();
    // 1. The side to move can win at once.
    let winning: Vec<G::Move> = moves.iter().copied().filter(|&mv| wins(game, mv)).collect();
    if !winning.is_empty() {
        return if few(winning.len()) && wanted(Suite::TakeKing) { question(Suite::TakeKing, winning) } else { None };
    }
    // 2. Most moves lose at once.
    let mut replies = Vec::new();
    let safe = |mv: &G::Move| {
        let next = game.after(*mv);
        replies.clear();
        next.legal_moves(&mut replies);
        !replies.iter().any(|&reply| wins(&next, reply))
    };
    let safe: Vec<G::Move> = moves.iter().copied().filter(safe).collect();
    if few(safe.len()) {
        return if wanted(Suite::SaveKing) { question(Suite::SaveKing, safe) } else { None };
    }
    if 4 * safe.len() < 3 * moves.len() || !(wanted(Suite::SavePieces) || wanted(Suite::TakePieces)) {
        return None;
    }
    // 3. Pieces: the proofs of all depths must agree on the best moves.
    let now = game.material()?;
    let mut proof = Proof::default();
    // A piece hangs if the other side, if it were to move, could win material by captures alone.
    let hangs = game.passed().is_some_and(|passed| proof.value(&passed, 0, -WON, WON) > -now);
    let mut best_moves: Option<Vec<G::Move>> = None;
    let mut suites = vec![Suite::SavePieces, Suite::TakePieces];
    for plies in PROOFS {
        let values: Vec<f32> = moves.iter().map(|&mv| -proof.value(&game.after(mv), plies - 1, -WON, WON)).collect();
        let best = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let right: Vec<G::Move> =
            moves.iter().zip(&values).filter(|(_, value)| **value == best).map(|(&mv, _)| mv).collect();
        let gains = |(&mv, &value): (&G::Move, &f32)| game.is_capture(mv) && now < value && value < best;
        let takes = best > now && best < WON && right.iter().all(|&mv| game.is_capture(mv));
        suites.retain(|&suite| match suite {
            Suite::TakePieces => takes && moves.iter().zip(&values).any(gains),
            _ => hangs && best <= now && best > -WON,
        });
        if !few(right.len()) || best_moves.as_ref().is_some_and(|known| *known != right) {
            return None;
        }
        if !suites.iter().any(|&suite| wanted(suite)) {
            return None;
        }
        best_moves = Some(right);
    }
    question(suites[0], best_moves?)
}

fn wins<G: Game>(game: &G, mv: G::Move) -> bool {
    game.after(mv).outcome() == Some(Outcome::Win(game.side_to_move()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::minichess::Minichess;

    #[track_caller]
    fn check(position: &str, expected: Option<(Suite, &str)>) {
        let game: Minichess = position.parse().unwrap();
        let found = ask(&game, |_| true);
        let text = |question: &Question<Minichess>| {
            question.right.iter().map(|mv| mv.to_string()).collect::<Vec<_>>().join(" ")
        };
        let found = found.map(|question| (question.suite, text(&question)));
        assert_eq!(found, expected.map(|(suite, right)| (suite, right.to_string())), "{position}");
    }

    #[test]
    fn positions_ask_what_they_should() {
        check("k5/6/6/6/6/R4K w", Some((Suite::TakeKing, "a1a6")));
        check("k5/1p4/6/5n/6/R2K2 w", Some((Suite::TakeKing, "a1a6")));
        // A rook attacks the king along the rank, and a knight can come between.
        check("k5/pppp2/6/2N3/PPPP2/K4r w", Some((Suite::SaveKing, "c3b1 c3d1")));
        // A pawn attacks a knight and a pawn: take it, or save the knight.
        let forked = "r1bknr/p1pppp/1pn3/N1P3/PP1PPP/R1BKNR w";
        check(forked, Some((Suite::SavePieces, "c3b4 a3c4 a3c2 a3b1")));
        // The knight can take a rook, or a pawn.
        check("3knn/2pr2/p2p1p/P1N2P/1BPP1K/R1N3 w", Some((Suite::TakePieces, "c3d5")));
        check("rnbknr/pppppp/6/6/PPPPPP/RNBKNR w", None);
    }
}
