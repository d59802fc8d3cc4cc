//! How much a run has grown: its champions through time on one scale of strength, and the last of them against those before
//! it and against players that learn nothing.

use crate::Error;
use arena::{Match, MatchScore, ratings};
use evolution::Network;
use games::{Game, GameVisitor, Setup as _};
use players::{Context, MatchParams, PlayerSpec, SearchOptions, play_match};
use runs::{Final, MatchResult, RatedChampion, RatedYardstick, Ratings, RunFile, RunLock, check_one_name, run_path};
use serde::Serialize;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// What is to be measured.
pub struct GrowthParams<'a> {
    /// A run's name, or the path of its file.
    pub run: &'a str,
    /// How many plies champions look ahead; as they were bred when not given.
    pub depth: Option<u32>,
    /// How many games each two play; an odd number is rounded up.
    pub games: u32,
    /// How many champions, spread evenly over the run.
    pub champions: usize,
    /// Players that learn nothing, beside `random`; the usual ones when none are given.
    pub yardsticks: &'a [String],
    /// Of all chance.
    pub seed: u64,
    /// How many threads share the games; all cores when not given.
    pub threads: Option<usize>,
    /// Where files are.
    pub context: &'a Context<'a>,
}

/// What was measured.
#[derive(Clone, Debug, Serialize)]
pub struct Growth {
    /// Strengths on one scale.
    #[serde(flatten)]
    pub ratings: Ratings,
    /// The last champion's matches.
    pub finals: Vec<Final>,
    /// Games played in all.
    pub games: u64,
    /// Why the strengths could not be kept in the run's file, if they could not.
    pub not_kept: Option<String>,
}

/// The anchor of the scale.
const ANCHOR: &str = "random";
/// Plain Monte Carlo, as the last champion meets it.
const MONTE_CARLO: &str = "mcts:500";

/// Who takes part.
#[derive(Clone, PartialEq)]
enum Member {
    Champion(u64),
    Yardstick(String),
}

/// Everything that the matches of a run's champions have in common.
struct Field<'a> {
    /// The run's name, in the home's folder of runs.
    run: String,
    game: String,
    /// Random plies before each game.
    plies: usize,
    terms: Terms,
    context: Context<'a>,
    stop: &'a AtomicBool,
}

/// How matches are played.
#[derive(Clone, Copy)]
struct Terms {
    /// How many plies champions look ahead; as they were bred when not given.
    depth: Option<u32>,
    games: u32,
    seed: u64,
    threads: Option<usize>,
}

impl<'a> Field<'a> {
    /// Opens the field for a run that has some generations; their number.
    fn new(
        run: &'a RunFile,
        terms: Terms,
        context: &Context<'a>,
        stop: &'a AtomicBool,
    ) -> Result<(Field<'a>, u64), Error> {
        let last = run.last_report()?.map_or(0, |report| report.generation);
        if last == 0 {
            let what = format!("the run `{}` has no champion yet: no generation has been played", run.name());
            return Err(Error::refused(what));
        }
        let info = run.info()?;
        let plies = info.experiment_file(run.path())?.measuring_plies();
        // Found again by folder and name, whatever characters the folder has.
        let folder = run.path().parent().unwrap_or(Path::new("."));
        let context = Context { runs: folder, ..context.clone() };
        Ok((Field { run: run.name(), game: info.game, plies, terms, context, stop }, last))
    }

    fn spec(&self, member: &Member) -> Result<PlayerSpec, Error> {
        match member {
            Member::Yardstick(player) => player.parse(),
            Member::Champion(generation) => {
                let search = SearchOptions { depth: self.terms.depth, ..SearchOptions::default() };
                Ok(PlayerSpec::run(&self.run, Some(*generation), search))
            }
        }
    }

    /// How many games a match has: every opening is played with both colours.
    fn games_each(&self) -> u64 {
        u64::from(self.terms.games).next_multiple_of(2)
    }

    /// Plays one match: nothing if it was interrupted.
    fn play(
        &self,
        [one, two]: [&Member; 2],
        number: usize,
        progress: &mut (dyn FnMut(u32) + Send),
    ) -> Result<Option<MatchScore>, Error> {
        let players = [self.spec(one)?, self.spec(two)?];
        let params = MatchParams {
            game: &self.game,
            players: [&players[0], &players[1]],
            games: self.terms.games,
            plies: self.plies,
            seed: self.terms.seed.wrapping_add(number as u64),
            setup: &[],
            threads: self.terms.threads,
            context: &self.context,
        };
        let (score, interrupted) = play_match(&params, self.stop, &mut |score| progress(score.games()))?;
        Ok((!interrupted).then_some(score))
    }

