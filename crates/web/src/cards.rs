//! What pages show of a run, put together from its file and from what the studio knows.

use crate::studio::{Played, Standing};
use lab::{Curves, Final, Ratings, RunContent, RunFile, RunState, Stopped, StreamOfSpecies};
use serde::Serialize;
use std::collections::VecDeque;
use std::path::Path;
use std::time::{Duration, Instant};

/// A run in the list.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RunCard {
    pub name: String,
    /// Why its file cannot be read; then nothing else is filled in.
    pub error: Option<String>,
    pub game: String,
    pub strategy: String,
    pub experiment: String,
    pub seed: u64,
    pub generation: u64,
    /// How many generations it is to have.
    pub generations: u64,
    pub grade: Option<f64>,
    pub score: Option<f64>,
    pub state: String,
    /// Whether this server trains it.
    pub here: bool,
    pub created: i64,
    pub curve: SmallCurve,
    /// Generations a second.
    pub rate: Option<f64>,
    /// Seconds that are left.
    pub left: Option<f64>,
    pub finals: Option<Played>,
    pub failed: Option<String>,
}

/// A small curve.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SmallCurve {
    what: &'static str,
    values: Vec<f64>,
}

/// How many places a small curve has.
const SMALL_CURVE: u64 = 40;

/// Everything the page of a run shows beside its curves.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunDetail {
    pub card: RunCard,
    parameters: String,
    command: String,
    first_solved: Option<u64>,
    /// Of the newest champion.
    hidden: Option<u64>,
    edges: Option<u64>,
    seconds: f64,
    cpu_seconds: f64,
    games: u64,
    evaluations: u64,
    signature: Option<String>,
    finals: Vec<Final>,
    ratings: Option<Ratings>,
    growth: Option<Played>,
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
pub fn card(file: &Path, name: &str, standing: &Standing, pace: &mut Pace) -> RunCard {
    let mut read = || -> Result<RunCard, lab::Error> {
        let run = RunFile::glance(file)?;
        let content = lab::look_at_run(&run)?;
        let (what, values) = run.small_curve(SMALL_CURVE)?;
        Ok(filled(name, &content, SmallCurve { what, values }, standing, pace))
    };
    read().unwrap_or_else(|error| RunCard {
        name: name.to_string(),
        error: Some(error.to_string()),
        state: "broken".to_string(),
        ..RunCard::default()
    })
}

fn filled(name: &str, content: &RunContent, curve: SmallCurve, standing: &Standing, pace: &mut Pace) -> RunCard {
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

/// Reads everything of a run but its curves.
pub fn detail(run: &RunFile, standing: &Standing, pace: &mut Pace) -> Result<RunDetail, lab::Error> {
    let content = lab::look_at_run(run)?;
    let (what, values) = run.small_curve(SMALL_CURVE)?;
    let card = filled(&run.name(), &content, SmallCurve { what, values }, standing, pace);
    let last = content.last.as_ref();
    Ok(RunDetail {
        card,
        command: content.info.command(),
        parameters: content.info.parameters,
        first_solved: run.first_solved()?,
        hidden: last.map(|report| report.champion_hidden),
        edges: last.map(|report| report.champion_edges),
        seconds: last.map_or(0.0, |report| report.seconds),
        cpu_seconds: last.map_or(0.0, |report| report.cpu_seconds),
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
