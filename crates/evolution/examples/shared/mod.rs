//! What the examples share: reading the command line, running many seeds, and printing the results.

use chance::rng_for;
use evolution::{Network, Results, Shape, StrategyConfig};
use std::sync::Arc;

/// A task for networks: scores networks and says whether they solve it.
pub struct Task {
    /// The name of the task.
    pub name: &'static str,
    /// The numbers of inputs and outputs.
    pub shape: Shape,
    /// The score of a network, and whether it solves the task.
    pub judge: fn(&Network) -> (f64, bool),
    /// A run with more generations has failed.
    pub most_generations: u64,
    /// The settings of NEAT that differ for this task.
    pub settings: &'static [(&'static str, &'static str)],
}

/// The result of one seed.
struct Run {
    solved: bool,
    evaluations: u64,
    hidden: usize,
    edges: usize,
}

/// Runs a task with the options of the command line: `--seeds N`, `--first-seed N`, `--without PART`, `--set
/// KEY=VALUE`, `--json`.
pub fn run(task: &Task) {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let Err(message) = run_with(task, &arguments) {
        eprintln!("{}: {message}", task.name);
        std::process::exit(2);
    }
}

fn run_with(task: &Task, arguments: &[String]) -> Result<(), String> {
    let mut config: toml::Table = toml::from_str(include_str!("neat.toml")).expect("the settings are right");
    for (key, value) in task.settings {
        set(&mut config, key, value)?;
    }
    let (mut seeds, mut first, mut json) = (10, 1, false);
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or_else(|| format!("{word} needs a value after it"));
        let whole = |text: &String| text.parse::<u64>().map_err(|_| format!("`{text}` is no whole number"));
        match word.as_str() {
            "--json" => json = true,
            "--seeds" => seeds = whole(value()?)?,
            "--first-seed" => first = whole(value()?)?,
            "--without" => {
                let part = value()?;
                let (_, changes) = PARTS.iter().find(|(name, _)| name == part).ok_or_else(|| {
                    let names: Vec<&str> = PARTS.iter().map(|(name, _)| *name).collect();
                    format!("there is no part `{part}` to leave out; the parts are {}", names.join(", "))
                })?;
                changes.iter().try_for_each(|(key, value)| set(&mut config, key, value))?;
            }
            "--set" => {
                let (key, value) =
                    value()?.split_once('=').ok_or("--set needs KEY=VALUE, such as mutation.power=0.5")?;
                set(&mut config, &format!("neat.{key}"), value)?;
            }
            "--help" | "-h" => {
                println!("{} [--seeds N] [--first-seed N] [--without PART] [--set KEY=VALUE]... [--json]", task.name);
                return Ok(());
            }
            _ => {
                return Err(format!(
                    "`{word}` is no option; the options are --seeds, --first-seed, --without, --set, --json"
                ));
            }
        }
    }
    let config: StrategyConfig = config.try_into().map_err(|error: toml::de::Error| error.message().to_string())?;
    config.checked().map_err(|error| error.to_string())?;
    let runs: Vec<Run> = (first..first.saturating_add(seeds))
        .map(|seed| {
            let run = one(task, &config, seed);
            if !json {
                let what = if run.solved { "solved" } else { "not solved" };
                println!(
                    "seed {seed}: {what} after {} evaluations, {} hidden nodes, {} edges",
                    run.evaluations, run.hidden, run.edges
                );
            }
            run
        })
        .collect();
    tell(task, &runs, json);
    Ok(())
}

/// The paper's ablations. Without species the paper also began with random networks, because simple ones are all alike.
const PARTS: [(&str, &[(&str, &str)]); 4] = [
    ("mating", &[("neat.crossover.mutation_only", "1.0")]),
    (
        "species",
        &[
            ("neat.species.threshold", "1e9"),
            ("neat.start.hidden_min", "1"),
            ("neat.start.hidden_max", "10"),
            ("neat.start.density", "0.5"),
        ],
    ),
    (
        "growth",
        &[
            ("neat.mutation.add_node", "0.0"),
            ("neat.mutation.add_connection", "0.0"),
            ("neat.start.hidden_min", "10"),
            ("neat.start.hidden_max", "10"),
        ],
    ),
    ("small-start", &[("neat.start.hidden_min", "1"), ("neat.start.hidden_max", "10"), ("neat.start.density", "0.5")]),
];

