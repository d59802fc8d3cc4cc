//! Feeds random inputs to every parser. The fuzz targets and their runner are in the folder `fuzz` of the workspace;
//! this attack starts the runner and reports its results.

use crate::Attack;
use crate::cases::Siege;
use crate::figures::Figures;
use crate::program::workspace;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::Instant;

/// Runs `fuzz/run` until the time is over, and again while a goal is missed; adds up the results of each target.
pub fn attack(siege: &Siege, until: Instant) -> Figures {
    let begun = Instant::now();
    let time = until.saturating_duration_since(begun);
    let mut figures = Figures::new(Attack::Fuzz);
    let known = match targets() {
        Ok(known) => known,
        Err(error) => return siege.broken(Attack::Fuzz, &error),
    };
    while figures.failures == 0
        && (figures.cases == 0 || (!siege.missed_goals(&figures).is_empty() && begun.elapsed() < 3 * time))
    {
        // Each run has another seed. It takes the time that is left, but at least half of the given time.
        let seed = siege.seed + figures.cases;
        let minutes = until.saturating_duration_since(Instant::now()).max(time / 2).as_secs_f64() / 60.0;
        figures.cases += 1;
        let words = ["--minutes".to_string(), format!("{minutes:.2}"), "--seed".to_string(), seed.to_string()];
        let result = run(&words, |line| add(&mut figures, line)).and_then(|()| check_all(&known, &figures));
        if let Err(failure) = result {
            eprintln!("FAILED {failure}\n  again: fuzz/run {}", words.join(" "));
            figures.fail(&failure);
        }
    }
    figures.seconds = begun.elapsed().as_secs_f64();
    figures
}

/// The names of all targets. This also builds them.
fn targets() -> Result<Vec<String>, String> {
    let mut known = Vec::new();
    run(&["--list".to_string()], |line| known.extend(line.split_whitespace().next().map(str::to_string)))?;
    if known.is_empty() { Err("fuzz: there are no targets".to_string()) } else { Ok(known) }
}

/// Runs `fuzz/run` and calls `on_line` for each line that it prints.
fn run(words: &[String], mut on_line: impl FnMut(&str)) -> Result<(), String> {
    let mut command = Command::new(workspace().join("fuzz/run"));
    command.args(words).current_dir(workspace()).stdin(Stdio::null()).stdout(Stdio::piped());
    let mut child = command.spawn().map_err(|error| format!("fuzz: cannot start fuzz/run: {error}"))?;
    let stdout = child.stdout.take();
    for line in stdout.into_iter().flat_map(|stdout| BufReader::new(stdout).lines()).map_while(Result::ok) {
        eprintln!("{line}");
        on_line(&line);
    }
    let status = child.wait().map_err(|error| format!("fuzz: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("fuzz: fuzz/run ended with {status}")) }
}

/// Adds the numbers of a line about a target:
/// `network-text   123456 inputs   4115/s  900 edges, 3000 features  no crash`. Other lines are ignored.
fn add(figures: &mut Figures, line: &str) {
    let mut words = line.split_whitespace();
    let (Some(target), Some(inputs), Some("inputs")) = (words.next(), words.next(), words.next()) else { return };
    let Ok(inputs) = inputs.parse::<u64>() else { return };
    let words: Vec<&str> = words.collect();
    let before = |word: &str| {
        let place = words.iter().position(|each| each.trim_end_matches(',') == word)?;
        words[place.checked_sub(1)?].parse::<u64>().ok()
    };
    *figures.counts.entry("inputs").or_default() += inputs;
    let part = figures.parts.entry(target.to_string()).or_default();
    *part.entry("inputs").or_default() += inputs;
    for what in ["edges", "features"] {
        let most = part.entry(what).or_default();
        *most = before(what).unwrap_or(0).max(*most);
    }
    figures.counts.insert("targets", figures.parts.len() as u64);
}

/// Checks that every target got inputs and that they covered some of its code.
fn check_all(known: &[String], figures: &Figures) -> Result<(), String> {
    for name in known {
        let count = |what: &str| figures.parts.get(name).and_then(|part| part.get(what)).copied().unwrap_or(0);
        if let Some(none) = ["inputs", "edges", "features"].into_iter().find(|what| count(what) == 0) {
            return Err(format!("fuzz: the target {name} has no {none}"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_without_inputs_or_coverage_is_a_failure() {
        let mut figures = Figures::new(Attack::Fuzz);
        for line in [
            "network-text      123456 inputs     4115/s  900 edges, 3000 features  no crash",
            "network-text        1000 inputs      100/s  800 edges, 2000 features  no crash",
            "lab                   10 inputs        1/s  nothing covered  no crash",
            "124466 inputs in all",
            "  again: fuzz/run --again lab x",
        ] {
            add(&mut figures, line);
        }
        assert_eq!((figures.counts["inputs"], figures.counts["targets"]), (124_466, 2));
        assert_eq!(figures.parts["network-text"], [("inputs", 124_456), ("edges", 900), ("features", 3000)].into());
        let check =
            |names: &[&str]| check_all(&names.iter().map(|name| name.to_string()).collect::<Vec<_>>(), &figures);
        assert_eq!(check(&["network-text"]), Ok(()));
        assert_eq!(check(&["network-text", "lab"]), Err("fuzz: the target lab has no edges".to_string()));
        assert_eq!(check(&["request"]), Err("fuzz: the target request has no inputs".to_string()));
    }
}
