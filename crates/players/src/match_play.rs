//! A match between two players: many games, every opening with both colours.

use crate::Error;
use crate::context::Context;
use crate::move_cost::{CostSums, Measured, MoveCost};
use crate::player_spec::{PlayerSpec, check_game, setup_for};
use arena::{MOST_MATCH_PLIES, MatchScore, MatchTerms, MatchWatch, Player, Starts};
use games::{Game, GameVisitor};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// A match to be played.
pub struct MatchParams<'a> {
    /// The game's name.
    pub game: &'a str,
    /// The two players.
    pub players: [&'a PlayerSpec; 2],
    /// The number of games; an odd number is rounded up.
    pub games: u32,
    /// The number of random plies at the beginning of each game.
    pub plies: usize,
    /// The seed of all random numbers.
    pub seed: u64,
    /// Overrides of the setup, `KEY=VALUE`.
    pub setup: &'a [String],
    /// The number of threads; `None` means all cores. The result does not depend on it.
    pub threads: Option<usize>,
    /// The folders of runs and tables, and how to stop.
    pub context: &'a Context<'a>,
}

/// A match that was played.
pub struct PlayedMatch {
    /// The score of the first player, in pairs of games.
    pub score: MatchScore,
    /// Whether games are missing because the match was interrupted.
    pub interrupted: bool,
    /// What the moves of each player cost on average.
    pub costs: [MoveCost; 2],
}

/// Plays a match. `progress` receives the score after every pair of games.
pub fn play_match(
    params: &MatchParams,
    stop: &AtomicBool,
    progress: &mut (dyn FnMut(&MatchScore) + Send),
) -> Result<PlayedMatch, Error> {
    check_game(params.game, &params.players, params.context.runs)?;
    PlayMatch { params, stop, progress }.in_game(params.game)?
}

pub(crate) struct PlayMatch<'a> {
    params: &'a MatchParams<'a>,
    stop: &'a AtomicBool,
    progress: &'a mut (dyn FnMut(&MatchScore) + Send),
}

games::by_name!(PlayMatch<'a>, 'a);

impl GameVisitor for PlayMatch<'_> {
    type Output = Result<PlayedMatch, Error>;

    fn visit<G: Game>(self) -> Result<PlayedMatch, Error> {
        let PlayMatch { params, stop, progress } = self;
        let &MatchParams { players, games, plies, seed, threads, context, .. } = params;
        let setup = setup_for::<G>(&players, params.setup, context.runs)?;
        let seats = Seats::<G>::new(&setup, &players, plies, context)?;
        let (score, interrupted) = seats.play([0, 1], &MatchTerms { games, plies, seed, threads }, stop, progress);
        Ok(PlayedMatch { score, interrupted, costs: [0, 1].map(|place| seats.cost(place)) })
    }
}

/// A player that is ready and that no thread has taken yet.
type FirstSeat<G> = Mutex<Option<Box<dyn Player<G>>>>;

/// Players that can play matches against each other. Each thread of a match gets players of its own.
pub(crate) struct Seats<'a, G: Game> {
    setup: &'a G::Setup,
    /// Each player, with the first instance of it, which was made to check that it can play. The first thread takes it.
    players: Vec<(&'a PlayerSpec, FirstSeat<G>)>,
    /// What the moves of each player cost so far.
    costs: Vec<Arc<CostSums>>,
    context: &'a Context<'a>,
}

impl<'a, G: Game> Seats<'a, G> {
    /// Makes every player once. Returns an error before any game begins if a player cannot play, or if there are too
    /// many random plies.
    pub fn new(
        setup: &'a G::Setup,
        players: &[&'a PlayerSpec],
        plies: usize,
        context: &'a Context<'a>,
    ) -> Result<Seats<'a, G>, Error> {
        let starts = Starts::<G>::new(setup);
        let mut seats = Vec::with_capacity(players.len());
        for &player in players {
            let seated = player.seat::<G>(setup, context)?;
            seated.fits_starts(&starts)?;
            seats.push((player, Mutex::new(Some(seated.player))));
        }
        let most = (G::draw_rules(setup).most_plies as usize).min(MOST_MATCH_PLIES);
        if plies >= most {
            let what = format!("{plies} random plies at the beginning, but a game has at most {most}");
            return Err(Error::parameter("plies", what));
        }
        let costs = players.iter().map(|_| Arc::default()).collect();
        Ok(Seats { setup, players: seats, costs, context })
    }

    /// Plays a match between two of the players, given by their places. Returns the score of the first one, and whether
    /// the match was interrupted.
    pub fn play(
        &self,
        [one, two]: [usize; 2],
        terms: &MatchTerms,
        stop: &AtomicBool,
        progress: &mut (dyn FnMut(&MatchScore) + Send),
    ) -> (MatchScore, bool) {
        let watch = Watch { context: self.context, stop, progress: Mutex::new(progress) };
        arena::watch_match(&|| self.take(one), &|| self.take(two), self.setup, terms, &watch)
    }

    /// What the moves of a player cost so far.
    fn cost(&self, place: usize) -> MoveCost {
        self.costs[place].mean()
    }

    /// The first instance of a player, or a new one if that is already in use. Its moves are measured.
    fn take(&self, place: usize) -> Box<dyn Player<G>> {
        let (player, first) = &self.players[place];
        let first = first.lock().expect("no thread panics while it takes the player").take();
        let seat = || player.seat::<G>(self.setup, self.context).expect("it could be seated before").player;
        Box::new(Measured { player: first.unwrap_or_else(seat), sums: Arc::clone(&self.costs[place]) })
    }
}

/// Stops a match when `stop` is set, and passes its score on.
struct Watch<'a> {
    context: &'a Context<'a>,
    stop: &'a AtomicBool,
    progress: Mutex<&'a mut (dyn FnMut(&MatchScore) + Send)>,
}

impl MatchWatch for Watch<'_> {
    fn goes_on(&self) -> bool {
        !self.stop.load(Ordering::Relaxed)
    }

    /// A game in which a player's search was stopped early does not count.
    fn counts(&self) -> bool {
        !self.context.is_halted()
    }

    fn pair(&self, score: &MatchScore) {
        (self.progress.lock().expect("no thread panics while it counts"))(score);
    }
}
