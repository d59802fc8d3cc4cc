//! What goes with one network that learns as it plays itself, and what does not.

use super::checks::{Problem, problem};
use super::{Experiment, ScheduleConfig};
use arena::{Points, Scoring, Seating};
use games::{Game, Setup};

impl<S: Setup> Experiment<S> {
    /// Who learns plays itself, and only who learns; it judges positions, and shares points with nobody.
    pub(super) fn checked_learning<G: Game<Setup = S>>(&self, seating: &Seating<G>) -> Result<(), Problem> {
        let strategy = format!("strategy.{}", self.strategy.info().name);
        let plays_itself = matches!(self.schedule, ScheduleConfig::SelfPlay(_));
        let (key, what) = match (self.strategy.learns(), plays_itself) {
            (false, false) => return Ok(()),
            (false, true) => {
                let what = format!(
                    "schedule.self-play is for one network that learns as it plays, but {strategy} is a population; [schedule.circular], [schedule.round-robin] or [schedule.opens] would be right"
                );
                ("schedule", what)
            }
            (true, false) => {
                let what =
                    format!("{strategy} is one network, which meets only itself; [schedule.self-play] would be right");
                ("schedule", what)
            }
            (true, true) if !seating.judges() => {
                let what = format!(
                    "player.head is `{}`, but {strategy} learns what positions are worth; `value` would be right",
                    self.player.head
                );
                ("player.head", what)
            }
            (true, true) if matches!(self.scoring, Scoring::Points(Points { sharing: true, .. })) => {
                let what = format!(
                    "scoring.points.sharing is true, but {strategy} is one network, which shares with nobody; false would be right"
                );
                ("scoring.points.sharing", what)
            }
            (true, true) => return Ok(()),
        };
        Err(problem(key, what))
    }
}

#[cfg(test)]
mod tests {
    use crate::Experiment;
    use crate::ExperimentFile;

    #[track_caller]
    fn check(experiment: &str, from: &str, to: &str, expected: &str) {
        let text = Experiment::open(experiment).unwrap().checked_text().unwrap();
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, text, "nothing was replaced");
        let error = ExperimentFile::parse("x", "x.toml", &changed).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }

    #[test]
    fn what_does_not_go_with_learning_is_said() {
        let circle = ("[schedule.circular]\nopponents = 50", "[schedule.self-play]\ngames = 50");
        check("nim-2x4", circle.0, circle.1, "but strategy.enn is a population; [schedule.circular], ");
        let itself = ("[schedule.self-play]\ngames", "[schedule.opens]\ngames");
        check("nim-2x4-td", itself.0, itself.1, "strategy.td is one network, which meets only itself; [schedule.self");
        check("nim-2x4-td", "head = \"value\"", "head = \"slots\"", "player.head is `slots`, but strategy.td learns");
        check("nim-2x4-td", "sharing = false", "sharing = true", "line 30, column 11: scoring.points.sharing is true");
        check("nim-2x4-td", "[schedule.self-play]\ngames = ", "[schedule.self-play]\ngames = 0 # ", "games is 0, but");
        check("nim-2x4-td", "wired = 0", "wired = 2", "strategy.td: wired is 2, but there are 2 inputs");
        check("nim-2x4-td", "hidden = [", "hidden = [0, ", "strategy.td: hidden: the layers are 2-0-");
        check("nim-2x4-td", "rate = ", "rate = -", "strategy.td: rate is -");
        check("nim-2x4-td", "exploration = ", "explorashun = ", "did you mean `exploration`?");
    }
}
