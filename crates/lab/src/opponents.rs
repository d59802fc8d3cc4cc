//! The opponents that an experiment asks for, beside the usual ones of the final matches.

use crate::Error;
use players::{Context, Engines, PlayerSpec};
use std::path::Path;
use std::sync::Arc;
use trainer::ExperimentFile;

/// The opponents that an experiment asks for beside the usual ones of the final matches.
#[derive(Default)]
pub(crate) struct Opponents {
    /// Those that can play here.
    pub players: Vec<String>,
    /// The engines of this machine.
    pub engines: Arc<Engines>,
    /// Why some of them cannot play here, in sentences.
    pub skipped: Vec<String>,
}

impl Opponents {
    /// Reads the experiment's yardsticks. An engine that is not defined on this machine is skipped; other players that
    /// cannot play are refused.
    pub fn of(experiment: &ExperimentFile, runs: &Path, engines: &Arc<Engines>) -> Result<Opponents, Error> {
        let mut opponents = Opponents { engines: Arc::clone(engines), ..Opponents::default() };
        let context = Context { runs, engines: Arc::clone(engines), ..Context::nowhere() };
        for player in experiment.rules().record.yardsticks.split_whitespace() {
            let checked = player.parse::<PlayerSpec>().and_then(|spec| spec.checked_for_pages(&context));
            match checked {
                Ok(()) => opponents.players.push(player.to_string()),
                Err(error @ Error::UndefinedEngine { .. }) => {
                    opponents.skipped.push(format!("the opponent {player} was left out: {error}"));
                }
                Err(error) => return Err(experiment.refuse(&format!("record.yardsticks: {player}: {error}")).into()),
            }
        }
        Ok(opponents)
    }
}
