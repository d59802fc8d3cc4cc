//! `run:NAME` and `run:NAME@GENERATION`: the champion of a run.

use super::{KindInfo, PlayerKind};
use crate::Error;
use crate::context::Context;
use crate::network_seat::seat_network;
use crate::player_network::PlayerNetwork;
use crate::portable::{PortableNetwork, split_generation};
use crate::search_options::{KEYS, SearchOptions};
use crate::seated::{SeatParams, Seated};
use games::Game;
use runs::{RunFile, named_run, run_path};
use std::path::Path;

/// The champion of a run. Without options it looks ahead as in its experiment.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// The run's name or file.
    pub run: String,
    /// The generation; `None` is the last one.
    pub generation: Option<u64>,
}

impl PlayerKind for Run {
    const INFO: KindInfo = KindInfo {
        argument: "NAME[@GENERATION]",
        options: KEYS,
        has_values: true,
        has_network: true,
        ..KindInfo::plain(
            "run",
            "the champion of a run, of its last generation or of the one given",
            "Champions of runs",
            "the champion of {}",
        )
    };

    fn parse(argument: &str, _: &mut SearchOptions) -> Result<Run, String> {
        if argument.is_empty() {
            return Err("the run's name is missing, as in run:nim-2x4-1".to_string());
        }
        let (run, generation) = split_generation(argument).map_err(|error| error.to_string())?;
        Ok(Run { run: run.to_string(), generation })
    }

    fn network(&self, runs: &Path) -> Result<Option<PlayerNetwork>, Error> {
        let file = RunFile::open(&run_path(runs, &self.run)?)?;
        let network = PortableNetwork::from_run(&file, self.generation)?;
        Ok(Some(PlayerNetwork::Portable(Box::new(network))))
    }

    /// The web app may only use runs in the folder of runs, not other files.
    fn checked_for_pages(&self, context: &Context) -> Result<(), Error> {
        named_run(context.runs, &self.run).map(drop)
    }

    fn seat<G: Game>(&self, params: &SeatParams<'_, G>) -> Result<Seated<G>, Error> {
        seat_network(params)
    }
}
