//! One game between two players, move by move.

use crate::{Choice, Course, Player};
use chance::Rng;
use games::{Game, Outcome, Side};

/// A game that was played.
#[derive(Clone, Debug, PartialEq)]
pub struct Played<G: Game> {
    /// Where it began.
    pub start: G,
    /// The legal moves that were made.
    pub moves: Vec<G::Move>,
    /// How it ended.
    pub ending: Ending,
}

/// How a game ended, and why; `A` is what is known of an illegal attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending<A = String> {
    /// By the rules of the game, those that look at its past included.
    Rules(Outcome),
    /// A side tried what is illegal, and lost.
    Illegal {
        /// Who.
        loser: Side,
        /// What it tried.
        attempt: A,
    },
    /// It was broken off, as it took too long for anybody.
    BrokenOff,
}

impl<A> Ending<A> {
    /// Who won, if anybody; a game broken off is drawn.
    pub fn outcome(&self) -> Outcome {
        match self {
            Ending::Rules(outcome) => *outcome,
            Ending::Illegal { loser, .. } => Outcome::Win(!*loser),
            Ending::BrokenOff => Outcome::Draw,
        }
    }
}

/// Lets two players finish a game: `players[0]` is the first side. It is broken off, drawn, after `most` plies more.
pub fn play_game<G: Game>(
    start: &Course<G>,
    players: [&mut dyn Player<G>; 2],
    most: usize,
    rng: &mut Rng,
) -> Played<G> {
    let mut course = start.clone();
    let mut moves = Vec::new();
    let mut players = players;
    players.iter_mut().for_each(|player| player.begin());
    let ending =
        play_on(&mut course, most, |course| match players[course.game().side_to_move() as usize].choose(course, rng) {
            Choice::Move(mv) => {
                moves.push(mv);
                Ok(mv)
            }
            Choice::Illegal(attempt) => Err(attempt),
        });
    Played { start: start.game().clone(), moves, ending }
}

/// Finishes a game: `turn` gives each turn's move, or an illegal attempt, which loses. It is broken off, drawn, after `most`
/// plies more.
#[inline]
pub(crate) fn play_on<G: Game, A>(
    course: &mut Course<G>,
    most: usize,
    mut turn: impl FnMut(&Course<G>) -> Result<G::Move, A>,
) -> Ending<A> {
    let mut plies = 0;
    loop {
        if let Some(outcome) = course.outcome() {
            return Ending::Rules(outcome);
        }
        if plies == most {
            return Ending::BrokenOff;
        }
        plies += 1;
        match turn(course) {
            Ok(mv) => course.play(mv),
            Err(attempt) => return Ending::Illegal { loser: course.game().side_to_move(), attempt },
        }
    }
}

/// A start after some plies at random, none of which ends the game: fewer than asked for where that cannot be had.
pub fn opening<G: Game>(start: &Course<G>, plies: usize, rng: &mut Rng) -> Course<G> {
    const TRIES: usize = 20;
    for plies in (1..=plies).rev() {
        for _ in 0..TRIES {
            let mut course = start.clone();
            let mut moves = Vec::new();
            for _ in 0..plies {
                if course.outcome().is_some() {
                    break;
                }
                moves.clear();
                course.game().legal_moves(&mut moves);
                course.play(moves[rng.below(moves.len())]);
            }
            if course.outcome().is_none() {
                return course;
            }
        }
    }
    start.clone()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{First, Random};
    use chance::rng_for;
    use games::nim::{Nim, Setup, Start};

    fn course(text: &str) -> Course<Nim> {
        Course::new(text.parse().unwrap(), &Setup { stacks: vec![4, 4], start: Start::Random }, 0)
    }

    #[test]
    fn a_game_is_played_to_its_end() {
        let start = course("2,1");
        let played = play_game(&start, [&mut First, &mut First], 100, &mut rng_for(1, &[]));
        let text: Vec<String> = played.moves.iter().map(|mv| mv.to_string()).collect();
        assert_eq!(text, ["1:1", "1:1", "2:1"]);
        assert_eq!(played.ending, Ending::Rules(Outcome::Win(Side::Second)));
        let cut = play_game(&start, [&mut First, &mut First], 2, &mut rng_for(1, &[]));
        assert_eq!((cut.moves.len(), cut.ending), (2, Ending::BrokenOff));
    }

    #[test]
    fn the_side_to_move_of_the_start_moves() {
        let start = course("1 second");
        let played = play_game(&start, [&mut Random, &mut First], 100, &mut rng_for(1, &[]));
        assert_eq!(played.ending.outcome(), Outcome::Win(Side::First));
    }

    #[test]
    fn openings_do_not_end_the_game() {
        let rng = &mut rng_for(1, &[]);
        let start = course("2,2");
        for _ in 0..100 {
            let opened = opening(&start, 2, rng);
            assert!(opened.outcome().is_none() && opened.game() != start.game() && opened.plies() == 2);
        }
        assert_eq!(opening(&course("1"), 5, rng).plies(), 0);
    }
}
