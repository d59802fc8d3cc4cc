//! Elo differences from matches, with confidence intervals.

use games::{Outcome, Side};
use serde::{Deserialize, Serialize};

/// The score of a match for its first player, counted in pairs: the two games of an opening, one with each side.
///
/// The two games of a pair are not independent, because an opening may favour one side or one player. Statistics
/// therefore count pairs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MatchScore {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
    /// The numbers of pairs with 0, ½, 1, 1½ and 2 points.
    pub(crate) pairs: [u32; 5],
}

/// The number of standard deviations on either side of the mean that contain 95 % of a normal distribution.
pub(crate) const Z: f64 = 1.959_963_984_540_054;

/// A difference in strength on the Elo scale, with its 95 % interval; `None` means that there is no bound.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Rating {
    /// The most likely difference.
    pub elo: Option<f64>,
    /// The lower end.
    #[serde(rename = "elo_low")]
    pub low: Option<f64>,
    /// The upper end.
    #[serde(rename = "elo_high")]
    pub high: Option<f64>,
}

impl MatchScore {
    /// Adds a pair of games: the player was `First` in the first game and `Second` in the second.
    pub fn add_pair(&mut self, outcomes: [Outcome; 2]) {
        let mut half_points = 0;
        for (side, outcome) in Side::BOTH.into_iter().zip(outcomes) {
            match outcome {
                Outcome::Win(winner) if winner == side => {
                    self.wins += 1;
                    half_points += 2;
                }
                Outcome::Win(_) => self.losses += 1,
                Outcome::Draw => {
                    self.draws += 1;
                    half_points += 1;
                }
            }
        }
        self.pairs[half_points] += 1;
    }

    /// Adds the games of another match of the same player.
    pub fn add(&mut self, other: &MatchScore) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
        self.pairs.iter_mut().zip(other.pairs).for_each(|(sum, count)| *sum += count);
    }

    /// The number of games.
    pub fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// The share of points; a draw is half a win. It is one half if no game was played.
    pub fn share(&self) -> f64 {
        match self.games() {
            0 => 0.5,
            games => (f64::from(self.wins) + 0.5 * f64::from(self.draws)) / f64::from(games),
        }
    }

    /// The 95 % interval of the share of points.
    ///
    /// This is Wilson's interval for pairs: it contains all shares p for which the observed share is at most z standard
    /// deviations away. The variance of a pair is taken as a fraction of p(1 − p), which is its maximum. The fraction
    /// is estimated from the pairs; a few additional even pairs, with the fraction one half of independent games, keep
    /// the estimate sound if pairs are few or nearly all games were won. The interval is never empty, even if one side
    /// won all games or all were drawn.
    pub fn interval(&self) -> (f64, f64) {
        const MORE: f64 = 4.0;
        let n: f64 = self.pairs.iter().map(|&count| f64::from(count)).sum();
        if n == 0.0 {
            return (0.0, 1.0);
        }
        let share = self.share();
        let squares = self
            .pairs
            .iter()
            .enumerate()
            .map(|(points, &count)| f64::from(count) * (points as f64 / 4.0 - share).powi(2));
        // Each pair counts by its largest possible variance, which is small if one side wins nearly all games.
        let most = n * share * (1.0 - share) + MORE * 0.25;
        let part = (squares.sum::<f64>() + MORE * 0.5 * 0.25) / most;
        // The number of independent games without draws that would give the same information.
        let worth = n / part;
        let z2 = Z * Z / worth;
        let middle = (share + z2 / 2.0) / (1.0 + z2);
        let spread = Z * (share * (1.0 - share) / worth + z2 / (4.0 * worth)).sqrt() / (1.0 + z2);
        ((middle - spread).max(0.0), (middle + spread).min(1.0))
    }

    /// The difference in Elo points.
    pub fn rating(&self) -> Rating {
        let (low, high) = self.interval();
        Rating { elo: elo(self.share()), low: elo(low), high: elo(high) }
    }
}

/// The Elo difference at which this share of points is expected; `None` at 0 and 1.
fn elo(share: f64) -> Option<f64> {
    (share > 1e-9 && share < 1.0 - 1e-9).then(|| 400.0 * (share / (1.0 - share)).log10())
}

