//! A round robin: a match between each two players, and at the end the strength of all players on one Elo scale.

use crate::Error;
use crate::context::Context;
use crate::match_play::{MatchGame, MatchNews, Seats};
use crate::player_spec::{PlayerSpec, check_game, setup_for};
use arena::{Match, MatchScore, MatchTerms, Rating, ratings};
use games::{Game, GameVisitor};
use std::sync::atomic::AtomicBool;
use trainer::measuring_plies;

/// The parameters of a round robin.
pub struct CrosstableParams<'a> {
    /// The game's name.
    pub game: &'a str,
    /// The players, two or more.
    pub players: &'a [PlayerSpec],
    /// The number of games between each two players; an odd number is rounded up.
    pub games: u32,
    /// The number of random plies at the beginning of each game; `None` means the number that measures best.
    pub plies: Option<usize>,
    /// The seed of all random numbers. Every match uses it alone, so that `gamete match` with this seed and the same
    /// setup gives the same result.
    pub seed: u64,
    /// The number of threads; `None` means all cores.
    pub threads: Option<usize>,
    /// The folders of runs and tables, and how to stop.
    pub context: &'a Context<'a>,
}

/// The results of a round robin.
#[derive(Clone, Debug, PartialEq)]
pub struct Crosstable {
    /// The score of the first player of each pair, in the order of [`pairs_of`].
    pub scores: Vec<MatchScore>,
    /// The strength of each player, by place. It is `None` if there are only two players, if no two players can be
    /// compared, or if the round robin was interrupted.
    pub ratings: Option<Vec<Rating>>,
    /// Whether the round robin was interrupted.
    pub interrupted: bool,
}

impl Crosstable {
    /// The share of points of each player against all others, by place.
    pub fn shares(&self, players: usize) -> Vec<f64> {
        let mut shares = vec![0.0; players];
        let others = (players - 1) as f64;
        for ((one, two), score) in pairs_of(players).into_iter().zip(&self.scores) {
            shares[one] += score.share() / others;
            shares[two] += (1.0 - score.share()) / others;
        }
        shares
    }
}

/// Receives the progress of a round robin.
pub trait MatchWatcher: Send {
    /// Called once before the first game. `plies` is the number of random plies at the beginning of each game.
    fn begin(&mut self, plies: usize);
    /// Called with the score so far of the first player of a pair.
    fn score(&mut self, pair: usize, score: &MatchScore);
    /// Whether [`MatchWatcher::game`] and [`MatchWatcher::turn`] are called.
    fn wants_games(&self) -> bool {
        false
    }
    /// Called with each finished game of a pair.
    fn game(&mut self, pair: usize, game: MatchGame) {
        let _ = (pair, game);
    }
    /// Called after each move of the oldest of the games that are being played.
    fn turn(&mut self, pair: usize, game: &MatchGame) {
        let _ = (pair, game);
    }
}

/// All pairs of `players` players, as places, in the order in which they play.
pub fn pairs_of(players: usize) -> Vec<(usize, usize)> {
    (0..players).flat_map(|one| (one + 1..players).map(move |two| (one, two))).collect()
}

/// Plays all matches. If a player cannot play, the error comes before the first game.
pub fn crosstable(
    params: &CrosstableParams,
    stop: &AtomicBool,
    watcher: &mut dyn MatchWatcher,
) -> Result<Crosstable, Error> {
    let players: Vec<&PlayerSpec> = params.players.iter().collect();
    check_game(params.game, &players, params.context.runs)?;
    let visitor = PlayCrosstable { params, players: &players, stop, watcher };
    visitor.in_game(params.game)?
}

pub(crate) struct PlayCrosstable<'a> {
    params: &'a CrosstableParams<'a>,
    players: &'a [&'a PlayerSpec],
    stop: &'a AtomicBool,
    watcher: &'a mut dyn MatchWatcher,
}

games::by_name!(PlayCrosstable<'a>, 'a);