    /// The last champion against `random`, Monte Carlo, and the champions of a quarter and of half of the run, where these
    /// are others: nothing if it was interrupted.
    fn finals(
        &self,
        run: &RunFile,
        last: u64,
        progress: &mut (dyn FnMut(u64) + Send),
    ) -> Result<Option<Vec<Final>>, Error> {
        let opponents = final_opponents(run, last)?;
        let mut finals = Vec::with_capacity(opponents.len());
        for (number, opponent) in opponents.iter().enumerate() {
            let before = self.games_each() * number as u64;
            let tell = &mut |games: u32| progress(before + u64::from(games));
            let Some(score) = self.play([&Member::Champion(last), opponent], number, tell)? else { return Ok(None) };
            finals.push(Final { opponent: name(opponent), result: MatchResult::new(&score, false) });
        }
        Ok(Some(finals))
    }
}

/// Whom the last champion meets in the end.
fn final_opponents(run: &RunFile, last: u64) -> Result<Vec<Member>, Error> {
    let mut opponents = [ANCHOR, MONTE_CARLO].map(|player| Member::Yardstick(player.to_string())).to_vec();
    let (_, champion) = run.champion(Some(last))?;
    for generation in earlier(last) {
        // A champion that stayed would meet itself.
        if run.champion(Some(generation))?.1 != champion {
            opponents.push(Member::Champion(generation));
        }
    }
    Ok(opponents)
}

/// So many generations spread evenly over a run, the first and the last among them, none twice.
fn spread(last: u64, count: usize) -> Vec<u64> {
    let steps = count.max(2) as u64 - 1;
    let mut generations: Vec<u64> =
        (0..=steps).map(|step| (u128::from(last) * u128::from(step) / u128::from(steps)).max(1) as u64).collect();
    generations.dedup();
    generations
}

/// The champions of a quarter and of half of the run.
fn earlier(last: u64) -> Vec<u64> {
    let mut earlier = vec![last / 4, last / 2];
    earlier.retain(|generation| *generation > 0);
    earlier.dedup();
    earlier
}

/// Measures a run, and keeps the strengths found in its file. Nothing comes of it when it is interrupted. `progress` hears
/// how many of how many games have been played.
pub fn growth(
    params: &GrowthParams,
    stop: &AtomicBool,
    progress: &mut (dyn FnMut(u64, u64) + Send),
) -> Result<Option<Growth>, Error> {
    let path = run_path(params.context.runs, params.run)?;
    let run = RunFile::open(&path)?;
    let GrowthParams { depth, games, seed, threads, .. } = *params;
    let (field, last) = Field::new(&run, Terms { depth, games, seed, threads }, params.context, stop)?;
    if params.champions < 2 {
        return Err(Error::refused(format!("{} champions show no growth; it takes 2 or more", params.champions)));
    }
    // 1. Who takes part; champions that are the same network are one member.
    let mut yardsticks = vec![ANCHOR.to_string()];
    match params.yardsticks {
        [] => yardsticks.extend(usual_yardsticks(&field.game)),
        given => yardsticks.extend(given.iter().filter(|player| *player != ANCHOR).cloned()),
    }
    let mut members: Vec<Member> = yardsticks.iter().cloned().map(Member::Yardstick).collect();
    let mut networks: Vec<(Arc<Network>, usize)> = Vec::new();
    let mut places: Vec<(u64, usize)> = Vec::new();
    for generation in spread(last, params.champions) {
        let (_, network) = run.champion(Some(generation))?;
        let known = networks.iter().find(|(known, _)| *known == network).map(|(_, place)| *place);
        let place = known.unwrap_or_else(|| {
            members.push(Member::Champion(generation));
            networks.push((network, members.len() - 1));
            members.len() - 1
        });
        places.push((generation, place));
    }
    // 2. Who meets whom: yardsticks everybody, champions the two before them.
    let mut pairs: Vec<[usize; 2]> = Vec::new();
    for two in 1..members.len() {
        let near = two.saturating_sub(2).max(yardsticks.len());
        pairs.extend((0..yardsticks.len().min(two)).chain(near..two).map(|one| [two, one]));
    }
    members.iter().try_for_each(|member| field.spec(member).map(|_| ()))?;
    let each = field.games_each();
    let all = each * (pairs.len() + final_opponents(&run, last)?.len()) as u64;
    // 3. Their matches, then those of the last champion.
    let mut matches = Vec::with_capacity(pairs.len());
    for (number, &[first, second]) in pairs.iter().enumerate() {
        let tell = &mut |games: u32| progress(each * number as u64 + u64::from(games), all);
        let Some(score) = field.play([&members[first], &members[second]], number, tell)? else { return Ok(None) };
        matches.push(Match { first, second, score });
    }
    let before = each * pairs.len() as u64;
    let Some(finals) = field.finals(&run, last, &mut |games| progress(before + games, all))? else { return Ok(None) };
    // 4. One scale for all.
    let rated = ratings(members.len(), 0, &matches);
    let champion = |(generation, place)| RatedChampion { generation, rating: rated[place] };
    let yardstick = |(player, &rating)| RatedYardstick { player, rating };
    let ratings = Ratings {
        champions: places.into_iter().map(champion).collect(),
        yardsticks: yardsticks.into_iter().zip(&rated).map(yardstick).collect(),
        depth,
        games_each: each as u32,
    };
    let not_kept = keep(&path, &ratings).err().map(|error| error.to_string());
    Ok(Some(Growth { ratings, finals, games: all, not_kept }))
}

