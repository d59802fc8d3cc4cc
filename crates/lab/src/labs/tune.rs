//! Tunes the parameters of an experiment by evolution: candidates are choices of parameters, judged by their champions.
//!
//! A round trains all candidates for a ninth of a whole run, the best third of them for a third of a run, and the best
//! third of those, at least two, to the end (successive halving). A whole run has as many games as the experiment
//! itself: candidates with larger populations have fewer generations. Candidates are compared by games between their
//! champions, or by the exam if it is asked for. The best candidates are the parents of the next round's candidates.

mod evidence;
mod range;
mod training;

use evidence::Found;
pub use evidence::{Checked, Evidence, Ranked, is_tuned};
pub use range::Range;

use super::file::member_name;
use super::folder::LabFolder;
use super::workers::{LabWatcher, WorkOptions};
use crate::Error;
use chance::rng_for;
use players::{Context, CrosstableParams, MatchWatcher, PlayerSpec, SearchOptions, crosstable};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use trainer::{ExperimentFile, GameCount};

/// What to tune, and how.
#[derive(Clone, Debug)]
pub struct TuneParams {
    /// The experiment; its own parameters are the first candidate.
    pub experiment: ExperimentFile,
    /// The parameters that may vary, with their bounds.
    pub ranges: Vec<Range>,
    /// The amount of training that may be spent, in whole runs.
    pub budget: f64,
    /// The number of candidates in a round.
    pub candidates: usize,
    /// The seeds with which candidates are trained and judged.
    pub seeds: Vec<u64>,
    /// Other seeds, with which the best candidate is compared with the experiment in the end; if empty, there is no
    /// check.
    pub check: Vec<u64>,
    /// How candidates are judged.
    pub judge: Judge,
    /// The number of games between each pair of champions.
    pub games: u32,
    /// The seed of the random choice of candidates.
    pub seed: u64,
}

/// How candidates are judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judge {
    /// By games between their champions.
    Games,
    /// By the grade of their champions.
    Exam,
}

/// Receives the progress of a tuning. Each rung of a round has a [`LabWatcher`] of its own.
pub trait TuneWatcher {
    /// A round begins with this number of candidates; `spent` is the used part of the budget, in whole runs.
    fn round(&mut self, round: usize, candidates: usize, spent: f64);
    /// A rung begins: candidates are trained up to 1/`part` of a whole run, where `part` is 9, 3 or 1.
    fn rung(&mut self, candidates: usize, part: u64);
    /// The check begins: the candidate is compared with the experiment on this number of other seeds.
    fn check(&mut self, candidate: &str, seeds: usize);
    /// Returns the watcher of the training of one rung.
    fn training(&mut self, folder: &LabFolder) -> Box<dyn LabWatcher>;
}

/// One choice of values for the parameters that vary.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub name: String,
    /// The place of each value in its range, from 0 to 1.
    pub genes: Vec<f64>,
    pub experiment: ExperimentFile,
    pub games: GameCount,
}

/// The name of the candidate with the experiment's own parameters.
const OWN: &str = "own";
/// One of this number of candidates continues to the next rung.
const PART: usize = 3;
/// The rungs of a round: candidates are trained for a whole run's games divided by these numbers.
const RUNGS: [u64; 3] = [9, 3, 1];
/// The number of best candidates that enter the next round again.
const STAY: usize = 2;
/// The standard deviation of a gene's mutation.
const STEP: f64 = 0.15;
/// The probability that a gene mutates.
const MOVES: f64 = 0.5;

/// Tunes an experiment in this folder. Runs of the same tuning that are there already are used, so the same call
/// continues an interrupted tuning. Returns `None` if it is interrupted.
pub fn tune(
    params: &TuneParams,
    path: &Path,
    options: &WorkOptions,
    watcher: &mut dyn TuneWatcher,
    stop: &AtomicBool,
) -> Result<Option<Evidence>, Error> {
    let mut tuning = Tuning::new(params, path, options, stop)?;
    let mut ranking: Vec<Candidate> = Vec::new();
    let mut rounds = 0;
    // 1. Play rounds as long as the budget allows another one.
    while rounds == 0 || tuning.spent + tuning.round_cost(STAY) <= params.budget {
        let known = tuning.all.len();
        let entrants = tuning.entrants(&ranking)?;
        // No new candidate was found: all choices have been tried.
        if rounds > 0 && tuning.all.len() == known {
            break;
        }
        rounds += 1;
        watcher.round(rounds, entrants.len(), tuning.spent);
        match tuning.round(entrants, watcher)? {
            Some(ranked) => ranking = ranked,
            None => return Ok(None),
        }
    }
    // 2. Compare the best candidate with the experiment, on seeds that were not used to judge candidates.
    let best = ranking[0].clone();
    let checked = match params.check.is_empty() || best.name == OWN {
        true => None,
        false => {
            watcher.check(&best.name, params.check.len());
            match tuning.check(&best, watcher)? {
                Some(checked) => Some(checked),
                None => return Ok(None),
            }
        }
    };
    let last = tuning.last.clone();
    let found = Found { rounds, spent: tuning.spent, tried: tuning.all.len(), last, checked, failed: tuning.failed };
    Ok(Some(Evidence::new(params, &best, found)))
}

