//! What a match says about strength.

use serde::{Deserialize, Serialize};

/// Games won, drawn and lost by the first of two players.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchScore {
    /// Won.
    pub wins: u32,
    /// Drawn.
    pub draws: u32,
    /// Lost.
    pub losses: u32,
}

/// A difference in strength on Elo's scale, with the ends of its 95 % interval; `None` stands for no bound.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rating {
    /// The most likely difference.
    pub elo: Option<f64>,
    /// The lower end.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
}

impl MatchScore {
    /// How many games were played.
    pub fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// Share of the points; a draw is half a win. One half when nothing was played.
    pub fn share(&self) -> f64 {
        match self.games() {
            0 => 0.5,
            games => (f64::from(self.wins) + 0.5 * f64::from(self.draws)) / f64::from(games),
        }
    }

    /// The 95 % interval of the share of points.
    ///
    /// Wilson's interval with the variance of three outcomes: all shares p at which the share found lies no more than
    /// z deviations off, where the variance of one game is p(1 − p) less a quarter of the share of draws. Never empty,
    /// also when one side won all games or all were drawn, and at its widest where games are few.
    pub fn interval(&self) -> (f64, f64) {
        const Z: f64 = 1.959_963_984_540_054;
        let n = f64::from(self.games());
        if n == 0.0 {
            return (0.0, 1.0);
        }
        let share = self.share();
        // One more decided game than were seen, so that draws alone do not prove that all games are drawn.
        let drawn = f64::from(self.draws) / (n + 1.0);
        let z2 = Z * Z;
        let middle = (2.0 * n * share + z2) / (2.0 * (n + z2));
        let spread = Z * (z2 * (1.0 - drawn) + 4.0 * n * (share * (1.0 - share) - drawn / 4.0)).max(0.0).sqrt()
            / (2.0 * (n + z2));
        ((middle - spread).max(0.0), (middle + spread).min(1.0))
    }

    /// The difference in Elo's points.
    pub fn rating(&self) -> Rating {
        let (low, high) = self.interval();
        Rating { elo: elo(self.share()), low: elo(low), high: elo(high) }
    }
}

/// The difference at which that share of points is expected; none at 0 and 1.
fn elo(share: f64) -> Option<f64> {
    (share > 1e-9 && share < 1.0 - 1e-9).then(|| 400.0 * (share / (1.0 - share)).log10())
}

#[cfg(test)]
mod tests {
    use super::*;
    use chance::rng_for;

    #[test]
    fn known_differences() {
        let rating = |wins, draws, losses| MatchScore { wins, draws, losses }.rating();
        assert_eq!(rating(10, 5, 10).elo, Some(0.0));
        assert!((rating(75, 0, 25).elo.unwrap() - 190.848).abs() < 0.001);
        let won = rating(10, 0, 0);
        assert!(won.elo.is_none() && won.high.is_none() && won.low.unwrap() > 100.0);
        let drawn = rating(0, 100, 0);
        assert!(drawn.low.unwrap() < 0.0 && drawn.high.unwrap() > 0.0);
        assert_eq!(rating(0, 0, 0), Rating { elo: Some(0.0), low: None, high: None });
    }

    /// The interval must hold the truth 95 times in a hundred, give or take what 2000 matches can show.
    #[test]
    fn the_interval_holds_the_truth() {
        for (win, draw) in [(0.5, 0.0), (0.3, 0.4), (0.8, 0.1), (0.93, 0.05), (0.1, 0.8)] {
            for games in [40, 400] {
                let rng = &mut rng_for(11, &[games]);
                let truth = win + draw / 2.0;
                let held = (0..2000).filter(|_| {
                    let mut score = MatchScore::default();
                    for _ in 0..games {
                        match rng.weighted(&[win, draw, 1.0 - win - draw]) {
                            Some(0) => score.wins += 1,
                            Some(1) => score.draws += 1,
                            _ => score.losses += 1,
                        }
                    }
                    let (low, high) = score.interval();
                    low <= truth && truth <= high
                });
                let share = held.count() as f64 / 2000.0;
                assert!((0.93..=0.985).contains(&share), "{win} {draw} {games}: {share}");
            }
        }
    }
}
