//! `gamete exam`: grades a player.

use crate::arguments::{EnginesArg, JsonArg, RunsArg, SetupArg, TablesArg};
use crate::commands::{Out, Run};
use crate::progress::Teller;
use crate::signals::Stop;
use crate::{Done, Failure, grades, tables};
use arena::Exam;
use clap::Args;
use players::{Context, ExamParams, PlayerSpec};
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;

/// Grade a player against solvers, endgame tables and proved test positions
#[derive(Args)]
#[command(
    after_help = "Examples:\n  gamete exam run:nim-2x4-1\n  gamete exam random --game nim --setup stacks=[4,4] --setup start=random\n\n`gamete list players` shows which players there are."
)]
pub struct ExamArgs {
    /// The player, for example run:nim-2x4-1
    player: String,
    /// The game, if the player does not belong to one game
    #[arg(long)]
    game: Option<String>,
    /// A file of other test positions than the game's own (`gamete questions` writes such files)
    #[arg(long, value_name = "FILE")]
    questions: Option<PathBuf>,
    /// List the positions in which the player failed, with its move and the right moves
    #[arg(long)]
    failed: bool,
    #[command(flatten)]
    setup: SetupArg,
    #[command(flatten)]
    engines: EnginesArg,
    #[command(flatten)]
    tables: TablesArg,
    #[command(flatten)]
    runs: RunsArg,
    #[command(flatten)]
    json: JsonArg,
}

impl Run for ExamArgs {
    fn run(self, out: &mut Out, _stop: &Stop) -> Result<Done, Failure> {
        let player: PlayerSpec = self.player.parse()?;
        let (teller, tables) = (Teller::default(), self.tables.folder());
        let tell = |notice| teller.tell(notice);
        let engines = self.engines.or_commands()?;
        let context = Context { engines, ..Context::new(&self.runs.runs, &tables, &tell) };
        let questions = self.questions.as_deref().map(runs::read_text).transpose()?;
        let params = ExamParams {
            player: &player,
            game: self.game.as_deref(),
            setup: &self.setup.setup,
            questions: questions.as_deref(),
            quick: false,
            context: &context,
        };
        let (exam, failures) = players::examine(&params)?;
        match self.json.json {
            true => {
                let mut line = json!(exam);
                if self.failed {
                    line["failed"] = json!(failures);
                }
                writeln!(out, "{line}")?;
            }
            false => {
                grades::exam(out, &exam)?;
                if self.failed {
                    print_failures(out, &exam, &failures)?;
                }
            }
        }
        Ok(Done::Well)
    }
}

/// Prints the positions in which the player failed.
fn print_failures(out: &mut impl Write, exam: &Exam, failures: &[arena::Failure]) -> Result<(), Failure> {
    if let Exam::Truth(_) = exam
        && failures.is_empty()
    {
        writeln!(out, "(no mistakes)")?;
        return Ok(());
    }
    let row = |failure: &arena::Failure| {
        vec![failure.suite.to_uppercase(), failure.position.clone(), failure.played.clone(), failure.right.join(" ")]
    };
    tables::print(out, &["suite", "position", "played", "right"], &failures.iter().map(row).collect::<Vec<_>>())?;
    Ok(())
}
