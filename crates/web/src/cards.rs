//! What pages show of a run, from its file and from the status of its training in this server.

use crate::command::same_run;
use crate::jobs::{JobStatus, Played};
use crate::refusal::in_words;
use runs::{Curves, Final, Ratings, RunContent, RunFile, RunState, Stopped, StreamOfSpecies};
use serde::Serialize;
use std::collections::VecDeque;
use std::path::Path;
use std::time::{Duration, Instant};

/// A run in the list.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(serde::Deserialize, ts_rs::TS))]
pub struct RunCard {
    /// The run's name.
    pub name: String,
    /// Why the run's file cannot be read; then all other fields are empty. Null if it can be read.
    pub error: Option<String>,
    /// The game's name.
    pub game: String,
    /// The strategy's name.
    pub strategy: String,
    /// The experiment's name.
    pub experiment: String,
    /// The seed of all random numbers.
    pub seed: u64,
    /// The number of generations that it has.
    pub generation: u64,
    /// The number of generations after which it ends.
    pub generations: u64,
    /// The grade of the newest exam, from 0 to 1.
    pub grade: Option<f64>,
    /// The generation of that exam, if it is not the newest generation; otherwise null.
    pub older_exam: Option<u64>,
    /// The score of the newest champion.
    pub score: Option<f64>,
    /// `training`, `stopping`, `finals` or `paused`; otherwise why it stopped: `solved`, `strength`, `generations`, `time`,
    /// `interrupted` or `killed`; `broken` if its file cannot be read.
    pub state: String,
    /// Whether this server trains the run, so that it can be paused and stopped here.
    pub here: bool,
    /// When the run was created, in seconds since 1970.
    pub created: i64,
    /// A small curve of its grades or scores.
    pub curve: SmallCurve,
    /// Generations per second, while it trains; otherwise null.
    pub rate: Option<f64>,
    /// The seconds that are left at this rate.
    pub left: Option<f64>,
    /// The progress of the last champion's final games, while they are played.
    pub finals: Option<Played>,
    /// Why its last training in this server failed.
    pub failed: Option<String>,
}

/// A small curve: of grades if there are any, otherwise of scores.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(serde::Deserialize, ts_rs::TS))]
pub struct SmallCurve {
    /// `grade` or `score`.
    what: String,
    /// Values at evenly spread generations, the newest last.
    values: Vec<f64>,
}

/// The number of points of a small curve.
const SMALL_CURVE: u64 = 40;

/// Everything that the page of a run shows except its curves.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RunDetail {
    /// The same run as lists show it.
    pub card: RunCard,
    /// All parameters, as TOML.
    parameters: String,
    /// The command that makes the same run.
    command: String,
    /// The first generation whose champion played a perfect move in every position; null if there is none.
    pub first_solved: Option<u64>,
    /// The number of hidden nodes of the newest champion.
    hidden: Option<u64>,
    /// The number of edges of the newest champion.
    edges: Option<u64>,
    /// Seconds of training (wall time).
    seconds: f64,
    /// Seconds of processor time.
    cpu_seconds: f64,
    /// The number of games played for scores.
    games: u64,
    /// The number of positions judged by networks.
    evaluations: u64,
    /// A hash of the run's whole history. Runs with equal signatures are equal.
    signature: Option<String>,
    /// The final matches of the last champion.
    finals: Vec<Final>,
    /// The strengths of champions on one Elo scale; null if they were not measured.
    ratings: Option<Ratings>,
    /// The progress of a measurement of strengths in this server; null if there is none.
    growth: Option<Played>,
    /// Why the last measurement failed.
    growth_failed: Option<String>,
}

impl RunDetail {
    /// Whether `other` is a later state of the same run, and not another run of the same name.
    pub fn is_same_run(&self, other: &RunDetail) -> bool {
        let of = |detail: &RunDetail| (detail.card.created, detail.card.seed, detail.card.experiment.clone());
        of(self) == of(other) && self.card.generation <= other.card.generation
    }
}

/// The largest number of points of a curve.
pub const MOST_PLACES: u64 = 800;
/// The largest number of generations for which the sizes of species are shown.
pub const MOST_SPECIES_PLACES: u64 = 200;

/// Measures how fast a run is trained, from the times at which its file was read.
#[derive(Default)]
pub struct Pace(VecDeque<(Instant, u64)>);

impl Pace {
    const WINDOW: Duration = Duration::from_secs(5);

    /// Notes the current number of generations; returns generations per second, or `None` if it is too early to say.
    fn look(&mut self, generation: u64) -> Option<f64> {
        let now = Instant::now();
        // The run was replaced by another one.
        if self.0.back().is_some_and(|(_, before)| *before > generation) {
            self.0.clear();
        }
        self.0.push_back((now, generation));
        while self.0.len() > 2 && self.0.front().is_some_and(|(then, _)| now.duration_since(*then) > Pace::WINDOW) {
            self.0.pop_front();
        }
        let (then, before) = self.0.front()?;
        let seconds = now.duration_since(*then).as_secs_f64();
        (seconds > 0.5 && generation > *before).then(|| (generation - before) as f64 / seconds)
    }
}

