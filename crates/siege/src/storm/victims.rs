//! The work that is killed: small trainings with every strategy, labs, populations, islands and tunings.

use crate::cases::Siege;
use crate::gamete::Answer;
use std::path::{Path, PathBuf};

/// Work that takes about half a second and can be resumed after a kill.
pub struct Victim {
    /// The name in reports.
    pub name: &'static str,
    /// The strategy of a training with one population; `None` for other work.
    pub strategy: Option<&'static str>,
    kind: Kind,
    /// The arguments that begin it.
    words: &'static str,
}

/// The kind of work, which decides the commands that begin and resume it.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Run,
    Populations,
    Lab,
    Tune,
}

const fn run(name: &'static str, strategy: &'static str, words: &'static str) -> Victim {
    Victim { name, strategy: Some(strategy), kind: Kind::Run, words }
}

const fn group(name: &'static str, kind: Kind, words: &'static str) -> Victim {
    Victim { name, strategy: None, kind, words }
}

/// All work that is killed.
pub const VICTIMS: [Victim; 20] = [
    run("enn", "enn", "nim-2x4-c1 --generations 500 --set stop.solved=false"),
    run(
        "neat",
        "neat",
        "nim-2x4-neat --generations 120 --set stop.solved=false --set strategy.neat.population=60 \
         --set schedule.circular.opponents=10 --set record.genomes_every=5",
    ),
    group("lab", Kind::Lab, "lab run small.toml --workers 2 --json"),
    run(
        "series",
        "series",
        "minichess-tt1 --generations 30 --set strategy.series.neat.population=8 --set record.past_games=4 \
         --set record.genomes_every=4 --set record.exam_every=4",
    ),
    run("ga", "ga", "nim-2x4-ga --generations 200 --set stop.solved=false"),
    group(
        "islands",
        Kind::Populations,
        "nim-2x4-ga --populations 3 --migrate-every 5 --migrants 2 --generations 60 --set stop.solved=false",
    ),
    run(
        "blondie",
        "blondie",
        "draughts-blondie24 --generations 14 --set strategy.blondie.population=6 --set player.depth=1 \
         --set record.past_games=2 --set record.final_games=2 --set record.exam_every=6 --set record.games_every=2",
    ),
    run("random-search", "random-search", "nim-2x4-random --generations 160 --set stop.solved=false"),
    group("populations", Kind::Populations, "nim-2x4-c1 --populations 3 --generations 100 --set stop.solved=false"),
    run(
        "cma-es",
        "cma-es",
        "nim-2x4-cma-es --generations 120 --set stop.solved=false --set strategy.cma-es.averaged=true",
    ),
    run("openai-es", "openai-es", "nim-2x4-openai-es --generations 120 --set stop.solved=false"),
    group(
        "tune",
        Kind::Tune,
        "tune nim-2x4-c1 --set stop.generations=24 --vary strategy.enn.exponent=0.5..4 --vary \
         strategy.enn.population=60..120 --budget 8 --candidates 4 --seeds 1001-1002 --check 2001-2002 --games 4 \
         --name x --json",
    ),
    run("td", "td", "nim-2x4-td --generations 300 --set stop.solved=false"),
    run(
        "bootstrap, with strength",
        "bootstrap",
        "minichess-bootstrap --generations 16 --set schedule.self-play.games=8 --set strategy.bootstrap.hidden=[8] \
         --set record.past_games=4 --set record.strength_every=6 --set record.strength_games=8 \
         --set record.strength_nodes=100 --set record.final_games=2 --set record.exam_every=8",
    ),
    run(
        "chess, whose games are remembered",
        "neat",
        "minichess --generations 24 --set strategy.neat.population=10 --set schedule.circular.opponents=4 \
         --set record.past_games=2 --set record.exam_every=8 --set record.final_games=2 --set record.games_every=3",
    ),
    run(
        "chess by learning, with last matches",
        "td",
        "minichess-td --generations 24 --set record.past_games=4 --set schedule.self-play.games=4 \
         --set record.final_games=6",
    ),
    run(
        "tic-tac-toe",
        "enn",
        "tic-tac-toe --generations 60 --set strategy.enn.population=60 --set schedule.circular.opponents=10 --set stop.solved=false",
    ),
    run(
        "chess by crossing, whose games are remembered",
        "ga",
        "minichess-ga --generations 20 --set strategy.ga.population=16 --set strategy.ga.elites=5 \
         --set schedule.circular.opponents=4 --set record.past_games=4 --set record.exam_every=10",
    ),
    run("large nim", "enn", "nim-1-1000 --generations 60"),
    run("nim until it is solved", "enn", "nim-2x4 --set strategy.enn.population=200"),
];

