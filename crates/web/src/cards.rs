//! What pages show of a run, put together from its file and from what the studio knows.

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
    /// Why its file cannot be read; then nothing else is filled in.
    pub error: Option<String>,
    /// The game's name.
    pub game: String,
    /// The strategy's name.
    pub strategy: String,
    /// The experiment's name.
    pub experiment: String,
    /// Seed of all chance.
    pub seed: u64,
    /// How many generations it has.
    pub generation: u64,
    /// How many generations it is to have.
    pub generations: u64,
    /// The grade of the newest exam, from 0 to 1.
    pub grade: Option<f64>,
    /// The newest champion's score.
    pub score: Option<f64>,
    /// `training`, `stopping`, `finals`, `paused`; else why it stopped: `solved`, `generations`, `time`, `interrupted`,
    /// `killed`; `broken` where its file cannot be read.
    pub state: String,
    /// Whether this server trains it, so that it can be paused and stopped here.
    pub here: bool,
    /// When it was created, in seconds since 1970.
    pub created: i64,
    /// A small curve of it.
    pub curve: SmallCurve,
    /// Generations a second, while it trains.
    pub rate: Option<f64>,
    /// Seconds that are left at this rate.
    pub left: Option<f64>,
    /// Games of the last champion, while they are played.
    pub finals: Option<Played>,
    /// Why this server's last training of it failed.
    pub failed: Option<String>,
}

/// A small curve: grades where there are any, else scores.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(serde::Deserialize, ts_rs::TS))]
pub struct SmallCurve {
    /// `grade` or `score`.
    what: String,
    /// Evenly spread, the newest last.
    values: Vec<f64>,
}

/// How many places a small curve has.
const SMALL_CURVE: u64 = 40;

/// Everything the page of a run shows beside its curves.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RunDetail {
    /// What lists show of it.
    pub card: RunCard,
    /// All parameters, as TOML.
    parameters: String,
    /// The command that makes the same run.
    command: String,
    /// The first generation whose champion was perfect.
    pub first_solved: Option<u64>,
    /// How many hidden nodes the newest champion has.
    hidden: Option<u64>,
    /// How many edges the newest champion has.
    edges: Option<u64>,
    /// Seconds of training.
    seconds: f64,
    /// Seconds of processor time.
    cpu_seconds: f64,
    /// Games played for scores.
    games: u64,
    /// Positions judged by networks.
    evaluations: u64,
    /// Says all that happened: equal signature, equal run.
    signature: Option<String>,
    /// Matches of the last champion.
    finals: Vec<Final>,
    /// Strengths of champions on one scale, where they were measured.
    ratings: Option<Ratings>,
    /// Games of a measurement of strengths under way here.
    growth: Option<Played>,
    /// Why the last measurement failed.
    growth_failed: Option<String>,
}

impl RunDetail {
    /// Whether both tell of one run, and not of one that took the other's name.
    pub fn is_same_run(&self, other: &RunDetail) -> bool {
        let of = |detail: &RunDetail| (detail.card.created, detail.card.seed, detail.card.experiment.clone());
        of(self) == of(other) && self.card.generation <= other.card.generation
    }
}

/// How many places curves have at most, and how many generations a stream of species shows.
pub const MOST_PLACES: u64 = 800;
pub const MOST_SPECIES_PLACES: u64 = 200;

/// How fast a run grows, from when it was looked at.
#[derive(Default)]
pub struct Pace(VecDeque<(Instant, u64)>);

impl Pace {
    const WINDOW: Duration = Duration::from_secs(5);

    /// It has so many generations now; generations a second, once that can be told.
    fn look(&mut self, generation: u64) -> Option<f64> {
        let now = Instant::now();
        // A run that was replaced begins anew.
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

/// Reads a run's card.
pub fn card(file: &Path, name: &str, standing: &JobStatus, pace: &mut Pace) -> RunCard {
    let mut read = || -> Result<RunCard, lab::Error> {
        let run = RunFile::glance(file)?;
        let content = runs::look_at_run(&run)?;
        Ok(filled(name, &content, small_curve(&run)?, standing, pace))
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

fn filled(name: &str, content: &RunContent, curve: SmallCurve, standing: &JobStatus, pace: &mut Pace) -> RunCard {
    let RunContent { info, state, last, exam } = content;
    let generation = last.as_ref().map_or(0, |report| report.generation);
    // The aim stands in the parameters; a run whose parameters cannot be read has none.
    let generations = info.aim().unwrap_or(generation);
    let state = match state {
        _ if standing.stopping => "stopping".to_string(),
        _ if standing.finals.is_some() => "finals".to_string(),
        _ if standing.training => "training".to_string(),
        // Unless somebody else went on with it since.
        RunState::Stopped(Stopped::Interrupted) if standing.paused == Some(generation) => "paused".to_string(),
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
        score: last.as_ref().map(|report| report.best_score),
        state,
        here: standing.training,
        created: info.created,
        curve,
        rate,
        left: rate.map(|rate| generations.saturating_sub(generation) as f64 / rate),
        finals: standing.finals,
        failed: standing.failed.as_ref().filter(|(at, _)| *at == generation).map(|(_, why)| why.clone()),
    }
}

/// Reads everything of a run but its curves and when it was first solved.
pub fn detail(run: &RunFile, standing: &JobStatus, pace: &mut Pace) -> Result<RunDetail, lab::Error> {
    let content = runs::look_at_run(run)?;
    let card = filled(&run.name(), &content, small_curve(run)?, standing, pace);
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
        growth: standing.growth,
        growth_failed: standing.growth_failed.clone(),
    })
}

/// The curves of a run, kept up to date: each look gives the part that is new.
#[derive(Default)]
pub struct GrowingCurves {
    whole: Option<Curves>,
}

impl GrowingCurves {
    /// All of them, as known.
    pub fn whole(&self) -> Option<&Curves> {
        self.whole.as_ref()
    }

    /// Looks again; what replaces everything from its first place on, if anything is new.
    pub fn look(&mut self, run: &RunFile, generation: u64) -> Result<Option<Curves>, lab::Error> {
        let stride = Curves::stride_for(generation, MOST_PLACES);
        let known = self.whole.as_ref().and_then(|whole| whole.generation.last().copied()).unwrap_or(0);
        match &mut self.whole {
            Some(whole) if whole.stride == stride && known <= generation => {
                if known == generation {
                    return Ok(None);
                }
                // From the last place on, which may have been incomplete.
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

/// Sizes of species, where there are any.
pub fn species(run: &RunFile) -> Result<Option<StreamOfSpecies>, lab::Error> {
    let found = run.stream_of_species(MOST_SPECIES_PLACES)?;
    Ok((!found.species.is_empty()).then_some(found))
}
