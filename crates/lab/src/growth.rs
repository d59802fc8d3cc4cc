//! How much a run has grown: its champions through time on one scale of strength, and the last of them against those before
//! it and against players that learn nothing.

use crate::Error;
use crate::contest::{Contest, ContestParams, play_contest};
use crate::home::Home;
use crate::lock::RunLock;
use crate::player_spec::{PlayerSpec, SearchOptions};
use crate::run_file::RunFile;
use crate::runs::run_path;
use arena::{Match, MatchScore, Rating, ratings};
use games::{Game, GameVisitor, Setup as _};
use serde::Serialize;
use std::path::Path;
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
    pub home: &'a Home<'a>,
}

/// What was measured.
#[derive(Clone, Debug, Serialize)]
pub struct Growth {
    /// Champions through time.
    pub champions: Vec<RatedChampion>,
    /// Players that learn nothing, `random` first.
    pub yardsticks: Vec<RatedYardstick>,
    /// The last champion's matches.
    pub finals: Vec<Final>,
    /// Games played.
    pub games: u64,
    /// Whether it is kept in the run's file; it is not while somebody else trains the run.
    pub kept: bool,
}

/// Strength on Elo's scale, `random` at 0, with its 95 % interval; where there is no bound, nothing.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Strength {
    /// The most likely.
    pub elo: Option<f64>,
    /// The lower end.
    pub elo_low: Option<f64>,
    /// The upper end.
    pub elo_high: Option<f64>,
}

/// A champion's strength.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RatedChampion {
    /// Of which generation.
    pub generation: u64,
    /// How strong.
    #[serde(flatten)]
    pub strength: Strength,
}

/// The strength of a player that learns nothing.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RatedYardstick {
    /// The player.
    pub player: String,
    /// How strong.
    #[serde(flatten)]
    pub strength: Strength,
}

/// A match of the last champion.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Final {
    /// Against whom: a player, or an earlier generation's champion.
    pub opponent: String,
    /// How it came out for the last champion.
    #[serde(flatten)]
    pub contest: Contest,
}

/// The anchor of the scale.
const ANCHOR: &str = "random";
/// Plain Monte Carlo, as the last champion meets it.
pub(crate) const MONTE_CARLO: &str = "mcts:500";
/// Random plies before each game: players who leave nothing to chance would play the same game over and over.
const PLIES: usize = 4;

/// Who takes part.
#[derive(Clone, PartialEq)]
enum Member {
    Champion(u64),
    Yardstick(String),
}

/// A field of players and the matches between them.
struct Field<'a> {
    run: &'a str,
    game: String,
    depth: Option<u32>,
    games: u32,
    seed: u64,
    threads: Option<usize>,
    home: &'a Home<'a>,
}

impl Field<'_> {
    fn spec(&self, member: &Member) -> Result<PlayerSpec, Error> {
        match member {
            Member::Yardstick(player) => player.parse(),
            Member::Champion(generation) => {
                let search = SearchOptions { depth: self.depth, ..SearchOptions::default() };
                Ok(PlayerSpec::Run { run: self.run.to_string(), generation: Some(*generation), search })
            }
        }
    }

    /// Plays one match: nothing if it was interrupted.
    fn play(
        &self,
        [one, two]: [&Member; 2],
        number: u64,
        stop: &AtomicBool,
        progress: &mut (dyn FnMut(u32) + Send),
    ) -> Result<Option<MatchScore>, Error> {
        let players = [self.spec(one)?, self.spec(two)?];
        let params = ContestParams {
            game: &self.game,
            players: [&players[0], &players[1]],
            games: self.games,
            plies: PLIES,
            seed: self.seed.wrapping_add(number),
            setup: &[],
            threads: self.threads,
            home: self.home,
        };
        let (score, interrupted) = play_contest(&params, stop, progress)?;
        Ok((!interrupted).then_some(score))
    }
}

