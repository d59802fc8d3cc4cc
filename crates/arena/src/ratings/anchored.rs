//! The rating of one player from games against opponents whose ratings are known.

use crate::elo::Z;
use crate::{MatchScore, Rating};

/// The rating of a player on the scale of its opponents, with its 95 % interval. Each opponent is given with its Elo and
/// the player's score against it.
///
/// The rating is the one at which the expected points are the points that were made. The interval contains all ratings
/// for which the points are at most z standard deviations from the expected ones, as in [`ratings`](super::ratings()).
pub fn anchored_rating(met: &[(f64, MatchScore)]) -> Rating {
    let tallies: Vec<Tally> = met.iter().filter_map(|(elo, score)| Tally::of(*elo, score)).collect();
    let (won, pairs) = tallies.iter().fold((0.0, 0.0), |(won, pairs), tally| (won + tally.points, pairs + tally.pairs));
    if pairs == 0.0 {
        return Rating { elo: None, low: None, high: None };
    }
    let part = variance_part(&tallies);
    // The points above what is expected at a rating: they fall as the rating rises.
    let surplus = |elo: f64| tallies.iter().map(|tally| tally.points - tally.pairs * tally.expected(elo)).sum::<f64>();
    let spread = |elo: f64| {
        let variance = |tally: &Tally| tally.pairs * part * tally.expected(elo) * (1.0 - tally.expected(elo));
        tallies.iter().map(variance).sum::<f64>().sqrt()
    };
    Rating {
        elo: (won > 0.0 && won < pairs).then(|| root(surplus)),
        low: (won > 0.0).then(|| root(|elo| surplus(elo) - Z * spread(elo))),
        high: (won < pairs).then(|| root(|elo| surplus(elo) + Z * spread(elo))),
    }
}

/// The pairs of games against one opponent: their number, the sum of their shares, and the sum of the squared distances
/// of the shares from their mean.
struct Tally {
    elo: f64,
    pairs: f64,
    points: f64,
    squares: f64,
}

impl Tally {
    /// `None` if no game was played.
    fn of(elo: f64, score: &MatchScore) -> Option<Tally> {
        let pairs: f64 = score.pairs.iter().map(|&count| f64::from(count)).sum();
        let share = score.share();
        let square = |(points, &count): (usize, &u32)| f64::from(count) * (points as f64 / 4.0 - share).powi(2);
        let squares = score.pairs.iter().enumerate().map(square).sum();
        (pairs > 0.0).then_some(Tally { elo, pairs, points: pairs * share, squares })
    }

    /// The expected share of points of a player with this Elo.
    fn expected(&self, elo: f64) -> f64 {
        1.0 / (1.0 + 10f64.powf((self.elo - elo) / 400.0))
    }
}

/// The variance of a pair as a part of its largest possible variance. A few additional pairs with the part one half, that
/// of independent games, keep the estimate sound if pairs are few.
fn variance_part(tallies: &[Tally]) -> f64 {
    const MORE: f64 = 4.0;
    let share = |tally: &Tally| tally.points / tally.pairs;
    let most: f64 = tallies.iter().map(|tally| tally.pairs * share(tally) * (1.0 - share(tally))).sum();
    let squares: f64 = tallies.iter().map(|tally| tally.squares).sum();
    (squares + MORE * 0.5 * 0.25) / (most + MORE * 0.25)
}

/// Where a falling function is zero, to a hundredth of an Elo point.
fn root(falling: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (-10_000.0, 10_000.0);
    while high - low > 0.01 {
        let middle = (low + high) / 2.0;
        match falling(middle) > 0.0 {
            true => low = middle,
            false => high = middle,
        }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use chance::rng_for;
    use games::{Outcome, Side};

    /// The score of a player of strength `elo` against an opponent, in drawn games.
    fn played(elo: f64, opponent: f64, pairs: usize, rng: &mut chance::Rng) -> MatchScore {
        let share = 1.0 / (1.0 + 10f64.powf((opponent - elo) / 400.0));
        let mut score = MatchScore::default();
        for _ in 0..pairs {
            score.add_pair(Side::BOTH.map(|side| match rng.unit() < share {
                true => Outcome::Win(side),
                false => Outcome::Win(!side),
            }));
        }
        score
    }

    #[test]
    fn one_opponent_gives_the_rating_of_a_match() {
        let score = played(300.0, 200.0, 200, &mut rng_for(1, &[]));
        let (single, anchored) = (score.rating(), anchored_rating(&[(200.0, score)]));
        for (one, other) in [(single.elo, anchored.elo), (single.low, anchored.low), (single.high, anchored.high)] {
            assert!((one.unwrap() + 200.0 - other.unwrap()).abs() < 2.0, "{single:?} {anchored:?}");
        }
    }

    #[test]
    fn the_interval_holds_the_truth() {
        let held = (0..1000).filter(|number| {
            let rng = &mut rng_for(3, &[*number]);
            let met: Vec<(f64, MatchScore)> =
                [0.0, 400.0, 700.0].iter().map(|&elo| (elo, played(500.0, elo, 20, rng))).collect();
            let Rating { low, high, .. } = anchored_rating(&met);
            low.unwrap() <= 500.0 && 500.0 <= high.unwrap()
        });
        let share = held.count() as f64 / 1000.0;
        assert!((0.93..=0.97).contains(&share), "{share}");
    }

    #[test]
    fn a_player_that_won_everything_has_no_upper_bound() {
        let mut score = MatchScore::default();
        assert_eq!(anchored_rating(&[(0.0, score)]), Rating { elo: None, low: None, high: None });
        (0..10).for_each(|_| score.add_pair([Outcome::Win(Side::First), Outcome::Win(Side::Second)]));
        let rating = anchored_rating(&[(100.0, score)]);
        assert!(rating.elo.is_none() && rating.high.is_none() && rating.low.unwrap() > 200.0, "{rating:?}");
    }
}
