//! A match between two players: every opening is played twice, with sides changed.

use crate::referee::watch_game;
use crate::threads::{cores, in_parallel, thread_pool};
use crate::{GameHistory, MatchScore, Played, Player, Starts, opening};
use chance::rng_for;
use games::Game;
use std::sync::Mutex;

/// The terms of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchTerms {
    /// The number of games; an odd number is rounded up.
    pub games: u32,
    /// The number of random plies at the beginning of each game; fewer than a game may have.
    pub plies: usize,
    /// The number from which all random numbers are derived.
    pub seed: u64,
    /// The number of threads; `None` means one for each core. The score does not depend on it.
    pub threads: Option<usize>,
}

/// Makes a player. Each thread needs its own.
pub type PlayerMaker<'a, G> = &'a (dyn Fn() -> Box<dyn Player<G>> + Sync);

/// Observes a match; it is called from all threads of the match.
pub trait MatchWatch<G: Game>: Sync {
    /// Whether another pair of games may begin.
    fn goes_on(&self) -> bool {
        true
    }

    /// Whether the last game counts. It does not if a player was stopped while thinking.
    fn counts(&self) -> bool {
        true
    }

    /// Called with each move of a game before it is played. The games of a match are numbered from 0; in games with even
    /// numbers, the first player has the first side.
    fn turn(&self, number: u32, history: &GameHistory<G>, mv: G::Move) {
        let _ = (number, history, mv);
    }

    /// Called after each game that was not interrupted. The score follows after the second game of its pair.
    fn game(&self, number: u32, played: &Played<G>) {
        let _ = (number, played);
    }

    /// Called with the score after every pair of games.
    fn pair(&self, score: &MatchScore) {
        let _ = score;
    }
}

/// No observer.
impl<G: Game> MatchWatch<G> for () {}

/// Games of a match end as a draw after this number of plies.
pub const MOST_MATCH_PLIES: usize = 100_000;

/// Plays a match, and returns the first player's score.
pub fn play_match<G: Game, One: Player<G> + 'static, Two: Player<G> + 'static>(
    one: impl Fn() -> One + Sync,
    two: impl Fn() -> Two + Sync,
    setup: &G::Setup,
    terms: &MatchTerms,
) -> MatchScore {
    watch_match(&|| Box::new(one()), &|| Box::new(two()), setup, terms, &()).0
}

