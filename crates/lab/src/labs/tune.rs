//! Evolving the evolution's own parameters: settings of an experiment are a population, judged by what they breed.
//!
//! A round trains all candidates for a ninth of a whole run, the better third of them for a third, and the best of those,
//! two at least, to the end (successive halving). A whole run is as many games as the experiment's own: settings with larger
//! populations have fewer generations. Who is better is told by games between the champions that they bred, or, if
//! asked for by name, by the exam. The best are the parents of the next round's candidates.

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
    /// The experiment; its own settings are the first candidate.
    pub experiment: ExperimentFile,
    /// What may vary, and between which bounds.
    pub ranges: Vec<Range>,
    /// As much training as so many whole runs may be spent.
    pub budget: f64,
    /// How many candidates a round has.
    pub candidates: usize,
    /// The seeds by which candidates are judged.
    pub seeds: Vec<u64>,
    /// Other seeds, by which the best is compared with the experiment's own settings in the end; none compare nothing.
    pub check: Vec<u64>,
    /// How candidates are judged.
    pub judge: Judge,
    /// Games between each two champions.
    pub games: u32,
    /// Of all chance in choosing candidates.
    pub seed: u64,
}

/// How candidates are judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judge {
    /// By games between the champions that they bred.
    Games,
    /// By the grade of their champions.
    Exam,
}

/// Watches a tuning; each rung of a round is watched like a lab.
pub trait TuneWatcher {
    /// A round begins, with so many candidates; so much of the budget is spent.
    fn round(&mut self, round: usize, candidates: usize, spent: f64);
    /// So many candidates are trained for a part of a whole run: a third, or a ninth.
    fn rung(&mut self, candidates: usize, part: u64);
    /// This one is compared with the experiment's own settings, on so many other seeds.
    fn check(&mut self, candidate: &str, seeds: usize);
    /// Who watches the training itself.
    fn training(&mut self, folder: &LabFolder) -> Box<dyn LabWatcher>;
}

/// Settings of the experiment, as one of the population.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub name: String,
    /// Where each value lies in its range, from 0 to 1.
    pub genes: Vec<f64>,
    pub experiment: ExperimentFile,
    pub games: GameCount,
}

/// The experiment's own settings.
const OWN: &str = "own";
/// Of those that are trained, this part goes on.
const PART: usize = 3;
/// Rungs of a round: these parts of a whole run's games.
const RUNGS: [u64; 3] = [9, 3, 1];
/// So many of the best enter the next round again.
const STAY: usize = 2;
/// How far a gene moves, and how often.
const STEP: f64 = 0.15;
const MOVES: f64 = 0.5;

/// Tunes an experiment in this folder. What is there already of the same tuning is used, so that the same call goes on
/// where it was interrupted; nothing comes back when it is interrupted again.
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
    // 1. Rounds, as long as the budget lasts.
    while rounds == 0 || tuning.spent + tuning.round_cost(STAY) <= params.budget {
        let known = tuning.all.len();
        let entrants = tuning.entrants(&ranking)?;
        // Where all settings have been tried, there is nothing more to find.
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
    // 2. The best against the experiment's own settings, on seeds that nobody was judged by.
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

/// A tuning under way.
struct Tuning<'a> {
    params: &'a TuneParams,
    path: &'a Path,
    options: &'a WorkOptions,
    stop: &'a AtomicBool,
    generations: u64,
    /// Every candidate that ever was.
    all: Vec<Candidate>,
    /// Who is also run with the seeds of the check.
    checked: Vec<String>,
    /// Training so far, in whole runs, and what part of each run is counted in it.
    spent: f64,
    counted: BTreeMap<String, f64>,
    /// Runs that failed, and why.
    failed: BTreeMap<String, String>,
    /// How the last rung of the last round came out, the best first.
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
            let what = format!("{} is to vary twice; give it once", params.ranges[twice].key);
            return Err(Error::parameter("vary", what));
        }
        if params.ranges.is_empty() {
            return Err(Error::parameter("vary", "nothing may vary; at least one parameter must"));
        }
        if params.candidates < PART {
            return refuse(format!("{} candidates are too few; it must be at least {PART}", params.candidates));
        }
        if params.judge == Judge::Games && params.games < 2 {
            return refuse("games are played in pairs; at least 2 would be right".to_string());
        }
        if let Some(seed) = params.check.iter().find(|seed| params.seeds.contains(seed)) {
            let what = format!("the seed {seed} is also among those that judge candidates, but checking needs others");
            return Err(Error::parameter("check", what));
        }
        let cost = tuning.round_cost(0);
        if params.budget < cost {
            return refuse(format!(
                "a budget of {} whole runs does not last for one round, which takes {cost:.1}; fewer candidates or seeds, or more of it would be right",
                params.budget
            ));
        }
        // The last champion's matches are no part of the judgement.
        let experiment = params.experiment.with_values(&[("record.final_games", 0.into())])?;
        let genes = params.ranges.iter().map(|range| range.gene_of(&experiment)).collect();
        let games = experiment.game_count();
        tuning.all.push(Candidate { name: OWN.to_string(), genes, experiment, games });
        // Bounds that can never be are told before anything is trained.
        for range in &params.ranges {
            range.checked(&params.experiment)?;
        }
        LabFolder::plan_growing(&tuning.lab(), path)?;
        Ok(tuning)
    }

    /// What a round costs at most, in whole runs, if so many of its candidates have been trained before: those who go on may
    /// all be others.
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

    /// The candidates of the next round: the experiment's own settings and chance at first; then the best of the last
    /// round and their children.
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

    /// A candidate whose settings go together and were not tried yet: any, or a child of two of these; none where there seems
    /// to be none.
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
        Err(why.unwrap_or_else(|| Error::refused("no settings within these ranges go together".to_string())))
    }

    /// Rung after rung; all candidates, the best first. Nothing when it is interrupted.
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
            // Whoever drops out here is worse than all who stay, and better than who dropped out before.
            out = ranked[stay..].iter().cloned().chain(out).collect();
            alive = ranked[..stay].to_vec();
        }
        alive.extend(out);
        Ok(Some(alive))
    }

    /// How good candidates are after a part of a whole run, from 0 to 1; nothing when it is interrupted.
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

    /// The champion that a candidate has bred in a part of a whole run; none where its run failed.
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

    /// The share of points of each champion against all others; who has none wins nothing, and who is alone everything.
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

    /// The best against the experiment's own settings, on other seeds; nothing when it is interrupted.
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
            // Where one of them failed there is nothing to compare.
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
                "the best could not be checked, as its runs or the experiment's own failed{why}"
            )));
        }
        checked.compare();
        Ok(Some(checked))
    }
}

/// How many of so many go on: two at least, as one alone cannot be compared.
fn staying(candidates: usize) -> usize {
    candidates.div_ceil(PART).max(2).min(candidates)
}

/// A champion that a candidate has bred.
struct Champion {
    player: PlayerSpec,
    grade: Option<f64>,
    game: String,
}

/// Nobody watches the games.
struct Unseen;

impl MatchWatcher for Unseen {
    fn begin(&mut self, _: usize) {}
    fn score(&mut self, _: usize, _: &arena::MatchScore) {}
}
