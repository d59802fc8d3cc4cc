//! A match between two players: many games, every opening with both colours.

use crate::Error;
use crate::home::Home;
use crate::player_spec::{FoundPlayer, PlayerSpec, Seated, check_game, setup_for};
use arena::{Course, MatchScore, Starts, opening, play_game};
use chance::rng_for;
use games::{Game, GameVisitor, Outcome};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// How a match came out, for its first player.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Contest {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
    /// Share of the points, from 0 to 1.
    pub score: f64,
    /// The difference in Elo's points; none at 0 or 100 %.
    pub elo: Option<f64>,
    /// The lower end of its 95 % interval.
    pub elo_low: Option<f64>,
    /// The upper end.
    pub elo_high: Option<f64>,
    /// Games played.
    pub games: u32,
    /// Whether it was broken off.
    #[serde(skip)]
    pub interrupted: bool,
}

/// A match to be played.
pub struct ContestParams<'a> {
    /// The game's name.
    pub game: &'a str,
    /// The two players.
    pub players: [&'a PlayerSpec; 2],
    /// How many games; an odd number is rounded up.
    pub games: u32,
    /// Plies drawn at random at the beginning of each.
    pub plies: usize,
    /// Of all chance.
    pub seed: u64,
    /// Overrides of the setup, `KEY=VALUE`.
    pub setup: &'a [String],
    /// How many threads share the games; all cores when not given. What comes of it does not depend on it.
    pub threads: Option<usize>,
    /// Where files are.
    pub home: &'a Home<'a>,
}

/// Longer games are broken off as drawn.
const MOST_PLIES: usize = 100_000;

impl Contest {
    /// What such a score says.
    pub(crate) fn new(score: &MatchScore, interrupted: bool) -> Contest {
        let rating = score.rating();
        Contest {
            wins: score.wins,
            draws: score.draws,
            losses: score.losses,
            score: score.share(),
            elo: rating.elo,
            elo_low: rating.low,
            elo_high: rating.high,
            games: score.games(),
            interrupted,
        }
    }
}

/// Plays a match; `progress` hears of every pair of games.
pub fn contest(
    params: &ContestParams,
    stop: &AtomicBool,
    progress: &mut (dyn FnMut(u32) + Send),
) -> Result<Contest, Error> {
    let (score, interrupted) = play_contest(params, stop, progress)?;
    Ok(Contest::new(&score, interrupted))
}

/// The same, told by pairs of games, and whether it was broken off.
pub(crate) fn play_contest(
    params: &ContestParams,
    stop: &AtomicBool,
    progress: &mut (dyn FnMut(u32) + Send),
) -> Result<(MatchScore, bool), Error> {
    let runs = params.home.runs;
    let found = [params.players[0].find(runs)?, params.players[1].find(runs)?];
    check_game(params.game, &[&found[0], &found[1]])?;
    let visitor = Visitor { params, found: &found, stop, progress };
    games::with_game(params.game, visitor).ok_or_else(|| Error::unknown("game", params.game, games::names()))?
}

struct Visitor<'a> {
    params: &'a ContestParams<'a>,
    found: &'a [FoundPlayer; 2],
    stop: &'a AtomicBool,
    progress: &'a mut (dyn FnMut(u32) + Send),
}

impl GameVisitor for Visitor<'_> {
    type Output = Result<(MatchScore, bool), Error>;

    fn visit<G: Game>(self) -> Result<(MatchScore, bool), Error> {
        let Visitor { params, found: [one, two], stop, progress } = self;
        let setup = setup_for::<G>(&[one, two], params.setup)?;
        // Once here, so that whoever cannot play is told of before anybody does.
        let seat = || -> Result<[Seated<G>; 2], Error> {
            Ok([one.seat(&setup, params.home)?, two.seat(&setup, params.home)?])
        };
        let starts = Starts::<G>::new(&setup);
        seat()?.iter().try_for_each(|seated| seated.fits_starts(&starts))?;
        let most = (G::draw_rules(&setup).most_plies as usize).min(MOST_PLIES);
        if params.plies >= most {
            return Err(Error::Refused(format!("--plies is {}, but a game has {most} at most", params.plies)));
        }
        let played = Mutex::new((0, progress));
        // What a game leaves to chance comes from its own number, never from how long others took.
        let play_pair = |seats: &mut [Seated<G>; 2], pair: u32| -> Option<[Outcome; 2]> {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            let rng_of = |part: u64| rng_for(params.seed, &[u64::from(pair), part]);
            let rng = &mut rng_of(0);
            // The opening's plies count, like all others.
            let start = opening(&Course::new(starts.draw(rng), &setup, 0), params.plies, rng);
            let [one, two] = seats;
            let (one, two) = (&mut *one.player, &mut *two.player);
            let one_first = play_game(&start, [&mut *one, &mut *two], MOST_PLIES, &mut rng_of(1));
            let two_first = play_game(&start, [two, one], MOST_PLIES, &mut rng_of(2));
            let (games, progress) = &mut *played.lock().expect("nobody fails while counting");
            *games += 2;
            progress(*games);
            Some([one_first.ending.outcome(), two_first.ending.outcome()])
        };
        let pairs = 0..params.games.div_ceil(2);
        let seats = || seat().expect("they could be seated before");
        let outcomes: Vec<Option<[Outcome; 2]>> = match crew(params.threads) {
            Some(crew) => crew.install(|| pairs.into_par_iter().with_max_len(8).map_init(seats, play_pair).collect()),
            None => {
                let mut seats = seats();
                pairs.map(|pair| play_pair(&mut seats, pair)).collect()
            }
        };
        let interrupted = outcomes.contains(&None);
        let mut score = MatchScore::default();
        outcomes.into_iter().flatten().for_each(|pair| score.add_pair(pair));
        Ok((score, interrupted))
    }
}

/// Helpers, where more than one thread is wanted and can be had.
fn crew(threads: Option<usize>) -> Option<rayon::ThreadPool> {
    let threads = threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, |cores| cores.get()));
    (threads > 1).then(|| rayon::ThreadPoolBuilder::new().num_threads(threads).build()).and_then(Result::ok)
}
