//! A match between two players: many games, every opening with both colours.

use crate::Error;
use crate::player_spec::{FoundPlayer, PlayerSpec, Seated, check_game, setup_for};
use arena::{MatchScore, Starts, opening, play_game};
use chance::rng_for;
use games::{Game, GameVisitor};
use serde::Serialize;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// How a match came out, for its first player.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
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
    /// The folder of runs.
    pub runs: &'a Path,
}

/// Longer games are broken off as drawn.
const MOST_PLIES: usize = 100_000;

/// Plays a match; `progress` hears of every pair of games.
pub fn contest(params: &ContestParams, stop: &AtomicBool, progress: &mut dyn FnMut(u32)) -> Result<Contest, Error> {
    let found = [params.players[0].find(params.runs)?, params.players[1].find(params.runs)?];
    check_game(params.game, &[&found[0], &found[1]])?;
    let visitor = Visitor { params, found: &found, stop, progress };
    games::with_game(params.game, visitor).ok_or_else(|| Error::unknown("game", params.game, games::names()))?
}

struct Visitor<'a> {
    params: &'a ContestParams<'a>,
    found: &'a [FoundPlayer; 2],
    stop: &'a AtomicBool,
    progress: &'a mut dyn FnMut(u32),
}

impl GameVisitor for Visitor<'_> {
    type Output = Result<Contest, Error>;

    fn visit<G: Game>(self) -> Result<Contest, Error> {
        let Visitor { params, found: [one, two], stop, progress } = self;
        let setup = setup_for::<G>(&[one, two], params.setup)?;
        let (mut one, mut two): (Seated<G>, Seated<G>) = (one.seat(&setup)?, two.seat(&setup)?);
        let starts = Starts::<G>::new(&setup);
        one.fits_starts(&starts)?;
        two.fits_starts(&starts)?;
        let most = (G::most_plies(&setup) as usize).min(MOST_PLIES);
        if params.plies >= most {
            return Err(Error::Refused(format!("--plies is {}, but a game has {most} at most", params.plies)));
        }
        let mut score = MatchScore::default();
        let mut interrupted = false;
        for pair in 0..params.games.div_ceil(2) {
            if stop.load(Ordering::Relaxed) {
                interrupted = true;
                break;
            }
            // What a game leaves to chance comes from its own number, never from how long others took.
            let rng_of = |part: u64| rng_for(params.seed, &[u64::from(pair), part]);
            let rng = &mut rng_of(0);
            let start = starts.draw(rng);
            // The opening's plies count, like all others.
            let (start, made) = opening(&start, params.plies, rng);
            let most = most - made;
            let one_first = play_game(&start, [&mut *one.player, &mut *two.player], most, &mut rng_of(1));
            let two_first = play_game(&start, [&mut *two.player, &mut *one.player], most, &mut rng_of(2));
            score.add_pair([one_first.ending.outcome(), two_first.ending.outcome()]);
            progress(score.games());
        }
        let rating = score.rating();
        Ok(Contest {
            wins: score.wins,
            draws: score.draws,
            losses: score.losses,
            score: score.share(),
            elo: rating.elo,
            elo_low: rating.low,
            elo_high: rating.high,
            games: score.games(),
            interrupted,
        })
    }
}
