//! Measures how much stronger a run has become: rates champions of several generations on one Elo scale, and plays the
//! last champion against earlier champions and against yardsticks.

use crate::Error;
use crate::opponents::Opponents;
use arena::{Match, MatchScore, ratings};
use evolution::Network;
use games::{Game, GameVisitor, Setup as _};
use players::{Context, MatchParams, PlayerSpec, SearchOptions, play_match, stands_for};
use runs::{Final, MatchResult, RatedChampion, RatedYardstick, Ratings, RunFile, RunLock, check_one_name, run_path};
use serde::Serialize;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// What to measure.
pub struct GrowthParams<'a> {
    /// A run's name, or the path of its file.
    pub run: &'a str,
    /// The number of plies that champions look ahead; with `None` as many as in training.
    pub depth: Option<u32>,
    /// The number of games of each match; an odd number is rounded up.
    pub games: u32,
    /// The number of champions, spread evenly over the run.
    pub champions: usize,
    /// The yardsticks beside `random`; if it is empty, the usual ones for the game.
    pub yardsticks: &'a [String],
    /// The seed from which all random numbers are derived.
    pub seed: u64,
    /// The number of threads; `None` means one per core.
    pub threads: Option<usize>,
    /// The folders of runs and endgame tables.
    pub context: &'a Context<'a>,
}

/// The result of a measurement.
#[derive(Clone, Debug, Serialize)]
pub struct Growth {
    /// The strengths on one Elo scale.
    #[serde(flatten)]
    pub ratings: Ratings,
    /// The matches of the last champion.
    pub finals: Vec<Final>,
    /// The number of games played in all.
    pub games: u64,
    /// Why the strengths could not be saved in the run's file; `None` if they were saved.
    pub not_kept: Option<String>,
}

/// The player whose strength is 0 on the scale.
const ANCHOR: &str = "random";
/// The Monte Carlo player that the last champion plays against.
const MONTE_CARLO: &str = "mcts:500";

/// A player of the measurement.
#[derive(Clone, PartialEq)]
enum Member {
    Champion(u64),
    Yardstick(String),
}

/// What all matches of a run's champions have in common.
struct Field<'a> {
    /// The run's name, in the context's folder of runs.
    run: String,
    game: String,
    /// The number of random plies before each game.
    plies: usize,
    terms: Terms,
    context: Context<'a>,
    stop: &'a AtomicBool,
}

/// How matches are played.
#[derive(Clone, Copy)]
struct Terms {
    /// The number of plies that champions look ahead; with `None` as many as in training.
    depth: Option<u32>,
    games: u32,
    seed: u64,
    threads: Option<usize>,
}

impl<'a> Field<'a> {
    /// Prepares the matches of a run; also returns its last generation. Refuses a run without generations.
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
        // The folder is given apart from the name: it may contain characters that have a meaning in player names.
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

    /// The number of games of a match. It is even, because every opening is played with both colours.
    fn games_each(&self) -> u64 {
        u64::from(self.terms.games).next_multiple_of(2)
    }

