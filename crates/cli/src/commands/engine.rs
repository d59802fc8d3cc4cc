//! `gamete engine`: lets a player play in other programs, by the protocol UCI.

use crate::arguments::{GameArg, RunsArg, SetupArg, TablesArg};
use crate::commands::{Out, Run};
use crate::signals::Stop;
use crate::uci::{self, Event};
use crate::{Done, Failure};
use arena::{Progress, plies_to_end};
use clap::Args;
use players::{Context, EngineClock, PlayerSpec};
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::Duration;

/// Let a player play in other programs, as an engine that speaks UCI on standard input and output
#[derive(Args)]
#[command(
    after_help = "Examples:\n  gamete engine champion:minichess,search=selective,hash=game\n  gamete engine material:64,search=selective --game minichess\n\nUCI programs start the engine themselves and give it positions, limits and clocks. Depth, Nodes and Seed can be set as options."
)]
pub struct EngineArgs {
    /// The player, for example champion:minichess or run:minichess-1,search=selective
    player: String,
    #[command(flatten)]
    game: GameArg,
    #[command(flatten)]
    setup: SetupArg,
    #[command(flatten)]
    tables: TablesArg,
    #[command(flatten)]
    runs: RunsArg,
}

impl Run for EngineArgs {
    fn run(self, out: &mut Out, _: &Stop) -> Result<Done, Failure> {
        let player: PlayerSpec = self.player.parse()?;
        let game = self.game.of(&[(&self.player, &player)], &self.runs.runs)?;
        let (events, tables) = (channel(), self.tables.folder());
        let tell = events.0.clone();
        let clock = Arc::new(EngineClock::new(move |progress, time| drop(tell.send(Event::Say(info(progress, time))))));
        let nobody = |_| ();
        let context = Context { clock: Some(Arc::clone(&clock)), ..Context::new(&self.runs.runs, &tables, &nobody) };
        // Errors come before the first line.
        drop(players::engine(&player, &game, &self.setup.setup, &context)?);
        let lines = events.0.clone();
        std::thread::spawn(move || uci::read_lines(std::io::stdin().lock(), &lines));
        let make = || players::engine(&player, &game, &self.setup.setup, &context).expect("it could be made before");
        uci::speak(out, &self.player, &game, make, &clock, &events)?;
        Ok(Done::Well)
    }
}

/// What the engine has found at a depth, as a line of the protocol.
fn info(progress: &Progress, time: Duration) -> String {
    let Progress { depth, deepest, value, nodes, line } = progress;
    let score = match plies_to_end(*value) {
        Some(plies) => format!("mate {}", (plies + plies.signum()) / 2),
        None => format!("cp {}", (1000.0 * value.clamp(-30.0, 30.0)).round()),
    };
    let per_second = (*nodes as f64 / time.as_secs_f64().max(1e-6)) as u64;
    let (milliseconds, line) = (time.as_millis(), line.join(" "));
    format!(
        "info depth {depth} seldepth {deepest} score {score} nodes {nodes} nps {per_second} time {milliseconds} pv {line}"
    )
}