impl GameVisitor for PlayCrosstable<'_> {
    type Output = Result<Crosstable, Error>;

    fn visit<G: Game>(self) -> Result<Crosstable, Error> {
        let PlayCrosstable { params, players, stop, watcher } = self;
        // 1. One setup for all matches: the one that the first network was bred for.
        let setup = setup_for::<G>(players, &[], params.context.runs)?;
        let plies = params.plies.unwrap_or_else(|| measuring_plies::<G>(&setup));
        let seats = Seats::<G>::new(&setup, players, plies, params.context)?;
        watcher.begin(plies);
        // 2. One match after the other.
        let &CrosstableParams { games, seed, threads, .. } = params;
        let terms = MatchTerms { games, plies, seed, threads };
        let mut scores = Vec::new();
        for (number, (one, two)) in pairs_of(players.len()).into_iter().enumerate() {
            let shown = watcher.wants_games();
            let tell = &mut |news: MatchNews| match news {
                MatchNews::Score(score) => watcher.score(number, score),
                MatchNews::Game(game) => watcher.game(number, game),
                MatchNews::Turn(game) => watcher.turn(number, game),
            };
            let (score, interrupted) = seats.play([one, two], &terms, stop, shown, tell);
            scores.push(score);
            if interrupted {
                return Ok(Crosstable { scores, ratings: None, interrupted });
            }
        }
        // 3. The strength of all players.
        let ratings = if players.len() > 2 { rate(players.len(), &scores) } else { None };
        Ok(Crosstable { scores, ratings, interrupted: false })
    }
}

/// The strength of each player, by place; `None` if no two players can be compared.
fn rate(players: usize, scores: &[MatchScore]) -> Option<Vec<Rating>> {
    let pairs = pairs_of(players).into_iter().zip(scores);
    let matches: Vec<Match> = pairs.map(|((first, second), score)| Match { first, second, score: *score }).collect();
    let rated = ratings(players, anchor(players, &matches), &matches);
    (rated.iter().filter(|rating| rating.elo.is_some()).count() > 1).then_some(rated)
}

/// The player whose strength is set to 0: the one whose share of points is nearest to one half, because most others can
/// be compared with it. Of a player that won all points or none, one can only say that it is stronger or weaker.
fn anchor(players: usize, matches: &[Match]) -> usize {
    let mut shares = vec![0.0; players];
    for Match { first, second, score } in matches {
        shares[*first] += score.share();
        shares[*second] += 1.0 - score.share();
    }
    let half = 0.5 * (players as f64 - 1.0);
    let off = |place: &usize| (shares[*place] - half).abs();
    (0..players).min_by(|one, two| off(one).total_cmp(&off(two))).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::Outcome::{Draw, Win};
    use games::Side::{First, Second};

    #[test]
    fn each_two_players_meet_once() {
        assert_eq!(pairs_of(2), [(0, 1)]);
        assert_eq!(pairs_of(4), [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]);
    }

    #[test]
    fn the_player_in_the_middle_has_strength_zero() {
        let score = |pairs: &[[games::Outcome; 2]]| {
            let mut score = MatchScore::default();
            pairs.iter().for_each(|pair| score.add_pair(*pair));
            score
        };
        let (won, even) = ([Win(First), Win(Second)], [Win(First), Win(First)]);
        // The first player loses some games to the second and all to the third.
        let lost = [Win(Second), Win(First)];
        let scores = [score(&[lost, even]), score(&[lost, lost]), score(&[even, lost])];
        let rated = rate(3, &scores).unwrap();
        assert_eq!(rated[1], Rating { elo: Some(0.0), low: Some(0.0), high: Some(0.0) });
        assert!(rated[0].elo.unwrap() < 0.0 && rated[2].elo.unwrap() > 0.0, "{rated:?}");
        // If each player won all games against those after it, no two players can be compared.
        let scores = [score(&[won]), score(&[won]), score(&[won])];
        assert_eq!(rate(3, &scores), None);
        assert!(rate(3, &[score(&[[Draw, Draw]]); 3]).is_some());
    }
}
