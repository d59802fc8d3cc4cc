//! A match between two players: many games, every opening with both colours.

use crate::Error;
use crate::home::Home;
use crate::player_spec::{FoundPlayer, PlayerSpec, Seated, check_game, setup_for};
use arena::{Course, MatchScore, Starts, opening, play_game};
use chance::rng_for;
use games::{Game, GameVisitor};
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

/// Plays a match; `progress` hears the score after every pair of games.
pub fn contest(
    params: &ContestParams,
    stop: &AtomicBool,
    progress: &mut (dyn FnMut(&MatchScore) + Send),
) -> Result<Contest, Error> {
    let (score, interrupted) = play_contest(params, stop, progress)?;
    Ok(Contest::new(&score, interrupted))
}

/// The same, told by pairs of games, and whether it was broken off.
pub(crate) fn play_contest(
    params: &ContestParams,
    stop: &AtomicBool,
    progress: &mut (dyn FnMut(&MatchScore) + Send),
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
    progress: &'a mut (dyn FnMut(&MatchScore) + Send),
}

impl GameVisitor for Visitor<'_> {
    type Output = Result<(MatchScore, bool), Error>;

    fn visit<G: Game>(self) -> Result<(MatchScore, bool), Error> {
        let Visitor { params, found: [one, two], stop, progress } = self;
        let setup = setup_for::<G>(&[one, two], params.setup)?;
        let &ContestParams { games, plies, seed, threads, home, .. } = params;
        let terms = Terms { games, plies, seed, threads, home, stop };
        check_seats::<G>(&setup, &[one, two], plies, home)?;
        Ok(play_match::<G>(&setup, [one, two], &terms, progress))
    }
}

/// How matches are played.
#[derive(Clone, Copy)]
pub(crate) struct Terms<'a> {
    pub games: u32,
    pub plies: usize,
    pub seed: u64,
    pub threads: Option<usize>,
    pub home: &'a Home<'a>,
    pub stop: &'a AtomicBool,
}

/// Whether everybody can play, and so many random plies leave a game, so that this is told before anybody plays.
pub(crate) fn check_seats<G: Game>(
    setup: &G::Setup,
    found: &[&FoundPlayer],
    plies: usize,
    home: &Home,
) -> Result<(), Error> {
    let starts = Starts::<G>::new(setup);
    for player in found {
        player.seat::<G>(setup, home)?.fits_starts(&starts)?;
    }
    let most = (G::draw_rules(setup).most_plies as usize).min(MOST_PLIES);
    if plies >= most {
        return Err(Error::Refused(format!("--plies is {plies}, but a game has {most} at most")));
    }
    Ok(())
}

/// Plays a match between two who can be seated; its score, and whether it was broken off.
pub(crate) fn play_match<G: Game>(
    setup: &G::Setup,
    [one, two]: [&FoundPlayer; 2],
    terms: &Terms,
    progress: &mut (dyn FnMut(&MatchScore) + Send),
) -> (MatchScore, bool) {
    let starts = Starts::<G>::new(setup);
    let played = Mutex::new((MatchScore::default(), progress));
    // A game in which somebody was told to stop thinking says nothing.
    let halted = || terms.home.is_halted();
    // What a game leaves to chance comes from its own number, never from how long others took. Whether it was played.
    let play_pair = |seats: &mut [Seated<G>; 2], pair: u32| -> bool {
        if terms.stop.load(Ordering::Relaxed) {
            return false;
        }
        let rng_of = |part: u64| rng_for(terms.seed, &[u64::from(pair), part]);
        let rng = &mut rng_of(0);
        // The opening's plies count, like all others.
        let start = opening(&Course::new(starts.draw(rng), setup, 0), terms.plies, rng);
        let [one, two] = seats;
        let (one, two) = (&mut *one.player, &mut *two.player);
        let one_first = play_game(&start, [&mut *one, &mut *two], MOST_PLIES, &mut rng_of(1));
        if halted() {
            return false;
        }
        let two_first = play_game(&start, [two, one], MOST_PLIES, &mut rng_of(2));
        if halted() {
            return false;
        }
        let (score, progress) = &mut *played.lock().expect("nobody fails while counting");
        score.add_pair([one_first.ending.outcome(), two_first.ending.outcome()]);
        progress(score);
        true
    };
    let pairs = 0..terms.games.div_ceil(2);
    let seat = |player: &FoundPlayer| player.seat(setup, terms.home).expect("they could be seated before");
    let seats = || [seat(one), seat(two)];
    let all_played = match crew(terms.threads) {
        // None is left out because another was: whatever was begun counts.
        Some(crew) => crew.install(|| {
            let done = pairs.into_par_iter().with_max_len(8).map_init(seats, play_pair);
            done.reduce(|| true, |one, two| one & two)
        }),
        None => {
            let mut seats = seats();
            pairs.map(|pair| play_pair(&mut seats, pair)).fold(true, |one, two| one & two)
        }
    };
    let (score, _) = played.into_inner().expect("nobody fails while counting");
    (score, !all_played)
}

/// Helpers, where more than one thread is wanted and can be had.
fn crew(threads: Option<usize>) -> Option<rayon::ThreadPool> {
    let threads = threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, |cores| cores.get()));
    (threads > 1).then(|| rayon::ThreadPoolBuilder::new().num_threads(threads).build()).and_then(Result::ok)
}
