//! Everybody meets everybody: a match for each two players, and in the end their strength on one scale.

use crate::Error;
use crate::context::Context;
use crate::match_play::Seats;
use crate::player_spec::{PlayerSpec, check_game, setup_for};
use arena::{Match, MatchScore, MatchTerms, Rating, ratings};
use games::{Game, GameVisitor};
use std::sync::atomic::AtomicBool;
use trainer::measuring_plies;

/// Matches to be played.
pub struct CrosstableParams<'a> {
    /// The game's name.
    pub game: &'a str,
    /// The players, two or more.
    pub players: &'a [PlayerSpec],
    /// How many games each two play; an odd number is rounded up.
    pub games: u32,
    /// Plies drawn at random at the beginning of each; as many as measure best when not given.
    pub plies: Option<usize>,
    /// Of all chance. Each match is played as if it were the only one, so that `gamete match` with this seed, and in the
    /// same setup, finds the same.
    pub seed: u64,
    /// How many threads share the games; all cores when not given.
    pub threads: Option<usize>,
    /// Where files are.
    pub context: &'a Context<'a>,
}

/// How the matches came out.
#[derive(Clone, Debug, PartialEq)]
pub struct Crosstable {
    /// What the first of each two scored, in the order of [`pairs_of`].
    pub scores: Vec<MatchScore>,
    /// How strong the players are, by place, where that can be told: more than two of them, and all games played.
    pub ratings: Option<Vec<Rating>>,
    /// Whether it was broken off.
    pub interrupted: bool,
}

impl Crosstable {
    /// By place, the share of points of each against all others.
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

/// Sees matches through.
pub trait MatchWatcher: Send {
    /// Everybody has a seat; so many plies are drawn at random before each game.
    fn begin(&mut self, plies: usize);
    /// What the first of a pair has scored so far.
    fn score(&mut self, pair: usize, score: &MatchScore);
}

/// All pairs of so many players, by places, in the order in which they play.
pub fn pairs_of(players: usize) -> Vec<(usize, usize)> {
    (0..players).flat_map(|one| (one + 1..players).map(move |two| (one, two))).collect()
}

/// Plays all matches. Who cannot play is told before anybody does.
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
        // 1. One setup for all, as somebody was bred for it.
        let setup = setup_for::<G>(players, &[], params.context.runs)?;
        let plies = params.plies.unwrap_or_else(|| measuring_plies::<G>(&setup));
        let seats = Seats::<G>::new(&setup, players, plies, params.context)?;
        watcher.begin(plies);
        // 2. One match after the other.
        let &CrosstableParams { games, seed, threads, .. } = params;
        let terms = MatchTerms { games, plies, seed, threads };
        let mut scores = Vec::new();
        for (number, (one, two)) in pairs_of(players.len()).into_iter().enumerate() {
            let tell = &mut |score: &MatchScore| watcher.score(number, score);
            let (score, interrupted) = seats.play([one, two], &terms, stop, tell);
            scores.push(score);
            if interrupted {
                return Ok(Crosstable { scores, ratings: None, interrupted });
            }
        }
        // 3. One scale.
        let ratings = if players.len() > 2 { rate(players.len(), &scores) } else { None };
        Ok(Crosstable { scores, ratings, interrupted: false })
    }
}

/// Strengths by place; nothing where no two of them can be compared.
fn rate(players: usize, scores: &[MatchScore]) -> Option<Vec<Rating>> {
    let pairs = pairs_of(players).into_iter().zip(scores);
    let matches: Vec<Match> = pairs.map(|((first, second), score)| Match { first, second, score: *score }).collect();
    let rated = ratings(players, anchor(players, &matches), &matches);
    (rated.iter().filter(|rating| rating.elo.is_some()).count() > 1).then_some(rated)
}

/// Whose strength is called 0: who won nearest to half of the points, as nearly everybody can be compared with it. Of whoever
/// won all or nothing it can only be said that it is stronger, or weaker.
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
    fn everybody_meets_everybody_once() {
        assert_eq!(pairs_of(2), [(0, 1)]);
        assert_eq!(pairs_of(4), [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]);
    }

    #[test]
    fn the_middle_is_called_zero() {
        let score = |pairs: &[[games::Outcome; 2]]| {
            let mut score = MatchScore::default();
            pairs.iter().for_each(|pair| score.add_pair(*pair));
            score
        };
        let (won, even) = ([Win(First), Win(Second)], [Win(First), Win(First)]);
        // The first loses some to the second, all to the third.
        let lost = [Win(Second), Win(First)];
        let scores = [score(&[lost, even]), score(&[lost, lost]), score(&[even, lost])];
        let rated = rate(3, &scores).unwrap();
        assert_eq!(rated[1], Rating { elo: Some(0.0), low: Some(0.0), high: Some(0.0) });
        assert!(rated[0].elo.unwrap() < 0.0 && rated[2].elo.unwrap() > 0.0, "{rated:?}");
        // Where each beat everybody behind it, nothing can be compared.
        let scores = [score(&[won]), score(&[won]), score(&[won])];
        assert_eq!(rate(3, &scores), None);
        assert!(rate(3, &[score(&[[Draw, Draw]]); 3]).is_some());
    }
}