/// Plays a match with an observer. Returns the first player's score, and whether games are missing because the observer
/// stopped them.
pub fn watch_match<G: Game>(
    one: PlayerMaker<G>,
    two: PlayerMaker<G>,
    setup: &G::Setup,
    terms: &MatchTerms,
    watch: &dyn MatchWatch<G>,
) -> (MatchScore, bool) {
    let starts = Starts::<G>::new(setup);
    let score = Mutex::new(MatchScore::default());
    // Plays a pair of games and returns whether it was played. Its random numbers depend only on its own number, never
    // on how long other games took.
    let play_pair = |[one, two]: &mut [Box<dyn Player<G>>; 2], pair: u32| -> bool {
        if !watch.goes_on() {
            return false;
        }
        let rng_of = |part: u64| rng_for(terms.seed, &[u64::from(pair), part]);
        let rng = &mut rng_of(0);
        // The plies of the opening count toward the cap on plies.
        let start = opening(&GameHistory::new(starts.draw(rng), setup, 0), terms.plies, rng);
        let play = |part: u32, players: [&mut dyn Player<G>; 2]| {
            let number = 2 * pair + part;
            let seen = |history: &GameHistory<G>, mv: G::Move| watch.turn(number, history, mv);
            let rng = &mut rng_of(1 + u64::from(part));
            let played = watch_game(&start, players, MOST_MATCH_PLIES, rng, seen);
            watch.counts().then_some(played)
        };
        let Some(one_first) = play(0, [&mut **one, &mut **two]) else { return false };
        watch.game(2 * pair, &one_first);
        let Some(two_first) = play(1, [&mut **two, &mut **one]) else { return false };
        watch.game(2 * pair + 1, &two_first);
        let score = &mut *score.lock().expect("no thread panics while it holds the lock");
        score.add_pair([one_first.ending.outcome(), two_first.ending.outcome()]);
        watch.pair(score);
        true
    };
    let pairs = terms.games.div_ceil(2) as usize;
    let pool = thread_pool(cores(terms.threads));
    // A missing pair does not stop the others: every pair that was begun counts.
    let played = in_parallel(pool.as_ref(), pairs, || [one(), two()], |seats, pair| play_pair(seats, pair as u32));
    let all_played = played.into_iter().all(|played| played);
    (score.into_inner().expect("no thread panics while it holds the lock"), !all_played)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{First, Random};
    use games::Setup as _;
    use games::tic_tac_toe::{Setup, Square, TicTacToe};
    use games::{Outcome, Side};
    use std::collections::BTreeMap;
    use std::sync::atomic::{AtomicU32, Ordering};

    const TERMS: MatchTerms = MatchTerms { games: 100, plies: 2, seed: 1, threads: Some(1) };

    #[test]
    fn colours_are_swapped() {
        let same = play_match::<TicTacToe, _, _>(|| First, || First, &Setup::usual(), &TERMS);
        assert_eq!((same.games(), same.share()), (100, 0.5));
    }

    #[test]
    fn a_match_is_the_same_on_any_number_of_threads() {
        let play = |threads: usize| {
            let terms = MatchTerms { games: 99, threads: Some(threads), ..TERMS };
            play_match::<TicTacToe, _, _>(|| First, || Random, &Setup::usual(), &terms)
        };
        assert_eq!(play(1).games(), 100, "an odd number is rounded up");
        assert!(play(1) == play(3) && play(1).share() > 0.5);
    }

    #[test]
    fn an_observer_sees_all_moves_of_all_games() {
        #[derive(Default)]
        struct Notes(Mutex<(BTreeMap<u32, Vec<Square>>, MatchScore)>);
        impl MatchWatch<TicTacToe> for Notes {
            fn turn(&self, number: u32, _: &GameHistory<TicTacToe>, mv: Square) {
                self.0.lock().unwrap().0.entry(number).or_default().push(mv);
            }
            fn game(&self, number: u32, played: &Played<TicTacToe>) {
                let notes = &mut *self.0.lock().unwrap();
                assert_eq!(notes.0[&number], played.moves);
                // The first player has the first side in games with even numbers.
                let outcome = played.ending.outcome();
                let (won, lost) = (Outcome::Win(Side::First), Outcome::Win(Side::Second));
                let (win, loss) = if number.is_multiple_of(2) { (won, lost) } else { (lost, won) };
                notes.1.wins += u32::from(outcome == win);
                notes.1.losses += u32::from(outcome == loss);
            }
        }
        let notes = Notes::default();
        let first = || Box::new(First) as Box<dyn Player<TicTacToe>>;
        let random = || Box::new(Random) as Box<dyn Player<TicTacToe>>;
        let terms = MatchTerms { threads: Some(2), ..TERMS };
        let (score, _) = watch_match(&first, &random, &Setup::usual(), &terms, &notes);
        let (games, seen) = notes.0.into_inner().unwrap();
        assert_eq!(games.into_keys().collect::<Vec<u32>>(), (0..100).collect::<Vec<u32>>());
        assert_eq!((seen.wins, seen.losses), (score.wins, score.losses));
    }

    #[test]
    fn an_observer_can_stop_a_match() {
        struct Ten(AtomicU32);
        impl MatchWatch<TicTacToe> for Ten {
            fn goes_on(&self) -> bool {
                self.0.load(Ordering::Relaxed) < 10
            }
            fn pair(&self, score: &MatchScore) {
                self.0.store(score.games(), Ordering::Relaxed);
            }
        }
        let player = || Box::new(Random) as Box<dyn Player<TicTacToe>>;
        let (score, broken_off) = watch_match(&player, &player, &Setup::usual(), &TERMS, &Ten(AtomicU32::new(0)));
        assert_eq!((score.games(), broken_off), (10, true));
    }
}
