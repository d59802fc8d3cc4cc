//! `gamete engine`: lets a player play in other programs, by the protocols UCI, CECP and Hub.

use crate::arguments::{GameArg, RunsArg, SetupArg, TablesArg};
use crate::commands::{Out, Run};
use crate::protocols::{self, Event, Mailbox};
use crate::signals::Stop;
use crate::{Done, Failure};
use clap::Args;
use players::{Context, EngineClock, PlayerSpec};
use runs::write_whole;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

/// Let a player play in other programs, as an engine on standard input and output
#[derive(Args)]
#[command(
    after_help = "Examples:\n  gamete engine champion:minichess,search=selective,hash=game\n  gamete engine champion:draughts\n  gamete engine --variant-file minichess.ini\n\nPrograms start the engine themselves and give it positions, limits and clocks. The first line of a program chooses the protocol: UCI, CECP (XBoard; chess only) or Hub (draughts only). docs/engines.md shows how to add an engine to such programs."
)]
pub struct EngineArgs {
    /// The player, for example champion:minichess or run:minichess-1,search=selective
    #[arg(required_unless_present = "variant_file")]
    player: Option<String>,
    #[command(flatten)]
    game: GameArg,
    /// Write the definition of the game's rules for Fairy-Stockfish, pyffish and programs built on them, and end
    #[arg(long, value_name = "FILE", conflicts_with = "player")]
    variant_file: Option<PathBuf>,
    #[command(flatten)]
    setup: SetupArg,
    #[command(flatten)]
    tables: TablesArg,
    #[command(flatten)]
    runs: RunsArg,
}

impl Run for EngineArgs {
    fn run(self, out: &mut Out, _: &Stop) -> Result<Done, Failure> {
        let Some(name) = self.player.as_deref().filter(|_| self.variant_file.is_none()) else {
            let file = self.variant_file.unwrap_or_default();
            let game = self.game.game.as_deref().unwrap_or("minichess");
            write_whole(&file, players::variant_file(game)?.as_bytes())?;
            writeln!(out, "the rules of {game} are in {}", file.display())?;
            return Ok(Done::Well);
        };
        let player: PlayerSpec = name.parse()?;
        let game = self.game.of(&[(name, &player)], &self.runs.runs)?;
        let (mailbox, tables) = (Mailbox::new(), self.tables.folder());
        let tell = mailbox.tell();
        let clock = Arc::new(EngineClock::new(move |found, time| drop(tell.send(Event::Found(found.clone(), time)))));
        let context = Context::new(&self.runs.runs, &tables, &|_| ());
        // Errors come before the first line is read.
        let engine = players::engine(&player, &game, &self.setup.setup, &context, &clock)?;
        let lines = mailbox.lines();
        std::thread::spawn(move || protocols::read_lines(std::io::stdin().lock(), &lines));
        protocols::speak(out, name, engine, &clock, &mailbox)?;
        Ok(Done::Well)
    }
}