    /// Plays one match; returns `None` if it was interrupted.
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
        let played = play_match(&params, self.stop, &mut |score| progress(score.games()))?;
        Ok((!played.interrupted).then_some(played.score))
    }

    /// Plays the last champion against each of its [`final_opponents`], of which some may be given; returns `None` if it
    /// was interrupted.
    fn finals(
        &self,
        run: &RunFile,
        last: u64,
        given: &[String],
        progress: &mut (dyn FnMut(u64) + Send),
    ) -> Result<Option<Vec<Final>>, Error> {
        let opponents = final_opponents(run, last, given)?;
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

/// The opponents of the last champion: `random`, Monte Carlo, those that are given, and the champions of a quarter and of
/// half of the run.
fn final_opponents(run: &RunFile, last: u64, given: &[String]) -> Result<Vec<Member>, Error> {
    let usual = [ANCHOR, MONTE_CARLO].map(str::to_string);
    let more = given.iter().filter(|player| !usual.contains(player)).cloned();
    let mut opponents: Vec<Member> = usual.iter().cloned().chain(more).map(Member::Yardstick).collect();
    let (_, champion) = run.champion(Some(last))?;
    for generation in earlier(last) {
        // Skip a champion that is the same network: it would play against itself.
        if run.champion(Some(generation))?.1 != champion {
            opponents.push(Member::Champion(generation));
        }
    }
    Ok(opponents)
}

/// Up to `count` different generations, spread evenly over a run, with the first and the last.
fn spread(last: u64, count: usize) -> Vec<u64> {
    let steps = count.max(2) as u64 - 1;
    let mut generations: Vec<u64> =
        (0..=steps).map(|step| (u128::from(last) * u128::from(step) / u128::from(steps)).max(1) as u64).collect();
    generations.dedup();
    generations
}

/// The generations at a quarter and at half of the run.
fn earlier(last: u64) -> Vec<u64> {
    let mut earlier = vec![last / 4, last / 2];
    earlier.retain(|generation| *generation > 0);
    earlier.dedup();
    earlier
}

/// Measures a run and saves the strengths in its file. Returns `None` if it was interrupted. `progress` receives the
/// number of games played and the number of all games.
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
        return Err(Error::refused(format!(
            "the number of champions is {}, but growth is measured between at least 2",
            params.champions
        )));
    }
    // 1. The members; equal champions are one member.
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
    // 2. The matches: yardsticks play everybody, champions play the two champions before them.
    let mut pairs: Vec<[usize; 2]> = Vec::new();
    for two in 1..members.len() {
        let near = two.saturating_sub(2).max(yardsticks.len());
        pairs.extend((0..yardsticks.len().min(two)).chain(near..two).map(|one| [two, one]));
    }
    members.iter().try_for_each(|member| field.spec(member).map(|_| ()))?;
    let each = field.games_each();
    let all = each * (pairs.len() + final_opponents(&run, last, &[])?.len()) as u64;
    // 3. Play these matches, then the final matches of the last champion.
    let mut matches = Vec::with_capacity(pairs.len());
    for (number, &[first, second]) in pairs.iter().enumerate() {
        let tell = &mut |games: u32| progress(each * number as u64 + u64::from(games), all);
        let Some(score) = field.play([&members[first], &members[second]], number, tell)? else { return Ok(None) };
        matches.push(Match { first, second, score });
    }
    let before = each * pairs.len() as u64;
    let Some(finals) = field.finals(&run, last, &[], &mut |games| progress(before + games, all))? else {
        return Ok(None);
    };
    // 4. Compute ratings on one scale.
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

/// Saves strengths in the run's file; fails if another process has locked it.
fn keep(path: &Path, ratings: &Ratings) -> Result<(), Error> {
    let _lock = RunLock::take(path)?;
    check_one_name(path)?;
    RunFile::open_to_write(path)?.set_ratings(ratings)
}

/// Plays the champion that a run stands for, with the search of its training, against its [`final_opponents`]; returns `None`
/// if it was interrupted.
pub(crate) fn finals(
    run: &RunFile,
    games: u32,
    threads: usize,
    opponents: &Opponents,
    stop: &AtomicBool,
    progress: &mut (dyn FnMut(u64, u64) + Send),
) -> Result<Option<Vec<Final>>, Error> {
    let context = Context { engines: Arc::clone(&opponents.engines), ..Context::nowhere() };
    let terms = Terms { depth: None, games, seed: run.info()?.seed, threads: Some(threads) };
    let (field, last) = Field::new(run, terms, &context, stop)?;
    let last = stands_for(run)?.unwrap_or(last);
    let given = &opponents.players;
    let all = field.games_each() * final_opponents(run, last, given)?.len() as u64;
    field.finals(run, last, given, &mut |done| progress(done, all))
}

fn name(member: &Member) -> String {
    match member {
        Member::Champion(generation) => format!("generation {generation}"),
        Member::Yardstick(player) => player.clone(),
    }
}

/// The usual yardsticks of a game, weaker ones first: material search if the game has pieces, and Monte Carlo.
fn usual_yardsticks(game: &str) -> Vec<String> {
    let pieces = HasPieces.in_game(game).is_ok_and(|has| has);
    let counting: &[&str] = if pieces { &["material:1", "material:4"] } else { &[] };
    counting.iter().chain(&["mcts:50", MONTE_CARLO]).map(|player| player.to_string()).collect()
}

/// Tells whether a game has pieces that `material` can count.
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