/// Keeps strengths in the run's file, unless somebody is writing there.
fn keep(path: &Path, ratings: &Ratings) -> Result<(), Error> {
    let _lock = RunLock::take(path)?;
    check_one_name(path)?;
    RunFile::open_to_write(path)?.set_ratings(ratings)
}

/// The last champion of a run, as it was bred, against `random`, Monte Carlo, and the champions of a quarter and of
/// half-way; nothing if it is interrupted.
pub(crate) fn finals(
    run: &RunFile,
    games: u32,
    threads: usize,
    stop: &AtomicBool,
    progress: &mut (dyn FnMut(u64, u64) + Send),
) -> Result<Option<Vec<Final>>, Error> {
    let context = Context::nowhere();
    let terms = Terms { depth: None, games, seed: run.info()?.seed, threads: Some(threads) };
    let (field, last) = Field::new(run, terms, &context, stop)?;
    let all = field.games_each() * final_opponents(run, last)?.len() as u64;
    field.finals(run, last, &mut |done| progress(done, all))
}

fn name(member: &Member) -> String {
    match member {
        Member::Champion(generation) => format!("generation {generation}"),
        Member::Yardstick(player) => player.clone(),
    }
}

/// Players that learn nothing, weaker ones first: whoever counts pieces, where there are some, and Monte Carlo.
fn usual_yardsticks(game: &str) -> Vec<String> {
    let pieces = HasPieces.in_game(game).is_ok_and(|has| has);
    let counting: &[&str] = if pieces { &["material:1", "material:4"] } else { &[] };
    counting.iter().chain(&["mcts:50", MONTE_CARLO]).map(|player| player.to_string()).collect()
}

pub(crate) struct HasPieces;

games::by_name!(HasPieces);

impl GameVisitor for HasPieces {
    type Output = bool;

    fn visit<G: Game>(self) -> bool {
        G::start(&G::Setup::usual(), &mut chance::rng_for(0, &[])).material().is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn champions_are_spread_over_the_run() {
        assert_eq!(spread(800, 9), [1, 100, 200, 300, 400, 500, 600, 700, 800]);
        assert_eq!(spread(3, 9), [1, 2, 3]);
        assert_eq!(spread(1, 2), [1]);
        assert_eq!(spread(u64::MAX, 2), [1, u64::MAX]);
        assert_eq!((earlier(500), earlier(3), earlier(1)), (vec![125, 250], vec![1], vec![]));
    }

    #[test]
    fn yardsticks_fit_the_game() {
        assert_eq!(usual_yardsticks("nim"), ["mcts:50", "mcts:500"]);
        assert_eq!(usual_yardsticks("draughts"), ["material:1", "material:4", "mcts:50", "mcts:500"]);
    }
}