#[cfg(test)]
mod tests {
    use super::*;
    use chance::{Rng, rng_for};

    const WON: [Outcome; 2] = [Outcome::Win(Side::First), Outcome::Win(Side::Second)];
    const LOST: [Outcome; 2] = [Outcome::Win(Side::Second), Outcome::Win(Side::First)];
    const SPLIT: [Outcome; 2] = [Outcome::Win(Side::First), Outcome::Win(Side::First)];
    const DRAWN: [Outcome; 2] = [Outcome::Draw, Outcome::Draw];

    fn score(pairs: &[([Outcome; 2], u32)]) -> MatchScore {
        let mut score = MatchScore::default();
        for &(pair, count) in pairs {
            (0..count).for_each(|_| score.add_pair(pair));
        }
        score
    }

    #[test]
    fn known_differences() {
        let even = score(&[(WON, 10), (DRAWN, 5), (LOST, 10)]);
        assert_eq!((even.games(), even.wins, even.draws, even.losses, even.rating().elo), (50, 20, 10, 20, Some(0.0)));
        assert!((score(&[(WON, 75), (LOST, 25)]).rating().elo.unwrap() - 190.848).abs() < 0.001);
        let won = score(&[(WON, 10)]).rating();
        assert!(won.elo.is_none() && won.high.is_none() && won.low.unwrap() > 100.0, "{won:?}");
        for alike in [score(&[(DRAWN, 100)]).rating(), score(&[(SPLIT, 100)]).rating()] {
            assert!(alike.low.unwrap() < 0.0 && alike.high.unwrap() > 0.0, "{alike:?}");
        }
        assert_eq!(MatchScore::default().rating(), Rating { elo: Some(0.0), low: None, high: None });
    }

    /// The interval must contain the true share in 95 of 100 matches, within the error of 2000 matches; also if the two
    /// games of a pair are correlated, positively or negatively.
    #[test]
    fn the_interval_holds_the_truth() {
        let one = |win: f64, draw: f64, side: Side, rng: &mut Rng| match rng.weighted(&[win, draw, 1.0 - win - draw]) {
            Some(0) => Outcome::Win(side),
            Some(1) => Outcome::Draw,
            _ => Outcome::Win(!side),
        };
        type Draw<'a> = Box<dyn Fn(&mut Rng) -> [Outcome; 2] + 'a>;
        let independent =
            |win: f64, draw: f64| -> Draw { Box::new(move |rng| Side::BOTH.map(|side| one(win, draw, side, rng))) };
        let together: Draw = Box::new(|rng| [WON, LOST, DRAWN][rng.weighted(&[0.6, 0.3, 0.1]).unwrap()]);
        let against: Draw = Box::new(|rng| [SPLIT, WON, LOST][rng.weighted(&[0.7, 0.2, 0.1]).unwrap()]);
        let cases: [(f64, Draw); 10] = [
            (0.5, independent(0.5, 0.0)),
            (0.5, independent(0.3, 0.4)),
            (0.85, independent(0.8, 0.1)),
            (0.955, independent(0.93, 0.05)),
            (0.98, independent(0.98, 0.0)),
            (0.99, independent(0.985, 0.01)),
            (0.998, independent(0.998, 0.0)),
            (0.5, independent(0.1, 0.8)),
            (0.65, together),
            (0.55, against),
        ];
        for (case, (truth, draw)) in cases.iter().enumerate() {
            for pairs in [20, 200] {
                let rng = &mut rng_for(11, &[pairs]);
                let held = (0..2000).filter(|_| {
                    let mut score = MatchScore::default();
                    (0..pairs).for_each(|_| score.add_pair(draw(rng)));
                    let (low, high) = score.interval();
                    low <= *truth && *truth <= high
                });
                let share = held.count() as f64 / 2000.0;
                // Few games have few possible results, so that the coverage of any interval is uneven.
                let fair = if pairs == 20 { 0.89..=0.99 } else { 0.935..=0.97 };
                assert!(fair.contains(&share), "case {case}, {pairs} pairs: {share}");
            }
        }
    }
}
