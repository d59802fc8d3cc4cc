//! The referee: plays one game between two players, move by move.

use crate::{Choice, GameHistory, Player};
use chance::Rng;
use games::{Game, Outcome, Side};

/// A game that was played.
#[derive(Clone, Debug, PartialEq)]
pub struct Played<G: Game> {
    /// The position in which it began.
    pub start: G,
    /// The legal moves that were made.
    pub moves: Vec<G::Move>,
    /// How it ended.
    pub ending: Ending,
}

/// How a game ended; `A` describes an illegal attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending<A = String> {
    /// By the rules of the game, including those about its past.
    Rules(Outcome),
    /// A side made an illegal attempt, and lost.
    Illegal {
        /// The side that lost.
        loser: Side,
        /// The illegal attempt.
        attempt: A,
    },
    /// It was broken off after too many plies.
    BrokenOff,
}

impl<A> Ending<A> {
    /// The outcome; a game that was broken off is a draw.
    pub fn outcome(&self) -> Outcome {
        match self {
            Ending::Rules(outcome) => *outcome,
            Ending::Illegal { loser, .. } => Outcome::Win(!*loser),
            Ending::BrokenOff => Outcome::Draw,
        }
    }
}

/// Lets two players finish a game; `players[0]` is the first side. After `most` more plies it is broken off as a draw.
pub fn play_game<G: Game>(
    start: &GameHistory<G>,
    players: [&mut dyn Player<G>; 2],
    most: usize,
    rng: &mut Rng,
) -> Played<G> {
    watch_game(start, players, most, rng, |_, _| ())
}

/// Like [`play_game`]; `seen` receives each move with the game before it.
pub(crate) fn watch_game<G: Game>(
    start: &GameHistory<G>,
    players: [&mut dyn Player<G>; 2],
    most: usize,
    rng: &mut Rng,
    mut seen: impl FnMut(&GameHistory<G>, G::Move),
) -> Played<G> {
    let mut history = start.clone();
    let mut moves = Vec::new();
    let mut players = players;
    players.iter_mut().for_each(|player| player.begin());
    let ending = play_on(&mut history, most, |history| {
        match players[history.game().side_to_move() as usize].choose(history, rng) {
            Choice::Move(mv) => {
                seen(history, mv);
                moves.push(mv);
                Ok(mv)
            }
            Choice::Illegal(attempt) => Err(attempt),
        }
    });
    Played { start: start.game().clone(), moves, ending }
}

/// Finishes a game. `turn` returns the move of each turn, or an illegal attempt, which loses. After `most` more plies
/// the game is broken off as a draw.
#[inline]
pub(crate) fn play_on<G: Game, A>(
    history: &mut GameHistory<G>,
    most: usize,
    mut turn: impl FnMut(&GameHistory<G>) -> Result<G::Move, A>,
) -> Ending<A> {
    let mut plies = 0;
    loop {
        if let Some(outcome) = history.outcome() {
            return Ending::Rules(outcome);
        }
        if plies == most {
            return Ending::BrokenOff;
        }
        plies += 1;
        match turn(history) {
            Ok(mv) => history.play(mv),
            Err(attempt) => return Ending::Illegal { loser: history.game().side_to_move(), attempt },
        }
    }
}

/// A position after some random plies, none of which ends the game. If no such line is found, the number of plies is
/// reduced.
pub fn opening<G: Game>(start: &GameHistory<G>, plies: usize, rng: &mut Rng) -> GameHistory<G> {
    const TRIES: usize = 20;
    for plies in (1..=plies).rev() {
        for _ in 0..TRIES {
            let mut history = start.clone();
            let mut moves = Vec::new();
            for _ in 0..plies {
                if history.outcome().is_some() {
                    break;
                }
                moves.clear();
                history.game().legal_moves(&mut moves);
                history.play(moves[rng.below(moves.len())]);
            }
            if history.outcome().is_none() {
                return history;
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

    fn history(text: &str) -> GameHistory<Nim> {
        GameHistory::new(text.parse().unwrap(), &Setup { stacks: vec![4, 4], start: Start::Random }, 0)
    }

    #[test]
    fn a_game_is_played_to_its_end() {
        let start = history("2,1");
        let played = play_game(&start, [&mut First, &mut First], 100, &mut rng_for(1, &[]));
        let text: Vec<String> = played.moves.iter().map(|mv| mv.to_string()).collect();
        assert_eq!(text, ["1:1", "1:1", "2:1"]);
        assert_eq!(played.ending, Ending::Rules(Outcome::Win(Side::Second)));
        let cut = play_game(&start, [&mut First, &mut First], 2, &mut rng_for(1, &[]));
        assert_eq!((cut.moves.len(), cut.ending), (2, Ending::BrokenOff));
    }

    #[test]
    fn the_side_to_move_of_the_start_moves() {
        let start = history("1 second");
        let played = play_game(&start, [&mut Random, &mut First], 100, &mut rng_for(1, &[]));
        assert_eq!(played.ending.outcome(), Outcome::Win(Side::First));
    }

    #[test]
    fn openings_do_not_end_the_game() {
        let rng = &mut rng_for(1, &[]);
        let start = history("2,2");
        for _ in 0..100 {
            let opened = opening(&start, 2, rng);
            assert!(opened.outcome().is_none() && opened.game() != start.game() && opened.plies() == 2);
        }
        assert_eq!(opening(&history("1"), 5, rng).plies(), 0);
    }
}
