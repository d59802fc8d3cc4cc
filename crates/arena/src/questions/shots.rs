//! Shots in games with forced captures: positions in which exactly one move wins a man by force.

use super::walk;
use crate::Question;
use chance::rng_for;
use games::{Game, Setup, Side, Suite};
use std::collections::HashSet;

/// Finds `each` positions for each suite, half of them for either side to move. The games take turns between suites and
/// sides, and each gives at most one position.
pub(super) fn find<G: Game>(seed: u64, each: usize, progress: &mut dyn FnMut(usize)) -> Vec<Question<G>> {
    let setup = G::Setup::usual();
    let mut found: Vec<Question<G>> = Vec::new();
    let mut known = HashSet::new();
    let kinds: Vec<(Suite, Side)> =
        Suite::SHOTS.iter().flat_map(|&suite| Side::BOTH.map(|side| (suite, side))).collect();
    let mut open: Vec<usize> = kinds.iter().map(|(_, side)| [each.div_ceil(2), each / 2][*side as usize]).collect();
    for number in 0.. {
        if open.iter().all(|&left| left == 0) {
            break;
        }
        let turn = number % kinds.len();
        if open[turn] == 0 {
            continue;
        }
        let games = walk::<G>(&setup, &mut rng_for(seed, &[number as u64]));
        let fitting = games.into_iter().filter(|game| kind(game) == Some(kinds[turn]) && !known.contains(game));
        if let Some(question) = fitting.filter_map(|game| ask(&game)).next() {
            known.insert(question.game.clone());
            open[turn] -= 1;
            found.push(question);
            progress(found.len());
        }
    }
    found.sort_by_key(|question| question.suite);
    found
}

/// The suite of a shot in this position, and its side; `None` if there are so few moves that chance would find it.
fn kind<G: Game>(game: &G) -> Option<(Suite, Side)> {
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    let suite = if game.is_capture(*moves.first()?) { Suite::CapturingShot } else { Suite::QuietShot };
    (moves.len() >= FEWEST_MOVES).then_some((suite, game.side_to_move()))
}

/// A question has at least this number of legal moves.
const FEWEST_MOVES: usize = 3;

/// The depths of the proofs, in plies including the first move; captures are then followed to the end. All must agree.
const PROOFS: [u32; 5] = [7, 8, 9, 10, 11];

/// The question that a position poses, if exactly one move wins a man.
pub(super) fn ask<G: Game>(game: &G) -> Option<Question<G>> {
    let (suite, side) = kind(game)?;
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    let mut proof = Proof { side, target: game.material()? + G::MAN, stack: Vec::new() };
    let mut right = None;
    for plies in PROOFS {
        let mut wins = moves.iter().copied().filter(|&mv| proof.gains(&game.after(mv), plies - 1));
        let only = wins.next()?;
        if wins.next().is_some() || right.is_some_and(|known| known != only) {
            return None;
        }
        right = Some(only);
    }
    Some(Question { suite, game: game.clone(), right: vec![right?] })
}

/// Whether a side can force this material: alpha-beta search with only two values.
struct Proof<G: Game> {
    side: Side,
    target: f32,
    stack: Vec<G::Move>,
}

impl<G: Game> Proof<G> {
    /// Searches all moves for `plies` plies, then captures to their end, as they are forced. A won game reaches any
    /// target.
    fn gains(&mut self, game: &G, plies: u32) -> bool {
        let own = game.side_to_move() == self.side;
        if let Some(outcome) = game.outcome() {
            return outcome.value_for(self.side) > 0.0;
        }
        let base = self.stack.len();
        game.legal_moves(&mut self.stack);
        if plies == 0 && !game.is_capture(self.stack[base]) {
            self.stack.truncate(base);
            let material = game.material().unwrap_or(0.0);
            return (if own { material } else { -material }) >= self.target;
        }
        self.stack[base..].sort_by_key(|&mv| std::cmp::Reverse(game.promise(mv)));
        // The side to move needs only one good move.
        let mut gains = !own;
        for place in base..self.stack.len() {
            gains = self.gains(&game.after(self.stack[place]), plies.saturating_sub(1));
            if gains == own {
                break;
            }
        }
        self.stack.truncate(base);
        gains
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::draughts::Draughts;

    #[track_caller]
    fn check(position: &str, expected: Option<(Suite, &str)>) {
        let question = ask(&position.parse::<Draughts>().unwrap());
        let found = question.map(|question| (question.suite, question.right[0].to_string()));
        assert_eq!(found, expected.map(|(suite, right)| (suite, right.to_string())), "{position}");
    }

    #[test]
    fn positions_ask_what_they_should() {
        // A man is given so that two can be taken.
        check("B:W18,22,26,32:B2,11,13,15", Some((Suite::QuietShot, "13-17")));
        // Four captures; all but one lose the king or leave it alone against too many.
        check("B:W13,14,15,16,22,23,31:B4,K18", Some((Suite::CapturingShot, "18x11x20")));
        // Three captures win.
        check("B:W13,14,15,16,22,23,31:B1,2,3,4,K18", None);
        // There is only one capture.
        check("B:W15:B1,2,11", None);
        check("B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12", None);
    }

    /// The material that a side can force, by plain minimax.
    fn forced(game: &Draughts, side: Side, plies: u32) -> f32 {
        if let Some(outcome) = game.outcome() {
            return outcome.value_for(side);
        }
        let own = game.side_to_move() == side;
        let mut moves = Vec::new();
        game.legal_moves(&mut moves);
        if plies == 0 && !game.is_capture(moves[0]) {
            return if own { game.material().unwrap() } else { -game.material().unwrap() };
        }
        let values = moves.iter().map(|&mv| forced(&game.after(mv), side, plies.saturating_sub(1)));
        if own { values.fold(-1.0, f32::max) } else { values.fold(1.0, f32::min) }
    }

    #[test]
    fn proofs_are_plain_minimax() {
        let mut gained = [0; 2];
        for game in walk::<Draughts>(&Setup::usual(), &mut rng_for(1, &[])) {
            let (side, now) = (game.side_to_move(), game.material().unwrap());
            for (plies, less) in [(1, 0.0), (4, 0.0), (5, 0.0), (5, Draughts::MAN)] {
                let target = now + Draughts::MAN - less;
                let gains = Proof { side, target, stack: Vec::new() }.gains(&game, plies);
                assert_eq!(gains, forced(&game, side, plies) >= target, "{game} {plies}");
                gained[usize::from(gains)] += 1;
            }
        }
        assert!(gained.iter().all(|&count| count > 20), "{gained:?}");
    }
}