/// A running tuning.
struct Tuning<'a> {
    params: &'a TuneParams,
    path: &'a Path,
    options: &'a WorkOptions,
    stop: &'a AtomicBool,
    generations: u64,
    /// All candidates so far.
    all: Vec<Candidate>,
    /// The names of the candidates that are also trained with the seeds of the check.
    checked: Vec<String>,
    /// The training so far, in whole runs.
    spent: f64,
    /// By member: the part of a whole run that is counted in `spent`.
    counted: BTreeMap<String, f64>,
    /// Runs that failed, and why.
    failed: BTreeMap<String, String>,
    /// The result of the last rung, the best candidate first.
    last: Vec<Ranked>,
}

impl<'a> Tuning<'a> {
    fn new(
        params: &'a TuneParams,
        path: &'a Path,
        options: &'a WorkOptions,
        stop: &'a AtomicBool,
    ) -> Result<Tuning<'a>, Error> {
        let generations = params.experiment.aim().unwrap_or(1);
        let mut tuning = Tuning {
            params,
            path,
            options,
            stop,
            generations,
            all: Vec::new(),
            checked: Vec::new(),
            spent: 0.0,
            counted: BTreeMap::new(),
            failed: BTreeMap::new(),
            last: Vec::new(),
        };
        let refuse = |what: String| Err(Error::refused(what));
        if !(params.budget.is_finite() && params.budget > 0.0) {
            return refuse(format!(
                "the budget is {}, but a number of whole runs above 0 belongs there",
                params.budget
            ));
        }
        let again = |place: usize| params.ranges[..place].iter().any(|range| range.key == params.ranges[place].key);
        if let Some(twice) = (0..params.ranges.len()).find(|&place| again(place)) {
            let what =
                format!("{} is to vary twice, but each parameter may be given only once", params.ranges[twice].key);
            return Err(Error::parameter("vary", what));
        }
        if params.ranges.is_empty() {
            return Err(Error::parameter("vary", "no parameter is to vary; give at least one"));
        }
        if params.candidates < PART {
            return refuse(format!(
                "the number of candidates is {}, but it must be at least {PART}",
                params.candidates
            ));
        }
        if params.judge == Judge::Games && params.games < 2 {
            return refuse(format!("the number of games is {}, but it must be at least 2", params.games));
        }
        if let Some(seed) = params.check.iter().find(|seed| params.seeds.contains(seed)) {
            let what = format!("the seed {seed} is also used to judge candidates, but the check needs other seeds");
            return Err(Error::parameter("check", what));
        }
        let cost = tuning.round_cost(0);
        if params.budget < cost {
            // Rounded up, so that the number in the message is enough.
            let least = (10.0 * cost - 1e-9).ceil() / 10.0;
            return Err(Error::parameter(
                "budget",
                format!(
                    "it is {}, but it must be at least {least} (one round of {} candidates with {} seeds)",
                    params.budget,
                    params.candidates,
                    params.seeds.len()
                ),
            ));
        }
        // The final matches of the last champion are not needed to judge candidates.
        let experiment = params.experiment.with_values(&[("record.final_games", 0.into())])?;
        let genes = params.ranges.iter().map(|range| range.gene_of(&experiment)).collect();
        let games = experiment.game_count();
        tuning.all.push(Candidate { name: OWN.to_string(), genes, experiment, games });
        // Refuse invalid bounds before anything is trained.
        for range in &params.ranges {
            range.checked(&params.experiment)?;
        }
        LabFolder::plan_growing(&tuning.lab(), path)?;
        Ok(tuning)
    }

    /// The largest cost of a round, in whole runs, if `trained` of its candidates have been trained in earlier rounds.
    /// These save only the first rung: the candidates that continue may all be new ones.
    fn round_cost(&self, trained: usize) -> f64 {
        let mut entrants = self.params.candidates;
        let (mut cost, mut before) = (-(trained as f64) / RUNGS[0] as f64, 0.0);
        for part in RUNGS {
            cost += entrants as f64 * (1.0 / part as f64 - before);
            before = 1.0 / part as f64;
            entrants = staying(entrants);
        }
        cost * self.params.seeds.len() as f64
    }

    /// The candidates of the next round. First round: the experiment's own parameters and random candidates. Later
    /// rounds: the best of the last round and their children.
    fn entrants(&mut self, ranking: &[Candidate]) -> Result<Vec<Candidate>, Error> {
        let mut entrants: Vec<Candidate> =
            if ranking.is_empty() { vec![self.all[0].clone()] } else { ranking[..STAY.min(ranking.len())].to_vec() };
        let parents = &ranking[..ranking.len().div_ceil(PART)];
        while entrants.len() < self.params.candidates {
            let Some(candidate) = self.born(parents)? else { break };
            entrants.push(candidate);
        }
        Ok(entrants)
    }

    /// Makes a valid candidate that was not tried yet: a random one, or a child of two of the parents. Returns `None`
    /// if none is found after many attempts.
    fn born(&mut self, parents: &[Candidate]) -> Result<Option<Candidate>, Error> {
        const TRIES: u64 = 1000;
        let number = self.all.len() as u64;
        let mut why = None;
        let mut fits = false;
        for attempt in 0..TRIES {
            let rng = &mut rng_for(self.params.seed, &[number, attempt]);
            let genes: Vec<f64> = match parents {
                [] => self.params.ranges.iter().map(|_| rng.unit()).collect(),
                _ => {
                    let [one, two] = [rng.below(parents.len()), rng.below(parents.len())];
                    let sure = rng.below(self.params.ranges.len());
                    let gene = |place: usize| {
                        let from = if rng.below(2) == 0 { one } else { two };
                        let gene = parents[from].genes[place];
                        let moves = place == sure || rng.unit() < MOVES;
                        if moves { self.params.ranges[place].moved(gene, STEP, rng) } else { gene }
                    };
                    (0..self.params.ranges.len()).map(gene).collect()
                }
            };
            let ranges = self.params.ranges.iter().zip(&genes);
            let values: Vec<_> = ranges.map(|(range, gene)| (&range.key, range.value(*gene))).collect();
            match self.all[0].experiment.with_values(&values) {
                Ok(experiment) if self.all.iter().any(|other| other.experiment.is_same(&experiment)) => fits = true,
                Ok(experiment) => {
                    let games = experiment.game_count();
                    let candidate = Candidate { name: format!("c{number}"), genes, experiment, games };
                    self.all.push(candidate.clone());
                    return Ok(Some(candidate));
                }
                Err(error) => why = Some(error.into()),
            }
        }
        if fits {
            return Ok(None);
        }
        Err(why.unwrap_or_else(|| Error::refused("no choice of values within these ranges is valid".to_string())))
    }

    /// Trains and judges candidates, rung after rung. Returns all candidates, the best first, or `None` if interrupted.
    fn round(
        &mut self,
        entrants: Vec<Candidate>,
        watcher: &mut dyn TuneWatcher,
    ) -> Result<Option<Vec<Candidate>>, Error> {
        let mut alive = entrants;
        let mut out: Vec<Candidate> = Vec::new();
        for part in RUNGS {
            watcher.rung(alive.len(), part);
            if !self.train(&alive, &self.params.seeds, part, watcher)? {
                return Ok(None);
            }
            let Some(merits) = self.judge(&alive, part)? else { return Ok(None) };
            let mut order: Vec<usize> = (0..alive.len()).collect();
            order.sort_by(|&one, &two| merits[two].total_cmp(&merits[one]).then(one.cmp(&two)));
            self.last = order.iter().map(|&place| Ranked::new(self.params, &alive[place], merits[place])).collect();
            let ranked: Vec<Candidate> = order.into_iter().map(|place| alive[place].clone()).collect();
            let stay = if part == 1 { ranked.len() } else { staying(ranked.len()) };
            // Candidates that drop out now rank below those that stay, and above those that dropped out before.
            out = ranked[stay..].iter().cloned().chain(out).collect();
            alive = ranked[..stay].to_vec();
        }
        alive.extend(out);
        Ok(Some(alive))
    }

    /// The merit of each candidate after 1/`part` of a whole run, from 0 to 1; `None` if interrupted.
    fn judge(&self, candidates: &[Candidate], part: u64) -> Result<Option<Vec<f64>>, Error> {
        let mut merits = vec![0.0; candidates.len()];
        for &seed in &self.params.seeds {
            let champions: Vec<Option<Champion>> =
                candidates.iter().map(|candidate| self.champion(candidate, seed, part)).collect();
            let share = 1.0 / self.params.seeds.len() as f64;
            match self.params.judge {
                Judge::Exam => {
                    let grades = champions.iter().map(|champion| champion.as_ref().and_then(|each| each.grade));
                    merits.iter_mut().zip(grades).for_each(|(merit, grade)| *merit += share * grade.unwrap_or(0.0));
                }
                Judge::Games => {
                    let Some(shares) = self.meet(&champions)? else { return Ok(None) };
                    merits.iter_mut().zip(shares).for_each(|(merit, points)| *merit += share * points);
                }
            }
        }
        Ok(Some(merits))
    }

    /// The champion of a candidate after 1/`part` of a whole run; `None` if its run failed.
    fn champion(&self, candidate: &Candidate, seed: u64, part: u64) -> Option<Champion> {
        if self.failed.contains_key(&member_name(&candidate.name, seed)) {
            return None;
        }
        let (last, run) = self.last_report(candidate, seed)?;
        let played = last.generation.min(self.generations_of(candidate, part));
        let grade = run.exam_until(played).ok()?.map(|exam| exam.grade());
        let game = run.info().ok()?.game;
        let player = PlayerSpec::run(run.path().display().to_string(), Some(played), SearchOptions::default());
        Some(Champion { player, grade, game })
    }

    /// The share of points of each champion in games against all others. A candidate without a champion gets 0; if
    /// there is only one champion, it gets 1.
    fn meet(&self, champions: &[Option<Champion>]) -> Result<Option<Vec<f64>>, Error> {
        let mut shares = vec![0.0; champions.len()];
        let present: Vec<usize> = (0..champions.len()).filter(|&place| champions[place].is_some()).collect();
        let of = |place: usize| champions[place].as_ref().expect("it is present");
        if present.len() < 2 {
            present.iter().for_each(|&place| shares[place] = 1.0);
            return Ok(Some(shares));
        }
        let players: Vec<PlayerSpec> = present.iter().map(|&place| of(place).player.clone()).collect();
        let context = Context::new(self.path, Path::new(""), &|_| ());
        let params = CrosstableParams {
            game: &of(present[0]).game,
            players: &players,
            games: self.params.games,
            plies: None,
            seed: self.params.seed,
            threads: Some(self.options.workers),
            context: &context,
        };
        let table = crosstable(&params, self.stop, &mut Unseen)?;
        if table.interrupted {
            return Ok(None);
        }
        present.iter().zip(table.shares(players.len())).for_each(|(&place, share)| shares[place] = share);
        Ok(Some(shares))
    }

    /// Compares the best candidate with the experiment's own parameters on other seeds; returns `None` if interrupted.
    fn check(&mut self, best: &Candidate, watcher: &mut dyn TuneWatcher) -> Result<Option<Checked>, Error> {
        let both = [best.clone(), self.all[0].clone()];
        self.checked = both.iter().map(|candidate| candidate.name.clone()).collect();
        let spent = self.spent;
        if !self.train(&both, &self.params.check, 1, watcher)? {
            return Ok(None);
        }
        // Checking is not a part of the budget.
        self.spent = spent;
        let mut checked = Checked::default();
        for &seed in &self.params.check {
            let champions = both.each_ref().map(|candidate| self.champion(candidate, seed, 1));
            // If one of the two runs failed, this seed is not compared.
            let [Some(one), Some(two)] = &champions else { continue };
            checked.seeds.push(seed);
            checked.best.extend(one.grade);
            checked.own.extend(two.grade);
            let Some(shares) = self.meet(&champions)? else { return Ok(None) };
            checked.points.push(shares[0]);
        }
        if checked.seeds.is_empty() {
            let why =
                self.failed.iter().next_back().map_or(String::new(), |(member, why)| format!(": {member}: {why}"));
            return Err(Error::refused(format!(
                "the best could not be checked, because its runs or the experiment's own failed{why}"
            )));
        }
        checked.compare();
        Ok(Some(checked))
    }
}

/// The number of candidates that continue to the next rung: at least two, because one alone cannot be compared.
fn staying(candidates: usize) -> usize {
    candidates.div_ceil(PART).max(2).min(candidates)
}

/// The champion of a candidate's run.
struct Champion {
    player: PlayerSpec,
    grade: Option<f64>,
    game: String,
}

/// A watcher that ignores the progress of games.
struct Unseen;

impl MatchWatcher for Unseen {
    fn begin(&mut self, _: usize) {}
    fn score(&mut self, _: usize, _: &arena::MatchScore) {}
}
