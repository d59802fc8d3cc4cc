//! Finds test positions: plays games from a seed, and proves the right answers by search.

mod pieces;
mod shots;

use crate::{GameHistory, Limits, Material, Question, Search};
use chance::Rng;
use games::{Game, Suite};

/// Finds `each` positions for each suite of the game, half of them for either side to move. Games are played from the
/// seed; `progress` is called with the number of positions found so far. `None` for games without suites.
pub fn find_questions<G: Game>(seed: u64, each: usize, progress: &mut dyn FnMut(usize)) -> Option<Vec<Question<G>>> {
    match G::SUITES {
        [] => None,
        suites if suites == Suite::SHOTS => Some(shots::find(seed, each, progress)),
        _ => Some(pieces::find(seed, each, progress)),
    }
}

/// The positions of a random game. Some moves are random, the others are searched two plies deep; their share is drawn.
fn walk<G: Game>(setup: &G::Setup, rng: &mut Rng) -> Vec<G> {
    let mut history = GameHistory::new(G::start(setup, rng), setup, 0);
    let mut search = Search::default();
    let careless = rng.below(4);
    let mut positions = Vec::new();
    while history.outcome().is_none() {
        positions.push(history.game().clone());
        let mv = if rng.below(4) <= careless {
            let mut moves = Vec::new();
            history.game().legal_moves(&mut moves);
            moves[rng.below(moves.len())]
        } else {
            search.run(&history, &mut Material, Limits::depth(2), None, Some(rng)).mv
        };
        history.play(mv);
    }
    positions
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{read_questions, write_questions};
    use games::Side;
    use games::draughts::Draughts;
    use games::minichess::Minichess;

    /// The questions of a suite with this side to move.
    fn part<G: Game>(all: &[Question<G>], suite: Suite, side: Side) -> Vec<Question<G>> {
        let asks = |question: &&Question<G>| question.suite == suite && question.game.side_to_move() == side;
        all.iter().filter(asks).cloned().collect()
    }

    #[test]
    fn questions_are_found_by_seed_and_written_both_ways() {
        fn check<G: Game>() {
            let found = find_questions::<G>(3, 4, &mut |_| ()).unwrap();
            assert_eq!(found.len(), 4 * G::SUITES.len());
            for (suite, side) in G::SUITES.iter().flat_map(|&suite| Side::BOTH.map(|side| (suite, side))) {
                assert_eq!(part(&found, suite, side).len(), 2);
            }
            assert_eq!(found, find_questions::<G>(3, 4, &mut |_| ()).unwrap());
            assert_ne!(found, find_questions::<G>(4, 4, &mut |_| ()).unwrap());
            assert_eq!(read_questions(&write_questions(&found)), Ok(found));
        }
        check::<Minichess>();
        check::<Draughts>();
        assert!(find_questions::<games::nim::Nim>(1, 4, &mut |_| ()).is_none());
    }

    /// The built-in questions are those that seed 1 finds; this test compares the first ones, and proves some again.
    #[test]
    fn the_shipped_questions_are_those_of_seed_1() {
        fn check<G: Game>(ask: impl Fn(&G) -> Option<Question<G>>) {
            let shipped = read_questions::<G>(G::QUESTIONS.unwrap()).unwrap();
            assert_eq!(shipped.len(), 200 * G::SUITES.len());
            let found = find_questions::<G>(1, 6, &mut |_| ()).unwrap();
            for &suite in G::SUITES {
                assert!(Side::BOTH.iter().all(|&side| part(&shipped, suite, side).len() == 100));
                let of = |all: &[Question<G>]| -> Vec<Question<G>> {
                    all.iter().filter(|question| question.suite == suite).take(3).cloned().collect()
                };
                // The first questions are the same until one side has all that it needs.
                assert_eq!(of(&shipped), of(&found));
            }
            for question in shipped.iter().step_by(7) {
                assert_eq!(ask(&question.game).as_ref(), Some(question));
            }
        }
        check::<Minichess>(|game| pieces::ask(game, |_| true));
        check::<Draughts>(shots::ask);
    }
}