/// A lab of six members, two of which are islands and exchange champions.
const LAB: &str = r#"
about = "Small enough to be killed many times."
seeds = 2
measures = ["grade"]
last = 5

[[configuration]]
experiment = "nim-2x4-c1"
set = { stop.generations = 60 }
grid = { strategy.enn.exponent = [1.0, 2.0] }

[[configuration]]
experiment = "nim-2x4-ga"
name = "islands"
islands = { every = 5, count = 1 }
set = { stop.generations = 40, stop.solved = false }
"#;

impl Victim {
    /// Whether it consists of several processes.
    pub fn is_group(&self) -> bool {
        self.kind != Kind::Run
    }

    /// Whether a single member may be killed. The other members then continue, and the killed one is started again.
    pub fn members_may_be_killed(&self) -> bool {
        matches!(self.kind, Kind::Lab | Kind::Populations)
    }

    /// The arguments that begin the work in this folder, or resume it.
    pub fn command(&self, folder: &Path, seed: u64) -> Result<String, String> {
        let words = self.words;
        let runs = folder.join("runs");
        Ok(match self.kind {
            Kind::Run if runs.join("x.db").exists() => "resume x --json".to_string(),
            Kind::Populations if runs.join("x/lab.json").exists() => "resume x --json".to_string(),
            Kind::Run | Kind::Populations => format!("train {words} --seed {seed} --name x --json"),
            Kind::Tune => format!("{words} --seed {seed}"),
            Kind::Lab => {
                let to_message = |error: std::io::Error| format!("siege: cannot write {}: {error}", folder.display());
                std::fs::write(folder.join("small.toml"), LAB).map_err(to_message)?;
                words.to_string()
            }
        })
    }

    /// The fields of the last line of JSON that must be the same with and without kills.
    pub fn result(&self, answer: &Answer) -> Result<String, String> {
        let line = answer.json()?;
        let fields: &[&str] = match self.kind {
            Kind::Run => &["signature", "generations", "first_solved", "stopped", "champion", "exam", "finals"],
            Kind::Populations => &["signature", "generations", "populations"],
            Kind::Lab => &["members", "finished", "failed", "interrupted"],
            Kind::Tune => &["values", "last", "spent", "checked", "tried", "rounds"],
        };
        Ok(fields.iter().map(|field| format!("{field} {}\n", line[field])).collect())
    }

    /// The folder of the work without kills. Its files `result` and `seconds` hold the result and the duration.
    pub fn reference(&self, siege: &Siege, seed: u64) -> Result<PathBuf, String> {
        let name = format!("{}-{seed}", self.name.replace([' ', ','], "-"));
        siege.once(&name, |folder| {
            let answer = siege.gamete.run(folder, &self.command(folder, seed)?);
            answer.check_success().map_err(|error| format!("reference: {error}"))?;
            let write = |name: &str, text: String| {
                std::fs::write(folder.join(name), text).map_err(|error| format!("siege: cannot write {name}: {error}"))
            };
            write("result", self.result(&answer)?)?;
            write("seconds", answer.seconds.to_string())
        })
    }
}