/// Reads what lists show of a run.
pub fn card(file: &Path, name: &str, status: &JobStatus, pace: &mut Pace) -> RunCard {
    let mut read = || -> Result<RunCard, lab::Error> {
        let run = RunFile::glance(file)?;
        let content = runs::look_at_run(&run)?;
        Ok(filled(name, &content, small_curve(&run)?, status, pace))
    };
    read().unwrap_or_else(|error| RunCard {
        name: name.to_string(),
        error: Some(in_words(&error)),
        state: "broken".to_string(),
        ..RunCard::default()
    })
}

fn small_curve(run: &RunFile) -> Result<SmallCurve, lab::Error> {
    let (what, values) = run.small_curve(SMALL_CURVE)?;
    Ok(SmallCurve { what: what.to_string(), values })
}

fn filled(name: &str, content: &RunContent, curve: SmallCurve, status: &JobStatus, pace: &mut Pace) -> RunCard {
    let RunContent { info, state, last, exam, .. } = content;
    let generation = last.as_ref().map_or(0, |report| report.generation);
    // The number of generations in all is one of the parameters; it is unknown if these cannot be read.
    let generations = info.aim().unwrap_or(generation);
    let state = match state {
        _ if status.stopping => "stopping".to_string(),
        _ if status.finals.is_some() => "finals".to_string(),
        _ if status.training => "training".to_string(),
        // Only if no other process has resumed it since.
        RunState::Stopped(Stopped::Interrupted) if status.paused == Some(generation) => "paused".to_string(),
        other => other.to_string(),
    };
    let rate = pace.look(generation).filter(|_| state == "training");
    RunCard {
        name: name.to_string(),
        error: None,
        game: info.game.clone(),
        strategy: info.strategy.clone(),
        experiment: info.experiment.clone(),
        seed: info.seed,
        generation,
        generations,
        grade: exam.as_ref().map(|exam| exam.grade()),
        older_exam: content.older_exam(),
        score: last.as_ref().map(|report| report.best_score),
        state,
        here: status.training,
        created: info.created,
        curve,
        rate,
        left: rate.map(|rate| generations.saturating_sub(generation) as f64 / rate),
        finals: status.finals,
        failed: status.failed.as_ref().filter(|(at, _)| *at == generation).map(|(_, why)| why.clone()),
    }
}

/// Reads everything that the page of a run shows, except the curves and `first_solved`.
pub fn detail(run: &RunFile, status: &JobStatus, pace: &mut Pace) -> Result<RunDetail, lab::Error> {
    let content = runs::look_at_run(run)?;
    let card = filled(&run.name(), &content, small_curve(run)?, status, pace);
    let (last, times) = (content.last.as_ref(), run.times()?);
    Ok(RunDetail {
        card,
        command: same_run(&content.info.experiment, &content.info.parameters),
        parameters: content.info.parameters,
        first_solved: None,
        hidden: last.map(|report| report.champion_hidden),
        edges: last.map(|report| report.champion_edges),
        seconds: times.seconds,
        cpu_seconds: times.cpu_seconds,
        games: last.map_or(0, |report| report.games),
        evaluations: last.map_or(0, |report| report.evaluations),
        signature: last.map(|report| report.signature.clone()),
        finals: run.finals()?,
        ratings: run.ratings()?,
        growth: status.growth,
        growth_failed: status.growth_failed.clone(),
    })
}

/// The curves of a run. Each reading returns only the new part.
#[derive(Default)]
pub struct GrowingCurves {
    whole: Option<Curves>,
}

impl GrowingCurves {
    /// The curves as they were last read.
    pub fn whole(&self) -> Option<&Curves> {
        self.whole.as_ref()
    }

    /// Reads again. Returns a part that replaces all points from its first generation on, or `None` if nothing is new.
    pub fn look(&mut self, run: &RunFile, generation: u64) -> Result<Option<Curves>, lab::Error> {
        let stride = Curves::stride_for(generation, MOST_PLACES);
        let known = self.whole.as_ref().and_then(|whole| whole.generation.last().copied()).unwrap_or(0);
        match &mut self.whole {
            Some(whole) if whole.stride == stride && known <= generation => {
                if known == generation {
                    return Ok(None);
                }
                // From the last point on, which may have been incomplete.
                let last = known.saturating_sub(1) / stride;
                let part = run.curves(last * stride + 1, u64::MAX, stride)?;
                whole.replace_from(&part);
                Ok(Some(part))
            }
            whole => {
                let all = run.curves(1, u64::MAX, stride)?;
                *whole = Some(all.clone());
                Ok(Some(all))
            }
        }
    }
}

/// The sizes of species; `None` if the run has no species.
pub fn species(run: &RunFile) -> Result<Option<StreamOfSpecies>, lab::Error> {
    let found = run.stream_of_species(MOST_SPECIES_PLACES)?;
    Ok((!found.species.is_empty()).then_some(found))
}
