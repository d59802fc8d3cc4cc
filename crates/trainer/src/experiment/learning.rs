//! Checks of experiments with one network that learns by playing against itself.

use super::Experiment;
use arena::{Method, ScheduleConfig, Seating};
use games::{Game, KeyError, Setup};

impl<S: Setup> Experiment<S> {
    /// Checks that a learning strategy is used with self-play and no other strategy is, that its head gives values, and
    /// that its scoring shares no points.
    pub(super) fn checked_learning<G: Game<Setup = S>>(&self, seating: &Seating<G>) -> Result<(), KeyError> {
        let strategy = format!("strategy.{}", self.strategy.info().name);
        let schedule = self.schedule.info();
        let fitting = |is_self_play: bool| {
            let fitting = ScheduleConfig::ALL.iter().filter(|info| info.is_self_play == is_self_play);
            let names: Vec<String> = fitting.map(|info| format!("[schedule.{}]", info.name)).collect();
            match names.split_last() {
                Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
                _ => names.concat(),
            }
        };
        let (key, what) = match (self.strategy.learns(), schedule.is_self_play) {
            (false, false) => return Ok(()),
            (false, true) => {
                let what = format!(
                    "schedule.{} is for one network that learns by self-play, but {strategy} is a population; use {}",
                    schedule.name,
                    fitting(false)
                );
                ("schedule".to_string(), what)
            }
            (true, false) => {
                let what = format!("{strategy} is one network, which plays only against itself; use {}", fitting(true));
                ("schedule".to_string(), what)
            }
            (true, true) if !seating.judges() => {
                let what = format!(
                    "player.head is `{}`, but {strategy} learns values of positions; use `value`",
                    self.player.head
                );
                ("player.head".to_string(), what)
            }
            (true, true) if self.strategy.learns_leaves() && seating.method() != Method::Selective => {
                let what = format!(
                    "{strategy}.leaves_from is above 0, but player.search is {}; leaves are learned with \
                     player.search=selective and a depth of at least 1",
                    self.player.search
                );
                (format!("{strategy}.leaves_from"), what)
            }
            (true, true) if self.strategy.studies() && (seating.depth() == 0 || self.player.rounds > 0) => {
                let what = format!(
                    "player.depth is {}, but {strategy} learns the values that searches find; use a depth of at least 1 \
                     without Monte Carlo rounds",
                    self.player.depth
                );
                ("player.depth".to_string(), what)
            }
            (true, true) if let Some(key) = self.scoring.part().sharing_key() => {
                let key = format!("scoring.{}.{key}", self.scoring.info().name);
                let what =
                    format!("{key} is true, but {strategy} is one network, which shares with no other; use false");
                (key, what)
            }
            (true, true) => return Ok(()),
        };
        Err(KeyError::new(key, what))
    }
}

#[cfg(test)]
mod tests {
    use crate::Experiment;
    use crate::ExperimentFile;

    #[track_caller]
    fn check(experiment: &str, from: &str, to: &str, expected: &str) {
        let text = Experiment::shipped(experiment).unwrap().text().to_string();
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, text, "nothing was replaced");
        let error = ExperimentFile::parse("x", "x.toml", &changed).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }

    #[test]
    fn learning_needs_fitting_parameters() {
        let circle = ("[schedule.circular]\nopponents = 50", "[schedule.self-play]\ngames = 50");
        check("nim-2x4", circle.0, circle.1, "but strategy.enn is a population; use [schedule.circular], ");
        let itself = ("[schedule.self-play]\ngames", "[schedule.opens]\ngames");
        check("nim-2x4-td", itself.0, itself.1, "plays only against itself; use [schedule.self");
        check("nim-2x4-td", "head = \"value\"", "head = \"slots\"", "player.head is `slots`, but strategy.td learns");
        check("nim-2x4-td", "sharing = false", "sharing = true", "line 30, column 11: scoring.points.sharing is true");
        check("nim-2x4-td", "[schedule.self-play]\ngames = ", "[schedule.self-play]\ngames = 0 # ", "games is 0, but");
        check("nim-2x4-td", "wired = 0", "wired = 2", "strategy.td: wired is 2, but there are 2 inputs");
        check("nim-2x4-td", "hidden = [", "hidden = [0, ", "strategy.td: hidden: the layers are 2-0-");
        check("nim-2x4-td", "rate = ", "rate = -", "strategy.td: rate is -");
        check("nim-2x4-td", "exploration = ", "explorashun = ", "did you mean `exploration`?");
    }
}
