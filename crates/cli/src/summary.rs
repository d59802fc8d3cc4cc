//! Prints the result of a training, as text or as JSON.

use crate::arguments::RunsArg;
use crate::words::{count, grouped, span};
use crate::{Done, Failure, grades, strengths};
use lab::{StrongestSummary, Summary};
use runs::Stopped;
use serde_json::json;
use std::io::Write;

/// Prints the summary of a training. Returns how the command ends.
pub fn trained(out: &mut impl Write, summary: Summary, runs: &RunsArg, json: bool) -> Result<Done, Failure> {
    match json {
        true => writeln!(out, "{}", json!(summary))?,
        false => in_words(out, &summary, runs)?,
    }
    let interrupted = summary.stopped == Stopped::Interrupted || summary.finals_broken_off;
    Ok(if interrupted { Done::Interrupted } else { Done::Well })
}

/// Prints the result of a training, and commands that may come next.
fn in_words(out: &mut impl Write, summary: &Summary, runs: &RunsArg) -> Result<(), Failure> {
    let Summary { run, generations, games, .. } = summary;
    let flag = runs.flag();
    match (summary.stopped, summary.champion) {
        (Stopped::Solved, _) => {
            writeln!(out, "solved: the champion of generation {generations} is perfect in every position")?
        }
        (Stopped::Strength, _) => writeln!(
            out,
            "strong enough: the champion of generation {generations} has the strength at which the run stops"
        )?,
        (Stopped::Generations, _) => writeln!(out, "finished: {} played", count(*generations, "generation"))?,
        (Stopped::Time, _) => writeln!(out, "the time limit was reached after {}", count(*generations, "generation"))?,
        (Stopped::Interrupted, _) => {
            writeln!(out, "interrupted after {}; nothing is lost", count(*generations, "generation"))?
        }
    }
    let rate = grouped((*games as f64 / summary.seconds.max(1e-9)) as u64);
    let cpu = summary.cpu_seconds;
    writeln!(
        out,
        "{} in {}, {rate} a second ({cpu:.2} s of processor time)",
        count(*games, "game"),
        span(summary.seconds)
    )?;
    if summary.reused > 0 {
        writeln!(
            out,
            "{} more {} not played again: the same two networks had played before",
            count(summary.reused, "game"),
            if summary.reused == 1 { "was" } else { "were" }
        )?;
    }
    if let Some(champion) = summary.champion {
        let (hidden, edges) = (count(champion.hidden, "hidden node"), count(champion.edges, "edge"));
        writeln!(out, "champion: score {:.2}, {hidden}, {edges}", champion.score)?;
    }
    if let Some(StrongestSummary { generation, rating }) = &summary.strongest {
        strengths::strongest(out, *generation, rating)?;
    }
    if let Some(found) = &summary.exam {
        grades::exam(out, found)?;
    }
    strengths::finals(out, &summary.finals)?;
    summary.skipped.iter().try_for_each(|sentence| writeln!(out, "{sentence}"))?;
    if let (Some(first), true) = (summary.first_solved, summary.stopped != Stopped::Solved) {
        writeln!(out, "first solved in generation {first}")?;
    }
    writeln!(out, "signature {}", summary.signature)?;
    writeln!(out, "run       {run} ({})", summary.file.display())?;
    writeln!(out)?;
    let gamete = program();
    if summary.finals_broken_off {
        writeln!(out, "the last champion's matches were interrupted; `resume` plays them")?;
    }
    if summary.stopped == Stopped::Interrupted || summary.finals_broken_off {
        writeln!(out, "Continue with      {gamete} resume {run}{flag}")?;
    }
    if summary.champion.is_some() {
        let file = runs::RunFile::open(&summary.file)?;
        let game = file.info()?.game;
        writeln!(out, "Look at it with    {gamete} show {run}{flag}")?;
        writeln!(out, "Play against it    {gamete} play {game} --against run:{run}{flag}")?;
        if file.generations_with_games(*generations)?.is_some() {
            writeln!(out, "Watch it play      {gamete} games {run}{flag}")?;
        }
        writeln!(out, "See it grow        {gamete} growth {run}{flag}")?;
    }
    Ok(())
}

/// Returns the command that starts this program again. Cargo sets the variable `CARGO` for programs that it runs.
pub fn program() -> String {
    if std::env::var_os("CARGO").is_some() {
        return "cargo run --release --".to_string();
    }
    let file = std::env::current_exe().ok();
    let name = file.as_ref().and_then(|file| file.file_stem()).map(|name| name.to_string_lossy().into_owned());
    // Linux says so if the program was built again while it ran.
    name.map_or_else(|| "gamete".to_string(), |name| name.trim_end_matches(" (deleted)").to_string())
}