/// Changes a setting, which must exist.
fn set(config: &mut toml::Table, path: &str, value: &str) -> Result<(), String> {
    let read = |value: &str| toml::from_str::<toml::Table>(&format!("x = {value}")).map(|mut table| table.remove("x"));
    let value = read(value).or_else(|_| read(&format!("\"{value}\""))).ok().flatten();
    let mut keys = path.split('.');
    let last = keys.next_back().unwrap_or_default();
    let mut table = config;
    for key in keys {
        table = table
            .get_mut(key)
            .and_then(|part| part.as_table_mut())
            .ok_or_else(|| format!("there is no setting `{path}`"))?;
    }
    let place = table.get_mut(last).ok_or_else(|| format!("there is no setting `{path}`"))?;
    *place = value.ok_or_else(|| format!("{path} cannot have this value"))?;
    Ok(())
}

/// One run: generation after generation, until a network solves the task.
fn one(task: &Task, config: &StrategyConfig, seed: u64) -> Run {
    let mut strategy = config.create(task.shape, &mut rng_for(seed, &[0]));
    let mut evaluations = 0;
    for generation in 1.. {
        // Get networks, judge them, return their scores: a task of your own needs no more.
        let judged: Vec<(f64, bool)> = strategy.networks().iter().map(|network| (task.judge)(network)).collect();
        evaluations += judged.len() as u64;
        let best =
            (0..judged.len()).max_by(|&a, &b| judged[a].0.total_cmp(&judged[b].0)).expect("a population is not empty");
        let winner = judged.iter().position(|(_, solved)| *solved);
        if winner.is_some() || generation == task.most_generations {
            let network: &Arc<Network> = &strategy.networks()[winner.unwrap_or(best)];
            return Run { solved: winner.is_some(), evaluations, hidden: network.hidden(), edges: network.edges() };
        }
        let scores: Vec<f64> = judged.iter().map(|(score, _)| *score).collect();
        strategy.advance(&Results::of(&scores), &mut rng_for(seed, &[generation]));
    }
    unreachable!("the loop ends at most_generations")
}

/// Prints one line of JSON or text. Failed runs do not count in means.
fn tell(task: &Task, runs: &[Run], json: bool) {
    let solved: Vec<&Run> = runs.iter().filter(|run| run.solved).collect();
    let count = solved.len() as f64;
    let mean =
        |value: &dyn Fn(&Run) -> f64| solved.iter().map(|run| value(run)).fold(0.0, |a, b| a + b) / count.max(1.0);
    let evaluations = mean(&|run| run.evaluations as f64);
    let deviation = mean(&|run| (run.evaluations as f64 - evaluations).powi(2)).sqrt();
    let mut sorted: Vec<u64> = solved.iter().map(|run| run.evaluations).collect();
    sorted.sort();
    let median = match sorted.len() {
        0 => 0.0,
        count if count % 2 == 1 => sorted[count / 2] as f64,
        count => 0.5 * (sorted[count / 2 - 1] + sorted[count / 2]) as f64,
    };
    let worst = sorted.last().copied().unwrap_or(0);
    let (hidden, edges) = (mean(&|run| run.hidden as f64), mean(&|run| run.edges as f64));
    if json {
        let line = serde_json::json!({
            "task": task.name, "seeds": runs.len(), "solved": solved.len(), "mean_evaluations": evaluations,
            "deviation": deviation, "median_evaluations": median, "worst_evaluations": worst,
            "mean_hidden": hidden, "mean_edges": edges,
        });
        println!("{line}");
        return;
    }
    println!(
        "{}: {} of {} solved; evaluations: mean {evaluations:.0} (deviation {deviation:.0}), median {median:.0}, worst {worst}; {hidden:.2} hidden nodes, {edges:.2} edges",
        task.name,
        solved.len(),
        runs.len()
    );
}