/// How many generations a run has, which must be some, and its game.
fn length(run: &RunFile) -> Result<(u64, String), Error> {
    let last = run.last_report()?.map_or(0, |report| report.generation);
    match last {
        0 => {
            Err(Error::Refused(format!("the run `{}` has no champion yet: no generation has been played", run.name())))
        }
        _ => Ok((last, run.info()?.game)),
    }
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

/// Measures a run, and keeps what was found in its file. Nothing comes of it when it is interrupted. `progress` hears how
/// many of how many games have been played.
pub fn growth(
    params: &GrowthParams,
    stop: &AtomicBool,
    progress: &mut (dyn FnMut(u64, u64) + Send),
) -> Result<Option<Growth>, Error> {
    let path = run_path(params.home.runs, params.run)?;
    let run = RunFile::open(&path)?;
    let (last, game) = length(&run)?;
    if params.champions < 2 {
        return Err(Error::Refused(format!("{} champions show no growth; it takes 2 or more", params.champions)));
    }
    // 1. Who meets whom.
    let mut yardsticks = vec![ANCHOR.to_string()];
    match params.yardsticks {
        [] => yardsticks.extend(usual_yardsticks(&game)),
        given => yardsticks.extend(given.iter().filter(|player| *player != ANCHOR).cloned()),
    }
    let generations = spread(last, params.champions);
    let mut members: Vec<Member> = yardsticks.iter().cloned().map(Member::Yardstick).collect();
    members.extend(generations.iter().copied().map(Member::Champion));
    let mut pairs: Vec<[usize; 2]> = Vec::new();
    for two in 1..members.len() {
        // Yardsticks meet everybody; champions those before them that they can learn something from.
        let near = two.saturating_sub(2).max(yardsticks.len());
        pairs.extend((0..yardsticks.len().min(two)).chain(near..two).map(|one| [two, one]));
    }
    let field = Field {
        run: path.to_str().unwrap_or(params.run),
        game,
        depth: params.depth,
        games: params.games,
        seed: params.seed,
        threads: params.threads,
        home: params.home,
    };
    members.iter().try_for_each(|member| field.spec(member).map(|_| ()))?;
    // 2. Their matches, and the last champion's against those of a quarter and of half-way.
    let mut finals = vec![Member::Yardstick(ANCHOR.to_string())];
    finals.extend(yardsticks.iter().filter(|player| *player == MONTE_CARLO).cloned().map(Member::Yardstick));
    finals.extend(earlier(last).into_iter().map(Member::Champion));
    let each = u64::from(params.games).next_multiple_of(2);
    let all = each * (pairs.len() + finals.len()) as u64;
    let mut done = 0;
    let mut play = |members: [&Member; 2], number: usize| {
        let score = field.play(members, number as u64, stop, &mut |games| progress(done + u64::from(games), all))?;
        done += each;
        Ok::<_, Error>(score)
    };
    let mut matches = Vec::with_capacity(pairs.len());
    for (number, &[first, second]) in pairs.iter().enumerate() {
        let Some(score) = play([&members[first], &members[second]], number)? else { return Ok(None) };
        matches.push(Match { first, second, score });
    }
    let mut played = Vec::with_capacity(finals.len());
    for (number, opponent) in finals.iter().enumerate() {
        let Some(score) = play([&Member::Champion(last), opponent], pairs.len() + number)? else { return Ok(None) };
        played.push(Final { opponent: name(opponent), contest: Contest::new(&score, false) });
    }
    // 3. One scale for all.
    let strengths: Vec<Strength> = ratings(members.len(), 0, &matches).into_iter().map(Strength::from).collect();
    let (of_yardsticks, of_champions) = strengths.split_at(yardsticks.len());
    let champion = |(&generation, &strength)| RatedChampion { generation, strength };
    let yardstick = |(player, &strength)| RatedYardstick { player, strength };
    let mut growth = Growth {
        champions: generations.iter().zip(of_champions).map(champion).collect(),
        yardsticks: yardsticks.into_iter().zip(of_yardsticks).map(yardstick).collect(),
        finals: played,
        games: all,
        kept: false,
    };
    growth.kept = keep(&path, &growth)?;
    Ok(Some(growth))
}

/// Keeps what was measured in the run's file, unless somebody is writing there.
fn keep(path: &Path, growth: &Growth) -> Result<bool, Error> {
    let _lock = match RunLock::take(path) {
        Ok(lock) => lock,
        Err(Error::Busy { .. }) => return Ok(false),
        Err(error) => return Err(error),
    };
    let mut run = RunFile::open_to_write(path)?;
    run.set_finals(&growth.finals)?;
    run.set_ratings(&growth.champions, &growth.yardsticks)?;
    Ok(true)
}

/// The last champion of a run, as it was bred, against `random`, Monte Carlo, and the champions of a quarter and of
/// half-way; nothing if it is interrupted.
pub(crate) fn finals(
    run: &RunFile,
    games: u32,
    threads: Option<usize>,
    stop: &AtomicBool,
    progress: &mut (dyn FnMut(u64, u64) + Send),
) -> Result<Option<Vec<Final>>, Error> {
    let (last, game) = length(run)?;
    let home = Home { runs: Path::new(""), tables: Path::new(""), tell: &|_| () };
    let seed = run.info()?.seed;
    let path = run.path().to_string_lossy();
    let field = Field { run: &path, game, depth: None, games, seed, threads, home: &home };
    let mut opponents = [ANCHOR, MONTE_CARLO].map(|player| Member::Yardstick(player.to_string())).to_vec();
    opponents.extend(earlier(last).into_iter().map(Member::Champion));
    let each = u64::from(games).next_multiple_of(2);
    let all = each * opponents.len() as u64;
    let mut finals = Vec::with_capacity(opponents.len());
    for (number, opponent) in opponents.iter().enumerate() {
        let mut tell = |games: u32| progress(each * number as u64 + u64::from(games), all);
        let Some(score) = field.play([&Member::Champion(last), opponent], number as u64, stop, &mut tell)? else {
            return Ok(None);
        };
        finals.push(Final { opponent: name(opponent), contest: Contest::new(&score, false) });
    }
    Ok(Some(finals))
}

fn name(member: &Member) -> String {
    match member {
        Member::Champion(generation) => format!("generation {generation}"),
        Member::Yardstick(player) => player.clone(),
    }
}

impl From<Rating> for Strength {
    fn from(rating: Rating) -> Strength {
        Strength { elo: rating.elo, elo_low: rating.low, elo_high: rating.high }
    }
}

/// Players that learn nothing, weaker ones first: whoever counts pieces, where there are some, and Monte Carlo.
fn usual_yardsticks(game: &str) -> Vec<String> {
    struct HasPieces;
    impl GameVisitor for HasPieces {
        type Output = bool;
        fn visit<G: Game>(self) -> bool {
            G::start(&G::Setup::usual(), &mut chance::rng_for(0, &[])).material().is_some()
        }
    }
    let pieces = games::with_game(game, HasPieces) == Some(true);
    let counting: &[&str] = if pieces { &["material:1", "material:4"] } else { &[] };
    counting.iter().chain(&["mcts:50", MONTE_CARLO]).map(|player| player.to_string()).collect()
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
