//! `gamete show`: shows one run: its summary, its curves, and its champion.

mod curves_of_run;
mod descent;
mod history;

use crate::arguments::{JsonArg, RunsArg};
use crate::commands::runs::in_words;
use crate::commands::{Out, Run};
use crate::numbers::whole;
use crate::signals::Stop;
use crate::summary::program;
use crate::words::{count, span};
use crate::{Done, Failure, curves, grades, strengths};
use clap::Args;
use curves_of_run::run_curves;
use descent::{inheritance, kin};
use history::write_with_history;
use runs::{RunFile, RunState};
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;

/// Show a run: summary, curves, species and ancestors, the champion's network
#[derive(Args)]
#[command(
    after_help = "Examples:\n  gamete show nim-2x4-1\n  gamete show minichess-1 --generation 50\n  gamete show nim-2x4-1 --figures figures"
)]
pub struct ShowArgs {
    /// A run's name, or the path of its file
    run: String,
    /// The generation whose champion, species and genomes are shown [default: the last]
    #[arg(long, value_name = "N", value_parser = whole::<u64>(0..))]
    generation: Option<u64>,
    /// Also write the curves as figures to this folder, each as SVG and as PNG
    #[arg(long, value_name = "DIR")]
    figures: Option<PathBuf>,
    #[command(flatten)]
    runs: RunsArg,
    #[command(flatten)]
    json: JsonArg,
}

impl Run for ShowArgs {
    fn run(self, out: &mut Out, _stop: &Stop) -> Result<Done, Failure> {
        let file = RunFile::open(&runs::run_path(&self.runs.runs, &self.run)?)?;
        show(out, &file, self.generation, &self.runs, self.json.json)?;
        if let Some(folder) = &self.figures {
            let written = lab::write_run_figures(&file, folder)?;
            tell!("{} figures written to {}, each as SVG and as PNG", written.len() / 2, folder.display());
        }
        Ok(Done::Well)
    }
}

/// The longest network that is printed; nobody reads thousands of weights.
const LONGEST_NETWORK: usize = 2000;

/// Prints one run: its summary, its curves, and its champion.
fn show(
    out: &mut impl Write,
    file: &RunFile,
    generation: Option<u64>,
    runs: &RunsArg,
    json: bool,
) -> Result<(), Failure> {
    let info = file.info()?;
    let solved = file.first_solved()?;
    let last_report = file.last_report()?;
    let last = last_report.as_ref().map_or(0, |report| report.generation);
    if let Some(wanted) = generation.filter(|wanted| !(1..=last).contains(wanted)) {
        let what = format!("the run `{}` has no generation {wanted}; it has 1 to {last}", file.name());
        return Err(Failure::Lab(lab::Error::refused(what)));
    }
    let shown = generation.unwrap_or(last);
    let ancestry = match file.report(shown)?.and_then(|report| report.champion_genome) {
        Some(genome) => file.ancestry(genome)?,
        None => Vec::new(),
    };
    let (ratings, strongest) = (file.ratings()?, file.strongest()?);
    if json {
        let line = json!({
            "run": file.name(), "file": file.path(), "experiment": info.experiment, "game": info.game, "strategy": info.strategy,
            "seed": info.seed, "program": info.program, "state": file.state().to_string(), "first_solved": solved,
            "parameters": info.parameters, "ancestry": ancestry, "genomes": file.genomes(shown)?,
            "finals": file.finals()?, "ratings": ratings,
            "strongest": strongest.map(|(generation, rating)| lab::StrongestSummary { generation, rating }),
        });
        return write_with_history(out, line.to_string(), file);
    }
    writeln!(
        out,
        "{}: {} bred by {}, experiment {}, seed {}",
        file.name(),
        info.game,
        info.strategy,
        info.experiment,
        info.seed
    )?;
    writeln!(out, "{}, {}, in {}", in_words(&file.state()), count(last, "generation"), file.path().display())?;
    if file.state() == RunState::Killed {
        writeln!(out, "continue with: {} resume {}{}", program(), file.name(), runs.flag())?;
    }
    let Some(last) = last_report else { return Ok(()) };
    let (games, judged) = (count(last.games, "game"), count(last.evaluations, "position"));
    writeln!(out, "{games}, {judged} judged by networks, in {}", span(file.times()?.seconds))?;
    if last.reused > 0 {
        writeln!(
            out,
            "{} more {} not played again: the same two networks had played before",
            count(last.reused, "game"),
            if last.reused == 1 { "was" } else { "were" }
        )?;
    }
    match file.last_examined()? {
        Some((generation, found)) if generation < last.generation => grades::older_exam(out, generation, &found)?,
        Some((_, found)) => grades::exam(out, &found)?,
        None => {}
    }
    if let Some((generation, rating)) = &strongest {
        strengths::strongest(out, *generation, rating)?;
    }
    if let Some(first) = solved {
        writeln!(out, "first solved in generation {first}")?;
    }
    writeln!(out)?;
    let width = console::Term::stdout().size().1.clamp(40, 100);
    let curves = run_curves(file, last.generation)?;
    for (title, points, bounds) in curves {
        for line in curves::draw(&title, &points, bounds, width, 8) {
            writeln!(out, "{line}")?;
        }
        writeln!(out)?;
    }
    if let Some(ratings) = &ratings {
        strengths::ratings(out, ratings)?;
        writeln!(out)?;
    }
    let finals = file.finals()?;
    if !finals.is_empty() {
        strengths::finals(out, &finals)?;
        writeln!(out)?;
    }
    inheritance(out, file)?;
    kin(out, file, shown, &ancestry)?;
    let (generation, network) = file.champion(Some(shown))?;
    let layers: Vec<String> = network.layer_sizes().iter().map(|size| size.to_string()).collect();
    writeln!(out, "champion of generation {generation}: layers {}, {} edges", layers.join("-"), network.edges())?;
    let text = network.to_string();
    if text.len() <= LONGEST_NETWORK {
        writeln!(out, "{text}")?;
    } else {
        let (gamete, run, flag) = (program(), file.name(), runs.flag());
        writeln!(out, "the network is too long to print; `{gamete} export {run}@{generation}{flag}` writes all of it")?;
    }
    Ok(())
}
